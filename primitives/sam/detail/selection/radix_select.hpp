// SPDX-License-Identifier: MIT
// Finds the key of a given rank by its digits: a histogram of the highest digit tells in which bin
// the rank lies, a histogram of the next digit of the keys in that bin narrows it down, and so on.
// No key is moved, and the host never waits. On CPUs, the key of few is found by comparisons: a
// pass over all bins for each digit would take longer.
//
// Source: Alabi, Blanchard, Gordon, Steinbach, "Fast k-selection algorithms for graphics processing
// units", JEA 2012.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/backend/histogram_job.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/scan_job.hpp>
#include <sam/detail/workspace_parts.hpp>
#include <sam/digits.hpp>
#include <sam/scan_policy.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sam::inline v0_1::detail {

/// Tells how far a search has come: the bits of the wanted key that are known, and the rank of the
/// key, from 1 on, among the keys with these bits.
template <class OrderedKey>
struct select_state {
  OrderedKey known;
  index_t rank;
};

/// The keys of a search. If `number` is not null, it lies in memory and tells, once the work runs,
/// which keys these are: the ones within a bound, if there are from `least` to `most` of them, and
/// else all.
template <class Key, class Index>
struct searched_keys {
  Key const* all;
  index_t n;
  Index const* all_indices;  // null: key i has index i
  Key const* within;
  Index const* within_indices;
  Index const* number;
  index_t least, most;

  SAM_FUNCTION bool are_few() const {
    if (number == nullptr)
      return false;
    auto const found = static_cast<index_t>(*number);
    return found >= least && found <= most;
  }
  SAM_FUNCTION index_t size() const { return are_few() ? static_cast<index_t>(*number) : n; }
  SAM_FUNCTION Key const* keys() const { return are_few() ? within : all; }
  SAM_FUNCTION index_t index(index_t i) const {
    Index const* const indices = are_few() ? within_indices : all_indices;
    return indices == nullptr ? i : static_cast<index_t>(indices[i]);
  }
};

/// The first keys of an array, by their number in memory.
template <class Key, class Index, class Number>
struct searched_first_keys : searched_keys<Key, Index> {
  Number first;
  SAM_FUNCTION index_t size() const { return first(); }
};
/// Returns keys for a search, given all that there may be and their number.
template <class Index, class Key>
searched_keys<Key, Index> search_among(Key const* keys, index_t n, known_count const&) {
  return {keys, n, nullptr, nullptr, nullptr, nullptr, 0, 0};
}
template <class Index, class Key, class Number>
searched_first_keys<Key, Index, Number> search_among(Key const* keys, index_t n,
                                                     Number const& number) {
  return {{keys, n, nullptr, nullptr, nullptr, nullptr, 0, 0}, number};
}

/// As many as are wanted, but at most as many as there are.
template <class Number, class Wanted>
struct number_wanted {
  Number number;
  Wanted wanted;
  SAM_FUNCTION index_t operator()() const { return min_of(number(), wanted()); }
};
inline known_count up_to(known_count const& number, known_count const& wanted) {
  return {min_of(number.n, wanted.n)};
}
template <class Number, class Wanted>
number_wanted<Number, Wanted> up_to(Number const& number, Wanted const& wanted) {
  return {number, wanted};
}

/// The digits of a search: a few of equal width.
template <class Digits>
struct select_digits {
  static constexpr int most_width = 11;
  static constexpr int passes = (Digits::bits + most_width - 1) / most_width;
  static constexpr int width = (Digits::bits + passes - 1) / passes;
  static constexpr index_t bins = index_t{1} << width;
  static SAM_FUNCTION constexpr int shift(int pass) { return (passes - 1 - pass) * width; }
};

/// Returns the digit of a key whose higher digits are those found so far, or -1. The first digit of
/// all keys counts.
template <class Key, class Among, class Digits>
struct candidate_digit {
  using ordered_key = typename Digits::ordered_key;
  Among among;
  Digits digits;
  select_state<ordered_key> const* state;  // null for the first digit
  int shift;

  SAM_FUNCTION index_t items_to_count() const { return among.size(); }
  SAM_FUNCTION Key const* first_to_count() const { return among.keys(); }
  SAM_FUNCTION index_t operator()(Key const& key) const {
    constexpr int width = select_digits<Digits>::width;
    auto const x = digits(key);
    if (state != nullptr && (x >> shift >> width) != (state->known >> shift >> width))
      return -1;
    return static_cast<index_t>((x >> shift) & static_cast<ordered_key>((1u << width) - 1));
  }
};

/// Adds up the keys of each bin and of those below it, and finds the bin of the wanted rank. Stores
/// the key at `key_to`, unless this is null, if no digit is left.
template <class Key, class Digits, class Count, class Rank>
struct choose_bin_job {
  using ordered_key = typename Digits::ordered_key;
  using item = Count;
  using accumulator = Count;
  Count const* counts;
  Rank rank;                              // of the first digit
  select_state<ordered_key> const* from;  // null for the first digit
  select_state<ordered_key>* to;
  int shift;
  Key* key_to;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(counts); }
  SAM_FUNCTION Count load(index_t, Count const* x) const { return *x; }
  SAM_FUNCTION Count load(index_t bin) const { return counts[bin]; }
  SAM_FUNCTION accumulator to_accumulator(Count x) const { return x; }
  SAM_FUNCTION void store(index_t bin, Count x, accumulator upto) const {
    index_t const wanted = from == nullptr ? rank() : from->rank;
    index_t const below = static_cast<index_t>(upto) - static_cast<index_t>(x);
    if (below >= wanted || wanted > static_cast<index_t>(upto))
      return;
    auto const known = static_cast<ordered_key>((from == nullptr ? ordered_key{0} : from->known) |
                                                static_cast<ordered_key>(bin) << shift);
    *to = {known, wanted - below};
    if constexpr (requires { Digits::key_of(known); })
      if (key_to != nullptr && shift == 0)
        *key_to = Digits::key_of(known);
  }
};

/// The passes of a search: digit by digit, from the highest one on.
template <class Key, class Among, class Digits, class Count, class Rank>
struct digit_search {
  using by = select_digits<Digits>;
  using state = select_state<typename Digits::ordered_key>;
  static constexpr int passes = by::passes;
  static constexpr index_t bins = by::bins;
  Among among;
  Digits digits;
  Rank rank;
  state* states;  // after each pass
  Key* key_to;    // where the key is stored, or null

  SAM_FUNCTION state const* before(int pass) const {
    return pass == 0 ? nullptr : states + pass - 1;
  }
  SAM_FUNCTION candidate_digit<Key, Among, Digits> bins_of(int pass) const {
    return {among, digits, before(pass), by::shift(pass)};
  }
  SAM_FUNCTION choose_bin_job<Key, Digits, Count, Rank>
  chosen_of(int pass, Count const* counts = nullptr) const {
    return {counts, rank, before(pass), states + pass, by::shift(pass), key_to};
  }
};

/// The arrays of a search in the workspace.
template <class Digits, class Count>
struct select_memory {
  using state = select_state<typename Digits::ordered_key>;
  using ordered_key = typename Digits::ordered_key;
  /// The most keys of which a CPU finds one by comparisons.
  static constexpr index_t most_compared = 1 << 14;
  state* states;  // after each pass
  Count* counts;
  ordered_key* compared;  // space for as many keys, twice
  explicit select_memory(workspace_parts& parts, index_t few)
      : states(parts.take<state>(select_digits<Digits>::passes)),
        counts(parts.take<Count>(select_digits<Digits>::bins)),
        compared(parts.take<ordered_key>(few)) {}
  /// Returns how many items of `compared` a search among n keys needs.
  template <class Context>
  static constexpr index_t few_of(index_t n) {
    return works_on_device<Context> ? 0 : 2 * min_of(n, most_compared);
  }
  state* found() const { return states + select_digits<Digits>::passes - 1; }
};

/// Finds the key of a rank, from 1 on, among few keys, by a single item of work.
template <class Key, class Digits>
struct select_few_job {
  struct item {};
  using accumulator = std::uint32_t;
  using ordered_key = typename Digits::ordered_key;
  static constexpr bool elementwise = true;
  Key const* keys;
  index_t n, rank;
  Digits digits;
  ordered_key* memory;  // of 2 n keys
  select_state<ordered_key>* to;
  Key* key_to;

  item load(index_t) const { return {}; }
  accumulator to_accumulator(item) const { return 0; }
  void store(index_t, item, accumulator) const {
    for (index_t i = 0; i < n; ++i)
      memory[i] = digits(keys[i]);
    ordered_key const known = find(memory, n, rank - 1, memory + n);
    index_t below = 0;
    for (index_t i = 0; i < n; ++i)
      below += digits(keys[i]) < known ? 1 : 0;
    *to = {known, rank - below};
    if constexpr (requires { Digits::key_of(known); })
      if (key_to != nullptr)
        *key_to = Digits::key_of(known);
  }

 private:
  /// Returns number k of n keys, from 0 on. Goes on among the keys between two of a sample, as long
  /// as they are few and the wanted one is among them.
  static ordered_key find(ordered_key* a, index_t n, index_t k, ordered_key* b) {
    constexpr index_t sampled = 64, margin = 10;  // 2.5 times the deviation of a rank
    while (n > 2 * sampled) {
      ordered_key sample[std::size_t{sampled}];
      for (index_t i = 0; i < sampled; ++i)
        sample[i] = a[i * (n / sampled)];
      std::sort(sample, sample + sampled);
      index_t const at = k * sampled / n;
      ordered_key const low = at < margin ? ordered_key{0} : sample[at - margin];
      ordered_key const high =
          at + margin < sampled ? sample[at + margin] : static_cast<ordered_key>(~ordered_key{0});
      auto const width = static_cast<ordered_key>(high - low);
      index_t below = 0, within = 0;
      for (index_t i = 0; i < n; ++i) {
        ordered_key const x = a[i];
        b[within] = x;
        below += x < low ? 1 : 0;
        within += static_cast<ordered_key>(x - low) <= width ? 1 : 0;
      }
      if (k < below || k >= below + within)
        break;
      if (low == high)
        return low;
      if (within > n / 2)
        break;
      k -= below;
      n = within;
      std::swap(a, b);
    }
    std::nth_element(a, a + k, a + n);
    return a[k];
  }
};

/// Finds the key of rank `rank()`, from 1 on, among some keys in the order of their digits, and its
/// rank among equal keys. If there are fewer keys, it finds none. Stores the key at `key_to`,
/// unless this is null; then there must be enough keys.
template <class Context, class Key, class Among, class Digits, class Rank, class Count>
void select_rank(Context& context, Among const& among, Digits const& digits, Rank const& rank,
                 select_memory<Digits, Count> const& memory, Key* key_to) {
  using search = digit_search<Key, Among, Digits, Count, Rank>;
  counting_search_job<Key, Count, search> const job{
      among.n, among.all, {among, digits, rank, memory.states, key_to}};
  if constexpr (searches_by_counts<Context, decltype(job)>) {
    context.search_by_counts(job);
  } else {
    static_assert(counts_bins<Context, decltype(job.pass(0, nullptr))>,
                  "sam: this context has no count_bins(job), which selections need");
    if constexpr (!works_on_device<Context>)
      if (among.size() <= memory.most_compared)
        return context.run(1,
                           select_few_job<Key, Digits>{among.keys(), among.size(), rank(), digits,
                                                       memory.compared, memory.found(), key_to},
                           pass_over_flags<std::uint32_t>);
    for (int pass = 0; pass < search::passes; ++pass) {
      context.count_bins(job.pass(pass, memory.counts));
      context.run(search::bins, job.search.chosen_of(pass, memory.counts),
                  engine::resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
    }
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

/// Selects the indices of keys by a predicate, for a result that is needed only if the searched
/// keys are few, or only if they are not.
template <class Key, class Index, class Keep>
struct index_kept_among : index_kept_by_predicate<Key, Keep> {
  searched_keys<Key, Index> among;
  bool few;
  SAM_FUNCTION bool does_nothing() const { return among.are_few() != few; }
};

/// Copies the keys and the indices of k chosen items: those before the found key, and as many equal
/// to it as are left, which come first by index. Those among few keys lie behind `most` others.
/// indices_to is null if they are not wanted.
template <class Key, class Index, class Among, class Rank, class State, class To>
struct collect_chosen_job {
  struct item {
    Key key;
    Index index;
  };
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Among among;
  Index const *before, *equal;
  State const* found;
  Rank k;
  index_t most;
  Key* keys_to;
  To* indices_to;

  SAM_FUNCTION item load(index_t i) const {
    index_t const certain = k() - found->rank, first = among.are_few() ? most : 0;
    auto const at =
        static_cast<index_t>(i < certain ? before[first + i] : equal[first + i - certain]);
    return {among.keys()[at], static_cast<Index>(among.index(at))};
  }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const {
    keys_to[i] = x.key;
    if (indices_to != nullptr)
      indices_to[i] = static_cast<To>(x.index);
  }
};

}  // namespace sam::inline v0_1::detail
