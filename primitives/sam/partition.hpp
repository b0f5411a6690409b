// SPDX-License-Identifier: MIT
// partition and three_way_partition.
#pragma once

#include <sam/compact_job.hpp>

namespace sam {

namespace detail {

/// Of three kinds of items, those that the first predicate does not hold for but the second does.
template <class First, class Second>
struct only_second {
  First is_first;
  Second is_second;
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return !static_cast<bool>(is_first(x)) && static_cast<bool>(is_second(x));
  }
};
template <class First, class Second>
struct either {
  First is_first;
  Second is_second;
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return static_cast<bool>(is_first(x)) || static_cast<bool>(is_second(x));
  }
};

/// Behind as many items as were noted, and counts its own; notes how many both are together.
template <class T, class Count>
struct to_middle : to_back<T> {
  Count* count;
  index_t* both;
  SAM_FUNCTION void close(index_t kept) const {
    *count = static_cast<Count>(kept);
    *both = *this->note + kept;
  }
};

}  // namespace detail

/// Stable partition: the items for which keep(x) holds, in order, then the others, in order; the
/// number of the former goes to count.
///
/// in, out      n items each, apart from one another
/// traffic      2 n reads and n writes of an item: where the others go is known only when all that
///              are kept have been counted
/// All else as for compact.
template <class Context, array In, output_array Out, class Keep, output_array Count>
void partition(Context& context, In const& in, Out&& out, Keep keep, Count&& count,
               std::source_location at = std::source_location::current()) {
  constexpr auto name = "sam::partition";
  using T = item_of<In>;
  static_assert(std::is_same_v<T, item_of<Out>>, "sam: in and out differ in item type");
  static_assert(detail::predicate<Keep, T>, "sam: keep must say of an item: bool keep(x) const");
  [[maybe_unused]] auto const named = name_call(context, name);
  expect_same_size(name, in, out, at);
  expect_apart(name, "out", out, "in", in, at);
  detail::expect_compact(name, context, in, out, count, at);
  index_t const n = size_of(in);
  if (n == 0)
    return detail::count_nothing(context, count.data());
  auto* const note = scratch<index_t>(context, 1);  // count may be slow to read for the work
  detail::kept_by_predicate<T, Keep> const kept{in.data(), keep};
  detail::run_compact(
      context, n, kept,
      detail::to_front<T, item_of<Count>>{{count.data(), note}, in.data(), out.data(), n});
  detail::run_compact(context, n, detail::dropped_by_predicate<T, Keep>{kept},
                      detail::to_back<T>{out.data(), note});
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
/// traffic      3 n reads and n writes of an item: as partition, once more
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
  [[maybe_unused]] auto const named = name_call(context, name);
  index_t const n = size_of(in);
  expect_same_size(name, in, out, at);
  expect_apart(name, "out", out, "in", in, at);
  detail::expect_counts(name, "counts", context, counts, 2, n, at);
  detail::expect_beside(name, "in", context, in, "counts", counts, at);
  detail::expect_beside(name, "out", context, out, "counts", counts, at);
  using count = item_of<Counts>;
  if (n == 0)
    return detail::fill(context, 2, counts.data(), count(0));
  auto* const note = scratch<index_t>(context, 2);
  detail::run_compact(context, n, detail::kept_by_predicate<T, First>{in.data(), is_first},
                      detail::to_front<T, count>{{counts.data(), note}, in.data(), out.data(), n});
  using second = detail::only_second<First, Second>;
  detail::run_compact(context, n,
                      detail::kept_by_predicate<T, second>{in.data(), {is_first, is_second}},
                      detail::to_middle<T, count>{{out.data(), note}, counts.data() + 1, note + 1});
  using kinds = detail::either<First, Second>;
  detail::run_compact(context, n,
                      detail::dropped_by_predicate<T, kinds>{{in.data(), {is_first, is_second}}},
                      detail::to_back<T>{out.data(), note + 1});
}

}  // namespace sam
