// SPDX-License-Identifier: MIT
// The execution context of a GPU: a device, a stream and the memory that calls on that stream use.
#pragma once

#include <sam/backend/context_use.hpp>
#include <sam/backend/decode_runs_job.hpp>
#include <sam/backend/histogram_job.hpp>
#include <sam/backend/mark_job.hpp>
#include <sam/backend/merge_job.hpp>
#include <sam/backend/reduce_segments_job.hpp>
#include <sam/backend/sort_job.hpp>
#include <sam/backend/split_job.hpp>
#include <sam/context.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/grid/exchange_memory.hpp>
#include <sam/gpu/sort/comparison/thread_merge.hpp>
#include <sam/gpu/sort/ranking.hpp>
#include <sam/gpu/sort/sort_control.hpp>
#include <sam/launch/platform.hpp>
#include <sam/launch/runtime/callable.hpp>
#include <sam/launch/runtime/error.hpp>
#include <sam/launch/runtime/limits.hpp>
#include <sam/launch/runtime/memory.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Makes a device the current one until the end of the scope.
class on_device {
 public:
  explicit on_device(int device) {
    check(platform::get_device(before_), "get the current device");
    if (before_ != device)
      check(platform::set_device(device), "set the current device");
    is_other_ = before_ != device;
  }
  ~on_device() {
    if (is_other_)
      static_cast<void>(platform::set_device(before_));
  }
  on_device(on_device const&) = delete;
  on_device& operator=(on_device const&) = delete;

 private:
  int before_ = 0;
  bool is_other_ = false;
};

/// The config of comparison sorts and merges of items of this type, whose tile takes 17 to 49 KiB
/// of shared memory.
template <class Item>
using comparison_config_for = gpu::comparison_config<8, sizeof(Item) <= 8    ? 17
                                                        : sizeof(Item) <= 16 ? 7
                                                        : sizeof(Item) <= 32 ? 5
                                                                             : 3>;

class staging;
namespace testing {
struct hooks;
}

/// Returns the stream behind an object. The object converts to platform::stream, as
/// cuda::stream_ref and torch's CUDAStream do, or returns it from get(), value(), stream(),
/// cuda_stream() or hip_stream(), as objects of CCCL, RMM, Thrust and Kokkos do.
template <class Stream>
platform::stream stream_of(Stream const& stream) {
  if constexpr (std::is_convertible_v<Stream const&, platform::stream>)
    return stream;
  else if constexpr (requires {
                       { stream.get() } -> std::convertible_to<platform::stream>;
                     })
    return stream.get();
  else if constexpr (requires {
                       { stream.value() } -> std::convertible_to<platform::stream>;
                     })
    return stream.value();
  else if constexpr (requires {
                       { stream.stream() } -> std::convertible_to<platform::stream>;
                     })
    return stream.stream();
  else if constexpr (requires {
                       { stream.cuda_stream() } -> std::convertible_to<platform::stream>;
                     })
    return stream.cuda_stream();
  else if constexpr (requires {
                       { stream.hip_stream() } -> std::convertible_to<platform::stream>;
                     })
    return stream.hip_stream();
  else
    static_assert(
        !sizeof(Stream),
        "sam: a context of a GPU is made from a stream of its run-time library, or from an "
        "object that converts to one or returns one from get(), value(), "
        "stream(), cuda_stream() or hip_stream()");
}

/// An execution context for one stream of one GPU. Calls run on that device, whichever
/// device is current. They return when their work is queued, behind the earlier work of the stream.
///
/// The work may be captured into a graph. A graph must be replayed in order with the context's
/// other work, and while the context lives.
///
/// Progress: a scan needs no co-resident blocks, since a block waits only for tiles of blocks that
/// already run. Partitions of many items are launched so that all blocks run at the same time, or
/// none does (cooperative launch). A busy or partitioned GPU makes them slower and never hangs
/// them.
///
/// Memory: the context allocates a constant amount when it is made, and frees all its memory when
/// it is destroyed. Some calls make it grow:
/// - a policy with larger states than any before,
/// - the first tuple size known only at run time,
/// - a multi-pass scheme,
/// - a sort, the first partition, a reduction of many items or of segments by offsets,
/// - any other call that needs a workspace.
///
/// Make such a call once before capturing it: a call that would have to allocate while the stream
/// is being captured throws sam::device_error.
class context {
 public:
  using staging = self::staging;
  using on_device = self::on_device;

  /// Uses the current device and `stream`, which the caller keeps alive. Throws sam::device_error
  /// if there is no device or it is older than compute capability 7.5.
  explicit context(platform::stream stream = nullptr) : context(stream, memory_source()) {}
  /// Uses the current device and the stream of an object that is or has one; see stream_of.
  template <class Stream>
  requires(!std::is_same_v<std::remove_cvref_t<Stream>, context> &&
           !std::is_convertible_v<Stream, platform::stream>) explicit context(Stream const& stream)
      : context(self::stream_of(stream)) {}
  /// Takes device memory from a resource, which must outlive the context: an object of cuda::mr or
  /// RMM, or any with functions as these have (memory_resource). A resource that has no memory left
  /// makes a call throw sam::out_of_memory, and one that fails otherwise sam::device_error. The
  /// context stays usable.
  template <class Stream, class Resource>
  requires(!std::is_convertible_v<Resource&, platform::memory_pool>)
      context(Stream const& stream, Resource& resource)
      : context(self::stream_of(stream), [&] {
          static_assert(
              memory_resource<Resource>,
              "sam: a memory resource of a context has allocate(stream, bytes, alignment) "
              "and deallocate(stream, pointer, bytes, alignment), as those of cuda::mr "
              "and RMM, or the functions of these libraries' older versions");
          return memory_source(resource);
        }()) {}
  /// Takes device memory from a pool of the run-time library, which must outlive the context.
  template <class Stream>
  context(Stream const& stream, platform::memory_pool pool,
          std::source_location at = std::source_location::current())
      : context(self::stream_of(stream), self::source_of(pool, at)) {}

  /// Returns a table of the sort algorithms and the numbers of keys that each sorts. Defined in
  /// <sam/launch/sort/plan_text.hpp>.
  static std::string sort_plan();
  /// Returns tables of the algorithms that scan, and of their tile sizes. Defined in
  /// <sam/launch/scan/plan_text.hpp>.
  static std::string scan_plan();

  void wait() {
    if (measures())
      return;
    on_device const current(device_);
    check(platform::synchronize(stream()), "synchronize the stream");
  }
  char const* name() const { return properties_.name; }
  platform::properties const& properties() const { return properties_; }
  platform::stream stream() const { return supply_.stream; }

  /// Returns where the tuning values of this context come from.
  engine::tuning_source const& tuning_source() const { return tuning_.source; }
  /// Returns the names and ranges of the tuning values.
  static constexpr auto const& tunable_values() { return all_tunables; }
  /// Replaces the tuning values of this context, for a tuner. Results do not depend on them.
  void use_tuning(tunables const& values) {
    tuning_.values = values;
    known_.clear();  // properties of kernels that depend on these
  }

  /// Limits the number of blocks of a kernel; 0 means as many as the device holds. Two scans in one
  /// kernel have at least one block each, and a cluster counts as one block. For tests, and for
  /// programs that share the device.
  void limit_blocks(int blocks) { most_blocks_ = blocks; }
  /// Returns true if the device can access a pointer. Callers check for null themselves.
  ///
  /// Asking the driver takes as long as a launch, so it is asked once for memory of the device. Up
  /// to 256 such pointers are remembered in sets of 4, of which a hash selects one: Knuth's
  /// multiplicative one. Host memory may be unregistered later, so it is asked for in each call.
  /// An address of freed device memory may still be remembered: a call that gets it then fails when
  /// it runs, as with one that was freed after the check.
  bool reaches_pointer(void const* pointer) const {
    if (measures())
      return true;
    auto const address = std::uint64_t{reinterpret_cast<std::uintptr_t>(pointer)};
    auto& set =
        reached_[address * 0x9e37'79b9'7f4a'7c15 >> (64 - std::bit_width(pointer_sets - 1))];
    for (void const* known : set)
      if (pointer == known)
        return true;
    gpu::memory_kind kind;
    check(platform::locate(pointer, kind), "query the location of a pointer");
    if (kind == gpu::memory_kind::unregistered && !resources_.reaches_host_memory)
      return false;
    if (kind == gpu::memory_kind::device)
      set[next_reached_++ % std::size(set)] = pointer;
    return true;
  }

  /// True if a scatter job keeps items of this type in shared memory.
  template <class Item>
  static constexpr bool loads_items_once = sizeof(Item) <= limits::largest_held;

  /// True if selections of such items run by kernels that ask how many of them may be kept.
  template <class Item>
  static constexpr bool selects_first = sizeof(Item) <= limits::largest_held;
  /// True if kernels take the number of items of a segmented reduction from its job.
  static constexpr bool limits_items = true;

  /// Returns how many bytes L2 holds while they are read at random; 0 if that is not known.
  index_t cached_bytes() const { return index_t(resources_.cached_bytes); }

  /// Returns pinned memory that kernels may write and that the host may read after wait(). Must not
  /// be called while the stream is being captured.
  void* results() {
    if (measures())
      return measured_results_;
    if (!results_) {
      void* memory = nullptr;
      check(platform::allocate_pinned(memory, most_result_bytes),
            "allocate pinned host memory for results");
      results_.reset(memory);
    }
    return results_.get();
  }

  /// Returns how many bytes of device memory calls have made the context allocate, besides the
  /// memory for scans.
  index_t held_bytes() const {
    return index_t(sort_control_.bytes() + chunk_counters_.bytes() + kernel_workspaces_.bytes() +
                   workspaces_.bytes() + inputs_.bytes());
  }

  /// Returns how many bytes of device memory the calls on this context that `calls()` makes would
  /// make it allocate, as it is now; 0 if they can be captured. The calls check their arguments but
  /// neither read nor write arrays, which need not be allocated: any pointer will do. What they
  /// return, or store in variables, means nothing.
  template <class Calls>
  index_t bytes_for(Calls const& calls) {
    return engine::bytes_measured(
        calls, [&]<std::size_t... K>(std::index_sequence<K...>) {
          auto const all = all_memory();
          return std::array{&all[K]->measured()...};
        }(std::make_index_sequence<std::tuple_size_v<decltype(all_memory())>>()));
  }
  /// True while calls are measured: nothing is queued then.
  bool measures() const { return workspaces_.measured().is_on(); }

  /// Waits for all work, then frees the memory that calls have made the context allocate, also that
  /// for scans beyond the constant amount. Later calls allocate what they need again. Graphs that
  /// were captured before must not be launched any more. Throws sam::invalid_argument if another
  /// call uses the context, and sam::device_error while the stream is being captured.
  void trim(std::source_location at = std::source_location::current()) {
    call const busy = begin_call("sam::context::trim", at);
    self::expect_no_capture(stream());
    wait();
    for (kept_memory* const kept : all_memory())
      kept->clear();  // a new ring is zeroed, as all generations are then
    allocate_first_ring();
  }

  /// Returns temporary memory for the intermediate arrays of one call.
  void* workspace(std::size_t bytes) { return workspaces_.at_least(bytes, supply_).data; }
  /// Returns temporary memory for the inputs that one call stores.
  void* input_memory(std::size_t bytes) { return inputs_.at_least(bytes, supply_).data; }

  /// Fails to compile if device code cannot call an F with Args.
  template <class F, class... Args>
  static void expect_on_device() {
    [[maybe_unused]] auto* const kernel = &check_callable_kernel<call_of<F, Args...>>;
  }

  /// Holds the context for the duration of a call, makes its device the current one, and names the
  /// call in profilers.
  struct call {
    context_use::call use;
    on_device current;
    range named;
  };
  /// Begins a call of a public function.
  call begin_call(std::string_view function, std::source_location at) {
    return {use_.begin(function, at), on_device(device_), range(function)};
  }

  // The entry points that primitives call (docs/extending.md). The headers in ../calls define them
  // by functions that are defined beside the kernels that they launch.

  template <job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);
  template <class Kernel>
  void run_teams(index_t teams, int threads, std::size_t bytes, Kernel const& kernel);
  int teams_at_once() const { return multiprocessors(); }
  template <job First, job Second, class Policy>
  void run_two(index_t n, First const& first, Second const& second, Policy const& policy);
  template <class Item, class Count, class Kind>
  bool split(split_job<Item, Count, Kind> const& job);
  template <class Item, class Count, class Kind, class Number>
  bool split_first(first_split_job<Item, Count, Kind, Number> const& job);
  template <class Item, class Count, class Kind>
  requires(scan_memory::least_to_compact_twice >
           0) bool counts_kinds_first(split_job<Item, Count, Kind> const& job) const;
  template <class Key, class Value, class Digits>
  void sort(sort_job<Key, Value, Digits> const& job);
  template <class Key, class Value, class Digits, sort_facts Facts>
  void sort(known_sort_job<Key, Value, Digits, Facts> const& job);
  template <class Key, class Value, class Digits>
  void sort_counted(sort_job<Key, Value, Digits> const& job, number_in_memory const& number);
  template <class Key, class Value, class Digits, sort_facts Facts>
  void sort_counted(known_sort_job<Key, Value, Digits, Facts> const& job,
                    number_in_memory const& number);
  template <class Key, class Value, class Digits>
  index_t sort_workspace(sort_job<Key, Value, Digits> const& job) const;
  template <class Key, class Value, class Digits, class Heads>
  void segmented_sort(sort_job<Key, Value, Digits> const& job, Heads const& heads);
  template <class Key, class Value, class Digits, class Offset>
  bool sort_segments(sort_job<Key, Value, Digits> const& job, Offset const* offsets,
                     index_t segments);
  template <class Key, class Value, class Digits, class Offset>
  bool sort_segments(sort_job<Key, Value, Digits> const& job, cut_offsets<Offset> const& offsets,
                     index_t segments);
  template <class Job>
  bool select_in_segments(Job const& job);
  template <class Key, class Value, class Digits>
  index_t segmented_sort_workspace(sort_job<Key, Value, Digits> const& job) const;
  template <class Item>
  static constexpr index_t sorted_run_items = sizeof(Item) <= 64
                                                  ? 8 * 32 * comparison_config_for<Item>::items
                                                  : 0;
  template <class Job>
  void sort_runs(Job const& job);
  template <class Pass>
  void merge_runs(Pass const& pass);
  template <class Key>
  static constexpr bool runs_sets = sizeof(Key) <= 32;
  template <class Rule, class Pass, class Key, class Value, class Count>
  void run_sets(Pass const& pass, set_output<Key, Value, Count> const& to);
  template <class Job>
  void count_bins(Job const& job);
  template <class Job>
  bool sum_bins(Job const& job);
  template <class Job>
  void search_by_counts(Job const& job);
  template <class Offset>
  void mark_bits(mark_job<Offset> const& job);
  template <class Offset, job Job, class Policy>
  void run_marked(mark_job<Offset> const& marks, index_t n, Job const& job, Policy const& policy);
  template <class Job>
  bool reduce_segments(Job const& job);
  template <class Job>
  bool scan_segments(Job const& job);
  template <class T, class Offset>
  bool decode_runs(decode_runs_job<T, Offset> const& job);

  // Members that the kernel launchers use:

  static constexpr int smallest_ring_depth = 512;
  static constexpr int most_rings = 64;
  static constexpr int most_chunks = 1 << 14;           // of long segments that blocks share
  static constexpr int smallest_panel_ring_depth = 64;  // when a kernel has several rings

  gpu::device_resources const& resources() const { return resources_; }
  int multiprocessors() const { return resources_.multiprocessors; }
  int warp_size() const { return resources_.warp_size; }
  std::size_t shared_bytes() const { return resources_.shared_bytes_of_block; }
  /// True if a kernel may start before the previous one ends (programmatic dependent launch).
  bool starts_early() const { return resources_.starts_early; }
  bool has_clusters() const { return resources_.has_clusters; }
  /// True if all blocks of a launch may be made to run at the same time (cooperative launch).
  bool runs_together() const { return resources_.runs_together; }
  /// True if scan kernels have the number of stages of their configs: device::has_fixed_stages.
  bool has_fixed_stages() const { return resources_.has_fixed_stages; }
  /// Returns how many blocks of this size a multiprocessor has room for, registers aside.
  int blocks_with_room(int threads, std::size_t shared_bytes) const {
    return int(min_of(
        index_t{resources_.threads} / threads,
        index_t(resources_.shared_bytes / (shared_bytes + resources_.reserved_shared_bytes))));
  }
  /// Returns how much shared memory each of some blocks on a multiprocessor can have.
  index_t shared_bytes_of_each(int blocks) const {
    return min_of(index_t(resources_.shared_bytes) / blocks -
                      index_t(resources_.reserved_shared_bytes),
                  index_t(shared_bytes()));
  }
  index_t small_bytes() const { return small_bytes_; }
  tunables const& tuned() const { return tuning_.values; }
  index_t most_cluster_items() const { return most_cluster_items_; }
  int most_blocks() const { return most_blocks_; }
  int device() const { return device_; }

  /// Returns a descriptor ring with `words_of_slot` words a slot. Two scans in one kernel use a
  /// ring each, selected by `which`.
  gpu::descriptor_ring ring_for(int words_of_slot, std::size_t which = 0) {
    kept_memory::buffer const memory =
        rings_[which].at_least(ring_bytes(words_of_slot), supply_, kept_memory::growth::exact);
    auto* const bytes = static_cast<std::byte*>(memory.data);
    return {reinterpret_cast<gpu::control*>(bytes),
            reinterpret_cast<gpu::descriptor_word*>(bytes + header),
            index_t((memory.bytes - header) / sizeof(gpu::descriptor_word)),
            2 * ring_depth_,
            ring_depth_,
            std::uint32_t(std::countr_zero(ring_depth_ / 4))};
  }
  /// Returns the descriptor rings for column panels, with `words_of_slot` words a slot. The more
  /// rings there are, the fewer slots each has.
  gpu::panel_rings ring_for(int words_of_slot, gpu::panels const& by) {
    kept_memory::buffer const memory = panel_rings_.at_least(
        panel_header + ring_bytes(2 * words_of_slot), supply_, kept_memory::growth::exact);
    auto* const begin = static_cast<std::byte*>(memory.data);
    std::uint32_t const capacity = 2 * largest_ring_depth / std::bit_ceil(by.rings);
    std::uint32_t const depth = capacity < ring_depth_ ? capacity : ring_depth_;
    return {{reinterpret_cast<gpu::control*>(begin),
             reinterpret_cast<gpu::descriptor_word*>(begin + panel_header),
             index_t((memory.bytes - panel_header) / sizeof(gpu::descriptor_word)), 2 * depth,
             depth, std::uint32_t(std::countr_zero(depth / 4))},
            by,
            index_t{2 * depth} * words_of_slot};
  }
  /// Returns ask(), a constant property of a kernel, and calls ask() only the first time.
  template <class Ask>
  int known(void const* kernel, Ask const& ask) {
    auto const at = known_.find(kernel);
    if (at != known_.end())
      return at->second;
    int const answer = ask();
    self::with_host_memory([&] { known_.emplace(kernel, answer); });
    return answer;
  }
  /// Returns how the sorts of this context rank.
  gpu::rank_choice sort_ranking() { return {sort_ranking_, &ring_for(0).shared->must_ballot}; }
  /// Returns the control block that persists from sort to sort.
  gpu::sort_control* sort_control() {
    return static_cast<gpu::sort_control*>(
        sort_control_.at_least(sizeof(gpu::sort_control), supply_).data);
  }
  /// Returns the words by which blocks exchange values.
  gpu::exchange_memory* exchange() {
    return static_cast<gpu::exchange_memory*>(
        exchange_.at_least(sizeof(gpu::exchange_memory), supply_).data);
  }
  /// Returns words that are 0 between kernels, in which blocks that share a segment count.
  std::uint32_t* chunk_counters() {
    return static_cast<std::uint32_t*>(
        chunk_counters_.at_least(most_chunks * sizeof(std::uint32_t), supply_).data);
  }
  /// Returns workspace for the states of multi-pass scans and for sorts.
  void* kernel_workspace(std::size_t bytes) {
    return kernel_workspaces_.at_least(bytes, supply_).data;
  }

 private:
  // Hooks of tests, which call them by <sam/launch/runtime/testing.hpp>.

  friend struct testing::hooks;
  /// Sets how many tiles blocks may run ahead of one another: a power of two of at least 512. The
  /// descriptor ring, which has twice as many slots, then wraps at small n.
  void limit_ring_depth(int tiles, std::source_location at) {
    if (tiles < smallest_ring_depth || tiles > int(largest_ring_depth) ||
        (tiles & (tiles - 1)) != 0)
      sam::detail::fail<invalid_argument>(
          std::string(platform::name) + "::testing::limit_ring_depth", "tiles",
          "is " + std::to_string(tiles) + "; it must be a power of two from " +
              std::to_string(smallest_ring_depth) + " to " + std::to_string(largest_ring_depth),
          at);
    on_device const current(device_);
    for (kept_memory& kept : rings_)  // generations in the old rings assume the old depth
      kept.renew(supply_);
    ring_depth_ = std::uint32_t(tiles);
  }

  /// Sets the input size in bytes from which a scan uses large tiles. If it is 0, sorts use large
  /// tiles as well.
  void limit_small_bytes(index_t bytes) { small_bytes_ = bytes; }

  /// Sets the number of items up to which a scan may run in one block or one cluster.
  void limit_cluster_items(index_t items) { most_cluster_items_ = items; }

  /// Makes calls run as on a device with less of some resources.
  void limit_device(std::size_t shared_bytes_of_block, std::size_t shared_bytes, int threads,
                    int multiprocessors) {
    auto const limit = [](auto& resource, auto most) {
      resource = resource < most ? resource : most;
    };
    limit(resources_.shared_bytes_of_block, shared_bytes_of_block);
    limit(resources_.shared_bytes, shared_bytes);
    limit(resources_.threads, threads);
    limit(resources_.multiprocessors, multiprocessors);
    known_.clear();  // properties of kernels that depend on these
  }

  /// Sets how sorts rank items of equal digit.
  void rank_digits(gpu::ranking how) { sort_ranking_ = how; }

  static constexpr std::size_t header = 256;
  static_assert(sizeof(gpu::control) <= header);
  static constexpr std::uint32_t largest_ring_depth = 2048;
  static_assert(2 * largest_ring_depth / most_rings == smallest_panel_ring_depth);
  static constexpr std::size_t panel_header = most_rings * 128;
  static_assert(most_rings * sizeof(gpu::control) <= panel_header);
  static std::size_t ring_bytes(int words_of_slot) {
    return header +
           std::size_t(words_of_slot) * 2 * largest_ring_depth * sizeof(gpu::descriptor_word);
  }

  context(platform::stream stream, memory_source const& from) : supply_{stream, from} {
    resources_ = self::open_device(device_, properties_);
    tuning_ = self::load_tuning(properties_);
    allocate_first_ring();
  }
  void allocate_first_ring() {
    rings_[0].at_least(ring_bytes(64), supply_, kept_memory::growth::exact);
    exchange();
  }
  std::array<kept_memory*, 9> all_memory() {
    return {&rings_[0], &rings_[1],     &panel_rings_, &kernel_workspaces_, &workspaces_,
            &inputs_,   &sort_control_, &exchange_,    &chunk_counters_};
  }

  memory_supply supply_;
  int device_ = 0;
  platform::properties properties_{};
  gpu::device_resources resources_;
  int most_blocks_ = 0;
  tuning_choice tuning_;
  struct release_results {
    void operator()(void* memory) const { platform::release_pinned(memory); }
  };
  std::unique_ptr<void, release_results> results_;
  alignas(std::max_align_t) std::byte measured_results_[most_result_bytes] = {};
  static constexpr std::size_t pointer_sets = 64;
  mutable void const* reached_[pointer_sets][4] = {};
  mutable std::size_t next_reached_ = 0;
  index_t small_bytes_ = limits::small_bytes;
  index_t most_cluster_items_ = limits::most_cluster_items;
  std::uint32_t ring_depth_ = largest_ring_depth;
  kept_memory rings_[2];
  kept_memory panel_rings_;
  kept_memory kernel_workspaces_;
  kept_memory workspaces_;
  kept_memory inputs_;
  kept_memory sort_control_;
  kept_memory exchange_;
  kept_memory chunk_counters_;
  std::unordered_map<void const*, int> known_;
  gpu::ranking sort_ranking_ = gpu::ranking::atomic;
  context_use use_;
};
static_assert(sam::context<context>);

/// An empty type: the run-time library needs no set-up at program start.
struct runtime {
  runtime(int&, char**) {}
};

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
