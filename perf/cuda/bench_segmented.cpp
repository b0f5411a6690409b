// SPDX-License-Identifier: MIT
// Segmented scans on a CUDA device beside a cudaMemcpy that moves as many bytes and, by keys, CUB,
// and a summed-area table beside a copy of the image; all in one process on the same items.
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/summed_area_table.hpp>

#include "support.hpp"
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace perf {

/// Segments of about so many items each; 0: none but the first.
__global__ void cut(std::uint32_t const* random, std::uint8_t* flags, index_t count,
                    std::uint32_t length) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < count;
       i += index_t{gridDim.x} * blockDim.x)
    flags[i] = length != 0 && random[i] % length == 0;
}
__global__ void pack(std::uint8_t const* flags, std::uint32_t* words, index_t count) {
  for (index_t w = blockIdx.x * index_t{blockDim.x} + threadIdx.x; w < count / 32;
       w += index_t{gridDim.x} * blockDim.x) {
    std::uint32_t word = 0;
    for (int k = 0; k < 32; ++k)
      word |= std::uint32_t(flags[32 * w + k]) << k;
    words[w] = word;
  }
}

class segments {
 public:
  static constexpr index_t n = index_t{1} << 28;
  static segments& of(std::uint32_t length) {
    static segments all;
    if (all.length_ != length) {
      cut<<<1024, 256>>>(arrays::get().in<std::uint32_t>(n).data(), all.flags, n, length);
      pack<<<1024, 256>>>(all.flags, all.words, n);
      sam::default_context context;
      sam::transform_inclusive_scan(context, std::span<std::uint8_t const>(all.flags, n),
                                    std::span(all.keys, n), std::identity{});
      context.wait();
      check(cudaDeviceSynchronize());
      all.length_ = length;
    }
    return all;
  }
  std::uint8_t* flags = nullptr;
  std::uint32_t *words = nullptr, *keys = nullptr;

 private:
  segments() {
    check(cudaMalloc(&flags, n));
    check(cudaMalloc(&words, n / 8));
    check(cudaMalloc(&keys, n * 4));
  }
  std::uint32_t length_ = ~0u;
};

/// What says where segments lie takes so many bits for each item.
template <class Call>
void compare(std::string const& how, std::uint32_t length, index_t bits, Call call) {
  constexpr index_t n = segments::n;
  auto const name = "segmented_inclusive_scan/i32/by_" + how + "/length:" + std::to_string(length);
  add(name, "sam", [=](benchmark::State& state) {
    sam::default_context context;
    segments& s = segments::of(length);
    time_calls(state, n, 4, [&] {
      call(context, arrays::get().in<std::int32_t>(n), s, arrays::get().out<std::int32_t>(n));
    });
  });
  add(name, "memcpy", [=](benchmark::State& state) {
    time_calls(state, n, 4, [&] {
      check(cudaMemcpyAsync(arrays::get().out<std::byte>(1).data(),
                            arrays::get().in<std::byte>(1).data(),
                            std::size_t(n * (64 + bits) / 16), cudaMemcpyDeviceToDevice));
    });
  });
  if (how == "keys")
    add(name, "cub", [=](benchmark::State& state) {
      segments& s = segments::of(length);
      std::size_t bytes = 0;
      auto const scan = [&](void* temporary) {
        check(cub::DeviceScan::InclusiveSumByKey(temporary, bytes, s.keys,
                                                 arrays::get().in<std::int32_t>(n).data(),
                                                 arrays::get().out<std::int32_t>(n).data(), n));
      };
      scan(nullptr);
      void* const temporary = arrays::get().temporary(bytes);
      time_calls(state, n, 4, [&] { scan(temporary); });
    });
}

[[maybe_unused]] bool const registered = [] {
  constexpr index_t n = segments::n;
  for (std::uint32_t const length : {1u, 10u, 1000u, 1000000u, 0u}) {
    compare("heads", length, 8, [](auto& context, auto in, segments& s, auto out) {
      std::span const flags(s.flags, n);
      sam::segmented_inclusive_scan(context, in, sam::by_heads(flags), out);
    });
    compare("packed_bits", length, 1, [](auto& context, auto in, segments& s, auto out) {
      std::span const words(s.words, n / 32);
      sam::segmented_inclusive_scan(context, in, sam::by_heads(sam::packed_bits(words)), out);
    });
    compare("keys", length, 32, [](auto& context, auto in, segments& s, auto out) {
      std::span const keys(s.keys, n);
      sam::segmented_inclusive_scan(context, in, sam::by_keys(keys), out);
    });
  }
  constexpr index_t width = 16384;
  add("summed_area_table/f32/16384x16384", "sam", [](benchmark::State& state) {
    sam::default_context context;
    time_calls(state, n, 4, [&] {
      sam::summed_area_table(context, arrays::get().in<float>(n), width,
                             arrays::get().out<float>(n));
    });
  });
  add("summed_area_table/f32/16384x16384", "memcpy", [](benchmark::State& state) {
    time_calls(state, n, 4, [&] {
      check(cudaMemcpyAsync(arrays::get().out<float>(n).data(), arrays::get().in<float>(n).data(),
                            n * 4, cudaMemcpyDeviceToDevice));
    });
  });
  static_assert(width * width == n);
  return true;
}();

}  // namespace perf
