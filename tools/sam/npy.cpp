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

/// Writes the magic string, the version and the header.
void write_header(output_file& file, npy_header const& header) {
  std::string text = header.text();
  constexpr std::size_t before = magic.size() + 4, alignment = 64;
  text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
  text += '\n';
  std::string start{magic};  // version 1.0, which is enough for all dimensions
  start += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  start += text;
  file.write(bytes_in(start));
}

/// Calls use(chunk) for all bytes in chunks, and shows progress.
template <class Byte, class Use>
void for_each_chunk(std::span<Byte> rest, progress& bar, Use use) {
  while (!rest.empty()) {
    auto const chunk = rest.first(std::min(rest.size(), chunk_bytes));
    use(chunk);
    rest = rest.subspan(chunk.size());
    bar.advance(static_cast<index_t>(chunk.size()));
  }
}

}  // namespace

struct npy_reader::parts {
  explicit parts(std::string const& path)
      : file(path), header(read_header(file)), bytes(header.count() * bytes_of(header.type)),
        bar("reading " + file.path(), bytes) {}
  std::string promise() const { return std::to_string(bytes) + " bytes of items"; }

  input_file file;
  npy_header header;
  index_t bytes;
  progress bar;
};

npy_reader::npy_reader(std::string const& path) : parts_(std::make_unique<parts>(path)) {
  if (auto const size = parts_->file.size(); size && *size < parts_->bytes)
    throw failure(parts_->file.path(), "is cut short: its header promises " + parts_->promise());
}
npy_reader::~npy_reader() = default;

npy_header const& npy_reader::header() const { return parts_->header; }

void npy_reader::read(buffer const& items) {
  parts& of = *parts_;
  for_each_chunk(items.bytes(), of.bar, [&](std::span<std::byte> chunk) {
    if (of.file.read(chunk) != chunk.size())
      throw failure(of.file.path(), "is cut short: its header promises " + of.promise());
  });
  if (of.header.type == item_type::boolean)  // NumPy reads any byte but 0 as true
    for (std::uint8_t& item : items.as<std::uint8_t>())
      item = item != 0 ? 1 : 0;
}

void npy_reader::finish() {
  std::byte more{};
  if (parts_->file.read({&more, 1}) != 0)
    throw failure(parts_->file.path(),
                  "has something behind the " + parts_->promise() + " that its header promises");
}

npy_array npy_reader::read_all() {
  npy_array array{header().shape, buffer(header().type, header().count())};
  read(array.items);
  finish();
  return array;
}

npy_array read_npy(std::string const& path) { return npy_reader(path).read_all(); }

struct npy_writer::parts {
  parts(std::string const& path, index_t bytes)
      : file(path), bar("writing " + file.path(), bytes) {}
  output_file file;
  progress bar;
};

npy_writer::npy_writer(std::string const& path, npy_header const& header)
    : parts_(std::make_unique<parts>(path, header.count() * bytes_of(header.type))) {
  write_header(parts_->file, header);
}
npy_writer::~npy_writer() = default;

void npy_writer::write(buffer const& items) {
  for_each_chunk(std::span<std::byte const>(items.bytes()), parts_->bar,
                 [&](std::span<std::byte const> chunk) { parts_->file.write(chunk); });
}

void npy_writer::finish() {
  parts_->file.finish();
  signal_pause const all_or_none;
  parts_->file.keep();
}

namespace {

void write_array(output_file& file, npy_array const& array) {
  write_header(file, {array.items.type(), array.shape});
  progress bar("writing " + file.path(), static_cast<index_t>(array.items.bytes().size()));
  for_each_chunk(std::span<std::byte const>(array.items.bytes()), bar,
                 [&](std::span<std::byte const> chunk) { file.write(chunk); });
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
