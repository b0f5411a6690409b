// SPDX-License-Identifier: MIT
// Compiles sorts by comparisons, selections by rank, and questions about items.
#include "engine/words_on.hpp"

// This file is included once for each context of a group.
#ifndef SAM_TOOL_RANKS
#define SAM_TOOL_RANKS
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/find_runs.hpp>
#include <sam/merge_sort.hpp>
#include <sam/minmax.hpp>
#include <sam/partial_sort.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_find.hpp>
#include <sam/segmented_merge_sort.hpp>
#include <sam/segmented_minmax.hpp>
#include <sam/segmented_top_k.hpp>
#include <sam/top_k.hpp>

namespace sam::tool {

/// Takes the indices of both extreme items.
struct both_indices {
  template <class T>
  SAM_FUNCTION zipped_item<index_t, index_t> operator()(minmax_values<T> const& x) const {
    return {x.min.index, x.max.index};
  }
};

template <class Context>
class ranks_on final : public rank_calls {
  using words = words_on<Context>;
  using indices_type = indices_on<Context>;

 public:
  explicit ranks_on(Context& context) : context_(context) {}

  void argsort(word_span keys, index_span offsets, index_span order) override {
    words const from(context_, keys);
    indices_type const by(context_, offsets), to(context_, order);
    if (offsets.empty())
      merge_argsort(context_, from.in(), to.out());
    else
      segmented_merge_argsort(context_, from.in(), by_offsets(by.in()), to.out());
    to.bring_back();
  }
  void top(word_span keys, index_span offsets, index_span counts, bool smallest,
           index_span indices) override {
    words const from(context_, keys);
    indices_type const by(context_, offsets), of_each(context_, counts), to(context_, indices);
    auto const order = smallest ? sort_order::ascending : sort_order::descending;
    if (offsets.empty())
      top_k_indices(context_, from.in(), to.out(), order);
    else
      segmented_top_k_indices(context_, from.in(), by_offsets(by.in()), of_each.in(), to.out(),
                              order);
    to.bring_back();
  }
  std::uint64_t key_of_rank(word_span keys, index_t rank) override {
    return nth_element(context_, words(context_, keys).in(), rank);
  }
  std::array<index_t, 2> extremes(word_span keys) override {
    auto const [least, greatest] = find_minmax(context_, words(context_, keys).in());
    return {least.index, greatest.index};
  }
  std::array<std::uint64_t, 2> extreme_keys(word_span keys) override {
    auto const [least, greatest] = minmax(context_, words(context_, keys).in());
    return {least, greatest};
  }
  void extremes(word_span keys, index_span offsets, bool smallest, index_span indices) override {
    words const from(context_, keys);
    indices_type const by(context_, offsets), to(context_, indices);
    if (smallest)
      segmented_argmin(context_, from.in(), by_offsets(by.in()), to.out());
    else
      segmented_argmax(context_, from.in(), by_offsets(by.in()), to.out());
    to.bring_back();
  }
  void both_extremes(word_span keys, index_span offsets, index_span least,
                     index_span greatest) override {
    words const from(context_, keys);
    indices_type const by(context_, offsets), to_least(context_, least),
        to_greatest(context_, greatest);
    auto const mins = to_least.out(), maxs = to_greatest.out();
    segmented_find_minmax(
        context_, from.in(), by_offsets(by.in()),
        transformed_to<minmax_values<std::uint64_t>>(zipped_to(mins, maxs), both_indices{}));
    to_least.bring_back();
    to_greatest.bring_back();
  }
  index_t ask(question what, word_span keys, key_range<std::uint64_t> matches) override {
    words const from(context_, keys);
    switch (what) {
    case question::how_many:
      return count_if(context_, from.in(), matches);
    case question::any:
      return any_of(context_, from.in(), matches) ? 1 : 0;
    case question::all:
      return all_of(context_, from.in(), matches) ? 1 : 0;
    case question::none:
      return none_of(context_, from.in(), matches) ? 1 : 0;
    case question::first:
      break;
    }
    return find_if(context_, from.in(), matches);
  }
  bool are_sorted(word_span keys) override {
    return is_sorted(context_, words(context_, keys).in());
  }
  void are_sorted_in_segments(word_span keys, index_span offsets, index_span truths) override {
    words const from(context_, keys);
    indices_type const by(context_, offsets), to(context_, truths);
    segmented_is_sorted(context_, from.in(), by_offsets(by.in()), to.out());
    to.bring_back();
  }
  void find_in_segments(word_span keys, index_span offsets, key_range<std::uint64_t> matches,
                        index_span firsts) override {
    words const from(context_, keys);
    indices_type const by(context_, offsets), to(context_, firsts);
    segmented_find_if(context_, from.in(), by_offsets(by.in()), matches, to.out());
    to.bring_back();
  }
  void count_in_segments(word_span keys, index_span offsets, key_range<std::uint64_t> matches,
                         index_span numbers) override {
    words const from(context_, keys);
    indices_type const by(context_, offsets), to(context_, numbers);
    segmented_count_if(context_, from.in(), by_offsets(by.in()), matches, to.out());
    to.bring_back();
  }
  index_t find_runs(word_span items, index_span offsets, index_span lengths) override {
    words const from(context_, items);
    indices_type const begins(context_, offsets), sizes(context_, lengths);
    index_t const runs = sam::find_runs(context_, from.in(), begins.out(), sizes.out());
    begins.bring_back();
    sizes.bring_back();
    return runs;
  }

 private:
  Context& context_;
};

template <class Context>
std::unique_ptr<rank_calls> make_ranks(Context& context) {
  return std::make_unique<ranks_on<Context>>(context);
}

}  // namespace sam::tool
#endif

namespace sam::tool {

template std::unique_ptr<rank_calls> make_ranks(SAM_CONTEXT&);

}  // namespace sam::tool
