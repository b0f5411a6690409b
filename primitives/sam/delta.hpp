// SPDX-License-Identifier: MIT
// Defines delta_encode, which computes difference sequences, and delta_decode, its inverse.
#pragma once

#include <sam/detail/outputs/stored_results.hpp>
#include <sam/scan.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Stores each item minus the previous one of its component.
template <integer T>
struct difference_job {
  using item = T;
  using accumulator = T;
  T const* in;
  T* out;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION T load(index_t, T const* x) const { return *x; }
  SAM_FUNCTION T load(index_t i) const { return in[i]; }
  SAM_FUNCTION T to_accumulator(T x) const { return x; }
  SAM_FUNCTION T output(T x, T before) const {
    return static_cast<T>(static_cast<modular_t<T>>(x) - static_cast<modular_t<T>>(before));
  }
  SAM_FUNCTION void store(index_t i, T x, T before) const { out[i] = output(x, before); }
  SAM_FUNCTION T const* source() const { return in; }
  SAM_FUNCTION T* target() const { return out; }
};

/// Stores differences to an array apart from the items, so that items are independent. With
/// Neighbours, the tuple size is 1 and both arrays have the same alignment modulo 16 bytes; 16
/// bytes are then loaded at a time. One by one, items of less than 4 bytes are slower than by a
/// scan.
template <integer T, bool Neighbours>
struct apart_difference_job : difference_job<T> {
  using base = difference_job<T>;
  using base::in, base::out;
  static constexpr bool elementwise = true;
  static constexpr bool looks_back = true;
  index_t n, tuple_size;

  SAM_FUNCTION void store(index_t i, T, T) const { out[i] = base::output(in[i], before(i)); }
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION index_t capacity() const { return n; }
  SAM_FUNCTION void make(index_t begin, index_t count, T* to) const {
    index_t const alone = max_of(min_of(tuple_size - begin, count), 0);
    if (alone == 0)
      return make_inner(begin, count, to);
    if (count <= block)
      return make_any(begin, count, to);
    make_any(begin, alone, to);
    make_inner(begin + alone, count - alone, to + alone);
  }
  SAM_FUNCTION void make_aligned(index_t begin, T* to) const requires Neighbours {
    group const all = *reinterpret_cast<group const*>(in + begin);
    T last = before(begin);
    for (index_t k = 0; k < together; ++k) {
      to[k] = base::output(all.at[k], last);
      last = all.at[k];
    }
  }

 private:
  static constexpr index_t together = 16 / index_t{sizeof(T)};
  struct alignas(16) group {
    T at[std::size_t{together}];
  };
  static constexpr index_t block = 64;  // GPUs make fewer items at a time
  SAM_FUNCTION T before(index_t i) const { return i < tuple_size ? T(0) : in[i - tuple_size]; }
  /// Makes items that all have an item before them, in a loop that compilers vectorize.
  SAM_FUNCTION void make_inner(index_t begin, index_t count, T* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = base::output(in[begin + k], in[begin + k - tuple_size]);
  }
  SAM_FUNCTION void make_any(index_t begin, index_t count, T* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = base::output(in[begin + k], before(begin + k));
  }
};

template <class Out>
struct is_exact_difference {
  static constexpr bool value = integer<item_or_any_t<Out>>;
  static_assert(value,
                "sam: the items of in and out must be integers, whose differences are exact");
};
template <class Context, class In, class Out>
using is_delta =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     writes_items<parameter::out, Context, Out>, have_one_item_type<In, Out>,
                     is_exact_difference<Out>>;

/// Stores differences of one round from one state of the decoding scan to another. Items past their
/// number are loaded and ignored.
template <integer T, class Before, class State, class Count>
struct carried_difference_job {
  using item = T;
  using accumulator = T;
  static constexpr bool stores_each = true;
  T const* in;
  T* out;
  Before before;
  State* after;
  Count count;
  int round;  // of the scan: the last one is the first to be undone

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION T load(index_t, T const* x) const { return *x; }
  SAM_FUNCTION T load(index_t i) const { return in[i]; }
  SAM_FUNCTION index_t needed() const requires(!std::is_same_v<Count, known_count>) {
    return count();
  }
  SAM_FUNCTION T to_accumulator(T x) const { return x; }
  SAM_FUNCTION void store(index_t i, T x, T previous) const {
    constexpr index_t s = State::components;
    index_t const n = count();
    if (i < n) {
      T const y = i >= s ? previous : value_before(i);
      out[i] = static_cast<T>(static_cast<modular_t<T>>(x) - static_cast<modular_t<T>>(y));
      if (n - i <= s)
        after->values.at[round * s + i - n + s] = x;
    } else if (i == 0) {  // the device counts no items
      *after = *before;
    }
    if (i != n - 1)
      return;
    if constexpr (s > 1)
      for (index_t c = 0; c < s - n; ++c)  // components without an item
        after->values.at[round * s + c] = value_before(n + c);
    if (round == 0)
      after->items = (*before).items + n;
  }

 private:
  /// Returns the value before that of the k-th item of this round. It chooses among all values,
  /// since GPUs keep arrays that are indexed by a variable in memory.
  SAM_FUNCTION T value_before(index_t k) const {
    T value(0);
    int const at = round * State::components + static_cast<int>(k);
    if ((*before).has(k))
      for (int c = 0; c < State::order * State::components; ++c)
        if (c == at)
          value = (*before).values.at[c];
    return value;
  }
};

/// Encodes from one state of the decoding scan to another: undoes its rounds, the last one first.
template <class Context, class T, class Before, class State, class Count>
void run_carried_delta_encode(Context& context, index_t n, T const* from, T* to,
                              Before const& before, State* after, Count const& count) {
  if (n == 0)
    return detail::copy_state(context, before, after);
  auto const resolved = engine::resolve_policy<bound::exclusive>(
      scan_policy<rightmost, 1, State::components>{}, from_value<T>{T(0)});
  for (int round = State::order; round-- > 0; from = to)
    context.run(
        n, carried_difference_job<T, Before, State, Count>{from, to, before, after, count, round},
        resolved);
}

template <class A>
struct is_delta_state {
  using policy = typename std::remove_cvref_t<place_item_t<A>>::policy_type;
  static constexpr bool value =
      std::is_same_v<typename policy::op_type, plus> && policy::heading == direction::forward;
  static_assert(value, "sam: before and after must be states of a forward sum, such as "
                       "sam::delta_state<T, order, tuple_size>");
};
template <class Context, class In, class Out, class Before, class After>
using is_carried_delta = std::conjunction<
    is_delta<Context, In, Out>, is_delta_state<Before>,
    is_state_for<Before, item_or_any_t<Out>,
                 typename std::remove_cvref_t<place_item_t<Before>>::policy_type, bound::inclusive>,
    are_one_state<Before, After>, reads_state<Context, Before>, writes_state<Context, After>>;

/// Calls go(in, out) with the checked input and output, unless they hold no items.
template <class Context, class In, class Out, class Go>
void with_delta(checked_call<Context> const& call, In const& in, Out& out, index_t tuple_size,
                Go const& go) {
  auto const from = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(to, from.all);
  sam::detail::in_place_or_apart(call, to, from.all);
  detail::apart_from_count(call, in, to);
  call.at_least("tuple_size", tuple_size, 1);
  if (from.taken.size > 0)
    go(from, to);
}

/// Encodes items in memory, or the first of them, by their number.
template <int Order, class Context, class T, class Number>
void run_delta_encode(Context& context, T const* from, T* to, index_t n, index_t tuples,
                      Number const& number) {
  auto const policy = cut_to(n, tuples_of(tuples, rightmost{}));
  index_t const tuple_size = policy.components;
  auto const resolved = engine::resolve_policy<bound::exclusive>(policy, from_value<T>{T(0)});
  if constexpr (!std::is_same_v<Number, known_count>) {
    for (int round = 0; round < Order; ++round, from = to)
      context.run(n, detail::storing_first(difference_job<T>{from, to}, number), resolved);
    return;
  }
  auto const past = [](T const* x) { return reinterpret_cast<std::uintptr_t>(x) % 16; };
  if (tuple_size == 1 && from != to && past(from) == past(to))
    context.run(n, apart_difference_job<T, true>{{from, to}, n, 1}, resolved);
  else if (from != to && (tuple_size > 1 || sizeof(T) >= 4))
    context.run(n, apart_difference_job<T, false>{{from, to}, n, tuple_size}, resolved);
  else
    context.run(n, difference_job<T>{from, to}, resolved);
  for (int round = 1; round < Order; ++round)
    context.run(n, difference_job<T>{to, to}, resolved);
}

}  // namespace detail

/// Computes a difference sequence: out[i] = in[i] - in[i - tuple_size] modulo 2^w, where missing
/// items are 0; applied Order times. It is lossless: delta_decode with the same order and tuple
/// size is its inverse.
///
/// in, out      n integers each, of one type, in memory that `context` reaches. out may be in; any
///              other overlap is an error. in may be sam::counted(items, number). They may be a
///              computed input (<sam/inputs.hpp>), whose items are first stored, and a computed
///              output (<sam/outputs.hpp>), which takes its results at the end
/// traffic      n reads and n writes of one item, Order times. On a GPU, if out is apart from in
///              and a tuple does not fit into its cache, 2 n reads
/// workspace    none per call, as for inclusive_scan; memory for the items of a computed input, and
///              for the results of a computed output
/// determinism  differences are exact
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, out overlaps in, or tuple_size < 1; nothing
///                                     is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Maleki, Yang, Burtscher, PLDI 2016, section 1
template <int Order = 1, class Context, class In, class Out>
void delta_encode(Context&& context, In const& in, Out&& out, index_t tuple_size = 1,
                  std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::delta_encode<Order>(*detail::lend_context(context), in, std::forward<Out>(out),
                                    tuple_size, at);
  } else {
    static_assert(Order >= 1, "sam::delta_encode: order must be at least 1");
    if constexpr (detail::is_delta<Context, In, Out>::value) {
      detail::checked_call const call(context, "sam::delta_encode", at);
      detail::with_delta(call, in, out, tuple_size, [&](auto const& from, auto const& to) {
        auto const [items, results] =
            detail::in_memory(context, from, detail::results_in_memory(to));
        index_t const n = items.taken.size;
        detail::run_delta_encode<Order>(context, items.taken.data, results.data, n, tuple_size,
                                        items.number);
        detail::give_results(context, results, to, n, items.number);
      });
    }
  }
}

/// The state of a difference sequence between two items: that of the scan that decodes it, of the
/// same order and tuple size. A default state begins a sequence.
template <class T, int Order = 1, int TupleSize = 1>
using delta_state = scan_state<T, scan_policy<plus, Order, TupleSize>>;

/// Continues a difference sequence: encodes n more items from the state `before` them, and leaves
/// the state behind them in `after`. So arrays are encoded one after another as one. The order and
/// the tuple size are those of the states.
///
/// before       a delta_state of out's item type, as for inclusive_scan with states. Decoding ends
///              in the state that encoding ends in
/// after        a place for such a state, as for inclusive_scan
/// traffic      n reads and n writes of one item for each order
/// Everything else is as above.
template <class Context, class In, class Out, class Before, class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void delta_encode(
    Context&& context, In const& in, Out&& out, Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::delta_encode(*detail::lend_context(context), in, std::forward<Out>(out), before,
                             std::forward<After>(after), at);
  } else if constexpr (detail::is_carried_delta<Context, In, Out, Before, After>::value) {
    namespace parameter = detail::parameter;
    detail::with_place(context, after, [&](auto& place) {
      detail::checked_call const call(context, "sam::delta_encode", at);
      auto const from = detail::first_items_of<parameter::in>(call, in);
      auto const to = detail::output_of<parameter::out>(call, out);
      call.same_size(to, from.all);
      detail::in_place_or_apart(call, to, from.all);
      detail::apart_from_count(call, in, to);
      auto const start = detail::state_before(call, before, to);
      auto* const end = detail::state_after(call, place, from.all, to);
      detail::states_apart(call, start, end);
      detail::extent const state{end, 1, sizeof(*end), "after"};
      detail::apart_from_arrays(call, state, from.all);
      detail::apart_from_count(call, in, state);
      auto const [items, results] = detail::in_memory(context, from, detail::results_in_memory(to));
      index_t const n = items.taken.size;
      detail::run_carried_delta_encode(context, n, items.taken.data, results.data, start, end,
                                       items.number);
      detail::give_results(context, results, to, n, items.number);
    });
    detail::wait_for_variable(context, after);
  }
}

/// Computes the inverse of delta_encode: an inclusive sum of the same order and tuple size, in one
/// pass. Arguments and errors are those of delta_encode, traffic and workspace are those of
/// inclusive_scan.
template <int Order = 1, class Context, class In, class Out>
void delta_decode(Context&& context, In const& in, Out&& out, index_t tuple_size = 1,
                  std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::delta_decode<Order>(*detail::lend_context(context), in, std::forward<Out>(out),
                                    tuple_size, at);
  } else {
    static_assert(Order >= 1, "sam::delta_decode: order must be at least 1");
    if constexpr (detail::is_delta<Context, In, Out>::value) {
      auto const policy = sam::tuples_of<Order>(tuple_size, plus{});
      if constexpr (detail::is_counted<In>) {
        detail::call_checks("sam::delta_decode", at).at_least("tuple_size", tuple_size, 1);
        detail::counted_scan<engine::bound::inclusive>("sam::delta_decode", context, in, out,
                                                       std::identity{}, at, policy,
                                                       engine::from_nothing{});
      } else {
        detail::checked_call const call(context, "sam::delta_decode", at);
        detail::with_delta(call, in, out, tuple_size, [&](auto const& from, auto const& to) {
          detail::run_scan<engine::bound::inclusive>(context, from.taken, to, std::identity{},
                                                     policy, engine::from_nothing{});
        });
      }
    }
  }
}

/// Continues a difference sequence: decodes n more items from one delta_state to another. This is
/// the inverse of delta_encode with states, and inclusive_scan with them.
template <class Context, class In, class Out, class Before, class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void delta_decode(
    Context&& context, In const& in, Out&& out, Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::delta_decode(*detail::lend_context(context), in, std::forward<Out>(out), before,
                             std::forward<After>(after), at);
  } else if constexpr (detail::is_carried_delta<Context, In, Out, Before, After>::value) {
    using policy = typename std::remove_cvref_t<detail::place_item_t<Before>>::policy_type;
    detail::carried_scan<engine::bound::inclusive>("sam::delta_decode", context, in, out,
                                                   std::identity{}, at, policy{}, before, after);
  }
}

}  // namespace sam::inline v0_1
