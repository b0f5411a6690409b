// SPDX-License-Identifier: MIT
// Maps requests to compactions and partitions, for which few kernels are compiled.
#pragma once

#include "engine/scan_items.hpp"

#include <functional>

namespace sam::tool {

/// Calls these(from, to, dropped) to write the kept items and, in a partition, the dropped items
/// behind them. Returns the number of kept items.
template <class Context, class U, class Kernel>
index_t keep(Context& context, std::span<U> in, std::span<U> out, bool partition, Kernel these) {
  typename memory_of<Context>::template arrays<U> const from(context, in), to(context, out);
  index_t const kept = these(from.in(), to.out(), false);
  if (partition)
    these(from.in(), to.out().subspan(static_cast<std::size_t>(kept)), true);
  to.bring_back();
  return kept;
}

/// Returns the range of keys that a request keeps, for items of type T.
template <class T>
auto keys_kept(keep_request const& request, item_type type) {
  return range_of(request.is, parse_number<T>(request.value, type, request.option));
}

template <class Context>
index_t keep_items(Context& context, buffer const& in, buffer const& out,
                   keep_request const& request, bool partition) {
  return with_type(in.type(), [&]<class T>(std::type_identity<T>) {
    using U = bits_of_number<T>;
    auto const keys = keys_kept<T>(request, in.type());
    return keep(context, in.as<U>(), out.as<U>(), partition, [&](auto from, auto to, bool dropped) {
      auto these = keys;
      these.outside = dropped;
      return keep_range(context, from, to, these);
    });
  });
}

template <class Context>
index_t keep_items(Context& context, buffer const& in, buffer const& out, buffer const& flags,
                   bool partition) {
  auto const words = flags.as<std::uint32_t>();
  return with_type(in.type(), [&]<class T>(std::type_identity<T>) {
    using U = bits_of_number<T>;
    return keep(context, in.as<U>(), out.as<U>(), partition, [&](auto from, auto to, bool dropped) {
      if (dropped)
        std::ranges::transform(words, words.begin(), std::bit_not());
      typename memory_of<Context>::template arrays<std::uint32_t> const staged(context, words);
      return keep_flagged(context, from, flag_bits(staged.in(), in.count()), to);
    });
  });
}

template <class Context>
index_t keep_indices(Context& context, buffer const& in, buffer const& out,
                     keep_request const& request) {
  using memory = memory_of<Context>;
  typename memory::template arrays<std::int64_t> const to(context, out.as<std::int64_t>());
  index_t const kept = with_type(in.type(), [&]<class T>(std::type_identity<T>) {
    using U = bits_of_number<T>;
    typename memory::template arrays<U> const from(context, in.as<U>());
    return indices_in_range(context, from.in(), to.out(), keys_kept<T>(request, in.type()));
  });
  to.bring_back();
  return kept;
}

template <class Context>
index_t keep_indices(Context& context, buffer const& flags, buffer const& out) {
  using memory = memory_of<Context>;
  typename memory::template arrays<std::int64_t> const to(context, out.as<std::int64_t>());
  typename memory::template arrays<std::uint32_t> const from(context, flags.as<std::uint32_t>());
  index_t const kept = indices_flagged(context, flag_bits(from.in(), out.count()), to.out());
  to.bring_back();
  return kept;
}

template <class Context>
std::array<index_t, 2> part_items(Context& context, buffer const& in, buffer const& out,
                                  keep_request const& first, keep_request const& second) {
  return with_type(in.type(), [&]<class T>(std::type_identity<T>) {
    using U = bits_of_number<T>;
    typename memory_of<Context>::template arrays<U> const from(context, in.as<U>());
    typename memory_of<Context>::template arrays<U> const to(context, out.as<U>());
    auto const counts = part_in_three(context, from.in(), to.out(), keys_kept<T>(first, in.type()),
                                      keys_kept<T>(second, in.type()));
    to.bring_back();
    return counts;
  });
}

}  // namespace sam::tool
