// SPDX-License-Identifier: MIT
// Defines the bytes in memory that a Kokkos execution space can access.
#pragma once

#include "backend_bytes.hpp"

namespace test {

namespace spaces {

using memory = sam::kokkos::context::execution_space::memory_space;
template <class Byte, class Space>
using view = Kokkos::View<Byte*, Space, Kokkos::MemoryUnmanaged>;

}  // namespace spaces

backend_bytes::backend_bytes(std::size_t size)
    : bytes_(static_cast<std::byte*>(Kokkos::kokkos_malloc<spaces::memory>("test", size))),
      size_(size) {}
backend_bytes::~backend_bytes() {
  if (bytes_ != nullptr)
    Kokkos::kokkos_free<spaces::memory>(bytes_);
}
void backend_bytes::from_host(std::vector<std::byte> const& bytes) {
  Kokkos::deep_copy(spaces::view<std::byte, spaces::memory>(bytes_, bytes.size()),
                    spaces::view<std::byte const, Kokkos::HostSpace>(bytes.data(), bytes.size()));
}
std::vector<std::byte> backend_bytes::to_host(std::size_t from, std::size_t to) const {
  std::vector<std::byte> bytes(to - from);
  Kokkos::deep_copy(spaces::view<std::byte, Kokkos::HostSpace>(bytes.data(), bytes.size()),
                    spaces::view<std::byte const, spaces::memory>(bytes_ + from, bytes.size()));
  return bytes;
}

}  // namespace test
