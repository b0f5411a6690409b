// SPDX-License-Identifier: MIT
// Defines jobs of calls with nothing to scan: one that stores one value everywhere, and one that
// copies from an input of any kind to an output of any kind.
#pragma once

#include <sam/arguments/computed_source.hpp>
#include <sam/backend/job.hpp>
#include <sam/detail/counted_input.hpp>

#include <cstdint>

namespace sam::inline v0_1 {

namespace detail {

/// Stores one value everywhere. It reads no array and ignores scan values.
template <class T>
struct fill_job {
  using item = T;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true, one_value = true;
  T* out;
  T value;

  SAM_FUNCTION T load(index_t) const { return value; }
  SAM_FUNCTION accumulator to_accumulator(T const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, T const& x, accumulator) const { out[i] = x; }
  SAM_FUNCTION T* front() const { return out; }
  SAM_FUNCTION void make(index_t, index_t count, T* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = value;
  }
  static SAM_FUNCTION index_t capacity() { return highest_of<index_t>; }
};

template <class Context, class T>
void fill(Context& context, index_t n, T* out, T value) {
  context.run(n, fill_job<T>{out, value},
              resolve_policy<bound::exclusive>(scan_policy<>{}, from_value<std::uint32_t>{0}));
}

/// Returns one value for every index.
template <class T>
struct always {
  static constexpr bool runs_on_devices = true;
  T value;
  SAM_FUNCTION constexpr T operator()(index_t) const { return value; }
};
/// Stores item i of a source as result i, converted to the type of results. Out is the item type of
/// an array, or a destination.
template <class Source, class Out = typename Source::item>
struct copy_input_job {
  using item = typename Source::item;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Source in;
  place_of_t<Out> out;

  SAM_FUNCTION item load(index_t i) const { return in.at(i); }
  SAM_FUNCTION accumulator to_accumulator(item const&) const { return 0; }
  SAM_FUNCTION void store(index_t i, item const& x, accumulator) const {
    engine::put_result(out, i, static_cast<result_of_t<Out>>(x));
  }
};
/// Gives the first of n items in memory to a destination.
template <class Context, class T, class Destination, class Number>
void give_items(Context& context, index_t n, T const* items, Destination const& out,
                Number const& number) {
  using source = engine::array_source<T>;
  detail::run_first(context, n, copy_input_job<source, Destination>{source{items}, out}, number);
}

/// Stores one value in all items of an output.
template <class Context, class T>
void fill_output(Context& context, checked_array<T> const& out, T const& value) {
  detail::fill(context, out.size, out.data, value);
}
template <class Context, class Destination, int Written, int Read>
void fill_output(Context& context, checked_output<Destination, Written, Read> const& out,
                 typename Destination::item const& value) {
  using source = generated_source<always<typename Destination::item>>;
  detail::run_first(context, out.size,
                    copy_input_job<source, Destination>{source{{value}}, out.data},
                    known_count{out.size});
}

}  // namespace detail

}  // namespace sam::inline v0_1
