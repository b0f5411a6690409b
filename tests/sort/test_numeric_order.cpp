// SPDX-License-Identifier: MIT
// Tests sorts of floats in numeric order: against std::stable_sort, of all float types, in
// segments, by some bits.
#include <sam/segmented_radix_sort.hpp>

#include "float_keys.hpp"
#include "support.hpp"

namespace {

using sam::index_t, sam::sort_order;
using test::of_specials, test::request_for_floats;

/// Checks all forms of a sort of these keys, with values, against the expected result.
template <class Key, class Value>
class checker {
 public:
  checker(std::vector<Key> const& keys, std::vector<index_t> const& offsets,
          request_for_floats const& asked)
      : keys_(keys), offsets_(offsets), asked_(asked),
        order_(test::numeric_order(keys, offsets, asked)),
        sorted_keys_(sam::reference::in_order(keys, order_)) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      values_.push_back(static_cast<Value>(7 * i));
    sorted_values_ = sam::reference::in_order(values_, order_);
  }

  template <class Context>
  void check_all(Context& context) const {
    for (bool const in_place : {false, true}) {
      CAPTURE(in_place);
      check_keys(context, in_place);
      check_pairs(context, in_place);
    }
    check_order(context);
  }

 private:
  bool are_all() const { return offsets_.size() == 2; }
  index_t n() const { return static_cast<index_t>(keys_.size()); }
  template <class Other>
  sam::sort_options<Key, Other> options() const {
    return {.order = asked_.order, .bits = asked_.bits, .floats = sam::float_order::numeric};
  }

  template <class Context>
  void check_keys(Context& context, bool in_place) const {
    auto keys = test::on_backend(keys_, 1);
    auto const offsets = test::on_backend(offsets_);
    test::fenced_array<Key> other(n(), 3);
    auto& out = in_place ? keys : other;
    if (are_all())
      sam::radix_sort(context, keys, out, options<sam::no_values>());
    else
      sam::segmented_radix_sort(context, keys, sam::by_offsets(offsets), out,
                                options<sam::no_values>());
    context.wait();
    REQUIRE(test::differences(out.to_host(), sorted_keys_) == "");
    REQUIRE((keys.fences_intact() && other.fences_intact()));
    if (!in_place)
      REQUIRE(test::differences(keys.to_host(), keys_) == "");
  }

  template <class Context>
  void check_pairs(Context& context, bool in_place) const {
    auto keys = test::on_backend(keys_);
    auto values = test::on_backend(values_, 1);
    auto const offsets = test::on_backend(offsets_);
    test::fenced_array<Key> keys_out(n());
    test::fenced_array<Value> values_out(n());
    auto& sorted = in_place ? keys : keys_out;
    if (are_all())
      sam::radix_sort_pairs(context, keys, values, sorted, values_out, options<Value>());
    else
      sam::segmented_radix_sort_pairs(context, keys, values, sam::by_offsets(offsets), sorted,
                                      values_out, options<Value>());
    context.wait();
    REQUIRE(test::differences(sorted.to_host(), sorted_keys_) == "");
    REQUIRE(test::differences(values_out.to_host(), sorted_values_) == "");
    REQUIRE(test::differences(values.to_host(), values_) == "");
  }

  template <class Context>
  void check_order(Context& context) const {
    auto const keys = test::on_backend(keys_);
    auto const offsets = test::on_backend(offsets_);
    test::fenced_array<std::uint32_t> out(n());
    if (are_all())
      sam::radix_argsort(context, keys, out, options<std::uint32_t>());
    else
      sam::segmented_radix_argsort(context, keys, sam::by_offsets(offsets), out,
                                   options<std::uint32_t>());
    context.wait();
    REQUIRE(test::differences(out.to_host(),
                              std::vector<std::uint32_t>(order_.begin(), order_.end())) == "");
    REQUIRE(test::differences(keys.to_host(), keys_) == "");
  }

  std::vector<Key> const& keys_;
  std::vector<index_t> const& offsets_;
  request_for_floats asked_;
  std::vector<index_t> order_;
  std::vector<Key> sorted_keys_;
  std::vector<Value> values_, sorted_values_;
};

/// Returns offsets of segments of up to 2000 items, some of them empty.
std::vector<index_t> some_offsets(index_t n, std::uint64_t seed) {
  test::generator bits(seed);
  std::vector<index_t> offsets{0, 0};
  while (offsets.back() < n)
    offsets.push_back(sam::engine::min_of(n, offsets.back() + static_cast<index_t>(bits() % 2001)));
  return offsets;
}

template <class Key, class Value>
struct floats_with {
  using key = Key;
  using value = Value;
};
template <class... Own>
auto cases_with(std::tuple<Own...> const&) {
  return std::tuple<floats_with<float, std::uint32_t>, floats_with<double, std::uint8_t>
#ifdef SAM_HAS_FLOAT16
                    ,
                    floats_with<sam::detail::float16, std::uint64_t>
#endif
#ifdef SAM_HAS_BFLOAT16
                    ,
                    floats_with<sam::detail::bfloat16, std::uint16_t>
#endif
                    ,
                    floats_with<Own, std::uint64_t>...>();
}
using cases = decltype(cases_with(test::backend_bytes::own_floats()));

TEMPLATE_LIST_TEST_CASE("floats are in numeric order, and equal ones stay in theirs",
                        "[radix_sort]", cases) {
  using key = typename TestType::key;
  auto context = test::each_context();
  constexpr int bits = 8 * sizeof(key);
  request_for_floats const requests[] = {{sort_order::ascending, {}},
                                         {sort_order::descending, {}},
                                         {sort_order::ascending, {bits / 2, bits}},
                                         {sort_order::descending, {1, bits - 2}},
                                         {sort_order::ascending, {0, bits / 2 - 1}},
                                         {sort_order::descending, {3, 3}}};
  int turn = 0;
  for (index_t const n : {0, 1, 2, 60, 3000, 40'000, 300'003})
    for (auto const specials : {of_specials::none, of_specials::one, of_specials::many,
                                of_specials::all_zeros, of_specials::all_nans}) {
      if (n > 100'000 && specials != of_specials::many)
        continue;
      auto const seed = test::seed_for(n);
      auto const asked = requests[turn++ % 6];
      CAPTURE(n, static_cast<int>(specials), seed, static_cast<int>(asked.order), asked.bits.begin,
              asked.bits.end);
      auto const keys = test::float_keys<key>(n, specials, seed);
      for (bool const in_segments : {false, true}) {
        auto const offsets = in_segments ? some_offsets(n, seed) : std::vector<index_t>{0, n};
        checker<key, typename TestType::value> const checks(keys, offsets, asked);
        checks.check_all(context);
        if (n >= 3000 && specials == of_specials::many)
          test::also_on_threads(context, [&](auto& crowd) {
            checks.check_all(crowd);
            if constexpr (std::is_same_v<key, double>) {
              test::plain_threads others(test::several);
              checks.check_all(others);
            }
          });
      }
    }
}

TEST_CASE("numeric order is the one of numpy's stable sort", "[radix_sort]") {
  auto const infinity = std::numeric_limits<float>::infinity();
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  auto const least = std::numeric_limits<float>::denorm_min();
  std::vector<float> const keys{0.0F,     -nan, 1,    -least,    -0.0F,
                                infinity, nan,  0.0F, -infinity, least};
  std::vector<float> const up{-infinity, -least, 0.0F, -0.0F, 0.0F, least, 1, infinity, -nan, nan};
  std::vector<float> const down{-nan, nan,   infinity, 1,      least,
                                0.0F, -0.0F, 0.0F,     -least, -infinity};
  auto context = test::each_context();
  auto const in = test::on_backend(keys);
  test::fenced_array<float> out(10);
  sam::radix_sort(context, in, out, {.floats = sam::float_order::numeric});
  context.wait();
  REQUIRE(test::differences(out.to_host(), up) == "");
  sam::radix_sort(context, in, out,
                  {.order = sort_order::descending, .floats = sam::float_order::numeric});
  context.wait();
  REQUIRE(test::differences(out.to_host(), down) == "");
}

TEST_CASE("integers have one order, and digits say theirs", "[radix_sort]") {
  auto context = test::each_context();
  auto const in = test::on_backend(std::vector<std::int32_t>{3, -1, 2});
  test::fenced_array<std::int32_t> out(3);
  sam::radix_sort(context, in, out, {.floats = sam::float_order::numeric});
  context.wait();
  REQUIRE(out.to_host() == std::vector<std::int32_t>{-1, 2, 3});

  auto const floats = test::on_backend(std::vector<float>{3, 1});
  test::fenced_array<float> sorted(2);
  std::string message;
  try {
    sam::radix_sort(context, floats, sorted, sam::number_digits<float>{},
                    {.floats = sam::float_order::numeric});
  } catch (sam::invalid_argument const& error) {
    message = error.what();
  }
  REQUIRE(message.starts_with("sam::radix_sort: options.floats are in numeric order, but digits"));
}

TEST_CASE("a context says how much memory a sort in numeric order takes", "[radix_sort]") {
  auto const context = test::each_context();
  index_t const n = index_t{1} << 33;
  auto const numeric = [](auto options) {
    options.floats = sam::float_order::numeric;
    return options;
  };
  sam::sort_options<float> const keys;
  sam::sort_options<float, std::uint64_t> const order;
  REQUIRE(sam::radix_sort_workspace(context, n, numeric(keys)) >=
          sam::radix_sort_workspace(context, n, keys) + n * 4);
  REQUIRE(sam::radix_argsort_workspace<float, std::uint64_t>(context, n, numeric(order)) >=
          sam::radix_argsort_workspace<float, std::uint64_t>(context, n, order) + n * 4);
  sam::sort_options<int> const integers;
  REQUIRE(sam::radix_sort_workspace(context, n, numeric(integers)) ==
          sam::radix_sort_workspace(context, n, integers));

  if constexpr (test::backend_bytes::on_host)
    for (index_t const m : {30'000, 1'000'003}) {
      test::threads crowd(3);
      auto items = test::float_keys<float>(m, of_specials::many, 1);
      sam::radix_sort(crowd, items, items, numeric(keys));
      REQUIRE(crowd.held_bytes() <= sam::radix_sort_workspace(crowd, m, numeric(keys)));
      std::vector<index_t> const offsets{0, 10, m};
      auto const parts = sam::by_offsets(offsets);
      sam::segmented_radix_sort(crowd, items, parts, items, numeric(keys));
      REQUIRE(crowd.held_bytes() <=
              std::max(sam::radix_sort_workspace(crowd, m, numeric(keys)),
                       sam::segmented_radix_sort_workspace(crowd, m, parts, numeric(keys))));
    }
}

}  // namespace
