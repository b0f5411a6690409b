// SPDX-License-Identifier: MIT
// Reads and writes NumPy's .npy files, format versions 1.0 to 3.0, with little-endian integers and
// floats in C order.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "items.hpp"
#include "npy_header.hpp"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace sam::tool {

struct npy_array {
  std::vector<index_t> shape;
  buffer items;
};

/// Reads a file sequentially, so that it may be a pipe. "-" is standard input. Throws a failure
/// that names the file if it is not a .npy file, is truncated, or has data behind its last item.
npy_array read_npy(std::string const& path);

/// Reads a file part by part. All members throw the failures of read_npy.
class npy_reader {
 public:
  explicit npy_reader(std::string const& path);
  ~npy_reader();

  npy_header const& header() const;
  /// Reads the next items, as many as the buffer holds. The buffer is of the header's type.
  void read(buffer const& items);
  /// Checks that the file ends here.
  void finish();
  npy_array read_all();

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Writes a file part by part. Without `finish`, a regular file does not appear.
class npy_writer {
 public:
  npy_writer(std::string const& path, npy_header const& header);
  ~npy_writer();

  /// Writes the next items, of the header's type.
  void write(buffer const& items);
  void finish();

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

struct npy_output {
  std::string const& path;
  npy_array const& array;
};
/// Writes all outputs, or none if one cannot be written. Data that already went to a stream stays
/// there.
void write_npy(std::initializer_list<npy_output> outputs);
inline void write_npy(std::string const& path, npy_array const& array) {
  write_npy({{path, array}});
}

}  // namespace sam::tool
