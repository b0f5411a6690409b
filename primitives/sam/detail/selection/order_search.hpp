// SPDX-License-Identifier: MIT
// Finds the first items of an order by comparisons, and the item of a rank.
//
// Runs are sorted, and merged until they are at least twice as long as the result. Only the first k
// items of each run can be in the result, so that the others are dropped, and the rest are sorted
// in the same way. All steps know their sizes beforehand: a device needs no wait. On CPUs the first
// few items of a run are found without a sort of the others. For more, since calls are complete
// when they return, a sorted sample of many items first suggests two bounds, and the search goes on
// among the items between them, if the result lies there.
#pragma once

#include <sam/detail/compact_job.hpp>
#include <sam/detail/inputs/order_arguments.hpp>
#include <sam/detail/merge_sort_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>
#include <sam/detail/selection/first_of_chunks.hpp>
#include <sam/detail/selection/top_k_search.hpp>

#include <cmath>
#include <utility>

namespace sam::inline v0_1::detail {

/// Checks the arguments of selections by a comparison.
template <class Context, class In, class Out, class Less>
using is_choice_by_order =
    std::conjunction<is_context<Context>,
                     stores_to<parameter::in, parameter::out, Context, In, Out>,
                     is_comparison<Context, Less, item_or_any_t<In>>>;

/// The order in which a comes before b if b is less than a.
template <class Less>
struct reversed_order {
  Less less;
  template <class T>
  SAM_FUNCTION bool operator()(T const& a, T const& b) const {
    return static_cast<bool>(less(b, a));
  }
};

/// Copies the first k items of each run of `length` items.
template <class T>
struct keep_first_job {
  using item = T;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  T const* runs;
  index_t length, k;
  T* out;
  SAM_FUNCTION T load(index_t i) const { return runs[i / k * length + i % k]; }
  SAM_FUNCTION accumulator to_accumulator(T const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, T const& x, accumulator) const { out[i] = x; }
};
/// Collects the items at some indices.
template <class Key, class Value>
struct collect_items_job {
  using item = merged_item_t<Key, Value>;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  merge_source<Key, Value> from;
  index_t const* indices;
  item* to;
  SAM_FUNCTION item load(index_t i) const { return from.load(indices[i]); }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const { to[i] = x; }
};

/// True for keys that are neither before `low` nor behind `high`; a null bound is none.
template <class Key, class Less>
struct between_bounds {
  Less less;
  Key const *low, *high;
  SAM_FUNCTION bool operator()(Key const& x) const {
    return !(low != nullptr && static_cast<bool>(less(x, *low))) &&
           !(high != nullptr && static_cast<bool>(less(*high, x)));
  }
};
template <class Key, class Less>
struct before_bound {
  Less less;
  Key const* bound;
  SAM_FUNCTION bool operator()(Key const& x) const { return static_cast<bool>(less(x, *bound)); }
};

/// Returns how many of the ranks from `first` on there are, by the number of items and the end of
/// the ranks.
template <class Number, class Last>
struct number_of_ranks {
  Number number;
  index_t first;
  Last last;
  SAM_FUNCTION index_t operator()() const { return max_of(min_of(number(), last()) - first, 0); }
};

/// Searches n keys, with their values if there are any, for ranks [first, last) of a stable sort,
/// of which there are as many as `end` says. If the number of keys lies in memory, all of them are
/// sorted, since the runs are not known.
template <class Context, class Key, class Value, class Less, class Number, class End>
class order_search {
  static constexpr bool is_known = std::is_same_v<Number, known_count>;
  using T = merged_item_t<Key, Value>;
  using source = merge_source<Key, Value>;

 public:
  order_search(Context& context, Key const* keys, source const& from, index_t n,
               Number const& number, End const& end, Less const& less)
      : context_(context), keys_(keys), from_(from), n_(n), number_(number), end_(end),
        less_(less) {}

  /// Writes the items of ranks [first, last), which are at least one, in order.
  void run(index_t first, index_t last, merge_target<Key, Value> const& to) const {
    if constexpr (is_known && !works_on_device<Context>)
      if (!sam::detail::are_few_of(n_, last) && run_narrowed(first, last, to))
        return;
    T* const items = engine::workspace<T>(context_, 2 * n_);
    put(sort_first<Key, Value>(from_, n_, last, items, items + n_, number_), first, last, to,
        number_);
  }

 private:
  static constexpr index_t sampled = 1 << 14, least_narrowed = 16 * sampled;
  static constexpr bool are_keys_alone = std::is_same_v<Value, no_values>;
  // Between bounds further apart in the sample lie items that need more memory than a sort of all.
  static constexpr index_t most_between = are_keys_alone ? sampled * 9 / 16 : sampled * 7 / 16;
  static constexpr index_t fewest_seen = 1 << 17;  // by a worker that looks for few of them

  template <class All>
  void put(T const* sorted, index_t first, index_t last, merge_target<Key, Value> const& to,
           All const& all) const {
    put_items_job<Key, Value> const job{sorted + first, to};
    if constexpr (!std::is_same_v<End, known_count>)
      detail::run_first(context_, last - first, job, number_of_ranks<All, End>{all, first, end_});
    else if constexpr (!std::is_same_v<All, known_count>)
      detail::run_first(context_, last - first, job,
                        number_of_ranks<All, known_count>{all, first, {last}});
    else
      context_.run(last - first, job, pass_over_flags<std::uint32_t>);
  }

  /// Returns the first k of n items in order. Both memories hold n items. If the number of items is
  /// given, it returns all of these.
  template <class K, class V, class All = known_count>
  merged_item_t<K, V> const* sort_first(merge_source<K, V> from, index_t n, index_t k,
                                        merged_item_t<K, V>* sorted, merged_item_t<K, V>* other,
                                        All all = {}) const {
    using item = merged_item_t<K, V>;
    constexpr bool shortens = std::is_same_v<All, known_count>;
    for (known_count const none{0};;) {
      index_t length = sam::detail::sorted_run<Context, item>(n);
      if constexpr (shortens)
        all = {n};
      bool chooses = false;
      if constexpr (shortens && !works_on_device<Context>)
        chooses = sam::detail::are_few_of(n, k);
      if constexpr (merges_runs<Context, item>) {
        context_.sort_runs(detail::sized_merge(
            merge_sort_job<K, V, Less>{from, n, engine::together_as_target<K, V>(sorted), less_},
            all, none));
      } else if (chooses) {
        length = engine::max_of(fewest_seen, n / 64);
        if constexpr (shortens)
          detail::run_first(
              context_, engine::div_up(n, length),
              first_of_chunks_job<K, V, Less>{from, n, sorted, other, less_, length, k},
              known_count{});
      } else {
        detail::run_sized(context_, engine::div_up(n, length),
                          sort_chunks_job<K, V, Less>{from, n, sorted, other, less_, length}, all,
                          none);
      }
      for (; length < n && (!shortens || length / 2 < k); length *= 2) {
        auto const runs = engine::together_as_source<K, V>(sorted);
        sam::detail::run_merge_pass(context_,
                                    merge_pass<K, V, Less>{runs, runs, n, 0, length,
                                                           engine::together_as_target<K, V>(other),
                                                           less_},
                                    all, none);
        std::swap(sorted, other);
      }
      if (length >= n)
        return sorted;
      if constexpr (shortens) {
        index_t const kept = n / length * k + engine::min_of(n % length, k);
        context_.run(kept, keep_first_job<item>{sorted, length, k, other},
                     pass_over_flags<std::uint32_t>);
        from = engine::together_as_source<K, V>(other);
        n = kept;
      }
    }
  }

  /// Searches among the items between two items of a sample. Returns false if they are too many, or
  /// do not have the ranks; then nothing was written.
  bool run_narrowed(index_t first, index_t last, merge_target<Key, Value> const& to) const {
    if (n_ < least_narrowed)
      return false;
    auto const expected = [&](index_t rank) {
      return static_cast<double>(rank) * static_cast<double>(sampled) / static_cast<double>(n_);
    };
    double const begin = expected(first), end = expected(last);
    auto const low = static_cast<index_t>(begin - 4 * std::sqrt(begin) - 8);
    auto const high = static_cast<index_t>(end + 4 * std::sqrt(end) + 8);
    index_t const between = engine::min_of(high, sampled) - engine::max_of(low, 0);
    if (between > most_between)
      return false;
    // There may be an eighth more than expected. Of n / 12 that is four times their deviation.
    index_t const each = n_ / sampled + 1, most = engine::max_of(n_ / 12, between * each * 9 / 8);
    workspace_parts measure(nullptr);
    memory const unplaced(measure, most);
    workspace_parts parts(engine::workspace<std::byte>(context_, measure.bytes()));
    memory const at(parts, most);
    context_.run(sampled, sample_job<Key>{keys_, n_ / sampled, at.sample},
                 pass_over_flags<std::uint32_t>);
    Key const* const sample = sort_first<Key, no_values>({at.sample}, sampled, sampled,
                                                         at.sorted_sample, at.other_sample);
    Key const* const from = low > 0 ? sample + low : nullptr;
    Key const* const until = high < sampled ? sample + high : nullptr;
    index_t const found = engine::result_of<index_t>(context_, [&](index_t* number) {
      using within_type = between_bounds<Key, Less>;
      within_type const within{less_, from, until};
      if constexpr (are_keys_alone)
        sam::detail::run_compact(context_, n_, kept_by_predicate<Key, within_type>{{keys_}, within},
                                 to_front<Key, index_t>{{number}, nullptr, at.items, most});
      else
        sam::detail::run_compact(context_, n_,
                                 index_kept_by_predicate<Key, within_type>{{keys_}, within},
                                 indices_to_front<index_t, index_t>{{number}, at.indices, most});
    });
    if (found > most)
      return false;
    index_t before = 0;
    if (from != nullptr)
      before = engine::result_of<index_t>(context_, [&](index_t* number) {
        using which = matching_items<Key, before_bound<Key, Less>>;
        using put_before = put_number<index_t, as_is>;
        context_.run(n_, count_job<which, put_before>{{{keys_}, {less_, from}}, n_, {number, {}}},
                     engine::resolve_policy<bound::inclusive>(scan_policy<>{}, from_nothing{}));
      });
    if (before > first || last > before + found)
      return false;
    if constexpr (!are_keys_alone)
      context_.run(found, collect_items_job<Key, Value>{from_, at.indices, at.items},
                   pass_over_flags<std::uint32_t>);
    put(sort_first<Key, Value>(engine::together_as_source<Key, Value>(at.items), found,
                               last - before, at.sorted, at.other),
        first - before, last - before, to, known_count{found});
    return true;
  }
  struct memory {
    Key *sample, *sorted_sample, *other_sample;
    index_t* indices;
    T *items, *sorted, *other;
    memory(workspace_parts& parts, index_t most)
        : sample(parts.take<Key>(sampled)), sorted_sample(parts.take<Key>(sampled)),
          other_sample(parts.take<Key>(sampled)),
          indices(are_keys_alone ? nullptr : parts.take<index_t>(most)), items(parts.take<T>(most)),
          sorted(parts.take<T>(most)), other(parts.take<T>(most)) {}
  };

  Context& context_;
  Key const* keys_;
  source from_;
  index_t n_;
  Number number_;
  End end_;
  Less less_;
};

/// Finds ranks [first, last) of the first keys by their number, of keys alone, of keys with values,
/// or with their indices. If `end` is not known, there are only those below it.
template <class Context, class Key, class Value, class Less, class Number, class End = known_count>
void run_order_search(Context& context, checked_array<Key const> const& keys,
                      merge_source<Key, Value> const& from, Number const& number, index_t first,
                      index_t last, merge_target<Key, Value> const& to, Less const& less,
                      End const& end = {}) {
  index_t const upto = engine::min_of(last, keys.size);
  if (upto > first)
    order_search<Context, Key, Value, Less, Number, End>(context, keys.data, from, keys.size,
                                                         number, end, less)
        .run(first, upto, to);
}

}  // namespace sam::inline v0_1::detail
