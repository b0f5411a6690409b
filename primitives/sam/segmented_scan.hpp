// SPDX-License-Identifier: MIT
// segmented_inclusive_scan and segmented_exclusive_scan: a scan in each of many segments, in one
// pass over all items.
#pragma once

#include <sam/scan.hpp>
#include <sam/segments.hpp>

namespace sam {

namespace detail {

/// One round.
template <bound Bound, direction Heading, class Carry, int TupleSize, class Context, class In,
          class T, class Heads, class Op, class Start>
void segmented_round(Context& context, index_t n, index_t components, In const* in, T* out,
                     Heads const& heads, Op const& op, Start const& start) {
  using heads_type = heads_beside<T>;
  using items = segmented_items<T, heads_type, In const*, Heads, Op, Start>;
  using pair = segmented_value<T, heads_type>;
  segmented_scan_job<Bound, items> const job{{{in, heads, op, start}}, out};
  scan_policy<segmented<Op>, 1, TupleSize, carry::without_stored_values<Carry>> const policy{
      {op}, components};
  auto const pass = make_pass<Bound>(policy, [&] {
    if constexpr (std::is_same_v<Start, from_nothing>)
      return start;
    else
      return from_value<pair>{{start.value, 0}};  // of the first segments
  }());
  if constexpr (Heading == direction::forward)
    run(context, n, job, pass);
  else
    run(context, n, reversed<std::remove_const_t<decltype(job)>>{job, n}, pass);
}

template <bound Bound, class Context, class In, class Segments, class Out, class Policy,
          class Start>
void segmented_scan(std::string_view function, Context& context, In const& in,
                    Segments const& segments, Out& out, Policy const& policy, Start const& start,
                    std::source_location at) {
  [[maybe_unused]] auto const call = begin_call(context, function);
  constexpr direction heading = Policy::heading;
  expect_scan(function, context, in, out, policy, at);
  expect_same_size(function, in, out, at);
  expect_same_or_apart(function, in, out, at);
  index_t const n = size_of(in), components = cut_to(n, policy).components;
  segments.expect(function, context, n, components, out, at);
  if (n == 0)
    return;
  auto const op = [&] {
    if constexpr (heading == direction::forward)
      return policy.op;
    else
      return flip(policy.op);
  }();
  with_heads<heading, Policy::tuple_size>(context, segments, n, components, [&](auto const& heads) {
    auto const round = [&](auto const* from) {
      segmented_round<Bound, heading, typename Policy::carry, Policy::tuple_size>(
          context, n, components, from, out.data(), heads, op, start);
    };
    round(static_cast<item_of<In> const*>(in.data()));
    for (int r = 1; r < effective_order<Policy, Bound>; ++r)
      round(static_cast<item_of<Out> const*>(out.data()));
  });
}

}  // namespace detail

/// Inclusive scan of every segment by itself: out[i] combines, in index order, in[i] and all
/// earlier items of its segment. A backward policy combines in[i] and all later ones of its
/// segment.
///
/// in, out      n items each, as for inclusive_scan; out may be in
/// segments     by_heads(flags), by_offsets(offsets), by_checked_offsets(offsets) or by_keys(keys),
///              which are arrays apart from out, or by_length(length), see <sam/segments.hpp>. The
///              first item begins a segment in any case; for a backward policy the last one does,
///              and a flag marks where one ends
/// policy       a scan_policy, or just an operator, which never meets items of two segments, but
///              for those of the library. With tuples, items i, i + s, i + 2s, ... are scanned by
///              themselves, so a head flag of item i ends a segment of these only. Order q is q
///              such scans. Under the scheme scan_then_propagate it goes as under reduce_then_scan
/// traffic      n reads and n writes of an item, and one read of what says where segments lie, for
///              every round: of 1 byte a flag, 1/8, or a key. By offsets n/8 bytes are also
///              written, and each offset is read once. Segments of any length cost the same
/// workspace    by offsets n/8 bytes, which `context` keeps
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       as inclusive_scan; also sam::invalid_argument  if the segments' array is not as
///              long as it must be, overlaps out or, by_checked_offsets, is wrong; nothing is
///              written
/// source       Sengupta, Harris, Zhang, Owens, Graphics Hardware 2007 (segmented scans on GPUs);
///              Blelloch, 1990 (the operator on pairs); Maleki, Yang, Burtscher, PLDI 2016
template <class Context, array In, segments Segments, output_array Out,
          class Policy = scan_policy<>>
void segmented_inclusive_scan(Context& context, In const& in, Segments const& segments, Out&& out,
                              Policy policy = {},
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<bound::inclusive>("sam::segmented_inclusive_scan", context, in, segments,
                                           out, as_policy(policy), from_nothing{}, at);
}

/// As above; `init` stands before the first item of every segment, in every round.
template <class Context, array In, segments Segments, output_array Out, class Policy>
void segmented_inclusive_scan(Context& context, In const& in, Segments const& segments, Out&& out,
                              Policy policy, item_of<Out> init,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<bound::inclusive>("sam::segmented_inclusive_scan", context, in, segments,
                                           out, as_policy(policy), from_value<item_of<Out>>{init},
                                           at);
}

/// Exclusive scan of every segment by itself: out[i] combines all items of its segment before i
/// (backward: after i), starting from the combination of no items, which of a sum is 0. All else as
/// for segmented_inclusive_scan.
template <class Context, array In, segments Segments, output_array Out,
          class Policy = scan_policy<>>
void segmented_exclusive_scan(Context& context, In const& in, Segments const& segments, Out&& out,
                              Policy policy = {},
                              std::source_location at = std::source_location::current()) {
  auto const whole = as_policy(policy);
  detail::segmented_scan<bound::exclusive>("sam::segmented_exclusive_scan", context, in, segments,
                                           out, whole,
                                           detail::start_of_nothing<item_of<Out>>(whole), at);
}

/// As above; every segment starts from `init`, in every round, and the operator needs no identity.
template <class Context, array In, segments Segments, output_array Out, class Policy>
void segmented_exclusive_scan(Context& context, In const& in, Segments const& segments, Out&& out,
                              Policy policy, item_of<Out> init,
                              std::source_location at = std::source_location::current()) {
  detail::segmented_scan<bound::exclusive>("sam::segmented_exclusive_scan", context, in, segments,
                                           out, as_policy(policy), from_value<item_of<Out>>{init},
                                           at);
}

}  // namespace sam
