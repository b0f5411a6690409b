// SPDX-License-Identifier: MIT
// The exception types and their wording: who, what was given, what was expected, the caller's line;
// and the one place that throws them.
#pragma once

#include <sam/requirements.hpp>

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sam {

/// What every exception of this library derives from.
class error : public std::runtime_error {
 public:
  error(std::string_view function, std::string_view what, std::source_location at)
      : std::runtime_error(std::string(function) + ": " + std::string(what) + " [" +
                           at.file_name() + ":" + std::to_string(at.line()) + "]") {}
};

/// An argument that the function cannot work with. Thrown before anything is written.
class invalid_argument : public error {
 public:
  invalid_argument(std::string_view function, std::string_view argument, std::string_view problem,
                   std::source_location at)
      : error(function, std::string(argument) + " " + std::string(problem), at),
        argument_(argument) {}

  /// The parameter's name, as the documentation spells it.
  std::string const& argument() const noexcept { return argument_; }

 private:
  std::string argument_;
};

/// The back end could not do the work: no device, a failed launch, a failed earlier kernel.
class device_error : public error {
 public:
  using error::error;
};

/// The back end could not get the memory it needs. The context stays usable.
class out_of_memory : public error {
 public:
  using error::error;
};

namespace detail {
/// Throws the Error that its constructor makes of `arguments`. Everything that the library throws
/// is thrown here: a program that is compiled without exceptions prints what the error says to
/// stderr and aborts.
template <class Error, class... Arguments>
[[noreturn]] void fail(Arguments const&... arguments) {
#ifdef __cpp_exceptions
  throw Error(arguments...);
#else
  std::fprintf(stderr, "%s\n", Error(arguments...).what());
  std::abort();
#endif
}
}  // namespace detail

}  // namespace sam
