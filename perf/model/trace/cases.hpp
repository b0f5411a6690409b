// SPDX-License-Identifier: MIT
// Helpers of the traced kernels: arrays, contexts and tiles with the sizes that the CUDA back end
// has.
#pragma once

#include <sam/scan.hpp>

#include "simt/context.hpp"
#include "trace.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace memory_trace {

using sam::index_t;

/// Predicates of traced selections.
struct is_odd {
  bool operator()(std::int32_t x) const { return x % 2 != 0; }
};
struct is_large {
  bool operator()(std::int32_t x) const { return x > 50; }
};

/// An array that is aligned as memory from cudaMalloc.
template <class T>
class array {
 public:
  explicit array(index_t n)
      : n_(static_cast<std::size_t>(n)),
        items_(static_cast<T*>(std::aligned_alloc(256, (n_ * sizeof(T) + 511) / 256 * 256))) {
    for (std::size_t i = 0; i < n_; ++i)
      new (items_.get() + i) T{};
  }
  T* data() { return items_.get(); }
  T const* data() const { return items_.get(); }
  std::size_t size() const { return n_; }
  T& operator[](std::size_t i) { return items_.get()[i]; }
  T const& operator[](std::size_t i) const { return items_.get()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + n_; }

 private:
  struct release {
    void operator()(T* p) const { std::free(p); }
  };
  std::size_t n_;
  std::unique_ptr<T[], release> items_;
};

/// A number generator that gives the same numbers with every standard library.
struct generator {
  std::uint64_t state = 1;
  std::uint64_t operator()() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};
template <class T>
array<T> random_array(index_t n, std::uint64_t bound = 100) {
  array<T> all(n);
  generator random;
  for (T& x : all)
    x = static_cast<T>(random() % bound);
  return all;
}

/// A tile with the sizes of a row of the scan plan in docs/internals/cuda_scan.md.
template <int Warps, int Items, int Stages = 4>
struct tile : sam::gpu::block_config<Warps, Items, Stages, 1> {};

template <class Tile>
using fibers = simt::context<32, Tile, 1024>;

/// Returns a context with one block and without delays, which makes counts reproducible. It lies
/// in the heap, which is recorded as global memory.
template <class Tile>
std::unique_ptr<fibers<Tile>> make_context() {
  auto context = std::make_unique<fibers<Tile>>(1, 7);
  context->conditions.has_delays = false;
  return context;
}

template <class Tile>
std::string text_of() {
  return std::to_string(Tile::warps) + " warps of " + std::to_string(Tile::items) + ", " +
         std::to_string(Tile::stages) + " stages";
}
/// Records what `work` launches in a context.
template <class Tile>
void record(std::string const& name, index_t items, fibers<Tile> const&,
            std::function<void()> const& work) {
  record(name, items, work, text_of<Tile>());
}

/// Launches a kernel on fibers without delays.
template <class Kernel>
void launch(int blocks, int threads, int shared_bytes, Kernel const& kernel, int of_cluster = 0) {
  simt::grid g{};
  g.blocks = blocks;
  g.warps = threads / 32;
  g.warp_size = 32;
  g.shared_bytes = shared_bytes;
  g.seed = 7;
  g.of_cluster = of_cluster;
  g.has_delays = false;
  simt::launch(g, kernel);
}

/// Records an inclusive scan of two tiles.
template <class T, class Tile, class Policy>
void record_scan(std::string const& name, Policy const& policy, index_t tile_items) {
  index_t const n = 2 * tile_items;
  auto const in = random_array<T>(n);
  array<T> out(n);
  auto const context = make_context<Tile>();
  record(name, n, *context, [&] { sam::inclusive_scan(*context, in, out, policy); });
}
template <class T, class Tile, class Policy = sam::scan_policy<>>
void record_scan(std::string const& name) {
  constexpr int runs = 32 / Policy::tuple_size * Policy::tuple_size;
  record_scan<T, Tile>(name, Policy{}, index_t{Tile::warps} * Tile::items * runs);
}

}  // namespace memory_trace
