// SPDX-License-Identifier: MIT
// Kokkos' own scans as peers, on the execution space of the back end.
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <cstddef>
#include <cstdint>

namespace perf {

struct kokkos_scan {
  static constexpr char const* name = "kokkos";
  template <class T, class Op>
  struct functor {
    using value_type = T;
    T const* in;
    T* out;
    Op op;
    T identity;
    void init(T& sum) const { sum = identity; }
    void join(T& sum, T const& later) const { sum = op(sum, later); }
    void operator()(std::int64_t i, T& sum, bool is_final) const {
      sum = op(sum, in[i]);
      if (is_final)
        out[i] = sum;
    }
  };
  template <class T, class Op>
  static void scan(T const* in, T* out, std::ptrdiff_t n, Op op, T identity) {
    Kokkos::parallel_scan(
        Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<std::int64_t>>(0,
                                                                                                n),
        functor<T, Op>{in, out, op, identity});
    Kokkos::fence();
  }
};
struct kokkos_std {
  static constexpr char const* name = "kokkos_std";
  template <class T, class Op>
  static void scan(T const* in, T* out, std::ptrdiff_t n, Op op, T) {
    using space = Kokkos::DefaultHostExecutionSpace;
    using in_view = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    using out_view = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    auto const count = static_cast<std::size_t>(n);
    Kokkos::Experimental::inclusive_scan(space(), in_view(in, count), out_view(out, count), op);
    Kokkos::fence();
  }
};

template <class Use>
void for_each_peer_of_backend(Use use) {
  use(kokkos_scan{});
  use(kokkos_std{});
}

}  // namespace perf
