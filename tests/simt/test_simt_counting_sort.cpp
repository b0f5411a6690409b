// SPDX-License-Identifier: MIT
// Tests of the counting sort kernels, run on fibers.
#include <sam/gpu/sort/counting/cluster_counting_sort.hpp>
#include <sam/gpu/sort/counting/device_counting_sort.hpp>

#include "items.hpp"
#include "simt/sorts.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <random>
#include <tuple>

namespace {

/// A stand-in for a 16-bit float, as a sort sees it.
struct half {
  std::uint16_t bits;
};

}  // namespace

template <>
inline constexpr bool sam::is_floating<half> = true;

namespace {

using sam::index_t;
using simt::numbers;

template <class Key, class Digits, int Warp>
struct case_of_keys {
  using key = Key;
  using value = sam::no_values;
  using digits = Digits;
  using job = sam::engine::sort_job<Key, sam::no_values, Digits>;
  static constexpr int warp_size = Warp;
};

template <class Key, class Digits, int Warp = 32>
struct counting_case : case_of_keys<Key, Digits, Warp> {
  using kernels = sam::gpu::device_counting_sort<
      simt::device<Warp>, typename counting_case::job,
      sam::gpu::device_counting_config<2, 2, Warp == 64 ? 4 : 2, Warp == 64 ? 2 : 4, 2, 1, 256>>;
};
using cases =
    std::tuple<counting_case<std::uint16_t, numbers<std::uint16_t>>,
               counting_case<std::int16_t, sam::flipped_digits<numbers<std::int16_t>>, 64>,
               counting_case<half, numbers<half>, 64>,
               counting_case<half, sam::flipped_digits<numbers<half>>>>;

enum class keys_are { random, few, neighbours, sorted, equal, skewed };

std::vector<std::uint16_t> make_keys(index_t n, keys_are what, std::uint64_t seed) {
  std::vector<std::uint16_t> keys(static_cast<std::size_t>(n));
  std::mt19937_64 random(seed);
  std::uint64_t i = 0;
  for (auto& k : keys) {
    std::uint64_t bits = random();
    if (what == keys_are::few)
      bits = bits % 3 * 0x5555;
    else if (what == keys_are::neighbours)
      bits = 0x7ff0 + bits % 32;
    else if (what == keys_are::sorted)
      bits = i++ * 0x10000 / static_cast<std::uint64_t>(n);
    else if (what == keys_are::equal)
      bits = 0x8000;
    else if (what == keys_are::skewed)
      bits &= random() & random();
    k = static_cast<std::uint16_t>(bits);
  }
  return keys;
}

struct options {
  bool in_place = false;
  bool is_aligned = true;
  int pairs = 1;
  static constexpr bool of_indices = false;
  static constexpr int begin_bit = 0, bits_left_out = 0;
};

template <class Case>
void check(index_t n, keys_are what, options const& o) {
  using kernels = typename Case::kernels;
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, int(what), o.in_place, o.is_aligned, o.pairs);
  std::vector<typename Case::key> keys;
  for (std::uint16_t const bits : make_keys(n, what, seed))
    keys.push_back(std::bit_cast<typename Case::key>(bits));
  simt::sort_trial<Case> trial(keys, o, o.is_aligned);
  auto order = trial.order();
  trial.sort(order.begin(), order.end());

  std::vector<std::uint32_t> counts(static_cast<std::size_t>(2 * o.pairs) * kernels::table, ~0u);
  std::vector<index_t> begins(kernels::begins_bytes / sizeof(index_t), -1);
  std::vector<index_t> totals(kernels::totals_bytes / sizeof(index_t), -1);
  sam::gpu::counting_arguments<typename Case::job> a{trial.job, o.pairs, counts.data(),
                                                     begins.data(), totals.data()};
  simt::launcher<Case::warp_size> launch(seed);
  launch(2 * o.pairs, kernels::counting_threads, kernels::counting_shared_bytes,
         [&] { kernels(a).count(); });
  launch(kernels::adding_blocks, kernels::adding_threads, kernels::adding_shared_bytes,
         [&] { kernels(a).add_up(); });
  launch(o.pairs, kernels::writing_threads, kernels::writing_shared_bytes,
         [&] { kernels(a).write(); });
  trial.check(order);
}

TEMPLATE_LIST_TEST_CASE("keys of 16 bits are sorted by counting on fibers", "[simt]", cases) {
  index_t const at_once = 2 * TestType::kernels::counting_threads * 8;
  for (index_t const n : {index_t{1}, index_t{7}, index_t{100}, at_once - 1, at_once + 9})
    for (bool const is_aligned : {true, false})
      check<TestType>(n, keys_are::random,
                      {.in_place = n % 2 == 0, .is_aligned = is_aligned, .pairs = int(n % 3 + 1)});
  bool turn = false;
  for (auto const what : {keys_are::few, keys_are::neighbours, keys_are::sorted, keys_are::equal,
                          keys_are::skewed, keys_are::random}) {
    turn = !turn;
    check<TestType>(3 * at_once + 5, what, {.in_place = turn, .is_aligned = !turn, .pairs = 2});
  }
  check<TestType>(200'003, keys_are::skewed, {.is_aligned = false, .pairs = 3});
}

template <class Key, class Digits, class Config, int Warp = 32>
struct block_case : case_of_keys<Key, Digits, Warp> {
  using block =
      sam::gpu::cluster_counting_sort<simt::device<Warp>, typename block_case::job, Config>;
};
template <int... Numbers>
using config = sam::gpu::cluster_counting_config<Numbers...>;
using block_cases = std::tuple<
    block_case<std::uint8_t, numbers<std::uint8_t>, config<8, 1>>,
    block_case<std::int8_t, sam::flipped_digits<numbers<std::int8_t>>, config<4, 1>, 64>,
    block_case<std::int8_t, numbers<std::int8_t>, config<4, 2>>,
    block_case<std::uint8_t, numbers<std::uint8_t>, config<2, 2, 4>>,
    block_case<std::uint16_t, numbers<std::uint16_t>, config<2, 1, 4>>,
    block_case<std::int16_t, sam::flipped_digits<numbers<std::int16_t>>, config<1, 2, 2>, 64>,
    block_case<half, sam::flipped_digits<numbers<half>>, config<1, 2, 16>>,
    block_case<std::uint16_t, numbers<std::uint16_t>, config<1, 1, 4, 4000>>,
    block_case<half, numbers<half>, config<1, 1, 4, 2048>, 64>,
    block_case<std::int16_t, numbers<std::int16_t>, config<1, 1, 16, 777>>>;

template <class Case>
void check_block(index_t n, keys_are what, bool in_place, bool is_aligned) {
  using block = typename Case::block;
  using key = typename Case::key;
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, int(what), in_place, is_aligned);
  std::vector<key> keys;
  for (std::uint16_t const bits : make_keys(n, what, seed)) {
    if constexpr (sizeof(key) == 1)
      keys.push_back(static_cast<key>(bits >> (what == keys_are::sorted) * 8));
    else
      keys.push_back(std::bit_cast<key>(bits));
  }
  simt::sort_trial<Case> trial(keys, options{.in_place = in_place}, is_aligned);
  REQUIRE(block::takes(trial.job));
  auto order = trial.order();
  trial.sort(order.begin(), order.end());
  sam::gpu::sort_arguments<typename Case::job> a{};
  a.job = trial.job;
  simt::launcher<Case::warp_size>{seed}(
      block::blocks, block::threads, block::shared_bytes, [&] { block(a).run(); }, block::blocks);
  trial.check(order);
}

TEMPLATE_LIST_TEST_CASE("keys of 8 and 16 bits are counted by blocks on fibers", "[simt]",
                        block_cases) {
  constexpr index_t size = TestType::block::size;
  int turn = 0;
  for (index_t const n : {index_t{1}, index_t{7}, index_t{8}, index_t{9}, index_t{15}, index_t{16},
                          index_t{17}, index_t{100}, size / 2, size / 2 + 1, size - 1, size})
    for (auto const what : {keys_are::few, keys_are::neighbours, keys_are::sorted, keys_are::equal,
                            keys_are::skewed, keys_are::random}) {
      // Each size and each kind occurs in each place and with each alignment, but not all with all.
      bool const in_place = (turn + turn / 6) % 2 == 0,
                 is_aligned = (turn / 2 + turn / 12) % 2 == 0;
      check_block<TestType>(n, what, in_place, is_aligned);
      ++turn;
    }
}

}  // namespace
