// SPDX-License-Identifier: MIT
// Benchmarks compaction and other primitives that select items on a CUDA device, against CUB and a
// cudaMemcpy of as many bytes as they move, in one process and on the same items.
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
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace perf {

/// A predicate that keeps about `of_1024` of 1024 random items.
struct keep_some {
  std::uint32_t of_1024;
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return (x >> 2 & 1023u) < of_1024; }
};
struct low_byte {
  SAM_FUNCTION std::int32_t operator()(std::uint8_t x) const { return x & 15; }
};

struct square {
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t x) const { return x * x; }
};
struct bit_of {
  std::uint32_t const* words;
  SAM_FUNCTION bool operator()(std::uint32_t i) const { return (words[i / 32] >> i % 32 & 1) != 0; }
};

__global__ void decide(std::uint32_t const* in, std::uint32_t* few, std::uint8_t* flags,
                       std::uint32_t* words, index_t count, keep_some keep) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < count;
       i += index_t{gridDim.x} * blockDim.x) {
    few[i] = flags[i] = keep(in[i]) ? 1 : 0;
    std::uint32_t const word = __ballot_sync(~0u, flags[i] != 0);
    if (i % 32 == 0)
      words[i / 32] = word;
  }
}

/// Flags, half of which are set, and values of two kinds.
struct decisions {
  static decisions& get() {
    static decisions all;
    return all;
  }
  decisions() {
    check(cudaMalloc(&few, n * 4));
    check(cudaMalloc(&flags, n));
    check(cudaMalloc(&words, n / 8));
    decide<<<1024, 256>>>(arrays::get().in<std::uint32_t>(n).data(), few, flags, words, n, {512});
    check(cudaDeviceSynchronize());
  }
  static constexpr index_t n = index_t{1} << 28;
  std::uint32_t *few = nullptr, *words = nullptr;
  std::uint8_t* flags = nullptr;
};

/// Adds a case of n items: sam's call and CUB's. If not AreAlike, results are not compared: CUB's
/// partition reverses the items that are not selected.
template <bool AreAlike = true, class Sam, class Cub>
void compare(std::string const& name, Sam by_sam, Cub by_cub, index_t n = decisions::n) {
  using T = std::uint32_t;
  auto const sam = [=](auto& context, results to) {
    auto const count = to.array<index_t>(1).template first<1>();
    by_sam(context, arrays::get().in<T>(n), to.array<T>(n), decisions::get(), count);
  };
  auto const cub = [=](void* temporary, std::size_t& bytes, results to) {
    index_t* const count = to.array<index_t>(1).data();
    return by_cub(temporary, bytes, arrays::get().in<T>(n).data(), to.array<T>(n).data(),
                  decisions::get(), count);
  };
  if constexpr (AreAlike)
    compare(name, n, sizeof(T), 2 * sizeof(T), sam, cub);
  else
    compare(name, n, sizeof(T), 2 * sizeof(T), sam);
  add_cub(name, n, sizeof(T), cub);
}

std::string of_size(index_t n) { return n == decisions::n ? "" : "/n:" + std::to_string(n); }

/// Adds a partition into three parts of about equal size. CUB writes each part to an array of its
/// own.
void compare_three_way(index_t n) {
  using T = std::uint32_t;
  static constexpr keep_some first{341}, second{683};
  auto const name = "three_way_partition/33%+33%" + of_size(n);
  auto const cub = [=](void* temporary, std::size_t& bytes, T* to, T* second_to, T* rest_to,
                       index_t* counts) {
    return cub::DevicePartition::If(temporary, bytes, arrays::get().in<T>(n).data(), to, second_to,
                                    rest_to, counts, n, first, second);
  };
  compare(
      name, n, sizeof(T), 2 * sizeof(T),
      [=](auto& context, results to) {
        auto const counts = to.array<index_t>(2).template first<2>();
        sam::three_way_partition(context, arrays::get().in<T>(n), to.array<T>(n), first, second,
                                 counts);
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        index_t* const counts = to.array<index_t>(2).data();
        T* const out = to.array<T>(n).data();
        T* const other[] = {to.array<T>(n).data(), to.array<T>(n).data()};
        cudaError_t const status = cub(temporary, bytes, out, other[0], other[1], counts);
        if (temporary == nullptr || status != cudaSuccess)
          return status;
        index_t found[2];
        check(cudaMemcpy(found, counts, sizeof(found), cudaMemcpyDefault));
        index_t const rest = n - found[0] - found[1];
        check(cudaMemcpy(out + found[0], other[0], found[1] * sizeof(T), cudaMemcpyDefault));
        check(cudaMemcpy(out + n - rest, other[1], rest * sizeof(T), cudaMemcpyDefault));
        return cudaMemset(other[0], 0xcd, 2 * n * sizeof(T));
      });
  add_cub(name, n, sizeof(T), [=](void* temporary, std::size_t& bytes, results to) {
    index_t* const counts = to.array<index_t>(2).data();
    T* const out = to.array<T>(n).data();
    T* const second_to = to.array<T>(n).data();
    return cub(temporary, bytes, out, second_to, to.array<T>(n).data(), counts);
  });
}

void compare_unique_by_key() {
  constexpr index_t n = decisions::n;
  using T = std::uint32_t;
  compare_with_cub(
      "unique_by_key/kept:50%", n, 2 * sizeof(T), 3 * sizeof(T),
      [](auto& context, results to) {
        std::span<T const> const keys(decisions::get().few, n);
        auto const keys_out = to.array<T>(n), values_out = to.array<T>(n);
        sam::unique_by_key(context, keys, arrays::get().in<T>(n), keys_out, values_out,
                           to.array<index_t>(1).template first<1>());
      },
      [](void* temporary, std::size_t& bytes, results to) {
        auto const keys_out = to.array<T>(n), values_out = to.array<T>(n);
        return cub::DeviceSelect::UniqueByKey(temporary, bytes, decisions::get().few,
                                              arrays::get().in<T>(n).data(), keys_out.data(),
                                              values_out.data(), to.array<index_t>(1).data(), n);
      });
}

void compare_reduce(index_t n) {
  compare(
      "reduce" + of_size(n),
      [=](auto& context, auto in, auto out, auto&, auto) {
        sam::reduce(context, in, out.first(1));
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto&, auto) {
        return cub::DeviceReduce::Sum(temporary, bytes, in, out, n);
      },
      n);
}

template <class In, class Transform>
void compare_transform_reduce(std::string const& name, std::span<In const> (*input)(),
                              Transform transform) {
  using T = std::uint32_t;
  constexpr index_t n = decisions::n;
  compare_with_cub(
      "transform_reduce/" + name, n, sizeof(In), sizeof(In),
      [=](auto& context, results to) {
        sam::transform_reduce(context, input(), to.array<T>(1), transform);
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        return cub::DeviceReduce::TransformReduce(temporary, bytes, input().data(),
                                                  to.array<T>(1).data(), n, ::cuda::std::plus<>{},
                                                  transform, T{0});
      });
}

/// Adds the cases that are also measured on few items, where launches dominate.
void compare_at(index_t n) {
  std::string const of = of_size(n);
  keep_some const half{512};
  compare(
      "compact/kept:50%" + of,
      [=](auto& context, auto in, auto out, auto&, auto count) {
        sam::compact(context, in, out, half, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto&, auto count) {
        return cub::DeviceSelect::If(temporary, bytes, in, out, count, n, half);
      },
      n);
  compare(
      "compact_flagged/kept:50%" + of,
      [=](auto& context, auto in, auto out, auto& d, auto count) {
        sam::compact_flagged(context, in, std::span(d.flags, std::size_t(n)), out, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto& d, auto count) {
        return cub::DeviceSelect::Flagged(temporary, bytes, in, d.flags, out, count, n);
      },
      n);
  compare<false>(
      "partition/kept:50%" + of,
      [=](auto& context, auto in, auto out, auto&, auto count) {
        sam::partition(context, in, out, half, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto&, auto count) {
        return cub::DevicePartition::If(temporary, bytes, in, out, count, n, half);
      },
      n);
  compare(
      "unique/kept:50%" + of,
      [=](auto& context, auto, auto out, auto& d, auto count) {
        sam::unique(context, std::span<std::uint32_t const>(d.few, std::size_t(n)), out, count);
      },
      [=](void* temporary, std::size_t& bytes, auto, auto out, auto& d, auto count) {
        return cub::DeviceSelect::Unique(temporary, bytes, d.few, out, count, n);
      },
      n);
  compare_three_way(n);
  compare_reduce(n);
}

[[maybe_unused]] bool const registered = [] {
  constexpr index_t n = decisions::n;
  compare_at(n);
  for (int const power : {12, 16, 18, 20, 22, 24})
    compare_at(index_t{1} << power);
  for (int const power : {23, 26})
    compare_reduce(index_t{1} << power);
  for (std::uint32_t const kept : {102u, 922u}) {
    keep_some const keep{kept};
    auto const of = "/kept:" + std::to_string((kept * 100 + 512) / 1024) + "%";
    compare(
        "compact" + of,
        [=](auto& context, auto in, auto out, auto&, auto count) {
          sam::compact(context, in, out, keep, count);
        },
        [=](void* temporary, std::size_t& bytes, auto in, auto out, auto&, auto count) {
          return cub::DeviceSelect::If(temporary, bytes, in, out, count, n, keep);
        });
  }
  keep_some const half{512};
  compare(
      "compact_indices/kept:50%",
      [=](auto& context, auto in, auto out, auto&, auto count) {
        sam::compact_indices(context, in, out, half, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto&, auto count) {
        return cub::DeviceSelect::FlaggedIf(
            temporary, bytes, thrust::counting_iterator<std::uint32_t>(0), in, out, count, n, half);
      });
  compare(
      "transform_inclusive_scan/u8_to_i32",
      [=](auto& context, auto, auto out, auto& d, auto) {
        sam::transform_inclusive_scan(context, std::span<std::uint8_t const>(d.flags, n), out,
                                      low_byte{});
      },
      [=](void* temporary, std::size_t& bytes, auto, auto out, auto& d, auto) {
        return cub::DeviceScan::InclusiveSum(
            temporary, bytes, thrust::make_transform_iterator(d.flags, low_byte{}), out, n);
      });
  compare(
      "transform_exclusive_scan/u8_to_i32",
      [=](auto& context, auto, auto out, auto& d, auto) {
        sam::transform_exclusive_scan(context, std::span<std::uint8_t const>(d.flags, n), out,
                                      low_byte{});
      },
      [=](void* temporary, std::size_t& bytes, auto, auto out, auto& d, auto) {
        return cub::DeviceScan::ExclusiveSum(
            temporary, bytes, thrust::make_transform_iterator(d.flags, low_byte{}), out, n);
      });
  compare_transform_reduce<std::uint8_t>(
      "u8_to_u32", [] { return std::span<std::uint8_t const>(decisions::get().flags, n); },
      low_byte{});
  compare_transform_reduce<std::uint32_t>(
      "square/u32", [] { return arrays::get().in<std::uint32_t>(n); }, square{});
  auto const indices = thrust::counting_iterator<std::uint32_t>(0);
  auto const bits_of = [=](auto const& d) {
    return thrust::make_transform_iterator(indices, bit_of{d.words});
  };
  compare(
      "compact_packed_bits/kept:50%",
      [=](auto& context, auto in, auto out, auto& d, auto count) {
        std::span<std::uint32_t const> const words(d.words, n / 32);
        sam::compact_flagged(context, in, sam::packed_bits(words), out, count);
      },
      [=](void* temporary, std::size_t& bytes, auto in, auto out, auto& d, auto count) {
        return cub::DeviceSelect::Flagged(temporary, bytes, in, bits_of(d), out, count, n);
      });
  compare(
      "compact_indices_flagged/kept:50%",
      [=](auto& context, auto, auto out, auto& d, auto count) {
        sam::compact_indices_flagged(context, std::span<std::uint8_t const>(d.flags, n), out,
                                     count);
      },
      [=](void* temporary, std::size_t& bytes, auto, auto out, auto& d, auto count) {
        return cub::DeviceSelect::Flagged(temporary, bytes, indices, d.flags, out, count, n);
      });
  compare(
      "compact_indices_packed_bits/kept:50%",
      [=](auto& context, auto, auto out, auto& d, auto count) {
        std::span<std::uint32_t const> const words(d.words, n / 32);
        sam::compact_indices_flagged(context, sam::packed_bits(words), out, count);
      },
      [=](void* temporary, std::size_t& bytes, auto, auto out, auto& d, auto count) {
        return cub::DeviceSelect::Flagged(temporary, bytes, indices, bits_of(d), out, count, n);
      });
  compare_unique_by_key();
  return true;
}();

}  // namespace perf
