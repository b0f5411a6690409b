// SPDX-License-Identifier: MIT
// Compaction and partition by Kokkos' parallel_scan as peers, on the execution space of the back
// end.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace perf {

struct kokkos_select {
  static constexpr char const* name = "kokkos";
  template <int Parts, class Part, class Value, class T>
  struct functor {
    using value_type = ranks<Parts>;
    Part part;
    Value value;
    std::array<T*, 3> to;
    void init(value_type& before) const { before = value_type{}; }
    void join(value_type& before, value_type const& later) const { before = before + later; }
    void operator()(std::int64_t i, value_type& before, bool is_final) const {
      int const p = part(i);
      if (is_final)
        before.put(i, p, value, to);
      before.add(p);
    }
  };
  template <int Parts, class Part, class Value, class T>
  static void select(index_t n, Part part, Value value, std::array<T*, 3> const& to) {
    using range =
        Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_scan(range(0, n), functor<Parts, Part, Value, T>{part, value, to});
    Kokkos::fence();
  }
};

template <class Use>
void for_each_select_peer_of_backend(Use use) {
  use(kokkos_select{});
}

}  // namespace perf
