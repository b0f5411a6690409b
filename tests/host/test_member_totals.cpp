// SPDX-License-Identifier: MIT
// Tests extremes of segments, also with their indices, which the host engine combines by vectors,
// at each place of a NaN, a zero of either sign and an infinity in segments of every length.
#include <sam/segmented_minmax.hpp>

#include "support.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace {

using sam::index_t;

/// True if both have the same bits, or both are NaN: the bits of a NaN are unspecified.
template <class T>
bool is_same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b;
  else
    return a == b;
}

template <class T>
std::vector<sam::min_and_max<T>> extremes_of(std::vector<T> const& items,
                                             std::vector<index_t> const& offsets) {
  std::vector<sam::min_and_max<T>> out;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    sam::min_and_max<T> both{sam::minimum::identity<T>(), sam::maximum::identity<T>()};
    for (index_t i = offsets[k]; i < offsets[k + 1]; ++i) {
      both.min = sam::minimum{}(both.min, items[std::size_t(i)]);
      both.max = sam::maximum{}(both.max, items[std::size_t(i)]);
    }
    out.push_back(both);
  }
  return out;
}

/// True if a located item is the one at an index, which is n for no item.
template <class T>
bool is_item(sam::indexed_value<T> const& got, std::vector<T> const& items, index_t wanted) {
  return got.index == wanted &&
         (wanted == index_t(items.size()) || is_same(got.value, items[std::size_t(wanted)]));
}
/// Returns the first item of a segment that no other one precedes, where a NaN precedes numbers.
template <class T, class Precedes>
index_t first_extreme(std::vector<T> const& items, index_t begin, index_t end, Precedes precedes) {
  auto const is_nan = [](T x) { return x != x; };
  index_t best = begin == end ? index_t(items.size()) : begin;
  for (index_t i = begin; i < end; ++i) {
    T const x = items[std::size_t(i)], y = items[std::size_t(best)];
    if (!is_nan(y) && (is_nan(x) || precedes(x, y)))
      best = i;
  }
  return best;
}

TEMPLATE_TEST_CASE("vectors of both extremes keep NaN, zeros and infinities", "[segmented]", float,
                   double, std::int8_t, std::int16_t, std::uint64_t) {
  using T = TestType;
  auto context = test::each_context();
  for (index_t const n : {1, 15, 64, 1023, 1025, 5000, 140'000})
    for (index_t const length : {1, 2, 7, 8, 9, 16, 33, 100, 1000, 3000}) {
      if (length > 2 * n)
        continue;
      auto const seed = test::seed_for(n + length);
      CAPTURE(n, length, seed);
      auto items = test::random_items<T>(n, seed);
      if constexpr (std::is_floating_point_v<T>) {
        constexpr T inf = std::numeric_limits<T>::infinity();
        T const special[] = {T(0.0), T(-0.0), inf, -inf, std::numeric_limits<T>::quiet_NaN()};
        test::generator random{seed};
        for (std::size_t i = 0; i < items.size(); ++i)
          if (i / 1000 % 3 == 0)  // mostly zeros of both signs
            items[i] = special[random() % 64 == 0 ? random() % 5 : random() % 2];
          else if (random() % 512 == 0)
            items[i] = special[random() % 5];
      }
      std::vector<index_t> offsets{0, 0};           // the first segment has no items
      for (index_t k = 0; offsets.back() < n; ++k)  // lengths differ by one
        offsets.push_back(std::min(n, offsets.back() + length + k % 2));
      auto const in = test::on_backend(items, 1);
      auto const ends = test::on_backend(offsets);
      auto const wanted = extremes_of(items, offsets);
      test::fenced_array<sam::min_and_max<T>> out(index_t(wanted.size()), 1);
      sam::segmented_minmax(context, in, sam::by_offsets(ends), out);
      context.wait();
      auto const got = out.to_host();
      bool all = true;
      for (std::size_t k = 0; k < wanted.size(); ++k)
        all &= is_same(got[k].min, wanted[k].min) && is_same(got[k].max, wanted[k].max);
      REQUIRE(all);
      REQUIRE(out.fences_intact());
      test::fenced_array<sam::minmax_values<T>> located(index_t(wanted.size()), 1);
      sam::segmented_find_minmax(context, in, sam::by_offsets(ends), located);
      context.wait();
      auto const found = located.to_host();
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        index_t const begin = offsets[k], end = offsets[k + 1];
        all &= is_item(found[k].min, items, first_extreme(items, begin, end, std::less<T>{}));
        all &= is_item(found[k].max, items, first_extreme(items, begin, end, std::greater<T>{}));
      }
      REQUIRE(all);
      REQUIRE(located.fences_intact());
    }
}

}  // namespace
