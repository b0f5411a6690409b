// SPDX-License-Identifier: MIT
// Defines the exception types and the only functions that throw or catch. A message has the
// function, the problem, what is expected, and the caller's line.
#pragma once

#include <sam/base/requirements.hpp>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace sam::inline v0_1 {

/// The base class of all exceptions of this library.
class error : public std::runtime_error {
 public:
  error(std::string_view function, std::string_view what, std::source_location at)
      : std::runtime_error(std::string(function) + ": " + std::string(what) + " [" +
                           at.file_name() + ":" + std::to_string(at.line()) + "]") {}

 protected:
  /// Creates an error without a text. Allocates nothing, at least with libstdc++.
  error() : std::runtime_error("") {}
};

/// Reports an argument that the function cannot accept. It is thrown before anything is written.
class invalid_argument : public error {
 public:
  invalid_argument(std::string_view function, std::string_view argument, std::string_view problem,
                   std::source_location at)
      : error(function, std::string(argument) + " " + std::string(problem), at),
        argument_(argument) {}

  /// Returns the parameter's name, as the documentation spells it.
  std::string const& argument() const noexcept { return argument_; }

 private:
  std::string argument_;
};

/// Reports that the back end could not do the work: no device, a failed launch, a failed earlier
/// kernel.
class device_error : public error {
 public:
  using error::error;
};

/// Reports that the back end could not allocate the memory it needs. The context stays usable.
class out_of_memory : public error {
 public:
  using error::error;
  /// Creates an error with a fixed text, for use when no memory is left for a message.
  out_of_memory() = default;

  char const* what() const noexcept override {
    char const* const text = error::what();
    return *text != 0 ? text : "sam: out of memory";
  }
};

namespace detail {
/// Throws an Error constructed from `arguments`. Everything that the library throws is thrown here.
/// In a program compiled without exceptions, it prints the error's text to stderr and aborts.
template <class Error, class... Arguments>
[[noreturn]] void fail(Arguments const&... arguments) {
#ifdef __cpp_exceptions
  throw Error(arguments...);
#else
  std::fprintf(stderr, "%s\n", Error(arguments...).what());
  std::abort();
#endif
}

/// Returns f(). If f throws an Error, calls handle(error) within the catch block; handle must throw
/// unless f returns void. Everything that the library catches is caught here and in catch_all.
/// Without exceptions, only f is called.
template <class Error, class F, class Handle>
decltype(auto) catch_error(F const& f, [[maybe_unused]] Handle const& handle) {
#ifdef __cpp_exceptions
  try {
    return f();
  } catch (Error const& error) {
    handle(error);
    if constexpr (!std::is_void_v<decltype(f())>)
      __builtin_unreachable();
  }
#else
  return f();
#endif
}
/// Calls f(). If f throws anything, calls handle() within the catch block.
template <class F, class Handle>
void catch_all(F const& f, [[maybe_unused]] Handle const& handle) {
#ifdef __cpp_exceptions
  try {
    f();
  } catch (...) {
    handle();
  }
#else
  f();
#endif
}
}  // namespace detail

/// Throws out_of_memory with the text that `describe()` returns, or without a text if there is no
/// memory for one. Texts are strings, whose allocation may itself throw std::bad_alloc.
template <class Describe>
[[noreturn]] void throw_out_of_memory(std::string_view function, Describe describe,
                                      std::source_location at) {
  detail::catch_error<std::bad_alloc>(
      [&] { detail::fail<out_of_memory>(function, describe(), at); }, [](auto const&) {});
  detail::fail<out_of_memory>();
}

}  // namespace sam::inline v0_1
