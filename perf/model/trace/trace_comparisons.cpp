// SPDX-License-Identifier: MIT
// Records sorts by an order, merges, set operations and searches for values.
#include <sam/binary_search.hpp>
#include <sam/gpu/sort/comparison/keep_sets.hpp>
#include <sam/gpu/sort/comparison/merge_runs.hpp>
#include <sam/gpu/sort/comparison/sort_runs.hpp>
#include <sam/gpu/value_search.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/set_operations.hpp>

#include "cases.hpp"

#include <algorithm>

namespace memory_trace {

namespace {

/// A context that runs the kernels of the CUDA back end for keys of four bytes.
class comparing_context : public fibers<tile<8, 53>> {
  using device = simt::device<32>;

 public:
  using config = sam::gpu::comparison_config<8, 17>;
  static constexpr index_t tile_items = index_t{8} * 32 * 17;
  comparing_context() : fibers<tile<8, 53>>(1, 7) { conditions.has_delays = false; }

  template <class Item>
  static constexpr index_t sorted_run_items = tile_items;
  template <class Key, class Value, class Less>
  void sort_runs(sam::engine::merge_sort_job<Key, Value, Less> const& job) {
    using block =
        sam::gpu::sort_runs_block<device, sam::engine::merge_sort_job<Key, Value, Less>, config>;
    run_blocks<block>(job);
  }
  template <class Key, class Value, class Less>
  void merge_runs(sam::engine::merge_pass<Key, Value, Less> const& pass) {
    using pass_type = sam::engine::merge_pass<Key, Value, Less>;
    using block = sam::gpu::merge_runs_block<device, pass_type, config>;
    run_blocks<block>(sam::gpu::tiled_merge_pass<pass_type>{pass, nullptr});
  }

  template <class Key>
  static constexpr bool runs_sets = true;
  template <class Rule, class Pass, class Key, class Value, class Count>
  void run_sets(Pass const& pass, sam::engine::set_output<Key, Value, Count> const& to) {
    using output = sam::engine::set_output<Key, Value, Count>;
    using of_sets = sam::gpu::sets_config<8, 15, 2>;
    using block = sam::gpu::keep_sets_block<device, Rule, Pass, output, of_sets>;
    run_blocks<block>(sam::gpu::keep_sets_arguments<Pass, output>{
        pass, nullptr, this->template descriptor_ring<block, index_t>(0), to});
  }

  /// True if a thread finds several values, where they are in order.
  bool finds_several = false;
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::searching<Job>)
      search(n, job);
    else
      fibers<tile<8, 53>>::run(n, job, policy);
  }

 private:
  template <class Job>
  void search(index_t n, Job const& job) const {
    using sam::gpu::value_search_block, sam::gpu::value_search_config, sam::gpu::searched_tiles;
    using several =
        value_search_block<device, Job, value_search_config<8, 8, searched_tiles::in_order>>;
    using rest = value_search_block<device, Job, value_search_config<8, 1, searched_tiles::left>>;
    if (finds_several) {
      array<std::uint32_t> left(sam::engine::div_up(n, several::tile) + 1);
      sam::gpu::value_search_arguments<Job> const arguments{job, left.data(), left.data() + 1,
                                                            several::tile};
      run_blocks<several>(arguments);
      run_blocks<rest>(arguments);
    } else {
      run_blocks<value_search_block<device, Job, value_search_config<8, 1>>>(
          sam::gpu::value_search_arguments<Job>{job});
    }
  }
  template <class Block, class Arguments>
  static void run_blocks(Arguments const& arguments) {
    launch(1, Block::threads, Block::shared_bytes, [&] { Block{arguments}(); });
  }
};

struct is_less {
  bool operator()(std::int32_t a, std::int32_t b) const { return a < b; }
};

array<std::int32_t> sorted_array(index_t n, std::uint64_t bound) {
  auto all = random_array<std::int32_t>(n, bound);
  std::sort(all.begin(), all.end());
  return all;
}

void trace_searches(comparing_context& context, std::string const& name,
                    array<std::int32_t> const& values, bool finds_several) {
  auto const sorted = sorted_array(1 << 16, 1 << 30);
  auto const n = index_t(values.size());
  array<std::int32_t> out(n);
  context.finds_several = finds_several;
  record("search for values int32, " + name, n,
         [&] { sam::lower_bound(context, sorted, values, out); });
}

}  // namespace

void trace_comparisons() {
  auto const context = std::make_unique<comparing_context>();
  index_t const n = 2 * comparing_context::tile_items;
  auto const keys = random_array<std::int32_t>(n, 1 << 30);
  array<std::int32_t> out(n);
  record("sort by an order int32", n, [&] { sam::merge_sort(*context, keys, out, is_less{}); });
  auto const a = sorted_array(n / 2, n), b = sorted_array(n / 2, n);
  record("merge int32", n, [&] { sam::merge(*context, a, b, out); });
  array<index_t> count(1);
  record("set union int32", n, [&] { sam::set_union(*context, a, b, out, count); });
  record("set intersection int32", n, [&] { sam::set_intersection(*context, a, b, out, count); });
  auto const values_a = random_array<std::int32_t>(n / 2);
  auto const values_b = random_array<std::int32_t>(n / 2);
  array<std::int32_t> values_out(n);
  record("set union int32 with int32 values", n, [&] {
    sam::set_union_by_key(*context, a, values_a, b, values_b, out, values_out, count);
  });
  record("set intersection int32 with int32 values", n,
         [&] { sam::set_intersection_by_key(*context, a, values_a, b, out, values_out, count); });
  index_t const values = 1 << 13;
  trace_searches(*context, "many in order", sorted_array(values, 1 << 30), true);
  trace_searches(*context, "many in any order", random_array<std::int32_t>(values, 1 << 30), true);
  trace_searches(*context, "few in any order", random_array<std::int32_t>(values, 1 << 30), false);
}

}  // namespace memory_trace
