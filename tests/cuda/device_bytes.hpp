// SPDX-License-Identifier: MIT
// Test support for GPU back ends: arrays of bytes in device memory, and the sizes to test. The
// headers of the back end come before this one.
#pragma once

#include <sam/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace test {

namespace tested = sam::SAM_GPU_ANY_WARPS;

class device_bytes {
 public:
  static constexpr bool also_on_threads = false;
  static constexpr bool also_on_serial = false;
  static constexpr bool on_host = false;
  explicit device_bytes(std::size_t size) {
    void* bytes = nullptr;
    tested::check(tested::platform::allocate(bytes, size), "get memory for a test");
    bytes_.reset(static_cast<std::byte*>(bytes));
  }
  std::byte* data() { return bytes_.get(); }
  std::byte const* data() const { return bytes_.get(); }
  void from_host(std::vector<std::byte> const& bytes) {
    tested::check(tested::platform::copy_to_device(data(), bytes.data(), bytes.size(), nullptr),
                  "copy");
    tested::check(tested::platform::synchronize(nullptr), "copy");
  }
  std::vector<std::byte> to_host(std::size_t from, std::size_t to) const {
    std::vector<std::byte> bytes(to - from);
    tested::check(tested::platform::copy_to_host(bytes.data(), data() + from, to - from, nullptr),
                  "copy");
    tested::check(tested::platform::synchronize(nullptr), "copy");
    return bytes;
  }

  /// Returns sizes at the edges of the small tiles of a GPU back end, besides those of the host
  /// back ends. tests/cuda/test_cuda.cpp tests the large tiles.
  template <class T, class Policy>
  static void add_edges(Policy const& policy, std::set<std::int64_t>& sizes) {
    using job = sam::detail::scan_job<T, T, std::identity>;
    if constexpr (tested::scan_algorithm_of<job, Policy> == tested::scan_algorithm::tiles) {
      using config = tested::scan_tuning::small<job, Policy>;
      using traits = sam::gpu::policy_traits<tested::device, T, Policy>;
      std::int64_t const warp = traits::runs * traits::S * config::items;
      std::int64_t few = 0;  // items that run in one cluster
      if constexpr (tested::scan_tuning::has_cluster<job, Policy>) {
        using cluster = tested::scan_tuning::cluster<job, Policy>;
        using scan = sam::gpu::one_cluster_scan<tested::device, job, Policy, cluster>;
        for (std::int64_t const edge :
             {scan::warp_items, scan::block_items, 2 * scan::block_items, scan::most_items})
          for (std::int64_t const n : {edge - 1, edge, edge + 1})
            sizes.insert(n);
        few = scan::most_items;
      }
      std::int64_t const tile = warp * config::warps, first = few / tile * tile;
      for (std::int64_t const edge : {first + tile + warp, first + 2 * tile, first + 3 * tile})
        for (std::int64_t const n : {edge - 1, edge, edge + 1})
          sizes.insert(n);
    } else if constexpr (Policy::tuple_size == sam::run_time_tuple) {
      using config = tested::scan_tuning::panels<T, Policy>;
      std::int64_t const s = policy.components;
      std::int64_t const runs = s == 1 ? 16 : s <= 16 ? 32 / s : 1;
      std::int64_t const tile = config::warps * config::items * runs * s;
      if (tile < 100000)
        for (std::int64_t const n : {tile - 1, tile, tile + 1, 3 * tile + s / 2})
          sizes.insert(n);
    }
  }

 private:
  struct release {
    void operator()(std::byte* bytes) const { tested::platform::release(bytes); }
  };
  std::unique_ptr<std::byte, release> bytes_;
};

}  // namespace test
