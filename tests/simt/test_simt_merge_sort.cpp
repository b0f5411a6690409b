// SPDX-License-Identifier: MIT
// Tests of the merge sort kernels, run on fibers: by one block, by a cluster, and by several
// clusters or blocks whose sorted runs are merged.
#include <sam/gpu/sort/merge/global_merge.hpp>

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

template <class Key, class Digits, int Warps, int Slots, int Warp = 32,
          class Value = sam::no_values>
struct merge_case {
  using key = Key;
  using value = Value;
  using digits = Digits;
  using job = sam::engine::sort_job<Key, Value, Digits>;
  static constexpr int warp_size = Warp;
  using block = sam::gpu::block_merge_sort<simt::device<Warp>, job,
                                           sam::gpu::block_merge_config<Warps, Slots>>;
  static constexpr int run = Warp * Slots;
  static int blocks(index_t) { return 1; }
  static int threads(index_t n) { return block::threads(n); }
  static int shared_bytes(index_t n) { return block::shared_bytes(n); }
};
template <class Key, class Digits, int Warps, int Slots, int Blocks, int Warp = 32,
          class Value = sam::no_values>
struct cluster_case : merge_case<Key, Digits, Warps, Slots, Warp, Value> {
  using block =
      sam::gpu::cluster_merge_sort<simt::device<Warp>, sam::engine::sort_job<Key, Value, Digits>,
                                   sam::gpu::cluster_merge_config<Warps, Slots, Blocks>>;
  static constexpr int run = Warp * Slots * Warps;
  static int blocks(index_t n) { return block::blocks(n); }
  static int threads(index_t) { return block::most_threads; }
  static int shared_bytes(index_t) { return block::shared_bytes; }
};

/// A key whose digits cover only a part of it, so that equal keys can be told apart.
struct long_record {
  std::uint32_t number;
  std::uint32_t mark;
};
struct by_long_number {
  SAM_FUNCTION std::uint32_t operator()(long_record const& r) const { return r.number; }
};
using long_digits = sam::user_digits<by_long_number, long_record>;

enum class keys_are { random, few, sorted, reversed, equal, skewed, first_or_last, last };
constexpr keys_are all_kinds[] = {keys_are::random,        keys_are::few,   keys_are::sorted,
                                  keys_are::reversed,      keys_are::equal, keys_are::skewed,
                                  keys_are::first_or_last, keys_are::last};

/// The kinds that not all sizes have.
constexpr keys_are other_kinds[] = {keys_are::sorted, keys_are::reversed, keys_are::equal,
                                    keys_are::skewed, keys_are::first_or_last};

/// Returns random keys of a kind. Runs are padded with the last ordered key, or with the first one
/// in the opposite order. So some kinds of keys equal the padding.
template <class Key>
std::vector<Key> make_keys(index_t n, keys_are what, std::uint64_t seed) {
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
    if constexpr (std::is_same_v<Key, long_record>)
      keys.push_back({static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(i)});
    else
      keys.push_back(numbers<Key>::key_of(static_cast<typename numbers<Key>::ordered_key>(bits)));
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
  CAPTURE(n, seed, int(o.what), o.in_place, o.of_indices, o.begin_bit, o.bits_left_out);
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
               merge_case<double, sam::flipped_digits<numbers<double>>, 8, 4>,
               merge_case<std::uint32_t, numbers<std::uint32_t>, 4, 4, 32, std::uint32_t>,
               merge_case<float, sam::flipped_digits<numbers<float>>, 2, 8, 64, std::uint64_t>,
               merge_case<long_record, long_digits, 4, 8>>;

/// Cycles through the ways to sort a case: in place or not. Numbered cases also do argsorts and
/// sorts by some of the bits.
template <class Case>
class turns {
 public:
  options next(keys_are what) {
    ++turn_;
    options o{.what = what, .in_place = turn_ % 2 == 0};
    if constexpr (sam::gpu::merge_keys<typename Case::job>::are_numbered) {
      o.of_indices = turn_ % 3 == 0;
      o.begin_bit = turn_ % 5 == 0 ? 3 : 0;
      o.bits_left_out = turn_ % 7 == 0 ? 2 : 0;
    }
    return o;
  }

 private:
  int turn_ = 0;
};

TEMPLATE_LIST_TEST_CASE("few keys are sorted by comparisons on fibers", "[simt]", cases) {
  constexpr int warp = TestType::warp_size, run = TestType::run, all = TestType::block::size;
  turns<TestType> turn;
  for (index_t const n : std::set<index_t>{1, 2, warp - 1, warp, warp + 1, run - 1, run, run + 1,
                                           2 * run - 1, 2 * run, all / 2 + 1, all - 1, all})
    for (auto const what : {keys_are::random, keys_are::few, keys_are::last})
      check<TestType>(n, turn.next(what));
  for (auto const what : all_kinds)
    check<TestType>(run + 3, turn.next(what));
  for (auto const what : other_kinds)
    check<TestType>(all - 2, turn.next(what));
}

using cluster_cases =
    std::tuple<cluster_case<std::uint16_t, numbers<std::uint16_t>, 2, 4, 4>,
               cluster_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 1, 8, 4, 64>,
               cluster_case<std::uint32_t, numbers<std::uint32_t>, 2, 4, 8>,
               cluster_case<std::uint32_t, numbers<std::uint32_t>, 4, 16, 2>,
               cluster_case<std::uint64_t, numbers<std::uint64_t>, 1, 4, 8>,
               cluster_case<double, sam::flipped_digits<numbers<double>>, 4, 4, 4>,
               cluster_case<std::int32_t, numbers<std::int32_t>, 2, 4, 8, 32, float>,
               cluster_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 1, 8, 4, 64,
                            std::uint16_t>,
               cluster_case<long_record, long_digits, 2, 4, 4, 32, std::uint64_t>>;

TEMPLATE_LIST_TEST_CASE("few keys are sorted by a cluster on fibers", "[simt]", cluster_cases) {
  constexpr int of_block = TestType::run, all = TestType::block::size;
  turns<TestType> turn;
  for (index_t const n : std::set<index_t>{of_block + 1, 2 * of_block - 1, 2 * of_block, all - 1})
    for (auto const what : {keys_are::random, keys_are::few, keys_are::last})
      check<TestType>(n, turn.next(what));
  for (auto const what : all_kinds)
    for (index_t const n : {all / 2 + 1, all})
      check<TestType>(n, turn.next(what));
}

template <class Key, class Digits, int Blocks, int Runs, int Warps, int Slots, int Warp = 32,
          class Value = sam::no_values>
struct runs_case : cluster_case<Key, Digits, 1, 4, Blocks, Warp, Value> {
  using cluster = sam::gpu::cluster_merge_config<1, 4, Blocks>;
  using runs = sam::gpu::global_merge<simt::device<Warp>, typename runs_case::job,
                                      sam::gpu::global_merge_config<cluster, Runs, Warps, Slots>>;
};
/// Each run is sorted by a block of `OfBlock` warps with `Items` items in a lane.
template <class Key, class Digits, int OfBlock, int Items, int Runs, int Warps, int Slots,
          int Warp = 32>
struct block_runs_case : merge_case<Key, Digits, OfBlock, Items, Warp> {
  using config = sam::gpu::cluster_merge_config<OfBlock, Items, 1>;
  using sorting =
      sam::gpu::block_run_sort<simt::device<Warp>, typename block_runs_case::job, config>;
  using runs = sam::gpu::global_merge<simt::device<Warp>, typename block_runs_case::job,
                                      sam::gpu::global_merge_config<config, Runs, Warps, Slots>>;
};

/// Launches the kernels as the host does: see launch/sort/few_keys.hpp.
template <class Case>
void check_runs(index_t n, options const& o) {
  using runs = typename Case::runs;
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, int(o.what), o.in_place, o.of_indices, o.begin_bit, o.bits_left_out);
  auto const keys = make_keys<typename Case::key>(n, o.what, seed);
  simt::sort_trial<Case> trial(keys, o, n / 2 % 2 == 0);
  REQUIRE(runs::takes(trial.job));
  auto job = trial.job;
  auto const copies = runs::layout(job);
  bool const may_copy = runs::are_numbered && o.in_place;
  bool const tell_keys =
      sam::gpu::is_one_to_one<typename Case::digits> && o.begin_bit == 0 && o.bits_left_out == 0;
  REQUIRE((copies.keys >= 0) == (may_copy && !tell_keys));
  REQUIRE((copies.values >= 0) == (may_copy && Case::job::has_values && !o.of_indices));
  REQUIRE(runs::workspace(trial.job) >= copies.bytes);
  std::vector<typename Case::key> const keys_before(job.keys, job.keys + n);
  if (copies.keys >= 0)
    job.keys = keys_before.data();
  std::vector<typename Case::value> values_before;
  if (copies.values >= 0) {
    values_before.assign(job.values, job.values + n);
    job.values = values_before.data();
  }
  auto order = trial.order();
  trial.sort(order.begin(), order.end());
  using stored = typename runs::stored;
  simt::fenced<stored> spare(std::vector<stored>(keys.size()), 1), other(spare);
  stored* in_turns[] = {spare.data(), other.data()};
  if constexpr (!runs::are_numbered)
    in_turns[1] = job.sorted_keys;
  simt::launcher<Case::warp_size> launch{seed};
  int left = runs::rounds(n);
  sam::gpu::sort_arguments<typename Case::job> first{};
  first.job = job;
  first.runs = in_turns[left % 2 == 0];
  if constexpr (requires { typename Case::sorting; }) {
    using sorting = typename Case::sorting;
    launch(int(runs::runs(n)), sorting::most_threads, sorting::shared_bytes,
           [&] { sorting(first).run(); });
  } else {
    using clusters = typename Case::block;
    launch(
        int(runs::runs(n)) * clusters::most_blocks, clusters::most_threads, clusters::shared_bytes,
        [&] { clusters(first).run(); }, clusters::most_blocks);
  }
  sam::gpu::runs_arguments<typename Case::job> next{job, nullptr, static_cast<stored*>(first.runs),
                                                    runs::run_size};
  for (; left != 0; next.length *= 2) {
    next.from = next.to;
    next.to = --left == 0 ? nullptr : in_turns[left % 2 == 0];
    launch(int(runs::blocks(n)), runs::threads, 0, [&] { runs(next).run(); });
  }
  trial.check(order);
  REQUIRE((spare.intact() && other.intact()));
}

using runs_cases =
    std::tuple<runs_case<std::uint16_t, numbers<std::uint16_t>, 2, 8, 2, 4>,
               runs_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 2, 4, 1, 4, 64>,
               runs_case<std::uint32_t, numbers<std::uint32_t>, 4, 4, 2, 8>,
               runs_case<std::uint64_t, numbers<std::uint64_t>, 2, 8, 4, 4>,
               runs_case<double, sam::flipped_digits<numbers<double>>, 2, 4, 2, 8>,
               runs_case<float, numbers<float>, 2, 8, 4, 4, 32, std::int64_t>,
               runs_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 2, 4, 1, 8, 64,
                         std::uint16_t>,
               runs_case<long_record, long_digits, 2, 4, 2, 8>>;

TEMPLATE_LIST_TEST_CASE("runs that clusters sorted are merged on fibers", "[simt]", runs_cases) {
  constexpr index_t run = TestType::runs::run_size, all = TestType::runs::size;
  turns<TestType> turn;
  for (index_t const n :
       std::set<index_t>{run + 1, 2 * run - 1, 2 * run, 2 * run + 1, 2 * run + run / 2, all - 1})
    for (auto const what : {keys_are::random, keys_are::few, keys_are::last})
      check_runs<TestType>(n, turn.next(what));
  for (auto const what : all_kinds)
    for (index_t const n : std::set<index_t>{std::min(3 * run + 5, all - 2), all})
      check_runs<TestType>(n, turn.next(what));
}

using block_runs_cases = std::tuple<
    block_runs_case<std::uint32_t, numbers<std::uint32_t>, 2, 4, 4, 2, 8>,
    block_runs_case<float, numbers<float>, 4, 4, 8, 4, 4>,
    block_runs_case<std::int32_t, sam::flipped_digits<numbers<std::int32_t>>, 2, 4, 4, 1, 8, 64>>;

TEMPLATE_LIST_TEST_CASE("runs that blocks sorted are merged on fibers", "[simt]",
                        block_runs_cases) {
  constexpr index_t run = TestType::runs::run_size, all = TestType::runs::size;
  turns<TestType> turn;
  for (index_t const n : {run + 1, 2 * run - 1, 2 * run, 2 * run + 1, 3 * run, all - 1})
    for (auto const what : {keys_are::random, keys_are::few, keys_are::last})
      check_runs<TestType>(n, turn.next(what));
  for (auto const what : all_kinds)
    for (index_t const n : {3 * run + 5, all})
      check_runs<TestType>(n, turn.next(what));
}

// The sizes that devices without clusters sort in this way.
TEST_CASE("runs of 4,096 keys are sorted by blocks and merged on fibers", "[simt]") {
  using as_there = block_runs_case<float, numbers<float>, 8, 16, 64, 4, 8>;
  turns<as_there> turn;
  for (index_t const n : {4095, 4096})
    check<as_there>(n, turn.next(keys_are::random));
  for (index_t const n : {4097, 8191, 8192, 8193, 12288, 16385})
    for (auto const what : {keys_are::random, keys_are::few})
      check_runs<as_there>(n, turn.next(what));
  check_runs<as_there>(1 << 18, turn.next(keys_are::random));
  as_there::job job{};
  job.end_bit = 32;
  for (index_t const n : {4096, (1 << 18) + 1}) {
    job.n = n;
    REQUIRE(!as_there::runs::takes(job));
  }
}

TEST_CASE("what fits two registers is sorted by comparisons", "[simt]") {
  using sam::gpu::block_merge_config;
  auto const takes = []<class Job>(Job job) {
    return sam::gpu::block_merge_sort<simt::device<32>, Job, block_merge_config<2, 8>>::takes(job);
  };
  sam::engine::sort_job<std::uint32_t, sam::no_values, numbers<std::uint32_t>> numbers_alone{};
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
  sam::engine::sort_job<std::uint32_t, std::uint32_t, numbers<std::uint32_t>> pairs{};
  pairs.n = 512;
  pairs.end_bit = 32;
  REQUIRE(takes(pairs));
  pairs.begin_bit = 15;
  REQUIRE(takes(pairs));
  pairs.begin_bit = 16;  // two digits
  REQUIRE(!takes(pairs));
  sam::engine::sort_job<std::uint64_t, std::uint32_t, numbers<std::uint64_t>> long_pairs{};
  long_pairs.n = 512;
  long_pairs.end_bit = 64;
  REQUIRE(!takes(long_pairs));
  sam::engine::sort_job<simt::record, sam::no_values,
                        sam::user_digits<simt::by_number, simt::record>>
      records{};
  records.n = 512;
  records.end_bit = 16;
  REQUIRE(!takes(records));
}

}  // namespace
