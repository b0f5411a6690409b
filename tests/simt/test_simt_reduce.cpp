// SPDX-License-Identifier: MIT
// Tests of reductions by the GPU kernels, run on fibers. One block follows the others and writes
// the result. Its bits must equal those of a scan's last values for any delays.
#include <sam/delta.hpp>
#include <sam/gpu/scan/reduce_tiles_kernel.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/scan.hpp>

#include "items.hpp"
#include "simt/context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace {

using sam::index_t;
using sam::plus;
using sam::scan_policy;
using sam::carry::chained;
using sam::carry::lookback;
using sam::carry::reduce_then_scan;
using simt::fenced;

/// A test case: the item type, policy, warp size and config that are compiled.
template <class T, class Policy, int Warp = 32, class Config = simt::block_config<2, 3, 2>>
struct reduce_case {
  using item = T;
  using policy = Policy;
  using context = simt::context<Warp, Config>;
  static constexpr int run_items = Policy::tuple_size * Config::items;
  static constexpr int warp_items = Warp / Policy::tuple_size * run_items;
  static constexpr int tile = Config::warps * warp_items;
};

using maps = test::heisenberg<std::uint32_t>;
using product = test::heisenberg_product;
struct wide {
  float at[4];
};
struct wide_plus {
  static constexpr bool commutative = true;
  template <class T>
  SAM_FUNCTION constexpr T identity() const {
    return {};
  }
  SAM_FUNCTION wide operator()(wide a, wide b) const {
    for (int k = 0; k < 4; ++k)
      a.at[k] += b.at[k];
    return a;
  }
};

using cases = std::tuple<
    reduce_case<float, scan_policy<plus>>, reduce_case<float, scan_policy<plus, 1, 3>>,
    reduce_case<double, scan_policy<plus, 1, 32>>,
    reduce_case<std::int8_t, scan_policy<plus>, 32, simt::block_config<3, 70, 3>>,
    reduce_case<maps, scan_policy<product>>, reduce_case<maps, scan_policy<product, 1, 5>>,
    reduce_case<float, scan_policy<plus, 1, 1, chained>, 32, simt::block_config<5, 1, 4>>,
    reduce_case<float, scan_policy<plus, 1, 2, lookback>>,
    reduce_case<float, scan_policy<plus, 1, 1, reduce_then_scan>>,
    reduce_case<float, scan_policy<plus, 1, 4>, 64>, reduce_case<maps, scan_policy<product>, 64>>;

template <class T>
std::vector<T> some_items(index_t n, std::uint64_t seed) {
  if constexpr (std::is_floating_point_v<T>)
    return test::random_reals<T>(n, seed);
  else
    return test::random_items<T, product>(n, seed);
}

/// Checks reductions with and without an initial value against the last values of scans. Nothing
/// else may be written.
template <class Case>
void check(typename Case::context& context, index_t n) {
  using T = typename Case::item;
  typename Case::policy const p;
  auto const seed = test::seed_for(context.launches());
  CAPTURE(n, seed);
  auto const items = some_items<T>(n, seed);
  T const init = some_items<T>(4, seed + 1)[3];
  fenced<T> in(items, 1);
  auto const s = static_cast<std::size_t>(p.components);
  auto const last_of = [&](std::vector<T> const& scanned, T other) {
    std::vector<T> last(s, other);
    for (std::size_t i = scanned.size() < s ? 0 : scanned.size() - s; i < scanned.size(); ++i)
      last[i % s] = scanned[i];
    return last;
  };
  std::vector<T> scanned(items.size(), init);
  sam::inclusive_scan(context, in, scanned, p, init);
  fenced<T> from_init(std::vector<T>(s, items[0]), n % 2);
  sam::reduce(context, in, from_init, p, init);
  REQUIRE(test::differences(from_init, last_of(scanned, init)) == "");
  if constexpr (sam::has_identity<typename Case::policy::op_type, T>) {
    sam::inclusive_scan(context, in, scanned, p);
    fenced<T> out(std::vector<T>(s, init), 0);
    sam::reduce(context, in, out, p);
    REQUIRE(test::differences(out, last_of(scanned, sam::empty_of<T>(p.op))) == "");
    REQUIRE(out.intact());
  } else if (n >= p.components) {
    sam::inclusive_scan(context, in, scanned, p);
    fenced<T> out(std::vector<T>(s, init), 0);
    sam::reduce(context, in, out, p);
    REQUIRE(test::differences(out, last_of(scanned, init)) == "");
  }
  REQUIRE(from_init.intact());
  REQUIRE(context.is_at_rest());
}

TEMPLATE_LIST_TEST_CASE("a reduction on fibers has the bits of a scan's last values", "[simt]",
                        cases) {
  using Case = TestType;
  constexpr index_t ring = 2 * Case::context::depth, s = Case::policy::tuple_size;
  for (int const blocks : {1, 2, 3, 7}) {
    CAPTURE(blocks);
    typename Case::context context(blocks, test::seed_for(blocks));
    check<Case>(context, 1);
    int turn = (blocks + 1) / 3;  // each size occurs with two numbers of blocks
    for (index_t const edge : {index_t{Case::run_items}, index_t{Case::warp_items},
                               index_t{Case::tile}, 2 * index_t{Case::tile}})
      for (index_t const n : {edge - s, edge - 1, edge, edge + 1, edge + s / 2, edge + s})
        if (++turn % 2 == 0 && n > 0)
          check<Case>(context, n);
    check<Case>(context, blocks * Case::tile + 5);
    // One size just fills the ring; another makes it wrap.
    if (blocks == 3)
      check<Case>(context, ring / 2 * Case::tile + 1);
    else if (blocks == 7)
      check<Case>(context, (ring + 3) * Case::tile - 7);
  }
}

/// Runs reductions by the kernel that reduces tiles without a pipeline, and scans by tiles.
template <int Warp, class Config>
class tile_reducing_context : public simt::context<Warp, Config, 8 * Warp> {
  using base = simt::context<Warp, Config, 8 * Warp>;

 public:
  using base::base;
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::reducing<Job>) {
      using kernel = sam::gpu::reduce_tiles_block<simt::device<Warp>, Job, Policy, Config>;
      static_assert(sam::gpu::reduces_by_tiles<simt::device<Warp>, Job, Policy>);
      std::vector<typename Job::accumulator> of_tiles(std::size_t(kernel::tiles(n)) + 1);
      bool const by_words = exchanges && kernel::tiles(n) <= kernel::most_exchanged;
      sam::gpu::reduce_tiles_arguments<Job, Policy> const arguments{
          job, policy, n, by_words ? &words : nullptr, of_tiles.data(), &done};
      simt::grid g{};
      g.blocks = int(std::min(kernel::tiles(n), index_t{blocks}));
      g.warps = Config::warps;
      g.warp_size = Warp;
      g.shared_bytes = kernel::shared_bytes;
      g.seed = std::uint64_t(n);
      simt::launch(g, [&] { kernel(arguments).run(); });
      ++reductions;
    } else {
      base::run(n, job, policy);
    }
  }
  int blocks = 1, reductions = 0;
  bool exchanges = false;
  sam::gpu::exchange_memory words{};
  std::uint32_t done = 0;
};

template <class T, int Warp, class Config, class Op>
void check_tile_reductions() {
  tile_reducing_context<Warp, Config> context(3, test::seed_for(7));
  constexpr int run = Config::items, warp = Warp * run, tile = Config::warps * warp;
  constexpr int most = run < 10 ? 300 : 140;  // more tiles than publish aggregates
  for (index_t const n :
       {1, run - 1, run, run + 1, warp - 1, warp, warp + 1, tile - 1, tile, tile + 1, tile + warp,
        tile + warp + run, 40 * tile - 1, 40 * tile, most * tile + 17})
    if (n > 0) {
      CAPTURE(n);
      std::vector<T> in(static_cast<std::size_t>(n)), scanned(in), from_first(in), out(1);
      auto const reals = test::random_reals<float>(4 * n, test::seed_for(int(n)));
      std::memcpy(static_cast<void*>(in.data()), reals.data(),
                  std::min(in.size() * sizeof(T), reals.size() * sizeof(float)));
      sam::inclusive_scan(context, in, scanned, Op{});
      sam::inclusive_scan(context, in, from_first, Op{}, in[0]);
      for (auto const& [blocks, exchanges] : {std::pair{1, true}, {4, true}, {4, false}}) {
        CAPTURE(blocks, exchanges);
        context.blocks = blocks;
        context.exchanges = exchanges;
        sam::reduce(context, in, out, Op{});
        REQUIRE(std::memcmp(out.data(), &scanned.back(), sizeof(T)) == 0);
        sam::reduce(context, in, out, Op{}, in[0]);
        REQUIRE(std::memcmp(out.data(), &from_first.back(), sizeof(T)) == 0);
        REQUIRE(context.done == 0);
        REQUIRE(context.words.claims == 0);
      }
    }
  REQUIRE(context.reductions > 20);
}
TEST_CASE("reductions by tiles without a pipeline have the bits of a scan's last values",
          "[simt]") {
  check_tile_reductions<float, 32, simt::block_config<2, 3, 2>, plus>();
  check_tile_reductions<float, 32, simt::block_config<4, 4, 2>, plus>();
  check_tile_reductions<double, 64, simt::block_config<3, 2, 2>, plus>();
  check_tile_reductions<wide, 32, simt::block_config<2, 35, 2>, wide_plus>();
}

struct squared {
  SAM_FUNCTION float operator()(std::int16_t x) const { return float(x) * float(x) / 7; }
};
TEST_CASE("reductions on fibers of transformed items and of a user's states have a scan's bits",
          "[simt]") {
  for (int const blocks : {1, 3}) {
    simt::context<32, simt::block_config<2, 3, 2>, 256> context(blocks, test::seed_for(blocks));
    simt::context<64, simt::block_config<2, 3, 2>, 512> wider(blocks, test::seed_for(blocks));
    for (index_t const n : {1, 191, 192, 385, 50'000}) {
      CAPTURE(blocks, n);
      auto const items = test::random_items<std::int16_t>(n, test::seed_for(n));
      std::vector<float> scanned(items.size()), sum(1);
      sam::transform_inclusive_scan(context, items, scanned, squared{});
      sam::transform_reduce(context, items, sum, squared{});
      REQUIRE(sum[0] == scanned.back());
      // States of 16 bytes, which several look-back warps share.
      std::vector<wide> states;
      for (auto const& x : items)
        states.push_back({{squared{}(x), float(x), 1, -float(x) / 3}});
      std::vector<wide> all(states.size()), one(1);
      sam::inclusive_scan(wider, states, all, wide_plus{});
      sam::reduce(wider, states, one, wide_plus{});
      REQUIRE(std::memcmp(&one[0], &all.back(), sizeof(wide)) == 0);
      REQUIRE((context.is_at_rest() && wider.is_at_rest()));
    }
  }
}

TEST_CASE("reductions and scans follow one another on one descriptor_ring, past its last number",
          "[simt]") {
  using one = std::tuple_element_t<0, cases>;
  using tuples = std::tuple_element_t<1, cases>;
  constexpr std::uint32_t last = std::uint32_t{1} << 31;
  for (std::uint32_t const ahead : {0u, 64u, 4096u}) {
    CAPTURE(ahead);
    simt::context<32> context(3, test::seed_for(ahead));
    context.start_from(last - ahead);
    for (index_t const tiles : {40, 1, 3, 90, 17, 300}) {
      check<one>(context, 192 * tiles);
      check<tuples>(context, 180 * tiles - 1);
    }
    REQUIRE(context.control().base < last);
  }
}

TEMPLATE_TEST_CASE("differences are stored apart from items and in place", "[simt]", std::uint8_t,
                   std::int16_t, std::uint32_t, std::int64_t) {
  using T = TestType;
  simt::context<sizeof(T) == 2 ? 64 : 32> context(3, test::seed_for(3));
  index_t shift = 0;  // each occurs with each size and with each tuple size
  for (index_t const n : {1, 2, 5, 63, 64, 65, 2047, 2048, 2049, 5000})
    for (index_t const tuple_size : {1, 2, 3, 4, 5, 100, 3000}) {
      auto const items = test::random_items<T>(n, test::seed_for(n));
      auto const wanted = sam::reference::delta_encode(items, 2, tuple_size);
      fenced<T> in(items, 1);
      shift = shift == 3 ? 0 : 2 * shift + 1;  // 0, 1 or 3
      CAPTURE(n, tuple_size, shift);
      fenced<T> out(std::vector<T>(items.size()), shift);
      sam::delta_encode<2>(context, in, out, tuple_size);
      REQUIRE(test::differences(out, wanted) == "");
      REQUIRE(out.intact());
      sam::delta_encode<2>(context, in, in, tuple_size);
      REQUIRE(test::differences(in, wanted) == "");
      REQUIRE(in.intact());
    }
}

}  // namespace
