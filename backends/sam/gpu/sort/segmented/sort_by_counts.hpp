// SPDX-License-Identifier: MIT
// Sorts few keys in segments that offsets describe by counts: the rank of a key in its segment is
// the number of keys there that precede it. Some lanes count for each key, as many as a device has
// for all keys, so that one kernel sorts segments of any lengths in about the same time.
#pragma once

#include <sam/backend/job/cut_offsets.hpp>
#include <sam/gpu/sort/radix_traits.hpp>
#include <sam/gpu/warp/warp_state.hpp>

#include <bit>

namespace sam::inline v0_1::gpu {

/// Configures blocks of a number of warps, which sort up to `Most` keys in as many segments as
/// `OffsetsOfThread` offsets for each thread of a block describe.
template <int Warps, int Most, int OffsetsOfThread>
struct count_config {
  static constexpr int warps = Warps;
  static constexpr int most = Most;
  static constexpr int offsets_of_thread = OffsetsOfThread;
};

/// Holds the arguments of a launch. Outputs lie apart from inputs.
template <class Job, class Offset>
struct count_arguments {
  Job job;
  engine::offsets_of_kernel<Offset> offsets;
  int segments;
  int log_lanes;  // the logarithm of the lanes that count for a key
};

/// Runs one block of the kernel. Each block reads all keys of segments and all offsets.
template <class Device, class Job, class Offset, class Config>
class sort_by_counts {
  using traits = radix_traits<Job>;
  using ordered_key = typename traits::ordered_key;
  static constexpr int lanes = Device::warp_size;
  static constexpr int word_bits = 32;
  static constexpr int words = Config::most / word_bits + 1;

  struct shared_layout {
    ordered_key keys[Config::most];
    std::uint32_t bits[words];  // set where a segment begins, and where the last one ends
  };

 public:
  using arguments = count_arguments<Job, Offset>;
  static constexpr int threads = Config::warps * lanes;
  static constexpr int blocks = 1;
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  static constexpr index_t most_segments = index_t{threads} * Config::offsets_of_thread - 1;

  /// Returns the arguments, with which no more than `most_threads` threads count for few keys.
  static arguments arguments_for(Job const& job, engine::offsets_of_kernel<Offset> offsets,
                                 index_t segments, index_t most_threads) {
    auto const of_key = std::uint32_t(max_of(1, min_of(word_bits, most_threads / job.n)));
    return {job, offsets, int(segments), int(std::bit_width(of_key)) - 1};
  }
  static index_t blocks_for(arguments const& a) { return div_up(a.job.n << a.log_lanes, threads); }

  SAM_DEVICE explicit sort_by_counts(arguments const& all)
      : a_(all), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()), n_(int(all.job.n)) {}

  SAM_DEVICE void run() {
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    if constexpr (requires { a_.offsets.items(); })  // keys past the number are not read
      n_ = int(a_.offsets.items());
    index_t at[Config::offsets_of_thread];
#pragma unroll
    for (int u = 0; u < Config::offsets_of_thread; ++u) {
      int const k = thread_ + u * threads;
      at[u] = k <= a_.segments ? static_cast<index_t>(a_.offsets[k]) : -1;
    }
    for (int w = thread_; w <= n_ / word_bits; w += threads)
      shared_.bits[w] = 0;
#pragma unroll 4
    for (int i = thread_; i < n_; i += threads)
      shared_.keys[i] = digits_of(a_.job.keys[i]);
    Device::sync_block();  // orders the writes of zeros before updates
#pragma unroll
    for (int u = 0; u < Config::offsets_of_thread; ++u)
      if (at[u] >= 0 && at[u] <= n_)
        Device::set_shared_bits(shared_.bits + at[u] / word_bits, 1u << (at[u] % word_bits));
    Device::sync_block();  // orders the keys and the updates before their reads
    sort_keys_of_warp();
  }

 private:
  struct range {
    int begin, end;  // either is -1 if no offset tells it
  };

  SAM_DEVICE ordered_key digits_of(typename traits::key const& k) const {
    Job const& job = a_.job;
    return bits_between{job.begin_bit, job.end_bit}(static_cast<ordered_key>(
        traits::ordered_key_of(job.digits, k) ^ traits::flip_of(job.digits)));
  }
  SAM_DEVICE void sort_keys_of_warp() const {
    int const width = 1 << a_.log_lanes, own = Device::lane() & (width - 1);
    int const of_warp = (int(Device::block()) * threads + Device::warp() * lanes) >> a_.log_lanes;
    int const i = of_warp + (Device::lane() >> a_.log_lanes);
    range const r = segment_of(of_warp, (lanes >> a_.log_lanes), i);
    bool const exists = i < n_ && r.begin >= 0 && r.end > i;
    std::uint32_t rank = 0;
    if (exists) {
      ordered_key const mine = shared_.keys[i];
      int j = r.begin + own;
#pragma unroll 4
      for (; j < i; j += width)
        rank += shared_.keys[j] <= mine ? 1 : 0;
#pragma unroll 4
      for (; j < r.end; j += width)
        rank += shared_.keys[j] < mine ? 1 : 0;
    }
    for (int d = width / 2; d > 0; d /= 2)
      rank += Device::shuffle_from(rank, Device::lane() ^ d);
    if (exists && own == 0)
      put(i, r.begin + int(rank));
  }
  /// Returns the items of the segment of key i, which is one of `count` keys of a warp from `first`
  /// on.
  SAM_DEVICE range segment_of(int first, int count, int i) const {
    range r{last_before(first), first_behind(first + count - 1)};
    for (int k = first + 1; k < first + count; ++k) {
      bool const is_set = k <= n_ && (shared_.bits[k / word_bits] >> (k % word_bits) & 1) != 0;
      if (is_set && k <= i)
        r.begin = k;
      if (is_set && k > i) {
        r.end = k;
        break;
      }
    }
    return r;
  }
  /// Returns the place of the last bit at or before `at`; -1 if there is none. A warp looks at a
  /// word by each lane.
  SAM_DEVICE int last_before(int at) const {
    for (int w = min_of(at / word_bits, n_ / word_bits) - Device::lane();; w -= lanes) {
      std::uint32_t word = w >= 0 ? shared_.bits[w] : 0;
      if (w == at / word_bits)
        word &= ~0u >> (word_bits - 1 - at % word_bits);
      auto const some = Device::lanes_where(word != 0);
      int const place = w * word_bits + Device::last(typename Device::lane_set(word));
      if (some != 0)
        return int(Device::shuffle_from(std::uint32_t(place), Device::first(some)));
      if (Device::lanes_where(w > 0) == 0)
        return -1;
    }
  }
  /// Returns the place of the first bit behind `at`; -1 if there is none.
  SAM_DEVICE int first_behind(int at) const {
    for (int w = (at + 1) / word_bits + Device::lane();; w += lanes) {
      std::uint32_t word = w <= n_ / word_bits ? shared_.bits[w] : 0;
      if (w == (at + 1) / word_bits)
        word &= ~0u << ((at + 1) % word_bits);
      auto const some = Device::lanes_where(word != 0);
      int const place = w * word_bits + Device::first(typename Device::lane_set(word));
      if (some != 0)
        return int(Device::shuffle_from(std::uint32_t(place), Device::first(some)));
      if (Device::lanes_where(w < n_ / word_bits) == 0)
        return -1;
    }
  }
  SAM_DEVICE void put(int i, int to) const {
    Job const& job = a_.job;
    if (job.sorted_keys != nullptr)
      job.sorted_keys[to] = job.keys[i];
    if constexpr (traits::has_values) {
      if constexpr (integer<typename traits::value>)
        if (job.values == nullptr) {
          job.sorted_values[to] = static_cast<typename traits::value>(i);
          return;
        }
      job.sorted_values[to] = job.values[i];
    }
  }

  arguments const& a_;
  shared_layout& shared_;
  int thread_, n_;
};

}  // namespace sam::inline v0_1::gpu
