// SPDX-License-Identifier: MIT
// Prints a hash of the results of calls, most of them on floats. It is compiled and run with
// several tuning tables, and compare.cmake compares what it prints.
//
//   bits            the hashes
//   bits --tuning   the device, then the values in use
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using sam::index_t;
using context_type = sam::default_context;

template <class T>
std::vector<T> random_items(std::size_t n, std::uint64_t seed) {
  std::vector<T> items(n);
  for (T& item : items) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    if constexpr (std::is_floating_point_v<T>)
      item = static_cast<T>(static_cast<std::int32_t>(seed >> 32)) / T(1 << 20);
    else
      item = static_cast<T>(seed >> 33);
  }
  return items;
}

template <class T>
void print(char const* name, std::size_t n, std::vector<T> const& results) {
  std::uint64_t hash = 14695981039346656037u;
  std::vector<unsigned char> bytes(results.size() * sizeof(T));
  std::memcpy(bytes.data(), results.data(), bytes.size());
  for (unsigned char const byte : bytes)
    hash = (hash ^ byte) * 1099511628211u;
  std::printf("%s of %zu: %016llx\n", name, n, static_cast<unsigned long long>(hash));
}

/// Adds, but is not known to commute or to have an identity.
struct own_plus {
  float operator()(float a, float b) const { return a + b; }
};

void scan(context_type& context, std::size_t n) {
  auto const floats = random_items<float>(n, 1);
  std::vector<float> out(n);
  sam::inclusive_scan(context, floats, out);
  print("inclusive_scan of floats", n, out);
  sam::inclusive_scan(context, floats, out, sam::scan_policy<sam::plus, 2, 3>{});
  print("inclusive_scan of floats, order 2, tuples of 3", n, out);
  sam::exclusive_scan(context, floats, out, own_plus{}, 1.0f);
  print("exclusive_scan of floats by an operator", n, out);
  sam::inclusive_scan(context, floats, out,
                      sam::scan_policy<sam::plus, 1, sam::run_time_tuple>{{}, 1000});
  print("inclusive_scan of floats, tuples of 1000", n, out);
  sam::linear_filter(context, floats, std::array{0.5f, -0.25f}, out);
  print("linear_filter of floats", n, out);
  print("reduce of floats", n, std::vector{sam::reduce(context, floats, sam::plus{})});
  auto const integers = random_items<std::int32_t>(n, 2);
  std::vector<std::int32_t> sums(n);
  sam::inclusive_scan(context, integers, sums);
  print("inclusive_scan of integers", n, sums);
}

void segments(context_type& context, std::size_t n) {
  auto const floats = random_items<float>(n, 3);
  std::vector<float> out(n);
  std::vector<std::int32_t> offsets{0};
  while (static_cast<std::size_t>(offsets.back()) < n)
    offsets.push_back(
        std::min<std::int32_t>(static_cast<std::int32_t>(n), offsets.back() * 9 / 8 + 1));
  sam::segmented_inclusive_scan(context, floats, sam::by_offsets(offsets), out);
  print("segmented_inclusive_scan of floats", n, out);
  std::vector<float> totals(offsets.size() - 1);
  sam::segmented_reduce(context, floats, sam::by_offsets(offsets), totals);
  print("segmented_reduce of floats", n, totals);
}

void move(context_type& context, std::size_t n) {
  auto const keys = random_items<float>(n, 4);
  auto const values = random_items<std::uint32_t>(n, 5);
  std::vector<float> sorted(n);
  std::vector<std::uint32_t> beside(n);
  sam::radix_sort_pairs(context, keys, values, sorted, beside);
  print("keys of radix_sort_pairs", n, sorted);
  print("values of radix_sort_pairs", n, beside);
  auto const is_odd = [](std::uint32_t x) { return x % 2 == 1; };
  sam::partition(context, values, beside, is_odd);
  print("partition", n, beside);
  auto const kept = static_cast<std::size_t>(sam::compact(context, values, beside, is_odd));
  beside.resize(kept);
  print("compact", n, beside);
  std::vector<std::int64_t> counts(1000);
  sam::histogram(context, values, counts, sam::even_bins(0u, 1u << 31));
  print("histogram", n, counts);
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  context_type context;
  if (argc > 1) {
    std::printf("%s\n", sam::host::device_name().c_str());
    for (auto const& known : sam::host::all_tunables)
      std::printf("%s %lld\n", known.name, static_cast<long long>(sam::host::tuned.*known.value));
    return 0;
  }
  for (std::size_t const n : {std::size_t{1000}, std::size_t{70007}, std::size_t{5 << 20}}) {
    scan(context, n);
    segments(context, n);
    move(context, n);
  }
  return 0;
}
