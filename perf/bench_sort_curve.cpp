// SPDX-License-Identifier: MIT
// Benchmarks sorts of 2^20 to 2^29 keys, whose time per key should be a smooth curve. Some sizes
// lie just above those at which the sort needs another pass over memory. Case names include
// OMP_WAIT_POLICY, because the default policy shows the costs of parallel regions.
#include <sam/radix_sort.hpp>

#include "support.hpp"

#include <string>

namespace {

using perf::index_t, perf::pages;
using sam::no_values;

std::string waiting() {
  char const* const policy = std::getenv("OMP_WAIT_POLICY");
  return policy == nullptr ? "default" : policy;
}

/// Sorts n keys, with values unless Value is no_values. Arrays are not kept, because those of
/// several sizes do not fit into memory together.
template <class Key, class Value>
void sort_uniform(benchmark::State& state, index_t n) {
  constexpr bool has_values = !std::is_same_v<Value, no_values>;
  index_t const values = has_values ? n : 0;
  pages<Key> const in(n), out(n);
  pages<Value> const values_in(values), values_out(values);
  std::mt19937_64 bits(std::random_device{}());
  for (index_t i = 0; i < n; ++i)
    in.data()[i] = static_cast<Key>(bits());
  sam::default_context context;
  perf::time_calls(state, n, sizeof(Key) + (has_values ? sizeof(Value) : 0), [&] {
    if constexpr (has_values)
      sam::radix_sort_pairs(context, in, values_in, out, values_out);
    else
      sam::radix_sort(context, in, out);
    context.wait();
  });
  state.counters["ns/item"] =
      benchmark::Counter(static_cast<double>(n) * static_cast<double>(state.iterations()) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (!std::is_sorted(out.data(), out.data() + n))
    state.SkipWithError("wrong result");
}

template <class Key, class Value = no_values>
void add_sort(index_t n) {
  std::string name = "sort_curve/" + perf::type_name<Key>();
  if constexpr (!std::is_same_v<Value, no_values>)
    name += "+" + perf::type_name<Value>();
  perf::add(name + "/n:" + std::to_string(n) + "/wait:" + waiting(), "sam",
            [=](auto& state) { sort_uniform<Key, Value>(state, n); });
}

[[maybe_unused]] bool const registered = [] {
  using std::uint32_t, std::uint64_t;
  for (int exponent = 20; exponent <= 29; ++exponent) {
    index_t const power = index_t{1} << exponent;
    for (index_t const n : {power, power + 1, power + power / 32, power + power / 2}) {
      bool const is_near_a_split = exponent == 25 || exponent == 26 || exponent == 27;
      if (n > index_t{1} << 29 || (n != power && n != power + power / 2 && !is_near_a_split))
        continue;
      add_sort<uint32_t>(n);
      add_sort<uint64_t>(n);
      add_sort<uint32_t, uint32_t>(n);
    }
  }
  for (index_t const n : {66'000'000, 69'000'000}) {
    add_sort<uint64_t>(n);
    add_sort<uint32_t, uint32_t>(n);
  }
  return true;
}();

}  // namespace
