// SPDX-License-Identifier: MIT
// Implements the kernel of weighted histograms: sums of weights by tables in shared memory. No
// weight moves.
//
// The items are divided into pieces. A warp adds those of a piece to a table of its own, in which
// each kind of item has a sum in each column. Item i of a piece belongs to column (i / 4) modulo
// the number of columns. A column has one lane at a time, so weights are added without atomic
// operations and in the order of items. The columns of a kind are then added up from column (kind
// mod columns) on, the pieces of a group in order, and the groups in order by the last block.
//
// The numbers of items and kinds and the type of the sums determine pieces, groups and columns.
// Blocks, warps and tables at a time change no bits.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/backend/pointers.hpp>
#include <sam/gpu/grid/last_block.hpp>
#include <sam/operators.hpp>

#include <bit>
#include <cstddef>

namespace sam::inline v0_1::gpu {

/// Divides the items of a weighted histogram. These sizes determine how floats are grouped, so they
/// are the same on all devices.
template <class Job>
struct weighted_histogram_shape {
  using sum = typename Job::sum;
  static constexpr int neighbours = 4;       // items of a column in a row
  static constexpr int fewest_columns = 4;   // fewer take more time than a sort
  static constexpr int most_columns = 32;    // of a table
  static constexpr int pieces_of_group = 4;  // a block adds those of a group
  static constexpr int most_groups = 128;
  static constexpr int step = 64 * neighbours;  // items that a warp takes at a time, or twice that
  static constexpr index_t least_of_piece = 2048, items_of_kind = 8;
  static constexpr index_t most_bytes = 36 << 10;  // of a table, and of a sum for each kind

  /// Returns the number of columns, a power of two; 0 if too few have room.
  static SAM_FUNCTION int columns_for(index_t kinds) {
    int columns = most_columns;
    while (columns >= fewest_columns && (columns + 1) * kinds * index_t{sizeof(sum)} > most_bytes)
      columns /= 2;
    return columns < fewest_columns ? 0 : columns;
  }
  static SAM_FUNCTION index_t least_piece(index_t kinds) {
    return max_of(least_of_piece, items_of_kind * kinds);
  }
  static SAM_FUNCTION index_t piece_of(index_t n, index_t kinds) {
    index_t const share = engine::div_up(n, index_t{most_groups * pieces_of_group});
    return engine::div_up(max_of(share, least_piece(kinds)), index_t{step}) * step;
  }
  static SAM_FUNCTION index_t groups_of(index_t n, index_t piece) {
    return max_of(index_t{1}, engine::div_up(n, pieces_of_group * piece));
  }
  /// Returns the most groups of at most n items.
  static SAM_FUNCTION index_t most_groups_of(index_t n, index_t kinds) {
    return min_of(index_t{most_groups},
                  gpu::weighted_histogram_shape<Job>::groups_of(n, least_piece(kinds)));
  }
};

/// Holds the arguments of the kernel.
template <class Job>
struct weighted_histogram_arguments {
  Job job;
  int columns;                // of each table
  int tables;                 // of a block: 1, 2 or 4
  bool is_cleared;            // the sums are zero already
  typename Job::sum* groups;  // memory for their sums; null if there is at most one, and one block
  std::uint32_t* done;        // counts the blocks that are done
};

/// Configures the kernel at compile time: warps of a block, and the bytes of items and weights that
/// a lane has on their way.
template <int Warps, int Bytes>
struct weighted_histogram_config {
  static constexpr int warps = Warps;
  static constexpr int bytes = Bytes;
};

/// Holds neighbouring items or weights, which a lane loads by one instruction or few. Those of one
/// byte are kept in a word.
template <class T>
struct four_of {
  static constexpr bool is_vector = sizeof(T) <= 16 && std::has_single_bit(sizeof(T));
  static constexpr int alignment = int(min_of(index_t{16}, index_t{4 * sizeof(T)}));
  struct alignas(is_vector ? alignment : int(alignof(T))) type {
    uninitialized_array<T, 4> items;
    SAM_DEVICE T operator[](int k) const { return items.at[k]; }
    SAM_DEVICE void set(int k, T const& x) { items.at[k] = x; }
  };
};
template <class T>
requires(sizeof(T) == 1) struct four_of<T> {
  static constexpr bool is_vector = true;
  static constexpr int alignment = 4;
  struct alignas(4) type {
    std::uint32_t word;
    SAM_DEVICE T operator[](int k) const {
      uninitialized_array<T, 1> item;
      reinterpret_cast<unsigned char&>(item.at[0]) = static_cast<unsigned char>(word >> 8 * k);
      return item.at[0];
    }
    SAM_DEVICE void set(int k, T const& x) {
      word = (k == 0 ? 0 : word) | std::uint32_t{reinterpret_cast<unsigned char const&>(x)}
                                       << 8 * k;
    }
  };
};

/// Runs the kernel in one block.
template <class Device, class Job, class Config>
class weighted_histogram_block {
  using shape = weighted_histogram_shape<Job>;

 public:
  using item = typename Job::item;
  using weight = typename Job::weight;
  using sum = typename Job::sum;
  static constexpr int lanes = Device::warp_size;
  static constexpr int threads = Config::warps * lanes;
  static_assert(lanes >= shape::most_columns && Config::warps >= shape::pieces_of_group);

  /// Returns the bytes of shared memory: tables, a sum for each kind, and a word.
  static SAM_FUNCTION index_t shared_bytes(Job const& job, int columns, int tables) {
    return tables * table_bytes(job.kinds(), columns) + padded(job.kinds() * index_t{sizeof(sum)}) +
           16;
  }

  SAM_DEVICE explicit weighted_histogram_block(weighted_histogram_arguments<Job> const& arguments)
      : a_(arguments), kinds_(int(a_.job.kinds())), warp_(Device::warp()), lane_(Device::lane()),
        thread_(warp_ * lanes + lane_), memory_(Device::shared_memory()),
        table_bytes_(int(table_bytes(kinds_, a_.columns))),
        totals_(reinterpret_cast<sum*>(memory_ + a_.tables * table_bytes_)),
        flag_(reinterpret_cast<std::uint32_t*>(memory_ +
                                               shared_bytes(a_.job, a_.columns, a_.tables) - 16)) {}

  SAM_DEVICE void run() {
    clear_tables();
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    Device::sync_block();  // orders the zeroing before the additions by other warps
    index_t const n = a_.job.items_to_add();
    index_t const piece = shape::piece_of(n, kinds_);
    index_t const groups = shape::groups_of(n, piece);
    bool const is_alone = a_.groups == nullptr;
    for (index_t g = Device::block(); g < groups; g += Device::blocks()) {
      add_group(n, piece, g * shape::pieces_of_group);
      if (!is_alone)
        for (int k = thread_; k < kinds_; k += threads)
          a_.groups[g * kinds_ + k] = totals_[k];
      if (g + Device::blocks() < groups) {
        clear_tables();
        Device::sync_block();  // orders the zeroing before the additions by other warps
      }
    }
    if (!is_alone) {
      if (!gpu::is_last_block<Device>(a_.done, thread_, *flag_))
        return;
      for (int k = thread_; k < kinds_; k += threads)
        totals_[k] = total_of_groups(int(groups), k);
    }
    finish();
  }

 private:
  static SAM_FUNCTION index_t padded(index_t bytes) { return engine::div_up(bytes, 16) * 16; }
  static SAM_FUNCTION index_t table_bytes(index_t kinds, int columns) {
    return padded(kinds * columns * index_t{sizeof(sum)});
  }
  using items_vector = typename four_of<item>::type;
  using weights_vector = typename four_of<weight>::type;
  static constexpr bool is_array = std::is_same_v<typename Job::source, engine::array_source<item>>;
  static constexpr bool has_vectors =
      is_array && four_of<item>::is_vector && four_of<weight>::is_vector;

  SAM_DEVICE sum* table(int t) const { return reinterpret_cast<sum*>(memory_ + t * table_bytes_); }

  struct alignas(16) zeros {
    std::uint32_t words[4];
  };
  SAM_DEVICE void clear_tables() const {
    auto* const to = reinterpret_cast<zeros*>(memory_);
#pragma unroll 8
    for (int k = thread_; k < a_.tables * table_bytes_ / 16; k += threads)
      to[k] = zeros{};
  }

  /// Adds up the pieces of a group, from piece `first` on, in as many rounds as there are too few
  /// tables. The tables are zero before.
  SAM_DEVICE void add_group(index_t n, index_t piece, index_t first) const {
    for (int p = 0; p < shape::pieces_of_group; p += a_.tables) {
      index_t const begin = min_of(n, (first + p + warp_) * piece);
      if (p > 0 && min_of(n, (first + p) * piece) == n)
        break;
      if (p > 0) {
        clear_tables();
        Device::sync_block();  // orders the zeroing before the additions by other warps
      }
      if (warp_ < a_.tables)
        add_piece(begin, min_of(n, begin + piece));
      Device::sync_block();  // orders the additions before the reads by other warps
      for (int k = thread_; k < kinds_; k += threads) {
        sum total = p == 0 ? total_of_columns(0, k) : plus{}(totals_[k], total_of_columns(0, k));
        for (int t = 1; t < a_.tables; ++t)
          total = plus{}(total, total_of_columns(t, k));
        totals_[k] = total;
      }
      Device::sync_block();  // orders the reads before the tables are zeroed
    }
  }
  /// Returns the sum of the columns of a kind. Lanes begin in different banks.
  SAM_DEVICE sum total_of_columns(int t, int kind) const {
    sum const* const of_kind = table(t) + kind * a_.columns;
    sum total = of_kind[kind & (a_.columns - 1)];
#pragma unroll 8
    for (int c = 1; c < a_.columns; ++c)
      total = plus{}(total, of_kind[(kind + c) & (a_.columns - 1)]);
    return total;
  }
  SAM_DEVICE sum total_of_groups(int groups, int kind) const {
    constexpr int at_once = 32;
    sum total = a_.groups[kind];
#pragma unroll 1
    for (int g = 1; g < groups; g += at_once) {
      sum some[at_once];
#pragma unroll
      for (int j = 0; j < at_once; ++j)
        if (g + j < groups)
          some[j] = a_.groups[index_t(g + j) * kinds_ + kind];
#pragma unroll
      for (int j = 0; j < at_once; ++j)
        if (g + j < groups)
          total = plus{}(total, some[j]);
    }
    return total;
  }

  /// Adds the items in [begin, end) to the table of this warp.
  SAM_DEVICE void add_piece(index_t begin, index_t end) const {
    constexpr int of_round = lanes * shape::neighbours;
    int const rounds = int((end - begin) / of_round);
    if (has_vectors && a_.columns >= lanes && is_aligned())
      add_rounds<has_vectors>(begin + lane_ * shape::neighbours, rounds);
    else
      add_rounds<false>(begin + lane_ * shape::neighbours, rounds);
    index_t const rest = begin + index_t{rounds} * of_round + lane_ * shape::neighbours;
    if (begin + index_t{rounds} * of_round < end)
      in_turns([&] {
        for (int k = 0; k < shape::neighbours; ++k)
          if (rest + k < end) {
            sum& to = own()[a_.job.kind(a_.job.items.at(rest + k)) * a_.columns];
            to = plus{}(to, static_cast<sum>(a_.job.weights[rest + k]));
          }
      });
  }
  SAM_DEVICE sum* own() const { return table(warp_) + (lane_ & (a_.columns - 1)); }
  /// Calls add() for the lanes of each column in turn.
  template <class Add>
  SAM_DEVICE void in_turns(Add const& add) const {
    for (int first = 0; first < lanes; first += a_.columns) {
      if (lane_ >= first && lane_ - first < a_.columns)
        add();
      Device::sync_warp();  // orders the additions of a turn before those of the next
    }
  }

  SAM_DEVICE bool is_aligned() const {
    if constexpr (has_vectors)
      return reinterpret_cast<std::uintptr_t>(a_.job.items.data) % sizeof(items_vector) %
                     alignof(items_vector) ==
                 0 &&
             reinterpret_cast<std::uintptr_t>(a_.job.weights) % alignof(weights_vector) == 0;
    else
      return false;
  }

  struct neighbours {
    items_vector items;
    weights_vector weights;
  };
  template <bool Vectors>
  SAM_DEVICE neighbours load(index_t i) const {
    neighbours now;
    if constexpr (Vectors) {
      now.items = *reinterpret_cast<items_vector const*>(a_.job.items.data + i);
      now.weights = *reinterpret_cast<weights_vector const*>(a_.job.weights + i);
    } else {
#pragma unroll
      for (int k = 0; k < shape::neighbours; ++k) {
        now.items.set(k, a_.job.items.at(i + k));
        now.weights.set(k, a_.job.weights[i + k]);
      }
    }
    return now;
  }

  /// Adds the neighbours at `first` and in later rounds. With Vectors, each lane has a column.
  template <bool Vectors>
  SAM_DEVICE void add_rounds(index_t first, int rounds) const {
    constexpr int depth =
        Vectors ? int(max_of(index_t{1},
                             min_of(index_t{16}, index_t{Config::bytes / int(sizeof(neighbours))})))
                : 4;
    constexpr int of_round = lanes * shape::neighbours;
    sum* const to = own();
    uninitialized_array<neighbours, depth> next, now;
#pragma unroll
    for (int r = 0; r < depth; ++r)
      if (r < rounds)
        next.at[r] = load<Vectors>(first + r * of_round);
#pragma unroll 1
    for (int done = 0; done < rounds; done += depth) {
      first += depth * of_round;
      // Waits for all loads at once: a wait for one of them would wait for later ones, too, which
      // share its scoreboard.
#pragma unroll
      for (int r = 0; r < depth; ++r)
        if (done + r < rounds)
          now.at[r] = next.at[r];
#pragma unroll
      for (int r = 0; r < depth; ++r)
        if (done + r + depth < rounds)
          next.at[r] = load<Vectors>(first + r * of_round);
#pragma unroll
      for (int r = 0; r < depth; ++r)
        if (done + r < rounds) {
          if constexpr (Vectors)
            add(to, now.at[r]);
          else
            in_turns([&] { add(to, now.at[r]); });
        }
    }
  }

  /// Adds four neighbours. Their sums are all loaded before the first is stored; a later neighbour
  /// of the same kind takes the sum that an earlier one has made.
  SAM_DEVICE void add(sum* to, neighbours const& all) const {
    int const columns = lanes == shape::most_columns && a_.columns == lanes ? lanes : a_.columns;
    int at[4];
    sum sums[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      at[k] = int(a_.job.kind(all.items[k])) * columns;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      sums[k] = to[at[k]];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int j = 0; j < k; ++j)
        if (at[j] == at[k])
          sums[k] = sums[j];
      sums[k] = plus{}(sums[k], static_cast<sum>(all.weights[k]));
    }
#pragma unroll
    for (int k = 0; k < 4; ++k)
      to[at[k]] = sums[k];
  }

  /// Stores the totals of all bins.
  SAM_DEVICE void finish() const {
    if constexpr (!Job::adds_values) {
      for (int k = thread_; k < int(a_.job.size); k += threads)
        a_.job.sums[k] = totals_[k];
    } else {
      add_values();
    }
  }
  /// Adds the totals of values to their bins, in the order of values. Often a bin has one value.
  SAM_DEVICE void add_values() const {
    constexpr int values = 256;
    auto* const bins = reinterpret_cast<std::uint32_t*>(memory_);
    std::uint32_t* const in_slot = bins + values;  // values of bins that are equal modulo `values`
    auto const none = std::uint32_t(a_.job.size);
    Device::sync_block();  // orders the totals of other threads, and their reads of the tables
    for (int v = thread_; v < values; v += threads)
      in_slot[v] = 0;
    if (!a_.is_cleared)
      for (int b = thread_; b < int(a_.job.size); b += threads)
        a_.job.sums[b] = sum(0);
    Device::sync_block();  // orders the zeroing before what follows
    for (int v = thread_; v < values; v += threads) {
      // A value whose total is not 0 occurs, so that it may be asked for its bin.
      bins[v] = totals_[v] != sum(0) ? std::uint32_t(a_.job.bin_of_kind(v)) : none;
      if (bins[v] != none)
        Device::add_shared(in_slot + bins[v] % values, 1u);
    }
    Device::sync_block();  // orders the bins before the reads by other threads
    for (int v = thread_; v < values; v += threads) {
      std::uint32_t const bin = bins[v];
      if (bin == none)
        continue;
      sum total = totals_[v];
      if (in_slot[bin % values] > 1) {
        bool is_first = true;
        for (int u = 0; u < v; ++u)
          is_first = is_first && bins[u] != bin;
        if (!is_first)
          continue;
        for (int u = v + 1; u < values; ++u)
          if (bins[u] == bin)
            total = plus{}(total, totals_[u]);
      }
      a_.job.sums[bin] = total;
    }
  }

  weighted_histogram_arguments<Job> const& a_;
  int kinds_, warp_, lane_, thread_;
  std::byte* memory_;
  int table_bytes_;
  sum* totals_;  // of each kind
  std::uint32_t* flag_;
};

}  // namespace sam::inline v0_1::gpu
