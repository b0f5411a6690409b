// SPDX-License-Identifier: MIT
// Runs reductions of every segment, or of every run of equal keys, of what is computed from items:
// tests, counts, products, extremes. An object says what is reduced.
#pragma once

#include <sam/inputs.hpp>
#include <sam/outputs.hpp>
#include <sam/segmented_reduce.hpp>

namespace sam::inline v0_1::detail {

/// Base of an object that says what is reduced. The object may hide these members, and has besides:
///   name, name_by_key       of the functions, for errors
///   check<Context, In, Out> which checks a call when it is compiled
///   change<T>(items, n)     the input to reduce, whose items convert to T
///   options<T>(n)           the operator, and where segments start
///   with_choice<Context>(items, n, use)  optional: calls use with an object that reduces alike
/// n is the number of all items.
struct reduces_to_items {
  static constexpr bool holds_n = false;  // true if out receives indices or numbers of items
  template <class In, class Out>
  using total = item_or_any_t<Out>;
  /// Returns out as an output of totals.
  template <class T, class Out>
  static Out& to(Out& out, index_t) {
    return out;
  }
  template <class Context>
  void expect(checked_call<Context> const&, extent const&) const {}
};

/// Calls use(what), or as the object chooses for n items, by an optional with_choice.
template <class Context, class What, class In, class Use>
void with_choice(What const& what, In const& in, index_t n, Use const& use) {
  if constexpr (requires { what.template with_choice<Context>(in, n, use); })
    what.template with_choice<Context>(in, n, use);
  else
    use(what);
}

/// Checks what no reduction does, and returns the number of all items.
template <class What, class Out, class Context, class In>
index_t items_to_reduce(char const* function, Context& context, What const& what, In const& in,
                        std::source_location at) {
  checked_call const call(context, function, at);
  extent const all = sam::detail::input_of<parameter::in>(call, detail::items_within(in));
  if constexpr (What::holds_n)
    call.template fits<item_or_any_t<Out>>("out", all.items);
  what.expect(call, all);
  return all.items;
}

template <class What, class Context, class In, class Segments, class Out, class Count>
void reduce_each(Context& context, What const& what, In const& in, Segments const& segments,
                 Out& out, Count& count, std::source_location at) {
  index_t const n = sam::detail::items_to_reduce<What, Out>(What::name, context, what, in, at);
  sam::detail::with_choice<Context>(what, in, n, [&]<class Chosen>(Chosen const& chosen) {
    using T = typename Chosen::template total<In, Out>;
    auto&& to = chosen.template to<T>(out, n);
    sam::detail::with_changed(
        in, [&](auto const& items) { return chosen.template change<T>(items, n); },
        [&](auto const& changed) {
          auto const options = chosen.template options<T>(n);
          if constexpr (is_by_offsets<Segments>)
            sam::detail::segmented_reduce_by_offsets(What::name, context, changed, segments, to,
                                                     options, at);
          else
            sam::detail::segmented_reduce(What::name, context, changed, segments, to, count,
                                          options, at);
        });
  });
}

/// Checks a reduction of every segment at compile time.
template <class What, class Context, class In, class Segments, class Out>
using reduces_each =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     are_segments<Segments>, writes_items<parameter::out, Context, Out>,
                     typename What::template check<Context, In, Out>>;

template <class What, class Context, class In, class Segments, class Out, class Count>
void reduce_each_counted(Context& context, What const& what, In const& in, Segments const& segments,
                         Out& out, Count& count, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::reduce_each_counted(*sam::detail::lend_context(context), what, in, segments, out,
                                     count, at);
  else if constexpr (all_right<reduces_each<What, Context, In, Segments, Out>,
                               counts_to<parameter::count, Context, Count&>>)
    sam::detail::with_place(context, count, [&](auto& place) {
      sam::detail::reduce_each(context, what, in, segments, out, place, at);
    });
}
/// Returns nothing by offsets, else the number of segments.
template <class What, class Context, class In, class Segments, class Out>
auto reduce_each_alone(Context& context, What const& what, In const& in, Segments const& segments,
                       Out& out, std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::reduce_each_alone(*sam::detail::lend_context(context), what, in, segments,
                                          out, at);
  else if constexpr (!is_by_offsets<Segments>)
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::reduce_each_counted(context, what, in, segments, out, count, at);
    });
  else if constexpr (reduces_each<What, Context, In, Segments, Out>::value)
    sam::detail::reduce_each(context, what, in, segments, out, out, at);
}

template <class What, class Context, class Keys, class In, class UniqueKeys, class Out, class Count,
          class Equal>
void reduce_runs_counted(Context& context, What const& what, Keys const& keys, In const& in,
                         UniqueKeys& unique_keys, Out& out, Count& count, Equal const& equal,
                         std::source_location at) {
  if constexpr (stands_for_context<Context>)
    sam::detail::reduce_runs_counted(*sam::detail::lend_context(context), what, keys, in,
                                     unique_keys, out, count, equal, at);
  else if constexpr (all_right<is_context<Context>,
                               reads_first_items<parameter::keys, Context, Keys>,
                               is_equivalence<Context, Equal, array_within_t<Keys>>,
                               reads_items<parameter::in, Context, In>,
                               writes_items<parameter::out, Context, Out>,
                               typename What::template check<Context, In, Out>,
                               writes_items<parameter::unique_keys, Context, UniqueKeys>,
                               counts_to<parameter::count, Context, Count&>,
                               have_one_item_type<Keys, UniqueKeys>>) {
    index_t const n =
        sam::detail::items_to_reduce<What, Out>(What::name_by_key, context, what, in, at);
    sam::detail::with_choice<Context>(what, in, n, [&]<class Chosen>(Chosen const& chosen) {
      using T = typename Chosen::template total<In, Out>;
      auto&& to = chosen.template to<T>(out, n);
      sam::detail::with_place(context, count, [&](auto& place) {
        sam::detail::reduce_by_key(What::name_by_key, context, keys,
                                   chosen.template change<T>(in, n), unique_keys, to, place,
                                   chosen.template options<T>(n), equal, at);
      });
    });
  }
}
template <class What, class Context, class Keys, class In, class UniqueKeys, class Out, class Equal>
index_t reduce_runs_alone(Context& context, What const& what, Keys const& keys, In const& in,
                          UniqueKeys& unique_keys, Out& out, Equal const& equal,
                          std::source_location at) {
  if constexpr (stands_for_context<Context>)
    return sam::detail::reduce_runs_alone(*sam::detail::lend_context(context), what, keys, in,
                                          unique_keys, out, equal, at);
  else
    return sam::detail::count_of(context, [&](auto count) {
      sam::detail::reduce_runs_counted(context, what, keys, in, unique_keys, out, count, equal, at);
    });
}

}  // namespace sam::inline v0_1::detail
