// SPDX-License-Identifier: MIT
// A back end that runs the GPU kernels on fibers, with any number of blocks, a small descriptor
// ring, and delays drawn from a seed.
#pragma once

#include <sam/context.hpp>
#include <sam/gpu/block_team.hpp>
#include <sam/gpu/fallback/move_kernel.hpp>
#include <sam/gpu/fallback/reduce_then_scan.hpp>
#include <sam/gpu/merge_path/offsets_to_bits.hpp>
#include <sam/gpu/merge_path/run_length_decode.hpp>
#include <sam/gpu/merge_path/segmented_reduce.hpp>
#include <sam/gpu/scan_kernel/multi_pass.hpp>
#include <sam/gpu/scan_kernel/paired_kernel.hpp>
#include <sam/gpu/segmented/reduce_each_segment.hpp>
#include <sam/gpu/segmented/scan_chunks.hpp>
#include <sam/gpu/segmented/scan_each_segment.hpp>
#include <sam/gpu/segmented/scan_segments.hpp>

#include "device.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

namespace simt {

using sam::index_t;

/// A config with tiles so small that a few hundred items make many tiles.
template <int Warps, int Items, int Stages>
struct block_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int stages = Stages;
  static constexpr int blocks = 1;
  static constexpr int row_load_warps = 2;
  static constexpr bool claims_early = Stages > 2;
};

/// The steps of a thread along a merge path.
template <class Config>
inline constexpr int path_steps = std::min(Config::items, 5);

/// An execution context on fibers. Depth is the ring depth, in tiles; column panels use the least
/// depth possible.
template <int Warp, class Config = block_config<2, 3, 2>, int Depth = 4 * Warp>
class context {
 public:
  using device_type = device<Warp>;
  static constexpr std::uint32_t depth = Depth;
  static constexpr std::uint32_t epoch = depth / 4;

  context(int blocks, std::uint64_t seed) : blocks_(blocks), seed_(seed) {}

  template <class Item>
  static constexpr bool selects_first = true;
  static constexpr bool limits_items = true;

  void wait() {}
  char const* name() const { return "fibers"; }
  void* workspace(std::size_t bytes) {
    workspace_.assign(bytes, std::byte{0xa5});
    return workspace_.data();
  }

  void* results() { return results_; }

  template <class Kernel>
  void run_teams(index_t teams, int threads, std::size_t bytes, Kernel const& kernel) {
    int const rounded = (threads + Warp - 1) / Warp * Warp;
    auto const blocks = static_cast<int>(std::min<index_t>(teams, blocks_));
    if (teams > 0)
      launch_blocks(blocks, rounded, static_cast<int>(bytes), [&] {
        sam::gpu::run_teams_of_block<device_type>(device_type::block(), blocks, rounded, teams,
                                                  kernel);
      });
  }
  int teams_at_once() const { return std::max(2, blocks_); }

  /// Starts the generation numbers at `base`, a multiple of the epoch, as if `base` tiles had been
  /// scanned before.
  void start_from(std::uint32_t base) {
    for (auto& shared : shared_)
      shared.control = at_rest(base);
  }
  /// True if the last launch has reset all state. When the generation numbers start again from
  /// zero, every descriptor word must be cleared.
  bool is_at_rest() const {
    if (!std::all_of(rings_.begin(), rings_.end(), [this](auto const& ring) {
          auto wanted = sam::gpu::control{};
          if (&ring == rings_.data())
            wanted.base = ring.base;
          return std::memcmp(&ring, &wanted, sizeof(wanted)) == 0;
        }))
      return false;
    if (std::any_of(std::begin(chunk_counters_), std::end(chunk_counters_),
                    [](std::uint32_t word) { return word != 0; }))
      return false;
    return std::all_of(std::begin(shared_), std::end(shared_), [](shared_memory const& shared) {
      std::uint32_t const base = shared.control.base;
      auto const wanted = at_rest(base);
      auto const is_clear = [](auto const& word) { return word.sequence == 0; };
      return base % epoch == 0 && std::memcmp(&shared.control, &wanted, sizeof(wanted)) == 0 &&
             (base > 0 || std::all_of(shared.words.begin(), shared.words.end(), is_clear));
    });
  }
  sam::gpu::control const& control() const { return shared_[0].control; }
  /// Sets the generation base of the rings of column panels.
  void start_rings_from(std::uint32_t base) { rings_[0].base = base; }
  std::uint32_t base_of_rings() const { return rings_[0].base; }
  int launches() const { return launches_; }

  /// True if items are moved by indices by a thread each.
  bool moves_early = false;
  /// True if segments by offsets are scanned and reduced, and runs decoded, without bit masks.
  bool takes_paths = false;
  /// The threads by which a segment is reduced. Without warps, segments are reduced along a merge
  /// path.
  sam::gpu::segment_shares shares{};
  /// True if blocks share long segments.
  bool takes_chunks = false;
  /// The number of blocks up to which each looks for one.
  index_t searches = 3;
  /// The most items before a tile that a segmented scan loads again; -1 for any number.
  index_t longest_lead = -1;
  /// The logarithm of the lanes by which a segment is scanned; -1 for a block. Without a value,
  /// tiles scan their segments.
  std::optional<int> log_lanes_of_scan{};
  /// The tiles of a chunk, if chunks scan segments; else 0.
  index_t tiles_of_chunk = 0;
  /// The logarithm of the lanes of a segment of few items, which are scanned and reduced so where
  /// the operator allows it.
  std::optional<int> log_lanes_of_few{};
  /// True if blocks of few warps scan segments.
  bool scans_by_few_warps = false;

  /// The number of stages of the next launches on a device without a fixed number.
  int stages = Config::stages;

  /// The test conditions of the next launches. The context sets the other members.
  grid conditions{};

 private:
  static constexpr int most_rings = 3;
  alignas(std::max_align_t) std::byte results_[sam::engine::most_result_bytes];

  using path_config = sam::gpu::path_config<Config::warps, path_steps<Config>>;

  static sam::gpu::control at_rest(std::uint32_t base) {
    constexpr std::uint32_t epochs = sam::gpu::control::epochs;
    sam::gpu::control c{};
    c.base = base;
    for (std::uint32_t k = 0; k < epochs; ++k)
      c.finished[k] = (base / epoch + epochs - 1 - k) / epochs * epoch;
    return c;
  }

  template <class ScanConfig>
  int shared_bytes_of() const {
    return device_type::has_fixed_stages ? ScanConfig::shared_bytes
                                         : ScanConfig::shared_bytes_of(stages);
  }

  template <class Policy, class T>
  static constexpr std::size_t words_of_slot = sam::gpu::words_of_slot<typename Policy::traits, T>;

 protected:
  template <class Policy, class T>
  sam::gpu::descriptor_ring descriptor_ring(int which) {
    auto& [control, words] = shared_[which];
    words.resize(std::max(words.size(), 2 * depth * words_of_slot<Policy, T>));
    return {&control,  words.data(), static_cast<index_t>(words.size()),
            2 * depth, depth,        std::countr_zero(epoch)};
  }

 private:
  /// Launches the scan kernel. `states` are the arrays of aggregates and prefixes of a multi-pass
  /// scheme.
  template <sam::engine::job Job, class Policy, class... States>
  void launch_scan(index_t n, Job const& job, Policy const& policy, States... states) {
    using config = sam::gpu::scan_config<device_type, Job, Policy, Config>;
    using T = typename Job::accumulator;
    // Else a tile could wait for its own inclusive prefix.
    static_assert(Depth > 2 * config::lookback_type::classes);
    auto const tables = config::tables::make(config::items, config::warps);
    sam::gpu::scan_arguments<device_type, Job, Policy, Config> const arguments{
        job, policy, n, tables, {descriptor_ring<config, T>(0), states...}, stages};
    launch_blocks(
        static_cast<int>(sam::engine::min_of(sam::engine::div_up(n, config::tile_items), blocks_)),
        config::threads, shared_bytes_of<config>(),
        [&] { sam::gpu::scan_block<device_type, Job, Policy, Config>(arguments).run(); });
  }
  template <sam::engine::job Job, class Policy>
  requires(Policy::tuple_size == sam::run_time_tuple) void launch_scan(index_t n, Job const& job,
                                                                       Policy const& policy) {
    using config = sam::gpu::scan_config<device_type, Job, Policy, Config>;
    using T = typename Job::accumulator;
    constexpr std::size_t of_slot = words_of_slot<config, T>;
    auto const by = sam::gpu::panels::of<device_type>(
        n, policy.components, Config::warps * Config::items, sizeof(T), most_rings);
    auto const classes = std::uint32_t(config::lookback_warps * by.runs);
    std::uint32_t const narrow = std::bit_ceil(std::max(4u, 2 * classes + 1));
    panel_words_.resize(std::max(panel_words_.size(), 2 * narrow * of_slot * most_rings));
    sam::gpu::scan_arguments<device_type, Job, Policy, Config> const arguments{
        job,
        policy,
        n,
        config::tables::make(config::items, config::warps, by.runs),
        {sam::gpu::descriptor_ring{rings_.data(), panel_words_.data(),
                                   static_cast<index_t>(panel_words_.size()), 2 * narrow, narrow,
                                   std::uint32_t(std::countr_zero(narrow / 4))},
         by, static_cast<index_t>(2 * narrow * of_slot)},
        stages};
    launch_blocks(static_cast<int>(sam::engine::min_of(by.all_tiles(), blocks_)), config::threads,
                  shared_bytes_of<config>(),
                  [&] { sam::gpu::scan_block<device_type, Job, Policy, Config>(arguments).run(); });
  }
  template <class Kernel>
  void launch_blocks(int blocks, int threads, int shared_bytes, Kernel const& kernel) {
    grid g = conditions;
    g.blocks = blocks;
    g.warps = threads / Warp;
    g.warp_size = Warp;
    g.shared_bytes = shared_bytes;
    g.seed = seed_ + static_cast<std::uint64_t>(launches_++);
    launch(g, kernel);
  }

  template <sam::engine::job Job, class Policy>
  requires sam::multi_pass_scheme<typename Policy::carry>
  void launch_scan(index_t n, Job const& job, Policy const& policy) {
    using config = sam::gpu::scan_config<device_type, Job, Policy, Config>;
    index_t const tiles = sam::engine::div_up(n, config::tile_items);
    multi_pass_launcher<typename Job::accumulator, Policy> const queue(*this, n, tiles, policy);
    sam::gpu::run_scheme(typename Policy::carry{}, queue, tiles, job, policy);
  }

  /// Launches the kernels of a multi-pass scheme.
  template <class T, class Policy>
  class multi_pass_launcher {
   public:
    multi_pass_launcher(context& c, index_t n, index_t tiles, Policy const& policy)
        : context_(c), n_(n), tiles_(tiles), policy_(policy), memory_{poison(), poison()} {}

    template <sam::engine::job Job, class Part>
    void tiles(Job const& job, Part const& part) const {
      context_.launch_scan(n_, job, part, values(0), values(1));
    }
    void states() const {
      using block = sam::gpu::spine_block<device_type, T, Policy, 3>;
      auto const arguments = block::arguments_for(
          policy_, sam::gpu::power_tables<traits>::make(Config::items, Config::warps), tiles_ - 1,
          index_t{Config::warps} * traits::runs * Config::items, values(0), values(1));
      context_.launch_blocks(1, block::threads, block::shared_bytes,
                             [&] { block(arguments).run(); });
    }

   private:
    using traits = sam::gpu::policy_traits<device_type, T, Policy>;
    std::vector<std::byte> poison() const {
      auto const values = static_cast<std::size_t>(tiles_) * traits::S * traits::Q;
      return std::vector<std::byte>(values * sizeof(T), std::byte{0xa5});
    }
    T* values(int which) const { return reinterpret_cast<T*>(memory_[which].data()); }

    context& context_;
    index_t n_, tiles_;
    Policy const& policy_;
    mutable std::vector<std::byte> memory_[2];  // aggregates and exclusive prefixes
  };

 public:
  // Without an algebra a scan of order k is k scans of order 1.
  template <sam::engine::job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy) {
    if constexpr (sam::engine::moves_items<Job>)
      if (moves_early) {
        using block = sam::gpu::move_block<device_type, Job>;
        sam::gpu::move_arguments<Job> const arguments{job, static_cast<std::uint32_t>(n)};
        return launch_blocks(static_cast<int>(sam::engine::div_up(n, block::threads)),
                             block::threads, 0, [&] { block(arguments).run(); });
      }
    if constexpr (sam::engine::elementwise<Job>) {
      sam::gpu::reduce_then_scan(
          [](char const*, index_t count, auto const& f) { for_each(count, f); }, [] {}, n, job,
          policy);
    } else if constexpr (Policy::tuple_size > Warp) {
      run(n, job, sam::engine::with_tuple_size<sam::run_time_tuple>(policy));
    } else if constexpr (Policy::order == 1 ||
                         sam::engine::has_algebra<typename Job::accumulator, Policy>) {
      launch_scan(n, job, policy);
    } else {
      auto const once = sam::engine::one_round(policy);
      launch_scan(n, job, once);
      for (int round = 1; round < Policy::order; ++round)
        launch_scan(n, job.again(), once);
    }
  }

  template <sam::engine::job First, sam::engine::job Second, class Policy>
  void run_two(index_t n, First const& first, Second const& second, Policy const& policy) {
    using one = sam::gpu::half_of_two<device_type, First, Policy, Config>;
    using other = sam::gpu::half_of_two<device_type, Second, Policy, Config>;
    using both = sam::gpu::paired_scan<device_type, one, other>;
    auto const arguments_of = [&]<class Half>(Half, auto const& job, int which) {
      using config = typename Half::config;
      using T = typename std::decay_t<decltype(job)>::accumulator;
      auto const tables = config::tables::make(config::items, config::warps);
      return typename Half::arguments{
          job, policy, n, tables, {this->template descriptor_ring<config, T>(which)}, stages};
    };
    both const arguments{arguments_of(one{}, first, 0), arguments_of(other{}, second, 1)};
    launch_blocks(2 * static_cast<int>(sam::engine::min_of(both::tiles(n), blocks_)), both::threads,
                  std::max(shared_bytes_of<typename one::config>(),
                           shared_bytes_of<typename other::config>()),
                  [&] { arguments.run(); });
  }

  /// Calls f for all indices in descending order, which shows a dependence between the threads of a
  /// for_each kernel.
  template <class F>
  static void for_each(index_t count, F const& f) {
    for (index_t i = count; i-- > 0;)
      f(i);
  }
  template <class Offset>
  void mark_bits(sam::engine::mark_job<Offset> const& job) {
    using block = sam::gpu::mark_block<device_type, Offset, 2>;
    sam::gpu::mark_arguments<Offset> const arguments{job, 5};
    index_t const tiles = block::tiles(arguments);
    launch_blocks(static_cast<int>(sam::engine::min_of(tiles, blocks_)), block::threads,
                  block::shared_bytes, [&] { block(arguments).run(); });
  }

  template <class Job>
  bool reduce_segments(Job const& job) {
    using T = typename Job::total;
    if (!takes_paths)
      return false;
    using config = sam::gpu::each_segment_config<3, 2, 40, 1, 64>;
    using each = sam::gpu::reduce_each_segment<device_type, Job, config>;
    if constexpr (sam::gpu::combines_few_segments<T, decltype(Job::op)> &&
                  sam::is_commutative<decltype(Job::op)>)
      if (log_lanes_of_few.has_value()) {
        auto const arguments = each::arguments_for(job, {*log_lanes_of_few, 2}, {}, 1);
        launch_blocks(static_cast<int>(each::turns(arguments)), each::threads(arguments),
                      each::shared_bytes, [&] { each(arguments).run_few(); });
        return true;
      }
    if (shares.warps == 0) {
      using path = sam::gpu::segmented_reduce_path<device_type, Job, path_config>;
      std::vector<std::byte> records(static_cast<std::size_t>(path::tiles(job)) *
                                     sizeof(sam::gpu::path_record<T>));
      sam::gpu::path_arguments<Job> const arguments{
          job, reinterpret_cast<sam::gpu::path_record<T>*>(records.data()), &shared_[0].control};
      launch_blocks(static_cast<int>(sam::engine::min_of(path::tiles(job), blocks_)), path::threads,
                    path::shared_bytes, [&] { path(arguments).run(); });
    } else {
      sam::gpu::segment_chunks<T> chunks;
      index_t const positions = takes_chunks ? each::positions(job.n, shares) : 0;
      std::vector<T> values(static_cast<std::size_t>(positions), T(job.nothing));
      if (positions > 0)
        chunks = {values.data(), chunk_counters_, &shared_[0].control.left};
      auto const arguments = each::arguments_for(job, shares, chunks, searches);
      launch_blocks(static_cast<int>(sam::engine::min_of(each::turns(arguments), blocks_)),
                    each::threads(arguments), each::shared_bytes, [&] { each(arguments).run(); });
    }
    return true;
  }

  template <class Job>
  bool scan_segments(Job const& job) {
    using tiles = sam::gpu::scan_segments<device_type, Job, sam::gpu::segment_tile_config<3, 4>>;
    using each =
        sam::gpu::scan_each_segment<device_type, Job, sam::gpu::scan_each_config<4, 2, 2, 80>>;
    using T = typename Job::value;
    bool const is_in_place = static_cast<void const*>(job.items) == job.out;
    auto const launch = [&](index_t blocks, int threads, int shared_bytes, auto const& run) {
      launch_blocks(static_cast<int>(sam::engine::min_of(blocks, blocks_)), threads, shared_bytes,
                    run);
    };
    if (!takes_paths)
      return false;
    if constexpr (sam::gpu::combines_few_segments<T, decltype(Job::op)>)
      if (log_lanes_of_few.has_value()) {
        if (is_in_place && job.n > each::most_items)
          return false;
        auto const arguments = each::arguments_for_few(job, *log_lanes_of_few);
        launch_blocks(static_cast<int>(arguments.tiles + arguments.sets), each::threads(arguments),
                      each::shared_bytes, [&] { each(arguments).run_few(); });
        return true;
      }
    if (log_lanes_of_scan.has_value()) {
      if (is_in_place && job.n > each::most_items)
        return false;
      auto const arguments = each::arguments_for(job, *log_lanes_of_scan, scans_by_few_warps);
      launch(arguments.tiles + arguments.sets, each::threads(arguments), each::shared_bytes,
             [&] { each(arguments).run(); });
      return true;
    }
    if (is_in_place)
      return false;
    if (tiles_of_chunk > 0) {
      if constexpr (Job::is_counted)
        return false;
      else
        scan_chunks(job);
      return true;
    }
    index_t const count = tiles::tiles(job.n);
    std::vector<sam::gpu::segment_tile_record<T>> records(
        longest_lead < 0 ? 0 : static_cast<std::size_t>(count));
    sam::gpu::scan_segments_arguments<Job> const arguments{
        job, longest_lead, longest_lead < 0 ? nullptr : records.data()};
    launch(count, tiles::threads(job.n), tiles::shared_bytes, [&] { tiles(arguments).run(); });
    if (longest_lead >= 0)
      launch(count, tiles::threads(job.n), tiles::shared_bytes,
             [&] { tiles(arguments).run_second(); });
    return true;
  }

  template <class Job>
  void scan_chunks(Job const& job) {
    using chunks =
        sam::gpu::chunks_of_tiles<device_type, Job, sam::gpu::segment_chunk_config<2, 4>>;
    using record = sam::gpu::segment_chunk_record<typename Job::value>;
    index_t const blocks = sam::engine::div_up(chunks::tiles(job.n), tiles_of_chunk);
    std::vector<record> records(static_cast<std::size_t>(blocks));
    sam::gpu::scan_chunks_arguments<Job> const arguments{job, tiles_of_chunk, longest_lead,
                                                         records.data()};
    launch_blocks(static_cast<int>(blocks), chunks::threads, chunks::shared_bytes,
                  [&] { chunks(arguments).run(); });
    launch_blocks(static_cast<int>(blocks), chunks::threads, chunks::shared_bytes,
                  [&] { chunks(arguments).run_second(); });
  }

  template <class T, class Offset>
  bool decode_runs(sam::engine::decode_runs_job<T, Offset> const& job) {
    using path = sam::gpu::run_decode_path<device_type, T, Offset, path_config>;
    if (takes_paths)
      launch_blocks(static_cast<int>(sam::engine::min_of(path::tiles(job), blocks_)), path::threads,
                    path::shared_bytes, [&] { path(job).run(); });
    return takes_paths;
  }

 private:
  int blocks_;
  std::uint64_t seed_;
  int launches_ = 0;
  std::vector<std::byte> workspace_{};
  struct shared_memory {
    sam::gpu::control control{};
    std::vector<sam::gpu::descriptor_word> words{};
  };
  std::uint32_t chunk_counters_[64] = {};
  shared_memory shared_[2];  // for all launches, and for the second of two scans in one kernel
  std::vector<sam::gpu::control> rings_ = std::vector<sam::gpu::control>(most_rings);
  std::vector<sam::gpu::descriptor_word> panel_words_{};
};
static_assert(sam::context<context<32>> && sam::context<context<64>>);

}  // namespace simt
