// SPDX-License-Identifier: MIT
// This file chooses the tile descriptors with which a kernel runs its carry scheme.
#pragma once

#include <sam/gpu/carry/multi_pass_states.hpp>
#include <sam/gpu/carry/ordered_lookback.hpp>
#include <sam/gpu/carry/strided_lookback.hpp>

namespace sam::gpu {

/// Selects the look-back of a single-pass kernel: strided_lookback if the operator is commutative
/// with identity and the scheme allows it, otherwise ordered_lookback.
template <class Device, class T, class Policy>
using single_pass_descriptors = std::conditional_t<
    is_commutative<typename Policy::op_type> && has_identity<typename Policy::op_type, T> &&
        sam::prefixes_asked_by<typename Policy::carry> == asked_prefixes::at_oldest_readable,
    strided_lookback<Device, T, Policy>, ordered_lookback<Device, T, Policy>>;

/// Selects the tile descriptors for a kernel's scheme, or for its part of a multi-pass scheme.
template <class Device, class T, class Policy>
using lookback_for = std::conditional_t<is_part_of_scheme<typename Policy::carry>,
                                        multi_pass_states<Device, T, Policy>,
                                        single_pass_descriptors<Device, T, Policy>>;

}  // namespace sam::gpu
