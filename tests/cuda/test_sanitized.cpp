// SPDX-License-Identifier: MIT
// Makes one call for each kind of kernel, with few blocks and few items, and sorts by clusters.
// compute-sanitizer takes a few seconds for it, and racecheck somewhat more. All lanes arrive at
// barriers here, since racecheck supports no other way.
//
//   cmake --preset cuda -DSAM_BUILD_TESTS=ON
//   cmake --build build/cuda --target test_sanitized.cuda
//   compute-sanitizer --tool memcheck build/cuda/bin/test_sanitized.cuda
//
// The tools initcheck, synccheck and racecheck run it in the same way.
#include <sam/compact.hpp>
#include <sam/cuda/runtime/testing.hpp>
#include <sam/histogram.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using sam::index_t;
using sam::plus, sam::scan_policy;

struct is_odd {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 != 0; }
};

/// Returns an array of n zeros or ones.
template <class T>
auto filled(index_t n, int with) {
  return test::on_backend(std::vector<T>(static_cast<std::size_t>(n), static_cast<T>(with)));
}

/// Returns offsets of segments of 0 to 40 items, of some hundreds, and of half of all items.
std::vector<std::uint32_t> make_offsets(index_t n) {
  std::vector<std::uint32_t> offsets{0};
  for (index_t k = 0; offsets.back() < n / 2; ++k)
    offsets.push_back(offsets.back() + std::uint32_t(k == 50       ? 5000
                                                     : k % 20 == 0 ? 300 + k
                                                                   : k % 41));
  offsets.push_back(std::uint32_t(n));
  return offsets;
}

void call_everything(sam::default_context& context, index_t n) {
  auto const ones = filled<int>(n, 1), keys = filled<int>(n, 0);
  auto const wide_ones = filled<std::int64_t>(n, 1);
  auto const narrow_ones = filled<std::int8_t>(n, 1);
  auto const heads = filled<std::uint8_t>(n, 0);
  test::fenced_array<int> out(n), count(1), sorted(n), values(n);
  test::fenced_array<std::int64_t> wide_out(n);
  test::fenced_array<std::int8_t> narrow_out(n);
  test::fenced_array<std::uint32_t> bins(100);

  sam::inclusive_scan(context, ones, out, scan_policy<>{});
  sam::inclusive_scan(context, ones, out, scan_policy<plus, 2>{});
  sam::inclusive_scan(context, ones, out, scan_policy<plus, 1, 3>{});
  sam::inclusive_scan(context, ones, out, scan_policy<plus, 1, 1, sam::carry::lookback>{});
  sam::inclusive_scan(context, wide_ones, wide_out, scan_policy<sam::maximum>{});
  sam::inclusive_scan(context, ones, out, sam::tuples_of(7));
  sam::inclusive_scan(context, ones, out, sam::tuples_of(1920));
  sam::inclusive_scan(context, wide_ones, wide_out, sam::tuples_of(100));
  sam::inclusive_scan(context, narrow_ones, narrow_out, sam::tuples_of(64));
  sam::compact(context, ones, out, is_odd{}, count);
  sam::partition(context, ones, out, is_odd{}, count);
  sam::segmented_inclusive_scan(context, ones, sam::by_heads(heads), out);
  sam::segmented_inclusive_scan(context, ones, sam::by_keys(keys), out);
  sam::reduce(context, ones, count);
  auto const some = test::on_backend(test::random_items<int>(n, test::seed_for(n)));
  sam::radix_sort(context, some, sorted);
  sam::radix_sort(context, some, sorted, {.bits = {.begin = 20}});
  auto const bytes = test::on_backend(test::random_items<std::uint8_t>(n, test::seed_for(n)));
  test::fenced_array<std::uint8_t> bytes_sorted(n);
  for (std::size_t const few : {300, 3000, 10000}) {
    auto const first = [=](auto& array) { return std::span(array.data(), few); };
    sam::radix_sort(context, first(some), first(sorted));
    sam::radix_sort_pairs(context, first(some), first(ones), first(sorted), first(values));
    sam::radix_sort_pairs(context, first(sorted), first(values), first(sorted), first(values));
    sam::radix_sort(context, first(bytes), first(bytes_sorted));
  }
  sam::radix_sort_pairs(context, some, ones, sorted, values);
  auto const narrow = test::on_backend(test::random_items<std::int16_t>(n, test::seed_for(n)));
  test::fenced_array<std::int16_t> narrow_sorted(n);
  sam::radix_sort(context, narrow, narrow_sorted);
  sam::radix_sort(context, bytes, bytes_sorted);
  sam::histogram(context, some, bins, sam::even_bins(-1'000'000'000, 1'000'000'000));
  auto const offsets = test::on_backend(make_offsets(n));
  auto const segments = sam::by_offsets(offsets);
  test::fenced_array<int> runs(1), decoded(n), sorted_segments(n);
  sam::segmented_inclusive_scan(context, wide_ones, segments, wide_out);
  sam::segmented_reduce(context, some, sam::by_heads(heads), out, runs);
  sam::segmented_reduce(context, some, segments,
                        std::span(out.data(), static_cast<std::size_t>(offsets.size() - 1)));
  sam::reduce_by_key(context, some, ones, sorted_segments, out, runs);
  sam::run_length_encode(context, keys, sorted_segments, out, runs);
  sam::run_length_decode(context, some, ones, decoded, runs);
  sam::segmented_radix_sort(context, some, segments, sorted_segments);
  sam::segmented_radix_sort_pairs(context, some, ones, segments, sorted_segments, out);
  context.wait();
  REQUIRE(test::differences(decoded.to_host(), some.to_host()) == "");
  REQUIRE(count.to_host()[0] == n);
  REQUIRE(test::differences(values.to_host(), ones.to_host()) == "");
}

TEST_CASE("one call for each kind of pass", "[cuda]") {
  for (int const blocks : {1, 3})
    for (index_t const n : {20'011, 250'001}) {
      CAPTURE(blocks, n);
      sam::default_context context;
      context.limit_blocks(blocks);
      if (n > 100'000)
        sam::cuda::testing::limit_small_bytes(context, 0);
      call_everything(context, n);
    }
}

template <class T>
void scan_few(sam::default_context& context, index_t n) {
  auto const in = filled<T>(n, 1);
  test::fenced_array<T> out(n), sums(3);
  sam::inclusive_scan(context, in, out, scan_policy<plus>{});
  sam::inclusive_scan(context, in, out, scan_policy<plus, 1, 3>{});
  sam::reduce(context, in, sums, scan_policy<plus, 1, 3>{});
  context.wait();
  REQUIRE((out.fences_intact() && sums.fences_intact()));
}

TEST_CASE("few items by one block and by one cluster", "[cuda]") {
  for (index_t const n : {100, 1920, 12'345}) {
    CAPTURE(n);
    sam::default_context context;
    scan_few<std::int8_t>(context, n);
    scan_few<std::int16_t>(context, n);
    scan_few<std::int64_t>(context, n);
  }
}

TEST_CASE("a stream by teams", "[cuda]") {
  sam::default_context context;
  auto const in = filled<float>(20'000, 1);
  test::fenced_array<float> out(20'000);
  sam::stream_state<float> at;
  for (int k = 0; k < 2; ++k)  // in turn, and by several tiles
    sam::inclusive_scan(context, std::span(in.data(), std::size_t(k == 0 ? 5'000 : 20'000)),
                        std::span(out.data(), std::size_t(k == 0 ? 5'000 : 20'000)), plus{}, at,
                        at);
  REQUIRE(at.value() == 25'000);
}

TEST_CASE("sorts by as many blocks as form clusters", "[cuda]") {
  auto const check = []<class Key>(Key, index_t n) {
    CAPTURE(sizeof(Key), n);
    auto wanted = test::random_items<Key>(n, test::seed_for(n));
    auto const keys = test::on_backend(wanted);
    std::sort(wanted.begin(), wanted.end());
    sam::default_context context;
    test::fenced_array<Key> sorted(n);
    sam::radix_sort(context, keys, sorted);
    context.wait();
    REQUIRE(test::differences(sorted.to_host(), wanted) == "");
    REQUIRE(sorted.fences_intact());
  };
  for (index_t const n : {3000, 10'000, 100'001}) {
    check(std::uint32_t{}, n);
    check(std::int64_t{}, n);
  }
  for (index_t const n : {300, 3000, 7000, 10'000, 40'000, 100'001})
    check(std::int16_t{}, n);
}

}  // namespace
