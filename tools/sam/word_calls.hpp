// SPDX-License-Identifier: MIT
// The calls that the tool makes on words of 8 bytes, for items of any type. One type keeps the
// number of kernels low.
#pragma once

#include <sam/portable.hpp>

#include "engine/key_range.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace sam::tool {

/// Words hold items of any type: keys, which are unsigned and in the order of the items, or bits.
/// See words.hpp. All arrays lie in host memory, and all calls wait.
using word_span = std::span<std::uint64_t>;
using index_span = std::span<std::int64_t>;

/// Sorted keys, and a value that goes with each.
struct keyed_words {
  word_span keys;
  index_span values;
};

/// The part of two sorted arrays that remains: all, or a set of them, in which items may be
/// repeated.
enum class set_kind { all, in_any, in_both, in_first, in_one };

class set_calls {
 public:
  virtual ~set_calls() = default;
  /// Writes what remains to the front of `out`, which has room for both arrays. Returns how many
  /// remain.
  virtual index_t combine(set_kind kind, keyed_words const& a, keyed_words const& b,
                          keyed_words const& out) = 0;
};

class move_calls {
 public:
  virtual ~move_calls() = default;
  /// Searches sorted keys for each value: where those not below it begin, and those above it. One
  /// of the outputs may be empty.
  virtual void search(word_span sorted, word_span values, index_span begins, index_span ends) = 0;
  virtual void gather(word_span in, index_span indices, word_span out) = 0;
  virtual void scatter(word_span in, index_span indices, word_span out) = 0;
  /// Brings two arrays into one order.
  virtual void permute(index_span indices, word_span in, word_span out, word_span other_in,
                       word_span other_out) = 0;
  /// Keeps the words for whose stencil `keep` holds. Returns their number.
  virtual index_t keep_by(word_span in, word_span stencil, word_span out,
                          key_range<std::uint64_t> keep) = 0;
};

/// A question about the items that satisfy a predicate. The answer is an index, which is the number
/// of items if there is none, a number, or 0 or 1.
enum class question { first, how_many, any, all, none };

class rank_calls {
 public:
  virtual ~rank_calls() = default;
  // Offsets of segments may be empty: all items are one segment.

  /// Sorts by comparisons, stably. Writes the index of each key.
  virtual void argsort(word_span keys, index_span offsets, index_span order) = 0;
  /// Writes the indices of the largest or smallest keys, that of the extreme one first: as many as
  /// `indices` holds, or as `counts` says of each segment. `indices` has as many places for each of
  /// them; those left over do not change.
  virtual void top(word_span keys, index_span offsets, index_span counts, bool smallest,
                   index_span indices) = 0;
  /// Returns the key of a rank.
  virtual std::uint64_t key_of_rank(word_span keys, index_t rank) = 0;
  /// Returns the indices of the smallest and the largest key.
  virtual std::array<index_t, 2> extremes(word_span keys) = 0;
  /// Returns these keys.
  virtual std::array<std::uint64_t, 2> extreme_keys(word_span keys) = 0;
  /// Writes the index of the smallest or largest key of each segment: keys.size() without any.
  virtual void extremes(word_span keys, index_span offsets, bool smallest, index_span indices) = 0;
  /// Writes those of both.
  virtual void both_extremes(word_span keys, index_span offsets, index_span least,
                             index_span greatest) = 0;
  virtual index_t ask(question what, word_span keys, key_range<std::uint64_t> matches) = 0;
  /// Writes the index of the first match of each segment, or the number of its matches.
  virtual void find_in_segments(word_span keys, index_span offsets,
                                key_range<std::uint64_t> matches, index_span firsts) = 0;
  virtual void count_in_segments(word_span keys, index_span offsets,
                                 key_range<std::uint64_t> matches, index_span numbers) = 0;
  virtual bool are_sorted(word_span keys) = 0;
  /// Writes 1 for each segment that is sorted, and 0 for others.
  virtual void are_sorted_in_segments(word_span keys, index_span offsets, index_span truths) = 0;
  /// Writes where the runs of more than one word begin, and their lengths. Returns their number,
  /// which is at most half of the number of words.
  virtual index_t find_runs(word_span items, index_span offsets, index_span lengths) = 0;
};

/// Operators of neighbours: of scan_operator, and a difference.
enum class neighbour_operator { minus, plus, multiplies, min, max, bit_and, bit_or, bit_xor };

class number_calls {
 public:
  virtual ~number_calls() = default;
  /// Combines each item with the one before it or behind it, in place. Words are signed or unsigned
  /// integers, or the bits of a double, as `type` says: int64, uint64 or float64.
  virtual void combine_neighbours(word_span items, item_type type, neighbour_operator op,
                                  bool with_next) = 0;
  /// Computes a sum of products, of integers modulo 2^64 or of floats.
  virtual std::uint64_t inner_product(word_span a, word_span b) = 0;
  virtual double inner_product(std::span<double> a, std::span<double> b) = 0;
  /// Computes such a sum for each segment.
  virtual void inner_products(word_span a, word_span b, index_span offsets, word_span sums) = 0;
  virtual void inner_products(std::span<double> a, std::span<double> b, index_span offsets,
                              std::span<double> sums) = 0;
  /// Sums the weights of the keys in each bin between boundaries, which are keys.
  virtual void weigh(word_span keys, word_span boundaries, word_span weights, word_span sums) = 0;
  virtual void weigh(word_span keys, word_span boundaries, std::span<double> weights,
                     std::span<double> sums) = 0;
  /// Counts the keys of each of 2 to 4 interleaved channels.
  virtual void count_channels(word_span keys, int channels, word_span boundaries,
                              index_span counts) = 0;
};

}  // namespace sam::tool
