// SPDX-License-Identifier: MIT
// Includes what calls of wrong_calls.cpp need. Tests compile it once (CMakeLists.txt).
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <atomic>
#include <complex>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
