// SPDX-License-Identifier: MIT
// The combination of all items: the end of a scan whose other values nobody wants.
#pragma once

#include <sam/fill_job.hpp>
#include <sam/scan.hpp>

namespace sam {

namespace detail {

/// Loads an item, transforms it, and stores the scan values of the last row.
template <class In, class T, class Transform>
struct reduce_job : scan_job<In, T, Transform> {
  using base = scan_job<In, T, Transform>;
  static constexpr bool ends = true;
  using whole = base;
  index_t n;
  index_t components;

  SAM_FUNCTION void finish(index_t i, In, T y) const {
    if (n - i <= components)
      this->out[i % components] = y;
  }
  void target() const = delete;
  void again() const = delete;
};

template <class Context, class In, class Out, class Transform, class Policy, class Start>
void reduce(std::string_view function, Context& context, In const& in, Out& out,
            Transform transform, Policy const& policy, Start start, std::source_location at) {
  using T = item_of<Out>;
  using op = typename Policy::op_type;
  static_assert(Policy::order == 1 && Policy::heading == direction::forward,
                "sam: a reduction is of order 1 and goes forward");
  [[maybe_unused]] auto const call = begin_call(context, function);
  index_t const n = size_of(in), s = policy.components;
  expect_scan(function, context, in, out, policy, at);
  expect_runs_on<Context, Transform, item_of<In>>();
  if (size_of(out) != s)
    throw invalid_argument(function, "out",
                           "holds " + std::to_string(size_of(out)) +
                               " items; it must hold one for each of " + std::to_string(s) +
                               " components",
                           at);
  expect_apart(function, "out", out, "in", in, at);
  if (n < s) {  // components without items
    auto const value = [&]() -> T {
      if constexpr (!std::is_same_v<Start, from_nothing>)
        return start.value;
      else if constexpr (has_identity<op, T>)
        return identity_of<T>(policy.op);
      else
        throw invalid_argument(function, "in",
                               "holds " + std::to_string(n) + " items for " + std::to_string(s) +
                                   " components, and the operator has no identity; give an "
                                   "initial value",
                               at);
    };
    fill(context, s, out.data(), value());
  }
  if (n > 0)
    run(context, n, reduce_job<item_of<In>, T, Transform>{{in.data(), out.data(), transform}, n, s},
        carried_by<carry::without_stored_values<typename Policy::carry>>(
            make_pass<bound::inclusive>(policy, start)));
}

}  // namespace detail

/// Reduction: out[c] combines, in index order, all items of component c of in; of components
/// without items it is the operator's identity.
///
/// in           n items in memory that `context` reaches
/// out          one item for each component of the policy, apart from in
/// policy       a scan_policy of order 1, or just an operator, which need not commute
/// traffic      n reads of one item
/// determinism  the same bits on every run and for every number of threads, floats included, and
///              those of inclusive_scan's last values
/// returns      once the work is queued; context.wait() before reading out
/// throws       as inclusive_scan; also sam::invalid_argument if out does not hold one item for
///              each component, or if one has no items and the operator no identity
/// source       as inclusive_scan, of which this is the end
template <class Context, array In, output_array Out, class Policy = scan_policy<>>
void reduce(Context& context, In const& in, Out&& out, Policy policy = {},
            std::source_location at = std::source_location::current()) {
  detail::reduce("sam::reduce", context, in, out, std::identity{}, as_policy(policy),
                 from_nothing{}, at);
}

/// As above; every component starts from `init`, and the operator needs no identity.
template <class Context, array In, output_array Out, class Policy>
void reduce(Context& context, In const& in, Out&& out, Policy policy, item_of<Out> init,
            std::source_location at = std::source_location::current()) {
  detail::reduce("sam::reduce", context, in, out, std::identity{}, as_policy(policy),
                 from_value<item_of<Out>>{init}, at);
}

/// reduce of transform(in[i]), which is converted to out's item type.
template <class Context, array In, output_array Out, class Transform, class Policy = scan_policy<>>
void transform_reduce(Context& context, In const& in, Out&& out, Transform transform,
                      Policy policy = {},
                      std::source_location at = std::source_location::current()) {
  detail::reduce("sam::transform_reduce", context, in, out, transform, as_policy(policy),
                 from_nothing{}, at);
}

/// As above; every component starts from `init`, and the operator needs no identity.
template <class Context, array In, output_array Out, class Transform, class Policy>
void transform_reduce(Context& context, In const& in, Out&& out, Transform transform, Policy policy,
                      item_of<Out> init,
                      std::source_location at = std::source_location::current()) {
  detail::reduce("sam::transform_reduce", context, in, out, transform, as_policy(policy),
                 from_value<item_of<Out>>{init}, at);
}

}  // namespace sam
