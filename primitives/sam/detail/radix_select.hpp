// SPDX-License-Identifier: MIT
// Finds the key of a given rank by its digits: a histogram of the highest digit tells in which bin
// the rank lies, a histogram of the next digit of the keys in that bin narrows it down, and so on.
// No key is moved, and the host never waits.
//
// Source: Alabi, Blanchard, Gordon, Steinbach, "Fast k-selection algorithms for graphics processing
// units", JEA 2012.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/backend/histogram_job.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/scan_job.hpp>
#include <sam/digits.hpp>
#include <sam/scan_policy.hpp>

namespace sam::inline v0_1::detail {

/// Tells how far a search has come: the bits of the wanted key that are known, and the rank of the
/// key, from 1 on, among the keys with these bits.
template <class OrderedKey>
struct select_state {
  OrderedKey known;
  index_t rank;
};

/// The digits of a search: a few of equal width.
template <class Digits>
struct select_digits {
  static constexpr int most_width = 11;
  static constexpr int passes = (Digits::bits + most_width - 1) / most_width;
  static constexpr int width = (Digits::bits + passes - 1) / passes;
  static constexpr index_t bins = index_t{1} << width;
  static constexpr int shift(int pass) { return (passes - 1 - pass) * width; }
};

/// Returns the digit of a key whose higher digits are those found so far, or -1.
template <class Digits>
struct candidate_digit {
  using ordered_key = typename Digits::ordered_key;
  Digits digits;
  select_state<ordered_key> const* state;
  int shift;
  bool is_first;

  template <class Key>
  SAM_FUNCTION index_t operator()(Key const& key) const {
    constexpr int width = select_digits<Digits>::width;
    auto const x = digits(key);
    if (!is_first && (x >> shift >> width) != (state->known >> shift >> width))
      return -1;
    return static_cast<index_t>((x >> shift) & static_cast<ordered_key>((1u << width) - 1));
  }
};

/// Finds the bin of the wanted rank, given for each bin how many candidates lie in it or below.
template <class OrderedKey, class Count>
struct choose_bin_job {
  using item = index_t;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Count const* upto;
  select_state<OrderedKey> const* from;
  select_state<OrderedKey>* to;
  int shift;

  SAM_FUNCTION index_t load(index_t bin) const {
    return bin == 0 ? 0 : static_cast<index_t>(upto[bin - 1]);
  }
  SAM_FUNCTION accumulator to_accumulator(index_t) const { return 0; }
  SAM_FUNCTION void store(index_t bin, index_t below, accumulator) const {
    if (below < from->rank && from->rank <= static_cast<index_t>(upto[bin]))
      *to = {static_cast<OrderedKey>(from->known | static_cast<OrderedKey>(bin) << shift),
             from->rank - below};
  }
};

/// Hands out parts of a workspace, or adds up their sizes if it begins at null.
class workspace_parts {
 public:
  explicit workspace_parts(std::byte* begin) : begin_(begin) {}
  template <class T>
  T* take(index_t n) {
    constexpr index_t unit = max_of(16, alignof(T));
    index_t const at = div_up(bytes_, unit) * unit;
    bytes_ = at + n * index_t{sizeof(T)};
    return begin_ == nullptr ? nullptr : reinterpret_cast<T*>(begin_ + at);
  }
  index_t bytes() const { return bytes_; }

 private:
  std::byte* begin_;
  index_t bytes_ = 0;
};

/// The arrays of a search in the workspace.
template <class Digits, class Count>
struct select_memory {
  using state = select_state<typename Digits::ordered_key>;
  state* states;  // before each pass, and after the last one
  Count* counts;
  explicit select_memory(workspace_parts& parts)
      : states(parts.take<state>(select_digits<Digits>::passes + 1)),
        counts(parts.take<Count>(select_digits<Digits>::bins)) {}
  state* found() const { return states + select_digits<Digits>::passes; }
};

/// Finds the key of rank `rank`, from 1 on, among n keys in the order of their digits, and its rank
/// among equal keys.
template <class Context, class Key, class Digits, class Count>
void select_rank(Context& context, index_t n, Key const* keys, Digits const& digits, index_t rank,
                 select_memory<Digits, Count> const& memory) {
  using ordered_key = typename Digits::ordered_key;
  using by = select_digits<Digits>;
  sam::detail::fill(context, 1, memory.states, select_state<ordered_key>{0, rank});
  for (int pass = 0; pass < by::passes; ++pass) {
    auto* const state = memory.states + pass;
    histogram_job<Key, Count, candidate_digit<Digits>> const job{
        n, keys, memory.counts, by::bins, {digits, state, by::shift(pass), pass == 0}};
    static_assert(counts_bins<Context, decltype(job)>,
                  "sam: this context has no count_bins(job), which selections need");
    context.count_bins(job);
    context.run(by::bins, scan_job<Count, Count, std::identity>{{memory.counts}, memory.counts, {}},
                engine::resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
    context.run(
        by::bins,
        choose_bin_job<ordered_key, Count>{memory.counts, state, state + 1, by::shift(pass)},
        pass_over_flags<std::uint32_t>);
  }
}

/// True for keys before the found one, or equal to it.
template <class Digits, bool Equal>
struct precedes_found {
  Digits digits;
  select_state<typename Digits::ordered_key> const* found;
  template <class Key>
  SAM_FUNCTION bool operator()(Key const& key) const {
    auto const x = digits(key);
    return Equal ? x == found->known : x < found->known;
  }
};

/// Copies the keys and the indices of k chosen items: those before the found key, and as many equal
/// to it as are left, which come first by index. indices_to is null if they are not wanted. If
/// `original` is not null, it holds the indices to copy.
template <class Key, class Index, class State, class To>
struct collect_chosen_job {
  struct item {
    Key key;
    Index index;
  };
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Key const* keys;
  Index const *before, *equal;
  State const* found;
  index_t k;
  Key* keys_to;
  To* indices_to;
  Index const* original;

  SAM_FUNCTION item load(index_t i) const {
    index_t const certain = k - found->rank;
    Index const index = i < certain ? before[i] : equal[i - certain];
    return {keys[index], original == nullptr ? index : original[index]};
  }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const {
    keys_to[i] = x.key;
    if (indices_to != nullptr)
      indices_to[i] = static_cast<To>(x.index);
  }
};

}  // namespace sam::inline v0_1::detail
