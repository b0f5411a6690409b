// SPDX-License-Identifier: MIT
// Defines outputs as arguments: arrays, and outputs that compute what or where they store
// (<sam/outputs.hpp>).
#pragma once

#include <sam/arguments/input.hpp>

#include <cstddef>
#include <span>

namespace sam::inline v0_1::detail {

/// Checks an output: an array, or one that computes what or where it stores.
template <class Parameter, class Context, class A>
struct writes_items : writes_to<Parameter, Context, A> {};
template <class Parameter, class Context, class A>
requires is_computed_place<A>
struct writes_items<Parameter, Context, A>
    : std::remove_cvref_t<A>::template fits<Parameter, Context> {
};

/// The arrays behind a computed output: those that it writes, and those that it reads.
template <int Written, int Read>
struct arrays_of_output {
  extent written[Written > 0 ? std::size_t{Written} : 1];
  extent read[Read > 0 ? std::size_t{Read} : 1];
  std::span<extent const> all_written() const { return {written, std::size_t{Written}}; }
  std::span<extent const> all_read() const { return {read, std::size_t{Read}}; }
};

/// An output that computes what or where it stores, and has passed its checks. `data` is its
/// destination, as that of a checked_array is a pointer.
template <class Destination, int Written, int Read>
struct checked_output {
  Destination data;
  index_t size;
  char const* name;
  arrays_of_output<Written, Read> arrays;
  template <std::same_as<extent> Extent>
  operator Extent() const {
    return {nullptr, size, 0, name};
  }
};

/// Checks an output and returns it as a checked_array or a checked_output.
template <class Parameter, class Context, class A>
auto output_of(checked_call<Context> const& call, A& a) {
  if constexpr (is_computed_place<A>) {
    using type = std::remove_cvref_t<A>;
    constexpr int written = type::arrays_written, read = type::arrays_read;
    arrays_of_output<written, read> arrays{};
    extent *next_written = arrays.written, *next_read = arrays.read;
    auto const destination = a.template destination<Parameter>(call, next_written, next_read);
    if (a.size() < 0)
      call.refuse(Parameter::name, "has a size of ", a.size(), "; it must not be negative");
    for (int k = 0; k < written; ++k) {
      for (int other = 0; other < k; ++other)
        call.apart(arrays.written[k], arrays.written[other]);
      for (int other = 0; other < read; ++other)
        call.apart(arrays.written[k], arrays.read[other]);
    }
    return checked_output<std::remove_const_t<decltype(destination)>, written, read>{
        destination, a.size(), Parameter::name, arrays};
  } else {
    return call.template output<Parameter>(a);
  }
}

/// Names the template parameter of a job that writes a checked output: the item type of an array,
/// or the destination.
template <class Checked>
struct job_output;
template <class T>
struct job_output<checked_array<T>> {
  using type = T;
};
template <class Destination, int Written, int Read>
struct job_output<checked_output<Destination, Written, Read>> {
  using type = Destination;
};
template <class Checked>
using job_output_t = typename job_output<Checked>::type;

/// True if a checked output computes what or where it stores.
template <class Checked>
inline constexpr bool is_computed_output = requires(Checked const& out) {
  out.arrays.written;
};

/// Rejects a computed output if an array that it writes overlaps one that the call reads: an extent
/// or a checked input. Calls check arrays as outputs themselves.
template <class Out, class... Inputs>
void expect_apart_from_inputs([[maybe_unused]] call_checks const& call,
                              [[maybe_unused]] Out const& out, Inputs const&... inputs) {
  if constexpr (is_computed_output<Out>) {
    auto const apart_from = [&](auto const& input) {
      for (extent const& written : out.arrays.all_written()) {
        call.apart(written, input);
        if constexpr (requires { input.arrays; })
          sam::detail::apart_from_arrays(call, written, input);
      }
    };
    (apart_from(inputs), ...);
  }
}

/// Rejects an output of either kind that overlaps an input of either kind.
template <class Out, class... Inputs>
void expect_output_apart(call_checks const& call, Out const& out, Inputs const&... inputs) {
  auto const apart_from = [&](auto const& input) {
    call.apart(out, input);
    if constexpr (requires { input.arrays; })
      sam::detail::apart_from_arrays(call, out, input);
    sam::detail::expect_apart_from_inputs(call, out, input);
  };
  (apart_from(inputs), ...);
}

/// Rejects an output that overlaps an input without being the same array.
template <class Out, class In>
void in_place_or_apart(call_checks const& call, Out const& out, In const& in) {
  call.same_or_apart(out, in);
  sam::detail::apart_from_arrays(call, out, in);
  sam::detail::expect_apart_from_inputs(call, out, in);
}

template <class T>
arrays_of_output<1, 0> arrays_behind(checked_array<T> const& out) {
  return {{out}, {}};
}
template <class Destination, int Written, int Read>
arrays_of_output<Written, Read> const&
arrays_behind(checked_output<Destination, Written, Read> const& out) {
  return out.arrays;
}
/// Rejects two outputs if one computes where it stores, and writes an array that the other one
/// writes or reads.
template <class A, class B>
void expect_outputs_apart([[maybe_unused]] call_checks const& call, [[maybe_unused]] A const& a,
                          [[maybe_unused]] B const& b) {
  if constexpr (is_computed_output<A> || is_computed_output<B>) {
    auto const& of_a = sam::detail::arrays_behind(a);
    auto const& of_b = sam::detail::arrays_behind(b);
    for (extent const& written : of_a.all_written()) {
      for (extent const& other : of_b.all_written())
        call.apart(written, other);
      for (extent const& other : of_b.all_read())
        call.apart(written, other);
    }
    for (extent const& written : of_b.all_written())
      for (extent const& other : of_a.all_read())
        call.apart(written, other);
  }
}

}  // namespace sam::inline v0_1::detail
