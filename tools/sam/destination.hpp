// SPDX-License-Identifier: MIT
// Where an output goes, found out before anything is read or written.
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <optional>
#include <string>

namespace sam::tool {

/// Where the bytes of a path go.
///
/// new_file    nothing is there: a file is made; `path` is the end of a chain of symbolic links
/// file        a regular file, which is replaced as a whole; likewise
/// stream      a pipe, a terminal, a device or a socket, which is opened and written to
/// descriptor  an open descriptor of this process, which is written to where it stands
struct destination {
  enum class kind { new_file, file, stream, descriptor };
  kind is = kind::new_file;
  std::string path;        // for the system; of a descriptor what the user wrote
  int descriptor = -1;     // of that kind
  bool is_device = false;  // a character device, as /dev/null is
  dev_t device = 0;
  ino_t inode = 0;
  mode_t mode = 0;  // of a file: its permissions
  uid_t owner = 0;
  gid_t group = 0;

  bool is_replaced() const { return is == kind::new_file || is == kind::file; }
};

/// "-", /dev/stdout, /dev/fd/N and links to them are descriptors. Throws a failure that names the
/// path if nothing can be written there: it is a directory, its folder is missing, links go round.
destination find_destination(std::string const& path);

/// Whether a path, of an input or an output, is that of a stream or a descriptor: "-", a device, a
/// pipe.
bool is_stream(std::string const& path);

/// Whether standard output takes items: one of the outputs that were checked goes there.
bool standard_output_is_taken();

/// Checks the files of a command before it starts, but for what only writing can tell. Empty paths
/// stand for files that are not wanted. Throws a failure if an output cannot be written, two
/// outputs go to one place, or two inputs are standard input.
void check_files(std::initializer_list<std::string> inputs,
                 std::initializer_list<std::string> outputs);

/// What messages call a path: "-" has a name.
std::string name_of(std::string const& path, bool is_input);

}  // namespace sam::tool
