// SPDX-License-Identifier: MIT
// What compact and its kin have in common: an exclusive sum of what is kept says where each item
// goes, and finishing an item is writing it there.
#pragma once

#include <sam/compact_checks.hpp>
#include <sam/fill_job.hpp>

#include <limits>
#include <span>

namespace sam {

namespace detail {

template <class Keep, class T>
concept predicate = callable_for<Keep, bool, T const&>;
template <class Equal, class T>
concept equivalence = callable_for<Equal, bool, T const&, T const&>;

/// Without a device's trouble with std::equal_to, which is the host's.
struct equal_items {
  static constexpr bool runs_on_devices = true;
  template <class T>
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const {
    return a == b;
  }
};

// --- Which items are kept ------------------------------------------------------------------------

// Of each, reads() and load(i, p...) are as of a job (sam/job.hpp), and so is keeps_from(i), which
// is optional.
//
// value(x)    what is written for an item that is kept; without it, its index
// values()    optionally: a pointer to these, of all items

template <class T, class Keep>
struct kept_by_predicate {
  using item = T;
  T const* in;
  Keep keep;
  SAM_FUNCTION auto reads() const { return make_pointers(in); }
  SAM_FUNCTION item load(index_t, T const* x) const { return *x; }
  SAM_FUNCTION bool keeps(item const& x) const { return static_cast<bool>(keep(x)); }
  static SAM_FUNCTION T const& value(item const& x) { return x; }
  T const* values() const { return in; }
};

/// Where only the index of an item matters.
template <class T, class Keep>
struct index_kept_by_predicate {
  using item = bool;
  T const* in;
  Keep keep;
  SAM_FUNCTION auto reads() const { return make_pointers(in); }
  SAM_FUNCTION bool load(index_t, T const* x) const { return static_cast<bool>(keep(*x)); }
  SAM_FUNCTION bool keeps(bool x) const { return x; }
};

/// Where only the index of an item matters, and that flag i says all of it.
template <class Flag>
struct index_kept_by_flag {
  using item = bool;
  Flag flags;
  SAM_FUNCTION auto reads() const { return make_pointers(flags); }
  SAM_FUNCTION bool load(index_t, Flag const& flag) const { return static_cast<bool>(*flag); }
  SAM_FUNCTION bool keeps(bool x) const { return x; }
  auto keeps_from(index_t i) const requires requires { flags_from(flags); }
  { return flags_from(flags + i); }
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
  Flag flags;
  SAM_FUNCTION auto reads() const { return make_pointers(in, flags); }
  SAM_FUNCTION item load(index_t, T const* x, Flag const& flag) const {
    return {*x, static_cast<bool>(*flag)};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
  auto keeps_from(index_t i) const requires requires { flags_from(flags); }
  { return flags_from(flags + i); }
  T const* values() const { return in; }
};

/// In place, item i - 1 may be gone when item i is finished, but not yet when it is loaded: until
/// then only items before i have been finished. Each goes to its own index or a smaller one, so to
/// i - 1 only item i - 1 can go, and an item that stays where it is is not written (to_front).
template <class T, class Equal>
struct kept_unlike_last {
  using item = marked<T>;
  T const* in;
  Equal equal;
  using pointer = pointer_with_neighbours<T, 1>;
  SAM_FUNCTION auto reads() const { return make_pointers(pointer{in}); }
  SAM_FUNCTION item load(index_t i, pointer const& x) const {
    return {*x, i == 0 || !static_cast<bool>(equal(x[-1], *x))};
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, pointer{in + i}); }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
  flag_window keeps_from(index_t i) const {
    flag_window kept;
    T const* const x = in + i;
    if (i > 0)
      for (int k = 0; k < 64; ++k)
        kept.flags[k] = static_cast<bool>(equal(x[k - 1], x[k])) ? 0 : 1;
    else
      for (int k = 0; k < 64; ++k)
        kept.flags[k] = load(k).kept ? 1 : 0;
    return kept;
  }
  T const* values() const { return in; }
};

// --- Where they go -------------------------------------------------------------------------------

/// Writes the count, and for work that is queued behind, where it is asked to, notes it.
template <class Count>
struct counter {
  Count* count;
  index_t* note = nullptr;
  SAM_FUNCTION void close(index_t kept) const {
    *count = static_cast<Count>(kept);
    if (note != nullptr)
      *note = kept;
  }
};

template <class T, class Count>
struct to_front : counter<Count> {
  using value_type = T;
  T const* in;
  T* out;
  index_t size;  // of out
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION index_t room() const { return size; }
  SAM_FUNCTION bool is_in_place() const { return out == in; }
  SAM_FUNCTION bool stays(index_t i, index_t before) const { return i == before && is_in_place(); }
  SAM_FUNCTION void put(index_t i, index_t to, T const& x) const {
    if (to < size && !stays(i, to))
      out[to] = x;
  }
};

template <class T, class Count>
struct indices_to_front : counter<Count> {
  using value_type = T;
  T* out;
  index_t size;
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION index_t room() const { return size; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
};

/// Behind as many items as were noted before; out has room for all.
template <class T>
struct to_back {
  using value_type = T;
  T* out;
  index_t const* note;
  SAM_FUNCTION T* front() const { return out + *note; }
  SAM_FUNCTION index_t room() const { return highest_of<index_t>; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
  SAM_FUNCTION void close(index_t) const {}
};

/// From the last place on backwards, by a job from the last item to the first.
template <class T>
struct to_end {
  using value_type = T;
  static constexpr bool backward = true;
  T* last;
  SAM_FUNCTION T* front() const { return last; }
  SAM_FUNCTION index_t room() const { return highest_of<index_t>; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
  SAM_FUNCTION void close(index_t) const {}
};

template <class Where>
concept goes_backward = requires {
  requires Where::backward;
};

/// Puts what is kept in its place. Sum is wide enough to count n items.
template <class Sum, class Which, class Where>
struct compact_job {
  using item = typename Which::item;
  using summary = Sum;
  using value_type = typename Where::value_type;
  static constexpr bool scatters = true;
  static constexpr bool counts = true;
  Which which;
  Where where;
  index_t last;

  SAM_FUNCTION auto reads() const { return which.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return which.load(i, p...);
  }
  SAM_FUNCTION item load(index_t i) const {
    return with_pointers(reads(), i, [&](auto const&... p) { return which.load(i, p...); });
  }
  SAM_FUNCTION bool overwrites() const {
    if constexpr (requires { where.is_in_place(); })
      return where.is_in_place();
    else
      return false;
  }
  SAM_FUNCTION bool keeps(item const& x) const { return which.keeps(x); }
  SAM_FUNCTION summary summarise(item const& x) const { return keeps(x) ? 1 : 0; }
  SAM_FUNCTION void finish(index_t i, item const& x, summary before) const {
    bool const kept = keeps(x);
    auto const to = static_cast<index_t>(before);
    if (kept && to < room() && !stays(i, to)) {
      if constexpr (goes_backward<Where>)
        front()[-to] = value(i, x);
      else
        front()[to] = value(i, x);
    }
    if (i == last)
      close(to + (kept ? 1 : 0));
  }

  SAM_FUNCTION value_type value(index_t i, item const& x) const {
    if constexpr (requires { which.value(x); })
      return which.value(x);
    else
      return static_cast<value_type>(i);
  }
  auto keeps_from(index_t i) const requires requires { which.keeps_from(i); }
  { return which.keeps_from(i); }
  value_type const* values_from(index_t i) const requires requires { which.values(); }
  { return which.values() + i; }

  SAM_FUNCTION value_type* front() const { return where.front(); }
  SAM_FUNCTION index_t room() const { return where.room(); }
  SAM_FUNCTION bool stays(index_t i, index_t before) const { return where.stays(i, before); }
  SAM_FUNCTION void close(index_t kept) const { where.close(kept); }
};

template <class Sum>
inline constexpr auto pass_over_flags = make_pass<bound::exclusive>(scan_policy<>{},
                                                                    from_value<Sum>{0});

/// Sums of 32 bits are half the work and half the room of those of 64.
inline bool counts_fit_32_bits(index_t n) {
  return n <= index_t{std::numeric_limits<std::uint32_t>::max()};
}

/// The job that puts the items that `Which` chooses of n `Where` it says, in the order it asks for.
template <class Sum, class Which, class Where>
auto compaction(index_t n, Which const& which, Where const& where) {
  using job = compact_job<Sum, Which, Where>;
  if constexpr (goes_backward<Where>)
    return reversed<job>{{which, where, 0}, n};
  else
    return job{which, where, n - 1};
}
/// Calls f with a number of a type that counts n items. Only devices hold a sum for each item: all
/// others pack, with one for each tile, and are compiled once.
template <class Context, class F>
void with_sum_for(index_t n, F const& f) {
  if constexpr (works_on_device<Context>)
    if (counts_fit_32_bits(n))
      return f(std::uint32_t{});
  f(index_t{});
}
template <class Context, class Which, class Where>
void run_compact(Context& context, index_t n, Which const& which, Where const& where) {
  with_sum_for<Context>(n, [&]<class Sum>(Sum) {
    run(context, n, compaction<Sum>(n, which, where), pass_over_flags<Sum>);
  });
}
/// Two of which neither writes what the other reads or writes: one after the other, or as a back
/// end knows better.
template <class Context, class Which, class Where, class OtherWhich, class OtherWhere>
void run_two_compactions(Context& context, index_t n, Which const& which, Where const& where,
                         OtherWhich const& other_which, OtherWhere const& other_where) {
  with_sum_for<Context>(n, [&]<class Sum>(Sum) {
    auto const one = compaction<Sum>(n, which, where);
    auto const other = compaction<Sum>(n, other_which, other_where);
    if constexpr (requires { run_two(context, n, one, other, pass_over_flags<Sum>); }) {
      run_two(context, n, one, other, pass_over_flags<Sum>);
    } else {
      run(context, n, one, pass_over_flags<Sum>);
      run(context, n, other, pass_over_flags<Sum>);
    }
  });
}
template <class Context, class Count>
void count_nothing(Context& context, Count* count) {
  fill(context, 1, count, Count(0));
}

// --- Calls --------------------------------------------------------------------------------------

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
      to_front<item_of<Out>, item_of<Count>>{{count.data()}, in.data(), out.data(), size_of(out)});
}

/// The indices of the n items that `Which` chooses, to the front of out.
template <class Context, class Which, class Out, class Count>
void indices_to_out(Context& context, index_t n, Which const& which, Out& out, Count& count) {
  if (n == 0)
    return count_nothing(context, count.data());
  run_compact(
      context, n, which,
      indices_to_front<item_of<Out>, item_of<Count>>{{count.data()}, out.data(), size_of(out)});
}

/// Waits for a call that writes its count to the array it is given, and returns that.
template <class Context, class Call>
index_t count_of(Context& context, Call call) {
  return result_of(context, [&](index_t* place) { call(std::span<index_t, 1>(place, 1)); });
}

}  // namespace detail

}  // namespace sam
