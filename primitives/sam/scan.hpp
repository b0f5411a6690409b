// SPDX-License-Identifier: MIT
// inclusive_scan and exclusive_scan, each also with a transform fused into the load.
#pragma once

#include <sam/array.hpp>
#include <sam/context.hpp>
#include <sam/job.hpp>

#include <functional>
#include <utility>

namespace sam {

namespace detail {

/// The later of two items: an exclusive scan with it yields every item's predecessor.
struct rightmost {
  static constexpr bool idempotent = true;
  template <class T>
  SAM_FUNCTION constexpr T operator()(T, T b) const {
    return b;
  }
};

/// Loads an item, transforms it, stores its scan value.
template <class In, class T, class Transform>
struct scan_job {
  using item = In;
  using summary = T;
  static constexpr bool plain = std::is_same_v<Transform, std::identity> && std::is_same_v<In, T>;
  In const* in;
  T* out;
  Transform transform;

  SAM_FUNCTION auto reads() const { return make_pointers(in); }
  SAM_FUNCTION item load(index_t, In const* x) const { return *x; }
  SAM_FUNCTION item load(index_t i) const { return in[i]; }
  SAM_FUNCTION summary summarise(item x) const {
    if constexpr (std::is_same_v<Transform, std::identity>)
      return static_cast<T>(x);
    else
      return static_cast<T>(transform(x));
  }
  SAM_FUNCTION void finish(index_t i, item, summary y) const { out[i] = y; }

  SAM_FUNCTION T const* source() const requires plain { return in; }
  SAM_FUNCTION T* target() const { return out; }
  auto again() const { return scan_job<T, T, std::identity>{out, out, {}}; }
};

/// What a scan asks of its arguments, but for how large out is and how in and out may lie.
template <class Context, class In, class Out, class Policy>
void expect_scan(std::string_view function, Context const& context, In const& in, Out const& out,
                 Policy const& policy, std::source_location at) {
  using T = item_of<Out>;
  static_assert(sam::context<Context>, "sam: the first argument must be a back end's context");
  static_assert(is_within_reach<Context, In> && is_within_reach<Context, Out>,
                "sam: the context cannot reach the memory space of in or out");
  static_assert(std::is_trivially_copyable_v<T>, "sam: items must be trivially copyable");
  static_assert(scan_operator<typename Policy::op_type, T>,
                "sam: the operator needs T operator()(T, T) const, T being out's item type; see "
                "docs/extending.md");
  static_assert(runs_on<Context, typename Policy::op_type, T, T>::value);
  expect_items(function, "in", in, at);
  expect_items(function, "out", out, at);
  if (policy.components < 1)
    throw invalid_argument(function, "policy",
                           "has tuples of " + std::to_string(policy.components) +
                               " components; there must be at least 1",
                           at);
  expect_reach(function, "in", context, in, at);
  expect_reach(function, "out", context, out, at);
}

template <bound Bound, class Context, class In, class Out, class Transform, class Policy,
          class Start>
void scan(std::string_view function, Context& context, In const& in, Out& out, Transform transform,
          Policy const& policy, Start start, std::source_location at) {
  using T = item_of<Out>;
  [[maybe_unused]] auto const call = begin_call(context, function);
  expect_scan(function, context, in, out, policy, at);
  expect_runs_on<Context, Transform, item_of<In>>();
  expect_same_size(function, in, out, at);
  expect_same_or_apart(function, in, out, at);
  index_t const n = size_of(in);
  if (n == 0)
    return;
  scan_job<item_of<In>, T, Transform> const job{in.data(), out.data(), transform};
  auto const pass = make_pass<Bound>(cut_to(n, policy), start);
  if constexpr (Policy::heading == direction::forward)
    run(context, n, job, pass);
  else
    run(context, n, reversed<std::remove_const_t<decltype(job)>>{job, n}, pass);
}

template <class T, class Policy>
constexpr auto identity_start(Policy const& policy) {
  static_assert(has_identity<typename Policy::op_type, T>,
                "sam: this operator has no identity over out's item type; give exclusive_scan an "
                "initial value");
  return from_value<T>{identity_of<T>(policy.op)};
}

}  // namespace detail

/// Inclusive scan: out[i] combines, in index order, in[i] and all earlier items of its component
/// (i % tuple_size); applied `order` times. A backward policy combines in[i] and all later ones.
///
/// in, out      n items each, in memory that `context` reaches. out may be in; any other overlap
///              is an error. n may be 0, may exceed 2^32, and need not be a multiple of the tuple
///              size. Any alignment that the item type allows.
/// policy       a scan_policy, or just an operator: it works on out's item type, to which the
///              items of in are converted as they are loaded
/// traffic      n reads and n writes of one item, for every order and tuple size, with the
///              single-pass schemes
/// workspace    none per call: `context` holds a constant amount, and grows it where a policy needs
///              more than any before it
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, out overlaps in, or the policy has no
///                                     components; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Maleki, Yang, Burtscher, PLDI 2016, sections 2.2 to 2.4
template <class Context, array In, output_array Out, class Policy = scan_policy<>>
void inclusive_scan(Context& context, In const& in, Out&& out, Policy policy = {},
                    std::source_location at = std::source_location::current()) {
  detail::scan<bound::inclusive>("sam::inclusive_scan", context, in, out, std::identity{},
                                 as_policy(policy), from_nothing{}, at);
}

/// As above; `init` stands before the first item of every component, in every round.
template <class Context, array In, output_array Out, class Policy>
void inclusive_scan(Context& context, In const& in, Out&& out, Policy policy, item_of<Out> init,
                    std::source_location at = std::source_location::current()) {
  detail::scan<bound::inclusive>("sam::inclusive_scan", context, in, out, std::identity{},
                                 as_policy(policy), from_value<item_of<Out>>{init}, at);
}

/// Exclusive scan: out[i] combines, in index order, all items of its component before i (backward:
/// after i), starting from the operator's identity; applied `order` times, so the inclusive scan
/// of that order shifted by `order` tuples. All else as for inclusive_scan.
template <class Context, array In, output_array Out, class Policy = scan_policy<>>
void exclusive_scan(Context& context, In const& in, Out&& out, Policy policy = {},
                    std::source_location at = std::source_location::current()) {
  auto const whole = as_policy(policy);
  detail::scan<bound::exclusive>("sam::exclusive_scan", context, in, out, std::identity{}, whole,
                                 detail::identity_start<item_of<Out>>(whole), at);
}

/// As above; every round starts from `init`, and the operator needs no identity.
template <class Context, array In, output_array Out, class Policy>
void exclusive_scan(Context& context, In const& in, Out&& out, Policy policy, item_of<Out> init,
                    std::source_location at = std::source_location::current()) {
  detail::scan<bound::exclusive>("sam::exclusive_scan", context, in, out, std::identity{},
                                 as_policy(policy), from_value<item_of<Out>>{init}, at);
}

/// inclusive_scan of transform(in[i]), which is computed as items are loaded, once per item of a
/// single-pass scheme. Its result is converted to out's item type; in may be of any other.
template <class Context, array In, output_array Out, class Transform, class Policy = scan_policy<>>
void transform_inclusive_scan(Context& context, In const& in, Out&& out, Transform transform,
                              Policy policy = {},
                              std::source_location at = std::source_location::current()) {
  detail::scan<bound::inclusive>("sam::transform_inclusive_scan", context, in, out, transform,
                                 as_policy(policy), from_nothing{}, at);
}

/// As above; every round starts from `init`.
template <class Context, array In, output_array Out, class Transform, class Policy>
void transform_inclusive_scan(Context& context, In const& in, Out&& out, Transform transform,
                              Policy policy, item_of<Out> init,
                              std::source_location at = std::source_location::current()) {
  detail::scan<bound::inclusive>("sam::transform_inclusive_scan", context, in, out, transform,
                                 as_policy(policy), from_value<item_of<Out>>{init}, at);
}

/// exclusive_scan of transform(in[i]); see transform_inclusive_scan.
template <class Context, array In, output_array Out, class Transform, class Policy = scan_policy<>>
void transform_exclusive_scan(Context& context, In const& in, Out&& out, Transform transform,
                              Policy policy = {},
                              std::source_location at = std::source_location::current()) {
  auto const whole = as_policy(policy);
  detail::scan<bound::exclusive>("sam::transform_exclusive_scan", context, in, out, transform,
                                 whole, detail::identity_start<item_of<Out>>(whole), at);
}

/// As above; every round starts from `init`, and the operator needs no identity.
template <class Context, array In, output_array Out, class Transform, class Policy>
void transform_exclusive_scan(Context& context, In const& in, Out&& out, Transform transform,
                              Policy policy, item_of<Out> init,
                              std::source_location at = std::source_location::current()) {
  detail::scan<bound::exclusive>("sam::transform_exclusive_scan", context, in, out, transform,
                                 as_policy(policy), from_value<item_of<Out>>{init}, at);
}

}  // namespace sam
