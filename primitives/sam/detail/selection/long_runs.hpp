// SPDX-License-Identifier: MIT
// Finds runs of more than one item by a segmented reduction. The second item of such a run begins a
// segment, which goes on to the next one. Of its items, those that equal the one before are the run
// but its first item. Items before the first of these segments are one of their own, whose results
// are dropped. So a thread looks at no later items, and needs not know where they end.
#pragma once

#include <sam/detail/segmented_job.hpp>

#include <cstdint>
#include <type_traits>

namespace sam::inline v0_1::detail {

/// Tells of the first of some items, by their number, which equal the one before (operator[]), and
/// which of these are the second of a run (at). In is the item type of an array, or a source.
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
    bool const goes_on = i > 0 && is_among_first(i) && static_cast<bool>(equal(at(-1), at(0)));
    return {goes_on, goes_on && !(i > 1 && static_cast<bool>(equal(at(-2), at(-1))))};
  }
  SAM_FUNCTION item look(index_t i) const {
    return look(i, [&](int distance) { return in.at(i + distance); });
  }
  SAM_FUNCTION bool operator[](index_t i) const { return look(i).value; }
  SAM_FUNCTION bool at(index_t i) const { return look(i).head; }
  index_t next(index_t i, index_t end) const { return detail::next_head(*this, i, end); }
  SAM_FUNCTION index_t key(index_t i) const { return i; }

 private:
  SAM_FUNCTION bool is_among_first([[maybe_unused]] index_t i) const {
    if constexpr (std::is_same_v<Number, known_count>)
      return true;
    else
      return i < number();
  }
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
  using pointer = pointer_with_neighbours<In, 2>;
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
template <class Offsets, class Lengths, class Count>
struct long_runs_to_front {
  place_of_t<Offsets> offsets;
  index_t offsets_size;
  place_of_t<Lengths> lengths;
  index_t lengths_size;
  Count* count;

  template <class Key>
  SAM_FUNCTION void put_head(index_t i, index_t segment, Key const&) const {
    store(offsets, offsets_size, segment, static_cast<result_of_t<Offsets>>(i - 1));
  }
  template <class Sum>
  SAM_FUNCTION void put(index_t, index_t segment, Sum others) const {
    store(lengths, lengths_size, segment, static_cast<result_of_t<Lengths>>(others + 1));
  }
  SAM_FUNCTION void put_count(index_t segments) const { *count = static_cast<Count>(segments - 1); }

 private:
  /// Drops results of the segment before all runs, and those that do not fit.
  template <class Place, class Result>
  SAM_FUNCTION void store(Place const& place, index_t size, index_t segment,
                          Result const& result) const {
    index_t const run = segment - 1;
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
