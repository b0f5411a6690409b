// SPDX-License-Identifier: MIT
// Tests calls on contexts that have the resources of other devices: less shared memory, and fewer
// threads and multiprocessors. Blocks then have other numbers of stages, and tiles another size.
// Segments by offsets, of all lengths, are also scanned and reduced on this device.
#include <sam/compact.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "few_blocks.hpp"
#include "operators.hpp"
#include "support.hpp"

#include <algorithm>
#include <numeric>

namespace {

using sam::index_t;
using sam::plus, sam::scan_policy;
using test::form;
using namespace sam::cuda::testing;

struct is_multiple {
  std::int32_t of;
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x % of == 0; }
};

/// Calls use(context, n) with contexts that run like other devices, for small and large inputs.
template <class Use>
void on_other_devices(Use const& use) {
  int which = 0;
  for (device_limits const& limits : {t4, a100, rtx_3090, rtx_4090, device_limits{t4}}) {
    sam::cuda::context context;
    run_like(context, limits);
    if (which++ == 4)
      context.limit_blocks(3);
    sam::cuda::testing::limit_ring_depth(context, 512);
    for (index_t const small_bytes : {index_t{1} << 60, index_t{0}}) {
      sam::cuda::testing::limit_small_bytes(context, small_bytes);
      for (index_t const n : {index_t{1}, index_t{5'000}, index_t{100'003}, index_t{3'000'001}}) {
        CAPTURE(which, small_bytes, n);
        use(context, n);
      }
    }
  }
}

template <class T, class Policy, form Kind = form::inclusive>
void check_scans() {
  on_other_devices([](auto& context, index_t n) {
    auto const items = test::random_items<T, typename Policy::op_type>(n, test::seed_for(n));
    T const init = items[0];
    test::check_scan<Kind>(context, items, test::expected_scan<Kind>(items, Policy{}, init),
                           Policy{}, init);
  });
}

TEST_CASE("other devices scan", "[cuda]") {
  check_scans<std::int32_t, scan_policy<>>();
  check_scans<std::int8_t, scan_policy<sam::maximum>, form::exclusive>();
  check_scans<std::int64_t, scan_policy<plus, 3, 2>, form::exclusive>();
  check_scans<std::int32_t, scan_policy<plus, 8>>();
  check_scans<std::int32_t, scan_policy<plus, 1, 5>>();
  check_scans<test::affine, scan_policy<test::compose>>();
  check_scans<std::int32_t, scan_policy<plus, 2, 1, sam::carry::reduce_then_scan>>();
}

TEST_CASE("other devices scan tuples of any size", "[cuda]") {
  on_other_devices([](auto& context, index_t n) {
    scan_policy<plus, 1, sam::run_time_tuple> policy;
    policy.components = 100;
    auto const items = test::random_items<std::int32_t>(n, test::seed_for(n));
    test::check_scan<form::inclusive>(
        context, items, test::expected_scan<form::inclusive>(items, policy, 0), policy, 0);
  });
}

TEST_CASE("other devices keep, part and reduce items", "[cuda]") {
  on_other_devices([](auto& context, index_t n) {
    auto const items = test::random_items<std::int32_t>(n, test::seed_for(n));
    auto const in = test::on_backend(items);
    test::fenced_array<std::int32_t> out(n);
    index_t const kept = sam::partition(context, in, out, test::is_negative{});
    REQUIRE(kept == std::count_if(items.begin(), items.end(), test::is_negative{}));
    REQUIRE(out.to_host() == sam::reference::partition(items, test::is_negative{}));
    auto parted = items;
    auto const middle = std::stable_partition(parted.begin(), parted.end(), is_multiple{3});
    auto const last = std::stable_partition(middle, parted.end(), is_multiple{2});
    test::fenced_array<std::int32_t> counts(2);
    sam::three_way_partition(context, in, out, is_multiple{3}, is_multiple{2}, counts);
    context.wait();
    REQUIRE(test::differences(out.to_host(), parted) == "");
    REQUIRE(counts.to_host() ==
            std::vector{std::int32_t(middle - parted.begin()), std::int32_t(last - middle)});
    REQUIRE(sam::compact(context, in, out, test::is_negative{}) == kept);
    REQUIRE(out.fences_intact());
    REQUIRE(std::uint32_t(sam::reduce(context, in)) ==
            std::accumulate(items.begin(), items.end(), std::uint32_t{0}));
  });
}

// In code for devices without clusters, blocks sort runs of 5,000 and 100,003 keys.
TEST_CASE("other devices sort keys alone", "[cuda]") {
  on_other_devices([](auto& context, index_t n) {
    auto sorted = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const in = test::on_backend(sorted);
    test::fenced_array<std::uint32_t> out(n), in_place(sorted, 0);
    sam::radix_sort(context, in, out);
    sam::radix_sort(context, in_place, in_place);
    context.wait();
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(test::differences(out.to_host(), sorted) == "");
    REQUIRE(test::differences(in_place.to_host(), sorted) == "");
    REQUIRE((out.fences_intact() && in_place.fences_intact()));
  });
}

TEST_CASE("partitions take the way that a device is for", "[cuda]") {
  using tuning = sam::cuda::scan_tuning;
  using way = tuning::split_way;
  constexpr index_t small = 8 << 20, mib = 1 << 20;
  auto const ways = [](int kinds, bool has_clusters) {
    std::vector<way> all;
    for (index_t const bytes :
         {mib, 2 * mib, 16 * mib - 1, 16 * mib, 16 * mib + 1, 256 * mib, 256 * mib + 1})
      all.push_back(tuning::way_to_split(kinds, bytes, small, has_clusters));
    return all;
  };
  auto const graph = way::twice_in_graph, twice = way::twice, other = way::other;
  REQUIRE(ways(2, true) == std::vector{graph, twice, twice, twice, other, other, other});
  REQUIRE(ways(3, true) == std::vector{graph, twice, twice, twice, other, other, other});
  REQUIRE(ways(2, false) == std::vector{graph, twice, twice, graph, other, other, other});
  REQUIRE(ways(3, false) == std::vector{twice, twice, twice, twice, twice, twice, other});
  for (bool const has_clusters : {false, true})
    for (int const kinds : {2, 3}) {  // no inputs are small, or all
      REQUIRE(tuning::way_to_split(kinds, 1, 0, has_clusters) == other);
      REQUIRE(tuning::way_to_split(kinds, index_t{1} << 40, index_t{1} << 60, has_clusters) ==
              twice);
      bool const is_apart = kinds == 2 && has_clusters;
      REQUIRE(tuning::splits_together_in(kinds, 64 << 10, has_clusters, false));
      REQUIRE(tuning::splits_together_in(kinds, 163 << 10, has_clusters, true) == !is_apart);
      REQUIRE(tuning::splits_together_in(kinds, 163 << 10, has_clusters, false) ==
              (kinds == 2 && !has_clusters));
    }
}

TEST_CASE("other devices scan by key", "[cuda]") {
  on_other_devices([](auto& context, index_t n) {
    auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    std::vector<std::uint32_t> keys(items.size()), wanted = items;
    for (std::size_t i = 1; i < items.size(); ++i) {
      keys[i] = keys[i - 1] + (items[i] % 10 == 0);
      wanted[i] += keys[i] == keys[i - 1] ? wanted[i - 1] : 0;
    }
    auto const in = test::on_backend(items);
    auto const by = test::on_backend(keys);
    test::fenced_array<std::uint32_t> out(n);
    sam::segmented_inclusive_scan(context, in, sam::by_keys(by), out);
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  });
}

TEST_CASE("other devices reduce segments by offsets", "[cuda]") {
  on_other_devices([](auto& context, index_t n) {
    auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
    test::generator bits(test::seed_for(n));
    auto const [offsets, wanted] =
        test::cut_into_segments<index_t>(items, [&] { return bits() % 21; });
    auto const in = test::on_backend(items);
    auto const from = test::on_backend(offsets);
    test::fenced_array<std::uint32_t> out(index_t(wanted.size()));
    sam::segmented_reduce(context, in, sam::by_offsets(from), out);
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  });
}

TEST_CASE("few blocks reduce segments by offsets, along a path and by bits", "[cuda]") {
  test::for_few_blocks({1, 5'000, 3'000'001}, [](auto& context, index_t n, auto seed) {
    auto const items = test::random_items<std::uint32_t>(n, seed);
    test::generator bits(seed);
    auto segments = test::cut_into_segments<index_t>(
        items, [&] { return bits() % 5000 == 0 ? std::uint64_t(n / 3) : bits() % 21; });
    while (segments.offsets.size() % 4 != 1) {  // empty segments at the end
      segments.offsets.push_back(n);
      segments.sums.push_back(0);
    }
    auto const in = test::on_backend(items);
    auto const from = test::on_backend(segments.offsets);
    test::fenced_array<std::uint32_t> out(index_t(segments.sums.size()));
    sam::segmented_reduce(context, in, sam::by_offsets(from), out);
    context.wait();
    REQUIRE(test::differences(out.to_host(), segments.sums) == "");
    REQUIRE(out.fences_intact());
  });
}

TEST_CASE("segments by offsets of all lengths are scanned and reduced in each way", "[cuda]") {
  sam::default_context context;
  for (index_t const n : {4'096, 60'000, 200'000, 262'145, 1'000'000, 3'000'001})
    for (index_t const mean : {3, 40, 1'000, 9'000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, mean, seed);
      auto const items = test::random_items<std::uint32_t>(n, seed);
      test::generator bits(seed);
      int count = 0;  // the seventh segment has a fifth of all items, and some are empty
      auto const [offsets, sums] = test::cut_into_segments<std::int32_t>(items, [&] {
        return ++count == 7 ? std::uint64_t(n / 5) : bits() % std::uint64_t(2 * mean);
      });
      auto scanned = items;
      for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
        std::partial_sum(scanned.begin() + offsets[k], scanned.begin() + offsets[k + 1],
                         scanned.begin() + offsets[k]);
      auto const in = test::on_backend(items);
      auto const from = test::on_backend(offsets);
      for (int const blocks : {0, 3}) {
        CAPTURE(blocks);
        context.limit_blocks(blocks);
        test::fenced_array<std::uint32_t> out(n), totals(index_t(sums.size()));
        for (int again = 0; again < 2; ++again) {
          sam::segmented_inclusive_scan(context, in, sam::by_offsets(from), out);
          sam::segmented_reduce(context, in, sam::by_offsets(from), totals);
          context.wait();
          REQUIRE(test::differences(out.to_host(), scanned) == "");
          REQUIRE(test::differences(totals.to_host(), sums) == "");
        }
        REQUIRE((out.fences_intact() && totals.fences_intact()));
      }
    }
}

// Devices whose tiles are equally large differ in stages and blocks only. The last two limits leave
// no room for large tiles of these policies.
TEST_CASE("floats have the same bits on devices with the same tiles", "[cuda]") {
  index_t const n = 3'000'001;
  test::generator bits(test::seed_for(n));
  std::vector<float> items(static_cast<std::size_t>(n));
  for (float& x : items)
    x = static_cast<float>(static_cast<std::int32_t>(bits()));
  auto const in = test::on_backend(items);
  auto const scanned = [&](auto policy, device_limits const* limits, index_t small_bytes) {
    sam::cuda::context context;
    if (limits != nullptr)
      run_like(context, *limits);
    sam::cuda::testing::limit_small_bytes(context, small_bytes);
    test::fenced_array<float> out(n);
    sam::inclusive_scan(context, in, out, policy);
    context.wait();
    return out.to_host();
  };
  auto const check_policy = [&](auto policy) {
    auto const small = scanned(policy, nullptr, index_t{1} << 60);
    REQUIRE(test::differences(scanned(policy, &t4, index_t{1} << 60), small) == "");
    REQUIRE(test::differences(scanned(policy, &a100, index_t{1} << 60), small) == "");
    REQUIRE(test::differences(scanned(policy, &rtx_3090, 0), small) == "");
    REQUIRE(test::differences(scanned(policy, &t4, 0), small) == "");
  };
  check_policy(scan_policy<>{});
  check_policy(scan_policy<plus, 1, 2>{});
  check_policy(scan_policy<plus, 2>{});
}

}  // namespace
