// SPDX-License-Identifier: MIT
// Tests how callers' functions are evaluated for blocks of items, and what is made of the results:
// truth_word.hpp, ordered_key_block.hpp and compress.hpp of backends/sam/host.
#include <sam/host/simd/compress.hpp>
#include <sam/host/simd/truth_word.hpp>
#include <sam/host/sort/ordered_key_block.hpp>

#include "items.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <bit>
#include <type_traits>
#include <vector>

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
            sam::engine::unequal_window<TestType, decltype(equal)> const some{
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

TEMPLATE_TEST_CASE("ordered_keys of keys are used in the order of keys, each once",
                   "[ordered_keys]", std::uint8_t, std::int16_t, std::uint32_t, std::int64_t, float,
                   pair_of_ints) {
  auto const keys = items<TestType>();
  auto const check = [&]<int Most>(std::integral_constant<int, Most>, auto ordered_key_of) {
    using function = decltype(ordered_key_of);
    using user = sam::user_digits<function, TestType>;
    using ordered_key = typename user::ordered_key;
    for (index_t const n : {0, 1, 7, 8, 9, 63, 64, 65, 72, 127, 128}) {
      std::vector<ordered_key> used;
      sam::host::for_each_ordered_key<user, Most>(keys.data(), n, user{ordered_key_of},
                                                  [&](index_t i, ordered_key x) {
                                                    REQUIRE(i == static_cast<index_t>(used.size()));
                                                    used.push_back(x);
                                                  });
      std::vector<ordered_key> wanted;
      for (index_t i = 0; i < n; ++i)
        wanted.push_back(ordered_key_of(keys[static_cast<std::size_t>(i)]));
      REQUIRE(used == wanted);
    }
  };
  auto const check_all = [&](auto ordered_key_of) {
    check(std::integral_constant<int, 8>{}, ordered_key_of);
    check(std::integral_constant<int, 64>{}, ordered_key_of);
  };
  auto const first = keys[0];
  check_all([=](TestType const& x) { return same_side{}(x, first) ? 3u : ~0u; });
  check_all([=](TestType const& x) {
    if (x == first)
      return std::uint8_t{7};
    return same_side{}(x, first) ? std::uint8_t{1} : std::uint8_t{200};
  });
  check_all([](TestType const& x) { return std::uint64_t{1} << (x == TestType{} ? 40 : 2); });
}

TEMPLATE_TEST_CASE("packed values are those whose bit is set", "[packing]", std::uint8_t,
                   std::int16_t, std::uint32_t, std::int64_t, float, pair_of_ints) {
  auto const values = items<TestType>();
  test::generator bits(test::seed_for(3));
  for (int count = 0; count <= 64; ++count)
    for (int turn = 0; turn < 4; ++turn) {
      std::uint64_t kept = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      if (turn > 0)
        for (kept = 0; std::popcount(kept) < count;)
          kept |= std::uint64_t{1} << bits() % 64;
      std::vector<TestType> wanted, packed(64 + 64);
      for (std::size_t k = 0; k < 64; ++k)
        if ((kept >> k & 1) != 0)
          wanted.push_back(values[k]);
      auto* const end = sam::host::pack_values(values.data(), kept, packed.data());
      REQUIRE(end - packed.data() == count);
      packed.resize(static_cast<std::size_t>(count));
      REQUIRE(packed == wanted);
    }
}
