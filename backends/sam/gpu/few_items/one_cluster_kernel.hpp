// SPDX-License-Identifier: MIT
// Scans, reduces or selects few items in one block, or in one cluster of blocks.
//
// The kernel of scan_kernel.hpp takes longer to set up its pipeline than few items take to arrive.
// This one begins with loads. Every thread holds its items in registers, so nothing is loaded
// twice, no item is stored before all are loaded, and any job can run:
//
//   1. The lanes of a warp load consecutive items, or each lane loads 16-byte vectors.
//   2. Each thread reduces its run of consecutive items, and warps scan the aggregates of runs.
//   3. After a barrier, each warp combines the aggregates of the warps before it.
//   4. In a cluster, blocks send their aggregates to the shared memory of later blocks.
//   5. Each thread scans its run from its exclusive prefix, and the lanes store as they loaded.
//
// It needs no descriptors, no barriers but those of the block and the cluster, and no workspace.
// Blocks wait only for blocks of their own cluster, which run at the same time.
#pragma once

#include <sam/backend/mark_job.hpp>
#include <sam/gpu/scan/scan_config.hpp>

namespace sam::inline v0_1::gpu {

/// Configures blocks of at most `Warps` warps, with `Items` items of a component per thread, and
/// clusters of at most `Blocks` blocks.
template <int Warps, int Items, int Blocks>
struct cluster_config {
  static constexpr int warps = Warps;
  static constexpr int items = Items;
  static constexpr int blocks = Blocks;
};

/// True if a job stores an item given the aggregate of all items, too: store(i, x, y, total).
template <class Job>
inline constexpr bool uses_total = requires {
  requires Job::uses_total;
};

/// A job whose head flags the kernel marks first: each block sets the bits of its own items, and
/// writes them to marks.words, from which `load` then reads them.
template <class Job, class Offset>
struct marked_job : Job {
  mark_job<Offset> marks;
  static constexpr bool is_backward = is_reversed<Job>;
};
/// Holds the arguments of a launch.
template <class Device, class Job, class Policy>
struct one_cluster_arguments {
  Job job;
  Policy policy;
  index_t n;
  power_tables<policy_traits<Device, typename Job::accumulator, Policy>> tables;
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

/// Runs one block of the cluster. All blocks of a cluster of several have Config::warps warps. A
/// single block may have fewer, as many as its items need.
template <class Device, class Job, class Policy, class Config>
class one_cluster_scan {
  using T = typename Job::accumulator;
  using item = typename Job::item;
  using traits = policy_traits<Device, T, Policy>;
  using lanes_type = warp_state<Device, T, Policy>;
  using state = typename traits::state;
  using power = typename traits::power;
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
  using arguments = one_cluster_arguments<Device, Job, Policy>;
  static constexpr int warp_items = Device::warp_size / S * S * I;
  static constexpr int block_items = W * warp_items;
  /// The most items that a cluster takes.
  static constexpr int most_items = Config::blocks * block_items;
  static constexpr int most_threads = W * Device::warp_size;

  /// Returns the number of blocks and the number of threads of a block for n items.
  static SAM_FUNCTION constexpr int blocks(index_t n) {
    return int(engine::div_up(n, block_items));
  }
  static SAM_FUNCTION constexpr int threads(index_t n) {
    return n > block_items ? most_threads : int(engine::div_up(n, warp_items)) * Device::warp_size;
  }

 private:
  static SAM_DEVICE int place(int at) { return staged_items<Device, T>::place(at); }
  static constexpr int places = staged_items<Device, T>::places(warp_items);

  static constexpr bool marks = requires(Job const j) { j.marks.words; };
  static constexpr int bit_words = marks ? block_items / 32 + 2 : 1;
  struct shared_layout {
    std::uint32_t bits[bit_words];  // head flags of the block's items
    std::uint32_t of_blocks[Config::blocks]
                           [S * Q * words];  // the block's aggregate, which other blocks read
    typename Device::barrier full;           // by which aggregates of other blocks are awaited
    uninitialized_array<T, W * S * Q> sums;  // aggregates of the warps
    uninitialized_array<T, places> staged[W];
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static_assert(shared_bytes <= 48 << 10);

  SAM_DEVICE explicit one_cluster_scan(arguments const& a)
      : a_(a), lanes_(a.policy, Device::lane()),
        shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        upto_run_(a.tables.runs(lanes_.run < traits::runs ? lanes_.run : 0)),
        block_(Device::block()), warp_(Device::warp()), begin_(index_t{block_} * block_items),
        count_(int(engine::min_of(a.n - begin_, block_items)) - warp_ * warp_items),
        first_(lanes_.run * (I * S) + lanes_.component) {
    int const left = (count_ - first_ + S - 1) / S;
    left_ = lanes_.run >= lanes_.runs || count_ <= first_ ? 0 : left < I ? left : I;
    begin_ += warp_ * warp_items;
  }

  SAM_DEVICE void run() {
    if constexpr (marks)
      for (int w = thread(); w < bit_words; w += threads())
        shared_.bits[w] = 0;
    if constexpr (may_form_clusters)
      if (Device::blocks() > 1) {
        if (thread() == 0)
          Device::expect_words(shared_.full, senders() * S * Q * words);
        Device::cluster_arrive_relaxed();  // tells the cluster that this block has begun
      }
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    if constexpr (marks)
      mark();
    bool const by_vectors = can_use_vectors();
    if (by_vectors)
      load_vectors();
    else
      load_by_lanes();
    // Read before the blocks wait for one another, so that the number arrives in the meantime.
    [[maybe_unused]] int const stored =
        has_vectors ? int(engine::stored_of(a_.job, begin_ + first_, left_)) : 0;
    state start;
    bool known = find_prefix(start);
    if constexpr (reducing<Job>) {
      if (index_t const i = begin_ + first_ + (left_ - 1) * S; left_ > 0 && i >= a_.n - S) {
        uninitialized_array<T, 1> last;
        scan(start, known, [&](int, T const& y) { last.at[0] = y; });
        a_.job.store(i, a_.job.load(i), last.at[0]);
      }
    } else {
      scan(start, known, [&](int k, T const& y) { run_.at[k] = y; });
      if (by_vectors)
        store_vectors(stored);
      else
        store_by_lanes();
    }
  }

 private:
  static constexpr bool may_form_clusters = Config::blocks > 1 && Device::has_clusters;

  SAM_DEVICE int thread() const { return warp_ * Device::warp_size + Device::lane(); }
  SAM_DEVICE int threads() const { return threads(a_.n); }
  /// The indices of the block's items.
  SAM_DEVICE index_t begin_of_block() const { return index_t{block_} * block_items; }
  SAM_DEVICE index_t end_of_block() const {
    return engine::min_of(begin_of_block() + block_items, a_.n);
  }

  // --- Head flags -------------------------------------------------------------------------------

  /// Marks the bits of the block's items, and writes them to memory in whole words. Neighbouring
  /// blocks of a backward job write the same value to the word that they share.
  SAM_DEVICE void mark() const {
    if constexpr (marks) {
      auto const& m = a_.job.marks;
      index_t const first = (Job::is_backward ? a_.n - end_of_block() : begin_of_block()) / 32;
      index_t const end =
          engine::div_up(Job::is_backward ? a_.n - begin_of_block() : end_of_block(), 32);
      Device::sync_block();  // orders the writes of zeros before updates
      constexpr int together = 4;
      for (index_t from = thread(); from < m.count; from += together * threads()) {
        index_t bit[together];
#pragma unroll
        for (int u = 0; u < together; ++u)
          bit[u] = from + u * threads() < m.count ? m.bit(from + u * threads()) : -1;
#pragma unroll
        for (int u = 0; u < together; ++u)
          if (bit[u] >= 32 * first && bit[u] < engine::min_of(32 * end, m.bits))
            Device::set_shared_bits(shared_.bits + (bit[u] / 32 - first),
                                    1u << (unsigned(bit[u]) % 32));
      }
      Device::sync_block();  // orders the updates before the reads of whole words
      for (int w = thread(); w < int(end - first); w += threads())
        Device::store(m.words + first + w, shared_.bits[w]);
      Device::sync_block();  // orders the writes of the words before the loads of items
    }
  }

  // --- Loads and stores
  // ---------------------------------------------------------------------------

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
      int off = gpu::misalignment(a_.job.source());
      if constexpr (!reducing<Job>)
        off |= gpu::misalignment(engine::target_of(a_.job));
      return off == 0;
    }
    return false;
  }
  SAM_DEVICE void load_vectors() {
    if constexpr (has_vectors) {
      T const* const from = a_.job.source() + begin_ + first_;
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
      T* const to = engine::target_of(a_.job) + begin_ + first_;
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
      selected_ = a_.job.selected() - begin_;
    // Negative in a warp without items: then this is still the last item of all.
    int const last = (count_ < warp_items ? count_ : warp_items) - 1;
#pragma unroll
    for (int k = 0; k < I; ++k) {
      int const at = k * Device::warp_size + Device::lane();
      items_.at[k] = a_.job.load(begin_ + (at < last ? at : last));
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
      return is_selected(at) ? a_.job.to_accumulator(x) : T(0);
    else
      return a_.job.to_accumulator(x);
  }
  SAM_DEVICE void store([[maybe_unused]] int at, index_t i, item const& x, T const& y) const {
    if constexpr (selecting_first<Job>)
      a_.job.place(i, x, y, is_selected(at) && a_.job.keeps(x));
    else if constexpr (totals)
      a_.job.store(i, x, y, total_.at[0]);
    else
      a_.job.store(i, x, y);
  }
  SAM_DEVICE T& staged(int at) const { return shared_.staged[warp_].at[place(at)]; }

  // --- Prefixes
  // -----------------------------------------------------------------------------------

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
          engine::step<Q, traits::kind>(a_.policy.op, sum.at, run_.at[k]);
        else
          sum.at[0] = a_.policy.op(sum.at[0], run_.at[k]);
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
          part, mine, [&](int d) -> auto& { return a_.tables.warps(d); });
      int const together = left < runs ? left : runs;
      state whole;
      lanes_.from_run(part, together - 1, whole);
      if (g == 0)
        lanes_type::copy(whole, all);
      else
        lanes_.append(all, whole, a_.tables.warps(together));
    }
  }
  /// Combines the aggregates of all warps before this one and, in total_, of all warps.
  SAM_DEVICE void combine_all_warps(state& before) {
    int const all = Device::blocks() > 1 ? W : int(engine::div_up(a_.n, warp_items));
    bool const mine = lanes_.run < all;
    state part;
    if (mine)
      part.at[0] = sum_of_warp(lanes_.run, 0);
    lanes_.template scan_runs<W>(
        part, mine, [&](int d) -> auto& { return a_.tables.warps(d); });
    if (warp_ > 0)
      lanes_.from_run(part, warp_ - 1, before);
    lanes_.from_run(part, all - 1, total_);
  }
  SAM_DEVICE T& sum_of_warp(int warp, int q) const {
    return shared_.sums.at[(warp * S + lanes_.component) * Q + q];
  }

  /// Computes the exclusive prefix of the thread's run. Returns false if there is none, since
  /// nothing precedes it.
  SAM_DEVICE bool find_prefix(state& start) {
    state sum;
    if (left_ > 0)
      reduce(sum);
    else if constexpr (totals)
      lanes_.start_from_identity(sum);  // so that the aggregates of all warps are valid
    lanes_.scan_runs(
        sum, totals || left_ > 0, [&](int d) -> auto& { return a_.tables.runs(d); });
    state below, within;
    lanes_.from_below(sum, 1, below);
    if (lanes_.run == lanes_.runs - 1)
      for (int q = 0; q < Q; ++q)
        sum_of_warp(warp_, q) = sum.at[q];
    // Orders the writes of the warps' aggregates before their reads, and all loads of items before
    // stores over them.
    Device::sync_block();
    bool known = traits::starts_known;
    if constexpr (traits::starts_known)
      lanes_.start(start);
    auto const append = [&](state const& later, power const& rows) {
      if (known)
        lanes_.append(start, later, rows);
      else
        lanes_type::copy(later, start);
      known = true;
    };
    if constexpr (totals) {
      combine_all_warps(within);
      if constexpr (may_form_clusters)
        if (Device::blocks() > 1)
          exchange(total_, append);
    } else {
      // The first warp needs no prefix, and combines all warps. The last block's is never read.
      if (int const upto = warp_ == 0 && block_ + 1 < Device::blocks() ? W : warp_; upto > 0)
        combine_warps(upto, within);
      if constexpr (may_form_clusters)
        if (Device::blocks() > 1)
          exchange(within, append);
    }
    if (warp_ > 0)
      append(within, a_.tables.warps(warp_));
    if (lanes_.run > 0)
      append(below, upto_run_);
    return known;
  }

  /// The number of blocks whose aggregates this block needs. A block that uses the aggregate of all
  /// items sends its own to itself, too.
  SAM_DEVICE int senders() const { return totals ? Device::blocks() : block_; }
  /// Sends the block's aggregate to the blocks that need it, and appends the aggregates of all
  /// earlier blocks. `total` is valid in the first warp. A block that has received an aggregate may
  /// overwrite items of its sender, which were loaded before.
  template <class Append>
  SAM_DEVICE void exchange(state const& total, Append const& append) {
    Device::await_cluster();  // all blocks of the cluster have begun
    if (warp_ == 0) {
      for (int b = lanes_.run; lanes_.run < lanes_.runs && b < Device::blocks(); b += lanes_.runs)
        if (totals || b > block_)
          for (int q = 0; q < Q; ++q)
            gpu::to_words(total.at[q], [&](int w, std::uint32_t word) {
              Device::send_word(&word_of(block_, q, w), b, word, shared_.full);
            });
    }
    if (senders() > 0)
      Device::await_words(shared_.full);
#pragma unroll(Q* words <= 2 ? Config::blocks : 1)
    for (int b = 0; b < Config::blocks; ++b) {
      state of_block;
      if (b < (totals ? Device::blocks() : block_))
        load_total(b, of_block);
      if (b < block_)
        append(of_block, a_.tables.tiles(1));
      if constexpr (totals) {
        if (b == 0)
          lanes_type::copy(of_block, total_);
        else if (b < Device::blocks())
          total_.at[0] = a_.policy.op(total_.at[0], of_block.at[0]);
      }
    }
  }
  SAM_DEVICE void load_total(int block, state& to) const {
    for (int q = 0; q < Q; ++q)
      to.at[q] = gpu::from_words<T>([&](int w) { return word_of(block, q, w); });
  }
  SAM_DEVICE std::uint32_t& word_of(int block, int q, int w) const {
    return shared_.of_blocks[block][(lanes_.component * Q + q) * words + w];
  }

  // --- Scan
  // ---------------------------------------------------------------------------------------

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
          put(k, engine::step<Q, traits::kind>(a_.policy.op, start.at, run_.at[k]));
        }
      }
  }

  arguments const& a_;
  lanes_type const lanes_;
  shared_layout& shared_;
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
