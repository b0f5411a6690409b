// SPDX-License-Identifier: MIT
// The scans that the tool is made of. Each is defined in a header of its own, and compiled for some
// item types in each of several small files, side by side.
#pragma once

#include "engine.hpp"

#include <span>

namespace sam::tool {

// Sums by one call of the library; each returns its order. The first is inclusive, of `order` or of
// the highest order below it that is compiled. The others are of order 1; the last is inclusive.

template <class Context, class T>
int sum(Context& context, std::span<T const> in, std::span<T> out, int order, index_t tuple_size,
        T init);
template <class Context, class T>
int exclusive_sum(Context& context, std::span<T> items, index_t tuple_size, T init);
template <class Context, class T>
int multi_pass_sum(Context& context, std::span<T> items, index_t tuple_size, T init,
                   carry_scheme scheme);

/// Inclusive, of order 1, with any other operator.
template <class Context, class T, class Operator>
void combine(Context& context, std::span<T> items, index_t tuple_size, Operator op, T init);

/// Order 1.
template <class Context, class T>
void difference(Context& context, std::span<T const> in, std::span<T> out, index_t tuple_size);

}  // namespace sam::tool
