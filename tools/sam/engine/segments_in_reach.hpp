// SPDX-License-Identifier: MIT
// Descriptions of segments in the form that the library takes.
#pragma once

#include <sam/segments.hpp>

#include "engine/kernels.hpp"
#include "engine/memory.hpp"
#include "engine/words.hpp"

#include <variant>

namespace sam::tool {

template <class Word>
struct keys_in_reach {
  std::span<Word const> keys;
  equal_numbers<Word> equal;
};

/// A description of segments, in memory that the context can access.
struct segments_in_reach {
  using offsets = std::span<std::int64_t const>;
  std::variant<flag_bits, offsets, keys_in_reach<std::uint32_t>, keys_in_reach<std::uint64_t>> said;
};

/// Returns the library's description of the segments. It refers to the argument, which must live
/// longer.
inline auto as_segments(flag_bits const& heads) { return by_heads(heads); }
inline auto as_segments(segments_in_reach::offsets const& offsets) { return by_offsets(offsets); }
template <class Word>
auto as_segments(keys_in_reach<Word> const& by) {
  return by_keys(by.keys, by.equal);
}

/// Calls use(segments) with the library's description of the segments.
template <class Use>
void with_segments(segments_in_reach const& segments, Use use) {
  std::visit([&](auto const& said) { use(as_segments(said)); }, segments.said);
}

/// Calls use(segments_in_reach) with a description of n items' segments in the context's memory.
template <class Context, class Use>
void with_segments_in_reach(Context& context, segmentation const& segments, index_t n, Use use) {
  using memory = memory_of<Context>;
  buffer const& items = segments.items;
  switch (segments.said_by) {
  case segmentation::form::heads: {
    typename memory::template arrays<std::uint32_t> const heads(context, items.as<std::uint32_t>());
    return use(segments_in_reach{flag_bits(heads.in(), n)});
  }
  case segmentation::form::offsets: {
    typename memory::template arrays<std::int64_t> const offsets(context, items.as<std::int64_t>());
    return use(segments_in_reach{offsets.in()});
  }
  case segmentation::form::keys:
    with_words(items, [&]<class Word>(std::span<Word> words) {
      typename memory::template arrays<Word> const keys(context, words);
      use(segments_in_reach{keys_in_reach<Word>{keys.in(), equal_numbers<Word>(items.type())}});
    });
  }
}

}  // namespace sam::tool
