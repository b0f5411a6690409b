// SPDX-License-Identifier: MIT
// Arrays whose item type is only known at run time.
#pragma once

#include <sam/portable.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

namespace sam::tool {

using namespace sam::engine;

enum class item_type {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  boolean,
};

/// The name of an item type and its descr in a .npy file, without the byte order.
struct item_type_names {
  item_type type;
  std::string_view name;
  std::string_view descr;
};
inline constexpr std::array<item_type_names, 11> item_types{{
    {item_type::int8, "int8", "i1"},
    {item_type::int16, "int16", "i2"},
    {item_type::int32, "int32", "i4"},
    {item_type::int64, "int64", "i8"},
    {item_type::uint8, "uint8", "u1"},
    {item_type::uint16, "uint16", "u2"},
    {item_type::uint32, "uint32", "u4"},
    {item_type::uint64, "uint64", "u8"},
    {item_type::float32, "float32", "f4"},
    {item_type::float64, "float64", "f8"},
    {item_type::boolean, "bool", "b1"},
}};
constexpr item_type_names const& names_of(item_type type) {
  return item_types[static_cast<std::size_t>(type)];
}

/// Calls use(std::type_identity<T>{}) with the C++ type of the items. A bool is a std::uint8_t of 0
/// or 1.
template <class Use>
decltype(auto) with_type(item_type type, Use use) {
  switch (type) {
  case item_type::int8:
    return use(std::type_identity<std::int8_t>{});
  case item_type::int16:
    return use(std::type_identity<std::int16_t>{});
  case item_type::int32:
    return use(std::type_identity<std::int32_t>{});
  case item_type::int64:
    return use(std::type_identity<std::int64_t>{});
  case item_type::uint8:
  case item_type::boolean:
    return use(std::type_identity<std::uint8_t>{});
  case item_type::uint16:
    return use(std::type_identity<std::uint16_t>{});
  case item_type::uint32:
    return use(std::type_identity<std::uint32_t>{});
  case item_type::uint64:
    return use(std::type_identity<std::uint64_t>{});
  case item_type::float32:
    return use(std::type_identity<float>{});
  case item_type::float64:
    break;
  }
  return use(std::type_identity<double>{});
}

inline index_t bytes_of(item_type type) {
  return with_type(type, []<class T>(std::type_identity<T>) { return index_t{sizeof(T)}; });
}
constexpr bool is_float(item_type type) {
  return type == item_type::float32 || type == item_type::float64;
}

/// Returns the type in which items are added and multiplied, so that they do not overflow early:
/// int64 for bools and signed integers, uint64 for unsigned integers, and a float type itself.
/// NumPy has the same rule.
constexpr item_type accumulator_of(item_type type) {
  if (is_float(type))
    return type;
  return names_of(type).descr[0] == 'u' ? item_type::uint64 : item_type::int64;
}

/// An uninitialised array in memory. Allocation throws std::bad_alloc.
class buffer {
 public:
  buffer() = default;
  buffer(item_type type, index_t count) : type_(type), count_(count) {
    constexpr std::size_t line = 128;
    auto const wanted = static_cast<std::size_t>(count * bytes_of(type));
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(line, wanted / line * line + line)));
    if (!memory_)
      throw std::bad_alloc();
  }

  /// Drops all but the first `count` items.
  void shrink(index_t count) { count_ = count; }
  /// Reinterprets the bytes as items of another type of the same size.
  void relabel(item_type type) { type_ = type; }

  item_type type() const { return type_; }
  index_t count() const { return count_; }
  std::span<std::byte> bytes() const {
    return {memory_.get(), static_cast<std::size_t>(count_ * bytes_of(type_))};
  }
  /// Returns the items as a span. T has the size of the item type; its signedness may differ.
  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(memory_.get()), static_cast<std::size_t>(count_)};
  }

 private:
  struct release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  item_type type_ = item_type::uint8;
  index_t count_ = 0;
  std::unique_ptr<std::byte, release> memory_;
};

}  // namespace sam::tool
