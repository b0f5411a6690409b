// SPDX-License-Identifier: MIT
// Benchmarks scans on a CUDA device against CUB and cudaMemcpy of the same bytes, in one process
// and on the same items. Cases are named <case>/by:<implementation>.
#include <sam/scan.hpp>

#include "../../tests/support/operators.hpp"
#include "../operators.hpp"
#include "support.hpp"
#include <cub/device/device_scan.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace perf {

enum class how { inclusive, exclusive, in_place };

template <class T, class Policy>
void by_sam(benchmark::State& state, index_t n, Policy policy, how kind) {
  auto& a = arrays::get();
  auto const in = a.in<T>(n);
  auto const out = a.out<T>(n);
  sam::default_context context;
  run_as_requested(context);
  time_calls(state, n, sizeof(T), [&] {
    if constexpr (sam::has_identity<typename Policy::op_type, T>)
      if (kind == how::exclusive)
        return sam::exclusive_scan(context, in, out, policy);
    if (kind == how::in_place)
      sam::inclusive_scan(context, out, out, policy);
    else
      sam::inclusive_scan(context, in, out, policy);
  });
}

template <class T>
void by_copy(benchmark::State& state, index_t n) {
  auto& a = arrays::get();
  time_calls(state, n, sizeof(T), [&] {
    check(cudaMemcpyAsync(a.out<T>(n).data(), a.in<T>(n).data(), std::size_t(n) * sizeof(T),
                          cudaMemcpyDeviceToDevice));
  });
}

/// Times CUB, which repeats a scan for higher orders and scans tuples as structs.
template <int S, class T, class Policy>
void by_cub(benchmark::State& state, index_t n, Policy policy) {
  auto& a = arrays::get();
  using item = std::conditional_t<S == 1, T, tuple<T, S>>;
  auto const op = [&] {
    if constexpr (S == 1)
      return policy.op;
    else
      return by_component<typename Policy::op_type>{policy.op};
  }();
  auto const* const in = reinterpret_cast<item const*>(a.in<T>(n).data());
  auto* const out = reinterpret_cast<item*>(a.out<T>(n).data());
  std::size_t bytes = 0;
  auto const scan = [&](item const* from, void* temporary) {
    if constexpr (S == 1 && std::is_same_v<typename Policy::op_type, sam::plus>)
      check(cub::DeviceScan::InclusiveSum(temporary, bytes, from, out, n / S));
    else
      check(cub::DeviceScan::InclusiveScan(temporary, bytes, from, out, op, n / S));
  };
  scan(in, nullptr);
  void* const temporary = a.temporary(bytes);
  time_calls(state, n / S * S, sizeof(T), [&] {
    scan(in, temporary);
    for (int round = 1; round < Policy::order; ++round)
      scan(out, temporary);
  });
}

template <class T, class Policy>
void compare(char const* type, char const* op, index_t n, Policy policy, char const* kind = "",
             how what = how::inclusive) {
  std::string const name =
      std::string("inclusive_scan/") + type + "/" + op + "/order:" + std::to_string(Policy::order) +
      "/tuple:" + std::to_string(policy.components) + kind + "/n:" + std::to_string(n);
  add(name, "sam", n * index_t{sizeof(T)}, [=](auto& state) { by_sam<T>(state, n, policy, what); });
  add(name, "memcpy", n * index_t{sizeof(T)}, [=](auto& state) { by_copy<T>(state, n); });
  constexpr int s = Policy::tuple_size;
  if constexpr (s >= 1 && Policy::heading == sam::direction::forward)
    if (kind[0] == '\0')
      add(name, "cub", n * index_t{sizeof(T)},
          [=](auto& state) { by_cub<s, T>(state, n, policy); });
}

using sam::maximum, sam::plus, sam::bit_xor, sam::scan_policy;
namespace carry = sam::carry;

[[maybe_unused]] bool const registered = [] {
  index_t const n = index_t{1} << 29;
  compare<std::int32_t>("i32", "plus", n, scan_policy<>{});
  compare<float>("f32", "plus", n, scan_policy<>{});
  compare<std::int64_t>("i64", "plus", n / 2, scan_policy<>{});
  compare<double>("f64", "plus", n / 2, scan_policy<>{});
  compare<std::int16_t>("i16", "plus", 2 * n, scan_policy<>{});
  compare<__half>("half", "plus", 2 * n, scan_policy<>{});
  compare<std::int8_t>("i8", "plus", 2 * n, scan_policy<>{});
  compare<std::int8_t>("i8", "max", 2 * n, scan_policy<maximum>{});
  compare<std::int32_t>("i32", "max", n, scan_policy<maximum>{});
  compare<float>("f32", "max", n, scan_policy<maximum>{});
  compare<double>("f64", "max", n / 2, scan_policy<maximum>{});
  compare<std::int32_t>("i32", "xor", n, scan_policy<bit_xor>{});
  compare<std::int32_t>("i32", "last_nonzero", n, scan_policy<last_nonzero>{});
  compare<test::matrix>("2x2", "product", n / 4, scan_policy<test::matrix_product>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 2>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 5>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 8>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 2>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 3>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 5>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 8>{});
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 3, 2>{});
  compare<std::int16_t>("i16", "plus", n, scan_policy<plus, 2, 3>{});
  for (index_t const s : {7, 32, 33, 100, 1920, 1921, 100000})  // not known at compile time
    compare<std::int32_t>("i32", "plus", n, sam::tuples_of(s));
  compare<std::int8_t>("i8", "plus", 2 * n, sam::tuples_of(1920));
  compare<double>("f64", "plus", n / 2, sam::tuples_of(1920));
  compare<std::int32_t>("i32", "plus", n, scan_policy<>{}, "/exclusive", how::exclusive);
  compare<std::int32_t>("i32", "plus", n, backward(scan_policy<>{}), "/backward");
  compare<std::int32_t>("i32", "plus", n, scan_policy<>{}, "/in_place", how::in_place);
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::lookback>{}, "/lookback");
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::chained>{}, "/chained");
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::reduce_then_scan>{},
                        "/reduce_then_scan");
  compare<std::int32_t>("i32", "plus", n, scan_policy<plus, 1, 1, carry::scan_then_propagate>{},
                        "/scan_then_propagate");
  for (int power = 12; power <= 28; power += 2)
    compare<std::int32_t>("i32", "plus", index_t{1} << power, scan_policy<>{});
  return true;
}();

}  // namespace perf
