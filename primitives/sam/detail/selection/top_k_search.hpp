// SPDX-License-Identifier: MIT
// Finds the first keys of an order, by sorting all of few keys or by a search for the last of them.
#pragma once

#include <sam/backend/job/select_job.hpp>
#include <sam/backend/sort_in_segments.hpp>
#include <sam/detail/gather_job.hpp>
#include <sam/detail/inputs/sort_first.hpp>
#include <sam/detail/selection/radix_select.hpp>
#include <sam/sort_options.hpp>

#include <bit>
#include <cmath>

namespace sam::inline v0_1::detail {

template <class Key>
using select_key_digits = flipped_digits<number_digits<Key>>;
template <class Key>
select_key_digits<Key> select_digits_for(sort_order order) {
  using ordered_key = typename number_digits<Key>::ordered_key;
  return {
      {},
      static_cast<ordered_key>(order == sort_order::descending ? ~ordered_key(0) : ordered_key(0))};
}

/// Copies every step-th key.
template <class Key>
struct sample_job {
  using item = Key;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Key const* keys;
  index_t step;
  Key* out;
  SAM_FUNCTION Key load(index_t i) const { return keys[i * step]; }
  SAM_FUNCTION accumulator to_accumulator(Key const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, Key const& x, accumulator) const { out[i] = x; }
};
/// True for keys that do not come behind a key in memory.
template <class Digits, class Key>
struct within_bound {
  Digits digits;
  Key const* bound;
  SAM_FUNCTION bool operator()(Key const& key) const { return digits(key) <= digits(*bound); }
};

/// Copies the keys within a bound, if they are few, and behind them the bound, which is none before
/// any of them.
template <class Key, class Index>
struct copy_within_job {
  using item = Key;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  searched_keys<Key, Index> among;
  Key const* bound;
  Key* out;
  SAM_FUNCTION Key load(index_t i) const {
    bool const is_one = among.are_few() && i < among.size();
    return is_one ? among.all[static_cast<index_t>(among.within_indices[i])] : *bound;
  }
  SAM_FUNCTION accumulator to_accumulator(Key const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, Key const& x, accumulator) const { out[i] = x; }
};

/// Tells where the rows of a matrix of n items lie.
struct rows_by_length {
  index_t length, n;
  SAM_FUNCTION index_t begin(index_t row) const { return row * length; }
  SAM_FUNCTION index_t end(index_t row) const {
    return min_of(n - row * length, length) + begin(row);
  }
  SAM_FUNCTION index_t row_of(index_t i, index_t) const { return i / length; }
  index_t longest() const { return length; }
};
/// Rows that devices select from without large blocks.
struct short_rows : rows_by_length {
  static constexpr bool are_short = true;
};
/// Tells how many of `number()` keys are left of a search after the stages so far. Each leaves up
/// to k keys of each of its rows.
template <class Number>
struct keys_left {
  static constexpr int most_stages = 3;
  Number number;
  index_t k;
  int stages = 0;
  int length_bits[most_stages] = {};  // rows of stage s have 2^length_bits[s] keys
  SAM_FUNCTION index_t operator()() const {
    index_t n = number();
    for (int s = 0; s != stages; ++s) {
      index_t const full = n >> length_bits[s];
      n = full * k + min_of(n - (full << length_bits[s]), k);
    }
    return n;
  }
  void add_stage(index_t length) {
    length_bits[stages++] = std::countr_zero(static_cast<std::uint64_t>(length));
  }
};
/// Short rows of as many of the n items as stages have left.
template <class Number>
struct counted_rows : short_rows {
  keys_left<Number> left;
  SAM_FUNCTION index_t begin(index_t row) const { return min_of(row * length, left()); }
  SAM_FUNCTION index_t end(index_t row) const { return min_of((row + 1) * length, left()); }
};
/// Stores a chosen key and its index. Those of the last stage are results, as far as some are
/// wanted.
template <class Key, class Index, class Rank>
struct put_chosen {
  Key const* keys;
  Index const* indices;  // null: key i has index i
  Key* keys_to;          // null for indices alone
  Index* indices_to;     // null for keys alone
  Rank wanted;
  bool is_last;
  SAM_FUNCTION void operator()(index_t to, index_t from) const {
    if (is_last && to >= wanted())
      return;
    if (keys_to != nullptr)
      keys_to[to] = keys[from];
    if (indices_to != nullptr)
      indices_to[to] = indices == nullptr ? static_cast<Index>(from) : indices[from];
  }
};

/// Finds the first k of n keys in an order, and sorts them. Takes memory for all that from one
/// workspace. Values of type V are indices; there are none if it is no_values.
///
/// A device sorts few keys whole, which takes fewer kernels than a search. Few of more keys are
/// selected in stages: of each row of them k are left for the next stage, until there is one row. A
/// stage takes one kernel, and no memory that is shared by all. A search for more of many
/// keys first looks at a sample, which suggests a bound, and goes on among the keys within it. On a
/// device, the kernels behind read how many these are. On CPUs, where calls are complete when they
/// return, the host does.
///
/// Number tells how many keys there are, and Wanted how many of them are found. If the number of
/// keys lies in memory, a sample of them means nothing, so that the search is not narrowed, and the
/// rows of stages end where the keys do.
template <class Context, class Key, class Index, class V, class Number, class Wanted>
class top_k_search {
  static constexpr bool on_device = works_on_device<Context>;
  static constexpr bool has_values = !std::is_same_v<V, no_values>;
  static constexpr bool is_known = std::is_same_v<Number, known_count>;
  using rank_type = decltype(sam::detail::up_to(std::declval<Number>(), std::declval<Wanted>()));
  static constexpr bool knows_rank = std::is_same_v<rank_type, known_count>;
  using among_type = decltype(sam::detail::search_among<Index>(static_cast<Key const*>(nullptr), 0,
                                                               std::declval<Number>()));

 public:
  using digits_type = select_key_digits<Key>;

  /// Searches among the first `number()` of n keys for `wanted()` of them, which are at most k.
  /// Reserves `more` values for the caller, too.
  top_k_search(Context& context, index_t n, Key const* keys, Number const& number, index_t k,
               Wanted const& wanted, sort_order order, index_t more = 0)
      : context_(context), number_(number), wanted_(wanted), k_(k),
        digits_(sam::detail::select_digits_for<Key>(order)), size_(size_of(n, k, more)),
        at_(arrays_in(context, size_)), among_(sam::detail::search_among<Index>(keys, n, number)) {}
  /// Returns how many keys will be found.
  rank_type found() const { return sam::detail::up_to(number_, wanted_); }
  V* more() const { return at_.more; }

  /// Stores the chosen keys, unless `keys_out` is null, and their indices at `values_out`, if there
  /// are any. `indices` is memory for k indices.
  void run(Key* keys_out, V* indices, V* values_out, result_order results) {
    bool const sorts = results == result_order::sorted;
    if constexpr (selects_in_stages)
      if (size_.staged > 0 && run_in_stages(keys_out, values_out))
        return;
    if constexpr (on_device)
      if (size_.sorted > 0)
        return sort_all(keys_out, values_out);
    if constexpr (is_known)
      if (size_.within > 0)
        narrow();
    sam::detail::select_rank(context_, among_, digits_, found(), at_.select,
                             static_cast<Key*>(nullptr));
    auto* const state = at_.select.found();
    compact(precedes_found<digits_type, false>{digits_, state},
            precedes_found<digits_type, true>{digits_, state});
    using to = std::conditional_t<has_values, V, Index>;
    to* chosen = nullptr;
    if constexpr (has_values)
      chosen = sorts ? indices : values_out;
    using collect = collect_chosen_job<Key, Index, among_type, rank_type,
                                       std::remove_pointer_t<decltype(state)>, to>;
    detail::run_first(context_, k_,
                      collect{among_, at_.before, at_.equal, state, found(), k_,
                              sorts || keys_out == nullptr ? at_.keys : keys_out, chosen},
                      found());
    if (sorts)
      sort({k_, at_.keys, keys_out, indices, values_out, nullptr, nullptr, digits_, 0,
            digits_type::bits},
           found());
  }

 private:
  static constexpr index_t sampled = 1 << 14;
  /// A search for up to a 64th of so many keys is narrowed. Of fewer, a device sorts up to
  /// most_sorted_for_few whole and, if more are wanted, up to most_sorted.
  static constexpr index_t least_narrowed =
      on_device ? (index_t{8} << 20) / index_t{sizeof(Key)} + 1 : 16 * sampled;
  static constexpr index_t most_sorted_for_few = 1 << 18, most_sorted = 1 << 21;

  /// A device selects up to most_staged, or few_staged, of more than the least and up to the most
  /// of so many keys in stages. With fewer keys a sort of all is as fast in a graph. With more, a
  /// search that a sample narrows is faster; there is none if memory has the number of keys.
  static constexpr index_t most_staged = 128, few_staged = 16;
  static constexpr index_t least_for_stages = 1 << 11, most_for_stages = 1 << (is_known ? 22 : 24),
                           least_for_few = 1 << 9, most_for_few = 1 << 24;
  /// The longest row is the only one. Rows of few keys are short, so that there are enough. Few of
  /// many keys are left by the shortest rows, which take the least time for each key.
  static constexpr index_t only_row = 1 << 13, most_by_short_rows = 1 << 16,
                           most_by_long_rows = 1 << 21;
  /// A CPU selects up to an eighth of each row, of which the longest take one worker 30 us.
  static constexpr index_t fewest_staged = 64, longest_row = 1 << 17, most_rows = 64;
  static constexpr bool selects_by_stages(index_t n, index_t k) {
    if constexpr (!on_device)
      return n >= fewest_staged && k <= row_of(n, k) / 8;
    return k <= few_staged ? least_for_few < n && n <= most_for_few
                           : k <= most_staged && least_for_stages < n && n <= most_for_stages;
  }
  /// Returns the length of the rows of a stage of n keys.
  static constexpr index_t row_of(index_t n, index_t k) {
    if constexpr (!on_device)
      return n <= longest_row ? n : engine::max_of(longest_row / 2, engine::div_up(n, most_rows));
    if (k <= few_staged && n > most_by_long_rows)
      return 1024;
    return n <= only_row ? only_row : n <= most_by_short_rows ? 2048 : 4096;
  }
  /// Returns how many stages a search has before the last one.
  static constexpr int stages_before_last(index_t n, index_t k) {
    int stages = 0;
    for (; n > row_of(n, k); n = engine::div_up(n, row_of(n, k)) * k)
      ++stages;
    return stages;
  }
  using stage_rows =
      std::conditional_t<!on_device, rows_by_length,
                         std::conditional_t<is_known, short_rows, counted_rows<Number>>>;
  using left_type = keys_left<Number>;
  using stage_index = std::conditional_t<has_values, V, Index>;
  using stage_job =
      select_in_segments_job<Key, stage_rows, put_chosen<Key, stage_index, rank_type>>;
  static constexpr bool selects_in_stages =
      (is_known || on_device) && selects_in_segments<Context, stage_job>;

  struct sizes {
    index_t k, more;
    index_t sorted;      // keys that are sorted whole, or 0
    index_t within;      // keys within a bound at most, or 0 if there is none
    index_t chosen;      // indices of chosen keys: of k, or of k among all and k among few
    index_t few;         // keys that a search by digits compares, twice
    index_t staged = 0;  // keys that the first stage leaves at most, or 0
    index_t numbers = knows_rank ? 0 : 1;  // of keys that are sorted
  };
  /// Returns the rank in the sample of the bound. Probably somewhat more than k keys lie within it.
  static index_t rank_of_bound(index_t n, index_t k) {
    double const expected =
        static_cast<double>(k) * static_cast<double>(sampled) / static_cast<double>(n);
    return static_cast<index_t>(expected + 4 * std::sqrt(expected) + 8);
  }
  static sizes size_of(index_t n, index_t k, index_t more) {
    sizes all = size_of_search(n, k, more);
    if (selects_in_stages && selects_by_stages(n, k))
      all.staged = engine::div_up(n, row_of(n, k)) * k;
    return all;
  }
  static sizes size_of_search(index_t n, index_t k, index_t more) {
    using memory = select_memory<digits_type, Index>;
    bool const wants_few = is_known && k <= n / 64, narrows = wants_few && n >= least_narrowed;
    if (on_device && !narrows && n <= (wants_few ? most_sorted_for_few : most_sorted))
      return {k, more, n, 0, k, 0};
    index_t const few = memory::template few_of<Context>(n);
    if (!narrows)
      return {k, more, 0, 0, k, few};
    if (!on_device)
      return {k, more, 0, n / 16, k, few};
    return {k,     more, 0, engine::min_of(n / 16, n / sampled * 4 * (rank_of_bound(n, k) + 1)),
            2 * k, 0};
  }
  struct arrays {
    select_memory<digits_type, Index> select;
    Index *before, *equal, *counts, *within;
    V *more, *sorted_values;
    Key *keys, *sorted_keys, *within_keys, *sample;
    Key* stage_keys[2];
    stage_index* stage_indices[2];
    index_t* number;
    arrays(workspace_parts& parts, sizes const& s)
        : select(parts, s.few), before(parts.take<Index>(s.chosen)),
          equal(parts.take<Index>(s.chosen)), counts(parts.take<Index>(3)),
          within(parts.take<Index>(s.within)), more(parts.take<V>(has_values ? s.more : 0)),
          sorted_values(parts.take<V>(has_values ? s.sorted : 0)), keys(parts.take<Key>(s.k)),
          sorted_keys(parts.take<Key>(s.sorted)), within_keys(parts.take<Key>(s.within)),
          sample(parts.take<Key>(s.within > 0 ? sampled : 0)),
          stage_keys{parts.take<Key>(s.staged), parts.take<Key>(s.staged)},
          stage_indices{parts.take<stage_index>(has_values ? s.staged : 0),
                        parts.take<stage_index>(has_values ? s.staged : 0)},
          number(parts.take<index_t>(s.numbers)) {}
  };
  static arrays arrays_in(Context& context, sizes const& s) {
    workspace_parts measure(nullptr);
    arrays const unplaced(measure, s);
    workspace_parts parts(engine::workspace<std::byte>(context, measure.bytes()));
    return arrays(parts, s);
  }

  using job_type = sort_job<Key, V, digits_type>;
  /// Sorts the first keys of a job, by their number.
  template <class First>
  void sort(job_type const& job, First const& first) const {
    if constexpr (std::is_same_v<First, known_count>)
      context_.sort(job);
    else
      detail::sort_first(context_, job, first, at_.number);
  }
  /// Selects in stages. Returns false, with nothing queued, if the context sorts rows. If it sorts
  /// those of a later stage, what is left is sorted.
  bool run_in_stages(Key* keys_out, V* values_out) const {
    if constexpr (!is_known)
      static_assert(stages_before_last(most_for_stages, most_staged) <= left_type::most_stages &&
                    stages_before_last(most_for_few, few_staged) <= left_type::most_stages);
    stage_index *indices = nullptr, *to = nullptr;
    if constexpr (has_values)
      to = values_out;
    Key const* keys = among_.all;
    index_t n = among_.n;
    left_type left{number_, k_};
    for (int stage = 0;; ++stage) {
      index_t const row = row_of(n, k_);
      bool const is_last = n <= row;
      index_t const rows = engine::div_up(n, row);
      Key* const keys_to = is_last ? keys_out : at_.stage_keys[stage % 2];
      stage_index* const indices_to = is_last      ? to
                                      : has_values ? at_.stage_indices[stage % 2]
                                                   : nullptr;
      if (!context_.select_in_segments(
              stage_job{n,
                        keys,
                        rows,
                        rows_of(row, n, left),
                        k_,
                        digits_.flip,
                        {keys, indices, keys_to, indices_to, found(), is_last}})) {
        if (stage > 0)
          sort_rest(stage, n, left, keys_out, values_out);
        return stage > 0;
      }
      if (is_last)
        return true;
      keys = keys_to;
      indices = indices_to;
      n = (rows - 1) * k_ + engine::min_of(n - (rows - 1) * row, k_);
      if constexpr (!is_known)
        left.add_stage(row);
    }
  }
  static stage_rows rows_of(index_t length, index_t n, left_type const& left) {
    if constexpr (is_known)
      return stage_rows{length, n};
    else
      return stage_rows{{{length, n}}, left};
  }
  void sort_rest(int stage, index_t n, left_type const& left, Key* keys_out, V* values_out) const {
    int const to = stage % 2, from = 1 - to;
    V *indices = nullptr, *values = nullptr;
    if constexpr (has_values)
      indices = at_.stage_indices[from], values = at_.stage_indices[to];
    job_type const job{
        n, at_.stage_keys[from], at_.stage_keys[to], indices, values, nullptr, nullptr, digits_,
        0, digits_type::bits};
    if constexpr (is_known)
      sort(job, known_count{n});
    else
      sort(job, left);
    if (keys_out != nullptr)
      copy(at_.stage_keys[to], keys_out);
    if constexpr (has_values)
      copy(values, values_out);
  }
  /// Sorts all keys, and copies the first k. If all are wanted, their sort leaves the results.
  void sort_all(Key* keys_out, V* values_out) const {
    if constexpr (is_known && knows_rank)
      if (k_ == among_.n)
        return sort(sort_to(keys_out, values_out), number_);
    Key* const sorted = keys_out == nullptr ? nullptr : at_.sorted_keys;
    V* values = nullptr;
    if constexpr (has_values)
      values = at_.sorted_values;
    sort(sort_to(sorted, values), number_);
    if (sorted != nullptr)
      copy(sorted, keys_out);
    if constexpr (has_values)
      copy(values, values_out);
  }
  job_type sort_to(Key* keys, V* values) const {
    return {among_.n, among_.all, keys,    nullptr, values,
            nullptr,  nullptr,    digits_, 0,       digits_type::bits};
  }
  template <class T>
  void copy(T const* from, T* to) const {
    detail::run_first(context_, k_, sample_job<T>{from, 1, to}, found());
  }

  /// Writes the indices of keys before the found one, and of those equal to it. On a device these
  /// are two passes, over all keys and over few. The one whose results are not needed is skipped.
  template <class Before, class Equal>
  void compact(Before const& before, Equal const& equal) const {
    if constexpr (!is_known) {
      using first = index_kept_by_predicate<Key, Before>;
      using second = index_kept_by_predicate<Key, Equal>;
      sam::detail::run_two_compactions(
          context_, among_.n, sam::detail::among_first(first{{among_.all}, before}, number_),
          to_front(at_.counts, at_.before),
          sam::detail::among_first(second{{among_.all}, equal}, number_),
          to_front(at_.counts + 1, at_.equal));
    } else if constexpr (on_device) {
      compact_among(false, before, equal);
      if (among_.number != nullptr)
        compact_among(true, before, equal);
    } else {
      sam::detail::run_two_compactions(context_, among_.n,
                                       index_kept_by_predicate<Key, Before>{{among_.all}, before},
                                       to_front(at_.counts, at_.before),
                                       index_kept_by_predicate<Key, Equal>{{among_.all}, equal},
                                       to_front(at_.counts + 1, at_.equal));
    }
  }
  template <class Before, class Equal>
  void compact_among(bool few, Before const& before, Equal const& equal) const {
    Key const* const keys = few ? among_.within : among_.all;
    index_t const first = few ? k_ : 0;
    sam::detail::run_two_compactions(
        context_, few ? size_.within : among_.n,
        index_kept_among<Key, Index, Before>{{{keys}, before}, among_, few},
        to_front(at_.counts, at_.before + first),
        index_kept_among<Key, Index, Equal>{{{keys}, equal}, among_, few},
        to_front(at_.counts + 1, at_.equal + first));
  }
  indices_to_front<Index, Index> to_front(Index* count, Index* out) const {
    return {{count}, out, k_};
  }

  /// Narrows the search to the keys within a bound. If there are fewer than k, or too many for the
  /// memory, nothing changes.
  void narrow() {
    index_t const n = among_.n;
    context_.run(sampled, sample_job<Key>{among_.all, n / sampled, at_.sample},
                 pass_over_flags<std::uint32_t>);
    context_.sort(sort_job<Key, no_values, digits_type>{sampled, at_.sample, at_.sample, nullptr,
                                                        nullptr, nullptr, nullptr, digits_, 0,
                                                        digits_type::bits});
    using bound = within_bound<digits_type, Key>;
    bound const is_within{digits_, at_.sample + rank_of_bound(n, k_)};
    auto const find = [&](Index* number) {
      sam::detail::run_compact(context_, n,
                               index_kept_by_predicate<Key, bound>{{among_.all}, is_within},
                               indices_to_front<Index, Index>{{number}, at_.within, size_.within});
    };
    if constexpr (on_device) {
      Index* const number = at_.counts + 2;
      find(number);
      among_ = {among_.all, n, nullptr, at_.within_keys, at_.within, number, k_, size_.within};
      context_.run(size_.within,
                   copy_within_job<Key, Index>{among_, is_within.bound, at_.within_keys},
                   pass_over_flags<std::uint32_t>);
    } else {
      auto const found = static_cast<index_t>(engine::result_of<Index>(context_, find));
      if (found < k_ || found > size_.within)
        return;
      context_.run(found,
                   gather_job<Index, columns<column<Key>>>{
                       {at_.within}, n, {{{among_.all}, at_.within_keys}, {}}},
                   pass_over_flags<std::uint32_t>);
      among_ = {at_.within_keys, found, at_.within, nullptr, nullptr, nullptr, 0, 0};
    }
  }

  Context& context_;
  Number number_;
  Wanted wanted_;
  index_t k_;
  digits_type digits_;
  sizes size_;
  arrays at_;
  among_type among_;
};

}  // namespace sam::inline v0_1::detail
