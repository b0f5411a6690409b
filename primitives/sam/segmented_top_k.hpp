// SPDX-License-Identifier: MIT
// Defines segmented_top_k, segmented_top_k_pairs and segmented_top_k_indices: the largest or
// smallest items of every segment. Segments are sorted, and their first items are taken.
#pragma once

#include <sam/detail/selection/radix_select.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/top_k.hpp>

namespace sam::inline v0_1 {

namespace detail {

/// Tells where the segments of n items lie.
struct rows_by_length {
  index_t length, n;
  SAM_FUNCTION index_t begin(index_t row) const { return row * length; }
  SAM_FUNCTION index_t end(index_t row) const {
    return min_of(n - row * length, length) + begin(row);
  }
};
template <class Offset>
struct rows_by_offsets {
  Offset const* offsets;
  index_t n;
  // Offsets may be invalid.
  SAM_FUNCTION index_t begin(index_t row) const { return inside(offsets[row]); }
  SAM_FUNCTION index_t end(index_t row) const { return inside(offsets[row + 1]); }
  SAM_FUNCTION index_t inside(Offset offset) const {
    return min_of(max_of(static_cast<index_t>(offset), 0), n);
  }
};
inline rows_by_length rows_of(by_length const& segments, index_t n) { return {segments.length, n}; }
template <class Offsets, bool Checked>
auto rows_of(by_offsets<Offsets, Checked> const& segments, index_t n) {
  return rows_by_offsets<item_of<Offsets>>{segments.data(), n};
}
inline index_t numbered_segments(by_length const& segments, index_t n) {
  return n == 0 ? 0 : segments.most_segments(n);
}
template <class Offsets, bool Checked>
index_t numbered_segments(by_offsets<Offsets, Checked> const& segments, index_t) {
  return segments.segments();
}

// Functions that store a result, given its place and the index of its item among the sorted ones.

template <class Key>
struct put_sorted_key {
  Key const* sorted;
  Key* out;
  SAM_FUNCTION void operator()(index_t to, index_t from) const { out[to] = sorted[from]; }
};
template <class Index, class Out>
struct put_order {
  Index const* order;
  Out* out;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    out[to] = static_cast<Out>(order[from]);
  }
};
template <class Index, class Key, class Value>
struct put_pair {
  Index const* order;
  Key const* keys;
  Value const* values;
  Key* keys_out;
  Value* values_out;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    auto const index = static_cast<index_t>(order[from]);
    keys_out[to] = keys[index];
    values_out[to] = values[index];
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
  static_assert(value, "sam: the segments of a segmented top k must be by_offsets(offsets) or "
                       "by_length(length), which give their number");
};

/// Rejects an array that does not hold k items for each segment.
inline void expect_rows(call_checks const& call, extent const& out, index_t segments, index_t k) {
  call.at_least("k", k, 0);
  bool const empty = k == 0 || segments == 0;
  if (empty ? out.items != 0 : out.items % k != 0 || out.items / k != segments)
    call.refuse(out.name, "holds ", out.items, " items but must hold ", k, " for each of ",
                segments, " segments");
}

/// Checks the segments of n keys and the arrays that receive k items of each; returns true if there
/// are any.
template <class Context, class Segments, class... Outs>
bool expect_top_k(checked_call<Context> const& call, Segments const& segments, index_t n, index_t k,
                  Outs const&... outs) {
  (segments.check_apart(call, outs), ...);
  segments.check(call, n, 1, {nullptr, 0, 1, "out"});
  index_t const number = sam::detail::numbered_segments(segments, n);
  (sam::detail::expect_rows(call, outs, number, k), ...);
  return n > 0 && number > 0 && k > 0;
}

/// Sorts each segment of n keys: keys alone, or the indices of keys if Value is an integer. Calls
/// take(sorted) with the sorted keys or indices, which it takes memory for.
template <class Value, class Context, class Key, class Segments, class Take>
void with_sorted_segments(checked_call<Context> const& call, index_t n, Key const* keys,
                          Segments const& segments, sort_order order, Take const& take) {
  constexpr bool alone = std::is_same_v<Value, no_values>;
  using sorted_type = std::conditional_t<alone, Key, Value>;
  auto job = sam::detail::sort_job_for(call, n, natural_digits{},
                                       sort_options<Key, Value>{.order = order});
  job.keys = keys;
  each_of<Segments> const parts{segments};
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

template <class Context, class Segments, class Put>
void take_first(Context& context, Segments const& segments, index_t n, index_t k, Put const& put) {
  auto const rows = sam::detail::rows_of(segments, n);
  context.run(sam::detail::numbered_segments(segments, n) * k,
              take_first_job<std::remove_const_t<decltype(rows)>, Put>{rows, k, put},
              pass_over_flags<std::uint32_t>);
}

template <class Context, class In, class Segments, class Out>
void segmented_top_k(Context& context, In const& in, Segments const& segments, index_t k, Out& out,
                     sort_order order, std::source_location at) {
  using Key = item_of<In>;
  checked_call const call(context, "sam::segmented_top_k", at);
  auto const from = call.template input<parameter::in>(in);
  auto const to = call.template output<parameter::out>(out);
  call.apart(to, from);
  if (sam::detail::expect_top_k(call, segments, from.size, k, to))
    sam::detail::with_sorted_segments<no_values>(
        call, from.size, from.data, segments, order, [&](Key const* sorted) {
          sam::detail::take_first(context, segments, from.size, k,
                                  put_sorted_key<Key>{sorted, to.data});
        });
}

template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut>
void segmented_top_k_pairs(Context& context, KeysIn const& keys_in, ValuesIn const& values_in,
                           Segments const& segments, index_t k, KeysOut& keys_out,
                           ValuesOut& values_out, sort_order order, std::source_location at) {
  checked_call const call(context, "sam::segmented_top_k_pairs", at);
  auto const keys = call.template input<parameter::keys_in>(keys_in);
  auto const values = call.template input<parameter::values_in>(values_in);
  auto const to_keys = call.template output<parameter::keys_out>(keys_out);
  auto const to_values = call.template output<parameter::values_out>(values_out);
  call.same_size(values, keys);
  for (extent const& to : {extent(to_keys), extent(to_values)})
    for (extent const& from : {extent(keys), extent(values)})
      call.apart(to, from);
  call.apart(to_values, to_keys);
  if (sam::detail::expect_top_k(call, segments, keys.size, k, to_keys, to_values))
    sam::detail::with_sum_for<Context>(keys.size, [&]<class Index>(Index) {
      sam::detail::with_sorted_segments<Index>(
          call, keys.size, keys.data, segments, order, [&](Index const* sorted) {
            sam::detail::take_first(
                context, segments, keys.size, k,
                put_pair<Index, item_of<KeysIn>, item_of<ValuesIn>>{sorted, keys.data, values.data,
                                                                    to_keys.data, to_values.data});
          });
    });
}

template <class Context, class Keys, class Segments, class Out>
void segmented_top_k_indices(Context& context, Keys const& keys, Segments const& segments,
                             index_t k, Out& out, sort_order order, std::source_location at) {
  checked_call const call(context, "sam::segmented_top_k_indices", at);
  auto const from = call.template input<parameter::keys>(keys);
  auto const to = call.template output<parameter::out>(out);
  call.template fits<item_of<Out>>(to.name, from.size - 1);
  call.apart(to, from);
  if (sam::detail::expect_top_k(call, segments, from.size, k, to))
    sam::detail::with_sum_for<Context>(from.size, [&]<class Index>(Index) {
      sam::detail::with_sorted_segments<Index>(
          call, from.size, from.data, segments, order, [&](Index const* sorted) {
            sam::detail::take_first(context, segments, from.size, k,
                                    put_order<Index, item_of<Out>>{sorted, to.data});
          });
    });
}

}  // namespace detail

/// Finds the k largest items of every segment, the largest first: those of segment s go to out from
/// index s k on.
///
/// in           n integers, bools or floats, as for top_k
/// segments     by_offsets(offsets) or by_checked_offsets(offsets), whose array lies apart from
///              out, or by_length(length), as rows of a matrix; see <sam/segments.hpp>
/// k            at least 0. If a segment has fewer than k items, all of them are taken, and its
///              other items of out are not changed
/// out          k items for each segment, apart from in
/// order        sort_order::descending, which is the default, for the largest items;
///              sort_order::ascending for the smallest, the smallest first
/// traffic      that of segmented_radix_sort, and a read and a write for each item of out
/// workspace    memory for n items, and that of segmented_radix_sort
/// determinism  the same result on every run and for every number of threads. Of items that compare
///              equal, those with the lowest indices are chosen, and come first
/// returns      once the work is queued; context.wait() before reading out. Checked offsets make
///              the call wait
/// throws       as segmented_radix_sort; also sam::invalid_argument if out overlaps another array
///              or does not hold k items for each segment; nothing is written
/// source       as for segmented_radix_sort
template <class Context, class In, class Segments, class Out>
void segmented_top_k(Context&& context, In const& in, Segments const& segments, index_t k,
                     Out&& out, sort_order order = sort_order::descending,
                     std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k(*detail::lend_context(context), in, segments, k,
                                std::forward<Out>(out), order, at);
  else if constexpr (detail::all_right<detail::is_top_k<Context, In, Out>,
                                       detail::are_numbered_segments<Segments>>)
    detail::segmented_top_k(context, in, segments, k, out, order, at);
}

/// Finds the k largest keys of every segment, and their values. Everything else is as for
/// segmented_top_k.
///
/// keys_in, values_in    n keys, and a value of any trivially copyable type for each
/// keys_out, values_out  k of them for each segment, apart from one another and from the inputs
/// workspace             memory for n indices, and that of segmented_radix_argsort
template <class Context, class KeysIn, class ValuesIn, class Segments, class KeysOut,
          class ValuesOut>
void segmented_top_k_pairs(Context&& context, KeysIn const& keys_in, ValuesIn const& values_in,
                           Segments const& segments, index_t k, KeysOut&& keys_out,
                           ValuesOut&& values_out, sort_order order = sort_order::descending,
                           std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k_pairs(*detail::lend_context(context), keys_in, values_in, segments,
                                      k, std::forward<KeysOut>(keys_out),
                                      std::forward<ValuesOut>(values_out), order, at);
  else if constexpr (detail::all_right<
                         detail::is_top_k_of_pairs<Context, KeysIn, ValuesIn, KeysOut, ValuesOut>,
                         detail::are_numbered_segments<Segments>>)
    detail::segmented_top_k_pairs(context, keys_in, values_in, segments, k, keys_out, values_out,
                                  order, at);
}

/// Finds the indices in keys of the k largest keys of every segment. Everything else is as for
/// segmented_top_k_pairs.
///
/// out          k integers for each segment, that can hold n - 1, apart from keys
template <class Context, class Keys, class Segments, class Out>
void segmented_top_k_indices(Context&& context, Keys const& keys, Segments const& segments,
                             index_t k, Out&& out, sort_order order = sort_order::descending,
                             std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::segmented_top_k_indices(*detail::lend_context(context), keys, segments, k,
                                        std::forward<Out>(out), order, at);
  else if constexpr (detail::all_right<detail::is_top_k_of_indices<Context, Keys, Out>,
                                       detail::are_numbered_segments<Segments>>)
    detail::segmented_top_k_indices(context, keys, segments, k, out, order, at);
}

}  // namespace sam::inline v0_1
