// SPDX-License-Identifier: MIT
// partition and three_way_partition.
#pragma once

#include <sam/compact_job.hpp>
#include <sam/split_job.hpp>

namespace sam {

namespace detail {

// Kinds of items, as split_job has them.

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

/// Of items of all kinds but the last, how many there are of each.
template <class Sum, int Kinds>
struct kind_counts {
  Sum of[Kinds - 1];
  friend SAM_FUNCTION kind_counts operator+(kind_counts const& a, kind_counts const& b) {
    kind_counts sum;
    for (int k = 0; k < Kinds - 1; ++k)
      sum.of[k] = a.of[k] + b.of[k];
    return sum;
  }
};

/// What jobs over items by their kinds have in common.
template <class Sum, class T, class Kind>
struct kinds_job {
  using item = T;
  using summary = kind_counts<Sum, Kind::kinds>;
  static constexpr int kinds = Kind::kinds;
  T const* in;
  Kind by_kind;

  SAM_FUNCTION auto reads() const { return make_pointers(in); }
  SAM_FUNCTION T load(index_t, T const* x) const { return *x; }
  SAM_FUNCTION T load(index_t i) const { return in[i]; }
  SAM_FUNCTION int kind(T const& x) const { return by_kind(x); }
  SAM_FUNCTION summary summarise(T const& x) const {
    int const mine = kind(x);
    summary counts;
    for (int k = 0; k < kinds - 1; ++k)
      counts.of[k] = mine == k ? 1 : 0;
    return counts;
  }
};
/// Counts items of each kind, for the job that places them too.
template <class Sum, class T, class Count, class Kind>
struct count_kinds_job : kinds_job<Sum, T, Kind> {
  using summary = typename kinds_job<Sum, T, Kind>::summary;
  static constexpr bool ends = true;
  index_t last;
  Count* counts;
  summary* note;  // the counts may be slow to read for the work
  SAM_FUNCTION void finish(index_t i, T const&, summary const& upto) const {
    if (i != last)
      return;
    *note = upto;
    for (int k = 0; k < Kind::kinds - 1; ++k)
      counts[k] = static_cast<Count>(upto.of[k]);
  }
};
/// Places each item behind those of its kind.
template <class Sum, class T, class Kind>
struct place_kinds_job : kinds_job<Sum, T, Kind> {
  using summary = typename kinds_job<Sum, T, Kind>::summary;
  static constexpr bool scatters = true;
  T* out;
  summary const* note;
  static SAM_FUNCTION bool overwrites() { return false; }
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION Sum begin(int kind) const {
    Sum before = 0;
    for (int k = 0; k < kind; ++k)
      before += note->of[k];
    return before;
  }
  SAM_FUNCTION void finish(index_t i, T const& x, summary const& before) const {
    constexpr int counted = Kind::kinds - 1;
    int const mine = this->kind(x);
    auto rank = static_cast<Sum>(i);
    for (int k = 0; k < counted; ++k)
      rank = mine == k ? before.of[k] : mine == counted ? rank - before.of[k] : rank;
    out[begin(mine) + rank] = x;
  }
};

/// Behind as many items as were noted, and counts its own.
template <class T, class Count>
struct to_middle : to_back<T> {
  Count* count;
  SAM_FUNCTION void close(index_t kept) const { *count = static_cast<Count>(kept); }
};

/// Compacts the first kind to the front and the last, from its last item on, to the end, for which
/// no count need be known; and the one between, if there is one, behind the first. Passes that come
/// one after the other each begin where the one before has ended, with items that may still lie in
/// a cache.
template <class Context, class T, class Count, class Kind>
void compact_kinds(Context& context, split_job<T, Count, Kind> const& job) {
  static_assert(Kind::kinds == 2 || Kind::kinds == 3);
  constexpr int last = Kind::kinds - 1;
  // Counts may be slow to read for the work.
  index_t* const note = last > 1 ? scratch<index_t>(context, 1) : nullptr;
  run_two_compactions(context, job.n, kept_by_predicate<T, is_of_kind<Kind, 0>>{job.in, {job.kind}},
                      to_front<T, Count>{{job.counts, note}, job.in, job.out, job.n},
                      kept_by_predicate<T, is_of_kind<Kind, last>>{job.in, {job.kind}},
                      to_end<T>{job.out + job.n - 1});
  if constexpr (last > 1)
    run_compact(context, job.n, kept_by_predicate<T, is_of_kind<Kind, 1>>{job.in, {job.kind}},
                to_middle<T, Count>{{job.out, note}, job.counts + 1});
}

/// Counts all kinds, in a Sum each, then places all at once.
template <class Sum, class Context, class T, class Count, class Kind>
void place_kinds(Context& context, split_job<T, Count, Kind> const& job) {
  using counts = kind_counts<Sum, Kind::kinds>;
  kinds_job<Sum, T, Kind> const items{job.in, job.kind};
  counts* const note = scratch<counts>(context, 1);
  from_value<counts> const start{{}};
  run(context, job.n, count_kinds_job<Sum, T, Count, Kind>{items, job.n - 1, job.counts, note},
      make_pass<bound::inclusive>(scan_policy<>{}, start));
  run(context, job.n, place_kinds_job<Sum, T, Kind>{items, job.out, note},
      make_pass<bound::exclusive>(scan_policy<>{}, start));
}

template <class Context, class Job>
concept splits = requires(Context& context, Job const& job) {
  split(context, job);
};

/// From so many bytes on more than two kinds are counted, then placed. Before, that takes longer
/// than three compactions, of which two go at the same time (perf/results).
inline constexpr index_t placed_bytes = 128 << 20;

/// Does what the job says, of which n is not 0.
template <class Context, class T, class Count, class Kind>
void part_by_kind(Context& context, split_job<T, Count, Kind> const& job) {
  if constexpr (splits<Context, split_job<T, Count, Kind>>) {
    split(context, job);
  } else {
    if constexpr (Kind::kinds > 2)
      if (job.n * index_t{sizeof(T)} >= placed_bytes)
        return with_sum_for<Context>(job.n,
                                     [&]<class Sum>(Sum) { place_kinds<Sum>(context, job); });
    compact_kinds(context, job);
  }
}

}  // namespace detail

/// Stable partition: the items for which keep(x) holds, in order, then the others, in order; the
/// number of the former goes to count.
///
/// in, out      n items each, apart from one another
/// traffic      2 n reads and n writes of an item: once for each kind, since one goes to the front
///              from the first item on, the other to the end from the last
/// All else as for compact.
template <class Context, array In, output_array Out, class Keep, output_array Count>
void partition(Context& context, In const& in, Out&& out, Keep keep, Count&& count,
               std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::partition";
  using T = item_of<In>;
  static_assert(std::is_same_v<T, item_of<Out>>, "sam: in and out differ in item type");
  static_assert(detail::predicate<Keep, T>, "sam: keep must say of an item: bool keep(x) const");
  detail::expect_runs_on<Context, Keep, T>();
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_same_size(name, in, out, at);
  expect_apart(name, "out", out, "in", in, at);
  detail::expect_compact(name, context, in, out, count, at);
  index_t const n = size_of(in);
  if (n == 0)
    return detail::count_nothing(context, count.data());
  using kind = detail::kept_or_not<Keep>;
  detail::part_by_kind(
      context, split_job<T, item_of<Count>, kind>{n, in.data(), out.data(), count.data(), {keep}});
}

/// As above; waits, and returns how many items keep(x) holds for.
template <class Context, array In, output_array Out, class Keep>
index_t partition(Context& context, In const& in, Out&& out, Keep keep,
                  std::source_location at = std::source_location::current()) {
  return detail::count_of(context,
                          [&](auto count) { partition(context, in, out, keep, count, at); });
}

/// Stable partition into three: the items for which is_first(x) holds, then those of the others for
/// which is_second(x) holds, then the rest, each in order.
///
/// in, out      n items each, apart from one another
/// is_first, is_second  const function objects on items, which give an item the same answer each
///              time
/// counts       an array of two integers that can hold n, apart from in and out: of the items of
///              the first, and of the second kind
/// traffic      2 n reads and n writes of an item, which are counted before they are placed; on
///              GPUs 3 n reads below 128 MiB
/// All else as for compact.
template <class Context, array In, output_array Out, class First, class Second, output_array Counts>
void three_way_partition(Context& context, In const& in, Out&& out, First is_first,
                         Second is_second, Counts&& counts,
                         std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::three_way_partition";
  using T = item_of<In>;
  static_assert(std::is_same_v<T, item_of<Out>>, "sam: in and out differ in item type");
  static_assert(detail::predicate<First, T> && detail::predicate<Second, T>,
                "sam: is_first and is_second must say of an item: bool is_first(x) const");
  detail::expect_runs_on<Context, First, T>();
  detail::expect_runs_on<Context, Second, T>();
  [[maybe_unused]] auto const call = begin_call(context, name);
  index_t const n = size_of(in);
  expect_same_size(name, in, out, at);
  expect_apart(name, "out", out, "in", in, at);
  detail::expect_counts(name, "counts", context, counts, 2, n, at);
  detail::expect_beside(name, "in", context, in, "counts", counts, at);
  detail::expect_beside(name, "out", context, out, "counts", counts, at);
  using count = item_of<Counts>;
  if (n == 0)
    return detail::fill(context, 2, counts.data(), count(0));
  using kind = detail::first_second_or_neither<First, Second>;
  detail::part_by_kind(
      context,
      split_job<T, count, kind>{n, in.data(), out.data(), counts.data(), {is_first, is_second}});
}

/// As above; waits, and returns how many items are of the first, and of the second kind.
template <class Context, array In, output_array Out, class First, class Second>
std::array<index_t, 2>
three_way_partition(Context& context, In const& in, Out&& out, First is_first, Second is_second,
                    std::source_location at = std::source_location::current()) {
  return results_of<2>(context, [&](index_t* place) {
    three_way_partition(context, in, out, is_first, is_second, std::span<index_t, 2>(place, 2), at);
  });
}

}  // namespace sam
