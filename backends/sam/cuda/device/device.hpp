// SPDX-License-Identifier: MIT
// What the GPU engine asks of a device, said in CUDA: one instruction, one name.
#pragma once

#include <sam/digits.hpp>
#include <sam/gpu/carry/descriptor_memory.hpp>
#include <sam/gpu/device_concept.hpp>

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
/// The extremes of floats of 16 bits; one instruction each from compute capability 8.0 on.
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

struct device {
  static constexpr int warp_size = 32;
  static constexpr int most_warps = 32;  // of a block
  /// How often a warp arrives at a barrier: once, for all its lanes. A checker of races that does
  /// not know that a warp has come together before wants each lane's own arrival.
#ifdef SAM_EVERY_LANE_ARRIVES
  static constexpr int arrivals = warp_size;
#else
  static constexpr int arrivals = 1;
#endif

  /// Whether one warp alone brings items out as fast as many do. Only device code may ask.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_copy_engine = true;
#else
  static constexpr bool has_copy_engine = false;
#endif

  static SAM_DEVICE int block() { return int(blockIdx.x); }
  static SAM_DEVICE int blocks() { return int(gridDim.x); }
  static SAM_DEVICE int warp() { return int(threadIdx.x / warp_size); }
  static SAM_DEVICE int lane() { return int(threadIdx.x % warp_size); }

  /// A kernel may start before what the stream held before is done, and let the next one start. Of
  /// global memory it may use nothing before it has waited.
  static SAM_DEVICE void grid_dependency_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
  }
  static SAM_DEVICE void grid_dependency_trigger() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
  }

  // Blocks of a grid of clusters. Only device code may ask whether there are such.
#if __CUDA_ARCH__ >= 900
  static constexpr bool has_clusters = true;
  static SAM_DEVICE int block_of_cluster() {
    int which;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(which));
    return which;
  }
  static SAM_DEVICE int blocks_of_cluster() {
    int all;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(all));
    return all;
  }
  /// What a thread has done before it arrives is seen by all once they have awaited all.
  static SAM_DEVICE void arrive_at_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
  }
  /// The same without what takes time: what a thread has read it has got, and no more is known.
  static SAM_DEVICE void cluster_arrive_relaxed() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" : : : "memory");
  }
  static SAM_DEVICE void await_cluster() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
  }
  /// What lies in the shared memory of another block of the cluster where `mine` lies in this
  /// one's. Between barriers that is not to change.
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
  /// Stores x in the shared memory of a block of the cluster, where `mine` lies in this one's: seen
  /// there once that block has awaited all.
  static SAM_DEVICE void store_in_block(std::uint16_t* mine, int block, std::uint16_t x) {
    asm volatile("st.shared::cluster.u16 [%0], %1;"
                 :
                 : "r"(place_in_block(mine, block)), "h"(x)
                 : "memory");
  }
  /// Where that is in the cluster's shared memory.
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

  static SAM_DEVICE void sync_block() { __syncthreads(); }
  static SAM_DEVICE void sync_warp() { __syncwarp(); }
  static SAM_DEVICE std::uint32_t shuffle_up(std::uint32_t x, int lanes) {
    return __shfl_up_sync(~0u, x, unsigned(lanes));
  }
  static SAM_DEVICE std::uint32_t shuffle_from(std::uint32_t x, int lane) {
    return __shfl_sync(~0u, x, lane);
  }
  static SAM_DEVICE bool all_lanes(bool x) { return __all_sync(~0u, x); }
  /// The first lane for which x holds; warp_size if it holds for none.
  static SAM_DEVICE int first_lane_where(bool x) {
    unsigned const which = __ballot_sync(~0u, x);
    return which == 0 ? warp_size : __ffs(int(which)) - 1;
  }
  /// Lanes of a warp, a bit each.
  using lane_set = std::uint32_t;
  static SAM_DEVICE lane_set lanes_where(bool x) { return __ballot_sync(~0u, x); }
  static SAM_DEVICE int count(lane_set lanes) { return __popc(lanes); }
  static SAM_DEVICE int first(lane_set lanes) { return __ffs(int(lanes)) - 1; }
  static SAM_DEVICE int last(lane_set lanes) { return 31 - __clz(int(lanes)); }
  static SAM_DEVICE lane_set lower_lanes() {
    lane_set lower;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    return lower;
  }
  static SAM_DEVICE void pause() {
#if __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
  }

  /// The papers' ld.cg and st.cg (L2 only: L1 belongs to one multiprocessor and would go stale),
  /// said since sm_70 as relaxed accesses, which the PTX memory model covers and the compiler does
  /// not drop.
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
  static SAM_DEVICE std::uint32_t load(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  /// What others ordered before the value that is found, by a fence, is before what follows.
  static SAM_DEVICE std::uint32_t load_acquire(std::uint32_t const* from) {
    std::uint32_t x;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
  }
  static SAM_DEVICE void store(std::uint32_t* to, std::uint32_t x) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// Returns what was there before.
  static SAM_DEVICE std::uint32_t add(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  static SAM_DEVICE std::uint64_t load(std::uint64_t const* from) {
    std::uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(from) : "memory");
    return x;
  }
  static SAM_DEVICE void store(std::uint64_t* to, std::uint64_t x) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(x) : "memory");
  }
  static SAM_DEVICE void add(std::uint64_t* to, std::uint64_t x) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
  }
  static SAM_DEVICE void add_no_return(std::uint32_t* to, std::uint32_t x) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" : : "l"(to), "r"(x) : "memory");
  }
  /// In one piece, to a multiple of 16. Compilers make four stores of most ways to say so.
  static SAM_DEVICE void store_vector(void* to, std::uint32_t const (&words)[4]) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
  }
  static SAM_DEVICE void fence() { __threadfence(); }

  static SAM_DEVICE std::uint32_t rotated_right(std::uint32_t x, int bits) {
    return __funnelshift_r(x, x, unsigned(bits));
  }
  /// x, of which the compiler knows nothing: what is computed from it is not kept from before.
  static SAM_DEVICE int opaque(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }

  // What networks of comparisons are bound by are comparisons and selections, which share a pipe of
  // half the rate at which instructions are issued. Multiplications have another: these are some by
  // 1, which the compiler does not know, since no grid here has more than one dimension.

  /// to = from, if that is wanted.
  static SAM_DEVICE void predicated_assign(bool wanted, std::uint32_t& to, std::uint32_t from) {
    asm("{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %1, 0;\n"
        "@wanted mad.lo.u32 %0, %2, %3, 0;\n"
        "}\n"
        : "+r"(to)
        : "r"(int(wanted)), "r"(from), "r"(gridDim.z));
  }
  /// Of x and y the one that `one` is not: x + y - one.
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

  /// The lower or the upper 16 bits.
  static SAM_DEVICE std::uint32_t half_of(std::uint32_t x, int which) {
    return __byte_perm(x, 0, which == 0 ? 0x4410 : 0x4432);
  }
  /// The lower 16 bits of each, those of x below those of y.
  static SAM_DEVICE std::uint32_t lower_halves(std::uint32_t x, std::uint32_t y) {
    return __byte_perm(x, y, 0x5410);
  }

  /// The greater of both in either half.
  static SAM_DEVICE std::uint32_t greater_halves(std::uint32_t x, std::uint32_t y) {
    return __vmaxu2(x, y);
  }

  // Of words in shared memory:
  static SAM_DEVICE void add_shared(std::uint32_t* to, std::uint32_t x) { atomicAdd(to, x); }
  static SAM_DEVICE void set_shared_bits(std::uint32_t* word, std::uint32_t bits) {
    atomicOr(word, bits);
  }
  /// All lanes come, add, and get what was there before. Lanes that add to one word are served in
  /// their order where adds_in_order(), though nobody promises that: seen on compute capability
  /// 9.0, and not looked for elsewhere.
  static SAM_DEVICE std::uint32_t add_by_lanes(std::uint32_t* to, std::uint32_t x) {
    return atomicAdd(to, x);
  }
  static SAM_DEVICE bool adds_in_order() {
#if __CUDA_ARCH__ == 900
    return true;
#else
    return false;
#endif
  }

  static constexpr int shared_alignment = 1024;
  static SAM_DEVICE std::byte* shared_memory() {
    extern __shared__ __align__(shared_alignment) std::byte sam_shared_memory[];
    return sam_shared_memory;
  }
  /// Where in shared memory something lies, and the word that lies somewhere.
  using shared_place = std::uint32_t;
  static SAM_DEVICE shared_place place_in_shared(void const* what) {
    return shared_place(__cvta_generic_to_shared(what));
  }
  static SAM_DEVICE std::uint32_t* word_in_shared(shared_place where) {
    return static_cast<std::uint32_t*>(__cvta_shared_to_generic(where));
  }

  /// Counts arrivals in phases; a wait for phase 0, 1, 2, ... is given the phase modulo 2. Lies in
  /// shared memory.
  class barrier {
   public:
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
    SAM_DEVICE void arrive_expecting(int bytes) {
      asm volatile("{ .reg .b64 token; mbarrier.arrive.expect_tx.shared.b64 token, [%0], %1; }"
                   :
                   : "r"(address()), "r"(bytes)
                   : "memory");
    }
#endif
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

  /// Makes what was written to shared memory visible to the copy engine.
  static SAM_DEVICE void fence_proxy_async() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
  }

  /// A warp brings bytes into shared memory, to an address that lies as far past a multiple of 16
  /// as `from` does, and arrives once at `full` when they are there.
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

  static constexpr int row_arrivals = warp_size;  // besides a warp's own: see fill_rows
  /// Whether a warp can ask for many rows before the first is there. Only device code may ask.
#if __CUDA_ARCH__ >= 800
  static constexpr bool copies_rows = true;
#else
  static constexpr bool copies_rows = false;
#endif

  /// A warp brings rows of `bytes` bytes, `pitch` apart, into shared memory, one behind the other,
  /// and arrives once at `full` when they are there, and each lane once more. All is aligned to
  /// `together` bytes: 4, 8 or 16.
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

  /// A warp brings bytes from shared memory to global memory; their addresses lie equally far past
  /// a multiple of 16. They are needed until await_sent() returns.
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
  static SAM_DEVICE void await_sent() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.wait_group.read 0;" : : : "memory");
#endif
  }

 private:
  /// Asks for rows, of as many as the warp's lanes can at a time.
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

  // Items stream through L2 and would push the words out, which all blocks are about to read.
  static SAM_DEVICE std::uint64_t l2_evict_last_policy() {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
  }
};

static_assert(gpu::gpu_device<device>);

}  // namespace sam::cuda
