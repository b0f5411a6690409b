// SPDX-License-Identifier: MIT
// Reduces stretches of answers of a predicate: they are counted, and not stored as values, which
// are as wide as results. Blocks without a head are counted in one loop. In others, answers are
// bits, as heads are.
#pragma once

#include <sam/host/jobs/segment_flags.hpp>

#include <bit>
#include <cstdint>

namespace sam::inline v0_1::host {

/// Counts the answers of stretches. Implements the interface that segmented_reduce.hpp describes.
template <reducing_segments Job>
class answer_totals {
  using V = typename Job::accumulator::value_type;
  using asked = typename Job::asked;
  static constexpr index_t piece = 1024;

 public:
  struct worker_buffers {};

  answer_totals(Job const& job, index_t) : job_(job) {}

  index_t granule() const { return 64; }
  void plan(workspace::plan&, index_t) const {}
  worker_buffers worker_buffers_in(workspace&, index_t) const { return {}; }

  V* put(index_t begin, index_t count, std::uint8_t* heads, worker_buffers const&, V* out) const {
    Job const job = job_;  // the compiler knows that nothing changes it
    V const yes = job.total_of_answers(1, 1), no = job.total_of_answers(0, 1);
    index_t from = 0, found = 0;  // where a stretch begins, and how many answers it has
    for (index_t i = 0; i < count; i += piece) {
      index_t const end = engine::min_of(i + piece, count);
      host::put_heads(job, begin + i, end - i, heads + i / 8);
      index_t counted = i;
      for (index_t k = i; k < end; k += 64) {
        std::uint64_t word = word_of_heads(heads, k);
        if (word == 0)
          continue;
        found += count_answers(job, begin + counted, k - counted);
        counted = engine::min_of(k + 64, end);
        if (word == ~std::uint64_t{0}) {  // segments of one item; `out` has space for a block more
          *out++ = job.total_of_answers(found, k - from);
          for (int l = 0; l < 64; ++l)
            out[l] = job.answer(begin + k + l) ? yes : no;
          out += 63;
          from = k + 63;
          found = job.answer(begin + from) ? 1 : 0;
          continue;
        }
        std::uint64_t answers = answers_of(job, begin + k, counted - k);
        for (; word != 0; word &= word - 1) {
          int const l = std::countr_zero(word);
          std::uint64_t const before = (std::uint64_t{1} << l) - 1;
          *out++ = job.total_of_answers(found + std::popcount(answers & before), k + l - from);
          answers &= ~before;
          from = k + l;
          found = 0;
        }
        found += std::popcount(answers);
      }
      found += count_answers(job, begin + counted, end - counted);
    }
    *out++ = job.total_of_answers(found, count - from);
    return out;
  }

 private:
  [[gnu::always_inline]] static index_t count_answers(Job const& job, index_t begin,
                                                      index_t count) {
    std::uint32_t found = 0;  // counters of 32 bits fill more lanes of a vector
    for (index_t k = 0; k < count; ++k)
      if (job.answer(begin + k))  // compilers vectorize this also for comparisons of floats
        ++found;
    return found;
  }
  [[gnu::always_inline]] static std::uint64_t answers_of(Job const& job, index_t begin,
                                                         index_t count) {
    if (count == 64)
      return host::word_where<asked>([job, begin](int l) { return job.answer(begin + l); });
    std::uint64_t word = 0;
    for (int l = 0; l < count; ++l)
      word |= std::uint64_t{job.answer(begin + l)} << l;
    return word;
  }
  Job const& job_;
};

}  // namespace sam::inline v0_1::host
