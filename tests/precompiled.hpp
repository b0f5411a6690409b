// SPDX-License-Identifier: MIT
// What nearly all tests of a back end include. They include it themselves, too.
#pragma once

#include "support.hpp"
