// SPDX-License-Identifier: MIT
// Tests radix sorts against their references.
#include <sam/radix_sort.hpp>

#include "sorting.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace {

using sam::index_t, sam::sort_order;
using test::by_distance, test::by_sign, test::nth_request, test::parcel, test::random_keys,
    test::shape;
using test::shapes, test::sort_case, test::twelve_bytes;

/// The sorts to test and their reference.
struct whole {
  template <class... How>
  void sort(How&&... how) const {
    sam::radix_sort(how...);
  }
  template <class Context, class Keys, class Values, class... How>
  void sort_pairs(Context& context, Keys const& keys, Values const& values, How&&... how) const {
    sam::radix_sort_pairs(context, keys, values, how...);
  }
  template <class... How>
  void argsort(How&&... how) const {
    sam::radix_argsort(how...);
  }
  template <class Key, class Digits>
  std::vector<index_t> order(std::vector<Key> const& keys, Digits digits, int begin,
                             int end) const {
    return sam::reference::radix_argsort<index_t>(keys, digits, begin, end);
  }
};
template <class Key, class Value, class Digits>
using checker = test::sort_checker<Key, Value, Digits, whole>;

/// Returns the sizes at which the host engine changes its algorithm: few items, one thread's, a
/// cache's, more buckets than fit into a cache, and outputs that bypass the caches.
std::set<index_t> sizes_of_items(index_t bytes) {
  using sam::host::tuning;
  std::set<index_t> sizes{0, 1, 2, 100, 1000};
  for (index_t const edge :
       {index_t{24}, index_t{64}, tuning::parallel_bytes / bytes, tuning::sorted_bytes / bytes})
    for (index_t const n : {edge - 1, edge, edge + 1})
      sizes.insert(n);
  sizes.insert(tuning::sorted_streaming_bytes / bytes + 7);
  return sizes;
}

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
      check(context, checker<Key, Value, Digits>(keys, digits, asked, seed, {}));
    }
}

TEMPLATE_TEST_CASE("radix sorts equal their reference", "[radix_sort]",
                   (sort_case<std::uint8_t, sam::no_values>),
                   (sort_case<std::int16_t, twelve_bytes>),
                   (sort_case<std::uint32_t, sam::no_values>), (sort_case<float, std::uint32_t>),
                   (sort_case<std::int64_t, sam::no_values>), (sort_case<double, std::uint8_t>),
                   (sort_case<std::uint32_t, sam::no_values, by_sign>),
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

/// Digits with state, without default constructor and assignment, like a lambda with a capture.
class xored {
 public:
  explicit xored(std::uint32_t mask) : mask_(mask) {}
  SAM_FUNCTION std::uint32_t operator()(std::uint32_t const& x) const { return x ^ mask_; }

 private:
  std::uint32_t const mask_;
};

TEST_CASE("digits need no default constructor and no assignment", "[radix_sort]") {
  using key = std::uint32_t;
  auto context = test::each_context();
  xored const digits(0x80000fff);
  for (index_t const n : {30, 5000, 100'000}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const keys = random_keys<key>(n, shape::random, digits, seed);
    checker<key, key, xored> const checks(keys, digits, {}, seed, {});
    checks.run_all(context);
    checks.argsort<key>(context);
  }
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

#ifdef SAM_HAS_FLOAT16
#ifdef SAM_HAS_BFLOAT16
using floats_of_16_bits = std::tuple<sam::detail::float16, sam::detail::bfloat16>;
#else
using floats_of_16_bits = std::tuple<sam::detail::float16>;
#endif

TEMPLATE_LIST_TEST_CASE("floats of 16 bits are in IEEE 754's total order", "[radix_sort]",
                        floats_of_16_bits) {
  auto const value = [](float x) { return static_cast<TestType>(x); };
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  auto const infinity = std::numeric_limits<float>::infinity();
  std::vector<TestType> const ascending{value(-nan),  value(-infinity), value(-1),
                                        value(-0.0F), value(0),         value(0.5F),
                                        value(2),     value(infinity),  value(nan)};
  sam::number_digits<TestType> const image;
  for (std::size_t i = 1; i < ascending.size(); ++i)
    REQUIRE(image(ascending[i - 1]) < image(ascending[i]));
  auto context = test::each_context();
  for (index_t const n : {9, 1000, 100'003}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto keys = random_keys<TestType>(n, shape::random, image, seed);
    std::copy(ascending.rbegin(), ascending.rend(), keys.begin());
    checker<TestType, std::uint32_t, sam::detail::natural_digits> const pairs(keys, {}, {}, seed,
                                                                              {});
    pairs.run_all(context);
    pairs.template argsort<std::uint32_t>(context);
    checker<TestType, sam::no_values, sam::detail::natural_digits>(
        keys, {}, {sort_order::descending, {}}, seed, {})
        .run_all(context);
  }
}

#endif

TEST_CASE("ordered keys of numbers have their order, and determine the numbers", "[radix_sort]") {
  auto const rise = [](auto... numbers) {
    using T = std::common_type_t<decltype(numbers)...>;
    std::vector<T> const all{numbers...};
    sam::number_digits<T> const image;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (image(all[i - 1]) >= image(all[i]))
        return false;
    for (T const& number : all)
      if (T const same = image.key_of(image(number)); std::memcmp(&same, &number, sizeof(T)) != 0)
        return false;
    return true;
  };
  REQUIRE(rise(false, true));
  REQUIRE(rise(std::int8_t(-128), std::int8_t(-1), std::int8_t(0), std::int8_t(127)));
  REQUIRE(rise(std::uint8_t(0), std::uint8_t(127), std::uint8_t(128), std::uint8_t(255)));
  REQUIRE(rise(sam::engine::lowest_of<std::int64_t>, std::int64_t{-1}, std::int64_t{0},
               sam::engine::highest_of<std::int64_t>));
  REQUIRE(rise(-1e300, -1e-300, -0.0, 0.0, 1e-300, 1e300));
#ifdef __SIZEOF_INT128__
  using wide = sam::detail::int128;
  REQUIRE(rise(sam::engine::lowest_of<wide>, wide(-1), wide(0), wide(1) << 64,
               sam::engine::highest_of<wide>));
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
      checker<key, sam::no_values, sam::detail::natural_digits>(keys, {}, {}, seed, {})
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

/// A value that sorts on devices gather, since it exceeds 16 bytes.
struct wide {
  std::uint32_t index;
  std::uint32_t others[5];
};
std::vector<std::uint32_t> indices_of(std::vector<wide> const& values, index_t count) {
  std::vector<std::uint32_t> indices;
  for (index_t i = 0; i < count; ++i) {
    wide const& x = values[static_cast<std::size_t>(i)];
    indices.push_back(x.others[4] == x.index * 7 ? x.index : ~0u);
  }
  return indices;
}
template <class Context>
void check_wide_values(Context& context, index_t n) {
  auto const keys = random_keys<std::uint32_t>(
      n, shape::random, sam::number_digits<std::uint32_t>{}, test::seed_for(n));
  std::vector<std::uint32_t> tied;
  for (auto const key : keys)
    tied.push_back(key % 1000);
  std::vector<wide> values(keys.size());
  for (std::uint32_t i = 0; i < values.size(); ++i)
    values[i] = {i, {1, 2, 3, 4, i * 7}};
  auto const digits = sam::number_digits<std::uint32_t>{};
  auto const order = sam::reference::radix_argsort<std::uint32_t>(tied, digits, 0, 32);
  auto const sorted = sam::reference::in_order(tied, order);
  auto const in = test::on_backend(tied, 1);
  auto const moved = test::on_backend(values, 1);
  test::fenced_array<std::uint32_t> out(n, 1), spare_keys(n);
  test::fenced_array<wide> values_out(n, 1), spare_values(n);
  auto const check = [&](auto const& of_keys, auto const& of_values) {
    context.wait();
    REQUIRE(of_keys.to_host() == sorted);
    REQUIRE(indices_of(of_values.to_host(), n) == order);
    REQUIRE((of_keys.fences_intact() && of_values.fences_intact()));
  };
  sam::radix_sort_pairs(context, in, moved, out, values_out);
  check(out, values_out);
  auto own_keys = test::on_backend(tied), other_keys = test::on_backend(tied);
  auto own = test::on_backend(values), other = test::on_backend(values);
  sam::radix_sort_pairs(context, own_keys, own, own_keys, own);
  check(own_keys, own);
  sam::sort_options<std::uint32_t, wide> const brings{.spare_keys = test::as_span(spare_keys),
                                                      .spare_values = test::as_span(spare_values)};
  sam::radix_sort_pairs(context, other_keys, other, other_keys, other, brings);
  check(other_keys, other);
  auto const few = test::on_backend(std::vector<index_t>{n / 2});
  std::vector<std::uint32_t> const half(tied.begin(), tied.begin() + n / 2);
  auto const first = sam::reference::radix_argsort<std::uint32_t>(half, digits, 0, 32);
  auto counted_keys = test::on_backend(tied);
  auto counted_values = test::on_backend(values);
  sam::radix_sort_pairs(context, sam::counted(counted_keys, few), counted_values, counted_keys,
                        counted_values);
  context.wait();
  auto const left = counted_values.to_host();
  REQUIRE(indices_of(left, n / 2) == first);
  for (auto i = static_cast<std::size_t>(n / 2); i < values.size(); ++i)
    REQUIRE(left[i].index == i);
}

TEST_CASE("values of any size move with their keys", "[radix_sort]") {
  auto context = test::each_context();
  for (index_t const n : {index_t{0}, index_t{1}, index_t{1000}, index_t{70'001}}) {
    check_wide_values(context, n);
    test::also_like_a_device(context, [&](auto& device) {
      check_wide_values(device, n);
      test::like_a_device fresh;
      std::vector<std::uint32_t> keys(static_cast<std::size_t>(n));
      std::vector<wide> values(keys.size());
      sam::radix_sort_pairs(fresh, keys, values, keys, values);
      REQUIRE(fresh.held_bytes() <= sam::radix_sort_workspace<std::uint32_t, wide>(fresh, n));
    });
  }
}

/// Checks that sorts hold no more memory than their workspace size. On a device,
/// test_cuda_sort_memory does this.
template <class Threads>
void check_memory_kept(int workers, index_t n) {
  auto const seed = test::seed_for(n);
  CAPTURE(workers, n, seed);
  auto const keys =
      random_keys<std::uint32_t>(n, shape::random, sam::number_digits<std::uint32_t>{}, seed);
  std::vector<std::uint32_t> sorted(keys.size());
  std::vector<std::uint64_t> values(keys.size()), sorted_values(keys.size());
  Threads crowd(workers);
  sam::radix_sort(crowd, keys, sorted);
  auto most = sam::radix_sort_workspace<std::uint32_t>(crowd, n);
  REQUIRE(crowd.held_bytes() <= most);
  sam::radix_sort_pairs(crowd, keys, values, sorted, sorted_values);
  most = std::max(most, sam::radix_sort_workspace<std::uint32_t, std::uint64_t>(crowd, n));
  REQUIRE(crowd.held_bytes() <= most);
  sam::radix_argsort(crowd, keys, sorted_values);
  most = std::max(most, sam::radix_argsort_workspace<std::uint32_t, std::uint64_t>(crowd, n));
  REQUIRE(crowd.held_bytes() <= most);
}

/// Sorts so many keys, by so few buckets, that workers claim several parts of a split.
template <class Threads>
void check_claimed_parts(index_t n) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed);
  auto const keys =
      random_keys<std::uint32_t>(n, shape::random, sam::number_digits<std::uint32_t>{}, seed);
  std::vector<std::uint32_t> sorted(keys.size()), order(keys.size()), wanted(keys.size());
  Threads crowd(3);
  auto const bits = std::exchange(sam::host::tuned.usual_split_bits, 8);
  sam::radix_argsort(crowd, keys, order);
  sam::radix_sort(crowd, keys, sorted);
  sam::host::tuned.usual_split_bits = bits;
  std::iota(wanted.begin(), wanted.end(), 0u);
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  REQUIRE(order == wanted);
  for (std::size_t i = 0; i < keys.size(); ++i)
    wanted[i] = keys[order[i]];
  REQUIRE(sorted == wanted);
}

TEST_CASE("workers claim several parts of many items", "[radix_sort]") {
  if constexpr (test::backend_bytes::on_host)
    check_claimed_parts<test::threads>(1'000'003);
}

TEST_CASE("sorts keep no more memory than they say", "[radix_sort]") {
  if constexpr (test::backend_bytes::on_host)
    for (int const workers : {1, 3})
      for (index_t const n : {0, 100, 30'000, 1'000'003})
        check_memory_kept<test::threads>(workers, n);
}

/// Runs workers one after the other on the caller's thread, and counts the parallel regions.
struct counted_regions {
  int count;
  int regions = 0;
  int workers() const { return count; }
  template <class Work>
  void for_each_worker(int number, Work const& work) {
    ++regions;
    for (int w = 0; w < number; ++w)
      work(w);
  }
};
struct rows {
  index_t length;
  index_t next(index_t i, index_t end) const { return std::min(end, (i / length + 1) * length); }
};

TEST_CASE("the number of parallel regions does not grow with that of large buckets or segments",
          "[radix_sort]") {
  using key = std::uint64_t;
  if constexpr (test::backend_bytes::on_host) {
    constexpr index_t cached = sam::host::tuning::sorted_bytes / index_t{sizeof(key)};
    constexpr index_t row = cached + cached / 4, buckets = 64, n = buckets * row;
    test::generator bits(test::seed_for(n));
    std::vector<key> keys, sorted(n);
    for (index_t i = 0; i < n; ++i)  // all 64 buckets have keys, and none fits into a cache
      keys.push_back(bits() >> 8 | (bits() % buckets) << 58);
    auto wanted = keys;
    std::sort(wanted.begin(), wanted.end());
    using digits = sam::flipped_digits<sam::number_digits<key>>;
    sam::engine::sort_job<key, sam::no_values, digits> const job{
        n, keys.data(), sorted.data(), nullptr, nullptr, nullptr, nullptr, {{}, 0}, 0, 64};
    for (int const workers : {1, 2, 3, 12}) {
      CAPTURE(workers);
      sam::host::workspace memory;
      counted_regions whole{workers}, segments{workers};
      sam::host::sort(sam::host::any_pool(whole), memory, job);
      REQUIRE(test::differences(sorted, wanted) == "");
      REQUIRE(whole.regions <= 4);
      sam::host::segmented_sort(sam::host::any_pool(segments), memory, job, rows{row});
      for (index_t i = 0; i < n; i += row)
        REQUIRE(std::is_sorted(sorted.begin() + i, sorted.begin() + i + row));
      REQUIRE(segments.regions <= 2);
    }
  }
}

TEST_CASE("facts in the type of options change no result, and must be true", "[radix_sort]") {
  using key = std::uint32_t;
  constexpr sam::sort_facts known{.all_bits = true, .few = true};
  auto context = test::each_context();
  for (index_t const n : {0, 1, 1000, 70'001}) {
    auto const seed = test::seed_for(n);
    CAPTURE(n, seed);
    auto const keys = random_keys<key>(n, shape::random, sam::number_digits<key>{}, seed);
    auto wanted = keys;
    std::sort(wanted.begin(), wanted.end(), std::greater<>{});
    auto const in = test::on_backend(keys);
    test::fenced_array<key> out(n), pairs_out(n), values(n), order(n);
    sam::sort_options<key, sam::no_values, known> const how{.order = sort_order::descending};
    sam::radix_sort(context, in, out, how);
    sam::sort_options<key, key, known> const pairs{.order = sort_order::descending};
    sam::radix_sort_pairs(context, in, in, pairs_out, values, pairs);
    sam::radix_argsort(context, in, order, pairs);
    context.wait();
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    REQUIRE(test::differences(pairs_out.to_host(), wanted) == "");
    REQUIRE(test::differences(values.to_host(), wanted) == "");
    for (key const at : order.to_host())
      REQUIRE(at < static_cast<key>(n));
  }
  sam::sort_options<key, sam::no_values, known> lies{.bits = {1, 32}};
  REQUIRE_THROWS_AS(sam::radix_sort_workspace<key>(context, 10, lies), sam::invalid_argument);
  lies.bits = {};
  REQUIRE_THROWS_AS(sam::radix_sort_workspace<key>(context, index_t{1} << 30, lies),
                    sam::invalid_argument);
  REQUIRE(sam::radix_sort_workspace<key>(context, (index_t{1} << 30) - 1, lies) > 0);
}

}  // namespace
