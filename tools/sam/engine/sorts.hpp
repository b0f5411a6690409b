// SPDX-License-Identifier: MIT
// Defines the sorts that engine/kernels.hpp declares.
#pragma once

#include <sam/radix_sort.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

inline sort_order order_of(sort_request const& request) {
  return request.descending ? sort_order::descending : sort_order::ascending;
}

inline bit_range bits_of(sort_request const& request) { return {request.bits[0], request.bits[1]}; }

template <class Context, class U>
void sort_numbers(Context& context, std::span<U> items, number_bits<U> digits,
                  sort_request const& request) {
  radix_sort(context, items, items, digits, {.order = order_of(request), .bits = bits_of(request)});
}

template <class Context, class U>
void argsort_numbers(Context& context, std::span<U const> items, std::span<std::int64_t> order,
                     number_bits<U> digits, sort_request const& request) {
  radix_argsort(context, items, order, digits,
                {.order = order_of(request), .bits = bits_of(request)});
}

template <class Context, class U, class Word>
void sort_pairs(Context& context, std::span<U> keys, std::span<Word const> values,
                std::span<Word> sorted, number_bits<U> digits, sort_request const& request) {
  radix_sort_pairs(context, keys, values, keys, sorted, digits,
                   {.order = order_of(request), .bits = bits_of(request)});
}

}  // namespace sam::tool
