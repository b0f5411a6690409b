// SPDX-License-Identifier: MIT
// Benchmarks segmented scans and reductions, runs of equal items, and a summed-area table on a CUDA
// device. They are compared with CUB, if it has the primitive, and with a cudaMemcpy of as many
// bytes (for the table, of the image), in one process and on the same items.
#include <sam/compact.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/summed_area_table.hpp>

#include "support.hpp"
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace perf {

/// Stands for segments of mixed lengths: one of a quarter of all items, then segments of every
/// length 2^0 to 2^16. Each stretch of 4096 items has one of these lengths, all equally likely.
constexpr std::uint32_t mixed = ~std::uint32_t{0};

/// Sets random flags for segments of about `length` items; for 0, only the first flag.
__global__ void cut(std::uint32_t const* random, std::uint8_t* flags, index_t count,
                    std::uint32_t length) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < count;
       i += index_t{gridDim.x} * blockDim.x) {
    std::uint32_t const own = length != mixed ? length
                              : i < count / 4 ? 0
                                              : 1u << random[i / 4096] % 17;
    flags[i] = i == 0 || (own != 0 && random[i] % own == 0);
  }
}
/// Returns the number of segments per item.
constexpr double segments_of_item(std::uint32_t length) {
  return length == 0 ? 0 : length == mixed ? 0.75 * 2 / 17 : 1.0 / length;
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

/// Computes the length of each segment and its number, starting from 1.
__global__ void measure(std::uint32_t const* offsets, std::uint32_t* lengths,
                        std::uint32_t* numbers, index_t count) {
  for (index_t k = blockIdx.x * index_t{blockDim.x} + threadIdx.x; k < count;
       k += index_t{gridDim.x} * blockDim.x) {
    lengths[k] = offsets[k + 1] - offsets[k];
    numbers[k] = std::uint32_t(k + 1);
  }
}

/// The segments of some items in every form of description. The key of an item is the number of its
/// segment, starting from 1.
class segments {
 public:
  static constexpr index_t n = index_t{1} << 28;
  /// Returns segments of `length` for the given number of items, at most n.
  static segments& of(std::uint32_t length, index_t items = n) {
    static segments all;
    if (all.length_ != length || all.items_ != items)
      all.make(length, items);
    return all;
  }
  std::span<std::uint32_t const> offsets() const { return {offsets_, std::size_t(count + 1)}; }
  std::span<std::uint32_t const> lengths() const { return {lengths_, std::size_t(count)}; }
  std::span<std::uint32_t const> numbers() const { return {numbers_, std::size_t(count)}; }
  std::uint8_t* flags = nullptr;
  std::uint32_t *words = nullptr, *keys = nullptr;
  index_t count = 0;

 private:
  segments() {
    check(cudaMalloc(&flags, n));
    check(cudaMalloc(&words, n / 8));
    for (std::uint32_t** const each : {&keys, &offsets_, &lengths_, &numbers_})
      check(cudaMalloc(each, (n + 1) * 4));
  }
  void make(std::uint32_t length, index_t items) {
    std::span<std::uint8_t const> const heads(flags, std::size_t(items));
    cut<<<1024, 256>>>(arrays::get().in<std::uint32_t>(items).data(), flags, items, length);
    pack<<<1024, 256>>>(flags, words, items);
    sam::default_context context;
    run_as_requested(context);
    sam::transform_inclusive_scan(context, heads, std::span(keys, heads.size()), std::identity{});
    count = sam::compact_indices_flagged(context, heads, std::span(offsets_, heads.size()));
    auto const end = std::uint32_t(items);
    check(cudaMemcpy(offsets_ + count, &end, 4, cudaMemcpyDefault));
    measure<<<1024, 256>>>(offsets_, lengths_, numbers_, count);
    check(cudaDeviceSynchronize());
    length_ = length;
    items_ = items;
  }
  std::uint32_t *offsets_ = nullptr, *lengths_ = nullptr, *numbers_ = nullptr;
  std::uint32_t length_ = 0;
  index_t items_ = 0;
};

std::string of_length(std::uint32_t length) {
  return "/length:" + (length == mixed ? "mixed" : std::to_string(length));
}

/// Adds a segmented scan whose description of segments takes `more` bytes per item. All forms are
/// compared with CUB's scan by key.
template <class Call>
void compare_scans(std::string const& how, std::uint32_t length, double more, Call call) {
  constexpr index_t n = segments::n;
  using T = std::int32_t;
  auto const name = "segmented_inclusive_scan/i32/by_" + how + of_length(length);
  auto const cub = [=](void* temporary, std::size_t& bytes, results to) {
    return cub::DeviceScan::InclusiveSumByKey(temporary, bytes, segments::of(length).keys,
                                              arrays::get().in<T>(n).data(), to.array<T>(n).data(),
                                              n);
  };
  compare(
      name, n, sizeof(T), 2 * sizeof(T) + more,
      [=](auto& context, results to) {
        call(context, arrays::get().in<T>(n), segments::of(length), to.array<T>(n));
      },
      cub);
  if (how == "keys")
    add_cub(name, n, sizeof(T), cub);
}

void compare_reductions_by_offsets(std::uint32_t length, index_t n) {
  using T = std::int32_t;
  auto const of = of_length(length) + (n == segments::n ? "" : "/n:" + std::to_string(n));
  compare_with_cub(
      "segmented_reduce/i32/by_offsets" + of, n, sizeof(T), sizeof(T) + 8.0 / length,
      [=](auto& context, results to) {
        segments const& s = segments::of(length, n);
        auto const offsets = s.offsets();
        sam::segmented_reduce(context, arrays::get().in<T>(n), sam::by_offsets(offsets),
                              to.array<T>(s.count));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        segments const& s = segments::of(length, n);
        auto const* const offsets = s.offsets().data();
        return cub::DeviceSegmentedReduce::Sum(temporary, bytes, arrays::get().in<T>(n).data(),
                                               to.array<T>(s.count).data(), s.count, offsets,
                                               offsets + 1);
      });
}

void compare_reductions_by_key(std::uint32_t length) {
  constexpr index_t n = segments::n;
  using T = std::int32_t;
  double const more = 8.0 / length;
  compare_with_cub(
      "reduce_by_key/u32+i32" + of_length(length), n, 2 * sizeof(T), 2 * sizeof(T) + more,
      [=](auto& context, results to) {
        std::span<std::uint32_t const> const keys(segments::of(length).keys, n);
        auto const firsts = to.array<std::uint32_t>(n);
        auto const totals = to.array<T>(n);
        sam::reduce_by_key(context, keys, arrays::get().in<T>(n), firsts, totals,
                           to.array<index_t>(1).template first<1>());
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        auto* const firsts = to.array<std::uint32_t>(n).data();
        auto* const totals = to.array<T>(n).data();
        return cub::DeviceReduce::ReduceByKey(
            temporary, bytes, segments::of(length).keys, firsts, arrays::get().in<T>(n).data(),
            totals, to.array<index_t>(1).data(), ::cuda::std::plus<>{}, int(n));
      });
}

struct row_of {
  std::uint32_t length;
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t i) const { return i / length; }
};
struct begin_of_row {
  index_t length, n;
  SAM_FUNCTION index_t operator()(index_t k) const { return sam::engine::min_of(k * length, n); }
};

/// Adds segments of one length. CUB gets computed keys and offsets.
void compare_rows(std::uint32_t length) {
  constexpr index_t n = segments::n;
  using T = std::int32_t;
  index_t const rows = sam::engine::div_up(n, index_t{length});
  auto const in = [] { return arrays::get().in<T>(n); };
  auto const keys =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), row_of{length});
  auto const begins = thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0),
                                                      begin_of_row{length, n});
  compare_with_cub(
      "segmented_inclusive_scan/i32/by_length" + of_length(length), n, sizeof(T), 2 * sizeof(T),
      [=](auto& context, results to) {
        sam::segmented_inclusive_scan(context, in(), sam::by_length(length), to.array<T>(n));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        return cub::DeviceScan::InclusiveSumByKey(temporary, bytes, keys, in().data(),
                                                  to.array<T>(n).data(), n);
      });
  compare_with_cub(
      "segmented_exclusive_scan/i32/by_length" + of_length(length), n, sizeof(T), 2 * sizeof(T),
      [=](auto& context, results to) {
        sam::segmented_exclusive_scan(context, in(), sam::by_length(length), to.array<T>(n));
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        return cub::DeviceScan::ExclusiveSumByKey(temporary, bytes, keys, in().data(),
                                                  to.array<T>(n).data(), n);
      });
  auto const cub = [=](void* temporary, std::size_t& bytes, results& to) {
    return cub::DeviceSegmentedReduce::Sum(temporary, bytes, in().data(), to.array<T>(rows).data(),
                                           rows, begins, begins + 1);
  };
  auto const name = "segmented_reduce/i32/by_length" + of_length(length);
  compare(
      name, n, sizeof(T), sizeof(T) + 4.0 / length,
      [=](auto& context, results to) {
        auto const totals = to.array<T>(rows);
        sam::segmented_reduce(context, in(), sam::by_length(length), totals,
                              to.array<index_t>(1).template first<1>());
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        cudaError_t const status = cub(temporary, bytes, to);
        if (temporary == nullptr || status != cudaSuccess)
          return status;
        return cudaMemcpy(to.array<index_t>(1).data(), &rows, sizeof(rows), cudaMemcpyDefault);
      });
  add_cub(name, n, sizeof(T), [=](void* temporary, std::size_t& bytes, results to) {
    return cub(temporary, bytes, to);
  });
}

/// Adds primitives on runs of equal keys; each run is a segment.
void compare_runs(std::uint32_t length) {
  constexpr index_t n = segments::n;
  using T = std::uint32_t;
  double const more = 8.0 / length;
  compare_with_cub(
      "run_length_encode/u32" + of_length(length), n, sizeof(T), sizeof(T) + more,
      [=](auto& context, results to) {
        std::span<T const> const keys(segments::of(length).keys, n);
        auto const values = to.array<T>(n), lengths = to.array<std::uint32_t>(n);
        sam::run_length_encode(context, keys, values, lengths,
                               to.array<index_t>(1).template first<1>());
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        auto const values = to.array<T>(n), lengths = to.array<std::uint32_t>(n);
        return cub::DeviceRunLengthEncode::Encode(temporary, bytes, segments::of(length).keys,
                                                  values.data(), lengths.data(),
                                                  to.array<index_t>(1).data(), int(n));
      });
  compare(
      "run_length_decode/u32" + of_length(length), n, sizeof(T), sizeof(T) + more,
      [=](auto& context, results to) {
        segments const& s = segments::of(length);
        auto const out = to.array<T>(n);
        sam::run_length_decode(context, s.numbers(), s.lengths(), out,
                               to.array<index_t>(1).template first<1>());
      },
      [=](void* temporary, std::size_t& bytes, results to) {
        bytes = 1;
        if (temporary == nullptr)
          return cudaSuccess;
        check(cudaMemcpy(to.array<T>(n).data(), segments::of(length).keys, n * sizeof(T),
                         cudaMemcpyDefault));
        index_t const count = n;
        return cudaMemcpy(to.array<index_t>(1).data(), &count, sizeof(count), cudaMemcpyDefault);
      });
}

[[maybe_unused]] bool const registered = [] {
  constexpr index_t n = segments::n;
  for (std::uint32_t const length : {1u, 10u, 1000u, 1000000u, 0u, mixed}) {
    compare_scans("heads", length, 1, [](auto& context, auto in, segments& s, auto out) {
      std::span const flags(s.flags, n);
      sam::segmented_inclusive_scan(context, in, sam::by_heads(flags), out);
    });
    compare_scans("packed_bits", length, 0.125, [](auto& context, auto in, segments& s, auto out) {
      std::span const words(s.words, n / 32);
      sam::segmented_inclusive_scan(context, in, sam::by_heads(sam::packed_bits(words)), out);
    });
    compare_scans("keys", length, 4, [](auto& context, auto in, segments& s, auto out) {
      std::span const keys(s.keys, n);
      sam::segmented_inclusive_scan(context, in, sam::by_keys(keys), out);
    });
    compare_scans("offsets", length, 4 * segments_of_item(length),
                  [](auto& context, auto in, segments& s, auto out) {
                    auto const offsets = s.offsets();
                    sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out);
                  });
  }
  for (std::uint32_t const length : {10u, 1000u, 1000000u}) {
    compare_reductions_by_offsets(length, n);
    compare_reductions_by_key(length);
    compare_rows(length);
    compare_runs(length);
  }
  for (int const power : {12, 14, 16, 18, 20, 22, 24})
    for (std::uint32_t const length : {10u, 1000u})
      compare_reductions_by_offsets(length, index_t{1} << power);
  constexpr index_t width = 16384;
  static_assert(width * width == n);
  compare("summed_area_table/f32/16384x16384", n, 4, 8, [](auto& context, results to) {
    sam::summed_area_table(context, arrays::get().in<float>(n), width, to.array<float>(n));
  });
  return true;
}();

}  // namespace perf
