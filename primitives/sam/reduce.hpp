// SPDX-License-Identifier: MIT
// The combination of all items: the end of a scan whose other values nobody wants.
#pragma once

#include <sam/scan.hpp>

namespace sam {

namespace detail {

/// Loads an item, transforms it, and stores the scan values of the last row.
template <class In, class T, class Transform>
struct reduce_job : scan_job<In, T, Transform> {
  using base = scan_job<In, T, Transform>;
  index_t n;
  index_t components;

  SAM_FUNCTION void finish(index_t i, In, T y) const {
    if (n - i <= components)
      this->out[i % components] = y;
  }
  void target() const = delete;
  void again() const = delete;
};

/// Stores one value everywhere.
template <class T>
struct fill_job {
  using item = T;
  using summary = T;
  T* out;
  T value;

  SAM_FUNCTION T load(index_t) const { return value; }
  SAM_FUNCTION T summarise(T x) const { return x; }
  SAM_FUNCTION void finish(index_t i, T x, T) const { out[i] = x; }
};

template <class Context, class In, class Out, class Transform, class Policy, class Start>
void reduce(std::string_view function, Context& context, In const& in, Out& out,
            Transform transform, Policy const& policy, Start start, std::source_location at) {
  using T = item_of<Out>;
  using op = typename Policy::op_type;
  static_assert(sam::context<Context>, "sam: the first argument must be a back end's context");
  static_assert(is_within_reach<Context, In> && is_within_reach<Context, Out>,
                "sam: the context cannot reach the memory space of in or out");
  static_assert(std::is_trivially_copyable_v<T>, "sam: items must be trivially copyable");
  static_assert(scan_operator<op, T>,
                "sam: the operator needs T operator()(T, T) const, T being out's item type; see "
                "docs/extending.md");
  static_assert(Policy::order == 1 && Policy::heading == direction::forward,
                "sam: a reduction is of order 1 and goes forward");
  [[maybe_unused]] auto const named = name_call(context, function);
  index_t const n = size_of(in), s = policy.components;
  expect_items(function, "in", in, at);
  expect_items(function, "out", out, at);
  if (s < 1)
    throw invalid_argument(
        function, "policy",
        "has tuples of " + std::to_string(s) + " components; there must be at least 1", at);
  if (size_of(out) != s)
    throw invalid_argument(function, "out",
                           "holds " + std::to_string(size_of(out)) +
                               " items; it must hold one for each of " + std::to_string(s) +
                               " components",
                           at);
  expect_apart(function, "out", out, "in", in, at);
  expect_reach(function, "in", context, in, at);
  expect_reach(function, "out", context, out, at);
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
    run(context, s, fill_job<T>{out.data(), value()},
        make_pass<bound::inclusive>(scan_policy<rightmost>{}, from_nothing{}));
  }
  if (n > 0)
    run(context, n, reduce_job<item_of<In>, T, Transform>{{in.data(), out.data(), transform}, n, s},
        make_pass<bound::inclusive>(policy, start));
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

template <class Context, array In, output_array Out, class Transform, class Policy>
void transform_reduce(Context& context, In const& in, Out&& out, Transform transform, Policy policy,
                      item_of<Out> init,
                      std::source_location at = std::source_location::current()) {
  detail::reduce("sam::transform_reduce", context, in, out, transform, as_policy(policy),
                 from_value<item_of<Out>>{init}, at);
}

}  // namespace sam
