// SPDX-License-Identifier: MIT
// Arrays for benchmarks on a CPU.
#pragma once

#include <sam/portable.hpp>

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace perf {

using sam::index_t;

/// An array of n items on huge pages, all touched, so that timings include no page faults and few
/// TLB misses.
template <class T>
class pages {
 public:
  explicit pages(index_t n) : n_(n) {
    std::size_t const page = std::size_t{2} << 20;
    std::size_t const bytes = (static_cast<std::size_t>(n) * sizeof(T) + page - 1) / page * page;
    memory_.reset(static_cast<T*>(std::aligned_alloc(page, bytes)));
    if (!memory_)
      throw std::bad_alloc();
    madvise(memory_.get(), bytes, MADV_HUGEPAGE);
    std::memset(static_cast<void*>(memory_.get()), 0xcd, bytes);
  }
  T* data() const { return memory_.get(); }
  std::span<T> first(index_t n) const { return {data(), static_cast<std::size_t>(n)}; }
  index_t size() const { return n_; }

 private:
  struct release {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, release> memory_;
  index_t n_;
};

}  // namespace perf
