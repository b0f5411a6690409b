// SPDX-License-Identifier: MIT
#pragma once

#include <sam/context.hpp>
#include <sam/host/run.hpp>

namespace sam::serial {

/// The caller's thread. Needs nothing installed; every call is done when it returns.
class context {
 public:
  void wait() {}
  char const* name() const { return "serial"; }

 private:
  template <job Job, class Pass>
  friend void run(context& context, index_t n, Job const& job, Pass const& pass) {
    host::no_pool caller;
    host::run(caller, context.memory_, n, job, pass);
  }
  host::workspace memory_;
};
static_assert(sam::context<context>);

/// Nothing to set up.
struct runtime {
  runtime(int&, char**) {}
};

}  // namespace sam::serial
