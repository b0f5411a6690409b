// SPDX-License-Identifier: MIT
// Sorts 16-bit keys without values by counting, on the whole device. Keys are not moved: one kernel
// counts each of the 65,536 possible keys, one computes prefix sums of the counts, and one writes
// the keys.
//
// Shared memory cannot hold 65,536 counters of 32 bits. Blocks therefore work in pairs, which read
// the same keys at about the same time, so that memory supplies them once. Each block counts half
// of all possible keys, and adds the rest to a word that is never read. Hardware combines the
// additions of 1 by the lanes of a warp to a 32-bit word, so equal keys cost no more than distinct
// ones. Counters of 16 bits would fit, but their additions are not combined and would need checks
// for overflow.
//
// A key's half and the bank of its counter are bits of its product with an odd number. Small keys,
// multiples and keys with few bits set are thus spread like random ones.
#pragma once

#include <sam/gpu/grid/sub_grid.hpp>
#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::inline v0_1::gpu {

/// Configures the three kernels:
/// - counting: warps, and 16-byte vectors that a thread loads at once
/// - adding: rows of threads that share the tables, an even number
/// - writing: warps, vectors that a thread stores of a tile, blocks per multiprocessor, and the
///   cost of a group of digits in a tile, in keys
template <int Warps, int Vectors, int AddingRows, int WritingWarps, int WritingVectors,
          int WritingBlocks, int GroupCost>
struct device_counting_config {
  static constexpr int warps = Warps;
  static constexpr int vectors = Vectors;
  static constexpr int adding_rows = AddingRows;
  static_assert(adding_rows % 2 == 0);
  static constexpr int writing_warps = WritingWarps;
  static constexpr int writing_vectors = WritingVectors;
  static constexpr int writing_blocks = WritingBlocks;
  static constexpr int group_cost = GroupCost;
};

/// Holds the arguments of the three kernels. Each of the `pairs` pairs of blocks counts an equal
/// part of the keys.
template <class Job>
struct counting_arguments {
  Job job;
  int pairs = 0;
  std::uint32_t* counts = nullptr;  // one table for each block of the first kernel
  index_t* begins = nullptr;        // for each key: the smaller keys of its group
  index_t* totals = nullptr;        // of each group of 256 consecutive ordered keys
};

/// Converts between the bits of a key and its rank, the ordered key.
template <class Job>
struct sixteen_bits {
  using traits = radix_traits<Job>;
  using key = typename traits::key;
  static constexpr int bits = std::remove_cvref_t<decltype(Job::digits)>::bits;
  /// True if a key is 16 bits that determine it.
  static constexpr bool are_all = traits::keys_only && sizeof(key) == 2 && bits == 16;

  /// Returns the rank of a key with bits x and, below, the bits of the key of a rank.
  static SAM_FUNCTION int rank_of(Job const& job, std::uint32_t x) {
    auto const k = __builtin_bit_cast(key, static_cast<std::uint16_t>(x));
    return int((traits::ordered_key_of(job.digits, k) ^ traits::flip_of(job.digits)) & 0xffff);
  }
  static SAM_FUNCTION std::uint32_t of_rank(Job const& job, int rank) {
    auto const ordered_key =
        static_cast<typename traits::ordered_key>(rank) ^ traits::flip_of(job.digits);
    return __builtin_bit_cast(
        std::uint16_t,
        traits::to_be_written(static_cast<typename traits::held_key>(ordered_key), false));
  }
};

/// Sorts a job by three kernels: count(), add_up() and write().
template <class Device, class Job, class Config>
class device_counting_sort {
  using keys_as = sixteen_bits<Job>;
  using key = typename keys_as::key;
  static_assert(keys_as::are_all);
  static constexpr int lanes = Device::warp_size;
  static constexpr int ranks = 1 << 16, half = ranks / 2;
  static constexpr int group = 256, groups = ranks / group;

 public:
  static constexpr int table = half;  // counters of a block
  static constexpr index_t begins_bytes = ranks * index_t{sizeof(index_t)};
  static constexpr index_t totals_bytes = groups * index_t{sizeof(index_t)};

  explicit SAM_DEVICE device_counting_sort(counting_arguments<Job> const& arguments)
      : a_(arguments), thread_(Device::warp() * lanes + Device::lane()) {}

  // The counting kernel: pairs of blocks count the keys.

  static constexpr int counting_threads = Config::warps * lanes;

 private:
  static constexpr std::uint32_t factor = 0x9e37;
  /// Returns the index of a counter from the upper 16 bits of a key's product. One word of padding
  /// follows each 1024 counters, so that the upper five bits affect the bank, too. The top bit
  /// selects the half that counts the key.
  static SAM_FUNCTION constexpr std::uint32_t place_of(std::uint32_t product) {
    return (product >> 16) + (product >> 26);
  }
  static constexpr std::uint32_t others = 1u << 31;

 public:
  static constexpr int counting_shared_bytes = int(place_of(others) + 1) * 4;

  SAM_DEVICE void count() const {
    auto* const counters = reinterpret_cast<std::uint32_t*>(Device::shared_memory());
    for (int k = thread_; k < counting_shared_bytes / 4; k += counting_threads)
      counters[k] = 0;
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    Device::sync_block();  // orders the zeros before the counts of other warps
    std::uint32_t const flip = Device::block() % 2 == 0 ? 0 : others;
    auto const add = [&](std::uint32_t product) {
      product += flip;
      Device::add_shared(counters + place_of(product < others ? product : others), 1u);
    };
    gpu::for_each_vector<sub_grid<Device, 2>, counting_threads, Config::vectors>(
        a_.job.keys, a_.job.n, thread_,
        [&](item_vector<key> const& held) {
          auto const two = __builtin_bit_cast(two_by_two, held);
#pragma unroll
          for (int k = 0; k < 4; ++k) {
            add(two.keys[k] * (factor << 16));
            add((two.keys[k] & 0xffff0000) * factor);
          }
        },
        [&](key const& k) { add(__builtin_bit_cast(std::uint16_t, k) * (factor << 16)); });
    Device::sync_block();  // orders the counts before their reads by other warps
    std::uint32_t* const to = a_.counts + index_t{Device::block()} * table;
    for (int x = thread_; x < table; x += counting_threads)
      to[x] = counters[place_of(std::uint32_t(x) * (factor << 16) & (others - 1))];
  }

  // The adding kernel: computes the exclusive prefixes of the counts. Each block handles two
  // groups. Keys that differ only in the top bit have one index in all tables, each in tables of a
  // different half.

  static constexpr int adding_rows = Config::adding_rows;
  static constexpr int adding_threads = adding_rows * group;
  static constexpr int adding_blocks = groups / 2;
  static constexpr int adding_shared_bytes = (adding_rows + 2) * group * 8;

  SAM_DEVICE void add_up() const {
    auto* const sums = reinterpret_cast<std::uint64_t*>(Device::shared_memory());
    std::uint64_t* const in_order = sums + adding_rows * group;
    int const first = Device::block() * group;
    int const row = thread_ / group, at = thread_ % group;
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    std::uint64_t sum = 0;
#pragma unroll 11
    for (int t = row; t < 2 * a_.pairs; t += adding_rows)
      sum += a_.counts[index_t{t} * table + first + at];
    sums[thread_] = sum;
    Device::sync_block();  // orders the sums of the rows before their reads
    if (row < 2) {
      std::uint32_t const x = std::uint32_t(row * half + first + at);
      sum = 0;
#pragma unroll
      for (int r = 0; r < adding_rows; r += 2)
        sum += sums[(r + int(x * factor >> 15 & 1)) * group + at];
      in_order[row * group + keys_as::rank_of(a_.job, x) % group] = sum;
    }
    Device::sync_block();  // orders the counts, sorted by rank, before their reads
    if (Device::warp() < 2)
      add_up_group(keys_as::rank_of(a_.job, std::uint32_t(Device::warp() * half + first)) / group,
                   in_order + Device::warp() * group);
  }

  // The writing kernel: writes the sorted keys, tile by tile. The position where another key begins
  // is marked with its rank in shared memory. Ranks ascend, so the rank at a position is the
  // greatest mark up to it. Tiles are cut along a path through keys to write and groups to read,
  // each group at the cost of some keys. No tile thus exceeds its share of the work, however many
  // keys are rare.

  static constexpr int writing_threads = Config::writing_warps * lanes;
  static constexpr int keys_of_vector = items_of_vector<key>;
  static constexpr int tile = writing_threads * Config::writing_vectors * keys_of_vector;
  /// Holds the range of keys of a tile, and the groups of its first and last key.
  struct part {
    index_t first;
    int length, low, high;
  };
  static constexpr int writing_shared_bytes =
      tile * 2 + (groups + 1) * 8 + Config::writing_warps * (int{sizeof(part)} + 4);
  static SAM_FUNCTION index_t tiles(index_t n) {
    return engine::div_up(n + groups * Config::group_cost + keys_of_vector, tile);
  }

  SAM_DEVICE void write() const {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    if (Device::warp() == 0)
      for_each_begin(a_.totals,
                     [&](int g, std::uint64_t begin) { begin_of_group(g) = index_t(begin); });
    if (thread_ == 0)
      begin_of_group(groups) = a_.job.n;
#pragma unroll
    for (int v = 0; v < Config::writing_vectors; ++v)
      noted_in(v) = {};
    index_t const all = tiles(a_.job.n), stride = Device::blocks();
    for (index_t t = Device::block(); t < all; t += Config::writing_warps * stride) {
      Device::sync_block();  // orders the begins before reads, and reads of parts before writes
      if (index_t const of_warp = t + Device::warp() * stride; of_warp < all)
        find_part(of_warp, part_of_turn(Device::warp()));
      Device::sync_block();  // orders the parts and the cleared marks before their use
      for (int turn = 0; turn < Config::writing_warps && t + turn * stride < all; ++turn)
        write_tile(part_of_turn(turn));
    }
  }

 private:
  /// Holds a vector of keys or ranks, which have 16 bits each in memory.
  struct alignas(16) two_by_two {
    std::uint32_t keys[4];
  };

  /// Calls use(k, prefix) with the exclusive prefix sum of each of `group` numbers. All lanes of
  /// one warp call it.
  template <class Number, class Use>
  SAM_DEVICE void for_each_begin(Number const* numbers, Use const& use) const {
    static_assert(group == groups);
    constexpr int own = (group + lanes - 1) / lanes;
    std::uint64_t held[own], sum = 0;
#pragma unroll
    for (int k = 0; k < own; ++k) {
      int const at = Device::lane() * own + k;
      held[k] = at < group ? std::uint64_t(numbers[at]) : 0;
      sum += held[k];
    }
    std::uint64_t begin = gpu::sum_upto_lane<Device>(sum) - sum;
#pragma unroll
    for (int k = 0; k < own; ++k) {
      if (int const at = Device::lane() * own + k; at < group)
        use(at, begin);
      begin += held[k];
    }
  }

  SAM_DEVICE void add_up_group(int g, std::uint64_t const* counts) const {
    for_each_begin(counts, [&](int k, std::uint64_t begin) {
      a_.begins[index_t{g} * group + k] = index_t(begin);
      if (k == group - 1)
        a_.totals[g] = index_t(begin + counts[k]);
    });
  }

  // Shared memory of the writing kernel: the marks, which are the ranks of keys that differ from
  // their predecessor in the tile, or 0; the begins of groups; the parts of tiles; the last rank in
  // each warp's part of the tile.
  static SAM_DEVICE std::uint16_t* noted() {
    return reinterpret_cast<std::uint16_t*>(Device::shared_memory());
  }
  SAM_DEVICE two_by_two& noted_in(int v) const {
    int const at = (Device::warp() * Config::writing_vectors + v) * lanes + Device::lane();
    return reinterpret_cast<two_by_two*>(Device::shared_memory())[at];
  }
  static SAM_DEVICE index_t& begin_of_group(int g) {
    return reinterpret_cast<index_t*>(Device::shared_memory() + tile * 2)[g];
  }
  static SAM_DEVICE part& part_of_turn(int turn) {
    return reinterpret_cast<part*>(&begin_of_group(groups + 1))[turn];
  }
  static SAM_DEVICE std::uint32_t& last_in_warp(int warp) {
    return reinterpret_cast<std::uint32_t*>(
        __builtin_addressof(part_of_turn(Config::writing_warps)))[warp];
  }

  /// Finds the last groups that begin at or before two positions, if each group takes `cost`
  /// positions of its own. All lanes of one warp call it. Two calls of search() instead would make
  /// sorts of any size 1 us slower.
  static SAM_DEVICE void find_groups(index_t const (&places)[2], int cost, int (&found)[2]) {
    static_assert(groups % lanes == 0 && groups / lanes <= lanes);
    constexpr int own = groups / lanes;
    auto const narrow = [&](auto const& group_of_lane, int step) {
      typename Device::lane_set before[2];
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        int const g = group_of_lane(k);
        before[k] =
            Device::lanes_where(g >= 0 && g < groups && begin_of_group(g) + g * cost <= places[k]);
      }
#pragma unroll
      for (int k = 0; k < 2; ++k)
        found[k] += (Device::count(before[k]) - 1) * step;
    };
    found[0] = found[1] = 0;
    narrow([](int) { return Device::lane() * own; }, own);
    narrow([&](int k) { return Device::lane() < own ? found[k] + Device::lane() : -1; }, 1);
  }
  /// Computes the part of tile t; all lanes of one warp call it. Tiles begin at aligned vectors.
  SAM_DEVICE void find_part(index_t t, part& p) const {
    index_t const past =
        index_t(reinterpret_cast<std::uintptr_t>(a_.job.sorted_keys) % 16 / sizeof(key));
    index_t const places[] = {t * tile, (t + 1) * tile};
    int found[2];
    find_groups(places, Config::group_cost, found);
    auto const begin = [&](int k) {
      index_t const of_group = begin_of_group(found[k]);
      index_t const i =
          engine::max_of(of_group, places[k] - (found[k] + 1) * Config::group_cost) + past;
      return engine::min_of(i / keys_of_vector * keys_of_vector - past, a_.job.n);
    };
    index_t const first = begin(0), end = begin(1);
    find_groups({max_of(first, 0), end - 1}, 0, found);
    if (Device::lane() == 0)
      p = {first, int(end - first), found[0], found[1]};
  }
  static SAM_DEVICE std::uint32_t greater(std::uint32_t x, std::uint32_t y) {
    return x < y ? y : x;
  }
  static SAM_DEVICE std::uint32_t last_of(two_by_two const& two) {
    std::uint32_t last = 0;
#pragma unroll
    for (std::uint32_t const ranks_of : two.keys)
      last = greater(last, greater(ranks_of & 0xffff, ranks_of >> 16));
    return last;
  }

  SAM_DEVICE void write_tile(part const& p) const {
    if (p.length == 0)
      return;
    note_begins(p);
    p.first >= 0 && p.length % keys_of_vector == 0 ? write_noted<true>(p) : write_noted<false>(p);
    Device::sync_block();  // orders the clearing of marks before the next tile's marks
  }
  template <bool Whole>
  SAM_DEVICE void write_noted(part const& p) const {
    constexpr int vectors = Config::writing_vectors;
    Device::sync_block();                     // orders the marks before their reads
    typename Device::lane_set with[vectors];  // lanes with marks in their vectors
    std::uint32_t last = 0;
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      two_by_two const two = noted_in(v);
      with[v] = Device::lanes_where((two.keys[0] | two.keys[1] | two.keys[2] | two.keys[3]) != 0);
      if (with[v] != 0)
        last = Device::shuffle_from(last_of(two), Device::last(with[v]));
    }
    if (Device::lane() == 0)
      last_in_warp(Device::warp()) = last;
    Device::sync_block();  // orders the warps' last ranks before their reads
    static_assert(Config::writing_warps <= lanes);
    auto const warps_with =
        Device::lanes_where(Device::lane() < Device::warp() && last_in_warp(Device::lane()) != 0);
    std::uint32_t rank = warps_with == 0 ? 0 : last_in_warp(Device::last(warps_with));
    std::uint32_t same = twice(rank);
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      int const i = ((Device::warp() * vectors + v) * lanes + Device::lane()) * keys_of_vector;
      if (with[v] == 0) {
        store<Whole>(p, i, {{same, same, same, same}});
        continue;
      }
      two_by_two const two = noted_in(v);
      noted_in(v) = {};
      auto const lower = with[v] & Device::lower_lanes();
      std::uint32_t const mine = last_of(two);
      std::uint32_t const before = Device::shuffle_from(mine, lower == 0 ? 0 : Device::last(lower));
      store<Whole>(p, i, keys_from(two, lower == 0 ? rank : before));
      rank = Device::shuffle_from(mine, Device::last(with[v]));
      same = twice(rank);
    }
  }
  // Groups read at once: a tile rarely has more that are not empty.
  static constexpr int together = 5;
  SAM_DEVICE void note_begins(part const& p) const {
    for (int g = p.low; g <= p.high; g += together)
      if (begin_of_group(g) < begin_of_group(min_of(g + together, groups)))
        note_groups(p, g, engine::min_of(g + together, p.high + 1));
  }
  /// Marks the begins of the keys of groups [from, upto) in a tile.
  SAM_DEVICE void note_groups(part const& p, int from, int upto) const {
    constexpr int own = (together * group + writing_threads - 1) / writing_threads;
    int begin[own], end[own];
#pragma unroll
    for (int k = 0; k < own; ++k) {
      begin[k] = end[k] = 0;
      if (from + k * writing_threads / group >= upto)  // uniform across the block
        continue;
      int const at = thread_ + k * writing_threads, g = from + at / group;
      if (g < upto) {
        begin[k] = begin_in_tile(p, g, at % group);
        end[k] = begin_in_tile(p, g, at % group + 1);
      }
    }
#pragma unroll
    for (int k = 0; k < own; ++k)
      if (begin[k] < end[k])
        noted()[begin[k]] =
            static_cast<std::uint16_t>(from * group + thread_ + k * writing_threads);
  }
  /// Returns the position in a tile where key `at` of group g begins, clamped to the tile. For at
  /// == group it is where the next group begins.
  SAM_DEVICE int begin_in_tile(part const& p, int g, int at) const {
    index_t const begin =
        at < group ? begin_of_group(g) + a_.begins[g * group + at] : begin_of_group(g + 1);
    return int(engine::min_of(engine::max_of(begin - p.first, 0), p.length));
  }
  SAM_DEVICE std::uint32_t twice(std::uint32_t rank) const {
    std::uint32_t const x = keys_as::of_rank(a_.job, int(rank));
    return Device::lower_halves(x, x);
  }
  /// Returns the keys of the greatest mark up to each position; `rank` is the mark before the
  /// first.
  SAM_DEVICE two_by_two keys_from(two_by_two two, std::uint32_t rank) const {
#pragma unroll
    for (std::uint32_t& ranks_of : two.keys) {
      rank = greater(rank, ranks_of & 0xffff);
      std::uint32_t const x = keys_as::of_rank(a_.job, int(rank));
      rank = greater(rank, ranks_of >> 16);
      ranks_of = Device::lower_halves(x, keys_as::of_rank(a_.job, int(rank)));
    }
    return two;
  }
  template <bool Whole>
  SAM_DEVICE void store(part const& p, int i, two_by_two const& two) const {
    key* const to = a_.job.sorted_keys + p.first;
    int const begin = Whole || p.first >= 0 ? 0 : int(-p.first);
    if (i >= begin && i + keys_of_vector <= p.length) {
      Device::store_vector(to + i, two.keys);
    } else if (!Whole) {
#pragma unroll
      for (int k = 0; k < keys_of_vector; ++k)
        if (i + k >= begin && i + k < p.length)
          to[i + k] =
              __builtin_bit_cast(key, static_cast<std::uint16_t>(two.keys[k / 2] >> k % 2 * 16));
    }
  }

  counting_arguments<Job> const& a_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
