// SPDX-License-Identifier: MIT
// Exchanges values among the blocks of a grid. tests/model/together.pml is a model of it.
//
// Each value travels with the sequence number of its launch, in words that are written and read by
// one access each. So no fence is needed, and a reader waits for as long as a word takes from one
// block to another. The counter of a last block (last_block.hpp) takes two fences, an addition that
// returns and the reads behind it.
//
// A block may wait for all others if all run at the same time, as after a cooperative launch.
// Otherwise blocks claim numbers, and only the block with the last number waits, since all others
// have begun.
#pragma once

#include <sam/gpu/grid/exchange_memory.hpp>
#include <sam/gpu/warp/warp_state.hpp>

namespace sam::inline v0_1::gpu {

/// True if values of blocks are added up in one word of memory: integers of up to 32 bits.
template <class T, class Op>
inline constexpr bool adds_in_one_word =
    std::is_same_v<Op, plus>&& std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 4;

/// Adds x to what other blocks of a launch have added to a word, of which the upper half is the sum
/// modulo 2^32, and the lower half the number of blocks. One access tells of both. Returns the word
/// before. One thread of each block calls it, behind the wait for earlier kernels.
template <class Device>
SAM_DEVICE std::uint64_t add_to_word(std::uint64_t* word, std::uint32_t x) {
  return Device::add(word, std::uint64_t{x} << 32 | 1);
}
/// Returns true to the block that added last, and prepares the word for the next launch.
template <class Device>
SAM_DEVICE bool ends_word(std::uint64_t* word, std::uint64_t before) {
  if (static_cast<std::uint32_t>(before) + 1 != std::uint32_t(Device::blocks()))
    return false;
  Device::store(word, std::uint64_t{0});
  return true;
}
/// Does both. The x of the block that added last becomes the sum of all.
template <class Device, class T>
SAM_DEVICE bool add_in_one_word(std::uint64_t* word, T& x) {
  auto const own = static_cast<std::uint32_t>(x);
  std::uint64_t const before = gpu::add_to_word<Device>(word, own);
  if (!gpu::ends_word<Device>(word, before))
    return false;
  x = static_cast<T>(static_cast<std::uint32_t>(before >> 32) + own);
  return true;
}

/// Raises the upper bits of a word to x, unless x is 0, and counts the block in its lower
/// CountBits. Becomes true, and x the greatest of all, for the block that is counted last.
///
/// An access that raises the word leaves 0 in its lower bits. Its block is told how many blocks
/// were counted there, and counts them again with itself. So the number is that of all blocks only
/// when the word has what all of them raised it to. All accesses are to one word, and need no
/// fence. tests/model/raised.pml is a model of it.
template <class Device, int CountBits>
SAM_DEVICE bool raise_in_one_word(std::uint64_t* word, std::uint64_t& x) {
  constexpr std::uint64_t counts = (std::uint64_t{1} << CountBits) - 1;
  std::uint64_t number = 1;
  if (x != 0) {
    std::uint64_t const found = Device::raise(word, x << CountBits);
    if (found < x << CountBits)
      number += found & counts;
  }
  std::uint64_t const all = Device::add(word, number) + number;
  if ((all & counts) != std::uint64_t(Device::blocks()))
    return false;
  x = all >> CountBits;
  Device::store(word, std::uint64_t{0});
  return true;
}

/// Exchanges a T of each block. Every launch must have a block that waits for the values of all
/// others, and then calls count_launch().
template <class Device, class T>
class exchange {
  static_assert(words_of<T> <= exchange_memory::most_words);

 public:
  /// Begins a launch, behind the wait for earlier kernels.
  SAM_DEVICE explicit exchange(exchange_memory& memory) : exchange(memory, launches(memory) + 1) {}
  /// Continues a launch with the sequence number that another thread of the block has read. Other
  /// threads need not have read it before the block publishes.
  SAM_DEVICE exchange(exchange_memory& memory, std::uint32_t launch)
      : memory_(memory), launch_(launch) {}

  /// Returns the number of earlier launches. That of this one is one more: an addition here would
  /// wait for the word where a block only asks for it.
  static SAM_DEVICE std::uint32_t launches(exchange_memory const& memory) {
    return Device::load(&memory.launches);
  }
  /// Returns the next number of a block, counted from 0. One thread of each block calls it.
  static SAM_DEVICE std::uint32_t claim(exchange_memory& memory) {
    return Device::add(&memory.claims, 1);
  }
  /// Prepares the next launch's claims. One thread of the block with the last number calls it.
  SAM_DEVICE void end_claims() const { Device::store(&memory_.claims, 0); }

  /// Publishes the value of a block, or of a number that this block alone has. One thread calls it.
  SAM_DEVICE void publish(int block, T const& x) const {
    gpu::to_words(x, [&](int w, std::uint32_t word) { store(w, block, word); });
  }
  /// Gives the words that are not among the first `published` ones, which blocks publish, the
  /// sequence number of this launch, if that is due. Some threads of each of `blocks` blocks call
  /// it, numbered from 0 on.
  SAM_DEVICE void refresh(int published, int block, int blocks, int thread, int threads) const {
    if (launch_ % exchange_memory::refreshing != 0) [[likely]]
      return;
    for (int b = block + thread * blocks; b < exchange_memory::most_blocks; b += threads * blocks)
#pragma unroll 1
      for (int w = b < published ? words_of<T> : 0; w < exchange_memory::most_words; ++w)
        store(w, b, 0);
  }
  /// Reads the value of a block. Returns false if it is not there yet.
  SAM_DEVICE bool try_read(int block, T& x) const {
    bool is_there = true;
    x = gpu::from_words<T>([&](int w) {
      descriptor_word const found = Device::load(&memory_.words[w][block]);
      is_there &= found.sequence == launch_;
      return found.value;
    });
    return is_there;
  }
  /// Waits for the value of a block.
  SAM_DEVICE T await(int block) const {
    uninitialized_array<T, 1> x;
    while (!try_read(block, x.at[0]))
      Device::pause();
    return x.at[0];
  }
  /// Counts the launch. One thread calls it once, when all blocks have published, and have thus
  /// read the number of launches.
  SAM_DEVICE void count_launch() const { Device::store(&memory_.launches, launch_); }

 private:
  SAM_DEVICE void store(int w, int block, std::uint32_t word) const {
    Device::store(&memory_.words[w][block], descriptor_word{word, launch_});
  }

  exchange_memory& memory_;
  std::uint32_t const launch_;
};

}  // namespace sam::inline v0_1::gpu
