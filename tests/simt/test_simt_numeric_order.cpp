// SPDX-License-Identifier: MIT
// Tests of sorts of floats in numeric order, run on fibers.
#include <sam/gpu/sort/block_radix_sort.hpp>
#include <sam/segmented_radix_sort.hpp>

#include "float_keys.hpp"
#include "simt/context.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <numeric>

namespace {

using sam::index_t, sam::sort_order;
using test::of_specials, test::request_for_floats;

/// A 16-bit float with the layout of device types.
template <int Precision>
struct float_of_16_bits {
  std::uint16_t bits;
  explicit operator float() const {
    int const fraction_bits = Precision - 1, bias = (1 << (15 - fraction_bits - 1)) - 1;
    int const fraction = bits & ((1 << fraction_bits) - 1),
              exponent = (bits & 0x7fff) >> fraction_bits;
    float const sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 2 * bias + 1)
      return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                           : sign * std::numeric_limits<float>::infinity();
    int const whole = exponent == 0 ? 0 : 1 << fraction_bits;
    return sign * std::ldexp(static_cast<float>(whole + fraction),
                             std::max(exponent, 1) - bias - fraction_bits);
  }
};
using half = float_of_16_bits<11>;
using bfloat16 = float_of_16_bits<8>;

}  // namespace

template <int Precision>
inline constexpr bool sam::is_floating<float_of_16_bits<Precision>> = true;
template <int Precision>
inline constexpr int sam::detail::precision_of<float_of_16_bits<Precision>> = Precision;

namespace {

/// A context that runs scan kernels and sorts few keys with one block.
template <int Warp>
class sorting_context : public simt::context<Warp> {
 public:
  using simt::context<Warp>::context;

  template <class Key, class Value, class Digits>
  void sort(sam::engine::sort_job<Key, Value, Digits> const& job) {
    using job_type = sam::engine::sort_job<Key, Value, Digits>;
    using block = sam::gpu::block_radix_sort<simt::device<Warp>, job_type,
                                             sam::gpu::sort_config<128 / Warp, 8, 4, 1>>;
    REQUIRE(job.n <= block::size);
    sam::gpu::sort_arguments<job_type> arguments{};
    arguments.job = job;
    simt::grid g{};
    g.blocks = 1;
    g.warps = block::threads / Warp;
    g.warp_size = Warp;
    g.shared_bytes = block::shared_bytes;
    g.seed = static_cast<std::uint64_t>(this->launches());
    simt::launch(g, [&] { block(arguments).run(); });
  }
};

template <class Key>
void check(index_t n, of_specials specials, std::vector<index_t> const& offsets,
           request_for_floats const& asked, bool in_place) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, static_cast<int>(specials), seed, static_cast<int>(asked.order), asked.bits.begin,
          asked.bits.end, in_place);
  auto const keys = test::float_keys<Key>(n, specials, seed);
  auto const order = test::numeric_order(keys, offsets, asked);
  auto const same = [&](std::vector<Key> const& sorted) {
    auto const wanted = sam::reference::in_order(keys, order);
    return std::memcmp(sorted.data(), wanted.data(), wanted.size() * sizeof(Key)) == 0;
  };
  auto const numeric = sam::float_order::numeric;
  sorting_context<sizeof(Key) == 4 ? 32 : 64> context(3, seed);
  auto in = keys;
  std::vector<Key> other(keys.size());
  auto& out = in_place ? in : other;
  if (offsets.size() == 2)
    sam::radix_sort(context, in, out,
                    {.order = asked.order, .bits = asked.bits, .floats = numeric});
  else
    sam::segmented_radix_sort(context, in, sam::by_offsets(offsets), out,
                              {.order = asked.order, .bits = asked.bits, .floats = numeric});
  REQUIRE(same(out));

  in = keys;
  std::vector<index_t> values(keys.size()), sorted(keys.size());
  std::iota(values.begin(), values.end(), 0);
  if (in_place)
    sam::radix_argsort(context, in, sorted,
                       {.order = asked.order, .bits = asked.bits, .floats = numeric});
  else
    sam::radix_sort_pairs(context, in, values, in, sorted,
                          {.order = asked.order, .bits = asked.bits, .floats = numeric});
  auto const of_all = test::numeric_order(keys, {0, n}, asked);
  REQUIRE(sorted == of_all);
}

TEMPLATE_TEST_CASE("floats are in numeric order on fibers", "[simt]", float, double, half,
                   bfloat16) {
  constexpr int bits = 8 * sizeof(TestType);
  for (index_t const n : {1, 40, 900})
    for (auto const specials : {of_specials::one, of_specials::many, of_specials::all_nans}) {
      check<TestType>(n, specials, {0, n}, {}, false);
      check<TestType>(n, specials, {0, n}, {sort_order::descending, {}}, true);
    }
  check<TestType>(900, of_specials::many, {0, 0, 3, 500, 501, 900}, {}, true);
  check<TestType>(900, of_specials::many, {0, 100, 350, 900}, {sort_order::descending, {}}, false);
  check<TestType>(900, of_specials::many, {0, 900}, {sort_order::descending, {2, bits - 3}}, true);
}

}  // namespace
