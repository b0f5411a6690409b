// SPDX-License-Identifier: MIT
// Kokkos' own sort as a peer, on the execution space of the back end.
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Sort.hpp>

#include <cstddef>

namespace perf {

struct kokkos_sort {
  static constexpr char const* name = "kokkos";
  template <class T>
  static void sort(T* items, std::ptrdiff_t n) {
    Kokkos::DefaultHostExecutionSpace const space;
    Kokkos::sort(space, Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                            items, static_cast<std::size_t>(n)));
    space.fence();
  }
};

template <class Use>
void for_each_sort_peer_of_backend(Use use) {
  use(kokkos_sort{});
}

}  // namespace perf
