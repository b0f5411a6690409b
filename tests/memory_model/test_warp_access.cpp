// SPDX-License-Identifier: MIT
// Tests how accesses of a warp are counted: wavefronts of shared memory, sectors of global memory.
#include "model/prediction.hpp"
#include "model/warp_access.hpp"
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <numeric>

namespace {

using namespace memory_model;
using strides = std::pair<std::int64_t, std::int64_t>;

std::vector<lane_access> strided(int stride_bytes, int bytes, int lanes = warp_lanes,
                                 std::uint64_t first = 0) {
  std::vector<lane_access> all;
  for (int lane = 0; lane < lanes; ++lane)
    all.push_back({lane, first + std::uint64_t(lane) * std::uint64_t(stride_bytes), bytes});
  return all;
}

TEST_CASE("words of a stride conflict as often as the stride and the banks have common factors",
          "[model]") {
  for (int stride = 1; stride <= 200; ++stride) {
    CAPTURE(stride);
    CHECK(wavefronts(strided(4 * stride, 4)) == std::gcd(stride, banks));
    CHECK(fewest_wavefronts(strided(4 * stride, 4)) == 1);
  }
}

TEST_CASE("lanes that read the same word are served together, unless in turn", "[model]") {
  CHECK(wavefronts(strided(0, 4)) == 1);
  CHECK(wavefronts(strided(1, 1)) == 1);
  CHECK(wavefronts(strided(2, 2)) == 1);
  CHECK(wavefronts(strided(0, 4), same_word::in_turn) == 32);
  CHECK(wavefronts(strided(4, 4), same_word::in_turn) == 1);
  CHECK(wavefronts(strided(2, 2), same_word::in_turn) == 2);
}

TEST_CASE("wide accesses are served by half warps and quarter warps", "[model]") {
  CHECK(wavefronts(strided(8, 8)) == 2);
  CHECK(wavefronts(strided(16, 16)) == 4);
  CHECK(fewest_wavefronts(strided(16, 16)) == 4);
  CHECK(wavefronts(strided(16, 8)) == 4);  // each half warp needs every second pair of banks
  CHECK(wavefronts(strided(24, 8)) == 2);  // 3 pairs of words: coprime to 16 pairs of banks
  CHECK(wavefronts(strided(128, 8)) == 32);
  CHECK(wavefronts(strided(8, 8, 16)) == 1);
  CHECK(fewest_wavefronts(strided(16, 16, 9)) == 2);
  CHECK(wavefronts({}) == 0);
  CHECK(fewest_wavefronts({}) == 0);
}

TEST_CASE("sectors are counted once, however many lanes need them", "[model]") {
  CHECK(sectors(strided(4, 4)) == 4);
  CHECK(sectors(strided(4, 4, 32, 4)) == 5);  // not aligned
  CHECK(fewest_sectors(strided(4, 4, 32, 4)) == 4);
  CHECK(sectors(strided(0, 4)) == 1);
  CHECK(sectors(strided(32, 4)) == 32);
  CHECK(fewest_sectors(strided(32, 4)) == 4);
  CHECK(sectors(strided(16, 16)) == 16);
  CHECK(fewest_sectors(strided(1, 4)) == 2);  // the lanes' bytes overlap: 35 in all
  CHECK(sectors({}) == 0);
}

TEST_CASE("patterns access the items that they should", "[model]") {
  // Blocked: one lane's items follow one another, and lanes are a stride apart.
  std::vector<std::uint64_t> addresses;
  for_each_access({access_pattern::blocked, 4, 2, 5}, [&](auto const& lanes) {
    CHECK(lanes.size() == 32);
    addresses.insert(addresses.end(), {lanes[0].address, lanes[1].address, lanes[31].address});
  });
  CHECK(addresses == std::vector<std::uint64_t>{0, 20, 620, 4, 24, 624});
  addresses.clear();
  for_each_access({access_pattern::striped, 4, 2, 3}, [&](auto const& lanes) {
    addresses.insert(addresses.end(), {lanes[0].address, lanes[1].address});
  });
  CHECK(addresses == std::vector<std::uint64_t>{0, 12, 384, 396});
  // Items of 12 bytes take three accesses.
  CHECK(predict({access_pattern::striped, 12, 2, 1}).requests == 6);
  CHECK(predict({access_pattern::striped, 3, 1, 1}).requests == 3);
}

TEST_CASE("counts of patterns add up those of their accesses", "[model]") {
  auto const contiguous = predict({access_pattern::striped, 4, 10, 1});
  CHECK(contiguous.items == 320);
  CHECK(contiguous.wavefronts == 10);
  CHECK(contiguous.sectors == 40);
  CHECK(contiguous.fewest_sectors == 40);
  auto const blocked = predict({access_pattern::blocked, 4, 48, 48});
  CHECK(blocked.wavefronts == 48 * 16);
  CHECK(blocked.fewest_wavefronts == 48);
  CHECK(blocked.sectors == 48 * 32);
  CHECK(predict({access_pattern::blocked, 4, 48, 49}).wavefronts == 48);
  // 32 balls in 32 bins: the fullest holds 3.5 on average.
  auto const random = predict({access_pattern::random, 4, 2000, 1});
  CHECK(std::abs(double(random.wavefronts) / 2000 - 3.53) < 0.05);
}

TEST_CASE("the good strides next to a stride have the fewest conflicts", "[model]") {
  for (std::int64_t const bytes : {1, 2, 3, 4, 8, 12, 16, 24, 32})
    for (std::int64_t stride = 1; stride <= 70; stride += stride % 8 < 2 ? 1 : 3) {
      CAPTURE(bytes, stride);
      auto const wavefronts_at = [&](std::int64_t s) {
        return predict({access_pattern::blocked, bytes, 4, s}).wavefronts;
      };
      auto const good = good_strides_near({access_pattern::blocked, bytes, 4, stride});
      CHECK((good.below <= stride && stride <= good.above));
      auto const fewest = wavefronts_at(good.above);
      CHECK((good.below == 0 || wavefronts_at(good.below) <= fewest));
      for (auto s = good.below + 1; s < good.above; ++s)
        CHECK(wavefronts_at(s) > fewest);
      auto const free = predict({access_pattern::blocked, bytes, 4, 1}).fewest_wavefronts;
      CHECK(good.are_conflict_free == (fewest == free));
      CHECK(good.are_conflict_free == (bytes != 32));  // halves of items are an even stride apart
    }
}

TEST_CASE("the items of a thread that scans use are good strides", "[model]") {
  auto const near = [](std::int64_t bytes, std::int64_t stride) {
    auto const good = good_strides_near({access_pattern::blocked, bytes, stride, stride});
    return std::pair(good.below, good.above);
  };
  CHECK(near(4, 53) == strides(53, 53));
  CHECK(near(4, 52) == strides(51, 53));
  CHECK(near(4, 48) == strides(47, 49));
  CHECK(near(8, 25) == strides(25, 25));
  CHECK(near(8, 17) == strides(17, 17));
}

}  // namespace
