// SPDX-License-Identifier: MIT
// Compiles the calls that the tuner measures.
#include "engine/tuned.hpp"

#include "tune/tuned_context.hpp"

namespace sam::tool {

#ifndef SAM_TUNED_HPP  // this file is included once for each context of a group
#define SAM_TUNED_HPP
template <class Context>
std::unique_ptr<tune::machine> make_tuned(Context& context) {
  constexpr unsigned kinds =
      tune::has_own_tuning<Context>
          ? tune::all_kinds
          : tune::all_kinds - tune::short_sorts - tune::long_sorts - tune::apart_sorts;
  return std::make_unique<tune::tuned_context<kinds, Context>>(context);
}
#endif

template std::unique_ptr<tune::machine> make_tuned(SAM_CONTEXT&);

}  // namespace sam::tool
