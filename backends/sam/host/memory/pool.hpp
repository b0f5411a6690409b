// SPDX-License-Identifier: MIT
// Defines the worker pools that run the engine on CPUs, and handles exceptions in workers.
//
// A pool has `workers()`, the largest number of workers, and `for_each_worker(count, f)`, which
// calls f(0) ... f(count - 1), concurrently if it can, and returns when all calls have returned.
// The engine passes an f that does not throw. tests/model/failure.pml models how workers stop when
// one fails.
#pragma once

#include <sam/error.hpp>
#include <sam/portable.hpp>

#include <atomic>
#include <exception>
#include <utility>

namespace sam::inline v0_1::host {

/// Serves as a pool with one worker, which runs on the caller's thread.
struct no_pool {
  int workers() const { return 1; }
  template <class Work>
  void for_each_worker(int count, Work work) const {
    for (int w = 0; w < count; ++w)
      work(w);
  }
};

/// Hands out the numbers 0, 1, ... to `workers` workers, each number once and to each worker in
/// ascending order. One worker alone needs no locked instruction, which takes as long as a loop
/// over some twenty items.
class claims {
 public:
  explicit claims(int workers) : alone_(workers == 1) {}
  index_t next() {
    if (!alone_)
      return next_.fetch_add(1, std::memory_order_relaxed);
    index_t const number = next_.load(std::memory_order_relaxed);
    next_.store(number + 1, std::memory_order_relaxed);
    return number;
  }

 private:
  std::atomic<index_t> next_{0};
  bool const alone_;
};

/// Keeps the first exception that a worker throws, to rethrow it on the caller's thread. Once an
/// exception is captured, the other workers of the for_each_worker call give up waiting.
class worker_failure {
 public:
  bool raised() const { return raised_.load(std::memory_order_acquire); }

  /// Captures the current exception, if it is the first. The caller is an exception handler.
  void capture() noexcept {
    if (!captured_.exchange(true, std::memory_order_relaxed))
      first_ = std::current_exception();
    raised_.store(true, std::memory_order_release);
  }
  /// Rethrows the captured exception, if there is one. All workers must have finished.
  void rethrow() const {
    if (first_)
      std::rethrow_exception(first_);
  }

  /// Makes `failure` end the waits of this thread, for the lifetime of the watch.
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

/// Ends the wait of a worker after another worker has failed. This exception never reaches the
/// caller.
struct abandoned_wait {
  char const* what() const { return "sam: another worker has failed"; }
};

/// Throws abandoned_wait if another worker has failed.
inline void give_up_if_failed() {
  if (worker_failure::seen_by_this_thread())
    sam::detail::fail<abandoned_wait>();
}

/// Erases the types of a pool and of its work, so that the engine is compiled once for all pools.
class any_pool {
 public:
  template <class Pool>
  explicit any_pool(Pool& pool)
      : pool_(&pool), workers_([](void* p) { return static_cast<Pool*>(p)->workers(); }),
        for_each_worker_([](void* p, int count, any_work const& work) {
          static_cast<Pool*>(p)->for_each_worker(count, work);
        }) {}

  int workers() const { return workers_(pool_); }

  /// Calls work(0) ... work(count - 1) on the pool. Once all workers have finished, it rethrows the
  /// first exception that a worker threw. Workers that wait for a failed worker give up.
  template <class Work>
  void for_each_worker(int count, Work const& work) const {
    auto const call = [](void const* to_do, int w) { (*static_cast<Work const*>(to_do))(w); };
    run(count, any_work{&work, call});
  }

 private:
  struct any_work {
    void const* work;
    void (*call)(void const* work, int worker);
    void operator()(int worker) const { call(work, worker); }
  };

  // Is compiled once for all kinds of work.
  void run(int count, any_work const& work) const {
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

  void* pool_;
  int (*workers_)(void* pool);
  void (*for_each_worker_)(void* pool, int count, any_work const& work);
};

}  // namespace sam::inline v0_1::host
