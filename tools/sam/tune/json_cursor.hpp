// SPDX-License-Identifier: MIT
// Reads JSON texts, for what the tuner has written.
#pragma once

#include <sam/portable.hpp>

#include <cstdlib>
#include <string>

namespace sam::tune {

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

}  // namespace sam::tune
