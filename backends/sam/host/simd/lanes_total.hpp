// SPDX-License-Identifier: MIT
// This header combines many numbers by whole vectors, in any order.
#pragma once

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/simd/unrolled.hpp>
#include <sam/host/simd/vector_operator.hpp>

#include <bit>
#include <cstdint>
#include <utility>

namespace sam::inline v0_1::host {

/// Combines vectors of numbers and, at last, their lanes.
template <class T, class Op>
class lanes_total {
  using form = lane_form<T, Op>;
  using lane = typename lane_type<T, Op>::type;
  using V = vec<lane>;
  static constexpr typename form::op_type op{};

 public:
  void clear() { all_ = nothing(); }
  void add(T const* from) { all_ = op(all_, form::turn(host::load<lane>(from))); }
  /// Adds `count` items, a multiple of the lanes of a vector. Several sums hide latency.
  void add_vectors(T const* from, index_t count) {
    constexpr int some = 4;
    index_t i = 0;
    if (count >= 2 * some * lanes<T>) {
      V sums[some];
#pragma GCC unroll 4
      for (int k = 0; k < some; ++k)
        sums[k] = form::turn(host::load<lane>(from + k * lanes<T>));
      for (i = some * lanes<T>; i + some * lanes<T> <= count; i += some * lanes<T>)
#pragma GCC unroll 4
        for (int k = 0; k < some; ++k)
          sums[k] = op(sums[k], form::turn(host::load<lane>(from + i + k * lanes<T>)));
      all_ = op(all_, op(op(sums[0], sums[1]), op(sums[2], sums[3])));
    }
    for (; i < count; i += lanes<T>)
      add(from + i);
  }
  /// Adds fewer items than a vector has lanes. A whole vector must be readable.
  void add(T const* from, int count) {
    V const v = form::turn(host::load<lane>(from));
    auto const numbers = []<int... L>(std::integer_sequence<int, L...>) {
      return vec<bits_of<T>>{static_cast<bits_of<T>>(L)...};
    }
    (std::make_integer_sequence<int, lanes<T>>{});
    all_ = op(all_, numbers < host::all_lanes(static_cast<bits_of<T>>(count)) ? v : nothing());
  }
  T total() const {
    V x = all_;
    host::unrolled<std::bit_width(unsigned{lanes<T>}) - 1>(
        [&](auto k) { x = op(x, crossed<(lanes<T> >> (k + 1))>(x)); });
    return static_cast<T>(form::turn(x)[0]);
  }

 private:
  template <int Far>
  static V crossed(V x) {
    return host::shuffle<lane, [](int l) { return l ^ Far; }>(x, x);
  }
  static V nothing() {
    return form::turn(host::all_lanes(static_cast<lane>(Op::template identity<T>())));
  }
  V all_;
};

}  // namespace sam::inline v0_1::host
#else
namespace sam::inline v0_1::host {
// Device compilers do not support the vector types of their host compiler.
template <class T, class Op>
class lanes_total;
}  // namespace sam::inline v0_1::host
#endif
