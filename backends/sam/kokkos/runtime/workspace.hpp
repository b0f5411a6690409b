// SPDX-License-Identifier: MIT
// Defines the memory that contexts keep in Kokkos's memory spaces.
#pragma once

#include <sam/base/measured_memory.hpp>
#include <sam/kokkos/runtime/region.hpp>
#include <sam/portable.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sam::inline v0_1::kokkos {

/// Holds memory of a space that a context keeps between calls. It only grows, until it is cleared.
template <class ExecutionSpace>
class device_workspace {
 public:
  template <class T>
  T* reserve(ExecutionSpace const& space, index_t count) {
    auto const bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (measured_.is_on()) {
      if (bytes > measured_.size(memory_.size()))
        measured_.grow_to(bytes);
      return reinterpret_cast<T*>(std::uintptr_t{256});  // which nothing accesses
    }
    if (bytes > memory_.size()) {
      if constexpr (!finishes_at_once<ExecutionSpace>)
        space.fence("sam::workspace");
      memory_ = kokkos::allocating([&] {
        return view(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "sam::workspace"),
                    bytes);
      });
    }
    return reinterpret_cast<T*>(memory_.data());
  }

  /// Frees the memory, which no queued work may use.
  void clear() { memory_ = view(); }
  measured_memory& measured() { return measured_; }
  bool measures() const { return measured_.is_on(); }
  index_t bytes() const { return static_cast<index_t>(memory_.size()); }

 private:
  using view = Kokkos::View<unsigned char*, typename ExecutionSpace::memory_space>;
  view memory_;
  measured_memory measured_;
};

}  // namespace sam::inline v0_1::kokkos
