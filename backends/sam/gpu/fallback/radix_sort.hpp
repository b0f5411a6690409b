// SPDX-License-Identifier: MIT
// Sorts by digits as a sequence of parallel loops, for any device. Each work item handles one chunk
// of consecutive keys: it counts their digits, and, once the counts of all chunks are scanned,
// moves its keys. No work item waits for another.
//
// Source: Satish, Harris, Garland, "Designing efficient sorting algorithms for manycore GPUs",
// IPDPS 2009 (count, scan, move), with 4 bits a pass, whose counters a work item holds itself.
#pragma once

#include <sam/backend/sort_job.hpp>
#include <sam/gpu/fallback/reduce_then_scan.hpp>

#include <cstddef>
#include <type_traits>

namespace sam::inline v0_1::gpu {

/// Describes a pass of a sort: which digit it sorts by, from where to where.
template <class Key, class Value, class Digits>
struct digit_pass {
  static constexpr int digit_bits = 4, digits_of_pass = 1 << digit_bits;
  static constexpr index_t chunk = 256;  // keys
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;

  index_t n;
  Key const* keys;
  Value const* values;  // null if value i is i
  Key* moved_keys;
  Value* moved_values;
  Digits digits;
  int shift;
  int mask;
  index_t* counts;  // of each digit, and in it of each chunk

  SAM_FUNCTION index_t chunks() const { return engine::div_up(n, chunk); }
  SAM_FUNCTION int digit(Key const& key) const {
    return static_cast<int>(digits(key) >> shift) & mask;
  }
  SAM_FUNCTION index_t end(index_t i) const { return engine::min_of(n, (i + 1) * chunk); }
};

/// Counts the digits of chunk i.
template <class Pass>
struct count_chunk {
  Pass pass;
  SAM_FUNCTION void operator()(index_t i) const {
    index_t counts[Pass::digits_of_pass] = {};
    for (index_t at = i * Pass::chunk; at < pass.end(i); ++at)
      ++counts[pass.digit(pass.keys[at])];
    for (int d = 0; d < Pass::digits_of_pass; ++d)
      pass.counts[d * pass.chunks() + i] = counts[d];
  }
};

/// Moves the keys of chunk i, and their values, behind equal digits of earlier chunks.
template <class Pass>
struct move_chunk {
  Pass pass;
  SAM_FUNCTION void operator()(index_t i) const {
    index_t next[Pass::digits_of_pass];
    for (int d = 0; d < Pass::digits_of_pass; ++d)
      next[d] = pass.counts[d * pass.chunks() + i];
    for (index_t at = i * Pass::chunk; at < pass.end(i); ++at) {
      Key const key = pass.keys[at];
      index_t const to = next[pass.digit(key)]++;
      // A digits function that contradicts itself must not write outside the arrays.
      if (to < 0 || to >= pass.n)
        continue;
      pass.moved_keys[to] = key;
      if constexpr (Pass::has_values) {
        if constexpr (std::is_convertible_v<index_t, Value>)
          pass.moved_values[to] = pass.values == nullptr ? static_cast<Value>(at) : pass.values[at];
        else
          pass.moved_values[to] = pass.values[at];
      }
    }
  }

 private:
  using Key = std::remove_pointer_t<decltype(Pass::moved_keys)>;
  using Value = std::remove_pointer_t<decltype(Pass::moved_values)>;
};

/// Copies keys and values without sorting them.
template <class Pass>
struct copy_keys {
  Pass pass;
  SAM_FUNCTION void operator()(index_t i) const {
    if (pass.moved_keys != pass.keys)
      pass.moved_keys[i] = pass.keys[i];
    if constexpr (Pass::has_values) {
      using Value = std::remove_pointer_t<decltype(Pass::moved_values)>;
      if constexpr (std::is_convertible_v<index_t, Value>)
        pass.moved_values[i] = pass.values == nullptr ? static_cast<Value>(i) : pass.values[i];
      else
        pass.moved_values[i] = pass.values[i];
    }
  }
};

/// Scans counts in place.
struct scan_counts_job {
  using item = index_t;
  using accumulator = index_t;
  index_t* counts;
  SAM_FUNCTION index_t load(index_t i) const { return counts[i]; }
  SAM_FUNCTION index_t to_accumulator(index_t x) const { return x; }
  SAM_FUNCTION void store(index_t i, index_t, index_t y) const { counts[i] = y; }
};

/// Divides the workspace of a sort.
template <class Key, class Value, class Digits>
struct fallback_sort {
  using job_type = sort_job<Key, Value, Digits>;
  using pass_type = digit_pass<Key, Value, Digits>;
  static constexpr index_t unit = 16;

  job_type const& job;

  index_t counts() const {
    return pass_type::digits_of_pass * engine::div_up(job.n, pass_type::chunk);
  }
  /// Returns the bytes of workspace: counts, spare arrays, and sorted keys if the caller wants
  /// none.
  index_t workspace() const {
    index_t bytes = padded(counts() * index_t{sizeof(index_t)});
    if (job.spare_keys == nullptr)
      bytes += padded(job.n * index_t{sizeof(Key)}) + of_values();
    if (job.sorted_keys == nullptr)
      bytes += padded(job.n * index_t{sizeof(Key)});
    return bytes;
  }

  /// Runs the sort with that workspace. launch(label, count, f) runs f(i) for all i < count, and
  /// reserve(count) returns memory for `count` index_t.
  template <class Launch, class Reserve>
  void run(Launch const& launch, Reserve const& reserve, std::byte* memory) const {
    auto* const counters = reinterpret_cast<index_t*>(memory);
    memory += padded(counts() * index_t{sizeof(index_t)});
    Key* spare_keys = job.spare_keys;
    Value* spare_values = job.spare_values;
    if (spare_keys == nullptr) {
      spare_keys = reinterpret_cast<Key*>(memory);
      memory += padded(job.n * index_t{sizeof(Key)});
      spare_values = reinterpret_cast<Value*>(memory);
      memory += of_values();
    }
    Key* const sorted =
        job.sorted_keys != nullptr ? job.sorted_keys : reinterpret_cast<Key*>(memory);
    int const passes =
        static_cast<int>(engine::div_up(job.end_bit - job.begin_bit, pass_type::digit_bits));
    pass_type pass{job.n,      job.keys, job.values, sorted,  job.sorted_values,
                   job.digits, 0,        0,          counters};
    if (passes == 0)
      return launch("sam::sort", job.n, copy_keys<pass_type>{pass});
    bool const overlaps = job.keys == sorted || (pass_type::has_values && job.values != nullptr &&
                                                 job.values == job.sorted_values);
    if (overlaps && passes % 2 != 0) {  // the first pass would write over its input
      pass.moved_keys = spare_keys, pass.moved_values = spare_values;
      launch("sam::sort", job.n, copy_keys<pass_type>{pass});
      pass.keys = spare_keys, pass.values = spare_values;
    }
    auto const sums =
        engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<index_t>{0});
    for (int p = 0; p < passes; ++p) {
      bool const to_sorted = (passes - p) % 2 != 0;
      pass.moved_keys = to_sorted ? sorted : spare_keys;
      pass.moved_values = to_sorted ? job.sorted_values : spare_values;
      pass.shift = job.begin_bit + p * pass_type::digit_bits;
      pass.mask = (1 << engine::min_of(pass_type::digit_bits, job.end_bit - pass.shift)) - 1;
      launch("sam::sort", pass.chunks(), count_chunk<pass_type>{pass});
      gpu::reduce_then_scan(launch, reserve, counts(), scan_counts_job{counters}, sums);
      launch("sam::sort", pass.chunks(), move_chunk<pass_type>{pass});
      pass.keys = pass.moved_keys, pass.values = pass.moved_values;
    }
  }

 private:
  static index_t padded(index_t bytes) { return engine::div_up(bytes, unit) * unit; }
  index_t of_values() const {
    return pass_type::has_values ? padded(job.n * index_t{sizeof(Value)}) : 0;
  }
};

}  // namespace sam::inline v0_1::gpu
