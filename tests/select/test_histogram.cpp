// SPDX-License-Identifier: MIT
// Tests histograms against a plain loop: kinds of bins, types of items and counts, numbers of bins,
// distributions of items, sizes.
#include <sam/histogram.hpp>
#include <sam/weighted_histogram.hpp>

#include "support.hpp"

#include <limits>

namespace {

using sam::index_t;

constexpr index_t sizes[] = {0, 1, 5, 63, 64, 65, 1000, 40'000, 300'007};
constexpr index_t numbers[] = {1, 2, 100, 256, 1000, 5000, 70'001};

/// Checks a histogram by `bins` against a plain loop with the function `bin`.
template <class Count, class T, class Bins, class Bin>
void check(test::engine_context& context, std::vector<T> const& items, index_t number,
           Bins const& bins, Bin bin) {
  CAPTURE(items.size(), number, sizeof(T));
  auto const wanted = sam::reference::histogram<Count>(items, number, bin);
  auto const in = test::on_backend(items, 1);
  test::fenced_array<Count> counts(number, 1);
  sam::histogram(context, in, counts, bins);
  context.wait();
  REQUIRE(test::differences(counts.to_host(), wanted) == "");
  REQUIRE(counts.fences_intact());
  test::also_on_threads(context, [&](auto& crowd) {
    std::vector<Count> ours(wanted.size(), Count(7));
    sam::histogram(crowd, items, ours, bins);
    REQUIRE(test::differences(ours, wanted) == "");
  });
}

using wide = sam::detail::int128;

/// Returns floor((x - lower) * number / (upper - lower)).
index_t exact_bin(wide x, wide lower, wide upper, index_t number) {
  if (x < lower || x >= upper)
    return -1;
  using unsigned_wide = sam::detail::uint128;
  return static_cast<index_t>(static_cast<unsigned_wide>(x - lower) *
                              static_cast<unsigned_wide>(number) /
                              static_cast<unsigned_wide>(upper - lower));
}

TEMPLATE_TEST_CASE("bins of integers are exact", "[histogram]", std::int64_t, std::uint64_t,
                   std::int32_t, std::uint8_t) {
  constexpr wide least = sam::engine::lowest_of<TestType>, most = sam::engine::highest_of<TestType>;
  auto const seed = test::seed_for(0);
  CAPTURE(seed);
  test::generator bits{seed};
  auto const random = [&](unsigned most_bits) {
    return static_cast<wide>(bits() >> (64 - 1 - bits() % most_bits));
  };
  for (int k = 0; k < 2000; ++k) {
    wide const near[] = {0, least, most, wide{1} << 63, -(wide{1} << 63), wide{1} << 64};
    wide const lower = near[bits() % 6] + random(62) - random(62);
    auto number = static_cast<index_t>(1 + random(k % 2 == 0 ? 31 : 63));
    wide upper = lower + 1 + random(k % 2 == 0 ? 32 : 64);
    if (k % 5 == 0)
      upper = lower + 1 + (number % 1000) * random(20);  // all bins have the same width
    if (k % 7 == 0)
      upper = lower + (wide{1} << 64) - (k % 2 == 0 ? 0 : random(10));
    if (upper <= lower)
      upper = lower + 1;
    wide const range = upper - lower;
    sam::detail::integer_range<TestType> const of(lower, upper);
    sam::detail::even_integer_bins<TestType, false> const brief(of, number);
    sam::detail::even_integer_bins<TestType, true> const any(of, number);
    auto const agree = [&](wide x) {
      if (x < least || x > most)
        return;
      CAPTURE(sam::detail::text_of(lower), sam::detail::text_of(upper), number,
              sam::detail::text_of(x));
      index_t const bin = any(static_cast<TestType>(x));
      REQUIRE(bin == exact_bin(x, lower, upper, number));
      if (range <= wide{1} << 32)
        REQUIRE(brief(static_cast<TestType>(x)) == bin);
    };
    for (int i = 0; i < 30; ++i) {
      agree(static_cast<wide>(static_cast<TestType>(bits())));
      auto past = static_cast<wide>(bits()) % range;
      if (i > 10 && number < index_t{1} << 62) {  // at the begin of a bin, or just before
        auto const b = static_cast<wide>(bits() % static_cast<std::uint64_t>(number));
        past = (b * range + number - 1) / number;
        past = past - (i % 2 == 0 && past > 0 ? 1 : 0);
      }
      agree(lower + past);
    }
    for (wide const x : {lower - 1, lower, upper - 1, upper, least, most})
      agree(x);
  }
}

TEMPLATE_TEST_CASE("bins in 32 bits are exact", "[histogram]", std::int8_t, std::uint16_t,
                   std::int32_t, std::uint32_t) {
  using narrow = sam::detail::narrow_integer_bins<TestType>;
  using of = sam::detail::integer_range<TestType>;
  constexpr index_t least = sam::engine::lowest_of<TestType>,
                    most = sam::engine::highest_of<TestType>;
  auto const seed = test::seed_for(0);
  CAPTURE(seed);
  test::generator bits{seed};
  for (int k = 0; k < 2000; ++k) {
    auto const random = [&](index_t upto) {
      return static_cast<index_t>(bits() % static_cast<std::uint64_t>(upto + 1));
    };
    index_t const lower = k % 3 == 0 ? least : least + random(most - least);
    index_t const upper = k % 5 == 0 ? most + 1 : lower + 1 + random(most - lower);
    index_t const range = upper - lower;
    index_t number = 1 + random((index_t{1} << bits() % 31) - 1);
    if (k % 7 == 0 && range < index_t{1} << 16)
      number = range * (1 + random(1000));
    CAPTURE(lower, upper, number);
    of const limits(lower, upper);
    REQUIRE(narrow::fit(limits, number));
    sam::detail::even_integer_bins<TestType, false> const even(limits, number);
    narrow const bins(even);
    auto const agree = [&](index_t x) {
      if (x < least || x > most)
        return;
      index_t const bin = exact_bin(x, lower, upper, number);
      REQUIRE(bins(static_cast<TestType>(x)) == bin);
      REQUIRE(bins.bin_or(static_cast<TestType>(x), number) == (bin < 0 ? number : bin));
    };
    for (index_t const x : {least, lower - 1, lower, upper - 1, upper, most})
      agree(x);
    for (int i = 0; i < 10; ++i) {
      agree(lower + random(upper - 1 - lower));
      index_t const begin = lower + random(number) * (upper - lower) / number;  // of a bin
      for (index_t const x : {begin - 1, begin, begin + 1})
        agree(x);
    }
  }
  REQUIRE_FALSE(narrow::fit(of(least - 1, least + 1), 1));
  REQUIRE_FALSE(narrow::fit(of(most, most + 2), 1));
  REQUIRE_FALSE(narrow::fit(of(least, least + 1), index_t{1} << 31));
}

TEST_CASE("even bins of integers count as a plain loop does", "[histogram]") {
  auto context = test::each_context();
  for (index_t const n : sizes)
    for (index_t const number : numbers) {
      auto const seed = test::seed_for(n);
      CAPTURE(seed);
      auto const items = test::random_items<std::int32_t>(n, seed);
      check<std::uint32_t>(
          context, items, number, sam::even_bins(-2'000'000'000, 1'500'000'000),
          [&](std::int32_t x) { return exact_bin(x, -2'000'000'000, 1'500'000'000, number); });
      auto const bytes = test::random_items<std::uint8_t>(n, seed);
      check<std::int64_t>(context, bytes, number, sam::even_bins(0, 256),
                          [&](std::uint8_t x) { return exact_bin(x, 0, 256, number); });
      check<std::int64_t>(context, bytes, number, sam::even_bins(-300, 1000),
                          [&](std::uint8_t x) { return exact_bin(x, -300, 1000, number); });
      std::vector<std::uint8_t> const equal(bytes.size(), 77);
      check<std::int64_t>(context, equal, number, sam::even_bins(0, 256),
                          [&](std::uint8_t x) { return exact_bin(x, 0, 256, number); });
    }
  auto const large = std::vector<std::uint64_t>{0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  check<std::uint64_t>(context, large, 2, sam::even_bins(-2, 2),
                       [](std::uint64_t x) { return x < 2 ? index_t{1} : index_t{-1}; });
  // Limits of 2^63 and more, limits that no number of the items' type reaches, and limits that
  // include all of them.
  auto const high = std::uint64_t{1} << 63, highest = ~std::uint64_t{0};
  check<std::uint64_t>(context, large, 3, sam::even_bins(high, highest),
                       [&](std::uint64_t x) { return exact_bin(x, high, highest, 3); });
  check<std::uint64_t>(context, large, 5, sam::even_bins(wide{-7}, wide{highest} - 6),
                       [&](std::uint64_t x) { return exact_bin(x, -7, wide{highest} - 6, 5); });
  check<std::uint64_t>(context, large, 6, sam::even_bins(wide{0}, wide{highest} + 1),
                       [&](std::uint64_t x) { return exact_bin(x, 0, wide{highest} + 1, 6); });
  std::vector<std::int64_t> const both{sam::engine::lowest_of<std::int64_t>, -1, 0, 1,
                                       sam::engine::highest_of<std::int64_t>};
  check<std::uint32_t>(context, both, 4, sam::even_bins(std::uint64_t{0}, high),
                       [&](std::int64_t x) { return exact_bin(x, 0, high, 4); });
  check<std::uint32_t>(context, std::vector<std::int32_t>{-5, 0, 5}, 4,
                       sam::even_bins(high, highest), [](std::int32_t) { return index_t{-1}; });
}

TEST_CASE("even bins of floats count as a plain loop does", "[histogram]") {
  auto context = test::each_context();
  for (index_t const n : sizes)
    for (index_t const number : numbers) {
      auto const seed = test::seed_for(n);
      CAPTURE(seed);
      auto items = test::random_reals<float>(n, seed);
      for (std::size_t i = 0; i < items.size(); i += 97)
        items[i] = i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : 0.75f;
      check<std::int32_t>(context, items, number, sam::even_bins(-0.5, 0.75), [&](float x) {
        if (!(x >= -0.5f && x < 0.75f))
          return index_t{-1};
        float const scaled = (x - -0.5f) * (static_cast<float>(number) / 1.25f);
        return sam::engine::min_of(static_cast<index_t>(scaled), number - 1);
      });
    }
}

TEST_CASE("bins between boundaries count as a plain loop does", "[histogram]") {
  auto context = test::each_context();
  for (index_t const n : sizes)
    for (index_t const number : {index_t{1}, index_t{2}, index_t{3}, index_t{100}, index_t{3000}}) {
      auto const seed = test::seed_for(n);
      CAPTURE(seed);
      auto boundaries = test::random_reals<double>(number + 1, seed + 1);
      std::sort(boundaries.begin(), boundaries.end());
      if (number > 50)
        boundaries[40] = boundaries[41] = boundaries[42];  // empty bins
      auto items = test::random_reals<double>(n, seed);
      for (std::size_t i = 0; i < items.size(); i += 3)
        items[i] = boundaries[i % boundaries.size()];
      auto const there = test::on_backend(boundaries);
      check<std::uint32_t>(context, items, number, sam::bins_between(there), [&](double x) {
        return std::upper_bound(boundaries.begin(), boundaries.end(), x) - boundaries.begin() - 1;
      });
    }
}

struct record {
  std::uint64_t unused[2];
  std::int64_t bin;
};
struct its_bin {
  SAM_FUNCTION index_t operator()(record const& r) const { return r.bin; }
};

TEST_CASE("bins may be what a function makes of items", "[histogram]") {
  auto context = test::each_context();
  for (index_t const n : sizes)
    for (index_t const number : numbers) {
      test::generator bits{test::seed_for(n)};
      std::vector<record> items(static_cast<std::size_t>(n));
      for (record& r : items)
        r = {{}, static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(number + 6)) - 3};
      check<std::uint64_t>(context, items, number, its_bin{}, its_bin{});
    }
}

TEMPLATE_TEST_CASE("items of one byte count as a plain loop does", "[histogram]", std::uint8_t,
                   std::int8_t, char) {
  auto context = test::each_context();
  for (index_t const n : sizes)
    for (bool const equal : {false, true}) {
      auto const seed = test::seed_for(n);
      CAPTURE(seed, equal);
      auto items = test::random_items<TestType>(n, seed);
      if (equal)
        std::fill(items.begin(), items.end(), static_cast<TestType>(-3));
      for (index_t const number : {index_t{1}, index_t{10}, index_t{256}, index_t{1000}})
        for (auto const& [lower, upper] :
             {std::pair{-128, 256}, {-128, 128}, {0, 255}, {5, 6}, {-1000, 1'000'000}, {300, 400}})
          check<std::int32_t>(
              context, items, number, sam::even_bins(lower, upper),
              [&, from = lower, to = upper](TestType x) { return exact_bin(x, from, to, number); });
      for (std::size_t const number : {1u, 2u, 20u, 600u}) {
        auto boundaries = test::random_items<TestType>(static_cast<index_t>(number) + 1, seed + 1);
        std::sort(boundaries.begin(), boundaries.end());
        auto const there = test::on_backend(boundaries);
        check<std::uint64_t>(context, items, static_cast<index_t>(number), sam::bins_between(there),
                             [&](TestType x) {
                               return std::upper_bound(boundaries.begin(), boundaries.end(), x) -
                                      boundaries.begin() - 1;
                             });
      }
    }
}

enum class suit : std::uint8_t { clubs, diamonds, hearts, spades, joker = 200 };
struct choice {
  bool is_taken;
};
/// Returns the bin of a value. It must only be called with values of items, although a byte has
/// 256.
struct bin_of_few {
  index_t const* bins;  // of all suits but the joker
  SAM_FUNCTION index_t operator()(suit x) const {
    return x == suit::joker ? -1 : bins[static_cast<int>(x)];
  }
  SAM_FUNCTION index_t operator()(choice x) const { return bins[x.is_taken ? 1 : 0]; }
};

TEST_CASE("functions are asked for the bins of items only", "[histogram]") {
  auto context = test::each_context();
  std::vector<index_t> const bins{4, 1, 9, 1};
  auto const there = test::on_backend(bins);
  for (index_t const n : sizes) {
    test::generator bits{test::seed_for(n)};
    std::vector<suit> suits;
    std::vector<choice> choices;
    for (index_t i = 0; i < n; ++i) {
      auto const random = bits() % 5;
      suits.push_back(random == 4 ? suit::joker : static_cast<suit>(random));
      choices.push_back({random % 2 == 0});
    }
    for (index_t const number : {index_t{1}, index_t{3}, index_t{5}, index_t{10'000}}) {
      bin_of_few const device{there.data()}, host{bins.data()};
      check<std::uint32_t>(context, suits, number, device, host);
      check<std::int64_t>(context, choices, number, device, host);
    }
  }
}

TEST_CASE("sums of neighbouring bins are two reads of a cumulative histogram", "[histogram]") {
  auto context = test::each_context();
  index_t const n = 50'000, number = 300;
  auto const items = test::random_items<std::uint16_t>(n, test::seed_for(n));
  auto const in = test::on_backend(items);
  test::fenced_array<std::uint32_t> counts(number), below(number + 1);
  sam::histogram(context, in, counts, sam::even_bins(100, 60'000));
  sam::cumulative_histogram(context, in, below, sam::even_bins(100, 60'000));
  context.wait();
  auto const bin = [&](std::uint16_t x) { return exact_bin(x, 100, 60'000, number); };
  auto const each = sam::reference::histogram<std::uint32_t>(items, number, bin);
  auto const wanted = sam::reference::cumulative_histogram<std::uint32_t>(items, number, bin);
  REQUIRE(test::differences(counts.to_host(), each) == "");
  REQUIRE(test::differences(below.to_host(), wanted) == "");
  REQUIRE(below.fences_intact());
}

/// Returns the bin where outliers have bins of their own, given the bin without these.
template <class T, class Bin>
auto bin_with_outliers(Bin bin, T lower, T upper, index_t number) {
  return [=](auto x) -> index_t {
    if (static_cast<T>(x) < lower)
      return 0;
    if (static_cast<T>(x) >= upper)
      return number - 1;
    index_t const b = bin(x);
    return b < 0 || b >= number - 2 ? -1 : b + 1;
  };
}

TEST_CASE("items below and above all bins have bins of their own", "[histogram]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 1000, 40'000})
    for (index_t const number : {index_t{3}, index_t{20}, index_t{3000}}) {
      index_t const inside = number - 2;
      auto const bytes = test::random_items<std::int8_t>(n, test::seed_for(n));
      for (auto const& [from, to] :
           {std::pair{-5, 100}, {-1000, 3}, {0, 1000}, {128, 400}, {-900, -128}, {-200, 200}}) {
        auto const bin = [&, lower = from, upper = to](std::int8_t x) {
          return exact_bin(x, lower, upper, inside);
        };
        check<std::int32_t>(context, bytes, number, sam::with_outliers(sam::even_bins(from, to)),
                            bin_with_outliers<int>(bin, from, to, number));
      }
      auto floats = test::random_items<float>(n, test::seed_for(n));
      if (n > 1)
        floats[1] = std::numeric_limits<float>::quiet_NaN();
      std::vector<float> limits;
      for (index_t b = 0; b <= inside; ++b)
        limits.push_back(-1.0f + static_cast<float>(b) / 8);
      auto const there = test::on_backend(limits);
      auto const bin = [&](float x) {
        return std::upper_bound(limits.begin(), limits.end(), x) - limits.begin() - 1;
      };
      auto const in_bins = bin_with_outliers<float>(bin, limits.front(), limits.back(), number);
      auto const no_nan = [&](float x) { return x == x ? in_bins(x) : -1; };
      check<std::uint32_t>(context, floats, number, sam::with_outliers(sam::bins_between(there)),
                           no_nan);
    }
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  auto const in = test::on_backend(std::vector<double>{-1, 0, 0.4, 0.5, 1, nan, 7});
  test::fenced_array<int> counts(4), two(2);
  sam::histogram(context, in, counts, sam::with_outliers(sam::even_bins(0, 1)));
  context.wait();
  REQUIRE(counts.to_host() == std::vector<int>{1, 2, 1, 2});
  test::fails([&] { sam::histogram(context, in, two, sam::with_outliers(sam::even_bins(0, 1))); },
              "sam::histogram", "counts",
              "has 2 bins; with those of outliers, it must have at least 3");
  REQUIRE(two.untouched());
}

TEST_CASE("channels of interleaved items are counted by themselves", "[histogram]") {
  auto context = test::each_context();
  for (index_t const pixels : {0, 1, 1000, 40'000}) {
    index_t const number = 20;
    auto const items = test::random_items<std::uint8_t>(4 * pixels, test::seed_for(pixels));
    auto const wanted = sam::reference::histogram_of_channels<std::uint32_t>(
        items, 4, {number, number, number},
        [&](std::size_t, std::uint8_t x) { return exact_bin(x, 10, 250, number); });
    auto const in = test::on_backend(items, 1);
    test::fenced_array<std::uint32_t> counts(3 * number, 1);
    sam::histogram_of_channels<4, 3>(context, in, counts, sam::even_bins(10, 250));
    context.wait();
    REQUIRE(counts.to_host() == wanted);
    REQUIRE(counts.fences_intact());
  }
  auto const in = test::on_backend(std::vector<float>{1, 5, 2, 6});
  auto const bins = test::on_backend(std::vector<float>{0, 2, 10});
  test::fenced_array<int> counts(4), three(3);
  sam::histogram_of_channels<2>(context, in, counts, sam::bins_between(bins));
  context.wait();
  REQUIRE(counts.to_host() == std::vector<int>{1, 1, 0, 2});
  test::fails([&] { sam::histogram_of_channels<3>(context, in, three, sam::even_bins(0, 1)); },
              "sam::histogram_of_channels", "in", "holds 4 items, which are not whole groups of 3");
  test::fails([&] { sam::histogram_of_channels<2>(context, in, three, sam::even_bins(0, 1)); },
              "sam::histogram_of_channels", "counts",
              "holds 3 items; it must hold as many for each of 2 channels");
  REQUIRE(three.untouched());
}

struct last_digit {
  SAM_FUNCTION index_t operator()(std::uint8_t x) const { return x % 10; }
};
TEST_CASE("channels have bins of their own", "[histogram]") {
  auto context = test::each_context();
  auto const limits = test::on_backend(std::vector<std::uint8_t>{0, 100, 255});
  for (index_t const pixels : {0, 1, 40'000}) {
    auto const items = test::random_items<std::uint8_t>(4 * pixels, test::seed_for(pixels));
    auto const wanted = sam::reference::histogram_of_channels<std::uint32_t>(
        items, 4, {20, 7, 2}, [](std::size_t c, std::uint8_t x) {
          if (c == 0)
            return exact_bin(x, 10, 250, 20);
          if (c == 1)
            return last_digit{}(x);
          return x == 255 ? index_t{-1} : x < 100 ? index_t{0} : index_t{1};
        });
    auto const in = test::on_backend(items, 1);
    test::fenced_array<std::uint32_t> counts(29, 1);
    sam::histogram_of_channels<4>(
        context, in, counts,
        sam::bins_of_channels(sam::channel_bins(20, sam::even_bins(10, 250)),
                              sam::channel_bins(7, last_digit{}),
                              sam::channel_bins(2, sam::bins_between(limits))));
    context.wait();
    REQUIRE(counts.to_host() == wanted);
    REQUIRE(counts.fences_intact());
    auto const pixels_of_words =
        test::random_items<std::int32_t>(3 * pixels, test::seed_for(pixels));
    index_t const most = index_t{1} << 33;  // takes the longer way to a bin
    auto const both = sam::reference::histogram_of_channels<std::int64_t>(
        pixels_of_words, 3, {70'000, 5}, [&](std::size_t c, std::int32_t x) {
          return c == 0 ? exact_bin(x, -2'000'000'000, 2'000'000'000, 70'000)
                        : exact_bin(x, -most, most, 5);
        });
    auto const pixels_there = test::on_backend(pixels_of_words);
    test::fenced_array<std::int64_t> many(70'005, 1);
    sam::histogram_of_channels<3>(
        context, pixels_there, many,
        sam::bins_of_channels(
            sam::channel_bins(70'000, sam::even_bins(-2'000'000'000, 2'000'000'000)),
            sam::channel_bins(5, sam::even_bins(-most, most))));
    context.wait();
    REQUIRE(many.to_host() == both);
    REQUIRE(many.fences_intact());
  }
  auto const in = test::on_backend(std::vector<std::uint8_t>{1, 5, 2, 6});
  test::fenced_array<int> counts(4);
  auto const count = [&](auto const& second) {
    sam::histogram_of_channels<2>(
        context, in, counts, sam::bins_of_channels(sam::channel_bins(2, last_digit{}), second));
  };
  test::fails([&] { count(sam::channel_bins(3, last_digit{})); }, "sam::histogram_of_channels",
              "counts", "holds 4 items but must hold 5, the bins of all channels");
  test::fails([&] { count(sam::channel_bins(-1, last_digit{})); }, "sam::histogram_of_channels",
              "bins", "has a channel of -1 bins; it must have at least 0");
  test::fails([&] { count(sam::channel_bins(2, sam::even_bins(5, 5))); },
              "sam::histogram_of_channels", "bins", "reach from 5 to 5; that must be a range");
  REQUIRE(counts.untouched());
}

TEST_CASE("weights of items are added up", "[histogram]") {
  auto context = test::each_context();
  for (index_t const n : {0, 1, 1000, 70'001})
    for (index_t const number : {1, 7, 1000}) {
      CAPTURE(n, number);
      auto const items = test::random_items<std::uint16_t>(n, test::seed_for(n));
      auto const weights = test::random_items<std::int16_t>(n, test::seed_for(n) + 1);
      auto const in = test::on_backend(items, 1);
      auto const by = test::on_backend(weights);
      test::fenced_array<std::int64_t> sums(number, 1);
      test::fenced_array<double> reals(number), again(number);
      auto const bins = sam::even_bins(1000, 50'000);
      auto const bin = [&](std::uint16_t x) { return exact_bin(x, 1000, 50'000, number); };
      sam::weighted_histogram(context, in, by, sums, bins);
      sam::weighted_histogram(context, in, by, reals, bins);
      sam::weighted_histogram(context, in, by, again, bins);
      context.wait();
      REQUIRE(sums.to_host() ==
              sam::reference::weighted_histogram<std::int64_t>(items, weights, number, bin));
      REQUIRE(reals.to_host() ==  // exact here
              sam::reference::weighted_histogram<double>(items, weights, number, bin));
      REQUIRE(again.to_host() == reals.to_host());
      REQUIRE((sums.fences_intact() && reals.fences_intact()));
      if (n > 1000)
        test::also_on_threads(context, [&](auto& crowd) {
          std::vector<std::int64_t> ours(static_cast<std::size_t>(number), 7);
          sam::weighted_histogram(crowd, items, weights, ours, bins);
          REQUIRE(ours == sums.to_host());
        });
    }
  auto const in = test::on_backend(std::vector<int>{1, 2, 3});
  test::fenced_array<int> sums(4), two(2);
  test::fails([&] { sam::weighted_histogram(context, in, two, sums, sam::even_bins(0, 4)); },
              "sam::weighted_histogram", "weights",
              "holds 2 items but in holds 3; both must hold the same number");
  test::fails([&] { sam::weighted_histogram(context, in, in, sums, sam::even_bins(4, 4)); },
              "sam::weighted_histogram", "bins", "reach from 4 to 4; that must be a range");
  REQUIRE((sums.untouched() && two.untouched()));
}

TEST_CASE("weights of bytes are added up with the same bits on every run", "[histogram]") {
  auto context = test::each_context();
  for (index_t const n : {5, 700, 5000, 300'007})
    for (index_t const number : {3, 300, 5000}) {
      CAPTURE(n, number);
      auto const items = test::random_items<std::int8_t>(n, test::seed_for(n));
      std::vector<float> weights;
      for (std::int32_t const x : test::random_items<std::int32_t>(n, test::seed_for(n) + 1))
        weights.push_back(static_cast<float>(x) / 1000);
      auto const in = test::on_backend(items, 1);
      auto const by = test::on_backend(weights);
      test::fenced_array<float> sums(number, 1), again(number);
      sam::weighted_histogram(context, in, by, sums, sam::even_bins(-120, 110));
      sam::weighted_histogram(context, in, by, again, sam::even_bins(-120, 110));
      context.wait();
      REQUIRE(again.to_host() == sums.to_host());
      REQUIRE(sums.fences_intact());
      auto const wanted = sam::reference::weighted_histogram<double>(
          items, weights, number, [&](std::int8_t x) { return exact_bin(x, -120, 110, number); });
      for (std::size_t b = 0; b < wanted.size(); ++b)
        REQUIRE(std::abs(sums.to_host()[b] - wanted[b]) <= static_cast<double>(n) / 16);
      test::also_on_threads(context, [&](auto& crowd) {
        std::vector<float> ours(wanted.size());
        sam::weighted_histogram(crowd, items, weights, ours, sam::even_bins(-120, 110));
        REQUIRE(ours == sums.to_host());
      });
    }
}

TEST_CASE("weights that are not finite stay in their bins", "[histogram]") {
  auto context = test::each_context();
  constexpr std::size_t n = 40'000;
  auto items = test::random_items<std::int8_t>(n, 1);
  std::vector<float> weights(n, 1);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  items[300] = items[30'000] = 7;
  weights[300] = infinity;
  items[301] = items[39'999] = 8;
  weights[301] = infinity;
  weights[39'999] = -infinity;
  items[5000] = 9;
  weights[5000] = std::numeric_limits<float>::quiet_NaN();
  items[20'000] = 120;  // in no bin
  weights[20'000] = infinity;
  auto const in = test::on_backend(items, 1);
  auto const by = test::on_backend(weights);
  test::fenced_array<float> sums(230);
  sam::weighted_histogram(context, in, by, sums, sam::even_bins(-120, 110));
  context.wait();
  auto const found = sums.to_host();
  auto const wanted = sam::reference::weighted_histogram<float>(
      items, weights, 230, [](std::int8_t x) { return x < 110 ? index_t{x} + 120 : -1; });
  for (std::size_t b = 0; b < wanted.size(); ++b)
    REQUIRE((found[b] == wanted[b] || (b > 127 && b < 130 && found[b] != found[b])));
  REQUIRE(found[127] == infinity);
  REQUIRE((found[128] != found[128] && found[129] != found[129]));
}

#ifdef SAM_HAS_FLOAT16
TEST_CASE("floats of 16 bits are counted", "[histogram]") {
  using half = sam::detail::float16;
  auto context = test::each_context();
  std::vector<half> items;
  for (int i = 0; i < 3000; ++i)
    items.push_back(static_cast<half>(static_cast<float>(i % 700) / 64));
  for (index_t const number : {1, 5, 300})
    check<std::uint32_t>(context, items, number, sam::even_bins(1, 9), [&](half x) -> index_t {
      auto const real = static_cast<float>(x);
      return real < 1 || real >= 9
                 ? -1
                 : static_cast<index_t>((real - 1) * (static_cast<float>(number) / 8));
    });
}
#endif

void fails(std::function<void()> const& call, std::string const& argument,
           std::string const& problem) {
  test::fails(call, "histogram", argument, problem);
}

struct modulo_six {
  SAM_FUNCTION index_t operator()(std::uint8_t x) const { return x % 6; }
};

TEST_CASE("histograms of channels add to earlier counts", "[histogram]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<std::uint8_t>{1, 1, 5, 6, 9, 1});
  auto counts = test::on_backend(std::vector<std::uint32_t>{1, 2, 3, ~std::uint32_t{0}});
  auto const bins = sam::even_bins(0, 10);
  sam::histogram_of_channels<2>(context, in, counts, bins, counts);
  context.wait();
  REQUIRE(counts.to_host() == std::vector<std::uint32_t>{2, 4, 5, 0});
  auto out = test::on_backend(std::vector<std::uint32_t>(4));
  auto const one = sam::channel_bins(3, modulo_six{});
  auto const other = sam::channel_bins(1, bins);
  sam::histogram_of_channels<2>(context, in, out, sam::bins_of_channels(one, other), counts);
  context.wait();
  REQUIRE(out.to_host() == std::vector<std::uint32_t>{2, 5, 5, 3});
  auto const few = test::as_span(counts).first(3);
  test::fails([&] { sam::histogram_of_channels<2>(context, in, out, bins, few); }, "before",
              "holds 3 items but counts holds 4; both must hold the same number");
}

TEST_CASE("histograms add to earlier counts", "[histogram]") {
  test::engine_context context;
  auto const check = [](auto& where, auto const& in, auto const& items, auto const& bin) {
    auto wanted = sam::reference::histogram<std::uint32_t>(items, 5, bin);
    std::vector<std::uint32_t> earlier{7, 0, ~std::uint32_t{0}, 1, 2};
    for (std::size_t b = 0; b < wanted.size(); ++b)
      wanted[b] += earlier[b];
    auto const before = test::on_backend(earlier);
    test::fenced_array<std::uint32_t> counts(5, 1);
    auto in_place = test::on_backend(earlier, 1);
    sam::histogram(where, in, counts, bin, before);
    sam::histogram(where, in, in_place, bin, in_place);
    where.wait();
    REQUIRE(counts.to_host() == wanted);
    REQUIRE(in_place.to_host() == wanted);
    REQUIRE(counts.fences_intact());
    REQUIRE(in_place.fences_intact());
    // Cumulative and weighted ones; halves are exact.
    auto below = sam::reference::cumulative_histogram<std::uint32_t>(items, 4, bin);
    std::vector<double> const sums{0.5, -1, 2, 8, 0};
    auto halves = sam::reference::weighted_histogram<double>(items, items, 5, bin);
    for (std::size_t b = 0; b < below.size(); ++b) {
      below[b] += earlier[b];
      halves[b] += sums[b];
    }
    auto const sums_before = test::on_backend(sums);
    test::fenced_array<double> weighed(5, 1);
    auto below_in_place = test::on_backend(earlier, 1);
    auto weighed_in_place = test::on_backend(sums, 1);
    sam::cumulative_histogram(where, in, counts, bin, before);
    sam::cumulative_histogram(where, in, below_in_place, bin, below_in_place);
    sam::weighted_histogram(where, in, in, weighed, bin, sums_before);
    sam::weighted_histogram(where, in, in, weighed_in_place, bin, weighed_in_place);
    where.wait();
    REQUIRE(counts.to_host() == below);
    REQUIRE(below_in_place.to_host() == below);
    REQUIRE(weighed.to_host() == halves);
    REQUIRE(weighed_in_place.to_host() == halves);
    REQUIRE((counts.fences_intact() && below_in_place.fences_intact()));
    REQUIRE((weighed.fences_intact() && weighed_in_place.fences_intact()));
  };
  for (index_t const n : {0, 1, 40'000}) {
    auto const items = test::random_items<std::uint8_t>(n, test::seed_for(n));
    auto const in = test::on_backend(items, 1);
    check(context, in, items, modulo_six{});
    test::also_on_threads(context, [&](auto& crowd) { check(crowd, in, items, modulo_six{}); });
  }
  auto const in = test::on_backend(std::vector<std::uint8_t>(10));
  test::fenced_array<std::uint32_t> counts(5), few(4);
  test::fails([&] { sam::histogram(context, in, counts, modulo_six{}, few); }, "before",
              "holds 4 items but counts holds 5; both must hold the same number");
  test::fails([&] { sam::cumulative_histogram(context, in, counts, modulo_six{}, few); }, "before",
              "holds 4 items but below holds 5; both must hold the same number");
  test::fails([&] { sam::weighted_histogram(context, in, in, counts, modulo_six{}, few); },
              "before", "holds 4 items but sums holds 5; both must hold the same number");
  std::span const shifted(counts.data() + 1, 4);
  test::fails(
      [&] { sam::histogram(context, in, shifted, modulo_six{}, std::span(counts.data(), 4)); },
      "counts",
      "overlaps before without being the same array; pass the same items to work "
      "in place, or memory apart from before");
  REQUIRE(counts.untouched());
}

TEST_CASE("in no bins nothing is counted", "[histogram]") {
  auto c = test::each_context();
  auto const reals = test::on_backend(std::vector<float>(100, 0.5f));
  auto const bytes = test::on_backend(std::vector<std::uint8_t>(100, 1));
  test::fenced_array<int> none(0), below(1);
  sam::histogram(c, reals, none, sam::even_bins(0.0f, 1.0f));
  sam::histogram(c, bytes, none, sam::even_bins(0, 2));
  sam::cumulative_histogram(c, reals, below, sam::even_bins(0.0f, 1.0f));
  c.wait();
  REQUIRE(below.to_host() == std::vector<int>{0});
  REQUIRE((none.fences_intact() && below.fences_intact()));
}

TEST_CASE("bins that do not fit are an error, and nothing is written", "[histogram]") {
  auto c = test::each_context();
  auto const in = test::on_backend(std::vector<int>(100, 1));
  auto const reals = test::on_backend(std::vector<float>(100, 1.0f));
  test::fenced_array<int> counts(10), none(0);
  fails([&] { sam::histogram(c, in, counts, sam::even_bins(5, 5)); }, "bins",
        "reach from 5 to 5; that must be a range");
  fails([&] { sam::histogram(c, reals, counts, sam::even_bins(-3e38f, 3e38f)); }, "bins",
        "reach from " + std::to_string(-3e38f) + " to " + std::to_string(3e38f) +
            "; that must be a range");
  fails([&] { sam::histogram(c, reals, counts, sam::even_bins(0.0f, 1e-38f)); }, "bins",
        "are narrower than numbers of in's type can say");
  fails([&] { sam::histogram(c, in, counts, sam::even_bins(wide{-1}, wide{1} << 64)); }, "bins",
        "reach from -1 to 18446744073709551616; these are more than 2^64 integers");
  auto const boundaries = test::on_backend(std::vector<int>(10, 1));
  fails([&] { sam::histogram(c, in, counts, sam::bins_between(boundaries)); }, "boundaries",
        "holds 10 items but must hold 11, one more than there are bins");
  fails(
      [&] {
        std::span<int const> const ours(counts.data(), 10);
        sam::cumulative_histogram(c, in, counts, sam::bins_between(ours));
      },
      "below", "overlaps boundaries; the two must lie apart");
  fails([&] { sam::histogram(c, test::as_span(counts), counts, sam::even_bins(0, 1)); }, "counts",
        "overlaps in; the two must lie apart");
  fails([&] { sam::cumulative_histogram(c, in, none, sam::even_bins(0, 1)); }, "below",
        "holds no items; it must hold one more than there are bins");
  REQUIRE(counts.untouched());
}

}  // namespace
