// SPDX-License-Identifier: MIT
// Has the CUDA runtime as the shared host side of the GPU back ends calls it. See
// <sam/launch/platform.hpp>.
#pragma once

#ifdef SAM_GPU_BACKEND
#error "sam: one translation unit is compiled for one GPU back end"
#endif
#define SAM_GPU_BACKEND cuda
#define SAM_GPU_WARPS cuda  // all devices have warps of one size
#define SAM_IF_TARGET
#define SAM_FOR_WARPS(...) return self::__VA_ARGS__
#define SAM_GPU_ANY_WARPS cuda
#define SAM_LAUNCH_BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define SAM_GRID_CONSTANT __grid_constant__

#include <sam/launch/platform.hpp>

#include <cuda_runtime.h>

namespace sam::inline v0_1::cuda {

/// The most bytes of items and weights that a thread of a weighted histogram loads ahead.
inline constexpr int bytes_loaded_ahead = 240;

/// Returns true if a function of the architecture, such as 900, holds for some (or, below, for all)
/// of the devices that this code is compiled for. Kernels that no such device would run are then
/// not compiled. All files of a program must be compiled for the same devices. Where these are not
/// known, there may be all kinds.
template <class Is>
constexpr bool for_some_devices([[maybe_unused]] Is const& is_one) {
#ifdef __CUDA_ARCH_LIST__
  for (int const architecture : {__CUDA_ARCH_LIST__})
    if (is_one(architecture))
      return true;
  return false;
#else
  return true;
#endif
}
template <class Is>
constexpr bool for_all_devices(Is const& is_one) {
  return !cuda::for_some_devices([&](int architecture) { return !is_one(architecture); });
}

/// True for devices that have clusters of blocks.
constexpr bool forms_clusters(int architecture) { return architecture >= 900; }
inline constexpr bool all_have_clusters = cuda::for_all_devices(forms_clusters);
inline constexpr bool some_have_clusters = cuda::for_some_devices(forms_clusters);

/// True if the code for devices has no bulk copies. Their scans look back by more warps.
constexpr bool lacks_bulk_copies(int architecture) { return architecture < 900; }
inline constexpr bool some_lack_bulk_copies = cuda::for_some_devices(lacks_bulk_copies);

/// True for devices that have no more than 100 KiB of shared memory on a multiprocessor, as those
/// of compute capability 7.5, 8.6, 8.9 and 12.0.
constexpr bool has_little_memory(int architecture) {
  return architecture < 800 || (architecture > 800 && architecture < 900) || architecture >= 1200;
}
inline constexpr bool some_have_little_memory = cuda::for_some_devices(has_little_memory);

/// Returns the arguments of a kernel where the launch has put them: __grid_constant__.
template <class Arguments>
SAM_DEVICE Arguments const& in_place(Arguments const& arguments) {
  return arguments;
}

/// The attributes of a launch: programmatic dependent launch, the cluster size, and whether all
/// blocks run at the same time.
class launch_attributes {
 public:
  /// Lets the kernel start before the previous one ends: see device::grid_dependency_wait.
  void start_early() {
    add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed =
        1;
  }
  /// Groups blocks into clusters, whose blocks run at the same time and access each other's shared
  /// memory.
  void form_clusters(index_t blocks) {
    add(cudaLaunchAttributeClusterDimension).clusterDim = {unsigned(blocks), 1, 1};
  }
  /// Starts the kernel only where all of its blocks run at the same time, or fails.
  void run_together() { add(cudaLaunchAttributeCooperative).cooperative = 1; }
  void put_into(cudaLaunchConfig_t& config) {
    config.attrs = all_;
    config.numAttrs = unsigned(count_);
  }

 private:
  cudaLaunchAttributeValue& add(cudaLaunchAttributeID id) {
    all_[count_].id = id;
    return all_[count_++].val;
  }
  cudaLaunchAttribute all_[3]{};
  int count_ = 0;
};

/// The size of a launch. With `starts_early` the kernel may start before the previous one ends.
/// Blocks form clusters of `of_cluster`. With `together` all blocks run at the same time.
struct launch_size {
  index_t blocks;
  int threads;
  int shared_bytes;
  bool starts_early = false;
  int of_cluster = 1;
  bool together = false;
};

/// Calls the CUDA runtime. All members are static. Those that return a status leave the error for
/// self::check.
struct platform {
  static constexpr char const* name = "sam::cuda";
  /// True if kernels are compiled whose blocks must all run at the same time.
  static constexpr bool runs_together = true;
  using stream = cudaStream_t;
  using memory_pool = cudaMemPool_t;
  using status = cudaError_t;
  using properties = cudaDeviceProp;
  static constexpr status success = cudaSuccess;
  static constexpr status out_of_memory = cudaErrorMemoryAllocation;
  static constexpr status too_many_together = cudaErrorCooperativeLaunchTooLarge;
  static char const* text_of(status of) { return cudaGetErrorString(of); }
  /// Clears the last error, which a later call would report again.
  static void clear_error() { cudaGetLastError(); }

  static status get_device(int& device) { return cudaGetDevice(&device); }
  static status set_device(int device) { return cudaSetDevice(device); }
  static status synchronize(stream on) { return cudaStreamSynchronize(on); }
  static status is_capturing(stream on, bool& captured) {
    cudaStreamCaptureStatus now = cudaStreamCaptureStatusNone;
    status const found = cudaStreamIsCapturing(on, &now);
    captured = now != cudaStreamCaptureStatusNone;
    return found;
  }

  static status allocate(void*& memory, std::size_t bytes) { return cudaMalloc(&memory, bytes); }
  static void release(void* memory) { cudaFree(memory); }
  static status allocate_from_pool(void*& memory, std::size_t bytes, memory_pool pool, stream on) {
    return cudaMallocFromPoolAsync(&memory, bytes, pool, on);
  }
  static void release_to_pool(void* memory, stream on) { cudaFreeAsync(memory, on); }
  static status allocate_pinned(void*& memory, std::size_t bytes) {
    return cudaMallocHost(&memory, bytes);
  }
  static void release_pinned(void* memory) { cudaFreeHost(memory); }
  static status clear(void* memory, std::size_t bytes, stream on) {
    return cudaMemsetAsync(memory, 0, bytes, on);
  }
  static status copy_to_device(void* to, void const* from, std::size_t bytes, stream on) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, on);
  }
  static status copy_to_host(void* to, void const* from, std::size_t bytes, stream on) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, on);
  }
  static status copy_on_device(void* to, void const* from, std::size_t bytes, stream on) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, on);
  }
  static status locate(void const* pointer, gpu::memory_kind& kind) {
    cudaPointerAttributes attributes;
    status const found = cudaPointerGetAttributes(&attributes, pointer);
    kind = attributes.type == cudaMemoryTypeUnregistered ? gpu::memory_kind::unregistered
           : attributes.type == cudaMemoryTypeDevice     ? gpu::memory_kind::device
                                                         : gpu::memory_kind::other;
    return found;
  }

  static status get_shared_limit(void const* kernel, int& bytes) {
    cudaFuncAttributes now;
    status const found = cudaFuncGetAttributes(&now, kernel);
    bytes = now.maxDynamicSharedSizeBytes;
    return found;
  }
  static status set_shared_limit(void const* kernel, int bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  }
  /// Sets a kernel's shared-memory carve-out to half.
  static status share(void const* kernel, int percent) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
  }
  static status count_resident(int& blocks, void const* kernel, int threads, std::size_t bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
  }
  static status allow_large_clusters(void const* kernel) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  }
  static status count_clusters(int& clusters, void const* kernel, launch_size const& size) {
    launch_attributes attributes;
    cudaLaunchConfig_t config = config_of(size, attributes);
    return cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
  }

  template <class Arguments>
  static status launch(void (*kernel)(Arguments), launch_size const& size, stream on,
                       Arguments const& arguments) {
    launch_attributes attributes;
    cudaLaunchConfig_t config = config_of(size, attributes);
    config.stream = on;
    return cudaLaunchKernelEx(&config, kernel, arguments);
  }

 private:
  static cudaLaunchConfig_t config_of(launch_size const& size, launch_attributes& attributes) {
    if (size.starts_early)
      attributes.start_early();
    if (size.of_cluster > 1)
      attributes.form_clusters(size.of_cluster);
    if (size.together)
      attributes.run_together();
    cudaLaunchConfig_t config{};
    config.gridDim = unsigned(size.blocks);
    config.blockDim = unsigned(size.threads);
    config.dynamicSmemBytes = std::size_t(size.shared_bytes);
    attributes.put_into(config);
    return config;
  }
};

}  // namespace sam::inline v0_1::cuda
