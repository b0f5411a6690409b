// SPDX-License-Identifier: MIT
// Defines lower_bound, upper_bound and equal_range of many values in a sorted array.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/backend/job.hpp>
#include <sam/detail/inputs/copy_input.hpp>
#include <sam/detail/locate_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

/// Searches for `Lanes` values, one each item, in step: all searches take equally many steps, and
/// no branch depends on items, so that their loads overlap. GPUs have a kernel of their own, for
/// `Lanes` of 1. Either output may be null.
template <class T, class Less, class Index, int Lanes>
struct search_job {
  struct item {};
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true, searches = true;
  T const* sorted;
  index_t n;
  T const* values;
  index_t m;
  Index *lower, *upper;
  Less less;

  SAM_FUNCTION item load(index_t) const { return {}; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t group, item, accumulator) const {
    index_t const first = group * Lanes;
    if (first >= m)
      return;
    index_t const end = min_of(first + Lanes, m);
    if (end - first == Lanes)
      return search<Lanes>(first);
    for (index_t i = first; i < end; ++i)
      search<1>(i);
  }
  SAM_FUNCTION index_t bytes_per_item() const { return 256 * Lanes; }
  SAM_FUNCTION search_job const& sized() const { return *this; }
  /// Returns the search for `values_size` values among `size` items.
  SAM_FUNCTION search_job with_sizes(index_t size, index_t values_size) const {
    search_job all = *this;
    all.n = size;
    all.m = values_size;
    return all;
  }

 private:
  /// Searches for values [first, first + Width).
  template <int Width>
  SAM_FUNCTION void search(index_t first) const {
    T const* const x = values + first;
    index_t begin[std::size_t{Width}] = {};
    auto const is_less = [&](T const& y, T const& z) { return static_cast<bool>(less(y, z)); };
    auto const is_no_greater = [&](T const& y, T const& z) {
      return !static_cast<bool>(less(z, y));
    };
    if (lower != nullptr) {
      advance<Width>(x, begin, is_less);
      put<Width>(first, begin, lower);
    }
    if (upper != nullptr) {
      if (Width > 1 && lower != nullptr) {
        advance_near<Width>(x, begin, is_no_greater);
      } else {
        begin[0] = 0;
        advance<Width>(x, begin, is_no_greater);
      }
      put<Width>(first, begin, upper);
    }
  }
  /// Moves each place, which is 0, over all items that are before its value.
  template <int Width, class IsBefore>
  SAM_FUNCTION void advance(T const* x, index_t* begin, IsBefore const& is_before) const {
    for (index_t left = n; left > 0;) {
      index_t const half = (left + 1) / 2;  // of them, the last one is asked about
      for (int l = 0; l < Width; ++l)
        begin[l] += is_before(sorted[begin[l] + half - 1], x[l]) ? half : 0;
      left -= half;
    }
  }
  /// Moves each place over the next items that are before its value, which are few. Steps double
  /// until they lead past all of these, and are halved from there on.
  template <int Width, class IsBefore>
  SAM_FUNCTION void advance_near(T const* x, index_t* begin, IsBefore const& is_before) const {
    if (n == 0)
      return;
    auto const is_past = [&](int l, index_t step) {
      index_t const at = begin[l] + step;
      return at >= n || !is_before(sorted[min_of(at, n - 1)], x[l]);
    };
    index_t most = 0;  // one less than a power of two
    for (bool all = false; !all && most < n;) {
      all = true;
      for (int l = 0; l < Width; ++l)
        all &= is_past(l, most);
      if (!all)
        most = 2 * most + 1;
    }
    for (index_t left = most; left > 0;) {
      index_t const half = (left + 1) / 2;
      for (int l = 0; l < Width; ++l)
        begin[l] += is_past(l, half - 1) ? 0 : half;
      left -= half;
    }
  }
  template <int Width>
  SAM_FUNCTION void put(index_t first, index_t const* begin, Index* out) const {
    for (int l = 0; l < Width; ++l)
      out[first + l] = static_cast<Index>(begin[l]);
  }
};

template <class Parameter, class Context, class Sorted, class Values, class Out, class Less>
using searches = std::conjunction<
    is_context<Context>, reads_first_items<parameter::sorted, Context, Sorted>,
    reads_first_items<parameter::values, Context, Values>, writes_items<Parameter, Context, Out>,
    typename Parameter::template holds_integers<item_or_any_t<Out>>,
    have_one_item_type<Sorted, Values>, is_comparison<Context, Less, item_or_any_t<Sorted>>>;

/// Checks an output of a search, and returns it.
template <class Parameter, class Context, class Sorted, class Values, class Out>
auto search_output(checked_call<Context> const& call, Sorted const& sorted, Values const& values,
                   Out& out) {
  auto const to = sam::detail::output_of<Parameter>(call, out);
  call.same_size(to, values);
  call.template fits<item_or_any_t<Out>>(to.name, extent(sorted).items);
  call.apart(to, sorted);
  call.apart(to, values);
  sam::detail::expect_apart_from_inputs(call, to, sorted, values);
  return to;
}
/// Rejects an output that overlaps the number of a counted input.
template <class Context, class Out, class... Inputs>
void apart_from_counts(checked_call<Context> const& call, Out const& to, Inputs const&... inputs) {
  (detail::apart_from_count(call, inputs, to), ...);
}

/// The outputs of a search, or nothing_to_store in the place of one.
template <class Lower, class Upper>
struct search_outputs {
  Lower lower;
  Upper upper;
};
template <class Lower, class Upper>
search_outputs<Lower, Upper> search_outputs_of(Lower const& lower, Upper const& upper) {
  return {lower, upper};
}
template <class Index>
Index* indices_at(checked_array<Index> const& results) {
  return results.data;
}
inline std::nullptr_t indices_at(nothing_to_store) { return nullptr; }

template <class Index, class Context, class Sorted, class Values, class Less, class Outputs>
void search(char const* function, Context& context, Sorted const& sorted, Values const& values,
            Less const& less, std::source_location at, Outputs const& outputs) {
  using T = item_or_any_t<Sorted>;
  sam::detail::expect_runs_on<Context, Less, T, T>();
  checked_call const call(context, function, at);
  auto const given = detail::first_items_of<parameter::sorted>(call, sorted);
  auto const wanted = detail::first_items_of<parameter::values>(call, values);
  auto const to = outputs(call, given.all, wanted.all);
  auto const [in, what, lower, upper] =
      detail::in_memory(context, given, wanted, detail::results_in_memory(to.lower),
                        detail::results_in_memory(to.upper));
  constexpr int lanes = works_on_device<Context> ? 1 : 16;
  index_t const n = what.taken.size;
  detail::run_sized(context, engine::div_up(n, lanes),
                    search_job<T, Less, Index, lanes>{in.taken.data, in.taken.size, what.taken.data,
                                                      n, detail::indices_at(lower),
                                                      detail::indices_at(upper), less},
                    in.number, what.number);
  detail::give_results(context, lower, to.lower, n, what.number);
  detail::give_results(context, upper, to.upper, n, what.number);
}

}  // namespace detail

/// Finds, for each value, the index of the first item of a sorted array that is not less than it: n
/// if there is none.
///
/// sorted       n items in the order of less, in memory that `context` reaches. If they are not in
///              order, the results are unspecified, but lie in [0, n]
/// values       m items of the same type, in any order. Either may be sam::counted(items, number),
///              or a computed input (<sam/inputs.hpp>), whose items are first stored
/// out          m integers that can hold n, apart from sorted and values, or a computed output
///              (<sam/outputs.hpp>), which takes its results at the end
/// less         a const function object, bool less(x, y) const: a strict weak order. Without it,
///              items are compared by sam::less, which is <
/// traffic      m reads of a value and about log2(n) items, and m writes; on GPUs only n + m reads
///              if many values are in order
/// workspace    GPUs: 4 bytes for each 2,048 of many values; memory for the items of computed
///              inputs and the results of computed outputs
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, or out overlaps another array or cannot
///                                     hold n; nothing is written
///              sam::device_error      if the back end cannot queue the work
/// source       Knuth, The Art of Computer Programming 3, section 6.2.1 (binary search)
template <class Context, class Sorted, class Values, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void lower_bound(
    Context&& context, Sorted const& sorted, Values const& values, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  using namespace detail;
  if constexpr (stands_for_context<Context>)
    return sam::lower_bound(*detail::lend_context(context), sorted, values, std::forward<Out>(out),
                            less, at);
  else if constexpr (searches<parameter::out, Context, Sorted, Values, Out, Less>::value)
    detail::search<item_or_any_t<Out>>("sam::lower_bound", context, sorted, values, less, at,
                                       [&](auto const& call, auto const& in, auto const& what) {
                                         auto const to = detail::search_output<parameter::out>(
                                             call, in, what, out);
                                         detail::apart_from_counts(call, to, sorted, values);
                                         return detail::search_outputs_of(to, nothing_to_store{});
                                       });
}

/// Finds, for each value, the index of the first item of a sorted array that it is less than: n if
/// there is none. Everything else is as for lower_bound.
template <class Context, class Sorted, class Values, class Out, class Less = sam::less>
requires(!detail::is_location<Less>) void upper_bound(
    Context&& context, Sorted const& sorted, Values const& values, Out&& out, Less less = {},
    std::source_location at = std::source_location::current()) {
  using namespace detail;
  if constexpr (stands_for_context<Context>)
    return sam::upper_bound(*detail::lend_context(context), sorted, values, std::forward<Out>(out),
                            less, at);
  else if constexpr (searches<parameter::out, Context, Sorted, Values, Out, Less>::value)
    detail::search<item_or_any_t<Out>>("sam::upper_bound", context, sorted, values, less, at,
                                       [&](auto const& call, auto const& in, auto const& what) {
                                         auto const to = detail::search_output<parameter::out>(
                                             call, in, what, out);
                                         detail::apart_from_counts(call, to, sorted, values);
                                         return detail::search_outputs_of(nothing_to_store{}, to);
                                       });
}

/// Finds, for each value, the items of a sorted array that are equal to it: [begins[i], ends[i]),
/// as lower_bound and upper_bound return them.
///
/// begins, ends  m integers each of one type, that can hold n, apart from one another and from
///               sorted and values, or computed outputs
/// Everything else is as for lower_bound.
template <class Context, class Sorted, class Values, class Begins, class Ends,
          class Less = sam::less>
requires(!detail::is_location<Less>) void equal_range(
    Context&& context, Sorted const& sorted, Values const& values, Begins&& begins, Ends&& ends,
    Less less = {}, std::source_location at = std::source_location::current()) {
  using namespace detail;
  if constexpr (stands_for_context<Context>)
    return sam::equal_range(*detail::lend_context(context), sorted, values,
                            std::forward<Begins>(begins), std::forward<Ends>(ends), less, at);
  else if constexpr (std::conjunction_v<
                         searches<parameter::begins, Context, Sorted, Values, Begins, Less>,
                         writes_items<parameter::ends, Context, Ends>,
                         have_one_item_type<Begins, Ends>>)
    detail::search<item_or_any_t<Begins>>(
        "sam::equal_range", context, sorted, values, less, at,
        [&](auto const& call, auto const& in, auto const& what) {
          auto const first = detail::search_output<parameter::begins>(call, in, what, begins);
          auto const last = detail::search_output<parameter::ends>(call, in, what, ends);
          detail::apart_from_counts(call, first, sorted, values);
          detail::apart_from_counts(call, last, sorted, values);
          call.apart(last, first);
          detail::expect_outputs_apart(call, last, first);
          return detail::search_outputs_of(first, last);
        });
}

}  // namespace sam::inline v0_1
