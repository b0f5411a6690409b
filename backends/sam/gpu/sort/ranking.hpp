// SPDX-License-Identifier: MIT
// Says how blocks rank items of equal digit: by atomic additions, whose order must be checked, or
// by ballots.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

/// Selects the method that ranks items of equal digit. Tests use force_fallback, which treats every
/// check of atomic ranks as failed.
enum class ranking { ballot, atomic, force_fallback };

/// Tells all blocks of a launch how to rank. On a device whose order of additions is not known,
/// blocks try them, and later ones rank by ballots once a check has failed.
struct rank_choice {
  ranking how = ranking::ballot;
  std::uint32_t* must_ballot = nullptr;  // 1 once a check has failed; the context keeps it

  /// True if blocks that can check the order of their items may rank by additions.
  template <class Device>
  SAM_DEVICE bool may_add() const {
    return how != ranking::ballot && (Device::adds_in_order() || Device::may_add_in_order);
  }
  /// Returns 1 if a check has failed. Threads may get different answers: a block that may add
  /// checks its items in any case, unless its threads share one answer.
  template <class Device>
  SAM_DEVICE std::uint32_t has_failed() const {
    return is_open<Device>() ? Device::load(must_ballot) : 0;
  }
  /// Returns the same, and one answer to all lanes of the warp.
  template <class Device>
  SAM_DEVICE bool has_failed_for_warp() const {
    return is_open<Device>() && !Device::all_lanes(Device::load(must_ballot) == 0);
  }
  /// Notes that a check has failed. One thread calls it.
  template <class Device>
  SAM_DEVICE void note_failure() const {
    if (is_open<Device>())
      Device::store(must_ballot, 1u);
  }

 private:
  /// True if blocks find out whether additions are in order.
  template <class Device>
  static SAM_DEVICE bool is_open() {
    return !Device::adds_in_order() && Device::may_add_in_order;
  }
};

}  // namespace sam::inline v0_1::gpu
