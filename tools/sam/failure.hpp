// SPDX-License-Identifier: MIT
// The exception that ends a command with a message.
#pragma once

#include <sam/error.hpp>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace sam::tool {

/// An error message of one line. The tool prints it and exits with status 1.
class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// Names the file in the message. "-" is standard input, because outputs already have the name
  /// that name_of returns.
  failure(std::string const& file, std::string const& problem)
      : std::runtime_error((file == "-" ? "standard input" : file) + ": " + problem) {}
};

/// Returns the message of a library error without the source location that it ends with.
inline std::string problem_of(sam::error const& error) {
  std::string const what = error.what();
  return what.substr(0, what.rfind(" ["));
}

/// Throws the failure of a system call on `file`, as errno describes it.
[[noreturn]] inline void fail_with_errno(std::string const& file) {
  throw failure(file, std::strerror(errno));
}

}  // namespace sam::tool
