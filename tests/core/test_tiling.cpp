// SPDX-License-Identifier: MIT
// Tests the division of items into tiles, pieces and parts, and reversed jobs and operators.
#include <sam/backend/job.hpp>
#include <sam/backend/tiling.hpp>
#include <sam/host/scan/in_cache_scan.hpp>

#include <catch2/catch_test_macros.hpp>

#include <numeric>
#include <vector>

namespace {

using sam::index_t;

TEST_CASE("tiles cover all items once, and only the last may be shorter", "[tiling]") {
  for (index_t const size : {1, 2, 7, 64})
    for (index_t n = 1; n < 300; ++n) {
      CAPTURE(size, n);
      sam::engine::tiling const tiles{n, size};
      index_t covered = 0;
      for (index_t tile = 0; tile < tiles.tiles(); ++tile) {
        REQUIRE(tiles.begin(tile) == covered);
        REQUIRE(tiles.is_last(tile) == (tile + 1 == tiles.tiles()));
        REQUIRE((tiles.is_last(tile) ? tiles.count(tile) >= 1 && tiles.count(tile) <= size
                                     : tiles.count(tile) == size));
        covered += tiles.count(tile);
      }
      REQUIRE(covered == n);
    }
  REQUIRE(sam::engine::tiling{0, 5}.tiles() == 0);
}

TEST_CASE("tiles are counted in 64 bits", "[tiling]") {
  sam::engine::tiling const tiles{(index_t{1} << 40) + 1, 1 << 10};
  REQUIRE(tiles.tiles() == (index_t{1} << 30) + 1);
  REQUIRE(tiles.begin(index_t{1} << 30) == index_t{1} << 40);
  REQUIRE(tiles.count(index_t{1} << 30) == 1);
}

TEST_CASE("a tile size is the nearest multiple below, or one step", "[tiling]") {
  for (index_t const size : {1, 100, 4096})
    for (index_t step = 1; step < 5000; step += 7) {
      index_t const near = sam::engine::tile_size_near(size, step);
      CAPTURE(size, step, near);
      REQUIRE(near % step == 0);
      REQUIRE((near == step || near <= size));
      REQUIRE(near + step > size);
    }
}

TEST_CASE("greatest divisors and least multiples are those of the standard library", "[tiling]") {
  for (index_t a = 1; a < 60; ++a)
    for (index_t b = 1; b < 60; ++b) {
      REQUIRE(sam::engine::greatest_common_divisor(a, b) == std::gcd(a, b));
      REQUIRE(sam::engine::least_common_multiple(a, b) == std::lcm(a, b));
    }
}

TEST_CASE("division rounds up", "[tiling]") {
  REQUIRE(sam::engine::div_up(0, 4) == 0);
  REQUIRE(sam::engine::div_up(1, 4) == 1);
  REQUIRE(sam::engine::div_up(4, 4) == 1);
  REQUIRE(sam::engine::div_up(5, 4) == 2);
}

struct coarse_kernel {
  index_t step;
  index_t granule() const { return step; }
  index_t piece_granule() const { return step; }
};

TEST_CASE("host tiles and pieces are multiples of the kernel's granule", "[tiling]") {
  for (index_t const step : {1, 3, 1000, 1024, 40000}) {
    auto const config = sam::host::tile_config::of<int>(123456, coarse_kernel{step});
    CAPTURE(step);
    REQUIRE(config.tiles.n == 123456);
    REQUIRE(config.tiles.size % step == 0);
    REQUIRE(config.piece % step == 0);
    REQUIRE(config.piece <= config.tiles.size);
  }
}

TEST_CASE("parts cover all items once, all but the last in whole granules", "[tiling]") {
  for (index_t const n : {1, 5, 1000, 4096, 123457})
    for (int const workers : {1, 2, 3, 64})
      for (index_t const granule : {1, 7, 256}) {
        CAPTURE(n, workers, granule);
        auto const parts = sam::host::parting::of(n, workers, granule);
        if (!parts.has_all_parts()) {
          REQUIRE(n < (2 * workers + 1) * granule);
          continue;
        }
        REQUIRE(parts.begin(0) == 0);
        for (int p = 0; p < workers; ++p) {
          REQUIRE(parts.end(p) > parts.begin(p));
          REQUIRE(parts.end(p) == parts.begin(p + 1));
          REQUIRE(parts.end(p) % granule == 0);
        }
        REQUIRE(parts.end(workers) == n);
        REQUIRE(n - parts.begin(workers) >= parts.size);
      }
}

/// A job that records the order in which items are stored.
struct noting_job {
  using item = int;
  using accumulator = int;
  std::vector<index_t>* finished;
  int load(index_t i) const { return static_cast<int>(10 * i); }
  int to_accumulator(int x) const { return x + 1; }
  void store(index_t i, int, int) const { finished->push_back(i); }
};
static_assert(sam::engine::job<noting_job> && sam::engine::job<sam::engine::reversed<noting_job>>);

TEST_CASE("a reversed job goes from the last item to the first", "[tiling]") {
  std::vector<index_t> finished;
  sam::engine::reversed<noting_job> const job{{&finished}, 5};
  REQUIRE(job.load(0) == 40);
  REQUIRE(job.load(4) == 0);
  REQUIRE(job.to_accumulator(3) == 4);
  job.store(1, 0, 0);
  REQUIRE(finished == std::vector<index_t>{3});
}

struct take_left {
  static constexpr bool idempotent = true;
  int operator()(int a, int) const { return a; }
  int identity() const { return 9; }
};

TEST_CASE("a flipped operator swaps its operands and keeps its claims", "[tiling]") {
  auto const flipped = sam::engine::flip(take_left{});
  REQUIRE(flipped(1, 2) == 2);
  REQUIRE(sam::identity_of<int>(flipped) == 9);
  static_assert(sam::is_idempotent<std::remove_const_t<decltype(flipped)>>);
  static_assert(!sam::is_commutative<std::remove_const_t<decltype(flipped)>>);
  static_assert(std::is_same_v<decltype(sam::engine::flip(sam::plus{})), sam::plus>);
}

// Rounds may only be left out if they change nothing: if the scan is inclusive and the operator
// idempotent.
using minimum_4 = sam::scan_policy<sam::minimum, 4>;
static_assert(sam::engine::effective_order<minimum_4, sam::engine::bound::inclusive> == 1);
static_assert(sam::engine::effective_order<minimum_4, sam::engine::bound::exclusive> == 4);
static_assert(
    sam::engine::effective_order<sam::scan_policy<sam::plus, 4>, sam::engine::bound::inclusive> ==
    4);

}  // namespace
