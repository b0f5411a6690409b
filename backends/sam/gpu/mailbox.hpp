// SPDX-License-Identifier: MIT
#pragma once

#include <sam/gpu/ordered_mailbox.hpp>
#include <sam/gpu/strided_mailbox.hpp>

namespace sam::gpu {

/// The carrier of a pass: lanes that add up, where the operator and the scheme allow it.
template <class Device, class T, class Pass>
using mailbox_for =
    std::conditional_t<is_commutative<typename Pass::op_type> &&
                           has_identity<typename Pass::op_type, T> &&
                           totals_asked_by<typename Pass::carry> == asked_totals::at_floors,
                       strided_mailbox<Device, T, Pass>, ordered_mailbox<Device, T, Pass>>;

}  // namespace sam::gpu
