// SPDX-License-Identifier: MIT
// sam segmented-scan and sam reduce.
#include "commands.hpp"
#include "failure.hpp"
#include "npy.hpp"

#include <algorithm>
#include <charconv>
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

void expect_count(std::string const& path, buffer const& given, index_t n) {
  if (given.count() != n)
    throw failure(path, "holds " + std::to_string(given.count()) + " items; there are " +
                            std::to_string(n) + " to scan");
}

void read_heads(std::string const& path, segment_flags const& to) {
  buffer const heads = read_npy(path).items;
  expect_count(path, heads, static_cast<index_t>(to.of().size()));
  with_type(heads.type(), [&]<class T>(std::type_identity<T>) {
    std::ranges::transform(heads.as<T>(), to.of().begin(),
                           [](T x) { return static_cast<std::uint8_t>(x != T(0)); });
  });
}

void read_keys(std::string const& path, segment_flags& to) {
  buffer const keys = read_npy(path).items;
  expect_count(path, keys, static_cast<index_t>(to.of().size()));
  with_type(keys.type(), [&]<class T>(std::type_identity<T>) {
    auto const items = keys.as<T>();
    for (std::size_t i = 1; i < items.size(); ++i)
      if (items[i - 1] != items[i])
        to.cut(static_cast<index_t>(i));
  });
}

void read_offsets(std::string const& path, index_t n, segment_flags& to) {
  buffer const offsets = read_npy(path).items;
  with_type(offsets.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_integral_v<T>) {
      throw failure(path, "holds " + std::string(names_of(offsets.type()).name) +
                              "; offsets are integers");
    } else {
      auto const items = offsets.as<T>();
      bool const ends_meet = !items.empty() && items.front() == 0 &&
                             static_cast<std::uint64_t>(items.back()) == std::uint64_t(n);
      if (!ends_meet || !std::ranges::is_sorted(items))
        throw failure(path, "must begin with 0, never fall, and end with " + std::to_string(n) +
                                ", the number of items to scan");
      for (T const offset : items)
        to.cut(static_cast<index_t>(offset));
    }
  });
}

std::string text_of(buffer const& one) {
  return with_type(one.type(), [&]<class T>(std::type_identity<T>) {
    char text[64];
    auto const end = std::to_chars(text, text + sizeof text, one.as<T>().front()).ptr;
    return std::string(text, end);
  });
}

}  // namespace

void run_segmented_scan(segmented_options const& options) {
  npy_array const array = read_npy(options.in);
  index_t const n = array.items.count();
  segment_flags flags(n, options.request.backward);
  if (!options.heads.empty())
    read_heads(options.heads, flags);
  else if (!options.keys.empty())
    read_keys(options.keys, flags);
  else
    read_offsets(options.offsets, n, flags);
  start_back_end(options.back_end)->segmented_scan(array.items, flags.flags(), options.request);
  write_npy(options.out, array);
}

void run_reduce(reduce_options const& options) {
  npy_array const array = read_npy(options.in);
  npy_array const result{{}, buffer(array.items.type(), 1)};
  start_back_end(options.back_end)->reduce(array.items, result.items, options.request);
  if (options.out.empty())
    std::printf("%s\n", text_of(result.items).c_str());
  else
    write_npy(options.out, result);
}

}  // namespace sam::tool
