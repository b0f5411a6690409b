// SPDX-License-Identifier: MIT
// Benchmarks sorts on a CUDA device against CUB and cudaMemcpy of the same bytes, in one process
// and on the same keys. Cases are named <case>/by:<implementation>. The results of sam are compared
// with CUB's.
#include <sam/radix_sort.hpp>

#include "support.hpp"
#include <cub/device/device_radix_sort.cuh>
#include <cuda_fp16.h>

#include <initializer_list>

namespace perf {

enum class keys_are { random, sorted, reversed, equal, skewed, two_values, five_values };
constexpr char const* names[] = {"random", "sorted",     "reversed",   "equal",
                                 "skewed", "two_values", "five_values"};

// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
__device__ std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Fills keys of up to 64 bits with random bits that differ between processes. Floats are finite,
/// and none is -0, which CUB treats as equal to 0.
template <class Key>
__global__ void fill(Key* keys, index_t n, std::uint64_t seed, keys_are what) {
  constexpr int bits = 8 * int{sizeof(Key)};
  std::uint64_t const step = (~std::uint64_t{0} >> (64 - bits)) / std::uint64_t(n);
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n;
       i += index_t{gridDim.x} * blockDim.x) {
    std::uint64_t x = mixed(seed + std::uint64_t(i));
    auto const rank = std::uint64_t(what == keys_are::reversed ? n - 1 - i : i);
    if (what == keys_are::sorted || what == keys_are::reversed)
      x = step > 0 ? rank * step : (rank << bits % 64) / std::uint64_t(n);
    else if (what == keys_are::equal)
      x = 0x1234567812345678;
    else if (what == keys_are::skewed)
      x &= mixed(x) & mixed(x + 1);
    else if (what == keys_are::two_values)
      x = x % 2 * 0x0101010101010101;
    else if (what == keys_are::five_values)
      x = x % 5 * 0x0101010101010101;
    if constexpr (sam::is_floating<Key>) {
      x &= ~(std::uint64_t{1} << (bits - 2));
      x = x << (65 - bits) == 0 ? 0 : x;
    }
    __builtin_memcpy(&keys[i], &x, sizeof(Key));
  }
}

__global__ void count_up(std::uint32_t* values, index_t n) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n;
       i += index_t{gridDim.x} * blockDim.x)
    values[i] = std::uint32_t(i);
}

/// Device memory that all benchmarks reuse.
class memory {
 public:
  template <class T>
  static T* get(int which, index_t count) {
    static memory all;
    auto& [at, bytes] = all.parts_[which];
    auto const wanted = std::size_t(count) * sizeof(T);
    if (wanted > bytes) {
      check(cudaFree(at));
      check(cudaMalloc(&at, wanted));
      bytes = wanted;
    }
    return static_cast<T*>(at);
  }

 private:
  struct part {
    void* at = nullptr;
    std::size_t bytes = 0;
  };
  part parts_[9];
};

/// The kind of result: sorted keys (with values, if there are any), or only the order. For an
/// order, CUB sorts pairs of keys and indices.
enum class asked { keys, order };

template <class Key, class Value>
struct sort_arrays {
  static constexpr bool has_values = !std::is_same_v<Value, sam::no_values>;
  index_t n;
  sam::bit_range bits;
  Key* keys = memory::get<Key>(0, n);
  Key* sorted = memory::get<Key>(1, n);
  Key* spare = memory::get<Key>(2, n);
  Key* wanted = memory::get<Key>(3, n);
  Value* values = memory::get<Value>(4, n);
  Value* sorted_values = memory::get<Value>(5, n);
  Value* spare_values = memory::get<Value>(6, n);
  Value* wanted_values = memory::get<Value>(7, n);

  sort_arrays(index_t count, keys_are what, sam::bit_range sorted_by) : n(count), bits(sorted_by) {
    auto const seed = std::uint64_t{std::random_device{}()} << 32;
    if constexpr (sizeof(Key) <= 8)
      fill<<<1024, 256>>>(keys, n, seed, what);
    else  // for random keys only
      fill<<<1024, 256>>>(reinterpret_cast<std::uint64_t*>(keys), n * index_t{sizeof(Key) / 8},
                          seed, what);
    if constexpr (has_values)
      count_up<<<1024, 256>>>(values, n);
    check(cudaMemset(sorted, 0xcd, std::size_t(n) * sizeof(Key)));
    check(cudaMemset(sorted_values, 0xcd, std::size_t(n) * sizeof(Value)));
    check(cudaDeviceSynchronize());
  }

  template <asked For>
  void sort_by_sam(sam::default_context& context) const {
    std::span<Key const> const from(keys, std::size_t(n));
    std::span<Key> const to(sorted, std::size_t(n)), spare_to(spare, std::size_t(n));
    if constexpr (has_values) {
      std::span<Value const> const values_from(values, std::size_t(n));
      std::span<Value> const values_to(sorted_values, std::size_t(n));
      sam::sort_options<Key, Value> const options{
          .bits = bits, .spare_keys = spare_to, .spare_values = {spare_values, std::size_t(n)}};
      if constexpr (For == asked::keys)
        sam::radix_sort_pairs(context, from, values_from, to, values_to, options);
      else
        sam::radix_argsort(context, from, values_to, options);
    } else {
      sam::radix_sort(context, from, to, {.bits = bits, .spare_keys = spare_to});
    }
  }
  void sort_by_cub(void* temporary, std::size_t& bytes, cudaStream_t stream = nullptr) const {
    int const end = bits.end == sam::bit_range::last ? 8 * int{sizeof(Key)} : bits.end;
    if constexpr (has_values)
      check(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, wanted, values, wanted_values,
                                            n, bits.begin, end, stream));
    else
      check(cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, wanted, n, bits.begin, end,
                                           stream));
  }
  bool is_as_by_cub(bool keys_too) const {
    std::size_t bytes = 0;
    sort_by_cub(nullptr, bytes);
    sort_by_cub(memory::get<std::byte>(8, index_t(bytes)), bytes);
    bool const same = !keys_too || are_same(sorted, wanted, std::size_t(n) * sizeof(Key));
    if constexpr (has_values)
      return same && are_same(sorted_values, wanted_values, std::size_t(n) * sizeof(Value));
    return same;
  }
};

std::string of_bits(sam::bit_range bits) {
  if (bits.end == sam::bit_range::last)
    return "";
  return "/bits:" + std::to_string(bits.begin) + "-" + std::to_string(bits.end);
}

/// The largest size for which calls are also timed in a graph. Below it, launches may take longer
/// than the kernels.
constexpr index_t most_in_graph = index_t{1} << 20;

template <class Key, class Value = sam::no_values, asked For = asked::keys>
void compare(char const* type, index_t n, keys_are what = keys_are::random,
             sam::bit_range bits = {}) {
  using all = sort_arrays<Key, Value>;
  constexpr bool moves_all = For == asked::keys;
  constexpr std::size_t bytes = sizeof(Key) + (all::has_values ? sizeof(Value) : 0);
  std::string const name = std::string(moves_all ? "sort/" : "argsort/") + type + "/" +
                           names[int(what)] + of_bits(bits) + "/n:" + std::to_string(n);
  auto const add = [&](std::string const& who, auto f) {
    perf::add(name, who, n * index_t(bytes), f);
  };
  for (auto const how : {queued::one_by_one, queued::in_graph}) {
    if (how == queued::in_graph && n > most_in_graph)
      continue;
    std::string const suffix = how == queued::in_graph ? "_in_graph" : "";
    add("sam" + suffix, [=](benchmark::State& state) {
      all const a(n, what, bits);
      sam::default_context context(stream_for(how));
      time_calls(
          state, n, bytes, [&] { a.template sort_by_sam<For>(context); }, how);
      if (!a.is_as_by_cub(moves_all))
        state.SkipWithError("the order is wrong");
    });
    add("cub" + suffix, [=](benchmark::State& state) {
      all const a(n, what, bits);
      std::size_t wanted = 0;
      a.sort_by_cub(nullptr, wanted);
      void* const temporary = memory::get<std::byte>(8, index_t(wanted));
      time_calls(
          state, n, bytes, [&] { a.sort_by_cub(temporary, wanted, stream_for(how)); }, how);
    });
  }
  add("memcpy", [=](benchmark::State& state) {
    all const a(n, what, bits);
    time_calls(state, n, bytes, [&] {
      check(cudaMemcpyAsync(a.sorted, a.keys, std::size_t(n) * sizeof(Key),
                            cudaMemcpyDeviceToDevice));
      if constexpr (all::has_values && moves_all)
        check(cudaMemcpyAsync(a.sorted_values, a.values, std::size_t(n) * sizeof(Value),
                              cudaMemcpyDeviceToDevice));
    });
  });
}

template <class Key, class Value = sam::no_values>
void compare_orders(char const* type, std::initializer_list<int> powers = {12, 16, 20, 28}) {
  for (int const power : powers)
    for (auto const what : {keys_are::random, keys_are::sorted, keys_are::reversed, keys_are::equal,
                            keys_are::skewed, keys_are::two_values, keys_are::five_values})
      compare<Key, Value>(type, index_t{1} << power, what);
}
template <class Key>
void compare_skewed(char const* type, std::initializer_list<int> powers) {
  for (int const power : powers)
    for (auto const what : {keys_are::random, keys_are::skewed})
      compare<Key>(type, index_t{1} << power, what);
}

[[maybe_unused]] bool const registered = [] {
  compare_orders<std::uint32_t>("u32");
  compare_orders<float>("f32");
  compare_orders<std::uint64_t>("u64");
  compare_orders<std::uint8_t>("u8");
  compare_orders<std::uint16_t>("u16", {12, 13, 16, 17, 18, 20, 28});
  compare_orders<std::uint32_t, std::uint32_t>("u32+u32");
  compare_skewed<std::uint32_t>("u32", {13, 14, 15, 17, 18, 19, 22, 24, 26});
  compare_skewed<float>("f32", {13, 14, 18});
  compare_skewed<std::uint64_t>("u64", {13, 14, 18});
  compare_skewed<std::uint8_t>("u8", {14, 18, 22, 24});
  compare_skewed<std::uint16_t>("u16", {14, 22, 24});
  index_t const n = index_t{1} << 28;
  compare<std::uint32_t, std::uint32_t, asked::order>("u32", n);
  compare<__half>("f16", n);
#ifdef __SIZEOF_INT128__
  compare<unsigned __int128>("u128", n / 4);
#endif
  for (sam::bit_range const bits : {sam::bit_range{0, 8}, {0, 12}, {8, 24}, {16, 32}}) {
    compare<std::uint32_t>("u32", n, keys_are::random, bits);
    compare<std::uint32_t, std::uint32_t>("u32+u32", n, keys_are::random, bits);
  }
  compare<std::uint64_t>("u64", n, keys_are::random, {0, 40});
  for (int const thousands : {100, 300, 1'000, 10'000}) {  // sizes that do not fill the last tile
    compare<std::uint32_t>("u32", index_t{1'000} * thousands);
    compare<std::uint32_t, std::uint32_t>("u32+u32", index_t{1'000} * thousands);
  }
  return true;
}();

}  // namespace perf
