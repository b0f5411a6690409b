// SPDX-License-Identifier: MIT
// Finds the first keys of each segment on CPUs. A worker takes some segments at a time, and reads
// each once. It collects keys that may be among the first k; of twice as many, or somewhat more, it
// keeps k, and the last of these bounds later ones. With keys in random order nearly all of them
// are passed over, in blocks that compilers can vectorize.
#pragma once

#include <sam/backend/job/select_job.hpp>
#include <sam/host/context_base.hpp>
#include <sam/host/scan/multi_pass.hpp>

#include <algorithm>

namespace sam::inline v0_1::host {

template <class Job>
class segment_selection {
  using key = typename Job::key;
  using ordered_key = typename Job::ordered_key;
  struct entry {
    ordered_key key;
    index_t index;
    friend bool operator<(entry const& a, entry const& b) {
      return a.key != b.key ? a.key < b.key : a.index < b.index;
    }
  };
  static constexpr int block = 32;

 public:
  explicit segment_selection(Job const& job) : job_(job), capacity_(2 * job.k + 64) {}

  /// True if this is faster than sorts of the segments, which all workers take part in if the
  /// segments are long.
  static bool is_faster(Job const& job, int workers) {
    return job.n / job.segments >= max_of(64, 8 * job.k) && job.segments * 16 >= workers;
  }

  void run(any_pool const& pool, workspace& memory, index_t parallel_bytes) const {
    bool const alone = job_.n * index_t{sizeof(key)} < parallel_bytes;
    int const workers = alone ? 1 : static_cast<int>(min_of(pool.workers(), job_.segments));
    if (!memory.reserve(workspace::plan().part<entry>(workers * capacity_)))
      return;
    memory.rewind();
    entry* const buffers = memory.take<entry>(workers * capacity_);
    index_t const mean = job_.n / job_.segments;
    index_t const rows = engine::max_of(1, tuning::made_bytes / (mean * index_t{sizeof(key)}));
    host::for_each_tile(pool, workers, engine::div_up(job_.segments, rows),
                        [&](int w, index_t tile, index_t) {
                          index_t const end = min_of((tile + 1) * rows, job_.segments);
                          for (index_t row = tile * rows; row < end; ++row)
                            select(row, buffers + w * capacity_);
                        });
  }

 private:
  ordered_key ordered(index_t i) const {
    return static_cast<ordered_key>(typename Job::digits{}(job_.keys[i]) ^ job_.flip);
  }
  void select(index_t row, entry* kept) const {
    index_t const begin = job_.rows.begin(row), end = job_.rows.end(row);
    index_t i = begin, count = 0;
    for (; i < end && count < capacity_; ++i, ++count)
      kept[count] = {ordered(i), i};
    if (count > job_.k) {
      ordered_key bound = keep_first(kept, count);
      auto const offer = [&](index_t at) {
        // An equal key would come behind, because of its index.
        if (ordered_key const x = ordered(at); x < bound)
          kept[count++] = {x, at};
        if (count == capacity_)
          bound = keep_first(kept, count);
      };
      for (; i + block <= end; i += block) {
        bool any = false;
        for (int b = 0; b < block; ++b)
          any |= ordered(i + b) < bound;
        for (int b = 0; any && b < block; ++b)
          offer(i + b);
      }
      for (; i < end; ++i)
        offer(i);
      keep_first(kept, count);
    }
    std::sort(kept, kept + count);
    for (index_t r = 0; r < count; ++r)
      job_.put(row * job_.k + r, kept[r].index);
  }
  /// Keeps the first k keys, of at least so many, and returns the last of them.
  ordered_key keep_first(entry* kept, index_t& count) const {
    std::nth_element(kept, kept + (job_.k - 1), kept + count);
    count = job_.k;
    return kept[count - 1].key;
  }

  Job const job_;
  index_t capacity_;
};

template <class Job>
bool any_context::select_in_segments(Job const& job) {
  using selection = segment_selection<Job>;
  if (!selection::is_faster(job, workers()))
    return false;
  work([&](any_pool const& pool, host::workspace& memory) {
    selection(job).run(pool, memory, tuned.parallel_bytes);
  });
  return true;
}

}  // namespace sam::inline v0_1::host
