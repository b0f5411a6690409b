// SPDX-License-Identifier: MIT
// Defines the bins of a histogram: even bins, bins between boundaries, or a function object.
#pragma once

#include <sam/arguments/call.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace sam::inline v0_1 {

namespace detail {

SAM_FUNCTION constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const low = 0xffffffff;
  std::uint64_t const middle = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
  std::uint64_t const other = (a & low) * (b >> 32) + (middle & low);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

/// Returns a < b for integers of any two types, as std::cmp_less does for those of up to 64 bits.
template <integer A, integer B>
constexpr bool is_less(A a, B b) {
  constexpr bool has_negative_a = A(-1) < A(0), has_negative_b = B(-1) < B(0);
  if constexpr (has_negative_a == has_negative_b)
    return a < b;
  else if constexpr (has_negative_a)
    return a < 0 || static_cast<modular_t<A>>(a) < b;
  else
    return b >= 0 && a < static_cast<modular_t<B>>(b);
}

/// Represents the integers in [from, to), up to 2^64 of them, as offsets from `lower` modulo 2^64.
/// Those at offsets `first` to `last` are values of T; there are none if first > last.
template <integer T>
struct integer_range {
  std::uint64_t lower, count;  // 0 for 2^64
  std::uint64_t first = 1, last = 0;

  template <integer B>
  integer_range(B from, B to)
      : lower(static_cast<std::uint64_t>(from)), count(static_cast<std::uint64_t>(to) - lower) {
    constexpr T least = lowest_of<T>, most = highest_of<T>;
    auto const greatest = static_cast<B>(to - 1);
    if (detail::is_less(greatest, least) || detail::is_less(most, from))
      return;
    first = detail::is_less(from, least) ? static_cast<std::uint64_t>(least) - lower : 0;
    last = static_cast<std::uint64_t>(detail::is_less(most, greatest) ? static_cast<B>(most)
                                                                      : greatest) -
           lower;
  }
  /// Returns true if all of them are values of T.
  bool is_in_type() const { return first == 0 && last == count - 1; }
};

/// Computes floor((x - lower) * number / range), for range = upper - lower and lower <= x < upper,
/// without a division. number / range is the integer `whole` plus rest / range, and `reciprocal` is
/// 2^64 * rest / range, rounded up. For a range of up to 2^32 the quotient is exact, since its
/// error is below 1 / range. For a longer range it may be 1 too large, which is corrected if
/// IsLong. For a range of 2^64 nothing is rounded.
template <integer T, bool IsLong>
struct even_integer_bins {
  static_assert(sizeof(T) <= 8, "sam: even bins are of integers of up to 64 bits");
  integer_range<T> range;
  std::uint64_t whole, rest, reciprocal;

  even_integer_bins(integer_range<T> const& of, index_t number)
      : range(of), whole(0), rest(static_cast<std::uint64_t>(number)), reciprocal(rest) {
    if (range.count == 0)
      return;
    whole = rest / range.count;
    rest %= range.count;
    reciprocal = 0;
    std::uint64_t left = rest;
    int bit = 0;
    if (range.count >> 32 == 0)  // two divisions, where 64 steps take 20 ns
      for (; bit < 64; bit += 32) {
        left <<= 32;
        reciprocal = reciprocal << 32 | left / range.count;
        left %= range.count;
      }
    for (; bit < 64; ++bit) {
      bool const carry = left >> 63 != 0;
      left <<= 1;
      reciprocal <<= 1;
      if (carry || left >= range.count) {
        left -= range.count;
        reciprocal |= 1;
      }
    }
    reciprocal += left != 0;
  }

  SAM_FUNCTION index_t bin_or(T x, index_t none) const { return bin_by<IsLong>(x, none); }
  SAM_FUNCTION index_t operator()(T x) const { return bin_or(x, -1); }

 protected:
  template <bool ByLong>
  SAM_FUNCTION index_t bin_by(T x, index_t none) const {
    std::uint64_t const past = static_cast<std::uint64_t>(x) - range.lower;
    std::uint64_t bin;
    if constexpr (ByLong) {
      bin = high_product(past, reciprocal);
      std::uint64_t const high = detail::high_product(bin, range.count),
                          high_true = high_product(past, rest);
      bin -= high > high_true || (high == high_true && bin * range.count > past * rest) ? 1 : 0;
    } else {
      std::uint64_t const low = past * (reciprocal & 0xffffffff);
      bin = (past * (reciprocal >> 32) + (low >> 32)) >> 32;
    }
    bool const inside = past >= range.first && past <= range.last;
    return inside ? static_cast<index_t>(bin + past * whole) : none;
  }
};

/// Computes the bin as even_integer_bins does, for a range of any length. It asks for the length
/// for each item, and so is one class where two would make twice as many kernels.
template <integer T>
struct any_even_integer_bins : even_integer_bins<T, true> {
  using even_integer_bins<T, true>::even_integer_bins;
  SAM_FUNCTION index_t bin_or(T x, index_t none) const {
    bool const is_short = this->range.count - 1 < std::uint64_t{1} << 32;
    return is_short ? this->template bin_by<false>(x, none) : this->template bin_by<true>(x, none);
  }
  SAM_FUNCTION index_t operator()(T x) const { return bin_or(x, -1); }
};

/// Computes the bin as even_integer_bins does, in 32 bits, for a range within T. For a range of up
/// to 2^16, 32 bits of the reciprocal are enough, since the quotient's error is then below 2^-16.
template <integer T>
struct narrow_integer_bins {
  static_assert(sizeof(T) <= 4);
  static constexpr bool is_short = sizeof(T) <= 2;
  std::uint32_t lower, last, whole, reciprocal_high, reciprocal_low;

  explicit narrow_integer_bins(even_integer_bins<T, false> const& bins)
      : lower(static_cast<std::uint32_t>(bins.range.lower)),
        last(static_cast<std::uint32_t>(bins.range.last)),
        whole(static_cast<std::uint32_t>(bins.whole)),
        reciprocal_high(static_cast<std::uint32_t>(bins.reciprocal >> 32)),
        reciprocal_low(static_cast<std::uint32_t>(bins.reciprocal)) {
    if (is_short)
      reciprocal_high += reciprocal_low != 0;
  }

  /// Returns true if this class can represent `number` bins over the range.
  static bool fit(integer_range<T> const& range, index_t number) {
    return range.is_in_type() && number < index_t{1} << 31;
  }

  SAM_FUNCTION index_t bin_or(T x, index_t none) const {
    std::uint32_t const past = static_cast<std::uint32_t>(x) - lower;
    std::uint64_t bin = std::uint64_t{past} * reciprocal_high;
    if constexpr (!is_short)
      bin += std::uint64_t{past} * reciprocal_low >> 32;
    return past <= last ? index_t{static_cast<std::uint32_t>(bin >> 32) + past * whole} : none;
  }
  SAM_FUNCTION index_t operator()(T x) const { return bin_or(x, -1); }
};

template <class T>
struct even_real_bins {
  T lower, upper, scale;
  index_t last;

  SAM_FUNCTION index_t bin_or(T x, index_t none) const {
    if (!(lower <= x && x < upper))  // nor a NaN
      return none;
    return min_of(static_cast<index_t>((x - lower) * scale), last);
  }
  SAM_FUNCTION index_t operator()(T x) const { return bin_or(x, -1); }
};

/// Computes bins of floats that are not of a built-in type, in float, which represents all of them.
template <class T>
struct even_narrow_real_bins {
  even_real_bins<float> bins;
  SAM_FUNCTION index_t bin_or(T const& x, index_t none) const {
    return bins.bin_or(static_cast<float>(x), none);
  }
  SAM_FUNCTION index_t operator()(T const& x) const { return bin_or(x, -1); }
};
/// The type in which bins of floats are computed.
template <class T>
using real_bins_type = std::conditional_t<std::is_floating_point_v<T>, T, float>;

/// Tells whether an item lies below all bins (-1), above them (1), or elsewhere (0).
template <class T>
struct side_of_limits {
  real_bins_type<T> lower, upper;
  SAM_FUNCTION int operator()(T const& x) const {
    auto const number = static_cast<real_bins_type<T>>(x);
    return number < lower ? -1 : number >= upper ? 1 : 0;
  }
};
template <integer T>
struct side_of_limits<T> {
  T first, last;
  bool all_below, all_above;

  /// Takes the limits [lower, upper) of integers of any type, which T may not hold.
  template <integer B>
  side_of_limits(B lower, B upper)
      : first(lowest_of<T>), last(highest_of<T>), all_below(detail::is_less(highest_of<T>, lower)),
        all_above(!detail::is_less(lowest_of<T>, upper)) {
    if (!all_below && detail::is_less(first, lower))
      first = static_cast<T>(lower);
    if (!all_above && detail::is_less(static_cast<B>(upper - 1), last))
      last = static_cast<T>(upper - 1);
  }
  SAM_FUNCTION int operator()(T x) const {
    return all_below || x < first ? -1 : all_above || last < x ? 1 : 0;
  }
};
template <class T>
struct side_of_boundaries {
  T const* boundaries;
  index_t last;
  SAM_FUNCTION int operator()(T const& x) const {
    if (x < boundaries[0])
      return -1;
    return !(x < boundaries[last]) && x == x ? 1 : 0;  // a NaN lies nowhere
  }
};

/// Gives the items below all bins a bin before them, and those above all a bin behind them.
template <class T, class Bins, class Side>
struct bins_and_outliers {
  Bins bins;
  Side side;
  index_t inside;  // number of bins
  SAM_FUNCTION index_t operator()(T const& x) const {
    int const beyond = side(x);
    if (beyond != 0)
      return beyond < 0 ? 0 : inside + 1;
    index_t const bin = bins(x);
    return bin < 0 || bin >= inside ? -1 : bin + 1;
  }
};

template <arithmetic N>
std::string text_of(N x) {
  if constexpr (!is_int128<N>) {
    return std::to_string(x);
  } else {
    std::string digits;
    for (N left = x; left != 0 || digits.empty(); left /= 10)
      digits.insert(0, 1, static_cast<char>('0' + (left < 0 ? -(left % 10) : left % 10)));
    return x < 0 ? "-" + digits : digits;
  }
}

/// Represents bins of one width. Every kind of bins is a class with these members:
///
/// are_right<Context, T>       checks at compile time that the bins fit items of T
/// check<T>(call, number, counts)  rejects bins that do not fit items of T or the number of counts
/// with_bins<T, IsOne>(number, use)  calls use(f), where f(x) returns the index of x's bin. If
///                             IsOne, f is always of one type
template <class T, class B>
struct are_even_bins_of {
  static constexpr bool are_numbers = arithmetic<T> || is_floating<T>;
  static constexpr bool value = are_numbers && (!integer<T> || integer<B>);
  static_assert(are_numbers, "sam: even_bins are of integers or of floats; for items of other "
                             "types, pass a function object that returns the index of a bin");
  static_assert(!are_numbers || value, "sam: the limits of even_bins of integers must be integers");
};
template <class B>
struct even_bins {
  B lower, upper;

  template <class Context, class T>
  using are_right = are_even_bins_of<T, B>;

  template <class T, class Context>
  void check(checked_call<Context> const& call, index_t number, extent const&) const {
    using real = real_bins_type<T>;
    bool wrong = !(lower < upper);
    if constexpr (!integer<T>)
      wrong = wrong || !std::isfinite(static_cast<real>(upper) - static_cast<real>(lower)) ||
              !(static_cast<real>(lower) < static_cast<real>(upper));
    auto const range = [&] {
      return "reach from " + sam::detail::text_of(lower) + " to " + sam::detail::text_of(upper);
    };
    if (wrong)
      call.refuse("bins", range(), "; that must be a range");
    if constexpr (integer<T> && is_int128<B>)
      if (static_cast<modular_t<B>>(upper) - static_cast<modular_t<B>>(lower) > modular_t<B>(1)
                                                                                    << 64)
        call.refuse("bins", range(), "; these are more than 2^64 integers");
    if constexpr (!integer<T>)
      if (!std::isfinite(static_cast<real>(number) /
                         (static_cast<real>(upper) - static_cast<real>(lower))))
        call.refuse("bins", "are narrower than numbers of in's type can say");
  }
  template <class T, bool IsOne = false, class Use>
  void with_bins(index_t number, Use use) const {
    if constexpr (integer<T>) {
      integer_range<T> const range(lower, upper);
      if constexpr (sizeof(T) == 1 || IsOne) {  // bytes: evaluated per value, not per item
        use(any_even_integer_bins<T>(range, number));
      } else if constexpr (sizeof(T) <= 4) {
        if (narrow_integer_bins<T>::fit(range, number))
          use(narrow_integer_bins<T>(even_integer_bins<T, false>(range, number)));
        else
          use(even_integer_bins<T, true>(range, number));
      } else if (range.count - 1 < std::uint64_t{1} << 32) {
        use(even_integer_bins<T, false>(range, number));
      } else {
        use(even_integer_bins<T, true>(range, number));
      }
    } else {
      using real = real_bins_type<T>;
      auto const from = static_cast<real>(lower), to = static_cast<real>(upper);
      even_real_bins<real> const bins{from, to, static_cast<real>(number) / (to - from),
                                      number - 1};
      if constexpr (std::is_same_v<T, real>)
        use(bins);
      else
        use(even_narrow_real_bins<T>{bins});
    }
  }
  template <class T>
  auto side(index_t) const {
    if constexpr (integer<T>)
      return side_of_limits<T>(lower, upper);
    else
      return side_of_limits<T>{static_cast<real_bins_type<T>>(lower),
                               static_cast<real_bins_type<T>>(upper)};
  }
};

/// Returns the number of boundaries that are not above an item, minus one, by binary search. It has
/// no branches, since half of them would be mispredicted.
template <class T>
struct bins_by_search {
  T const* boundaries;
  index_t count;

  SAM_FUNCTION index_t operator()(T const& x) const {
    T const* at = boundaries;
    for (index_t left = count; left > 1; left -= left / 2)
      at += left / 2 * index_t{!(x < at[left / 2 - 1])};
    return at - boundaries - index_t{x < *at};
  }
};

template <class Context, class T, class Boundaries>
struct are_boundaries_of {
  static constexpr bool are_items = std::is_same_v<item_of<Boundaries>, T>;
  static constexpr bool value =
      are_items && parameter::boundaries::is_reached<Context, Boundaries>::value;
  static_assert(are_items, "sam: boundaries must be of in's item type");
};
template <class Boundaries>
struct bins_between {
  Boundaries boundaries;

  template <class Context, class T>
  using are_right = are_boundaries_of<Context, T, Boundaries>;

  template <class T, class Context>
  void check(checked_call<Context> const& call, index_t number, extent const& counts) const {
    extent const all = call.template input<parameter::boundaries>(boundaries);
    call.size_is(all, number + 1, "one more than there are bins");
    call.apart(counts, all);
  }
  template <class T, bool IsOne = false, class Use>
  void with_bins(index_t number, Use use) const {
    use(bins_by_search<T>{sam::detail::raw_pointer(std::data(boundaries)), number + 1});
  }
  template <class T>
  side_of_boundaries<T> side(index_t number) const {
    return {sam::detail::raw_pointer(std::data(boundaries)), number};
  }
};

/// Adds a bin before all others, and one behind them.
template <class Bins>
struct with_outliers {
  Bins bins;

  template <class Context, class T>
  using are_right = typename Bins::template are_right<Context, T>;

  template <class T, class Context>
  void check(checked_call<Context> const& call, index_t number, extent const& counts) const {
    if (number < 3)
      call.refuse(counts.name, "has ", number,
                  " bins; with those of outliers, it must have at least 3");
    bins.template check<T>(call, number - 2, counts);
  }
  template <class T, bool IsOne = false, class Use>
  void with_bins(index_t number, Use use) const {
    index_t const inside = number - 2;
    auto const side = bins.template side<T>(inside);
    bins.template with_bins<T, IsOne>(inside, [&](auto const& bin_of) {
      use(bins_and_outliers<T, std::remove_cvref_t<decltype(bin_of)>,
                            std::remove_const_t<decltype(side)>>{bin_of, side, inside});
    });
  }
};

template <class B>
inline constexpr bool knows_bins = false;
template <class B>
inline constexpr bool knows_bins<even_bins<B>> = true;
template <class Boundaries>
inline constexpr bool knows_bins<bins_between<Boundaries>> = true;
template <class Bins>
inline constexpr bool knows_bins<with_outliers<Bins>> = true;

template <class Bins>
struct have_limits {
  static constexpr bool value = knows_bins<Bins>;
  static_assert(value, "sam: with_outliers takes even_bins(lower, upper) or "
                       "bins_between(boundaries); a function object may count outliers by itself");
};

/// Checks that a function object can serve as bins.
template <class Bins, class T>
struct makes_an_index {
  static constexpr bool value = callable_for<Bins, index_t, T const&>;
  static_assert(value, "sam: bins must be even_bins(lower, upper), bins_between(boundaries), or a "
                       "const function object that returns the index of an item's bin");
};
template <class Context, class Bins, class T>
struct are_bins : std::conjunction<makes_an_index<Bins, T>, runs_on<Context, Bins, T>> {};
template <class Context, class Bins, class T>
requires(knows_bins<Bins>) struct are_bins<Context, Bins, T>
    : Bins::template are_right<Context, T> {
};

template <class B>
struct are_limits {
  static constexpr bool value = arithmetic<B>;
  static_assert(value, "sam: the limits of even_bins must be numbers of one type");
};

}  // namespace detail

/// Returns bins of equal width over [lower, upper), as many as there are counts.
///
/// An integer x lies in bin floor((x - lower) * bins / (upper - lower)), computed exactly. The
/// limits are then integers of any type, at most 2^64 apart. For a floating-point x in [lower,
/// upper), x - lower is multiplied by bins / (upper - lower), with rounding in each step, in float
/// for items of 16 bits. The product is truncated to an integer, at most the index of the last bin.
/// A NaN lies in no bin.
template <class B>
auto even_bins(B lower, B upper) {
  static_assert(detail::are_limits<B>::value);
  return detail::even_bins<B>{lower, upper};
}

/// Returns bins between boundaries: bin b holds all x with boundaries[b] <= x < boundaries[b + 1].
///
/// boundaries   one more than there are bins, of in's item type, ascending, in memory that the
///              context reaches. Each item takes a binary search, so a few bins are fast; for items
///              of one byte, the search runs once per value. If boundaries do not ascend, the bins
///              in which items are counted are unspecified. The array must live until the call that
///              uses the bins has done its work; a temporary that owns its items does not compile
template <class Boundaries>
auto bins_between(Boundaries&& boundaries) {
  using of_array = detail::parameter::boundaries;
  if constexpr (detail::all_right<typename of_array::is_array<Boundaries>,
                                  typename of_array::has_items<Boundaries>,
                                  typename of_array::is_kept<Boundaries>>)
    return detail::bins_between<detail::borrowed_t<Boundaries>>{detail::borrow(boundaries)};
}

/// Returns the given bins with two more: bin 0 for the items below all of them, and the last one
/// for those above. A NaN still lies in no bin.
///
/// bins         even_bins(lower, upper) or bins_between(boundaries), which has two bins fewer than
///              there are counts
template <class Bins>
auto with_outliers(Bins const& bins) {
  static_assert(detail::have_limits<Bins>::value);
  return detail::with_outliers<Bins>{bins};
}

}  // namespace sam::inline v0_1
