// SPDX-License-Identifier: MIT
// Headers to precompile: those that nearly all tests of a back end include themselves.
#pragma once

#include "support.hpp"
