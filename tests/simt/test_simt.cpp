// SPDX-License-Identifier: MIT
// Tests that scans by the GPU kernels, run on fibers, equal their references. They use warps of 32
// and 64 lanes, several numbers of blocks, and random delays; none of these may change a bit of the
// result.
#include <sam/compact.hpp>
#include <sam/partition.hpp>
#include <sam/reference.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/unique.hpp>

#include "extremes.hpp"
#include "items.hpp"
#include "simt/context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace {

using sam::index_t;
using sam::plus;
using sam::scan_policy;
using sam::carry::chained;
using sam::carry::decoupled;
using sam::carry::lookback;
using sam::carry::reduce_then_scan;
using sam::carry::scan_then_propagate;
using simt::fenced;
using test::form;
constexpr auto backward = sam::direction::backward;

/// A test case: the item type, policy, form, warp size and config that are compiled.
template <class T, class Policy, form Kind = form::inclusive, int Warp = 32,
          class Config = simt::block_config<2, 3, 2>, int Depth = 4 * Warp>
struct scan_case {
  using item = T;
  using policy = Policy;
  using context = simt::context<Warp, Config, Depth>;
  static constexpr form kind = Kind;
  static constexpr int warp_size = Warp;
  static constexpr int warp_items = Warp / Policy::tuple_size * Policy::tuple_size * Config::items;
  static constexpr int tile = Config::warps * warp_items;
};

using maps = test::heisenberg<std::uint32_t>;
using product = test::heisenberg_product;
template <class Op, int Order, int TupleSize, class Carry,
          sam::direction Heading = sam::direction::forward>
using policy = scan_policy<Op, Order, TupleSize, Carry, Heading>;

using cases =
    std::tuple<scan_case<std::int32_t, policy<plus, 1, 1, decoupled>>,
               scan_case<std::int8_t, policy<plus, 2, 3, decoupled, backward>>,
               scan_case<std::int64_t, policy<plus, 8, 5, decoupled>, form::exclusive, 32,
                         simt::block_config<2, 1, 2>>,
               scan_case<std::int32_t, policy<plus, 3, 5, chained>, form::exclusive>,
               scan_case<maps, policy<product, 1, 2, lookback, backward>>,
               scan_case<maps, policy<product, 2, 1, decoupled>, form::exclusive>,
               scan_case<std::int32_t, policy<plus, 2, 1, decoupled, backward>, form::exclusive, 32,
                         simt::block_config<2, 3, 2>, 256>,
               scan_case<std::int8_t, policy<sam::maximum, 1, 1, chained>>,
               scan_case<std::int64_t, policy<plus, 2, 2, lookback>, form::inclusive_from>,
               scan_case<std::int32_t, policy<plus, 2, 11, decoupled>, form::inclusive, 32,
                         simt::block_config<5, 1, 3>>,
               scan_case<maps, policy<product, 1, 1, decoupled>, form::inclusive, 64>,
               scan_case<std::int32_t, policy<plus, 1, 1, lookback>, form::inclusive, 64>,
               scan_case<std::int8_t, policy<plus, 3, 2, chained, backward>, form::inclusive, 64>,
               scan_case<float, policy<plus, 1, 5, decoupled>, form::exclusive, 64>>;

template <class Carry>
using in_several_passes =
    std::tuple<scan_case<std::int32_t, policy<plus, 1, 1, Carry>>,
               scan_case<std::int8_t, policy<plus, 2, 3, Carry, backward>>,
               scan_case<std::int64_t, policy<plus, 8, 5, Carry>, form::exclusive, 32,
                         simt::block_config<2, 1, 2>>,
               scan_case<maps, policy<product, 1, 2, Carry, backward>>,
               scan_case<std::int64_t, policy<plus, 2, 2, Carry>, form::inclusive_from>,
               scan_case<maps, policy<product, 1, 1, Carry, backward>, form::exclusive, 64>,
               scan_case<std::int8_t, policy<plus, 3, 2, Carry, backward>, form::exclusive, 64>,
               scan_case<float, policy<plus, 1, 5, Carry>, form::exclusive, 64>>;

/// Runs a case on n items, out of place and optionally in place, and checks that the descriptor
/// ring is at rest afterwards.
template <class Case>
void check(typename Case::context& context, index_t n, bool in_place) {
  using T = typename Case::item;
  using op = typename Case::policy::op_type;
  typename Case::policy const p;
  auto const seed = test::seed_for(context.launches());
  CAPTURE(n, seed);
  auto const init = test::random_items<T, op>(4, seed)[3];
  auto const items = test::random_items<T, op>(n, seed);
  auto const wanted = test::expected_scan<Case::kind>(items, p, init);
  fenced<T> in(items, 1);
  {
    fenced<T> out(std::vector<T>(items.size(), init), n % 2);
    test::scan<Case::kind>(context, in, out, p, init);
    REQUIRE(test::differences(out, wanted) == "");
    REQUIRE(out.intact());
  }
  if (in_place) {
    test::scan<Case::kind>(context, in, in, p, init);
    REQUIRE(test::differences(in, wanted) == "");
    REQUIRE(in.intact());
  }
  REQUIRE(context.is_at_rest());
}

template <class Case>
void check_at_every_edge() {
  constexpr index_t ring = 2 * Case::context::depth;
  for (int const blocks : {1, 2, 3, 7}) {
    CAPTURE(blocks);
    typename Case::context context(blocks, test::seed_for(blocks));
    context.stages = 2 + blocks % 3;  // ignored by devices with a fixed number
    check<Case>(context, 1, true);
    for (index_t const edge : {Case::warp_size, Case::warp_items, Case::tile})
      for (index_t const n : {edge - 1, edge, edge + 1})
        check<Case>(context, n, n == edge);
    check<Case>(context, blocks * Case::tile + 5, true);
    if (blocks == 2)
      check<Case>(context, ring / 2 * Case::tile + 1, false);
    else if (blocks == 7)  // enough tiles that the ring wraps in a launch
      check<Case>(context, (ring + 3) * Case::tile - 7, false);
  }
}
TEMPLATE_LIST_TEST_CASE("a scan on fibers equals its reference at every edge", "[simt]", cases) {
  check_at_every_edge<TestType>();
}
TEMPLATE_LIST_TEST_CASE("reduce_then_scan on fibers equals its reference at every edge", "[simt]",
                        in_several_passes<reduce_then_scan>) {
  check_at_every_edge<TestType>();
}
TEMPLATE_LIST_TEST_CASE("scan_then_propagate on fibers equals its reference at every edge",
                        "[simt]", in_several_passes<scan_then_propagate>) {
  check_at_every_edge<TestType>();
}

TEST_CASE("launches of all kinds follow one another on one descriptor_ring, past its last number",
          "[simt]") {
  constexpr std::uint32_t last = std::uint32_t{1} << 31;
  for (std::uint32_t const ahead : {0u, 64u, 4096u}) {
    CAPTURE(ahead);
    simt::context<32> context(3, test::seed_for(ahead));
    context.start_from(last - ahead);
    for (index_t const tiles : {40, 1, 3, 90, 17}) {
      check<std::tuple_element_t<0, cases>>(context, 192 * tiles, true);
      check<std::tuple_element_t<1, cases>>(context, 180 * tiles - 1, false);
      check<std::tuple_element_t<4, cases>>(context, 192 * tiles - 3, true);
      check<std::tuple_element_t<3, cases>>(context, 180 * tiles + 1, false);
      check<std::tuple_element_t<8, cases>>(context, 192 * tiles, false);
    }
    REQUIRE(context.control().base < last);
    REQUIRE((ahead == 4096 || context.control().base < 4096));
  }
}

TEMPLATE_TEST_CASE("no bit of a float depends on the number of blocks, or on delays", "[simt]",
                   decoupled, chained, lookback, reduce_then_scan, scan_then_propagate) {
  index_t const n = 30000;
  auto const items = test::random_reals<float>(n, test::seed_for(n));
  auto const scanned = [&](int blocks) {
    simt::context<std::is_same_v<TestType, lookback> ? 64 : 32> context(blocks,
                                                                        test::seed_for(blocks));
    std::vector<float> out(items.size());
    sam::inclusive_scan(context, items, out, policy<plus, 2, 3, TestType>{});
    return out;
  };
  auto const wanted = scanned(1);
  for (int const blocks : {2, 3, 3, 7, 7})
    REQUIRE(test::differences(scanned(blocks), wanted) == "");
}

struct shifted {
  std::int32_t operator()(std::int16_t x) const { return 3 * x - 1; }
};

TEMPLATE_TEST_CASE("a transform is fused into the load of a scan on fibers", "[simt]",
                   simt::context<32>, simt::context<64>) {
  for (int const blocks : {1, 3}) {
    TestType context(blocks, test::seed_for(blocks));
    for (index_t const n : {1, 191, 385, 5000}) {
      CAPTURE(blocks, n);
      auto const items = test::random_items<std::int16_t>(n, test::seed_for(n));
      std::vector<std::int32_t> transformed(items.size()), out(items.size());
      std::transform(items.begin(), items.end(), transformed.begin(), shifted{});
      policy<plus, 2, 3, decoupled, backward> const p;
      sam::transform_inclusive_scan(context, items, out, shifted{}, p);
      REQUIRE(test::differences(out, sam::reference::inclusive_scan(transformed, p)) == "");
      scan_policy<sam::maximum> const q;
      sam::transform_exclusive_scan(context, items, out, shifted{}, q, 7);
      REQUIRE(test::differences(out, sam::reference::exclusive_scan(transformed, q, 7)) == "");
      sam::transform_inclusive_scan(context, items, out, shifted{},
                                    sam::carried_by<reduce_then_scan>(p));
      REQUIRE(test::differences(out, sam::reference::inclusive_scan(transformed, p)) == "");
      sam::transform_exclusive_scan(context, items, out, shifted{},
                                    sam::carried_by<scan_then_propagate>(q), 7);
      REQUIRE(test::differences(out, sam::reference::exclusive_scan(transformed, q, 7)) == "");
    }
  }
}

TEST_CASE("minimum and maximum treat NaN and zeros as IEEE 754 does on fibers", "[simt]") {
  simt::context<32> context(3, test::seed_for(3));
  simt::context<64> wider(3, test::seed_for(3));
  for (index_t const n : {1, 191, 5000})
    for (int kind = 0; kind < test::kinds_of_extremes; ++kind) {
      CAPTURE(n, kind);
      auto const check = [&](auto& context, auto const& items, auto const& p) {
        auto out = items;
        sam::inclusive_scan(context, items, out, p);
        REQUIRE(test::unlike(out, sam::reference::inclusive_scan(items, p)) == "");
      };
      check(context, test::extreme_items<float>(n, kind, test::seed_for(n)),
            scan_policy<sam::maximum>{});
      check(wider, test::extreme_items<double>(n, kind, test::seed_for(n)),
            policy<sam::minimum_number, 1, 2, lookback, backward>{});
    }
}

TEST_CASE("an exclusive sum starts from 0, not from -0, on fibers", "[simt]") {
  simt::context<32> context(3, test::seed_for(3));
  std::vector<float> const zeros(5000, -0.0F);
  std::vector<float> out(zeros);
  sam::exclusive_scan(context, zeros, out);
  REQUIRE(test::unlike(out, std::vector<float>(zeros.size(), 0.0F)) == "");
}

struct is_odd {
  template <class T>
  bool operator()(T const& x) const {
    return (x & 1) != 0;
  }
  bool operator()(maps const& x) const { return (x.a & 1) != 0; }
};
struct equal_halves {
  template <class T>
  bool operator()(T const& x, T const& y) const {
    return x / 2 == y / 2;
  }
  bool operator()(maps const& x, maps const& y) const { return x.a % 2 == y.a % 2; }
};

/// Checks that `call` changes the first items of a copy to `kept` and leaves the rest as they were.
template <class T, class Call>
void check_in_place(std::vector<T> const& items, std::vector<T> const& kept, Call call) {
  fenced<T> array(items, 1);
  std::vector<index_t> count(1, -1);
  call(array, count);
  std::vector<T> wanted = items;
  std::copy(kept.begin(), kept.end(), wanted.begin());
  REQUIRE(test::differences(array, wanted) == "");
  REQUIRE(count[0] == static_cast<index_t>(kept.size()));
  REQUIRE(array.intact());
}

/// Checks unique_by_key with both arrays, one or neither in place, and with too little space.
template <class Context, class K, class V>
void check_unique_by_key(Context& context, std::vector<K> const& keys,
                         std::vector<V> const& values) {
  auto const [kept, of_kept] = sam::reference::unique_by_key(keys, values, equal_halves{});
  std::vector<index_t> count(1);
  for (int way = 0; way < 5; ++way) {
    CAPTURE(way);
    auto const keys_fit = way == 4 ? kept.size() / 2 : keys.size();
    auto const values_fit = way == 4 ? kept.size() / 3 : keys.size();
    fenced<K> k(keys, 1), k_out(std::vector<K>(keys.begin(), keys.begin() + index_t(keys_fit)), 2);
    fenced<V> v(values, 1),
        v_out(std::vector<V>(values.begin(), values.begin() + index_t(values_fit)), 0);
    auto& k_to = way & 1 ? k : k_out;
    auto& v_to = way & 2 ? v : v_out;
    sam::unique_by_key(context, k, v, k_to, v_to, count, equal_halves{});
    REQUIRE(count[0] == static_cast<index_t>(kept.size()));
    auto wanted = way == 4 ? std::vector<K>(k_out.size()) : keys;
    std::copy_n(kept.begin(), std::min(kept.size(), wanted.size()), wanted.begin());
    REQUIRE(test::differences(k_to, wanted) == "");
    auto of_wanted = way == 4 ? std::vector<V>(v_out.size()) : values;
    std::copy_n(of_kept.begin(), std::min(of_kept.size(), of_wanted.size()), of_wanted.begin());
    REQUIRE(test::differences(v_to, of_wanted) == "");
    REQUIRE((k.intact() && v.intact() && k_out.intact() && v_out.intact()));
  }
}

// Several blocks compact in place, so that an item overwritten before it is loaded shows as a wrong
// result.
TEMPLATE_TEST_CASE("compaction on fibers equals its reference, in place as well", "[simt]",
                   (std::pair<std::int32_t, simt::context<32>>),
                   (std::pair<std::int8_t, simt::context<32, simt::block_config<3, 1, 2>>>),
                   (std::pair<maps, simt::context<64>>)) {
  using T = typename TestType::first_type;
  for (int const blocks : {1, 2, 3, 7}) {
    typename TestType::second_type context(blocks, test::seed_for(blocks));
    for (index_t const n : {1, 95, 96, 97, 192, 193, 1000, blocks == 7 ? 20'000 : 3000}) {
      auto const seed = test::seed_for(n + blocks);
      CAPTURE(blocks, n, seed);
      auto const items = test::random_items<T, product>(n, seed);
      check_in_place(
          items, sam::reference::compact(items, is_odd{}),
          [&](auto& array, auto& count) { sam::compact(context, array, array, is_odd{}, count); });
      check_in_place(items, sam::reference::unique(items, equal_halves{}),
                     [&](auto& array, auto& count) {
                       sam::unique(context, array, array, count, equal_halves{});
                     });
      check_unique_by_key(context, items, test::random_items<std::int64_t, product>(n, seed + 1));
      std::vector<T> parted = items;
      std::vector<std::int32_t> count(1), indices(items.size(), -1);
      sam::partition(context, items, parted, is_odd{}, count);
      REQUIRE(test::differences(parted, sam::reference::partition(items, is_odd{})) == "");
      REQUIRE(count[0] == std::count_if(items.begin(), items.end(), is_odd{}));
      sam::compact_indices(context, items, indices, is_odd{}, count);
      indices.resize(static_cast<std::size_t>(count[0]));
      REQUIRE(indices == sam::reference::compact_indices<std::int32_t>(items, is_odd{}));
      REQUIRE(context.is_at_rest());
    }
  }
}

namespace {

/// Keeps odd items, if the result is needed.
struct odd_if_needed : sam::detail::kept_by_predicate<std::int32_t, is_odd> {
  bool const* needed;
  bool does_nothing() const { return !*needed; }
};

}  // namespace

TEST_CASE("passes on fibers whose results are not needed are skipped", "[simt]") {
  simt::context<32> context(3, test::seed_for(3));
  auto const items = test::random_items<std::int32_t, product>(5000, test::seed_for(5));
  auto const kept = sam::reference::compact(items, is_odd{});
  for (bool const needed : {true, false, false, true}) {
    fenced<std::int32_t> out(std::vector<std::int32_t>(items.size(), 2), 1);
    index_t count = -1;
    sam::detail::run_compact(
        context, 5000, odd_if_needed{{{items.data()}, is_odd{}}, &needed},
        sam::detail::to_front<std::int32_t, index_t>{{&count}, items.data(), out.data(), 5000});
    std::vector<std::int32_t> wanted(items.size(), 2);
    if (needed)
      std::copy(kept.begin(), kept.end(), wanted.begin());
    REQUIRE(test::differences(out, wanted) == "");
    REQUIRE(count == (needed ? static_cast<index_t>(kept.size()) : -1));
    REQUIRE((out.intact() && context.is_at_rest()));
  }
}

namespace {

/// A context on fibers that prefers to count kinds before it places items.
struct counts_first : simt::context<32, simt::block_config<2, 3, 2>, 256> {
  using context::context;
  template <class Job>
  bool counts_kinds_first(Job const&) const {
    ++asked;
    return true;
  }
  mutable int asked = 0;
};

}  // namespace

TEST_CASE("a partition into two on fibers may count first", "[simt]") {
  for (int const blocks : {1, 3}) {
    counts_first context(blocks, test::seed_for(blocks));
    for (index_t const n : {1, 193, 20'000}) {
      auto const items = test::random_items<std::int32_t>(n, test::seed_for(n));
      std::vector<std::int32_t> parted(items.size());
      std::vector<index_t> count(1, -1);
      sam::partition(context, items, parted, is_odd{}, count);
      REQUIRE(parted == sam::reference::partition(items, is_odd{}));
      REQUIRE(count[0] == std::count_if(items.begin(), items.end(), is_odd{}));
      REQUIRE(context.is_at_rest());
    }
    REQUIRE(context.asked > 0);
  }
}

TEST_CASE("runs and partitions into three on fibers equal their references", "[simt]") {
  for (int const blocks : {1, 3, 7}) {
    simt::context<32, simt::block_config<2, 3, 2>, 256> context(blocks, test::seed_for(blocks));
    simt::context<64, simt::block_config<2, 3, 2>, 512> wider(blocks, test::seed_for(blocks));
    for (index_t const n : {1, 191, 193, 1000, blocks == 7 ? 20'000 : 3000}) {
      auto const seed = test::seed_for(n + blocks);
      CAPTURE(blocks, n, seed);
      auto items = test::random_items<std::int32_t>(n, seed);
      std::vector<std::int32_t> parted(items.size()), counts(2), lengths(items.size(), -1);
      auto const is_small = [](std::int32_t x) { return x % 4 == 0; };
      sam::three_way_partition(context, items, parted, is_odd{}, is_small, counts);
      REQUIRE(parted == sam::reference::three_way_partition(items, is_odd{}, is_small));
      auto const counts_wanted = std::exchange(counts, {-1, -1});
      parted.assign(parted.size(), -1);
      using kind = sam::detail::first_second_or_neither<is_odd, decltype(is_small)>;
      sam::detail::place_kinds<std::uint32_t>(
          wider, sam::engine::split_job<std::int32_t, std::int32_t, kind>{
                     n, items.data(), parted.data(), counts.data(), {is_odd{}, is_small}});
      REQUIRE(parted == sam::reference::three_way_partition(items, is_odd{}, is_small));
      REQUIRE(counts == counts_wanted);
      for (std::int32_t& x : items)
        x %= 4;
      auto const [values, runs] =
          sam::reference::run_length_encode<std::int32_t>(items, std::equal_to{});
      auto in_place = items;
      index_t const number = sam::run_length_encode(context, in_place, in_place, lengths);
      REQUIRE(number == static_cast<index_t>(values.size()));
      in_place.resize(values.size());
      lengths.resize(values.size());
      REQUIRE((in_place == values && lengths == runs));
      parted.assign(items.size() + 40, -1);
      REQUIRE(sam::run_length_decode(context, values, runs, parted) == n);
      REQUIRE(parted.back() == -1);
      parted.resize(items.size());
      REQUIRE(parted == items);
      REQUIRE((context.is_at_rest() && wider.is_at_rest()));
    }
  }
}

/// An inconsistent predicate, which gives another answer for each call.
struct unsure {
  static inline thread_local std::uint32_t state = 1;
  SAM_FUNCTION bool operator()(std::int32_t) const {
    state += 0x9e3779b9;
    return (state ^ state >> 15) * 0x85ebca6b >> 31 != 0;
  }
};

TEST_CASE("predicates that contradict themselves part nothing outside of the array on fibers",
          "[simt]") {
  using kind = sam::detail::first_second_or_neither<unsure, unsure>;
  for (index_t const n : {1, 193, 5000}) {
    simt::context<32, simt::block_config<2, 3, 2>, 256> context(3, test::seed_for(n));
    auto const items = test::random_items<std::int32_t>(n, test::seed_for(n));
    std::vector<std::int32_t> parted(items.size() + 200, -1), counts(2);
    for (int turn = 0; turn < 5; ++turn)
      sam::detail::place_kinds<std::uint32_t>(
          context, sam::engine::split_job<std::int32_t, std::int32_t, kind>{
                       n, items.data(), parted.data() + 100, counts.data(), {}});
    REQUIRE(std::count(parted.begin(), parted.begin() + 100, -1) == 100);
    REQUIRE(std::count(parted.end() - 100, parted.end(), -1) == 100);
  }
}

/// A type with an alignment less than its size.
struct two_words {
  std::int32_t first, second;
  friend bool operator==(two_words const&, two_words const&) = default;
};

TEST_CASE("items that lie less aligned than they are large are decoded on fibers", "[simt]") {
  simt::context<64, simt::block_config<2, 3, 2>, 512> context(3, test::seed_for(3));
  std::vector<two_words> values;
  std::vector<std::int32_t> lengths;
  for (int k = 0; k < 300; ++k) {
    values.push_back({k, -k});
    lengths.push_back(k % 40);
  }
  auto const wanted = sam::reference::run_length_decode(values, lengths);
  std::vector<std::int32_t> buffer(2 * wanted.size() + 2);
  for (int const words : {0, 1}) {
    std::span<two_words> const out(reinterpret_cast<two_words*>(buffer.data() + words),
                                   wanted.size());
    REQUIRE(sam::run_length_decode(context, values, lengths, out) ==
            static_cast<index_t>(wanted.size()));
    REQUIRE(std::equal(out.begin(), out.end(), wanted.begin(), wanted.end()));
  }
}

// --- Tests of the fibers themselves --------------------------------------------------------------

using on_64 = simt::device<64>;

template <class Kernel>
std::string why_it_fails(Kernel kernel) {
  simt::grid const config{2, 2, 64, 256, test::seed_for(0), 0.5};
  try {
    simt::launch(config, kernel);
  } catch (simt::failure const& why) {
    return why.what();
  }
  return "it does not";
}
bool contains(std::string const& text, char const* part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("fibers shuffle and vote as lanes do", "[simt]") {
  REQUIRE(why_it_fails([] {
            auto const mine = static_cast<std::uint32_t>(on_64::lane());
            for (int up = 1; up < 64; up *= 2)
              if (on_64::shuffle_up(mine, up) != (mine < unsigned(up) ? mine : mine - unsigned(up)))
                simt::fail("shuffle_up");
            if (on_64::shuffle_from(mine + 7, 63) != 70)
              simt::fail("shuffle_from");
            if (on_64::all_lanes(mine != 63) || !on_64::all_lanes(mine < 64))
              simt::fail("all_lanes");
            if (on_64::first_lane_where(mine > 40) != 41 || on_64::first_lane_where(false) != 64)
              simt::fail("first_lane_where");
          }) == "it does not");
}

TEST_CASE("a launch that gets nowhere fails and says why", "[simt]") {
  REQUIRE(contains(why_it_fails([] {
                     if (on_64::warp() == 1 || on_64::lane() != 5)
                       on_64::sync_block();
                   }),
                   "no fiber can move"));
  std::uint32_t never = 0;
  REQUIRE(contains(why_it_fails([&] {
                     while (on_64::load(&never) == 0)
                       on_64::pause();
                   }),
                   "no progress"));
  REQUIRE(contains(why_it_fails([] {
                     if (on_64::lane() == 9)
                       on_64::all_lanes(true);
                     else
                       on_64::sync_warp();
                   }),
                   "different operations"));
  REQUIRE(contains(
      why_it_fails([] { reinterpret_cast<on_64::barrier*>(on_64::shared_memory())->arrive(); }),
      "not initialised"));
}

}  // namespace
