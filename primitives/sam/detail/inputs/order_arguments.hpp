// SPDX-License-Identifier: MIT
// Checks the arguments that sorts and selections by a comparison share.
#pragma once

#include <sam/detail/inputs/copy_input.hpp>
#include <sam/detail/locate_job.hpp>

namespace sam::inline v0_1::detail {

/// Checks the arguments of sorts and of selections by a comparison: of pairs, and of indices.
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Less>
using is_order_of_pairs =
    std::conjunction<is_context<Context>,
                     stores_to<parameter::keys_in, parameter::keys_out, Context, KeysIn, KeysOut>,
                     reads_items<parameter::values_in, Context, ValuesIn>,
                     writes_items<parameter::values_out, Context, ValuesOut>,
                     have_one_item_type<ValuesIn, ValuesOut>,
                     is_comparison<Context, Less, item_or_any_t<KeysIn>>>;
template <class Context, class Keys, class Out, class Less>
using is_order_of_indices =
    std::conjunction<is_context<Context>, reads_first_items<parameter::keys, Context, Keys>,
                     writes_items<parameter::out, Context, Out>,
                     typename parameter::out::template holds_integers<item_or_any_t<Out>>,
                     is_comparison<Context, Less, item_or_any_t<Keys>>>;

}  // namespace sam::inline v0_1::detail
