// SPDX-License-Identifier: MIT
// Defines every primitive as a plain loop: the specification that all back ends must match.
#pragma once

#include <sam/reference/reductions.hpp>
#include <sam/reference/scans.hpp>
#include <sam/reference/selections.hpp>
#include <sam/reference/sorts.hpp>
