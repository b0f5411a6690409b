// SPDX-License-Identifier: MIT
// Partitions items by kind on CPUs. Parts of the items are counted first, which determines the
// places of each part's items. So items are read twice, however many kinds there are, and written
// once.
#pragma once

#include <sam/backend/split_job.hpp>
#include <sam/backend/tiling.hpp>
#include <sam/host/context_base.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/workspace.hpp>
#include <sam/host/scan/job_io.hpp>
#include <sam/host/simd/compress.hpp>
#include <sam/host/simd/truth_word.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

namespace sam::inline v0_1::host {

/// Stores values to consecutive places: gathers them in the first-level cache and stores them by
/// whole lines.
template <class V>
class gathered_stores {
 public:
  /// The largest number of items stored at once.
  static constexpr index_t some =
      tile_size_near(tuning::gathered_bytes / index_t{sizeof(V)}, packed_block);
  /// The size of the buffer: fewer than 2 * some items wait, and packing a block needs space for
  /// another.
  static constexpr index_t buffer = 2 * some + packed_block;

  /// Constructs the stores from `to` on. Nothing is stored from `limit` on: if a caller's predicate
  /// is inconsistent, more values may come than were counted.
  gathered_stores(V* gathered, V* to, V* limit, bool streaming)
      : gathered_(gathered), end_(gathered), to_(to), limit_(limit), streaming_(streaming) {}

  /// Appends the values of some blocks whose bits are set.
  void put(V const* values, std::uint64_t const* kept, index_t blocks) {
    V* end = end_;
    for (index_t b = 0; b < blocks; ++b)
      end = host::pack_values(values + b * packed_block, kept[b], end);
    end_ = end;
    if (end_ - gathered_ >= some)
      store(items_past_line());
  }
  void put(V const& value) { *end_++ = value; }
  void finish() { store(0); }

 private:
  /// Returns how many of the gathered items belong to an incomplete cache line of the output.
  index_t items_past_line() const {
    constexpr std::uintptr_t size = sizeof(V);
    auto const past = reinterpret_cast<std::uintptr_t>(to_ + (end_ - gathered_)) % 64;
    return 64 % size == 0 && past % size == 0 ? static_cast<index_t>(past / size) : 0;
  }
  void store(index_t left) {
    index_t const ready = engine::max_of(end_ - gathered_ - left, index_t{0});
    index_t const fit = engine::min_of(ready, limit_ - to_);
    auto const bytes = static_cast<std::size_t>(fit) * sizeof(V);
    if (streaming_)
      host::streaming_copy(to_, gathered_, bytes);
    else
      std::memcpy(static_cast<void*>(to_), gathered_, bytes);
    std::copy(gathered_ + ready, end_, gathered_);
    end_ -= ready;
    to_ += fit;
  }

  V* gathered_;
  V* end_;
  V* to_;
  V* limit_;
  bool streaming_;
};

template <class Item, class Count, class Kind>
class splitting {
 public:
  using job_type = split_job<Item, Count, Kind>;
  static constexpr int kinds = Kind::kinds;

  splitting(int most_workers, job_type const& job) : job_(job) {
    constexpr auto size = index_t{sizeof(Item)};
    index_t const least = tile_size_near(host::items_of_exact_tile(job.n, size), packed_block);
    index_t const part =
        engine::div_up(engine::div_up(job.n, parts_of_worker * most_workers), least) * least;
    parts_ = {job.n, part};
    workers_ = job.n * size < tuned.parallel_bytes
                   ? 1
                   : static_cast<int>(min_of(most_workers, parts_.tiles()));
    streaming_ = has_streaming_stores && job.n * size >= tuned.streaming_bytes;
  }

  void run(any_pool const& pool, workspace& memory) {
    using store = gathered_stores<Item>;
    workspace::plan plan;
    plan.part<places>(parts_.tiles());
    for (int w = 0; w < workers_; ++w)
      plan.part<Item>(kinds * store::buffer);
    plan.part<Item*>(workers_).template part<std::uint64_t>(words_of_answers());
    if (!memory.reserve(plan))
      return;
    memory.rewind();
    auto* const of_part = memory.take<places>(parts_.tiles());
    auto* const gathered = memory.take<Item*>(workers_);
    for (int w = 0; w < workers_; ++w)
      gathered[w] = memory.take<Item>(kinds * store::buffer);
    answers_ = memory.take<std::uint64_t>(words_of_answers());
    for_each_part(pool, [&](int, index_t part) { of_part[part] = count(part); });
    place(of_part);
    for_each_part(pool, [&](int w, index_t part) {
      move(part, of_part[part], ends_of(part, of_part), gathered[w]);
    });
  }

 private:
  using places = std::array<index_t, std::size_t{kinds}>;
  /// The number of parts per worker. It suffices to keep threads of different speed busy to the
  /// end, and it is fixed because a context keeps a constant amount of memory.
  static constexpr index_t parts_of_worker = 16;
  static constexpr index_t ahead =
      max_of(tuning::ahead_bytes / index_t{sizeof(Item)}, index_t{packed_block});

  template <class Work>
  void for_each_part(any_pool const& pool, Work const& work) const {
    claims claimed(workers_);
    pool.for_each_worker(workers_, [&](int w) {
      for (index_t part; (part = claimed.next()) < parts_.tiles();)
        work(w, part);
      if (streaming_)
        streaming_fence();
    });
  }

  static constexpr index_t some = gathered_stores<Item>::some;
  /// Holds for each kind one bit per item, the first in the lowest bit.
  using kind_words =
      std::array<std::uint64_t[std::size_t{some / packed_block}], std::size_t{kinds}>;

  using lane = typename std::conditional_t<is_answered_in_lanes<Item>, lane_as_wide_as<Item>,
                                           std::type_identity<std::int8_t>>::type;

  static void put_kinds(Kind const& kind_of, Item const* items, index_t b, kind_words& words) {
    if constexpr (kinds == 2) {
      words[1][b] = host::word_where<Item>(
          [kind_of, items](int k) { return static_cast<int>(kind_of(items[k])) != 0; });
      words[0][b] = ~words[1][b];
    } else {
      // Evaluate the kind of each item once, since its predicates may be expensive.
      lane_window<lane> of;
      for (int k = 0; k < packed_block; ++k)
        of.flags[k] = static_cast<lane>(kind_of(items[k]));
      host::keep_in_memory(of);
      words[0][b] = ~std::uint64_t{0};
      for (std::size_t kind = 1; kind < kinds; ++kind) {
        words[kind][b] = host::word_where<lane>(
            [&of, kind](int k) { return of.flags[k] == static_cast<lane>(kind); });
        words[0][b] &= ~words[kind][b];
      }
    }
  }

  /// Returns the number of words that save the kinds of all whole blocks from the first reading of
  /// the items to the second. Returns 0 if there are too many items; their kinds are then evaluated
  /// twice.
  index_t words_of_answers() const {
    index_t const blocks = job_.n / packed_block;
    return blocks * index_t{sizeof(std::uint64_t)} <= tuning::kept_answers_bytes
               ? blocks * (kinds - 1)
               : 0;
  }
  /// Returns the saved words of a kind, from the block that begins with these items on.
  std::uint64_t* answers_from(Item const* items, std::size_t kind) const {
    index_t const blocks = job_.n / packed_block, first = (items - job_.in) / packed_block;
    return answers_ + (static_cast<index_t>(kind) - 1) * blocks + first;
  }
  void keep_answers(Item const* items, index_t number, kind_words const& words) const {
    for (std::size_t kind = 1; kind < kinds; ++kind)
      std::copy_n(words[kind], number, answers_from(items, kind));
  }
  void recall_answers(Item const* items, index_t b, kind_words& words) const {
    std::uint64_t others = 0;
    for (std::size_t kind = 1; kind < kinds; ++kind)
      others |= words[kind][b] = *answers_from(items, kind);
    words[0][b] = ~others;
  }

  /// Calls blocks(items, number, kinds) for the whole blocks of a part and one(item, kind) for each
  /// item left. If Recall is set, uses the saved kinds if there are any.
  template <bool Recall, class Blocks, class One>
  void for_items(index_t part, Blocks const& blocks, One const& one) const {
    Kind const kind_of = job_.kind;  // by value, as pack_items has the job
    Item const* items = job_.in + parts_.begin(part);
    index_t left = parts_.count(part);
    kind_words words;
    bool const recall = Recall && words_of_answers() > 0;
    while (left >= packed_block) {
      index_t const number = min_of(left, some) / packed_block;
      for (index_t b = 0; b < number; ++b) {
        if (ahead + (b + 1) * packed_block <= left)
          host::prefetch_items<second_level>(items + ahead + b * packed_block, packed_block);
        if (recall)
          recall_answers(items + b * packed_block, b, words);
        else
          put_kinds(kind_of, items + b * packed_block, b, words);
      }
      blocks(items, number, words);
      items += number * packed_block;
      left -= number * packed_block;
    }
    for (; left > 0; --left, ++items)
      one(*items, static_cast<std::size_t>(kind_of(*items)));
  }

  places count(index_t part) const {
    places counts{};
    bool const keep = words_of_answers() > 0;
    for_items<false>(
        part,
        [&](Item const* items, index_t number, kind_words const& words) {
          if (keep)
            keep_answers(items, number, words);
          for (std::size_t kind = 0; kind < kinds; ++kind)
            for (index_t b = 0; b < number; ++b)
              counts[kind] += std::popcount(words[kind][b]);
        },
        [&](Item const&, std::size_t kind) { ++counts[kind]; });
    return counts;
  }

  /// Replaces each part's counts of its kinds by the places where its items go.
  void place(places* of_part) const {
    index_t to = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      index_t const first = to;
      for (index_t part = 0; part < parts_.tiles(); ++part)
        to += std::exchange(of_part[part][kind], to);
      if (kind + 1 < kinds)
        job_.counts[kind] = static_cast<Count>(to - first);
    }
  }

  /// Returns the ends of the places of a part's items, for each kind.
  places ends_of(index_t part, places const* of_part) const {
    if (part + 1 < parts_.tiles())
      return of_part[part + 1];
    places ends;
    for (std::size_t kind = 0; kind < kinds; ++kind)
      ends[kind] = kind + 1 < kinds ? of_part[0][kind + 1] : job_.n;
    return ends;
  }

  void move(index_t part, places const& to, places const& ends, Item* gathered) const {
    using store = gathered_stores<Item>;
    auto stores = [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::array<store, std::size_t{kinds}>{store(gathered + index_t{K} * store::buffer,
                                                         job_.out + to[K], job_.out + ends[K],
                                                         streaming_)...};
    }
    (std::make_index_sequence<std::size_t{kinds}>{});
    for_items<true>(
        part,
        [&](Item const* items, index_t number, kind_words const& words) {
          for (std::size_t kind = 0; kind < kinds; ++kind)
            stores[kind].put(items, words[kind], number);
        },
        [&](Item const& item, std::size_t kind) { stores[kind].put(item); });
    for (auto& kind : stores)
      kind.finish();
  }

  job_type const& job_;
  tiling parts_;
  int workers_;
  bool streaming_;
  std::uint64_t* answers_ = nullptr;
};

template <class Item, class Count, class Kind>
bool any_context::split(split_job<Item, Count, Kind> const& job) {
  work([&](any_pool const& pool, host::workspace& memory) {
    splitting<Item, Count, Kind>(pool.workers(), job).run(pool, memory);
  });
  return true;
}

}  // namespace sam::inline v0_1::host
