// SPDX-License-Identifier: MIT
#pragma once

#include <sam/array.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

namespace sam {

/// Where work runs. Every back end has one, named `context` in the back end's namespace. A context
/// owns what a back end keeps between calls, for one call at a time: two threads may use two
/// contexts at once, not one, and an operator that makes calls needs another one.
///
/// run(n, job, pass)  runs a job (<sam/backend/job.hpp>) over n items; docs/extending.md has what
/// else a back
///          end may offer. These are members because a free function would be looked up in the
///          namespaces of callers' items and callables, too
/// wait()   returns when all work queued through the context is done; throws what went wrong in it
/// name()   what it runs on, for people
/// reaches_pointer(p)  optionally: whether memory at p is within reach
/// reaches  optionally, `template <class Array> static constexpr bool`: whether arrays of a type
///          that says where its memory lies are within reach
/// staging  optionally, where it works in memory of its own: a type that brings items of the host's
///          memory there and back; see <sam/cuda/runtime/staging.hpp>
/// holds_items  optionally, `template <class Item> static constexpr bool`: whether a scattering job
///          (<sam/backend/job.hpp>) gets items as they were before it wrote any; without it, always
/// results()  optionally, where it works on a device: most_result_bytes bytes, as a void*, that its
///          work may write and the host may read after wait()
/// scratch(bytes)  optionally: memory that work queued through the context may use until the next
///          call that asks for some; without it, functions that need such memory do not compile
/// begin_call(function, at)  optionally: returns an object that lives as long as a call of that
///          function, made at that place; throws if the context is in use, see
///          <sam/backend/context_use.hpp>
template <class C>
concept context = requires(C c) {
  c.wait();
  { c.name() } -> std::convertible_to<char const*>;
};

/// Whether `Context` works in memory of its own, and not in the host's.
template <class Context>
concept has_own_memory = requires {
  typename Context::staging;
};

/// Whether `Context` works on a device, where the work that a call has queued may be under way once
/// it returns. That device may share the host's memory.
template <class Context>
concept works_on_device = requires(Context& context) {
  context.results();
};

/// Whether `Context` can work on arrays of type A, as far as their types tell.
template <class Context, class A>
inline constexpr bool is_within_reach = [] {
  if constexpr (requires { Context::template reaches<A>; })
    return Context::template reaches<A>;
  else
    return true;
}();

/// Whether `Context` holds items of a scattering job, so that it may write over them.
template <class Context, class Item>
inline constexpr bool holds_items = [] {
  if constexpr (requires { Context::template holds_items<Item>; })
    return Context::template holds_items<Item>;
  else
    return true;
}();

/// The largest result, in bytes, that a call may return by value.
inline constexpr std::size_t most_result_bytes = 128;

/// Calls `call` with a place for N results of type T that the context's work may write, waits for
/// that work, and returns them.
template <class T, std::size_t N, class Context, class Call>
std::array<T, N> results_of(Context& context, Call call) {
  static_assert(N * sizeof(T) <= most_result_bytes,
                "sam: results returned by value take at most 128 bytes; give a place for them");
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
/// Returns the one result that results_of<T, 1> returns in an array.
template <class T, class Context, class Call>
T result_of(Context& context, Call call) {
  return sam::results_of<T, 1>(context, call)[0];
}

/// Room for n items within reach of the context's work, and not of the host: it lasts until the
/// next call that asks for some, and holds anything at first.
template <class T, class Context>
T* scratch(Context& context, index_t n) {
  static_assert(
      requires { context.scratch(std::size_t{}); },
      "sam: this context has no scratch(bytes), which the function needs");
  return static_cast<T*>(context.scratch(static_cast<std::size_t>(n) * sizeof(T)));
}

}  // namespace sam
