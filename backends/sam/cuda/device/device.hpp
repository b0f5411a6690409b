// SPDX-License-Identifier: MIT
// Implements the Device type of the GPU kernels in CUDA. Each function wraps one or a few PTX
// instructions, which its comment names; all memory-ordering code of the CUDA back end is here.
//
// Terms are those of the PTX ISA manual: "relaxed", "acquire" and "release" belong to its memory
// consistency model, and "gpu" is the scope of all threads of the device. Kernels are templates
// over Device, so that tests can run them on the CPU with another one.
#pragma once

#include <sam/cuda/device/error.hpp>
#include <sam/digits.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/device_concept.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace sam::inline v0_1 {
template <>
inline constexpr bool is_floating<__half> = true;
template <>
inline constexpr bool is_floating<__nv_bfloat16> = true;
template <>
inline constexpr int detail::precision_of<__nv_bfloat16> = 8;

#ifdef SAM_HAS_DEVICE_EXTREMES
namespace detail {
/// Computes minimum and maximum of 16-bit floats. Each is one instruction from compute capability
/// 8.0 on: min or max of f16 or bf16, with .NaN in the versions that propagate NaN.
template <class T>
struct device_extremes_of_half {
  static SAM_DEVICE T minimum(T a, T b) { return __hmin_nan(a, b); }
  static SAM_DEVICE T maximum(T a, T b) { return __hmax_nan(a, b); }
  static SAM_DEVICE T minimum_number(T a, T b) { return __hmin(a, b); }
  static SAM_DEVICE T maximum_number(T a, T b) { return __hmax(a, b); }
};
template <>
struct device_extremes<__half> : device_extremes_of_half<__half> {};
template <>
struct device_extremes<__nv_bfloat16> : device_extremes_of_half<__nv_bfloat16> {};
}  // namespace detail
#endif
}  // namespace sam::inline v0_1

namespace sam::inline v0_1::cuda {

/// Gives kernels access to thread indices, synchronization, memory and warp instructions of a CUDA
/// device. All members are static.
struct device {
  static constexpr int warp_size = 32;
  static constexpr int most_warps = 32;  // per block
  /// The number of times that a warp arrives at a barrier: once for all its lanes, after
  /// sync_warp(). Some race checkers do not model that order. For them, SAM_EVERY_LANE_ARRIVES
  /// makes each lane arrive itself.
#ifdef SAM_EVERY_LANE_ARRIVES
  static constexpr int arrivals = warp_size;
#else
  static constexpr int arrivals = 1;
#endif

  /// True if the device has bulk copies (cp.async.bulk), by which one warp alone stores items as
  /// fast as many warps do. Valid in device code only.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_copy_engine = true;
#else
  static constexpr bool has_copy_engine = false;
#endif
  /// True if all devices that run this code have 227 KiB of shared memory for a block, so that scan
  /// kernels have as many stages as their configs say. Other kernels get the number of stages from
  /// the host, which knows the device. Valid in device code only.
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
  static constexpr bool has_fixed_stages = true;
#else
  static constexpr bool has_fixed_stages = false;
#endif

  /// Returns the index of this block: %ctaid.x.
  static SAM_DEVICE int block() { return int(blockIdx.x); }
  /// Returns the number of blocks in the grid: %nctaid.x.
  static SAM_DEVICE int blocks() { return int(gridDim.x); }
  /// Returns the index of this warp in its block.
  static SAM_DEVICE int warp() { return int(threadIdx.x / warp_size); }
  /// Returns the index of this lane in its warp.
  static SAM_DEVICE int lane() { return int(threadIdx.x % warp_size); }

  /// Waits until the kernels that this one depends on have completed and their writes are visible
  /// (griddepcontrol.wait). With programmatic dependent launch a kernel may start before that, so
  /// it calls this before it accesses global memory. Does nothing before compute capability 9.0.
  static SAM_DEVICE void grid_dependency_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
  }
  /// Allows the next kernel in the stream to start before this one ends
  /// (griddepcontrol.launch_dependents). Does nothing before compute capability 9.0.
  static SAM_DEVICE void grid_dependency_trigger() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
  }

  // Thread block clusters. has_clusters is valid in device code only.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_clusters = true;
  /// Returns the rank of this block in its cluster (%cluster_ctarank).
  static SAM_DEVICE int block_of_cluster() {
    int which;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(which));
    return which;
  }
  /// Returns the number of blocks in the cluster (%cluster_nctarank).
  static SAM_DEVICE int blocks_of_cluster() {
    int all;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(all));
    return all;
  }
  /// Arrives at the cluster barrier with release semantics (barrier.cluster.arrive.release). Writes
  /// before it are visible to every thread of the cluster after that thread's await_cluster().
  static SAM_DEVICE void arrive_at_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
  }
  /// Arrives at the cluster barrier without ordering any writes (barrier.cluster.arrive.relaxed).
  /// It is faster than arrive_at_cluster(), and suffices where a thread only announces that its
  /// reads of other blocks' shared memory have returned.
  static SAM_DEVICE void cluster_arrive_relaxed() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" : : : "memory");
  }
  /// Waits until all threads of the cluster have arrived (barrier.cluster.wait.acquire).
  static SAM_DEVICE void await_cluster() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
  }
  /// Loads a value from the shared memory of block `block` of the cluster, at the offset that
  /// `mine` has in this block's (ld.shared::cluster). Only barriers order it with writes of that
  /// value.
  template <class T>
  static SAM_DEVICE T load_of_block(T const* mine, int block) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    std::uint32_t const there = place_in_block(mine, block);
    if constexpr (sizeof(T) == 4) {
      std::uint32_t x;
      asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(there));
      return __builtin_bit_cast(T, x);
    } else {
      std::uint64_t x;
      asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(x) : "r"(there));
      return __builtin_bit_cast(T, x);
    }
  }
  /// Stores x in the shared memory of block `block` of the cluster, at the offset that `mine` has
  /// in this block's (st.shared::cluster.u16). That block sees it after the next cluster barrier.
  static SAM_DEVICE void store_in_block(std::uint16_t* mine, int block, std::uint16_t x) {
    asm volatile("st.shared::cluster.u16 [%0], %1;"
                 :
                 : "r"(place_in_block(mine, block)), "h"(x)
                 : "memory");
  }
  /// Returns the shared::cluster address in block `block` that corresponds to `mine` in this block
  /// (mapa.shared::cluster).
  static SAM_DEVICE std::uint32_t place_in_block(void const* mine, int block) {
    std::uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(place_in_shared(mine)), "r"(block));
    return there;
  }
#else
  static constexpr bool has_clusters = false;
#endif

  /// Waits for all threads of the block, and orders memory accesses before it with those after it
  /// within the block (bar.sync 0).
  static SAM_DEVICE void sync_block() { __syncthreads(); }
  /// Waits for all lanes of the warp, and orders their memory accesses with one another
  /// (bar.warp.sync).
  static SAM_DEVICE void sync_warp() { __syncwarp(); }
  /// Returns the x of the lane `lanes` below this one, or this lane's own x if there is none
  /// (shfl.sync.up).
  static SAM_DEVICE std::uint32_t shuffle_up(std::uint32_t x, int lanes) {
    return __shfl_up_sync(~0u, x, unsigned(lanes));
  }
  /// Returns the x of a lane (shfl.sync.idx).
  static SAM_DEVICE std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return __shfl_sync(~0u, x, lane);
  }
  /// True if x holds in all lanes (vote.sync.all).
  static SAM_DEVICE bool all_lanes(bool x) { return __all_sync(~0u, x); }
  /// Returns the lowest lane in which x holds, or warp_size if there is none (vote.sync.ballot,
  /// then brev and bfind).
  static SAM_DEVICE int first_lane_where(bool x) {
    unsigned const which = __ballot_sync(~0u, x);
    return which == 0 ? warp_size : __ffs(int(which)) - 1;
  }
  /// Holds a set of lanes of a warp, with one bit for each lane.
  using lane_set = std::uint32_t;
  /// Returns the mask of the lanes in which x holds (vote.sync.ballot).
  static SAM_DEVICE lane_set lanes_where(bool x) { return __ballot_sync(~0u, x); }
  /// Returns the number of set bits (popc).
  static SAM_DEVICE int count(lane_set lanes) { return __popc(lanes); }
  /// Returns the lowest set bit, or -1 if there is none (brev, bfind).
  static SAM_DEVICE int first(lane_set lanes) { return __ffs(int(lanes)) - 1; }
  /// Returns the highest set bit, or -1 if there is none (clz).
  static SAM_DEVICE int last(lane_set lanes) { return 31 - __clz(int(lanes)); }
  /// Returns the mask of the lanes below this one (%lanemask_lt).
  static SAM_DEVICE lane_set lower_lanes() {
    lane_set lower;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    return lower;
  }
  /// Suspends the thread for about 20 ns between two polls of memory (nanosleep.u32). Does nothing
  /// before compute capability 7.0.
  static SAM_DEVICE void pause() {
#if __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
  }

  /// Loads a descriptor word from L2 (ld.relaxed.gpu.u64, with an L2 evict-last hint from compute
  /// capability 8.0 on). L1 is private to a multiprocessor and could return a stale word.
  ///
  /// LightScan uses ld.cg and st.cg (Liu, Aluru, 2016, section 4.3, algorithm 4). Relaxed accesses
  /// bypass L1 too; the PTX memory model covers them, and the compiler does not remove them.
  static SAM_DEVICE gpu::descriptor_word load(gpu::descriptor_word const* from) {
    std::uint64_t bits;
#if __CUDA_ARCH__ >= 800
    asm volatile("ld.relaxed.gpu.global.L2::cache_hint.u64 %0, [%1], %2;"
                 : "=l"(bits)
                 : "l"(from), "l"(l2_evict_last_policy())
                 : "memory");
#else
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
#endif
    return {std::uint32_t(bits), std::uint32_t(bits >> 32)};
  }
  /// Stores a descriptor word in L2 by one access, so that a reader sees all of it or none
  /// (st.relaxed.gpu.u64, with the same hint).
  static SAM_DEVICE void store(gpu::descriptor_word* to, gpu::descriptor_word word) {
    std::uint64_t const bits = std::uint64_t(word.sequence) << 32 | word.value;
#if __CUDA_ARCH__ >= 800
    asm volatile("st.relaxed.gpu.global.L2::cache_hint.u64 [%0], %1, %2;"
                 :
                 : "l"(to), "l"(bits), "l"(l2_evict_last_policy())
                 : "memory");
#else
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
#endif
  }
  /// Loads a word that other blocks may be writing, without ordering other accesses
  /// (ld.relaxed.gpu.u32).
  static SAM_DEVICE std::uint32_t load(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  /// Loads a word with acquire semantics (ld.acquire.gpu.u32). Writes that another block made
  /// before a fence() and its store of the loaded value are visible to the accesses that follow.
  static SAM_DEVICE std::uint32_t load_acquire(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  /// Stores a word that other blocks may be reading (st.relaxed.gpu.u32).
  static SAM_DEVICE void store(std::uint32_t* to, std::uint32_t x) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// Adds x to a word of global memory and returns its previous value (atom.global.add.u32).
  static SAM_DEVICE std::uint32_t add(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  /// Loads 64 bits that other blocks may be writing, without ordering other accesses
  /// (ld.relaxed.gpu.u64).
  static SAM_DEVICE std::uint64_t load(std::uint64_t const* from) {
    std::uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(from) : "memory");
    return x;
  }
  /// Stores 64 bits that other blocks may be reading (st.relaxed.gpu.u64).
  static SAM_DEVICE void store(std::uint64_t* to, std::uint64_t x) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(x) : "memory");
  }
  /// Adds x to 64 bits of global memory (atom.global.add.u64).
  static SAM_DEVICE void add(std::uint64_t* to, std::uint64_t x) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
  /// Adds x to a word of global memory without returning its previous value
  /// (red.relaxed.gpu.add.u32), so the thread does not wait for an answer.
  static SAM_DEVICE void add_no_return(std::uint32_t* to, std::uint32_t x) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// Stores 16 bytes at an address aligned to 16, by one instruction (st.global.v4.u32). Compilers
  /// split most C++ formulations of it into four stores.
  static SAM_DEVICE void store_vector(void* to, std::uint32_t const (&words)[4]) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
  }
  /// Orders this thread's memory accesses before it with those after it, for all threads of the
  /// device (membar.gl, which is fence.sc.gpu from compute capability 7.0 on).
  static SAM_DEVICE void fence() { __threadfence(); }

  /// Returns x rotated right by `bits` (shf.r.wrap).
  static SAM_DEVICE std::uint32_t rotated_right(std::uint32_t x, int bits) {
    return __funnelshift_r(x, x, unsigned(bits));
  }
  /// Returns x through an optimisation barrier: an empty asm statement, no instruction. The
  /// compiler knows nothing about the result. It therefore computes expressions of it again instead
  /// of keeping earlier ones in registers.
  static SAM_DEVICE int opaque(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }

  // Sorting networks are bound by comparisons and selections, which share a pipe with half of the
  // issue rate. Integer multiplications use another pipe. The next two functions select by a
  // multiplication with gridDim.z: it is 1, as all grids here are one-dimensional, but the compiler
  // does not know that.

  /// Assigns `from` to `to` if `wanted` holds (setp, then a predicated mad.lo.u32).
  static SAM_DEVICE void predicated_assign(bool wanted, std::uint32_t& to, std::uint32_t from) {
    asm("{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %1, 0;\n"
        "@wanted mad.lo.u32 %0, %2, %3, 0;\n"
        "}\n"
        : "+r"(to)
        : "r"(int(wanted)), "r"(from), "r"(gridDim.z));
  }
  /// Returns the one of x and y that `one` is not, as x + y - one (two mad.lo.u32).
  static SAM_DEVICE std::uint32_t select_other(std::uint32_t x, std::uint32_t y,
                                               std::uint32_t one) {
    std::uint32_t other;
    asm("{\n"
        ".reg .u32 both;\n"
        "mad.lo.u32 both, %1, %4, %2;\n"
        "mad.lo.u32 %0, %3, %5, both;\n"
        "}\n"
        : "=r"(other)
        : "r"(x), "r"(y), "r"(one), "r"(gridDim.z), "r"(0 - gridDim.z));
    return other;
  }

  /// Returns the lower (0) or the upper (1) 16 bits of x (prmt.b32).
  static SAM_DEVICE std::uint32_t half_of(std::uint32_t x, int which) {
    return __byte_perm(x, 0, which == 0 ? 0x4410 : 0x4432);
  }
  /// Returns the lower 16 bits of both: those of x in the lower half, those of y in the upper
  /// (prmt.b32).
  static SAM_DEVICE std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return __byte_perm(x, y, 0x5410);
  }

  /// Returns the maximum of x and y in each 16-bit half (__vmaxu2: max.u16x2 from compute
  /// capability 9.0 on).
  static SAM_DEVICE std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    return __vmaxu2(x, y);
  }

  /// Adds x to a word of shared memory (atom.shared.add.u32).
  static SAM_DEVICE void add_shared(std::uint32_t* to, std::uint32_t x) { atomicAdd(to, x); }
  /// Sets bits of a word of shared memory (atom.shared.or.b32).
  static SAM_DEVICE void set_shared_bits(std::uint32_t* word, std::uint32_t bits) {
    atomicOr(word, bits);
  }
  /// Adds x to a word of shared memory and returns its previous value (atom.shared.add.u32). All
  /// lanes of the warp call it together.
  static SAM_DEVICE std::uint32_t add_by_lanes(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  /// True if lanes that add to one word by add_by_lanes() take effect in the order of the lanes.
  /// The PTX ISA does not guarantee that. It was measured on compute capability 9.0, and on no
  /// other.
  static SAM_DEVICE bool adds_in_order() {
#if __CUDA_ARCH__ == 900
    return true;
#else
    return false;
#endif
  }

  /// Alignment of dynamic shared memory in bytes.
  static constexpr int shared_alignment = 1024;
  /// Returns the dynamic shared memory of the block.
  static SAM_DEVICE std::byte* shared_memory() {
    extern __shared__ __align__(shared_alignment) std::byte sam_shared_memory[];
    return sam_shared_memory;
  }
  /// Holds a 32-bit address within shared memory.
  using shared_place = std::uint32_t;
  /// Converts a generic pointer to a shared-memory address (cvta.to.shared).
  static SAM_DEVICE shared_place place_in_shared(void const* what) {
    return shared_place(__cvta_generic_to_shared(what));
  }
  /// Converts a shared-memory address to a generic pointer (cvta.shared).
  static SAM_DEVICE std::uint32_t* word_in_shared(shared_place where) {
    return static_cast<std::uint32_t*>(__cvta_shared_to_generic(where));
  }

  /// A barrier in shared memory counts arrivals; a phase completes with the last expected one, and
  /// the next phase begins. It is an mbarrier object from compute capability 8.0 on, and two
  /// counters before.
  class barrier {
   public:
    /// Sets the number of arrivals that complete a phase (mbarrier.init).
    SAM_DEVICE void init(int arrivals) {
#if __CUDA_ARCH__ >= 800
      asm volatile("mbarrier.init.shared.b64 [%0], %1;"
                   :
                   : "r"(address()), "r"(arrivals)
                   : "memory");
#else
      count_ = 0, phase_ = 0, wanted_ = std::uint32_t(arrivals);
#endif
    }
    /// Arrives once, with release semantics for the block (mbarrier.arrive).
    SAM_DEVICE void arrive() {
#if __CUDA_ARCH__ >= 800
      asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }"
                   :
                   : "r"(address())
                   : "memory");
#else
      __threadfence_block();
      if (atomicAdd(&count_, 1u) + 1 == wanted_) {
        atomicExch(&count_, 0u);
        __threadfence_block();
        atomicAdd(&phase_, 1u);
      }
#endif
    }
    /// Waits until the phase of this parity is complete, with acquire semantics for the block. The
    /// caller passes the index of the phase (0, 1, 2, ...) modulo 2. It polls
    /// mbarrier.try_wait.parity from compute capability 9.0 on, mbarrier.test_wait.parity on 8.x,
    /// and the phase counter before.
    SAM_DEVICE void wait(int parity) {
#if __CUDA_ARCH__ >= 900
      asm volatile("{\n"
                   ".reg .pred done;\n"
                   "again:\n"
                   "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                   "@!done bra again;\n"
                   "}\n"
                   :
                   : "r"(address()), "r"(parity)
                   : "memory");
#elif __CUDA_ARCH__ >= 800
      while (!is_complete(parity))
        pause();  // else the waiting warps would take issue slots from the working ones
#else
      while (int(*static_cast<std::uint32_t volatile*>(&phase_) & 1) == parity)
        pause();
      __threadfence_block();
#endif
    }
#if __CUDA_ARCH__ >= 900
    /// Arrives once, and makes the phase wait for `bytes` of bulk copies as well
    /// (mbarrier.arrive.expect_tx).
    SAM_DEVICE void arrive_expecting(int bytes) {
      asm volatile("{ .reg .b64 token; mbarrier.arrive.expect_tx.shared.b64 token, [%0], %1; }"
                   :
                   : "r"(address()), "r"(bytes)
                   : "memory");
    }
#endif
    /// Returns the barrier's address within shared memory (cvta.to.shared).
    SAM_DEVICE std::uint32_t address() const {
      return std::uint32_t(__cvta_generic_to_shared(this));
    }

   private:
#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
    /// True if the phase of this parity is complete (mbarrier.test_wait.parity).
    SAM_DEVICE bool is_complete(int parity) const {
      std::uint32_t done;
      asm volatile("{\n"
                   ".reg .pred done;\n"
                   "mbarrier.test_wait.parity.shared.b64 done, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, done;\n"
                   "}\n"
                   : "=r"(done)
                   : "r"(address()), "r"(parity)
                   : "memory");
      return done != 0;
    }
#endif
    std::uint32_t count_, phase_;
#if __CUDA_ARCH__ < 800
    std::uint32_t wanted_, unused_;
#else
    std::uint64_t unused_;
#endif
  };

  /// Orders this thread's earlier writes of shared memory before later bulk copies from it
  /// (fence.proxy.async.shared::cta). Bulk copies use another proxy than loads and stores do.
  static SAM_DEVICE void fence_proxy_async() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
  }

  /// True if a warp can have all loads of a tile in flight, by bulk copies or by cp.async. Else
  /// several warps share the loads of a tile. Valid in device code only.
#if __CUDA_ARCH__ >= 800
  static constexpr bool has_async_copies = true;
#else
  static constexpr bool has_async_copies = false;
#endif

  /// Copies `bytes` from global to shared memory; all lanes of a warp call it. `to` and `from` are
  /// equal modulo 16. The warp arrives `arrivals` times at `full`, whose phase completes only
  /// when the bytes are there.
  ///
  /// Aligned 16-byte pieces go by cp.async.bulk from compute capability 9.0 on, and by cp.async on
  /// 8.x. Before, `parts` warps share the copies, which are vector loads and stores, and this is
  /// warp `part` of them. Lanes copy the unaligned bytes at both ends one by one.
  static SAM_DEVICE void bulk_load(std::byte* to, std::byte const* from, int bytes, barrier& full,
                                   [[maybe_unused]] int part = 0, [[maybe_unused]] int parts = 1) {
    int head = int(-reinterpret_cast<std::uintptr_t>(from) % 16);
    head = head < bytes ? head : bytes;
    int const body = (bytes - head) / 16 * 16;
    int const tail = bytes - head - body;
#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
    start_copies(to + head, from + head, body);  // before the loads below, which the lanes wait for
#elif __CUDA_ARCH__ < 800
    copy_part<8>(to + head, from + head, body, part, parts);
#endif
#if __CUDA_ARCH__ < 800
    if (part == 0)
#endif
    {
      if (lane() < head)
        to[lane()] = from[lane()];
      if (lane() < tail)
        to[head + body + lane()] = from[head + body + lane()];
    }
#if __CUDA_ARCH__ >= 900
    sync_warp();
    if (lane() != 0 || body == 0) {
      if (lane() == 0 || arrivals > 1)
        full.arrive();
      return;
    }
    full.arrive_expecting(body);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :
        : "r"(std::uint32_t(__cvta_generic_to_shared(to + head))), "l"(from + head), "r"(body),
          "r"(full.address())
        : "memory");
#else
#if __CUDA_ARCH__ >= 800
    await_copies_at(full);
#endif
    sync_warp();
    if (lane() == 0 || arrivals > 1)
      full.arrive();
#endif
  }
  /// Requests that `bytes` from `from` on are brought to L2; all lanes of a warp call it
  /// (prefetch.global.L2, once for each line).
  static SAM_DEVICE void prefetch(std::byte const* from, int bytes) {
    constexpr int line = 128;
    for (int at = line * lane(); at < bytes; at += line * warp_size)
      asm volatile("prefetch.global.L2 [%0];" : : "l"(from + at) : "memory");
  }

  /// The number of arrivals that fill_rows() makes in addition to those of the warp.
  static constexpr int row_arrivals = warp_size;
  /// True if the device has asynchronous copies (cp.async), by which a warp requests many rows
  /// before the first one arrives. Valid in device code only.
#if __CUDA_ARCH__ >= 800
  static constexpr bool copies_rows = true;
#else
  static constexpr bool copies_rows = false;
#endif

  /// Copies rows of `bytes` bytes, `pitch` bytes apart, from global memory to consecutive shared
  /// memory (cp.async); all lanes of a warp call it. Addresses and sizes are multiples of
  /// `together` bytes: 4, 8 or 16. Only devices with copies_rows support it.
  ///
  /// The warp arrives at `full` as in bulk_load(). In addition each lane arrives when its own
  /// copies are complete (cp.async.mbarrier.arrive.noinc).
  static SAM_DEVICE void fill_rows(std::byte* to, std::byte const* from, int rows, int bytes,
                                   std::int64_t pitch, int together, barrier& full) {
    if (together == 16)
      copy_rows<16>(to, from, rows, bytes, pitch);
    else if (together == 8)
      copy_rows<8>(to, from, rows, bytes, pitch);
    else
      copy_rows<4>(to, from, rows, bytes, pitch);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
                 :
                 : "r"(full.address())
                 : "memory");
#endif
    sync_warp();
    if (lane() == 0 || arrivals > 1)
      full.arrive();
  }

  /// Copies `bytes` from shared to global memory; all lanes of a warp call it. `to` and `from` are
  /// equal modulo 16. The source must not change before await_sent() returns.
  ///
  /// Aligned 16-byte pieces go by cp.async.bulk from compute capability 9.0 on, and by vector loads
  /// and stores before. Lanes copy the unaligned bytes at both ends one by one.
  static SAM_DEVICE void bulk_store(std::byte* to, std::byte const* from, int bytes) {
    int head = int(-reinterpret_cast<std::uintptr_t>(to) % 16);
    head = head < bytes ? head : bytes;
    int const body = (bytes - head) / 16 * 16;
    int const tail = bytes - head - body;
#if __CUDA_ARCH__ >= 900
    if (lane() == 0 && body > 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                   :
                   : "l"(to + head), "r"(std::uint32_t(__cvta_generic_to_shared(from + head))),
                     "r"(body)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" : : : "memory");
    }
#else
    copy_part<4>(to + head, from + head, body, 0, 1);
#endif
    if (lane() < head)
      to[lane()] = from[lane()];
    if (lane() < tail)
      to[head + body + lane()] = from[head + body + lane()];
  }
  /// Waits until this thread's bulk stores have read their sources (cp.async.bulk.wait_group.read).
  static SAM_DEVICE void await_sent() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.wait_group.read 0;" : : : "memory");
#endif
  }

 private:
#if __CUDA_ARCH__ >= 800
  /// Starts this lane's part of the copies of bulk_load() on 8.x (cp.async.cg of 16 bytes, which
  /// bypasses L1). No register waits for them, so a warp has a whole tile in flight.
  static SAM_DEVICE void start_copies(std::byte* to, std::byte const* from, int bytes) {
    auto target = std::uint32_t(__cvta_generic_to_shared(to)) + 16 * unsigned(lane());
    std::byte const* source = from + 16 * lane();
#pragma unroll 8
    for (int left = bytes - 16 * lane(); left > 0; left -= 16 * warp_size) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                   :
                   : "r"(target), "l"(source)
                   : "memory");
      target += 16 * warp_size;
      source += 16 * warp_size;
    }
  }
  /// Makes the current phase of a barrier wait for this lane's copies (cp.async.mbarrier.arrive
  /// without .noinc). It adds an arrival to those that the phase waits for, and the arrival is made
  /// when the copies are complete, so the number given to init() does not change. The phase cannot
  /// complete before, because the warp's own arrival is yet to come: the caller makes it after
  /// sync_warp(). wait() for the phase makes the copied bytes visible.
  static SAM_DEVICE void await_copies_at(barrier& full) {
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(full.address()) : "memory");
  }
#endif
  /// Copies the 16-byte pieces of `bytes` bytes that belong to warp `part` of `parts` (vector loads
  /// and stores). Batches of loads are issued before their first use, incomplete ones too: the
  /// compiler unrolls a plain loop so that its last iterations wait for memory one by one.
  template <int Batch>
  static SAM_DEVICE void copy_part(std::byte* to, std::byte const* from, int bytes, int part,
                                   int parts) {
    auto const* const source = reinterpret_cast<uint4 const*>(from);
    auto* const target = reinterpret_cast<uint4*>(to);
    int const step = parts * warp_size;
    for (int k = part * warp_size + lane(); k < bytes / 16; k += Batch * step) {
      uint4 pieces[Batch];
#pragma unroll
      for (int b = 0; b < Batch; ++b)
        if (k + b * step < bytes / 16)
          pieces[b] = source[k + b * step];
#pragma unroll
      for (int b = 0; b < Batch; ++b)
        if (k + b * step < bytes / 16)
          target[k + b * step] = pieces[b];
    }
  }

  /// Issues the copies of fill_rows(), with several rows at a time where a row has fewer pieces
  /// than the warp has lanes (cp.async.cg for 16 bytes, else cp.async.ca).
  template <int Together>
  static SAM_DEVICE void copy_rows(std::byte* to, std::byte const* from, int rows, int bytes,
                                   std::int64_t pitch) {
#if __CUDA_ARCH__ >= 800
    int const pieces = bytes / Together;
    int const at_a_time = pieces < warp_size ? warp_size / pieces : 1;
    int const first = pieces < warp_size ? lane() / pieces : 0;
    int const piece = pieces < warp_size ? lane() % pieces : lane();
    if (first >= at_a_time)
      return;
    for (int p = piece; p < pieces; p += warp_size) {
      std::byte const* source = from + first * pitch + p * Together;
      auto target = std::uint32_t(__cvta_generic_to_shared(to + first * bytes + p * Together));
#pragma unroll 4
      for (int row = first; row < rows; row += at_a_time) {
        if constexpr (Together == 16)
          asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                       :
                       : "r"(target), "l"(source)
                       : "memory");
        else
          asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                       :
                       : "r"(target), "l"(source), "n"(Together)
                       : "memory");
        source += at_a_time * pitch;
        target += unsigned(at_a_time * bytes);
      }
    }
#endif
  }

  /// Returns a cache policy that keeps lines in L2 (createpolicy.fractional.L2::evict_last).
  /// Items stream through L2 and would evict the descriptor words, which all blocks soon read.
  static SAM_DEVICE std::uint64_t l2_evict_last_policy() {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
  }
};

static_assert(gpu::gpu_device<device>);

}  // namespace sam::inline v0_1::cuda
