// SPDX-License-Identifier: MIT
// The ways to say which bin of a histogram an item lies in.
#pragma once

#include <sam/context.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace sam {

namespace detail {

SAM_FUNCTION constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const low = 0xffffffff;
  std::uint64_t const middle = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
  std::uint64_t const other = (a & low) * (b >> 32) + (middle & low);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

/// floor((x - lower) * number / (upper - lower)), for lower <= x < upper, without a division:
/// number / (upper - lower) is a whole number and `rest` / range, of which 2^64 times is rounded up
/// once. Of a range of up to 2^32 a quotient by that is right, since it is off by less than 1 /
/// range; of a longer one it may be 1 too large.
template <integer T, bool IsLong>
struct even_integer_bins {
  static_assert(sizeof(T) <= 8);
  index_t lower;
  std::uint64_t range, whole, rest, reciprocal;

  even_integer_bins(index_t from, std::uint64_t length, index_t number)
      : lower(from), range(length), whole(static_cast<std::uint64_t>(number) / range),
        rest(static_cast<std::uint64_t>(number) % range), reciprocal(0) {
    std::uint64_t left = rest;
    for (int bit = 0; bit < 64; ++bit) {
      bool const carry = left >> 63 != 0;
      left <<= 1;
      reciprocal <<= 1;
      if (carry || left >= range) {
        left -= range;
        reciprocal |= 1;
      }
    }
    reciprocal += left != 0;
  }

  SAM_FUNCTION index_t bin_or(T x, index_t none) const {
    auto const i = static_cast<index_t>(x);
    auto const past = static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(lower);
    bool inside = i >= lower && past < range;
    if constexpr (sizeof(T) == 8 && !std::is_signed_v<T>)
      inside = inside && i >= 0;
    std::uint64_t bin;
    if constexpr (IsLong) {
      bin = high_product(past, reciprocal);
      std::uint64_t const high = high_product(bin, range), high_true = high_product(past, rest);
      bin -= high > high_true || (high == high_true && bin * range > past * rest) ? 1 : 0;
    } else {
      std::uint64_t const low = past * (reciprocal & 0xffffffff);
      bin = (past * (reciprocal >> 32) + (low >> 32)) >> 32;
    }
    return inside ? static_cast<index_t>(bin + past * whole) : none;
  }
  SAM_FUNCTION index_t operator()(T x) const { return bin_or(x, -1); }
};

/// The same in 32 bits, for limits within T and, if that is the whole of T, one past it. A range of
/// up to 2^16 asks for 32 bits of the reciprocal, since a quotient then is off by less than 2^-16.
template <integer T>
struct narrow_integer_bins {
  static_assert(sizeof(T) <= 4);
  static constexpr bool is_short = sizeof(T) <= 2;
  std::uint32_t lower, last, whole, reciprocal_high, reciprocal_low;

  explicit narrow_integer_bins(even_integer_bins<T, false> const& bins)
      : lower(static_cast<std::uint32_t>(bins.lower)),
        last(static_cast<std::uint32_t>(bins.range - 1)),
        whole(static_cast<std::uint32_t>(bins.whole)),
        reciprocal_high(static_cast<std::uint32_t>(bins.reciprocal >> 32)),
        reciprocal_low(static_cast<std::uint32_t>(bins.reciprocal)) {
    if (is_short)
      reciprocal_high += reciprocal_low != 0;
  }

  /// Whether that can be had of so many bins.
  static bool fit(index_t from, std::uint64_t range, index_t number) {
    index_t const least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    return from >= least && from <= most && range - 1 <= static_cast<std::uint64_t>(most - from) &&
           number < index_t{1} << 31;
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

template <class B>
struct even_bins {
  B lower, upper;

  template <class T, class Context, class Counts>
  void expect(std::string_view function, std::string_view, Context const&, index_t number,
              Counts const&, std::source_location at) const {
    static_assert(arithmetic<T>, "sam: even bins are of numbers");
    static_assert(!integer<T> || integer<B>, "sam: the limits of bins of integers are integers");
    bool wrong = !(lower < upper);
    if constexpr (!integer<T>)
      wrong = wrong || !std::isfinite(static_cast<T>(upper) - static_cast<T>(lower)) ||
              !(static_cast<T>(lower) < static_cast<T>(upper));
    if (wrong)
      throw invalid_argument(function, "bins",
                             "reach from " + std::to_string(lower) + " to " +
                                 std::to_string(upper) + "; that must be a range",
                             at);
    if constexpr (!integer<T>)
      if (!std::isfinite(static_cast<T>(number) / (static_cast<T>(upper) - static_cast<T>(lower))))
        throw invalid_argument(function, "bins", "are narrower than numbers of in's type can say",
                               at);
  }
  template <class T, class Use>
  void with_bins(index_t number, Use use) const {
    if constexpr (integer<T>) {
      auto const from = static_cast<index_t>(lower);
      auto const range = static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower);
      if constexpr (sizeof(T) == 1) {
        use(even_integer_bins<T, true>(from, range, number));  // of a value, not of each item
      } else if constexpr (sizeof(T) <= 4) {
        if (narrow_integer_bins<T>::fit(from, range, number))
          use(narrow_integer_bins<T>(even_integer_bins<T, false>(from, range, number)));
        else
          use(even_integer_bins<T, true>(from, range, number));
      } else if (range <= std::uint64_t{1} << 32) {
        use(even_integer_bins<T, false>(from, range, number));
      } else {
        use(even_integer_bins<T, true>(from, range, number));
      }
    } else {
      auto const from = static_cast<T>(lower), to = static_cast<T>(upper);
      use(even_real_bins<T>{from, to, static_cast<T>(number) / (to - from), number - 1});
    }
  }
};

/// How many boundaries are not above an item, less one. Without branches, of which half would go
/// wrong.
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

template <class Boundaries>
struct bins_between {
  Boundaries const& boundaries;

  template <class T, class Context, class Counts>
  void expect(std::string_view function, std::string_view argument, Context const& context,
              index_t number, Counts const& counts, std::source_location at) const {
    static_assert(std::is_same_v<item_of<Boundaries>, T>,
                  "sam: boundaries must be of in's item type");
    static_assert(is_within_reach<Context, Boundaries>, "sam: the context cannot reach boundaries");
    expect_items(function, "boundaries", boundaries, at);
    if (size_of(boundaries) != number + 1)
      throw invalid_argument(function, "boundaries",
                             "holds " + std::to_string(size_of(boundaries)) +
                                 " items but must hold " + std::to_string(number + 1) +
                                 ", one more than there are bins",
                             at);
    expect_apart(function, argument, counts, "boundaries", boundaries, at);
    expect_reach(function, "boundaries", context, boundaries, at);
  }
  template <class T, class Use>
  void with_bins(index_t number, Use use) const {
    use(bins_by_search<T>{boundaries.data(), number + 1});
  }
};

template <class B>
inline constexpr bool knows_bins = false;
template <class B>
inline constexpr bool knows_bins<even_bins<B>> = true;
template <class Boundaries>
inline constexpr bool knows_bins<bins_between<Boundaries>> = true;

}  // namespace detail

/// Bins of one width, as many as there are counts, together from `lower` to before `upper`. An
/// integer x lies in bin floor((x - lower) * bins / (upper - lower)), exactly; limits of these are
/// integers below 2^63. Of a floating-point x, which lies in [lower, upper), x - lower is
/// multiplied by bins / (upper - lower), all rounded, and the result cut to an integer, that of the
/// last bin at most. A NaN lies in none.
template <arithmetic B>
auto even_bins(B lower, B upper) {
  return detail::even_bins<B>{lower, upper};
}

/// Bin b holds boundaries[b] <= x < boundaries[b + 1]: one more boundary than there are bins, of
/// in's item type, ascending, in memory that the context reaches. They are searched for each item,
/// so a few are fast, but of items of one byte once for each value. The array must live as long as
/// what this returns. In what bins items are counted is not said if boundaries do not ascend.
template <array Boundaries>
auto bins_between(Boundaries const& boundaries) {
  return detail::bins_between<Boundaries>{boundaries};
}

}  // namespace sam
