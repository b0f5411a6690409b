// SPDX-License-Identifier: MIT
// Defines the selection job of compact and similar functions: an exclusive sum of the kept items
// gives each its destination.
#pragma once

#include <sam/arguments/computed_source.hpp>
#include <sam/arguments/output.hpp>
#include <sam/detail/counted_input.hpp>
#include <sam/detail/fill_job.hpp>

#include <limits>
#include <span>

namespace sam::inline v0_1 {

namespace detail {

template <class Keep, class T>
concept predicate = callable_for<Keep, bool, T const&>;
template <class Equal, class T>
concept equivalence = callable_for<Equal, bool, T const&, T const&>;
/// Checks a predicate on items of In, which Context calls.
template <class Context, class Keep, class In>
struct is_predicate {
  using T = item_or_any_t<In>;
  static constexpr bool is_one = predicate<Keep, T>;
  static constexpr bool value =
      std::conjunction_v<std::bool_constant<is_one>, runs_on<Context, Keep, T>>;
  static_assert(is_one, "sam: the predicate must be a const function object on items of in: "
                        "bool keep(x) const");
};
/// Checks an equivalence of items of In, which Context calls; Context is void if not yet known.
template <class Context, class Equal, class In>
struct is_equivalence {
  using T = item_or_any_t<In>;
  static constexpr bool is_one = equivalence<Equal, T>;
  static constexpr bool value =
      std::conjunction_v<std::bool_constant<is_one>, runs_on<Context, Equal, T, T>>;
  static_assert(is_one, "sam: equal must be a const function object on two items: "
                        "bool equal(a, b) const");
};

// --- Which items are kept ------------------------------------------------------------------------

// Each class has reads(), load(i, p...) and the optional keeps_from(i) of a job
// (sam/backend/job.hpp), keeps(x), and
//
// value(x)    optional: returns the value to write for a kept item; without it, the index is
//             written
// values()    optional: returns a pointer to these values of all items
// pack        optional: as pack of a selection job

/// Selects items by a predicate. In is the item type of an array, or a source.
template <class In, class Keep>
struct kept_by_predicate {
  using source = source_of_t<In>;
  using item = typename source::item;
  source in;
  Keep keep;
  SAM_FUNCTION auto reads() const { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return in.template read<0>(i, engine::make_pointers(p...));
  }
  SAM_FUNCTION bool keeps(item const& x) const { return static_cast<bool>(keep(x)); }
  static SAM_FUNCTION item const& value(item const& x) { return x; }
  item const* values() const requires is_array_source<In> { return in.data; }
};

/// Selects items by a predicate, for jobs that write only their indices.
template <class In, class Keep>
struct index_kept_by_predicate {
  using item = bool;
  source_of_t<In> in;
  Keep keep;
  SAM_FUNCTION auto reads() const { return in.reads(); }
  template <class... P>
  SAM_FUNCTION bool load(index_t i, P const&... p) const {
    return static_cast<bool>(keep(in.template read<0>(i, engine::make_pointers(p...))));
  }
  SAM_FUNCTION bool keeps(bool x) const { return x; }
};

/// Selects items by a flag each, for jobs that write only their indices.
template <class Flag>
struct index_kept_by_flag {
  using item = bool;
  Flag flags;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(flags); }
  SAM_FUNCTION bool load(index_t, Flag const& flag) const { return static_cast<bool>(*flag); }
  SAM_FUNCTION bool keeps(bool x) const { return x; }
  auto keeps_from(index_t i) const requires requires { flags_from(flags); }
  { return engine::flags_from(flags + i); }
};

template <class T>
struct marked {
  T value;
  bool kept;
};

/// Selects items by a flag each. In is the item type of an array, or a source, here and below.
template <class In, class Flag>
struct kept_by_flag {
  using source = source_of_t<In>;
  using T = typename source::item;
  using item = marked<T>;
  source in;
  Flag flags;
  SAM_FUNCTION auto reads() const {
    return sam::detail::join_pointers(in.reads(), engine::make_pointers(flags));
  }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    auto const all = engine::make_pointers(p...);
    return {in.template read<0>(i, all),
            static_cast<bool>(*engine::pointer_at<source::arrays>(all))};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
  auto keeps_from(index_t i) const requires requires { flags_from(flags); }
  { return engine::flags_from(flags + i); }
  T const* values() const requires is_array_source<In> { return in.data; }
};

/// Selects items by a predicate on another input.
template <class In, class Stencil, class Keep>
struct kept_by_stencil {
  using source = source_of_t<In>;
  using T = typename source::item;
  using item = marked<T>;
  source in;
  source_of_t<Stencil> stencil;
  Keep keep;
  SAM_FUNCTION auto reads() const {
    return sam::detail::join_pointers(in.reads(), stencil.reads());
  }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    auto const all = engine::make_pointers(p...);
    return {in.template read<0>(i, all),
            static_cast<bool>(keep(stencil.template read<source::arrays>(i, all)))};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
  T const* values() const requires is_array_source<In> { return in.data; }
};

/// Keeps items that are not equal to their predecessor. In place, item i - 1 may be overwritten
/// when item i is stored, but not yet when it is loaded. Until then only items before i are stored,
/// each at its own index or a smaller one. So only item i - 1 itself can go to index i - 1, and
/// to_front does not write an item that stays.
template <class T, class Equal>
struct kept_unlike_last {
  using item = marked<T>;
  T const* in;
  Equal equal;
  using pointer = pointer_with_neighbours<T, 1>;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(pointer{in}); }
  SAM_FUNCTION item load(index_t i, pointer const& x) const {
    return {*x, i == 0 || !static_cast<bool>(equal(x[-1], *x))};
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, pointer{in + i}); }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION T const& value(item const& x) { return x.value; }
  unequal_window<T, Equal> keeps_from(index_t i) const {
    return {in + i, -1, 0, i == 0 ? 1 : 0, 64, true, equal};
  }
  T const* values() const { return in; }
};

/// Does so with the items of a source, which lies apart from what is written.
template <source In, class Equal>
struct kept_unlike_last<In, Equal> {
  using item = marked<typename In::item>;
  In in;
  Equal equal;
  static SAM_FUNCTION auto reads() { return engine::make_pointers(); }
  SAM_FUNCTION bool is_first(index_t i) const {
    return i == 0 || !static_cast<bool>(equal(in.at(i - 1), in.at(i)));
  }
  SAM_FUNCTION item load(index_t i) const { return {in.at(i), is_first(i)}; }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept; }
  static SAM_FUNCTION auto const& value(item const& x) { return x.value; }
};
/// Returns the selection of the items of a checked input that are not equal to their predecessor.
template <class Checked, class Equal>
auto unlike_last(Checked const& in, Equal const& equal) {
  if constexpr (is_array_source<job_input_t<Checked>>)
    return kept_unlike_last<job_input_t<Checked>, Equal>{in.data, equal};
  else
    return kept_unlike_last<job_input_t<Checked>, Equal>{in.source, equal};
}

/// Keeps items that Which keeps, for back ends that ask which of them are among the first items.
template <class Which, class Number>
struct kept_without_marks : Which {
  Number number;
  SAM_FUNCTION index_t selected() const { return number(); }
};
/// Keeps items that Which keeps and that are among the first items, whose number lies in the
/// context's memory. A load only marks those, so that it waits for no item before the next is
/// loaded.
template <class Which, class Number>
struct kept_among_first {
  using item = marked<typename Which::item>;
  Which which;
  Number number;
  SAM_FUNCTION auto reads() const { return which.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return {which.load(i, p...), i < number()};
  }
  SAM_FUNCTION bool keeps(item const& x) const { return x.kept && which.keeps(x.value); }
  SAM_FUNCTION auto value(item const& x) const requires requires { which.value(x.value); }
  { return which.value(x.value); }
  auto values() const requires requires { which.values(); }
  { return which.values(); }
  kept_without_marks<Which, Number> without_marks() const { return {which, number}; }
};
/// Returns the selection `which` of the first items, by their number.
template <class Which>
Which const& among_first(Which const& which, known_count const&) {
  return which;
}
template <class Which, class Number>
kept_among_first<Which, Number> among_first(Which const& which, Number const& number) {
  return {which, number};
}
/// Returns the selection `which` of the items of `in`, of which there are `capacity` in memory.
template <class Context, class In, class Which>
auto selection_of(checked_call<Context> const& call, In const& in, Which const& which,
                  index_t capacity) {
  return detail::among_first(which, detail::count_for_job(call, in, capacity));
}

// --- Where they go -------------------------------------------------------------------------------

/// Stores the number of kept items and, if `note` is not null, a copy of it for later queued work.
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

// Each class has the members of a selection job (sam/backend/job.hpp) from front() on, of which it
// may leave out all but close(kept); it then has put(i, to, x), which takes item i as number `to`
// of those that are kept.

template <class T, class Count>
struct to_front : counter<Count> {
  using value_type = T;
  T const* in;
  T* out;
  index_t size;  // of out
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION index_t capacity() const { return size; }
  SAM_FUNCTION bool is_in_place() const { return out == in; }
  SAM_FUNCTION bool stays(index_t i, index_t before) const { return i == before && is_in_place(); }
  SAM_FUNCTION void put(index_t i, index_t to, T const& x) const {
    if (to < size && !stays(i, to))
      out[to] = x;
  }
};

/// Writes a second value of each kept item, too: of both, one or neither array in place.
template <class T, class Second, class Count>
struct pairs_to_front : to_front<T, Count> {
  Second const* second_in;
  Second* second_out;
  index_t second_size;  // of second_out
  SAM_FUNCTION bool is_in_place() const {
    return to_front<T, Count>::is_in_place() || second_out == second_in;
  }
  SAM_FUNCTION bool stays(index_t i, index_t before) const {
    return i == before && to_front<T, Count>::is_in_place();
  }
  SAM_FUNCTION void put_second(index_t i, index_t to, Second const& x) const {
    if (to < second_size && !(i == to && second_out == second_in))
      second_out[to] = x;
  }
};

/// Puts the kept items into a destination.
template <class Destination, class Count>
struct to_destination : counter<Count> {
  using value_type = typename Destination::item;
  Destination out;
  index_t size;
  SAM_FUNCTION void put(index_t, index_t to, value_type const& x) const {
    if (to < size)
      out.put(to, x);
  }
};
/// Returns where the kept items of `in` go.
template <class T, class Count>
to_front<T, Count> front_of(checked_array<T> const& out, T const* in, counter<Count> const& count) {
  return {count, in, out.data, out.size};
}
template <class Destination, int Written, int Read, class Count>
to_destination<Destination, Count> front_of(checked_output<Destination, Written, Read> const& out,
                                            typename Destination::item const*,
                                            counter<Count> const& count) {
  return {count, out.data, out.size};
}

/// Appends the kept items to those that `before` counts, and adds their number to it.
template <class T, class Count, class Before>
struct appended {
  using value_type = T;
  Count* count;
  T* out;
  index_t size;  // of out
  Before before;
  SAM_FUNCTION T* front() const { return out + before(); }
  SAM_FUNCTION index_t capacity() const { return size - before(); }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
  SAM_FUNCTION void close(index_t kept) const {
    *count = static_cast<Count>(before.unlimited() + kept);
  }
};

/// Does so into a destination.
template <class Destination, class Count, class Before>
struct appended_to_destination {
  using value_type = typename Destination::item;
  Count* count;
  Destination out;
  index_t size;
  Before before;
  SAM_FUNCTION void put(index_t, index_t to, value_type const& x) const {
    index_t const earlier = before();
    if (to < size - earlier)
      out.put(earlier + to, x);
  }
  SAM_FUNCTION void close(index_t kept) const {
    *count = static_cast<Count>(before.unlimited() + kept);
  }
};
template <class T, class Count, class Before>
appended<T, Count, Before> append_to(checked_array<T> const& out, Count* count,
                                     Before const& before) {
  return {count, out.data, out.size, before};
}
template <class Destination, int Written, int Read, class Count, class Before>
appended_to_destination<Destination, Count, Before>
append_to(checked_output<Destination, Written, Read> const& out, Count* count,
          Before const& before) {
  return {count, out.data, out.size, before};
}

template <class T, class Count>
struct indices_to_front : counter<Count> {
  using value_type = T;
  T* out;
  index_t size;
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION index_t capacity() const { return size; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
};

template <class T, class Count>
indices_to_front<T, Count> indices_front_of(checked_array<T> const& out, Count* count) {
  return {{count}, out.data, out.size};
}
template <class Destination, int Written, int Read, class Count>
to_destination<Destination, Count>
indices_front_of(checked_output<Destination, Written, Read> const& out, Count* count) {
  return {{count}, out.data, out.size};
}

/// Writes from the last position backward, by a job that runs from the last item to the first.
template <class T>
struct to_end {
  using value_type = T;
  static constexpr bool backward = true;
  T* last;
  SAM_FUNCTION T* front() const { return last; }
  SAM_FUNCTION index_t capacity() const { return highest_of<index_t>; }
  SAM_FUNCTION bool stays(index_t, index_t) const { return false; }
  SAM_FUNCTION void close(index_t) const {}
};

/// Writes backward from the last of the first items, by their number.
template <class T, class Number>
struct to_counted_end : to_end<T> {
  Number number;
  SAM_FUNCTION T* front() const { return this->last + number(); }
};
template <class T>
to_end<T> to_end_of(T* out, known_count const& number) {
  return {out + number() - 1};
}
template <class T, class Number>
to_counted_end<T, Number> to_end_of(T* out, Number const& number) {
  return {{out - 1}, number};
}

template <class Where>
concept goes_backward = requires {
  requires Where::backward;
};

/// Writes each kept item to its destination. Sum must be wide enough to count n items.
template <class Sum, class Which, class Where>
struct compact_job {
  using item = typename Which::item;
  using accumulator = Sum;
  using value_type = typename Where::value_type;
  static constexpr bool scatters = true;
  static constexpr bool counts = true;
  static constexpr bool has_front = requires(Where w) { w.front(); };
  static constexpr bool has_second = requires(Where w) { w.second_out; };
  Which which;
  Where where;
  index_t last;

  SAM_FUNCTION auto reads() const requires(decltype(std::declval<Which>().reads())::count > 0) {
    return which.reads();
  }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return which.load(i, p...);
  }
  SAM_FUNCTION item load(index_t i) const {
    return engine::with_pointers(which.reads(), i,
                                 [&](auto const&... p) { return which.load(i, p...); });
  }
  SAM_FUNCTION bool overwrites() const {
    if constexpr (requires { where.is_in_place(); })
      return where.is_in_place();
    else
      return false;
  }
  SAM_FUNCTION bool does_nothing() const requires requires { which.does_nothing(); }
  { return which.does_nothing(); }
  SAM_FUNCTION bool keeps(item const& x) const { return which.keeps(x); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return keeps(x) ? 1 : 0; }
  SAM_FUNCTION index_t selected() const requires requires { which.selected(); }
  { return which.selected(); }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator before) const {
    place(i, x, before, keeps(x));
  }
  SAM_FUNCTION void place(index_t i, item const& x, accumulator before, bool kept) const {
    auto const to = static_cast<index_t>(before);
    if constexpr (!has_front) {
      if (kept)
        where.put(i, to, value(i, x));
    } else if (kept && to < capacity() && !stays(i, to)) {
      if constexpr (goes_backward<Where>)
        front()[-to] = value(i, x);
      else
        front()[to] = value(i, x);
    }
    if constexpr (has_second)
      if (kept)
        where.put_second(i, to, which.second(x));
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
  index_t pack(index_t begin, index_t count, value_type* out) const requires requires {
    which.pack(begin, count, out);
  }
  { return which.pack(begin, count, out); }

  SAM_FUNCTION value_type* front() const requires has_front { return where.front(); }
  SAM_FUNCTION index_t capacity() const requires has_front { return where.capacity(); }
  SAM_FUNCTION bool stays(index_t i, index_t before) const requires has_front {
    return where.stays(i, before);
  }
  SAM_FUNCTION auto second(item const& x) const requires has_second { return which.second(x); }
  SAM_FUNCTION auto* second_front() const requires has_second { return where.second_out; }
  SAM_FUNCTION index_t second_capacity() const requires has_second { return where.second_size; }
  SAM_FUNCTION void close(index_t kept) const { where.close(kept); }
};

template <class Sum>
inline constexpr auto pass_over_flags = resolve_policy<bound::exclusive>(scan_policy<>{},
                                                                         from_value<Sum>{0});

/// Returns true if 32-bit sums can count n items; they take half the work and memory of 64-bit
/// ones.
inline bool counts_fit_32_bits(index_t n) {
  return n <= index_t{std::numeric_limits<std::uint32_t>::max()};
}

/// Returns the job that writes the items selected by `which` to `where`, in the direction of Where.
template <class Sum, class Which, class Where>
auto compaction(index_t n, Which const& which, Where const& where) {
  using job = compact_job<Sum, Which, Where>;
  if constexpr (goes_backward<Where>)
    return reversed<job>{{which, where, 0}, n};
  else
    return job{which, where, n - 1};
}
/// Calls f with a value of a type that can count n items. Only devices hold a sum for each item.
/// Other back ends hold one sum for each tile, so one type is enough and is compiled once.
template <class Context, class F>
void with_sum_for(index_t n, F const& f) {
  if constexpr (works_on_device<Context>)
    if (counts_fit_32_bits(n))
      return f(std::uint32_t{});
  f(index_t{});
}
/// Has as many bytes as a tile of a selection holds for each item: those of the elements of all
/// arrays that it reads, or of what it makes of them if that is more.
template <class... P>
constexpr std::size_t bytes_of_elements(std::type_identity<engine::pointers<P...>>) {
  return (std::size_t{0} + ... + sizeof(*std::declval<P const&>()));
}
template <class Which>
struct as_loaded {
  using pointers = std::remove_cvref_t<decltype(std::declval<Which const&>().reads())>;
  char bytes[engine::max_of(sizeof(typename Which::item),
                            detail::bytes_of_elements(std::type_identity<pointers>{}))];
};
/// True if Context asks which items are among the first.
template <class Context, class Which, class Where>
inline constexpr bool runs_without_marks = [] {
  if constexpr (requires(Which const w) { w.without_marks(); })
    return engine::selecting_first<
               compact_job<index_t, decltype(std::declval<Which>().without_marks()), Where>> &&
           engine::selects_first<Context, as_loaded<Which>> && !goes_backward<Where>;
  else
    return false;
}();
template <class Context, class Which, class Where>
void run_compact(Context& context, index_t n, Which const& which, Where const& where) {
  if constexpr (runs_without_marks<Context, Which, Where>)
    sam::detail::run_compact(context, n, which.without_marks(), where);
  else
    detail::with_sum_for<Context>(n, [&]<class Sum>(Sum) {
      context.run(n, detail::compaction<Sum>(n, which, where), pass_over_flags<Sum>);
    });
}
/// Runs two jobs at the same time if the back end can, else one after the other.
template <class Context, class First, class Second, class Policy>
void run_both(Context& context, index_t n, First const& first, Second const& second,
              Policy const& policy) {
  if constexpr (runs_two<Context, First, Second, Policy>) {
    context.run_two(n, first, second, policy);
  } else {
    context.run(n, first, policy);
    context.run(n, second, policy);
  }
}
/// Runs two compactions, neither of which writes what the other reads or writes: one after the
/// other, or both at once if the back end can.
template <class Context, class Which, class Where, class OtherWhich, class OtherWhere>
void run_two_compactions(Context& context, index_t n, Which const& which, Where const& where,
                         OtherWhich const& other_which, OtherWhere const& other_where) {
  detail::with_sum_for<Context>(n, [&]<class Sum>(Sum) {
    detail::run_both(context, n, detail::compaction<Sum>(n, which, where),
                     detail::compaction<Sum>(n, other_which, other_where), pass_over_flags<Sum>);
  });
}
template <class Context, class Count>
void count_nothing(Context& context, Count* count) {
  detail::fill(context, 1, count, Count(0));
}

/// Copies a number of items, for an append of none.
template <class Before, class Count>
struct copy_count_job {
  using item = std::uint32_t;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Before before;
  Count* count;

  SAM_FUNCTION item load(index_t) const { return 0; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t, item, accumulator) const {
    *count = static_cast<Count>(before.unlimited());
  }
};
template <class Context, class Before, class Count>
void copy_count(Context& context, Before const& before, Count* count) {
  context.run(1, copy_count_job<Before, Count>{before, count}, pass_over_flags<std::uint32_t>);
}

// --- Calls --------------------------------------------------------------------------------------

/// Checks compact and similar functions, whose input may be counted and may compute its items.
template <class Context, class In, class Out, class Count>
using compacts_items =
    std::conjunction<is_context<Context>, reads_items<parameter::in, Context, array_within_t<In>>,
                     reads_number<Context, In>, writes_items<parameter::out, Context, Out>,
                     counts_to<parameter::count, Context, Count>>;
/// Checks the number of items before those that a call appends.
template <class Context, class Before, bool IsArray = array<Before>>
struct counts_before : parameter::before::holds_integers<Before> {};
template <class Context, class Before>
struct counts_before<Context, Before, true>
    : std::conjunction<reads_from<parameter::before, Context, Before>,
                       parameter::before::holds_integers<item_or_any_t<Before>>> {};

template <class Context, class Before, class Out>
auto count_before(checked_call<Context> const& call, Before const& before, Out const& out,
                  extent const& count) {
  if constexpr (array<Before>) {
    auto const number = call.template input<parameter::before>(before);
    call.size_is(number, 1, "the number of items in out");
    call.apart(out, number);
    sam::detail::expect_apart_from_inputs(call, out, number);
    call.apart(count, number);
    return loaded_count<item_of<Before>>{number.data, out.size};
  } else {
    call.at_least("before", static_cast<index_t>(before), 0);
    return passed_count{static_cast<index_t>(before), out.size};
  }
}

/// Rejects an output that overlaps that number.
template <class Context, class Before>
void before_apart(checked_call<Context> const& call, Before const& before, extent const& written) {
  if constexpr (array<Before>)
    call.apart(written, call.template input<parameter::before>(before));
}

/// Rejects an out that overlaps in, except in place if the context loads items only once.
template <class Item, class Context, class T>
void expect_in_place_or_apart(checked_call<Context> const& call, checked_array<T> const& out,
                              checked_array<T const> const& in) {
  call.same_or_apart(out, in);
  if constexpr (!loads_items_once<Context, Item>)
    if (in.size != 0 && in.data == out.data)
      call.refuse(out.name, "is ", in.name, ", but ", call.context().name(),
                  " loads such items twice; pass memory apart from ", in.name);
}

template <class Item, class Context, class In, class Destination, int Written, int Read>
void expect_in_place_or_apart(checked_call<Context> const& call,
                              checked_output<Destination, Written, Read> const& out, In const& in) {
  sam::detail::expect_apart_from_inputs(call, out, in);
}
template <class Item, class Context, class T, class Source, int Arrays>
void expect_in_place_or_apart(checked_call<Context> const& call, checked_array<T> const& out,
                              checked_input<Source, Arrays> const& in) {
  sam::detail::apart_from_arrays(call, out, in);
}

/// Copies the items of in that `which` selects to the front of out.
template <class Context, class Which, class In, class Out, class Count>
void compact_to_front(checked_call<Context> const& call, Which const& which, In const& in,
                      Out const& out, checked_array<Count> const& count) {
  sam::detail::expect_in_place_or_apart<as_loaded<Which>>(call, out, in);
  sam::detail::expect_outputs_apart(call, out, count);
  if (in.size == 0)
    return sam::detail::count_nothing(call.context(), count.data);
  sam::detail::run_compact(call.context(), in.size, which,
                           detail::front_of(out, in.data, counter<Count>{count.data}));
}

/// Writes the indices of those of n items that `which` selects to the front of out.
template <class Context, class Which, class Out, class Count>
void indices_to_out(checked_call<Context> const& call, index_t n, Which const& which,
                    Out const& out, checked_array<Count> const& count) {
  sam::detail::expect_outputs_apart(call, out, count);
  if (n == 0)
    return sam::detail::count_nothing(call.context(), count.data);
  sam::detail::run_compact(call.context(), n, which, detail::indices_front_of(out, count.data));
}

/// Calls `call` with an array of one item for its count, waits, and returns the count.
template <class Context, class Call>
index_t count_of(Context& context, Call call) {
  if constexpr (is_context<Context>::value)
    return engine::result_of<index_t>(
        context, [&](index_t* place) { call(std::span<index_t, 1>(place, 1)); });
  else
    return 0;
}

}  // namespace detail

}  // namespace sam::inline v0_1
