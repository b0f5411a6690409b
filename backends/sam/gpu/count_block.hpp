// SPDX-License-Identifier: MIT
// A sort of so few keys of 8 bits that one block counts and writes them.
//
// A counter gets 1 from all lanes of a warp that meet there at once, so that equal keys cost no
// more than others. Where the keys of a digit begin is marked by that digit: what belongs at a
// place is the last one marked up to there. A thread finds that of its first place by halving.
#pragma once

#include <sam/gpu/lane_counters.hpp>
#include <sam/gpu/lane_sums.hpp>
#include <sam/gpu/sort_counts.hpp>

namespace sam::gpu {

/// Warps, and vectors of 16 keys that a lane reads and writes, at most.
template <int Warps, int Vectors>
struct count_shape {
  static constexpr int warps = Warps;
  static constexpr int vectors = Vectors;
};

template <class Device, class Job, class Shape>
class count_block {
  using traits = sort_traits<Job>;
  using key = typename traits::key;
  static constexpr int lanes = Device::warp_size;
  static constexpr int buckets = 256;
  static constexpr int of_vector = 16;

 public:
  static constexpr int threads = Shape::warps * lanes;
  static constexpr int size = threads * Shape::vectors * of_vector;  // at most
  static_assert(threads >= buckets);
  /// Whether keys are of this kind, and a job sorts by all of their bits.
  static constexpr bool is_possible = traits::keys_tell && sizeof(key) == 1 &&
                                      std::remove_cvref_t<decltype(Job::digits)>::bits == 8;
  static bool takes(Job const& job) {
    return is_possible && job.n <= size && traits::is_provable(job);
  }

 private:
  struct alignas(16) marks_of_vector {
    std::uint32_t words[4];
  };
  struct board {
    std::uint32_t counts[buckets], begins[buckets], sums[buckets / lanes];
    marks_of_vector
        marks[size / of_vector + 1];  // of the vectors of memory that the result lies in
  };

 public:
  static constexpr int shared_bytes = int(sizeof(board));

  SAM_DEVICE explicit count_block(sort_arguments<Job> const& arguments)
      : job_(arguments.job), board_(*reinterpret_cast<board*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()),
        past_(int(reinterpret_cast<std::uintptr_t>(job_.sorted_keys) % of_vector)) {}

  SAM_DEVICE void run() {
    Device::await_previous_kernel();
    Device::let_next_kernel_start();
    if (thread_ < buckets)
      board_.counts[thread_] = 0;
    for (int v = thread_; v <= size / of_vector; v += threads)
      board_.marks[v] = {};
    Device::sync_block();  // publishes the zeros
    for_each_item<Device, threads, Shape::vectors>(job_.keys, job_.n, thread_, [&](key const& k) {
      Device::add_shared(&count_of(job_.digits(k)), 1u);
    });
    Device::sync_block();  // publishes the counts
    mark_begins();
    Device::sync_block();  // publishes the marks; all keys have been read
    for (int v = thread_; v * of_vector < int(job_.n) + past_; v += threads)
      write(v);
  }

 private:
  /// Digits that are multiples of 32 are spread over the banks, too.
  SAM_DEVICE std::uint32_t& count_of(std::uint32_t digit) const {
    return board_.counts[digit ^ digit >> bank_bits];
  }

  SAM_DEVICE void mark_begins() const {
    bool const owns = thread_ < buckets;
    std::uint32_t const count = owns ? count_of(std::uint32_t(thread_)) : 0;
    std::uint32_t const upto = sum_upto_lane<Device>(count);
    if (owns && Device::lane() == lanes - 1)
      board_.sums[Device::warp()] = upto;
    Device::sync_block();  // publishes the warps' sums
    if (!owns)
      return;
    std::uint32_t begin = upto - count;
#pragma unroll
    for (int w = 0; w < buckets / lanes; ++w)
      begin += w < Device::warp() ? board_.sums[w] : 0;
    board_.begins[thread_] = begin;
    if (count != 0)
      reinterpret_cast<std::uint8_t*>(board_.marks)[int(begin) + past_] =
          static_cast<std::uint8_t>(thread_);
  }

  /// Vector number v of the memory that the result lies in.
  SAM_DEVICE void write(int v) const {
    int const first = v * of_vector - past_;
    auto const begin = std::uint32_t(max_of(0, first));
    std::uint32_t digit = 0;
#pragma unroll
    for (std::uint32_t step = buckets / 2; step != 0; step /= 2)
      digit += board_.begins[digit + step] <= begin ? step : 0;
    marks_of_vector const marks = board_.marks[v];
    std::uint32_t words[4] = {};
#pragma unroll
    for (int s = 0; s < of_vector; ++s) {
      digit = max_of(digit, marks.words[s / 4] >> (s % 4 * 8) & 255u);
      words[s / 4] |= std::uint32_t(key_of(digit)) << (s % 4 * 8);
    }
    if (first >= 0 && first + of_vector <= job_.n) {
      Device::store_vector(job_.sorted_keys + first, words);
    } else {
#pragma unroll
      for (int s = 0; s < of_vector; ++s)
        if (first + s >= 0 && first + s < job_.n)
          job_.sorted_keys[first + s] = static_cast<key>(words[s / 4] >> (s % 4 * 8) & 255u);
    }
  }
  SAM_DEVICE std::uint8_t key_of(std::uint32_t digit) const {
    return static_cast<std::uint8_t>(key_of_image<key>(job_.digits, digit));
  }

  Job const& job_;
  board& board_;
  int thread_;
  int past_;  // keys of that many would lie before the result in its first vector
};

}  // namespace sam::gpu
