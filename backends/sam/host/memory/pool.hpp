// SPDX-License-Identifier: MIT
// Defines pools of workers, which run the engine on CPUs, and how exceptions leave them.
//
// A pool provides `workers()`, the largest number of concurrent workers, and
// `for_each_worker(count, f)`. The latter calls f(0) ... f(count - 1), concurrently if it can, and
// returns when all are done. The engine passes an f that never throws. tests/model/failure.pml
// models how workers stop when one fails.
#pragma once

#include <sam/error.hpp>

#include <atomic>
#include <exception>
#include <utility>

namespace sam::host {

/// Implements a pool with one worker, the caller's thread.
struct no_pool {
  int workers() const { return 1; }
  template <class Work>
  void for_each_worker(int count, Work work) const {
    for (int w = 0; w < count; ++w)
      work(w);
  }
};

/// Holds the first exception that a worker throws, to be rethrown on the caller's thread. Once it
/// is set, the other workers of the same for_each_worker call give up waiting.
class worker_failure {
 public:
  bool raised() const { return raised_.load(std::memory_order_acquire); }

  /// Captures the current exception. Call it only in a handler.
  void capture() noexcept {
    if (!captured_.exchange(true, std::memory_order_relaxed))
      first_ = std::current_exception();
    raised_.store(true, std::memory_order_release);
  }
  /// Rethrows the captured exception, if any. Call it after all workers are done.
  void rethrow() const {
    if (first_)
      std::rethrow_exception(first_);
  }

  /// Makes `failure` end the waits of this thread until the end of the scope.
  class watch {
   public:
    explicit watch(worker_failure const& failure) : before_(std::exchange(watched, &failure)) {}
    watch(watch const&) = delete;
    watch& operator=(watch const&) = delete;
    ~watch() { watched = before_; }

   private:
    worker_failure const* before_;
  };
  static bool seen_by_this_thread() { return watched != nullptr && watched->raised(); }

 private:
  static inline thread_local constinit worker_failure const* watched = nullptr;

  std::atomic<bool> captured_{false}, raised_{false};
  std::exception_ptr first_;
};

/// Signals that a worker gave up waiting for a failed worker. It never reaches the caller.
struct abandoned_wait {
  char const* what() const { return "sam: another worker has failed"; }
};

/// Ends the wait of this worker, by an exception, if another worker has failed.
inline void give_up_if_failed() {
  if (worker_failure::seen_by_this_thread())
    sam::detail::fail<abandoned_wait>();
}

/// Erases the type of a pool, so that the engine is compiled once for all pools.
class any_pool {
 public:
  template <class Pool>
  explicit any_pool(Pool& pool)
      : pool_(&pool), workers_([](void* p) { return static_cast<Pool*>(p)->workers(); }),
        for_each_worker_([](void* p, int count, any_work const& work) {
          static_cast<Pool*>(p)->for_each_worker(count, work);
        }) {}

  int workers() const { return workers_(pool_); }

  /// Runs work(0) ... work(count - 1) on the pool. Rethrows the first exception of a worker after
  /// all workers are done. Workers that wait for the failed one give up.
  template <class Work>
  void for_each_worker(int count, Work const& work) const {
    if (count == 1)
      return work(0);
    worker_failure failure;
    auto const guarded = [&](int worker) noexcept {
      if (failure.raised())
        return;
      worker_failure::watch const watch(failure);
      sam::detail::catch_all([&] { work(worker); }, [&] { failure.capture(); });
    };
    auto const call = [](void const* to_do, int w) {
      (*static_cast<decltype(guarded)*>(to_do))(w);
    };
    for_each_worker_(pool_, count, any_work{&guarded, call});
    failure.rethrow();
  }

 private:
  struct any_work {
    void const* work;
    void (*call)(void const* work, int worker);
    void operator()(int worker) const { call(work, worker); }
  };

  void* pool_;
  int (*workers_)(void* pool);
  void (*for_each_worker_)(void* pool, int count, any_work const& work);
};

}  // namespace sam::host
