// SPDX-License-Identifier: MIT
// Reduces each segment. A tile is scanned piece by piece as in a segmented scan, with values and
// head flags apart, and only the values at the ends of segments are kept. Once the tile's exclusive
// prefix is known, its first segment is completed and all results are stored.
#pragma once

#include <sam/algebra/segmented.hpp>
#include <sam/host/jobs/answer_totals.hpp>
#include <sam/host/jobs/member_totals.hpp>
#include <sam/host/jobs/segment_flags.hpp>
#include <sam/host/kernels/choose_kernel.hpp>
#include <sam/host/scan/read_once.hpp>
#include <sam/host/scan/run.hpp>
#include <sam/host/simd/compress.hpp>
#include <sam/host/simd/lanes_total.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1::host {

/// Calls use(i) for each head among the first `count` items, in order.
template <class Use>
[[gnu::always_inline]] inline void for_each_head(std::uint8_t const* heads, index_t count,
                                                 Use use) {
  for (index_t i = 0; i < count; i += 64)
    for (std::uint64_t word = word_of_heads(heads, i); word != 0; word &= word - 1)
      use(i + std::countr_zero(word));
}

// Five classes reduce the stretches of a tile; answer_totals.hpp and member_totals.hpp have two. A
// stretch is bounded by heads and by the ends of the tile. All provide:
//
// granule()                    tile sizes are multiples of it
// plan(plan, items)            adds the memory for a tile of `items` items to a plan
// worker_buffers_in(memory, items)  takes that memory
// put(begin, count, heads, buffers, out)  sets one head flag per item; writes the aggregate of each
//                              stretch to out, anything if the first is empty; returns the end

/// Reduces the stretches of any items, one item at a time.
template <reducing_segments Job>
class item_totals {
  using V = typename Job::accumulator::value_type;

 public:
  struct worker_buffers {};

  item_totals(Job const& job, index_t) : job_(job) {}

  index_t granule() const { return 64; }
  void plan(workspace::plan&, index_t) const {}
  worker_buffers worker_buffers_in(workspace&, index_t) const { return {}; }

  V* put(index_t begin, index_t count, std::uint8_t* heads, worker_buffers const&, V* out) const {
    host::put_heads(job_, begin, count, heads);
    Job const job = job_;  // the compiler knows that nothing changes it
    V sum = job.value(begin);
    *out = sum;
    out += heads[0] & 1;
    index_t from = 1;
    // Not by for_each_head: g++ would keep all that its function changes in memory.
    for (index_t k = 0; k < count; k += 64)
      for (std::uint64_t word = word_of_heads(heads, k) & ~std::uint64_t{k == 0}; word != 0;
           word &= word - 1) {
        index_t const head = k + std::countr_zero(word);
        if (from < head)
          sum = appended(job, sum, begin + from, head - from);
        *out++ = sum;
        sum = job.value(begin + head);
        from = head + 1;
      }
    *out++ = appended(job, sum, begin + from, count - from);
    return out;
  }

 private:
  static constexpr index_t window = 64;

  // Appends `count` items of one segment.
  [[gnu::always_inline]] static V appended(Job const& job, V sum, index_t begin, index_t count) {
    auto const items = [&](index_t i) { return job.value(begin + i); };
    if constexpr (requires { job.op.appended(sum, items, count); }) {
      // The operator knows whether a window of items changes a value.
      for (; count >= window; begin += window, count -= window)
        if (job.op.may_pass_on(sum, items, window))
          sum = job.op.appended(sum, items, window);
      return job.op.appended(sum, items, count);
    } else {
      for (index_t i = 0; i < count; ++i)
        sum = static_cast<V>(job.op(sum, items(i)));
      return sum;
    }
  }
  Job const& job_;
};

/// Counts the items of stretches, from head to head.
template <counting_lengths Job>
class length_totals {
  using V = typename Job::accumulator::value_type;

 public:
  struct worker_buffers {};

  length_totals(Job const& job, index_t) : job_(job) {}

  index_t granule() const { return 64; }
  void plan(workspace::plan&, index_t) const {}
  worker_buffers worker_buffers_in(workspace&, index_t) const { return {}; }

  V* put(index_t begin, index_t count, std::uint8_t* heads, worker_buffers const&, V* out) const {
    host::put_heads(job_, begin, count, heads);
    index_t from = 0;
    for (index_t k = 0; k < count; k += 64)
      for (std::uint64_t word = word_of_heads(heads, k); word != 0; word &= word - 1) {
        index_t const head = k + std::countr_zero(word);
        *out++ = static_cast<V>(head - from);
        from = head;
      }
    *out++ = static_cast<V>(count - from);
    return out;
  }

 private:
  Job const& job_;
};

template <class Op>
using plain_segmented_pass = decltype(engine::resolve_policy<bound::inclusive>(
    scan_policy<segmented<Op>>{std::declval<segmented<Op>>()}, from_nothing{}));

/// The operator by which all values but the first of a segment may be combined, before they are
/// combined with the first: op(op(a, b), c) is op(a, later(b, c)). It is op itself, or op's member
/// `combines_later_by`.
template <class Op>
struct later_operator {
  using type = Op;
};
template <class Op>
requires requires { typename Op::combines_later_by; }
struct later_operator<Op> {
  using type = typename Op::combines_later_by;
};
template <class Op, class V>
concept combines_stretches = is_exact<V> && lanewise_operator<typename later_operator<Op>::type, V>;

/// Reduces the stretches of numbers. Pieces with many heads are scanned by vectors. Those with few
/// are reduced from head to head, if regrouping changes no bit and an operator on vectors allows
/// it, and those without any are reduced.
template <reducing_segments Job>
class number_totals {
  using accumulator = typename Job::accumulator;
  using V = typename accumulator::value_type;
  using op_type = std::remove_const_t<decltype(Job::op)>;
  using kernel_type = segmented_kernel<accumulator, plain_segmented_pass<op_type>>;

 public:
  struct worker_buffers {
    V* values;           // if they are not in memory already
    V* scanned;          // scan values of a piece, after its exclusive prefix
    V* part_aggregates;  // of a reduction
  };

  number_totals(Job const& job, index_t n) : job_(job), n_(n), kernel_({{job.op}, 1, {}}) {}

  index_t granule() const { return kernel_.granule(); }
  void plan(workspace::plan& plan, index_t) const {
    plan.part<V>(values())
        .template part<V>(packed_block + granule())
        .template part<V>(part_aggregates());
  }
  worker_buffers worker_buffers_in(workspace& memory, index_t) const {
    auto* const own = memory.take<V>(values());
    auto* const scanned = memory.take<V>(packed_block + granule());
    return {own, scanned, memory.take<V>(part_aggregates())};
  }

  V* put(index_t begin, index_t count, std::uint8_t* heads, worker_buffers const& buffer,
         V* out) const {
    accumulator sum{job_.value(begin), 0};
    for (index_t i = 0; i < count; i += granule()) {
      index_t const m = engine::min_of(granule(), count - i);
      host::put_heads(job_, begin + i, m, heads + i / 8);
      auto const values = host::values_apart(job_, begin + i, m, buffer.values);
      if constexpr (combines_stretches<op_type, V>) {
        if (heads_among(heads + i / 8, m) <= m / items_of_stretch) {
          fetch(begin + i, m);
          bool const holds_first = i == 0 && (heads[0] & 1) == 0;  // `sum` is its value already
          out = put_stretches(values, holds_first ? 1 : 0, m, heads + i / 8, sum.value, out);
          continue;
        }
      }
      bool const begins = (heads[0] & 1) != 0;
      if (i == 0)
        heads[0] |= 1;  // its exclusive prefix is unknown
      if (m == granule() && !any_head(heads + i / 8, m)) {
        fetch(begin + i, m);
        sum.value = job_.op(sum.value, kernel_.reduce_headless(values, m, buffer.part_aggregates));
        continue;
      }
      buffer.scanned[0] = sum.value;
      kernel_.scan(headed_values{values, heads + i / 8}, buffer.scanned + 1, m, &sum,
                   [&](index_t k, index_t some) { fetch(begin + i + k, some); });
      if (i == 0 && !begins)
        heads[0] &= 0xfe;
      for (index_t k = 0; k < m; k += packed_block)
        if (std::uint64_t const ends = word_of_heads(heads, i + k); ends != 0)
          out = host::pack_values(buffer.scanned + k, ends, out);
    }
    *out++ = sum.value;
    return out;
  }

 private:
  static constexpr bool in_memory = requires(Job j) { j.source(); };
  // Pieces whose segments have as many items in the mean are not scanned.
  static constexpr index_t items_of_stretch = max_of(lanes<V>, 16);

  static index_t heads_among(std::uint8_t const* heads, index_t count) {
    index_t sum = 0;
    for (index_t k = 0; k < div_up(count, 64); ++k)
      sum += std::popcount(word_of_heads(heads + 8 * k, 0));
    return sum;
  }
  // Writes the aggregate of each stretch of a piece that ends before a head, from value `from` on.
  // `sum` is the aggregate of the stretch before, and then of the stretch that goes on.
  V* put_stretches(V const* values, index_t from, index_t count, std::uint8_t const* heads, V& sum,
                   V* out) const {
    V known = sum;
    for (index_t k = 0; k < count; k += 64)
      for (std::uint64_t word = word_of_heads(heads, k); word != 0; word &= word - 1) {
        index_t const head = k + std::countr_zero(word);
        *out++ = appended(known, values, from, head, count);
        known = values[head];
        from = head + 1;
      }
    sum = appended(known, values, from, count, count);
    return out;
  }
  // Appends values [from, end) of a piece of `count` values.
  [[gnu::always_inline]] V appended(V sum, V const* values, index_t from, index_t end,
                                    index_t count) const {
    if (from == end)
      return sum;
    lanes_total<V, typename later_operator<op_type>::type> total;
    total.clear();
    index_t const whole = (end - from) / lanes<V> * lanes<V>;
    total.add_vectors(values + from, whole);
    from += whole;
    if (from + lanes<V> <= count) {
      total.add(values + from, static_cast<int>(end - from));
      from = end;
    }
    sum = static_cast<V>(job_.op(sum, total.total()));
    for (; from < end; ++from)
      sum = static_cast<V>(job_.op(sum, values[from]));
    return sum;
  }
  // Prefetches items that are read some pieces later. A little at a time, so that it overlaps with
  // computing.
  void fetch(index_t i, index_t count) const {
    index_t const later = i + tuning::ahead_bytes / index_t{sizeof(V)};
    if (later + count <= n_)
      host::prefetch<first_level>(job_, later, count);
  }
  index_t values() const { return in_memory ? 0 : granule(); }
  index_t part_aggregates() const { return kernel_.part_aggregates(granule()); }

  Job const& job_;
  index_t n_;
  kernel_type kernel_;
};

/// Implements the Work interface of read_once.hpp for a segmented reduction.
template <reducing_segments Job>
struct segmented_reduce_work {
  using accumulator = typename Job::accumulator;
  using V = typename accumulator::value_type;
  using count_type = decltype(accumulator::heads);
  using op_type = std::remove_const_t<decltype(Job::op)>;
  static constexpr bool holds_keys = scattering<Job> && requires(Job j) { j.key_at(0); };
  using totals_type = typename decltype([] {
    if constexpr (counting_lengths<Job>)
      return std::type_identity<length_totals<Job>>{};
    else if constexpr (reducing_answers<Job>)
      return std::type_identity<answer_totals<Job>>{};
    else if constexpr (fits_segments<plain_segmented_pass<op_type>, V>)
      return std::type_identity<number_totals<Job>>{};
    else if constexpr (combines_members<op_type, V>)
      return std::type_identity<member_totals<Job>>{};
    else
      return std::type_identity<item_totals<Job>>{};
  }())::type;
  /// The type of a segment's key where the job may overwrite keys, so that tiles hold those that
  /// they store.
  using key_type = typename decltype([] {
    if constexpr (holds_keys)
      return std::type_identity<
          std::remove_cvref_t<decltype(std::declval<Job const&>().key_at(0))>>{};
    else
      return std::type_identity<std::uint8_t>{};
  }())::type;
  struct worker_state {
    std::uint8_t* heads;
    V* totals;
    key_type* keys;
    typename totals_type::worker_buffers buffer;
    index_t stretches;
  };
  Job const& job;
  totals_type totals;
  tiling tiles;
  bool streaming;

  segmented_reduce_work(Job const& j, index_t n)
      : job(j), totals(j, n), tiles{n, engine::tile_size_near(items_of_tile(n), totals.granule())},
        streaming(has_streaming_stores && n * index_t{sizeof(V)} >= tuned.streaming_bytes) {}

  void plan(workspace::plan& plan) const {
    plan.part<std::uint8_t>(bytes_of_heads())
        .template part<V>(buffer_for_totals())
        .template part<key_type>(buffer_for_keys());
    totals.plan(plan, tiles.size);
  }
  worker_state worker_state_in(workspace& memory) const {
    auto* const heads = memory.take<std::uint8_t>(bytes_of_heads());
    auto* const buffer = memory.take<V>(buffer_for_totals());
    auto* const keys = memory.take<key_type>(buffer_for_keys());
    return {heads, buffer, keys, totals.worker_buffers_in(memory, tiles.size), 0};
  }

  accumulator take(worker_state& own, index_t tile) const {
    V* const end =
        totals.put(tiles.begin(tile), tiles.count(tile), own.heads, own.buffer, own.totals);
    own.stretches = end - own.totals;
    if constexpr (holds_keys)
      if (holds_copies()) {
        key_type* to = own.keys;
        host::for_each_head(own.heads, tiles.count(tile), [&](index_t i) {
          std::construct_at(to++, job.key_at(tiles.begin(tile) + i));
        });
      }
    if constexpr (!std::is_same_v<decltype(Job::start), from_nothing>)
      for (index_t k = 1; k < own.stretches; ++k)
        own.totals[k] = static_cast<V>(job.op(job.start.value, own.totals[k]));
    return {end[-1], static_cast<count_type>(own.stretches - 1)};
  }

  void put(worker_state const& own, index_t tile, accumulator const& before, index_t) const {
    index_t const begin = tiles.begin(tile), count = tiles.count(tile);
    bool const last = tiles.is_last(tile), begins = (own.heads[0] & 1) != 0;
    V* const first = own.totals;
    *first = begins ? before.value : static_cast<V>(job.op(before.value, *first));
    auto const begun = static_cast<index_t>(before.heads);
    index_t const none = tile == 0 ? 1 : 0;  // no segment ends before item 0
    put_totals(own, tile, first + none, own.stretches - none - (last ? 0 : 1), begun - 1 + none);
    if constexpr (puts_heads)
      if (puts_at_once || holds_copies())
        put_heads(own, begin, count, begun);
    if (last)
      job.close(begun + own.stretches - 1);
  }

 private:
  static index_t items_of_tile(index_t n) {
    constexpr index_t fewest = 4096;  // a tile begins without the aggregate of its first segment
    if constexpr (is_exact<V> || combines_members<op_type, V>)
      return max_of(host::items_of_exact_tile(n, sizeof(V)), fewest);
    else
      return host::bytes_of_tile<V>() / index_t{sizeof(V)};
  }
  static constexpr bool puts_heads = requires(Job j, index_t i) { j.put_head(i, i); };
  // True if totals are put at once, and not one by one, each with the head behind it.
  static constexpr bool puts_at_once = requires(Job j) { j.front(); }
  || requires(Job j, index_t i, V const* all) { j.put_totals(i, i, all, i); };

  bool holds_copies() const {
    if constexpr (holds_keys)
      return job.overwrites();
    else
      return false;
  }
  index_t bytes_of_heads() const { return div_up(tiles.size, 64) * 8 + vector_bytes; }
  index_t buffer_for_keys() const { return holds_copies() ? tiles.size : 0; }
  index_t buffer_for_totals() const { return tiles.size + packed_block; }

  void put_heads(worker_state const& own, index_t begin, index_t count, index_t rank) const {
    [[maybe_unused]] index_t const from = rank;
    host::for_each_head(own.heads, count, [&](index_t i) {
      if constexpr (holds_keys)
        if (holds_copies()) {
          job.put_key(begin + i, rank, own.keys[rank - from]);
          ++rank;
          return;
        }
      job.put_head(begin + i, rank++);
    });
  }
  void put_totals(worker_state const& own, index_t tile, V const* first, index_t known,
                  index_t rank) const {
    if constexpr (requires { job.front(); }) {
      index_t const fit = engine::min_of(known, job.capacity() - rank);
      if (fit <= 0)
        return;
      index_t const bytes = fit * index_t{sizeof(V)};
      if (streaming && bytes >= tuned.fewest_streamed_bytes)
        host::streaming_copy(job.front() + rank, first, static_cast<std::size_t>(bytes));
      else
        std::copy_n(first, fit, job.front() + rank);
      return;
    }
    index_t const begin = tiles.begin(tile), count = tiles.count(tile);
    if constexpr (requires { job.put_totals(begin, count, first, known); }) {
      job.put_totals(begin, begin + count + (tiles.is_last(tile) ? 1 : 0), first, known);
    } else {
      index_t const end = rank + known;
      bool const copied = holds_copies();
      host::for_each_head(own.heads, count, [&](index_t i) {
        if (begin + i > 0)
          job.put_total(begin + i - 1, rank++, *first++);
        if constexpr (puts_heads)
          if (!copied)
            job.put_head(begin + i, rank);
      });
      if (rank < end)
        job.put_total(begin + count - 1, rank, *first);
    }
  }
};

template <reducing_segments Job, class Policy>
void run_segmented_reduce(any_pool const& pool, int workers, workspace& memory, index_t n,
                          Job const& job, Policy const& policy) {
  static_assert(Policy::kind == bound::exclusive,
                "sam: a reducing_segments job takes an exclusive scan");
  host::run_once(pool, workers, memory, policy, segmented_reduce_work<Job>(job, n));
}

template <reducing_segments Job, class Policy>
void any_context::run(index_t n, Job const& job, Policy const& policy) {
  work_on<Job>(n, [&](any_pool const& pool, int workers, host::workspace& memory) {
    if constexpr (single_pass_scheme<typename Policy::carry>)
      host::run_segmented_reduce(pool, workers, memory, n, job, policy);
    else
      host::run_scan(pool, workers, memory, n, job, policy);
  });
}

}  // namespace sam::inline v0_1::host
