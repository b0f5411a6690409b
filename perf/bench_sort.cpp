// SPDX-License-Identifier: MIT
// Sorts of keys, of keys with values, and of segments, beside the peers, all in one process on the
// same keys.
#include <sam/segmented_radix_sort.hpp>

#include "sort_peers.hpp"
#include "support.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace {

using perf::add;
using perf::index_t;
using perf::pages;
using sam::no_values;

template <class Key>
using key_maker = Key (*)(std::uint64_t bits);

/// The arrays of all cases of n keys, kept, since cases are run in turns.
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
  pages<item> items, sorted_items;  // for the peers, which want a key and its value together
};

template <class Key, class Value>
void check(benchmark::State& state, arrays<Key, Value> const& a) {
  for (index_t i = 1; i < a.in.size(); ++i) {
    Key const before = a.out.data()[i - 1], key = a.out.data()[i];
    bool right = before <= key;
    if constexpr (!std::is_same_v<Value, no_values>)
      right = right && a.in.data()[a.values_out.data()[i]] == key &&
              (before < key || a.values_out.data()[i - 1] < a.values_out.data()[i]);
    if (!right)
      return state.SkipWithError("wrong result");
  }
}

template <class Key, class Value>
void sort_by_sam(benchmark::State& state, std::string const& name, index_t n, key_maker<Key> make) {
  auto& a = arrays<Key, Value>::of(n, make);
  sam::default_context context;
  perf::time_calls(state, n, sizeof(a.items.data()[0]), [&] {
    if constexpr (std::is_same_v<Value, no_values>)
      sam::radix_sort(context, a.in, a.out);
    else
      sam::radix_sort_pairs(context, a.in, a.values_in, a.out, a.values_out);
    context.wait();
  });
  static std::set<std::string> checked;
  if (checked.insert(name).second)
    check(state, a);
}

/// In place, as they all do; bringing the items there does not count.
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

/// One case: sam, a copy of the same bytes, and every peer that can do it.
template <class Key, class Value = no_values>
void compare(char const* keys, index_t n, key_maker<Key> make) {
  std::string name = "radix_sort/" + perf::type_name<Key>();
  if constexpr (!std::is_same_v<Value, no_values>)
    name += "+" + perf::type_name<Value>();
  name += std::string("/") + keys + "/n:" + std::to_string(n);
  add(name, "sam", [=](auto& state) { sort_by_sam<Key, Value>(state, name, n, make); });
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
/// One of 1000 keys.
template <class Key>
Key few(std::uint64_t bits) {
  return static_cast<Key>(bits % 1000 * 4'000'037);
}

/// Keys, and segments of up to twice `length` of them.
struct segmented_arrays {
  static segmented_arrays& of(index_t n, index_t length) {
    return perf::kept<segmented_arrays>(n, length);
  }
  segmented_arrays(index_t n, index_t length) : in(n), out(n), offsets{0} {
    perf::fill_random(in);
    std::mt19937_64 bits(std::random_device{}());
    while (offsets.back() < n)
      offsets.push_back(
          std::min(n, offsets.back() +
                          static_cast<index_t>(bits() % static_cast<std::uint64_t>(2 * length))));
  }
  pages<std::uint32_t> in, out;
  std::vector<index_t> offsets;
};

/// std::sort of one segment after the other, by all threads: in place, as the peers above.
void sort_each(segmented_arrays& a) {
  perf::in_parallel([&](int t) {
    auto const segments = static_cast<index_t>(a.offsets.size()) - 1;
    index_t const* const offsets = a.offsets.data();
    for (index_t k = segments * t / perf::threads(); k < segments * (t + 1) / perf::threads(); ++k)
      std::sort(a.out.data() + offsets[k], a.out.data() + offsets[k + 1]);
  });
}

void compare_segmented(index_t n, index_t length) {
  std::string const name =
      "segmented_sort/u32/segments_of:" + std::to_string(length) + "/n:" + std::to_string(n);
  constexpr std::size_t size = sizeof(std::uint32_t);
  add(name, "sam", [=](benchmark::State& state) {
    auto& a = segmented_arrays::of(n, length);
    sam::default_context context;
    perf::time_calls(state, n, size, [&] {
      sam::segmented_radix_sort(context, a.in, sam::by_offsets(a.offsets), a.out);
      context.wait();
    });
    for (std::size_t k = 1; k < a.offsets.size(); ++k)
      if (!std::is_sorted(a.out.data() + a.offsets[k - 1], a.out.data() + a.offsets[k]))
        state.SkipWithError("wrong result");
  });
  add(name, "roof", [=](benchmark::State& state) {
    auto& a = segmented_arrays::of(n, length);
    perf::time_calls(state, n, size, [&] {
      perf::roof_copy(a.out.data(), a.in.data(), static_cast<std::size_t>(n) * size);
    });
  });
  add(name, "std_sort_each", [=](benchmark::State& state) {
    auto& a = segmented_arrays::of(n, length);
    perf::time_calls(
        state, n, size, [&] { sort_each(a); }, [&] { std::copy_n(a.in.data(), n, a.out.data()); });
  });
}

[[maybe_unused]] bool const registered = [] {
  using std::uint32_t, std::uint64_t;
  for (index_t const n : {index_t{1} << 25, index_t{1} << 20, index_t{1} << 10}) {
    compare<uint32_t>("uniform", n, uniform<uint32_t>);
    compare<uint64_t>("uniform", n, uniform<uint64_t>);
    compare<uint32_t, uint32_t>("uniform", n, uniform<uint32_t>);
  }
  constexpr index_t n = index_t{1} << 25;
  compare<float>("uniform", n, uniform<float>);
  compare<double>("uniform", n, uniform<double>);
  compare<uint32_t>("few", n, few<uint32_t>);
  compare<uint64_t>("few", n, few<uint64_t>);
  for (index_t const length : {8, 64, 1000, 30'000, 3'000'000})
    compare_segmented(n, length);
  return true;
}();

}  // namespace
