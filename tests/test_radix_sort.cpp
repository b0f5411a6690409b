// SPDX-License-Identifier: MIT
#include <sam/radix_sort.hpp>

#include "support.hpp"

#include <limits>
#include <set>

namespace {

using sam::index_t, sam::sort_order;

struct twelve_bytes {
  std::uint32_t at[3];
};

/// A key that no radix sort knows by itself, of a size that does not divide a line.
struct parcel {
  std::uint16_t to, from;
  float weight;
  std::uint32_t id;
};
/// Sorts parcels by a number that depends on two of their members and on a state.
struct by_distance {
  std::uint16_t from_where;
  SAM_FUNCTION std::uint16_t operator()(parcel const& p) const {
    return static_cast<std::uint16_t>(p.to + p.from - from_where);
  }
};

/// How keys lie, and how many are equal in how many bits.
enum class shape { random, five_keys, sorted, reversed, equal, narrow, skewed };
constexpr shape shapes[] = {shape::random, shape::five_keys, shape::sorted, shape::reversed,
                            shape::equal,  shape::narrow,    shape::skewed};

template <class T>
T random_bytes(test::generator& bits, std::size_t count = sizeof(T)) {
  unsigned char bytes[sizeof(T)] = {};
  for (std::size_t k = 0; k < count; ++k)
    bytes[k] = static_cast<unsigned char>(bits() >> 11);
  T x;
  std::memcpy(static_cast<void*>(&x), bytes, sizeof(T));
  return x;
}

template <class Key, class Digits>
std::vector<Key> random_keys(index_t n, shape kind, Digits digits, std::uint64_t seed) {
  test::generator bits(seed);
  std::vector<Key> keys, five(5);
  for (Key& key : five)
    key = random_bytes<Key>(bits);
  constexpr std::size_t half = (sizeof(Key) + 1) / 2;
  for (index_t i = 0; i < n; ++i)
    if (kind == shape::five_keys)
      keys.push_back(five[bits() % 5]);
    else if (kind == shape::equal)
      keys.push_back(five[0]);
    else if (kind == shape::narrow || (kind == shape::skewed && bits() % 4 != 0))
      keys.push_back(random_bytes<Key>(bits, half));  // the last bytes are the first digits
    else
      keys.push_back(random_bytes<Key>(bits));
  if (kind == shape::sorted || kind == shape::reversed) {
    auto const order = sam::reference::radix_argsort<index_t>(
        keys, digits, 0, 8 * static_cast<int>(sizeof(digits(keys[0]))));
    keys = sam::reference::in_order(keys, order);
    if (kind == shape::reversed)
      std::reverse(keys.begin(), keys.end());
  }
  return keys;
}

/// What is asked beside the arrays.
struct request {
  sort_order order = sort_order::ascending;
  sam::bit_range bits = {};
};

/// What is expected of the keys and of the values, and how to sort them.
template <class Key, class Value, class Digits>
class checker {
  static constexpr bool has_values = !std::is_same_v<Value, sam::no_values>;
  template <class T>
  using array = test::fenced_array<T>;
  using options = sam::sort_options<Key, Value>;

 public:
  checker(std::vector<Key> const& keys, Digits digits, request const& asked, std::uint64_t seed)
      : keys_(keys), digits_(digits), asked_(asked) {
    auto const images = sam::detail::digits_for<Key>(digits);
    using image = typename decltype(images)::image;
    auto const [order, bits] = asked;
    sam::flipped_digits<std::remove_const_t<decltype(images)>> const flipped{
        images, static_cast<image>(order == sort_order::descending ? ~image(0) : image(0))};
    order_ = sam::reference::radix_argsort<index_t>(
        keys, flipped, bits.begin, bits.end == sam::bit_range::last ? images.bits : bits.end);
    sorted_keys_ = sam::reference::in_order(keys, order_);
    if constexpr (has_values) {
      test::generator random(seed);
      for (std::size_t i = 0; i < keys.size(); ++i)
        values_.push_back(random_bytes<Value>(random));
      sorted_values_ = sam::reference::in_order(values_, order_);
    }
  }

  template <class Context>
  void run_all(Context& context) const {
    for (bool const spare : {false, true}) {
      CAPTURE(spare);
      apart(context, spare);
      in_place(context, spare);
    }
    if constexpr (has_values)
      keys_in_place(context);
  }

  template <class Index, class Context>
  void argsort(Context& context) const {
    auto const keys = test::on_backend(keys_, 1);
    array<Index> out(n(), 3);
    sam::radix_argsort(context, keys, out, digits_,
                       sam::sort_options<Key, Index>{asked_.order, asked_.bits, {}, {}});
    context.wait();
    REQUIRE(test::differences(out.to_host(), std::vector<Index>(order_.begin(), order_.end())) ==
            "");
    REQUIRE(out.fences_intact());
    REQUIRE(test::differences(keys.to_host(), keys_) == "");
  }

 private:
  index_t n() const { return static_cast<index_t>(keys_.size()); }

  template <class Context>
  void apart(Context& context, bool with_spare) const {
    auto const in = test::on_backend(keys_, 1);
    array<Key> out(n(), with_spare ? 0 : 3);
    auto values = test::on_backend(values_, 3);
    array<Value> values_out(has_values ? n() : 0, 1);
    sort(context, in, values, out, values_out, with_spare);
    check(out, values_out);
    REQUIRE(test::differences(in.to_host(), keys_) == "");
    if constexpr (has_values)
      REQUIRE(test::differences(values.to_host(), values_) == "");
  }
  template <class Context>
  void in_place(Context& context, bool with_spare) const {
    auto keys = test::on_backend(keys_, 1);
    auto values = test::on_backend(values_, 1);
    sort(context, keys, values, keys, values, with_spare);
    check(keys, values);
  }
  template <class Context>
  void keys_in_place(Context& context) const {
    auto keys = test::on_backend(keys_, 2);
    auto const values = test::on_backend(values_, 1);
    array<Value> values_out(n());
    sort(context, keys, values, keys, values_out, false);
    check(keys, values_out);
  }

  template <class Context, class Keys, class Values>
  void sort(Context& context, Keys& keys, Values& values, array<Key>& out, array<Value>& values_out,
            bool with_spare) const {
    array<Key> spare_keys(with_spare ? n() + 1 : 0, 1);
    array<Value> spare_values(with_spare && has_values ? n() : 0, 3);
    options const how{asked_.order, asked_.bits, test::as_span(spare_keys),
                      test::as_span(spare_values)};
    constexpr bool natural = std::is_same_v<Digits, sam::detail::natural_digits>;
    if constexpr (has_values && natural)
      sam::radix_sort_pairs(context, keys, values, out, values_out, how);
    else if constexpr (has_values)
      sam::radix_sort_pairs(context, keys, values, out, values_out, digits_, how);
    else if constexpr (natural)
      sam::radix_sort(context, keys, out, how);
    else
      sam::radix_sort(context, keys, out, digits_, how);
    context.wait();
    REQUIRE((spare_keys.fences_intact() && spare_values.fences_intact()));
  }

  void check(array<Key> const& keys, array<Value> const& values) const {
    REQUIRE(test::differences(keys.to_host(), sorted_keys_) == "");
    REQUIRE(keys.fences_intact());
    if constexpr (has_values) {
      REQUIRE(test::differences(values.to_host(), sorted_values_) == "");
      REQUIRE(values.fences_intact());
    }
  }

  std::vector<Key> keys_, sorted_keys_;
  std::vector<Value> values_, sorted_values_;
  std::vector<index_t> order_;
  Digits digits_;
  request asked_;
};

/// Where the host engine changes what it does: few items, one thread's, a cache's, more buckets
/// that do not fit in one, and what bypasses the caches.
std::set<index_t> sizes_of_items(index_t bytes) {
  using sam::host::tuning;
  std::set<index_t> sizes{0, 1, 2, 100, 1000};
  for (index_t const edge :
       {index_t{24}, tuning::parallel_bytes / bytes, tuning::sorted_bytes / bytes})
    for (index_t const n : {edge - 1, edge, edge + 1})
      sizes.insert(n);
  sizes.insert(tuning::sorted_streaming_bytes / bytes + 7);
  return sizes;
}

/// Bits of a key with so many, and an order: the n-th of a few.
request nth_request(int n, int bits) {
  using sam::bit_range;
  bit_range const ranges[] = {
      {}, {bits / 2, bits - 1}, {}, {0, bits / 2 + 1}, {bits / 3, bits / 3 + 1},
      {}, {bits / 2, bits / 2}};
  return {n % 2 == 0 ? sort_order::ascending : sort_order::descending, ranges[n % 7]};
}

template <class Key, class Value, class Digits = sam::detail::natural_digits>
struct sort_case {
  using key = Key;
  using value = Value;
  using digits = Digits;
};

template <class Key, class Value, class Digits, class Context, class Check>
void for_each_case(Context& context, std::set<index_t> const& sizes, Digits digits, Check check) {
  int turn = 0;
  auto const images = sam::detail::digits_for<Key>(digits);
  for (index_t const n : sizes)
    for (shape const kind : shapes) {
      ++turn;
      if (n > 1000 && n % 2 == 0 && kind != shape::random)
        continue;
      if (n == *sizes.rbegin() && kind != shape::random && kind != shape::skewed)
        continue;
      auto const seed = test::seed_for(n);
      auto const asked = nth_request(turn, images.bits);
      CAPTURE(n, static_cast<int>(kind), seed, sizeof(Key), sizeof(Value),
              static_cast<int>(asked.order), asked.bits.begin, asked.bits.end);
      auto const keys = random_keys<Key>(n, kind, images, seed);
      check(context, checker<Key, Value, Digits>(keys, digits, asked, seed));
    }
}

TEMPLATE_TEST_CASE("radix sorts equal their reference", "[radix_sort]",
                   (sort_case<std::uint8_t, sam::no_values>),
                   (sort_case<std::int16_t, twelve_bytes>),
                   (sort_case<std::uint32_t, sam::no_values>), (sort_case<float, std::uint32_t>),
                   (sort_case<std::int64_t, sam::no_values>), (sort_case<double, std::uint8_t>),
                   (sort_case<parcel, sam::no_values, by_distance>)) {
  using key = typename TestType::key;
  using value = typename TestType::value;
  using digits = typename TestType::digits;
  constexpr bool has_values = !std::is_same_v<value, sam::no_values>;
  auto const sizes = sizes_of_items(index_t{sizeof(key) + (has_values ? sizeof(value) : 0)});
  auto context = test::each_context();
  auto const check = [](auto& where, auto const& checks) { checks.run_all(where); };
  digits by{};
  if constexpr (std::is_same_v<digits, by_distance>)
    by.from_where = 1000;
  for_each_case<key, value>(context, sizes, by, check);
  test::also_on_threads(context, [&](auto& crowd) {
    for_each_case<key, value>(crowd, {*sizes.rbegin()}, by, check);
  });
}

TEMPLATE_TEST_CASE("argsorts equal their reference", "[radix_sort]",
                   (sort_case<double, std::uint32_t>), (sort_case<std::uint16_t, std::int64_t>)) {
  using key = typename TestType::key;
  using index = typename TestType::value;
  auto const sizes = sizes_of_items(sizeof(key) + sizeof(index));
  auto context = test::each_context();
  auto const check = [](auto& where, auto const& checks) { checks.template argsort<index>(where); };
  sam::detail::natural_digits const natural;
  for_each_case<key, sam::no_values>(context, sizes, natural, check);
  test::also_on_threads(context, [&](auto& crowd) {
    for_each_case<key, sam::no_values>(crowd, {*sizes.rbegin()}, natural, check);
  });
}

TEST_CASE("floats are in IEEE 754's total order, whichever way", "[radix_sort]") {
  auto const infinity = std::numeric_limits<float>::infinity();
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  auto const least = std::numeric_limits<float>::denorm_min();
  std::vector<float> const ascending{-nan, -infinity, -1, -least,   -0.0f,
                                     0.0f, least,     1,  infinity, nan};
  std::vector<float> const descending(ascending.rbegin(), ascending.rend());
  auto context = test::each_context();
  auto const items = test::on_backend(
      std::vector<float>{0.0f, nan, 1, -least, -0.0f, infinity, -nan, least, -1, -infinity});
  test::fenced_array<float> out(10);
  sam::radix_sort(context, items, out);
  context.wait();
  REQUIRE(test::differences(out.to_host(), ascending) == "");
  sam::radix_sort(context, items, out, {.order = sort_order::descending});
  context.wait();
  REQUIRE(test::differences(out.to_host(), descending) == "");
}

TEST_CASE("numbers of any kind have images in their order", "[radix_sort]") {
  auto const rise = [](auto... numbers) {
    using T = std::common_type_t<decltype(numbers)...>;
    std::vector<T> const all{numbers...};
    sam::number_digits<T> const image;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (image(all[i - 1]) >= image(all[i]))
        return false;
    return true;
  };
  REQUIRE(rise(false, true));
  REQUIRE(rise(std::int8_t(-128), std::int8_t(-1), std::int8_t(0), std::int8_t(127)));
  REQUIRE(rise(std::uint8_t(0), std::uint8_t(127), std::uint8_t(128), std::uint8_t(255)));
  REQUIRE(rise(sam::lowest_of<std::int64_t>, std::int64_t{-1}, std::int64_t{0},
               sam::highest_of<std::int64_t>));
  REQUIRE(rise(-1e300, -1e-300, -0.0, 0.0, 1e-300, 1e300));
#ifdef __SIZEOF_INT128__
  using wide = sam::detail::int128;
  REQUIRE(rise(sam::lowest_of<wide>, wide(-1), wide(0), wide(1) << 64, sam::highest_of<wide>));
#endif
}

#ifdef __SIZEOF_INT128__
TEST_CASE("integers of 128 bits are sorted", "[radix_sort]") {
  using key = sam::detail::int128;
  auto context = test::each_context();
  for (index_t const n : {30, 70'000})
    for (shape const kind : shapes) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(kind), seed);
      auto const keys = random_keys<key>(n, kind, sam::number_digits<key>{}, seed);
      checker<key, sam::no_values, sam::detail::natural_digits>(keys, {}, {}, seed)
          .run_all(context);
    }
}
#endif

TEST_CASE("a context says how much memory a sort takes", "[radix_sort]") {
  auto const context = test::each_context();
  index_t const n = index_t{1} << 33;
  auto const keys = sam::radix_sort_workspace<int>(context, n);
  auto const pairs = sam::radix_sort_workspace<int, double>(context, n);
  REQUIRE(keys >= n * 4);
  REQUIRE(pairs >= n * 12);
  REQUIRE(pairs < n * 13);
  REQUIRE(sam::radix_argsort_workspace<int, std::int64_t>(context, n) >= pairs + n * 4);
  REQUIRE(sam::radix_sort_workspace<parcel>(context, 100, {}, by_distance{}) < 1 << 20);
  REQUIRE(sam::radix_sort_workspace<int>(context, 0) < 1 << 20);

  test::fenced_array<int> spare(100'000);
  sam::sort_options<int> const brings{.spare_keys = test::as_span(spare)};
  REQUIRE(sam::radix_sort_workspace<int>(context, 100'000, brings) + 100'000 * 4 <=
          sam::radix_sort_workspace<int>(context, 100'000) + 1000);
}

}  // namespace
