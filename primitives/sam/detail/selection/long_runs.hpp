// SPDX-License-Identifier: MIT
// Finds runs of more than one item by a segmented reduction. Every such run begins a segment, which
// goes on to the next one, and the number of its items that lie in a long run is the run's length.
// Items before the first long run are a segment of their own, whose results are dropped.
#pragma once

#include <sam/detail/segmented_job.hpp>

#include <cstdint>

namespace sam::inline v0_1::detail {

/// Tells of the first of some items, by their number, which lie in a run of more than one item
/// (operator[]), and which begin one (at). In is the item type of an array, or a source.
template <class In, class Equal, class Number>
struct long_runs {
  using source = source_of_t<In>;
  using item = headed<bool>;
  source in;
  Equal equal;
  Number number;

  /// Looks at item i, given a function that returns the item at a distance from it.
  template <class At>
  SAM_FUNCTION item look(index_t i, At const& at) const {
    index_t const n = number();
    bool const like_last = i > 0 && i < n && static_cast<bool>(equal(at(-1), at(0)));
    bool const like_next = i + 1 < n && static_cast<bool>(equal(at(0), at(1)));
    return {like_last || like_next, like_next && !like_last};
  }
  SAM_FUNCTION item look(index_t i) const {
    return look(i, [&](int distance) { return in.at(i + distance); });
  }
  SAM_FUNCTION bool operator[](index_t i) const { return look(i).value; }
  SAM_FUNCTION bool at(index_t i) const { return look(i).head; }
  index_t next(index_t i, index_t end) const { return detail::next_head(*this, i, end); }
  SAM_FUNCTION index_t key(index_t i) const { return i; }
};

/// Loads items for such a reduction. Count must be wide enough to count all items.
template <class In, class Equal, class Number, class Count>
struct items_of_long_runs {
  using runs_type = long_runs<In, Equal, Number>;
  using item = headed<bool>;
  using accumulator = segmented_value<Count, Count>;
  static constexpr bool holds_keys = true;
  runs_type values, heads;
  plus op;
  from_nothing start;

  SAM_FUNCTION item load(index_t i) const { return heads.look(i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {x.value ? Count(1) : Count(0), x.head ? Count(1) : Count(0)};
  }
  static SAM_FUNCTION index_t key(index_t i, item const&) { return i; }
};
/// Does so with the items of an array, of which back ends copy tiles.
template <class In, class Equal, class Number, class Count>
requires is_array_source<In>
struct items_of_long_runs<In, Equal, Number, Count> {
  using runs_type = long_runs<In, Equal, Number>;
  using item = headed<bool>;
  using accumulator = segmented_value<Count, Count>;
  using pointer = pointer_with_neighbours<In, 1, 1>;
  static constexpr bool holds_keys = true;
  runs_type values, heads;
  plus op;
  from_nothing start;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(pointer{heads.in.data}); }
  SAM_FUNCTION item load(index_t i, pointer const& x) const {
    return heads.look(i, [&](int distance) -> In const& { return x[distance]; });
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, pointer{heads.in.data + i}); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {x.value ? Count(1) : Count(0), x.head ? Count(1) : Count(0)};
  }
  static SAM_FUNCTION index_t key(index_t i, item const&) { return i; }
  static SAM_FUNCTION In const& key(pointer const& x) { return *x; }
};

/// Stores the offset and the length of each long run. Offsets and Lengths are item types of arrays,
/// or destinations.
template <class Runs, class Offsets, class Lengths, class Count>
struct long_runs_to_front {
  Runs runs;
  place_of_t<Offsets> offsets;
  index_t offsets_size;
  place_of_t<Lengths> lengths;
  index_t lengths_size;
  Count* count;

  template <class Key>
  SAM_FUNCTION void put_head(index_t i, index_t segment, Key const&) const {
    store(offsets, offsets_size, segment, static_cast<result_of_t<Offsets>>(i));
  }
  template <class Sum>
  SAM_FUNCTION void put(index_t, index_t segment, Sum length) const {
    store(lengths, lengths_size, segment, static_cast<result_of_t<Lengths>>(length));
  }
  SAM_FUNCTION void put_count(index_t segments) const {
    *count = static_cast<Count>(segments - before_runs());
  }

 private:
  /// Returns the number of segments before the first long run.
  SAM_FUNCTION index_t before_runs() const { return runs.at(0) ? 0 : 1; }
  /// Drops results of the segment before all runs, and those that do not fit.
  template <class Place, class Result>
  SAM_FUNCTION void store(Place const& place, index_t size, index_t segment,
                          Result const& result) const {
    index_t const run = segment - before_runs();
    if (run >= 0 && run < size)
      engine::put_result(place, run, result);
  }
};

template <class Count, class Context, class Runs, class Where>
void run_find_runs(Context& context, index_t n, Runs const& runs, Where const& where) {
  auto const items = [&]<class In, class Equal, class Number>(long_runs<In, Equal, Number> const&) {
    return items_of_long_runs<In, Equal, Number, Count>{runs, runs, {}, {}};
  };
  detail::run_segments<carry::decoupled>(context, n, items(runs), where);
}

}  // namespace sam::inline v0_1::detail
