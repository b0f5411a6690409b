// SPDX-License-Identifier: MIT
#pragma once

#include <sam/serial/context.hpp>
