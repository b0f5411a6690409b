// SPDX-License-Identifier: MIT
// Defines the context concept, the interface of a back end to public functions, and helpers for
// results and workspace.
#pragma once

#include <sam/array.hpp>
#include <sam/backend/members.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

namespace sam::inline v0_1 {

/// A handle of a back end, on which work runs. Every back end has one, named `context` in its
/// namespace. A context owns the memory that a back end keeps between calls, and serves one call at
/// a time. Two threads need two contexts, and an operator that makes calls needs another one.
///
/// wait()  returns when all work queued through the context is done; throws if that work failed
/// name()  returns the name of what the context runs on, for messages
///
/// <sam/backend/members.hpp> lists what else the context of a back end may have.
template <class C>
concept context = engine::back_end<C>;

namespace engine {

/// Lends contexts for objects that may stand where a call expects one, such as an execution space.
/// A back end specialises it for their type with a static member lend(object), which returns an
/// owner of a context: *owner is the context, on which no other call runs while the owner lives.
template <class T>
struct context_lender {};

}  // namespace engine

namespace detail {

/// True for a type whose objects stand for a context.
template <class T>
concept stands_for_context = requires(std::remove_cvref_t<T> const& object) {
  *engine::context_lender<std::remove_cvref_t<T>>::lend(object);
};
template <class T>
auto lend_context(T const& object) {
  return engine::context_lender<T>::lend(object);
}

}  // namespace detail

}  // namespace sam::inline v0_1

namespace sam::inline v0_1::engine {

/// The largest result, in bytes, that a call may return by value or leave in a variable that a
/// device does not reach.
inline constexpr std::size_t most_result_bytes = 1024;

/// True while a context measures how much memory calls need: it then runs none of their work.
template <class Context>
bool measures(Context const& context) {
  if constexpr (requires { context.measures(); })
    return context.measures();
  else
    return false;
}

/// Calls `call` with a pointer to N results of type T that the context's work may write, waits for
/// that work, and returns the results.
template <class T, std::size_t N, class Context, class Call>
std::array<T, N> results_of(Context& context, Call call) {
  static_assert(N * sizeof(T) <= most_result_bytes,
                "sam: results returned by value take at most 1024 bytes; pass a variable or an "
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
      if (engine::measures(context))                      // no work will write them
        std::memset(static_cast<void*>(place.at), 0, sizeof(place.at));
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
  return engine::results_of<T, 1>(context, call)[0];
}

/// Returns workspace for n items that the context's work can access, but the host perhaps cannot.
/// It is uninitialised, and valid until the next call of workspace.
template <class T, class Context>
T* workspace(Context& context, index_t n) {
  static_assert(has_workspace<Context>,
                "sam: this context has no workspace(bytes), which the function needs");
  return static_cast<T*>(context.workspace(static_cast<std::size_t>(n) * sizeof(T)));
}
/// Returns such memory for inputs that a call stores, apart from its workspace. It is valid until
/// the next call of input_memory.
template <class T, class Context>
T* input_memory(Context& context, index_t n) {
  static_assert(has_input_memory<Context>,
                "sam: this context has no input_memory(bytes), which computed inputs of this "
                "function need");
  return static_cast<T*>(context.input_memory(static_cast<std::size_t>(n) * sizeof(T)));
}

}  // namespace sam::inline v0_1::engine
