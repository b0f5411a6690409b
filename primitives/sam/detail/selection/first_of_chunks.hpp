// SPDX-License-Identifier: MIT
// Finds the first items of chunks by comparisons, on CPUs. Most items are only compared with the
// last one that would be chosen so far.
#pragma once

#include <sam/detail/merge_chunks.hpp>

namespace sam::inline v0_1::detail {

/// True if the first k of n items are found without a sort of all others.
inline bool are_few_of(index_t n, index_t k) { return k <= (1 << 12) && k <= n / 8; }

/// Copies items to where a sort writes them.
template <class Key, class Value>
struct put_items_job {
  using item = merged_item_t<Key, Value>;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  item const* from;
  merge_target<Key, Value> to;
  SAM_FUNCTION item load(index_t i) const { return from[i]; }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const { to.store(i, x); }
};
/// Sorts the first k items of each chunk to its front in `sorted`; the rest of a chunk there is
/// unspecified. Both buffers hold all n items, or, of a single chunk, `room_for(k)`.
///
/// A worker keeps items until they are about twice k, and sorts them. From then on it passes over
/// items that are not less than item k of these, and keeps the others behind the first k, to sort
/// them and merge them with these. They have higher indices, so that this is stable.
template <class Key, class Value, class Less>
struct first_of_chunks_job {
  struct item {};
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  using T = merged_item_t<Key, Value>;
  using source = merge_source<Key, Value>;
  source from;
  index_t n;
  T *sorted, *other;
  Less less;
  index_t chunk, k;

  static constexpr index_t room_for(index_t k) { return 2 * k + block; }
  SAM_FUNCTION item load(index_t) const { return {}; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t c, item, accumulator) const {
    index_t const begin = c * chunk, end = min_of(begin + chunk, n);
    index_t const room = min_of(room_for(k), end - begin);
    T* const kept = sorted + begin;
    index_t i = begin + room;
    for (index_t j = 0; j < room; ++j)
      kept[j] = from.load(begin + j);
    sort(kept, other + begin, room);
    while (i < end) {  // then room exceeds k by more than a block
      index_t held = k;
      T const last = kept[k - 1];
      for (; i + block <= end && held + block <= room; i += block)
        if (has_less(i, last))
          held = keep(i, block, last, kept, held);
      if (i + block > end && held + block <= room) {
        held = keep(i, end - i, last, kept, held);
        i = end;
      }
      sort(kept + k, other + begin + k, held - k);
      merge(kept, other + begin, held);
    }
  }
  SAM_FUNCTION index_t bytes_per_item() const { return chunk * index_t{sizeof(T)}; }

 private:
  static constexpr index_t block = 32;

  SAM_FUNCTION bool precedes(index_t i, T const& x) const {
    return static_cast<bool>(less(from.key(i), source::key_of(x)));
  }
  /// True if any item of a block is less than x. Compilers vectorize the loop.
  SAM_FUNCTION bool has_less(index_t begin, T const& x) const {
    unsigned any = 0;
    for (index_t j = 0; j < block; ++j)
      any |= precedes(begin + j, x) ? 1u : 0u;
    return any != 0;
  }
  /// Appends those of some items that are less than x to the `held` ones, and returns their number.
  SAM_FUNCTION index_t keep(index_t begin, index_t count, T const& x, T* kept, index_t held) const {
    for (index_t i = begin; i < begin + count; ++i) {
      kept[held] = from.load(i);
      held += precedes(i, x) ? 1 : 0;
    }
    return held;
  }
  /// Merges the first k items, which are in order, with the others up to `held`, which are too, and
  /// keeps k of them.
  SAM_FUNCTION void merge(T* kept, T* memory, index_t held) const {
    merge_pass<Key, Value, Less> const pass{engine::together_as_source<Key, Value>(kept),
                                            engine::together_as_source<Key, Value>(kept),
                                            held,
                                            0,
                                            0,
                                            engine::together_as_target<Key, Value>(memory),
                                            less};
    merge_stream both{0, k, k, held, 0};
    while (both.to < k && both.b < held)
      for (index_t some = min_of(k - both.to, both.safe()); some > 0; --some)
        both.step(pass);
    for (; both.to < k; ++both.to, ++both.a)
      memory[both.to] = kept[both.a];
    for (index_t j = 0; j < k; ++j)
      kept[j] = memory[j];
  }
  SAM_FUNCTION void sort(T* items, T* memory, index_t count) const {
    sort_chunks_job<Key, Value, Less>{
        engine::together_as_source<Key, Value>(items), count, items, memory, less, count}
        .store(0, {}, 0);
  }
};

}  // namespace sam::inline v0_1::detail
