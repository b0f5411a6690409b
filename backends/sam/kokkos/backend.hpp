// SPDX-License-Identifier: MIT
#pragma once

#include <sam/kokkos/context.hpp>
