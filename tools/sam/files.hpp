// SPDX-License-Identifier: MIT
// Input files that are read as a whole, and output files that appear complete or not at all.
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

/// Reads a file sequentially. "-" is standard input. All members throw a failure that names the
/// file.
class input_file {
 public:
  explicit input_file(std::string const& path);
  ~input_file();
  input_file(input_file const&) = delete;
  input_file& operator=(input_file const&) = delete;

  std::string const& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Returns the number of bytes left to read, or nothing for a pipe.
  std::optional<std::int64_t> size() const;
  /// Reads bytes to `to` until it is full or the file ends. Returns the number of bytes read.
  std::size_t read(std::span<std::byte> to);

 private:
  std::string path_;
  int descriptor_;
};

/// Writes a file. The bytes of a regular file go to a uniquely named temporary file beside it.
/// `keep` renames the temporary file; without `keep`, it is removed, even if a signal ends the
/// tool. A stream or descriptor is written to directly.
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
  /// Ends writing. If the file is to be kept, its data is on the disk afterwards.
  void finish();
  /// Renames the finished file to its final name and synchronises its folder to the disk.
  void keep();

 private:
  void open_temporary();

  std::string path_;  // for messages
  destination to_;
  std::string temporary_;  // empty if none exists
  std::unique_ptr<unfinished_file> registered_;
  int descriptor_ = -1;
};

/// The number of bytes that one read or write call moves.
inline constexpr std::size_t chunk_bytes = std::size_t{8} << 20;

/// Opens those of the descriptors 0 to 2 that are closed, in a mode in which reading or writing
/// fails. This keeps files from getting one of these numbers.
void reserve_standard_descriptors();

}  // namespace sam::tool
