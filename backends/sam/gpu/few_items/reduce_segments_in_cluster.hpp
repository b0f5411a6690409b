// SPDX-License-Identifier: MIT
// Defines the job by which one_cluster_scan reduces the segments of few items that offsets
// describe: an inclusive segmented scan, of which the value of each segment's last item is kept.
#pragma once

#include <sam/algebra/segmented.hpp>
#include <sam/backend/pointers.hpp>
#include <sam/backend/reduce_segments_job.hpp>

#include <cstdint>

namespace sam::inline v0_1::gpu {

template <class Reduction>
struct reduce_segments_in_cluster {
  using total = typename Reduction::total;
  struct item {
    typename Reduction::item value;
    bool head;
  };
  using accumulator = engine::segmented_value<total, detail::heads_beside<total>>;
  static constexpr bool collects = true;
  Reduction of;
  std::uint32_t const* words;  // a bit for each item, which is set where a segment begins

  SAM_FUNCTION item load(index_t i) const { return {of.items[i], *engine::bit_pointer{words, i}}; }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {static_cast<total>(x.value), x.head};
  }
  SAM_FUNCTION void store(index_t, item const&, accumulator const&) const {}

  /// Stores the total of each segment that ends in [begin, end). The first block also stores those
  /// of empty segments.
  template <class Value>
  SAM_FUNCTION void collect(index_t begin, index_t end, int thread, int threads,
                            Value const& value) const {
    for (index_t k = thread; k < of.segments; k += threads) {
      auto const first = static_cast<index_t>(of.offsets[k]);
      auto const last = static_cast<index_t>(of.offsets[k + 1]) - 1;
      if (first <= last && last >= begin && last < end)
        of.out[k] = of.total_of(value(last).value);
      else if (first > last && begin == 0)
        of.out[k] = of.nothing;
    }
  }
};

}  // namespace sam::inline v0_1::gpu
