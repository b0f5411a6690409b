// SPDX-License-Identifier: MIT
// Tests calls on more than 2^32 items against closed forms.
#include <sam/compact.hpp>
#include <sam/histogram.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>

#include "support.hpp"
#include <sys/mman.h>

#include <cstdlib>
#include <fstream>
#include <memory>

namespace {

using sam::index_t;

constexpr index_t n = (index_t{1} << 32) + 12345;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// Returns the memory available without swapping, in GiB; 0 if unknown.
index_t free_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name, unit;
  for (index_t kib = 0; info >> name >> kib; std::getline(info, unit))
    if (name == "MemAvailable:")
      return kib >> 20;
  return 0;
}

struct release {
  void operator()(void* memory) const { std::free(memory); }
};
/// Returns uninitialised bytes on huge pages. Page faults on small pages would take longer than the
/// scans.
std::unique_ptr<std::uint8_t, release> large_pages(std::size_t bytes) {
  std::size_t const page = std::size_t{2} << 20;
  bytes = (bytes + page - 1) / page * page;
  std::unique_ptr<std::uint8_t, release> memory(
      static_cast<std::uint8_t*>(std::aligned_alloc(page, bytes)));
  if (!memory)
    throw std::bad_alloc();
  madvise(memory.get(), bytes, MADV_HUGEPAGE);
  return memory;
}

/// Returns the index of the first item that differs from wanted(i), a function of period `period`;
/// -1 if there is none.
template <class Wanted>
index_t first_wrong(std::span<std::uint8_t const> items, std::size_t period, Wanted wanted) {
  std::vector<std::uint8_t> row(period);
  for (std::size_t i = 0; i < period; ++i)
    row[i] = static_cast<std::uint8_t>(wanted(static_cast<index_t>(i)));
  for (std::size_t at = 0; at < items.size(); at += period) {
    std::size_t const count = std::min(period, items.size() - at);
    if (std::memcmp(items.data() + at, row.data(), count) != 0)
      return std::mismatch(row.begin(), row.begin() + index_t(count), items.begin() + index_t(at))
                 .second -
             items.begin();
  }
  return -1;
}

TEST_CASE("scans of more than 2^32 items are right to the last one", "[large]") {
  if (!test::backend_bytes::on_host || sanitized || free_memory() < 8)
    SKIP("needs 8 GiB of free host memory, and no sanitizer");
  auto const n_items = static_cast<std::size_t>(n);
  auto const memory = large_pages(n_items);
  std::span const items(memory.get(), n_items);
  sam::default_context context;

  std::memset(memory.get(), 1, n_items);
  sam::inclusive_scan(context, items, items, sam::scan_policy<sam::plus, 2>{});
  context.wait();
  REQUIRE(first_wrong(items, 512, [](index_t i) { return (i + 1) * (i + 2) / 2; }) == -1);

  std::memset(memory.get(), 1, n_items);
  constexpr index_t wide = 1 << 20;
  sam::exclusive_scan(context, items, items, sam::backward(sam::tuples_of(wide)));
  context.wait();
  REQUIRE(first_wrong(items, 256 * wide, [](index_t i) { return (n - 1 - i) / wide; }) == -1);

  if constexpr (test::backend_bytes::also_on_threads) {
    std::memset(memory.get(), 1, n_items);
    test::threads crowd(2);
    sam::exclusive_scan(crowd, items, items, sam::scan_policy<sam::plus, 1, 3>{}, std::uint8_t{7});
    REQUIRE(first_wrong(items, 768, [](index_t i) { return 7 + i / 3; }) == -1);
  }
}

struct is_not_0 {
  SAM_FUNCTION bool operator()(std::uint8_t x) const { return x != 0; }
};

/// Sets item i to i % 255 + 1.
void fill_with_every_byte_but_0(std::span<std::uint8_t> items) {
  std::vector<std::uint8_t> row(255 * 4096);
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = static_cast<std::uint8_t>(i % 255 + 1);
  for (std::size_t at = 0; at < items.size(); at += row.size())
    std::memcpy(items.data() + at, row.data(), std::min(row.size(), items.size() - at));
}
/// Returns how many of n such items equal `byte`.
index_t count_of(int byte) { return byte == 0 ? 0 : n / 255 + (n % 255 >= byte ? 1 : 0); }

TEST_CASE("more than 2^32 items are counted, sorted, encoded and dropped", "[large]") {
  if (!test::backend_bytes::on_host || sanitized || free_memory() < 12)
    SKIP("needs 12 GiB of free host memory, and no sanitizer");
  auto const n_items = static_cast<std::size_t>(n);
  auto const memory = large_pages(n_items);
  std::span const items(memory.get(), n_items);
  fill_with_every_byte_but_0(items);
  std::vector<std::int64_t> wanted;
  index_t sum_of_all = 0;
  for (int byte = 0; byte < 256; ++byte) {
    wanted.push_back(count_of(byte));
    sum_of_all += byte * count_of(byte);
  }
  sam::default_context context;

  std::vector<std::int64_t> counts(256), sum(1);
  sam::histogram(context, items, counts, sam::even_bins(0, 256));
  sam::reduce(context, items, sum);
  context.wait();
  REQUIRE(counts == wanted);
  REQUIRE(sum[0] == sum_of_all);

  // True if the bytes are sorted; `missing` of the 1s were dropped.
  auto const are_in_order = [&](index_t missing) {
    index_t begin = 0;
    for (int byte = 1; byte < 256; ++byte) {
      index_t const count = count_of(byte) - (byte == 1 ? missing : 0);
      auto const run =
          items.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
      if (first_wrong(run, 1 << 20, [=](index_t) { return byte; }) != -1)
        return false;
      begin += count;
    }
    return begin == n - missing;
  };
  sam::radix_sort(context, items, items);
  context.wait();
  REQUIRE(are_in_order(0));

  std::vector<std::uint8_t> values(255);
  std::vector<std::int64_t> lengths(255);
  REQUIRE(sam::run_length_encode(context, items, values, lengths) == 255);
  REQUIRE(lengths == std::vector(wanted.begin() + 1, wanted.end()));

  constexpr index_t dropped = 1000;
  std::memset(memory.get(), 0, dropped);
  REQUIRE(sam::compact(context, items, items, is_not_0{}) == n - dropped);
  REQUIRE(are_in_order(dropped));
}

}  // namespace
