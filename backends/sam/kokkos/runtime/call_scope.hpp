// SPDX-License-Identifier: MIT
// Defines what surrounds a call on a Kokkos context: a region of Kokkos Tools, and contiguous
// copies of strided Views.
#pragma once

#include <sam/kokkos/runtime/team.hpp>
#include <sam/kokkos/runtime/workspace.hpp>
#include <sam/portable.hpp>

#include <Kokkos_Core.hpp>

#include <deque>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sam::inline v0_1::kokkos {

/// True for a View of rank 1 whose items need not be contiguous.
template <class A>
inline constexpr bool may_be_strided = [] {
  if constexpr (Kokkos::is_view_v<A>)
    return A::rank() == 1 && std::is_same_v<typename A::array_layout, Kokkos::LayoutStride>;
  else
    return false;
}();

/// Opens a region of Kokkos Tools while it lives, if a tool is loaded and the calling thread may
/// start kernels. Within a kernel, several threads would open regions at once.
template <class ExecutionSpace>
class tools_region {
 public:
  explicit tools_region(std::string_view name)
      : is_open_(Kokkos::Tools::profileLibraryLoaded() &&
                 kokkos::may_start_kernels<ExecutionSpace>()) {
    if (is_open_)
      Kokkos::Profiling::pushRegion(std::string(name));
  }
  tools_region(tools_region const&) = delete;
  tools_region& operator=(tools_region const&) = delete;
  ~tools_region() {
    if (is_open_)
      Kokkos::Profiling::popRegion();
  }

 private:
  bool is_open_;
};

/// Holds what a context keeps for its calls: the name of the function that was called last, and
/// copies of strided Views. Calls of the library within one another use copies of their own.
template <class ExecutionSpace>
class call_state {
 public:
  std::string_view function = "sam";
  bool measures = false;  // nothing runs, so nothing is copied

  std::size_t used() const { return used_; }
  void release_to(std::size_t used) { used_ = used; }
  /// Returns memory for another copy of `count` items, until it is released.
  template <class T>
  T* take(ExecutionSpace const& space, index_t count) {
    if (used_ == copies_.size())
      copies_.emplace_back();
    return copies_[used_++].template reserve<T>(space, count);
  }
  /// Returns a place for a copy that no call accesses, apart from others.
  template <class T>
  T* pretend(index_t count) {
    pretended_ = (pretended_ / alignof(T) + 1) * alignof(T);
    auto* const place = reinterpret_cast<T*>(pretended_);
    pretended_ += static_cast<std::uintptr_t>(count) * sizeof(T);
    return place;
  }

 private:
  std::uintptr_t pretended_ = 0;
  std::deque<device_workspace<ExecutionSpace>> copies_;
  std::size_t used_ = 0;
};

/// Copies items that lie at regular distances. It holds no Views, which some versions of nvcc pass
/// to kernels in another layout than that of the host.
template <class T>
struct copy_strided {
  T const* from;
  index_t from_stride;
  T* to;
  index_t to_stride;
  SAM_FUNCTION void operator()(index_t i) const { to[i * to_stride] = from[i * from_stride]; }
};

/// Accompanies a call on a context: `Use` marks the context as used, and a region of Kokkos Tools
/// has the name of the function. At the end of the call, strided outputs are written.
template <class ExecutionSpace, class Use>
class [[nodiscard]] call_scope {
 public:
  /// begin() returns the Use.
  template <class Begin>
  call_scope(Begin const& begin, std::string_view function, ExecutionSpace const& space,
             call_state<ExecutionSpace>& state)
      : use_(begin()), region_(function), space_(space), state_(state), first_(state.used()) {
    state.function = function;
  }
  call_scope(call_scope const&) = delete;
  call_scope& operator=(call_scope const&) = delete;
  ~call_scope() noexcept(false) {
    state_.release_to(first_);
    if (!writes_.empty() && std::uncaught_exceptions() == exceptions_)
      for (auto const& write : writes_)
        write();
  }

  /// Returns a contiguous copy of the items of a strided View.
  template <class View>
  requires(may_be_strided<View>) auto* contiguous(View const& a) {
    using T = typename View::non_const_value_type;
    auto const n = static_cast<index_t>(a.extent(0));
    if (state_.measures)
      return state_.template pretend<T>(n);
    T* const copy = state_.template take<T>(space_, n);
    for_each("sam::copy_from_strided", n, copy_strided<T>{a.data(), stride_of(a), copy, 1});
    return copy;
  }
  /// Returns such a copy, whose items are written to the View at the end of the call.
  template <class View>
  requires(may_be_strided<View>) auto* written_back(View const& a) {
    using T = typename View::non_const_value_type;
    T* const copy = contiguous(a);
    if (state_.measures)
      return copy;
    exceptions_ = std::uncaught_exceptions();
    writes_.push_back([this, copy, a] {
      for_each("sam::copy_to_strided", static_cast<index_t>(a.extent(0)),
               copy_strided<T>{copy, 1, a.data(), stride_of(a)});
    });
    return copy;
  }

 private:
  template <class View>
  static index_t stride_of(View const& a) {
    return static_cast<index_t>(a.stride(0));
  }
  template <class Kernel>
  void for_each(char const* label, index_t n, Kernel const& kernel) const {
    if constexpr (is_host_space<ExecutionSpace>)
      if (!kokkos::may_start_kernels<ExecutionSpace>()) {
        for (index_t i = 0; i < n; ++i)
          kernel(i);
        return;
      }
    launcher<ExecutionSpace>{space_}(label, n, kernel);
  }

  Use use_;
  tools_region<ExecutionSpace> region_;
  ExecutionSpace const& space_;
  call_state<ExecutionSpace>& state_;
  std::size_t first_;
  int exceptions_ = 0;  // those in flight when outputs were noted
  std::vector<std::function<void()>> writes_;
};

}  // namespace sam::inline v0_1::kokkos
