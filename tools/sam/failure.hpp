// SPDX-License-Identifier: MIT
#pragma once

#include <sam/error.hpp>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace sam::tool {

/// What the user is told in one line, before the tool exits with status 1.
class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The file "-" is standard input: outputs are named before they fail.
  failure(std::string const& file, std::string const& problem)
      : std::runtime_error((file == "-" ? "standard input" : file) + ": " + problem) {}
};

/// What the library says, without the line of ours that asked.
inline std::string problem_of(sam::error const& error) {
  std::string const what = error.what();
  return what.substr(0, what.rfind(" ["));
}

/// A system call on `file` failed; errno says why.
[[noreturn]] inline void fail_with_errno(std::string const& file) {
  throw failure(file, std::strerror(errno));
}

}  // namespace sam::tool
