// SPDX-License-Identifier: MIT
// The serial back end's context.
#pragma once

#include <sam/host/engine.hpp>

namespace sam::serial {

/// The caller's thread. Needs nothing installed; every call is done when it returns.
class context : public host::engine<context> {
 public:
  void wait() {}
  char const* name() const { return "serial"; }

 private:
  friend host::engine<context>;
  static host::no_pool pool() { return {}; }
};
static_assert(sam::context<context>);

/// Nothing to set up.
struct runtime {
  runtime(int&, char**) {}
};

}  // namespace sam::serial
