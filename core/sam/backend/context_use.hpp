// SPDX-License-Identifier: MIT
// Defines context_use, which detects two calls on one context at the same time.
#pragma once

#include <sam/error.hpp>

#include <atomic>
#include <string_view>
#include <thread>
#include <utility>

namespace sam::inline v0_1::engine {

/// Records which thread is inside a call on a context. The memory of a context serves one call at a
/// time. So `begin` refuses a call while another one runs, either on another thread, or on the same
/// thread if an operator or a predicate makes the call. A back end keeps one in its context.
class context_use {
 public:
  /// Marks the context as used while it lives, for one call of a public function. Public functions
  /// call one another on the same thread; only the outermost call owns the context and releases it.
  class [[nodiscard]] call {
   public:
    explicit call(context_use* owned) : owned_(owned) {}
    call(call const&) = delete;
    call& operator=(call const&) = delete;
    ~call() {
      if (owned_ != nullptr)
        owned_->owner_.store(std::thread::id(), std::memory_order_release);
    }

   private:
    context_use* owned_;
  };

  /// Marks, while it lives, that the back end runs the caller's callables on this context.
  class [[nodiscard]] work {
   public:
    explicit work(context_use& use) : use_(use), before_(std::exchange(use.working_, true)) {}
    work(work const&) = delete;
    work& operator=(work const&) = delete;
    ~work() { use_.working_ = before_; }

   private:
    context_use& use_;
    bool before_;
  };

  context_use() = default;
  /// A context may be moved between calls; neither of the two is in use then.
  context_use(context_use&&) noexcept {}
  context_use& operator=(context_use&&) noexcept { return *this; }

  /// Begins a call of `function`. Throws sam::invalid_argument if the context is in use.
  call begin(std::string_view function, std::source_location at) {
    auto const me = std::this_thread::get_id();
    if (owner_.load(std::memory_order_relaxed) == me) {
      if (working_)
        refuse(function, at);
      return call(nullptr);
    }
    std::thread::id nobody;
    if (!owner_.compare_exchange_strong(nobody, me, std::memory_order_acquire,
                                        std::memory_order_relaxed))
      refuse(function, at);
    return call(this);
  }

 private:
  [[noreturn, gnu::cold]] static void refuse(std::string_view function, std::source_location at) {
    detail::fail<invalid_argument>(
        function, "context",
        "is in use by another call; give each thread a context of its own, and "
        "each operator or predicate that makes calls",
        at);
  }

  std::atomic<std::thread::id> owner_{std::thread::id()};
  bool working_ = false;  // only the owner reads it
};

}  // namespace sam::inline v0_1::engine
