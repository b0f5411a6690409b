// SPDX-License-Identifier: MIT
// Maps requests to few kinds of sorts: items are sorted as unsigned integers of their width, or as
// words of 4 or 8 bytes if there are segments.
#pragma once

#include "engine/memory.hpp"
#include "engine/segments_in_reach.hpp"

namespace sam::tool {

/// Calls use(keys, segments, digits) with the items as words and the description of segments, both
/// in the context's memory, and the number_bits of the words.
template <class Context, class Use>
void with_keys_in_segments(Context& context, buffer const& items, segmentation const& segments,
                           sort_request const& request, Use use) {
  with_segments_in_reach(context, segments, items.count(), [&](segments_in_reach const& where) {
    with_words(items, items, [&]<class Word>(std::span<Word> words, std::span<Word> sorted) {
      typename memory_of<Context>::template arrays<Word> const keys(context, words, sorted);
      with_number_bits(items, request.in_total_order, [&](auto digits) {
        use(keys, where,
            number_bits<Word>{static_cast<Word>(digits.sign), static_cast<Word>(digits.negative),
                              digits.is_numeric, static_cast<Word>(digits.infinity),
                              static_cast<Word>(digits.nan)});
      });
    });
  });
}

template <class Context>
void sort_items(Context& context, buffer const& items, segmentation const* segments,
                sort_request const& request) {
  if (segments != nullptr)
    return with_keys_in_segments(
        context, items, *segments, request, [&](auto const& keys, auto const& where, auto digits) {
          sort_segments(context, keys.in(), where, keys.out(), digits, request);
          keys.bring_back();
        });
  with_number_bits(items, request.in_total_order, [&]<class U>(number_bits<U> digits) {
    typename memory_of<Context>::template arrays<U> const keys(context, items.as<U>());
    sort_numbers(context, keys.out(), digits, request);
    keys.bring_back();
  });
}

template <class Context>
void sort_items_and_values(Context& context, buffer const& items, buffer const& values,
                           segmentation const* segments, sort_request const& request) {
  using memory = memory_of<Context>;
  with_words(values, values, [&]<class Word>(std::span<Word> words, std::span<Word> sorted) {
    typename memory::template arrays<Word> const beside(context, words, sorted);
    if (segments != nullptr)
      with_keys_in_segments(context, items, *segments, request,
                            [&](auto const& keys, auto const& where, auto digits) {
                              sort_segments_of_pairs(context, keys.in(), beside.in(), where,
                                                     keys.out(), beside.out(), digits, request);
                              keys.bring_back();
                            });
    else
      with_number_bits(items, request.in_total_order, [&]<class U>(number_bits<U> digits) {
        typename memory::template arrays<U> const keys(context, items.as<U>());
        sort_pairs(context, keys.out(), beside.in(), beside.out(), digits, request);
        keys.bring_back();
      });
    beside.bring_back();
  });
}

template <class Context>
void argsort_items(Context& context, buffer const& items, segmentation const* segments,
                   buffer const& order, sort_request const& request) {
  using memory = memory_of<Context>;
  typename memory::template arrays<std::int64_t> const indices(context, order.as<std::int64_t>());
  if (segments != nullptr)
    return with_keys_in_segments(
        context, items, *segments, request, [&](auto const& keys, auto const& where, auto digits) {
          argsort_segments(context, keys.in(), where, indices.out(), digits, request);
          indices.bring_back();
        });
  with_number_bits(items, request.in_total_order, [&]<class U>(number_bits<U> digits) {
    typename memory::template arrays<U> const keys(context, items.as<U>());
    argsort_numbers(context, keys.in(), indices.out(), digits, request);
    indices.bring_back();
  });
}

}  // namespace sam::tool
