// SPDX-License-Identifier: MIT
// Defines the jobs of recurrences and filters that go on from outputs and leave their last ones,
// and the checks of these outputs.
#pragma once

#include <sam/arguments/call.hpp>
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
/// map has one value only.
template <class A, class B, class T, class Before>
struct carried_recurrence_job {
  struct item {
    T a, b;
  };
  using accumulator = affine_map<T>;
  A const* a;
  B const* b;
  T* out;
  Before before;
  T* after;
  index_t last;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(a, b); }
  SAM_FUNCTION item load(index_t i, A const* at_a, B const* at_b) const {
    item x{static_cast<T>(*at_a), static_cast<T>(*at_b)};
    if (i == 0) {
      accumulator const first = compose_maps{}(accumulator{T(0), *before.data()}, {x.a, x.b});
      x = {first.a, first.b};
    }
    return x;
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, a + i, b + i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return {x.a, x.b}; }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    out[i] = y.b;
    if (i == last)
      *after = y.b;
  }
};

/// A filter that begins behind outputs and stores its last ones in `after`.
template <class B, class T, int Q, class Before>
struct carried_filter_job {
  struct item {
    B b;
    bool is_first;
  };
  using terms = filter_terms<T, Q>;
  using accumulator = typename terms::accumulator;
  B const* in;
  T* out;
  filter_ring<T, Q> ring;
  Before before;
  T* after;
  index_t last;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION item load(index_t i, B const* b) const { return {*b, i == 0}; }
  SAM_FUNCTION item load(index_t i) const { return load(i, in + i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    accumulator const term = terms::term(ring, static_cast<T>(x.b));
    return x.is_first ? terms::behind(ring, before.data(), term) : term;
  }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    T const result = terms::state(y).at[Q - 1];
    out[i] = result;
    if (last - i < Q)
      after[last - i] = result;
    if (i == last)
      for (index_t k = last + 1; k < Q; ++k)
        after[k] = before.data()[k - last - 1];
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
template <int Q, class T, class Context, class A>
auto outputs_before(checked_call<Context> const& call, A const& before, extent const& out) {
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
    call.apart(out, memory);
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
template <int Q, class Context, class Place, class Before, class... Inputs>
auto outputs_after(checked_call<Context> const& call, Place& place, Before const& before,
                   extent const& out, Inputs const&... inputs) {
  auto const memory = call.template output<parameter::after>(place);
  call.size_is(memory, Q, Q == 1 ? "the last output" : "one for each coefficient");
  call.apart(memory, out);
  (call.apart(memory, inputs), ...);
  if constexpr (std::is_same_v<Before, outputs_at<item_of<Place>>>)
    call.apart(memory, extent{before.at, Q, sizeof(item_of<Place>), "before"});
  return memory.data;
}

}  // namespace sam::inline v0_1::detail
