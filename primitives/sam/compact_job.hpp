// SPDX-License-Identifier: MIT
// What compact and its kin have in common: an exclusive sum of what is kept says where each item
// goes, and finishing an item is writing it there.
#pragma once

#include <sam/array.hpp>
#include <sam/context.hpp>
#include <sam/job.hpp>

#include <limits>

namespace sam {

namespace detail {

// --- Which items are kept ------------------------------------------------------------------------

template <class T, class Keep>
struct kept_by_predicate {
  using item = T;
  T const* in;
  Keep keep;
  SAM_FUNCTION item load(index_t i) const { return in[i]; }
  SAM_FUNCTION bool keeps(item const& x) const { return static_cast<bool>(keep(x)); }
  static SAM_FUNCTION T const& value(item const& x) { return x; }
};

template <class T, class Keep>
struct dropped_by_predicate : kept_by_predicate<T, Keep> {
  SAM_FUNCTION bool keeps(T const& x) const { return !kept_by_predicate<T, Keep>::keeps(x); }
};

/// Where only the index of an item matters.
template <class T, class Keep>
struct index_kept_by_predicate {
  using item = bool;
  T const* in;
  Keep keep;
  SAM_FUNCTION bool load(index_t i) const { return static_cast<bool>(keep(in[i])); }
  SAM_FUNCTION bool keeps(bool x) const { return x; }
};

template <class T>
struct marked {
  T value;
  bool kept;
};

template <class T, class Flag>
struct kept_by_flag {
  using item = marked<T>;
  T const* in;
  Flag const* flags;
  SAM_FUNCTION item load(index_t i) const { return {in[i], flags[i] != Flag(0)}; }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
};

/// In place, item i - 1 may be gone when item i is finished, but not yet when it is loaded: until
/// then only items before i have been finished. Each goes to its own index or a smaller one, so to
/// i - 1 only item i - 1 can go, and an item that stays where it is is not written (to_front).
template <class T, class Equal>
struct kept_unlike_last {
  using item = marked<T>;
  T const* in;
  Equal equal;
  SAM_FUNCTION item load(index_t i) const {
    return {in[i], i == 0 || !static_cast<bool>(equal(in[i - 1], in[i]))};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
};

// --- Where they go -------------------------------------------------------------------------------

template <class T, class Count>
struct to_front {
  T const* in;
  T* out;
  index_t size;  // of out
  Count* count;
  SAM_FUNCTION void put(index_t i, index_t to, T const& x) const {
    if (to < size && out + to != in + i)
      out[to] = x;
  }
  SAM_FUNCTION void put_count(index_t kept) const { *count = static_cast<Count>(kept); }
};

template <class T, class Count>
struct indices_to_front {
  T* out;
  index_t size;
  Count* count;
  SAM_FUNCTION void put_index(index_t i, index_t to) const {
    if (to < size)
      out[to] = static_cast<T>(i);
  }
  SAM_FUNCTION void put_count(index_t kept) const { *count = static_cast<Count>(kept); }
};

/// Behind as many items as were counted before.
template <class T, class Count>
struct to_back {
  T* out;
  Count const* count;
  SAM_FUNCTION void put(index_t, index_t to, T const& x) const {
    out[static_cast<index_t>(*count) + to] = x;
  }
  SAM_FUNCTION void put_count(index_t) const {}
};

/// Puts what is kept in its place. Sum is wide enough to count n items.
template <class Sum, class Which, class Where>
struct compact_job {
  using item = typename Which::item;
  using summary = Sum;
  static constexpr bool scatters = true;
  Which which;
  Where where;
  index_t last;

  SAM_FUNCTION item load(index_t i) const { return which.load(i); }
  SAM_FUNCTION summary summarise(item const& x) const { return which.keeps(x) ? 1 : 0; }
  SAM_FUNCTION void finish(index_t i, item const& x, summary before) const {
    bool const keeps = which.keeps(x);
    auto const to = static_cast<index_t>(before);
    if (keeps) {
      if constexpr (requires { where.put_index(i, to); })
        where.put_index(i, to);
      else
        where.put(i, to, which.value(x));
    }
    if (i == last)
      where.put_count(to + (keeps ? 1 : 0));
  }
};

/// Counts nothing: no item, no pass over items.
template <class Count>
struct count_nothing_job {
  using item = bool;
  using summary = std::uint32_t;
  Count* count;
  SAM_FUNCTION bool load(index_t) const { return false; }
  SAM_FUNCTION summary summarise(bool) const { return 0; }
  SAM_FUNCTION void finish(index_t, bool, summary) const { *count = Count(0); }
};

template <class Sum>
inline constexpr auto pass_over_flags = make_pass<bound::exclusive>(scan_policy<>{},
                                                                    from_value<Sum>{0});

template <class Context, class Which, class Where>
void run_compact(Context& context, index_t n, Which const& which, Where const& where) {
  // Sums of 32 bits are half the work and half the room of those of 64.
  if (n <= index_t{std::numeric_limits<std::uint32_t>::max()})
    run(context, n, compact_job<std::uint32_t, Which, Where>{which, where, n - 1},
        pass_over_flags<std::uint32_t>);
  else
    run(context, n, compact_job<index_t, Which, Where>{which, where, n - 1},
        pass_over_flags<index_t>);
}
template <class Context, class Count>
void count_nothing(Context& context, Count* count) {
  run(context, 1, count_nothing_job<Count>{count}, pass_over_flags<std::uint32_t>);
}

// --- Checks --------------------------------------------------------------------------------------

/// What all of these functions ask of their arrays, but for how in and out may lie.
template <class Context, class In, class Out, class Count>
void expect_compact(std::string_view function, Context const& context, In const& in, Out const& out,
                    Count const& count, std::source_location at) {
  static_assert(sam::context<Context>, "sam: the first argument must be a back end's context");
  static_assert(is_within_reach<Context, In> && is_within_reach<Context, Out> &&
                    is_within_reach<Context, Count>,
                "sam: the context cannot reach the memory space of in, out or count");
  static_assert(std::is_trivially_copyable_v<item_of<In>>, "sam: items must be trivially copyable");
  static_assert(integer<item_of<Count>>, "sam: count must hold an integer");
  expect_items(function, "in", in, at);
  expect_items(function, "out", out, at);
  expect_items(function, "count", count, at);
  if (size_of(count) != 1)
    throw invalid_argument(function, "count",
                           "holds " + std::to_string(size_of(count)) + " items; it must hold 1",
                           at);
  expect_fits<item_of<Count>>(function, "count", size_of(in), at);
  expect_apart(function, "count", count, "in", in, at);
  expect_apart(function, "count", count, "out", out, at);
  expect_reach(function, "in", context, in, at);
  expect_reach(function, "out", context, out, at);
  expect_reach(function, "count", context, count, at);
}

/// That out is in, where the context can do that, or lies apart from it.
template <class Item, class Context, class In, class Out>
void expect_in_place_or_apart(std::string_view function, Context const& context, In const& in,
                              Out const& out, std::source_location at) {
  static_assert(std::is_same_v<item_of<In>, item_of<Out>>, "sam: in and out differ in item type");
  expect_same_or_apart(function, in, out, at);
  if constexpr (!holds_items<Context, Item>)
    if (size_of(in) != 0 && static_cast<void const*>(in.data()) == out.data())
      throw invalid_argument(function, "out",
                             std::string("is in, but ") + context.name() +
                                 " loads such items twice; pass memory apart from in",
                             at);
}

/// The job that `Which` chooses items for, from in to the front of out.
template <class Context, class Which, class In, class Out, class Count>
void compact_to_front(std::string_view function, Context& context, Which const& which, In const& in,
                      Out& out, Count& count, std::source_location at) {
  expect_compact(function, context, in, out, count, at);
  expect_in_place_or_apart<typename Which::item>(function, context, in, out, at);
  if (size_of(in) == 0)
    return count_nothing(context, count.data());
  run_compact(
      context, size_of(in), which,
      to_front<item_of<Out>, item_of<Count>>{in.data(), out.data(), size_of(out), count.data()});
}

}  // namespace detail

}  // namespace sam
