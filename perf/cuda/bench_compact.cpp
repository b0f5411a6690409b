// SPDX-License-Identifier: MIT
// Compaction, and what else reads arrays item by item, on a CUDA device beside cudaMemcpy of as
// many items and CUB, all in one process on the same items.
#include <sam/compact.hpp>
#include <sam/partition.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
#include <sam/unique.hpp>

#include "support.hpp"
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/transform_iterator.h>

namespace perf {

/// Of 1024 random items keeps about so many.
struct keep_some {
  std::uint32_t of_1024;
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return (x >> 2 & 1023u) < of_1024; }
};
struct low_byte {
  SAM_FUNCTION std::int32_t operator()(std::uint8_t x) const { return x & 15; }
};

__global__ void decide(std::uint32_t const* in, std::uint32_t* few, std::uint8_t* flags,
                       index_t count, keep_some keep) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < count;
       i += index_t{gridDim.x} * blockDim.x)
    few[i] = flags[i] = keep(in[i]) ? 1 : 0;
}

/// Values of two kinds, and flags, half of which are set.
struct decisions {
  static decisions& get() {
    static decisions all;
    return all;
  }
  decisions() {
    check(cudaMalloc(&few, n * 4));
    check(cudaMalloc(&flags, n));
    check(cudaMalloc(&count, sizeof(index_t)));
    decide<<<1024, 256>>>(arrays::get().in<std::uint32_t>(n).data(), few, flags, n, {512});
    check(cudaDeviceSynchronize());
  }
  static constexpr index_t n = index_t{1} << 28;
  std::uint32_t* few = nullptr;
  std::uint8_t* flags = nullptr;
  index_t* count = nullptr;
};

/// Cases of n items: sam's call and CUB's, which is also asked how much temporary memory it takes.
template <class Sam, class Cub>
void compare(std::string const& name, Sam by_sam, Cub by_cub) {
  constexpr index_t n = decisions::n;
  using T = std::uint32_t;
  add(name, "sam", [=](benchmark::State& state) {
    sam::default_context context;
    decisions& d = decisions::get();
    time_calls(state, n, sizeof(T), [&] {
      by_sam(context, arrays::get().in<T>(n), arrays::get().out<T>(n), d,
             std::span<index_t, 1>(d.count, 1));
    });
  });
  add(name, "memcpy", [=](benchmark::State& state) {
    time_calls(state, n, sizeof(T), [&] {
      check(cudaMemcpyAsync(arrays::get().out<T>(n).data(), arrays::get().in<T>(n).data(),
                            n * sizeof(T), cudaMemcpyDeviceToDevice));
    });
  });
  add(name, "cub", [=](benchmark::State& state) {
    decisions& d = decisions::get();
    std::size_t bytes = 0;
    auto const call = [&](void* temporary) {
      check(by_cub(temporary, bytes, arrays::get().in<T>(n).data(), arrays::get().out<T>(n).data(),
                   d));
    };
    call(nullptr);
    void* const temporary = arrays::get().temporary(bytes);
    time_calls(state, n, sizeof(T), [&] { call(temporary); });
  });
}

[[maybe_unused]] bool const registered = [] {
  constexpr index_t n = decisions::n;
  for (std::uint32_t const kept : {512u, 102u, 922u}) {
    keep_some const keep{kept};
    auto const of = "/kept:" + std::to_string((kept * 100 + 512) / 1024) + "%";
    compare(
        "compact" + of,
        [=](auto& context, auto in, auto out, auto&, auto count) {
          sam::compact(context, in, out, keep, count);
        },
        [=](void* temporary, std::size_t& bytes, auto in, auto out, auto& d) {
          return cub::DeviceSelect::If(temporary, bytes, in, out, d.count, n, keep);
        });
  }
  keep_some const half{512};
  compare(
      "compact_indices/kept:50%",
      [=](auto& context, auto in, auto out, auto&, auto count) {
        sam::compact_indices(context, in, out, half, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto& d) {
        return cub::DeviceSelect::FlaggedIf(temporary, bytes,
                                            thrust::counting_iterator<std::uint32_t>(0), in, out,
                                            d.count, n, half);
      });
  compare(
      "compact_flagged/kept:50%",
      [=](auto& context, auto in, auto out, auto& d, auto count) {
        sam::compact_flagged(context, in, std::span(d.flags, n), out, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto& d) {
        return cub::DeviceSelect::Flagged(temporary, bytes, in, d.flags, out, d.count, n);
      });
  compare(
      "partition/kept:50%",
      [=](auto& context, auto in, auto out, auto&, auto count) {
        sam::partition(context, in, out, half, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto& d) {
        return cub::DevicePartition::If(temporary, bytes, in, out, d.count, n, half);
      });
  compare(
      "unique/kept:50%",
      [=](auto& context, auto, auto out, auto& d, auto count) {
        sam::unique(context, std::span<std::uint32_t const>(d.few, n), out, count);
      },
      [=](void* temporary, std::size_t& bytes, auto, auto out, auto& d) {
        return cub::DeviceSelect::Unique(temporary, bytes, d.few, out, d.count, n);
      });
  compare(
      "reduce",
      [=](auto& context, auto in, auto out, auto&, auto) {
        sam::reduce(context, in, out.first(1));
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto&) {
        return cub::DeviceReduce::Sum(temporary, bytes, in, out, n);
      });
  compare(
      "transform_inclusive_scan/u8_to_i32",
      [=](auto& context, auto, auto out, auto& d, auto) {
        sam::transform_inclusive_scan(context, std::span<std::uint8_t const>(d.flags, n), out,
                                      low_byte{});
      },
      [=](void* temporary, std::size_t& bytes, auto, auto out, auto& d) {
        return cub::DeviceScan::InclusiveSum(
            temporary, bytes, thrust::make_transform_iterator(d.flags, low_byte{}), out, n);
      });
  return true;
}();

}  // namespace perf
