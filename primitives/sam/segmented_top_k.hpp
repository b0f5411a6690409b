// SPDX-License-Identifier: MIT
// Defines segmented_top_k, segmented_top_k_pairs and segmented_top_k_indices: the largest or
// smallest items of every segment. The back end finds them, or segments are sorted, and their first
// items are taken.
#pragma once

#include <sam/backend/job/select_job.hpp>
#include <sam/backend/sort_in_segments.hpp>
#include <sam/detail/gather_job.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/top_k.hpp>

namespace sam::inline v0_1 {

namespace detail {

/// Tells where the segments of n items lie, by a source of offsets.
template <class Offsets>
struct rows_by_offsets {
  Offsets offsets;
  index_t n;
  // Offsets may be invalid.
  SAM_FUNCTION index_t begin(index_t row) const { return inside(offsets.at(row)); }
  SAM_FUNCTION index_t end(index_t row) const { return begin(row + 1); }
  /// Returns a length that no row exceeds.
  index_t longest() const { return n; }
  SAM_FUNCTION index_t inside(typename Offsets::item offset) const {
    return min_of(max_of(static_cast<index_t>(offset), 0), n);
  }
  /// Returns the last of `rows` rows that begins at item i or before it, or `rows` behind the last.
  SAM_FUNCTION index_t row_of(index_t i, index_t rows) const {
    index_t low = 0, high = rows + 1;  // row `low` begins there, or is the first, and `high` not
    while (high - low > 1) {
      index_t const middle = low + (high - low) / 2;
      if (begin(middle) <= i)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
};
/// Tells where ranges lie, as every second segment.
template <class Offsets>
struct rows_by_ranges {
  rows_by_offsets<Offsets> all;
  SAM_FUNCTION index_t begin(index_t row) const { return all.begin(2 * row + 1); }
  SAM_FUNCTION index_t end(index_t row) const { return all.end(2 * row + 1); }
  index_t longest() const { return all.longest(); }
  /// Returns the segment of item i, of which there are more than rows.
  SAM_FUNCTION index_t row_of(index_t i, index_t rows) const { return all.row_of(i, 2 * rows + 1); }
};
inline rows_by_length rows_of(by_length const& segments, index_t n) { return {segments.length, n}; }
template <class Offsets, bool Checked>
auto rows_of(by_offsets<Offsets, Checked> const& segments, index_t n) {
  return rows_by_offsets<array_source<item_of<Offsets>>>{{segments.data()}, n};
}
/// Returns rows by offsets, of which those past their number in memory are empty.
template <class Offset, class Number, bool Checked>
auto rows_of(by_given_offsets<Offset, Number, Checked> const& segments, index_t n) {
  return rows_by_offsets<first_offsets<Offset, Number>>{{segments.data(), segments.number}, n};
}
template <class Offset, class Number, bool Checked>
auto rows_of(by_offsets_of_ranges<Offset, Number, Checked> const& segments, index_t n) {
  return rows_by_ranges<offsets_of_ranges<Offset, Number>>{{segments.all_offsets(n), n}};
}
inline index_t numbered_segments(by_length const& segments, index_t n) {
  return n == 0 ? 0 : segments.most_segments(n);
}
template <class Offsets, bool Checked>
index_t numbered_segments(by_offsets<Offsets, Checked> const& segments, index_t) {
  return segments.segments();
}
template <class Offset, class Number, bool Checked>
index_t numbered_segments(by_offsets_of_ranges<Offset, Number, Checked> const& segments, index_t) {
  return segments.ranges();
}

/// Returns the number of segments that there may be.
template <class Segments>
index_t most_numbered(Segments const& segments, index_t n) {
  if constexpr (is_by_offsets<Segments>)
    return sam::detail::most_by_offsets(segments);
  else
    return sam::detail::numbered_segments(segments, n);
}

// Functions that store a result, given its place and the index of its item among the sorted ones.
// Order[i] is the index, among all items, of sorted item i. Out is the item type of an array, or a
// destination.

/// The order of items that are not sorted: a back end that selects gives their indices.
struct as_they_are {
  SAM_FUNCTION index_t operator[](index_t i) const { return i; }
};

template <class Key, class Out>
struct put_sorted_key {
  Key const* sorted;
  place_of_t<Out> out;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    engine::put_result(out, to, sorted[from]);
  }
};
template <class Order, class Out>
struct put_order {
  Order order;
  place_of_t<Out> out;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    engine::put_result(out, to, static_cast<result_of_t<Out>>(order[from]));
  }
};
template <class Order, class Key, class Out>
struct put_key {
  Order order;
  Key const* keys;
  place_of_t<Out> out;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    engine::put_result(out, to, keys[static_cast<index_t>(order[from])]);
  }
};
template <class Order, class Key, class Value, class KeysOut, class ValuesOut>
struct put_pair {
  Order order;  // wrong offsets may lead to what no sort has written
  index_t n;
  Key const* keys;
  Value const* values;
  place_of_t<KeysOut> keys_out;
  place_of_t<ValuesOut> values_out;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    index_t const index = detail::index_within(order[from], n, 0);
    engine::put_result(keys_out, to, keys[index]);
    engine::put_result(values_out, to, values[index]);
  }
};

/// Takes the first k items of each segment, or as many as it has.
template <class Rows, class Put>
struct take_first_job {
  struct item {};
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Rows rows;
  index_t k;
  Put put;

  SAM_FUNCTION item load(index_t) const { return {}; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t i, item, accumulator) const {
    index_t const row = i / k, from = rows.begin(row) + (i - row * k);
    if (from < rows.end(row))
      put(i, from);
  }
};

/// Checks segments whose number is known without a look at arrays.
template <class S>
struct are_numbered_segments {
  using type = std::remove_cvref_t<S>;
  static constexpr bool value = is_by_offsets<type> || std::is_same_v<type, by_length>;
  static_assert(value, "sam: the segments of a segmented top k must be by_offsets(offsets), "
                       "by_ranges(begins, ends) or by_length(length), which give their number");
};

/// As many results of every segment.
struct same_in_rows {
  index_t most;
  template <class Put>
  Put const& limited(Put const& put) const {
    return put;
  }
};
/// Stores results of each row as far as its number of them, which lies in memory, says.
template <class N, class Put>
struct put_up_to {
  N const* numbers;
  index_t most;
  Put put;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    index_t const row = to / most;
    if (to - row * most < loaded_count<N>{numbers + row, most}())
      put(to, from);
  }
};
/// A number of results for each segment, of at most `most`.
template <class N>
struct numbers_of_rows {
  N const* numbers;
  index_t most;
  template <class Put>
  put_up_to<N, Put> limited(Put const& put) const {
    return {numbers, most, put};
  }
};

/// Rejects an array that does not hold k items for each segment.
inline void expect_rows(call_checks const& call, extent const& out, index_t segments, index_t k) {
  bool const empty = k == 0 || segments == 0;
  if (empty ? out.items != 0 : out.items % k != 0 || out.items / k != segments)
    call.refuse(out.name, "holds ", out.items, " items but must hold ", k, " for each of ",
                segments, " segments");
}
/// Checks the results that are wanted of each segment, and the arrays that receive them.
template <class Context, class... Outs>
same_in_rows wanted_of_rows(checked_call<Context> const& call, index_t k, index_t segments,
                            Outs const&... outs) {
  call.at_least("k", k, 0);
  (sam::detail::expect_rows(call, outs, segments, k), ...);
  return {k};
}
template <class Context, class K, class Out, class... Outs>
requires(!std::is_convertible_v<K, index_t>) auto wanted_of_rows(checked_call<Context> const& call,
                                                                 K const& numbers, index_t segments,
                                                                 Out const& out,
                                                                 Outs const&... outs) {
  auto const all = call.template input<parameter::k>(numbers);
  call.size_is(all, segments, "one for each segment");
  detail::expect_apart_from_read(call, out, all);
  (detail::expect_apart_from_read(call, outs, all), ...);
  (call.same_size(outs, out), ...);
  extent const to = out;
  if (segments == 0 ? to.items != 0 : to.items % segments != 0)
    call.refuse(to.name, "holds ", to.items, " items but must hold as many for each of ", segments,
                " segments");
  return numbers_of_rows<item_of<K>>{all.data, segments == 0 ? 0 : to.items / segments};
}
/// Returns a k of any integral type as one type, so that calls compile once.
inline index_t k_of(index_t k) { return k; }
template <class K>
requires(!std::is_convertible_v<K, index_t>) K const& k_of(K const& numbers) { return numbers; }
/// Checks k: an integer, or an array of one for each segment.
template <class Context, class K>
struct is_k : std::conjunction<reads_from<parameter::k, Context, K>,
                               parameter::k::holds_integers<item_or_any_t<K>>> {};
template <class Context, class K>
requires std::is_convertible_v<K, index_t>
struct is_k<Context, K> : std::true_type {
};

/// Checks the segments of n keys and the arrays that receive k items of each. Returns how many
/// those are, or 0 if there are no results.
template <class Context, class Segments, class K, class... Outs>
auto expect_top_k(checked_call<Context> const& call, Segments const& segments, index_t n,
                  K const& k, Outs const&... outs) {
  auto const check_apart = [&](auto const& out) {
    auto const& arrays = sam::detail::arrays_behind(out);
    for (extent const& written : arrays.all_written())
      segments.check_apart(call, written);
  };
  (check_apart(outs), ...);
  segments.check(call, n, 1, {nullptr, 0, 1, "out"});
  auto wanted =
      sam::detail::wanted_of_rows(call, k, sam::detail::most_numbered(segments, n), outs...);
  if (n == 0 || sam::detail::numbered_segments(segments, n) == 0)
    wanted.most = 0;
  return wanted;
}

/// Rows of the first items, by their number in memory.
template <class Rows, class Number>
struct rows_up_to {
  Rows rows;
  Number number;
  SAM_FUNCTION index_t begin(index_t row) const { return rows.begin(row); }
  SAM_FUNCTION index_t end(index_t row) const { return min_of(rows.end(row), number()); }
  index_t longest() const { return rows.longest(); }
};
template <class Rows>
Rows const& rows_of_first(Rows const& rows, known_count const&) {
  return rows;
}
template <class Rows, class Number>
rows_up_to<Rows, Number> rows_of_first(Rows const& rows, Number const& number) {
  return {rows, number};
}
/// Segments and the sort of each, by a number of items that is known or lies in memory.
template <class Segments>
each_of<Segments> sorts_of_first(Segments const& segments, known_count const&) {
  return {segments};
}
template <class Segments, class Number>
struct sorts_up_to {
  segments_up_to<Segments, Number> segments;
  template <class Context, class Job>
  index_t workspace_bytes(checked_call<Context> const& call, Job const& job) const {
    return sam::detail::workspace_bytes_for_segments(call, segments, job);
  }
  template <class Context, class Job>
  void sort_by(Context& context, Job const& job, std::byte* memory) const {
    sam::detail::sort_segments(context, segments, job, memory);
  }
};
template <class Segments, class Number>
sorts_up_to<Segments, Number> sorts_of_first(Segments const& segments, Number const& number) {
  return {{segments, number}};
}

/// Sorts each segment of the first keys: keys alone, or the indices of keys if Value is an integer.
/// Calls take(sorted) with the sorted keys or indices, which it takes memory for.
template <class Value, class Context, class Key, class Number, class Segments, class Take>
void with_sorted_segments(checked_call<Context> const& call,
                          first_items<Key const, Number> const& from, Segments const& segments,
                          sort_order order, Take const& take) {
  constexpr bool alone = std::is_same_v<Value, no_values>;
  index_t const n = from.taken.size;
  using sorted_type = std::conditional_t<alone, Key, Value>;
  auto job = sam::detail::sort_job_for(call, n, natural_digits{},
                                       sort_options<Key, Value>{.order = order});
  job.keys = from.taken.data;
  auto const parts = sam::detail::sorts_of_first(segments, from.number);
  index_t const own = div_up(n * index_t{sizeof(sorted_type)}, 256) * 256;
  auto* const memory =
      engine::workspace<std::byte>(call.context(), own + parts.workspace_bytes(call, job));
  auto* const sorted = reinterpret_cast<sorted_type*>(memory);
  if constexpr (alone)
    job.sorted_keys = sorted;
  else
    job.sorted_values = sorted;
  parts.sort_by(call.context(), sam::detail::with_facts<sort_facts{.all_bits = true}>(job),
                memory + own);
  take(sorted);
}

/// Lets the back end find the first k keys of each row. Returns false if it has no faster way than
/// to sort the rows.
template <class Context, class Key, class Number, class Segments, class Wanted, class Results>
bool select_in_rows(Context& context, first_items<Key const, Number> const& from,
                    Segments const& segments, Wanted const& wanted, sort_order order,
                    Results const& results) {
  auto const put = wanted.limited(results);
  using Put = std::remove_const_t<decltype(put)>;
  auto const rows =
      sam::detail::rows_of_first(sam::detail::rows_of(segments, from.taken.size), from.number);
  using job_type = select_in_segments_job<Key, std::remove_const_t<decltype(rows)>, Put>;
  if constexpr (selects_in_segments<Context, job_type>) {
    using ordered_key = typename job_type::ordered_key;
    return context.select_in_segments(
        job_type{from.taken.size, from.taken.data,
                 sam::detail::numbered_segments(segments, from.all.size), rows, wanted.most,
                 static_cast<ordered_key>(order == sort_order::descending ? ~ordered_key{0}
                                                                          : ordered_key{0}),
                 put});
  } else {
    return false;
  }
}

/// Takes the first k items of each row of the first items.
template <class Context, class Segments, class First, class Wanted, class Results>
void take_first(Context& context, Segments const& segments, First const& from, Wanted const& wanted,
                Results const& results) {
  auto const put = wanted.limited(results);
  using Put = std::remove_const_t<decltype(put)>;
  auto const rows =
      sam::detail::rows_of_first(sam::detail::rows_of(segments, from.taken.size), from.number);
  context.run(sam::detail::numbered_segments(segments, from.all.size) * wanted.most,
              take_first_job<std::remove_const_t<decltype(rows)>, Put>{rows, wanted.most, put},
              pass_over_flags<std::uint32_t>);
}

// --- By a comparison -----------------------------------------------------------------------------

/// Orders keys by their rows, then by a comparison.
template <class Less>
struct order_in_rows {
  Less less;
  template <class Key>
  SAM_FUNCTION bool operator()(key_in_segment<Key> const& a, key_in_segment<Key> const& b) const {
    return a.segment != b.segment ? a.segment < b.segment : static_cast<bool>(less(a.key, b.key));
  }
};
/// Gives each key with its row.
template <class Source, class Rows>
struct keys_in_rows {
  using item = key_in_segment<typename Source::item>;
  Source keys;
  Rows rows;
  index_t number;
  SAM_FUNCTION item at(index_t i) const {
    return {keys.at(i), static_cast<std::uint32_t>(rows.row_of(i, number))};
  }
};

inline constexpr checked_array<char const> no_input{nullptr, 0, "values_in"};

/// Chooses the first k of each row of the first keys in some order. put(order, keys, values)
/// returns the function that stores a result, given the sorted indices of type Index.
template <class Index, class Context, class Given, class Values, class Segments, class Wanted,
          class Less, class Put>
void choose_in_rows(checked_call<Context> const& call, Given const& given, Values const& values,
                    Segments const& segments, Wanted const& k, Less const& less, Put const& put) {
  Context& context = call.context();
  auto const keys = sam::detail::source_from(given.taken);
  auto const rows = sam::detail::rows_of(segments, given.all.size);
  index_t const n = given.taken.size;
  index_t const number = sam::detail::numbered_segments(segments, given.all.size);
  constexpr index_t most = requires { segments.ranges(); }
  ? highest_of<std::int32_t> : highest_of<std::uint32_t>;  // ranges have others between them
  if (number > most)
    call.refuse("segments", "are ", number, "; they must be at most ", most);
  using source =
      keys_in_rows<std::remove_cvref_t<decltype(keys)>, std::remove_cvref_t<decltype(rows)>>;
  using Key = typename source::item;
  checked_input<source, 0> const in_rows{{keys, rows, number}, n, given.all.name, {}};
  auto const stored = detail::in_memory(
      context, given, detail::beside(values, given),
      computed_items<checked_input<source, 0>, number_of_t<Given>>{in_rows, in_rows, given.number},
      room_for<Index>{n});
  Index* const order = std::get<3>(stored).data;
  sam::detail::run_merge_sort(
      context,
      merge_sort_job<Key, Index, order_in_rows<Less>>{
          {std::get<2>(stored).taken.data, nullptr, nullptr}, n, {nullptr, order, nullptr}, {less}},
      given.number);
  sam::detail::take_first(context, segments, given, k,
                          put(static_cast<Index const*>(order), std::get<0>(stored).taken.data,
                              std::get<1>(stored).data));
}

// --- Calls ---------------------------------------------------------------------------------------

/// The last argument of a choice by digits is a sort_order, and of one by comparisons an order in
/// which the first items are chosen.
template <class Order>
inline constexpr bool is_by_digits = std::is_same_v<Order, sort_order>;
template <class Context, class Key, class Order>
void expect_order_runs_on() {
  if constexpr (!is_by_digits<Order>)
    sam::detail::expect_runs_on<Context, Order, Key, Key>();
}

template <class Context, class In, class Segments, class K, class Out, class Order>
void segmented_top_k(Context& context, In const& in, Segments const& given_rows, K const& k,
                     Out& out, Order const& order, std::source_location at) {
  using Key = item_or_any_t<In>;
  sam::detail::expect_order_runs_on<Context, Key, Order>();
  checked_call const call(context, "sam::segmented_top_k", at);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  detail::expect_apart_from_read(call, to, given.all);
  detail::apart_from_count(call, in, to);
  using to_type = job_output_t<std::remove_const_t<decltype(to)>>;
  auto const& segments = sam::detail::given_segments(call, given_rows);
  auto const wanted = sam::detail::expect_top_k(call, segments, given.all.size, k, to);
  if (wanted.most == 0 || given.taken.size == 0)
    return;
  if constexpr (is_by_digits<Order>) {
    auto const stored =
        detail::in_memory(context, given, sam::detail::segments_to_store(segments, given.all.size));
    auto const& keys = std::get<0>(stored);
    auto const& rows = sam::detail::stored_segments(segments, std::get<1>(stored));
    if (sam::detail::select_in_rows(
            context, keys, rows, wanted, order,
            put_key<as_they_are, Key, to_type>{{}, keys.taken.data, to.data}))
      return;
    sam::detail::with_sorted_segments<no_values>(call, keys, rows, order, [&](Key const* sorted) {
      sam::detail::take_first(context, rows, keys, wanted,
                              put_sorted_key<Key, to_type>{sorted, to.data});
    });
  } else {
    sam::detail::with_sum_for<Context>(given.taken.size, [&]<class Index>(Index) {
      sam::detail::choose_in_rows<Index>(
          call, given, no_input, segments, wanted, order,
          [&](Index const* sorted, Key const* keys, auto const&) {
            return put_key<Index const*, Key, to_type>{sorted, keys, to.data};
          });
    });
  }
}

template <class Context, class KeysIn, class ValuesIn, class Segments, class K, class KeysOut,
          class ValuesOut, class Order>
void segmented_top_k_pairs(Context& context, KeysIn const& keys_in, ValuesIn const& values_in,
                           Segments const& given_rows, K const& k, KeysOut& keys_out,
                           ValuesOut& values_out, Order const& order, std::source_location at) {
  using Key = item_or_any_t<KeysIn>;
  using Value = item_or_any_t<ValuesIn>;
  sam::detail::expect_order_runs_on<Context, Key, Order>();
  checked_call const call(context, "sam::segmented_top_k_pairs", at);
  auto const given = detail::first_items_of<parameter::keys_in>(call, keys_in);
  auto const given_values = sam::detail::input_of<parameter::values_in>(call, values_in);
  auto const to_keys = sam::detail::output_of<parameter::keys_out>(call, keys_out);
  auto const to_values = sam::detail::output_of<parameter::values_out>(call, values_out);
  call.same_size(given_values, given.all);
  detail::expect_apart_from_read(call, to_keys, given.all, given_values);
  detail::expect_apart_from_read(call, to_values, given.all, given_values);
  detail::apart_from_count(call, keys_in, to_keys);
  detail::apart_from_count(call, keys_in, to_values);
  call.apart(to_values, to_keys);
  sam::detail::expect_outputs_apart(call, to_values, to_keys);
  auto const& segments = sam::detail::given_segments(call, given_rows);
  auto const wanted =
      sam::detail::expect_top_k(call, segments, given.all.size, k, to_keys, to_values);
  if (wanted.most == 0 || given.taken.size == 0)
    return;
  auto const put = [&](auto sorted, Key const* keys, Value const* values) {
    return put_pair<decltype(sorted), Key, Value,
                    job_output_t<std::remove_const_t<decltype(to_keys)>>,
                    job_output_t<std::remove_const_t<decltype(to_values)>>>{
        sorted, given.taken.size, keys, values, to_keys.data, to_values.data};
  };
  if constexpr (is_by_digits<Order>) {
    auto const stored = detail::in_memory(context, given, detail::beside(given_values, given),
                                          sam::detail::segments_to_store(segments, given.all.size));
    auto const& keys = std::get<0>(stored);
    auto const& rows = sam::detail::stored_segments(segments, std::get<2>(stored));
    Value const* const beside = std::get<1>(stored).data;
    if (sam::detail::select_in_rows(context, keys, rows, wanted, order,
                                    put(as_they_are{}, keys.taken.data, beside)))
      return;
    sam::detail::with_sum_for<Context>(given.taken.size, [&]<class Index>(Index) {
      sam::detail::with_sorted_segments<Index>(call, keys, rows, order, [&](Index const* sorted) {
        sam::detail::take_first(context, rows, keys, wanted, put(sorted, keys.taken.data, beside));
      });
    });
  } else {
    sam::detail::with_sum_for<Context>(given.taken.size, [&]<class Index>(Index) {
      sam::detail::choose_in_rows<Index>(call, given, given_values, segments, wanted, order, put);
    });
  }
}

template <class Context, class Keys, class Segments, class K, class Out, class Order>
void segmented_top_k_indices(Context& context, Keys const& keys, Segments const& given_rows,
                             K const& k, Out& out, Order const& order, std::source_location at) {
  using Key = item_or_any_t<Keys>;
  sam::detail::expect_order_runs_on<Context, Key, Order>();
  checked_call const call(context, "sam::segmented_top_k_indices", at);
  auto const given = detail::first_items_of<parameter::keys>(call, keys);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.template fits<item_or_any_t<Out>>(to.name, given.all.size - 1);
  detail::expect_apart_from_read(call, to, given.all);
  detail::apart_from_count(call, keys, to);
  auto const& segments = sam::detail::given_segments(call, given_rows);
  auto const wanted = sam::detail::expect_top_k(call, segments, given.all.size, k, to);
  if (wanted.most == 0 || given.taken.size == 0)
    return;
  auto const put = [&](auto sorted, auto const&...) {
    return put_order<decltype(sorted), job_output_t<std::remove_const_t<decltype(to)>>>{sorted,
                                                                                        to.data};
  };
  if constexpr (is_by_digits<Order>) {
    auto const stored =
        detail::in_memory(context, given, sam::detail::segments_to_store(segments, given.all.size));
    auto const& from = std::get<0>(stored);
    auto const& rows = sam::detail::stored_segments(segments, std::get<1>(stored));
    if (sam::detail::select_in_rows(context, from, rows, wanted, order, put(as_they_are{})))
      return;
    sam::detail::with_sum_for<Context>(given.taken.size, [&]<class Index>(Index) {
      sam::detail::with_sorted_segments<Index>(call, from, rows, order, [&](Index const* sorted) {
        sam::detail::take_first(context, rows, from, wanted, put(sorted));
      });
    });
  } else {
    sam::detail::with_sum_for<Context>(given.taken.size, [&]<class Index>(Index) {
      sam::detail::choose_in_rows<Index>(call, given, no_input, segments, wanted, order, put);
    });
  }
}

/// Returns the sort_order or the comparison in whose order the first items are the largest by less.
template <class Key, class Less>
auto order_of_largest(Less const& less) {
  if constexpr (sorts_by_radix<Less, Key>)
    return sam::detail::opposite(order_by<Less, Key>);
  else
    return reversed_order<Less>{less};
}

}  // namespace detail

/// Finds the k largest items of every segment, the largest first: those of segment s go to out from
/// index s k on.
///
/// in           n integers, bools or floats, as for top_k; it may be computed or counted. Segments
///              belong to all items that there may be, and lose those past the number
/// segments     by_offsets(offsets), by_checked_offsets(offsets), by_ranges(begins, ends) or
///              by_checked_ranges(begins, ends), whose arrays lie apart from out, or
///              by_length(length), as rows of a matrix; see <sam/segments.hpp>. Items between
///              ranges are in no segment. Of counted offsets and ranges, out has k items for each
///              segment that there may be, and those of segments past the number are not changed
/// k            at least 0, or an array of an integer for each segment, apart from out, in memory
///              that the context reaches. If a segment has fewer than k items, all of them are
///              taken, and its other items of out are not changed
/// out          k items for each segment, apart from in, or a computed output (<sam/outputs.hpp>).
///              If k is an array, out has a multiple of the number of segments. Each segment gets
///              as many items of it, so that segment s begins at s times their number. Its k counts
///              as 0 below 0, and above that number as that number; the other items are not
///              changed. A search takes as long as one for as many items of each segment
/// order        sort_order::descending, which is the default, for the largest items;
///              sort_order::ascending for the smallest, the smallest first
/// traffic      n reads of an item and few more, where k is small against the length of segments,
///              else that of segmented_radix_sort, and a read and a write for each item of out. On
///              a CPU, k is small at up to an 8th of the average length, which is at least 64. A
///              GPU takes a warp for each segment of up to 1024 items, if k is at most 128 and the
///              average length from max(128, k) to 1024, or if there are at most 1024 segments of
///              one length. If these have 1025 to 4096 items, it takes a block that holds a segment
///              in registers. So it does for up to 8192 items if there are at most 2^20 in all, or
///              2^17 for k above 64. It takes another block for each longer one, if k is at most
///              1024 and an 8th of the average length, which is at least 512, and if there are from
///              4 segments on. n is less than 2^32 then. A few long segments take long, and so do
///              long ones in ascending order, on both
/// workspace    memory for n items, and that of segmented_radix_sort. If k is small, a CPU needs it
///              for about 3 k keys and indices, or 1,024, for each thread, and a GPU needs none.
///              Ranges are copied, and counted offsets on a device
/// determinism  the same result on every run and for every number of threads. Of items that compare
///              equal, those with the lowest indices are chosen, and come first
/// returns      once the work is queued; context.wait() before reading out. Checked offsets make
///              the call wait
/// throws       as segmented_radix_sort; also sam::invalid_argument if out overlaps another array
///              or does not hold k items for each segment; nothing is written
/// source       as for segmented_radix_sort
template <class Context, class In, class Segments, class K, class Out>
void segmented_top_k(Context&& context, In const& in, Segments const& segments, K const& k,
                     Out&& out, sort_order order = sort_order::descending,
                     std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k(*detail::lend_context(context), in, segments, k,
                                std::forward<Out>(out), order, at);
  else if constexpr (detail::all_right<detail::is_top_k<Context, In, Out>,
                                       detail::are_numbered_segments<Segments>,
                                       detail::is_k<Context, K>>)
    detail::segmented_top_k(context, in, segments, detail::k_of(k), out, order, at);
}
/// Finds the k largest items of every segment by a comparison, the largest first.
///
/// in           n items of any trivially copyable type, in fewer than 2^32 segments, or 2^31 ranges
/// less         as for top_k by a comparison; sam::greater finds the smallest items
/// traffic      that of a merge sort of n items with 4 bytes for the segment, and an index, and a
///              few reads and a write for each item of out; by offsets also a search for each item
/// workspace    memory for 3 n such items, and for n indices
/// Everything else is as above.
template <class Context, class In, class Segments, class K, class Out, class Less>
requires(detail::stands_for_order<Less>) void segmented_top_k(
    Context&& context, In const& in, Segments const& segments, K const& k, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k(*detail::lend_context(context), in, segments, k,
                                std::forward<Out>(out), less, at);
  else if constexpr (detail::all_right<detail::is_choice_by_order<Context, In, Out, Less>,
                                       detail::are_numbered_segments<Segments>,
                                       detail::is_k<Context, K>>)
    detail::segmented_top_k(context, in, segments, detail::k_of(k), out,
                            detail::order_of_largest<detail::item_or_any_t<In>>(less), at);
}

/// Finds the k largest keys of every segment, and their values. Everything else is as for
/// segmented_top_k.
///
/// keys_in, values_in    n keys, and a value of any trivially copyable type for each
/// keys_out, values_out  k of them for each segment, apart from one another and from the inputs
/// workspace             memory for n indices, and that of segmented_radix_argsort
template <class Context, class KeysIn, class ValuesIn, class Segments, class K, class KeysOut,
          class ValuesOut>
void segmented_top_k_pairs(Context&& context, KeysIn const& keys_in, ValuesIn const& values_in,
                           Segments const& segments, K const& k, KeysOut&& keys_out,
                           ValuesOut&& values_out, sort_order order = sort_order::descending,
                           std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k_pairs(*detail::lend_context(context), keys_in, values_in, segments,
                                      k, std::forward<KeysOut>(keys_out),
                                      std::forward<ValuesOut>(values_out), order, at);
  else if constexpr (detail::all_right<
                         detail::is_top_k_of_pairs<Context, KeysIn, ValuesIn, KeysOut, ValuesOut>,
                         detail::are_numbered_segments<Segments>, detail::is_k<Context, K>>)
    detail::segmented_top_k_pairs(context, keys_in, values_in, segments, detail::k_of(k), keys_out,
                                  values_out, order, at);
}
/// Finds the k largest keys of every segment by a comparison, and their values. Everything else is
/// as for segmented_top_k by a comparison.
template <class Context, class KeysIn, class ValuesIn, class Segments, class K, class KeysOut,
          class ValuesOut, class Less>
requires(detail::stands_for_order<Less>) void segmented_top_k_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, Segments const& segments,
    K const& k, KeysOut&& keys_out, ValuesOut&& values_out, Less less,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k_pairs(*detail::lend_context(context), keys_in, values_in, segments,
                                      k, std::forward<KeysOut>(keys_out),
                                      std::forward<ValuesOut>(values_out), less, at);
  else if constexpr (detail::all_right<detail::is_order_of_pairs<Context, KeysIn, ValuesIn, KeysOut,
                                                                 ValuesOut, Less>,
                                       detail::are_numbered_segments<Segments>,
                                       detail::is_k<Context, K>>)
    detail::segmented_top_k_pairs(
        context, keys_in, values_in, segments, detail::k_of(k), keys_out, values_out,
        detail::order_of_largest<detail::item_or_any_t<KeysIn>>(less), at);
}

/// Finds the indices in keys of the k largest keys of every segment. Everything else is as for
/// segmented_top_k_pairs.
///
/// out          k integers for each segment, that can hold n - 1, apart from keys
template <class Context, class Keys, class Segments, class K, class Out>
void segmented_top_k_indices(Context&& context, Keys const& keys, Segments const& segments,
                             K const& k, Out&& out, sort_order order = sort_order::descending,
                             std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k_indices(*detail::lend_context(context), keys, segments, k,
                                        std::forward<Out>(out), order, at);
  else if constexpr (detail::all_right<detail::is_top_k_of_indices<Context, Keys, Out>,
                                       detail::are_numbered_segments<Segments>,
                                       detail::is_k<Context, K>>)
    detail::segmented_top_k_indices(context, keys, segments, detail::k_of(k), out, order, at);
}
/// Finds the indices in keys of the k largest keys of every segment by a comparison. Everything
/// else is as for segmented_top_k by a comparison.
template <class Context, class Keys, class Segments, class K, class Out, class Less>
requires(detail::stands_for_order<Less>) void segmented_top_k_indices(
    Context&& context, Keys const& keys, Segments const& segments, K const& k, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k_indices(*detail::lend_context(context), keys, segments, k,
                                        std::forward<Out>(out), less, at);
  else if constexpr (detail::all_right<detail::is_order_of_indices<Context, Keys, Out, Less>,
                                       detail::are_numbered_segments<Segments>,
                                       detail::is_k<Context, K>>)
    detail::segmented_top_k_indices(context, keys, segments, detail::k_of(k), out,
                                    detail::order_of_largest<detail::item_or_any_t<Keys>>(less),
                                    at);
}

}  // namespace sam::inline v0_1
