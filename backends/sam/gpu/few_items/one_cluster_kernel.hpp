// SPDX-License-Identifier: MIT
// Scans, reduces or selects few items in one block, or in one cluster of blocks.
//
// Every thread holds its items in registers (few_items_block.hpp), so nothing is loaded twice, no
// item is stored before all are loaded, and any job can run. In a cluster, blocks send their
// aggregates to the shared memory of later blocks.
//
// It needs no descriptors, no barriers but those of the block and the cluster, and no workspace.
// Blocks wait only for blocks of their own cluster, which run at the same time.
#pragma once

#include <sam/backend/mark_job.hpp>
#include <sam/gpu/few_items/few_items_block.hpp>

namespace sam::inline v0_1::gpu {

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

/// Runs one block of the cluster. A single block may have fewer warps than Config::warps, as many
/// as its items need.
template <class Device, class Job, class Policy, class Config>
class one_cluster_scan : few_items_block<Device, Job, Policy, Config> {
  using base = few_items_block<Device, Job, Policy, Config>;
  using base::append, base::block_, base::job_, base::lanes_, base::n_, base::tables_, base::total_,
      base::totals, base::warp_, base::Q, base::S, base::W, base::words;
  using typename base::T, typename base::state;
  using lanes_type = typename base::lanes_type;

 public:
  using arguments = one_cluster_arguments<Device, Job, Policy>;
  using base::warp_items, base::block_items, base::most_items, base::most_threads, base::blocks;

  /// Returns the number of threads of a block for n items.
  static SAM_FUNCTION constexpr int threads(index_t n) {
    return n > block_items ? most_threads : int(engine::div_up(n, warp_items)) * Device::warp_size;
  }

 private:
  static constexpr bool marks = requires(Job const j) { j.marks.words; };
  static constexpr int bit_words = marks ? block_items / 32 + 2 : 1;
  struct shared_layout {
    std::uint32_t bits[bit_words];  // head flags of the block's items
    std::uint32_t of_blocks[Config::blocks]
                           [S * Q * words];  // the block's aggregate, which other blocks read
    typename Device::barrier full;           // by which aggregates of other blocks are awaited
    typename base::shared_items items;
  };

 public:
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static_assert(shared_bytes <= 48 << 10);

  SAM_DEVICE explicit one_cluster_scan(arguments const& a)
      : base(a.job, a.policy, a.tables, a.n, shared().items), shared_(shared()) {}

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
    bool const by_vectors = this->load();
    // Read before the blocks wait for one another, so that the number arrives in the meantime.
    int const stored = this->stored();
    state start;
    bool const known = find_prefix(start);
    this->scan_and_store(start, known, by_vectors, stored);
  }

 private:
  static constexpr bool may_form_clusters = Config::blocks > 1 && Device::has_clusters;

  static SAM_DEVICE shared_layout& shared() {
    return *reinterpret_cast<shared_layout*>(Device::shared_memory());
  }
  SAM_DEVICE int thread() const { return warp_ * Device::warp_size + Device::lane(); }
  SAM_DEVICE int threads() const { return threads(n_); }
  /// The indices of the block's items.
  SAM_DEVICE index_t begin_of_block() const { return index_t{block_} * block_items; }
  SAM_DEVICE index_t end_of_block() const {
    return engine::min_of(begin_of_block() + block_items, n_);
  }

  // --- Head flags -------------------------------------------------------------------------------

  /// Marks the bits of the block's items, and writes them to memory in whole words. Neighbouring
  /// blocks of a backward job write the same value to the word that they share.
  SAM_DEVICE void mark() const {
    if constexpr (marks) {
      auto const& m = job_.marks;
      index_t const first = (Job::is_backward ? n_ - end_of_block() : begin_of_block()) / 32;
      index_t const end =
          engine::div_up(Job::is_backward ? n_ - begin_of_block() : end_of_block(), 32);
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

  // --- Prefixes ---------------------------------------------------------------------------------

  /// Combines the aggregates of all warps before this one and, in total_, of all warps.
  SAM_DEVICE void combine_all_warps(state& before) {
    int const all = Device::blocks() > 1 ? W : int(engine::div_up(n_, warp_items));
    bool const mine = lanes_.run < all;
    state part;
    if (mine)
      part.at[0] = this->sum_of_warp(lanes_.run, 0);
    lanes_.template scan_runs<W>(
        part, mine, [&](int d) -> auto& { return tables_.warps(d); });
    if (warp_ > 0)
      lanes_.from_run(part, warp_ - 1, before);
    lanes_.from_run(part, all - 1, total_);
  }
  /// Computes the exclusive prefix of the thread's run. Returns false if there is none, since
  /// nothing precedes it.
  SAM_DEVICE bool find_prefix(state& start) {
    state below, within;
    this->scan_warp(below);
    bool known = this->begin_prefix(start);
    if constexpr (totals) {
      combine_all_warps(within);
      if constexpr (may_form_clusters)
        if (Device::blocks() > 1)
          exchange(total_, start, known);
    } else {
      // The first warp needs no prefix, and combines all warps. The last block's is never read.
      // Warps before one that has items are full.
      if (int const upto = warp_ == 0 && block_ + 1 < Device::blocks() ? W : warp_;
          upto > 0 && this->count_ > 0)
        this->combine_warps(upto, within);
      if constexpr (may_form_clusters)
        if (Device::blocks() > 1)
          exchange(within, start, known);
    }
    this->append_own(start, known, within, below);
    return known;
  }

  /// The number of blocks whose aggregates this block needs. A block that uses the aggregate of all
  /// items sends its own to itself, too.
  SAM_DEVICE int senders() const { return totals ? Device::blocks() : block_; }
  /// Sends the block's aggregate to the blocks that need it, and appends the aggregates of all
  /// earlier blocks. `total` is valid in the first warp. A block that has received an aggregate may
  /// overwrite items of its sender, which were loaded before.
  SAM_DEVICE void exchange(state const& total, state& start, bool& known) {
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
        append(start, known, of_block, tables_.tiles(1));
      if constexpr (totals) {
        if (b == 0)
          lanes_type::copy(of_block, total_);
        else if (b < Device::blocks())
          total_.at[0] = this->policy_.op(total_.at[0], of_block.at[0]);
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

  shared_layout& shared_;
};

}  // namespace sam::inline v0_1::gpu
