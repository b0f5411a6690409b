// SPDX-License-Identifier: MIT
// Implements conversions of whole arrays between item types.
#include "conversions.hpp"

#include "engine/operators.hpp"

#include <algorithm>

namespace sam::tool {

namespace {

template <class T>
using wide =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class Wide>
void apply(item_map map, std::span<Wide> items) {
  // Unsigned arithmetic wraps around; signed overflow would be undefined.
  using U = typename std::conditional_t<std::is_integral_v<Wide>, std::make_unsigned<Wide>,
                                        std::type_identity<Wide>>::type;
  auto const mapped = map_of<U, U>(map, std::is_signed_v<Wide>);
  for (Wide& item : items)
    item = static_cast<Wide>(mapped(static_cast<U>(item)));
}

/// Converts items from From to Wide, maps them, and converts them to the type of `to`. Works in
/// blocks that stay in cache.
template <class Wide, class From>
void convert_by_way_of(std::span<From const> from, buffer const& to, item_map map) {
  constexpr std::size_t block_size = 2048;
  std::array<Wide, block_size> block;
  for (std::size_t begin = 0; begin < from.size(); begin += block_size) {
    auto const some = from.subspan(begin, std::min(block_size, from.size() - begin));
    std::span<Wide> const items = std::span(block).first(some.size());
    std::ranges::transform(some, items.begin(), [](From x) { return static_cast<Wide>(x); });
    if (map != item_map::none)
      apply(map, items);
    with_type(to.type(), [&]<class To>(std::type_identity<To>) {
      std::ranges::transform(items, to.as<To>().subspan(begin).begin(),
                             [](Wide x) { return static_cast<To>(x); });
    });
  }
}

}  // namespace

buffer converted(buffer items, item_type type, item_map map) {
  bool const same_bytes = items.type() == type || (!is_float(items.type()) && !is_float(type) &&
                                                   bytes_of(items.type()) == bytes_of(type));
  if (map == item_map::none && same_bytes) {
    items.relabel(type);
    return items;
  }
  buffer result(type, items.count());
  with_type(items.type(), [&]<class From>(std::type_identity<From>) {
    std::span<From const> const from = items.as<From>();
    if (map != item_map::none && is_float(type))
      convert_by_way_of<double>(from, result, map);
    else
      convert_by_way_of<wide<From>>(from, result, map);
  });
  return result;
}

buffer widened(buffer items) {
  item_type const type = items.type();
  return converted(std::move(items), is_float(type) ? item_type::float64 : accumulator_of(type));
}

}  // namespace sam::tool
