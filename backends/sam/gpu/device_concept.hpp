// SPDX-License-Identifier: MIT
// The contract between the GPU engine and a GPU: all that the kernels in this folder ask of a
// device, in groups, with the spelling of each function in PTX and in HIP. A port to another GPU is
// a type that satisfies these concepts.
//
// The table names the instruction or intrinsic of each function. "-" is a function without a
// counterpart; the text says what it may do instead. HIP spellings: HIP programming guide, section
// "HIP device functions"; PTX ISA 8.5.
//
// clang-format off
// | function | PTX, CUDA | HIP |
// | --- | --- | --- |
// | block, blocks | %ctaid.x, %nctaid.x | blockIdx.x, gridDim.x |
// | warp, lane | threadIdx.x / 32 and % 32 | threadIdx.x / warpSize, __lane_id() |
// | grid_dependency_wait, _trigger | griddepcontrol | - (no-ops: a stream's kernels follow one another) |
// | sync_block | bar.sync | __syncthreads() |
// | sync_warp | bar.warp.sync | __builtin_amdgcn_wave_barrier() |
// | shuffle_from, shuffle_up | shfl.sync | __shfl, __shfl_up |
// | sum_of_all, least_of_all, greatest_of_all | redux.sync | - (shuffles) |
// | lanes_where, all_lanes | vote.sync.ballot, .all | __ballot, __all |
// | lower_lanes | %lanemask_lt | __lanemask_lt() |
// | pause | nanosleep | __builtin_amdgcn_s_sleep |
// | load, store | ld.relaxed.gpu, st.relaxed.gpu | __hip_atomic_load, _store, relaxed, agent |
// | load_acquire | ld.acquire.gpu | __hip_atomic_load, acquire, agent |
// | add, add_no_return | atom.add, red.relaxed.gpu.add | __hip_atomic_fetch_add, relaxed, agent |
// | raise | atom.max | __hip_atomic_fetch_max, relaxed, agent |
// | fence | fence.acq_rel.gpu | __threadfence() |
// | order | fence.acq_rel.gpu | s_waitcnt: no cache is written back or invalidated |
// | order_before_barrier | - (fences are cumulative) | s_waitcnt |
// | store_vector | st.global.v4 | a store of a 16-byte vector |
// | add_by_lanes, add_shared | atom.shared.add | atomicAdd on __shared__ |
// | set_shared_bits | atom.shared.or | atomicOr on __shared__ |
// | barrier | mbarrier | counters in __shared__ |
// | bulk_load, bulk_store | cp.async.bulk; cp.async | - (lanes copy; has_copy_engine and
//   has_async_copies are false) |
// | prefetch | prefetch.global.L2 | - (no-op) |
// | fill_rows | cp.async | - (lanes copy; copies_rows is false) |
// | fence_proxy_async | fence.proxy.async | - (no-op) |
// | cluster functions | barrier.cluster, ld.shared::cluster | - (has_clusters is false) |
// | expect_words, send_word, await_words | mbarrier, st.async | - (has_clusters is false) |
// | opaque | empty asm | empty asm |
// | opaque_if_divergent | empty asm | - |
// | half_of, lower_halves, greater_halves | prmt, vmax2 | __builtin_amdgcn_perm, v_pk_max_u16 |
// | rotated_right | shf.r | __builtin_rotateright32 |
// clang-format on
#pragma once

#include <sam/gpu/carry/descriptor_memory.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace sam::inline v0_1::gpu {

/// A device that tells threads where they are.
template <class D>
concept device_with_identity = requires {
  { D::block() } -> std::same_as<int>;  // of the grid
  { D::blocks() } -> std::same_as<int>;
  { D::warp() } -> std::same_as<int>;  // of the block
  { D::lane() } -> std::same_as<int>;  // of the warp
  {
    D::indexes_arguments
    } -> std::convertible_to<bool>;  // arrays of a kernel's arguments, in place
  requires D::warp_size == 32 || D::warp_size == 64;
};

/// A device whose sizes kernels are laid out for. They change speed only.
template <class D>
concept device_with_sizes = requires {
  requires D::banks >= 32 && (D::banks & (D::banks - 1)) == 0;  // of shared memory, of 4 bytes each
  requires D::sector_bytes >= 16;      // the least that goes from or to L2 at a time
  requires D::registers >= 64 * 1024;  // of 4 bytes, of a multiprocessor
};

/// A device whose threads wait for one another. sync_block and sync_warp also order what threads
/// write to shared memory before the reads of others behind them.
template <class D>
concept device_with_barriers = requires {
  D::sync_block();
  D::sync_warp();
  D::grid_dependency_wait();     // before the first use of global memory
  D::grid_dependency_trigger();  // lets the next kernel of the stream start
  D::pause();                    // between two looks at memory that another block writes
};

/// A device whose lanes exchange values and votes. All lanes of a warp make each call together.
template <class D>
concept device_with_votes = requires(typename D::lane_set lanes, std::uint32_t x, bool is) {
  { D::shuffle_from(x, 0) } -> std::same_as<std::uint32_t>;  // lane, modulo the warp's size
  { D::shuffle_up(x, 1) } -> std::same_as<std::uint32_t>;    // lanes below without one keep theirs
  { D::sum_of_all(x) } -> std::same_as<std::uint32_t>;       // over the lanes, in each of them
  { D::least_of_all(x) } -> std::same_as<std::uint32_t>;
  { D::greatest_of_all(x) } -> std::same_as<std::uint32_t>;
  { D::all_lanes(is) } -> std::same_as<bool>;
  { D::lanes_where(is) } -> std::same_as<typename D::lane_set>;
  { D::first_lane_where(is) } -> std::same_as<int>;  // warp_size if there is none
  { D::lower_lanes() } -> std::same_as<typename D::lane_set>;
  { D::count(lanes) } -> std::same_as<int>;
  { D::first(lanes) } -> std::same_as<int>;
  { D::last(lanes) } -> std::same_as<int>;
};

/// A device with relaxed atomic accesses to global memory that all of its blocks see, and a fence.
template <class D>
concept device_with_global_memory = requires(descriptor_word* words, descriptor_word word,
                                             std::uint32_t* to, std::uint64_t* wide,
                                             std::uint32_t x, std::uint64_t y,
                                             std::uint32_t const (&four)[4]) {
  { D::load(static_cast<descriptor_word const*>(words)) } -> std::same_as<descriptor_word>;
  D::store(words, word);  // value and sequence number as one access
  { D::load(static_cast<std::uint32_t const*>(to)) } -> std::same_as<std::uint32_t>;
  { D::load(static_cast<std::uint64_t const*>(wide)) } -> std::same_as<std::uint64_t>;
  { D::load_acquire(static_cast<std::uint32_t const*>(to)) } -> std::same_as<std::uint32_t>;
  D::store(to, x);
  D::store(wide, y);
  { D::add(to, x) } -> std::same_as<std::uint32_t>;  // returns the old value
  { D::add(wide, y) } -> std::same_as<std::uint64_t>;
  { D::raise(wide, y) } -> std::same_as<std::uint64_t>;  // stores y if it is greater
  D::add_no_return(to, x);
  D::store_vector(static_cast<void*>(to), four);  // 16 bytes, aligned to 16, in one access
  D::fence();  // orders this thread's accesses before it with those behind it, for all blocks
  D::order();  // does so for loads, and for words that all blocks access by load, store and add
  D::order_before_barrier();  // lets a fence behind a barrier, by another warp of the block, order
                              // this thread's accesses too
};

/// A device with shared memory for a block, and atomic additions to it.
template <class D>
concept device_with_shared_memory = requires(std::uint32_t* word, std::uint32_t x) {
  { D::shared_memory() } -> std::same_as<std::byte*>;  // aligned to shared_alignment
  requires D::shared_alignment >= 16;
  { D::shared_address_of(word) } -> std::same_as<typename D::shared_address>;
  { D::word_at(D::shared_address_of(word)) } -> std::same_as<std::uint32_t*>;
  D::add_shared(word, x);
  D::set_shared_bits(word, x);
  { D::add_by_lanes(word, x) } -> std::same_as<std::uint32_t>;  // all lanes; returns the old value
  { D::adds_in_order() } -> std::same_as<bool>;  // lanes that add to one word do so in lane order
  { D::may_add_in_order } -> std::convertible_to<bool>;  // unknown: try, and check the result
};

/// A device that copies between global and shared memory while threads do other work, or whose
/// lanes copy. A barrier counts arrivals in phases; wait(p) returns once phase p, modulo 2, is
/// over.
template <class D>
concept device_with_copies = requires(typename D::barrier& full, std::byte* to,
                                      std::byte const* from, int bytes) {
  full.init(1);
  full.arrive();
  full.wait(0);
  requires D::arrivals >= 1;      // of a warp at a barrier
  requires D::row_arrivals >= 0;  // of a warp besides, for each fill_rows
  { D::has_copy_engine } -> std::convertible_to<bool>;
  { D::has_fixed_stages } -> std::convertible_to<bool>;  // of scan kernels: those of the config
  { D::copies_rows } -> std::convertible_to<bool>;
  { D::has_async_copies } -> std::convertible_to<bool>;  // else several warps share a bulk_load
  D::bulk_load(to, from, bytes, full, 0, 1);  // by warp 0 of 1; several only without async copies
  D::prefetch(from, bytes);
  D::bulk_store(to, from, bytes);
  D::await_sent();         // until bulk_store has read its shared memory
  D::fence_proxy_async();  // orders writes to shared memory before a bulk_store that reads them
};

/// A device whose blocks can form clusters that reach one another's shared memory. Only a device
/// with has_clusters needs these functions.
template <class D>
concept device_with_clusters = requires(std::uint32_t const* mine, std::uint16_t* half,
                                        std::uint32_t* word) {
  { D::block_of_cluster() } -> std::same_as<int>;
  { D::blocks_of_cluster() } -> std::same_as<int>;
  D::arrive_at_cluster();       // releases this thread's writes to shared memory
  D::cluster_arrive_relaxed();  // for threads that have only read
  D::await_cluster();           // acquires what others have released
  { D::load_of_block(mine, 0) } -> std::same_as<std::uint32_t>;
  D::store_in_block(half, 0, std::uint16_t{0});
  D::store_in_block(word, 0, std::uint32_t{0});
};

/// A device with clusters whose blocks send one another words, and count them as they come.
template <class D>
concept device_with_messages = requires(typename D::barrier& full, std::uint32_t* word) {
  D::expect_words(full, 1);
  D::send_word(word, 0, std::uint32_t{0}, full);  // to the same place in a block of the cluster
  D::await_words(full);
};

/// A device with the integer operations that sorts need in one or two instructions, and with a
/// barrier for the optimiser.
template <class D>
concept device_with_bits = requires(std::uint32_t x, std::uint32_t& to, bool is) {
  { D::rotated_right(x, 1) } -> std::same_as<std::uint32_t>;
  { D::half_of(x, 0) } -> std::same_as<std::uint32_t>;
  { D::lower_halves(x, x) } -> std::same_as<std::uint32_t>;    // those of the second on top
  { D::greater_halves(x, x) } -> std::same_as<std::uint32_t>;  // of each pair of 16 bits
  { D::opaque(0) } -> std::same_as<int>;  // the same value, of which the compiler knows nothing
  { D::opaque_if_divergent(0) } -> std::same_as<int>;
  D::predicated_assign(is, to, x);  // to = x, if `is`, without a selection
  {
    D::select_other(x, x, x)
    } -> std::same_as<std::uint32_t>;  // of two, the one that is not the third
};

/// All that the engine asks of a GPU.
template <class D>
concept gpu_device = device_with_identity<D> && device_with_sizes<D> && device_with_barriers<D> &&
    device_with_votes<D> && device_with_global_memory<D> && device_with_shared_memory<D> &&
    device_with_copies<D> && device_with_bits<D> &&
    (!D::has_clusters || (device_with_clusters<D> && device_with_messages<D>));

}  // namespace sam::inline v0_1::gpu
