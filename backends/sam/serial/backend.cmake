# SPDX-License-Identifier: MIT
sam_add_backend(serial HOST_ENGINE)
