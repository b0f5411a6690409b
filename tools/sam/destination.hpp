// SPDX-License-Identifier: MIT
// Classifies output paths, so that bad ones are reported before anything is read or written.
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <optional>
#include <string>

namespace sam::tool {

/// The target of an output path.
///
///   new_file    the path does not exist and is created; `path` is the end of its chain of links
///   file        a regular file, which is replaced as a whole; `path` as above
///   stream      a pipe, terminal, device or socket, which is opened and written to
///   descriptor  an open descriptor of this process, which is written to at its current position
struct destination {
  enum class kind { new_file, file, stream, descriptor };
  kind is = kind::new_file;
  std::string path;        // path to open; for a descriptor, the user's text
  int descriptor = -1;     // the number, for a descriptor
  bool is_device = false;  // a character device, such as /dev/null
  dev_t device = 0;
  ino_t inode = 0;
  mode_t mode = 0;  // permissions of a regular file
  uid_t owner = 0;
  gid_t group = 0;

  bool is_replaced() const { return is == kind::new_file || is == kind::file; }
};

/// Finds the target of an output path. "-", /dev/stdout, /dev/fd/N and links to them are
/// descriptors. Throws a failure that names the path if it cannot be written: it is a directory,
/// its folder is missing, or its links form a cycle.
destination find_destination(std::string const& path);

/// True if an input or output path names a stream or a descriptor: "-", a device or a pipe.
bool is_stream(std::string const& path);

/// True if one of the checked outputs goes to standard output.
bool standard_output_is_taken();

/// Checks the files of a command before it starts, as far as this is possible without writing.
/// Empty paths are ignored. Throws a failure if an output cannot be written, if two outputs have
/// one target, or if two inputs are standard input.
void check_files(std::initializer_list<std::string> inputs,
                 std::initializer_list<std::string> outputs);

/// Returns the name of a path for messages: "-" becomes standard input or output.
std::string name_of(std::string const& path, bool is_input);

}  // namespace sam::tool
