// SPDX-License-Identifier: MIT
// Implements reading and writing of .npy files.
#include "npy.hpp"

#include "failure.hpp"
#include "files.hpp"
#include "npy_header.hpp"
#include "progress.hpp"

#include <algorithm>
#include <list>
#include <string_view>

namespace sam::tool {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::span<std::byte> bytes_in(std::string& text) {
  return std::as_writable_bytes(std::span<char>(text));
}

std::string read_text(input_file& file, std::size_t bytes) {
  std::string text(bytes, '\0');
  if (file.read(bytes_in(text)) != bytes)
    throw failure(file.path(), "is not a .npy file: it ends within the header");
  return text;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
    value = value << 8 | static_cast<unsigned char>(*byte);
  return value;
}

npy_header read_header(input_file& file) {
  std::string const start = read_text(file, magic.size() + 2);
  if (!start.starts_with(magic))
    throw failure(file.path(), "is not a .npy file");
  int const version = start[magic.size()];
  if (version < 1 || version > 3)
    throw failure(file.path(),
                  "is of .npy format version " + std::to_string(version) + "; 1 to 3 can be read");
  std::size_t const bytes = little_endian(read_text(file, version == 1 ? 2 : 4));
  constexpr std::size_t sane = std::size_t{1} << 20;
  if (bytes > sane)
    throw failure(file.path(), "has a header of " + std::to_string(bytes) + " bytes");
  return parse_npy_header(file.path(), read_text(file, bytes));
}

}  // namespace

npy_array read_npy(std::string const& given) {
  input_file file(given);
  std::string const& path = file.path();
  npy_header const header = read_header(file);
  index_t const count = header.count();
  std::string const expected = std::to_string(count * bytes_of(header.type)) + " bytes of items";
  if (auto const size = file.size(); size && *size < count * bytes_of(header.type))
    throw failure(path, "is cut short: its header promises " + expected);
  npy_array array{header.shape, buffer(header.type, count)};
  std::span<std::byte> rest = array.items.bytes();
  progress bar("reading " + path, static_cast<index_t>(rest.size()));
  while (!rest.empty()) {
    auto const chunk = rest.first(std::min(rest.size(), chunk_bytes));
    if (file.read(chunk) != chunk.size())
      throw failure(path, "is cut short: its header promises " + expected);
    rest = rest.subspan(chunk.size());
    bar.advance(static_cast<index_t>(chunk.size()));
  }
  if (header.type == item_type::boolean)  // NumPy reads any byte but 0 as true
    for (std::uint8_t& item : array.items.as<std::uint8_t>())
      item = item != 0 ? 1 : 0;
  std::byte more{};
  if (file.read({&more, 1}) != 0)
    throw failure(path, "has something behind the " + expected + " that its header promises");
  return array;
}

namespace {

void write_array(output_file& file, npy_array const& array) {
  std::string text = npy_header{array.items.type(), array.shape}.text();
  constexpr std::size_t before = magic.size() + 4, alignment = 64;
  text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
  text += '\n';
  std::string start{magic};  // version 1.0, which is enough for all dimensions
  start += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  start += text;
  file.write(bytes_in(start));
  std::span<std::byte const> rest = array.items.bytes();
  progress bar("writing " + file.path(), static_cast<index_t>(rest.size()));
  while (!rest.empty()) {
    auto const chunk = rest.first(std::min(rest.size(), chunk_bytes));
    file.write(chunk);
    rest = rest.subspan(chunk.size());
    bar.advance(static_cast<index_t>(chunk.size()));
  }
  file.finish();
}

}  // namespace

void write_npy(std::initializer_list<npy_output> outputs) {
  std::list<output_file> files;  // output_file cannot move
  for (npy_output const& output : outputs)
    write_array(files.emplace_back(output.path), output.array);
  signal_pause const all_or_none;
  for (output_file& file : files)
    file.keep();
}

}  // namespace sam::tool
