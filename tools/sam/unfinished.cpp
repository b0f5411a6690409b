// SPDX-License-Identifier: MIT
// Implements removal of temporary files by signal handlers.
#include "unfinished.hpp"

#include "failure.hpp"
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace sam::tool {

namespace {

constexpr std::size_t most_files = 4;  // no command has more outputs
std::array<unfinished_file::place, most_files> places;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::atomic<bool> is_paused{false};
std::atomic<int> postponed{0};

bool is_from_a_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGTRAP || signal == SIGSYS || signal == SIGABRT;
}

extern "C" void remove_unfinished(int signal) {
  if (is_paused.load() && !is_from_a_fault(signal)) {
    postponed.store(signal);
    return;
  }
  for (auto const& place : places)
    if (place.in_use.load())
      unlink(place.path);
  ::signal(signal, SIG_DFL);
  raise(signal);  // is delivered when this handler returns and unblocks the signal
}

void handle(int signal, struct sigaction const& action) {
  struct sigaction old {};
  if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_DFL)
    sigaction(signal, &action, nullptr);
}

}  // namespace

void remove_unfinished_on_signals() {
  struct sigaction action {};
  action.sa_handler = remove_unfinished;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int const signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV,
        SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGSYS})
    handle(signal, action);
#ifdef SIGPWR
  handle(SIGPWR, action);
#endif
#ifdef SIGSTKFLT
  handle(SIGSTKFLT, action);
#endif
#ifdef SIGRTMIN
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
    handle(signal, action);
#endif
  ::signal(SIGXFSZ, SIG_IGN);
}

namespace {

unfinished_file::place& take_place() {
  for (auto& place : places)
    if (!place.is_taken.exchange(true))
      return place;
  throw failure("more than " + std::to_string(most_files) + " outputs are open at a time");
}

}  // namespace

unfinished_file::unfinished_file(std::string const& path) : place_(take_place()) {
  if (path.size() >= sizeof place_.path) {
    place_.is_taken.store(false);
    errno = ENAMETOOLONG;
    fail_with_errno(path);
  }
  std::memcpy(place_.path, path.c_str(), path.size() + 1);
  place_.in_use.store(true);
}

signal_pause::signal_pause() { is_paused.store(true); }

signal_pause::~signal_pause() {
  is_paused.store(false);
  if (int const signal = postponed.exchange(0); signal != 0)
    raise(signal);
}

}  // namespace sam::tool
