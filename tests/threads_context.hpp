// SPDX-License-Identifier: MIT
#pragma once

#include <sam/context.hpp>
#include <sam/host/run.hpp>

#include <functional>
#include <thread>
#include <vector>

namespace test {

/// The host engine on any number of threads of its own, also on more than there are cores.
class threads {
 public:
  explicit threads(int count) : count_(count) {}

  void wait() {}
  char const* name() const { return "threads"; }
  int workers() const { return count_; }

  void for_each_worker(int count, std::function<void(int)> const& work) const {
    std::vector<std::jthread> others;
    for (int w = 1; w < count; ++w)
      others.emplace_back([&work, w] { work(w); });
    work(0);
  }

 private:
  template <sam::job Job, class Pass>
  friend void run(threads& context, sam::index_t n, Job const& job, Pass const& pass) {
    sam::host::run(context, context.memory_, n, job, pass);
  }
  int count_;
  sam::host::workspace memory_;
};
static_assert(sam::context<threads>);

}  // namespace test
