// SPDX-License-Identifier: MIT
// Adds up the weights of the items in each bin on CPUs: each piece of the items has sums of its
// own, and those of all pieces are added in order. Pieces depend on the numbers of items and bins
// alone, so floats are added in the same order by every number of workers.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/host/context_base.hpp>
#include <sam/host/memory/pool.hpp>
#include <sam/host/memory/tuning.hpp>
#include <sam/host/memory/workspace.hpp>
#include <sam/operators.hpp>

#include <algorithm>
#include <type_traits>

namespace sam::inline v0_1::host {

/// Runs a weighted_histogram_job. If there are few bins, each worker has several sets of sums,
/// which neighbouring items use in turn: otherwise an addition would wait for the previous one to
/// the same sum. Items in no bin have a sum, too, which saves a branch. Items of one byte are added
/// by value; the bin of each value is then found once, when the sums are added up.
template <class Job>
class weighted_histogram {
  using sum = typename Job::sum;
  using item = typename Job::item;

 public:
  explicit weighted_histogram(Job const& job)
      : job_(job), kinds_(job.kinds()), pitch_(engine::div_up(kinds_, padding) * padding) {}

  void run(any_pool const& pool, workspace& memory) {
    // The number of items may be less than its limit, which the memory is for.
    index_t const room = pieces_of(job_.n);
    auto const workers = static_cast<int>(
        job_.n * index_t{sizeof(item) + sizeof(typename Job::weight)} < tuned.parallel_bytes
            ? 1
            : min_of(pool.workers(), room));
    bool const are_few = kinds_ <= few_kinds;
    index_t const places = (room + (are_few ? workers * several : 0)) * pitch_;
    if (!memory.reserve(workspace::plan().part<sum>(places)))
      return;
    memory.rewind();
    index_t const n = job_.items_to_add();
    index_t const pieces = pieces_of(n);
    bool const has_sets = are_few && n / pieces >= few_items * kinds_;
    if (pieces == 1 && n < (adds_values ? 2 : few_items) * kinds_)
      return add_in_place(job_, n);
    sum* const of_pieces = memory.take<sum>(places);
    sum* const of_workers = of_pieces + pieces * pitch_;
    pool.for_each_worker(workers, [&](int w) {
      index_t const last = part(w + 1, workers, pieces);
      for (index_t p = part(w, workers, pieces); p < last; ++p) {
        sum* const own = of_pieces + p * pitch_;
        index_t const begin = part(p, pieces, n), end = part(p + 1, pieces, n);
        if (has_sets) {
          sum* const sets = of_workers + w * several * pitch_;
          add<several>(job_, begin, end, sets, pitch_);
          for (index_t k = 0; k < kinds_; ++k)
            own[k] = plus{}(plus{}(sets[k], sets[k + pitch_]),
                            plus{}(sets[k + 2 * pitch_], sets[k + 3 * pitch_]));
        } else {
          add<1>(job_, begin, end, own, pitch_);
        }
      }
    });
    auto const total = [&](index_t k) {
      sum of_kind = of_pieces[k];
      for (index_t p = 1; p < pieces; ++p)
        of_kind = plus{}(of_kind, of_pieces[p * pitch_ + k]);
      return of_kind;
    };
    if constexpr (adds_values) {
      std::fill_n(job_.sums, job_.size, sum(0));
      for (index_t k = 0; k < kinds_; ++k)
        if (sum const of_value = total(k); of_value != sum(0))  // so some item has the value
          add_to_bin(job_, job_.bin_of_kind(k), of_value);
    } else {
      pool.for_each_worker(workers, [&](int w) {
        for (index_t b = part(w, workers, job_.size); b < part(w + 1, workers, job_.size); ++b)
          job_.sums[b] = total(b);
      });
    }
  }

 private:
  static constexpr index_t padding = cache_line / sizeof(sum);
  static constexpr int several = 4;  // sets
  // These sizes determine how floats are grouped, so they are the same on all machines.
  static constexpr index_t few_kinds = 1025, few_items = 16, most_pieces = 256;
  static constexpr index_t piece_items = 32 << 10, items_of_kind = 4;
  static constexpr bool adds_values = Job::adds_values;

  /// Returns the number of pieces of n items: each holds more items than there are sums.
  index_t pieces_of(index_t n) const {
    return max_of(1, min_of(most_pieces, n / max_of(piece_items, items_of_kind * kinds_)));
  }
  static index_t part(index_t k, index_t parts, index_t n) {
    return n / parts * k + min_of(k, n % parts);
  }

  static void add_to(sum& to, sum const& x) { to = plus{}(to, x); }
  static void add_to_bin(Job const& job, index_t b, sum const& weight) {
    if (b < job.size)
      add_to(job.sums[b], weight);
  }

  // Takes the job by value; otherwise the compiler must assume that each store changes it.
  template <int Sets>
  static void add(Job const job, index_t begin, index_t end, sum* own, index_t pitch) {
    std::fill_n(own, Sets * pitch, sum(0));
    index_t i = begin;
    for (; i + Sets <= end; i += Sets)
      for (int k = 0; k < Sets; ++k)
        add_to(own[k * pitch + job.kind(job.items.at(i + k))],
               static_cast<sum>(job.weights[i + k]));
    for (; i < end; ++i)
      add_to(own[job.kind(job.items.at(i))], static_cast<sum>(job.weights[i]));
  }
  /// Adds to the job's own sums.
  static void add_in_place(Job const job, index_t n) {
    std::fill_n(job.sums, job.size, sum(0));
    for (index_t i = 0; i < n; ++i)
      add_to_bin(job, job.bin(job.items.at(i)), static_cast<sum>(job.weights[i]));
  }

  Job const& job_;
  index_t kinds_, pitch_;
};

template <class Job>
void any_context::sum_bins(Job const& job) {
  work([&](any_pool const& pool, host::workspace& memory) {
    weighted_histogram<Job>(job).run(pool, memory);
  });
}

}  // namespace sam::inline v0_1::host
