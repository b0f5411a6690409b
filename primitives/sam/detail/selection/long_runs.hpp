// SPDX-License-Identifier: MIT
// Finds runs of more than one item by a segmented reduction that counts items. A segment begins
// with the second item of such a run, and the next one with the item behind the run, up to the
// second item of the next such run. So every other segment is a run but its first item, and the one
// from item 0 is none. A thread looks at no later items, and lengths follow from where segments
// begin.
#pragma once

#include <sam/detail/segmented_job.hpp>

#include <cstdint>
#include <type_traits>

namespace sam::inline v0_1::detail {

/// Tells which items begin a segment. In is the item type of an array, or a source.
template <class In, class Equal>
struct ends_of_long_runs {
  using source = source_of_t<In>;
  source in;
  Equal equal;

  /// Looks at item i, given a function that returns the item at a distance from it.
  template <class At>
  SAM_FUNCTION bool at(index_t i, At const& item) const {
    bool const goes_on = i > 0 && static_cast<bool>(equal(item(-1), item(0)));
    bool const went_on = i > 1 && static_cast<bool>(equal(item(-2), item(-1)));
    return goes_on != went_on;
  }
  SAM_FUNCTION bool at(index_t i) const {
    return at(i, [&](int distance) { return in.at(i + distance); });
  }
  index_t next(index_t i, index_t end) const { return detail::next_head(*this, i, end); }
  SAM_FUNCTION index_t key(index_t i) const { return i; }
  /// An item that ends a run is unlike the one before it, and goes on with none.
  changes_of_window<In, Equal> from(index_t i) const requires is_array_source<In> {
    auto const unequal = [&](index_t k) {
      return !(k > 0 && static_cast<bool>(equal(in.at(k - 1), in.at(k))));
    };
    return {{in.data + i, -1, 0, i == 0 ? 1 : 0, 64, true, equal}, unequal(i - 1)};
  }
};

/// Loads items for such a reduction. Heads are ends_of_long_runs, perhaps those of first items.
/// Count must be wide enough to count all items.
template <class In, class Heads, class Count>
struct items_of_long_runs {
  using item = headed<bool>;
  using accumulator = segmented_value<Count, Count>;
  static constexpr bool counts_lengths = true;
  static constexpr bool holds_keys = true;
  static constexpr ones<Count> values{};
  source_of_t<In> in;
  Heads heads;
  plus op;
  from_nothing start;

  SAM_FUNCTION item load(index_t i) const { return {true, heads.at(i)}; }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {1, x.head ? Count(1) : Count(0)};
  }
  static SAM_FUNCTION index_t key(index_t i, item const&) { return i; }
};
/// Does so with the items of an array, of which back ends copy tiles.
template <class In, class Heads, class Count>
requires is_array_source<In>
struct items_of_long_runs<In, Heads, Count> {
  using item = headed<bool>;
  using accumulator = segmented_value<Count, Count>;
  using pointer = pointer_with_neighbours<In, 2>;
  static constexpr bool counts_lengths = true;
  static constexpr bool holds_keys = true;
  static constexpr ones<Count> values{};
  source_of_t<In> in;
  Heads heads;
  plus op;
  from_nothing start;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(pointer{in.data}); }
  SAM_FUNCTION item load(index_t i, pointer const& x) const {
    return {true, heads.at(i, [&](int distance) -> In const& { return x[distance]; })};
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, pointer{in.data + i}); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {1, x.head ? Count(1) : Count(0)};
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
  SAM_FUNCTION void put_count(index_t segments) const { *count = static_cast<Count>(segments / 2); }

 private:
  /// Drops results of segments that are no runs, and those that do not fit.
  template <class Place, class Result>
  SAM_FUNCTION void store(Place const& place, index_t size, index_t segment,
                          Result const& result) const {
    index_t const run = segment / 2;
    if (segment % 2 != 0 && run < size)
      engine::put_result(place, run, result);
  }
};

template <class Count, class Context, class In, class Equal, class Where, class Number>
void run_find_runs(Context& context, index_t n, ends_of_long_runs<In, Equal> const& ends,
                   Where const& where, Number const& number) {
  auto const heads = detail::heads_of_first(ends, number);
  using items = items_of_long_runs<In, std::remove_const_t<decltype(heads)>, Count>;
  if constexpr (limits_segments<Context, Number, carry::decoupled>) {
    using plain_items = items_of_long_runs<In, ends_of_long_runs<In, Equal>, Count>;
    return detail::run_limited_segments<carry::decoupled>(
        context, n, items{ends.in, heads, {}, {}}, detail::segments_of_first(where, number),
        plain_items{ends.in, ends, {}, {}}, where, number);
  } else {
    detail::run_segments<carry::decoupled>(context, n, items{ends.in, heads, {}, {}},
                                           detail::segments_of_first(where, number));
  }
}

}  // namespace sam::inline v0_1::detail
