// SPDX-License-Identifier: MIT
// Implements the checks and conversions of input arrays.
#include "arrays.hpp"

#include "destination.hpp"
#include "failure.hpp"

#include <algorithm>
#include <charconv>

namespace sam::tool {

void expect_as_many(named_items const& given, named_items const& wanted) {
  if (given.items.count() != wanted.items.count())
    throw failure(given.file, "holds " + std::to_string(given.items.count()) + " " + given.what +
                                  " but " + name_of(wanted.file, true) + " holds " +
                                  std::to_string(wanted.items.count()) + " " + wanted.what);
}

buffer read_flags(std::string const& path) {
  buffer flags = read_npy(path).items;
  if (is_float(flags.type()))
    throw failure(path, "holds " + std::string(names_of(flags.type()).name) +
                            "; flags are integers, of which all but 0 are set");
  return flags;
}

buffer packed(buffer const& flags) {
  buffer words(item_type::uint32, div_up(flags.count(), 32));
  with_type(flags.type(), [&]<class T>(std::type_identity<T>) {
    std::span<T const> left = flags.as<T>();
    for (std::uint32_t& word : words.as<std::uint32_t>()) {
      auto const some = left.first(std::min<std::size_t>(left.size(), 32));
      word = 0;
      for (std::size_t l = 0; l < some.size(); ++l)
        word |= std::uint32_t{some[l] != T(0)} << l;
      left = left.subspan(some.size());
    }
  });
  return words;
}

buffer read_packed_flags(std::string const& path, index_t n) {
  buffer words = read_npy(path).items;
  if (words.type() != item_type::uint32)
    throw failure(path, "holds " + std::string(names_of(words.type()).name) +
                            "; packed flags are uint32, with 32 in each");
  index_t const wanted = div_up(n, 32);
  if (words.count() != wanted)
    throw failure(path, "holds " + std::to_string(words.count()) + " items; " + std::to_string(n) +
                            " packed flags are " + std::to_string(wanted) + ", with 32 in each");
  return words;
}

item_type number_type(item_type type) {
  return type == item_type::boolean ? item_type::uint8 : type;
}
npy_array read_numbers(std::string const& path) {
  npy_array array = read_npy(path);
  array.items.relabel(number_type(array.items.type()));
  return array;
}

std::string text_of(buffer const& items, index_t i) {
  return with_type(items.type(), [&]<class T>(std::type_identity<T>) {
    char text[64];
    auto const item = items.as<T>()[static_cast<std::size_t>(i)];
    if (item != item)
      return std::string("nan");  // drop the sign of a NaN, which has no meaning
    return std::string(text, std::to_chars(text, text + sizeof text, item).ptr);
  });
}

}  // namespace sam::tool
