// SPDX-License-Identifier: MIT
// A pool is what runs the engine on CPUs: `workers()` at most at a time, and
// `for_each_worker(count, f)`, which calls f(0) ... f(count - 1), at once if it can, and returns
// when all are done.
#pragma once

#include <sam/requirements.hpp>

namespace sam::host {

/// One worker, the caller's thread.
struct no_pool {
  int workers() const { return 1; }
  template <class Work>
  void for_each_worker(int count, Work work) const {
    for (int w = 0; w < count; ++w)
      work(w);
  }
};

/// A pool with its type forgotten, and that of its work: the engine is compiled once for all pools.
class any_pool {
 public:
  template <class Pool>
  explicit any_pool(Pool& pool)
      : pool_(&pool), workers_([](void* p) { return static_cast<Pool*>(p)->workers(); }),
        for_each_worker_([](void* p, int count, any_work const& work) {
          static_cast<Pool*>(p)->for_each_worker(count, work);
        }) {}

  int workers() const { return workers_(pool_); }
  template <class Work>
  void for_each_worker(int count, Work const& work) const {
    auto const call = [](void const* to_do, int w) { (*static_cast<Work const*>(to_do))(w); };
    for_each_worker_(pool_, count, any_work{&work, call});
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
