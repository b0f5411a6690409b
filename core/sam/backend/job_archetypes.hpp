// SPDX-License-Identifier: MIT
// Has one example of each kind of job: the smallest type that satisfies the concept. Tests run them
// on every engine, so that an engine asks nothing more of a job than its concept does.
#pragma once

#include <sam/algebra/affine_map.hpp>
#include <sam/algebra/filter_ring.hpp>
#include <sam/algebra/segmented.hpp>
#include <sam/backend/job.hpp>

namespace sam::inline v0_1::engine::archetypes {

/// Scans integers: the smallest job.
struct scan_job {
  using item = int;
  using accumulator = int;
  int const* in;
  int* out;

  SAM_FUNCTION int load(index_t i) const { return in[i]; }
  SAM_FUNCTION int to_accumulator(int x) const { return x; }
  SAM_FUNCTION void store(index_t i, int, int y) const { out[i] = y; }
};
static_assert(job<scan_job>);

/// Scans the integers of one array into another. Back ends then move whole vectors.
struct contiguous_job : scan_job {
  SAM_FUNCTION int const* source() const { return in; }
  SAM_FUNCTION int* target() const { return out; }
};
static_assert(has_source<contiguous_job> && has_target<contiguous_job>);

/// Scans the integers of an array that it says it reads, and stores all results but the last one.
struct most_stored_job : scan_job {
  static constexpr bool stores_each = true;
  index_t last;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  using scan_job::load;
  SAM_FUNCTION int load(index_t, int const* x) const { return *x; }
  SAM_FUNCTION void store(index_t i, int, int y) const {
    if (i != last)
      out[i] = y;
  }
};
static_assert(reading<most_stored_job> && storing_each<most_stored_job>);

/// Scans the integers of an array and stores the first results, as many as `stored_items` says.
struct first_stored_job : scan_job {
  index_t stored_items;

  SAM_FUNCTION int const* source() const { return in; }
  SAM_FUNCTION int* first_target() const { return out; }
  SAM_FUNCTION index_t stored() const { return stored_items; }
  SAM_FUNCTION index_t needed() const { return stored_items; }
  SAM_FUNCTION void store(index_t i, int, int y) const {
    if (i < stored_items)
      out[i] = y;
  }
};
static_assert(storing_first<first_stored_job> && needing_first<first_stored_job> &&
              has_source<first_stored_job>);

/// Stores only the last scan value.
struct reduction_job : scan_job {
  static constexpr bool ends = true;
  index_t last;

  SAM_FUNCTION void store(index_t i, int, int y) const {
    if (i == last)
      *out = y;
  }
};
static_assert(reducing<reduction_job>);

/// Stores the sum of the first integers.
struct first_reduction_job : reduction_job {
  index_t first;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  template <class... P>
  SAM_FUNCTION int load(index_t i, P const&... p) const {
    return i < first ? load_first(i, p...) : 0;
  }
  SAM_FUNCTION int load_first(index_t i) const { return in[i]; }
  SAM_FUNCTION int load_first(index_t, int const* x) const { return *x; }
  SAM_FUNCTION index_t reduced() const { return first; }
};
static_assert(reducing_first<first_reduction_job>);

/// Stores the sum of all items, which a back end may combine by blocks.
struct block_reduction_job : reduction_job {
  static constexpr index_t block_items = 100, item_bytes = sizeof(int);
  SAM_FUNCTION void accumulate(int& sum, index_t begin, index_t count) const {
    for (index_t k = 0; k < count; ++k)
      sum += in[begin + k];
  }
  SAM_FUNCTION bool settles(int) const { return false; }
};
static_assert(block_reducing<block_reduction_job>);

/// Squares integers, without a scan.
struct elementwise_job : scan_job {
  static constexpr bool elementwise = true;
  SAM_FUNCTION void store(index_t i, int x, int) const { out[i] = x * x; }
};
static_assert(direct<elementwise_job>);

/// Squares the first integers.
struct first_elementwise_job : elementwise_job {
  index_t first;

  SAM_FUNCTION void store(index_t i, int x, int y) const {
    if (i < first)
      elementwise_job::store(i, x, y);
  }
  SAM_FUNCTION index_t limit() const { return first; }
  SAM_FUNCTION elementwise_job const& unlimited() const { return *this; }
};
static_assert(elementwise_first<first_elementwise_job>);

/// Copies integers.
struct copy_job : scan_job {
  static constexpr bool elementwise = true;
  index_t n;

  SAM_FUNCTION void store(index_t i, int x, int) const { out[i] = x; }
  SAM_FUNCTION int* front() const { return out; }
  SAM_FUNCTION index_t capacity() const { return n; }
  SAM_FUNCTION void make(index_t begin, index_t count, int* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = in[begin + k];
  }
};
static_assert(copying<copy_job>);

/// Subtracts from each integer the one before it, without a scan.
struct generating_job : scan_job {
  SAM_FUNCTION int load(index_t i) const { return i == 0 ? in[0] : in[i] - in[i - 1]; }
  SAM_FUNCTION void store(index_t i, int x, int) const { out[i] = x; }
  SAM_FUNCTION int* target() const { return out; }
  SAM_FUNCTION void make(index_t begin, index_t count, int* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = load(begin + k);
  }
};
static_assert(generating<generating_job>);

/// Writes odd integers to the front, in order.
struct scatter_job : scan_job {
  static constexpr bool scatters = true;
  SAM_FUNCTION int to_accumulator(int x) const { return x & 1; }
  SAM_FUNCTION void store(index_t, int x, int before) const {
    if ((x & 1) != 0)
      out[before] = x;
  }
};
static_assert(scattering<scatter_job>);

/// Does so too, and says which integers it keeps.
struct predicate_job : scatter_job {
  static constexpr bool counts = true;
  SAM_FUNCTION bool keeps(int x) const { return (x & 1) != 0; }
};
static_assert(predicated<predicate_job>);

/// Selects the odd integers, and stores their number.
struct selection_job : predicate_job {
  using value_type = int;
  index_t n;
  index_t* kept;

  /// Does what the members below do, for a back end that runs this as any job.
  SAM_FUNCTION void store(index_t i, int x, int before) const {
    predicate_job::store(i, x, before);
    if (i == n - 1)
      close(before + to_accumulator(x));
  }
  SAM_FUNCTION int value(index_t, int x) const { return x; }
  SAM_FUNCTION int* front() const { return out; }
  SAM_FUNCTION index_t capacity() const { return n; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
  SAM_FUNCTION void close(index_t count) const { *kept = count; }
};
static_assert(selecting<selection_job>);

/// Does so among the first integers, if a back end asks how many these are.
struct first_selection_job : selection_job {
  index_t first;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  using selection_job::load;
  SAM_FUNCTION int load(index_t, int const* x) const { return *x; }
  SAM_FUNCTION index_t selected() const { return first; }
  SAM_FUNCTION void place(index_t i, int x, int before, bool is_kept) const {
    if (is_kept)
      out[before] = x;
    if (i == n - 1)
      close(before + (is_kept ? 1 : 0));
  }
};
static_assert(selecting_first<first_selection_job>);

/// Selects the odd integers of one array and the integers beside them of another, which go to two
/// halves of the output, as far as there is space.
struct pair_selection_job {
  struct item {
    int value, second;
  };
  using accumulator = int;
  using value_type = int;
  static constexpr bool scatters = true;
  static constexpr bool counts = true;
  int const* in;
  int const* others;
  int* out;
  index_t n;
  index_t* kept;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in, others); }
  SAM_FUNCTION item load(index_t i) const { return {in[i], others[i]}; }
  SAM_FUNCTION item load(index_t, int const* x, int const* y) const { return {*x, *y}; }
  SAM_FUNCTION bool keeps(item x) const { return (x.value & 1) != 0; }
  SAM_FUNCTION int to_accumulator(item x) const { return x.value & 1; }
  SAM_FUNCTION void store(index_t i, item x, int before) const {
    if (keeps(x) && before < capacity())
      front()[before] = x.value;
    if (keeps(x) && before < second_capacity())
      second_front()[before] = x.second;
    if (i == n - 1)
      close(before + to_accumulator(x));
  }
  SAM_FUNCTION int value(index_t, item x) const { return x.value; }
  SAM_FUNCTION int second(item x) const { return x.second; }
  SAM_FUNCTION int* front() const { return out; }
  SAM_FUNCTION int* second_front() const { return out + capacity(); }
  SAM_FUNCTION index_t capacity() const { return n - n / 2; }
  SAM_FUNCTION index_t second_capacity() const { return n / 2; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
  SAM_FUNCTION void close(index_t count) const { *kept = count; }
};
static_assert(selecting_pairs<pair_selection_job>);

/// The number of even integers in a run.
struct even_count {
  index_t of[1];
};
struct add_even_counts {
  SAM_FUNCTION even_count operator()(even_count a, even_count b) const {
    return {{a.of[0] + b.of[0]}};
  }
};
/// Writes the even integers, then the odd ones, in order. `evens` points at the number of even
/// ones.
struct partition_job {
  using item = int;
  using accumulator = even_count;
  static constexpr bool scatters = true;
  static constexpr int kinds = 2;
  int const* in;
  int* out;
  index_t n;
  index_t const* evens;

  SAM_FUNCTION int load(index_t i) const { return in[i]; }
  SAM_FUNCTION int kind(int x) const { return x & 1; }
  SAM_FUNCTION even_count to_accumulator(int x) const { return {{1 - kind(x)}}; }
  SAM_FUNCTION void store(index_t i, int x, even_count before) const {
    out[kind(x) == 0 ? before.of[0] : begin(1) + i - before.of[0]] = x;
  }
  SAM_FUNCTION int* front() const { return out; }
  SAM_FUNCTION index_t begin(int k) const { return k == 0 ? 0 : *evens; }
};
static_assert(partitioning<partition_job>);

/// Holds integers in segments. An integer that is a multiple of 4 begins a segment.
struct items_in_segments {
  using item = segmented_value<int, std::uint32_t>;
  using accumulator = item;
  int const* in;
  int* out;
  index_t n;

  SAM_FUNCTION int value(index_t i) const { return in[i]; }
  SAM_FUNCTION bool is_head(index_t i) const { return in[i] % 4 == 0; }
  std::uint64_t heads_from(index_t i) const {
    std::uint64_t heads = 0;
    for (int k = 0; k < 64 && i + k < n; ++k)
      heads |= std::uint64_t{is_head(i + k)} << k;
    return heads;
  }
  SAM_FUNCTION item load(index_t i) const { return {value(i), is_head(i) ? 1U : 0U}; }
  SAM_FUNCTION accumulator to_accumulator(item x) const { return x; }
};

/// Scans integers within segments.
struct segmented_scan_job : items_in_segments {
  SAM_FUNCTION void store(index_t i, item, accumulator y) const { out[i] = y.value; }
  SAM_FUNCTION int* target() const { return out; }
};
static_assert(segmenting<segmented_scan_job>);

/// Stores the sum of each segment, and the number of segments.
struct segmented_reduction_job : items_in_segments {
  index_t* segments;
  plus op;
  from_nothing start;

  SAM_FUNCTION item load(index_t i) const { return {value(i), i == 0 || is_head(i) ? 1U : 0U}; }
  SAM_FUNCTION void store(index_t i, item x, accumulator before) const {
    index_t const begun = before.heads;
    if (x.heads != 0 && i > 0)
      put_total(i - 1, begun - 1, before.value);
    if (i == n - 1) {
      put_total(i, begun + x.heads - 1, x.heads != 0 ? x.value : before.value + x.value);
      close(begun + x.heads);
    }
  }
  SAM_FUNCTION void put_total(index_t, index_t rank, int total) const { out[rank] = total; }
  SAM_FUNCTION void close(index_t count) const { *segments = count; }
};
static_assert(reducing_segments<segmented_reduction_job>);

/// Does so for the first integers. If there are others, these are one more segment, whose result is
/// dropped.
struct first_segments_job : segmented_reduction_job {
  index_t first;

  SAM_FUNCTION bool is_head(index_t i) const {
    return i == first || (i < first && segmented_reduction_job::is_head(i));
  }
  std::uint64_t heads_from(index_t i) const {
    std::uint64_t heads = 0;
    for (int k = 0; k < 64 && i + k < n; ++k)
      heads |= std::uint64_t{is_head(i + k)} << k;
    return heads;
  }
  SAM_FUNCTION item load(index_t i) const { return {value(i), i == 0 || is_head(i) ? 1U : 0U}; }
  SAM_FUNCTION void store(index_t i, item x, accumulator before) const {
    index_t const begun = before.heads;
    if (x.heads != 0 && i > 0)
      put_total(i - 1, begun - 1, before.value);
    if (i == n - 1) {
      put_total(i, begun + x.heads - 1, x.heads != 0 ? x.value : before.value + x.value);
      close(begun + x.heads);
    }
  }
  SAM_FUNCTION void put_total(index_t i, index_t rank, int total) const {
    if (i < first)
      segmented_reduction_job::put_total(i, rank, total);
  }
  SAM_FUNCTION void close(index_t count) const {
    segmented_reduction_job::close(count - (first < n ? 1 : 0));
  }
};
static_assert(reducing_segments<first_segments_job>);

/// Does so without a look at the others, if a back end asks how many integers are the first ones.
struct limited_segments_job : segmented_reduction_job {
  struct item {
    int value;
    bool head;
  };
  first_segments_job of_all;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION item load(index_t i, int const* x) const { return {*x, i == 0 || is_head(i)}; }
  SAM_FUNCTION item load(index_t i) const { return load(i, in + i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {x.value, x.head ? 1U : 0U};
  }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator before) const {
    segmented_reduction_job::store(i, to_accumulator(x), before);
  }
  SAM_FUNCTION index_t limit() const { return n; }
  SAM_FUNCTION first_segments_job const& marked() const { return of_all; }
};
static_assert(limiting_first<limited_segments_job>);

/// Stores the output of the filter y_i = c y_(i-1) + x_i.
struct recurrence_job {
  using item = int;
  using accumulator = affine_map<int>;
  int const* in;
  int* out;
  filter_ring<int, 1> ring;

  SAM_FUNCTION int load(index_t i) const { return in[i]; }
  SAM_FUNCTION accumulator to_accumulator(int x) const { return {ring.c[0], x}; }
  SAM_FUNCTION void store(index_t i, int, accumulator y) const { out[i] = y.b; }
  SAM_FUNCTION int* target() const { return out; }
  SAM_FUNCTION int output(int, accumulator y) const { return y.b; }
  SAM_FUNCTION int const* source() const { return in; }
  SAM_FUNCTION polynomial<int, 1> state(accumulator y) const { return {{y.b}}; }
};
static_assert(recurrence<recurrence_job>);

}  // namespace sam::inline v0_1::engine::archetypes
