// SPDX-License-Identifier: MIT
// Calls primitives with arrays, counts, offsets, keys and options of different and narrow types. A
// compiler warning shows a conversion inside the library. tools/ci/check_compilers has the
// compilers and flags. The program is not run: calls.cpp checks results.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace {

constexpr std::size_t n = 3000;

struct is_set {
  template <class T>
  bool operator()(T const& x) const {
    return x != T(0);
  }
};
struct same {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    return a == b;
  }
};
struct wide_digits {
  template <class T>
  std::uint64_t operator()(T const& x) const {
    return static_cast<std::uint64_t>(x);
  }
};

/// Calls scans and reductions with items of type In and results of type Out, which holds them.
template <class In, class Out>
void convert(sam::default_context& context) {
  std::vector<In> const in(n);
  std::vector<Out> out(n);
  Out total{};
  In const init(1);
  sam::inclusive_scan(context, in, out);
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 3>{});
  sam::inclusive_scan(context, in, out, sam::backward(sam::scan_policy<sam::plus, 2, 2>{}));
  sam::exclusive_scan(context, in, out, init);
  sam::exclusive_scan(context, in, out, sam::minimum{}, init);
  sam::exclusive_scan(context, in, out, sam::tuples_of(7));
  sam::transform_inclusive_scan(context, out, std::span(out), sam::converted<Out>{});
  sam::reduce(context, in, total);
  total = sam::reduce<Out>(context, in, init);
  total = sam::transform_reduce<Out>(context, in, sam::converted<Out>{});
  sam::segmented_inclusive_scan(context, in, sam::by_length(9), out);
  sam::segmented_exclusive_scan(context, in, sam::by_keys(in), out, init);
  int count = 0;
  sam::segmented_reduce(context, in, sam::by_keys(in, same{}), out, count);
  sam::summed_area_table(context, in, 30, out);
  sam::exclusive_summed_area_table(context, in, 30, out);
  sam::linear_recurrence(context, in, in, out);
  sam::linear_filter(context, in, std::array{Out(1), Out(1)}, out);
}

template <class T>
void transform_down(sam::default_context& context) {
  std::vector<double> const in(n);
  std::vector<T> out(n);
  sam::transform_inclusive_scan(context, in, out, sam::converted<T>{});
  sam::transform_exclusive_scan(context, in, out, sam::converted<T>{}, T(1), sam::maximum{});
  sam::transform_reduce(context, in, std::span(out).first(1), sam::converted<T>{});
}

/// Calls primitives with segments, flags, counts, indices and lengths of type Index.
template <class Index>
void count_in(sam::default_context& context) {
  std::vector<float> const in(n);
  std::vector<Index> offsets(3), indices(n), flags(n);
  std::vector<float> out(n), other(n);
  Index count{};
  Index const width(50);
  sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out, sam::maximum{});
  sam::segmented_exclusive_scan(context, in, sam::by_heads(flags), out);
  sam::segmented_inclusive_scan(context, in, sam::by_length(width), out);
  sam::segmented_reduce(context, in, sam::by_checked_offsets(offsets), std::span(out).first(2));
  sam::segmented_reduce(context, in, sam::by_heads(flags), out, count);
  sam::reduce_by_key(context, indices, in, flags, out, count, sam::plus{}, same{});
  sam::compact(context, in, out, is_set{}, count);
  sam::compact_flagged(context, in, flags, out, count);
  sam::compact_indices(context, in, indices, is_set{}, count);
  sam::compact_indices_flagged(context, flags, indices, count);
  sam::partition(context, in, out, is_set{}, count);
  sam::unique(context, in, out, count, same{});
  sam::unique_by_key(context, in, flags, out, indices, count);
  sam::run_length_encode(context, in, out, indices, count);
  sam::run_length_decode(context, in, indices, out, count);
  sam::segmented_radix_sort(context, in, sam::by_offsets(offsets), out);
  sam::segmented_radix_sort_pairs(context, in, flags, sam::by_heads(flags), out, indices);
  sam::radix_sort_pairs(context, in, flags, out, indices);
  if constexpr (sizeof(Index) >= 4) {
    sam::three_way_partition(context, in, out, is_set{}, is_set{}, std::span(indices).first(2));
    sam::radix_argsort(context, in, indices);
    sam::segmented_radix_argsort(context, in, sam::by_length(width), indices);
    sam::histogram(context, in, std::span(indices).first(8), sam::even_bins(0, 1));
    sam::cumulative_histogram(context, in, std::span(indices).first(9), sam::even_bins(0.0f, 1.0f));
  }
}

template <class Key>
void sort(sam::default_context& context) {
  std::vector<Key> const in(n);
  std::vector<Key> out(n), spare(n);
  std::vector<double> values(n), values_out(n), spare_values(n);
  std::vector<std::uint32_t> indices(n);
  constexpr auto down = sam::sort_order::descending;
  sam::radix_sort(context, in, out, {.order = down, .bits = {3, 7}});
  sam::radix_sort(context, in, out, {.spare_keys = spare, .floats = sam::float_order::numeric});
  sam::radix_sort(context, in, out, wide_digits{}, {.order = down});
  sam::radix_sort_pairs(context, in, values, out, values_out,
                        {.spare_keys = spare, .spare_values = spare_values});
  sam::radix_sort_pairs(context, in, values, out, values_out, {.order = down});
  sam::radix_argsort(context, in, indices, {.order = down});
  sam::segmented_radix_sort(context, in, sam::by_length(7), out, {.order = down});
  sam::segmented_radix_sort_pairs(context, in, values, sam::by_keys(in), out, values_out,
                                  wide_digits{}, {.order = down, .bits = {0, 20}});
  sam::segmented_radix_argsort(context, in, sam::by_length(100), indices, {.order = down});
  sam::histogram(context, in, indices, sam::even_bins(Key(0), Key(100)));
  sam::histogram(context, in, indices, sam::bins_between(in));
  (void)sam::radix_sort_workspace<Key>(context, 100);
}

}  // namespace

int main() {
  sam::default_context context;
  convert<std::int8_t, std::int64_t>(context);
  convert<std::uint8_t, float>(context);
  convert<std::int16_t, std::int16_t>(context);
  convert<std::uint16_t, std::uint32_t>(context);
  convert<float, double>(context);
  transform_down<std::int8_t>(context);
  transform_down<std::uint16_t>(context);
  transform_down<float>(context);
  count_in<std::uint8_t>(context);
  count_in<std::int16_t>(context);
  count_in<std::uint32_t>(context);
  count_in<std::int64_t>(context);
  sort<std::int8_t>(context);
  sort<std::uint16_t>(context);
  sort<std::int32_t>(context);
  sort<std::uint64_t>(context);
  sort<float>(context);
  sort<double>(context);
}
