// SPDX-License-Identifier: MIT
// Tests of the kernels that sort few keys in segments by offsets, run on fibers.
#include <sam/gpu/sort/segmented/blocks_per_segment.hpp>
#include <sam/gpu/sort/segmented/segment_groups.hpp>
#include <sam/gpu/sort/segmented/sort_by_counts.hpp>

#include "items.hpp"
#include "simt/sorts.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

namespace {

using sam::index_t;
using sam::gpu::ranking;
using simt::by_number, simt::numbers, simt::record;

template <class Key, class Value, class Digits, int Warp = 32, int Items = 16, int Bits = 8>
struct groups_case {
  using key = Key;
  using value = Value;
  using digits = Digits;
  using job = sam::engine::sort_job<Key, Value, Digits>;
  static constexpr int warp_size = Warp;
  using config = sam::gpu::sort_config<2, Items, Bits, 1>;
  using part = sam::gpu::sort_config<2, Items / 2, Bits, 1>;  // of a segment, in a cluster
};

struct options {
  bool are_few = false, in_place = false, of_indices = false;
  int begin_bit = 0, bits_left_out = 0;
  int of_part = 0;         // of a segment that teams sort; 0: clusters
  bool are_short = false;  // groups without digits
  ranking how = ranking::atomic;
};

/// Cuts offsets to the keys of a job. There are more keys and segments, then, of which groups read
/// and write none.
template <class Case>
struct cut_to_first {
  using job = typename Case::job;
  index_t first;
  job all;
  std::vector<std::int32_t> offsets;

  cut_to_first(job const& given, std::vector<std::int32_t> const& at)
      : first(given.n), all(given), offsets(at) {
    all.n += 40;
    for (int k = 1; k <= 5; ++k)
      offsets.push_back(at.back() + 8 * k);
  }
  sam::engine::cut_offsets<std::int32_t> cut() const { return {offsets.data(), all.n, &first}; }
};

/// Launches the kernels as a back end does.
template <class Case, class Offset = std::int32_t>
class sorter {
 public:
  using job = typename Case::job;
  using device = simt::device<Case::warp_size>;
  using groups = sam::gpu::segment_groups<device, job, Offset, typename Case::config>;
  using of_short = sam::gpu::segment_groups<device, job, Offset, typename Case::config, false>;
  using clusters = sam::gpu::sort_by_blocks<device, job, typename Case::part, false>;
  using teams = sam::gpu::sort_by_blocks<device, job, typename Case::part, true>;
  static constexpr int of_cluster = 4, of_grid = 5;
  static constexpr int longest = of_cluster * clusters::size;

  explicit sorter(std::uint64_t seed) : launch_(seed) {}

  /// Sorts long segments by clusters or, in parts of `of_part` items, by teams.
  void sort(job const& given, std::vector<std::int32_t> const& at, int group, int of_part = 0,
            ranking how = ranking::atomic, bool are_short = false) {
    if constexpr (std::is_same_v<Offset, std::int32_t>) {
      sort_by(given, at.data(), std::ssize(at) - 1, group, of_part, how, are_short);
    } else {
      cut_to_first<Case> const first(given, at);
      sort_by(first.all, first.cut(), std::ssize(first.offsets) - 1, group, of_part, how,
              are_short);
    }
  }
  std::uint32_t must_ballot() const { return must_ballot_; }

 private:
  void sort_by(job const& wanted, sam::engine::offsets_of_kernel<Offset> offsets, index_t segments,
               int group, int of_part, ranking how, bool are_short) {
    bool const are_teams = of_part > 0;
    index_t const parts = are_teams ? wanted.n / of_part : 0;
    int longest = are_short ? of_short::longest(wanted) : groups::longest(wanted);
    if (are_teams)
      longest = std::min(longest, of_part / 2);
    std::vector<sam::gpu::listed_part> listed(
        static_cast<std::size_t>(parts + wanted.n / (longest + 1)));
    sam::gpu::group_arguments<job, Offset> of_groups{wanted, offsets, segments, group, longest};
    of_groups.entries = listed.data();
    of_groups.most_entries = int(listed.size());
    of_groups.of_part = are_teams ? of_part : int(wanted.n);
    of_groups.most_parts = are_teams ? of_grid : 1;
    of_groups.shared = &control_;
    of_groups.ranks = {how, &must_ballot_};
    int const blocks = int(sam::engine::div_up(segments, group));
    if (are_short)
      launch_(blocks, of_short::threads, of_short::shared_bytes,
              [&] { of_short(of_groups).run(); });
    else
      launch_(blocks, groups::threads, groups::shared_bytes, [&] { groups(of_groups).run(); });
    std::vector<typename sam::gpu::radix_traits<job>::held_key> keys(
        static_cast<std::size_t>(wanted.n));
    std::vector<std::uint32_t> indices(keys.size()), counts(of_grid * teams::buckets);
    sam::gpu::listed_parts_arguments<job> of_long{};
    of_long.job = wanted;
    of_long.ranks = {how, &must_ballot_};
    of_long.entries = listed.data();
    of_long.most = int(listed.size());
    of_long.shared = &control_;
    of_long.buffer = keys.data();
    if constexpr (teams::has_tiles)
      of_long.keys_at[1] =
          reinterpret_cast<typename sam::gpu::radix_traits<job>::key*>(keys.data());
    of_long.original_indices = indices.data();
    of_long.counts = counts.data();
    if (are_teams)
      launch_(of_grid, teams::threads, teams::shared_bytes, [&] { teams(of_long).run(); });
    else
      launch_(
          2 * of_cluster, clusters::threads, clusters::shared_bytes,
          [&] { clusters(of_long).run(); }, of_cluster);
    sam::gpu::control const at_rest{};
    REQUIRE(std::memcmp(&control_, &at_rest, sizeof(at_rest)) == 0);
  }

  simt::launcher<Case::warp_size> launch_;
  sam::gpu::control control_{};
  std::uint32_t must_ballot_ = 0;
};

template <class Key>
std::vector<Key> make_keys(index_t n, bool are_few, std::uint64_t seed) {
  std::vector<Key> keys(static_cast<std::size_t>(n));
  std::mt19937_64 random(seed);
  for (Key& k : keys) {
    std::uint64_t word = random();
    if (are_few)
      word = word % 3 * 0x1101010101010111;
    std::memcpy(static_cast<void*>(&k), &word, std::min(sizeof(Key), sizeof(word)));
    if constexpr (std::is_same_v<Key, float>)
      k = static_cast<float>(static_cast<std::int64_t>(word)) * 1e-9f;
  }
  return keys;
}

template <class Case, class Offset = std::int32_t>
using counts_of = sam::gpu::sort_by_counts<simt::device<Case::warp_size>, typename Case::job,
                                           Offset, sam::gpu::count_config<2, 3000, 3>>;
/// Sorts segments of few keys by counts, as a back end does.
template <class Case, class Offset>
void sort_by_counts(typename Case::job const& job,
                    sam::engine::offsets_of_kernel<Offset> const& offsets, index_t segments,
                    index_t most_threads) {
  using counts = counts_of<Case, Offset>;
  simt::launcher<Case::warp_size> launch(test::seed_for(job.n));
  auto const a = counts::arguments_for(job, offsets, segments, most_threads);
  launch(int(counts::blocks_for(a)), counts::threads, counts::shared_bytes,
         [&] { counts(a).run(); });
}

template <class Case>
void sort_by_counts(typename Case::job const& job, std::vector<std::int32_t> const& offsets,
                    index_t most_threads) {
  sort_by_counts<Case, std::int32_t>(job, offsets.data(), std::ssize(offsets) - 1, most_threads);
}

template <class Case, class Offset>
void check(sorter<Case, Offset>& s, std::vector<index_t> const& lengths, int group,
           options const& o) {
  index_t const n = std::accumulate(lengths.begin(), lengths.end(), index_t{0});
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, lengths.size(), lengths[0], group, o.are_few, o.in_place, o.of_indices,
          o.begin_bit, o.bits_left_out, o.of_part, int(o.how), o.are_short);
  auto const keys = make_keys<typename Case::key>(n, o.are_few, seed);
  simt::sort_trial<Case> trial(keys, o, false);
  std::vector<std::int32_t> offsets{0};
  auto order = trial.order();
  for (index_t const length : lengths) {
    trial.sort(order.begin() + offsets.back(), order.begin() + offsets.back() + length);
    offsets.push_back(offsets.back() + static_cast<std::int32_t>(length));
  }
  s.sort(trial.job, offsets, group, o.of_part, o.how, o.are_short);
  trial.check(order);
}

using cut = sam::engine::cut_offsets<std::int32_t>;
using cases = std::tuple<
    groups_case<std::uint8_t, sam::no_values, numbers<std::uint8_t>, 32, 16, 4>,
    groups_case<std::uint32_t, sam::no_values, sam::flipped_digits<numbers<std::uint32_t>>>,
    groups_case<float, std::uint16_t, sam::flipped_digits<numbers<float>>, 64, 8, 5>,
    groups_case<std::uint64_t, std::uint32_t, numbers<std::uint64_t>>,
    groups_case<record, sam::no_values, sam::user_digits<by_number, record>>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("groups of segments are sorted on fibers", "[simt]", cases) {
  using Case = TestType;
  sorter<Case> s(test::seed_for(1));
  constexpr index_t size = sorter<Case>::groups::size;
  std::mt19937 random(7);
  std::vector<index_t> some, tiny(300, 2);
  for (int k = 0; k < 200; ++k)
    some.push_back(index_t(random() % 30) * (random() % 4));
  int turn = 0;  // each list and each size of groups occurs with both options
  for (std::vector<index_t> const& lengths :
       {std::vector<index_t>{1},
        {0, 0, 5, 0},
        {size},
        {70, 3, size - 73, 1, 2, 200, 0, 77},
        some,
        tiny,
        {3, size + 1, 5, sorter<Case>::longest, 0, 1, size, 2}})
    for (int const group : {1, 3, 64}) {
      bool const are_few = ++turn % 2 == 0;
      check(s, lengths, group, {.are_few = are_few, .in_place = are_few});
    }
  for (std::vector<index_t> const& lengths : {some, {7, size + 77, 9, 500}}) {
    check(s, lengths, 16, {.of_indices = true});
    check(s, lengths, 16, {.are_few = true, .in_place = true, .begin_bit = 2, .bits_left_out = 1});
    check(s, lengths, 16, {.begin_bit = 5, .bits_left_out = Case::digits::bits - 5});
  }
}

TEMPLATE_LIST_TEST_CASE("groups of segments of the first keys are sorted on fibers", "[simt]",
                        cases) {
  using Case = TestType;
  sorter<Case, cut> s(test::seed_for(1));
  constexpr index_t size = sorter<Case>::groups::size;
  for (std::vector<index_t> const& lengths :
       {std::vector<index_t>{1},
        {0, 0, 5, 0},
        {size},
        {70, 3, size - 73, 1, 2, 200, 0, 77},
        {3, size + 1, 5, sorter<Case>::longest, 0, 1, size, 2}})
    for (int const group : {1, 3, 64}) {
      check(s, lengths, group, {.in_place = group == 3});
      check(s, lengths, group, {.are_few = true, .of_indices = true});
    }
  constexpr int part = sorter<Case>::teams::size;
  check(s, {3, size + 1, 5, sorter<Case>::of_grid * part, 0, 1, 2, size + 77}, 3,
        {.of_part = part});
  check(s, {3, 129, 5, 1, 200, 2, 65, 70, 9}, 64,
        {.of_indices = true, .of_part = part, .are_short = true});
}

TEMPLATE_LIST_TEST_CASE("segments of few keys are sorted by counts on fibers", "[simt]", cases) {
  using Case = TestType;
  std::mt19937 random(11);
  std::vector<index_t> some{40};
  while (std::ssize(some) < counts_of<Case>::most_segments)
    some.push_back(index_t(random() % 8) * (random() % 4));
  for (std::vector<index_t> const& lengths :
       {std::vector<index_t>{1}, {0, 0, 5, 0}, {32, 32, 1, 63}, {3, 2000, 0, 7, 600, 1}, some})
    for (index_t const most_threads : {1, 6000})
      for (options const& o : {options{}, options{.are_few = true, .of_indices = true},
                               options{.are_few = true, .begin_bit = 2, .bits_left_out = 1}}) {
        index_t const n = std::accumulate(lengths.begin(), lengths.end(), index_t{0});
        CAPTURE(n, lengths.size(), most_threads, o.are_few);
        auto const keys = make_keys<typename Case::key>(n, o.are_few, test::seed_for(n));
        simt::sort_trial<Case> trial(keys, o, false);
        std::vector<std::int32_t> offsets{0};
        auto order = trial.order();
        for (index_t const length : lengths) {
          trial.sort(order.begin() + offsets.back(), order.begin() + offsets.back() + length);
          offsets.push_back(offsets.back() + static_cast<std::int32_t>(length));
        }
        sort_by_counts<Case>(trial.job, offsets, most_threads);
        trial.check(order);
        if (std::ssize(offsets) + 5 <= counts_of<Case>::most_segments) {
          simt::sort_trial<Case> again(keys, o, false);
          cut_to_first<Case> first(again.job, offsets);
          // The keys fill their allocation, so that a read of later ones is detected.
          std::vector<typename Case::key> const alone(again.job.keys, again.job.keys + n);
          first.all.keys = alone.data();
          sort_by_counts<Case, cut>(first.all, first.cut(), std::ssize(first.offsets) - 1,
                                    most_threads);
          again.check(order);
        }
      }
}

TEMPLATE_LIST_TEST_CASE("teams of blocks sort long segments on fibers", "[simt]", cases) {
  using Case = TestType;
  sorter<Case> s(test::seed_for(1));
  constexpr int size = sorter<Case>::groups::size, part = sorter<Case>::teams::size;
  std::vector<index_t> const some{3,  size + 1, 5, sorter<Case>::of_grid * part,
                                  0,  1,        2, size + 77,
                                  40, size * 2, 1, size + 200};
  check(s, some, 3, {.of_part = part});
  check(s, some, 64, {.are_few = true, .in_place = true, .of_part = part / 4 + 1});
  check(s, some, 5, {.of_part = part / 3, .how = ranking::force_fallback});
  check(s, {part}, 1, {.of_part = part});  // a team of one block
  auto shorter = some;
  for (index_t length = 1; length < 150; ++length)
    shorter.push_back(length);
  check(s, shorter, 64, {.of_part = part, .are_short = true});
  check(s, {3, 129, 5, 1, 200, 2, 65, 70, 9}, 64,
        {.of_indices = true, .of_part = part, .are_short = true});
  check(s, shorter, 7, {.are_few = true, .in_place = true, .of_part = part / 3, .are_short = true});
  check(
      s, shorter, 64,
      {.of_indices = true, .begin_bit = 2, .bits_left_out = 1, .of_part = part, .are_short = true});
  if constexpr (sorter<Case>::teams::has_tiles) {
    std::vector<index_t> const long_ones{9, sorter<Case>::of_grid * part * 2 + 77, 3,
                                         sorter<Case>::of_grid * part + 1};
    check(s, long_ones, 3, {.of_part = part});
    check(s, long_ones, 3, {.in_place = true, .of_part = part, .how = ranking::force_fallback});
  }
  check(s, some, 16, {.of_indices = true, .of_part = part / 3});
  check(s, some, 16,
        {.are_few = true, .in_place = true, .begin_bit = 2, .bits_left_out = 1, .of_part = part});
  simt::lanes_in_order = false;
  check(s, some, 16, {.of_part = part / 2});
  simt::lanes_in_order = true;
}

TEMPLATE_LIST_TEST_CASE("blocks for segments rank by ballots once additions were out of order",
                        "[simt]", cases) {
  using Case = TestType;
  constexpr int size = sorter<Case>::groups::size, part = sorter<Case>::teams::size;
  simt::unknown_order order;
  // Groups alone, then with clusters, teams and teams in tiles.
  struct trial {
    std::vector<index_t> lengths;
    int of_part;
    bool adds;  // keys with values, and of a caller's digits, are ranked by ballots there
  };
  constexpr bool adds = sorter<Case>::teams::has_tiles;
  for (trial const& t : {trial{{7, size - 20, 3}, 0, true}, trial{{size + 77}, 0, adds},
                         trial{{size + 200}, part / 3, adds},
                         trial{{sorter<Case>::of_grid * part * 2 + 77}, part, adds}}) {
    if (t.lengths[0] > sorter<Case>::longest && !adds)
      continue;
    sorter<Case> s(test::seed_for(t.of_part));
    order.set(true);
    check(s, t.lengths, 3, {.of_part = t.of_part});
    REQUIRE(s.must_ballot() == 0);
    order.set(false);
    for (int times = 0; times < 50 && t.adds && s.must_ballot() == 0; ++times)
      check(s, t.lengths, 3, {.in_place = times % 2 == 0, .of_part = t.of_part});
    REQUIRE(s.must_ballot() == (t.adds ? 1 : 0));
    check(s, t.lengths, 3, {.are_few = true, .of_part = t.of_part});
  }
}

TEST_CASE("offsets and digits that are wrong lead nowhere outside of the arrays on fibers",
          "[simt]") {
  using unsure = groups_case<std::uint32_t, std::uint64_t,
                             sam::user_digits<simt::unsure_number, std::uint32_t>>;
  using numbered = groups_case<std::uint32_t, sam::no_values, numbers<std::uint32_t>>;
  index_t const n = 5000, few = 2000;
  auto const keys = make_keys<std::uint32_t>(n, false, 3);
  sorter<unsure> s(test::seed_for(2));
  simt::sort_trial<unsure> const trial(keys, options{}, false);
  for (std::int32_t const length : {3, 500, 1500}) {
    std::vector<std::int32_t> offsets{0};
    while (offsets.back() < n)
      offsets.push_back(std::min(offsets.back() + length, std::int32_t(n)));
    s.sort(trial.job, offsets, 5);
    s.sort(trial.job, offsets, 5, 700);
    trial.check_fences();
  }
  std::mt19937 random(9);
  std::vector<std::int32_t> offsets(300);
  for (std::int32_t& offset : offsets)
    offset = static_cast<std::int32_t>(random() % 9000) - 2000;
  simt::sort_trial<numbered> const other(keys, options{}, false);
  sorter<numbered>(5).sort(other.job, offsets, 1);
  sorter<numbered>(6).sort(other.job, offsets, 1, 500);
  other.check_fences();
  std::vector<std::uint32_t> const some_keys(keys.begin(), keys.begin() + few);
  simt::sort_trial<unsure> const few_unsure(some_keys, options{}, false);
  sort_by_counts<unsure>(few_unsure.job, {0, 700, 701, 1990}, 6000);
  few_unsure.check_fences();
  simt::sort_trial<numbered> const few_others(some_keys, options{}, false);
  sort_by_counts<numbered>(few_others.job, offsets, 6000);
  few_others.check_fences();
}
