// SPDX-License-Identifier: MIT
// Tests how accesses of a warp are counted: wavefronts of shared memory, sectors of global memory.
#include "model/stride.hpp"
#include "model/warp_access.hpp"
#include <catch2/catch_test_macros.hpp>

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

TEST_CASE("the good strides next to a stride have no conflicts", "[model]") {
  for (int bytes : {1, 2, 4, 8, 16})
    for (int stride = 1; stride <= 130; ++stride) {
      CAPTURE(bytes, stride);
      auto const is_good = [&](std::int64_t s) {
        auto const all = strided(int(s) * bytes, bytes);
        return wavefronts(all) == fewest_wavefronts(all);
      };
      auto const [below, above] = good_strides(bytes, stride);
      CHECK((below == 0 || is_good(below)));
      CHECK(is_good(above));
      CHECK((below <= stride && stride <= above));
      for (std::int64_t s = below + 1; s < above; ++s)
        CHECK((s == stride ? below < above : !is_good(s)));
    }
}

TEST_CASE("the items of a thread that a scan of int32 uses are good strides", "[model]") {
  CHECK(good_strides(4, 53) == strides(53, 53));
  CHECK(good_strides(4, 52) == strides(51, 53));
  CHECK(good_strides(4, 48) == strides(47, 49));
  CHECK(good_strides(8, 25) == strides(25, 25));
}

}  // namespace
