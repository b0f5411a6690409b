// SPDX-License-Identifier: MIT
// Calls whose machine code tools/ci/check_sass inspects. Nothing here is run.
#include <sam/backend/job_archetypes.hpp>
#include <sam/cuda/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <span>

namespace {

/// A 2 x 2 matrix modulo 2^32. It has 16 bytes, and its product does not commute.
struct matrix {
  std::uint32_t a, b, c, d;
};
struct product {
  SAM_FUNCTION constexpr matrix operator()(matrix const& l, matrix const& r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c,
            l.c * r.b + l.d * r.d};
  }
};

struct is_odd {
  SAM_FUNCTION constexpr bool operator()(std::int32_t x) const { return x % 2 != 0; }
};

template <class T, class Policy>
void scan(sam::cuda::context& context, void const* in, void* out, std::size_t n) {
  sam::inclusive_scan(context, std::span(static_cast<T const*>(in), n),
                      std::span(static_cast<T*>(out), n), Policy{});
}

}  // namespace

void scan_all(sam::cuda::context& context, void const* in, void* out, std::size_t n) {
  using sam::scan_policy;
  scan<std::int32_t, scan_policy<sam::plus>>(context, in, out, n);
  scan<std::int64_t, scan_policy<sam::plus>>(context, in, out, n);
  scan<std::int32_t, scan_policy<sam::plus, 5>>(context, in, out, n);
  scan<std::int32_t, scan_policy<sam::plus, 1, 3>>(context, in, out, n);
  scan<std::int32_t, scan_policy<sam::plus, 1, 1920>>(context, in, out, n);  // column panels
  scan<std::int8_t, scan_policy<sam::maximum>>(context, in, out, n);
  scan<matrix, scan_policy<product>>(context, in, out, n);
  using sam::carry::reduce_then_scan, sam::carry::scan_then_propagate;
  scan<std::int32_t, scan_policy<sam::plus, 1, 1, reduce_then_scan>>(context, in, out, n);
  scan<std::int32_t, scan_policy<sam::plus, 1, 1, scan_then_propagate>>(context, in, out, n);
  scan<std::int32_t, scan_policy<sam::plus, 5, 1, scan_then_propagate>>(context, in, out, n);
}

void compact(sam::cuda::context& context, std::span<std::int32_t const> in,
             std::span<std::int32_t> out, std::span<std::int32_t> count) {
  sam::compact(context, in, out, is_odd{}, count);
}

void reduce(sam::cuda::context& context, std::span<std::int32_t const> in,
            std::span<std::int32_t> out) {
  sam::reduce(context, in, out);                  // the blocks add up their sums in one word
  sam::reduce(context, in, out, sam::maximum{});  // the last to begin waits for all
}

void scan_segments(sam::cuda::context& context, std::span<std::int32_t const> in,
                   std::span<std::uint8_t const> heads, std::span<std::int32_t> out) {
  sam::segmented_inclusive_scan(context, in, sam::by_heads(heads), out);
}

using reduced_type = sam::engine::archetypes::segmented_reduction_job;
void reduce_segments(sam::cuda::context& context, sam::index_t n, reduced_type const& job) {
  using policy = sam::scan_policy<sam::engine::segmented_and_counted<sam::plus>>;
  using none = sam::engine::from_value<reduced_type::accumulator>;
  sam::cuda::run_by_two_kernels(
      context, n, job,
      sam::engine::resolve_policy<sam::engine::bound::exclusive>(policy{}, none{{0, 0}}));
}

void sort(sam::cuda::context& context, std::span<std::uint32_t const> keys,
          std::span<std::uint32_t const> values, std::span<std::uint32_t> sorted_keys,
          std::span<std::uint32_t> sorted_values) {
  sam::radix_sort(context, keys, sorted_keys);
  sam::radix_sort_pairs(context, keys, values, sorted_keys, sorted_values);
}

using counted_type = sam::engine::sort_job<std::int16_t, sam::no_values,
                                           sam::flipped_digits<sam::number_digits<std::int16_t>>>;
void sort_by_counting(sam::cuda::context& context, std::byte* memory) {
  sam::cuda::counting_sorter<counted_type, sam::cuda::sort_tuning<counted_type>>::run(context, {},
                                                                                      memory);
}

void count(sam::cuda::context& context, std::span<std::uint8_t const> bytes,
           std::span<std::uint16_t const> words, std::span<std::int32_t> counts) {
  sam::histogram(context, bytes, counts, sam::even_bins(0, 256));
  sam::histogram(context, words, counts, sam::even_bins(0, 256));
}

template __global__ void
sam::cuda::cluster_counting_sort_kernel<counted_type, sam::gpu::cluster_counting_config<16, 1, 16>>(
    __grid_constant__ sam::gpu::sort_arguments<counted_type> const);
template __global__ void
sam::cuda::cluster_counting_sort_kernel<counted_type,
                                        sam::gpu::cluster_counting_config<32, 4, 16, 1 << 17>>(
    __grid_constant__ sam::gpu::sort_arguments<counted_type> const);
