// SPDX-License-Identifier: MIT
// Defines the jobs of recurrences and filters that go on from outputs and leave their last ones,
// and the checks of these outputs.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/arguments/output.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/recurrence/recurrence_job.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

namespace sam::inline v0_1::detail {

/// Holds the outputs before the first item, the last one first.
template <class T, int Q>
struct outputs {
  T at[std::size_t{Q}];
  SAM_FUNCTION T const* data() const { return at; }
};
/// Refers to such outputs in the context's memory.
template <class T>
struct outputs_at {
  T const* at;
  SAM_FUNCTION T const* data() const { return at; }
};

/// A recurrence that begins behind an output and stores its last one in `after`. The first item's
/// map has one value only. Items past their number are loaded and ignored.
template <class A, class B, class Out, class Before, class Number>
struct carried_recurrence_job : recurrence_terms<A, B> {
  using T = result_of_t<Out>;
  struct item {
    T a, b;
  };
  using accumulator = affine_map<T>;
  static constexpr bool stores_each = true;
  place_of_t<Out> out;
  Before before;
  T* after;
  Number number;

  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    auto const terms = recurrence_terms<A, B>::load(i, p...);
    item x{static_cast<T>(terms.a), static_cast<T>(terms.b)};
    if (i == 0) {
      accumulator const first = compose_maps{}(accumulator{T(0), *before.data()}, {x.a, x.b});
      x = {first.a, first.b};
    }
    return x;
  }
  SAM_FUNCTION index_t needed() const requires(!std::is_same_v<Number, known_count>) {
    return number();
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return {x.a, x.b}; }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    index_t const n = number();
    if (i < n)
      engine::put_result(out, i, y.b);
    if (i == n - 1)
      *after = y.b;
    else if (i == 0 && n == 0)  // the device counts no items
      *after = *before.data();
  }
};

/// A filter that begins behind outputs and stores its last ones in `after`. Items past their number
/// are loaded and ignored.
template <class B, class Out, int Q, class Before, class Number>
struct carried_filter_job {
  using T = result_of_t<Out>;
  struct item {
    typename source_of_t<B>::item b;
    bool is_first;
  };
  using terms = filter_terms<T, Q>;
  using accumulator = typename terms::accumulator;
  static constexpr bool stores_each = true;
  source_of_t<B> in;
  place_of_t<Out> out;
  filter_ring<T, Q> ring;
  Before before;
  T* after;
  Number number;

  SAM_FUNCTION auto reads() const requires(source_of_t<B>::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    if constexpr (sizeof...(P) == 0)
      return {in.at(i), i == 0};
    else
      return {in.template read<0>(i, engine::make_pointers(p...)), i == 0};
  }
  SAM_FUNCTION index_t needed() const requires(!std::is_same_v<Number, known_count>) {
    return number();
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    accumulator const term = terms::term(ring, static_cast<T>(x.b));
    return x.is_first ? terms::behind(ring, before.data(), term) : term;
  }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    index_t const n = number();
    if (i < n) {
      T const result = terms::state(y).at[Q - 1];
      engine::put_result(out, i, result);
      if (n - 1 - i < Q)
        after[n - 1 - i] = result;
    }
    if (i == n - 1 || (i == 0 && n == 0))
      for (index_t k = n; k < Q; ++k)
        after[k] = before.data()[k - n];
  }
};

/// Stores outputs behind no items.
template <class T, class Before>
struct copy_outputs_job {
  using item = T;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Before before;
  T* after;

  SAM_FUNCTION T load(index_t k) const { return before.data()[k]; }
  SAM_FUNCTION accumulator to_accumulator(T const&) const { return 0; }
  SAM_FUNCTION void store(index_t k, T const& x, accumulator) const { after[k] = x; }
};
template <class Context, class T, class Before>
void copy_outputs(Context& context, index_t q, Before const& before, T* after) {
  context.run(q, copy_outputs_job<T, Before>{before, after},
              resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

template <class A>
inline constexpr bool is_std_array = false;
template <class T, std::size_t Q>
inline constexpr bool is_std_array<std::array<T, Q>> = true;

/// Checks outputs that are read: a value or a std::array, which the call copies, or an array in
/// reach.
template <class T, class A>
struct are_outputs {
  static constexpr bool value = std::is_same_v<std::remove_cv_t<place_item_t<A>>, T>;
  static_assert(value, "sam: the outputs before and after must be of out's item type");
};
template <class Context, class T, class A, bool IsArray = array<A> && !is_std_array<A>>
struct reads_outputs : are_outputs<T, A> {};
template <class Context, class T, class A>
struct reads_outputs<Context, T, A, true>
    : std::conjunction<reads_from<parameter::before, Context, A>, are_outputs<T, A>> {};
/// Checks a place for outputs.
template <class Context, class T, class A, bool IsArray = array<A>>
struct writes_outputs : std::conjunction<typename parameter::after::template is_place<A>,
                                         are_outputs<T, std::remove_reference_t<A>>> {};
template <class Context, class T, class A>
struct writes_outputs<Context, T, A, true>
    : std::conjunction<typename parameter::after::template is_writable<A>, are_outputs<T, A>> {};

/// Returns what a job holds of Q outputs before the first item.
template <int Q, class T, class Context, class A, class Out>
auto outputs_before(checked_call<Context> const& call, A const& before, Out const& out) {
  if constexpr (is_std_array<A>) {
    static_assert(std::tuple_size_v<A> == std::size_t{Q},
                  "sam: the outputs before must be as many as there are coefficients");
    outputs<T, Q> held;
    for (int k = 0; k < Q; ++k)
      held.at[k] = before[static_cast<std::size_t>(k)];
    return held;
  } else if constexpr (array<A>) {
    auto const memory = call.template input<parameter::before>(before);
    call.size_is(memory, Q, Q == 1 ? "the last output" : "one for each coefficient");
    sam::detail::expect_output_apart(call, out, memory);
    return outputs_at<T>{memory.data};
  } else {
    return outputs<T, 1>{{static_cast<T>(before)}};
  }
}

/// Calls use(place) with an array for the outputs behind the last item. A variable or a std::array
/// receives them once the work is done.
template <class Context, class After, class Use>
void with_outputs(Context& context, After& after, Use const& use) {
  if constexpr (is_std_array<After>) {
    using T = typename After::value_type;
    constexpr int q = static_cast<int>(std::tuple_size_v<After>);
    outputs<T, q> all;
    sam::detail::with_place(context, all, [&](auto& place) {
      std::span<T> const each(sam::detail::raw_pointer(std::data(place))->at, std::size_t{q});
      use(each);
    });
    context.wait();
    for (int k = 0; k < q; ++k)
      after[static_cast<std::size_t>(k)] = all.at[k];
  } else {
    sam::detail::with_place(context, after, use);
    if constexpr (!array<After>)
      context.wait();
  }
}

/// Checks the place of the outputs behind the last item, and returns it.
template <int Q, class Context, class Place, class Before, class Out, class... Inputs>
auto outputs_after(checked_call<Context> const& call, Place& place, Before const& before,
                   Out const& out, Inputs const&... inputs) {
  auto const memory = call.template output<parameter::after>(place);
  call.size_is(memory, Q, Q == 1 ? "the last output" : "one for each coefficient");
  call.apart(memory, out);
  sam::detail::expect_outputs_apart(call, memory, out);
  sam::detail::expect_output_apart(call, memory, inputs...);
  if constexpr (std::is_same_v<Before, outputs_at<item_of<Place>>>)
    call.apart(memory, extent{before.at, Q, sizeof(item_of<Place>), "before"});
  return memory.data;
}

}  // namespace sam::inline v0_1::detail
