// SPDX-License-Identifier: MIT
// Reads, copies and writes keys with their values for sorts on CPUs.
#pragma once

#include <sam/backend/sort_job.hpp>
#include <sam/host/memory/streaming.hpp>

#include <bit>
#include <cstddef>
#include <cstring>

namespace sam::inline v0_1::host {

/// Holds pointers to the keys and values that are written.
template <class Key, class Value>
struct columns {
  Key* keys;
  Value* values;  // null for no_values

  columns from(index_t i) const { return {keys + i, values == nullptr ? nullptr : values + i}; }
};

/// Holds pointers to the keys and values that are read.
template <class Key, class Value>
struct source_columns {
  Key const* keys;
  Value const* values;  // null for no_values, or if value i is first + i
  index_t first = 0;

  source_columns(Key const* k, Value const* v, index_t f = 0) : keys(k), values(v), first(f) {}
  source_columns(columns<Key, Value> const& written) : keys(written.keys), values(written.values) {}

  source_columns from(index_t i) const {
    return {keys + i, values == nullptr ? nullptr : values + i, first + i};
  }
  Value value(index_t i) const {
    if constexpr (integer<Value>)
      if (values == nullptr)
        return static_cast<Value>(first + i);
    return values[i];
  }
  /// True if writing to `written` would overwrite these items.
  bool are_in(columns<Key, Value> const& written) const {
    return keys == written.keys || (values != nullptr && values == written.values);
  }
};

/// Copies n items. Columns that are already in place are not copied.
template <class Key, class Value>
void move_items(source_columns<Key, Value> const& from, columns<Key, Value> const& to, index_t n) {
  auto const count = static_cast<std::size_t>(n);
  if (to.keys != from.keys)
    std::memcpy(static_cast<void*>(to.keys), from.keys, count * sizeof(Key));
  if constexpr (!std::is_same_v<Value, no_values>) {
    if (from.values == nullptr)
      for (index_t i = 0; i < n; ++i)
        to.values[i] = from.value(i);
    else if (to.values != from.values)
      std::memcpy(static_cast<void*>(to.values), from.values, count * sizeof(Value));
  }
}

/// Copies n items with streaming stores, to memory that is not read again soon.
template <class Key, class Value>
void stream_items(columns<Key, Value> const& from, columns<Key, Value> const& to, index_t n) {
  auto const count = static_cast<std::size_t>(n);
  host::streaming_copy(to.keys, from.keys, count * sizeof(Key));
  if constexpr (!std::is_same_v<Value, no_values>)
    host::streaming_copy(to.values, from.values, count * sizeof(Value));
}

/// Extracts bits [low, high) of an ordered key as a number.
template <class OrderedKey>
struct bit_window {
  int low;
  OrderedKey mask;
  bit_window() = default;
  bit_window(int low_, int high)
      : low(low_),
        mask(high == low_
                 ? OrderedKey(0)
                 : static_cast<OrderedKey>(static_cast<OrderedKey>(~OrderedKey(0)) >>
                                           (8 * int{sizeof(OrderedKey)} - (high - low_)))) {}
  OrderedKey operator()(OrderedKey ordered_key) const {
    return static_cast<OrderedKey>((ordered_key >> low) & mask);
  }
};

/// Returns the number of bits needed to represent x.
template <class OrderedKey>
int width_of(OrderedKey x) {
  if constexpr (sizeof(OrderedKey) > 8) {
    auto const high = static_cast<std::uint64_t>(x >> 64);
    return high != 0 ? 64 + width_of(high) : width_of(static_cast<std::uint64_t>(x));
  } else {
    return static_cast<int>(std::bit_width(x));
  }
}

}  // namespace sam::inline v0_1::host
