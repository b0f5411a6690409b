// SPDX-License-Identifier: MIT
#pragma once

#include <sam/gpu/carry/multi_pass_states.hpp>
#include <sam/gpu/carry/ordered_lookback.hpp>
#include <sam/gpu/carry/strided_lookback.hpp>

namespace sam::gpu {

/// The lookback_warp of a single pass: lanes that add up, where the operator and the scheme allow
/// it.
template <class Device, class T, class Policy>
using single_pass_descriptors = std::conditional_t<
    is_commutative<typename Policy::op_type> && has_identity<typename Policy::op_type, T> &&
        sam::prefixes_asked_by<typename Policy::carry> == asked_prefixes::at_oldest_readable,
    strided_lookback<Device, T, Policy>, ordered_lookback<Device, T, Policy>>;

/// The descriptors that a kernel's scheme, or its part of one, is run with.
template <class Device, class T, class Policy>
using lookback_for = std::conditional_t<is_part_of_scheme<typename Policy::carry>,
                                        multi_pass_states<Device, T, Policy>,
                                        single_pass_descriptors<Device, T, Policy>>;

}  // namespace sam::gpu
