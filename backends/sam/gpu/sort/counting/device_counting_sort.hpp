// SPDX-License-Identifier: MIT
// Sorts 16-bit keys without values by counting: keys are not moved but written from the histogram
// of all 65,536 keys.
//
// One kernel counts, one adds up the counts of its blocks, one writes.
//
// A histogram of 65,536 counters does not fit in shared memory. Blocks therefore come in pairs that
// read the same keys at about the same time, so that the second read hits the cache. Each block
// counts half of all possible keys, and adds the others to a word that is never read. Counters have
// 32 bits, for which hardware merges additions of lanes to one address, so equal keys cost no more
// than others. Counters of 16 bits would fit, but additions to them are not merged, and they need
// overflow checks.
//
// A multiplicative hash of the key selects its half and its counter's bank. So keys with few bits
// set, small keys and multiples are spread as evenly as random ones.
#pragma once

#include <sam/gpu/grid/sub_grid.hpp>
#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/warp/privatized_counters.hpp>
#include <sam/gpu/warp/warp_scan.hpp>

namespace sam::gpu {

/// Configures the three kernels.
///
/// The counting kernel: warps, and vectors of 16 bytes that a thread loads at a time. The adding
/// kernel: rows of threads, an even number. The writing kernel: warps, vectors of a tile that a
/// thread stores, blocks per multiprocessor, and the cost of examining a group in units of keys to
/// write.
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

/// Holds the arguments of the three kernels. Each pair of blocks counts every `pairs`-th part of
/// the keys.
template <class Job>
struct counting_arguments {
  Job job;
  int pairs = 0;
  std::uint32_t* counts = nullptr;  // one table for each block of the first kernel
  index_t* begins = nullptr;        // for each key, the count of smaller keys in its group
  index_t* totals = nullptr;        // for each group of 256 consecutive keys
};

/// Converts between 16-bit keys and their ranks in sorted order.
template <class Job>
struct sixteen_bits {
  using traits = radix_traits<Job>;
  using key = typename traits::key;
  static constexpr int bits = std::remove_cvref_t<decltype(Job::digits)>::bits;
  /// True if a key is 16 bits that determine its position, and has no value.
  static constexpr bool are_all = traits::keys_only && sizeof(key) == 2 && bits == 16;

  /// Returns the rank, among all possible keys, of the key with bits x.
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

  // The counting kernel:

  static constexpr int counting_threads = Config::warps * lanes;

 private:
  static constexpr std::uint32_t factor = 0x9e37;
  /// Returns the index of a key's counter from a 32-bit product. The upper 16 bits give the index;
  /// one word of padding per 1,024 words has the upper five bits select the bank, too. The highest
  /// bit selects the half.
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
    Device::sync_block();  // orders the zeroed counters before the additions of other warps
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
    Device::sync_block();  // orders the additions before the counters are read
    std::uint32_t* const to = a_.counts + index_t{Device::block()} * table;
    for (int x = thread_; x < table; x += counting_threads)
      to[x] = counters[place_of(std::uint32_t(x) * (factor << 16) & (others - 1))];
  }

  // The adding kernel, which computes each key's exclusive prefix within its group. Each block
  // handles two groups, whose keys differ in the first bit only: these share a position in tables
  // of different halves.

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
    Device::sync_block();  // orders writes of the row sums before their reads by other warps
    if (row < 2) {
      std::uint32_t const x = std::uint32_t(row * half + first + at);
      sum = 0;
#pragma unroll
      for (int r = 0; r < adding_rows; r += 2)
        sum += sums[(r + int(x * factor >> 15 & 1)) * group + at];
      in_order[row * group + keys_as::rank_of(a_.job, x) % group] = sum;
    }
    Device::sync_block();  // orders writes of the sorted counts before their reads by other warps
    if (Device::warp() < 2)
      add_up_group(keys_as::rank_of(a_.job, std::uint32_t(Device::warp() * half + first)) / group,
                   in_order + Device::warp() * group);
  }

  // The writing kernel, by tiles. Shared memory marks where a key differs from the one before with
  // its rank; unmarked positions repeat the key before. Ranks ascend, so the latest mark is the
  // maximum.
  //
  // Tiles are cut along a merge path of keys to write and groups to examine, each of which costs as
  // much as some keys. So no tile has more than its share of both, however rare many keys are.

  static constexpr int writing_threads = Config::writing_warps * lanes;
  static constexpr int keys_of_vector = items_of_vector<key>;
  static constexpr int tile = writing_threads * Config::writing_vectors * keys_of_vector;
  /// Describes a tile: its keys, and the groups of its first and its last key.
  struct part {
    index_t first;
    int length, low, high;
  };
  static constexpr int writing_shared_bytes =
      tile * 2 + (groups + 1) * 8 + Config::writing_warps * (int{sizeof(part)} + 4);
  static SAM_FUNCTION index_t tiles(index_t n) {
    return sam::div_up(n + groups * Config::group_cost + keys_of_vector, tile);
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
      Device::sync_block();  // orders writes of the group begins before their reads, and reads of
                             // the parts before their overwrite
      if (index_t const of_warp = t + Device::warp() * stride; of_warp < all)
        find_part(of_warp, part_of_turn(Device::warp()));
      Device::sync_block();  // orders writes of the parts and the cleared marks before their use by
                             // other warps
      for (int turn = 0; turn < Config::writing_warps && t + turn * stride < all; ++turn)
        write_tile(part_of_turn(turn));
    }
  }

 private:
  /// Holds a vector of eight 16-bit keys or ranks.
  struct alignas(16) two_by_two {
    std::uint32_t keys[4];
  };

  /// Calls use(k, sum) with the exclusive prefix of each of `group` numbers, by one warp.
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

  // The shared memory of the writing kernel: the rank of each key of the tile that differs from the
  // one before, else 0; group begins; the parts; the last rank in each warp's part of the tile.
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

  /// Finds the last group that begins at or before each of two path positions, if a group costs
  /// `cost` positions. One warp calls it. A search by search() for each takes any sort 1 us longer.
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
  /// Computes the part of tile t, by one warp. Vectors of a part are aligned in memory.
  SAM_DEVICE void find_part(index_t t, part& p) const {
    index_t const past =
        index_t(reinterpret_cast<std::uintptr_t>(a_.job.sorted_keys) % 16 / sizeof(key));
    index_t const places[] = {t * tile, (t + 1) * tile};
    int found[2];
    find_groups(places, Config::group_cost, found);
    auto const begin = [&](int k) {
      index_t const of_group = begin_of_group(found[k]);
      index_t const i =
          sam::max_of(of_group, places[k] - (found[k] + 1) * Config::group_cost) + past;
      return sam::min_of(i / keys_of_vector * keys_of_vector - past, a_.job.n);
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
    Device::sync_block();  // orders the cleared marks before the next tile's marks
  }
  template <bool Whole>
  SAM_DEVICE void write_noted(part const& p) const {
    constexpr int vectors = Config::writing_vectors;
    Device::sync_block();  // orders writes of the marks before their reads by other warps
    typename Device::lane_set with[vectors];  // lanes whose vectors hold marks
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
    Device::sync_block();  // orders writes of the last ranks before their reads by other warps
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
  // The number of groups marked at a time; a tile rarely has more non-empty ones.
  static constexpr int together = 5;
  SAM_DEVICE void note_begins(part const& p) const {
    for (int g = p.low; g <= p.high; g += together)
      if (begin_of_group(g) < begin_of_group(min_of(g + together, groups)))
        note_groups(p, g, sam::min_of(g + together, p.high + 1));
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
  /// Returns where key `at` of group g begins in a tile, clamped to the tile. If `at` is `group`,
  /// that is where the next group begins.
  SAM_DEVICE int begin_in_tile(part const& p, int g, int at) const {
    index_t const begin =
        at < group ? begin_of_group(g) + a_.begins[g * group + at] : begin_of_group(g + 1);
    return int(sam::min_of(sam::max_of(begin - p.first, 0), p.length));
  }
  SAM_DEVICE std::uint32_t twice(std::uint32_t rank) const {
    std::uint32_t const x = keys_as::of_rank(a_.job, int(rank));
    return Device::lower_halves(x, x);
  }
  /// Returns keys from marked ranks; unmarked positions repeat the key before, initially that of
  /// `rank`.
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

}  // namespace sam::gpu
