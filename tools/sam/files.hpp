// SPDX-License-Identifier: MIT
// Files that are read whole, and files that appear whole or not at all.
#pragma once

#include "destination.hpp"
#include "unfinished.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sam::tool {

/// A file to read from, from its beginning to its end; "-" is standard input. Everything throws a
/// failure that names the file.
class input_file {
 public:
  explicit input_file(std::string const& path);
  ~input_file();
  input_file(input_file const&) = delete;
  input_file& operator=(input_file const&) = delete;

  std::string const& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// How many bytes are left to read; nothing for a pipe.
  std::optional<std::int64_t> size() const;
  /// Fills `to` as far as the file reaches, and returns how many bytes that were.
  std::size_t read(std::span<std::byte> to);

 private:
  std::string path_;
  int descriptor_;
};

/// A file to write. A regular file is written to a temporary beside it, with a name of its own,
/// which `keep` puts in its place and which is removed otherwise, also when a signal ends the tool.
/// A stream or an open descriptor is written to as it is.
class output_file {
 public:
  explicit output_file(std::string const& path);
  ~output_file();
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;

  std::string const& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  bool is_regular() const { return to_.is_replaced(); }
  void write(std::span<std::byte const> from);
  /// Ends writing. What is to be kept is on the disk then.
  void finish();
  /// Puts the finished file in its place, and has its folder on the disk.
  void keep();

 private:
  void open_temporary();

  std::string path_;  // for people
  destination to_;
  std::string temporary_;  // empty where there is none
  std::unique_ptr<unfinished_file> registered_;
  int descriptor_ = -1;
};

/// How many bytes are read or written at a time.
inline constexpr std::size_t chunk_bytes = std::size_t{8} << 20;

/// Opens those of the descriptors 0 to 2 that are closed, so that no file gets one of these
/// numbers, in a way that reading or writing fails.
void reserve_standard_descriptors();

}  // namespace sam::tool
