// SPDX-License-Identifier: MIT
// Implements reading and writing of files.
#include "files.hpp"

#include "failure.hpp"
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <utility>

namespace sam::tool {

namespace {

/// Returns if errno reports an interruption by a signal, waits if the descriptor would block, and
/// throws otherwise.
void wait_or_fail(int descriptor, short event, std::string const& path) {
  if (errno == EINTR)
    return;
  if (errno != EAGAIN && errno != EWOULDBLOCK)
    fail_with_errno(path);
  pollfd one{descriptor, event, 0};
  poll(&one, 1, -1);
}

/// Returns random letters and digits, so that temporary files of all calls and processes differ.
std::string random_suffix() {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
  std::string suffix;
  for (int k = 0; k < 8; ++k)
    suffix += letters[any(random)];
  return suffix;
}

/// Opens a stream. If the path is a descriptor of another process on a file, writing starts at the
/// end of the file.
int open_stream(std::string const& path) {
  int const descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  struct stat about {};
  if (descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode))
    lseek(descriptor, 0, SEEK_END);
  return descriptor;
}

/// Synchronises written data to the disk if the file system supports this.
void synchronise(int descriptor, std::string const& path) {
  if (fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
    fail_with_errno(path);
}

}  // namespace

input_file::input_file(std::string const& path)
    : path_(name_of(path, true)),
      descriptor_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
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
  off_t const at = lseek(descriptor_, 0, SEEK_CUR);
  return about.st_size - (at > 0 ? at : 0);
}

std::size_t input_file::read(std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    ssize_t const got = ::read(descriptor_, to.data() + done, to.size() - done);
    if (got < 0)
      wait_or_fail(descriptor_, POLLIN, path_);
    if (got == 0)
      break;
    done += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  return done;
}

output_file::output_file(std::string const& path)
    : path_(name_of(path, false)), to_(find_destination(path)) {
  if (to_.is_replaced())
    open_temporary();
  else if (to_.is == destination::kind::descriptor)
    descriptor_ = fcntl(to_.descriptor, F_DUPFD_CLOEXEC, 0);
  else
    descriptor_ = open_stream(to_.path);
  if (descriptor_ < 0)
    fail_with_errno(path_);
}

void output_file::open_temporary() {
  std::filesystem::path const target = to_.path;
  constexpr std::size_t most_letters = 200;  // file systems allow at least 255
  std::string const start = target.filename().string().substr(0, most_letters) + ".part.";
  constexpr int most_attempts = 100;
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = target.parent_path() / (start + random_suffix());
    registered_.reset();
    registered_ = std::make_unique<unfinished_file>(temporary_);
    descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && (errno != EEXIST || attempt == most_attempts)) {
      temporary_.clear();
      fail_with_errno(path_);
    }
  }
  if (to_.is == destination::kind::file) {
    // Only root may change a file's owner. For other users the call fails and the owner stays.
    [[maybe_unused]] int const ignored = fchown(descriptor_, to_.owner, to_.group);
    fchmod(descriptor_, to_.mode);
  }
}

output_file::~output_file() {
  if (descriptor_ >= 0)
    close(descriptor_);
  if (!temporary_.empty())
    unlink(temporary_.c_str());
}

void output_file::write(std::span<std::byte const> from) {
  while (!from.empty()) {
    ssize_t const put = ::write(descriptor_, from.data(), from.size());
    if (put < 0)
      wait_or_fail(descriptor_, POLLOUT, path_);
    from = from.subspan(put > 0 ? static_cast<std::size_t>(put) : 0);
  }
}

void output_file::finish() {
  if (to_.is_replaced())
    synchronise(descriptor_, path_);
  if (close(std::exchange(descriptor_, -1)) != 0)
    fail_with_errno(path_);
}

void output_file::keep() {
  if (temporary_.empty())
    return;
  if (std::rename(temporary_.c_str(), to_.path.c_str()) != 0)
    fail_with_errno(path_);
  temporary_.clear();
  registered_.reset();
  std::string const folder = std::filesystem::path(to_.path).parent_path();
  // A folder without read permission cannot be opened to be synchronised. The file is complete
  // anyway.
  if (int const opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); opened >= 0) {
    int const status = fsync(opened);
    int const problem = errno;
    close(opened);
    if (status != 0 && problem == EIO) {
      errno = problem;
      fail_with_errno(path_);
    }
  }
}

void reserve_standard_descriptors() {
  for (int const wanted : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(wanted, F_GETFD) < 0)
      // open() takes the lowest free number, which is `wanted`. The mode makes reads of standard
      // input and writes to the others fail.
      open("/dev/null", wanted == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace sam::tool
