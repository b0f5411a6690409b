// SPDX-License-Identifier: MIT
#pragma once

#include <sam/backend/context_use.hpp>
#include <sam/backend/decode_runs_job.hpp>
#include <sam/backend/histogram_job.hpp>
#include <sam/backend/mark_job.hpp>
#include <sam/backend/reduce_segments_job.hpp>
#include <sam/backend/sort_job.hpp>
#include <sam/context.hpp>
#include <sam/cuda/device/callable.hpp>
#include <sam/cuda/device/error.hpp>
#include <sam/cuda/device/nvtx.hpp>
#include <sam/cuda/runtime/limits.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/sort/sort_control.hpp>

#include <bit>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <vector>

namespace sam::cuda {

/// Of which it can be asked what device this program's code was compiled for.
template <class = void>
__global__ void no_kernel() {}

/// Device memory, zeroed at first.
class device_memory {
 public:
  device_memory(std::size_t bytes, cudaStream_t stream)
      : device_memory(allocated(bytes), bytes, stream) {}
  /// Takes over what cudaMalloc has returned.
  device_memory(void* memory, std::size_t bytes, cudaStream_t stream)
      : memory_(memory), bytes_(bytes) {
    check(cudaMemsetAsync(memory, 0, bytes, stream), "clear device memory");
  }
  void* get() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  static void* allocated(std::size_t bytes) {
    void* memory = nullptr;
    cudaError_t const status = cudaMalloc(&memory, bytes);
    if (status != cudaSuccess)  // only then is there a message to make
      with_host_memory(
          [&] { check(status, "get " + std::to_string(bytes) + " bytes of device memory"); });
    return memory;
  }
  struct release {
    void operator()(void* memory) const { cudaFree(memory); }
  };
  std::unique_ptr<void, release> memory_;
  std::size_t bytes_;
};

/// Makes a device the current one from here to the end of the scope.
class on_device {
 public:
  explicit on_device(int device) {
    check(cudaGetDevice(&before_), "find the current device");
    if (before_ != device)
      check(cudaSetDevice(device), "make a device the current one");
    is_other_ = before_ != device;
  }
  ~on_device() {
    if (is_other_)
      cudaSetDevice(before_);
  }
  on_device(on_device const&) = delete;
  on_device& operator=(on_device const&) = delete;

 private:
  int before_ = 0;
  bool is_other_ = false;
};

class staging;

/// Returns the CUDA stream behind an object: one that converts to cudaStream_t, as cuda::stream_ref
/// and torch's CUDAStream do, or one that returns it from get(), value(), stream() or
/// cuda_stream(), as those of CCCL, RMM, Thrust's policies and Kokkos::Cuda do.
template <class Stream>
cudaStream_t stream_of(Stream const& stream) {
  if constexpr (std::is_convertible_v<Stream const&, cudaStream_t>)
    return stream;
  else if constexpr (requires {
                       { stream.get() } -> std::convertible_to<cudaStream_t>;
                     })
    return stream.get();
  else if constexpr (requires {
                       { stream.value() } -> std::convertible_to<cudaStream_t>;
                     })
    return stream.value();
  else if constexpr (requires {
                       { stream.stream() } -> std::convertible_to<cudaStream_t>;
                     })
    return stream.stream();
  else if constexpr (requires {
                       { stream.cuda_stream() } -> std::convertible_to<cudaStream_t>;
                     })
    return stream.cuda_stream();
  else
    static_assert(!sizeof(Stream),
                  "sam: a sam::cuda::context is made from a cudaStream_t, or from an "
                  "object that converts to one or returns one from get(), value(), "
                  "stream() or cuda_stream()");
}

/// A stream of a CUDA device, whichever device is current when calls are made. They return when
/// their work is queued; it runs behind what the stream holds, and may be captured into a graph,
/// which may be replayed: in order with the context's other work, and while the context lives.
///
/// progress     a scan's blocks need not all be resident: a block waits only for tiles of blocks
///              that run. A busy or partitioned GPU makes a scan slower and never hangs it
/// memory       a constant amount, got when the context is made. A policy with larger states than
///              any before, the first with a tuple size known when running, one that passes over
///              the items twice, a sort, the first partition, a reduction of segments by offsets,
///              or a call that needs scratch makes it grow; so call it once before it is captured.
///              Memory is given back with the context
class context {
 public:
  using staging = cuda::staging;

  /// The current device and `stream`, which the caller keeps alive. Throws sam::device_error if
  /// there is no device or it is older than compute capability 7.5.
  explicit context(cudaStream_t stream = nullptr) : stream_(stream) {
    cudaError_t const found = cudaGetDevice(&device_);
    int driver = 0;
    if (found == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0)
      sam::detail::fail<device_error>("sam::cuda", "there is no NVIDIA driver here",
                                      std::source_location::current());
    check(found, "find a CUDA device");
    check(cudaGetDeviceProperties(&properties_, device_), "ask the device what it is");
    if (properties_.major * 10 + properties_.minor < 75)
      sam::detail::fail<device_error>("sam::cuda::context",
                                      std::string(properties_.name) + " has compute capability " +
                                          std::to_string(properties_.major) + "." +
                                          std::to_string(properties_.minor) +
                                          " but sam needs at least 7.5",
                                      std::source_location::current());
    cudaFuncAttributes code;
    check(cudaFuncGetAttributes(&code, reinterpret_cast<void const*>(&no_kernel<>)),
          "find code for this device");
    compiled_for_ = code.ptxVersion;
    keep_also(rings_[0], ring_bytes(64));
  }
  /// The current device and the stream of an object that is or has one; see stream_of.
  template <class Stream>
  requires(!std::is_same_v<std::remove_cvref_t<Stream>, context> &&
           !std::is_convertible_v<Stream, cudaStream_t>) explicit context(Stream const& stream)
      : context(cuda::stream_of(stream)) {}

  /// Returns a table of the algorithms that sort, and of how many keys each sorts. Defined in
  /// <sam/cuda/sort/plan_text.hpp>.
  static std::string sort_plan();

  void wait() {
    on_device const current(device_);
    check(cudaStreamSynchronize(stream_), "finish the work of a stream");
  }
  char const* name() const { return properties_.name; }
  cudaDeviceProp const& properties() const { return properties_; }
  cudaStream_t stream() const { return stream_; }

  /// At most so many blocks work on a scan; 0 for as many as the device holds. Two passes of one
  /// kernel have at least one block each. For tests, and for whom other work needs the device.
  void limit_blocks(int blocks) { most_blocks_ = blocks; }
  /// How far blocks may run ahead of one another, in tiles: a power of two of at least 512. For
  /// tests: the ring of twice as many slots then wraps at small n.
  void limit_window(int tiles, std::source_location at = std::source_location::current()) {
    if (tiles < smallest_window || tiles > int(largest_window) || (tiles & (tiles - 1)) != 0)
      sam::detail::fail<invalid_argument>(
          "sam::cuda::context::limit_window", "tiles",
          "is " + std::to_string(tiles) + "; it must be a power of two from " +
              std::to_string(smallest_window) + " to " + std::to_string(largest_window),
          at);
    on_device const current(device_);
    for (auto& kept : rings_)  // the old ones count otherwise
      if (!kept.empty())
        keep_also(kept, kept.back().bytes());
    window_ = std::uint32_t(tiles);
  }

  /// From how many bytes on a scan is cut into large tiles, and if from 0 on, a sort, too. For
  /// tests, of these at small n.
  void limit_small_bytes(index_t bytes) { small_bytes_ = bytes; }

  /// How sorts rank items of equal digit: for tests, of what is done where the shortcut fails.
  void rank_digits(gpu::ranking how) { sort_ranking_ = how; }

  /// Whether the device can reach a pointer; null is nobody's business here.
  bool reaches_pointer(void const* pointer) const {
    for (void const* known : reached_)  // asking takes as long as a launch
      if (pointer == known)
        return true;
    cudaPointerAttributes attributes;
    check(cudaPointerGetAttributes(&attributes, pointer), "ask where a pointer lies");
    if (attributes.type == cudaMemoryTypeUnregistered && properties_.pageableMemoryAccess == 0)
      return false;
    if (attributes.type == cudaMemoryTypeDevice)  // the host's may be withdrawn again
      reached_[next_reached_++ % std::size(reached_)] = pointer;
    return true;
  }

  /// Whether items of a scattering job are held.
  template <class Item>
  static constexpr bool holds_items = sizeof(Item) <= limits::largest_held;

  /// Returns memory that kernels may write and the host may read after wait(). Not for a stream
  /// that is being captured.
  void* results() {
    if (!results_) {
      void* memory = nullptr;
      check(cudaMallocHost(&memory, most_result_bytes), "get memory for results");
      results_.reset(memory);
    }
    return results_.get();
  }

  /// How many bytes of the device's memory calls have made it take, beside what it keeps for scans.
  index_t held_bytes() const {
    std::size_t bytes = sort_control_ ? sort_control_->bytes() : 0;
    for (auto const* const kept : {&workspaces_, &scratches_})
      for (device_memory const& memory : *kept)
        bytes += memory.bytes();
    return index_t(bytes);
  }

  /// Memory for what a call keeps between its passes.
  void* scratch(std::size_t bytes) { return buffer_in(scratches_, bytes); }

  /// Fails to compile where a device cannot call an F with Args.
  template <class F, class... Args>
  static void expect_on_device() {
    [[maybe_unused]] auto* const kernel = &check_callable_kernel<call_of<F, Args...>>;
  }

  /// A call owns the context, is made on the context's device, and has a name in profilers.
  struct call {
    context_use::call use;
    on_device current;
    range named;
  };
  call begin_call(std::string_view function, std::source_location at) {
    return {use_.begin(function, at), on_device(device_), range(function)};
  }

  // The engine, which primitives call (docs/extending.md). Each function is defined beside the
  // kernels that it launches, in a header of this folder that backend.hpp includes.

  template <job Job, class Policy>
  void run(index_t n, Job const& job, Policy const& policy);
  template <job First, job Second, class Policy>
  void run_two(index_t n, First const& first, Second const& second, Policy const& policy);
  template <class Key, class Value, class Digits>
  void sort(sort_job<Key, Value, Digits> const& job);
  template <class Key, class Value, class Digits, sort_facts Facts>
  void sort(known_sort_job<Key, Value, Digits, Facts> const& job);
  template <class Key, class Value, class Digits>
  index_t sort_workspace(sort_job<Key, Value, Digits> const& job) const;
  template <class Key, class Value, class Digits, class Heads>
  void segmented_sort(sort_job<Key, Value, Digits> const& job, Heads const& heads);
  template <class Key, class Value, class Digits>
  index_t segmented_sort_workspace(sort_job<Key, Value, Digits> const& job) const;
  template <class Item, class Count, class Bins>
  void count_bins(histogram_job<Item, Count, Bins> const& job);
  template <class Offset>
  void mark_bits(mark_job<Offset> const& job);
  template <class Item, class T, class Offset, class Op, class Start>
  bool reduce_segments(reduce_segments_job<Item, T, Offset, Op, Start> const& job);
  template <class T, class Offset>
  bool decode_runs(decode_runs_job<T, Offset> const& job);

  // Members that the engine calls:

  static constexpr int smallest_window = 512;
  static constexpr int most_rings = 64;
  static constexpr int smallest_ring_window = 64;  // of several rings

  int multiprocessors() const { return properties_.multiProcessorCount; }
  std::size_t shared_bytes() const { return properties_.sharedMemPerBlockOptin; }
  /// Whether a kernel may start before the one before it is done.
  bool starts_early() const { return compiled_for_ >= 90; }
  bool has_clusters() const { return compiled_for_ >= 90; }
  index_t small_bytes() const { return small_bytes_; }
  int most_blocks() const { return most_blocks_; }
  int device() const { return device_; }

  /// A descriptor ring with room for so many words a slot. Passes of one kernel have one each.
  gpu::descriptor_ring ring_for(int words_of_slot, std::size_t which = 0) {
    auto& kept = rings_[which];
    if (kept.empty() || ring_bytes(words_of_slot) > kept.back().bytes())
      keep_also(kept, ring_bytes(words_of_slot));
    device_memory const& memory = kept.back();
    auto* const bytes = static_cast<std::byte*>(memory.get());
    return {reinterpret_cast<gpu::control*>(bytes),
            reinterpret_cast<gpu::descriptor_word*>(bytes + header),
            index_t((memory.bytes() - header) / sizeof(gpu::descriptor_word)),
            2 * window_,
            window_,
            std::uint32_t(std::countr_zero(window_ / 4))};
  }
  /// A descriptor ring for panels with room for so many words a slot: with more rings, each is
  /// smaller.
  gpu::panel_rings ring_for(int words_of_slot, gpu::panels const& by) {
    std::size_t const bytes = panel_header + ring_bytes(2 * words_of_slot);
    if (panel_rings_.empty() || bytes > panel_rings_.back().bytes())
      keep_also(panel_rings_, bytes);
    device_memory const& memory = panel_rings_.back();
    auto* const begin = static_cast<std::byte*>(memory.get());
    std::uint32_t const capacity = 2 * largest_window / std::bit_ceil(by.rings);
    std::uint32_t const window = capacity < window_ ? capacity : window_;
    return {{reinterpret_cast<gpu::control*>(begin),
             reinterpret_cast<gpu::descriptor_word*>(begin + panel_header),
             index_t((memory.bytes() - panel_header) / sizeof(gpu::descriptor_word)), 2 * window,
             window, std::uint32_t(std::countr_zero(window / 4))},
            by,
            index_t{2 * window} * words_of_slot};
  }
  /// What ask() says of a kernel, which does not change.
  template <class Ask>
  int known(void const* kernel, Ask const& ask) {
    auto const at = known_.find(kernel);
    if (at != known_.end())
      return at->second;
    int const answer = ask();
    cuda::with_host_memory([&] { known_.emplace(kernel, answer); });
    return answer;
  }
  gpu::ranking sort_ranking() const { return sort_ranking_; }
  /// What stays from sort to sort.
  gpu::sort_control* sort_control() {
    if (!sort_control_)
      sort_control_ = with_host_memory(
          [&] { return std::make_unique<device_memory>(sizeof(gpu::sort_control), stream_); });
    return static_cast<gpu::sort_control*>(sort_control_->get());
  }
  /// Memory for states of passes that are several kernels.
  void* workspace(std::size_t bytes) { return buffer_in(workspaces_, bytes); }

 private:
  static constexpr std::size_t header = 256;
  static_assert(sizeof(gpu::control) <= header);
  static constexpr std::uint32_t largest_window = 2048;
  static_assert(2 * largest_window / most_rings == smallest_ring_window);
  static constexpr std::size_t panel_header = most_rings * 128;
  static_assert(most_rings * sizeof(gpu::control) <= panel_header);
  static std::size_t ring_bytes(int words_of_slot) {
    return header + std::size_t(words_of_slot) * 2 * largest_window * sizeof(gpu::descriptor_word);
  }

  void* buffer_in(std::vector<device_memory>& memory, std::size_t bytes) {
    if (memory.empty() || bytes > memory.back().bytes())
      grow(memory, bytes);
    return memory.back().get();
  }
  // Old memory stays, so that growing by little again and again must not add up.
  void grow(std::vector<device_memory>& memory, std::size_t bytes) {
    if (!memory.empty() && bytes < 2 * memory.back().bytes()) {
      std::size_t const twice = 2 * memory.back().bytes();
      void* larger = nullptr;
      if (cudaMalloc(&larger, twice) == cudaSuccess)
        return keep_also(memory, device_memory(larger, twice, stream_));
      cudaGetLastError();  // forgets the failure: what is asked for may still fit
    }
    keep_also(memory, bytes);
  }
  void keep_also(std::vector<device_memory>& memory, std::size_t bytes) {
    keep_also(memory, device_memory(bytes, stream_));
  }
  static void keep_also(std::vector<device_memory>& memory, device_memory larger) {
    with_host_memory([&] { memory.push_back(std::move(larger)); });
  }

  cudaStream_t stream_;
  int device_ = 0;
  cudaDeviceProp properties_{};
  int compiled_for_ = 0;  // what code does that it was: code for older devices runs on newer ones
  int most_blocks_ = 0;
  struct release_results {
    void operator()(void* memory) const { cudaFreeHost(memory); }
  };
  std::unique_ptr<void, release_results> results_;
  mutable void const* reached_[4] = {};
  mutable std::size_t next_reached_ = 0;
  index_t small_bytes_ = limits::small_bytes;
  std::uint32_t window_ = largest_window;
  // The last of each is in use. Earlier ones stay: a graph may know them, and each has its own
  // numbers.
  std::vector<device_memory> rings_[2];
  std::vector<device_memory> panel_rings_;
  std::vector<device_memory> workspaces_;
  std::vector<device_memory> scratches_;
  std::unique_ptr<device_memory> sort_control_;
  std::unordered_map<void const*, int> known_;
  gpu::ranking sort_ranking_ = gpu::ranking::atomic;
  context_use use_;
};
static_assert(sam::context<context>);

/// Nothing to set up.
struct runtime {
  runtime(int&, char**) {}
};

}  // namespace sam::cuda
