// SPDX-License-Identifier: MIT
// The sort plan: a table of the algorithms that sort on CUDA devices, with the number of keys that
// each sorts and the devices that it needs. The launch, the workspace bound, the tests, `sam info
// --sort-plan` and the documents all read this table.
#ifndef SAM_LAUNCH_SORT_PLAN_HPP
#define SAM_LAUNCH_SORT_PLAN_HPP

#include <sam/gpu/sort/block_radix_sort.hpp>
#include <sam/gpu/sort/onesweep/onesweep_kernel.hpp>
#include <sam/launch/sort/tuning.hpp>

#include <array>
#include <initializer_list>
#include <tuple>

namespace sam::inline v0_1::SAM_GPU_WARPS {

/// The sort algorithms. docs/internals/cuda_sort.md has a section on each.
enum class sort_algorithm {
  cluster_counting,  // counts keys of 8 or 16 bits in the shared memory of a block or a cluster
  block_merge,       // one block sorts by comparisons
  cluster_merge,     // a cluster of blocks sorts by comparisons
  global_merge,      // clusters sort runs; further kernels merge them
  block_runs,        // blocks sort runs; further kernels merge them
  block_radix,       // one block sorts digit by digit
  device_counting,   // counts keys of 16 bits in global memory
  onesweep,          // one pass over global memory for each digit
};
constexpr char const* name_of(sort_algorithm algorithm) {
  constexpr char const* names[] = {"cluster counting", "block merge", "cluster merge",
                                   "global merge",     "block runs",  "block radix",
                                   "device counting",  "onesweep"};
  return names[int(algorithm)];
}

/// The bits of a key that a row can sort by.
enum class sort_bits {
  any,
  all,
  more_than_16,
  some,  // not all
};
constexpr char const* name_of(sort_bits bits) {
  constexpr char const* names[] = {"any", "all", "more than 16", "some"};
  return names[int(bits)];
}

/// A row of the table: an algorithm, and when it is chosen.
struct sort_row {
  sort_algorithm algorithm;
  index_t least_keys = 1;
  index_t most_keys = 0;            // 0: any number
  index_t least_keys_per_sm = 0;    // times the number of multiprocessors
  index_t most_keys_per_block = 0;  // times the resident blocks of the device; 0: any number
  int blocks_per_sm = 1;            // resident blocks
  int tile_keys = 0;                // of onesweep
  sort_bits bits = sort_bits::any;
  bool in_clusters = false;
  bool needs_residency = false;    // skipped unless blocks_per_sm blocks fit a multiprocessor
  bool needs_small_tiles = false;  // skipped if the context allows only large tiles
  bool takes_device_count = false;
  int (*blocks)(index_t n) = nullptr;        // that must be co-resident; null: any number
  int (*shared_bytes)(index_t n) = nullptr;  // per block
};

/// The limits of a device and of a context that the choice depends on.
struct sort_limits {
  index_t shared_bytes;           // of a block
  index_t shared_bytes_per_sm;    // of a multiprocessor
  index_t reserved_shared_bytes;  // by the system, for each block
  int multiprocessors;
  bool has_clusters;
  bool large_only;
  int most_blocks;  // 0: any number
  index_t tiles_per_sm = tuning::sort_tiles_per_sm;

  index_t allowed(index_t blocks) const {
    return most_blocks > 0 ? min_of(blocks, index_t{most_blocks}) : blocks;
  }
};

/// The properties of a sort that the choice depends on.
struct sort_size {
  index_t n;
  int bits;  // the number of bits sorted by
  bool all_bits;
  bool has_device_count;
};

/// True if a row sorts such an input on such a device. This is the only place that reads a row's
/// conditions.
inline bool admits(sort_row const& row, sort_limits const& device, sort_size const& size) {
  index_t const n = size.n;
  index_t const resident = device.allowed(index_t{row.blocks_per_sm} * device.multiprocessors);
  bool const has_bits = row.bits == sort_bits::any ||
                        (row.bits == sort_bits::all && size.all_bits) ||
                        (row.bits == sort_bits::some && !size.all_bits) ||
                        (row.bits == sort_bits::more_than_16 && size.bits > 16);
  int const blocks = row.blocks == nullptr ? 1 : row.blocks(n);
  index_t const least_per_sm =
      row.least_keys_per_sm / self::tuning::sort_tiles_per_sm * device.tiles_per_sm;
  return n >= row.least_keys && (row.most_keys == 0 || n <= row.most_keys) && has_bits &&
         (device.large_only || n >= least_per_sm * device.multiprocessors) &&
         (row.most_keys_per_block == 0 || n <= row.most_keys_per_block * resident) &&
         (!row.in_clusters || device.has_clusters) && device.allowed(blocks) == blocks &&
         !(row.needs_small_tiles && device.large_only) &&
         (row.takes_device_count || !size.has_device_count) &&
         (!row.needs_residency ||
          row.blocks_per_sm * (row.shared_bytes(n) + device.reserved_shared_bytes) <=
              device.shared_bytes_per_sm) &&
         (row.shared_bytes == nullptr || row.shared_bytes(n) <= device.shared_bytes);
}

/// The rows of the table as types. Each names its configuration, which its kernels are instantiated
/// with.
namespace sort_rows {

template <class Job, class Config>
struct cluster_counting {
  using config = Config;
  using kernel = gpu::cluster_counting_sort<device, Job, Config>;
  static constexpr sort_row row = {
      .algorithm = sort_algorithm::cluster_counting,
      .most_keys = kernel::size,
      .bits = sort_bits::all,
      .in_clusters = Config::blocks > 1,
      .blocks = [](index_t) { return Config::blocks; },
      .shared_bytes = [](index_t) { return int(kernel::shared_bytes); }};
};

template <class Job>
inline constexpr sort_bits merged_bits =
    gpu::radix_traits<Job>::keys_only ? sort_bits::all : sort_bits::more_than_16;

template <class Job, class Config>
struct block_merge {
  using config = Config;
  using kernel = gpu::block_merge_sort<device, Job, Config>;
  static constexpr sort_row row = {
      .algorithm = sort_algorithm::block_merge,
      .most_keys = kernel::size,
      .bits = merged_bits<Job>,
      .takes_device_count = true,
      .shared_bytes = [](index_t n) { return int(kernel::shared_bytes(n)); }};
};

template <class Job, class Config>
struct cluster_merge {
  using config = Config;
  using kernel = gpu::cluster_merge_sort<device, Job, Config>;
  static constexpr sort_row row = {.algorithm = sort_algorithm::cluster_merge,
                                   .least_keys =
                                       kernel::size / Config::blocks + 1,  // one block sorts fewer
                                   .most_keys = kernel::size,
                                   .bits = merged_bits<Job>,
                                   .in_clusters = true,
                                   .takes_device_count = true,
                                   .blocks = [](index_t n) { return int(kernel::blocks(n)); }};
};

template <class Job, class Config>
struct global_merge {
  using config = Config;
  using kernel = gpu::global_merge<device, Job, Config>;
  static constexpr sort_row row = {
      .algorithm = sort_algorithm::global_merge,
      .least_keys = kernel::run_size + 1,  // a single cluster sorts fewer
      .most_keys = kernel::size,
      .bits = merged_bits<Job>,
      .in_clusters = true,
      .needs_small_tiles = true,
      .takes_device_count = true,
      .blocks = [](index_t n) {
        return int(max_of(kernel::runs(n) * Config::cluster::blocks, kernel::blocks(n)));
      }};
};

template <class Job, class Config>
struct block_runs {
  using config = Config;
  using kernel = gpu::global_merge<device, Job, Config>;
  static constexpr sort_row row = {
      .algorithm = sort_algorithm::block_runs,
      .least_keys = kernel::run_size + 1,  // a single block sorts fewer
      .most_keys = kernel::size,
      .bits = merged_bits<Job>,
      .needs_small_tiles = true,
      .blocks = [](index_t n) { return int(max_of(kernel::runs(n), kernel::blocks(n))); }};
};

template <class Job, class Config>
struct block_radix {
  using config = Config;
  using kernel = gpu::block_radix_sort<device, Job, Config>;
  static constexpr sort_row row = {
      .algorithm = sort_algorithm::block_radix,
      .most_keys = kernel::size,
      .takes_device_count = true,
      .shared_bytes = [](index_t) { return int(kernel::shared_bytes); }};
};

template <class Job, class Config>
struct device_counting {
  using config = Config;
  using kernel = gpu::device_counting_sort<device, Job, Config>;
  static constexpr sort_row row = {
      .algorithm = sort_algorithm::device_counting,
      .bits = sort_bits::all,
      .shared_bytes = [](index_t) { return int(kernel::counting_shared_bytes); }};
};

/// A onesweep sort, with one pass over tiles of Config for each digit. Word is the type of a
/// descriptor word, two bits of which are flags. OriginalIndices keeps the index of each key in the
/// tile, which keys need if the sorted bits do not determine the order. NeedsResidency skips the
/// row on devices whose multiprocessors hold fewer blocks than the config says.
template <class Job, class Config, class Word, bool OriginalIndices, sort_bits Bits,
          index_t LeastPerSm, index_t MostPerBlock, bool NeedsResidency = false>
struct onesweep {
  using config = Config;
  using kernel = gpu::onesweep<device, Job, Config, Word, OriginalIndices>;
  using word = Word;
  static constexpr bool original_indices = OriginalIndices;
  static constexpr sort_row row = {
      .algorithm = sort_algorithm::onesweep,
      .most_keys = sizeof(Word) == 8 ? 0 : (index_t{1} << kernel::value_bits) - 1,
      .least_keys_per_sm = LeastPerSm,
      .most_keys_per_block = MostPerBlock,
      .blocks_per_sm = Config::blocks,
      .tile_keys = kernel::size,
      .bits = Bits,
      .needs_residency = NeedsResidency,
      .takes_device_count = true,
      .shared_bytes = [](index_t) { return int(kernel::shared_bytes); }};
};

}  // namespace sort_rows

/// The plan for one type of job: the first row that admits a sort runs it. The table omits rows
/// that Facts rule out. If only the device knows n, it also omits rows that need n on the host.
template <class Job, sort_facts Facts = sort_facts{}, bool HasDeviceCount = false>
class sort_plan {
  using tuning = sort_tuning<Job>;
  using traits = gpu::radix_traits<Job>;
  static constexpr int key_bytes = tuning::key_bytes;
  // Long segments are sorted by some of the bits.
  static constexpr bool merges =
      gpu::merge_keys<Job>::is_possible && (!HasDeviceCount || Facts.all_bits);
  static constexpr bool counts = traits::keys_only && key_bytes <= 2 && !HasDeviceCount;
  using narrow = std::uint32_t;
  using wide = std::uint64_t;

  template <class... Rows>
  using list = std::tuple<Rows...>;
  template <bool IsIn, class List>
  static constexpr auto rows_if(List rows) {
    if constexpr (IsIn)
      return rows;
    else
      return list<>{};
  }

  /// Lists of rows of each algorithm for few keys.
  template <class... Configs>
  using counting = list<sort_rows::cluster_counting<Job, Configs>...>;
  template <class... Configs>
  using merging = list<sort_rows::block_merge<Job, Configs>...>;
  template <class... Configs>
  using clusters = list<sort_rows::cluster_merge<Job, Configs>...>;
  template <class... Configs>
  static constexpr auto by_digits(std::tuple<Configs...>) {
    return list<sort_rows::block_radix<Job, Configs>...>{};
  }

  static constexpr auto counted() {
    if constexpr (!counts)
      return list<>{};
    else if constexpr (key_bytes == 1)
      return counting<gpu::cluster_counting_config<warps_of(8), 1>,
                      gpu::cluster_counting_config<warps_of(32), 1>,
                      gpu::cluster_counting_config<warps_of(32), 2>>{};
    else
      return rows_if<some_have_clusters>(
          counting<gpu::cluster_counting_config<warps_of(16), 1, 16>,
                   gpu::cluster_counting_config<warps_of(16), 2, 16>,
                   gpu::cluster_counting_config<warps_of(16), 4, 16, 1 << 15>,
                   gpu::cluster_counting_config<warps_of(32), 4, 16, 1 << 17>>{});
  }
  static constexpr auto merged() {
    if constexpr (!merges || (counts && key_bytes == 1))
      return list<>{};
    else if constexpr (counts)
      return rows_if<!all_have_clusters>(merging<gpu::block_merge_config<warps_of(4), 16>>{});
    else
      return std::tuple_cat(rows_if<some_have_clusters>(merged_by_clusters()), merged_by_blocks());
  }
  static constexpr auto merged_by_clusters() {
    using all = clusters<typename tuning::by_clusters>;
    using runs = sort_rows::global_merge<Job, typename tuning::runs>;
    if constexpr (traits::keys_only && key_bytes == 4)
      return std::tuple_cat(clusters<gpu::cluster_merge_config<warps_of(4), 16, 2>>{}, all{},
                            list<runs>{});
    else
      return std::tuple_cat(all{}, list<runs>{});
  }
  /// Without clusters, several blocks sort more keys than one small block. Where only the device
  /// knows n, one large block does, since some of the kernels that merge might have nothing to do.
  static constexpr bool merges_runs_of_blocks = !all_have_clusters && !HasDeviceCount;
  static constexpr bool merges_in_one_block = !all_have_clusters && HasDeviceCount;
  static constexpr auto merged_by_blocks() {
    if constexpr (!traits::keys_only)
      return merging<gpu::block_merge_config<warps_of(8), 8>>{};
    else if constexpr (key_bytes == 4)
      return std::tuple_cat(
          merging<gpu::block_merge_config<warps_of(8), 16>>{},
          rows_if<merges_runs_of_blocks>(
              list<sort_rows::block_runs<Job, typename tuning::runs_of_blocks>>{}),
          rows_if<merges_in_one_block>(merging<gpu::block_merge_config<warps_of(16), 32>>{}));
    else
      return std::tuple_cat(
          merging<gpu::block_merge_config<warps_of(8), 8>>{},
          rows_if<!all_have_clusters>(merging<gpu::block_merge_config<warps_of(32), 16>>{}));
  }
  /// False if the rows above already sort every input that block_radix would. Sorts by all bits are
  /// covered, except 2-byte keys and pairs on devices without clusters.
  static constexpr bool needs_block_radix =
      !(Facts.all_bits && (counts || merges) &&
        ((traits::keys_only && key_bytes != 2) || all_have_clusters));

  static constexpr auto counted_by_device() {
    if constexpr (counts && key_bytes == 2)
      return list<sort_rows::device_counting<Job, typename tuning::counting>>{};
    else
      return list<>{};
  }

  /// Onesweep rows. Keys keep their original indices if the sorted bits do not determine their
  /// order and n permits it. Two blocks of large tiles are faster than two of medium ones. Where
  /// neither fit a multiprocessor, small items still have one block of large tiles, and others have
  /// compact tiles.
  static constexpr bool always_indexed = !traits::keys_only;
  static constexpr bool has_compact = some_have_little_memory && tuning::held > 4;
  template <bool Indexed, sort_bits Bits, class Config, index_t LeastPerSm = 0,
            index_t MostPerBlock = 0, bool NeedsResidency = false>
  using pass = sort_rows::onesweep<Job, Config, narrow, Indexed, Bits, LeastPerSm, MostPerBlock,
                                   NeedsResidency>;
  template <bool Indexed, sort_bits Bits, class Config, bool NeedsResidency>
  using large_pass =
      pass<Indexed, Bits, Config, tuning::template least_per_sm<Config>(), 0, NeedsResidency>;
  template <bool Indexed, sort_bits Bits>
  using passes = decltype(std::tuple_cat(
      list<large_pass<Indexed, Bits, typename tuning::large, true>,
           pass<Indexed, Bits, typename tuning::small, 0,
                gpu::onesweep<device, Job, typename tuning::small, narrow, Indexed>::size>,
           pass<Indexed, Bits, typename tuning::medium, 0, 0, true>>{},
      std::conditional_t<has_compact, list<pass<Indexed, Bits, typename tuning::compact>>,
                         list<large_pass<Indexed, Bits, typename tuning::large, false>,
                              pass<Indexed, Bits, typename tuning::medium>,
                              pass<Indexed, Bits, typename tuning::small>>>{}));
  static_assert(!has_compact || sizeof(typename traits::key) > 64 ||
                pass<true, sort_bits::any, typename tuning::compact>::kernel::shared_bytes <=
                    63 << 10);
  using wide_passes = list<
      sort_rows::onesweep<Job, typename tuning::large, wide, always_indexed, sort_bits::any, 0, 0>>;

  static constexpr auto all_rows() {
    constexpr bool may_be_some = !Facts.all_bits && !always_indexed && !HasDeviceCount;
    return std::tuple_cat(
        counted(), merged(),
        rows_if<needs_block_radix>(by_digits(typename tuning::blocks_by_digits{})),
        counted_by_device(), rows_if<may_be_some>(passes<true, sort_bits::some>{}),
        passes<always_indexed, sort_bits::any>{}, rows_if<!Facts.few>(wide_passes{}));
  }

 public:
  using rows = decltype(all_rows());
  static constexpr int size = int(std::tuple_size_v<rows>);
  static constexpr auto table = []<class... Rows>(std::type_identity<std::tuple<Rows...>>) {
    return std::array<sort_row, sizeof...(Rows)>{Rows::row...};
  }(std::type_identity<rows>{});

  static sort_size size_of(Job const& job) {
    return {job.n, job.end_bit - job.begin_bit, traits::sorts_all_bits(job), HasDeviceCount};
  }
  /// Calls f with the type of each row that admits the job, in order, until f returns true. Returns
  /// true if some call did.
  template <class F>
  static bool for_each_choice(sort_limits const& device, Job const& job, F const& f) {
    sort_size const wanted = size_of(job);
    auto const use = [&]<class Row>(std::type_identity<Row> row) {
      return self::admits(Row::row, device, wanted) && f(row);
    };
    return [&]<class... Rows>(std::type_identity<std::tuple<Rows...>>) {
      return (use(std::type_identity<Rows>{}) || ...);
    }(std::type_identity<rows>{});
  }
};

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
