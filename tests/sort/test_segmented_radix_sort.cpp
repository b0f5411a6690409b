// SPDX-License-Identifier: MIT
// Tests sorts of segments against their reference: descriptions of segments, lengths, types,
// orders, bits, sizes.
#include <sam/inputs.hpp>
#include <sam/outputs.hpp>
#include <sam/segmented_radix_sort.hpp>

#include "sorting.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace {

using sam::index_t, sam::sort_order;
using test::by_distance, test::nth_request, test::parcel, test::shape, test::twelve_bytes;

struct as_it_is {
  SAM_FUNCTION index_t operator()(index_t i) const { return i; }
};
struct row_of {
  SAM_FUNCTION index_t operator()(index_t i) const { return i / 100; }
};

// --- Segments ------------------------------------------------------------------------------------

/// The distribution of segment lengths.
enum class mix { one, ones, tiny, some, edges, cached, mixed };
constexpr mix mixes[] = {mix::one,   mix::ones,   mix::tiny, mix::some,
                         mix::edges, mix::cached, mix::mixed};

/// Returns the begin of each segment, some of them empty, and then n. `cached` is the number of
/// items that fit into a cache.
std::vector<index_t> random_offsets(index_t n, mix lengths, index_t cached, std::uint64_t seed) {
  test::generator bits{seed};
  auto const below = [&](index_t end) {
    return static_cast<index_t>(bits() % static_cast<std::uint64_t>(end));
  };
  std::vector<index_t> offsets{0};
  while (offsets.back() < n) {
    index_t const length = lengths == mix::one    ? n
                           : lengths == mix::ones ? 1
                           : lengths == mix::tiny ? below(30)
                           : lengths == mix::some ? below(1500)
                           : lengths == mix::edges
                               ? (index_t{64} << below(9)) / 2 * (2 + below(2)) + below(3) - 1
                           : lengths == mix::cached ? cached - 1 + below(3)
                                                    : below(index_t{2} << below(18));
    offsets.push_back(sam::engine::min_of(n, offsets.back() + length));
  }
  if (lengths == mix::mixed)
    offsets.insert(offsets.end(), 3, n);
  return offsets;
}

enum class way { offsets, length, heads, packed, keys };

/// Calls use(segments) with a description in the back end's memory. For segments of one length, the
/// length is that of the first two segments together, and `offsets` are changed accordingly.
template <way How, class Use>
void with_segments(std::vector<index_t>& offsets, Use use) {
  auto const n = static_cast<std::size_t>(offsets.back());
  if constexpr (How == way::offsets) {
    auto const there =
        test::on_backend(std::vector<std::uint32_t>(offsets.begin(), offsets.end()), 1);
    use(sam::by_checked_offsets(there));
  } else if constexpr (How == way::length) {
    index_t const length =
        sam::engine::max_of(1, offsets[sam::engine::min_of(2, index_t(offsets.size()) - 1)]);
    offsets = {0};
    while (offsets.back() < index_t(n))
      offsets.push_back(sam::engine::min_of(index_t(n), offsets.back() + length));
    use(sam::by_length(length));
  } else {
    std::vector<std::uint8_t> heads(n);
    for (index_t const k : offsets)
      if (k < index_t(n) && (k != 0 || n % 2 == 0))  // item 0 begins a segment anyway
        heads[static_cast<std::size_t>(k)] = 1;
    std::vector<std::uint32_t> words((n + 31) / 32);
    std::vector<std::int16_t> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
      words[i / 32] |= std::uint32_t{heads[i]} << i % 32;
      keys[i] = static_cast<std::int16_t>(i == 0 ? 0 : keys[i - 1] - heads[i]);
    }
    if constexpr (How == way::heads) {
      auto const there = test::on_backend(heads, 1);
      use(sam::by_heads(there));
    } else if constexpr (How == way::packed) {
      auto const there = test::on_backend(words, 1);
      use(sam::by_heads(sam::packed_bits(there)));
    } else {
      auto const there = test::on_backend(keys, 1);
      use(sam::by_keys(there));
    }
  }
}

/// The sorts to test and their reference.
template <class Segments>
struct in_segments {
  Segments const& segments;
  std::vector<index_t> const& offsets;

  template <class Context, class In, class... How>
  void sort(Context& context, In const& in, How&&... how) const {
    sam::segmented_radix_sort(context, in, segments, how...);
  }
  template <class Context, class Keys, class Values, class... How>
  void sort_pairs(Context& context, Keys const& keys, Values const& values, How&&... how) const {
    sam::segmented_radix_sort_pairs(context, keys, values, segments, how...);
  }
  template <class Context, class Keys, class... How>
  void argsort(Context& context, Keys const& keys, How&&... how) const {
    sam::segmented_radix_argsort(context, keys, segments, how...);
  }
  template <class Key, class Digits>
  std::vector<index_t> order(std::vector<Key> const& keys, Digits digits, int begin,
                             int end) const {
    return sam::reference::segmented_radix_argsort<index_t>(keys, offsets, digits, begin, end);
  }
};

// --- Cases ---------------------------------------------------------------------------------------

/// Calls check(context, checker) on each context, on several threads, and on a context that sorts
/// all segments at once.
template <way How, class Key, class Value, class Digits, class Check>
void for_each_case(Digits digits, Check check) {
  constexpr bool has_values = !std::is_same_v<Value, sam::no_values>;
  constexpr index_t cached =
      sam::host::tuning::sorted_bytes / index_t{sizeof(Key) + (has_values ? sizeof(Value) : 0)};
  auto context = test::each_context();
  auto const images = sam::detail::digits_for<Key>(digits);
  int turn = 0;
  for (index_t const n : {index_t{0}, index_t{1}, index_t{2}, index_t{700}, index_t{9000},
                          2 * cached + 5, 5 * cached + 77})
    for (mix const lengths : mixes) {
      if (++turn % 2 == 0 &&
          n > 4 * cached)  // half of the mixes suffice where there are many items
        continue;
      auto const seed = test::seed_for(n);
      auto const kind = test::shapes[turn % 3 == 0 ? turn / 3 % 7 : 0];
      auto const asked = nth_request(turn, images.bits);
      CAPTURE(n, static_cast<int>(lengths), static_cast<int>(kind), seed, sizeof(Key),
              sizeof(Value), static_cast<int>(asked.order), asked.bits.begin, asked.bits.end);
      auto offsets = random_offsets(n, lengths, cached, seed);
      auto const keys = test::random_keys<Key>(n, kind, images, seed);
      with_segments<How>(offsets, [&](auto const& segments) {
        using sorts = in_segments<std::remove_cvref_t<decltype(segments)>>;
        test::sort_checker<Key, Value, Digits, sorts> const checker(keys, digits, asked, seed,
                                                                    {segments, offsets});
        check(context, checker);
        test::also_on_threads(context, [&](auto& crowd) {
          check(crowd, checker);
          test::plain_threads others(test::several);
          check(others, checker);
        });
      });
    }
}

template <class Key, class Value, way How, class Digits = sam::detail::natural_digits>
struct segmented_case : test::sort_case<Key, Value, Digits> {
  static constexpr way how = How;
};

TEMPLATE_TEST_CASE("sorts of segments equal their reference", "[segmented_radix_sort]",
                   (segmented_case<std::uint32_t, sam::no_values, way::offsets>),
                   (segmented_case<std::int16_t, twelve_bytes, way::heads>),
                   (segmented_case<double, std::uint8_t, way::keys>),
                   (segmented_case<parcel, sam::no_values, way::length, by_distance>)) {
  typename TestType::digits by{};
  if constexpr (std::is_same_v<typename TestType::digits, by_distance>)
    by.from_where = 1000;
  for_each_case<TestType::how, typename TestType::key, typename TestType::value>(
      by, [](auto& context, auto const& checker) { checker.run_all(context); });
}

TEST_CASE("argsorts of segments equal their reference", "[segmented_radix_sort]") {
  for_each_case<way::packed, float, sam::no_values>(
      sam::detail::natural_digits{},
      [](auto& context, auto const& checker) { checker.template argsort<std::uint32_t>(context); });
}

#ifdef __SIZEOF_INT128__
TEST_CASE("keys of 128 bits are sorted in segments, although no integer holds key and segment",
          "[segmented_radix_sort]") {
  using key = sam::detail::int128;
  auto const keys = test::random_keys<key>(5000, shape::five_keys, sam::number_digits<key>{}, 1);
  auto offsets = random_offsets(5000, mix::tiny, 1, 2);
  with_segments<way::heads>(offsets, [&](auto const& segments) {
    using sorts = in_segments<std::remove_cvref_t<decltype(segments)>>;
    test::sort_checker<key, sam::no_values, sam::detail::natural_digits, sorts> const checker(
        keys, {}, {sort_order::descending, {}}, 3, {segments, offsets});
    std::conditional_t<test::backend_bytes::on_host, test::plain_threads, sam::default_context>
        context;
    checker.template argsort<std::int32_t>(context);
  });
}
#endif

#ifdef __SIZEOF_INT128__
struct wide_digits {
  SAM_FUNCTION sam::detail::uint128 operator()(std::uint32_t x) const {
    return static_cast<sam::detail::uint128>(~x) << 96 | x;
  }
};
TEST_CASE("narrow keys are sorted in segments by digits of 128 bits", "[segmented_radix_sort]") {
  sam::default_context context;
  for (index_t const n : {2000, 4096}) {
    auto const keys = test::random_items<std::uint32_t>(n, test::seed_for(n));
    auto const offsets = random_offsets(n, mix::some, 300, test::seed_for(n));
    auto const on_keys = test::on_backend(keys);
    auto const on_offsets = test::on_backend(offsets);
    test::fenced_array<std::uint32_t> out(n);
    sam::segmented_radix_sort(context, on_keys, sam::by_offsets(on_offsets), out, wide_digits{});
    context.wait();
    auto wanted = keys;
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
      std::sort(wanted.begin() + offsets[k], wanted.begin() + offsets[k + 1], std::greater<>{});
    REQUIRE(std::ranges::equal(out.to_host(), wanted));
  }
}
#endif

/// Returns the indices of the first `taken` keys in the order that sorts each segment.
std::vector<index_t> order_in_segments(std::vector<std::uint32_t> const& keys,
                                       std::vector<index_t> const& offsets, index_t taken) {
  std::uint32_t const* const key = keys.data();  // faster than a vector that is not optimised
  std::vector<index_t> order(static_cast<std::size_t>(taken));
  std::iota(order.begin(), order.end(), index_t{0});
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    std::stable_sort(order.begin() + sam::engine::min_of(offsets[s], taken),
                     order.begin() + sam::engine::min_of(offsets[s + 1], taken),
                     [&](index_t a, index_t b) { return key[a] < key[b]; });
  return order;
}
/// Sorts the first keys in the first segments, by their numbers in memory.
template <class Context>
void check_counted_sorts(Context& context) {
  for (index_t const n : {1, 1000, 70'001})
    for (index_t const some : {index_t{0}, n / 3, n, n + 5}) {
      CAPTURE(n, some);
      auto const keys = test::random_items<std::uint32_t>(n, test::seed_for(n));
      auto offsets = random_offsets(n, mix::some, 1000, test::seed_for(n));
      auto const on_keys = test::on_backend(keys, 1);
      auto const segments = test::on_backend(std::vector<index_t>{std::ssize(offsets) - 1});
      auto given = offsets;  // and what is no offset
      given.insert(given.end(), {-3, 2 * n, 1});
      auto const on_offsets = test::on_backend(given);
      auto const by_some = sam::by_offsets(sam::counted(on_offsets, segments));
      auto const number = test::on_backend(std::vector<index_t>{some});
      // Keys past the number stay as they are in the outputs.
      std::vector<std::uint32_t> sorted(keys.size(), 7u), in_place = keys;
      auto order = order_in_segments(keys, offsets, sam::engine::min_of(n, some));
      for (std::size_t i = 0; i < order.size(); ++i)
        sorted[i] = in_place[i] = keys[static_cast<std::size_t>(order[i])];
      order.resize(keys.size(), -1);
      auto out = test::on_backend(std::vector<std::uint32_t>(keys.size(), 7u), 1);
      auto values = test::on_backend(std::vector<index_t>(keys.size(), -1));
      sam::segmented_radix_sort_pairs(context, sam::counted(on_keys, number),
                                      sam::generated(n, as_it_is{}), by_some, out, values);
      auto same = test::on_backend(keys), all = test::on_backend(keys);
      sam::segmented_radix_sort(context, sam::counted(same, number), by_some, same);
      auto indices = test::on_backend(std::vector<index_t>(keys.size(), -1), 1);
      sam::segmented_radix_argsort(context, sam::counted(on_keys, number), by_some, indices);
      sam::segmented_radix_sort(context, all, by_some, all);
      context.wait();
      REQUIRE((out.to_host() == sorted && values.to_host() == order));
      REQUIRE((same.to_host() == in_place && indices.to_host() == order));
      if (some >= n)
        REQUIRE(all.to_host() == sorted);
      REQUIRE((out.fences_intact() && values.fences_intact() && same.fences_intact() &&
               indices.fences_intact()));
      // Segments by computed keys.
      auto const rows = sam::by_keys(sam::generated(n, row_of{}));
      auto wanted = keys;
      for (auto row = wanted.begin(); row != wanted.end();) {
        auto const end = row + std::min<index_t>(100, wanted.end() - row);
        std::sort(row, end);
        row = end;
      }
      sam::segmented_radix_sort(context, on_keys, rows, same);
      context.wait();
      REQUIRE(same.to_host() == wanted);
    }
}
/// Sorts the first keys, by their number in memory, in segments of all that there may be.
template <class Context>
void check_sorts_of_first(Context& context) {
  for (index_t const n : {1, 500, 5000, 70'001, 300'007, 1'200'000})
    for (auto const& [some, lengths] : {std::pair{index_t{0}, mix::tiny},
                                        {n / 2 + 1, mix::tiny},
                                        {n - 1, mix::some},
                                        {n + 5, mix::mixed},
                                        {n - n / 3, mix::mixed}}) {
      CAPTURE(n, some, static_cast<int>(lengths));
      auto const keys = test::random_items<std::uint32_t>(n, test::seed_for(n));
      auto const offsets = random_offsets(n, lengths, 1000, test::seed_for(n));
      std::vector<std::uint32_t> sorted(keys.size(), 7u), in_place = keys;
      auto order = order_in_segments(keys, offsets, sam::engine::min_of(n, some));
      for (std::size_t i = 0; i < order.size(); ++i)
        sorted[i] = in_place[i] = keys[static_cast<std::size_t>(order[i])];
      order.resize(keys.size(), -1);
      auto const there = test::on_backend(keys, 1);
      auto const on_offsets = test::on_backend(offsets);
      auto const segments = sam::by_offsets(on_offsets);
      auto const number = test::on_backend(std::vector<int>{static_cast<int>(some)});
      auto const first = sam::counted(there, number);
      auto out = test::on_backend(std::vector<std::uint32_t>(keys.size(), 7u), 1);
      auto with_values = test::on_backend(std::vector<std::uint32_t>(keys.size(), 7u));
      auto values = test::on_backend(std::vector<index_t>(keys.size(), -1), 1);
      auto indices = test::on_backend(std::vector<index_t>(keys.size(), -1), 1);
      auto same = test::on_backend(keys);
      sam::segmented_radix_sort(context, first, segments, out);
      sam::segmented_radix_sort_pairs(context, first, sam::generated(n, as_it_is{}), segments,
                                      with_values, values);
      sam::segmented_radix_sort(context, sam::counted(same, number), segments, same);
      sam::segmented_radix_argsort(context, first, segments, indices);
      context.wait();
      REQUIRE((out.to_host() == sorted && with_values.to_host() == sorted));
      REQUIRE((same.to_host() == in_place && indices.to_host() == order));
      REQUIRE(values.to_host() == order);
      REQUIRE((out.fences_intact() && values.fences_intact() && indices.fences_intact()));
    }
}
/// Marks what is no index below n.
struct wrong_index {
  static constexpr index_t mark = -9;
  index_t n;
  SAM_FUNCTION index_t operator()(index_t i) const { return 0 <= i && i < n ? i : index_t{mark}; }
};
/// Sorts the first segments, by their number in memory, of which the last ends before the keys do.
template <class Context>
void check_sorts_of_first_segments(Context& context) {
  for (index_t const n : {500, 70'001, 300'007, 1'200'000})
    for (mix const lengths : {mix::tiny, mix::some, mix::mixed}) {
      auto const keys = test::random_items<std::uint32_t>(n, test::seed_for(n));
      auto const offsets = random_offsets(n, lengths, 1000, test::seed_for(n));
      auto const order_of_all = order_in_segments(keys, offsets, n);
      for (index_t const some : {index_t{0}, std::ssize(offsets) / 2, std::ssize(offsets) - 2}) {
        CAPTURE(n, static_cast<int>(lengths), some);
        auto order = order_of_all;
        order.resize(static_cast<std::size_t>(offsets[static_cast<std::size_t>(some)]));
        std::vector<std::uint32_t> sorted;
        for (index_t const i : order)
          sorted.push_back(keys[static_cast<std::size_t>(i)]);
        auto const there = test::on_backend(keys, 1);
        auto const on_offsets = test::on_backend(offsets);
        auto const number = test::on_backend(std::vector<int>{static_cast<int>(some)});
        auto const segments = sam::by_offsets(sam::counted(on_offsets, number));
        auto out = test::on_backend(std::vector<std::uint32_t>(keys.size(), 7u), 1);
        auto with_values = test::on_backend(std::vector<std::uint32_t>(keys.size(), 7u));
        auto values = test::on_backend(std::vector<index_t>(keys.size(), -1), 1);
        auto indices = test::on_backend(std::vector<index_t>(keys.size(), -1), 1);
        auto same = test::on_backend(keys);
        sam::segmented_radix_sort(context, there, segments, out);
        sam::segmented_radix_sort_pairs(context, there, sam::generated(n, as_it_is{}), segments,
                                        with_values, values);
        sam::segmented_radix_sort(context, same, segments, same);
        sam::segmented_radix_argsort(context, there, segments, indices);
        // A function of the output sees no index that the sort has not found.
        auto checked = test::on_backend(std::vector<index_t>(keys.size(), -1), 1);
        sam::segmented_radix_argsort(context, there, segments,
                                     sam::transformed_to(checked, wrong_index{n}));
        context.wait();
        auto const begins_with = [&](auto const& all, auto const& first) {
          auto const found = all.to_host();
          return std::equal(first.begin(), first.end(), found.begin());
        };
        REQUIRE((begins_with(out, sorted) && begins_with(with_values, sorted)));
        REQUIRE((begins_with(same, sorted) && begins_with(indices, order)));
        REQUIRE((begins_with(values, order) && begins_with(checked, order)));
        REQUIRE(std::ranges::count(checked.to_host(), wrong_index::mark) == 0);
        REQUIRE((out.fences_intact() && values.fences_intact() && indices.fences_intact()));
      }
    }
}
TEST_CASE("sorts of segments take as many keys and segments as memory says",
          "[segmented_radix_sort]") {
  auto context = test::each_context();
  check_counted_sorts(context);
  check_sorts_of_first(context);
  check_sorts_of_first_segments(context);
  test::also_like_a_device(context, [](auto& device) {
    check_counted_sorts(device);
    check_sorts_of_first(device);
    check_sorts_of_first_segments(device);
  });
}

TEST_CASE("a context says how much memory a sort of segments takes", "[segmented_radix_sort]") {
  auto const context = test::each_context();
  index_t const n = index_t{1} << 33;
  auto const rows = sam::by_length(1000);
  auto const keys = sam::segmented_radix_sort_workspace<int>(context, n, rows);
  REQUIRE(keys >= n * 4);
  REQUIRE(sam::segmented_radix_sort_workspace<int, double>(context, n, rows) >= n * 12);
  REQUIRE(sam::segmented_radix_argsort_workspace<int, std::int64_t>(context, n, rows) >= n * 16);
  // Offsets are converted to n bits. The segments of one length are as many as the offsets
  // describe, because a GPU also sorts by the number of the segment.
  test::fenced_array<std::int64_t> const offsets(8);
  REQUIRE(sam::segmented_radix_sort_workspace<int>(context, n, sam::by_offsets(offsets)) >=
          sam::segmented_radix_sort_workspace<int>(context, n, sam::by_length(n / 9 + 1)) + n / 8);
  REQUIRE(sam::segmented_radix_sort_workspace<parcel>(context, 100, rows, {}, by_distance{}) <
          1 << 20);
}

/// Checks that sorts hold no more memory than their workspace size. On a device,
/// test_cuda_sort_memory does this.
template <class Threads>
void check_memory_kept(int workers, index_t n, index_t length) {
  auto const seed = test::seed_for(n);
  CAPTURE(workers, n, length, seed);
  auto const keys =
      random_keys<std::uint32_t>(n, shape::random, sam::number_digits<std::uint32_t>{}, seed);
  std::vector<std::uint32_t> sorted(keys.size());
  std::vector<index_t> offsets;
  for (index_t i = 0; i < n; i += length)
    offsets.push_back(i);
  offsets.push_back(n);
  auto const rows = sam::by_length(length);
  auto const pieces = sam::by_offsets(offsets);
  Threads crowd(workers);
  sam::segmented_radix_sort(crowd, keys, rows, sorted);
  auto most = sam::segmented_radix_sort_workspace<std::uint32_t>(crowd, n, rows);
  REQUIRE(crowd.held_bytes() <= most);
  sam::segmented_radix_sort(crowd, keys, pieces, sorted);
  most = std::max(most, sam::segmented_radix_sort_workspace<std::uint32_t>(crowd, n, pieces));
  REQUIRE(crowd.held_bytes() <= most);
}

TEST_CASE("sorts of segments keep no more memory than they say", "[segmented_radix_sort]") {
  if constexpr (test::backend_bytes::on_host)
    for (int const workers : {1, 3})
      for (index_t const n : {0, 100, 30'000, 1'000'003})
        for (index_t const length : {7, 1000, 300'000})
          check_memory_kept<test::threads>(workers, n, length);
}

}  // namespace
