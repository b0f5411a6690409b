// SPDX-License-Identifier: MIT
// Defines the context concept, the interface of a back end to public functions, and helpers for
// results and workspace.
#pragma once

#include <sam/array.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

namespace sam {

/// A handle of a back end, on which work runs. Every back end has one, named `context` in its
/// namespace. A context owns the memory that a back end keeps between calls, and serves one call at
/// a time. Two threads need two contexts, and an operator that makes calls needs another one.
///
/// run(n, job, policy)  runs a job (<sam/backend/job.hpp>) over n items under a resolved policy.
///          docs/extending.md lists further members. They are members because a free function
///          would also be looked up in the namespaces of callers' items and callables
/// wait()   returns when all work queued through the context is done; throws if that work failed
/// name()   returns the name of the execution resource, for messages
/// reaches_pointer(p)  optional: returns true if the context can access memory at p
/// reaches  optional, `template <class Array> static constexpr bool`: true if the context can
///          access arrays of this type, whose memory space is part of the type
/// staging  optional, for a context that works in its own memory: a type that copies items from
///          host memory to it and back; see <sam/cuda/runtime/staging.hpp>
/// holds_items  optional, `template <class Item> static constexpr bool`: true if a scattering job
///          (<sam/backend/job.hpp>) gets items as they were before its stores; default true
/// results()  optional, for a context that works on a device: returns a void* to most_result_bytes
///          bytes that its work may write and the host may read after wait()
/// workspace(bytes)  optional: returns workspace for work queued through the context, valid until
/// the
///          next call of workspace; without it, functions that need workspace do not compile
/// begin_call(function, at)  optional: returns an object that lives as long as a call of that
///          function from that source location. Throws if the context is in use, see
///          <sam/backend/context_use.hpp>
template <class C>
concept context = requires(C c) {
  c.wait();
  { c.name() } -> std::convertible_to<char const*>;
};

/// True if `Context` works in its own memory and not in the host's.
template <class Context>
concept has_own_memory = requires {
  typename Context::staging;
};

/// True if `Context` works on a device, so that queued work may still run when a call returns. The
/// device may share the host's memory.
template <class Context>
concept works_on_device = requires(Context& context) {
  context.results();
};

/// True if `Context` can access arrays of type A, as far as the type tells.
template <class Context, class A>
inline constexpr bool is_within_reach = [] {
  if constexpr (requires { Context::template reaches<A>; })
    return Context::template reaches<A>;
  else
    return true;
}();

/// True if `Context` holds the items of a scattering job, so that the job may overwrite them.
template <class Context, class Item>
inline constexpr bool holds_items = [] {
  if constexpr (requires { Context::template holds_items<Item>; })
    return Context::template holds_items<Item>;
  else
    return true;
}();

/// The largest result, in bytes, that a call may return by value.
inline constexpr std::size_t most_result_bytes = 128;

/// Calls `call` with a pointer to N results of type T that the context's work may write, waits for
/// that work, and returns the results.
template <class T, std::size_t N, class Context, class Call>
std::array<T, N> results_of(Context& context, Call call) {
  static_assert(N * sizeof(T) <= most_result_bytes,
                "sam: results returned by value take at most 128 bytes; pass a variable or an "
                "array for them");
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    if constexpr (works_on_device<Context>) {
      static_assert(alignof(T) <= alignof(std::max_align_t));
      auto* const place = static_cast<T*>(context.results());
      call(place);
      context.wait();
      return std::array<T, N>{place[K]...};
    } else {
      uninitialized_array<T, static_cast<int>(N)> place;  // T need not be default constructible
      call(place.at);
      context.wait();
      return std::array<T, N>{place.at[K]...};
    }
  }
  (std::make_index_sequence<N>{});
}
/// Returns a single result as results_of<T, 1> does.
template <class T, class Context, class Call>
T result_of(Context& context, Call call) {
  return sam::results_of<T, 1>(context, call)[0];
}

/// Returns workspace for n items that the context's work can access, but the host perhaps cannot.
/// It is uninitialised, and valid until the next call of workspace.
template <class T, class Context>
T* workspace(Context& context, index_t n) {
  static_assert(
      requires { context.workspace(std::size_t{}); },
      "sam: this context has no workspace(bytes), which the function needs");
  return static_cast<T*>(context.workspace(static_cast<std::size_t>(n) * sizeof(T)));
}

}  // namespace sam
