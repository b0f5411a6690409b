// SPDX-License-Identifier: MIT
#pragma once

#include <sam/gpu/carry/multi_pass_states.hpp>
#include <sam/gpu/carry/ordered_lookback.hpp>
#include <sam/gpu/carry/strided_lookback.hpp>

namespace sam::gpu {

/// The lookback_warp of a single pass: lanes that add up, where the operator and the scheme allow
/// it.
template <class Device, class T, class Pass>
using single_pass_mailbox =
    std::conditional_t<is_commutative<typename Pass::op_type> &&
                           has_identity<typename Pass::op_type, T> &&
                           sam::totals_asked_by<typename Pass::carry> == asked_totals::at_floors,
                       strided_lookback<Device, T, Pass>, ordered_lookback<Device, T, Pass>>;

/// The mailbox that a kernel's scheme, or its part of one, is run with.
template <class Device, class T, class Pass>
using lookback_for =
    std::conditional_t<is_part_of_scheme<typename Pass::carry>, multi_pass_states<Device, T, Pass>,
                       single_pass_mailbox<Device, T, Pass>>;

}  // namespace sam::gpu
