// SPDX-License-Identifier: MIT
// Calls whose machine code tools/ci/check_hip inspects, besides those of
// examples/quick_start/every_primitive.cpp. Nothing here is run.
#include <sam/hip/backend.hpp>
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

template <class T, class Policy>
void scan(sam::hip::context& context, void const* in, void* out, std::size_t n) {
  sam::inclusive_scan(context, std::span(static_cast<T const*>(in), n),
                      std::span(static_cast<T*>(out), n), Policy{});
}

}  // namespace

void scan_all(sam::hip::context& context, void const* in, void* out, std::size_t n) {
  using sam::scan_policy;
  scan<double, scan_policy<sam::plus>>(context, in, out, n);
  scan<std::int32_t, scan_policy<sam::plus, 5>>(context, in, out, n);
  scan<std::int8_t, scan_policy<sam::maximum>>(context, in, out, n);
  scan<matrix, scan_policy<product>>(context, in, out, n);
  using sam::carry::reduce_then_scan, sam::carry::scan_then_propagate;
  scan<std::int32_t, scan_policy<sam::plus, 1, 1, reduce_then_scan>>(context, in, out, n);
  scan<std::int32_t, scan_policy<sam::plus, 1, 1, scan_then_propagate>>(context, in, out, n);
}

void sort(sam::hip::context& context, std::span<std::uint64_t const> keys,
          std::span<double const> values, std::span<std::uint16_t const> words,
          std::span<std::uint64_t> sorted_keys, std::span<double> sorted_values,
          std::span<std::uint16_t> sorted_words) {
  sam::radix_sort_pairs(context, keys, values, sorted_keys, sorted_values);
  sam::radix_sort(context, words, sorted_words);
}
