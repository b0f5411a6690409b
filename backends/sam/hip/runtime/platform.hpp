// SPDX-License-Identifier: MIT
// Has the HIP runtime as the shared host side of the GPU back ends calls it. See
// <sam/launch/platform.hpp>.
#pragma once

#ifdef SAM_GPU_BACKEND
#error "sam: one translation unit is compiled for one GPU back end"
#endif
#define SAM_GPU_BACKEND hip
#ifdef __HIP_PLATFORM_NVIDIA__
#define SAM_LAUNCH_BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define SAM_GRID_CONSTANT __grid_constant__
#else
// The attribute takes an expression, in which a comma between template arguments is none between
// arguments of a macro. The number of blocks is not asked for: clang would spill registers to get
// it, and the host asks how many there are room for.
#define SAM_LAUNCH_BOUNDS(...)                                                                     \
  __attribute__((amdgpu_flat_work_group_size(1, ::sam::hip::threads_of(__VA_ARGS__))))
#define SAM_GRID_CONSTANT
#endif

#include <sam/launch/platform.hpp>

#include <hip/hip_runtime.h>

namespace sam::inline v0_1::hip {

/// The lanes of a warp. AMD's data-centre GPUs (CDNA) have 64, and its other GPUs (RDNA) have 32: a
/// program for those is compiled with -DSAM_HIP_WARP_SIZE=32. A context refuses devices with
/// another number.
#if defined(SAM_HIP_WARP_SIZE)
inline constexpr int compiled_warp_size = SAM_HIP_WARP_SIZE;
#elif defined(__HIP_PLATFORM_NVIDIA__)
inline constexpr int compiled_warp_size = 32;
#else
inline constexpr int compiled_warp_size = 64;
#endif
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__HIP_PLATFORM_NVIDIA__)
#ifdef __GFX9__
static_assert(compiled_warp_size == 64,
              "sam: GPUs of the kinds gfx9 have warps of 64 lanes: compile for them apart, without "
              "SAM_HIP_WARP_SIZE=32");
#else
static_assert(compiled_warp_size == 32,
              "sam: GPUs from gfx10 on have warps of 32 lanes: compile for them apart, with "
              "SAM_HIP_WARP_SIZE=32");
#endif
#endif

/// The sum of the sizes of warps that the files of this program are compiled for. Kernels and host
/// code of one size have the names of those of the other, so a program may have one size only. A
/// context refuses others.
inline int linked_warp_sizes = 0;
namespace {
[[maybe_unused]] int const this_file_is_linked = linked_warp_sizes |= compiled_warp_size;
}

/// Returns the most threads of a block of a kernel.
constexpr int threads_of(int threads, int = 1) { return threads; }
/// Returns the arguments of a kernel, its only parameter, where the launch has put them. clang
/// would copy some of them to the memory of each thread.
template <class Arguments>
SAM_DEVICE Arguments const& in_place([[maybe_unused]] Arguments const& arguments) {
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__HIP_PLATFORM_NVIDIA__)
  return *(Arguments const*)(__builtin_amdgcn_kernarg_segment_ptr());
#else
  return arguments;
#endif
}

// No device has clusters of blocks, so kernels for them are not compiled. The shared memory of a
// compute unit has 64 KiB.
inline constexpr bool all_have_clusters = false;
inline constexpr bool some_have_clusters = false;
inline constexpr bool some_have_64_kib = true;

/// The size of a launch. HIP devices have neither early starts nor clusters.
struct launch_size {
  index_t blocks;
  int threads;
  int shared_bytes;
  bool starts_early = false;
  int of_cluster = 1;
  bool together = false;  // never true
};

/// Calls the HIP runtime. All members are static. Those that return a status leave the error for
/// self::check.
struct platform {
  static constexpr char const* name = "sam::hip";
  /// False: kernels whose blocks must all run at the same time are not compiled. They have not been
  /// tried on an AMD GPU.
  static constexpr bool runs_together = false;
  using stream = hipStream_t;
  using memory_pool = hipMemPool_t;
  using status = hipError_t;
  using properties = hipDeviceProp_t;
  static constexpr status success = hipSuccess;
  static constexpr status out_of_memory = hipErrorOutOfMemory;
  static constexpr status too_many_together = hipErrorCooperativeLaunchTooLarge;
  static char const* text_of(status of) { return hipGetErrorString(of); }
  /// Clears the last error, which a later call would report again.
  static void clear_error() { static_cast<void>(hipGetLastError()); }

  static status get_device(int& device) { return hipGetDevice(&device); }
  static status set_device(int device) { return hipSetDevice(device); }
  static status synchronize(stream on) { return hipStreamSynchronize(on); }
  static status is_capturing(stream on, bool& captured) {
    hipStreamCaptureStatus now = hipStreamCaptureStatusNone;
    status const found = hipStreamIsCapturing(on, &now);
    captured = now != hipStreamCaptureStatusNone;
    return found;
  }

  static status allocate(void*& memory, std::size_t bytes) { return hipMalloc(&memory, bytes); }
  static void release(void* memory) { static_cast<void>(hipFree(memory)); }
  static status allocate_from_pool(void*& memory, std::size_t bytes, memory_pool pool, stream on) {
    return hipMallocFromPoolAsync(&memory, bytes, pool, on);
  }
  static void release_to_pool(void* memory, stream on) {
    static_cast<void>(hipFreeAsync(memory, on));
  }
  static status allocate_pinned(void*& memory, std::size_t bytes) {
    return hipHostMalloc(&memory, bytes, hipHostMallocDefault);
  }
  static void release_pinned(void* memory) { static_cast<void>(hipHostFree(memory)); }
  static status clear(void* memory, std::size_t bytes, stream on) {
    return hipMemsetAsync(memory, 0, bytes, on);
  }
  static status copy_to_device(void* to, void const* from, std::size_t bytes, stream on) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, on);
  }
  static status copy_to_host(void* to, void const* from, std::size_t bytes, stream on) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, on);
  }
  static status copy_on_device(void* to, void const* from, std::size_t bytes, stream on) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, on);
  }
  /// Finds out which memory a pointer points to. The runtime has an error for memory that it does
  /// not know.
  static status locate(void const* pointer, gpu::memory_kind& kind) {
#ifdef __HIP_PLATFORM_NVIDIA__
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess)
      attributes.type = cudaMemoryTypeUnregistered, clear_error();
    kind = attributes.type == cudaMemoryTypeUnregistered ? gpu::memory_kind::unregistered
           : attributes.type == cudaMemoryTypeDevice     ? gpu::memory_kind::device
                                                         : gpu::memory_kind::other;
#else
    hipPointerAttribute_t attributes;
    status const found = hipPointerGetAttributes(&attributes, pointer);
    if (found == hipErrorInvalidValue) {
      clear_error();
      kind = gpu::memory_kind::unregistered;
      return success;
    }
    if (found != success)
      return found;
#if HIP_VERSION_MAJOR >= 6
    hipMemoryType const type = attributes.type;
#else
    hipMemoryType const type = attributes.memoryType;
#endif
    kind = type == hipMemoryTypeDevice ? gpu::memory_kind::device : gpu::memory_kind::other;
#endif
    return success;
  }

  static status get_shared_limit(void const* kernel, int& bytes) {
    hipFuncAttributes now;
    status const found = hipFuncGetAttributes(&now, kernel);
    bytes = now.maxDynamicSharedSizeBytes;
    return found;
  }
  static status set_shared_limit(void const* kernel, int bytes) {
    return hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, bytes);
  }
  static status share_half(void const*) { return success; }
  static status count_resident(int& blocks, void const* kernel, int threads, std::size_t bytes) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
  }
  static status allow_large_clusters(void const*) { return success; }
  static status count_clusters(int& clusters, void const*, launch_size const&) {
    clusters = 0;
    return success;
  }

  template <class Arguments>
  static status launch(void (*kernel)(Arguments), launch_size const& size, stream on,
                       Arguments const& arguments) {
    void* pointers[] = {const_cast<void*>(static_cast<void const*>(&arguments))};
    return hipLaunchKernel(reinterpret_cast<void const*>(kernel), dim3(unsigned(size.blocks)),
                           dim3(unsigned(size.threads)), pointers, std::size_t(size.shared_bytes),
                           on);
  }
};

}  // namespace sam::inline v0_1::hip
