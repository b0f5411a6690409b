// SPDX-License-Identifier: MIT
// Defines inputs as arguments: arrays, and inputs that compute their items (<sam/inputs.hpp>).
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/backend/pointers.hpp>

#include <cstddef>

namespace sam::inline v0_1::detail {

/// Checks an input that is read: an array, or one that computes its items.
template <class Parameter, class Context, class A>
struct reads_items : reads_from<Parameter, Context, A> {};
template <class Parameter, class Context, class A>
requires is_lazy<A>
struct reads_items<Parameter, Context, A> : A::template fits<Parameter, Context> {
};

/// An input that computes its items and has passed its checks. It has no memory of its own, so
/// that it overlaps nothing, but it may read arrays.
template <class Source, int Arrays>
struct checked_input {
  Source source;
  index_t size;
  char const* name;
  extent arrays[Arrays > 0 ? std::size_t{Arrays} : 1];
  static constexpr typename Source::item const* data = nullptr;
  template <std::same_as<extent> Extent>
  operator Extent() const {
    return {nullptr, size, 0, name};
  }
};

/// Checks an input and returns it as a checked_array or a checked_input.
template <class Parameter, class Context, class A>
auto input_of(checked_call<Context> const& call, A const& a) {
  if constexpr (is_lazy<A>) {
    extent read[A::arrays_read > 0 ? A::arrays_read : 1] = {};
    extent* next = read;
    auto const source = a.template source<Parameter>(call, next);
    if (a.size() < 0)
      call.refuse(Parameter::name, "has a size of ", a.size(), "; it must not be negative");
    checked_input<std::remove_const_t<decltype(source)>, A::arrays_read> checked{
        source, a.size(), Parameter::name, {}};
    for (int k = 0; k < A::arrays_read; ++k)
      checked.arrays[k] = read[k];
    return checked;
  } else {
    return call.template input<Parameter>(a);
  }
}

/// Returns the source that a job reads.
template <class T>
engine::array_source<T> source_from(checked_array<T const> const& in) {
  return {in.data};
}
template <class Source, int Arrays>
Source const& source_from(checked_input<Source, Arrays> const& in) {
  return in.source;
}

/// Names the template parameter of a job that reads a checked input: the item type of an array, or
/// the source.
template <class Checked>
struct job_input;
template <class T>
struct job_input<checked_array<T const>> {
  using type = T;
};
template <class Source, int Arrays>
struct job_input<checked_input<Source, Arrays>> {
  using type = Source;
};
template <class Checked>
using job_input_t = typename job_input<Checked>::type;

/// Rejects an output that overlaps an array that a computed input reads.
template <class T>
void apart_from_arrays(call_checks const&, extent const&, checked_array<T> const&) {}
template <class Source, int Arrays>
void apart_from_arrays(call_checks const& call, extent const& out,
                       checked_input<Source, Arrays> const& in) {
  for (int k = 0; k < Arrays; ++k)
    call.apart(out, in.arrays[k]);
}

}  // namespace sam::inline v0_1::detail
