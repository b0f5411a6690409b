// SPDX-License-Identifier: MIT
// Reads tuning tables, the JSON files that `sam tune` writes. A table sets values that affect speed
// only. The reader accepts any JSON object with the members below and skips all other members:
//
//   {"sam_tuning": 1, "sam": "0.1.0", "engine": "host", "device": "...", "values": {"name": 123}}
#pragma once

#include <sam/error.hpp>
#include <sam/portable.hpp>
#include <sam/version.hpp>

namespace sam::inline v0_1::engine {

/// Describes a value that a table may set: its name and the range in which it is valid. CMake reads
/// the rows of these descriptions, so each stays on a line of its own, with plain numbers.
template <class Values>
struct tunable {
  char const* name;
  index_t Values::*value;
  index_t least, most;
  bool at_build_time = false;  // a constant of the compiled code, which no file changes at run time
};

/// The version of the format. Readers reject tables with any other number.
inline constexpr index_t tuning_format = 1;
/// The largest table in bytes that is read.
inline constexpr std::size_t most_table_bytes = std::size_t{1} << 20;

/// Steps through a JSON text. Each function returns false if the text does not continue as the
/// function expects; the text is then damaged at where().
class json_cursor {
 public:
  explicit json_cursor(char const* text) : at_(text) {}

  char const* where() const { return at_; }
  bool is_at_end() {
    skip_space();
    return *at_ == '\0';
  }
  /// Reads a string. Only quotes and backslashes may be escaped.
  bool string(std::string& to) {
    to.clear();
    skip_space();
    if (*at_ != '"')
      return false;
    for (++at_; *at_ != '"'; ++at_) {
      if (*at_ == '\\')
        ++at_;
      if (static_cast<unsigned char>(*at_) < ' ')
        return false;
      to += *at_;
    }
    ++at_;
    return true;
  }
  bool integer(index_t& to) {
    skip_space();
    char* end = nullptr;
    to = std::strtoll(at_, &end, 10);
    bool const is_valid = end != at_ && *end != '.' && *end != 'e' && *end != 'E';
    at_ = end;
    return is_valid;
  }
  /// Reads an object and calls use(name) for each member. `use` reads the member's value.
  template <class Use>
  bool object(Use const& use) {
    if (*skip_space() != '{')
      return false;
    ++at_;
    std::string name;
    for (bool first = true; *skip_space() != '}'; first = false)
      if ((!first && !take_comma()) || !string(name) || *skip_space() != ':' || !(++at_, use(name)))
        return false;
    ++at_;
    return true;
  }
  /// Reads an array and calls use() for each item. `use` reads the item.
  template <class Use>
  bool array(Use const& use) {
    if (*skip_space() != '[')
      return false;
    ++at_;
    for (bool first = true; *skip_space() != ']'; first = false)
      if ((!first && !take_comma()) || !use())
        return false;
    ++at_;
    return true;
  }
  /// Skips a value of any kind. Depth bounds the recursion.
  bool skip(int depth = 16) {
    std::string text;
    switch (*skip_space()) {
    case '"':
      return string(text);
    case '{':
      return depth > 0 && object([&](std::string const&) { return skip(depth - 1); });
    case '[':
      return depth > 0 && array([&] { return skip(depth - 1); });
    default: {
      char const* const from = at_;
      while ((*at_ >= '0' && *at_ <= '9') || (*at_ >= 'a' && *at_ <= 'z') || *at_ == '-' ||
             *at_ == '+' || *at_ == '.' || *at_ == 'E')
        ++at_;
      return at_ != from;
    }
    }
  }

 private:
  char const* skip_space() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')
      ++at_;
    return at_;
  }
  bool take_comma() {
    bool const is_comma = *skip_space() == ',';
    at_ += is_comma ? 1 : 0;
    return is_comma;
  }

  char const* at_;
};

/// Holds what a table says about itself, and where its values are in the text.
struct table_header {
  index_t format = 0;
  std::string version, engine, device;
  char const* values = nullptr;
};

/// Reads the header of a table. Returns an empty string, or the problem as the end of a sentence
/// that begins with the name of the table.
inline std::string read_header(char const* text, table_header& header) {
  json_cursor cursor(text);
  bool const is_whole = cursor.object([&](std::string const& name) {
    if (name == "sam_tuning")
      return cursor.integer(header.format);
    if (name == "values")
      header.values = cursor.where();
    std::string* const to = name == "sam"      ? &header.version
                            : name == "engine" ? &header.engine
                            : name == "device" ? &header.device
                                               : nullptr;
    return to != nullptr ? cursor.string(*to) : cursor.skip();
  });
  if (!is_whole || !cursor.is_at_end())
    return "is damaged at byte " + std::to_string(cursor.where() - text);
  if (header.format == 0 || header.engine.empty() || header.values == nullptr)
    return "is not a tuning table: it lacks \"sam_tuning\", \"engine\" or \"values\"";
  if (header.format != tuning_format)
    return "has format " + std::to_string(header.format) + "; this version reads format " +
           std::to_string(tuning_format);
  auto const [major, minor, patch] = sam::version();
  std::string const ours = std::to_string(major) + "." + std::to_string(minor) + ".";
  if (header.version.compare(0, ours.size(), ours) != 0)
    return "was written by sam " + header.version + "; this is sam " + ours + std::to_string(patch);
  return "";
}

/// Reads the values of a table to `to`. Returns an empty string, or the problem; `to` is then
/// unchanged.
template <class Values, std::size_t N>
std::string read_values(char const* text, tunable<Values> const (&all)[N], Values& to) {
  Values values = to;
  std::string problem;
  json_cursor cursor(text);
  bool const is_whole = cursor.object([&](std::string const& name) {
    index_t value = 0;
    if (!cursor.integer(value))
      return false;
    for (tunable<Values> const& known : all)
      if (name == known.name) {
        values.*known.value = value;
        if ((value < known.least || value > known.most) && problem.empty())
          problem = "sets " + name + " to " + std::to_string(value) + ", which is not from " +
                    std::to_string(known.least) + " to " + std::to_string(known.most);
        return true;
      }
    if (problem.empty())
      problem = "sets " + name + ", which this version of sam does not have";
    return true;
  });
  if (problem.empty() && !is_whole)
    problem = "has a value that is not an integer, at byte " +
              std::to_string(cursor.where() - text) + " of its values";
  if (problem.empty())
    to = values;
  return problem;
}

/// Reads a table for one engine on one device. Returns an empty string, or the problem; `to` is
/// then unchanged.
template <class Values, std::size_t N>
std::string read_table(char const* text, std::string const& wanted_engine,
                       std::string const& device, tunable<Values> const (&all)[N], Values& to) {
  table_header header;
  std::string const problem = engine::read_header(text, header);
  if (!problem.empty())
    return problem;
  if (header.engine != wanted_engine)
    return "is for the engine " + header.engine + ", not for " + wanted_engine;
  if (header.device != device)
    return "is for the device \"" + header.device + "\"; this is \"" + device + "\"";
  return engine::read_values(header.values, all, to);
}

/// Reads a whole file to `text`. Returns an empty string, or the problem.
inline std::string read_table_file(char const* path, std::string& text) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr)
    return "cannot be opened";
  text.resize(most_table_bytes + 1);
  std::size_t const bytes = std::fread(text.data(), 1, text.size(), file);
  bool const is_broken = std::ferror(file) != 0;
  std::fclose(file);
  text.resize(bytes);
  if (is_broken)
    return "cannot be read";
  if (bytes > most_table_bytes)
    return "is too large for a tuning table";
  return "";
}

}  // namespace sam::inline v0_1::engine
