// SPDX-License-Identifier: MIT
// This file implements the Device interface of the GPU kernels in CUDA: each function is one
// operation, and its comment names the PTX instruction.
#pragma once

#include <sam/digits.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace sam {
template <>
inline constexpr bool is_floating<__half> = true;
template <>
inline constexpr bool is_floating<__nv_bfloat16> = true;
template <>
inline constexpr int detail::precision_of<__nv_bfloat16> = 8;

#ifdef SAM_HAS_DEVICE_EXTREMES
namespace detail {
/// Computes extremes of 16-bit floats by min, max, min.NaN and max.NaN of .f16 and .bf16, which
/// exist from compute capability 8.0 on.
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
}  // namespace sam

namespace sam::cuda {

/// Implements all device operations that the GPU kernels use, for CUDA devices.
struct device {
  static constexpr int warp_size = 32;
  static constexpr int most_warps = 32;  // largest block, in warps
  /// Number of times a warp arrives at a barrier: normally once, for all its lanes. With
  /// SAM_EVERY_LANE_ARRIVES each lane arrives itself. Race checkers need this, because they do not
  /// see that __syncwarp orders the lanes before the arrival.
#ifdef SAM_EVERY_LANE_ARRIVES
  static constexpr int arrivals = warp_size;
#else
  static constexpr int arrivals = 1;
#endif

  /// True if a single warp can load and store at full speed by cp.async.bulk (compute capability
  /// 9.0). Only meaningful in device code.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_copy_engine = true;
#else
  static constexpr bool has_copy_engine = false;
#endif

  /// Returns the index of this block: %ctaid.x.
  static SAM_DEVICE int block() { return int(blockIdx.x); }
  /// Returns the number of blocks in the grid: %nctaid.x.
  static SAM_DEVICE int blocks() { return int(gridDim.x); }
  /// Returns the index of this warp in its block.
  static SAM_DEVICE int warp() { return int(threadIdx.x / warp_size); }
  /// Returns the index of this lane in its warp.
  static SAM_DEVICE int lane() { return int(threadIdx.x % warp_size); }

  /// Waits until the previous kernel of the stream has finished: griddepcontrol.wait. A kernel that
  /// was launched early must not access global memory before.
  static SAM_DEVICE void grid_dependency_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
  }
  /// Allows the next kernel of the stream to start: griddepcontrol.launch_dependents.
  static SAM_DEVICE void grid_dependency_trigger() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
  }

  // Thread block clusters. has_clusters is only meaningful in device code.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_clusters = true;
  /// Returns the index of this block in its cluster: %cluster_ctarank.
  static SAM_DEVICE int block_of_cluster() {
    int which;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(which));
    return which;
  }
  /// Returns the number of blocks in the cluster: %cluster_nctarank.
  static SAM_DEVICE int blocks_of_cluster() {
    int all;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(all));
    return all;
  }
  /// Arrives at the cluster barrier: barrier.cluster.arrive.release. Orders the thread's writes
  /// before reads by threads that have waited for the barrier.
  static SAM_DEVICE void arrive_at_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
  }
  /// Arrives at the cluster barrier without ordering writes: barrier.cluster.arrive.relaxed.
  /// Sufficient if the thread has only read distributed shared memory.
  static SAM_DEVICE void cluster_arrive_relaxed() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" : : : "memory");
  }
  /// Waits for all threads of the cluster: barrier.cluster.wait.acquire.
  static SAM_DEVICE void await_cluster() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
  }
  /// Loads the value at the address of `mine` in another block of the cluster: ld.shared::cluster.
  /// That memory must not change between barriers.
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
  /// Stores x at the address of `mine` in another block of the cluster: st.shared::cluster. That
  /// block sees it after the next cluster barrier.
  static SAM_DEVICE void store_in_block(std::uint16_t* mine, int block, std::uint16_t x) {
    asm volatile("st.shared::cluster.u16 [%0], %1;"
                 :
                 : "r"(place_in_block(mine, block)), "h"(x)
                 : "memory");
  }
  /// Returns the address of `mine` in the shared memory of another block of the cluster:
  /// mapa.shared::cluster.
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

  /// Synchronizes the block and orders its memory accesses: bar.sync.
  static SAM_DEVICE void sync_block() { __syncthreads(); }
  /// Synchronizes the warp and orders its memory accesses: bar.warp.sync.
  static SAM_DEVICE void sync_warp() { __syncwarp(); }
  /// Returns the x of the lane `lanes` below: shfl.sync.up.
  static SAM_DEVICE std::uint32_t shuffle_up(std::uint32_t x, int lanes) {
    return __shfl_up_sync(~0u, x, unsigned(lanes));
  }
  /// Returns the x of a given lane: shfl.sync.idx.
  static SAM_DEVICE std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return __shfl_sync(~0u, x, lane);
  }
  /// Returns true if x is true in all lanes: vote.sync.all.
  static SAM_DEVICE bool all_lanes(bool x) { return __all_sync(~0u, x); }
  /// Returns the first lane in which x is true, or warp_size if there is none: vote.sync.ballot.
  static SAM_DEVICE int first_lane_where(bool x) {
    unsigned const which = __ballot_sync(~0u, x);
    return which == 0 ? warp_size : __ffs(int(which)) - 1;
  }
  /// Holds a set of lanes, one bit per lane.
  using lane_set = std::uint32_t;
  /// Returns the lanes in which x is true: vote.sync.ballot.
  static SAM_DEVICE lane_set lanes_where(bool x) { return __ballot_sync(~0u, x); }
  /// Returns the number of lanes in a set: popc.b32.
  static SAM_DEVICE int count(lane_set lanes) { return __popc(lanes); }
  /// Returns the first lane of a set: brev.b32 and bfind.
  static SAM_DEVICE int first(lane_set lanes) { return __ffs(int(lanes)) - 1; }
  /// Returns the last lane of a set: clz.b32.
  static SAM_DEVICE int last(lane_set lanes) { return 31 - __clz(int(lanes)); }
  /// Returns the lanes below this one: %lanemask_lt.
  static SAM_DEVICE lane_set lower_lanes() {
    lane_set lower;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    return lower;
  }
  /// Pauses a thread that polls memory: nanosleep.u32.
  static SAM_DEVICE void pause() {
#if __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
  }

  /// Loads a descriptor word from L2: ld.relaxed.gpu. SAM's paper uses ld.cg and st.cg, which
  /// bypass L1 because it is not coherent. From sm_70 on, relaxed accesses do the same, are covered
  /// by the PTX memory model and are not removed by the compiler.
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
  /// Stores a descriptor word to L2: st.relaxed.gpu.
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
  /// Loads a word from L2: ld.relaxed.gpu.
  static SAM_DEVICE std::uint32_t load(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  /// Loads a word with acquire semantics: ld.acquire.gpu. Accesses that another thread ordered by a
  /// fence before its write of the loaded value are visible to later accesses of this thread.
  static SAM_DEVICE std::uint32_t load_acquire(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  /// Stores a word to L2: st.relaxed.gpu.
  static SAM_DEVICE void store(std::uint32_t* to, std::uint32_t x) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// Adds x atomically and returns the previous value: atom.add (relaxed).
  static SAM_DEVICE std::uint32_t add(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  /// Loads a 64-bit word from L2: ld.relaxed.gpu.
  static SAM_DEVICE std::uint64_t load(std::uint64_t const* from) {
    std::uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(from) : "memory");
    return x;
  }
  /// Stores a 64-bit word to L2: st.relaxed.gpu.
  static SAM_DEVICE void store(std::uint64_t* to, std::uint64_t x) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(x) : "memory");
  }
  /// Adds x atomically to a 64-bit word: atom.add or red.add (relaxed).
  static SAM_DEVICE void add(std::uint64_t* to, std::uint64_t x) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
  /// Adds x atomically: red.relaxed.gpu.add.
  static SAM_DEVICE void add_no_return(std::uint32_t* to, std::uint32_t x) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// Stores 16 bytes to an aligned address by one instruction: st.global.v4. Compilers split most
  /// equivalent C++ code into four stores.
  static SAM_DEVICE void store_vector(void* to, std::uint32_t const (&words)[4]) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
  }
  /// Orders this thread's earlier memory accesses before its later ones, as seen by all threads of
  /// the device: membar.gl, which is fence.sc.gpu.
  static SAM_DEVICE void fence() { __threadfence(); }

  /// Rotates x to the right by `bits` bits: shf.r.wrap.b32.
  static SAM_DEVICE std::uint32_t rotated_right(std::uint32_t x, int bits) {
    return __funnelshift_r(x, x, unsigned(bits));
  }
  /// Returns x, but hides its value from the compiler, so that expressions of it are computed again
  /// and not kept in registers. Generates no instruction.
  static SAM_DEVICE int opaque(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }

  // Networks of comparisons are bound by comparisons and selections, which share a pipe with half
  // the issue rate. The next two functions use multiply-adds instead, which have a pipe of their
  // own. They multiply by gridDim.z, which is always 1 here because all grids are one-dimensional,
  // but the compiler does not know this.

  /// Assigns `from` to `to` if `wanted` is true: predicated mad.lo.u32.
  static SAM_DEVICE void predicated_assign(bool wanted, std::uint32_t& to, std::uint32_t from) {
    asm("{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %1, 0;\n"
        "@wanted mad.lo.u32 %0, %2, %3, 0;\n"
        "}\n"
        : "+r"(to)
        : "r"(int(wanted)), "r"(from), "r"(gridDim.z));
  }
  /// Returns x if `one` equals y, and y if `one` equals x, as x + y - one: two mad.lo.u32.
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

  /// Returns the lower (0) or upper (1) 16 bits of x: prmt.b32.
  static SAM_DEVICE std::uint32_t half_of(std::uint32_t x, int which) {
    return __byte_perm(x, 0, which == 0 ? 0x4410 : 0x4432);
  }
  /// Packs the lower 16 bits of x and, above them, those of y: prmt.b32.
  static SAM_DEVICE std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return __byte_perm(x, y, 0x5410);
  }

  /// Returns the maximum of each 16-bit half: max.u16x2 from sm_90 on, otherwise several
  /// instructions.
  static SAM_DEVICE std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    return __vmaxu2(x, y);
  }

  /// Adds x atomically to a word in shared memory: atom.shared.add.
  static SAM_DEVICE void add_shared(std::uint32_t* to, std::uint32_t x) { atomicAdd(to, x); }
  /// Sets bits of a word in shared memory atomically: atom.shared.or.
  static SAM_DEVICE void set_shared_bits(std::uint32_t* word, std::uint32_t bits) {
    atomicOr(word, bits);
  }
  /// Adds x atomically to a word in shared memory and returns the previous value: atom.shared.add.
  /// All lanes call this together. If adds_in_order(), lanes that add to the same word are served
  /// in lane order. NVIDIA does not guarantee this order: it was observed on compute capability 9.0
  /// and has not been tested on others.
  static SAM_DEVICE std::uint32_t add_by_lanes(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  /// Returns true if add_by_lanes serves lanes in order.
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
  /// Holds an address in shared memory, as the 32-bit number that instructions take.
  using shared_place = std::uint32_t;
  /// Returns the shared-memory address of an object: cvta.to.shared.
  static SAM_DEVICE shared_place place_in_shared(void const* what) {
    return shared_place(__cvta_generic_to_shared(what));
  }
  /// Returns a generic pointer to the word at a shared-memory address: cvta.shared.
  static SAM_DEVICE std::uint32_t* word_in_shared(shared_place where) {
    return static_cast<std::uint32_t*>(__cvta_shared_to_generic(where));
  }

  /// Synchronizes warps by a barrier in shared memory that counts arrivals in phases: mbarrier. A
  /// wait for phase 0, 1, 2, ... takes the phase modulo 2. Before sm_80, atomics emulate it.
  class barrier {
   public:
    /// Sets the number of arrivals per phase: mbarrier.init.
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
    /// Arrives and orders this thread's accesses before those that follow a wait for the phase:
    /// mbarrier.arrive.
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
    /// Waits for a phase to complete: mbarrier.try_wait.parity from sm_90 on,
    /// mbarrier.test_wait.parity on sm_80.
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
      asm volatile("{\n"
                   ".reg .pred done;\n"
                   "again:\n"
                   "mbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n"
                   "@!done bra again;\n"
                   "}\n"
                   :
                   : "r"(address()), "r"(parity)
                   : "memory");
#else
      while (int(*static_cast<std::uint32_t volatile*>(&phase_) & 1) == parity)
        pause();
      __threadfence_block();
#endif
    }
#if __CUDA_ARCH__ >= 900
    /// Arrives and expects `bytes` more bytes of bulk copies in this phase:
    /// mbarrier.arrive.expect_tx.
    SAM_DEVICE void arrive_expecting(int bytes) {
      asm volatile("{ .reg .b64 token; mbarrier.arrive.expect_tx.shared.b64 token, [%0], %1; }"
                   :
                   : "r"(address()), "r"(bytes)
                   : "memory");
    }
#endif
    /// Returns the shared-memory address of the barrier.
    SAM_DEVICE std::uint32_t address() const {
      return std::uint32_t(__cvta_generic_to_shared(this));
    }

   private:
    std::uint32_t count_, phase_;
#if __CUDA_ARCH__ < 800
    std::uint32_t wanted_, unused_;
#else
    std::uint64_t unused_;
#endif
  };

  /// Orders this thread's writes of shared memory before later bulk copies, which use the async
  /// proxy: fence.proxy.async.shared::cta.
  static SAM_DEVICE void fence_proxy_async() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
  }

  /// Copies bytes from global to shared memory, as a whole warp: cp.async.bulk with an mbarrier.
  /// The warp arrives once at `full`, whose phase completes when the bytes are there. `to` and
  /// `from` must have the same offset from a multiple of 16 bytes. The unaligned ends are copied by
  /// ordinary accesses; before sm_90, so is everything.
  static SAM_DEVICE void bulk_load(std::byte* to, std::byte const* from, int bytes, barrier& full) {
    int head = int(-reinterpret_cast<std::uintptr_t>(from) % 16);
    head = head < bytes ? head : bytes;
    int const body = (bytes - head) / 16 * 16;
    int const tail = bytes - head - body;
    if (lane() < head)
      to[lane()] = from[lane()];
    if (lane() < tail)
      to[head + body + lane()] = from[head + body + lane()];
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
    auto const* const source = reinterpret_cast<uint4 const*>(from + head);
    auto* const target = reinterpret_cast<uint4*>(to + head);
#pragma unroll 8
    for (int k = lane(); k < body / 16; k += warp_size)
      target[k] = source[k];
    sync_warp();
    if (lane() == 0 || arrivals > 1)
      full.arrive();
#endif
  }

  // Number of arrivals by fill_rows, besides the warp's own.
  static constexpr int row_arrivals = warp_size;
  /// True if a warp can have many copies of rows in flight: cp.async. Only meaningful in device
  /// code.
#if __CUDA_ARCH__ >= 800
  static constexpr bool copies_rows = true;
#else
  static constexpr bool copies_rows = false;
#endif

  /// Copies rows of `bytes` bytes, `pitch` apart, to consecutive shared memory, as a whole warp:
  /// cp.async with an mbarrier. The warp arrives once at `full`, and each lane once more when its
  /// copies complete (cp.async.mbarrier.arrive.noinc). Everything is aligned to `together` bytes:
  /// 4, 8 or 16.
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

  /// Copies bytes from shared to global memory, as a whole warp: cp.async.bulk. `to` and `from`
  /// must have the same offset from a multiple of 16 bytes. The source must stay unchanged until
  /// await_sent() returns.
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
    auto const* const source = reinterpret_cast<uint4 const*>(from + head);
    auto* const target = reinterpret_cast<uint4*>(to + head);
#pragma unroll 4
    for (int k = lane(); k < body / 16; k += warp_size)
      target[k] = source[k];
#endif
    if (lane() < head)
      to[lane()] = from[lane()];
    if (lane() < tail)
      to[head + body + lane()] = from[head + body + lane()];
  }
  /// Waits until bulk_store has read its source: cp.async.bulk.wait_group.read.
  static SAM_DEVICE void await_sent() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.wait_group.read 0;" : : : "memory");
#endif
  }

 private:
  /// Issues the copies of rows, as many rows at a time as the lanes of a warp cover.
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

  /// Returns an L2 policy for descriptor words: createpolicy.fractional.L2::evict_last. Without it,
  /// items that stream through L2 would evict the words, which all blocks read soon.
  static SAM_DEVICE std::uint64_t l2_evict_last_policy() {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
  }
};

}  // namespace sam::cuda
