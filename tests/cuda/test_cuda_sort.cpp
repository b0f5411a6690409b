// SPDX-License-Identifier: MIT
// Tests of sorts on a CUDA device: by one block, by many large or small tiles with a partial last
// tile, and by counting of 16-bit keys.
#include <sam/cuda/runtime/testing.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reference.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_radix_sort.hpp>

#include "plan_edges.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <tuple>

namespace test {

template <class Key>
__global__ void make_keys_of_indices(Key* keys, sam::index_t n) {
  for (sam::index_t i = sam::index_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += sam::index_t(gridDim.x) * blockDim.x) {
    auto x = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15;
    keys[i] = static_cast<Key>((x ^ x >> 29) * 0xbf58476d1ce4e5b9 >> 32);
  }
}
/// Counts neighbours that are not in stable order. A result of zero means that `order` has each
/// index once, since all its indices are in range and strictly ordered.
template <class Key>
__global__ void count_disorder(Key const* keys, Key const* sorted, sam::index_t const* order,
                               sam::index_t n, unsigned long long* wrong) {
  for (sam::index_t i = sam::index_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += sam::index_t(gridDim.x) * blockDim.x) {
    bool const inside = order[i] >= 0 && order[i] < n;
    if (!inside || keys[order[i]] != sorted[i] ||
        (i > 0 &&
         !(sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && order[i - 1] < order[i]))))
      atomicAdd(wrong, 1ull);
  }
}

}  // namespace test

namespace {

using sam::index_t;
using sam::gpu::ranking;

struct sixteen_bytes {
  std::uint64_t index, more;
  friend bool operator==(sixteen_bytes const&, sixteen_bytes const&) = default;
};
template <class Value>
Value value_of(std::size_t i) {
  if constexpr (std::is_same_v<Value, sixteen_bytes>)
    return {i, ~i};
  else
    return static_cast<Value>(i);
}

template <class Key, class Value>
struct of {
  using key = Key;
  using value = Value;
};
using cases = std::tuple<of<std::uint8_t, std::uint32_t>, of<std::int16_t, std::uint16_t>,
                         of<std::uint32_t, std::uint32_t>, of<std::int32_t, std::uint64_t>,
                         of<std::uint32_t, sixteen_bytes>, of<std::int64_t, std::uint8_t>,
                         of<std::uint64_t, std::uint64_t>>;

/// Returns random keys. If skewed, few of their bits are set, so that some digits are much more
/// frequent than others.
template <class Key>
std::vector<Key> make_keys(index_t n, bool are_skewed, std::uint64_t seed) {
  auto keys = test::random_items<Key>(n, seed);
  if (are_skewed)
    for (std::uint64_t const k : {1, 2}) {
      auto const others = test::random_items<Key>(n, seed + k);
      for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = static_cast<Key>(keys[i] & others[i]);
    }
  return keys;
}

/// Keys and values in the order of a stable sort by ordered_key.
template <class Key, class Value>
struct pairs {
  std::vector<Key> keys;
  std::vector<Value> values;
};
template <class Value, class Key, class OrderedKey>
pairs<Key, Value> in_order(std::vector<Key> const& keys, OrderedKey const& ordered_key) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return ordered_key(keys[i]) < ordered_key(keys[j]);
  });
  pairs<Key, Value> sorted;
  for (std::size_t const i : order) {
    sorted.keys.push_back(keys[i]);
    sorted.values.push_back(value_of<Value>(i));
  }
  return sorted;
}

template <class Key, class Value>
void check(index_t n, int blocks, bool are_large, bool are_skewed, ranking how) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, blocks, are_large, are_skewed, int(how));
  auto const keys = make_keys<Key>(n, are_skewed, seed);
  sam::number_digits<Key> const ordered_key;
  auto const most_bits = [&](Key const& k) { return ordered_key(k) >> 1; };
  auto const wanted = in_order<Value>(keys, ordered_key);
  auto const wanted_by_most_bits = in_order<Value>(keys, most_bits);
  std::vector<Value> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    values[i] = value_of<Value>(i);

  sam::default_context context;
  context.limit_blocks(blocks);
  sam::cuda::testing::rank_digits(context, how);
  if (are_large)
    sam::cuda::testing::limit_small_bytes(context, 0);
  auto const in = test::on_backend(keys);
  auto const values_in = test::on_backend(values);
  test::fenced_array<Key> out(n), alone(n), alone_by_most_bits(n);
  test::fenced_array<Value> values_out(n, are_skewed ? 1 : 0);
  sam::radix_sort(context, in, alone);
  // Without one bit, keys without values use a radix sort even if they are few.
  sam::radix_sort(context, in, alone_by_most_bits, {.bits = {.begin = 1}});
  sam::radix_sort_pairs(context, in, values_in, out, values_out);
  test::fenced_array<Key> in_place(keys, 0), by_most_bits(keys, 0), beside(n);
  test::fenced_array<Value> values_in_place(values, 0), values_by_most_bits(values, 0),
      values_alone(values, 0);
  sam::radix_sort_pairs(context, in_place, values_in_place, in_place, values_in_place);
  sam::radix_sort_pairs(context, in, values_alone, beside, values_alone);
  sam::radix_sort_pairs(context, by_most_bits, values_by_most_bits, by_most_bits,
                        values_by_most_bits, {.bits = {.begin = 1}});
  context.wait();
  REQUIRE(test::differences(alone.to_host(), wanted.keys) == "");
  REQUIRE(test::differences(alone_by_most_bits.to_host(), wanted_by_most_bits.keys) == "");
  REQUIRE(test::differences(out.to_host(), wanted.keys) == "");
  REQUIRE(values_out.to_host() == wanted.values);
  REQUIRE(test::differences(in_place.to_host(), wanted.keys) == "");
  REQUIRE(values_in_place.to_host() == wanted.values);
  REQUIRE(test::differences(beside.to_host(), wanted.keys) == "");
  REQUIRE(values_alone.to_host() == wanted.values);
  REQUIRE(test::differences(by_most_bits.to_host(), wanted_by_most_bits.keys) == "");
  REQUIRE(values_by_most_bits.to_host() == wanted_by_most_bits.values);
  for (auto const* const array :
       {&out, &alone, &alone_by_most_bits, &in_place, &by_most_bits, &beside})
    REQUIRE(array->fences_intact());
  for (auto const* const array :
       {&values_out, &values_in_place, &values_by_most_bits, &values_alone})
    REQUIRE(array->fences_intact());
}

TEMPLATE_LIST_TEST_CASE("few blocks sort tiles of all sizes", "[cuda]", cases) {
  using key = typename TestType::key;
  using value = typename TestType::value;
  bool turn = false;
  for (bool const are_large : {true, false})
    for (int const blocks : {1, 2, 7, 0})
      for (index_t const n : {16'385, 30'001, 98'304, 200'003}) {
        turn = !turn;
        check<key, value>(n, blocks, are_large, turn, ranking::atomic);
        if (blocks == 2)
          check<key, value>(n, blocks, are_large, !turn, ranking::force_fallback);
      }
}

TEMPLATE_LIST_TEST_CASE("sorts are right at the edges of all rows of the plan", "[cuda]", cases) {
  using key = typename TestType::key;
  using value = typename TestType::value;
  constexpr index_t most = (index_t{1} << 20) + 1;
  auto sizes = test::plan_edges<key, value>(most);
  sizes.merge(test::plan_edges<key, sam::no_values>(most));
  bool turn = false;
  for (index_t const n : sizes)
    for (auto const how : {ranking::atomic, ranking::force_fallback})
      check<key, value>(n, 0, false, turn = !turn, how);
}

TEST_CASE("one block counts more than 2^32 equal keys", "[cuda][large]") {
  index_t const n = (index_t{1} << 32) + 12'345;
  auto const bytes = static_cast<std::size_t>(n);
  test::backend_bytes in(bytes), out(bytes);
  auto const keys_of = [=](test::backend_bytes& memory) {
    return std::span(reinterpret_cast<std::uint8_t*>(memory.data()), bytes);
  };
  sam::cuda::check(cudaMemset(in.data(), 1, bytes), "fill keys");
  sam::cuda::check(cudaMemset(in.data(), 2, 1), "fill a key");
  sam::default_context context;
  context.limit_blocks(1);
  sam::radix_sort(context, keys_of(in), keys_of(out));
  context.limit_blocks(0);
  test::fenced_array<std::uint8_t> values(2);
  test::fenced_array<index_t> lengths(2);
  REQUIRE(sam::run_length_encode(context, keys_of(out), values, lengths) == 2);
  REQUIRE(values.to_host() == std::vector<std::uint8_t>{1, 2});
  REQUIRE(lengths.to_host() == std::vector<index_t>{n - 1, 1});
}

TEMPLATE_TEST_CASE("more than 2^32 keys are sorted with their indices", "[cuda][large]",
                   std::uint16_t, std::uint32_t) {
  index_t const n = (index_t{1} << 32) + 12'345;
  auto const count = static_cast<std::size_t>(n);
  auto const of = [=]<class T>(test::backend_bytes& memory, std::type_identity<T>) {
    return std::span(reinterpret_cast<T*>(memory.data()), count);
  };
  index_t const wanted = n * index_t{sizeof(TestType) + sizeof(index_t)} +
                         sam::radix_argsort_workspace<TestType, index_t>(sam::default_context(), n);
  std::size_t free = 0, all = 0;
  sam::cuda::check(cudaMemGetInfo(&free, &all), "ask how much memory is free");
  if (index_t(free) < wanted + (index_t{1} << 30))
    SKIP("needs " << (wanted >> 30) + 1 << " GiB of free device memory");
  std::type_identity<TestType> const key;
  test::backend_bytes in(count * sizeof(TestType)), order(count * sizeof(index_t));
  auto const keys = of(in, key);
  auto const indices = of(order, std::type_identity<index_t>{});
  test::make_keys_of_indices<<<2048, 256>>>(keys.data(), n);
  {
    sam::default_context context;  // this context holds much memory
    sam::radix_argsort(context, keys, indices);
    context.wait();
  }
  test::backend_bytes out(count * sizeof(TestType));
  sam::default_context context;
  sam::radix_sort(context, keys, of(out, key));
  context.wait();
  test::fenced_array<unsigned long long> wrong(std::vector<unsigned long long>(1, 0), 0);
  test::count_disorder<<<2048, 256>>>(keys.data(), of(out, key).data(), indices.data(), n,
                                      wrong.data());
  sam::cuda::check(cudaDeviceSynchronize(), "count what is out of order");
  REQUIRE(wrong.to_host()[0] == 0);
}

TEMPLATE_TEST_CASE("halves are sorted with values, by index and in segments", "[cuda]", __half,
                   __nv_bfloat16) {
  index_t const n = 70'003;
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  auto const bits = make_keys<std::uint16_t>(n, false, seed);
  std::vector<TestType> keys(bits.size());
  std::memcpy(static_cast<void*>(keys.data()), bits.data(), bits.size() * sizeof(TestType));
  auto const in = test::on_backend(bits);
  std::span const keys_in(reinterpret_cast<TestType const*>(in.data()), bits.size());
  auto const values = test::random_items<std::uint32_t>(n, seed + 1);
  auto const values_in = test::on_backend(values);
  test::fenced_array<std::uint16_t> out(n);
  std::span const keys_out(reinterpret_cast<TestType*>(out.data()), bits.size());
  test::fenced_array<std::uint32_t> values_out(n), indices(n);
  std::vector<index_t> const offsets{0, 1, 5000, 5000, n};
  auto const there = test::on_backend(offsets);
  sam::default_context context;
  sam::number_digits<TestType> const ordered_keys;
  auto const check_order = [&](std::vector<std::uint32_t> const& order) {
    context.wait();
    REQUIRE(test::differences(out.to_host(), sam::reference::in_order(bits, order)) == "");
    REQUIRE(test::differences(values_out.to_host(), sam::reference::in_order(values, order)) == "");
    REQUIRE(test::differences(indices.to_host(), order) == "");
  };
  sam::radix_sort_pairs(context, keys_in, values_in, keys_out, values_out);
  sam::radix_argsort(context, keys_in, indices);
  check_order(sam::reference::radix_argsort<std::uint32_t>(keys, ordered_keys, 0, 16));
  auto const segments = sam::by_offsets(there);
  sam::segmented_radix_sort_pairs(context, keys_in, values_in, segments, keys_out, values_out);
  sam::segmented_radix_argsort(context, keys_in, segments, indices);
  check_order(
      sam::reference::segmented_radix_argsort<std::uint32_t>(keys, offsets, ordered_keys, 0, 16));
}

TEST_CASE("few keys in segments by offsets are sorted, long ones by clusters or teams", "[cuda]") {
  sam::default_context own, like_a100, like_t4;
  sam::cuda::testing::run_like(like_a100, sam::cuda::testing::a100);
  sam::cuda::testing::run_like(like_t4, sam::cuda::testing::t4);
  for (index_t const n : {300, 16'384, 16'385, 60'000, 200'000, 262'144})
    for (index_t const mean : {5, 300, 3'000}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, mean, seed);
      auto const keys = make_keys<std::uint32_t>(n, mean == 300, seed);
      std::vector<std::int32_t> offsets{0};
      test::generator bits(seed);
      while (offsets.back() < n) {
        index_t const length =
            offsets.size() % 50 == 3 ? n / 3 : index_t(bits() % std::uint64_t(2 * mean));
        offsets.push_back(std::int32_t(std::min(n, offsets.back() + length)));
      }
      auto const order = sam::reference::segmented_radix_argsort<std::uint32_t>(
          keys, offsets, sam::number_digits<std::uint32_t>{}, 0, 32);
      auto const wanted = sam::reference::in_order(keys, order);
      auto const in = test::on_backend(keys);
      auto const segments = test::on_backend(offsets);
      test::fenced_array<std::uint32_t> out(n), values(n);
      for (sam::default_context* const context : {&own, &own, &like_a100, &like_a100, &like_t4}) {
        sam::segmented_radix_sort(*context, in, sam::by_offsets(segments), out);
        sam::segmented_radix_argsort(*context, in, sam::by_offsets(segments), values);
        context->wait();
        REQUIRE((out.to_host() == wanted));
        REQUIRE((values.to_host() == order));
      }
      REQUIRE((out.fences_intact() && values.fences_intact()));
    }
}

/// Checks a counting sort of keys in the given order. It runs in place, or with arrays `past` keys
/// past a multiple of 16 bytes.
template <class Key>
void check_counted(index_t n, int blocks, bool are_skewed, sam::sort_order order, int past,
                   bool in_place) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, blocks, are_skewed, int(order), past, in_place);
  using word = std::conditional_t<sizeof(Key) == 1, std::uint8_t, std::uint16_t>;
  auto const bits = make_keys<word>(n, are_skewed, seed);
  std::vector<Key> keys(bits.size());
  std::memcpy(static_cast<void*>(keys.data()), bits.data(), bits.size() * sizeof(Key));
  auto const ordered_key = [](Key const& k) { return sam::number_digits<Key>{}(k); };
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end(), [&](Key const& a, Key const& b) {
    return order == sam::sort_order::ascending ? ordered_key(a) < ordered_key(b)
                                               : ordered_key(b) < ordered_key(a);
  });
  std::vector<word> wanted(bits.size());
  std::memcpy(wanted.data(), static_cast<void const*>(sorted.data()), bits.size() * sizeof(Key));

  sam::default_context context;
  context.limit_blocks(blocks);
  sam::cuda::testing::limit_small_bytes(context, 0);
  auto in = test::on_backend(bits, past);
  test::fenced_array<word> out(n, past);
  auto const as_keys = [&](auto& array) {
    return std::span(reinterpret_cast<Key*>(array.data()), std::size_t(n));
  };
  sam::radix_sort(context, as_keys(in), in_place ? as_keys(in) : as_keys(out), {.order = order});
  context.wait();
  REQUIRE(test::differences(in_place ? in.to_host() : out.to_host(), wanted) == "");
  REQUIRE((in.fences_intact() && out.fences_intact()));
  if (!in_place)
    REQUIRE(test::differences(in.to_host(), bits) == "");
}

TEMPLATE_TEST_CASE("keys of 8 and 16 bits are sorted by counting", "[cuda]", std::uint8_t,
                   std::int8_t, std::uint16_t, std::int16_t, __half, __nv_bfloat16) {
  int turn = 0;
  for (int const blocks : {1, 7, 0})
    for (index_t const n :
         {index_t{7}, index_t{4096}, index_t{8191}, index_t{8192}, index_t{8193}, index_t{16'385},
          index_t{32'768}, index_t{65'536}, index_t{100'003}, index_t{131'072}, index_t{131'073},
          index_t{1} << 20, index_t{5'000'001}})
      for (bool const are_skewed : {false, true})
        for (int const past : {0, 1 + turn % (16 / int{sizeof(TestType)} - 1)})
          for (bool const in_place : {false, true}) {
            ++turn;
            if (n < 200'000 || turn % 5 == 0)
              check_counted<TestType>(n, blocks, are_skewed,
                                      turn % 3 == 0 ? sam::sort_order::descending
                                                    : sam::sort_order::ascending,
                                      past, in_place);
          }
}

}  // namespace
