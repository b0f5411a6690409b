// SPDX-License-Identifier: MIT
// Holds a tile of items in the registers of a block, for the kernels of few items.
//
// These kernels begin with loads: the pipeline of scan_kernel.hpp takes longer to set up than few
// items take to arrive.
//
//   1. The lanes of a warp load consecutive items, or each lane loads 16-byte vectors.
//   2. Each thread reduces its run of consecutive items, and warps scan the aggregates of runs.
//   3. After a barrier, each warp combines the aggregates of the warps before it.
//   4. The kernel combines the aggregates of the tiles before this one, in its own way.
//   5. Each thread scans its run from its exclusive prefix, and the lanes store as they loaded.
#pragma once

#include <sam/gpu/scan/scan_config.hpp>

namespace sam::inline v0_1::gpu {

/// Configures blocks of at most `Warps` warps, with `Items` items of a component per thread, and
/// launches of at most `Blocks` blocks: those of a cluster, or those of two kernels.
template <int Warps, int Items, int Blocks>
struct few_items_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int blocks = Blocks;
  static constexpr int group = 0;  // see grouped_config
};
/// Configures two kernels that combine aggregates as a cluster with blocks of `Group` warps does.
template <int Warps, int Items, int Blocks, int Group>
struct grouped_config : few_items_config<Warps, Items, Blocks> {
  static constexpr int group = Group;
};

/// True if a job stores an item given the aggregate of all items, too: store(i, x, y, total).
template <class Job>
inline constexpr bool uses_total = requires {
  requires Job::uses_total;
};

/// The layout of a warp's items in shared memory, while they are redistributed among its lanes.
/// Gaps make both the lanes' runs and consecutive items lie in different banks.
template <class Device, class T>
struct staged_items {
  static constexpr int row = int(engine::max_of(1, Device::banks * 4 / int(sizeof(T))));
  static constexpr int gap = int(engine::max_of(1, 4 / int(sizeof(T))));
  static SAM_FUNCTION constexpr int place(int at) { return at + at / row * gap; }
  /// Returns how many places `items` items need.
  static SAM_FUNCTION constexpr int places(int items) { return place(items) + 1; }
};

/// Runs the steps that all kernels of few items share, for one warp of a block. All blocks of a
/// launch of several have Config::warps warps.
template <class Device, class Job, class Policy, class Config>
class few_items_block {
 protected:
  using T = typename Job::accumulator;
  using item = typename Job::item;
  using traits = policy_traits<Device, T, Policy>;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  using power = typename traits::power;
  using tables = power_tables<traits>;
  static constexpr int Q = traits::Q;
  static constexpr int S = traits::S;
  static constexpr int I = Config::items;
  static constexpr int W = Config::warps;
  static constexpr int words = words_of<T>;
  static constexpr bool totals = uses_total<Job>;
  static_assert(traits::fixed && W <= Device::warp_size);
  static_assert(!totals || (S == 1 && !traits::algebra && traits::starts_known));
  static_assert(!traits::algebra || W <= engine::max_of(traits::runs, 16), "the table of powers");

 public:
  static constexpr int warp_items = Device::warp_size / S * S * I;
  static constexpr int block_items = W * warp_items;
  /// The most items that a launch takes.
  static constexpr int most_items = Config::blocks * block_items;
  static constexpr int most_threads = W * Device::warp_size;

  /// Returns the number of blocks for n items.
  static SAM_FUNCTION constexpr int blocks(index_t n) {
    return int(engine::div_up(n, block_items));
  }

 protected:
  static SAM_DEVICE int place(int at) { return staged_items<Device, T>::place(at); }
  static constexpr int places = staged_items<Device, T>::places(warp_items);
  struct shared_items {
    uninitialized_array<T, W * S * Q> sums;  // aggregates of the warps
    uninitialized_array<T, places> staged[W];
  };

  SAM_DEVICE few_items_block(Job const& job, Policy const& policy, tables const& powers, index_t n,
                             shared_items& shared)
      : job_(job), policy_(policy), tables_(powers), n_(n), lanes_(policy, Device::lane()),
        items_in_(shared), upto_run_(powers.runs(lanes_.run < traits::runs ? lanes_.run : 0)),
        block_(Device::block()), warp_(Device::warp()), begin_(index_t{block_} * block_items),
        count_(int(engine::min_of(n - begin_, block_items)) - warp_ * warp_items),
        first_(lanes_.run * (I * S) + lanes_.component) {
    int const left = (count_ - first_ + S - 1) / S;
    left_ = lanes_.run >= lanes_.runs || count_ <= first_ ? 0 : left < I ? left : I;
    begin_ += warp_ * warp_items;
  }

  // --- Loads and stores -------------------------------------------------------------------------

  static constexpr int of_vector = int(engine::max_of(1, 16 / int(sizeof(T))));
  /// True if the aggregates and, unless only the last are wanted, the results lie in memory as they
  /// are scanned, and a thread's run is a number of whole vectors.
  static constexpr bool has_vectors =
      S == 1 && has_source<Job> &&
      (has_target<Job> || has_first_target<Job> || reducing<Job>)&&16 % sizeof(T) == 0 &&
      I % of_vector == 0;
  struct alignas(16) vector {
    uninitialized_array<T, of_vector> of;
  };
  SAM_DEVICE bool can_use_vectors() const {
    if constexpr (has_vectors) {
      int off = gpu::misalignment(job_.source());
      if constexpr (!reducing<Job>)
        off |= gpu::misalignment(engine::target_of(job_));
      return off == 0;
    }
    return false;
  }
  SAM_DEVICE void load_vectors() {
    if constexpr (has_vectors) {
      T const* const from = job_.source() + begin_ + first_;
      if (left_ == I) {
        vector of[I / of_vector];
#pragma unroll
        for (int v = 0; v < I / of_vector; ++v)
          of[v] = reinterpret_cast<vector const*>(from)[v];
#pragma unroll
        for (int k = 0; k < I; ++k)
          run_.at[k] = of[k / of_vector].of.at[k % of_vector];
      } else {
#pragma unroll
        for (int k = 0; k < I; ++k)
          if (k < left_)
            run_.at[k] = from[k];
      }
    }
  }
  /// Stores the first `stored` results of the thread's run.
  SAM_DEVICE void store_vectors([[maybe_unused]] int stored) const {
    if constexpr (has_vectors && !reducing<Job>) {
      T* const to = engine::target_of(job_) + begin_ + first_;
      if (stored == I) {
#pragma unroll
        for (int v = 0; v < I / of_vector; ++v) {
          vector x;
#pragma unroll
          for (int k = 0; k < of_vector; ++k)
            x.of.at[k] = run_.at[v * of_vector + k];
          std::uint32_t word[4];
          memcpy(word, __builtin_addressof(x), 16);
          Device::store_vector(to + v * of_vector, word);
        }
      } else {
#pragma unroll
        for (int k = 0; k < I; ++k)
          if (k < stored)
            to[k] = run_.at[k];
      }
    }
  }

  /// True if item `at` of the warp exists.
  SAM_DEVICE bool exists(int at) const {
    return at < count_ && (Device::warp_size % S == 0 || at < warp_items);
  }
  /// Loads items with consecutive ones in consecutive lanes, keeps them for store_by_lanes(), and
  /// passes each thread the aggregates of its run. The last item also stands for those that a warp
  /// lacks, so that no load and no write has a branch of its own.
  SAM_DEVICE void load_by_lanes() {
    constexpr bool fills_lanes = Device::warp_size % S == 0;
    if constexpr (selecting_first<Job>)
      selected_ = job_.selected() - begin_;
    // Negative in a warp without items: then this is still the last item of all.
    int const last = (count_ < warp_items ? count_ : warp_items) - 1;
#pragma unroll
    for (int k = 0; k < I; ++k) {
      int const at = k * Device::warp_size + Device::lane();
      items_.at[k] = job_.load(begin_ + (at < last ? at : last));
    }
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (int const at = k * Device::warp_size + Device::lane(); fills_lanes || at < warp_items)
        staged(at) = aggregate(at, items_.at[k]);
    Device::sync_warp();  // orders the writes of the aggregates before their reads
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (fills_lanes || lanes_.run < lanes_.runs)
        run_.at[k] = staged(first_ + k * S);
  }
  SAM_DEVICE void store_by_lanes() const {
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (k < left_)
        staged(first_ + k * S) = run_.at[k];
    Device::sync_warp();  // orders the writes of the scan values before their reads
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (int const at = k * Device::warp_size + Device::lane(); exists(at))
        store(at, begin_ + at, items_.at[k], staged(at));
  }
  /// True unless the job keeps only some of the first items, of which item `at` of the warp is
  /// none.
  SAM_DEVICE bool is_selected([[maybe_unused]] int at) const {
    if constexpr (selecting_first<Job>)
      return at < selected_;
    else
      return true;
  }
  SAM_DEVICE T aggregate([[maybe_unused]] int at, item const& x) const {
    if constexpr (selecting_first<Job>)
      return is_selected(at) ? job_.to_accumulator(x) : T(0);
    else
      return job_.to_accumulator(x);
  }
  SAM_DEVICE void store([[maybe_unused]] int at, index_t i, item const& x, T const& y) const {
    if constexpr (selecting_first<Job>)
      job_.place(i, x, y, is_selected(at) && job_.keeps(x));
    else if constexpr (totals)
      job_.store(i, x, y, total_.at[0]);
    else
      job_.store(i, x, y);
  }
  SAM_DEVICE T& staged(int at) const { return items_in_.staged[warp_].at[place(at)]; }

  /// Loads the items of the thread's run. Returns true if it did so by vectors.
  SAM_DEVICE bool load() {
    bool const by_vectors = can_use_vectors();
    if (by_vectors)
      load_vectors();
    else
      load_by_lanes();
    return by_vectors;
  }
  /// Scans the run from `start` or, if that is not `known`, from its first item, and stores the
  /// results. `stored` is the number of results that stored() returned.
  SAM_DEVICE void scan_and_store(state& start, bool known, bool by_vectors, int stored) {
    if constexpr (reducing<Job>) {
      if (index_t const i = begin_ + first_ + (left_ - 1) * S; left_ > 0 && i >= n_ - S) {
        uninitialized_array<T, 1> last;
        scan(start, known, [&](int, T const& y) { last.at[0] = y; });
        job_.store(i, job_.load(i), last.at[0]);
      }
    } else {
      scan(start, known, [&](int k, T const& y) { run_.at[k] = y; });
      if (by_vectors)
        store_vectors(stored);
      else
        store_by_lanes();
    }
  }
  /// Returns how many results of the thread's run are stored by vectors.
  SAM_DEVICE int stored() const {
    return has_vectors ? int(engine::stored_of(job_, begin_ + first_, left_)) : 0;
  }

  // --- Prefixes ---------------------------------------------------------------------------------

  /// Computes the aggregate of the thread's run, which has at least one item.
  SAM_DEVICE void reduce(state& sum) const {
    if constexpr (traits::algebra)
      lanes_.start_from_identity(sum);
    else
      sum.at[0] = run_.at[0];
#pragma unroll
    for (int k = traits::algebra ? 0 : 1; k < I; ++k)
      if (k < left_) {
        if constexpr (traits::algebra)
          engine::step<Q, traits::kind>(policy_.op, sum.at, run_.at[k]);
        else
          sum.at[0] = policy_.op(sum.at[0], run_.at[k]);
      }
  }
  /// Combines the aggregates of the first `upto` warps of the block, which all are full.
  SAM_DEVICE void combine_warps(int upto, state& all) const {
    constexpr int runs = traits::runs, groups = (W + runs - 1) / runs;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      int const left = upto - g * runs;
      if (left <= 0)
        break;
      int const warp = g * runs + lanes_.run;
      bool const mine = lanes_.run < runs && warp < upto;
      state part;
      if (mine)
        for (int q = 0; q < Q; ++q)
          part.at[q] = sum_of_warp(warp, q);
      lanes_.template scan_runs<W>(
          part, mine, [&](int d) -> auto& { return tables_.warps(d); });
      int const together = left < runs ? left : runs;
      state whole;
      lanes_.from_run(part, together - 1, whole);
      if (g == 0)
        lanes_type::copy(whole, all);
      else
        lanes_.append(all, whole, tables_.warps(together));
    }
  }
  SAM_DEVICE T& sum_of_warp(int warp, int q) const {
    return items_in_.sums.at[(warp * S + lanes_.component) * Q + q];
  }

  /// Computes the aggregate of the warp's items before the thread's run, which is valid from the
  /// second run on, and leaves that of all items of the warp in shared memory.
  SAM_DEVICE void scan_warp(state& below) {
    state sum;
    if (left_ > 0)
      reduce(sum);
    else if constexpr (totals)
      lanes_.start_from_identity(sum);  // so that the aggregates of all warps are valid
    lanes_.scan_runs(
        sum, totals || left_ > 0, [&](int d) -> auto& { return tables_.runs(d); });
    lanes_.from_below(sum, 1, below);
    if (lanes_.run == lanes_.runs - 1)
      for (int q = 0; q < Q; ++q)
        sum_of_warp(warp_, q) = sum.at[q];
    // Orders the writes of the warps' aggregates before their reads, and all loads of items before
    // stores over them.
    Device::sync_block();
  }
  /// Appends a later aggregate of `rows` rows to `start` if that is `known`, else copies it there.
  SAM_DEVICE void append(state& start, bool& known, state const& later, power const& rows) const {
    if (known)
      lanes_.append(start, later, rows);
    else
      lanes_type::copy(later, start);
    known = true;
  }
  /// Returns true if scans begin with a value, which `start` then becomes.
  SAM_DEVICE bool begin_prefix(state& start) const {
    if constexpr (traits::starts_known)
      lanes_.start(start);
    return traits::starts_known;
  }
  /// Appends the aggregates of the warps and runs before this one to the prefix of the tile.
  /// Threads without items have none: operators see nothing but items and their aggregates.
  SAM_DEVICE void append_own(state& start, bool& known, state const& within,
                             state const& below) const {
    if (left_ == 0)
      return;
    if (warp_ > 0)
      append(start, known, within, tables_.warps(warp_));
    if (lanes_.run > 0)
      append(start, known, below, upto_run_);
  }

  // --- Scan -------------------------------------------------------------------------------------

  /// Scans the thread's run from `start` or, if that is not `known`, from its first item. Calls
  /// put(k, y) with the scan value of each item k.
  template <class Put>
  SAM_DEVICE void scan(state& start, bool known, Put const& put) {
#pragma unroll
    for (int k = 0; k < I; ++k)
      if (k < left_) {
        if (!traits::starts_known && k == 0 && !known) {
          start.at[0] = run_.at[0];
          put(0, start.at[0]);
        } else {
          put(k, engine::step<Q, traits::kind>(policy_.op, start.at, run_.at[k]));
        }
      }
  }

  Job const& job_;
  Policy const& policy_;
  tables const& tables_;
  index_t const n_;
  lanes_type const lanes_;
  shared_items& items_in_;
  power const upto_run_;  // loaded early: lanes read different entries of the table
  int const block_, warp_;
  index_t begin_;         // the index of the warp's first item
  int const count_;       // items from there to the end of the block's
  int const first_;       // the thread's first item in the warp
  int left_;              // the number of items of the thread
  index_t selected_ = 0;  // how many items from there on may be kept, if the job says so
  state total_;           // the aggregate of all items, if the job uses it
  uninitialized_array<T, I> run_;
  uninitialized_array<item, I> items_;
};

}  // namespace sam::inline v0_1::gpu
