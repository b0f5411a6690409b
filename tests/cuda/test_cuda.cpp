// SPDX-License-Identifier: MIT
// Tests that need a CUDA device: few or late blocks, rings that wrap, large tiles at small n,
// and more than 2^32 items. Results must have the same bits whichever blocks do the work.
#include <sam/compact.hpp>
#include <sam/cuda/runtime/testing.hpp>
#include <sam/histogram.hpp>
#include <sam/partition.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/unique.hpp>

#include "few_blocks.hpp"
#include "operators.hpp"
#include "stream.hpp"
#include "support.hpp"

#include <algorithm>
#include <random>

namespace test {

/// Counts the wrong results of an inclusive sum of ones.
template <class T>
__global__ void count_wrong(T const* scanned, index_t n, unsigned long long* wrong) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n;
       i += index_t{gridDim.x} * blockDim.x)
    if (scanned[i] != T(i + 1))
      atomicAdd(wrong, 1ull);
}
__global__ void fill_with_ones(std::int32_t* items, index_t n) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n;
       i += index_t{gridDim.x} * blockDim.x)
    items[i] = 1;
}
__global__ void fill_in_turn(std::uint8_t* items, index_t n) {
  for (index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += index_t(gridDim.x) * blockDim.x)
    items[i] = static_cast<std::uint8_t>(i / 3 % 251);
}

}  // namespace test

namespace {

using sam::index_t;
using sam::plus, sam::scan_policy;
using test::check, test::form, test::stream;

/// Checks scans of one policy on few blocks. The sizes are at the edges of both tile configs and of
/// the ring.
template <class T, class Policy, form Kind = form::inclusive>
void check_on_few_blocks() {
  constexpr auto bound =
      Kind == form::exclusive ? sam::engine::bound::exclusive : sam::engine::bound::inclusive;
  using policy =
      decltype(sam::engine::resolve_policy<bound>(Policy{}, sam::engine::from_value<T>{}));
  using job = sam::detail::scan_job<T, T, std::identity>;
  auto const tile_of = []<class Config>(Config) {
    return index_t{sam::gpu::scan_config<sam::cuda::device, job, policy, Config>::tile_items};
  };
  index_t const large = tile_of(sam::cuda::scan_tuning::large<job, policy>{});
  index_t const small = tile_of(sam::cuda::scan_tuning::small<job, policy>{});
  sam::default_context context;
  sam::cuda::testing::limit_ring_depth(context, 512);
  auto const scan_on = [&](int blocks, index_t n) {
    context.limit_blocks(blocks);
    auto const seed = test::seed_for(n);
    CAPTURE(blocks, n, seed, sizeof(T), Policy::order, Policy::tuple_size, static_cast<int>(Kind));
    auto const items = test::random_items<T, typename Policy::op_type>(n, seed);
    T const init = items[0];
    test::check_scan<Kind>(context, items, test::expected_scan<Kind>(items, Policy{}, init),
                           Policy{}, init);
  };
  for (int const blocks : {1, 2, 3, 7, 0}) {
    sam::cuda::testing::limit_small_bytes(context, index_t{1} << 60);
    for (index_t const n : {small - 1, small, small + 1, 5 * small + 3, 1100 * small + 5})
      scan_on(blocks, n);
    sam::cuda::testing::limit_small_bytes(context, 0);
    for (index_t const n : {index_t{1}, large - 1, large, large + 1, 9 * large - 2})
      scan_on(blocks, n);
  }
}

TEST_CASE("few blocks scan rings of aggregates that wrap", "[cuda]") {
  check_on_few_blocks<std::int32_t, scan_policy<>>();
  check_on_few_blocks<std::int64_t, scan_policy<plus, 3>, form::exclusive>();
  check_on_few_blocks<std::int32_t, scan_policy<plus, 8>>();
  check_on_few_blocks<std::int16_t, scan_policy<plus, 2, 3>>();
  check_on_few_blocks<std::uint8_t, scan_policy<sam::maximum>>();
  check_on_few_blocks<std::int32_t, scan_policy<sam::bit_xor, 5, 8>>();
}
TEST_CASE("few blocks scan for operators that do not commute, or have no identity", "[cuda]") {
  check_on_few_blocks<test::affine, scan_policy<test::compose>>();
  check_on_few_blocks<test::stretch, scan_policy<test::join>>();
  check_on_few_blocks<test::affine, scan_policy<test::compose, 1, 3>, form::exclusive>();
}
TEST_CASE("few blocks scan with every scheme", "[cuda]") {
  check_on_few_blocks<std::int32_t, scan_policy<plus, 2, 1, sam::carry::lookback>>();
  check_on_few_blocks<std::int32_t, scan_policy<plus, 1, 5, sam::carry::chained>>();
}
TEMPLATE_TEST_CASE("few blocks scan in several passes", "[cuda]", sam::carry::reduce_then_scan,
                   sam::carry::scan_then_propagate) {
  check_on_few_blocks<std::int32_t, scan_policy<plus, 1, 1, TestType>>();
  check_on_few_blocks<std::int64_t, scan_policy<plus, 3, 1, TestType>, form::exclusive>();
  check_on_few_blocks<std::uint8_t, scan_policy<sam::maximum, 1, 2, TestType>>();
  check_on_few_blocks<std::int32_t, scan_policy<sam::bit_xor, 5, 8, TestType>>();
  check_on_few_blocks<test::heisenberg<std::uint32_t>,
                      scan_policy<test::heisenberg_product, 1, 3, TestType>, form::exclusive>();
  check_on_few_blocks<test::stretch, scan_policy<test::join, 1, 1, TestType>>();
}

/// Checks scans of column panels on few blocks. The sizes are at the edges of tiles and of the last
/// row, and some have more tiles than a ring has slots.
template <class T, class Op, int Order, form Kind = form::inclusive,
          sam::direction Heading = sam::direction::forward>
void check_panels_on_few_blocks() {
  sam::scan_policy<Op, Order, sam::run_time_tuple, sam::carry::decoupled, Heading> policy;
  sam::default_context context;
  sam::cuda::testing::limit_ring_depth(context, 512);
  for (index_t const s : {5, 16, 31, 32, 33, 64, 100, 1920, 5000})
    for (int const blocks : {1, 3, 70, 0}) {
      policy.components = s;
      context.limit_blocks(blocks);
      index_t const runs = s <= 16 ? 32 / s : 1;
      index_t const tile = 8 * sam::cuda::scan_tuning::panel_items<T> * runs * s;
      std::set<index_t> sizes{s - 1, 40 * s, tile - 1, tile + 1};
      if (blocks != 1)
        sizes.insert({tile + s / 2, 3 * tile, sam::engine::max_of(5 * tile, 4000000) + s - 1});
      for (index_t const n : sizes) {
        auto const seed = test::seed_for(n);
        CAPTURE(blocks, s, n, seed, sizeof(T), Order);
        auto const items = test::random_items<T, Op>(n, seed);
        T const init = items[0];
        test::check_scan<Kind>(context, items, test::expected_scan<Kind>(items, policy, init),
                               policy, init);
      }
    }
}
TEST_CASE("few blocks scan tuples of any size", "[cuda]") {
  check_panels_on_few_blocks<std::int32_t, plus, 1>();
  check_panels_on_few_blocks<std::int8_t, sam::maximum, 1, form::exclusive>();
  check_panels_on_few_blocks<std::int64_t, plus, 3, form::inclusive_from,
                             sam::direction::backward>();
  check_panels_on_few_blocks<test::affine, test::compose, 1, form::exclusive>();
}

TEST_CASE("few blocks part items from both ends at once", "[cuda]") {
  test::for_few_blocks({1, 5'000, 100'003, 3'000'001}, [](auto& context, index_t n, auto seed) {
    auto const items = test::random_items<std::int32_t>(n, seed);
    auto const in = test::on_backend(items);
    test::fenced_array<std::int32_t> out(n);
    index_t const kept = sam::partition(context, in, out, test::is_negative{});
    REQUIRE(kept == std::count_if(items.begin(), items.end(), test::is_negative{}));
    REQUIRE(out.to_host() == sam::reference::partition(items, test::is_negative{}));
    REQUIRE(out.fences_intact());
  });
}

struct by_thirds {
  static constexpr int kinds = 3;
  SAM_FUNCTION int operator()(std::int32_t x) const {
    return x < -(1 << 29) ? 0 : x < 1 << 29 ? 1 : 2;
  }
};

TEST_CASE("few blocks count kinds of items, then place them", "[cuda]") {
  test::for_few_blocks({1, 5'000, 100'003, 3'000'001}, [](auto& context, index_t n, auto seed) {
    auto const items = test::random_items<std::int32_t>(n, seed);
    auto wanted = items;
    std::stable_sort(wanted.begin(), wanted.end(), [](std::int32_t a, std::int32_t b) {
      return by_thirds{}(a) < by_thirds{}(b);
    });
    auto const in = test::on_backend(items);
    test::fenced_array<std::int32_t> out(n), counts(2);
    sam::detail::place_kinds<std::uint32_t>(
        context, sam::engine::split_job<std::int32_t, std::int32_t, by_thirds>{
                     n, in.data(), out.data(), counts.data(), {}});
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    auto const of_kind = [&](int kind) {
      return std::count_if(items.begin(), items.end(),
                           [=](std::int32_t x) { return by_thirds{}(x) == kind; });
    };
    REQUIRE(counts.to_host()[0] == of_kind(0));
    REQUIRE(counts.to_host()[1] == of_kind(1));
    REQUIRE((out.fences_intact() && counts.fences_intact()));
  });
}

/// A sum of items of any size, whose parts wrap around.
template <int Size>
struct parts {
  std::uint32_t at[Size];
  bool operator==(parts const&) const = default;
};
struct add_parts {
  template <int Size>
  SAM_FUNCTION parts<Size> operator()(parts<Size> x, parts<Size> const& y) const {
    for (int k = 0; k < Size; ++k)
      x.at[k] += y.at[k];
    return x;
  }
};
template <int Size, int Tuple>
void check_parts() {
  sam::cuda::context context;
  for (index_t const n : {1, 1000, 20'000}) {
    CAPTURE(Size, Tuple, n);
    std::vector<parts<Size>> items(static_cast<std::size_t>(n)), wanted(items.size());
    for (index_t i = 0; i < n; ++i)
      for (int k = 0; k < Size; ++k)
        items[std::size_t(i)].at[k] = std::uint32_t(i * 7 + k);
    for (index_t i = 0; i < n; ++i)
      wanted[std::size_t(i)] =
          i < Tuple ? items[std::size_t(i)]
                    : add_parts{}(wanted[std::size_t(i - Tuple)], items[std::size_t(i)]);
    auto const in = test::on_backend(items);
    test::fenced_array<parts<Size>> out(n);
    sam::inclusive_scan(context, in, out, sam::scan_policy<add_parts, 1, Tuple>{});
    context.wait();
    REQUIRE((out.to_host() == wanted));
    REQUIRE(out.fences_intact());
  }
}
TEST_CASE("items of 12 to 64 bytes are scanned by the kernels that hold them", "[cuda]") {
  check_parts<3, 1>();
  check_parts<5, 1>();
  check_parts<5, 7>();
  check_parts<10, 1>();
  check_parts<10, 32>();
  check_parts<16, 3>();
}

TEST_CASE("few items have the same results in one cluster and by tiles", "[cuda]") {
  sam::cuda::context in_cluster, by_tiles;
  sam::cuda::testing::limit_cluster_items(by_tiles, 0);
  for (index_t const n : {1, 31, 257, 8191, 8192, 8193, 16385, 50'000, 65'535, 65'536, 65'537}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const in = test::on_backend(test::random_items<std::int32_t>(n, seed));
    test::generator bits(seed);
    std::vector<std::int32_t> ends{0};
    while (ends.back() < n)
      ends.push_back(std::int32_t(std::min<index_t>(n, ends.back() + index_t(bits() % 600))));
    auto const offsets = test::on_backend(ends);
    auto const results = [&](sam::cuda::context& context) {
      std::vector<std::vector<std::int32_t>> all;
      auto const add = [&](index_t size, auto const& call) {
        test::fenced_array<std::int32_t> out(size);
        call(out);
        context.wait();
        REQUIRE(out.fences_intact());
        all.push_back(out.to_host());
      };
      add(n, [&](auto& out) { sam::inclusive_scan(context, in, out); });
      add(n, [&](auto& out) {
        sam::exclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2, 3>{});
      });
      add(1, [&](auto& out) { sam::reduce(context, in, out); });
      add(n, [&](auto& out) { sam::compact(context, in, out, test::is_negative{}); });
      add(n, [&](auto& out) { sam::partition(context, in, out, test::is_negative{}); });
      add(n, [&](auto& out) {
        sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out);
      });
      add(index_t(ends.size()) - 1,
          [&](auto& out) { sam::segmented_reduce(context, in, sam::by_offsets(offsets), out); });
      return all;
    };
    REQUIRE(results(in_cluster) == results(by_tiles));
  }
}

TEST_CASE("floats have the same bits whatever the number of blocks", "[cuda]") {
  index_t const n = 3000001;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  test::generator bits(seed);
  std::vector<float> items(static_cast<std::size_t>(n));
  for (float& x : items)
    x = static_cast<float>(static_cast<std::int32_t>(bits()));
  auto const in = test::on_backend(items);
  auto const scanned = [&](auto policy, int blocks) {
    sam::default_context context;
    context.limit_blocks(blocks);
    sam::cuda::testing::limit_ring_depth(context, 512);
    sam::cuda::testing::limit_small_bytes(context, 0);
    test::fenced_array<float> out(n);
    sam::inclusive_scan(context, in, out, policy);
    context.wait();
    return out.to_host();
  };
  auto const check_policy = [&](auto policy) {
    auto const wanted = scanned(policy, 1);
    for (int const blocks : {2, 3, 7, 50, 0, 0, 0})
      REQUIRE(test::differences(scanned(policy, blocks), wanted) == "");
  };
  check_policy(scan_policy<>{});
  check_policy(scan_policy<plus, 1, 3>{});
  check_policy(scan_policy<plus, 2>{});
  check_policy(sam::tuples_of(7));
  check_policy(sam::tuples_of<2>(100));
  check_policy(scan_policy<plus, 1, 1, sam::carry::lookback>{});
  check_policy(scan_policy<plus, 1, 1, sam::carry::chained>{});
  check_policy(scan_policy<plus, 2, 1, sam::carry::reduce_then_scan>{});
  check_policy(scan_policy<plus, 1, 3, sam::carry::scan_then_propagate>{});
}

TEST_CASE("more than 2^32 items are scanned to the last one", "[cuda][large]") {
  index_t const n = (index_t{1} << 32) + 12345;
  test::backend_bytes items(static_cast<std::size_t>(n));
  check(cudaMemset(items.data(), 1, static_cast<std::size_t>(n)));
  auto* const first = reinterpret_cast<std::uint8_t*>(items.data());
  std::span<std::uint8_t> const all(first, static_cast<std::size_t>(n));
  sam::default_context context;
  sam::inclusive_scan(context, all, all);
  test::fenced_array<unsigned long long> wrong(std::vector<unsigned long long>(1, 0), 0);
  test::count_wrong<<<256, 256>>>(first, n, wrong.data());
  context.wait();
  REQUIRE(wrong.to_host()[0] == 0);
}

struct is_250 {
  SAM_FUNCTION bool operator()(std::uint8_t x) const { return x == 250; }
};

TEST_CASE("more than 2^32 items are kept, parted, counted and decoded", "[cuda][large]") {
  index_t const n = (index_t{1} << 32) + 12345;
  auto const of = [](test::backend_bytes& memory, index_t count) {
    return std::span(reinterpret_cast<std::uint8_t*>(memory.data()),
                     static_cast<std::size_t>(count));
  };
  test::backend_bytes in(static_cast<std::size_t>(n)), out(static_cast<std::size_t>(n));
  test::fill_in_turn<<<2048, 256>>>(of(in, n).data(), n);
  auto const count_of = [=](index_t byte) {  // returns how many of the n items equal `byte`
    index_t const left = n % 753 - 3 * byte;
    return n / 753 * 3 + (left < 0 ? 0 : left < 3 ? left : 3);
  };
  sam::default_context context;
  index_t const kept = count_of(250);
  test::fenced_array<index_t> indices(kept), counts(251);
  REQUIRE(sam::compact_indices(context, of(in, n), indices, is_250{}) == kept);
  auto const at = indices.to_host();
  for (std::size_t k = 0; k < at.size(); ++k)
    if (auto const i = static_cast<index_t>(k); at[k] != i / 3 * 753 + 750 + i % 3)
      FAIL("index " << k << " is " << at[k]);
  REQUIRE(sam::partition(context, of(in, n), of(out, n), is_250{}) == kept);
  sam::histogram(context, of(out, n).last(static_cast<std::size_t>(n - kept)), counts,
                 sam::even_bins(0, 251));
  context.wait();
  for (index_t byte = 0; byte < 251; ++byte)
    REQUIRE(counts.to_host()[static_cast<std::size_t>(byte)] == (byte < 250 ? count_of(byte) : 0));
  auto const same = static_cast<std::size_t>(n / 3);
  test::backend_bytes values(same + 1);
  REQUIRE(sam::unique(context, of(in, n), of(values, n / 3 + 1)) == sam::engine::div_up(n, 3));
  test::fenced_array<index_t> lengths(std::vector<index_t>{n - 7, 7}, 0);
  auto const two = of(values, 2);  // 0 and 1
  sam::run_length_decode(context, two, lengths, of(out, n));
  sam::histogram(context, of(out, n), counts, sam::even_bins(0, 251));
  context.wait();
  REQUIRE((counts.to_host()[0] == n - 7 && counts.to_host()[1] == 7));
}

// Queues 100,000 launches on four streams at once. The time limit of ctest detects a hang.
TEST_CASE("a hundred thousand launches leave nothing wrong", "[cuda][soak]") {
  index_t const most = index_t{1} << 21;
  auto const seed = test::seed_for(most);
  CAPTURE(seed);
  test::generator bits(seed);
  struct lane {
    stream s;
    sam::cuda::context context{s};
    test::fenced_array<std::int32_t> in{index_t{1} << 21}, out{index_t{1} << 21};
  };
  std::vector<std::unique_ptr<lane>> lanes;
  for (int k = 0; k < 4; ++k) {
    lanes.push_back(std::make_unique<lane>());
    test::fill_with_ones<<<256, 256, 0, lanes.back()->s>>>(lanes.back()->in.data(), most);
  }
  test::fenced_array<unsigned long long> wrong(std::vector<unsigned long long>(1, 0), 0);
  for (int launch = 0; launch < 100000; ++launch) {
    lane& l = *lanes[bits() % 4];
    int const magnitude = int(bits() % 21);
    index_t const n = 1 + index_t(bits() % (std::uint64_t{1} << magnitude));
    l.context.limit_blocks(bits() % 4 == 0 ? int(1 + bits() % 40) : 0);
    sam::cuda::testing::limit_small_bytes(l.context, bits() % 4 == 0 ? 0 : index_t{1} << 60);
    std::span<std::int32_t const> const in(l.in.data(), static_cast<std::size_t>(n));
    std::span<std::int32_t> const out(l.out.data(), static_cast<std::size_t>(n));
    sam::inclusive_scan(l.context, in, out);
    if (launch % 4 == 0)
      test::count_wrong<<<64, 256, 0, l.s>>>(out.data(), n, wrong.data());
  }
  for (auto const& l : lanes)
    l->context.wait();
  REQUIRE(wrong.to_host()[0] == 0);
}

}  // namespace
