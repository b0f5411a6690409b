// SPDX-License-Identifier: MIT
// Lets an execution space instance stand where a call expects a context: a pool keeps contexts for
// the instances, with their workspace, until Kokkos is finalised.
#pragma once

#include <sam/kokkos/context.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sam::inline v0_1::kokkos {

/// Keeps the contexts of the instances of a space. A call takes one that no other call uses, so
/// calls may be nested and made by several threads. Work on an instance runs in order, so the next
/// call may reuse a context at once.
template <class ExecutionSpace>
class context_pool {
 public:
  using context_type = std::conditional_t<std::is_same_v<ExecutionSpace, context::execution_space>,
                                          context, basic_context<ExecutionSpace>>;

  /// Owns a context until a call is done, then returns it to the pool.
  class [[nodiscard]] owner {
   public:
    explicit owner(std::unique_ptr<context_type> owned) : context_(std::move(owned)) {}
    owner(owner&&) = default;
    owner& operator=(owner&&) = delete;
    ~owner() {
      if (context_ != nullptr)
        instance().keep(std::move(context_));
    }
    context_type& operator*() const { return *context_; }

   private:
    std::unique_ptr<context_type> context_;
  };

  /// Returns a context for an instance: a kept one, or a new one.
  static owner lend(ExecutionSpace const& space) {
    if (std::unique_ptr<context_type> kept = instance().take(space))
      return owner(std::move(kept));
    return owner(std::make_unique<context_type>(space));
  }
  /// Returns the number of contexts that are kept and not in use.
  static std::size_t kept() {
    std::lock_guard const lock(instance().mutex_);
    return instance().contexts_.size();
  }

 private:
  /// More contexts than this are not kept; the one that was used least recently is freed.
  static constexpr std::size_t most_kept = 64;

  context_pool() { contexts_.reserve(most_kept); }
  static context_pool& instance() {
    static context_pool pool;
    return pool;
  }
  std::unique_ptr<context_type> take(ExecutionSpace const& space) {
    std::lock_guard const lock(mutex_);
    if (!is_freed_by_finalize_) {
      Kokkos::push_finalize_hook([] { instance().free(); });
      is_freed_by_finalize_ = true;
    }
    auto const found = std::find_if(contexts_.rbegin(), contexts_.rend(),
                                    [&](auto const& kept) { return kept->space() == space; });
    if (found == contexts_.rend())
      return nullptr;
    std::unique_ptr<context_type> taken = std::move(*found);
    contexts_.erase(std::prev(found.base()));
    return taken;
  }
  void keep(std::unique_ptr<context_type> done) {
    std::unique_ptr<context_type> oldest;  // freed without the lock
    std::lock_guard const lock(mutex_);
    if (!Kokkos::is_initialized())
      return;
    if (contexts_.size() == most_kept) {
      oldest = std::move(contexts_.front());
      contexts_.erase(contexts_.begin());
    }
    contexts_.push_back(std::move(done));
  }
  void free() {
    std::vector<std::unique_ptr<context_type>> all;
    std::lock_guard const lock(mutex_);
    all.swap(contexts_);
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<context_type>> contexts_;  // those used last are at the end
  bool is_freed_by_finalize_ = false;
};

}  // namespace sam::inline v0_1::kokkos

namespace sam::inline v0_1::engine {

/// Lends a context of the native engine for an instance of an execution space.
template <class ExecutionSpace>
requires(Kokkos::is_execution_space_v<ExecutionSpace>) struct context_lender<ExecutionSpace> {
  static auto lend(ExecutionSpace const& space) {
    return kokkos::context_pool<ExecutionSpace>::lend(space);
  }
};

}  // namespace sam::inline v0_1::engine
