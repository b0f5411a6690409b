// SPDX-License-Identifier: MIT
// Defines adjacent_difference and adjacent_difference_right: any operation on neighbouring items.
#pragma once

#include <sam/arguments/output.hpp>
#include <sam/delta.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/detail/counted_input.hpp>

#include <array>
#include <bit>

namespace sam::inline v0_1 {

namespace detail {

/// Returns a - b. Integers are subtracted modulo 2^w.
struct subtract {
  static constexpr bool runs_on_devices = true;
  template <class T>
  requires requires(T const& a, T const& b) { a - b; }
  SAM_FUNCTION constexpr T operator()(T const& a, T const& b) const {
    if constexpr (integer<T>)
      return static_cast<T>(static_cast<modular_t<T>>(a) - static_cast<modular_t<T>>(b));
    else
      return a - b;
  }
};

/// Says whether an item's neighbour is the one before it or, if Right, the one behind it, and
/// computes results. The item at the end has no neighbour, and stays as it is.
template <class T, class Op, bool Right, class Number>
struct neighbour_operation {
  Op op;
  Number number;
  SAM_FUNCTION bool is_end(index_t i) const { return i == (Right ? number() - 1 : 0); }
  SAM_FUNCTION T of(index_t i, T const& x, T const& neighbour) const {
    return is_end(i) ? x : inner(x, neighbour);
  }
  SAM_FUNCTION T inner(T const& x, T const& neighbour) const {
    return static_cast<T>(op(x, neighbour));
  }
};

/// Works in place, as a scan that hands each item its neighbour.
template <class T, class Op, bool Right, class Number>
struct neighbours_job {
  using item = T;
  using accumulator = T;
  T const* in;
  T* out;
  neighbour_operation<T, Op, Right, Number> operation;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION T load(index_t, T const* x) const { return *x; }
  SAM_FUNCTION T load(index_t i) const { return in[i]; }
  SAM_FUNCTION T to_accumulator(T const& x) const { return x; }
  SAM_FUNCTION void store(index_t i, T const& x, T const& neighbour) const {
    out[i] = operation.of(i, x, neighbour);
  }
};

/// Stores to an output apart from the items, so that items are independent. In is the item type of
/// an array, or a source; Out is the item type of an array, or a destination.
template <class In, class Out, class Op, bool Right, class Number>
struct apart_neighbours_job {
  using T = result_of_t<Out>;
  using item = T;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  static constexpr bool looks_back = !Right;
  source_of_t<In> in;
  place_of_t<Out> out;
  neighbour_operation<T, Op, Right, Number> operation;

  SAM_FUNCTION T load(index_t i) const {
    return operation.of(i, in.at(i), in.at(operation.is_end(i) ? i : Right ? i + 1 : i - 1));
  }
  SAM_FUNCTION accumulator to_accumulator(T const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, T const& x, accumulator) const {
    engine::put_result(out, i, x);
  }
  SAM_FUNCTION T* front() const requires is_array_place<Out> { return out; }
  SAM_FUNCTION index_t capacity() const { return operation.number(); }
  SAM_FUNCTION void make(index_t begin, index_t count, T* to) const {
    index_t const end = begin + (Right ? count - 1 : 0), rest = count - 1;
    if (!operation.is_end(end))
      return make_inner(begin, count, to);
    if (count <= block)
      return make_any(begin, count, to);
    make_any(end, 1, to + (end - begin));
    make_inner(Right ? begin : begin + 1, rest, Right ? to : to + 1);
  }

 private:
  static constexpr index_t block = 64;  // GPUs make fewer items at a time
  /// Makes items that all have a neighbour, in a loop that compilers vectorize.
  SAM_FUNCTION void make_inner(index_t begin, index_t count, T* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = operation.inner(in.at(begin + k), in.at(begin + k + (Right ? 1 : -1)));
  }
  SAM_FUNCTION void make_any(index_t begin, index_t count, T* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = load(begin + k);
  }
};

template <class Context, class Op, class T>
struct is_neighbour_operation {
  static constexpr bool is_one = callable_for<Op, T, T const&, T const&>;
  static constexpr bool value =
      std::conjunction_v<std::bool_constant<is_one>, runs_on<Context, Op, T, T>>;
  static_assert(is_one, "sam: op must be a const function object on an item and its neighbour, "
                        "which returns an item: T op(x, neighbour) const");
};
template <class Context, class In, class Out, class Op>
using is_adjacent_difference =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     writes_items<parameter::out, Context, Out>, have_one_item_type<In, Out>,
                     is_neighbour_operation<Context, Op, item_or_any_t<In>>>;

/// Combines neighbours in place, by a scan that hands each item its neighbour.
template <bool Right, class Context, class T, class Op, class Number>
void in_place_differences(Context& context, index_t n, T* items,
                          neighbour_operation<T, Op, Right, Number> const& operation) {
  // Stands for the neighbour that the item at the end lacks.
  auto const anything = std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
  auto const policy =
      engine::resolve_policy<bound::exclusive>(scan_policy<rightmost>{}, from_value<T>{anything});
  auto const job = detail::storing_first(
      neighbours_job<T, Op, Right, Number>{items, items, operation}, operation.number);
  if constexpr (Right)
    context.run(n, reversed<std::remove_const_t<decltype(job)>>{job, n}, policy);
  else
    context.run(n, job, policy);
}

template <bool Right, class Context, class In, class Out, class Op>
void adjacent_difference(char const* function, Context& context, In const& in, Out& out,
                         Op const& op, std::source_location at) {
  using T = item_or_any_t<In>;
  if constexpr (stands_for_context<Context>) {
    sam::detail::adjacent_difference<Right>(function, *sam::detail::lend_context(context), in, out,
                                            op, at);
  } else if constexpr (is_adjacent_difference<Context, In, Out, Op>::value) {
    sam::detail::expect_runs_on<Context, Op, T, T>();
    checked_call const call(context, function, at);
    auto const [all, from, number] = detail::first_items_of<parameter::in>(call, in);
    auto const to = sam::detail::output_of<parameter::out>(call, out);
    call.same_size(to, all);
    sam::detail::in_place_or_apart(call, to, all);
    detail::apart_from_count(call, in, to);
    if (from.size == 0)
      return;
    using number_type = std::remove_const_t<decltype(number)>;
    neighbour_operation<T, Op, Right, number_type> const operation{op, number};
    using in_type = job_input_t<std::remove_const_t<decltype(from)>>;
    using out_type = job_output_t<std::remove_const_t<decltype(to)>>;
    apart_neighbours_job<in_type, out_type, Op, Right, number_type> const apart{
        sam::detail::source_from(from), to.data, operation};
    if constexpr (is_array_source<in_type> && is_array_place<out_type>)
      if (from.data == to.data)
        return detail::in_place_differences<Right>(context, from.size, to.data, operation);
    detail::run_first(context, from.size, apart, number);
  }
}

}  // namespace detail

/// Combines each item with the one before it: out[i] = op(in[i], in[i - 1]), and out[0] = in[0].
///
/// in, out      n items each of one trivially copyable type, in memory that `context` reaches; in
///              may be sam::counted(items, number). out may be in; any other overlap is an error.
///              They may be a computed input (<sam/inputs.hpp>) and a computed output
///              (<sam/outputs.hpp>), whose arrays lie apart from all others
/// op           a const function object, T op(x, before) const. Without it, x - before, where
///              integers are subtracted modulo 2^w
/// traffic      n reads and n writes of one item; items of a computed input are computed twice
/// workspace    none per call, as for inclusive_scan
/// determinism  the same bits on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ or out overlaps in; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       std::adjacent_difference; one map over the items, without a scan
template <class Context, class In, class Out, class Op = detail::subtract>
requires(!detail::is_location<Op>) void adjacent_difference(
    Context&& context, In const& in, Out&& out, Op op = {},
    std::source_location at = std::source_location::current()) {
  detail::adjacent_difference<false>("sam::adjacent_difference", context, in, out, op, at);
}

/// Combines each item with the one behind it: out[i] = op(in[i], in[i + 1]), and the last item
/// stays as it is. Everything else is as for adjacent_difference.
template <class Context, class In, class Out, class Op = detail::subtract>
requires(!detail::is_location<Op>) void adjacent_difference_right(
    Context&& context, In const& in, Out&& out, Op op = {},
    std::source_location at = std::source_location::current()) {
  detail::adjacent_difference<true>("sam::adjacent_difference_right", context, in, out, op, at);
}

}  // namespace sam::inline v0_1
