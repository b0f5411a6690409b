// SPDX-License-Identifier: MIT
// From a request to reductions of few kinds.
#pragma once

#include "engine/scan_items.hpp"

namespace sam::tool {

/// One reduction of items that are unsigned or float.
template <class Context, class T>
class reducer {
  using arrays = typename memory_of<Context>::template arrays<T>;

 public:
  reducer(Context& context, std::span<T> items, std::span<T> out)
      : context_(context), items_(items), out_(out) {}

  void sum(T init) { combine(plus{}, init); }

  template <class Operator>
  void combine(Operator op, T init) {
    arrays const staged(context_, items_), result(context_, out_);
    total(context_, staged.in(), result.out(), any_operator<T>(op), init);
    result.bring_back();
  }

 private:
  Context& context_;
  std::span<T> items_, out_;
};

/// The same of each segment.
template <class Context, class T>
class segment_reducer {
  template <class U>
  using arrays = typename memory_of<Context>::template arrays<U>;

 public:
  segment_reducer(Context& context, std::span<T> items, std::span<std::uint8_t> heads,
                  std::span<T> out, index_t& segments)
      : context_(context), items_(items), heads_(heads), out_(out), segments_(segments) {}

  void sum(T init) { combine(plus{}, init); }

  template <class Operator>
  void combine(Operator op, T init) {
    arrays<T> const staged(context_, items_), totals(context_, out_);
    arrays<std::uint8_t> const flags(context_, heads_);
    segments_ =
        segment_totals(context_, staged.in(), flags.in(), totals.out(), any_operator<T>(op), init);
    totals.bring_back();
  }

 private:
  Context& context_;
  std::span<T> items_;
  std::span<std::uint8_t> heads_;
  std::span<T> out_;
  index_t& segments_;
};

template <class Context>
void reduce_items(Context& context, buffer const& items, buffer const& out,
                  reduce_request const& request) {
  with_type(items.type(), [&]<class T>(std::type_identity<T>) {
    using U = modular_item<T>;
    scan_forwards<T>(reducer<Context, U>(context, items.as<U>(), out.as<U>()), items, request);
  });
}

template <class Context>
index_t reduce_segments_of(Context& context, buffer const& items, buffer const& heads,
                           buffer const& out, reduce_request const& request) {
  index_t segments = 0;
  with_type(items.type(), [&]<class T>(std::type_identity<T>) {
    using U = modular_item<T>;
    scan_forwards<T>(segment_reducer<Context, U>(context, items.as<U>(), heads.as<std::uint8_t>(),
                                                 out.as<U>(), segments),
                     items, request);
  });
  return segments;
}

}  // namespace sam::tool
