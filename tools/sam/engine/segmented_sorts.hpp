// SPDX-License-Identifier: MIT
// Defines the segmented sorts that engine/kernels.hpp declares.
#pragma once

#include <sam/segmented_radix_sort.hpp>

#include "engine/segments_in_reach.hpp"
#include "engine/sorts.hpp"

namespace sam::tool {

template <class Context, class U>
void sort_segments(Context& context, std::span<U const> keys, segments_in_reach const& segments,
                   std::span<U> sorted, number_bits<U> digits, sort_request const& request) {
  with_segments(segments, [&](auto const& where) {
    segmented_radix_sort(context, keys, where, sorted, digits,
                         {.order = order_of(request), .bits = bits_of(request)});
  });
}

template <class Context, class U>
void argsort_segments(Context& context, std::span<U const> keys, segments_in_reach const& segments,
                      std::span<std::int64_t> order, number_bits<U> digits,
                      sort_request const& request) {
  with_segments(segments, [&](auto const& where) {
    segmented_radix_argsort(context, keys, where, order, digits,
                            {.order = order_of(request), .bits = bits_of(request)});
  });
}

template <class Context, class U, class Word>
void sort_segments_of_pairs(Context& context, std::span<U const> keys, std::span<Word const> values,
                            segments_in_reach const& segments, std::span<U> sorted_keys,
                            std::span<Word> sorted, number_bits<U> digits,
                            sort_request const& request) {
  with_segments(segments, [&](auto const& where) {
    segmented_radix_sort_pairs(context, keys, values, where, sorted_keys, sorted, digits,
                               {.order = order_of(request), .bits = bits_of(request)});
  });
}

}  // namespace sam::tool
