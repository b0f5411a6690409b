// SPDX-License-Identifier: MIT
// Defines argmin, argmax, find_min, find_max and find_minmax: the extreme items of an array, and
// where they are.
#pragma once

#include <sam/arguments/input.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/inputs/copy_input.hpp>
#include <sam/detail/locate_job.hpp>
#include <sam/detail/selection/locate_keys_job.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

/// Stands for the order of a call without a comparison.
struct natural_order {};
template <class Less, bool Max>
using extreme_order = std::conditional_t<std::is_same_v<Less, natural_order>, natural_extreme<Max>,
                                         extreme_by<Less, Max>>;
template <bool Max, class Less>
extreme_order<Less, Max> extreme_order_of(Less const& less) {
  if constexpr (std::is_same_v<Less, natural_order>)
    return {};
  else
    return {less};
}

struct index_of_located {
  template <class T>
  SAM_FUNCTION index_t operator()(located<T> const& x) const {
    return x.index;
  }
};
/// Writes an item and its index.
template <class T>
struct put_located {
  indexed_value<T>* out;
  SAM_FUNCTION void operator()(located<T> const& y) const { *out = {y.value(), y.index}; }
};
template <class T>
struct put_both {
  minmax_values<T>* out;
  SAM_FUNCTION void operator()(located_pair<T> const& y) const {
    *out = {{y.min.value(), y.min.index}, {y.max.value(), y.max.index}};
  }
};

/// Checks an order of items of T: a comparison, or <.
template <class Context, class Less, class T>
struct orders_items : is_comparison<Context, Less, T> {};
template <class Context, class T>
struct orders_items<Context, natural_order, T> : is_comparison<Context, sam::less, T> {};

/// Checks searches of extreme items at compile time.
template <class Context, class In, class Less>
using finds_extremes =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     orders_items<Context, Less, item_or_any_t<In>>>;

/// Checks a place of a result type.
template <class Out, class T>
struct receives {
  static constexpr bool value = std::is_same_v<place_item_t<Out>, T>;
  static_assert(value, "sam: out must be a place for a sam::indexed_value<T> or, for find_minmax, "
                       "a sam::minmax_values<T>, T being in's item type");
};

/// True if Op is the order of numbers by <, and tells whether the largest is wanted, if only one
/// is.
template <class Op>
struct natural_order_of : std::false_type {};
template <bool Max>
struct natural_order_of<first_of_order<natural_extreme<Max>>> : std::true_type {
  static constexpr bool max = Max;
};
template <>
struct natural_order_of<first_of_both_orders<natural_extreme<false>, natural_extreme<true>>>
    : std::true_type {
  static constexpr bool max = false;
};

/// Names the accumulator of a search with Op among items of T.
template <class Op, class T>
struct extreme_accumulator {
  using type = located_pair<T>;
};
template <class Precedes, class T>
struct extreme_accumulator<first_of_order<Precedes>, T> {
  using type = located<T>;
};

inline void expect_some(call_checks const& call, extent const& in) {
  if (in.items == 0)
    call.refuse(in.name, "holds no items, of which one could be the smallest or the largest");
}
template <class Context, class Source, int Arrays, class Op, class Put>
void run_locate(checked_call<Context> const& call,
                computed_items<checked_input<Source, Arrays>> const& items, Op const& op,
                Put const& put) {
  auto const& from = items.taken;
  using accumulator = typename extreme_accumulator<Op, typename Source::item>::type;
  sam::detail::expect_some(call, items.all);
  if (from.size == 0)
    return put(op.template identity<accumulator>());
  call.context().run(
      from.size, locate_computed_job<Source, accumulator, Op, Put>{from.source, from.size, op, put},
      engine::resolve_policy<bound::inclusive>(scan_policy<Op>{op}, from_nothing{}));
}
/// A job that locates extreme items among the first ones, by their number. `op` is the operator.
template <class Job, class Op, class Number>
struct locate_first_job : Job {
  using item = typename Job::item;
  Op op;
  Number number;

  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return i < number() ? Job::load(i, p...) : sam::identity_of<item>(op);
  }
  template <class... P>
  SAM_FUNCTION item load_first(index_t i, P const&... p) const {
    return Job::load(i, p...);
  }
  SAM_FUNCTION index_t reduced() const { return number(); }
  void accumulate() const = delete;  // that of Job would take items past the number
};
/// Runs a job that locates extreme items, or one that does so among the first ones, by their
/// number.
template <class Context, class Job, class Op, class Number>
void run_locate_by(Context& context, Job const& job, Op const& op, Number const& number) {
  auto const policy = engine::resolve_policy<bound::inclusive>(scan_policy<Op>{op}, from_nothing{});
  if constexpr (std::is_same_v<Number, known_count>)
    context.run(job.n, job, policy);
  else
    context.run(job.n, locate_first_job<Job, Op, Number>{job, op, number}, policy);
}

/// Locates extreme items among the first ones. If their number, which lies in memory, is 0, there
/// is no item, at index -1.
template <class Context, class T, class Number, class Op, class Put>
void run_locate(checked_call<Context> const& call, first_items<T const, Number> const& among,
                Op const& op, Put const& put) {
  using accumulator = std::conditional_t < requires { op.precedes; }
  , located<T>, located_pair < T >> ;
  checked_array<T const> const from = among.taken;
  sam::detail::expect_some(call, among.all);
  if constexpr (std::is_same_v<Number, known_count>)
    if (from.size == 0)
      return put(op.template identity<accumulator>());
  if constexpr (engine::works_on_device<Context> && natural_order_of<Op>::value &&
                has_extreme_keys<T>) {
    using keys = locate_keys_job<T, accumulator, natural_order_of<Op>::max, Put>;
    if (from.size < keys::most)
      return sam::detail::run_locate_by(call.context(), keys{from.data, from.size, put},
                                        smallest_key{}, among.number);
  }
  sam::detail::run_locate_by(call.context(),
                             locate_job<T, accumulator, Op, Put>{from.data, from.size, op, put}, op,
                             among.number);
}

/// Stores the first items of a computed input, since each of them may be the extreme one only as
/// far as the number in memory says.
template <class Context, class Source, int Arrays, class Number, class Op, class Put>
requires(!std::is_same_v<Number, known_count>) void run_locate(
    checked_call<Context> const& call,
    computed_items<checked_input<Source, Arrays>, Number> const& items, Op const& op,
    Put const& put) {
  sam::detail::expect_some(call, items.all);
  auto const stored = sam::detail::in_memory(call.context(), items);
  sam::detail::run_locate(call, std::get<0>(stored), op, put);
}

template <bool Max, class Context, class In, class Out, class Less>
void find_index(char const* function, Context& context, In const& in, Out& out, Less const& less,
                std::source_location at) {
  using order = extreme_order<Less, Max>;
  if constexpr (!std::is_same_v<Less, natural_order>)
    sam::detail::expect_runs_on<Context, Less, item_or_any_t<In>, item_or_any_t<In>>();
  checked_call const call(context, function, at);
  auto const from = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template counts<parameter::out>(out, 1, from.all.size - 1, from.all);
  detail::apart_from_count(call, in, to);
  sam::detail::apart_from_arrays(call, to, from.all);
  sam::detail::run_locate(
      call, from, first_of_order<order>{sam::detail::extreme_order_of<Max>(less)},
      put_number<std::remove_pointer_t<decltype(to.data)>, index_of_located>{to.data, {}});
}
template <class Context, class In, class Out, class Op, class Put>
void find_values(char const* function, Context& context, In const& in, Out& out, Op const& op,
                 Put put, std::source_location at) {
  checked_call const call(context, function, at);
  auto const from = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template output<parameter::out>(out);
  call.size_is(to, 1, "the result");
  call.apart(to, from.all);
  detail::apart_from_count(call, in, to);
  sam::detail::apart_from_arrays(call, to, from.all);
  put.out = to.data;
  sam::detail::run_locate(call, from, op, put);
}

/// Finds the smallest or the largest item, or both, in the way that Kind says.
struct find_least {
  static constexpr char const* name = "sam::find_min";
  template <class T>
  using result = indexed_value<T>;
  template <class T>
  using put = put_located<T>;
  template <class Less>
  static auto op(Less const& less) {
    return first_of_order<extreme_order<Less, false>>{sam::detail::extreme_order_of<false>(less)};
  }
};
struct find_greatest {
  static constexpr char const* name = "sam::find_max";
  template <class T>
  using result = indexed_value<T>;
  template <class T>
  using put = put_located<T>;
  template <class Less>
  static auto op(Less const& less) {
    return first_of_order<extreme_order<Less, true>>{sam::detail::extreme_order_of<true>(less)};
  }
};
struct find_both {
  static constexpr char const* name = "sam::find_minmax";
  template <class T>
  using result = minmax_values<T>;
  template <class T>
  using put = put_both<T>;
  template <class Less>
  static auto op(Less const& less) {
    return first_of_both_orders<extreme_order<Less, false>, extreme_order<Less, true>>{
        {sam::detail::extreme_order_of<false>(less)}, {sam::detail::extreme_order_of<true>(less)}};
  }
};

template <class Kind, class Context, class In, class Out, class Less>
void find_to(Context& context, In const& in, Out& out, Less const& less, std::source_location at) {
  using T = item_or_any_t<In>;
  if constexpr (stands_for_context<Context>)
    sam::detail::find_to<Kind>(*sam::detail::lend_context(context), in, out, less, at);
  else if constexpr (std::conjunction_v<finds_extremes<Context, In, Less>,
                                        typename parameter::out::template is_place<Out&>,
                                        receives<Out, typename Kind::template result<T>>>) {
    if constexpr (!std::is_same_v<Less, natural_order>)
      sam::detail::expect_runs_on<Context, Less, T, T>();
    sam::detail::with_place(context, out, [&](auto& place) {
      sam::detail::find_values(Kind::name, context, in, place, Kind::op(less),
                               typename Kind::template put<T>{nullptr}, at);
    });
  }
}
template <class Kind, class Context, class In, class Less>
auto found(Context& context, In const& in, Less const& less, std::source_location at) {
  using T = item_or_any_t<In>;
  using result = typename Kind::template result<T>;
  if constexpr (stands_for_context<Context>) {
    return sam::detail::found<Kind>(*sam::detail::lend_context(context), in, less, at);
  } else if constexpr (finds_extremes<Context, In, Less>::value) {
    return engine::result_of<result>(context, [&](result* place) {
      std::span<result, 1> const out(place, 1);
      sam::detail::find_to<Kind>(context, in, out, less, at);
    });
  } else {
    return result{};  // a check failed to compile
  }
}

template <bool Max, class Context, class In, class Out, class Less>
void arg_to(Context& context, In const& in, Out& out, Less const& less, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::arg_to<Max>(*sam::detail::lend_context(context), in, out, less, at);
  else if constexpr (std::conjunction_v<finds_extremes<Context, In, Less>,
                                        counts_to<parameter::out, Context, Out&>>)
    sam::detail::with_place(context, out, [&](auto& place) {
      sam::detail::find_index<Max>(Max ? "sam::argmax" : "sam::argmin", context, in, place, less,
                                   at);
    });
}
template <bool Max, class Context, class In, class Less>
index_t arg_of(Context& context, In const& in, Less const& less, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::arg_of<Max>(*sam::detail::lend_context(context), in, less, at);
  else
    return sam::detail::count_of(
        context, [&](auto place) { sam::detail::arg_to<Max>(context, in, place, less, at); });
}

}  // namespace detail

/// Finds the index of the smallest item: the lowest one if there are several.
///
/// in           n items, at least 1, in memory that `context` reaches, or
///              sam::counted(items, number), or a computed input (<sam/inputs.hpp>). n may exceed
///              2^32. If a number in memory is 0, the index is -1
/// out          a variable or an array of one integer that can hold n - 1, apart from in. If a
///              device cannot reach a variable, the call waits. Without out, the call waits and
///              returns the index
/// less         optional: a strict weak order, bool less(a, b) const. Without it, items are
///              compared by <; then the first NaN is the extreme item, and zeros of either sign are
///              equal
/// traffic      n reads of an item
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if in holds no items, or out overlaps it, is not one item or
///                                     cannot hold n - 1; nothing is written
///              sam::device_error      if the back end cannot queue the work
/// source       as reduce, over items with their indices
template <class Context, class In, class Out>
requires(detail::is_place<Out>) void argmin(
    Context&& context, In const& in, Out&& out,
    std::source_location at = std::source_location::current()) {
  detail::arg_to<false>(context, in, out, detail::natural_order{}, at);
}
template <class Context, class In, class Out, class Less>
requires(detail::is_place<Out>) void argmin(
    Context&& context, In const& in, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  detail::arg_to<false>(context, in, out, less, at);
}
template <class Context, class In>
index_t argmin(Context&& context, In const& in,
               std::source_location at = std::source_location::current()) {
  return detail::arg_of<false>(context, in, detail::natural_order{}, at);
}
template <class Context, class In, class Less>
requires(!detail::is_place<Less>) index_t
    argmin(Context&& context, In const& in, Less&& less,
           std::source_location at = std::source_location::current()) {
  return detail::arg_of<false>(context, in, std::remove_cvref_t<Less>(less), at);
}

/// Finds the index of the largest item: the lowest one if there are several. Everything else is as
/// for argmin.
template <class Context, class In, class Out>
requires(detail::is_place<Out>) void argmax(
    Context&& context, In const& in, Out&& out,
    std::source_location at = std::source_location::current()) {
  detail::arg_to<true>(context, in, out, detail::natural_order{}, at);
}
template <class Context, class In, class Out, class Less>
requires(detail::is_place<Out>) void argmax(
    Context&& context, In const& in, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  detail::arg_to<true>(context, in, out, less, at);
}
template <class Context, class In>
index_t argmax(Context&& context, In const& in,
               std::source_location at = std::source_location::current()) {
  return detail::arg_of<true>(context, in, detail::natural_order{}, at);
}
template <class Context, class In, class Less>
requires(!detail::is_place<Less>) index_t
    argmax(Context&& context, In const& in, Less&& less,
           std::source_location at = std::source_location::current()) {
  return detail::arg_of<true>(context, in, std::remove_cvref_t<Less>(less), at);
}

/// Finds the smallest item and its index, as argmin does.
///
/// out          a variable or an array of one sam::indexed_value<T>, T being in's item type.
///              Without out, the call waits and returns it
/// Everything else is as for argmin.
template <class Context, class In, class Out>
requires(detail::is_place<Out>) void find_min(
    Context&& context, In const& in, Out&& out,
    std::source_location at = std::source_location::current()) {
  detail::find_to<detail::find_least>(context, in, out, detail::natural_order{}, at);
}
template <class Context, class In, class Out, class Less>
requires(detail::is_place<Out>) void find_min(
    Context&& context, In const& in, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  detail::find_to<detail::find_least>(context, in, out, less, at);
}
template <class Context, class In>
auto find_min(Context&& context, In const& in,
              std::source_location at = std::source_location::current()) {
  return detail::found<detail::find_least>(context, in, detail::natural_order{}, at);
}
template <class Context, class In, class Less>
requires(!detail::is_place<Less>) auto find_min(
    Context&& context, In const& in, Less&& less,
    std::source_location at = std::source_location::current()) {
  return detail::found<detail::find_least>(context, in, std::remove_cvref_t<Less>(less), at);
}

/// Finds the largest item and its index. Everything else is as for find_min.
template <class Context, class In, class Out>
requires(detail::is_place<Out>) void find_max(
    Context&& context, In const& in, Out&& out,
    std::source_location at = std::source_location::current()) {
  detail::find_to<detail::find_greatest>(context, in, out, detail::natural_order{}, at);
}
template <class Context, class In, class Out, class Less>
requires(detail::is_place<Out>) void find_max(
    Context&& context, In const& in, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  detail::find_to<detail::find_greatest>(context, in, out, less, at);
}
template <class Context, class In>
auto find_max(Context&& context, In const& in,
              std::source_location at = std::source_location::current()) {
  return detail::found<detail::find_greatest>(context, in, detail::natural_order{}, at);
}
template <class Context, class In, class Less>
requires(!detail::is_place<Less>) auto find_max(
    Context&& context, In const& in, Less&& less,
    std::source_location at = std::source_location::current()) {
  return detail::found<detail::find_greatest>(context, in, std::remove_cvref_t<Less>(less), at);
}

/// Finds the smallest and the largest item and their indices, each the lowest one, by one read of
/// the items.
///
/// out          a variable or an array of one sam::minmax_values<T>, T being in's item type.
///              Without out, the call waits and returns it
/// Everything else is as for argmin.
template <class Context, class In, class Out>
requires(detail::is_place<Out>) void find_minmax(
    Context&& context, In const& in, Out&& out,
    std::source_location at = std::source_location::current()) {
  detail::find_to<detail::find_both>(context, in, out, detail::natural_order{}, at);
}
template <class Context, class In, class Out, class Less>
requires(detail::is_place<Out>) void find_minmax(
    Context&& context, In const& in, Out&& out, Less less,
    std::source_location at = std::source_location::current()) {
  detail::find_to<detail::find_both>(context, in, out, less, at);
}
template <class Context, class In>
auto find_minmax(Context&& context, In const& in,
                 std::source_location at = std::source_location::current()) {
  return detail::found<detail::find_both>(context, in, detail::natural_order{}, at);
}
template <class Context, class In, class Less>
requires(!detail::is_place<Less>) auto find_minmax(
    Context&& context, In const& in, Less&& less,
    std::source_location at = std::source_location::current()) {
  return detail::found<detail::find_both>(context, in, std::remove_cvref_t<Less>(less), at);
}

}  // namespace sam::inline v0_1
