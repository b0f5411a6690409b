// SPDX-License-Identifier: MIT
// Files that are read whole, and files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sam::tool {

/// A file to read from. Everything throws a failure that names the file.
class input_file {
 public:
  explicit input_file(std::string path);
  ~input_file();
  input_file(input_file const&) = delete;
  input_file& operator=(input_file const&) = delete;

  std::string const& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Its size in bytes; nothing for a pipe.
  std::optional<std::int64_t> size() const;
  /// Fills `to` as far as the file reaches, and returns how many bytes that were.
  std::size_t read(std::span<std::byte> to);

 private:
  std::string path_;
  int descriptor_;
};

/// A file to write: a temporary beside it, renamed when `keep` is called and removed otherwise,
/// also when the tool is interrupted. A device or pipe is written as it is.
class output_file {
 public:
  explicit output_file(std::string path);
  ~output_file();
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;

  std::string const& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  void write(std::span<std::byte const> from);
  /// All is written.
  void finish();
  /// Puts the finished file in its place.
  void keep();

 private:
  void open_temporary(std::optional<unsigned> mode);

  std::string path_;       // as the user wrote it
  std::string target_;     // behind symbolic links
  std::string temporary_;  // empty where there is none
  int descriptor_ = -1;
};

/// How many bytes are read or written at a time.
inline constexpr std::size_t chunk_bytes = std::size_t{8} << 20;

}  // namespace sam::tool
