// SPDX-License-Identifier: MIT
// A time limit for tests of protocols that may hang.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace test {

/// Ends the program if it is not destroyed in time, so that a protocol that hangs fails its test.
class watchdog {
 public:
  explicit watchdog(std::chrono::seconds limit)
      : thread_([this, limit](std::stop_token stop) {
          std::unique_lock lock(mutex_);
          if (woken_.wait_for(lock, stop, limit, [] { return false; }) || stop.stop_requested())
            return;
          std::fputs("the test has not ended in time\n", stderr);
          std::abort();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread thread_;
};

}  // namespace test
