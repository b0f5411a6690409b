// SPDX-License-Identifier: MIT
// Defines inner_product: the sum of the products of two arrays' items.
#pragma once

#include <sam/arguments/computed_source.hpp>
#include <sam/arguments/input.hpp>
#include <sam/reduce.hpp>

namespace sam::inline v0_1 {

namespace detail {

/// Reduces the products of the items of two sources, or of the first of them, by their number.
template <source A, source B, class T, class Number>
struct inner_product_job {
  using item = T;
  using accumulator = T;
  static constexpr bool ends = true;
  A a;
  B b;
  T* out;
  index_t n;
  Number number;

  SAM_FUNCTION auto reads() const requires(A::arrays + B::arrays > 0) {
    return sam::detail::join_pointers(a.reads(), b.reads());
  }
  template <class... P>
  SAM_FUNCTION T load(index_t i, P const&... p) const {
    if constexpr (!std::is_same_v<Number, known_count>)
      if (i >= number())
        return sam::identity_of<T>(plus{});
    return load_first(i, p...);
  }
  SAM_FUNCTION index_t reduced() const requires(!std::is_same_v<Number, known_count>) {
    return number();
  }
  template <class... P>
  SAM_FUNCTION T load_first(index_t i, P const&... p) const {
    if constexpr (sizeof...(P) == 0) {
      return multiplies{}(static_cast<T>(a.at(i)), static_cast<T>(b.at(i)));
    } else {
      auto const all = engine::make_pointers(p...);
      return multiplies{}(static_cast<T>(a.template read<0>(i, all)),
                          static_cast<T>(b.template read<A::arrays>(i, all)));
    }
  }
  SAM_FUNCTION T to_accumulator(T const& x) const { return x; }
  SAM_FUNCTION void store(index_t i, T const&, T const& y) const {
    if (i != n - 1)
      return;
    if constexpr (std::is_same_v<Number, known_count>)
      *out = y;
    else
      *out = number() > 0 ? y : T(0);
  }
};

template <class A, class B>
struct product_type {
  using type = std::common_type_t<A, B>;
};
/// The type in which products of items of A and B are added: T, or their common type.
template <class T, class A, class B>
using product_t = typename std::conditional_t<std::is_same_v<T, type_of_items>,
                                              product_type<item_or_any_t<A>, item_or_any_t<B>>,
                                              std::type_identity<T>>::type;

template <class Context, class A, class B, class T>
using is_inner_product =
    std::conjunction<is_context<Context>, reads_first_items<parameter::a, Context, A>,
                     reads_items<parameter::b, Context, B>, holds_numbers<std::span<T>>,
                     converts_items<array_within_t<A>, T>, converts_items<B, T>>;

template <class Context, class A, class B, class Out>
void inner_product(Context& context, A const& a, B const& b, Out& out, std::source_location at) {
  using T = item_of<Out>;
  checked_call const call(context, "sam::inner_product", at);
  auto const [first, taken, number] = detail::first_items_of<parameter::a>(call, a);
  auto const second = sam::detail::input_of<parameter::b>(call, b);
  auto const to = call.template output<parameter::out>(out);
  call.same_size(second, first);
  call.size_is(to, 1, "the result");
  call.apart(to, first);
  call.apart(to, second);
  sam::detail::apart_from_arrays(call, to, first);
  sam::detail::apart_from_arrays(call, to, second);
  detail::apart_from_count(call, a, to);
  if (taken.size == 0)
    return sam::detail::fill(context, 1, to.data, T(0));
  auto const from_a = sam::detail::source_from(taken);
  auto const from_b = sam::detail::source_from(second);
  using job = inner_product_job<std::remove_const_t<decltype(from_a)>,
                                std::remove_const_t<decltype(from_b)>, T,
                                std::remove_const_t<decltype(number)>>;
  context.run(taken.size, job{from_a, from_b, to.data, taken.size, number},
              engine::resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
}

}  // namespace detail

/// Computes the sum of a[i] * b[i].
///
/// a, b         n items each, in memory that `context` reaches, that convert to out's item type.
///              Either may be a computed input (<sam/inputs.hpp>), and a may be
///              sam::counted(items, number). n may be 0, and may exceed 2^32
/// out          a variable or an array of one number, apart from a and b. Integers are added and
///              multiplied modulo 2^w. If a device cannot reach a variable, the call waits
/// traffic      n reads of an item of each
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, or out overlaps a or b or is not one item;
///                                     nothing is written
///              sam::device_error      if the back end cannot queue the work
/// source       as transform_reduce
template <class Context, class A, class B, class Out>
requires(detail::is_place<Out>) void inner_product(
    Context&& context, A const& a, B const& b, Out&& out,
    std::source_location at = std::source_location::current()) {
  using T = detail::place_item_t<Out>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::inner_product(*detail::lend_context(context), a, b, std::forward<Out>(out), at);
  else if constexpr (std::conjunction_v<detail::is_inner_product<Context, A, B, T>,
                                        detail::reduces_to<Context, Out>>)
    detail::with_place(context, out,
                       [&](auto& place) { detail::inner_product(context, a, b, place, at); });
}

/// Returns the sum of a[i] * b[i], after waiting for it. T is by default the common type of a's and
/// b's items.
template <class T = detail::type_of_items, class Context, class A, class B>
auto inner_product(Context&& context, A const& a, B const& b,
                   std::source_location at = std::source_location::current()) {
  using sum = detail::product_t<T, A, B>;
  if constexpr (detail::stands_for_context<Context>)
    return sam::inner_product<T>(*detail::lend_context(context), a, b, at);
  else if constexpr (detail::is_inner_product<Context, A, B, sum>::value)
    return engine::result_of<sum>(context, [&](sum* place) {
      std::span<sum, 1> const out(place, 1);
      detail::inner_product(context, a, b, out, at);
    });
  else
    return sum{};  // a check failed to compile
}

}  // namespace sam::inline v0_1
