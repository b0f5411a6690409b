// SPDX-License-Identifier: MIT
// Selects the class by which the blocks of a scan kernel exchange aggregates and prefixes.
#pragma once

#include <sam/gpu/carry/multi_pass_states.hpp>
#include <sam/gpu/carry/ordered_lookback.hpp>
#include <sam/gpu/carry/strided_lookback.hpp>

namespace sam::inline v0_1::gpu {

/// Names the look-back class of a single-pass scheme.
///
/// It is strided_lookback, whose lanes sum tiles in parallel, if the operator commutes and has an
/// identity, and the scheme reads inclusive prefixes at oldest readable tiles only. Otherwise it is
/// ordered_lookback.
template <class Device, class T, class Policy>
using single_pass_descriptors = std::conditional_t<
    is_commutative<typename Policy::op_type> && has_identity<typename Policy::op_type, T> &&
        sam::prefixes_asked_by<typename Policy::carry> == asked_prefixes::at_oldest_readable,
    strided_lookback<Device, T, Policy>, ordered_lookback<Device, T, Policy>>;

/// Names the look-back class for Policy::carry: multi_pass_states if that is one kernel of a
/// multi-pass scheme, otherwise single_pass_descriptors.
template <class Device, class T, class Policy>
using lookback_for = std::conditional_t<is_part_of_scheme<typename Policy::carry>,
                                        multi_pass_states<Device, T, Policy>,
                                        single_pass_descriptors<Device, T, Policy>>;

}  // namespace sam::inline v0_1::gpu
