// SPDX-License-Identifier: MIT
// Tests of comparison sorts, merges, and searches of extreme items by the GPU kernels, on fibers.
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/gpu/sort/comparison/merge_runs.hpp>
#include <sam/gpu/sort/comparison/sort_runs.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/reference.hpp>

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
  int launches = 0;

 private:
  template <class Block, class Arguments>
  void launch(Arguments const& arguments) {
    simt::grid g{};
    g.blocks = int(std::min(Block::tiles(arguments), index_t{blocks_}));
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

struct is_wanted {
  bool operator()(float x) const { return x == 77; }
};
/// A cluster takes few items, and several blocks take any number.
TEST_CASE("extreme items and first matches are found on fibers", "[simt]") {
  for (int const blocks : {0, 1, 3})
    for (index_t const n : {1, 2, 31, 33, 100, 700, 5000}) {
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
