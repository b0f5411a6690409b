// SPDX-License-Identifier: MIT
// Implements the conversions between items and words.
#include "words.hpp"

#include "arrays.hpp"
#include "conversions.hpp"
#include "engine/keep_items.hpp"
#include "failure.hpp"
#include "segments.hpp"

#include <cstring>

namespace sam::tool {

buffer ordered_keys(buffer const& items, bool in_total_order) {
  buffer keys(item_type::uint64, items.count());
  auto const to = keys.as<std::uint64_t>();
  with_number_bits(items, in_total_order, [&]<class U>(number_bits<U> digits) {
    std::ranges::transform(items.as<U>(), to.begin(), digits);
  });
  return keys;
}

key_range<std::uint64_t> keys_of(keep_request const& request, item_type type) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    auto const range = keys_kept<T>(request, type);
    return key_range<std::uint64_t>{.low = range.low, .high = range.high};
  });
}

std::string text_of_key(std::uint64_t key, item_type type) {
  buffer item(type, 1);
  with_number_bits(type, [&]<class U>(number_bits<U> digits) {
    auto const bits = static_cast<U>(key);
    bool const was_positive = (bits & digits.sign) != 0;  // unsigned items have no sign
    item.as<U>()[0] = static_cast<U>(bits ^ (was_positive ? digits.sign : digits.negative));
  });
  return text_of(item, 0);
}

buffer as_words(buffer const& items) {
  buffer words(item_type::uint64, items.count());
  with_type(items.type(), [&]<class T>(std::type_identity<T>) {
    std::ranges::copy(items.as<bits_of_number<T>>(), words.as<std::uint64_t>().begin());
  });
  return words;
}

buffer from_words(buffer const& words, item_type type) {
  buffer items(type, words.count());
  with_type(type, [&]<class T>(std::type_identity<T>) {
    using U = bits_of_number<T>;
    std::ranges::transform(words.as<std::uint64_t>(), items.as<U>().begin(),
                           [](std::uint64_t word) { return static_cast<U>(word); });
  });
  return items;
}

buffer items_at(buffer const& items, buffer const& indices) {
  buffer taken(items.type(), indices.count());
  with_type(items.type(), [&]<class T>(std::type_identity<T>) {
    using U = bits_of_number<T>;  // the bits of a NaN stay as they are
    auto const from = items.as<U>();
    std::ranges::transform(
        indices.as<std::int64_t>(), taken.as<U>().begin(),
        [&](std::int64_t index) { return from[static_cast<std::size_t>(index)]; });
  });
  return taken;
}

buffer read_indices(std::string const& path, index_t n, std::string const& of) {
  buffer given = read_npy(path).items;
  with_type(given.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_integral_v<T>)
      throw failure(path,
                    "holds " + std::string(names_of(given.type()).name) + "; indices are integers");
    else
      for (T const index : given.as<T>())
        if (index < T(0) || static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(n))
          throw failure(path, "holds the index " + std::to_string(index) + "; " + of + " has " +
                                  std::to_string(n) + " items");
  });
  return converted(std::move(given), item_type::int64);
}

buffer read_offsets_of(segment_files const& files, index_t n, std::string const& to_what) {
  if (!are_given(files))
    return {item_type::int64, 0};
  segmentation segments = read_segments(files, {n, to_what});
  if (segments.said_by == segmentation::form::offsets)
    return std::move(segments.items);
  buffer const heads = heads_of(segments, n);
  buffer offsets(item_type::int64, n + 1);
  auto const to = offsets.as<std::int64_t>();
  std::size_t count = 0;
  for (index_t i = 0; i < n; ++i)
    if (i == 0 || bit_at(heads, i))
      to[count++] = i;
  to[count] = n;
  offsets.shrink(static_cast<index_t>(count) + 1);
  return offsets;
}

}  // namespace sam::tool
