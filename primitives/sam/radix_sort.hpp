// SPDX-License-Identifier: MIT
// radix_sort, radix_sort_pairs, radix_argsort, and what memory they need.
#pragma once

#include <sam/numeric_order.hpp>
#include <sam/sort_options.hpp>

namespace sam {

namespace detail {

/// What is put in order: all items. <sam/segmented_radix_sort.hpp> has each of their segments.
struct all_items {
  template <class A>
  void expect_apart_from(std::string_view, std::string_view, A const&, std::source_location) const {
  }
  template <class Context>
  void expect(std::string_view, Context const&, index_t, std::source_location) const {}
  template <class Context, class Job>
  index_t scratch_bytes(std::string_view, Context&, Job const&, std::source_location) const {
    return 0;
  }
  template <class Context, class Job>
  void sort_by(Context& context, Job const& job, std::byte*) const {
    sort(context, job);
  }
};

/// Sorts as the job and the options say, with all the scratch that this takes: first that of the
/// numeric order, then that of the parts.
template <class Context, class Parts, class Key, class Value, class Digits, class Options>
void sort_by(std::string_view name, Context& context, Parts const& parts,
             sort_job<Key, Value, Digits> const& job, Options const& options,
             std::source_location at) {
  if (job.n == 0)
    return;
  bool const numeric = is_numeric(options);
  index_t const own = numeric ? numeric_order_bytes<Key>(job.n) : 0;
  index_t const bytes = own + parts.scratch_bytes(name, context, job, at);
  std::byte* const memory = bytes > 0 ? scratch<std::byte>(context, bytes) : nullptr;
  auto const sort = [&](auto const& asked) { parts.sort_by(context, asked, memory + own); };
  if constexpr (binary_float<Key>)
    if (numeric)
      return sort_numerically(context, job, memory, sort);
  sort(job);
}

/// A context's scratch may begin on a cache line of its own, and end with one.
inline constexpr index_t room_for_alignment = 256;

/// How many bytes a sort of n keys takes beside those of a sort in total order.
template <class Key, class Value>
index_t numeric_order_workspace(index_t n, sort_options<Key, Value> const& options) {
  return is_numeric(options) && n > 0 ? numeric_order_bytes<Key>(n) + room_for_alignment : 0;
}

template <class Context, class In, class Parts, class Out, class Digits, class Options>
void radix_sort(std::string_view name, Context& context, In const& in, Parts const& parts, Out& out,
                Digits const& digits, Options const& options, std::source_location at) {
  static_assert(std::is_same_v<item_of<In>, item_of<Out>>, "sam: in and out differ in item type");
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_same_size(name, in, out, at);
  expect_digits_run_on<Context, item_of<In>>(digits);
  auto job = sort_job_for(name, size_of(in), digits, options, at);
  expect_sortable(name, "in", context, in, options, at);
  expect_sortable(name, "out", context, out, options, at);
  expect_sortable(name, context, options, at);
  expect_same_or_apart(name, in, out, at);
  parts.expect_apart_from(name, "out", out, at);
  expect_parts(name, context, parts, job.n, options, at);
  job.keys = in.data();
  job.sorted_keys = out.data();
  sort_by(name, context, parts, job, options, at);
}

template <class Context, class KeysIn, class ValuesIn, class Parts, class KeysOut, class ValuesOut,
          class Digits, class Options>
void radix_sort_pairs(std::string_view name, Context& context, KeysIn const& keys_in,
                      ValuesIn const& values_in, Parts const& parts, KeysOut& keys_out,
                      ValuesOut& values_out, Digits const& digits, Options const& options,
                      std::source_location at) {
  static_assert(std::is_same_v<item_of<KeysIn>, item_of<KeysOut>> &&
                    std::is_same_v<item_of<ValuesIn>, item_of<ValuesOut>>,
                "sam: what goes in and what comes out differ in item type");
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_same_size(name, "values_in", values_in, "keys_in", keys_in, at);
  expect_same_size(name, "keys_out", keys_out, "keys_in", keys_in, at);
  expect_same_size(name, "values_out", values_out, "keys_in", keys_in, at);
  expect_digits_run_on<Context, item_of<KeysIn>>(digits);
  auto job = sort_job_for(name, size_of(keys_in), digits, options, at);
  expect_sortable(name, "keys_in", context, keys_in, options, at);
  expect_sortable(name, "values_in", context, values_in, options, at);
  expect_sortable(name, "keys_out", context, keys_out, options, at);
  expect_sortable(name, "values_out", context, values_out, options, at);
  expect_sortable(name, context, options, at);
  expect_same_or_apart(name, "keys_out", keys_out, "keys_in", keys_in, at);
  expect_same_or_apart(name, "values_out", values_out, "values_in", values_in, at);
  expect_apart(name, "keys_out", keys_out, "values_in", values_in, at);
  expect_apart(name, "values_out", values_out, "keys_in", keys_in, at);
  expect_apart(name, "values_out", values_out, "keys_out", keys_out, at);
  parts.expect_apart_from(name, "keys_out", keys_out, at);
  parts.expect_apart_from(name, "values_out", values_out, at);
  expect_parts(name, context, parts, job.n, options, at);
  job.keys = keys_in.data();
  job.sorted_keys = keys_out.data();
  job.values = values_in.data();
  job.sorted_values = values_out.data();
  sort_by(name, context, parts, job, options, at);
}

template <class Context, class Keys, class Parts, class Out, class Digits, class Options>
void radix_argsort(std::string_view name, Context& context, Keys const& keys, Parts const& parts,
                   Out& out, Digits const& digits, Options const& options,
                   std::source_location at) {
  static_assert(integer<item_of<Out>>, "sam: out must hold integers");
  [[maybe_unused]] auto const call = begin_call(context, name);
  expect_same_size(name, "out", out, "keys", keys, at);
  expect_fits<item_of<Out>>(name, "out", size_of(keys) - 1, at);
  expect_digits_run_on<Context, item_of<Keys>>(digits);
  auto job = sort_job_for(name, size_of(keys), digits, options, at);
  expect_sortable(name, "keys", context, keys, options, at);
  expect_sortable(name, "out", context, out, options, at);
  expect_sortable(name, context, options, at);
  expect_apart(name, "out", out, "keys", keys, at);
  parts.expect_apart_from(name, "out", out, at);
  expect_parts(name, context, parts, job.n, options, at);
  job.keys = keys.data();
  job.sorted_values = out.data();
  sort_by(name, context, parts, job, options, at);
}

}  // namespace detail

/// Stable radix sort: the keys of in to out, in order. Keys that count as equal stay in their
/// order.
///
/// in, out      n keys each, in memory that `context` reaches. out may be in; any other overlap is
///              an error. n may be 0, and may exceed 2^32. Any alignment that
///              the key type allows
/// digits       how keys compare: a function object, unsigned_integer operator()(Key const&) const,
///              from any trivially copyable type to an integer in whose order the keys are wanted.
///              Without it keys are integers of 8 to 128 bits, bools or floats: double, float, half
///              and bfloat16 (_Float16, __bf16; in CUDA __half, __nv_bfloat16). Floats are in IEEE
///              754's total order, or in the numeric one if options.floats say so
/// options      the order, the bits to sort by, spare memory, the order of floats: see
///              sam::sort_options. As in
///              radix_sort(context, in, out, {.order = sort_order::descending})
/// traffic      on a CPU, mostly one read of n keys to count them, and twice a read and a write; on
///              a GPU one read to count, and a read and a write for each digit of 8 bits in which
///              keys differ. Few keys are only read and written once. Of numbers without values
///              that are sorted by all their bits, more of 8 or 16 bits are read once and written
///              once; of 32 bits up to 2^19, and of 64 up to 2^20, are read and written once
///              and once more for each time that runs of them are merged, on devices with clusters
///              of blocks. So are up to 3 x 2^16 keys with values, of 16 bytes together at most,
///              or keys of less than that of which digits see a part, whose digits are of up to 32
///              bits and that are sorted by more than 16 of these: 8 bytes of each are written and
///              read where runs are merged; in place, values are copied first, and so are keys
///              unless the bits that are sorted by tell them. The numeric order of floats takes one
///              read of the keys more on a CPU if there is no -0 and no NaN but the positive quiet
///              one without payload. Else, and always on a GPU, it takes up to three reads and
///              writes more: all keys are copied before the sort, and special ones behind it
/// workspace    room for n keys, unless spare memory is given, and a constant amount; the context
///              keeps it. So few keys with values, or of which digits see a part, take 16 bytes
///              each on a GPU if that is more, and room for the copies. The numeric order of floats
///              takes room for n keys more, also where spare memory is given.
///              radix_sort_workspace says how much
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, arrays overlap, the keys have no such bits,
///                                     or spare memory is too small; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Satish, Harris, Garland, IPDPS 2009; Wassenberg, Sanders, Euro-Par 2011 (stores
///              that are combined by the line); Adinets, Merrill, arXiv 2206.01784, 2022 (GPUs)
template <class Context, array In, output_array Out>
void radix_sort(Context& context, In const& in, Out&& out, sort_options<item_of<In>> options = {},
                std::source_location at = std::source_location::current()) {
  detail::radix_sort("sam::radix_sort", context, in, detail::all_items{}, out,
                     detail::natural_digits{}, options, at);
}
template <class Context, array In, output_array Out, class Digits>
requires(!detail::is_sort_options<Digits>) void radix_sort(
    Context& context, In const& in, Out&& out, Digits digits,
    sort_options<item_of<In>> options = {},
    std::source_location at = std::source_location::current()) {
  detail::radix_sort("sam::radix_sort", context, in, detail::all_items{}, out, digits, options, at);
}

/// radix_sort of keys with a value beside each, which goes where its key goes.
///
/// values_in, values_out  n trivially copyable values each; values_out may be values_in. Any other
///                        overlap with what is written is an error. The traffic and the workspace
///                        are those of keys as large as a key and its value
/// All else as for radix_sort.
template <class Context, array KeysIn, array ValuesIn, output_array KeysOut, output_array ValuesOut>
void radix_sort_pairs(Context& context, KeysIn const& keys_in, ValuesIn const& values_in,
                      KeysOut&& keys_out, ValuesOut&& values_out,
                      sort_options<item_of<KeysIn>, item_of<ValuesIn>> options = {},
                      std::source_location at = std::source_location::current()) {
  detail::radix_sort_pairs("sam::radix_sort_pairs", context, keys_in, values_in,
                           detail::all_items{}, keys_out, values_out, detail::natural_digits{},
                           options, at);
}
template <class Context, array KeysIn, array ValuesIn, output_array KeysOut, output_array ValuesOut,
          class Digits>
requires(!detail::is_sort_options<Digits>) void radix_sort_pairs(
    Context& context, KeysIn const& keys_in, ValuesIn const& values_in, KeysOut&& keys_out,
    ValuesOut&& values_out, Digits digits,
    sort_options<item_of<KeysIn>, item_of<ValuesIn>> options = {},
    std::source_location at = std::source_location::current()) {
  detail::radix_sort_pairs("sam::radix_sort_pairs", context, keys_in, values_in,
                           detail::all_items{}, keys_out, values_out, digits, options, at);
}

/// The order of keys that stay where they are: out[0] is the index of the first key, and so on.
///
/// keys         n keys
/// out          n integers that can hold n - 1, apart from keys
/// workspace    as for pairs of a key and an index, and n keys more
/// All else as for radix_sort; also throws sam::invalid_argument if an index may not fit.
template <class Context, array Keys, output_array Out>
void radix_argsort(Context& context, Keys const& keys, Out&& out,
                   sort_options<item_of<Keys>, item_of<Out>> options = {},
                   std::source_location at = std::source_location::current()) {
  detail::radix_argsort("sam::radix_argsort", context, keys, detail::all_items{}, out,
                        detail::natural_digits{}, options, at);
}
template <class Context, array Keys, output_array Out, class Digits>
requires(!detail::is_sort_options<Digits>) void radix_argsort(
    Context& context, Keys const& keys, Out&& out, Digits digits,
    sort_options<item_of<Keys>, item_of<Out>> options = {},
    std::source_location at = std::source_location::current()) {
  detail::radix_argsort("sam::radix_argsort", context, keys, detail::all_items{}, out, digits,
                        options, at);
}

/// How many bytes of its own, at most, `context` needs to sort n keys, with values beside them if
/// their type is given; it keeps them until it needs more. `options` are those of the sort. What a
/// context keeps for scans, which depends on its workers and not on n, is not counted.
template <class Key, class Value = no_values, class Context, class Digits = detail::natural_digits>
index_t radix_sort_workspace(Context const& context, index_t n,
                             sort_options<Key, Value> const& options = {}, Digits digits = {},
                             std::source_location at = std::source_location::current()) {
  auto job = detail::sort_job_for("sam::radix_sort_workspace", n, digits, options, at);
  job.sorted_keys = reinterpret_cast<Key*>(alignof(Key));  // somewhere, where nobody looks
  return sort_workspace(context, job) + detail::numeric_order_workspace(n, options);
}
/// The same for the order of n keys, in integers of type Index.
template <class Key, class Index, class Context, class Digits = detail::natural_digits>
index_t radix_argsort_workspace(Context const& context, index_t n,
                                sort_options<Key, Index> const& options = {}, Digits digits = {},
                                std::source_location at = std::source_location::current()) {
  return sort_workspace(context, detail::sort_job_for("sam::radix_argsort_workspace", n, digits,
                                                      options, at)) +
         detail::numeric_order_workspace(n, options);
}

}  // namespace sam
