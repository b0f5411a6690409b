// SPDX-License-Identifier: MIT
// Maps requests to few kinds of segmented scans and reductions.
#pragma once

#include "engine/scan_items.hpp"
#include "engine/segments_in_reach.hpp"

namespace sam::tool {

/// Captures the operator and initial value that scan_forwards would scan with, without scanning.
template <class T>
struct chosen_operator {
  using U = modular_item<T>;
  struct choice {
    any_operator<U> op;
    U init;
  };
  choice sum(U init) const { return {plus{}, init}; }
  choice combine(any_operator<U> op, U init) const { return {op, init}; }
};
/// Calls use(items, op, init) with the operator and initial value of a request, and with items as
/// unsigned or float.
template <class Request, class Use>
void with_any_operator(buffer const& items, Request const& request, Use use) {
  with_type(items.type(), [&]<class T>(std::type_identity<T>) {
    auto const [op, init] = scan_forwards<T>(chosen_operator<T>(), request);
    use(items.as<modular_item<T>>(), op, init);
  });
}
/// Calls use(items, op, init) with items of their own type In, and with op and init for
/// accumulators: uint64 for integers, In for floats.
template <class Request, class Use>
void with_accumulator(buffer const& items, Request const& request, Use use) {
  with_type(items.type(), [&]<class In>(std::type_identity<In>) {
    using T = std::conditional_t<std::is_integral_v<In>, std::int64_t, In>;
    auto choice = scan_forwards<T>(chosen_operator<T>(), request);
    if constexpr (std::is_integral_v<In>)
      if (accumulator_of(*request.result) == item_type::uint64)
        choice = scan_forwards<std::uint64_t>(chosen_operator<T>(), request);
    use(items.as<In>(), choice.op, choice.init);
  });
}

template <class Context, class T>
using arrays_of = typename memory_of<Context>::template arrays<T>;

inline void reverse_items(buffer const& items) {
  with_type(items.type(),
            [&]<class T>(std::type_identity<T>) { std::ranges::reverse(items.as<T>()); });
}

/// Turns an inclusive segmented scan into an exclusive one: shifts each segment by one item and
/// writes `init` to its first item.
template <class T>
void shift_segments(std::span<T> items, buffer const& heads, T init) {
  for (std::size_t i = items.size(); i-- > 0;)
    items[i] = i == 0 || bit_at(heads, static_cast<index_t>(i)) ? init : items[i - 1];
}

template <class Context>
void scan_segments(Context& context, buffer const& items, segmentation const& segments,
                   segmented_request const& request) {
  index_t const n = items.count();
  if (request.backward) {
    reverse_items(items);
    reverse_segments(segments, n);
  }
  with_segments_in_reach(context, segments, n, [&](segments_in_reach const& where) {
    with_any_operator(items, request, [&]<class T>(std::span<T> all, any_operator<T> op, T init) {
      arrays_of<Context, T> const staged(context, all);
      segmented(context, staged.out(), where, op, init);
      staged.bring_back();
      if (request.exclusive)
        shift_segments(all, heads_of(segments, n), init);
    });
  });
  if (request.backward)
    reverse_items(items);
}

/// Calls use(items, map, op, init) with items as unsigned or float, a map from them to
/// accumulators, and op and init as in with_accumulator.
template <class Request, class Use>
void with_mapped(buffer const& items, Request const& request, Use use) {
  with_accumulator(items, request,
                   [&]<class In, class T>(std::span<In>, any_operator<T> op, T init) {
                     using U = modular_item<In>;
                     use(items.as<U>(), map_of<U, T>(request.map, std::is_signed_v<In>), op, init);
                   });
}

template <class Context>
void scan_mapped_items(Context& context, buffer const& in, buffer const& out,
                       scan_request const& request) {
  with_mapped(
      in, request,
      [&]<class In, class T>(std::span<In> items, any_map<In, T> map, any_operator<T> op, T init) {
        arrays_of<Context, In> const from(context, items);
        arrays_of<Context, T> const to(context, out.as<T>());
        mapped_scan(context, from.in(), to.out(), map, op, init, request.exclusive);
        to.bring_back();
      });
}

template <class Context>
void reduce_items(Context& context, buffer const& items, buffer const& out,
                  reduce_request const& request) {
  with_mapped(
      items, request,
      [&]<class In, class T>(std::span<In> all, any_map<In, T> map, any_operator<T> op, T init) {
        arrays_of<Context, In> const staged(context, all);
        arrays_of<Context, T> const result(context, out.as<T>());
        mapped_total(context, staged.in(), result.out(), map, op, init);
        result.bring_back();
      });
}

template <class Context>
index_t reduce_items_in_segments(Context& context, buffer const& items,
                                 segmentation const& segments, buffer const& out,
                                 reduce_request const& request) {
  index_t count = 0;
  with_segments_in_reach(context, segments, items.count(), [&](segments_in_reach const& where) {
    with_accumulator(items, request,
                     [&]<class In, class T>(std::span<In> all, any_operator<T> op, T init) {
                       arrays_of<Context, In> const staged(context, all);
                       arrays_of<Context, T> const totals(context, out.as<T>());
                       count = segment_totals(context, staged.in(), where, totals.out(), op, init);
                       totals.bring_back();
                     });
  });
  return count;
}

template <class Context>
index_t reduce_items_by_key(Context& context, buffer const& keys, buffer const& items,
                            buffer const& unique_keys, buffer const& out,
                            reduce_request const& request) {
  index_t count = 0;
  with_accumulator(
      items, request, [&]<class In, class T>(std::span<In> all, any_operator<T> op, T init) {
        arrays_of<Context, In> const staged(context, all);
        arrays_of<Context, T> const totals(context, out.as<T>());
        with_words(keys, unique_keys,
                   [&]<class Word>(std::span<Word> words, std::span<Word> firsts) {
                     arrays_of<Context, Word> const from(context, words), to(context, firsts);
                     keys_in_reach<Word> const by{from.in(), equal_numbers<Word>(keys.type())};
                     count = key_totals(context, by, staged.in(), to.out(), totals.out(), op);
                     to.bring_back();
                   });
        totals.bring_back();
        for (T& sum : out.as<T>().first(static_cast<std::size_t>(count)))
          sum = op(init, sum);  // reduce_by_key has no initial value
      });
  return count;
}

}  // namespace sam::tool
