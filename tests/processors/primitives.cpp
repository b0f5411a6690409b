// SPDX-License-Identifier: MIT
// Calls of primitives in a library that is compiled for several kinds of processors.
#include "primitives.hpp"

#include <sam/compact.hpp>
#include <sam/host/simd/compress.hpp>
#include <sam/host/simd/simd.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reference.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/serial/backend.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#if defined(__AVX512BW__) && defined(SAM_HAVE_STREAMING_STORES)
static_assert(sam::host::is_packed_by_vectors(4), "Highway does not use what the level has");
#endif

int vector_bytes() { return sam::host::vector_bytes; }

std::string wrong_primitives() {
  auto const seed = std::random_device{}();
  std::mt19937 random(seed);
  std::vector<std::int32_t> in(100'003), out(in.size());
  std::vector<std::uint8_t> heads(in.size());
  std::ranges::generate(in, [&] { return static_cast<std::int32_t>(random()); });
  std::ranges::generate(heads, [&] { return static_cast<std::uint8_t>(random() % 50 == 0); });
  auto const is_positive = [](std::int32_t x) { return x > 0; };
  sam::serial::context context;
  auto const wrong = [&](std::string const& name) {
    return name + ", with seed " + std::to_string(seed);
  };

  sam::inclusive_scan(context, in, out);
  if (out != sam::reference::inclusive_scan(in, sam::scan_policy<>{}))
    return wrong("inclusive_scan");
  sam::segmented_inclusive_scan(context, in, sam::by_heads(heads), out);
  if (out != sam::reference::segmented_inclusive_scan(in, heads, sam::scan_policy<>{}))
    return wrong("segmented_inclusive_scan");

  // For this operator, g++ 12.2 crashes on the obvious code: see segmented_kernel.hpp.
  auto const larger = [](std::int16_t a, std::int16_t b) { return a < b ? b : a; };
  std::vector<std::int16_t> const halves(in.begin(), in.end());
  std::vector<std::int16_t> largest(in.size());
  sam::segmented_inclusive_scan(context, halves, sam::by_heads(heads), largest, larger);
  if (largest != sam::reference::segmented_inclusive_scan(
                     halves, heads, sam::scan_policy<decltype(larger)>{larger}))
    return wrong("segmented_inclusive_scan of 16 bits");

  std::vector<std::int32_t> kept;
  std::ranges::copy_if(in, std::back_inserter(kept), is_positive);
  auto const count = static_cast<std::size_t>(sam::compact(context, in, out, is_positive));
  if (count != kept.size() || !std::equal(kept.begin(), kept.end(), out.begin()))
    return wrong("compact");

  sam::radix_sort(context, in, out);
  std::ranges::sort(in);
  return out == in ? "" : wrong("radix_sort");
}
