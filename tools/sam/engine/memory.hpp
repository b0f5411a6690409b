// SPDX-License-Identifier: MIT
// Gives a back end access to the tool's items, which lie in host memory. The back end of a device
// stages them in device memory. Other special cases of devices, which keep the number of kernels
// low, are in scheme.hpp and sum.hpp.
#pragma once

#include <sam/context.hpp>

#include <cstring>
#include <span>
#include <thread>
#include <vector>

namespace sam::tool {

template <sam::context Context>
int threads_of(Context const& context) {
  if constexpr (requires { context.space().concurrency(); })
    return static_cast<int>(context.space().concurrency());
  else
    return 1;
}

/// Memory access of a back end that works on host memory: items are not copied.
template <sam::context Context>
class in_place {
 public:
  /// The input and output of some calls, which may be one array. The context works on in() and
  /// out(). bring_back() waits until the host's `out` has the results.
  template <class T>
  class arrays {
   public:
    arrays(Context& context, std::span<T const> in, std::span<T> out)
        : context_(context), in_(in), out_(out) {}
    arrays(Context& context, std::span<T> items) : arrays(context, items, items) {}

    std::span<T const> in() const { return in_; }
    std::span<T> out() const { return out_; }
    void bring_back() const { context_.wait(); }

   private:
    Context& context_;
    std::span<T const> in_;
    std::span<T> out_;
  };

  /// Copies with memcpy on as many threads as the context uses. Scans are compared with its speed.
  static void copy(Context& context, std::span<std::byte const> from, std::span<std::byte> to) {
    auto const threads = static_cast<std::size_t>(threads_of(context));
    auto const part = [&](std::size_t t) {
      std::size_t const begin = from.size() * t / threads, end = from.size() * (t + 1) / threads;
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    };
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t)
      others.emplace_back(part, t);
    part(0);
  }
};

template <class Context>
struct memory_for {
  using type = in_place<Context>;
};
template <sam::engine::has_own_memory Context>
struct memory_for<Context> {
  using type = typename Context::staging;
};
/// The memory access of a context: in_place, or the back end's own class with the same members.
template <class Context>
using memory_of = typename memory_for<Context>::type;

}  // namespace sam::tool
