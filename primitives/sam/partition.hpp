// SPDX-License-Identifier: MIT
// Defines partition and three_way_partition.
#pragma once

#include <sam/backend/split_job.hpp>
#include <sam/detail/compact_job.hpp>
#if __has_include(<sam/chosen_backend/selection.hpp>)
#include <sam/chosen_backend/selection.hpp>
#endif

#include <cstddef>
#include <tuple>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

// Classifiers of items by kind, for split_job.

template <class Keep>
struct kept_or_not {
  static constexpr int kinds = 2;
  Keep keep;
  template <class T>
  SAM_FUNCTION int operator()(T const& x) const {
    return static_cast<bool>(keep(x)) ? 0 : 1;
  }
};
template <class First, class Second>
struct first_second_or_neither {
  static constexpr int kinds = 3;
  First is_first;
  Second is_second;
  template <class T>
  SAM_FUNCTION int operator()(T const& x) const {
    return static_cast<bool>(is_first(x)) ? 0 : static_cast<bool>(is_second(x)) ? 1 : 2;
  }
};

template <class Kind, int K>
struct is_of_kind {
  Kind kind;
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return kind(x) == K;
  }
};

/// Counts the items of each kind but the last.
template <class Sum, int Kinds>
struct kind_counts {
  Sum of[std::size_t{Kinds - 1}];
  friend SAM_FUNCTION kind_counts operator+(kind_counts const& a, kind_counts const& b) {
    kind_counts sum;
    for (int k = 0; k < Kinds - 1; ++k)
      sum.of[k] = a.of[k] + b.of[k];
    return sum;
  }
};

/// Adds counts of kinds.
struct plus_counts {
  static constexpr bool commutative = true;
  template <class Counts>
  SAM_FUNCTION Counts operator()(Counts const& a, Counts const& b) const {
    return a + b;
  }
  template <class Counts>
  SAM_FUNCTION static constexpr Counts identity() {
    return {};
  }
};

/// Loads and classifies items, as a base of jobs that count or place them by kind.
template <class Sum, class T, class Kind>
struct kinds_job {
  using item = T;
  using accumulator = kind_counts<Sum, Kind::kinds>;
  static constexpr int kinds = Kind::kinds;
  T const* in;
  Kind by_kind;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION T load(index_t, T const* x) const { return *x; }
  SAM_FUNCTION T load(index_t i) const { return in[i]; }
  SAM_FUNCTION int kind(T const& x) const { return by_kind(x); }
  SAM_FUNCTION accumulator to_accumulator(T const& x) const {
    int const mine = kind(x);
    accumulator counts;
    for (int k = 0; k < kinds - 1; ++k)
      counts.of[k] = mine == k ? 1 : 0;
    return counts;
  }
};
/// Counts the items of each kind, for the caller and for place_kinds_job.
template <class Sum, class T, class Count, class Kind>
struct count_kinds_job : kinds_job<Sum, T, Kind> {
  using accumulator = typename kinds_job<Sum, T, Kind>::accumulator;
  static constexpr bool ends = true;
  index_t last;
  Count* counts;
  accumulator* note;  // a copy in workspace, since `counts` may be slow to read on a device
  SAM_FUNCTION void store(index_t i, T const&, accumulator const& upto) const {
    store_counts(i, upto);
  }
  SAM_FUNCTION void store_counts(index_t i, accumulator const& upto) const {
    if (i != last)
      return;
    *note = upto;
    for (int k = 0; k < Kind::kinds - 1; ++k)
      counts[k] = static_cast<Count>(upto.of[k]);
  }
};
/// Writes each item behind the earlier items of its kind.
template <class Sum, class T, class Kind>
struct place_kinds_job : kinds_job<Sum, T, Kind> {
  using accumulator = typename kinds_job<Sum, T, Kind>::accumulator;
  static constexpr bool scatters = true;
  T* out;
  index_t n;
  accumulator const* note;
  static SAM_FUNCTION bool overwrites() { return false; }
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION Sum begin(int kind) const {
    Sum before = 0;
    for (int k = 0; k < kind; ++k)
      before += note->of[k];
    return before;
  }
  SAM_FUNCTION void store(index_t i, T const& x, accumulator const& before) const {
    constexpr int counted = Kind::kinds - 1;
    int const mine = this->kind(x);
    auto rank = static_cast<Sum>(i);
    for (int k = 0; k < counted; ++k)
      rank = mine == k ? before.of[k] : mine == counted ? rank - before.of[k] : rank;
    index_t const to = static_cast<index_t>(begin(mine)) + static_cast<index_t>(rank);
    if (to < n)  // false only if a caller's predicate is inconsistent
      out[to] = x;
  }
};

/// Counts the kinds of the first items, by their number.
template <class Sum, class T, class Count, class Kind, class Number>
struct count_first_kinds_job : count_kinds_job<Sum, T, Count, Kind> {
  using counting = count_kinds_job<Sum, T, Count, Kind>;
  using accumulator = typename counting::accumulator;
  using item = accumulator;
  Number number;
  SAM_FUNCTION index_t reduced() const { return number(); }
  template <class... P>
  SAM_FUNCTION item load_first(index_t i, P const&... p) const {
    return counting::to_accumulator(counting::load(i, p...));
  }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return i < number() ? load_first(i, p...) : item{};
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& upto) const {
    this->store_counts(i, upto);
  }
};
/// Writes the first items, by their number.
template <class Sum, class T, class Kind, class Number>
struct place_first_kinds_job : place_kinds_job<Sum, T, Kind> {
  using placing = place_kinds_job<Sum, T, Kind>;
  Number number;
  SAM_FUNCTION index_t selected() const { return number(); }
  SAM_FUNCTION void store(index_t i, T const& x,
                          typename placing::accumulator const& before) const {
    if (i < number())
      placing::store(i, x, before);
  }
};

/// Compacts the first kind to the front of out, and the second kind to its end, from its last item
/// on, which needs no count. Each sweep begins at the end where the previous one finished, whose
/// items may still be cached.
template <class Context, class In, class T, class Count, class Kind, class Number>
void compact_kinds(Context& context, In const& in, checked_array<T> const& out, Count* counts,
                   Kind const& kind, Number const& number) {
  static_assert(Kind::kinds == 2);
  auto const from = sam::detail::source_from(in);
  kept_by_predicate<job_input_t<In>, is_of_kind<Kind, 0>> const first{from, {kind}};
  kept_by_predicate<job_input_t<In>, is_of_kind<Kind, 1>> const second{from, {kind}};
  detail::run_two_compactions(context, in.size, detail::among_first(first, number),
                              to_front<T, Count>{{counts}, in.data, out.data, in.size},
                              detail::among_first(second, number),
                              detail::to_end_of(out.data, number));
}

/// Writes behind the items of the first kind, whose number a compaction has noted.
template <class T, class Count>
struct to_second_place {
  using value_type = T;
  Count* count;
  index_t const* before;
  T* out;
  index_t size;
  SAM_FUNCTION T* front() const { return out + *before; }
  SAM_FUNCTION index_t capacity() const { return size - *before; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
  SAM_FUNCTION void close(index_t kept) const { *count = static_cast<Count>(kept); }
};
/// Compacts the first and the third kind as two kinds, and then the second one between them.
template <class Context, class In, class T, class Count, class Kind, class Number>
void compact_three_kinds(Context& context, In const& in, checked_array<T> const& out, Count* counts,
                         Kind const& kind, Number const& number) {
  static_assert(Kind::kinds == 3);
  auto const from = sam::detail::source_from(in);
  kept_by_predicate<job_input_t<In>, is_of_kind<Kind, 0>> const first{from, {kind}};
  kept_by_predicate<job_input_t<In>, is_of_kind<Kind, 1>> const second{from, {kind}};
  kept_by_predicate<job_input_t<In>, is_of_kind<Kind, 2>> const third{from, {kind}};
  auto* const note = engine::workspace<index_t>(context, 1);
  detail::run_two_compactions(context, in.size, detail::among_first(first, number),
                              to_front<T, Count>{{counts, note}, in.data, out.data, in.size},
                              detail::among_first(third, number),
                              detail::to_end_of(out.data, number));
  detail::run_compact(context, in.size, detail::among_first(second, number),
                      to_second_place<T, Count>{counts + 1, note, out.data, in.size});
}

/// Puts the items of kind K into a destination, behind those of lower kinds. `ends` has the number
/// of these, and receives that of items up to kind K in its next place.
template <int K, class Destination, class Count>
struct to_kind_in_destination {
  using value_type = typename Destination::item;
  Destination out;
  index_t size;
  Count* counts;
  index_t* ends;
  SAM_FUNCTION index_t begin() const { return K == 0 ? 0 : ends[K - 1]; }
  SAM_FUNCTION void put(index_t, index_t to, value_type const& x) const {
    if (to < size - begin())
      out.put(begin() + to, x);
  }
  SAM_FUNCTION void close(index_t kept) const {
    ends[K] = begin() + kept;
    if (counts != nullptr)
      counts[K] = static_cast<Count>(kept);
  }
};
/// Compacts one kind after another, from kind K on, to a computed output.
template <int K = 0, class Context, class In, class Destination, int Written, int Read, class Count,
          class Kind, class Number>
void put_kinds(Context& context, In const& in,
               checked_output<Destination, Written, Read> const& out, Count* counts,
               Kind const& kind, Number const& number, index_t* ends) {
  kept_by_predicate<job_input_t<In>, is_of_kind<Kind, K>> const which{sam::detail::source_from(in),
                                                                      {kind}};
  detail::run_compact(context, in.size, detail::among_first(which, number),
                      to_kind_in_destination<K, Destination, Count>{
                          out.data, in.size, K < Kind::kinds - 1 ? counts : nullptr, ends});
  if constexpr (K < Kind::kinds - 1)
    detail::put_kinds<K + 1>(context, in, out, counts, kind, number, ends);
}

/// Counts items of all kinds in counters of type Sum, then places all items in one sweep.
template <class Sum, class Context, class T, class Count, class Kind, class Number = known_count>
void place_kinds(Context& context, split_job<T, Count, Kind> const& job,
                 Number const& number = {}) {
  using counts = kind_counts<Sum, Kind::kinds>;
  kinds_job<Sum, T, Kind> const items{job.in, job.kind};
  counts* const note = engine::workspace<counts>(context, 1);
  from_value<counts> const start{{}};
  scan_policy<plus_counts> const policy;
  count_kinds_job<Sum, T, Count, Kind> const count{items, job.n - 1, job.counts, note};
  place_kinds_job<Sum, T, Kind> const place{items, job.out, job.n, note};
  auto const run = [&](auto const& first, auto const& second) {
    context.run(job.n, first, engine::resolve_policy<bound::inclusive>(policy, start));
    context.run(job.n, second, engine::resolve_policy<bound::exclusive>(policy, start));
  };
  if constexpr (std::is_same_v<Number, known_count>)
    run(count, place);
  else
    run(count_first_kinds_job<Sum, T, Count, Kind, Number>{count, number},
        place_first_kinds_job<Sum, T, Kind, Number>{place, number});
}

/// Counts the items of all kinds, then places them.
template <class Context, class T, class Count, class Kind, class Number>
void count_and_place(Context& context, split_job<T, Count, Kind> const& job, Number const& number) {
  detail::with_sum_for<Context>(
      job.n, [&]<class Sum>(Sum) { detail::place_kinds<Sum>(context, job, number); });
}

/// Parts at least one item of an array or a computed input. Three kinds, and items whose number the
/// work has to read, are counted first, so that items are read twice and not once for each kind.
/// Two kinds are read twice in either way, and the context knows which is faster. Items of computed
/// inputs or to computed outputs are compacted by kind. in.size is the limit of the number.
template <class Context, class In, class Out, class Count, class Kind, class Number>
void part_by_kind(Context& context, In const& in, Out const& out, Count* counts, Kind const& kind,
                  Number const& number) {
  constexpr bool are_arrays = is_array_source<job_input_t<In>> && is_array_place<job_output_t<Out>>;
  constexpr bool is_plain = std::is_same_v<Number, known_count> && are_arrays;
  if constexpr (is_plain) {
    using job_type = split_job<job_input_t<In>, Count, Kind>;
    job_type const job{in.size, in.data, out.data, counts, kind};
    if constexpr (splits<Context, job_type>)
      if (context.split(job))
        return;
    if constexpr (Kind::kinds > 2)
      return detail::count_and_place(context, job, number);
    if constexpr (may_count_kinds_first<Context, job_type>)
      if (context.counts_kinds_first(job))
        return detail::count_and_place(context, job, number);
  }
  if constexpr (are_arrays && !is_plain) {
    using job_type = first_split_job<job_input_t<In>, Count, Kind, Number>;
    job_type const job{{in.size, in.data, out.data, counts, kind}, number};
    if constexpr (splits_first<Context, job_type>)
      if (context.split_first(job))
        return;
    detail::count_and_place(context, job, number);
  } else if constexpr (!is_array_place<job_output_t<Out>>)
    detail::put_kinds(context, in, out, counts, kind, number,
                      engine::workspace<index_t>(context, Kind::kinds));
  else if constexpr (Kind::kinds == 2)
    detail::compact_kinds(context, in, out, counts, kind, number);
  else if constexpr (!is_plain)
    detail::compact_three_kinds(context, in, out, counts, kind, number);
}

/// Checks the arrays of a partition and returns the checked ones: in, out and the places for
/// counts.
template <class Parameter, class Context, class In, class Out, class Counts>
auto arrays_of_kinds(checked_call<Context> const& call, In const& in, Out& out, Counts& counts,
                     index_t number_of_counts) {
  auto const from = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(to, from);
  sam::detail::expect_output_apart(call, to, from);
  auto const kept = call.template counts<Parameter>(counts, number_of_counts, from.size, from, to);
  sam::detail::apart_from_arrays(call, kept, from);
  sam::detail::expect_outputs_apart(call, to, kept);
  detail::apart_from_count(call, in, to);
  detail::apart_from_count(call, in, kept);
  return std::tuple(detail::items_taken(call, in, from), to, kept);
}

template <class Context, class In, class Out, class Keep, class Count>
void partition(Context& context, In const& in, Out& out, Keep const& keep, Count& count,
               std::source_location at) {
  sam::detail::expect_runs_on<Context, Keep, item_or_any_t<array_within_t<In>>>();
  checked_call const call(context, "sam::partition", at);
  auto const [from, to, kept] = detail::arrays_of_kinds<parameter::count>(call, in, out, count, 1);
  if (from.size == 0)
    return sam::detail::count_nothing(context, kept.data);
  sam::detail::part_by_kind(context, from, to, kept.data, kept_or_not<Keep>{keep},
                            detail::count_for_job(call, in, from.size));
}

template <class Context, class In, class Out, class First, class Second, class Counts>
void three_way_partition(Context& context, In const& in, Out& out, First const& is_first,
                         Second const& is_second, Counts& counts, std::source_location at) {
  using count = item_of<Counts>;
  using T = item_or_any_t<array_within_t<In>>;
  sam::detail::expect_runs_on<Context, First, T>();
  sam::detail::expect_runs_on<Context, Second, T>();
  checked_call const call(context, "sam::three_way_partition", at);
  auto const [from, to, kept] =
      detail::arrays_of_kinds<parameter::counts>(call, in, out, counts, 2);
  if (from.size == 0)
    return sam::detail::fill(context, 2, kept.data, count(0));
  sam::detail::part_by_kind(context, from, to, kept.data,
                            first_second_or_neither<First, Second>{is_first, is_second},
                            detail::count_for_job(call, in, from.size));
}

}  // namespace detail

template <class Sum, int Kinds>
inline constexpr bool is_exact<detail::kind_counts<Sum, Kinds>> = true;

/// Partitions items stably: copies those for which keep(x) is true to the front of out, in order,
/// then the others, in order. The number of the former goes to count.
///
/// in, out      n items each, which do not overlap. in may be sam::counted(items, number); items of
///              out past that number keep their values. in may be a computed input, and out a
///              computed output, as for compact
/// keep, count  as for compact; count may be omitted
/// traffic      2 n reads and n writes of an item. Each kind takes one sweep: kept items go to the
///              front from the first item on, the others to the end from the last item on. CUDA
///              devices with little shared memory count items of up to 16 bytes first, keep those
///              that fit, and then place all. To a computed output both sweeps go forward
/// Everything else is as for compact.
template <class Context, class In, class Out, class Keep, class Count>
requires(!detail::is_location<Count>) void partition(
    Context&& context, In const& in, Out&& out, Keep keep, Count&& count,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::partition(*detail::lend_context(context), in, std::forward<Out>(out), keep,
                          std::forward<Count>(count), at);
  else if constexpr (detail::all_right<
                         detail::compacts_items<Context, In, Out, Count>,
                         detail::have_one_item_type<detail::array_within_t<In>, Out>,
                         detail::is_predicate<Context, Keep, detail::array_within_t<In>>>)
    detail::with_place(context, count,
                       [&](auto& place) { detail::partition(context, in, out, keep, place, at); });
}
template <class Context, class In, class Out, class Keep>
index_t partition(Context&& context, In const& in, Out&& out, Keep keep,
                  std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::partition(*detail::lend_context(context), in, std::forward<Out>(out), keep, at);
  else
    return detail::count_of(context,
                            [&](auto count) { sam::partition(context, in, out, keep, count, at); });
}

/// Partitions items stably into three kinds: those for which is_first(x) is true, then the other
/// items for which is_second(x) is true, then the rest, each in order.
///
/// in, out      n items each, as for partition
/// is_first, is_second  predicates, as keep of compact
/// counts       an array of two integers that can hold n, apart from in and out: the numbers of
///              items of the first and of the second kind. Without it the call waits and returns
///              both
/// traffic      2 n reads and n writes of an item: one sweep counts items and one places them. CUDA
///              devices may keep those that fit in shared memory in between. 3 n reads of computed
///              items, and to a computed output; of counted ones where devices do not keep them so
/// Everything else is as for compact.
template <class Context, class In, class Out, class First, class Second, class Counts>
requires(!detail::is_location<Counts>) void three_way_partition(
    Context&& context, In const& in, Out&& out, First is_first, Second is_second, Counts&& counts,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::three_way_partition(*detail::lend_context(context), in, std::forward<Out>(out),
                                    is_first, is_second, std::forward<Counts>(counts), at);
  } else {
    using parameters = detail::parameter::counts;
    if constexpr (detail::all_right<
                      detail::is_context<Context>,
                      detail::reads_items<detail::parameter::in, Context,
                                          detail::array_within_t<In>>,
                      detail::reads_number<Context, In>,
                      detail::writes_items<detail::parameter::out, Context, Out>,
                      detail::writes_to<parameters, Context, Counts>,
                      parameters::holds_integers<detail::item_or_any_t<Counts>>,
                      detail::have_one_item_type<detail::array_within_t<In>, Out>,
                      detail::is_predicate<Context, First, detail::array_within_t<In>>,
                      detail::is_predicate<Context, Second, detail::array_within_t<In>>>)
      detail::three_way_partition(context, in, out, is_first, is_second, counts, at);
  }
}
template <class Context, class In, class Out, class First, class Second>
std::array<index_t, 2>
three_way_partition(Context&& context, In const& in, Out&& out, First is_first, Second is_second,
                    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::three_way_partition(*detail::lend_context(context), in, std::forward<Out>(out),
                                    is_first, is_second, at);
  else if constexpr (detail::is_context<Context>::value)
    return engine::results_of<index_t, 2>(context, [&](index_t* place) {
      std::span<index_t, 2> const counts(place, 2);
      sam::three_way_partition(context, in, out, is_first, is_second, counts, at);
    });
  else
    return {};
}

}  // namespace sam::inline v0_1
