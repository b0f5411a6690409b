// SPDX-License-Identifier: MIT
// Defines the jobs of scans that continue from a state or whose number of items lies in device
// memory.
//
// These scans need nothing of a back end. The state enters with the first item of each component:
// `load` combines the two. It leaves with the last item of each component: `store` writes it. So an
// order above 1 takes one round for each order.
#pragma once

#include <sam/detail/counted_input.hpp>
#include <sam/detail/scan_job.hpp>
#include <sam/scan_state.hpp>

namespace sam::inline v0_1::detail {

/// Stands for a state in scans that have none.
struct no_state {};
/// Holds a copy of a state, to be passed to a device by value.
template <class State>
struct held_state {
  State state;
  SAM_FUNCTION State const& operator*() const { return state; }
};

/// Returns the operator for items in the order in which a back end scans them.
template <class Policy>
constexpr auto operator_in_scan_order(Policy const& policy) {
  if constexpr (Policy::heading == direction::forward)
    return policy.op;
  else
    return engine::flip(policy.op);
}

/// A value that may be missing. It gives an identity to operators without one.
template <class T>
struct maybe {
  engine::uninitialized_array<T, 1> value;
  bool some;
};
template <class Op>
struct maybe_operator {
  Op op;
  template <class T>
  SAM_FUNCTION maybe<T> operator()(maybe<T> const& a, maybe<T> const& b) const {
    if (!a.some)
      return b;
    maybe<T> both = a;
    if (b.some)
      both.value.at[0] = op(a.value.at[0], b.value.at[0]);
    return both;
  }
};
template <class T>
SAM_FUNCTION T const& unwrapped(T const& x) {
  return x;
}
template <class T>
SAM_FUNCTION T const& unwrapped(maybe<T> const& x) {
  return x.value.at[0];
}

/// Scans items from a state. Back ends number the items in the scan's direction, so that a backward
/// scan begins with item n - 1 even where only the device knows n. Items past n are loaded, since
/// they exist in memory, and ignored.
///
/// Out          the item type of an array, or a destination of scan values
/// Accumulator  the type T in which items are combined, or maybe<T>. Results are converted from T
///              as they are stored
/// Op           the operator, flipped for a backward scan
/// Before       no_state, held_state<State> or State const*
/// After        no_state or State*
template <class In, class Out, class Accumulator, class Transform, class Op, class Before,
          class After, class Count, bound Bound, direction Direction>
struct carried_scan_job {
  using T = std::remove_cvref_t<decltype(detail::unwrapped(std::declval<Accumulator const&>()))>;
  using item = Accumulator;
  using accumulator = Accumulator;
  using stored = result_of_t<Out>;
  static constexpr bool has_before = !std::is_same_v<Before, no_state>;
  static constexpr bool has_after = !std::is_same_v<After, no_state>;
  static constexpr bool forward = Direction == direction::forward;
  static constexpr bool stores_each = true;
  source_of_t<In> in;
  place_of_t<Out> out;
  Transform transform;
  Op op;
  Before before;
  After after;
  Count count;
  int round;

  SAM_FUNCTION auto reads() const requires(forward&& source_of_t<In>::arrays > 0) {
    return in.reads();
  }
  template <class... P>
  SAM_FUNCTION item load(index_t p, P const&... x) const {
    if constexpr (sizeof...(P) == 0)
      return loaded(p, in.at(index_of(p, count())));
    else
      return loaded(p, in.template read<0>(p, engine::make_pointers(x...)));
  }
  SAM_FUNCTION index_t needed() const requires(!std::is_same_v<Count, known_count>) {
    return count();
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION void store(index_t p, item const& x, accumulator const& y) const {
    index_t const n = count();
    if (p < n)
      put(index_of(p, n), p, y);
    if constexpr (has_after)
      leave(p, x, y);
  }
  /// Writes the part of the state behind all items that item p determines.
  SAM_FUNCTION void leave(index_t p, item const& x, accumulator const& y) const {
    index_t const n = count();
    if (p < n)
      leave(p, n, x, y);
    else if (p == 0)  // the device counts no items
      *after = *before;
  }
  auto again() const requires(!has_before && is_array_place<Out>) {
    return carried_scan_job<stored, stored, Accumulator, std::identity, Op, Before, After, Count,
                            Bound, Direction>{{out}, out, {}, op, before, after, count, round};
  }

 private:
  static SAM_FUNCTION Accumulator wrapped(T const& y) {
    if constexpr (std::is_same_v<Accumulator, T>) {
      return y;
    } else {
      Accumulator some;
      some.value.at[0] = y;
      some.some = true;
      return some;
    }
  }
  // Returns what is scanned for item p, given the item of the input.
  SAM_FUNCTION item loaded(index_t p, typename source_of_t<In>::item const& x) const {
    uninitialized_array<T, 1> y;
    if constexpr (std::is_same_v<Transform, std::identity>)
      y.at[0] = static_cast<T>(x);
    else
      y.at[0] = static_cast<T>(transform(x));
    if constexpr (has_before) {
      using state = std::remove_cvref_t<decltype(*before)>;
      if (p < state::components && (*before).has(p))
        y.at[0] = op(value_before(p), y.at[0]);
    }
    return wrapped(y.at[0]);
  }
  static SAM_FUNCTION index_t index_of(index_t p, index_t n) {
    return forward || p >= n ? p : n - 1 - p;
  }

  // Returns the value of this round before item p, one of the first of its component. A single
  // value has a constant index, because clang copies arguments that are indexed to the thread's
  // memory.
  SAM_FUNCTION T const& value_before(index_t p) const {
    using state = std::remove_cvref_t<decltype(*before)>;
    if constexpr (state::order * state::components == 1)
      return (*before).values.at[0];
    else
      return (*before).values.at[round * state::components + p];
  }
  // Stores the result of an item. The first items of an exclusive scan receive the state itself.
  SAM_FUNCTION void put(index_t i, index_t p, accumulator const& y) const {
    if constexpr (has_before && Bound == bound::exclusive) {
      using state = std::remove_cvref_t<decltype(*before)>;
      if (p < state::components) {
        if ((*before).has(p))
          put_value(i, value_before(p));
        else if constexpr (has_identity<Op, T>)
          put_value(i, sam::empty_of<T>(op));
        return;
      }
    }
    put_value(i, detail::unwrapped(y));
  }
  SAM_FUNCTION void put_value(index_t i, T const& y) const {
    engine::put_result(out, i, static_cast<stored>(y));
  }

  SAM_FUNCTION void leave(index_t p, index_t n, item const& x, accumulator const& y) const {
    using state = std::remove_cvref_t<decltype(*before)>;
    constexpr index_t s = state::components;
    if (n - p > s)
      return;
    auto* const values = after->values.at + round * s;
    index_t const k = p - n + s;
    if constexpr (Bound == bound::inclusive)
      values[k] = detail::unwrapped(y);
    else if (p < s)
      values[k] = detail::unwrapped(x);
    else
      values[k] = op(detail::unwrapped(y), detail::unwrapped(x));
    if (p < n - 1)
      return;
    if constexpr (s > 1)
      for (index_t c = 0; c < s - n; ++c)  // components without an item
        if ((*before).has(n + c))
          values[c] = value_before(n + c);
    if (round == 0)
      after->items = (*before).items + n;
  }
};

/// Scans items from a state, and stores only the state behind them.
template <class Scan>
struct carried_reduce_job : Scan {
  static constexpr bool ends = std::is_same_v<decltype(Scan::count), known_count>;
  static constexpr bool stores_each = false;
  using whole = Scan;
  SAM_FUNCTION void store(index_t p, typename Scan::item const& x,
                          typename Scan::accumulator const& y) const {
    this->leave(p, x, y);
  }
  void again() const = delete;
};

/// Returns the transform of item i of a source, given the pointers that a job's load receives.
template <class T, class Source, class Transform, class... P>
SAM_FUNCTION T transformed_item(Source const& in, Transform const& transform, index_t i,
                                P const&... p) {
  auto const x = [&] {
    if constexpr (sizeof...(P) == 0)
      return in.at(i);
    else
      return in.template read<0>(i, engine::make_pointers(p...));
  }();
  if constexpr (std::is_same_v<Transform, std::identity>)
    return static_cast<T>(x);
  else
    return static_cast<T>(transform(x));
}

/// Reduces the first items of an array, whose number lies in the context's memory, by an operator
/// with an identity, which the items past them become. T is the type of the results, or an
/// accumulated_in.
template <class In, class T, class Transform, class Op, class Start, class Count>
struct counted_reduce_job {
  using item = typename types_of_scan<T>::accumulator;
  using accumulator = item;
  using stored = typename types_of_scan<T>::output;
  static constexpr bool ends = true;
  source_of_t<In> in;
  stored* out;
  Transform transform;
  Op op;
  Count count;
  index_t capacity;
  index_t components;

  SAM_FUNCTION auto reads() const requires(source_of_t<In>::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return i < count() ? load_first(i, p...) : sam::identity_of<item>(op);
  }
  template <class... P>
  SAM_FUNCTION item load_first(index_t i, P const&... p) const {
    return detail::transformed_item<item>(in, transform, i, p...);
  }
  SAM_FUNCTION index_t reduced() const { return count(); }
  SAM_FUNCTION accumulator to_accumulator(item x) const { return x; }
  SAM_FUNCTION void store(index_t i, item, accumulator y) const {
    if (capacity - i > components)
      return;
    index_t const c = i % components;
    if (std::is_same_v<Start, from_nothing> && c >= count())
      out[c] = static_cast<stored>(sam::empty_of<item>(op));
    else
      out[c] = static_cast<stored>(y);
  }
};
/// Reduces such items by an operator without an identity: scans all items, and stores only the scan
/// values that are results.
template <class In, class T, class Transform, class Count>
struct counted_last_row_job {
  using item = typename types_of_scan<T>::accumulator;
  using accumulator = item;
  using stored = typename types_of_scan<T>::output;
  source_of_t<In> in;
  stored* out;
  Transform transform;
  Count count;
  index_t components;

  SAM_FUNCTION auto reads() const requires(source_of_t<In>::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return detail::transformed_item<item>(in, transform, i, p...);
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION index_t needed() const { return count(); }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    index_t const n = count();
    if (i < n && n - i <= components)
      out[i % components] = static_cast<stored>(y);
  }
};

/// Copies a state, for a scan of no items.
template <class Before, class State>
struct copy_state_job {
  using item = std::uint32_t;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Before before;
  State* after;

  SAM_FUNCTION item load(index_t) const { return 0; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t, item, accumulator) const { *after = *before; }
};

template <class Context, class Before, class State>
void copy_state(Context& context, Before const& before, State* after) {
  context.run(
      1, copy_state_job<Before, State>{before, after},
      engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

}  // namespace sam::inline v0_1::detail
