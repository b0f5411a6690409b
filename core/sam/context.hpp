// SPDX-License-Identifier: MIT
#pragma once

#include <sam/array.hpp>

#include <algorithm>
#include <array>
#include <concepts>

namespace sam {

/// Where work runs. Every back end has one, named `context` in the back end's namespace; beside it
/// stands the engine call `run(context, n, job, pass)`, found through the context's type. A context
/// owns what a back end keeps between calls, for one call at a time: two threads may use two
/// contexts at once, not one, and an operator that makes calls needs another one.
///
/// wait()   returns when all work queued through the context is done; throws what went wrong in it
/// name()   what it runs on, for people
/// reaches_pointer(p)  optionally: whether memory at p is within reach
/// reaches  optionally, `template <class Array> static constexpr bool`: whether arrays of a type
///          that says where its memory lies are within reach
/// staging  optionally, where it works in memory of its own: a type that brings items of the host's
///          memory there and back; see <sam/cuda/staging.hpp>
/// holds_items  optionally, `template <class Item> static constexpr bool`: whether a scattering job
///          (<sam/job.hpp>) gets items as they were before it wrote any; without it, always
/// results()  optionally, where it works on a device: most_results index_t that its work may write
///          and the host may read after wait()
/// scratch(bytes)  optionally: memory that work queued through the context may use until the next
///          call that asks for some; without it, functions that need such memory do not compile
/// begin_call(function, at)  optionally: returns an object that lives as long as a call of that
///          function, made at that place; throws if the context is in use, see
///          <sam/context_use.hpp>
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

/// How many numbers a call may return of what its work finds out.
inline constexpr std::size_t most_results = 2;

/// Waits for the index_t that `call` has the context's work write from the place on that it is
/// given.
template <std::size_t N, class Context, class Call>
std::array<index_t, N> results_of(Context& context, Call call) {
  static_assert(N <= most_results);
  std::array<index_t, N> values{};
  if constexpr (requires { context.results(); }) {
    index_t* const place = context.results();
    call(place);
    context.wait();
    std::copy_n(place, N, values.begin());
  } else {
    call(values.data());
    context.wait();
  }
  return values;
}
/// The same of one.
template <class Context, class Call>
index_t result_of(Context& context, Call call) {
  return results_of<1>(context, call)[0];
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

/// Returns what a context keeps while a call of `function`, made at `at`, lasts. Every public
/// function begins with it.
template <class Context>
auto begin_call(Context& context, std::string_view function, std::source_location at) {
  if constexpr (requires { context.begin_call(function, at); })
    return context.begin_call(function, at);
  else
    return 0;
}

/// Refuses memory that the context knows it cannot reach.
template <class Context, array A>
void expect_reach(std::string_view function, std::string_view argument, Context const& context,
                  A const& a, std::source_location at) {
  if constexpr (requires { context.reaches_pointer(a.data()); })
    if (size_of(a) != 0 && !context.reaches_pointer(a.data()))
      throw invalid_argument(function, argument,
                             std::string("lies in memory that ") + context.name() +
                                 " cannot reach; copy it there first",
                             at);
}

}  // namespace sam
