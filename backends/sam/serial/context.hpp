// SPDX-License-Identifier: MIT
// Defines the context of the serial back end.
#pragma once

#include <sam/host/context_base.hpp>

namespace sam::inline v0_1::serial {

/// Runs calls on the caller's thread. It needs no installed library, and each call is complete when
/// it returns.
class context : public host::context_base<context> {
 public:
  context() = default;
  /// Takes the memory for later calls from a resource, which must outlive the context.
  explicit context(std::pmr::memory_resource* resource) : host::context_base<context>(resource) {}

  void wait() {}
  char const* name() const { return "serial"; }

 private:
  friend host::context_base<context>;
  static host::no_pool pool() { return {}; }
};
static_assert(sam::context<context>);

/// Does nothing: the serial back end needs no initialisation.
struct runtime {
  runtime(int&, char**) {}
};

}  // namespace sam::inline v0_1::serial
