// SPDX-License-Identifier: MIT
// Defines what the passes over a stream share, and the rows that each of them handles: items, or
// groups in memory.
#pragma once

#include <sam/detail/stream/stream_shape.hpp>

#include <cstdint>
#include <cstring>

namespace sam::inline v0_1::detail {

// A result must have the same bits wherever the code for it is inlined. Compilers may fuse a
// product and a sum, and decide so for each copy of an expression.

/// Returns op(a, b) by code that the compiler makes once. Operands are passed in registers.
template <class Op, class T>
SAM_ONE_COPY SAM_FUNCTION T combine_by_one_copy(Op op, T a, T b) {
  return op(a, b);
}
/// Returns x, of which compilers then know no more than its bits. So they fuse nothing across it.
template <class T>
SAM_FUNCTION T opaque(T const& x) {
  constexpr std::size_t words = (sizeof(T) + 3) / 4;
  std::uint32_t bits[words];
  bits[words - 1] = 0;
  memcpy(bits, __builtin_addressof(x), sizeof(T));
  for (std::uint32_t& word : bits)
    word = engine::hidden_bits(word);
  engine::uninitialized_array<T, 1> same;
  memcpy(static_cast<void*>(same.at), bits, sizeof(T));
  return same.at[0];
}

/// Holds what all passes of a round share. A Job has these members, for items in the scan's
/// direction:
///
/// number, count()   the number of items; no_stream_job passes on `number`
/// load(p)           returns item p as it is combined
/// store(p, y)       stores its result
/// store_empty(p)    stores that of an item of an exclusive scan which has none before it
/// kind              the scan's bound
/// stores_each       false if no result is stored
/// computes          true if more than the items of an array are loaded or stored
/// leave(from, to)   optional: sets what else the state behind the array holds
///
/// *before is the state before item 0.
template <class Job, class Op, class Before, class State>
struct stream_round {
  using job_type = Job;
  using T = typename State::group_type;
  using shape = stream_shape<T, State::components>;
  static constexpr index_t s = State::components;
  Job job;
  Op op;
  Before before;
  State* after;
  int round;

  SAM_FUNCTION stream_extent<s> extent() const { return {(*before).items, job.count()}; }
  SAM_FUNCTION T combined(T const& a, T const& b) const {
    if constexpr (is_exact<T> || rounds_once_on<Op, T>)
      return op(a, b);
    else
      return detail::combine_by_one_copy(op, a, b);
  }
};

/// The items, as rows of level 0.
template <class Round>
struct item_rows {
  using T = typename Round::T;
  static constexpr bool are_items = true;
  static constexpr int level = 0;
  using extent = stream_extent<Round::s>;

  SAM_FUNCTION T load(Round const& in, extent const& all, index_t row, index_t c) const {
    index_t const p = row * Round::s + c - all.items;
    if constexpr (Round::job_type::computes)
      return detail::opaque(in.job.load(p));
    else
      return in.job.load(p);
  }
};
/// The groups of a higher level, in memory, those of the tile of the lowest row first. Their
/// prefixes replace them.
template <class Round>
struct group_rows {
  using T = typename Round::T;
  static constexpr bool are_items = false;
  using extent = stream_extent<Round::s>;
  T* groups;
  int level;

  SAM_FUNCTION T& at(extent const& all, index_t row, index_t c) const {
    return groups[(row - (all.lowest_row() >> stream_group_bits * level)) * Round::s + c];
  }
  SAM_FUNCTION T load(Round const&, extent const& all, index_t row, index_t c) const {
    return at(all, row, c);
  }
};

}  // namespace sam::inline v0_1::detail
