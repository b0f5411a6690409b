// SPDX-License-Identifier: MIT
// Calls every primitive on several item types, and checks scans, segments, compaction and sorts
// against plain loops. tools/ci/check_compilers compiles it with other compilers and flags than
// those of the tests. SAM_TEST_ITEMS chooses the item types.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#ifndef SAM_TEST_ITEMS
#define SAM_TEST_ITEMS                                                                             \
  int, float, double, std::int8_t, std::uint16_t, std::int64_t, two_numbers, three_bytes
#endif

namespace {

struct two_numbers {
  float a, b;
  [[maybe_unused]] friend bool operator==(two_numbers const&, two_numbers const&) = default;
};
struct three_bytes {
  std::uint8_t a, b, c;
  [[maybe_unused]] friend bool operator==(three_bytes const&, three_bytes const&) = default;
};

template <class T>
concept number = std::is_arithmetic_v<T>;

template <class T>
T item(int i) {
  if constexpr (std::is_same_v<T, two_numbers>)
    return {static_cast<float>(i % 7), static_cast<float>(i % 3)};
  else if constexpr (std::is_same_v<T, three_bytes>)
    return {static_cast<std::uint8_t>(i % 7), static_cast<std::uint8_t>(i % 3), 1};
  else
    return static_cast<T>(i % 7);
}
int number_of(auto const& x) {
  if constexpr (requires { x.a; })
    return static_cast<int>(x.a);
  else
    return static_cast<int>(x);
}

/// An operator that is associative, does not commute and has no identity.
struct last_but_zero {
  template <class T>
  T operator()(T const& left, T const& right) const {
    return number_of(right) == 0 ? left : right;
  }
};
struct is_large {
  bool operator()(auto const& x) const { return number_of(x) > 3; }
};
struct is_small {
  bool operator()(auto const& x) const { return number_of(x) < 2; }
};
struct itself {
  template <class T>
  T operator()(T const& x) const {
    return x;
  }
};
struct digits {
  std::uint8_t operator()(auto const& x) const { return static_cast<std::uint8_t>(number_of(x)); }
};

constexpr int n = 3000;
int mistakes = 0;
template <class T>
void expect(char const* what, std::vector<T> const& is, std::vector<T> const& wanted) {
  if (is == wanted)
    return;
  std::printf("%s of items of %d bytes is wrong\n", what, static_cast<int>(sizeof(T)));
  ++mistakes;
}

/// Returns a scan by last_but_zero with segments: a segment begins at each i where begins(i) is
/// true.
template <class T, class Begins>
std::vector<T> scanned(std::vector<T> const& in, Begins begins) {
  std::vector<T> out = in;
  for (std::size_t i = 1; i < in.size(); ++i)
    out[i] = begins(i) ? in[i] : last_but_zero{}(out[i - 1], in[i]);
  return out;
}

template <class T>
void scan(sam::default_context& context, std::vector<T> const& in) {
  std::vector<T> out(n), one(1);
  last_but_zero const op;
  sam::exclusive_scan(context, in, out, op, in[1]);
  sam::transform_inclusive_scan(context, in, out, itself{}, op);
  sam::transform_exclusive_scan(context, in, out, itself{}, op, in[1]);
  sam::inclusive_scan(context, in, out, sam::backward(op));
  sam::inclusive_scan(context, in, out, sam::scan_policy<last_but_zero, 2, 3>{});
  sam::inclusive_scan(context, in, out, sam::tuples_of(5, op));
  sam::reduce(context, in, one, op);
  sam::transform_reduce(context, in, one, itself{}, op, in[1]);
  if constexpr (number<T>) {
    sam::inclusive_scan(context, in, out);
    sam::exclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2, 3>{});
    sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 5>{});
    sam::inclusive_scan(context, in, out, sam::backward(sam::maximum{}));
    sam::inclusive_scan(context, in, out, sam::tuples_of<2>(5, sam::plus{}));
    sam::inclusive_scan(context, in, out, sam::minimum{});
    sam::reduce(context, in, one);
  }
  sam::inclusive_scan(context, in, out, op);
  expect("a scan", out, scanned(in, [](std::size_t) { return false; }));
}

template <class T>
void scan_segments(sam::default_context& context, std::vector<T> const& in) {
  std::vector<T> out(n), sums(n), first_keys(n);
  std::vector<std::uint32_t> const bits((n + 31) / 32, 0x01000100);
  std::vector<std::uint8_t> const heads(n, 1);
  std::vector<int> const offsets{0, 5, 5, 1000, n};
  std::vector<short> keys(n, 3), count(1);
  last_but_zero const op;
  sam::segmented_inclusive_scan(context, in, sam::by_heads(heads), out, op);
  sam::segmented_exclusive_scan(context, in, sam::by_keys(keys), out, op, in[1]);
  sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out, sam::backward(op));
  sam::segmented_inclusive_scan(context, in, sam::by_length(7), out, op);
  expect("a segmented scan", out, scanned(in, [](std::size_t i) { return i % 7 == 0; }));
  sam::segmented_reduce(context, in, sam::by_length(7), sums, count, op);
  sam::segmented_reduce(context, in, sam::by_heads(sam::packed_bits(bits, n)), sums, count, op);
  sam::segmented_reduce(context, in, sam::by_checked_offsets(offsets), std::span(sums).first(4), op,
                        in[1]);
  sam::reduce_by_key(context, in, in, first_keys, sums, count, op);
  if constexpr (number<T>) {
    sam::segmented_exclusive_scan(context, in, sam::by_heads(sam::packed_bits(bits, n)), out);
    sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out, sam::maximum{});
    sam::segmented_reduce(context, in, sam::by_keys(keys), sums, count);
    sam::segmented_reduce(context, in, sam::by_offsets(offsets), std::span(sums).first(4));
  }
}

template <number T>
void compute(sam::default_context& context, std::vector<T> const& in) {
  std::vector<T> out(n), back(n);
  std::vector<unsigned> counts(10);
  std::vector<T> const boundaries{T(0), T(1), T(5)};
  sam::summed_area_table(context, in, 50, out);
  sam::exclusive_summed_area_table(context, in, 50, out);
  out[0] = sam::box_sum(out.data(), 50, 1, 1, 2, 2);
  if constexpr (std::integral<T>) {
    sam::delta_encode<2>(context, in, out, 3);
    sam::delta_decode<2>(context, out, back, 3);
    expect("delta_decode", back, in);
  }
  sam::linear_recurrence(context, in, in, out);
  sam::linear_recurrence(context, in, in, out, in[1]);
  sam::linear_filter(context, in, std::array{T(1), T(1)}, out);
  sam::histogram(context, in, counts, sam::even_bins(T(0), T(10)));
  sam::cumulative_histogram(context, in, std::span(counts).first(3), sam::bins_between(boundaries));
  sam::histogram(context, in, counts, digits{});
}

template <class T>
void select(sam::default_context& context, std::vector<T> const& in) {
  std::vector<T> out(n), firsts(n), wanted;
  std::vector<std::uint8_t> const flags(n, 1);
  std::vector<int> indices(n), lengths(n), count(1), counts(2);
  std::copy_if(in.begin(), in.end(), std::back_inserter(wanted), is_large{});
  sam::compact(context, in, out, is_large{}, count);
  out.resize(static_cast<std::size_t>(count[0]));
  expect("compaction", out, wanted);
  out.resize(n);
  sam::compact_flagged(context, in, flags, out);
  sam::compact_indices(context, in, indices, is_large{});
  sam::compact_indices_flagged(context, flags, indices);
  sam::partition(context, in, out, is_large{}, count);
  sam::three_way_partition(context, in, out, is_small{}, is_large{}, counts);
  sam::unique(context, in, out);
  sam::unique_by_key(context, in, in, firsts, out);
  auto const runs = static_cast<std::size_t>(sam::run_length_encode(context, in, out, lengths));
  sam::run_length_decode(context, std::span(out).first(runs), std::span(lengths).first(runs),
                         firsts);
  expect("run_length_decode", firsts, in);
}

template <class T>
void sort(sam::default_context& context, std::vector<T> const& in) {
  std::vector<T> out(n), values(n), wanted;
  std::vector<int> order(n), ids(n);
  std::vector<int> const offsets{0, 5, 5, 1000, n};
  auto const rows = sam::by_length(100);
  for (int key = 0; key < 7; ++key)
    std::copy_if(in.begin(), in.end(), std::back_inserter(wanted),
                 [=](T const& x) { return number_of(x) == key; });
  sam::radix_sort(context, in, out, digits{});
  expect("a sort", out, wanted);
  sam::radix_sort_pairs(context, in, in, out, values, digits{});
  sam::segmented_radix_sort(context, in, rows, out, digits{});
  sam::radix_argsort(context, in, order, digits{});
  if constexpr (number<T>) {
    sam::radix_sort(context, in, out, {.order = sam::sort_order::descending});
    sam::radix_sort_pairs(context, in, order, out, ids);
    sam::radix_argsort(context, in, order);
    sam::segmented_radix_sort(context, in, sam::by_offsets(offsets), out);
    sam::segmented_radix_sort_pairs(context, in, in, rows, out, values);
    sam::segmented_radix_argsort(context, in, rows, order);
  }
}

template <class T>
void call_everything(sam::default_context& context) {
  std::vector<T> in;
  for (int i = 0; i < n; ++i)
    in.push_back(item<T>(i * i / 5));
  scan(context, in);
  scan_segments(context, in);
  if constexpr (number<T>)
    compute(context, in);
  select(context, in);
  sort(context, in);
}

template <class... T>
void call_with() {
  sam::default_context context;
  (call_everything<T>(context), ...);
}

}  // namespace

int main() {
  call_with<SAM_TEST_ITEMS>();
  return mistakes == 0 ? 0 : 1;
}
