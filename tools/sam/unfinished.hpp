// SPDX-License-Identifier: MIT
// Temporary files that must not outlive the tool, whatever ends it.
#pragma once

#include <atomic>
#include <climits>
#include <string>

namespace sam::tool {

/// Makes every signal that would end the tool and that can be caught remove the registered files
/// first; the tool then still ends by that signal. Signals that are ignored stay so, as nohup wants
/// it. SIGXFSZ becomes ignored, so that a write beyond the limit on file sizes fails and is told.
void remove_unfinished_on_signals();

/// Registers the path of a file while this object lives. The path may be registered before the file
/// exists, so that no signal falls between.
class unfinished_file {
 public:
  explicit unfinished_file(std::string const& path);
  ~unfinished_file() {
    place_.in_use.store(false);
    place_.is_taken.store(false);
  }
  unfinished_file(unfinished_file const&) = delete;
  unfinished_file& operator=(unfinished_file const&) = delete;

  /// What a signal handler may read: lock-free flags and memory that is never freed.
  struct place {
    std::atomic<bool> is_taken{false}, in_use{false};
    char path[PATH_MAX];
  };

 private:
  place& place_;
};

/// Postpones signals while it lives, in all threads: files that belong together are renamed under
/// it, all or none of them.
class signal_pause {
 public:
  signal_pause();
  ~signal_pause();
  signal_pause(signal_pause const&) = delete;
  signal_pause& operator=(signal_pause const&) = delete;
};

}  // namespace sam::tool
