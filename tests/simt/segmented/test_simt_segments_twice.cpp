// SPDX-License-Identifier: MIT
// Tests of the two kernels that reduce segments, on fibers.
#include <sam/find_by_key.hpp>
#include <sam/gpu/few_items/segments_twice.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_reduce.hpp>

#include "items.hpp"
#include "job_kinds.hpp"
#include "simt/context.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace {

using sam::index_t;
using sam::gpu::segments_config;
using maps = test::heisenberg<std::uint32_t>;
using product = test::heisenberg_product;

/// An execution context on fibers that reduces segments by two kernels.
template <int Warp, class Config = segments_config<3, 4, 1>>
class twice_context : public simt::context<Warp> {
  using base = simt::context<Warp>;

 public:
  static constexpr int tile_items = Config::warps * Config::items * Warp;

  explicit twice_context(std::uint64_t seed) : base(3, seed), seed_(seed) {}
  /// The number of reductions of segments by two kernels.
  int reductions() const { return reductions_; }

  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::limiting_first<Job>) {  // as launches do
      run(n, job.marked(), policy);
    } else if constexpr (sam::engine::reducing_segments<Job>) {
      using kernels = sam::gpu::segments_twice<simt::device<Warp>, Job, Policy, Config>;
      using traits = sam::gpu::policy_traits<simt::device<Warp>, typename Job::accumulator, Policy>;
      typename kernels::arguments const arguments{
          job, policy, n,
          sam::gpu::power_tables<traits>::make(index_t{Config::items}, Config::warps), &memory_};
      simt::grid g = this->conditions;
      int const tiles = static_cast<int>(sam::engine::div_up(n, index_t{kernels::tile_items}));
      g.warps = Config::warps;
      g.warp_size = Warp;
      g.shared_bytes = kernels::shared_bytes;
      g.seed = seed_ + static_cast<std::uint64_t>(reductions_++);
      g.blocks = tiles - 1;
      if (tiles > 1)
        simt::launch(g, [&] { kernels(arguments).sum(); });
      g.blocks = tiles;
      simt::launch(g, [&] { kernels(arguments).reduce(); });
    } else {
      base::run(n, job, policy);
    }
  }

 private:
  std::uint64_t seed_;
  int reductions_ = 0;
  sam::gpu::exchange_memory memory_{};
};

/// Segments of few items and of many, as items with keys.
struct segments {
  explicit segments(std::size_t n, std::size_t many) {
    std::mt19937 random(5);
    for (std::size_t i = 0, left = 0; i < n; ++i, --left) {
      if (left == 0) {
        left = 1 + random() % (random() % 20 == 0 ? many : 12);
        begins.push_back(i);
      }
      keys.push_back(static_cast<std::uint32_t>(begins.back()));
      numbers.push_back(static_cast<std::int32_t>(random() % 7));
    }
    begins.push_back(n);
  }
  /// Returns of(first, last) of the numbers of each segment.
  template <class Of>
  auto each(Of const& of) const {
    std::vector<decltype(of(numbers.begin(), numbers.begin()))> results;
    for (std::size_t s = 0; s + 1 < begins.size(); ++s)
      results.push_back(of(numbers.begin() + static_cast<std::ptrdiff_t>(begins[s]),
                           numbers.begin() + static_cast<std::ptrdiff_t>(begins[s + 1])));
    return results;
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::int32_t> numbers;
  std::vector<std::size_t> begins;
};

}  // namespace

TEMPLATE_TEST_CASE("segments reduced by two kernels on fibers are those of a plain loop", "[simt]",
                   (twice_context<32>), (twice_context<64>),
                   (twice_context<32, segments_config<1, 1, 1>>)) {
  TestType context(7);
  constexpr int tile = TestType::tile_items;
  for (int const n : {1, tile - 1, tile, tile + 1, 2 * tile, 5 * tile - 3, 8191, 32 * tile + 1,
                      33 * tile, std::min(256 * tile, 20000)}) {
    CAPTURE(n);
    auto const size = static_cast<std::size_t>(n);
    segments const in(size, 1500);
    auto const runs = static_cast<index_t>(in.begins.size()) - 1;
    std::span<std::uint32_t const> const by(in.keys);
    std::span<std::int32_t const> const numbers(in.numbers);
    std::vector<std::uint32_t> firsts(size), places(size);
    auto const first_keys = in.each(
        [&](auto begin, auto) { return static_cast<std::uint32_t>(begin - in.numbers.begin()); });
    auto const expect = [&](index_t count, auto found, auto const& expected) {
      REQUIRE(count == runs);
      found.resize(expected.size());
      REQUIRE(found == expected);
      firsts.resize(first_keys.size());
      REQUIRE(firsts == first_keys);
      firsts.assign(size, 0);
    };
    int const before = context.reductions();
    index_t count = sam::argmax_by_key(context, by, numbers, std::span(firsts), std::span(places));
    expect(count, places, in.each([&](auto begin, auto end) {
      return static_cast<std::uint32_t>(std::max_element(begin, end) - in.numbers.begin());
    }));
    std::vector<std::int32_t> sums(size);
    count = sam::reduce_by_key(context, by, numbers, std::span(firsts), std::span(sums));
    expect(count, sums, in.each([](auto begin, auto end) {
      return std::accumulate(begin, end, std::int32_t{0});
    }));
    std::vector<std::int32_t> lengths(size);
    count = sam::run_length_encode(context, by, std::span(firsts), std::span(lengths));
    expect(count, lengths,
           in.each([](auto begin, auto end) { return static_cast<std::int32_t>(end - begin); }));
    std::vector<std::uint8_t> sorted(size);
    count = sam::is_sorted_by_key(context, by, numbers, std::span(firsts), std::span(sorted));
    expect(count, sorted, in.each([](auto begin, auto end) {
      return static_cast<std::uint8_t>(std::is_sorted(begin, end));
    }));
    REQUIRE(context.reductions() == before + 4);
  }
}

TEST_CASE("two kernels on fibers combine the items of segments in order", "[simt]") {
  twice_context<32> context(3);
  auto const items = test::random_items<maps>(3001, test::seed_for(3001));
  segments const in(items.size(), 1500);
  std::vector<maps> found(items.size()), expected;
  std::vector<std::uint32_t> firsts(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    if (in.keys[i] == i)
      expected.push_back(items[i]);
    else
      expected.back() = product{}(expected.back(), items[i]);
  index_t const count = sam::reduce_by_key(context, std::span<std::uint32_t const>(in.keys),
                                           std::span<maps const>(items), std::span(firsts),
                                           std::span(found), product{});
  REQUIRE(context.reductions() == 1);
  REQUIRE(count == static_cast<index_t>(expected.size()));
  found.resize(expected.size());
  REQUIRE(found == expected);
}

TEST_CASE("two kernels on fibers take a number of items from memory", "[simt]") {
  twice_context<32> context(3);
  segments const in(3001, 1500);
  for (int const first : {0, 1, 384, 385, 2000, 3000, 3001}) {
    CAPTURE(first);
    std::vector<int> const number{first};
    std::vector<std::int32_t> sums(in.numbers.size()), expected;
    std::vector<std::uint32_t> firsts(in.numbers.size());
    std::vector<int> runs(1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(first); ++i)
      if (in.keys[i] == i)
        expected.push_back(in.numbers[i]);
      else
        expected.back() += in.numbers[i];
    sam::reduce_by_key(context, sam::counted(in.keys, number), in.numbers, firsts, sums, runs);
    REQUIRE(runs[0] == static_cast<int>(expected.size()));
    sums.resize(expected.size());
    REQUIRE(sums == expected);
  }
}
