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

/// backend_bytes_defined_once.hpp defines the functions.
class backend_bytes {
 public:
  static constexpr bool on_host = sam::kokkos::context::engine == sam::kokkos::engine_kind::host;
  static constexpr bool also_on_threads = false;
  using own_floats = std::tuple<>;  // floating-point types that only this back end supports
  static constexpr bool also_on_serial = on_host;
  explicit backend_bytes(std::size_t size);
  backend_bytes(backend_bytes&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(other.size_) {}
  backend_bytes& operator=(backend_bytes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~backend_bytes();
  std::byte* data() { return bytes_; }
  std::byte const* data() const { return bytes_; }
  void from_host(std::vector<std::byte> const& bytes);
  std::vector<std::byte> to_host(std::size_t from, std::size_t to) const;

  /// Adds the sizes at which the back end changes its algorithm, in addition to those of the host
  /// engine.
  template <class T, class Pass>
  static void add_edges(Pass const&, std::set<std::int64_t>&) {}

 private:
  std::byte* bytes_;
  std::size_t size_;
};

}  // namespace test
