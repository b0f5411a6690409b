// SPDX-License-Identifier: MIT
// Sorts by digits as a sequence of kernels for teams, for any device: each pass counts the digits
// of chunks, scans the counts, and moves the keys.
#pragma once

#include <sam/gpu/fallback/digit_pass.hpp>
#include <sam/gpu/fallback/team_scan.hpp>

namespace sam::inline v0_1::gpu {

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
    return (index_t{1} << engine::min_of(pass_type::digit_bits, job.end_bit - job.begin_bit)) *
           pass_of(nullptr, nullptr).chunks();
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

  /// Runs the sort with that workspace. `launch` is that of team_reduce_then_scan, and
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
    pass_type pass = pass_of(sorted, counters);
    if (passes == 0)
      return launch("sam::copy_keys", job.n, copy_keys<pass_type>{pass});
    bool const overlaps = job.keys == sorted || (pass_type::has_values && job.values != nullptr &&
                                                 job.values == job.sorted_values);
    if (overlaps && passes % 2 != 0) {  // the first pass would write over its input
      pass.moved_keys = spare_keys, pass.moved_values = spare_values;
      launch("sam::copy_keys", job.n, copy_keys<pass_type>{pass});
      pass.keys = spare_keys, pass.values = spare_values;
    }
    for (int p = 0; p < passes; ++p) {
      bool const to_sorted = (passes - p) % 2 != 0;
      pass.moved_keys = to_sorted ? sorted : spare_keys;
      pass.moved_values = to_sorted ? job.sorted_values : spare_values;
      pass.shift = job.begin_bit + p * pass_type::digit_bits;
      pass.mask = (1 << engine::min_of(pass_type::digit_bits, job.end_bit - pass.shift)) - 1;
      run_pass(launch, reserve, pass);
      pass.keys = pass.moved_keys, pass.values = pass.moved_values;
    }
  }

 private:
  pass_type pass_of(Key* sorted, index_t* counters) const {
    return {job.n, job.keys, job.values, sorted, job.sorted_values, job.digits, 0, 0, counters};
  }
  template <class Launch, class Reserve>
  static void run_pass(Launch const& launch, Reserve const& reserve, pass_type const& pass) {
    using count = count_digits<pass_type>;
    using move = move_items<pass_type>;
    launch.teams("sam::count_digits", pass.chunks(), pass_type::tile::runs, count::bytes,
                 count{pass});
    auto const sums =
        engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<index_t>{0});
    gpu::team_reduce_then_scan(launch, reserve, (pass.mask + 1) * pass.chunks(),
                               scan_counts_job{pass.counts}, sums);
    launch.teams("sam::move_items", pass.chunks(), pass_type::tile::runs, move::bytes, move{pass});
  }
  static index_t padded(index_t bytes) { return engine::div_up(bytes, unit) * unit; }
  index_t of_values() const {
    return pass_type::has_values ? padded(job.n * index_t{sizeof(Value)}) : 0;
  }
};

}  // namespace sam::inline v0_1::gpu
