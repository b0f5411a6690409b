// SPDX-License-Identifier: MIT
// Checks and reads numbers of items that lie in the context's memory.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/arguments/counted.hpp>
#include <sam/arguments/output.hpp>
#include <sam/backend/job.hpp>
#include <sam/backend/job/number_in_memory.hpp>

namespace sam::inline v0_1::detail {

/// Names the item type of a counted array, as of any other.
template <class Items, class Number>
struct item_or_any<counted_array<Items, Number>> : item_or_any<Items> {};

/// Stores a number of items as an index_t.
template <class Number>
struct store_number_job {
  using item = std::uint32_t;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Number number;
  index_t* to;

  SAM_FUNCTION item load(index_t) const { return 0; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t, item, accumulator) const { *to = number(); }
};
template <class Context, class Number>
void store_number(Context& context, Number const& number, index_t* to) {
  context.run(1, store_number_job<Number>{number, to},
              resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

/// Checks the number of a counted array.
template <class Context, class In>
struct reads_number : std::true_type {};
template <class Context, class Items, class Number>
struct reads_number<Context, counted_array<Items, Number>>
    : std::conjunction<reads_from<parameter::number, Context, Number>,
                       parameter::number::holds_integers<item_or_any_t<Number>>> {};

/// True if a number is one that kernels read where it lies.
template <class Number>
inline constexpr bool is_read_in_place = requires(Number n) {
  engine::number_in_memory(n.at);
};

/// Returns the number of items of an input that has `capacity` items in memory.
template <class Context, class A>
known_count count_in(checked_call<Context> const&, A const&, index_t capacity) {
  return {capacity};
}
template <class Context, class Items, class Number>
auto count_in(checked_call<Context> const& call, counted_array<Items, Number> const& in,
              index_t capacity) {
  auto const number = call.template input<parameter::number>(in.number);
  call.size_is(number, 1, "the number of items of in");
  return loaded_count<item_of<Number>>{number.data, capacity};
}
/// Reads a number of items on the host. A context that measures takes the largest one that there
/// may be.
template <class Context, class N>
index_t number_now(Context const& context, loaded_count<N> const& count) {
  return engine::measures(context) ? count.capacity : count();
}
/// True if a job reads the number of a counted input, because work is queued. Other contexts are
/// done when a call returns, so they read the number at once and run the job of the items alone.
template <class Context, class In>
inline constexpr bool counts_later = is_counted<In>&& engine::works_on_device<Context>;
/// Returns the items of an input, cut to their number if the host may read it at once.
template <class Context, class In, class Items>
Items items_taken(checked_call<Context> const& call, In const& in, Items items) {
  if constexpr (is_counted<In> && !counts_later<Context, In>)
    items.size = detail::number_now(call.context(), detail::count_in(call, in, items.size));
  return items;
}
/// Returns the number of items for a job of an input of `taken` items: a loaded_count if the job
/// reads it, else a known_count.
template <class Context, class In>
auto count_for_job(checked_call<Context> const& call, In const& in, index_t taken) {
  if constexpr (counts_later<Context, In>)
    return detail::count_in(call, in, taken);
  else
    return known_count{taken};
}
/// Rejects an array that overlaps the number of a counted input.
template <class Context, class A>
void apart_from_count(checked_call<Context> const&, A const&, extent const&) {}
template <class Context, class Items, class Number>
void apart_from_count(checked_call<Context> const& call, counted_array<Items, Number> const& in,
                      extent const& written) {
  call.apart(written, call.template input<parameter::number>(in.number));
}

/// Calls use(changed), where change(items) is done to an input, or to one within `counted`.
template <class In, class Change, class Use>
void with_changed(In const& in, Change const& change, Use const& use) {
  use(change(in));
}
template <class Items, class Number, class Change, class Use>
void with_changed(counted_array<Items, Number> const& in, Change const& change, Use const& use) {
  auto const items = change(in.items);
  use(counted_array<std::remove_const_t<decltype(items)>, Number>{items, in.number});
}

/// Names the array of an output that may be counted.
template <class Out>
struct place_within {
  using type = Out;
};
template <class Out>
requires is_counted<std::remove_cvref_t<Out>>
struct place_within<Out> {
  using type = array_within_t<std::remove_cvref_t<Out>> const&;
};
template <class Out>
using place_within_t = typename place_within<Out>::type;
/// Checks the number of an output that may be counted.
template <class Context, class Out>
using reads_wanted = reads_number<Context, std::remove_cvref_t<Out>>;
template <class Out>
Out& place_of(Out& out) {
  return out;
}
template <class Items, class Number>
Items const& place_of(counted_array<Items, Number> const& out) {
  return out.items;
}
template <class Items, class Number>
Items const& place_of(counted_array<Items, Number>& out) {
  return out.items;
}
/// Rejects an output that overlaps the number of a counted input.
template <class Context, class Items, class Number, class Destination, int Written, int Read>
void apart_from_count(checked_call<Context> const& call, counted_array<Items, Number> const& in,
                      checked_output<Destination, Written, Read> const& out) {
  sam::detail::expect_apart_from_inputs(call, out,
                                        call.template input<parameter::number>(in.number));
}
/// Returns how many results an output takes, of up to `most`: a loaded_count if jobs read it, else
/// a known_count. Rejects a number that overlaps the results.
template <class Context, class Out, class To>
auto results_wanted(checked_call<Context> const& call, Out const& out, To const& to, index_t most) {
  detail::apart_from_count(call, out, to);
  if constexpr (is_counted<Out>) {
    auto const number = call.template input<parameter::number>(out.number);
    call.size_is(number, 1, "the number of items of out");
    loaded_count<item_of<decltype(out.number)>> const count{number.data, most};
    if constexpr (counts_later<Context, Out>)
      return count;
    else
      return known_count{detail::number_now(call.context(), count)};
  } else {
    return known_count{most};
  }
}

/// Checks an array that is read, or the first items of one.
template <class Parameter, class Context, class A>
struct reads_first : std::conjunction<reads_from<Parameter, Context, array_within_t<A>>,
                                      reads_number<Context, A>> {};

/// The first items of an array: those that there may be, those that the work takes as far as the
/// host knows, and their number for the work.
template <class T, class Number>
struct first_items {
  checked_array<T> all;
  checked_array<T> taken;
  Number number;
};
template <class Parameter, class Context, class A>
auto first_items_of(checked_call<Context> const& call, A const& a) {
  auto const all = call.template input<Parameter>(detail::items_within(a));
  index_t const taken = detail::items_taken(call, a, all).size;
  auto const number = detail::count_for_job(call, a, taken);
  // Member by member: a copy of an array that was just written would wait for its parts.
  return first_items<std::remove_pointer_t<decltype(all.data)>,
                     std::remove_const_t<decltype(number)>>{
      {all.data, all.size, all.name}, {all.data, taken, all.name}, number};
}

/// The items of a computed input, in the form of first_items.
template <class Input, class Number = known_count>
struct computed_items {
  Input all;
  Input taken;
  Number number;
};
template <class Parameter, class Context, class A>
requires is_lazy<array_within_t<A>>
auto first_items_of(checked_call<Context> const& call, A const& a) {
  auto const all = sam::detail::input_of<Parameter>(call, detail::items_within(a));
  auto const taken = detail::items_taken(call, a, all);
  auto const number = detail::count_for_job(call, a, taken.size);
  return computed_items<std::remove_const_t<decltype(all)>, std::remove_const_t<decltype(number)>>{
      all, taken, number};
}
/// Checks an array or a computed input, or the first items of either.
template <class Parameter, class Context, class A>
using reads_first_items =
    std::conjunction<reads_items<Parameter, Context, array_within_t<A>>, reads_number<Context, A>>;

/// An elementwise job for the first items only, by their number. Items are loaded as the job loads
/// them, so that a thread may load several before it stores one. A back end may compare with the
/// number once for several items (elementwise_first of sam/backend/job.hpp).
template <class Job, class Number>
struct first_items_job {
  using item = engine::uninitialized_array<typename Job::item, 1>;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Job job;
  Number number;

  SAM_FUNCTION item load(index_t i) const {
    item x;
    if (i < number())
      x.at[0] = job.load(i);
    return x;
  }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const {
    if (i < number())
      job.store(i, x.at[0], {});
  }
  SAM_FUNCTION Job const& unlimited() const { return job; }
  SAM_FUNCTION index_t limit() const { return number(); }
};
/// A copy job for the first items only, by their number.
template <class Job, class Number>
struct first_copies_job : Job {
  Number number;
  SAM_FUNCTION index_t capacity() const { return min_of(Job::capacity(), number()); }
};
template <class Job, class Number>
auto storing_first(Job const& job, Number const& number);
/// A scan job that stores the values of the first items only, by their number.
template <class Job, class Number>
struct stored_first_job {
  using item = typename Job::item;
  using accumulator = typename Job::accumulator;
  static constexpr bool stores_each = !engine::storing<Job>;
  Job job;
  Number number;

  SAM_FUNCTION auto reads() const requires requires(Job j) { j.reads(); }
  { return job.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return job.load(i, p...);
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return job.to_accumulator(x); }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator const& y) const {
    if (i < number())
      job.store(i, x, y);
  }

  SAM_FUNCTION accumulator const* source() const requires engine::has_source<Job> {
    return job.source();
  }
  SAM_FUNCTION auto* first_target() const requires engine::storing<Job> { return job.target(); }
  SAM_FUNCTION index_t stored() const requires engine::storing<Job> { return number(); }
  SAM_FUNCTION index_t needed() const { return number(); }
  SAM_FUNCTION auto output(item const& x, accumulator const& y) const requires requires {
    job.output(x, y);
  }
  { return job.output(x, y); }
  auto again() const requires requires { job.again(); }
  { return detail::storing_first(job.again(), number); }
};
/// Returns a scan job for known items, or for the first ones.
template <class Job, class Number>
auto storing_first(Job const& job, Number const& number) {
  if constexpr (std::is_same_v<Number, known_count>)
    return job;
  else
    return stored_first_job<Job, Number>{job, number};
}
/// An elementwise job that is made when the work runs: job.with_sizes(a(), b()).
template <class Job, class A, class B>
struct sized_job {
  struct item {};
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true, searches = searching<Job>;
  Job job;
  A a;
  B b;

  SAM_FUNCTION item load(index_t) const { return {}; }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t i, item, accumulator) const { sized().store(i, {}, {}); }
  SAM_FUNCTION auto sized() const { return job.with_sizes(a(), b()); }
};
/// Runs an elementwise job over n items, or over the first ones of as many as there may be.
template <class Context, class Job, class Number>
void run_first(Context& context, index_t n, Job const& job, Number const& number) {
  constexpr auto pass =
      engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0});
  if (n == 0)
    return;
  if constexpr (std::is_same_v<Number, known_count>) {
    context.run(n, job, pass);
  } else if constexpr (engine::copying<Job>) {
    context.run(n, first_copies_job<Job, Number>{job, number}, pass);
  } else {
    using first = first_items_job<Job, Number>;
    static_assert(engine::elementwise_first<first>);
    context.run(n, first{job, number}, pass);
  }
}
/// Runs an elementwise job whose sizes are known, or are read by the work.
template <class Context, class Job, class A, class B>
void run_sized(Context& context, index_t n, Job const& job, A const& a, B const& b) {
  constexpr auto pass =
      engine::resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0});
  if (n == 0)
    return;
  if constexpr (std::is_same_v<A, known_count> && std::is_same_v<B, known_count>)
    context.run(n, job, pass);
  else
    context.run(n, sized_job<Job, A, B>{job, a, b}, pass);
}

}  // namespace sam::inline v0_1::detail
