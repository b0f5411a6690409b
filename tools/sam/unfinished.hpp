// SPDX-License-Identifier: MIT
// Temporary files that are removed even if a signal ends the tool.
#pragma once

#include <atomic>
#include <climits>
#include <string>

namespace sam::tool {

/// Installs handlers that remove the registered files before a catchable signal ends the tool. The
/// tool still ends by that signal. Ignored signals stay ignored, as nohup needs. SIGXFSZ is
/// ignored, so that a write beyond the file size limit fails with an error.
void remove_unfinished_on_signals();

/// Registers the path of a temporary file for the lifetime of this object. The path may be
/// registered before the file is created, so that no signal can come in between.
class unfinished_file {
 public:
  explicit unfinished_file(std::string const& path);
  ~unfinished_file() {
    place_.in_use.store(false);
    place_.is_taken.store(false);
  }
  unfinished_file(unfinished_file const&) = delete;
  unfinished_file& operator=(unfinished_file const&) = delete;

  /// The data that a signal handler reads: lock-free flags and memory that is never freed.
  struct place {
    std::atomic<bool> is_taken{false}, in_use{false};
    char path[PATH_MAX];
  };

 private:
  place& place_;
};

/// Blocks signals in all threads during its lifetime. Files that belong together are renamed under
/// it, so that either all or none are renamed.
class signal_pause {
 public:
  signal_pause();
  ~signal_pause();
  signal_pause(signal_pause const&) = delete;
  signal_pause& operator=(signal_pause const&) = delete;
};

}  // namespace sam::tool
