// SPDX-License-Identifier: MIT
// Tests of the kernel that finds the first keys of segments, run on fibers.
#include <sam/gpu/segmented/select_by_block.hpp>
#include <sam/gpu/segmented/select_by_warp.hpp>
#include <sam/gpu/segmented/select_in_segments.hpp>

#include "simt/sorts.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <tuple>
#include <vector>

namespace {

using sam::index_t;

template <class Key, int Warp>
struct select_case {
  using key = Key;
  static constexpr int warp_size = Warp;
};

struct rows_at {
  index_t const* offsets;
  index_t begin(index_t row) const { return offsets[row]; }
  index_t end(index_t row) const { return offsets[row + 1]; }
};
struct put_index {
  index_t* out;
  void operator()(index_t to, index_t from) const { out[to] = from; }
};

enum class keys_are { random, few, equal, descending, ascending };

template <class Key>
std::vector<Key> make_keys(index_t n, keys_are what, std::uint64_t seed) {
  using ordered = typename sam::number_digits<Key>::ordered_key;
  std::vector<Key> keys;
  std::mt19937_64 random(seed);
  for (index_t i = 0; i < n; ++i) {
    auto x = static_cast<ordered>(random());
    if (what == keys_are::few)
      x = static_cast<ordered>(x % 3 * 0x5555'5555'5555'5555u);  // all ones, too
    else if (what == keys_are::equal)
      x = static_cast<ordered>(~ordered{0});
    else if (what == keys_are::descending)
      x = static_cast<ordered>(n - i);
    else if (what == keys_are::ascending)
      x = static_cast<ordered>(i);
    keys.push_back(sam::number_digits<Key>::key_of(x));
  }
  return keys;
}

TEMPLATE_TEST_CASE("a block finds the first keys of each segment", "[simt]",
                   (select_case<float, 32>), (select_case<float, 64>),
                   (select_case<std::int8_t, 32>), (select_case<std::int16_t, 64>),
                   (select_case<double, 32>)) {
  using key = typename TestType::key;
  constexpr int warp = TestType::warp_size;
  using job = sam::engine::select_in_segments_job<key, rows_at, put_index>;
  using kernel = sam::gpu::select_in_segments<simt::device<warp>, job>;
  using one_warp = sam::gpu::select_by_warp<simt::device<warp>, job>;
  std::uint64_t seed = 1;
  for (auto const what : {keys_are::random, keys_are::few, keys_are::equal, keys_are::descending,
                          keys_are::ascending})
    for (index_t const k : {5, 100}) {
      std::vector<index_t> const offsets{0, 0, 1, 7, 7, 70, 71, 75, 900, 905, 1929, 2954, 4000};
      auto const segments = static_cast<index_t>(offsets.size()) - 1;
      for (bool const is_descending : {k == 5}) {
        CAPTURE(static_cast<int>(what), k, is_descending);
        auto const keys = make_keys<key>(offsets.back(), what, seed);
        std::vector<index_t> found(static_cast<std::size_t>(segments * k), -1), wanted = found;
        using ordered = typename job::ordered_key;
        auto const flip = static_cast<ordered>(is_descending ? ~ordered{0} : ordered{0});
        for (index_t s = 0; s < segments; ++s) {
          std::vector<index_t> order;
          for (index_t i = offsets[s]; i < offsets[s + 1]; ++i)
            order.push_back(i);
          auto const of = [&](index_t i) {
            sam::number_digits<key> const digits;
            return static_cast<ordered>(digits(keys[static_cast<std::size_t>(i)]) ^ flip);
          };
          std::stable_sort(order.begin(), order.end(),
                           [&](index_t i, index_t j) { return of(i) < of(j); });
          order.resize(std::min(order.size(), static_cast<std::size_t>(k)));
          std::copy(order.begin(), order.end(), wanted.begin() + s * k);
        }
        int const warps = warp == 32 ? 3 : 2, capacity = k > 5 ? 256 : 512;
        for (bool const by_warp : {false, true}) {
          CAPTURE(by_warp);
          std::fill(found.begin(), found.end(), -1);
          sam::gpu::select_arguments<job> const arguments{
              {offsets.back(), keys.data(), segments, {offsets.data()}, k, flip, {found.data()}},
              warps,
              capacity,
              by_warp ? index_t{one_warp::most_keys} + 1 : 0};
          simt::launcher<warp> launch(seed++);
          if (by_warp)
            launch(2, warps * warp, warps * int(sizeof(typename one_warp::shared_memory)),
                   [&] { one_warp::run(arguments.job, warps); });
          launch(by_warp ? 1 : 3, warps * warp, kernel::shared_bytes(capacity, int(k)),
                 [&] { kernel(arguments).run(); });
          REQUIRE(found == wanted);
        }
        // By a block that holds all keys: of 5 or 3 warps here.
        using in_registers = sam::gpu::select_by_block<simt::device<warp>, job>;
        constexpr int of_block = warp == 32 ? 5 : 3;
        static_assert(in_registers::most_keys(of_block) >= 1046);
        std::fill(found.begin(), found.end(), -1);
        sam::gpu::block_selection<job> const arguments{
            {offsets.back(), keys.data(), segments, {offsets.data()}, k, flip, {found.data()}},
            of_block};
        simt::launcher<warp>(seed++)(2, of_block * warp,
                                     int(sizeof(typename in_registers::shared_memory)),
                                     [&] { in_registers::run(arguments); });
        REQUIRE(found == wanted);
      }
    }
}

}  // namespace
