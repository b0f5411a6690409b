// SPDX-License-Identifier: MIT
// The kernels that sort few keys by comparisons, by a block, by a cluster, or by several whose runs
// are merged, run on fibers.
#include <sam/gpu/merge_runs.hpp>

#include "items.hpp"
#include "simt/sorts.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

namespace {

using sam::index_t;
using simt::numbers;

template <class Key, class Digits, int Warps, int Slots, int Warp = 32>
struct merge_case {
  using key = Key;
  using value = sam::no_values;
  using digits = Digits;
  using job = sam::sort_job<Key, sam::no_values, Digits>;
  static constexpr int warp_size = Warp;
  using block = sam::gpu::merge_block<simt::device<Warp>, job, sam::gpu::merge_shape<Warps, Slots>>;
  static constexpr int run = Warp * Slots;
  static int blocks(index_t) { return 1; }
  static int threads(index_t n) { return block::threads(n); }
  static int shared_bytes(index_t n) { return block::shared_bytes(n); }
};
template <class Key, class Digits, int Warps, int Slots, int Blocks, int Warp = 32>
struct cluster_case : merge_case<Key, Digits, Warps, Slots, Warp> {
  using block =
      sam::gpu::merge_cluster<simt::device<Warp>, sam::sort_job<Key, sam::no_values, Digits>,
                              sam::gpu::cluster_shape<Warps, Slots, Blocks>>;
  static constexpr int run = Warp * Slots * Warps;
  static int blocks(index_t n) { return block::blocks(n); }
  static int threads(index_t) { return block::most_threads; }
  static int shared_bytes(index_t) { return block::shared_bytes; }
};

enum class keys_are { random, few, sorted, reversed, equal, skewed, first_or_last, last };
constexpr keys_are all_kinds[] = {keys_are::random,        keys_are::few,   keys_are::sorted,
                                  keys_are::reversed,      keys_are::equal, keys_are::skewed,
                                  keys_are::first_or_last, keys_are::last};

/// Keys by their images. What a run is filled up with has the last image, or in the opposite order
/// the first.
template <class Key>
std::vector<Key> make_keys(index_t n, keys_are what, std::uint64_t seed) {
  using image = typename numbers<Key>::image;
  std::vector<Key> keys;
  std::mt19937_64 random(seed);
  for (index_t i = 0; i < n; ++i) {
    std::uint64_t bits = random();
    if (what == keys_are::few)
      bits = bits % 3 * 0x1101010101010111;
    else if (what == keys_are::sorted)
      bits = static_cast<std::uint64_t>(i / 2);
    else if (what == keys_are::reversed)
      bits = static_cast<std::uint64_t>(n - i);
    else if (what == keys_are::equal)
      bits = 0x7654321076543210;
    else if (what == keys_are::skewed)
      bits &= random() & random();
    else if (what == keys_are::first_or_last)
      bits = bits % 2 == 0 ? 0 : ~std::uint64_t{0};
    else if (what == keys_are::last)
      bits = ~std::uint64_t{0};
    keys.push_back(numbers<Key>::key_of(static_cast<image>(bits)));
  }
  return keys;
}

struct options {
  keys_are what = keys_are::random;
  bool in_place = false;
  bool of_indices = false;
  int begin_bit = 0, bits_left_out = 0;
};

template <class Case>
void check(index_t n, options const& o) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, int(o.what), o.in_place);
  auto const keys = make_keys<typename Case::key>(n, o.what, seed);
  simt::sort_trial<Case> trial(keys, o, n / 2 % 2 == 0);
  REQUIRE(Case::block::takes(trial.job));
  auto order = trial.order();
  trial.sort(order.begin(), order.end());
  sam::gpu::sort_arguments<typename Case::job> a{};
  a.job = trial.job;
  simt::launcher<Case::warp_size>{seed}(Case::blocks(n), Case::threads(n), Case::shared_bytes(n),
                                        [&] { typename Case::block(a).run(); });
  trial.check(order);
}

using cases =
    std::tuple<merge_case<std::uint8_t, numbers<std::uint8_t>, 4, 4>,
               merge_case<std::uint16_t, sam::flipped_digits<numbers<std::uint16_t>>, 4, 8>,
               merge_case<std::int32_t, numbers<std::int32_t>, 8, 4>,
               merge_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 2, 16, 64>,
               merge_case<std::uint32_t, numbers<std::uint32_t>, 16, 4>,
               merge_case<std::uint32_t, numbers<std::uint32_t>, 2, 32>,
               merge_case<std::uint64_t, numbers<std::uint64_t>, 4, 8>,
               merge_case<std::uint64_t, sam::flipped_digits<numbers<std::uint64_t>>, 2, 32>,
               merge_case<std::int64_t, numbers<std::int64_t>, 4, 4, 64>,
               merge_case<float, numbers<float>, 4, 16>,
               merge_case<double, sam::flipped_digits<numbers<double>>, 8, 4>>;

TEMPLATE_LIST_TEST_CASE("few keys are sorted by comparisons on fibers", "[simt]", cases) {
  constexpr int warp = TestType::warp_size, run = TestType::run, all = TestType::block::size;
  bool in_place = false;
  for (index_t const n : std::set<index_t>{1, 2, warp - 1, warp, warp + 1, run - 1, run, run + 1,
                                           2 * run - 1, 2 * run, all / 2 + 1, all - 1, all})
    for (auto const what : {keys_are::random, keys_are::few, keys_are::last})
      check<TestType>(n, {.what = what, .in_place = in_place = !in_place});
  for (auto const what : all_kinds)
    for (index_t const n : {run + 3, all - 2})
      check<TestType>(n, {.what = what, .in_place = in_place = !in_place});
}

using cluster_cases =
    std::tuple<cluster_case<std::uint16_t, numbers<std::uint16_t>, 2, 4, 4>,
               cluster_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 1, 8, 4, 64>,
               cluster_case<std::uint32_t, numbers<std::uint32_t>, 2, 4, 8>,
               cluster_case<std::uint32_t, numbers<std::uint32_t>, 4, 16, 2>,
               cluster_case<std::uint64_t, numbers<std::uint64_t>, 1, 4, 8>,
               cluster_case<double, sam::flipped_digits<numbers<double>>, 4, 4, 4>>;

TEMPLATE_LIST_TEST_CASE("few keys are sorted by a cluster on fibers", "[simt]", cluster_cases) {
  constexpr int of_block = TestType::run, all = TestType::block::size;
  bool in_place = false;
  for (index_t const n :
       std::set<index_t>{of_block + 1, 2 * of_block - 1, 2 * of_block, all / 2 + 1, all - 1, all})
    for (auto const what : all_kinds)
      check<TestType>(n, {.what = what, .in_place = in_place = !in_place});
}

template <class Key, class Digits, int Blocks, int Runs, int Warps, int Slots, int Warp = 32>
struct runs_case : cluster_case<Key, Digits, 1, 4, Blocks, Warp> {
  using cluster = sam::gpu::cluster_shape<1, 4, Blocks>;
  using runs = sam::gpu::merge_runs<simt::device<Warp>, typename runs_case::job,
                                    sam::gpu::runs_shape<cluster, Runs, Warps, Slots>>;
};

/// As the host does it: see cuda/sort_few.hpp.
template <class Case>
void check_runs(index_t n, options const& o) {
  using clusters = typename Case::block;
  using runs = typename Case::runs;
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, int(o.what), o.in_place);
  auto const keys = make_keys<typename Case::key>(n, o.what, seed);
  simt::sort_trial<Case> trial(keys, o, n / 2 % 2 == 0);
  REQUIRE(runs::takes(trial.job));
  auto order = trial.order();
  trial.sort(order.begin(), order.end());
  simt::fenced<typename Case::key> spare(std::vector<typename Case::key>(keys.size()), 1);
  simt::launcher<Case::warp_size> launch{seed};
  auto* const result = trial.job.sorted_keys;
  sam::gpu::sort_arguments<typename Case::job> first{};
  first.job = trial.job;
  first.job.sorted_keys = runs::rounds(n) % 2 == 0 ? result : spare.data();
  launch(
      int(runs::runs(n)) * clusters::most_blocks, clusters::most_threads, clusters::shared_bytes,
      [&] { clusters(first).run(); }, clusters::most_blocks);
  sam::gpu::runs_arguments<typename Case::job> next{first.job, runs::run_size};
  for (int round = 0; round != runs::rounds(n); ++round, next.length *= 2) {
    next.job.keys = next.job.sorted_keys;
    next.job.sorted_keys = next.job.keys == result ? spare.data() : result;
    launch(int(runs::blocks(n)), runs::threads, 0, [&] { runs(next).run(); });
  }
  trial.check(order);
  REQUIRE(spare.intact());
}

using runs_cases =
    std::tuple<runs_case<std::uint16_t, numbers<std::uint16_t>, 2, 8, 2, 4>,
               runs_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 2, 4, 1, 4, 64>,
               runs_case<std::uint32_t, numbers<std::uint32_t>, 4, 4, 2, 8>,
               runs_case<std::uint64_t, numbers<std::uint64_t>, 2, 8, 4, 4>,
               runs_case<double, sam::flipped_digits<numbers<double>>, 2, 4, 2, 8>>;

TEMPLATE_LIST_TEST_CASE("runs that clusters sorted are merged on fibers", "[simt]", runs_cases) {
  constexpr index_t run = TestType::runs::run_size, all = TestType::runs::size;
  bool in_place = false;
  for (index_t const n : std::set<index_t>{run + 1, 2 * run - 1, 2 * run, 2 * run + 1,
                                           2 * run + run / 2, 3 * run + 5, all - 1, all})
    for (auto const what : all_kinds)
      check_runs<TestType>(n, {.what = what, .in_place = in_place = !in_place});
}

TEST_CASE("only what says all of a key is sorted by comparisons", "[simt]") {
  using sam::gpu::merge_shape;
  auto const takes = []<class Job>(Job job) {
    return sam::gpu::merge_block<simt::device<32>, Job, merge_shape<2, 8>>::takes(job);
  };
  sam::sort_job<std::uint32_t, sam::no_values, numbers<std::uint32_t>> numbers_alone{};
  numbers_alone.n = 512;
  numbers_alone.end_bit = 32;
  REQUIRE(takes(numbers_alone));
  auto some = numbers_alone;
  some.begin_bit = 1;
  REQUIRE(!takes(some));
  some = numbers_alone;
  some.end_bit = 31;
  REQUIRE(!takes(some));
  some = numbers_alone;
  some.n = 513;
  REQUIRE(!takes(some));
  sam::sort_job<std::uint32_t, std::uint32_t, numbers<std::uint32_t>> pairs{};
  pairs.n = 512;
  pairs.end_bit = 32;
  REQUIRE(!takes(pairs));
  sam::sort_job<simt::record, sam::no_values, sam::user_digits<simt::by_number, simt::record>>
      records{};
  records.n = 512;
  records.end_bit = 16;
  REQUIRE(!takes(records));
}

}  // namespace
