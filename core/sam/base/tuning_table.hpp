// SPDX-License-Identifier: MIT
// Reads tuning tables, the JSON files that `sam tune` writes. A table sets values that affect speed
// only. The reader accepts any JSON object with the members below and skips all other members:
//
//   {"sam_tuning": 1, "sam": "0.1.0", "engine": "host", "device": "...", "values": {"name": 123}}
//
// Every program that makes a context compiles this code, so it is plain and uses no strings: that
// takes a fifth of the compile time.
#pragma once

#include <sam/portable.hpp>
#include <sam/version.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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

/// The end of a sentence about a table that cannot be used, which begins with the name of the
/// table. Empty if there is no problem.
struct table_problem {
  char text[400] = "";
  bool found() const { return text[0] != '\0'; }
};

/// A string of a JSON text, without its quotes. Its escapes are not resolved.
struct json_string {
  char const* begin = nullptr;
  int size = 0;
  bool is(char const* other) const {
    return std::strlen(other) == static_cast<std::size_t>(size) &&
           std::memcmp(begin, other, static_cast<std::size_t>(size)) == 0;
  }
};

/// Steps through a JSON text. Each function returns false if the text does not continue as the
/// function expects.
struct table_cursor {
  char const* at;
  bool is_damaged = false;

  [[gnu::noinline, gnu::cold]] char peek() {
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
      ++at;
    return *at;
  }
  [[gnu::noinline, gnu::cold]] bool take(char c) {
    if (peek() != c)
      return false;
    ++at;
    return true;
  }
  [[gnu::noinline, gnu::cold]] bool string(json_string& to) {
    if (!take('"'))
      return false;
    to.begin = at;
    for (; *at != '"'; ++at) {
      at += *at == '\\' ? 1 : 0;
      if (static_cast<unsigned char>(*at) < ' ')
        return false;
    }
    to.size = static_cast<int>(at++ - to.begin);
    return true;
  }
  [[gnu::noinline, gnu::cold]] bool integer(index_t& to) {
    peek();
    char* end = nullptr;
    to = std::strtoll(at, &end, 10);
    bool const is_valid = end != at && *end != '.' && *end != 'e' && *end != 'E';
    at = end;
    return is_valid;
  }
  /// Skips a value of any kind. Brackets must match in number, and strings must end.
  [[gnu::noinline, gnu::cold]] bool skip() {
    int depth = 0;
    json_string text;
    do {
      char const c = peek();
      if (c == '"') {
        if (!string(text))
          return false;
        continue;
      }
      if (c == '\0' || (depth == 0 && (c == ',' || c == '}' || c == ']')))
        return false;
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      ++at;
      if (depth == 0 && c != '}' && c != ']')  // a number or a literal
        at += std::strcspn(at, ",]} \n\t\r");
    } while (depth > 0);
    return true;
  }
  /// Reads the name of the next member of an object. Returns false at its end, or if the text is
  /// damaged. Call it first behind the opening brace.
  [[gnu::noinline, gnu::cold]] bool next_member(json_string& name, bool is_first) {
    if (take('}'))
      return false;
    is_damaged = (!is_first && !take(',')) || !string(name) || !take(':');
    return !is_damaged;
  }
};

/// Holds what a table says about itself, and where its values are in the text.
struct table_header {
  index_t format = 0;
  json_string version, engine, device;
  char const* values = nullptr;
};

/// Reads the header of a table. Returns false and sets `problem` if this version cannot read it.
[[gnu::noinline, gnu::cold]] inline bool read_header(char const* text, table_header& header,
                                                     table_problem& problem) {
  table_cursor cursor{text};
  json_string name;
  bool is_whole = cursor.take('{');
  for (bool first = true; is_whole && cursor.next_member(name, first); first = false) {
    if (name.is("values"))
      header.values = cursor.at;
    is_whole = name.is("sam_tuning") ? cursor.integer(header.format)
               : name.is("sam")      ? cursor.string(header.version)
               : name.is("engine")   ? cursor.string(header.engine)
               : name.is("device")   ? cursor.string(header.device)
                                     : cursor.skip();
  }
  constexpr std::size_t room = sizeof problem.text;
  constexpr int ours[] = {SAM_VERSION / 10000, SAM_VERSION / 100 % 100, SAM_VERSION % 100};
  char version[40];
  int const compared = std::snprintf(version, sizeof version, "%d.%d.", ours[0], ours[1]);
  if (!is_whole || cursor.is_damaged || cursor.peek() != '\0')
    std::snprintf(problem.text, room, "is damaged at byte %d", static_cast<int>(cursor.at - text));
  else if (header.format == 0 || header.engine.size == 0 || header.values == nullptr)
    std::snprintf(problem.text, room,
                  "is not a tuning table: it lacks \"sam_tuning\", \"engine\" or \"values\"");
  else if (header.format != tuning_format)
    std::snprintf(problem.text, room, "has format %lld; this version reads format %lld",
                  static_cast<long long>(header.format), static_cast<long long>(tuning_format));
  else if (header.version.size < compared ||
           std::memcmp(header.version.begin, version, static_cast<std::size_t>(compared)) != 0)
    std::snprintf(problem.text, room, "was written by sam %.*s; this is sam %s%d",
                  header.version.size > 40 ? 40 : header.version.size,
                  header.version.size > 0 ? header.version.begin : "", version, ours[2]);
  return !problem.found();
}

/// Reads the next value of a table. Returns false at the end, or if there is a problem.
[[gnu::noinline, gnu::cold]] inline bool next_value(table_cursor& cursor, json_string& name,
                                                    index_t& value, bool is_first,
                                                    table_problem& problem) {
  bool const is_next = cursor.next_member(name, is_first);
  if (cursor.is_damaged || (is_next && !cursor.integer(value)))
    std::snprintf(problem.text, sizeof problem.text, "sets %.*s to what is not an integer",
                  name.size > 40 ? 40 : name.size, name.size > 0 ? name.begin : "");
  return is_next && !problem.found();
}

/// Reports a value that is out of its range, or unknown if `least` exceeds `most`.
[[gnu::noinline, gnu::cold]] inline void refuse(table_problem& problem, json_string const& name,
                                                index_t value, index_t least, index_t most) {
  int const size = name.size > 40 ? 40 : name.size;
  if (least > most)
    std::snprintf(problem.text, sizeof problem.text,
                  "sets %.*s, which this version of sam does not have", size, name.begin);
  else
    std::snprintf(problem.text, sizeof problem.text,
                  "sets %.*s to %lld, which is not from %lld to %lld", size, name.begin,
                  static_cast<long long>(value), static_cast<long long>(least),
                  static_cast<long long>(most));
}

/// Reads the values of a table to `to`. Returns false and sets `problem` if any is invalid; `to` is
/// then unchanged.
template <class Values, std::size_t N>
[[gnu::noinline, gnu::cold]] bool read_values(char const* text, tunable<Values> const (&all)[N],
                                              Values& to, table_problem& problem) {
  Values values = to;
  table_cursor cursor{text};
  json_string name;
  index_t value = 0;
  cursor.take('{');
  for (bool first = true; next_value(cursor, name, value, first, problem); first = false) {
    std::size_t k = 0;
    while (k < N && !name.is(all[k].name))
      ++k;
    if (k == N)
      refuse(problem, name, value, 1, 0);
    else if (value < all[k].least || value > all[k].most)
      refuse(problem, name, value, all[k].least, all[k].most);
    else
      values.*all[k].value = value;
    if (problem.found())
      return false;
  }
  if (!problem.found())
    to = values;
  return !problem.found();
}

/// Checks that a table is for an engine and a device. Returns false and sets `problem` if not.
[[gnu::noinline, gnu::cold]] inline bool is_for(table_header const& header,
                                                char const* wanted_engine, char const* device,
                                                table_problem& problem) {
  if (!header.engine.is(wanted_engine))
    std::snprintf(problem.text, sizeof problem.text, "is for the engine %.*s, not for %s",
                  header.engine.size > 40 ? 40 : header.engine.size, header.engine.begin,
                  wanted_engine);
  else if (!header.device.is(device))
    std::snprintf(problem.text, sizeof problem.text, "is for the device \"%.*s\"; this is \"%s\"",
                  header.device.size > 120 ? 120 : header.device.size,
                  header.device.size > 0 ? header.device.begin : "", device);
  return !problem.found();
}

/// Holds the bytes of a file and ends them with a null character. Empty if the file cannot be used.
class table_file {
 public:
  [[gnu::noinline, gnu::cold]] table_file(char const* path, table_problem& problem) {
    constexpr std::size_t most_bytes = std::size_t{1} << 20;
    std::FILE* const file = std::fopen(path, "rb");
    if (file == nullptr) {
      std::snprintf(problem.text, sizeof problem.text, "cannot be opened");
      return;
    }
    text_ = static_cast<char*>(std::malloc(most_bytes + 1));
    std::size_t const bytes = text_ != nullptr ? std::fread(text_, 1, most_bytes + 1, file) : 0;
    if (text_ == nullptr || std::ferror(file) != 0 || bytes > most_bytes)
      std::snprintf(problem.text, sizeof problem.text, "cannot be read, or is too large");
    else
      text_[bytes] = '\0';
    std::fclose(file);
  }
  ~table_file() { std::free(text_); }
  table_file(table_file const&) = delete;
  table_file& operator=(table_file const&) = delete;
  char const* text() const { return text_; }

 private:
  char* text_ = nullptr;
};

}  // namespace sam::inline v0_1::engine
