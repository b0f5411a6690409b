// SPDX-License-Identifier: MIT
// Benchmarks scans against the fastest copy, memcpy and other libraries, in one process and on the
// same items.
#include <sam/scan.hpp>

#include "peers.hpp"
#include "support.hpp"

#include <set>

namespace {

using perf::add;
using perf::index_t;
using perf::last_nonzero;
using perf::pages;

/// Adds modulo the prime 2^31 - 1. This takes five instructions, and compilers do not vectorise it.
struct plus_modulo {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    std::uint32_t const sum = std::uint32_t(a) + std::uint32_t(b), p = 0x7fffffff;
    return std::int32_t(sum - (p & -std::uint32_t(sum >= p)));
  }
  std::int32_t identity() const { return 0; }
};

/// The arrays of all cases with n items of T. They are kept because cases run in random order.
template <class T>
struct arrays {
  static arrays& of(index_t n) { return perf::kept<arrays>(n); }
  explicit arrays(index_t n) : in(n), out(n) {
    perf::fill_random(in);
    if constexpr (std::is_same_v<T, std::int32_t>)  // residues for plus_modulo
      for (index_t i = 0; i < n; ++i)
        in.data()[i] &= 0x3fffffff;
  }
  pages<T> in, out;
};

template <class T, class Policy>
void check(benchmark::State& state, std::string const& name, arrays<T> const& a,
           Policy const& policy) {
  constexpr int q = Policy::order;
  index_t const s = policy.components;
  std::vector<T> before(static_cast<std::size_t>(q * s));
  std::vector<long double> size(static_cast<std::size_t>(q * s));  // sums of |x|
  for (index_t i = 0; i < a.in.size(); ++i) {
    T x = a.in.data()[i];
    auto magnitude = static_cast<long double>(x < T(0) ? -x : x);
    for (int k = 0; k < q; ++k) {
      auto const c = static_cast<std::size_t>(k * s + i % s);
      x = before[c] = i < s ? x : policy.op(before[c], x);
      magnitude = size[c] = size[c] + magnitude;
    }
    bool right = a.out.data()[i] == x;
    if constexpr (std::is_floating_point_v<T>)
      right = right || std::abs(a.out.data()[i] - x) <=
                           std::numeric_limits<T>::epsilon() * T(q * 2) * T(i + 64) * T(magnitude);
    if (!right) {
      perf::report_wrong_result(state, name);
      return;
    }
  }
}

template <class T, class Policy>
void scan_by_sam(benchmark::State& state, std::string const& name, index_t n,
                 Policy const& policy) {
  auto& a = arrays<T>::of(n);
  std::memset(static_cast<void*>(a.out.data()), 0xcd, static_cast<std::size_t>(n) * sizeof(T));
  sam::default_context context;
  perf::time_calls(state, n, sizeof(T), [&] {
    sam::inclusive_scan(context, a.in, a.out, policy);
    context.wait();
  });
  // Checked once per case, because it takes longer than the timing.
  static std::set<std::string> checked;
  if (checked.insert(name).second)
    check(state, name, a, policy);
}

template <int S, class Peer, class T, class Policy>
void scan_by_peer(benchmark::State& state, index_t n, Peer, Policy const& policy) {
  auto& a = arrays<T>::of(n);
  using item = std::conditional_t<S == 1, T, perf::tuple<T, S>>;
  auto const op = [&] {
    if constexpr (S == 1)
      return policy.op;
    else
      return perf::by_component<typename Policy::op_type>{policy.op};
  }();
  item identity{};
  if constexpr (S == 1)
    identity = sam::identity_of<T>(policy.op);
  auto const* from = reinterpret_cast<item const*>(a.in.data());
  auto* const to = reinterpret_cast<item*>(a.out.data());
  perf::time_calls(state, n / S * S, sizeof(T), [&] {
    Peer::scan(from, to, n / S, op, identity);
    for (int round = 1; round < Policy::order; ++round)
      Peer::scan(static_cast<item const*>(to), to, n / S, op, identity);
    benchmark::ClobberMemory();
  });
}

template <class T, class Copy>
void copy(benchmark::State& state, index_t n, Copy copy_bytes) {
  auto& a = arrays<T>::of(n);
  perf::time_calls(state, n, sizeof(T), [&] {
    copy_bytes(a.out.data(), a.in.data(), static_cast<std::size_t>(n) * sizeof(T));
  });
}

/// Adds one case: sam, the fastest copy, memcpy, and every peer that supports it.
template <class T, class Policy>
void compare(char const* op_name, index_t n, Policy policy) {
  std::string const name = "inclusive_scan/" + perf::type_name<T>() + "/" + op_name +
                           "/order:" + std::to_string(Policy::order) +
                           "/tuple:" + std::to_string(policy.components) +
                           "/n:" + std::to_string(n);
  add(name, "sam", [=](auto& state) { scan_by_sam<T>(state, name, n, policy); });
  add(name, "roof", [=](auto& state) { copy<T>(state, n, perf::roof_copy); });
  add(name, "memcpy", [=](auto& state) { copy<T>(state, n, perf::memory_copy); });
  constexpr int s = Policy::tuple_size;
  if constexpr (s != sam::run_time_tuple)
    perf::for_each_peer([&](auto peer) {
      add(name, peer.name,
          [=](auto& state) { scan_by_peer<s, decltype(peer), T>(state, n, peer, policy); });
    });
}

using perf::plain_maximum, sam::maximum, sam::plus, sam::scan_policy, sam::tuples_of;

[[maybe_unused]] bool const registered = [] {
  for (index_t const n : perf::sizes({1 << 26, 1 << 20, 1 << 10})) {
    compare<std::int32_t>("plus", n, scan_policy<>{});
    compare<std::int64_t>("plus", n, scan_policy<>{});
    compare<float>("plus", n, scan_policy<>{});
    compare<double>("plus", n, scan_policy<>{});
  }
  for (index_t const n : perf::sizes({1 << 26, 1 << 20})) {
    compare<float>("max", n, scan_policy<maximum>{});
    compare<float>("plain_max", n, scan_policy<plain_maximum>{});
    compare<double>("max", n, scan_policy<maximum>{});
    compare<double>("plain_max", n, scan_policy<plain_maximum>{});
  }
  for (index_t const n : perf::sizes({1 << 26})) {
    compare<std::int32_t>("max", n, scan_policy<maximum>{});
    compare<std::int32_t>("last_nonzero", n, scan_policy<last_nonzero>{});
    compare<std::int32_t>("plus_modulo", n, scan_policy<plus_modulo>{});
    compare<std::int32_t>("plus", n, scan_policy<plus, 2>{});
    compare<std::int32_t>("plus", n, scan_policy<plus, 5>{});
    compare<std::int32_t>("plus", n, scan_policy<plus, 8>{});
    compare<std::int64_t>("plus", n, scan_policy<plus, 2>{});
    compare<std::int64_t>("plus", n, scan_policy<plus, 5>{});
    compare<std::int64_t>("plus", n, scan_policy<plus, 8>{});
    compare<std::int32_t>("plus", n, scan_policy<plus, 1, 2>{});
    compare<std::int32_t>("plus", n, scan_policy<plus, 1, 3>{});
    compare<std::int32_t>("plus", n, scan_policy<plus, 1, 5>{});
    compare<std::int32_t>("plus", n, scan_policy<plus, 1, 8>{});
    compare<std::int32_t>("plus", n, tuples_of(1000));
  }
  return true;
}();

}  // namespace
