// SPDX-License-Identifier: MIT
// Defines segmented_inclusive_scan and segmented_exclusive_scan, which scan each of many segments,
// in one pass over all items.
#pragma once

#include <sam/backend/scan_segments_job.hpp>
#include <sam/detail/outputs/stored_results.hpp>
#include <sam/scan.hpp>
#include <sam/segments.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/segmented.hpp>
#endif

namespace sam::inline v0_1 {

namespace detail {

/// Runs one round of a segmented scan: calls run(n, job, policy).
template <bound Bound, direction Heading, class Carry, int TupleSize, class Out, class Run,
          class Values, class Heads, class Op, class Start, class Number>
void segmented_round(Run const& run, index_t n, index_t components, Values const& in,
                     place_of_t<Out> const& out, Heads const& heads, Op const& op,
                     Start const& start, Number const& number) {
  using T = result_of_t<Out>;
  using heads_type = heads_beside<T>;
  using items = segmented_items<T, heads_type, Values, Heads, Op, Start>;
  using pair = segmented_value<T, heads_type>;
  auto const job = [&] {
    if constexpr (std::is_same_v<Number, known_count> && is_array_place<Out>)
      return segmented_scan_job<Bound, items>{{{in, heads, op, start}}, out};
    else
      return scan_first_segments_job<Bound, items, Out, Number>{
          {in, heads, op, start}, out, number};
  }();
  scan_policy<segmented<Op>, 1, TupleSize, carry::without_stored_values<Carry>> const policy{
      {op}, components};
  auto const resolved = engine::resolve_policy<Bound>(policy, [&] {
    if constexpr (std::is_same_v<Start, from_nothing>)
      return start;
    else
      return from_value<pair>{{start.value, 0}};  // for the first segment of each component
  }());
  if constexpr (Heading == direction::forward)
    run(n, job, resolved);
  else
    run(n, reversed<std::remove_const_t<decltype(job)>>{job, n}, resolved);
}

/// Runs a job that reads the bits of `marks`, and marks them before, perhaps in one kernel.
template <class Context, class Marks, class Job, class Policy>
void run_with_marks(Context& context, Marks const& marks, index_t n, Job const& job,
                    Policy const& policy) {
  if constexpr (runs_marked<Context, Marks, Job, Policy>) {
    context.run_marked(marks, n, job, policy);
  } else {
    context.mark_bits(marks);
    context.run(n, job, policy);
  }
}

template <bound Bound, class Context, class In, class Segments, class Out, class Policy,
          class Start, class Number>
void run_segmented_scan(Context& context, In const& in, Segments const& segments, Out const& out,
                        Policy const& policy, Start const& start, Number const& number) {
  using Item = job_input_t<In>;
  using to_type = job_output_t<Out>;
  constexpr bool is_known = std::is_same_v<Number, known_count>;
  constexpr direction heading = Policy::heading;
  index_t const n = in.size, components = detail::cut_to(n, policy).components;
  auto const op = [&] {
    if constexpr (heading == direction::forward)
      return policy.op;
    else
      return engine::flip(policy.op);
  }();
  auto const round = [&](auto const& run, auto const& heads, auto const& from) {
    sam::detail::segmented_round<Bound, heading, typename Policy::carry, Policy::tuple_size,
                                 to_type>(run, n, components, from, out.data, heads, op, start,
                                          number);
  };
  auto const rounds = [&](auto const& first_run, auto const& heads) {
    round(first_run, heads, sam::detail::values_of(in));
    if constexpr (constexpr int order = effective_order<Policy, Bound>; order > 1)
      for (int r = 1; r < order; ++r)
        round([&](auto const&... arguments) { context.run(arguments...); }, heads,
              static_cast<to_type const*>(out.data));
  };
  // Kernels of a device read the number of counted items themselves.
  constexpr bool is_read_there = is_read_in_place<Number> && works_on_device<Context>;
  if constexpr (is_by_offsets<Segments> && Policy::tuple_size == 1 &&
                heading == direction::forward && effective_order<Policy, Bound> == 1 &&
                single_pass_scheme<typename Policy::carry> && (is_known || is_read_there) &&
                is_array_source<Item> && is_array_place<to_type>) {
    using offset = std::remove_cvref_t<decltype(*segments.data())>;
    auto const items_read = [&] {
      if constexpr (is_known)
        return all_of_them{};
      else
        return number_in_memory(number.at);
    }();
    scan_segments_job<Bound, Item, to_type, offset, std::remove_cvref_t<decltype(op)>, Start,
                      std::remove_const_t<decltype(items_read)>> const job{
        n, in.data, segments.segments(), segments.data(), out.data, op, start, items_read};
    if constexpr (scans_segments<Context, std::remove_const_t<decltype(job)>>)
      if (context.scan_segments(job))
        return;
  }
  constexpr bool marks_offsets = [] {
    if constexpr (is_by_offsets<Segments> && Policy::tuple_size == 1 &&
                  (is_known || (is_read_there && heading == direction::forward)))
      return marks_bits<Context, decltype(std::declval<Segments const&>().template marks<heading>(
                                     nullptr, index_t{}))>;
    else
      return false;
  }();
  if constexpr (marks_offsets) {
    auto* const words = engine::workspace<std::uint32_t>(context, segments.words_for(n));
    auto const marks = segments.template marks<heading>(words, n);
    rounds(
        [&](auto const&... arguments) {
          sam::detail::run_with_marks(context, marks, arguments...);
        },
        heads_by_bit{words});
  } else {
    sam::detail::with_heads<heading, Policy::tuple_size>(
        context, segments, n, components, [&](auto const& heads) {
          auto const run = [&](auto const&... arguments) { context.run(arguments...); };
          if constexpr (is_known || heading == direction::forward)
            rounds(run, heads);
          else
            rounds(run, last_of_first<std::remove_cvref_t<decltype(heads)>, Number>{heads, number,
                                                                                    components});
        });
  }
}

template <bound Bound, class Context, class In, class Segments, class Out, class... Options>
void segmented_scan(char const* function, Context& context, In const& in, Segments const& asked,
                    Out& out, std::source_location at, Options const&... given) {
  using T = accumulator_for<Out, Options...>;
  if constexpr (stands_for_context<Context>) {
    sam::detail::segmented_scan<Bound>(function, *sam::detail::lend_context(context), in, asked,
                                       out, at, given...);
  } else if constexpr (all_right<is_segmented<Context, In, Segments, T, Options...>,
                                 writes_items<parameter::out, Context, Out>,
                                 stores_accumulator<T, item_or_any_t<Out>>>) {
    if constexpr (has_a_start<Bound, T, Options...>::value) {
      auto const options = sam::detail::scan_options_of<T>(given...);
      checked_call const call(context, function, at);
      auto const from = detail::first_items_of<parameter::in>(call, in);
      auto const all = sam::detail::output_of<parameter::out>(call, out);
      sam::detail::expect_components(call, options.policy);
      call.same_size(all, from.all);
      sam::detail::in_place_or_apart(call, all, from.all);
      auto const segments = sam::detail::given_segments(call, asked);
      index_t const n = from.all.size;
      index_t const components = detail::cut_to(n, options.policy).components;
      sam::detail::check_segments(call, segments, n, components, all);
      detail::apart_from_count(call, in, all);
      auto const to = sam::detail::results_as<T>(all);
      if (from.taken.size == 0)
        return;
      auto const place = [&] {  // rounds read one another's results
        if constexpr (effective_order < std::remove_const_t<decltype(options.policy)>, Bound >> 1)
          return sam::detail::results_in_memory(to);
        else
          return to;
      }();
      auto const [first, results] = detail::in_memory(
          context, sam::detail::segments_to_store(segments, div_up(n, components)), place);
      sam::detail::run_segmented_scan<Bound>(
          context, from.taken, sam::detail::stored_segments(segments, first), results,
          options.policy, sam::detail::start_of<Bound, T>(options.policy, options.start),
          from.number);
      sam::detail::give_results(context, results, to, from.taken.size, from.number);
    }
  }
}

// --- From state to state -------------------------------------------------------------------------

/// Marks multiples of a length, counted from the first item of all arrays.
template <class Before>
struct heads_behind {
  static constexpr bool reads_nothing = true;
  heads_by_length<direction::forward> all;
  Before before;
  SAM_FUNCTION bool at(index_t i) const { return all.at((*before).items + i); }
};
template <class Flags, class Context, class Before>
auto heads_on(by_heads<Flags> const& segments, Context& context, index_t n, Before const&) {
  return segments.template heads<direction::forward, 1>(context, n, 1);
}
template <class Context, class Before>
heads_behind<Before> heads_on(by_length const& segments, Context&, index_t, Before const& before) {
  return {heads_by_length<direction::forward>(segments.length), before};
}

/// Marks item 0 if its key is not equal to that of the item before it, which a state holds.
template <class Heads, class Before>
struct heads_after_key {
  Heads heads;
  Before before;

  template <class... P>
  SAM_FUNCTION bool at(index_t i, P const&... p) const {
    if (i == 0)
      return (*before).items == 0 ||
             !static_cast<bool>(heads.equal((*before).key(), heads.key(index_t{0})));
    return heads.at(i, p...);
  }
  SAM_FUNCTION auto pointer() const requires requires(Heads h) { h.pointer(); }
  { return heads.pointer(); }
};
template <class Keyed, class Context, class Before>
auto heads_on(Keyed const& segments, Context& context, index_t n, Before const& before) {
  auto const heads = segments.template heads<direction::forward, 1>(context, n, 1);
  return heads_after_key<std::remove_const_t<decltype(heads)>, Before>{heads, before};
}

/// Scans segments, of which the first one may have begun before item 0, and leaves the state of the
/// last one. The state enters with item 0, unless that begins a segment. Items past their number
/// are loaded and ignored.
template <bound Bound, class Items, class Out, class Nothing, class Before, class State,
          class Number>
struct carried_segments_job : Items {
  using T = result_of_t<Out>;
  using item = headed<T>;
  using typename Items::accumulator;
  static constexpr bool stores_each = true;
  place_of_t<Out> out;
  Nothing nothing;  // what an exclusive scan stores for a head
  Before before;
  State* after;
  Number number;

  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    auto const loaded = Items::load(i, p...);
    item x{static_cast<T>(loaded.value), loaded.head};
    if (i == 0) {
      x.head = x.head || !(*before).has(0);
      if (!x.head)
        x.value = this->op((*before).value(), x.value);
    }
    return x;
  }
  SAM_FUNCTION index_t needed() const requires(!std::is_same_v<Number, known_count>) {
    return number();
  }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const {
    return {x.value, static_cast<heads_beside<T>>(x.head)};
  }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator const& y) const {
    index_t const n = number();
    if (i >= n) {
      if (i == 0)  // the device counts no items
        *after = *before;
      return;
    }
    bool const has_earlier = !x.head && i > 0;  // within this array
    if constexpr (Bound == bound::inclusive)
      engine::put_result(out, i, y.value);
    else
      engine::put_result(out, i,
                         x.head        ? nothing.value
                         : has_earlier ? y.value
                                       : (*before).value());
    if (i != n - 1)
      return;
    if constexpr (Bound == bound::inclusive)
      after->values.at[0] = y.value;
    else
      after->values.at[0] = has_earlier ? this->op(y.value, x.value) : x.value;
    after->items = (*before).items + n;
    if constexpr (is_keyed_state<State>)
      after->last_key.at[0] = this->heads.heads.key(i);
  }
};

/// Scans segments of a stream. Each item is a pair of its value and its head flag.
template <bound Bound, class Items, class Out, class Nothing, class Number>
struct stream_segments_job : Items {
  using pair = typename Items::accumulator;
  static constexpr bound kind = Bound;
  static constexpr bool stores_each = true;
  static constexpr bool computes =
      !std::is_pointer_v<decltype(Items::values)> || !is_array_place<Out>;
  place_of_t<Out> out;
  Nothing nothing;  // what an exclusive scan stores for a head
  Number number;

  SAM_FUNCTION index_t count() const { return number(); }
  SAM_FUNCTION pair load(index_t i) const { return this->to_accumulator(Items::load(i)); }
  SAM_FUNCTION void store(index_t i, pair const& y) const {
    if constexpr (Bound == bound::inclusive)
      engine::put_result(out, i, y.value);
    else
      engine::put_result(out, i, this->heads.at(i) ? nothing.value : y.value);
  }
  SAM_FUNCTION void store_empty([[maybe_unused]] index_t i) const {
    if constexpr (Bound == bound::exclusive)
      engine::put_result(out, i, nothing.value);
  }
  template <class State>
  requires is_keyed_state<State> SAM_FUNCTION void leave(State const& before, State& after) const {
    after.last_key = before.last_key;
    if (number() > 0)
      after.last_key.at[0] = this->heads.heads.key(number() - 1);
  }
};

template <class Segments, class Policy>
struct may_go_on {
  static constexpr bool has_open_segments = !is_by_offsets<Segments>;
  static constexpr bool is_simple =
      Policy::order == 1 && Policy::tuple_size == 1 && Policy::heading == direction::forward;
  static constexpr bool value = has_open_segments && is_simple;
  static_assert(has_open_segments,
                "sam: segments by offsets end with their array; segments that go "
                "on in the next one are by_heads, by_keys or by_length");
  static_assert(is_simple, "sam: the policy of a segmented scan with states must be of order 1 and "
                           "tuples of 1, and go forward");
};
/// Checks the type of a state between segments: by keys, it holds the last key.
template <class Segments, class A, class T, class Policy, bound Bound>
struct is_state_of_segments {
  using state = std::remove_cvref_t<place_item_t<A>>;
  static constexpr bool value = !is_keyed_state<state> &&
                                is_segmented_state<state> == is_stream_state<state> &&
                                holds_values_of<state, T, Policy, Bound>;
  static_assert(value, "sam: before and after of a scan of segments must be sam::scan_states or "
                       "sam::segmented_stream_states of out's item type, or that of "
                       "accumulate_in, and of the call's policy");
};
template <class Keys, class Equal, class A, class T, class Policy, bound Bound>
struct is_state_of_segments<by_keys<Keys, Equal>, A, T, Policy, Bound> {
  using state = std::remove_cvref_t<place_item_t<A>>;
  static constexpr bool value = [] {
    if constexpr (is_keyed_state<state>)
      return std::is_same_v<typename state::key_type, item_or_any_t<Keys>> &&
             holds_values_of<state, T, Policy, Bound>;
    else
      return false;
  }();
  static_assert(value, "sam: before and after of a scan of segments by keys must be "
                       "sam::keyed_scan_states or sam::keyed_stream_states of out's item type or "
                       "that of accumulate_in, of the keys' type and of the call's policy");
};

template <bound Bound, class T, class Context, class In, class Segments, class Out, class Policy,
          class Before, class After>
void run_segmented_scan_on(char const* function, Context& context, In const& in,
                           Segments const& given_segments, Out& out, std::source_location at,
                           Policy const& policy, Before const& before, After& after) {
  sam::detail::with_place(context, after, [&](auto& place) {
    checked_call const call(context, function, at);
    auto const [all, from, number] = detail::first_items_of<parameter::in>(call, in);
    auto const to = sam::detail::output_of<parameter::out>(call, out);
    auto const results = sam::detail::results_as<T>(to);
    call.same_size(to, all);
    sam::detail::in_place_or_apart(call, to, all);
    detail::apart_from_count(call, in, to);
    auto const segments = sam::detail::resolve_segments(call, given_segments);
    sam::detail::check_segments(call, segments, all.size, 1, to);
    auto const start = sam::detail::state_before(call, before, to);
    auto* const end = sam::detail::state_after(call, place, all, to);
    sam::detail::states_apart(call, start, end);
    extent const state{end, 1, sizeof(*end), "after"};
    segments.check_apart(call, state);
    sam::detail::apart_from_arrays(call, state, all);
    detail::apart_from_count(call, in, state);
    if (from.size == 0)
      return sam::detail::copy_state(context, start, end);
    auto const nothing = sam::detail::start_of<Bound, T>(policy, from_nothing{});
    auto const heads = sam::detail::heads_on(segments, context, from.size, start);
    using op_type = typename Policy::op_type;
    auto const values = sam::detail::values_of(from);
    using items = segmented_items<T, heads_beside<T>, std::remove_const_t<decltype(values)>,
                                  std::remove_const_t<decltype(heads)>, op_type, from_nothing>;
    using pair [[maybe_unused]] = typename items::accumulator;
    using to_type = job_output_t<std::remove_const_t<decltype(results)>>;
    using state_type = std::remove_pointer_t<decltype(end)>;
    if constexpr (is_stream_state<state_type>) {
      stream_segments_job<Bound, items, to_type, std::remove_const_t<decltype(nothing)>,
                          std::remove_const_t<decltype(number)>> const job{
          {values, heads, policy.op, {}}, results.data, nothing, number};
      sam::detail::run_stream(context, from.size, job, segmented<op_type>{policy.op}, start, end);
    } else {
      carried_segments_job<Bound, items, to_type, std::remove_const_t<decltype(nothing)>,
                           std::remove_const_t<decltype(start)>, state_type,
                           std::remove_const_t<decltype(number)>> const job{
          {values, heads, policy.op, {}}, results.data, nothing, start, end, number};
      scan_policy<segmented<op_type>, 1, 1,
                  carry::without_stored_values<typename Policy::carry>> const pass{{policy.op}};
      if constexpr (Bound == bound::inclusive)
        context.run(from.size, job, engine::resolve_policy<Bound>(pass, from_nothing{}));
      else
        context.run(from.size, job,
                    engine::resolve_policy<Bound>(pass, from_value<pair>{{nothing.value, 0}}));
    }
  });
  sam::detail::wait_for_variable(context, after);
}

template <bound Bound, class Context, class In, class Segments, class Out, class Option,
          class Before, class After>
void segmented_scan_on(char const* function, Context& context, In const& in,
                       Segments const& segments, Out& out, std::source_location at,
                       Option const& option, Before const& before, After& after) {
  using T = accumulator_for<Out, Option>;
  using policy = decltype(sam::as_policy(std::declval<Option>()));
  if constexpr (stands_for_context<Context>)
    sam::detail::segmented_scan_on<Bound>(function, *sam::detail::lend_context(context), in,
                                          segments, out, at, option, before, after);
  else if constexpr (all_right<is_segmented<Context, In, Segments, T, Option>,
                               writes_items<parameter::out, Context, Out>,
                               stores_accumulator<T, item_or_any_t<Out>>,
                               may_go_on<Segments, policy>, has_a_start<Bound, T, Option>,
                               is_state_of_segments<Segments, Before, T, policy, Bound>,
                               are_one_state<Before, After>, reads_state<Context, Before>,
                               writes_state<Context, After>>)
    sam::detail::run_segmented_scan_on<Bound, T>(function, context, in, segments, out, at,
                                                 sam::as_policy(option), before, after);
}

}  // namespace detail

/// Computes an inclusive scan of every segment by itself: out[i] combines, in index order, in[i]
/// and all earlier items of its segment. A backward policy combines in[i] and all later ones of its
/// segment.
///
/// in, out      n items each, as for inclusive_scan; out may be in, which may be
///              sam::counted(items, number). Segments belong to all items that there may be. in may
///              be a computed input (<sam/inputs.hpp>) and out a computed output
///              (<sam/outputs.hpp>), whose arrays lie apart from all others. With order 1 it takes
///              results as they are made, else from memory of the context at the end
/// segments     by_heads(flags), by_offsets(offsets), by_checked_offsets(offsets) or by_keys(keys),
///              which are arrays apart from out, or by_length(length), see <sam/segments.hpp>. Keys
///              may be a computed input. The
///              first item always begins a segment. For a backward policy the last item does, and a
///              flag marks where a segment ends
/// options      as for inclusive_scan: an operator or a scan_policy, and an initial value, which
///              precedes the first item of every segment, in every round. Only an operator that is
///              lanewise may be called with items of two segments; its result is then discarded.
///              With tuples, items i, i + s, i + 2s, ... are scanned separately, so a head flag of
///              item i begins a segment of its component only. Order q is q such scans. The scheme
///              scan_then_propagate runs as reduce_then_scan
/// traffic      n reads and n writes of an item in every round, and one read of the segments: 1
///              byte or 1/8 byte per flag, or a key, for each item. By offsets n / 8 bytes are also
///              written, and each offset is read once. Segments of any length cost the same
/// workspace    by offsets n / 8 bytes, which `context` keeps
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       as inclusive_scan; also sam::invalid_argument if the segments' array does not have
///              the required size, overlaps out or, with by_checked_offsets, is invalid; nothing is
///              written
/// source       Sengupta, Harris, Zhang, Owens, Graphics Hardware 2007 (segmented scans on GPUs);
///              Blelloch, 1990 (the operator on pairs); Maleki, Yang, Burtscher, PLDI 2016
template <class Context, class In, class Segments, class Out>
void segmented_inclusive_scan(Context&& context, In const& in, Segments const& segments, Out&& out,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<engine::bound::inclusive>("sam::segmented_inclusive_scan", context, in,
                                                   segments, out, at);
}
template <class Context, class In, class Segments, class Out, class Option>
void segmented_inclusive_scan(Context&& context, In const& in, Segments const& segments, Out&& out,
                              Option option,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<engine::bound::inclusive>("sam::segmented_inclusive_scan", context, in,
                                                   segments, out, at, option);
}
template <class Context, class In, class Segments, class Out, class Option,
          class Other = detail::item_or_any_t<Out>>
void segmented_inclusive_scan(Context&& context, In const& in, Segments const& segments, Out&& out,
                              Option option, Other other,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<engine::bound::inclusive>("sam::segmented_inclusive_scan", context, in,
                                                   segments, out, at, option, other);
}

/// Continues a segmented scan: the segment that is open at the end of one array goes on in the
/// next.
///
/// segments     by_heads(flags), in which a flag at item 0 ends the open segment;
///              by_length(length), counted from the first item of all arrays; or by_keys(keys),
///              where the open segment goes on if keys begins with the last key before
/// policy       an operator or a policy of order 1 and tuples of 1 that goes forward, or
///              sam::accumulate_in of one
/// before       a scan_state<T, Policy> of the open segment, as for inclusive_scan with states: its
///              value is the segment's total so far. By keys, a keyed_scan_state<T, Key, Policy>. A
///              default state begins a scan. With a segmented_stream_state<T, Policy>, or a
///              keyed_stream_state, floats get the bits of one scan of all arrays
/// after        a place for such a state
/// Everything else is as above.
template <class Context, class In, class Segments, class Out, class Option, class Before,
          class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void segmented_inclusive_scan(
    Context&& context, In const& in, Segments const& segments, Out&& out, Option policy,
    Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  detail::segmented_scan_on<engine::bound::inclusive>("sam::segmented_inclusive_scan", context, in,
                                                      segments, out, at, policy, before, after);
}

/// Computes an exclusive scan of every segment by itself: out[i] combines all items of its segment
/// before i (backward: after i), from the initial value on. Without one, it starts from the
/// combination of no items. Everything else is as for segmented_inclusive_scan.
template <class Context, class In, class Segments, class Out>
void segmented_exclusive_scan(Context&& context, In const& in, Segments const& segments, Out&& out,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<engine::bound::exclusive>("sam::segmented_exclusive_scan", context, in,
                                                   segments, out, at);
}
template <class Context, class In, class Segments, class Out, class Option>
void segmented_exclusive_scan(Context&& context, In const& in, Segments const& segments, Out&& out,
                              Option option,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<engine::bound::exclusive>("sam::segmented_exclusive_scan", context, in,
                                                   segments, out, at, option);
}
template <class Context, class In, class Segments, class Out, class Option,
          class Other = detail::item_or_any_t<Out>>
void segmented_exclusive_scan(Context&& context, In const& in, Segments const& segments, Out&& out,
                              Option option, Other other,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<engine::bound::exclusive>("sam::segmented_exclusive_scan", context, in,
                                                   segments, out, at, option, other);
}

/// Continues an exclusive segmented scan, as segmented_inclusive_scan with states does. The
/// operator has an identity.
template <class Context, class In, class Segments, class Out, class Option, class Before,
          class After>
requires(detail::holds_states<Before>&& detail::holds_states<After>) void segmented_exclusive_scan(
    Context&& context, In const& in, Segments const& segments, Out&& out, Option policy,
    Before const& before, After&& after,
    std::source_location at = std::source_location::current()) {
  detail::segmented_scan_on<engine::bound::exclusive>("sam::segmented_exclusive_scan", context, in,
                                                      segments, out, at, policy, before, after);
}

}  // namespace sam::inline v0_1
