// SPDX-License-Identifier: MIT
// Implements parsing and printing of .npy headers.
#include "npy_header.hpp"

#include "failure.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace sam::tool {

namespace {

/// Parses, from left to right, the subset of Python expressions that NumPy writes.
class parser {
 public:
  parser(std::string const& file, std::string_view text) : file_(file), rest_(text) {}

  npy_header header() {
    expect('{');
    while (!accept('}')) {
      std::string_view const key = string();
      expect(':');
      if (key == "descr" && !type_)
        type_ = type();
      else if (key == "fortran_order" && !fortran_order_)
        fortran_order_ = boolean();
      else if (key == "shape" && !shape_)
        shape_ = tuple();
      else
        malformed();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    constexpr std::size_t most_dimensions = 64;  // NumPy's limit
    if (!rest_.empty() || !type_ || !fortran_order_ || !shape_ || shape_->size() > most_dimensions)
      malformed();
    if (*fortran_order_ && shape_->size() > 1)
      throw failure(file_, "is in Fortran order; save it with numpy.ascontiguousarray");
    return {*type_, *shape_};
  }

 private:
  [[noreturn]] void malformed() const { throw failure(file_, "has a malformed .npy header"); }

  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
  }
  bool accept(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word))
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool accept(char c) { return accept(std::string_view(&c, 1)); }
  void expect(char c) {
    if (!accept(c))
      malformed();
  }

  std::string_view string() {
    char const quote = accept('"') ? '"' : '\'';
    if (quote == '\'')
      expect(quote);
    std::size_t const end = rest_.find(quote);
    if (end == std::string_view::npos)
      malformed();
    std::string_view const content = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return content;
  }
  bool boolean() {
    if (accept("True"))
      return true;
    if (!accept("False"))
      malformed();
    return false;
  }
  std::vector<index_t> tuple() {
    std::vector<index_t> numbers;
    expect('(');
    while (!accept(')')) {
      numbers.push_back(number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return numbers;
  }
  index_t number() {
    skip_space();
    index_t value = -1;
    auto const [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0)
      malformed();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    accept('L');  // suffix of Python 2's long integers
    return value;
  }

  item_type type() {
    if (accept('['))
      throw failure(file_, "holds records; sam works on numbers");
    std::string const descr{string()};
    std::string_view const kind = std::string_view(descr).substr(descr.empty() ? 0 : 1);
    for (auto const& known : item_types)
      if (kind == known.descr) {
        if (descr[0] == '>' && bytes_of(known.type) > 1)
          throw failure(file_, "holds big-endian items ('" + descr +
                                   "'); save it with astype(a.dtype.newbyteorder('<'))");
        if (descr[0] == '<' || (descr[0] == '|' && bytes_of(known.type) == 1))
          return known.type;
      }
    throw failure(file_,
                  "holds items of type '" + descr +
                      "'; sam works on bool, int8 to int64, uint8 to uint64, float32, float64");
  }

  std::string const& file_;
  std::string_view rest_;
  std::optional<item_type> type_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<index_t>> shape_;
};

}  // namespace

index_t npy_header::count() const {
  index_t count = 1;
  for (index_t const extent : shape)
    count *= extent;
  return count;
}

std::string npy_header::text() const {
  std::string text = "{'descr': '";
  text += bytes_of(type) == 1 ? '|' : '<';
  text += names_of(type).descr;
  text += "', 'fortran_order': False, 'shape': (";
  for (std::size_t k = 0; k < shape.size(); ++k) {
    text += k == 0 ? "" : " ";
    text += std::to_string(shape[k]);
    text += k == 0 || k + 1 < shape.size() ? "," : "";
  }
  return text + "), }";
}

npy_header parse_npy_header(std::string const& file, std::string const& text) {
  npy_header header = parser(file, text).header();
  index_t bytes = bytes_of(header.type);
  for (index_t const extent : header.shape)
    if (extent != 0 && __builtin_mul_overflow(bytes, extent, &bytes))
      throw failure(file, "has a malformed .npy header: the array would not fit into memory");
  return header;
}

}  // namespace sam::tool
