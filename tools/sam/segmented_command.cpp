// SPDX-License-Identifier: MIT
// sam segmented-scan and sam reduce.
#include "arrays.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "npy.hpp"

#include <algorithm>
#include <cstdio>

namespace sam::tool {

namespace {

/// A flag for each of n items, 1 where a segment begins or, backward, ends.
class segment_flags {
 public:
  segment_flags(index_t n, bool backward) : flags_(item_type::uint8, n), backward_(backward) {
    std::ranges::fill(of(), std::uint8_t{0});
  }
  /// A segment ends before item i, and another one begins with it.
  void cut(index_t i) {
    index_t const at = backward_ ? i - 1 : i;
    if (at >= 0 && at < flags_.count())
      of()[static_cast<std::size_t>(at)] = 1;
  }
  std::span<std::uint8_t> of() const { return flags_.as<std::uint8_t>(); }
  buffer const& flags() const { return flags_; }

 private:
  buffer flags_;
  bool backward_;
};

/// The items that lie in segments: how many there are, and what is done to them.
struct segmented_items {
  index_t n;
  std::string to_what;
  bool backward;
};

void expect_count(std::string const& path, buffer const& given, segmented_items const& items) {
  if (given.count() != items.n)
    throw failure(path, "holds " + std::to_string(given.count()) + " items; there are " +
                            std::to_string(items.n) + " to " + items.to_what);
}

void read_heads(std::string const& path, segmented_items const& of, segment_flags const& to) {
  buffer const heads = read_npy(path).items;
  expect_count(path, heads, of);
  with_type(heads.type(), [&]<class T>(std::type_identity<T>) {
    std::ranges::transform(heads.as<T>(), to.of().begin(),
                           [](T x) { return static_cast<std::uint8_t>(x != T(0)); });
  });
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

/// Where segments lie, and what that was read from.
struct segmentation {
  segment_flags flags;
  std::vector<index_t> offsets;  // nothing unless they were given
  buffer keys;                   // likewise
};

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

/// The totals of all segments, from those of the ones with items and from that of none.
buffer with_empty_segments(buffer const& totals, buffer const& nothing,
                           std::vector<index_t> const& offsets) {
  auto const segments = static_cast<index_t>(offsets.size()) - 1;
  buffer all(totals.type(), segments);
  with_type(totals.type(), [&]<class T>(std::type_identity<T>) {
    auto next = totals.as<T>().begin();
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
      all.as<T>()[k] = offsets[k] == offsets[k + 1] ? nothing.as<T>().front() : *next++;
  });
  return all;
}

buffer reduce_all(engine& engine, buffer const& items, reduce_request const& request) {
  buffer result(items.type(), 1);
  engine.reduce(items, result, request);
  return result;
}

/// Of each segment of `items` the total; and the keys that they have, if any.
buffer reduce_segments(engine& engine, buffer const& items, segmentation& segments,
                       reduce_options const& options) {
  buffer totals(items.type(), items.count());
  totals.shrink(engine.reduce_segments(items, segments.flags.flags(), totals, options.request));
  if (!options.unique_keys.empty()) {
    buffer keys(segments.keys.type(), segments.keys.count());
    segments.flags.cut(0);
    keys.shrink(engine.compact(segments.keys, keys, segments.flags.flags(), false));
    index_t const count = keys.count();
    write_npy(options.unique_keys, {{count}, std::move(keys)});
  }
  if (segments.offsets.empty())
    return totals;
  buffer const none(items.type(), 0);
  return with_empty_segments(totals, reduce_all(engine, none, options.request), segments.offsets);
}

}  // namespace

void run_segmented_scan(segmented_options const& options) {
  npy_array const array = read_npy(options.in);
  auto const segments =
      read_segments(options.segments, {array.items.count(), "scan", options.request.backward});
  start_back_end(options.back_end)
      ->segmented_scan(array.items, segments.flags.flags(), options.request);
  write_npy(options.out, array);
}

void run_reduce(reduce_options const& options) {
  buffer const items = read_npy(options.in).items;
  auto const& [heads, offsets, keys] = options.segments;
  bool const whole = heads.empty() && offsets.empty() && keys.empty();
  npy_array result;
  if (whole) {
    result.items = reduce_all(*start_back_end(options.back_end), items, options.request);
  } else {
    auto segments = read_segments(options.segments, {items.count(), "reduce", false});
    result.items = reduce_segments(*start_back_end(options.back_end), items, segments, options);
    result.shape = {result.items.count()};
  }
  if (!options.out.empty())
    return write_npy(options.out, result);
  for (index_t k = 0; k < result.items.count(); ++k)
    std::printf("%s\n", text_of(result.items, k).c_str());
}

}  // namespace sam::tool
