// SPDX-License-Identifier: MIT
// Reduces or scans short segments of few items by some lanes of a warp each, for operators that may
// regroup items and have an identity.
//
// Few items take the time of what is waited for, and of the instructions between. So indices have
// 32 bits, missing items are identities, and a lane loads 4 items at once. The kernels of
// reduce_each_segment.hpp and scan_each_segment.hpp leave short segments to this class, and take
// longer ones themselves.
#pragma once

#include <sam/gpu/warp/warp_state.hpp>

namespace sam::inline v0_1::gpu {

/// True if few_segments combines values: it regroups them, and pads them by identities.
template <class T, class Op>
inline constexpr bool combines_few_segments = is_exact<T>&& has_identity<Op, T> && sizeof(T) <= 8;

/// The items of the segment of a lane, and the lane's place among those of the segment.
struct few_items_of_lane {
  std::uint32_t segment;
  int begin, count;
  bool exists;  // else there is no such segment, and count is 0
};

/// Has functions of a warp of which every `width` lanes, a power of two, have a segment.
template <class Device, class Job>
class few_segments {
  static constexpr int lanes = Device::warp_size;
  static constexpr int together = 4;
  static constexpr int turns = 2;

 public:
  /// Up to this number of items for each of its lanes, a segment is short. Longer ones would take
  /// more turns than a whole warp takes with them afterwards.
  static constexpr int most_of_lane = turns * together;

  SAM_DEVICE few_segments(Job const& job, int log_lanes)
      : job_(job), log_(log_lanes), width_(1 << log_lanes), own_(Device::lane() & (width_ - 1)) {}

  /// Returns what this lane has of the segments of warp `warp` of all warps. A segment has no items
  /// if its offsets are wrong, which keeps all accesses inside the arrays.
  SAM_DEVICE few_items_of_lane items_of_lane(std::uint32_t warp) const {
    std::uint32_t const segment =
        warp * std::uint32_t(lanes >> log_) + std::uint32_t(Device::lane() >> log_);
    if (segment >= std::uint32_t(job_.segments))
      return {segment, 0, 0, false};
    auto const begin = static_cast<index_t>(job_.offsets[segment]);
    auto const end = static_cast<index_t>(job_.offsets[segment + 1]);
    bool const is_right = begin >= 0 && begin <= end && end <= job_.n;
    return {segment, is_right ? int(begin) : 0, is_right ? int(end - begin) : 0, true};
  }
  SAM_DEVICE bool is_short(few_items_of_lane const& of) const {
    return of.count <= most_of_lane * width_;
  }
  SAM_DEVICE bool is_first() const { return own_ == 0; }

  /// Returns the combination of `count` items from `begin` on, in all lanes of the segment.
  SAM_DEVICE auto reduced(int begin, int count) const {
    using T = typename Job::total;
    T sum = sam::identity_of<T>(job_.op);
#pragma unroll 1
    for (int i = own_; i < count; i += together * width_) {
      uninitialized_array<T, together> x;
#pragma unroll
      for (int u = 0; u < together; ++u) {  // the first item stands for those that are missing
        int const at = i + u * width_;
        x.at[u] = static_cast<T>(job_.items.at(begin + (at < count ? at : i)));
      }
#pragma unroll
      for (int u = 0; u < together; ++u)
        if (i + u * width_ < count)
          sum = job_.op(sum, x.at[u]);
    }
#pragma unroll 1
    for (int d = width_ / 2; d > 0; d /= 2)
      sum = job_.op(sum, gpu::shuffle_from<Device>(sum, Device::lane() ^ d));
    return sum;
  }

  /// Scans `count` items from `begin` on. Each lane takes neighbouring ones, and stores those alone
  /// that it has loaded, so that the output may be the input.
  SAM_DEVICE void scan(int begin, int count) const {
    using T = typename Job::value;
    T carry = sam::identity_of<T>(job_.op);
    if constexpr (Job::has_start)
      carry = job_.start.value;
#pragma unroll 1
    for (int from = 0; Device::lanes_where(from < count) != 0; from += together * width_) {
      int const first = from + own_ * together;
      uninitialized_array<T, together> x;
#pragma unroll
      for (int u = 0; u < together; ++u)
        x.at[u] = first + u < count ? static_cast<T>(job_.items[begin + first + u])
                                    : sam::identity_of<T>(job_.op);
      T upto = x.at[0];
#pragma unroll
      for (int u = 1; u < together; ++u)
        upto = job_.op(upto, x.at[u]);
#pragma unroll 1
      for (int d = 1; d < width_; d *= 2) {
        T const other = gpu::shuffle_up<Device>(upto, d);
        if (own_ >= d)
          upto = job_.op(other, upto);
      }
      T const below = gpu::shuffle_up<Device>(upto, 1);
      T const all = gpu::shuffle_from<Device>(upto, Device::lane() | (width_ - 1));
      T y = own_ > 0 ? static_cast<T>(job_.op(carry, below)) : carry;
#pragma unroll
      for (int u = 0; u < together; ++u) {
        T const before = y;
        y = job_.op(y, x.at[u]);
        if (first + u < count)
          job_.out[begin + first + u] = Job::is_exclusive ? before : y;
      }
      carry = job_.op(carry, all);
    }
  }

 private:
  Job const& job_;
  int log_, width_, own_;
};

}  // namespace sam::inline v0_1::gpu
