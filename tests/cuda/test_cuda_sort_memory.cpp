// SPDX-License-Identifier: MIT
// Tests that sorts make a context allocate no more memory than the workspace functions return.
#include <sam/cuda/runtime/testing.hpp>
#include <sam/radix_sort.hpp>
#include <sam/segmented_radix_sort.hpp>

#include "plan_edges.hpp"
#include "support.hpp"
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <tuple>

namespace {

using sam::index_t;

template <class Key, class Value>
struct of {
  using key = Key;
  using value = Value;
};
using cases =
    std::tuple<of<std::int16_t, std::uint16_t>, of<std::uint32_t, std::uint32_t>,
               of<std::int32_t, std::uint64_t>, of<std::uint64_t, std::array<std::uint64_t, 2>>>;

constexpr index_t most_keys = (index_t{1} << 20) + 7;

struct memory_case {
  index_t n;
  int blocks;
  bool are_large;
};
/// Returns sizes at the edges of all tiles and of all rows of the sort plan, with all or few
/// blocks, and with small or large tiles.
template <class Key, class Value>
std::vector<memory_case> memory_cases() {
  using tuning = sam::cuda::sort_tuning<test::sort_job_of<Key, Value>>;
  auto sizes = test::plan_edges<Key, Value>(most_keys - 1);
  sizes.merge(std::set<index_t>{0, sam::cuda::tuning::counting_small_keys - 1,
                                sam::cuda::tuning::counting_small_keys, most_keys});
  std::vector<memory_case> cases;
  for (index_t const n : sizes)
    for (int const blocks : {0, 2})
      for (bool const are_large : {false, true})
        cases.push_back({n, blocks, are_large});
  return cases;
}

/// Checks that sort(context) makes a new context allocate at most most(context) bytes. If it
/// allocates any, it must allocate at least bytes_a_key for each key.
template <class Most, class Sort>
void check_memory(memory_case const& of, index_t bytes_a_key, Most most, Sort sort) {
  CAPTURE(of.n, of.blocks, of.are_large);
  sam::default_context context;
  context.limit_blocks(of.blocks);
  if (of.are_large)
    sam::cuda::testing::limit_small_bytes(context, 0);
  index_t const bound = most(context);
  REQUIRE(context.held_bytes() == 0);
  index_t const measured = context.bytes_for([&] { sort(context); });
  REQUIRE(context.held_bytes() == 0);
  sort(context);
  context.wait();
  index_t const held = context.held_bytes();
  REQUIRE(held <= measured);
  REQUIRE(context.bytes_for([&] { sort(context); }) == 0);
  REQUIRE(held <= bound);
  REQUIRE((held == 0 || held >= of.n * bytes_a_key));
}

template <class T>
std::span<T> first(test::fenced_array<T>& items, index_t n) {
  return {items.data(), static_cast<std::size_t>(n)};
}

TEST_CASE("a context takes its memory from a pool", "[cuda]") {
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  auto const used = [&] {
    std::uint64_t bytes = 0;
    REQUIRE(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes) == cudaSuccess);
    return index_t(bytes);
  };
  index_t const n = 1'000'003, before = used();
  test::fenced_array<std::uint32_t> out(n);
  auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
  auto in = test::on_backend(items);
  {
    sam::cuda::context context(nullptr, pool);
    sam::radix_sort(context, in, out);
    context.wait();
    REQUIRE(used() - before >= context.held_bytes());
    context.trim();
  }
  REQUIRE(used() == before);
  auto sorted = items;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(test::differences(out.to_host(), sorted) == "");
}

TEMPLATE_LIST_TEST_CASE("a sort takes no more memory than it says", "[cuda]", cases) {
  using key = typename TestType::key;
  using value = typename TestType::value;
  test::fenced_array<key> in(most_keys), out(most_keys), spare(most_keys);
  test::fenced_array<value> values(most_keys), values_out(most_keys), spare_values(most_keys);
  for (bool const with_spare : {false, true})
    for (sam::bit_range const bits :
         {sam::bit_range{}, sam::bit_range{.begin = 1}, sam::bit_range{3, 6}}) {
      CAPTURE(with_spare, bits.begin);
      for (auto const& of : memory_cases<key, sam::no_values>()) {
        sam::sort_options<key> const how{.bits = bits,
                                         .spare_keys = first(spare, with_spare ? of.n : 0)};
        check_memory(
            of, 0, [&](auto& context) { return sam::radix_sort_workspace(context, of.n, how); },
            [&](auto& context) {
              sam::radix_sort(context, first(in, of.n), first(out, of.n), how);
            });
      }
      for (auto const& of : memory_cases<key, value>()) {
        sam::sort_options<key, value> const how{.bits = bits,
                                                .spare_keys = first(spare, with_spare ? of.n : 0),
                                                .spare_values =
                                                    first(spare_values, with_spare ? of.n : 0)};
        // The workspace also suffices for a sort in place, so its size does not depend on the
        // location of the arrays.
        check_memory(
            of, with_spare ? 0 : sizeof(key) + sizeof(value),
            [&](auto& context) { return sam::radix_sort_workspace(context, of.n, how); },
            [&](auto& context) {
              for (bool const in_place : {false, true})
                sam::radix_sort_pairs(context, first(in, of.n), first(values, of.n),
                                      first(in_place ? in : out, of.n),
                                      first(in_place ? values : values_out, of.n), how);
            });
      }
    }
}

TEMPLATE_TEST_CASE("an argsort takes no more memory than it says", "[cuda]", std::uint16_t,
                   std::uint32_t) {
  test::fenced_array<TestType> keys(most_keys);
  test::fenced_array<index_t> order(most_keys);
  sam::sort_options<TestType, index_t> const how{};
  for (auto const& of : memory_cases<TestType, index_t>())
    check_memory(
        of, 2 * sizeof(TestType) + sizeof(index_t),
        [&](auto& context) { return sam::radix_argsort_workspace(context, of.n, how); },
        [&](auto& context) { sam::radix_argsort(context, first(keys, of.n), first(order, of.n)); });
}

/// Calls f(segments) with n keys in one segment, in n segments, and in several. Some forms of
/// segments need a workspace of their own.
template <class F>
void with_segments(index_t n, F f) {
  for (index_t const length :
       {index_t{1}, index_t{700}, index_t{30'000}, sam::engine::max_of(n, 1)}) {
    CAPTURE(length);
    f(sam::by_length(length));
  }
  auto const offsets = test::on_backend(std::vector<index_t>{0, n / 2, n / 2, n});
  f(sam::by_offsets(offsets));
  auto const heads =
      test::on_backend(std::vector<std::uint32_t>(std::size_t(sam::engine::div_up(n, 32)), 1));
  sam::packed_bits const bits(heads, n);
  f(sam::by_heads(bits));
}

TEST_CASE("a sort of segments takes no more memory than it says", "[cuda]") {
  using key = std::uint64_t;
  test::fenced_array<key> in(most_keys), out(most_keys);
  sam::sort_options<key> const how{};
  for (auto const& of : memory_cases<key, sam::no_values>())
    with_segments(of.n, [&](auto const& segments) {
      check_memory(
          of, 0,
          [&](auto& context) {
            return sam::segmented_radix_sort_workspace(context, of.n, segments, how);
          },
          [&](auto& context) {
            sam::segmented_radix_sort(context, first(in, of.n), segments, first(out, of.n), how);
          });
    });
}

TEST_CASE("sorts of segments of halves take no more memory than they say", "[cuda]") {
  using value = std::uint32_t;
  test::fenced_array<std::uint16_t> bits(most_keys), bits_out(most_keys);
  test::fenced_array<value> values(most_keys), values_out(most_keys);
  sam::sort_options<__half, value> const how{};
  auto const halves = [](auto& items, index_t n) {
    return std::span(reinterpret_cast<__half*>(items.data()), std::size_t(n));
  };
  for (auto const& of : memory_cases<__half, value>())
    with_segments(of.n, [&](auto const& segments) {
      auto const keys = halves(bits, of.n), keys_out = halves(bits_out, of.n);
      check_memory(
          of, 0,
          [&](auto& context) {
            return sam::segmented_radix_sort_workspace(context, of.n, segments, how);
          },
          [&](auto& context) {
            sam::segmented_radix_sort_pairs(context, keys, first(values, of.n), segments, keys_out,
                                            first(values_out, of.n), how);
          });
      check_memory(
          of, 0,
          [&](auto& context) {
            return sam::segmented_radix_argsort_workspace(context, of.n, segments, how);
          },
          [&](auto& context) {
            sam::segmented_radix_argsort(context, keys, segments, first(values_out, of.n), how);
          });
    });
}

}  // namespace
