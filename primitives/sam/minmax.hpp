// SPDX-License-Identifier: MIT
// Defines minmax, the smallest and the largest number of an array, and how calls reduce numbers to
// both.
#pragma once

#include <sam/extremes.hpp>
#include <sam/inputs.hpp>
#include <sam/outputs.hpp>

namespace sam::inline v0_1 {

/// The smallest and the largest of some numbers.
template <class T>
struct min_and_max {
  T min, max;
  friend constexpr bool operator==(min_and_max const&, min_and_max const&) = default;
};

namespace detail {

/// Holds the smallest and the largest of some numbers.
template <class T>
struct both_of {
  T min, max;
};
struct as_both {
  static constexpr bool runs_on_devices = true;
  template <class T>
  SAM_FUNCTION both_of<T> operator()(T const& x) const {
    return {x, x};
  }
};
/// Makes a result of both extremes: min_and_max<T>, or another struct of two members of T. All NaN
/// become the same one, since regrouping may change their bits.
template <class Result>
struct from_both {
  static constexpr bool runs_on_devices = true;
  template <class T>
  SAM_FUNCTION Result operator()(both_of<T> const& x) const {
    return {without_payload(x.min), without_payload(x.max)};
  }
  template <class T>
  static SAM_FUNCTION T without_payload(T x) {
    if constexpr (is_floating<T>)
      return detail::is_nan(x) ? detail::from_float<T>(not_a_number) : x;
    else
      return x;
  }
};
/// Maps floats to integers in the same order, on which CPUs combine vectors by one instruction. A
/// NaN comes before all numbers among smallest items, and behind all among largest ones.
template <binary_float T>
struct as_keys_of_both {
  using key = typename number_digits<T>::ordered_key;
  static constexpr key lowest = 0, highest = highest_of<key>;  // no number has these keys
  SAM_FUNCTION both_of<key> operator()(T const& x) const {
    key const number = number_digits<T>()(x);
    bool const is_nan = numeric_floats<T>::is_nan(x);
    return {is_nan ? lowest : number, is_nan ? highest : number};
  }
};
template <class Result, class T>
struct from_keys_of_both {
  using keys = as_keys_of_both<T>;
  using key = typename keys::key;
  SAM_FUNCTION Result operator()(both_of<key> const& x) const {
    return {x.min == keys::highest ? minimum::identity<T>() : number(x.min),
            x.max == keys::lowest ? maximum::identity<T>() : number(x.max)};
  }
  static SAM_FUNCTION T number(key x) {
    return x == keys::lowest || x == keys::highest ? detail::from_float<T>(not_a_number)
                                                   : number_digits<T>::key_of(x);
  }
};
template <bool ByKeys, class T>
struct key_or_number {
  using type = T;
};
template <binary_float T>
struct key_or_number<true, T> {
  using type = typename as_keys_of_both<T>::key;
};
template <bool ByKeys, class T>
using key_or_number_t = typename key_or_number<ByKeys, T>::type;
/// Combines the smallest numbers by minimum, and the largest ones by maximum.
struct choose_both {
  static constexpr bool commutative = true;
  // For back ends that combine vectors of each member:
  using first = minimum;
  using second = maximum;
  template <class Both>
  using member = decltype(Both::min);

  template <class T>
  SAM_FUNCTION both_of<T> operator()(both_of<T> const& a, both_of<T> const& b) const {
    return {minimum{}(a.min, b.min), maximum{}(a.max, b.max)};
  }
  template <class Both>
  SAM_FUNCTION static Both identity() {
    using T = decltype(Both::min);
    return {minimum::identity<T>(), maximum::identity<T>()};
  }
};
template <class Both, class T>
struct receives_both {
  static constexpr bool value =
      std::is_same_v<Both, min_and_max<T>> || std::is_same_v<Both, zipped_item<T, T>>;
  static_assert(value, "sam: out must hold sam::min_and_max<T>, or be sam::zipped_to(smallest, "
                       "largest), T being in's item type");
};
template <class T>
T first_member(min_and_max<T> const&);
template <class T>
T first_member(zipped_item<T, T> const&);
template <class T>
struct are_ordered_numbers {
  static constexpr bool value = ordered_number<T>;
  static_assert(value,
                "sam: the items must be numbers; sam::find_minmax and sam::segmented_find_minmax "
                "take others, with a comparison");
};
/// Says how numbers are reduced to both extremes: each is changed, and an output takes the total of
/// these. With ByKeys, floats are changed to keys. The parameters are those of an object that says
/// what is reduced (<sam/detail/segmented/reductions_of.hpp>).
template <bool ByKeys>
struct reduction_to_both {
  template <class T>
  static constexpr bool has_keys = ByKeys&& binary_float<T>;
  template <class In>
  using total = both_of<key_or_number_t<ByKeys, item_or_any_t<In>>>;

  template <class, class In>
  auto change(In const& in, index_t) const {
    using T = item_or_any_t<In>;
    if constexpr (has_keys<T>)
      return sam::transformed(in, as_keys_of_both<T>{});
    else
      return sam::transformed(in, as_both{});
  }
  template <class T, class Out>
  static auto to(Out& out, index_t) {
    using result = item_or_any_t<Out>;
    using number = decltype(detail::first_member(std::declval<result>()));
    if constexpr (has_keys<number>)
      return sam::transformed_to<T>(out, from_keys_of_both<result, number>{});
    else
      return sam::transformed_to<T>(out, from_both<result>{});
  }
};

/// Combines items [begin, end), a multiple of `Lanes`, in independent lanes, for which compilers
/// use vectors. If Quick, by one instruction for each extreme: a NaN makes the smallest a NaN
/// alone, and an extreme that is 0 may have the wrong sign.
template <bool Quick, index_t Lanes, class Source>
auto combine_lanes(Source const& in, index_t begin, index_t end) {
  using both = typename Source::item;
  using T = choose_both::member<both>;
  T least[std::size_t{Lanes}], most[std::size_t{Lanes}], last_nan[std::size_t{Lanes}];
  for (index_t l = 0; l < Lanes; ++l) {
    both const x = in.at(begin + l);
    least[l] = last_nan[l] = x.min;
    most[l] = x.max;
  }
  for (index_t i = begin + Lanes; i < end; i += Lanes)
    for (index_t l = 0; l < Lanes; ++l) {
      both const x = in.at(i + l);
      if constexpr (Quick) {
        least[l] = minimum::quick(least[l], x.min);
        most[l] = maximum::quick(most[l], x.max);
        last_nan[l] = x.min != x.min ? x.min : last_nan[l];
      } else {
        least[l] = minimum{}(least[l], x.min);
        most[l] = maximum{}(most[l], x.max);
      }
    }
  both all{least[0], most[0]};
  for (index_t l = 0; l < Lanes; ++l)  // without a NaN, last_nan is an item
    all = choose_both{}(all, both{minimum{}(least[l], last_nan[l]), most[l]});
  return all;
}

/// Reduces what a source makes of numbers to both extremes.
template <class Source, class Out>
struct minmax_job {
  using item = typename Source::item;
  using accumulator = item;
  using T = typename choose_both::member<item>;
  static constexpr bool ends = true;
  static constexpr index_t item_bytes = sizeof(T), block_items = items_of_block<T>;
  Source in;
  index_t n;
  Out out;

  SAM_FUNCTION auto reads() const requires(Source::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    if constexpr (sizeof...(P) == 0)
      return in.at(i);
    else
      return in.template read<0>(i, engine::make_pointers(p...));
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    if (i == n - 1)
      out.put(0, y);
  }
  void accumulate(accumulator& sum, index_t begin, index_t count) const {
    constexpr index_t lanes = 128 / index_t{sizeof(T)};
    index_t const end = begin + count, whole = begin + count / lanes * lanes;
    if (whole > begin) {
      constexpr bool quick = std::is_floating_point_v<T>;
      accumulator all = sam::detail::combine_lanes<quick, lanes>(in, begin, whole);
      if constexpr (quick) {
        if (detail::is_nan(all.min))
          all.max = all.min;
        else if (all.min == T{0} || all.max == T{0})
          all = sam::detail::combine_lanes<false, lanes>(in, begin, whole);
      }
      sum = choose_both{}(sum, all);
    }
    for (index_t i = whole; i < end; ++i)
      sum = choose_both{}(sum, in.at(i));
  }
  SAM_FUNCTION bool settles(accumulator const& sum) const {
    if constexpr (is_floating<T>)
      return detail::is_nan(sum.min);
    else
      return false;
  }
};

template <class Context, class In, class Out>
void run_minmax(Context& context, In const& in, Out const& out, std::source_location at) {
  checked_call const call(context, "sam::minmax", at);
  auto const from = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.size_is(to, 1, "the result");
  sam::detail::expect_apart_from_inputs(call, to, from.all);
  detail::apart_from_count(call, in, to);
  index_t const n = from.taken.size;
  using destination = std::remove_const_t<decltype(to.data)>;
  if (n == 0)
    return sam::detail::fill_output(context, to,
                                    choose_both::identity<typename destination::item>());
  auto const& source = from.taken.source;
  using job = minmax_job<std::remove_cvref_t<decltype(source)>, destination>;
  sam::detail::run_locate_by(context, job{source, n, to.data}, choose_both{}, from.number);
}

template <class Out>
using result_item_t =
    std::conditional_t<is_computed_place<Out>, item_or_any_t<Out>, place_item_t<Out>>;
/// Checks what receives one result: a variable, an array, or a computed output.
template <class Context, class Out>
struct receives_result : parameter::out::is_place<Out&> {};
template <class Context, class Out>
requires(array<Out> || is_computed_place<Out>) struct receives_result<Context, Out>
    : writes_items<parameter::out, Context, Out> {
};

/// Checks a call of minmax at compile time.
template <class Context, class In>
using reduces_to_both =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     are_ordered_numbers<item_or_any_t<In>>>;

template <class Context, class In, class Out>
void minmax_to(Context& context, In const& in, Out& out, std::source_location at) {
  if constexpr (stands_for_context<Context>) {
    sam::detail::minmax_to(*sam::detail::lend_context(context), in, out, at);
  } else if constexpr (std::conjunction_v<reduces_to_both<Context, In>,
                                          receives_result<Context, Out>,
                                          receives_both<result_item_t<Out>, item_or_any_t<In>>>) {
    auto const run = [&](auto& place) {
      using T = item_or_any_t<In>;
      // CPUs convert floats of 16 bits to combine them, but not keys.
      using both = reduction_to_both<!works_on_device<Context> && !std::is_floating_point_v<T>>;
      using total = typename both::template total<In>;
      auto const to = both::template to<total>(place, 1);
      sam::detail::with_changed(
          in, [](auto const& items) { return both{}.template change<total>(items, 0); },
          [&](auto const& changed) { sam::detail::run_minmax(context, changed, to, at); });
    };
    if constexpr (is_computed_place<Out>)
      run(out);
    else
      sam::detail::with_place(context, out, run);
  }
}
template <class Context, class In>
auto minmax_of(Context& context, In const& in, std::source_location at) {
  using result = min_and_max<item_or_any_t<In>>;
  if constexpr (stands_for_context<Context>) {
    return sam::detail::minmax_of(*sam::detail::lend_context(context), in, at);
  } else if constexpr (reduces_to_both<Context, In>::value) {
    return engine::result_of<result>(context, [&](result* place) {
      std::span<result, 1> const out(place, 1);
      sam::detail::minmax_to(context, in, out, at);
    });
  } else {
    return result{};  // a check failed to compile
  }
}

}  // namespace detail

/// Both extremes do not depend on the grouping, but for the bits of a NaN, which no result has.
template <class T>
inline constexpr bool is_exact<detail::both_of<T>> = true;

/// Finds the smallest and the largest number by one read of the items. find_minmax also tells where
/// they are, and takes items that are no numbers, with a comparison.
///
/// in           n numbers in memory that `context` reaches, or sam::counted(items, number), or a
///              computed input (<sam/inputs.hpp>). n may be 0, and may exceed 2^32
/// out          a variable or an array of one sam::min_and_max<T>, T being in's item type, or a
///              computed output of one, or sam::zipped_to(smallest, largest), apart from in. If a
///              device cannot reach a variable, the call waits. Without out, the call waits and
///              returns a sam::min_and_max<T>. If there are no items, the results are the
///              identities of sam::minimum and sam::maximum: the smallest then exceeds the largest
/// floats       as by sam::minimum and sam::maximum: -0.0 is smaller than 0.0, and if an item is a
///              NaN, so are both results, without a sign or a payload
/// traffic      n reads of an item
/// determinism  the same bits on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if out overlaps in, or is not one item; nothing is written
///              sam::device_error      if the back end cannot queue the work
/// source       as reduce, over pairs of extremes
template <class Context, class In, class Out>
requires(detail::is_place<Out> || detail::is_computed_place<Out>) void minmax(
    Context&& context, In const& in, Out&& out,
    std::source_location at = std::source_location::current()) {
  detail::minmax_to(context, in, out, at);
}
template <class Context, class In>
auto minmax(Context&& context, In const& in,
            std::source_location at = std::source_location::current()) {
  return detail::minmax_of(context, in, at);
}

}  // namespace sam::inline v0_1
