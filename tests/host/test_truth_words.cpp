// SPDX-License-Identifier: MIT
// Tests words of predicate results: backends/sam/host/simd/truth_word.hpp.
#include <sam/host/simd/truth_word.hpp>

#include "items.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>

namespace {

using sam::index_t;

struct pair_of_ints {
  std::int32_t first, second;
  bool operator==(pair_of_ints const&) const = default;
};

template <class T>
std::array<T, 128> items() {
  std::array<T, 128> all;
  test::generator bits(test::seed_for(sizeof(T)));
  for (T& x : all) {
    if constexpr (std::is_class_v<T>)
      x = {static_cast<std::int32_t>(bits() % 3), static_cast<std::int32_t>(bits() % 2)};
    else
      x = static_cast<T>(bits() % 5);
  }
  return all;
}

template <class Holds>
std::uint64_t expected_word(Holds holds) {
  std::uint64_t word = 0;
  for (int k = 0; k < 64; ++k)
    word |= std::uint64_t{holds(k)} << k;
  return word;
}

/// An equality: true if both are at most 2 or both are larger.
struct same_side {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    if constexpr (std::is_class_v<T>)
      return (a.first < 2) == (b.first < 2);
    else
      return (a <= T(2)) == (b <= T(2));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("a word has the answers of a predicate of 64 items", "[truth]", bool,
                   std::uint8_t, std::int16_t, std::uint32_t, std::int64_t, float, double,
                   pair_of_ints) {
  auto const all = items<TestType>();
  for (int const from : {0, 1, 7, 64}) {
    auto const differs = [x = all.data() + from](int k) { return !(x[k] == *x); };
    REQUIRE(sam::host::word_where<TestType>(differs) == expected_word(differs));
  }
  REQUIRE(sam::host::word_where<TestType>([](int) { return true; }) == ~std::uint64_t{0});
  REQUIRE(sam::host::word_where<TestType>([](int) { return false; }) == 0);
}

TEMPLATE_TEST_CASE("a window of unequal items has a flag for each", "[truth]", std::uint8_t,
                   std::int16_t, std::uint32_t, std::int64_t, float, double, pair_of_ints) {
  auto const all = items<TestType>();
  auto const check = [&](auto equal) {
    for (int const first : {0, 1, 40})
      for (int const last : {0, 1, 41, 64})
        for (bool const others : {false, true})
          for (index_t const distance : {1, 3}) {
            if (first > last)
              continue;
            sam::unequal_window<TestType, decltype(equal)> const some{
                all.data() + distance, -distance, 0, first, last, others, equal};
            auto const wanted = expected_word([&](int k) {
              auto const i = static_cast<std::size_t>(k);
              auto const before = static_cast<std::size_t>(distance);
              return first <= k && k < last ? !equal(all[i], all[i + before]) : others;
            });
            std::uint8_t bytes[16];
            sam::host::put_flags(some, bytes);
            REQUIRE(sam::host::flag_word(some) == wanted);
            REQUIRE(sam::host::word_of_heads(bytes, 0) == wanted);
          }
  };
  check(sam::detail::equal_items{});
  check(same_side{});
}
