// SPDX-License-Identifier: MIT
// Implements reading of segment files.
#include "segments.hpp"

#include "arrays.hpp"
#include "conversions.hpp"
#include "failure.hpp"

#include <algorithm>

namespace sam::tool {

namespace {

void expect_count(std::string const& path, buffer const& given, segmented_items const& items) {
  if (given.count() != items.n)
    throw failure(path, "holds " + std::to_string(given.count()) + " items; there are " +
                            std::to_string(items.n) + " to " + items.to_what);
}

buffer read_heads(std::string const& path, bool are_packed, segmented_items const& of) {
  if (are_packed)
    return read_packed_flags(path, of.n);
  buffer const heads = read_flags(path);
  expect_count(path, heads, of);
  return packed(heads);
}

buffer read_keys(std::string const& path, segmented_items const& of) {
  buffer keys = read_npy(path).items;
  expect_count(path, keys, of);
  return keys;
}

buffer read_offsets(std::string const& path, segmented_items const& of) {
  buffer given = read_npy(path).items;
  with_type(given.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_integral_v<T>) {
      throw failure(path,
                    "holds " + std::string(names_of(given.type()).name) + "; offsets are integers");
    } else {
      auto const items = given.as<T>();
      bool const ends_meet = !items.empty() && items.front() == 0 &&
                             static_cast<std::uint64_t>(items.back()) == std::uint64_t(of.n);
      if (!ends_meet || !std::ranges::is_sorted(items))
        throw failure(path, "must begin with 0, never fall, and end with " + std::to_string(of.n) +
                                ", the number of items to " + of.to_what);
    }
  });
  return widened(std::move(given));
}

}  // namespace

segmentation read_segments(segment_files const& files, segmented_items const& of) {
  using form = segmentation::form;
  if (!files.heads.empty())
    return {form::heads, read_heads(files.heads, files.are_packed, of)};
  if (!files.keys.empty())
    return {form::keys, read_keys(files.keys, of)};
  return {form::offsets, read_offsets(files.offsets, of)};
}

bool are_given(segment_files const& files) {
  return !files.heads.empty() || !files.offsets.empty() || !files.keys.empty();
}

}  // namespace sam::tool
