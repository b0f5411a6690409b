// SPDX-License-Identifier: MIT
// Sorts and merges by elementwise jobs, for back ends without kernels of their own for it: each
// item of a job is a chunk of the output. A chunk begins where a search along the merge path says,
// so that all chunks are equal and independent.
//
// Merges make no branch that depends on keys. On CPUs, four parts of a chunk are merged in turn,
// since each alone would wait for its own comparisons.
//
// Sources: Odeh, Green, Mwassi, Shmueli, Birk, "Merge path", IPDPSW 2012; Bergdoll, Peters,
// "driftsort", 2024 (merging from both ends without branches).
#pragma once

#include <sam/backend/job.hpp>
#include <sam/backend/merge_job.hpp>

#include <cstddef>

namespace sam::inline v0_1::detail {

/// Returns how many of the first `diagonal` merged items come from run a.
template <class Pass, class Runs>
SAM_FUNCTION index_t split_of(Pass const& pass, Runs const& runs, index_t diagonal) {
  index_t low = max_of(0, diagonal - runs.b_size), high = min_of(diagonal, runs.a_size);
  while (low < high) {
    index_t const k = low + (high - low) / 2;
    if (pass.takes_b(runs, k, diagonal - 1 - k))
      high = k;
    else
      low = k + 1;
  }
  return low;
}

/// Returns 1 if an answer is true, else 0. The compiler cannot make a branch of what is computed
/// from it, which CPUs could not predict.
SAM_FUNCTION inline index_t one_or_zero(bool answer) { return engine::hidden(answer ? 1 : 0); }

/// A part of a merge: the next items of both runs, their ends, and the next output.
struct merge_stream {
  index_t a, a_end, b, b_end, to;
  /// Returns how many items can be merged before a run may be empty.
  SAM_FUNCTION index_t safe() const { return min_of(a_end - a, b_end - b); }
  template <class Pass>
  SAM_FUNCTION void step(Pass const& pass) {
    index_t const takes_b =
        sam::detail::one_or_zero(static_cast<bool>(pass.less(pass.b.key(b), pass.a.key(a))));
    pass.to.store_either(to, pass.a, a, pass.b, b, takes_b);
    ++to;
    b += takes_b;
    a += 1 - takes_b;
  }
  template <class Pass>
  SAM_FUNCTION void finish(Pass const& pass) {
    for (index_t k = safe(); k > 0; k = safe())
      for (; k > 0; --k)
        step(pass);
    for (; a < a_end; ++a, ++to)
      pass.to.store(to, pass.a.load(a));
    for (; b < b_end; ++b, ++to)
      pass.to.store(to, pass.b.load(b));
  }
};

/// Writes the merged items [first, last) of two runs, in `Streams` parts.
template <int Streams, class Pass, class Runs>
SAM_FUNCTION void merge_part(Pass const& pass, Runs const& runs, index_t first, index_t last) {
  merge_stream streams[std::size_t{Streams}];
  index_t from = sam::detail::split_of(pass, runs, first), begin = first;
  for (int s = 0; s < Streams; ++s) {
    index_t const end = first + (last - first) * (s + 1) / Streams;
    index_t const to = sam::detail::split_of(pass, runs, end);
    // An order that contradicts itself may split behind a later split; the ends stay in bounds.
    streams[s] = {runs.a + from, runs.a + to, runs.b + begin - from, runs.b + end - to,
                  runs.begin + begin};
    from = to;
    begin = end;
  }
  if constexpr (Streams > 1) {
    auto const safe = [&] {
      index_t least = streams[0].safe();
      for (int s = 1; s < Streams; ++s)
        least = min_of(least, streams[s].safe());
      return least;
    };
    for (index_t k = safe(); k > 0; k = safe())
      for (; k > 0; --k)
        for (int s = 0; s < Streams; ++s)
          streams[s].step(pass);
  }
  for (int s = 0; s < Streams; ++s)
    streams[s].finish(pass);
}

/// Merges chunk c of the output of a pass.
template <class Pass>
struct merge_chunks_job {
  struct item {};
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  static constexpr index_t fewest_streamed = 64;
  Pass pass;
  index_t chunk;

  SAM_FUNCTION item load(index_t) const { return {}; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t c, item, accumulator) const {
    index_t const end = min_of((c + 1) * chunk, pass.size());
    for (index_t first = c * chunk; first < end;) {  // a chunk may have parts of several runs
      auto const runs = pass.runs_of(first);
      index_t const last = min_of(end, runs.begin + runs.size());
      if (last - first >= fewest_streamed)
        sam::detail::merge_part<4>(pass, runs, first - runs.begin, last - runs.begin);
      else
        sam::detail::merge_part<1>(pass, runs, first - runs.begin, last - runs.begin);
      first = last;
    }
  }
  /// A merge takes as long as a copy of about twice as many bytes or more.
  SAM_FUNCTION index_t bytes_per_item() const {
    return 2 * chunk * index_t{sizeof(typename decltype(pass.a)::item)};
  }
  SAM_FUNCTION merge_chunks_job with_sizes(index_t size_a, index_t size_b) const {
    return {pass.with_sizes(size_a, size_b), chunk};
  }
};

/// Sorts chunk c of items: first groups of four, then by merges between two buffers, both of which
/// hold all items. The result is in `sorted`.
template <class Key, class Value, class Less>
struct sort_chunks_job {
  struct item {};
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  using T = merged_item_t<Key, Value>;
  merge_source<Key, Value> from;
  index_t n;
  T *sorted, *other;
  Less less;
  index_t chunk;  // 4 times a power of 2

  SAM_FUNCTION item load(index_t) const { return {}; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t c, item, accumulator) const {
    index_t const begin = c * chunk, end = min_of(begin + chunk, n);
    T *a = sorted, *b = other;
    int rounds = 0;
    for (index_t length = 4; length < end - begin; length *= 2)
      ++rounds;
    if (rounds % 2 != 0)
      swap(a, b);
    sort_fours(a, begin, end);
    for (index_t length = 4; length < end - begin; length *= 2) {
      merge_runs(a, b, begin, end, length);
      swap(a, b);
    }
  }
  /// A sort takes as long as a copy of about 16 times as many bytes.
  SAM_FUNCTION index_t bytes_per_item() const { return 16 * chunk * index_t{sizeof(T)}; }
  SAM_FUNCTION sort_chunks_job with_sizes(index_t size, index_t) const {
    sort_chunks_job job = *this;
    job.n = size;
    return job;
  }

 private:
  static SAM_FUNCTION void swap(T*& a, T*& b) {
    T* const was_a = a;
    a = b;
    b = was_a;
  }
  SAM_FUNCTION bool precedes(T const& x, T const& y) const {
    using source = merge_source<Key, Value>;
    return static_cast<bool>(less(source::key_of(x), source::key_of(y)));
  }

  /// Sorts groups of four items, and a shorter last one, into `to`, which may be the source.
  SAM_FUNCTION void sort_fours(T* to, index_t begin, index_t end) const {
    for (; begin + 4 <= end; begin += 4)
      sort_four(to + begin, {from.load(begin), from.load(begin + 1), from.load(begin + 2),
                             from.load(begin + 3)});
    for (index_t i = begin; i < end; ++i) {
      T const x = from.load(i);
      index_t k = i;
      for (; k > begin && precedes(x, to[k - 1]); --k)
        to[k] = to[k - 1];
      to[k] = x;
    }
  }
  struct four {
    T at[4];
  };
  /// Makes five comparisons. The two middle items are not ordered until the last one.
  SAM_FUNCTION void sort_four(T* to, four const& x) const {
    bool const first_falls = precedes(x.at[1], x.at[0]), last_falls = precedes(x.at[3], x.at[2]);
    T const *a = x.at + (first_falls ? 1 : 0), *b = x.at + (first_falls ? 0 : 1);
    T const *c = x.at + (last_falls ? 3 : 2), *d = x.at + (last_falls ? 2 : 3);
    bool const c_first = precedes(*c, *a), b_last = precedes(*d, *b);
    T const* const left = c_first ? a : b_last ? c : b;
    T const* const right = b_last ? d : c_first ? b : c;
    bool const falls = precedes(*right, *left);
    to[0] = *(c_first ? c : a);
    to[1] = *(falls ? right : left);
    to[2] = *(falls ? left : right);
    to[3] = *(b_last ? b : d);
  }

  SAM_FUNCTION void merge_runs(T const* x, T* to, index_t begin, index_t end,
                               index_t length) const {
    for (; end - begin >= 4 * length; begin += 4 * length)
      merge_equal<2>(x + begin, to + begin, length);
    if (end - begin >= 2 * length) {
      merge_equal<1>(x + begin, to + begin, length);
      begin += 2 * length;
    }
    if (begin == end)
      return;
    merge_pass<Key, Value, Less> const pass{engine::together_as_source<Key, Value>(x),
                                            engine::together_as_source<Key, Value>(x),
                                            n,
                                            0,
                                            length,
                                            engine::together_as_target<Key, Value>(to),
                                            less};
    index_t const of_a = min_of(end - begin, length);
    merge_stream{begin, begin + of_a, begin + of_a, end, begin}.finish(pass);
  }

  /// Merges two runs of `length` items each from both ends. Neither end can pass the other one's
  /// run within `length` steps, so that no step looks for the end of a run.
  struct two_ended_merge {
    T const* x;
    T* to;
    index_t a, b, a_last, b_last;  // next from the front, and from the back
    SAM_FUNCTION two_ended_merge(T const* runs, T* out, index_t length)
        : x(runs), to(out), a(0), b(length), a_last(length - 1), b_last(2 * length - 1) {}
    SAM_FUNCTION void step(sort_chunks_job const& job, index_t k, index_t from_back) {
      index_t const takes_b = sam::detail::one_or_zero(job.precedes(x[b], x[a]));
      index_t const takes_a_last = sam::detail::one_or_zero(job.precedes(x[b_last], x[a_last]));
      to[k] = x[a ^ ((a ^ b) & -takes_b)];
      b += takes_b;
      a += 1 - takes_b;
      to[from_back] = x[b_last ^ ((b_last ^ a_last) & -takes_a_last)];
      a_last -= takes_a_last;
      b_last -= 1 - takes_a_last;
    }
  };
  /// Merges one or two pairs of runs. A CPU can do two in little more than the time of one.
  template <int Pairs>
  SAM_FUNCTION void merge_equal(T const* x, T* to, index_t length) const {
    two_ended_merge first(x, to, length);
    if constexpr (Pairs == 1) {
      for (index_t k = 0, back = 2 * length - 1; k < length; ++k, --back)
        first.step(*this, k, back);
    } else {
      two_ended_merge second(x + 2 * length, to + 2 * length, length);
      for (index_t k = 0, back = 2 * length - 1; k < length; ++k, --back) {
        first.step(*this, k, back);
        second.step(*this, k, back);
      }
    }
  }
};

}  // namespace sam::inline v0_1::detail
