// SPDX-License-Identifier: MIT
// A progress bar for long operations.
#pragma once

#include <sam/portable.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace sam::tool {

/// Shows a bar on standard error if the work takes long and standard error is a terminal.
class progress {
 public:
  progress(std::string doing, index_t total)
      : doing_(std::move(doing)), total_(total), shown_(isatty(STDERR_FILENO) == 1) {}
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress() {
    if (drawn_)
      std::fputs("\r\033[K", stderr);
  }

  void advance(index_t by) {
    done_ += by;
    auto const now = std::chrono::steady_clock::now();
    if (!shown_ || now < next_)
      return;
    next_ = now + std::chrono::milliseconds(100);
    int const width = 40, filled = total_ > 0 ? static_cast<int>(done_ * width / total_) : width;
    std::fprintf(stderr, "\r%s [%s%s]\033[K", doing_.c_str(), std::string(filled, '#').c_str(),
                 std::string(width - filled, '.').c_str());
    drawn_ = true;
  }

 private:
  std::string doing_;
  index_t total_, done_ = 0;
  bool shown_, drawn_ = false;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
};

}  // namespace sam::tool
