// SPDX-License-Identifier: MIT
// Defines the jobs of linear recurrences and recursive filters.
//
// An item is the map x -> a x + b, and a scan of maps under composition yields every x_i. Source:
// Blelloch, "Prefix sums and their applications", 1990.
//
// A filter of order q is a recurrence over another ring, the polynomials modulo z^q - c_1 z^{q-1} -
// ... - c_q: X_i = z X_{i-1} + b_i z^{q-1}, and x_i is the last coefficient of X_i. There every a
// is z. So the aggregate of a run is a power of z and the state after the run from a zero state.
// Appending one item takes no product of polynomials. A filter of order 1 is the recurrence with
// one a.
#pragma once

#include <sam/algebra/affine_map.hpp>
#include <sam/algebra/filter_ring.hpp>
#include <sam/arguments/computed_source.hpp>
#include <sam/backend/job.hpp>

namespace sam::inline v0_1::detail {

/// The aggregate of a run of items: a state s before the run becomes power * s + `state`.
template <class T, int Q>
struct filter_run {
  polynomial<T, Q> state, power;
};

/// Appends the right run, often a single item, to the left one.
template <class T, int Q>
struct join_filter_runs {
  static_assert(Q > 1);
  filter_ring<T, Q> ring;

  SAM_FUNCTION constexpr filter_run<T, Q> operator()(filter_run<T, Q> const& first,
                                                     filter_run<T, Q> const& then) const {
    // Decided at compile time if the right run is an item.
    if (is_z(then.power))
      return {ring.add(ring.shifted(first.state), then.state), ring.shifted(first.power)};
    return {ring.add(ring.multiply(first.state, then.power), then.state),
            ring.multiply(first.power, then.power)};
  }

 private:
  SAM_FUNCTION static constexpr bool is_z(polynomial<T, Q> const& a) {
    for (int k = 0; k < Q; ++k)
      if (a.at[k] != T(k == 1))
        return false;
    return true;
  }
};

/// Returns the operator that joins the runs of a filter, which are maps for order 1.
template <class T, int Q>
auto join_runs_of(filter_ring<T, Q> const& ring) {
  if constexpr (Q == 1)
    return compose_maps{};
  else
    return join_filter_runs<T, Q>{ring};
}

/// Gives the items a_i and b_i of a recurrence. A and B, here and below, are the item types of
/// arrays, or sources; Out is the item type of an array, or a destination.
template <class A, class B>
struct recurrence_terms {
  struct item {
    typename source_of_t<A>::item a;
    typename source_of_t<B>::item b;
  };
  source_of_t<A> a;
  source_of_t<B> b;

  SAM_FUNCTION auto reads() const requires(source_of_t<A>::arrays + source_of_t<B>::arrays > 0) {
    return sam::detail::join_pointers(a.reads(), b.reads());
  }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    if constexpr (sizeof...(P) == 0) {
      return {a.at(i), b.at(i)};
    } else {
      auto const all = engine::make_pointers(p...);
      return {a.template read<0>(i, all), b.template read<source_of_t<A>::arrays>(i, all)};
    }
  }
};
/// Stores x_i of a recurrence.
template <class A, class B, class Out>
struct recurrence_job : recurrence_terms<A, B> {
  using T = result_of_t<Out>;
  using typename recurrence_terms<A, B>::item;
  using accumulator = affine_map<T>;
  static constexpr bool stores_each = !is_array_place<Out>;
  place_of_t<Out> out;

  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {static_cast<T>(x.a), static_cast<T>(x.b)};
  }
  SAM_FUNCTION T output(item const&, accumulator const& y) const { return y.b; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator const& y) const {
    engine::put_result(out, i, output(x, y));
  }
  SAM_FUNCTION T* target() const requires is_array_place<Out> { return out; }
};

/// Converts an item of a filter to its aggregate, and an aggregate to a state. For order 1 the
/// aggregate is a map.
template <class T, int Q>
struct filter_terms {
  using accumulator = filter_run<T, Q>;

  SAM_FUNCTION static accumulator term(filter_ring<T, Q> const&, T b) {
    return {engine::monomial<T, Q>(b, Q - 1), engine::monomial<T, Q>(T(1), 1)};
  }
  SAM_FUNCTION static polynomial<T, Q> state(accumulator const& y) { return y.state; }
  /// Returns the term of an item behind these outputs.
  SAM_FUNCTION static accumulator behind(filter_ring<T, Q> const& ring, T const* before,
                                         accumulator const& term) {
    return join_filter_runs<T, Q>{ring}(
        {ring.state_behind(before), engine::monomial<T, Q>(T(1), 0)}, term);
  }
};
template <class T>
struct filter_terms<T, 1> {
  using accumulator = affine_map<T>;

  SAM_FUNCTION static accumulator term(filter_ring<T, 1> const& ring, T b) {
    return {ring.c[0], b};
  }
  SAM_FUNCTION static polynomial<T, 1> state(accumulator const& y) { return {{y.b}}; }
  SAM_FUNCTION static accumulator behind(filter_ring<T, 1> const&, T const* before,
                                         accumulator const& term) {
    return compose_maps{}(accumulator{T(0), before[0]}, term);
  }
};

template <class B, class Out, int Q>
struct filter_job {
  using T = result_of_t<Out>;
  using item = typename source_of_t<B>::item;
  using terms = filter_terms<T, Q>;
  using accumulator = typename terms::accumulator;
  static constexpr bool stores_each = !is_array_place<Out>;
  source_of_t<B> in;
  place_of_t<Out> out;
  filter_ring<T, Q> ring;

  SAM_FUNCTION auto reads() const requires(source_of_t<B>::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    if constexpr (sizeof...(P) == 0)
      return in.at(i);
    else
      return in.template read<0>(i, engine::make_pointers(p...));
  }
  SAM_FUNCTION accumulator to_accumulator(item const& b) const {
    return terms::term(ring, static_cast<T>(b));
  }
  SAM_FUNCTION item const* source() const requires is_array_source<B> { return in.data; }
  SAM_FUNCTION polynomial<T, Q> state(accumulator const& y) const { return terms::state(y); }
  SAM_FUNCTION T output(item const&, accumulator const& y) const { return state(y).at[Q - 1]; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator const& y) const {
    engine::put_result(out, i, output(x, y));
  }
  SAM_FUNCTION T* target() const requires is_array_place<Out> { return out; }
};

template <class Op, class Start>
auto inclusive_pass(Op const& op, Start const& start) {
  return engine::resolve_policy<bound::inclusive>(scan_policy<Op>{op}, start);
}

}  // namespace sam::inline v0_1::detail
