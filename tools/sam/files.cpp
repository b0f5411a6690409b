// SPDX-License-Identifier: MIT
#include "files.hpp"

#include "failure.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <utility>

namespace sam::tool {

namespace {

// The temporary files that an interrupt has to remove: no command has more outputs.
std::atomic<char const*> unfinished[2] = {};
static_assert(std::atomic<char const*>::is_always_lock_free);  // the handler may use it

extern "C" void remove_unfinished(int signal) {
  for (auto const& place : unfinished)
    if (char const* const file = place.load())
      unlink(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void replace_unfinished(char const* old, char const* by) {
  for (auto& place : unfinished)
    if (char const* expected = old; place.compare_exchange_strong(expected, by))
      return;
}

void remove_if_interrupted(char const* temporary) {
  replace_unfinished(nullptr, temporary);
  for (int const signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, remove_unfinished) == SIG_IGN)
      std::signal(signal, SIG_IGN);  // as nohup wants it
}

}  // namespace

input_file::input_file(std::string path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0)
    fail_with_errno(path_);
}

input_file::~input_file() { close(descriptor_); }

std::optional<std::int64_t> input_file::size() const {
  struct stat about {};
  if (fstat(descriptor_, &about) != 0)
    fail_with_errno(path_);
  if (!S_ISREG(about.st_mode))
    return {};
  return about.st_size;
}

std::size_t input_file::read(std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    ssize_t const got = ::read(descriptor_, to.data() + done, to.size() - done);
    if (got < 0 && errno != EINTR)
      fail_with_errno(path_);
    if (got == 0)
      break;
    done += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  return done;
}

output_file::output_file(std::string path) : path_(std::move(path)), target_(path_) {
  struct stat about {};
  if (stat(path_.c_str(), &about) != 0) {
    open_temporary({});
  } else if (S_ISREG(about.st_mode)) {
    target_ = std::filesystem::canonical(path_);
    if (access(path_.c_str(), W_OK) != 0)
      fail_with_errno(path_);
    open_temporary(about.st_mode & 07777u);
  } else {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0)
      fail_with_errno(path_);
  }
}

void output_file::open_temporary(std::optional<unsigned> mode) {
  temporary_ = target_ + ".part" + std::to_string(getpid());
  descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0 && errno == EEXIST)
    throw failure(path_, "is being written already, to " + temporary_);
  if (descriptor_ < 0)
    fail_with_errno(path_);
  remove_if_interrupted(temporary_.c_str());
  if (mode)
    fchmod(descriptor_, *mode);
}

output_file::~output_file() {
  if (descriptor_ >= 0)
    close(descriptor_);
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    replace_unfinished(temporary_.c_str(), nullptr);
  }
}

void output_file::write(std::span<std::byte const> from) {
  while (!from.empty()) {
    ssize_t const put = ::write(descriptor_, from.data(), from.size());
    if (put < 0 && errno != EINTR)
      fail_with_errno(path_);
    from = from.subspan(put > 0 ? static_cast<std::size_t>(put) : 0);
  }
}

void output_file::finish() {
  if (close(std::exchange(descriptor_, -1)) != 0)
    fail_with_errno(path_);
}

void output_file::keep() {
  if (temporary_.empty())
    return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
    fail_with_errno(path_);
  replace_unfinished(temporary_.c_str(), nullptr);
  temporary_.clear();
}

}  // namespace sam::tool
