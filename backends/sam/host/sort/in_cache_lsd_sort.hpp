// SPDX-License-Identifier: MIT
// Sorts items that fit in the second-level cache, on one thread: an LSD radix sort by only as many
// leading digits as tell most keys apart. Items that these leave equal are sorted recursively.
#pragma once

#include <sam/host/sort/key_value_io.hpp>
#include <sam/host/sort/ordered_key_block.hpp>
#include <sam/host/sort/rank_sort.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sam::inline v0_1::host {

template <class Key, class Value, class Digits>
class in_cache_lsd_sort {
  using ordered_key = typename Digits::ordered_key;
  using source = source_columns<Key, Value>;
  using target = columns<Key, Value>;
  using window = bit_window<ordered_key>;

 public:
  /// The largest number of items, for which three digits suffice.
  static constexpr index_t most_items = index_t{1} << 19;

  /// Constructs the sort. `first` and `second` have space for the largest n.
  in_cache_lsd_sort(Digits const& digits, target const& first, target const& second)
      : digits_(digits), buffers_{first, second} {}

  /// Sorts n items stably by bits [low, high) and writes them to `to`, which may be `from`.
  void operator()(source const& from, target const& to, index_t n, int low, int high) const {
    if (n <= few)
      return sort_few(from, to, n, window(low, high));
    high = low + host::width_of(differences(from, n, window(low, high)));
    if (high == low)
      return host::move_items(from, to, n);
    auto const wanted = min_of(high - low, width_of(static_cast<std::uint64_t>(n)) + spread);
    switch (div_up(wanted, digit_bits)) {
    case 1:
      return sort_passes<1>(from, to, n, low, high);
    case 2:
      return sort_passes<2>(from, to, n, low, high);
    default:
      return sort_passes<3>(from, to, n, low, high);
    }
  }

 private:
  static constexpr bool ranks = most_ranked<ordered_key> > 0;
  static constexpr index_t few = ranks ? most_ranked<ordered_key> : 24;
  static constexpr int digit_bits = 8;
  static constexpr int buckets = 1 << digit_bits;
  /// The number of key bits used beyond log2(n). With them, about one in 2^spread of n random keys
  /// equals another.
  static constexpr int spread = 4;
  static_assert(most_items <= index_t{1} << (3 * digit_bits - spread - 1));

  ordered_key differences(source const& from, index_t n, window const& in) const {
    ordered_key const first = digits_(from.keys[0]);
    ordered_key all = 0;
    host::for_each_ordered_key<Digits>(from.keys + 1, n - 1, digits_, [&](index_t, ordered_key x) {
      all = static_cast<ordered_key>(all | (x ^ first));
    });
    return in(all);
  }

  template <int Passes>
  void sort_passes(source const& from, target const& to, index_t n, int low, int high) const {
    int const width = static_cast<int>(min_of(div_up(high - low, Passes), digit_bits));
    int const begin = static_cast<int>(max_of(low, high - Passes * width));
    window digit[std::size_t{Passes}];
    for (int p = 0; p < Passes; ++p)
      digit[p] = window(begin + p * width, static_cast<int>(min_of(begin + (p + 1) * width, high)));

    std::uint32_t counts[std::size_t{Passes}][std::size_t{buckets}] = {};
    [&]<int... P>(std::integer_sequence<int, P...>) {
      host::for_each_ordered_key<Digits>(
          from.keys, n, digits_, [&](index_t, ordered_key x) { (++counts[P][digit[P](x)], ...); });
    }
    (std::make_integer_sequence<int, Passes>{});
    // Skip digits that all keys share.
    ordered_key const first = digits_(from.keys[0]);
    int moving[std::size_t{Passes}], passes = 0;
    for (int p = 0; p < Passes; ++p)
      if (counts[p][digit[p](first)] != n)
        moving[passes++] = p;

    source now = from;
    for (int k = 0; k < passes; ++k) {
      bool const is_last = k + 1 == passes && !now.are_in(to);
      target const next = is_last ? to : buffers_[k % 2];
      if constexpr (sam::detail::is_consistent<Digits>)
        scatter(digits_, now, next, n, digit[moving[k]], counts[moving[k]]);
      else
        scatter_within(digits_, now, next, n, digit[moving[k]], counts[moving[k]]);
      now = next;
    }
    host::move_items(now, to, n);
    if (begin > low)
      sort_runs(to, n, low, window(begin, high));
  }

  // Takes its arguments by value; otherwise the compiler must assume that each store changes them.
  static void scatter(Digits digits, source from, target to, index_t n, window digit,
                      std::uint32_t* counts) {
    std::uint32_t before = 0;
    for (int b = 0; b <= static_cast<int>(digit.mask); ++b)
      before += std::exchange(counts[b], before);
    for (index_t i = 0; i < n; ++i) {
      Key const key = from.keys[i];
      std::uint32_t const at = counts[digit(digits(key))]++;
      to.keys[at] = key;
      if constexpr (has_values)
        to.values[at] = from.value(i);
    }
  }

  /// Scatters as `scatter` does, but writes no more items to a bucket than were counted. If fewer
  /// come, the first item fills the places left, so that every key written is one of the caller's.
  static void scatter_within(Digits const digits, source const from, target const to, index_t n,
                             window const digit, std::uint32_t const* counts) {
    std::uint32_t next[std::size_t{buckets}], ends[std::size_t{buckets}], before = 0;
    auto const number = static_cast<std::size_t>(digit.mask) + 1;
    for (std::size_t b = 0; b < number; ++b) {
      next[b] = before;
      ends[b] = before += counts[b];
    }
    auto const put = [from, to, next = +next](std::size_t bucket, index_t i) {
      std::uint32_t const at = next[bucket]++;
      to.keys[at] = from.keys[i];
      if constexpr (has_values)
        to.values[at] = from.value(i);
    };
    host::for_each_ordered_key<Digits>(
        from.keys, n, [=](Key const& key) { return digit(digits(key)); },
        [put, next = +next, ends = +ends](index_t i, ordered_key bucket) {
          if (next[bucket] < ends[bucket])
            put(static_cast<std::size_t>(bucket), i);
        });
    for (std::size_t b = 0; b < number; ++b)
      while (next[b] < ends[b])
        put(b, 0);
  }

  /// Sorts each run of items that agree in the bits of `sorted` by the bits from `low` up to these.
  void sort_runs(target const& items, index_t n, int low, window const sorted) const {
    for (index_t i = 0; i < n;) {
      ordered_key const run = sorted(digits_(items.keys[i]));
      index_t end = i + 1;
      while (end < n && sorted(digits_(items.keys[end])) == run)
        ++end;
      if (end - i > 1)
        (*this)(items.from(i), items.from(i), end - i, low, sorted.low);
      i = end;
    }
  }

  void sort_few(source const& from, target const& to, index_t n, window const& in) const {
    if constexpr (ranks) {
      if (!from.are_in(to))
        return rank_few(from, to, n, in);
      host::move_items(from, buffers_[0], n);
      rank_few(buffers_[0], to, n, in);
    } else {
      host::move_items(from, to, n);
      insert(to, n, in);
    }
  }
  void rank_few(source const& from, target const& to, index_t n, window const& in) const {
    constexpr auto buffer = static_cast<std::size_t>(engine::max_of(1, most_ranked<ordered_key>));
    alignas(64) ordered_key numbers[buffer] = {}, places[buffer];
    host::for_each_ordered_key<Digits, 8>(
        from.keys, n, [in, digits = digits_](Key const& key) { return in(digits(key)); },
        [at = +numbers](index_t i, ordered_key x) { at[i] = x; });
    host::rank(numbers, n, places);
    for (index_t i = 0; i < n; ++i) {
      to.keys[places[i]] = from.keys[i];
      if constexpr (has_values)
        to.values[places[i]] = from.value(i);
    }
  }

  void insert(target const& items, index_t n, window const& in) const {
    for (index_t i = 1; i < n; ++i) {
      Key const key = items.keys[i];
      ordered_key const x = in(digits_(key));
      index_t at = i;
      while (at > 0 && in(digits_(items.keys[at - 1])) > x)
        --at;
      if (at == i)
        continue;
      std::move_backward(items.keys + at, items.keys + i, items.keys + i + 1);
      items.keys[at] = key;
      if constexpr (has_values) {
        Value const value = items.values[i];
        std::move_backward(items.values + at, items.values + i, items.values + i + 1);
        items.values[at] = value;
      }
    }
  }

  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  Digits digits_;
  target buffers_[2];
};

}  // namespace sam::inline v0_1::host
