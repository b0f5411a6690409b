// SPDX-License-Identifier: MIT
#pragma once

#include <sam/gpu/carry/ordered_mailbox.hpp>
#include <sam/gpu/carry/stored_mailbox.hpp>
#include <sam/gpu/carry/strided_mailbox.hpp>

namespace sam::gpu {

/// The carrier of a single pass: lanes that add up, where the operator and the scheme allow it.
template <class Device, class T, class Pass>
using single_pass_mailbox =
    std::conditional_t<is_commutative<typename Pass::op_type> &&
                           has_identity<typename Pass::op_type, T> &&
                           sam::totals_asked_by<typename Pass::carry> == asked_totals::at_floors,
                       strided_mailbox<Device, T, Pass>, ordered_mailbox<Device, T, Pass>>;

/// The mailbox that a kernel's scheme, or its part of one, is run with.
template <class Device, class T, class Pass>
using mailbox_for =
    std::conditional_t<is_part_of_scheme<typename Pass::carry>, stored_mailbox<Device, T, Pass>,
                       single_pass_mailbox<Device, T, Pass>>;

}  // namespace sam::gpu
