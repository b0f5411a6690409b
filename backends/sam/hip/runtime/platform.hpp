// SPDX-License-Identifier: MIT
// Has the HIP runtime as the shared host side of the GPU back ends calls it. See
// <sam/launch/platform.hpp>.
#pragma once

#ifdef SAM_GPU_BACKEND
#error "sam: one translation unit is compiled for one GPU back end"
#endif
#define SAM_GPU_BACKEND hip

// SAM_HIP_WARP_SIZES is 64 for AMD's data-centre GPUs (CDNA, gfx9), 32 for its other GPUs (RDNA),
// or 96, their sum, for a program for both. CMake sets it.
#if !defined(SAM_HIP_WARP_SIZES) && defined(__HIP_PLATFORM_NVIDIA__)
#define SAM_HIP_WARP_SIZES 32
#elif !defined(SAM_HIP_WARP_SIZES)
#define SAM_HIP_WARP_SIZES 64
#endif
#if SAM_HIP_WARP_SIZES == 96
#define SAM_GPU_WARPS hip::warps64  // and warps32: <sam/hip/kernels.hpp>
#define SAM_FOR_WARPS(...)                                                                         \
  if (this->warp_size() == 64)                                                                     \
    return self::warps64::__VA_ARGS__;                                                             \
  return self::warps32::__VA_ARGS__
#define SAM_GPU_ANY_WARPS hip::warps64
#else
#if SAM_HIP_WARP_SIZES == 64
#define SAM_GPU_WARPS hip::inline warps64
#elif SAM_HIP_WARP_SIZES == 32
#define SAM_GPU_WARPS hip::inline warps32
#else
#error "sam: SAM_HIP_WARP_SIZES must be 32, 64 or 96"
#endif
#define SAM_FOR_WARPS(...) return self::__VA_ARGS__
#define SAM_GPU_ANY_WARPS hip
#endif
#ifdef __HIP_PLATFORM_NVIDIA__
#define SAM_LAUNCH_BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define SAM_GRID_CONSTANT __grid_constant__
#define SAM_IF_TARGET
#else
// The attribute takes an expression, in which a comma between template arguments is none between
// arguments of a macro. The number of blocks is not asked for: clang would spill registers to get
// it, and the host asks how many there are room for.
#define SAM_LAUNCH_BOUNDS(...)                                                                     \
  __attribute__((amdgpu_flat_work_group_size(1, ::sam::hip::threads_of(__VA_ARGS__))))
#define SAM_GRID_CONSTANT
// A kernel for warps of another size than the GPU's that is compiled for is there, but traps. Host
// code takes kernels' addresses alone.
#if !defined(__HIP_DEVICE_COMPILE__)
#define SAM_IF_TARGET                                                                              \
  if constexpr (device::warp_size != 0)                                                            \
    __builtin_trap();                                                                              \
  else
#elif defined(__GFX9__)
#define SAM_IF_TARGET                                                                              \
  if constexpr (device::warp_size != 64)                                                           \
    __builtin_trap();                                                                              \
  else
#else
#define SAM_IF_TARGET                                                                              \
  if constexpr (device::warp_size != 32)                                                           \
    __builtin_trap();                                                                              \
  else
#endif
#endif

#include <sam/launch/platform.hpp>

#include <hip/hip_runtime.h>

namespace sam::inline v0_1::hip {

/// The sizes of warps that this file is compiled for, as their sum: SAM_HIP_WARP_SIZES.
inline constexpr int compiled_warp_sizes = SAM_HIP_WARP_SIZES;
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__HIP_PLATFORM_NVIDIA__)
#ifdef __GFX9__
static_assert((compiled_warp_sizes & 64) != 0,
              "sam: GPUs of the kinds gfx9 have warps of 64 lanes: compile with "
              "SAM_HIP_WARP_SIZES=64, or 96 for a program for other GPUs besides");
#else
static_assert((compiled_warp_sizes & 32) != 0,
              "sam: GPUs from gfx10 on have warps of 32 lanes: compile with SAM_HIP_WARP_SIZES=32, "
              "or 96 for a program for GPUs of the kinds gfx9 besides");
#endif
#endif

/// Holds what the files of this program are compiled for, or -1 if they differ. Calls of a context
/// have the same names whatever the sizes, so all files must have the same ones. A context refuses
/// others.
inline int linked_warp_sizes = 0;
inline int link_file(int sizes) {
  bool const is_alike = linked_warp_sizes == 0 || linked_warp_sizes == sizes;
  return linked_warp_sizes = is_alike ? sizes : -1;
}
namespace {
[[maybe_unused]] int const this_file_is_linked = hip::link_file(compiled_warp_sizes);
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
inline constexpr bool some_have_little_memory = true;
// The kernels for devices without bulk copies have been timed with those of CUDA alone.
inline constexpr bool some_lack_bulk_copies = false;
/// The most bytes of items and weights that a thread of a weighted histogram loads ahead. gfx1100
/// spills registers with 240.
inline constexpr int bytes_loaded_ahead = 160;

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
  static status share(void const*, int) { return success; }
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
