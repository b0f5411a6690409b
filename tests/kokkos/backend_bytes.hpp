// SPDX-License-Identifier: MIT
// Bytes in memory that a Kokkos execution space can access.
#pragma once

#include <sam/kokkos/backend.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace test {

class backend_bytes {
  using execution_space = sam::kokkos::context::execution_space;
  using view = Kokkos::View<std::byte*, typename execution_space::memory_space>;
  using host_view = Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  using const_host_view =
      Kokkos::View<std::byte const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

 public:
  static constexpr bool on_host = sam::kokkos::context::engine == sam::kokkos::engine_kind::host;
  static constexpr bool also_on_threads = false;
  using own_floats = std::tuple<>;  // floating-point types that only this back end supports
  static constexpr bool also_on_serial = on_host;
  explicit backend_bytes(std::size_t size)
      : bytes_(Kokkos::view_alloc("test", Kokkos::WithoutInitializing), size) {}
  std::byte* data() { return bytes_.data(); }
  std::byte const* data() const { return bytes_.data(); }
  void from_host(std::vector<std::byte> const& bytes) {
    Kokkos::deep_copy(part(0, bytes.size()), const_host_view(bytes.data(), bytes.size()));
  }
  std::vector<std::byte> to_host(std::size_t from, std::size_t to) const {
    std::vector<std::byte> bytes(to - from);
    Kokkos::deep_copy(host_view(bytes.data(), bytes.size()), part(from, to));
    return bytes;
  }

  /// Adds the sizes at which the back end changes its algorithm, in addition to those of the host
  /// engine.
  template <class T, class Pass>
  static void add_edges(Pass const&, std::set<std::int64_t>&) {}

 private:
  view part(std::size_t from, std::size_t to) const {
    return Kokkos::subview(bytes_, std::pair(from, to));
  }

  view bytes_;
};

}  // namespace test
