// SPDX-License-Identifier: MIT
// Declares the access of the tuner to a context, which tuned.cpp compiles once for each.
#pragma once

#include "tune/machine.hpp"

namespace sam::tool {

/// Returns a machine that measures calls on a context, which must outlive it.
template <class Context>
std::unique_ptr<tune::machine> make_tuned(Context& context);

}  // namespace sam::tool
