// SPDX-License-Identifier: MIT
// Defines the jobs that move items by indices, and the checks of indices.
#pragma once

#include <sam/arguments/output.hpp>
#include <sam/backend/job.hpp>
#include <sam/detail/locate_job.hpp>

namespace sam::inline v0_1 {

namespace detail {

/// Holds indices that each call checks before it uses them.
template <class Array>
struct checked_indices {
  Array array;
  auto data() const { return std::data(array); }
  auto size() const { return std::size(array); }
};
template <class A>
inline constexpr bool are_checked_indices = false;
template <class Array>
inline constexpr bool are_checked_indices<checked_indices<Array>> = true;

}  // namespace detail

template <class Array>
inline constexpr bool is_borrowed<detail::checked_indices<Array>> = true;

}  // namespace sam::inline v0_1

namespace sam::inline v0_1::detail {

/// Returns index x if it lies in [0, n), else `otherwise`, so that no index leads out of an array.
template <class Index>
SAM_FUNCTION index_t index_within(Index x, index_t n, index_t otherwise) {
  auto const i = static_cast<std::uint64_t>(x);  // negative ones become too large
  return i < static_cast<std::uint64_t>(n) ? static_cast<index_t>(i) : otherwise;
}

/// An input and an output of the same items. In is the item type of an array, or a source; Out is
/// the item type of an array, or a destination.
template <class In, class Out = In>
struct column {
  using item = typename source_of_t<In>::item;
  source_of_t<In> in;
  place_of_t<Out> out;
};
/// Holds several columns. A row is one item of each.
template <class... Column>
struct columns;
template <>
struct columns<> {
  struct row {};
  SAM_FUNCTION row load(index_t) const { return {}; }
  SAM_FUNCTION void store(index_t, row const&) const {}
  static constexpr index_t bytes = 0;
};
template <class Column, class... Rest>
struct columns<Column, Rest...> {
  using item = typename Column::item;
  struct row {
    item first;
    typename columns<Rest...>::row rest;
  };
  static constexpr index_t bytes = index_t{sizeof(item)} + columns<Rest...>::bytes;
  Column column;
  columns<Rest...> rest;
  SAM_FUNCTION row load(index_t i) const { return {column.in.at(i), rest.load(i)}; }
  SAM_FUNCTION void store(index_t i, row const& x) const {
    engine::put_result(column.out, i, x.first);
    rest.store(i, x.rest);
  }
};

/// Returns the columns of a checked input and a checked output, and of the rest.
template <class In, class Out, class... Rest>
columns<column<job_input_t<In>, job_output_t<Out>>, Rest...>
with_column(In const& in, Out const& out, columns<Rest...> const& rest) {
  return {{sam::detail::source_from(in), out.data}, rest};
}

/// Copies the rows at the indices, of `rows` rows, in the order of the indices. Indices is the item
/// type of an array, or a source.
template <class Indices, class Columns>
struct gather_job {
  using item = typename Columns::row;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true, moves = is_array_source<Indices>;
  source_of_t<Indices> indices;
  index_t rows;
  Columns of;

  SAM_FUNCTION item load(index_t i) const {
    return of.load(sam::detail::index_within(indices.at(i), rows, 0));
  }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const { of.store(i, x); }
  SAM_FUNCTION index_t bytes_per_item() const { return 2 * Columns::bytes; }
};

/// Returns the job that gathers columns of `rows` rows by checked indices.
template <class Checked, class Columns>
gather_job<job_input_t<Checked>, Columns> gather_of(Checked const& indices, index_t rows,
                                                    Columns const& of) {
  return {sam::detail::source_from(indices), rows, of};
}

/// Copies the items of a column to the places that the indices name, of `places` places.
template <class Indices, class Column>
struct scatter_job {
  struct item {
    index_t to;
    typename Column::item value;
  };
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true, moves = is_array_source<Indices>;
  source_of_t<Indices> indices;
  Column of;
  index_t places;

  SAM_FUNCTION item load(index_t i) const {
    return {sam::detail::index_within(indices.at(i), places, -1), of.in.at(i)};
  }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t, item const& x, accumulator) const {
    if (x.to >= 0)
      engine::put_result(of.out, x.to, x.value);
  }
  SAM_FUNCTION index_t bytes_per_item() const { return 2 * sizeof(typename Column::item); }
};

/// Matches the indices that do not lie in [0, n).
template <class Index>
struct indices_outside {
  static constexpr int arrays = 1;
  static constexpr index_t item_bytes = sizeof(Index);
  Index const* indices;
  index_t n;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(indices); }
  SAM_FUNCTION bool matches(index_t, Index const* x) const {
    return sam::detail::index_within(*x, n, -1) < 0;
  }
  SAM_FUNCTION bool matches_at(index_t i) const { return matches(i, indices + i); }
};

/// Writes the position of each index into the place that it names. Of several equal indices one
/// wins, and the others then find another position there.
template <class Index, class Position>
struct claim_job {
  using item = Index;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Index const* indices;
  Position* claims;

  SAM_FUNCTION Index load(index_t i) const { return indices[i]; }
  SAM_FUNCTION accumulator to_accumulator(Index) const { return 0; }
  SAM_FUNCTION void store(index_t i, Index x, accumulator) const {
    engine::store_relaxed(claims + x, static_cast<Position>(i));
  }
};
template <class Index, class Position>
struct lost_claims {
  static constexpr int arrays = 1;
  static constexpr index_t item_bytes = sizeof(Index);
  Index const* indices;
  Position const* claims;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(indices); }
  SAM_FUNCTION bool matches(index_t i, Index const* x) const {
    return claims[*x] != static_cast<Position>(i);
  }
  SAM_FUNCTION bool matches_at(index_t i) const { return matches(i, indices + i); }
};

/// Returns the index of the first of n items that match, after waiting for it; n if there is none.
template <class Context, class Which>
index_t first_match(Context& context, index_t n, Which const& which) {
  return engine::result_of<index_t>(context, [&](index_t* place) {
    using put = put_number<index_t, as_is>;
    context.run(n, find_job<Which, put>{which, n, {place, {}}},
                engine::resolve_policy<bound::inclusive>(scan_policy<minimum>{}, from_nothing{}));
  });
}

/// Rejects indices that do not lie in [0, places) and, if `distinct`, an index that occurs twice.
template <class Context, class Index>
void expect_indices(checked_call<Context> const& call, checked_array<Index const> const& indices,
                    index_t places, bool distinct) {
  using position = std::conditional_t<sizeof(Index) <= 4, std::uint32_t, index_t>;
  Context& context = call.context();
  index_t const n = indices.size;
  if (n == 0)
    return;
  index_t const first =
      sam::detail::first_match(context, n, indices_outside<Index>{indices.data, places});
  if (first < n)
    call.refuse_found(indices.name, "are not all in [0, ", places,
                      "): the first one that is not is at ", first);
  if (!distinct)
    return;
  auto* const claims = engine::workspace<position>(context, places);
  context.run(
      n, claim_job<Index, position>{indices.data, claims},
      engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
  if (sam::detail::first_match(context, n, lost_claims<Index, position>{indices.data, claims}) < n)
    call.refuse_found(indices.name, "are not distinct: some index occurs more than once");
}

}  // namespace sam::inline v0_1::detail
