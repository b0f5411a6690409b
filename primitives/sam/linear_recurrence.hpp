// SPDX-License-Identifier: MIT
// Defines linear_recurrence, x_i = a_i x_{i-1} + b_i, and linear_filter, x_i = b_i + c_1 x_{i-1} +
// ... + c_q x_{i-q}.
#pragma once

#include <sam/detail/counted_input.hpp>
#include <sam/detail/recurrence/carried_recurrence.hpp>
#include <sam/detail/states/stream_recurrence.hpp>
#include <sam/scan_options.hpp>
#if __has_include(<sam/chosen_backend/filter.hpp>)
#include <sam/chosen_backend/filter.hpp>
#endif

#include <array>
#include <cstddef>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Checks a recurrence or filter at compile time.
template <class Context, class Out, class Parameter, class In>
using reads_terms = std::conjunction<reads_first_items<Parameter, Context, In>,
                                     converts_items<array_within_t<In>, item_or_any_t<Out>>>;
template <class Context, class A, class B, class Out>
using is_recurrence =
    std::conjunction<is_context<Context>, writes_items<parameter::out, Context, Out>,
                     holds_numbers<Out>, reads_terms<Context, Out, parameter::a, A>,
                     reads_terms<Context, Out, parameter::b, B>>;
template <class T, class Out>
struct has_coefficients_of {
  static constexpr bool value = std::is_same_v<T, item_or_any_t<Out>>;
  static_assert(value, "sam: the coefficients, and the outputs before the first, must be of out's "
                       "item type");
};
template <class Context, class In, class T, class Out>
using is_filter = std::conjunction<is_context<Context>, writes_items<parameter::out, Context, Out>,
                                   holds_numbers<Out>, reads_terms<Context, Out, parameter::in, In>,
                                   has_coefficients_of<T, Out>>;

/// The checked inputs and the output of a recurrence.
template <class Factors, class Terms, class To, class Number>
struct recurrence_arguments {
  using factors_type = job_input_t<Factors>;
  using terms_type = job_input_t<Terms>;
  using to_type = job_output_t<To>;
  Factors factors;
  Terms terms;
  To to;
  index_t taken;
  Number number;
};
template <class Context, class A, class B, class Out>
auto recurrence_arrays(checked_call<Context> const& call, A const& a, B const& b, Out& out) {
  auto const [factors, taken, number] = detail::first_items_of<parameter::a>(call, a);
  auto const terms = sam::detail::input_of<parameter::b>(call, b);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  if (terms.size == to.size)  // report the one of three sizes that differs
    call.same_size(factors, to);
  else if (factors.size == to.size)
    call.same_size(terms, to);
  else
    call.same_size(to, factors);
  sam::detail::in_place_or_apart(call, to, factors);
  sam::detail::in_place_or_apart(call, to, terms);
  detail::apart_from_count(call, a, to);
  return recurrence_arguments<
      std::remove_const_t<decltype(factors)>, std::remove_const_t<decltype(terms)>,
      std::remove_const_t<decltype(to)>, std::remove_const_t<decltype(number)>>{factors, terms, to,
                                                                                taken.size, number};
}

template <class Context, class A, class B, class Out, class Start>
void recurrence(Context& context, A const& a, B const& b, Out& out, Start const& start,
                std::source_location at) {
  checked_call const call(context, "sam::linear_recurrence", at);
  auto const all = sam::detail::recurrence_arrays(call, a, b, out);
  using types = std::remove_const_t<decltype(all)>;
  using job = recurrence_job<typename types::factors_type, typename types::terms_type,
                             typename types::to_type>;
  if (all.taken > 0)
    context.run(all.taken,
                detail::storing_first(job{{sam::detail::source_from(all.factors),
                                           sam::detail::source_from(all.terms)},
                                          all.to.data},
                                      all.number),
                sam::detail::inclusive_pass(compose_maps{}, start));
}

/// Starts a filter from zeros: there is no map or run before the first item.
struct behind_nothing {
  template <class T>
  from_nothing map() const {
    return {};
  }
  template <class Ring>
  from_nothing run(Ring const&) const {
    return {};
  }
};
/// Starts a filter after the outputs x_{-1} = before[0], x_{-2} = before[1], ...
template <class T, std::size_t Q>
struct behind_outputs {
  std::array<T, Q> before;

  template <class>
  auto map() const {
    return from_value<affine_map<T>>{{T(0), before[0]}};
  }
  auto run(filter_ring<T, int(Q)> const& ring) const {
    return from_value<filter_run<T, int(Q)>>{
        {ring.state_behind(before.data()), engine::monomial<T, int(Q)>(T(1), 0)}};
  }
};

/// The checked input and output of a filter: all items that there may be, those that the work
/// takes, and their number.
template <class All, class From, class To, class Number>
struct filter_arguments {
  All all;
  From from;
  To to;
  Number number;
};
template <class Context, class In, class Out>
auto filter_arrays(checked_call<Context> const& call, In const& in, Out& out) {
  auto const [all, from, number] = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(to, all);
  sam::detail::in_place_or_apart(call, to, all);
  detail::apart_from_count(call, in, to);
  return filter_arguments<std::remove_const_t<decltype(all)>, std::remove_const_t<decltype(from)>,
                          std::remove_const_t<decltype(to)>, std::remove_const_t<decltype(number)>>{
      all, from, to, number};
}

template <class Context, class In, class T, std::size_t Q, class Out, class Start>
void filter(Context& context, In const& in, std::array<T, Q> const& coefficients, Out& out,
            Start const& start, std::source_location at) {
  static_assert(Q >= 1, "sam::linear_filter: there must be at least 1 coefficient");
  checked_call const call(context, "sam::linear_filter", at);
  auto const [all, from, to, number] = sam::detail::filter_arrays(call, in, out);
  if (from.size == 0)
    return;
  filter_ring<T, int(Q)> const ring(coefficients);
  using filter_type = filter_job<job_input_t<std::remove_const_t<decltype(from)>>,
                                 job_output_t<std::remove_const_t<decltype(to)>>, int(Q)>;
  auto const job =
      detail::storing_first(filter_type{sam::detail::source_from(from), to.data, ring}, number);
  if constexpr (Q == 1)
    context.run(from.size, job,
                sam::detail::inclusive_pass(compose_maps{}, start.template map<T>()));
  else
    context.run(from.size, job,
                sam::detail::inclusive_pass(join_filter_runs<T, int(Q)>{ring}, start.run(ring)));
}

template <class Context, class A, class B, class Out, class Before, class After>
void recurrence_on(Context& context, A const& a, B const& b, Out& out, Before const& before,
                   After& after, std::source_location at) {
  using T = item_or_any_t<Out>;
  sam::detail::with_outputs(context, after, [&](auto& place) {
    checked_call const call(context, "sam::linear_recurrence", at);
    auto const all = sam::detail::recurrence_arrays(call, a, b, out);
    auto const start = sam::detail::outputs_before<1, T>(call, before, all.to);
    T* const end =
        sam::detail::outputs_after<1>(call, place, start, all.to, all.factors, all.terms);
    detail::apart_from_count(call, a, extent{end, 1, sizeof(T), "after"});
    using types = std::remove_const_t<decltype(all)>;
    using job = carried_recurrence_job<typename types::factors_type, typename types::terms_type,
                                       typename types::to_type,
                                       std::remove_const_t<decltype(start)>, decltype(all.number)>;
    if (all.taken > 0)
      context.run(all.taken,
                  job{{sam::detail::source_from(all.factors), sam::detail::source_from(all.terms)},
                      all.to.data,
                      start,
                      end,
                      all.number},
                  sam::detail::inclusive_pass(compose_maps{}, from_nothing{}));
    else
      sam::detail::copy_outputs(context, 1, start, end);
  });
}

template <class Context, class In, class T, std::size_t Q, class Out, class Before, class After>
void filter_on(Context& context, In const& in, std::array<T, Q> const& coefficients, Out& out,
               Before const& before, After& after, std::source_location at) {
  static_assert(Q >= 1, "sam::linear_filter: there must be at least 1 coefficient");
  constexpr int q = static_cast<int>(Q);
  sam::detail::with_outputs(context, after, [&](auto& place) {
    checked_call const call(context, "sam::linear_filter", at);
    auto const [all, from, to, number] = sam::detail::filter_arrays(call, in, out);
    auto const start = sam::detail::outputs_before<q, T>(call, before, to);
    T* const end = sam::detail::outputs_after<q>(call, place, start, to, all);
    detail::apart_from_count(call, in, extent{end, q, sizeof(T), "after"});
    if (from.size == 0)
      return sam::detail::copy_outputs(context, q, start, end);
    filter_ring<T, q> const ring(coefficients);
    carried_filter_job<job_input_t<std::remove_const_t<decltype(from)>>,
                       job_output_t<std::remove_const_t<decltype(to)>>, q,
                       std::remove_const_t<decltype(start)>,
                       std::remove_const_t<decltype(number)>> const job{
        sam::detail::source_from(from), to.data, ring, start, end, number};
    context.run(from.size, job,
                sam::detail::inclusive_pass(detail::join_runs_of(ring), from_nothing{}));
  });
}

template <class Context, class A, class B, class Out, class Before, class After>
void stream_recurrence(Context& context, A const& a, B const& b, Out& out, Before const& before,
                       After& after, std::source_location at) {
  sam::detail::with_place(context, after, [&](auto& place) {
    checked_call const call(context, "sam::linear_recurrence", at);
    auto const all = sam::detail::recurrence_arrays(call, a, b, out);
    using types = std::remove_const_t<decltype(all)>;
    using job = stream_recurrence_job<typename types::factors_type, typename types::terms_type,
                                      typename types::to_type, decltype(all.number)>;
    sam::detail::with_stream_states(
        call, before, place, all.to, a,
        [&](auto const& start, auto* end) {
          job const work{
              {sam::detail::source_from(all.factors), sam::detail::source_from(all.terms)},
              all.to.data,
              all.number};
          sam::detail::run_stream(context, all.taken, work, compose_maps{}, start, end);
        },
        all.factors, all.terms);
  });
  sam::detail::wait_for_variable(context, after);
}
template <class Context, class In, class T, std::size_t Q, class Out, class Before, class After>
void stream_filter(Context& context, In const& in, std::array<T, Q> const& coefficients, Out& out,
                   Before const& before, After& after, std::source_location at) {
  static_assert(Q >= 1, "sam::linear_filter: there must be at least 1 coefficient");
  constexpr int q = static_cast<int>(Q);
  sam::detail::with_place(context, after, [&](auto& place) {
    checked_call const call(context, "sam::linear_filter", at);
    auto const [all, from, to, number] = sam::detail::filter_arrays(call, in, out);
    filter_ring<T, q> const ring(coefficients);
    stream_filter_job<job_input_t<std::remove_const_t<decltype(from)>>,
                      job_output_t<std::remove_const_t<decltype(to)>>, q,
                      std::remove_const_t<decltype(number)>> const job{
        sam::detail::source_from(from), to.data, ring, number};
    index_t const taken = from.size;
    sam::detail::with_stream_states(
        call, before, place, to, in,
        [&](auto const& start, auto* end) {
          sam::detail::run_stream(context, taken, job, detail::join_runs_of(ring), start, end);
        },
        all);
  });
  sam::detail::wait_for_variable(context, after);
}

}  // namespace detail

/// Computes a linear recurrence of first order: out[i] = a[i] * out[i - 1] + b[i], where out[0] =
/// b[0] or, with an initial value, a[0] * init + b[0]. Integers are modulo 2^w. A new sequence
/// begins wherever a[i] is 0.
///
/// a, b, out    n items each, in memory that `context` reaches; items of a and b are converted to
///              out's item type, an integer or a floating-point type. out may be a or b; any other
///              overlap with them is an error. n may be 0. a may be sam::counted(items, number). a
///              and b may be computed inputs (<sam/inputs.hpp>), and out a computed output
///              (<sam/outputs.hpp>), whose arrays lie apart from all others
/// init         optional: the value before the first item
/// floats       the error of x_i is at most ((1 + u)^(2 (i + 1)) - 1) m_i, where u is half an
///              epsilon and m_i is the recurrence over |a| and |b|; a plain loop has the same
///              bound. Products of neighbouring a must not overflow, even where a plain loop would
///              multiply 0 by them. Nor may they underflow to 0 where x is infinite
/// traffic      n reads of an a and of a b, and n writes of an item
/// workspace    none per call, as for inclusive_scan
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, or out overlaps a or b without being
///                                     the same array; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Blelloch, "Prefix sums and their applications", 1990, section 1.4
template <class Context, class A, class B, class Out>
void linear_recurrence(Context&& context, A const& a, B const& b, Out&& out,
                       std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::linear_recurrence(*detail::lend_context(context), a, b, std::forward<Out>(out), at);
  else if constexpr (detail::is_recurrence<Context, A, B, Out>::value)
    detail::recurrence(context, a, b, out, engine::from_nothing{}, at);
}
template <class Context, class A, class B, class Out, class Init>
requires(!detail::is_location<Init>) void linear_recurrence(
    Context&& context, A const& a, B const& b, Out&& out, Init init,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::linear_recurrence(*detail::lend_context(context), a, b, std::forward<Out>(out),
                                  init, at);
  } else {
    using T = detail::item_or_any_t<Out>;
    if constexpr (detail::all_right<detail::is_recurrence<Context, A, B, Out>,
                                    detail::init_keeps_its_value<Init, T>>)
      detail::recurrence(context, a, b, out,
                         engine::from_value<affine_map<T>>{{T(0), static_cast<T>(init)}}, at);
  }
}

/// Continues a linear recurrence behind the output `before`, and leaves its last output in `after`,
/// so that arrays are computed one after another as one.
///
/// before       the output before the first item, of out's item type or converted to it: a
///              variable, which is copied by the call, or an array of one in memory that `context`
///              reaches. 0 begins a recurrence
/// after        a variable of out's item type, for which the call waits, or an array of one, apart
///              from all other arrays
/// floats       the items of each array are grouped from its begin, which may change the rounding;
///              a recurrence_stream_state avoids that
/// Everything else is as above.
template <class Context, class A, class B, class Out, class Before, class After>
requires(!detail::is_location<After> && !detail::holds_states<After>) void linear_recurrence(
    Context&& context, A const& a, B const& b, Out&& out, Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::linear_recurrence(*detail::lend_context(context), a, b, std::forward<Out>(out),
                                  before, std::forward<After>(after), at);
  } else {
    using T = detail::item_or_any_t<Out>;
    if constexpr (detail::all_right<detail::is_recurrence<Context, A, B, Out>,
                                    detail::reads_outputs<Context, T, Before>,
                                    detail::writes_outputs<Context, T, After>>)
      detail::recurrence_on(context, a, b, out, before, after, at);
  }
}

/// The state of the recurrence of a stream: maps from the output before some items to that behind
/// them. value().b is the last output. A default state begins a recurrence with 0, and
/// starting_from({T(0), x}) continues it behind an output x.
template <class T>
using recurrence_stream_state = stream_state<affine_map<T>, scan_policy<compose_maps>>;

/// Computes the recurrence of a stream, from one state to another. However the stream is cut into
/// arrays, its outputs have the same bits.
///
/// before       a recurrence_stream_state of out's item type: a variable, which is copied by the
///              call, or an array of one in memory that `context` reaches
/// after        a place for such a state: a variable, for which the call waits, or an array of one,
///              apart from all other arrays
/// traffic      2 n reads of an a and of a b, and n writes of an item
/// workspace    two items for each tile, which `context` keeps. A tile has 4,096 items of up to 4
///              bytes, else 256
/// Everything else is as above.
template <class Context, class A, class B, class Out, class Before, class After>
requires(detail::holds_states<After>) void linear_recurrence(
    Context&& context, A const& a, B const& b, Out&& out, Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::linear_recurrence(*detail::lend_context(context), a, b, std::forward<Out>(out),
                                  before, std::forward<After>(after), at);
  } else {
    using state = recurrence_stream_state<detail::item_or_any_t<Out>>;
    if constexpr (detail::all_right<detail::is_recurrence<Context, A, B, Out>,
                                    detail::are_stream_states<Context, Before, After, state>>)
      detail::stream_recurrence(context, a, b, out, before, after, at);
  }
}

/// Applies a recursive filter of order q, the number of coefficients: out[i] = in[i] +
/// coefficients[0] * out[i - 1] + ... + coefficients[q - 1] * out[i - q]. With {1} it is a sum, and
/// with {1, 1} it yields Fibonacci numbers.
///
/// in, out      n items each, as for linear_recurrence; out may be in, which may be
///              sam::counted(items, number). They may be computed
/// coefficients std::array of out's item type; q is known at compile time
/// before       optional: the outputs before the first item, x_{-1} = before[0], ..., x_{-q} =
///              before[q - 1]; without it these are 0
/// floats       the error of x_i is at most ((1 + u)^((3 q - 1)(i + 1)) - 1) m_i, where m_i is the
///              filter of |in| with |coefficients|. If the filter grows, its response to a single 1
///              must not overflow, even where a plain loop would multiply 0 by it. Nor may it
///              underflow to 0 where an item is infinite
/// cost         the aggregate of an item is 2 q numbers. Appending an item to a run takes 2 q
///              multiplications, appending a run 4 q q - 2 q. This is meant for q up to about 4; a
///              longer filter is better split into sections of order 2
/// traffic      n reads and n writes of one item
/// determinism, returns, throws, workspace  as for linear_recurrence
/// source       as for linear_recurrence, over the ring of polynomials of
/// docs/internals/cpu_scan.md
template <class Context, class In, class T, std::size_t Q, class Out>
void linear_filter(Context&& context, In const& in, std::array<T, Q> const& coefficients, Out&& out,
                   std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::linear_filter(*detail::lend_context(context), in, coefficients,
                              std::forward<Out>(out), at);
  else if constexpr (detail::is_filter<Context, In, T, Out>::value)
    detail::filter(context, in, coefficients, out, detail::behind_nothing{}, at);
}
template <class Context, class In, class T, std::size_t Q, class Out>
void linear_filter(Context&& context, In const& in, std::array<T, Q> const& coefficients, Out&& out,
                   std::array<T, Q> const& before,
                   std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::linear_filter(*detail::lend_context(context), in, coefficients,
                              std::forward<Out>(out), before, at);
  else if constexpr (detail::is_filter<Context, In, T, Out>::value)
    detail::filter(context, in, coefficients, out, detail::behind_outputs<T, Q>{before}, at);
}

/// Continues a filter behind the outputs `before`, and leaves its last ones in `after`, so that
/// arrays are filtered one after another as one.
///
/// before       a std::array as above, or an array of q items in memory that `context` reaches
/// after        receives x_{n-1}, ..., x_{n-q}: a std::array of q items, for which the call waits,
///              or an array of q items, apart from all other arrays
/// floats       the items of each array are grouped from its begin, which may change the rounding;
///              a filter_stream_state avoids that
/// Everything else is as above.
template <class Context, class In, class T, std::size_t Q, class Out, class Before, class After>
requires(!detail::is_location<After> && !detail::holds_states<After>) void linear_filter(
    Context&& context, In const& in, std::array<T, Q> const& coefficients, Out&& out,
    Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::linear_filter(*detail::lend_context(context), in, coefficients,
                              std::forward<Out>(out), before, std::forward<After>(after), at);
  else if constexpr (detail::all_right<detail::is_filter<Context, In, T, Out>,
                                       detail::reads_outputs<Context, T, Before>,
                                       detail::writes_outputs<Context, T, After>>)
    detail::filter_on(context, in, coefficients, out, before, after, at);
}

/// The state of the filter of a stream, of order Q. A default state begins a filter with zeros.
template <class T, int Q>
using filter_stream_state = stream_state<typename detail::filter_terms<T, Q>::accumulator,
                                         detail::filter_stream_policy<T, Q>>;

/// Returns the filter_stream_state behind the outputs x_{-1} = before[0], ..., x_{-q} = before[q -
/// 1].
template <class T, std::size_t Q>
filter_stream_state<T, static_cast<int>(Q)>
filter_stream_behind(std::array<T, Q> const& coefficients, std::array<T, Q> const& before) {
  using state = filter_stream_state<T, static_cast<int>(Q)>;
  if constexpr (Q == 1)
    return state::starting_from({T(0), before[0]});
  else
    return state::starting_from(
        {detail::filter_ring<T, static_cast<int>(Q)>(coefficients).state_behind(before.data()),
         engine::monomial<T, static_cast<int>(Q)>(T(1), 0)});
}

/// Filters a stream from one state to another. However the stream is cut into arrays, its outputs
/// have the same bits.
///
/// before       a filter_stream_state of out's item type and as many coefficients, as for the
///              recurrence of a stream
/// after        a place for such a state
/// traffic      2 n reads and n writes of one item
/// workspace    2 q items for each tile, which `context` keeps. A tile has 256 items, or 16 if q is
///              large
/// Everything else is as above.
template <class Context, class In, class T, std::size_t Q, class Out, class Before, class After>
requires(detail::holds_states<After>) void linear_filter(
    Context&& context, In const& in, std::array<T, Q> const& coefficients, Out&& out,
    Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::linear_filter(*detail::lend_context(context), in, coefficients,
                              std::forward<Out>(out), before, std::forward<After>(after), at);
  } else {
    using state = filter_stream_state<T, static_cast<int>(Q)>;
    if constexpr (detail::all_right<detail::is_filter<Context, In, T, Out>,
                                    detail::are_stream_states<Context, Before, After, state>>)
      detail::stream_filter(context, in, coefficients, out, before, after, at);
  }
}

}  // namespace sam::inline v0_1
