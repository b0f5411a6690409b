// SPDX-License-Identifier: MIT
// Benchmarks sorts of keys, pairs and segments, and sorts that return indices, against other
// libraries, in one process and on the same keys.
#include <sam/segmented_radix_sort.hpp>

#include "sort_peers.hpp"
#include "support.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace {

using perf::add;
using perf::index_t;
using perf::pages;
using sam::no_values;

/// The kind of result: sorted keys (with values, if there are any), or only the order. In an order,
/// the values are the indices.
enum class asked { keys, order };

template <class Key>
using key_maker = Key (*)(std::uint64_t bits);

/// The arrays of all cases with n keys. They are kept because cases run in random order.
template <class Key, class Value>
struct arrays {
  using item = perf::sorted_item<Key, Value>;

  static arrays& of(index_t n, key_maker<Key> make) { return perf::kept<arrays>(n, make); }
  arrays(index_t n, key_maker<Key> make)
      : in(n), out(n), values_in(n), values_out(n), items(n), sorted_items(n) {
    std::mt19937_64 bits(std::random_device{}());
    for (index_t i = 0; i < n; ++i) {
      in.data()[i] = make(bits());
      if constexpr (std::is_same_v<Value, no_values>)
        items.data()[i] = in.data()[i];
      else
        items.data()[i] = {values_in.data()[i] = static_cast<Value>(i), in.data()[i]};
    }
  }
  pages<Key> in, out;
  pages<Value> values_in, values_out;
  pages<item> items, sorted_items;  // for peers that sort structs of a key and its value
};

/// True if items [begin, end) are sorted, stably.
template <asked For, class Key, class Value>
bool are_in_order(arrays<Key, Value> const& a, index_t begin, index_t end) {
  if constexpr (std::is_same_v<Value, no_values>) {
    auto* const wanted = a.sorted_items.data();
    std::copy(a.items.data() + begin, a.items.data() + end, wanted + begin);
    std::sort(wanted + begin, wanted + end);
    return std::equal(wanted + begin, wanted + end, a.out.data() + begin);
  } else {
    for (index_t i = begin; i < end; ++i) {
      auto const from = static_cast<index_t>(a.values_out.data()[i]);
      if (from < begin || from >= end)
        return false;
      Key const key = a.in.data()[from];
      if (For == asked::keys && a.out.data()[i] != key)
        return false;
      if (i == begin)
        continue;
      auto const before = static_cast<index_t>(a.values_out.data()[i - 1]);
      if (key < a.in.data()[before] || (key == a.in.data()[before] && from < before))
        return false;
    }
    return true;
  }
}

template <class Key, class Value, asked For>
void sort_by_sam(benchmark::State& state, std::string const& name, index_t n, key_maker<Key> make) {
  auto& a = arrays<Key, Value>::of(n, make);
  sam::default_context context;
  perf::time_calls(state, n, sizeof(a.items.data()[0]), [&] {
    if constexpr (For == asked::order)
      sam::radix_argsort(context, a.in, a.values_out);
    else if constexpr (std::is_same_v<Value, no_values>)
      sam::radix_sort(context, a.in, a.out);
    else
      sam::radix_sort_pairs(context, a.in, a.values_in, a.out, a.values_out);
    context.wait();
  });
  static std::set<std::string> checked;
  if (checked.insert(name).second && !are_in_order<For>(a, 0, n))
    perf::report_wrong_result(state, name);
}

/// Times a peer. Peers sort in place; the time to copy the items there is not counted.
template <class Peer, class Key, class Value>
void sort_by_peer(benchmark::State& state, index_t n, key_maker<Key> make) {
  auto& a = arrays<Key, Value>::of(n, make);
  perf::time_calls(
      state, n, sizeof(a.items.data()[0]), [&] { Peer::sort(a.sorted_items.data(), n); },
      [&] { std::copy_n(a.items.data(), n, a.sorted_items.data()); });
}

template <class Key, class Value>
void copy(benchmark::State& state, index_t n, key_maker<Key> make) {
  auto& a = arrays<Key, Value>::of(n, make);
  auto const bytes = static_cast<std::size_t>(n) * sizeof(a.items.data()[0]);
  perf::time_calls(state, n, sizeof(a.items.data()[0]),
                   [&] { perf::roof_copy(a.sorted_items.data(), a.items.data(), bytes); });
}

/// Adds one case: sam, a copy of as many bytes, and every peer that supports it.
template <class Key, class Value = no_values, asked For = asked::keys>
void compare(char const* keys, index_t n, key_maker<Key> make) {
  std::string name =
      (For == asked::keys ? "radix_sort/" : "radix_argsort/") + perf::type_name<Key>();
  if constexpr (For == asked::keys && !std::is_same_v<Value, no_values>)
    name += "+" + perf::type_name<Value>();
  name += std::string("/") + keys + "/n:" + std::to_string(n);
  add(name, "sam", [=](auto& state) { sort_by_sam<Key, Value, For>(state, name, n, make); });
  add(name, "roof", [=](auto& state) { copy<Key, Value>(state, n, make); });
  perf::for_each_sort_peer<perf::sorted_item<Key, Value>>([&](auto peer) {
    add(name, peer.name,
        [=](auto& state) { sort_by_peer<decltype(peer), Key, Value>(state, n, make); });
  });
}

template <class Key>
Key uniform(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<Key>)
    return static_cast<Key>(bits >> (64 - std::numeric_limits<Key>::digits)) *
           (std::numeric_limits<Key>::epsilon() / 2);  // in [0, 1)
  else
    return static_cast<Key>(bits);
}
/// Returns one of 1000 keys.
template <class Key>
Key few(std::uint64_t bits) {
  return static_cast<Key>(bits % 1000 * 4'000'037);
}

/// Returns the offsets of segments of n keys. Segments have random lengths up to twice `length`, or
/// all have `length`.
enum class lengths_are { random, equal };
std::vector<index_t> cut(index_t n, index_t length, lengths_are what) {
  std::mt19937_64 bits(std::random_device{}());
  std::vector<index_t> offsets{0};
  while (offsets.back() < n) {
    auto const next = static_cast<index_t>(bits() % static_cast<std::uint64_t>(2 * length));
    offsets.push_back(std::min(n, offsets.back() + (what == lengths_are::equal ? length : next)));
  }
  return offsets;
}

/// Sorts each segment in place with a sort for one thread, on all threads at once.
template <class Peer, class Item>
void sort_each(Item* items, std::vector<index_t> const& offsets) {
  perf::in_parallel([&](int t) {
    auto const segments = static_cast<index_t>(offsets.size()) - 1;
    index_t const* const at = offsets.data();
    for (index_t k = segments * t / perf::threads(); k < segments * (t + 1) / perf::threads(); ++k)
      Peer::sort(items + at[k], at[k + 1] - at[k]);
  });
}

template <class Key, class Value = no_values, asked For = asked::keys>
void compare_segmented(index_t n, index_t length, lengths_are what = lengths_are::random) {
  using all = arrays<Key, Value>;
  using item = typename all::item;
  constexpr bool has_values = !std::is_same_v<Value, no_values>;
  key_maker<Key> const make = uniform<Key>;
  std::string const pairs = For == asked::keys && has_values ? "+" + perf::type_name<Value>() : "";
  std::string const name = (For == asked::keys ? "segmented_sort/" : "segmented_argsort/") +
                           perf::type_name<Key>() + pairs +
                           (what == lengths_are::equal ? "/by_length:" : "/segments_of:") +
                           std::to_string(length) + "/n:" + std::to_string(n);
  auto const offsets = [=]() -> std::vector<index_t> const& {
    static std::map<std::tuple<index_t, index_t, lengths_are>, std::vector<index_t>> kept;
    auto& own = kept[{n, length, what}];
    return own.empty() ? own = cut(n, length, what) : own;
  };
  add(name, "sam", [=](benchmark::State& state) {
    auto& a = all::of(n, make);
    sam::default_context context;
    auto const sort = [&](auto const& segments) {
      if constexpr (For == asked::order)
        sam::segmented_radix_argsort(context, a.in, segments, a.values_out);
      else if constexpr (has_values)
        sam::segmented_radix_sort_pairs(context, a.in, a.values_in, segments, a.out, a.values_out);
      else
        sam::segmented_radix_sort(context, a.in, segments, a.out);
    };
    perf::time_calls(state, n, sizeof(item), [&] {
      if (what == lengths_are::equal)
        sort(sam::by_length(length));
      else
        sort(sam::by_offsets(offsets()));
      context.wait();
    });
    for (std::size_t k = 1; k < offsets().size(); ++k)
      if (!are_in_order<For>(a, offsets()[k - 1], offsets()[k]))
        return perf::report_wrong_result(state, name);
  });
  add(name, "roof", [=](auto& state) { copy<Key, Value>(state, n, make); });
  perf::for_each_serial_sort_peer<item>([&](auto peer) {
    add(name, (std::string(peer.full_name) + "_each").c_str(), [=](benchmark::State& state) {
      auto& a = all::of(n, make);
      perf::time_calls(
          state, n, sizeof(item),
          [&] { sort_each<decltype(peer)>(a.sorted_items.data(), offsets()); },
          [&] { std::copy_n(a.items.data(), n, a.sorted_items.data()); });
    });
  });
}

[[maybe_unused]] bool const registered = [] {
  using std::uint32_t, std::uint64_t;
  for (index_t const n : perf::sizes({1 << 25, 1 << 20, 1 << 10})) {
    compare<uint32_t>("uniform", n, uniform<uint32_t>);
    compare<uint64_t>("uniform", n, uniform<uint64_t>);
    compare<uint32_t, uint32_t>("uniform", n, uniform<uint32_t>);
  }
  for (index_t const n : perf::sizes({1 << 25})) {
    compare<uint32_t, uint32_t, asked::order>("uniform", n, uniform<uint32_t>);
    compare<std::uint8_t>("uniform", n, uniform<std::uint8_t>);
    compare<std::uint16_t>("uniform", n, uniform<std::uint16_t>);
    compare<std::uint16_t>("few", n, few<std::uint16_t>);
    compare<float>("uniform", n, uniform<float>);
    compare<double>("uniform", n, uniform<double>);
    compare<uint32_t>("few", n, few<uint32_t>);
    compare<uint64_t>("few", n, few<uint64_t>);
    for (index_t const length : {8, 64, 1000, 30'000, 3'000'000})
      compare_segmented<uint32_t>(n, length);
    for (index_t const length : {64, 1000, 3'000'000}) {
      compare_segmented<uint32_t, uint32_t>(n, length);
      compare_segmented<uint32_t, uint32_t, asked::order>(n, length);
    }
    compare_segmented<uint32_t>(n, 1000, lengths_are::equal);
  }
  return true;
}();

}  // namespace
