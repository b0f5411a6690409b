// SPDX-License-Identifier: MIT
// Implements the classification of output paths.
#include "destination.hpp"

#include "failure.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <vector>

namespace sam::tool {

namespace {

bool takes_standard_output = false;

using std::filesystem::path;

/// Returns N if `name` is a number N and `folder` is the descriptor folder of this process.
std::optional<int> descriptor_in(path const& folder, std::string const& name) {
  std::error_code error_code;  // without /proc, no folder is equivalent to it
  std::string const process = std::filesystem::canonical("/proc/self", error_code);
  std::string const where = folder;
  bool const is_ours =
      !error_code && (where == process + "/fd" ||
                      (where.starts_with(process + "/task/") && where.ends_with("/fd")));
  int number = -1;
  auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (!is_ours || error != std::errc() || end != name.data() + name.size())
    return {};
  return number;
}

[[noreturn]] void fail_with(std::string const& file, int error) {
  errno = error;
  fail_with_errno(file);
}

destination descriptor_destination(std::string const& given, int descriptor) {
  destination to{.is = destination::kind::descriptor, .path = given, .descriptor = descriptor};
  struct stat about {};
  int const flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &about) != 0)
    fail_with_errno(given);
  if ((flags & O_ACCMODE) == O_RDONLY)
    fail_with(given, EBADF);
  to.is_device = S_ISCHR(about.st_mode);
  to.device = about.st_dev;
  to.inode = about.st_ino;
  return to;
}

/// Throws a failure if no temporary file can be created in the folder.
void expect_folder(std::string const& given, path const& folder) {
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw failure(given, "its folder cannot be written to: " + std::string(std::strerror(errno)));
}

/// Returns the destination of a path whose last component is not a link.
destination file_destination(std::string const& given, path const& end) {
  destination to{.path = end};
  struct stat about {};
  if (lstat(end.c_str(), &about) != 0) {
    if (errno != ENOENT)
      fail_with_errno(given);
    expect_folder(given, end.parent_path());
    return to;
  }
  if (S_ISDIR(about.st_mode))
    fail_with(given, EISDIR);
  to.is = S_ISREG(about.st_mode) ? destination::kind::file : destination::kind::stream;
  to.is_device = S_ISCHR(about.st_mode);
  to.device = about.st_dev;
  to.inode = about.st_ino;
  to.mode = about.st_mode & 07777;
  to.owner = about.st_uid;
  to.group = about.st_gid;
  if (access(end.c_str(), W_OK) != 0)
    fail_with_errno(given);
  if (to.is == destination::kind::file)
    expect_folder(given, end.parent_path());
  return to;
}

}  // namespace

destination find_destination(std::string const& given) {
  std::string const name = name_of(given, false);
  if (given.empty())
    fail_with(name, ENOENT);
  if (given == "-")
    return descriptor_destination(name, STDOUT_FILENO);
  path left = given;
  constexpr int most_links = 40;  // the limit of the Linux kernel
  for (int links = 0; links < most_links; ++links) {
    std::error_code error;
    path const parent = left.has_parent_path() ? left.parent_path() : path(".");
    path const folder = std::filesystem::canonical(parent, error);
    if (error)
      fail_with(name, error.value());
    if (left.filename().empty() || left.filename() == "." || left.filename() == "..")
      fail_with(name, std::filesystem::is_directory(left, error) ? EISDIR : ENOTDIR);
    if (auto const number = descriptor_in(folder, left.filename()))
      return descriptor_destination(name, *number);
    path const here = folder / left.filename();
    if (!std::filesystem::is_symlink(here, error))
      return file_destination(name, here);
    path const target = std::filesystem::read_symlink(here, error);
    if (error)
      fail_with(name, error.value());
    // The link text of another process's descriptor need not be a path.
    if (folder.string().starts_with("/proc/"))
      return file_destination(name, here);
    left = folder / target;
  }
  fail_with(name, ELOOP);
}

bool is_stream(std::string const& path) {
  if (path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/"))
    return true;
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

bool standard_output_is_taken() { return takes_standard_output; }

namespace {

/// True if both outputs would write to one file, or if one would replace the other.
bool collide(destination const& a, destination const& b) {
  if (a.is_replaced() && b.is_replaced())
    return a.path == b.path;
  bool const any_is_new =
      a.is == destination::kind::new_file || b.is == destination::kind::new_file;
  return !any_is_new && !a.is_device && a.device == b.device && a.inode == b.inode;
}

}  // namespace

void check_files(std::initializer_list<std::string> inputs,
                 std::initializer_list<std::string> outputs) {
  if (std::ranges::count(inputs, "-") > 1)
    throw failure("two inputs are -, which is standard input; it can be read once");
  std::vector<destination> found;
  for (std::string const& output : outputs) {
    if (output.empty())
      continue;
    destination const& to = found.emplace_back(find_destination(output));
    for (std::size_t k = 0; k + 1 < found.size(); ++k)
      if (collide(found[k], to))
        throw failure(name_of(output, false), "is named for two outputs");
    struct stat about {};
    bool const is_same = !to.is_replaced() && !to.is_device && fstat(STDOUT_FILENO, &about) == 0 &&
                         to.device == about.st_dev && to.inode == about.st_ino;
    if (is_same || to.descriptor == STDOUT_FILENO)
      takes_standard_output = true;
  }
}

std::string name_of(std::string const& path, bool is_input) {
  if (path.empty())
    return "''";
  if (path != "-")
    return path;
  return is_input ? "standard input" : "standard output";
}

}  // namespace sam::tool
