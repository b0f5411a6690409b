// SPDX-License-Identifier: MIT
#include "segments.hpp"

#include "arrays.hpp"
#include "failure.hpp"
#include "npy.hpp"

#include <algorithm>

namespace sam::tool {

segment_flags::segment_flags(index_t n, bool backward)
    : flags_(item_type::uint8, n), backward_(backward) {
  std::ranges::fill(of(), std::uint8_t{0});
}

void segment_flags::cut(index_t i) {
  index_t const at = backward_ ? i - 1 : i;
  if (at >= 0 && at < flags_.count())
    of()[static_cast<std::size_t>(at)] = 1;
}

namespace {

void expect_count(std::string const& path, buffer const& given, segmented_items const& items) {
  if (given.count() != items.n)
    throw failure(path, "holds " + std::to_string(given.count()) + " items; there are " +
                            std::to_string(items.n) + " to " + items.to_what);
}

void read_heads(std::string const& path, segmented_items const& of, segment_flags const& to) {
  buffer const heads = read_flags(path);
  expect_count(path, heads, of);
  std::ranges::copy(heads.as<std::uint8_t>(), to.of().begin());
}

buffer read_keys(std::string const& path, segmented_items const& of, segment_flags& to) {
  buffer keys = read_npy(path).items;
  expect_count(path, keys, of);
  with_type(keys.type(), [&]<class T>(std::type_identity<T>) {
    auto const items = keys.as<T>();
    for (std::size_t i = 1; i < items.size(); ++i)
      if (items[i - 1] != items[i])
        to.cut(static_cast<index_t>(i));
  });
  return keys;
}

std::vector<index_t> read_offsets(std::string const& path, segmented_items const& of) {
  buffer const offsets = read_npy(path).items;
  return with_type(offsets.type(), [&]<class T>(std::type_identity<T>) -> std::vector<index_t> {
    if constexpr (!std::is_integral_v<T>) {
      throw failure(path, "holds " + std::string(names_of(offsets.type()).name) +
                              "; offsets are integers");
    } else {
      auto const items = offsets.as<T>();
      bool const ends_meet = !items.empty() && items.front() == 0 &&
                             static_cast<std::uint64_t>(items.back()) == std::uint64_t(of.n);
      if (!ends_meet || !std::ranges::is_sorted(items))
        throw failure(path, "must begin with 0, never fall, and end with " + std::to_string(of.n) +
                                ", the number of items to " + of.to_what);
      return {items.begin(), items.end()};
    }
  });
}

}  // namespace

segmentation read_segments(segment_files const& files, segmented_items const& of) {
  segmentation segments{segment_flags(of.n, of.backward), {}, {}};
  if (!files.heads.empty()) {
    read_heads(files.heads, of, segments.flags);
  } else if (!files.keys.empty()) {
    segments.keys = read_keys(files.keys, of, segments.flags);
  } else {
    segments.offsets = read_offsets(files.offsets, of);
    for (index_t const offset : segments.offsets)
      segments.flags.cut(offset);
  }
  return segments;
}

bool are_given(segment_files const& files) {
  return !files.heads.empty() || !files.offsets.empty() || !files.keys.empty();
}

}  // namespace sam::tool
