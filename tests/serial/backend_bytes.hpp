// SPDX-License-Identifier: MIT
// Bytes in the memory of the serial back end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <tuple>
#include <vector>

namespace test {

/// Bytes in memory that the back end can access, and copies from and to the host. A back end with
/// device memory has its own version.
class backend_bytes {
 public:
  static constexpr bool on_host = true;
  static constexpr bool also_on_threads = true;  // one of the host back ends suffices
  using own_floats = std::tuple<>;  // floating-point types that only this back end supports
  static constexpr bool also_on_serial = false;
  explicit backend_bytes(std::size_t size) : bytes_(size) {}
  std::byte* data() { return bytes_.data(); }
  std::byte const* data() const { return bytes_.data(); }
  void from_host(std::vector<std::byte> const& bytes) {
    std::memcpy(data(), bytes.data(), bytes.size());
  }
  std::vector<std::byte> to_host(std::size_t from, std::size_t to) const {
    return {data() + from, data() + to};
  }

  /// Adds the sizes at which the back end changes its algorithm, in addition to those of the host
  /// engine.
  template <class T, class Pass>
  static void add_edges(Pass const&, std::set<std::int64_t>&) {}

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace test
