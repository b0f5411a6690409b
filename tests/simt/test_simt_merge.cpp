// SPDX-License-Identifier: MIT
// Tests of comparison sorts, merges, and searches of extreme items by the GPU kernels, on fibers.
#include <sam/binary_search.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/gpu/sort/comparison/keep_sets.hpp>
#include <sam/gpu/sort/comparison/merge_runs.hpp>
#include <sam/gpu/sort/comparison/sort_runs.hpp>
#include <sam/gpu/value_search.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/reference.hpp>
#include <sam/set_operations.hpp>

#include "items.hpp"
#include "simt/cluster_context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

using sam::index_t;
using simt::fenced;

/// A context that sorts and merges by kernels with small tiles.
template <int Warp, int Items>
class merging_context : public simt::context<Warp> {
 public:
  using config = sam::gpu::comparison_config<2, Items>;
  using device = simt::device<Warp>;
  explicit merging_context(int blocks) : simt::context<Warp>(blocks, 1), blocks_(blocks) {}

  template <class Item>
  static constexpr index_t sorted_run_items = 2 * Warp* Items;
  template <class Key, class Value, class Less>
  void sort_runs(sam::engine::merge_sort_job<Key, Value, Less> const& job) {
    using job_type = sam::engine::merge_sort_job<Key, Value, Less>;
    using block = sam::gpu::sort_runs_block<device, job_type, config>;
    static_assert(block::run == sorted_run_items<Key>);
    launch<block>(job);
  }
  template <class Key, class Value, class Less>
  void merge_runs(sam::engine::merge_pass<Key, Value, Less> const& pass) {
    using pass_type = sam::engine::merge_pass<Key, Value, Less>;
    using block = sam::gpu::merge_runs_block<device, pass_type, config>;
    sam::gpu::tiled_merge_pass<pass_type> tiled{pass, nullptr};
    std::vector<index_t> splits(std::size_t(block::tiles(tiled)));
    if (index_t(splits.size()) > blocks_) {
      tiled.splits = splits.data();
      launch<typename block::splits_block>(tiled);
    }
    launch<block>(tiled);
  }

  template <class Key>
  static constexpr bool runs_sets = true;
  template <class Rule, class Pass, class Key, class Value, class Count>
  void run_sets(Pass const& pass, sam::engine::set_output<Key, Value, Count> const& to) {
    using output = sam::engine::set_output<Key, Value, Count>;
    auto const now = sized(pass);
    using pass_type = std::remove_cvref_t<decltype(now)>;
    // Blocks by key may have one tile in shared memory.
    constexpr int stages = std::is_same_v<Value, sam::no_values> ? 2 : 1 + Items % 2;
    using block = sam::gpu::keep_sets_block<device, Rule, pass_type, output,
                                            sam::gpu::sets_config<2, Items, stages>>;
    index_t const tiles = sam::engine::div_up(largest(pass).size(), block::tile);
    std::vector<index_t> splits(std::size_t(tiles), -1);
    sam::gpu::keep_sets_arguments<pass_type, output> arguments{
        now, nullptr, this->template descriptor_ring<block, index_t>(0), to};
    if (tiles > blocks_) {
      arguments.splits = splits.data();
      launch<typename block::splits_block>(
          sam::gpu::tiled_merge_pass<pass_type>{now, arguments.splits});
    }
    launch<block>(arguments, tiles);
    REQUIRE(this->is_at_rest());
  }
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::searching<Job>) {
      using sam::gpu::searched_tiles;
      constexpr auto which = Items > 1 ? searched_tiles::in_order : searched_tiles::all;
      using block =
          sam::gpu::value_search_block<device, Job,
                                       sam::gpu::value_search_config<2, Items, which, 7000>>;
      using rest = sam::gpu::value_search_block<
          device, Job, sam::gpu::value_search_config<2, 1, searched_tiles::left, 7000>>;
      index_t const tiles = sam::engine::div_up(n, block::tile);
      std::vector<std::uint32_t> left(std::size_t(tiles + 1));
      sam::gpu::value_search_arguments<Job> const arguments{job, left.data(), left.data() + 1,
                                                            block::tile};
      launch<block>(arguments, tiles);
      if (Items > 1)
        launch<rest>(arguments, tiles);
    } else {
      simt::context<Warp>::run(n, job, policy);
    }
  }
  int launches = 0;

 private:
  template <class Key, class Less>
  static auto const& largest(sam::engine::merge_pass<Key, sam::no_values, Less> const& pass) {
    return pass;
  }
  template <class Pass, class A, class B>
  static auto const& largest(sam::engine::counted_merge<Pass, A, B> const& counted) {
    return counted.job;
  }
  template <class Pass>
  static auto sized(Pass const& pass) {
    if constexpr (requires { pass(); })
      return pass();
    else
      return pass;
  }
  template <class Block, class Arguments>
  void launch(Arguments const& arguments) {
    launch<Block>(arguments, Block::tiles(arguments));
  }
  template <class Block, class Arguments>
  void launch(Arguments const& arguments, index_t tiles) {
    simt::grid g{};
    g.blocks = int(std::min(tiles, index_t{blocks_}));
    g.warps = Block::threads / Warp;
    g.warp_size = Warp;
    g.shared_bytes = Block::shared_bytes;
    g.seed = test::seed_for(launches++);
    simt::launch(g, [&] { Block{arguments}(); });
  }
  int blocks_;
};

/// An item without a default constructor, which compares by a part of it.
struct record {
  int key, mark, more;
  record(int k, int m) : key(k), mark(m), more(7) {}
  bool operator==(record const&) const = default;
};
struct by_key {
  bool operator()(record const& a, record const& b) const { return a.key < b.key; }
};
template <class T>
using less_of = std::conditional_t<std::is_same_v<T, record>, by_key, sam::less>;

/// Returns keys of few values, of many, or in order.
template <class T>
std::vector<T> make_keys(index_t n, int kind) {
  std::vector<T> keys;
  test::generator bits(test::seed_for(n));
  for (index_t i = 0; i < n; ++i) {
    int const x = kind == 2 ? int(i / 2) : int(bits() % (kind == 0 ? 7 : 100'000));
    if constexpr (std::is_same_v<T, record>)
      keys.emplace_back(x, int(i));
    else
      keys.push_back(static_cast<T>(x));
  }
  return keys;
}

template <int Warp, int Items, class T>
void check(index_t n, int kind, int blocks) {
  CAPTURE(n, kind, blocks);
  less_of<T> const less;
  merging_context<Warp, Items> context(blocks);
  auto const keys = make_keys<T>(n, kind);
  auto const order = sam::reference::merge_argsort<std::uint32_t>(keys, less);
  auto const wanted = sam::reference::in_order(keys, order);
  fenced<T> in(keys, 1);
  fenced<std::uint32_t> indices(std::vector<std::uint32_t>(keys.size()), 1);
  sam::merge_argsort(context, in, indices, less);
  REQUIRE(test::differences(indices, order) == "");
  sam::merge_sort(context, in, in, less);
  REQUIRE(std::equal(wanted.begin(), wanted.end(), in.data()));
  REQUIRE((in.intact() && indices.intact()));
  REQUIRE((n == 0 || context.launches > 0));
}

template <int Warp, int Items, class T>
void check_all() {
  constexpr index_t tile = 2 * Warp * Items;
  for (index_t const n :
       {index_t{0}, index_t{1}, index_t{2}, index_t{Items}, index_t{Items + 1}, index_t{Warp},
        tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 7, 8 * tile - 1})
    for (int const kind : {0, 1, 2})
      check<Warp, Items, T>(n, kind, kind == 0 ? 2 : 100);
}

TEST_CASE("comparison sorts on fibers equal their references", "[simt]") {
  check_all<32, 3, float>();
  check_all<32, 5, record>();
  check_all<64, 1, double>();
}

TEST_CASE("merges on fibers equal their references", "[simt]") {
  merging_context<64, 2> context(2);
  constexpr index_t tile = 2 * 64 * 2;
  for (index_t const n : {index_t{0}, index_t{1}, tile - 1, 3 * tile, 1000 * index_t{1}})
    for (index_t const m : {index_t{0}, index_t{1}, tile, index_t{700}})
      for (int const kind : {0, 1, 2}) {
        CAPTURE(n, m, kind);
        auto a = make_keys<double>(n, kind), b = make_keys<double>(m, kind);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        std::vector<std::int16_t> const of_a(a.size(), 1), of_b(b.size(), 2);
        fenced<double> keys(std::vector<double>(a.size() + b.size()), 1), out(keys);
        fenced<std::int16_t> values(std::vector<std::int16_t>(a.size() + b.size()), 1);
        sam::merge_by_key(context, a, of_a, b, of_b, keys, values);
        sam::merge(context, a, b, out);
        auto const wanted = sam::reference::merge(a, b, sam::less{});
        REQUIRE(test::differences(keys, wanted) == "");
        REQUIRE(test::differences(out, wanted) == "");
        for (std::size_t i = 1; i < values.size(); ++i)  // equal keys of a come first
          REQUIRE((keys[i - 1] < keys[i] || values[i - 1] <= values[i]));
        REQUIRE(std::count(values.data(), values.data() + values.size(), 1) == n);
        REQUIRE((keys.intact() && out.intact() && values.intact()));
      }
}

struct no_order {
  bool operator()(float a, float b) const { return static_cast<int>(a + 3 * b) % 2 != 0; }
};
TEST_CASE("an order that contradicts itself keeps the kernels inside their arrays", "[simt]") {
  merging_context<32, 3> context(3);
  for (index_t const n : {100, 191, 1000, 3000}) {
    auto const keys = make_keys<float>(n, 1);
    fenced<float> in(keys, 1), out(keys, 0), both(std::vector<float>(2 * keys.size()), 0);
    sam::merge_sort(context, in, out, no_order{});
    sam::merge(context, in, out, both, no_order{});
    REQUIRE((out.intact() && both.intact()));
  }
}

/// Searches for values in any order, in order, and all equal, among few and many items.
template <int Warp, int Items, class T>
void check_searches(int blocks) {
  less_of<T> const less;
  constexpr index_t tile = 2 * Warp * Items;
  for (index_t const n : {0, 1, 33, 5000, 8000})
    for (index_t const m : {index_t{1}, tile - 1, tile, 3 * tile + 7})
      for (int const order : {0, 1, 2, 3}) {
        CAPTURE(n, m, order, blocks);
        merging_context<Warp, Items> context(blocks);
        auto sorted = make_keys<T>(n, order % 2);
        auto values = order == 3 ? std::vector<T>(std::size_t(m), make_keys<T>(1, 0)[0])
                                 : make_keys<T>(m, order % 2);
        std::stable_sort(sorted.begin(), sorted.end(), less);
        if (order >= 1)
          std::stable_sort(values.begin(), values.end(), less);
        if (order == 2)  // one descent, which only two neighbours show
          std::rotate(values.begin(), values.begin() + m / 2, values.end());
        std::vector<index_t> const none(values.size(), -1);
        fenced<index_t> lower(none, 1), upper(none, 0), begins(none, 0), ends(none, 1);
        sam::lower_bound(context, sorted, values, lower, less);
        sam::upper_bound(context, sorted, values, upper, less);
        sam::equal_range(context, sorted, values, begins, ends, less);
        REQUIRE(context.launches == (Items > 1 ? 6 : 3));
        std::vector<index_t> lowers, uppers;
        for (T const& x : values) {
          lowers.push_back(sam::reference::lower_bound(sorted, x, less));
          uppers.push_back(sam::reference::upper_bound(sorted, x, less));
        }
        REQUIRE((test::differences(lower, lowers) == "" && test::differences(upper, uppers) == ""));
        REQUIRE((test::differences(begins, lowers) == "" && test::differences(ends, uppers) == ""));
        REQUIRE((lower.intact() && upper.intact() && begins.intact() && ends.intact()));
      }
}
TEST_CASE("searches for values on fibers equal their references", "[simt]") {
  check_searches<32, 3, int>(2);
  check_searches<64, 1, record>(100);
}

TEST_CASE("searches in unsorted arrays on fibers lie among the items", "[simt]") {
  merging_context<32, 3> context(3);
  for (index_t const n : {100, 191, 1000, 8000}) {
    auto const sorted = make_keys<float>(n, 1), values = make_keys<float>(n / 2, 2);
    fenced<index_t> lower(std::vector<index_t>(values.size(), -1), 1), upper(lower);
    sam::equal_range(context, sorted, values, lower, upper, no_order{});
    for (auto const* bounds : {&lower, &upper})
      REQUIRE(std::all_of(bounds->data(), bounds->data() + values.size(),
                          [n](index_t i) { return i >= 0 && i <= n; }));
    REQUIRE((lower.intact() && upper.intact()));
    // Sizes that lie in memory.
    std::vector<index_t> const few{n / 3}, fewer{n / 5};
    std::vector<float> ascending(sorted);
    std::sort(ascending.begin(), ascending.end());
    fenced<index_t> some(std::vector<index_t>(values.size(), -1), 1);
    sam::lower_bound(context, sam::counted(ascending, few), sam::counted(values, fewer), some);
    std::vector<float> const first(ascending.begin(), ascending.begin() + n / 3);
    for (std::size_t i = 0; i < values.size(); ++i)
      REQUIRE(
          some[i] ==
          (index_t(i) < n / 5 ? sam::reference::lower_bound(first, values[i], sam::less{}) : -1));
    REQUIRE(some.intact());
  }
}

/// Calls every set operation, and compares what it writes with its reference.
template <class Context, class T>
void check_sets(Context& context, std::vector<T> const& a, std::vector<T> const& b) {
  less_of<T> const less;
  fenced<T> const in_a(a, 1), in_b(b, 0);
  auto const check = [&](std::vector<T> const& wanted, auto const& call) {
    std::size_t const room = wanted.size() / (1 + a.size() % 2);
    std::vector<T> const first(wanted.begin(), wanted.begin() + std::ptrdiff_t(room));
    fenced<T> out(first, 1);
    std::memset(static_cast<void*>(out.data()), 0, room * sizeof(T));
    fenced<index_t> count(std::vector<index_t>{-1}, 0);
    call(out, count);
    REQUIRE(count[0] == index_t(wanted.size()));
    REQUIRE(std::equal(first.begin(), first.end(), out.data()));
    REQUIRE((out.intact() && count.intact()));
  };
  namespace wanted = sam::reference;
  check(wanted::set_union(a, b, less),
        [&](auto& out, auto& count) { sam::set_union(context, in_a, in_b, out, count, less); });
  check(wanted::set_intersection(a, b, less), [&](auto& out, auto& count) {
    sam::set_intersection(context, in_a, in_b, out, count, less);
  });
  check(wanted::set_difference(a, b, less), [&](auto& out, auto& count) {
    sam::set_difference(context, in_a, in_b, out, count, less);
  });
  check(wanted::set_symmetric_difference(a, b, less), [&](auto& out, auto& count) {
    sam::set_symmetric_difference(context, in_a, in_b, out, count, less);
  });
}

/// Returns n sorted items, whose keys are below `limit`.
template <class T>
std::vector<T> make_set(index_t n, int limit) {
  std::vector<T> keys;
  test::generator bits(test::seed_for(n + limit));
  for (index_t i = 0; i < n; ++i) {
    int const x = int(bits() % std::uint64_t(limit));
    if constexpr (std::is_same_v<T, record>)
      keys.emplace_back(x, int(n + i));
    else
      keys.push_back(static_cast<T>(x));
  }
  std::stable_sort(keys.begin(), keys.end(), less_of<T>{});
  return keys;
}

/// Runs of equal items end within a thread, a tile, or behind several tiles.
template <int Warp, int Items, class T>
void check_all_sets(int blocks) {
  merging_context<Warp, Items> context(blocks);
  constexpr index_t tile = 2 * Warp * Items;
  for (auto const& [n, m] : {std::pair{index_t{1}, index_t{2}},
                             {4 * tile, index_t{0}},
                             {tile, tile - 1},
                             {2 * tile + 5, 3 * tile}})
    for (int const limit : {1, 2, 30, 2000}) {
      CAPTURE(n, m, limit, blocks);
      auto const a = make_set<T>(n, limit), b = make_set<T>(m, limit);
      check_sets(context, a, b);
      check_sets(context, b, a);
    }
}
TEST_CASE("set operations on fibers equal their references", "[simt]") {
  check_all_sets<32, 3, record>(2);
  check_all_sets<64, 2, record>(100);
  check_all_sets<32, 15, std::int16_t>(3);
}

TEST_CASE("set operations on fibers take counted keys and move values", "[simt]") {
  auto const check = [](auto&& context) {
    for (index_t const n : {0, 1, 190, 1500}) {
      CAPTURE(n);
      auto const a = make_set<int>(1500, 300), b = make_set<int>(1000, 300);
      std::vector<index_t> const number{n}, other{index_t{700}};
      std::vector<std::int16_t> of_a(a.size()), of_b(b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        of_a[i] = std::int16_t(a[i] + 1);
      for (std::size_t i = 0; i < b.size(); ++i)
        of_b[i] = std::int16_t(-b[i]);
      std::vector<int> const first(a.begin(), a.begin() + n), second(b.begin(), b.begin() + 700);
      auto const wanted = sam::reference::set_symmetric_difference(first, second, sam::less{});
      fenced<int> keys(std::vector<int>(2500, 7), 1);
      fenced<std::int16_t> values(std::vector<std::int16_t>(100, 7), 1);
      std::vector<index_t> count(1);
      sam::set_symmetric_difference_by_key(context, sam::counted(a, number), of_a,
                                           sam::counted(b, other), of_b, keys, values, count);
      REQUIRE(count[0] == index_t(wanted.size()));
      REQUIRE(std::equal(wanted.begin(), wanted.end(), keys.data()));
      REQUIRE(keys[wanted.size()] == 7);
      for (std::size_t i = 0; i < std::min(wanted.size(), values.size()); ++i)
        REQUIRE((values[i] == wanted[i] + 1 || values[i] == -wanted[i]));
      REQUIRE((keys.intact() && values.intact()));
    }
  };
  check(merging_context<32, 3>(2));
  check(merging_context<32, 2>(2));  // with one tile in shared memory
}

TEST_CASE("set operations of unsorted arrays on fibers write nothing outside of out", "[simt]") {
  merging_context<32, 3> context(3);
  for (index_t const n : {100, 191, 1000, 3000}) {
    auto const keys = make_keys<float>(n, 1), others = make_keys<float>(n / 2, 0);
    fenced<float> in(keys, 1), other(others, 0), out(std::vector<float>(2 * keys.size()), 0);
    std::vector<index_t> count(1);
    for (int const of_b : {0, 1}) {
      auto& a = of_b != 0 ? other : in;
      auto& b = of_b != 0 ? in : other;
      sam::set_union(context, a, b, out, count, no_order{});
      sam::set_symmetric_difference(context, a, b, out, count);
      sam::set_intersection(context, a, b, out, count, no_order{});
      REQUIRE((out.intact() && in.intact() && other.intact()));
    }
  }
}

struct is_wanted {
  bool operator()(float x) const { return x == 77; }
};
/// Returns whether both extremes of the keys as items of T are found.
template <class T, class Context>
bool finds_both(Context& context, std::vector<float> const& keys) {
  std::vector<T> const items(keys.begin(), keys.end());
  auto const both = sam::find_minmax(context, items);
  return both.min.index == sam::reference::find_extreme(items, sam::less{}) &&
         both.max.index == sam::reference::find_extreme(items, sam::greater{}) &&
         sam::argmax(context, items) == both.max.index;
}
/// A cluster takes few items, and several blocks take any number. Threads look at vectors of many.
TEST_CASE("extreme items and first matches are found on fibers", "[simt]") {
  for (int const blocks : {0, 1, 3})
    for (index_t const n : {1, 2, 31, 33, 100, 700, 5000, 20'003}) {
      if (blocks == 0 && n > 700)
        continue;
      CAPTURE(blocks, n);
      simt::cluster_context<32> context(test::seed_for(n));
      context.reduce_blocks = blocks;
      auto keys = make_keys<float>(n, 0);
      auto const low = sam::reference::find_extreme(keys, sam::less{});
      auto const high = sam::reference::find_extreme(keys, sam::greater{});
      fenced<float> in(keys, n % 2);
      auto const both = sam::find_minmax(context, in);
      REQUIRE(both.min.index == low);
      REQUIRE(both.max.index == high);
      REQUIRE(both.max.value == keys[static_cast<std::size_t>(high)]);
      REQUIRE(sam::argmin(context, in) == low);
      REQUIRE((finds_both<double>(context, keys) && finds_both<std::uint8_t>(context, keys)));
      REQUIRE(finds_both<float>(context, std::vector<float>(keys.size(), 3)));
      REQUIRE(sam::argmax(context, in, sam::less{}) == high);
      REQUIRE(sam::find_if(context, in, is_wanted{}) == n);
      REQUIRE(sam::is_sorted(context, in) == sam::reference::is_sorted(keys, sam::less{}));
      std::vector<record> records = make_keys<record>(n, 0);
      REQUIRE(sam::find_max(context, records, by_key{}).index == high);
      for (index_t const at : {n / 2, n - 1})
        keys[static_cast<std::size_t>(at)] = 77;
      REQUIRE(sam::find_if(context, keys, is_wanted{}) == n / 2);
      REQUIRE(sam::count_if(context, keys, is_wanted{}) == (n / 2 == n - 1 ? 1 : 2));
      REQUIRE(context.words.claims == 0);
    }
}

}  // namespace
