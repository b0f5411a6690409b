# SPDX-License-Identifier: MIT
# Adds the serial back end, which needs no installed library.
sam_add_backend(serial HOST_ENGINE)
