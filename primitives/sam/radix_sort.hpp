// SPDX-License-Identifier: MIT
// Defines radix_sort, radix_sort_pairs, radix_argsort, and functions that return their workspace.
#pragma once

#include <sam/detail/counted_input.hpp>
#include <sam/detail/inputs/sort_first.hpp>
#include <sam/detail/numeric_order.hpp>
#include <sam/detail/outputs/carried_values.hpp>
#include <sam/sort_options.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/scan.hpp>
#include <sam/chosen_backend/sort.hpp>
#endif

#include <utility>

namespace sam::inline v0_1 {

namespace detail {

/// Sorts all items together. In <sam/segmented_radix_sort.hpp>, each_of sorts each segment.
struct all_items {
  all_items const& given(call_checks const&) const { return *this; }
  nothing_to_store to_store(index_t) const { return {}; }
  all_items const& stored(nothing_to_store) const { return *this; }
  template <class Number>
  all_items const& first(Number const&) const {
    return *this;
  }
  template <class Number>
  Number const& results(Number const& number) const {
    return number;
  }
  void check_apart(call_checks const&, extent const&) const {}
  template <class Context>
  void check(checked_call<Context> const&, index_t) const {}
  template <class Context, class Job>
  index_t workspace_bytes(checked_call<Context> const&, Job const&) const {
    return 0;
  }
  template <class Context, class Job>
  void sort_by(Context& context, Job const& job, std::byte*) const {
    static_assert(sorts<Context, Job>, "sam: this context has no sort(job), which sorts need");
    context.sort(job);
  }
};

/// Runs a sort job under the options, with all the workspace it needs: first that of the numeric
/// order, then that of the segments or of the number of keys. If the job has to read that number,
/// job.n is its limit.
template <class Context, class Parts, class Key, class Value, class Digits, class Options,
          class Number>
void sort_by(checked_call<Context> const& call, Parts const& parts,
             sort_job<Key, Value, Digits> const& job, Options const& options,
             Number const& number) {
  if (job.n == 0)
    return;
  Context& context = call.context();
  bool const numeric = sam::detail::is_numeric(options);
  index_t const own = numeric ? sam::detail::numeric_order_bytes<Key>(job.n) : 0;
  index_t const bytes = own + parts.workspace_bytes(call, job) + number_bytes<Number>;
  std::byte* const memory = bytes > 0 ? engine::workspace<std::byte>(context, bytes) : nullptr;
  auto const sort = [&](auto const& asked) {
    auto const known = sam::detail::with_facts<facts_of<Options>>(asked);
    if constexpr (std::is_same_v<Number, known_count> || !std::is_same_v<Parts, all_items>)
      parts.sort_by(context, known, memory + own);
    else
      detail::sort_first(context, known, number, reinterpret_cast<index_t*>(memory + own));
  };
  if constexpr (binary_float<Key>)
    if (numeric)
      return sam::detail::sort_numerically(context, job, number, memory, sort);
  sort(job);
}

/// Returns the bytes that a sort of n keys needs beyond those of a sort in total order.
template <class Key, class Value, sort_facts Facts>
index_t numeric_order_workspace(index_t n, sort_options<Key, Value, Facts> const& options) {
  return sam::detail::is_numeric(options) && n > 0
             ? sam::detail::numeric_order_bytes<Key>(n) + buffer_for_alignment
             : 0;
}

/// True if the options bring spare memory, which a sort that gathers values would not use.
template <class Options>
bool brings_memory(Options const& options) {
  return !options.spare_keys.empty() || !options.spare_values.empty();
}
/// Returns the workspace of a sort from array to array: workspace(options), or that for indices
/// with memory for these and for a copy of the values, which a sort in place takes.
template <class Context, class Key, class Value, sort_facts Facts, class Workspace>
index_t workspace_to_move(index_t n, sort_options<Key, Value, Facts> const& options,
                          Workspace const& workspace) {
  if constexpr (is_gathered<Context, checked_array<Value>>)
    if (!sam::detail::brings_memory(options)) {
      index_t bytes = 0;
      sam::detail::with_index_for(n, [&]<class Index>(Index) {
        workspace_parts parts(nullptr);
        static_cast<void>(parts.take<Value>(n));
        static_cast<void>(parts.take<Index>(n));
        bytes = parts.bytes() + buffer_for_alignment +
                workspace(sam::detail::options_for_values<Index>(options));
      });
      return bytes;
    }
  return workspace(options);
}

/// Rejects written arrays that overlap the segments' array, then invalid segments. These come last,
/// since their check may run a scan.
template <class Context, class Parts, class Key, class Value, class... Written>
void expect_parts(checked_call<Context> const& call, Parts const& parts, index_t n,
                  spare_memory<Key, Value> const& spare, Written const&... written) {
  (parts.check_apart(call, written), ...);
  parts.check_apart(call, spare.keys);
  parts.check_apart(call, spare.values);
  parts.check(call, n);
}

/// Rejects spare memory that overlaps the number of a counted input, which every pass reads.
template <class Context, class In, class Key, class Value>
void spare_apart_from_count(checked_call<Context> const& call, In const& in,
                            spare_memory<Key, Value> const& spare) {
  detail::apart_from_count(call, in, spare.keys);
  detail::apart_from_count(call, in, spare.values);
}

template <class Context, class In, class Parts, class Out, class Digits, class Options>
void radix_sort(char const* function, Context& context, In const& in, Parts const& asked, Out& out,
                Digits const& digits, Options const& options, std::source_location at) {
  checked_call const call(context, function, at);
  auto const parts = asked.given(call);
  auto const given = detail::first_items_of<parameter::in>(call, in);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(to, given.all);
  detail::apart_from_count(call, in, to);
  sam::detail::expect_digits_run_on<Context, item_or_any_t<In>, Digits>();
  auto job = sam::detail::sort_job_for(call, given.all.size, digits, options);
  auto const spare = sam::detail::spare_memory_of(call, options);
  spare.apart_from(call, given.all);
  spare.apart_from(call, to);
  detail::spare_apart_from_count(call, in, spare);
  detail::expect_in_place_or_apart_from_read(call, to, given.all);
  sam::detail::expect_parts(call, parts, job.n, spare, to);
  auto const [from, first, sorted] =
      detail::in_memory(context, given, parts.to_store(job.n), detail::results_in_memory(to));
  job.keys = from.taken.data;
  job.sorted_keys = sorted.data;
  job.n = from.taken.size;
  auto const& stored = parts.stored(first);
  sam::detail::sort_by(call, stored.first(from.number), job, options, from.number);
  detail::give_results(context, sorted, to, job.n, stored.results(from.number));
}

template <class Context, class KeysIn, class ValuesIn, class Parts, class KeysOut, class ValuesOut,
          class Digits, class Options>
void radix_sort_pairs(char const* function, Context& context, KeysIn const& keys_in,
                      ValuesIn const& values_in, Parts const& asked, KeysOut& keys_out,
                      ValuesOut& values_out, Digits const& digits, Options const& options,
                      std::source_location at) {
  checked_call const call(context, function, at);
  auto const parts = asked.given(call);
  auto const given = detail::first_items_of<parameter::keys_in>(call, keys_in);
  auto const given_values = sam::detail::input_of<parameter::values_in>(call, values_in);
  auto const to_keys = sam::detail::output_of<parameter::keys_out>(call, keys_out);
  auto const to_values = sam::detail::output_of<parameter::values_out>(call, values_out);
  call.same_size(given_values, given.all);
  call.same_size(to_keys, given.all);
  call.same_size(to_values, given.all);
  detail::apart_from_count(call, keys_in, to_keys);
  detail::apart_from_count(call, keys_in, to_values);
  sam::detail::expect_digits_run_on<Context, item_or_any_t<KeysIn>, Digits>();
  index_t const n = given.all.size;
  static_cast<void>(sam::detail::sort_job_for(call, n, digits, options));  // checks the options
  auto const spare = sam::detail::spare_memory_of(call, options);
  spare.apart_from(call, given.all);
  spare.apart_from(call, given_values);
  spare.apart_from(call, to_keys);
  spare.apart_from(call, to_values);
  detail::spare_apart_from_count(call, keys_in, spare);
  detail::expect_pairs_apart(call, given.all, given_values, to_keys, to_values);
  sam::detail::expect_parts(call, parts, n, spare, to_keys, to_values);
  using Key = item_or_any_t<KeysIn>;
  detail::sort_with_values(
      context, given, given_values, parts.to_store(n), to_keys, to_values,
      sam::detail::brings_memory(options),
      [&]<class Value>(auto const& keys, Value const* values, auto const& first, Key* sorted_keys,
                       Value* sorted_values) {
        auto const of_values = sam::detail::options_for_values<Value>(options);
        auto job = sam::detail::sort_job_for(call, n, digits, of_values);
        job.keys = keys.taken.data;
        job.sorted_keys = sorted_keys;
        job.values = values;
        job.sorted_values = sorted_values;
        job.n = keys.taken.size;
        auto const& stored = parts.stored(first);
        sam::detail::sort_by(call, stored.first(keys.number), job, of_values, keys.number);
        return stored.results(keys.number);
      });
}

template <class Context, class Keys, class Parts, class Out, class Digits, class Options>
void radix_argsort(char const* function, Context& context, Keys const& keys, Parts const& asked,
                   Out& out, Digits const& digits, Options const& options,
                   std::source_location at) {
  checked_call const call(context, function, at);
  auto const parts = asked.given(call);
  auto const given = detail::first_items_of<parameter::keys>(call, keys);
  auto const to = sam::detail::output_of<parameter::out>(call, out);
  call.same_size(to, given.all);
  call.template fits<item_or_any_t<Out>>(to.name, given.all.size - 1);
  detail::apart_from_count(call, keys, to);
  sam::detail::expect_digits_run_on<Context, item_or_any_t<Keys>, Digits>();
  auto job = sam::detail::sort_job_for(call, given.all.size, digits, options);
  auto const spare = sam::detail::spare_memory_of(call, options);
  spare.apart_from(call, given.all);
  spare.apart_from(call, to);
  detail::spare_apart_from_count(call, keys, spare);
  detail::expect_apart_from_read(call, to, given.all);
  sam::detail::expect_parts(call, parts, job.n, spare, to);
  auto const [from, first, order] =
      detail::in_memory(context, given, parts.to_store(job.n), detail::results_in_memory(to));
  job.keys = from.taken.data;
  job.sorted_values = order.data;
  job.n = from.taken.size;
  auto const& stored = parts.stored(first);
  sam::detail::sort_by(call, stored.first(from.number), job, options, from.number);
  detail::give_results(context, order, to, job.n, stored.results(from.number));
}

/// Checks sorts at compile time.
template <class Context, class In, class Out, class Digits>
using is_radix_sort =
    std::conjunction<is_context<Context>, reads_items<parameter::in, Context, In>,
                     writes_items<parameter::out, Context, Out>, have_one_item_type<In, Out>,
                     calls_digits<Context, item_or_any_t<In>, Digits>>;
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Digits>
using is_radix_sort_of_pairs = std::conjunction<
    is_context<Context>, reads_items<parameter::keys_in, Context, KeysIn>,
    writes_items<parameter::keys_out, Context, KeysOut>, have_one_item_type<KeysIn, KeysOut>,
    reads_items<parameter::values_in, Context, ValuesIn>,
    writes_items<parameter::values_out, Context, ValuesOut>,
    have_one_item_type<ValuesIn, ValuesOut>, calls_digits<Context, item_or_any_t<KeysIn>, Digits>>;
template <class Context, class Keys, class Out, class Digits>
using is_radix_argsort =
    std::conjunction<is_context<Context>, reads_items<parameter::keys, Context, Keys>,
                     writes_items<parameter::out, Context, Out>,
                     typename parameter::out::template holds_integers<item_or_any_t<Out>>,
                     calls_digits<Context, item_or_any_t<Keys>, Digits>>;

/// Checks sorts whose keys may be counted.
template <class Context, class In, class Out, class Digits>
using is_counted_sort = std::conjunction<is_radix_sort<Context, array_within_t<In>, Out, Digits>,
                                         reads_number<Context, In>>;
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Digits>
using is_counted_sort_of_pairs = std::conjunction<
    is_radix_sort_of_pairs<Context, array_within_t<KeysIn>, ValuesIn, KeysOut, ValuesOut, Digits>,
    reads_number<Context, KeysIn>>;
template <class Context, class Keys, class Out, class Digits>
using is_counted_argsort =
    std::conjunction<is_radix_argsort<Context, array_within_t<Keys>, Out, Digits>,
                     reads_number<Context, Keys>>;

/// The options of a sort of these arrays.
template <class Keys, class Values>
using sort_options_for = sort_options<item_or_any_t<Keys>, item_or_any_t<Values>>;
template <class Keys>
using sort_options_alone = sort_options<item_or_any_t<Keys>>;

/// Rejects an n for which a workspace might not fit an index_t.
inline void expect_workspace_size(call_checks const& call, index_t n) {
  constexpr index_t most = index_t{1} << 48;
  if (n < 0 || n > most)
    call.refuse("n", "is ", n, "; it must be from 0 to ", most);
}

}  // namespace detail

/// Sorts keys stably by radix, from in to out. Keys that compare equal keep their order.
///
/// in, out      n keys each, in memory that `context` reaches. in may be sam::counted(keys,
///              number); keys of out past that number keep their values. in may be a computed input
///              (<sam/inputs.hpp>), whose items are first stored in memory of the context; out may
///              then be an array that it reads. out may be a computed output (<sam/outputs.hpp>),
///              which receives the keys at the end. out may be in; any other overlap is an error. n
///              may be 0, and may exceed 2^32. Any alignment that the key type allows
/// digits       optional: a function object, unsigned_integer operator()(Key const&) const, that
///              maps keys of any trivially copyable type to integers, in whose order keys are
///              sorted. If it returns different integers for the same key, the order is
///              unspecified, but nothing is written outside of out. Without digits, keys are
///              integers of 8 to 128 bits, bools or floats: double, float, half and bfloat16
///              (_Float16, __bf16; in CUDA __half, __nv_bfloat16). Floats are sorted in IEEE 754's
///              total order, or in numeric order if options.floats requests it
/// options      the order, the bits to sort by, spare memory, the order of floats: see
///              sam::sort_options. For example radix_sort(context, in, out, {.order =
///              sort_order::descending})
/// traffic      on a CPU mostly three reads and two writes of n keys. On a GPU one read to count
///              digits, then a read and a write for each digit of 8 bits in which keys differ.
///              A GPU needs less for
///              - few keys: one read and one write;
///              - numbers of 8 or 16 bits without values, sorted by all their bits: the same;
///              - up to 2^19 such numbers of 32 bits, or 2^20 of 64 bits, on devices with clusters
///                of blocks: a read and a write, and one more of both for each merge of runs;
///              - up to 3 x 2^16 keys there, sorted by 17 to 32 bits of a digit, that have values,
///                at most 16 bytes with the key, or whose digit depends on a part of a key below 16
///                bytes: the same, where a merge moves 8 bytes of each key. In place, values are
///                copied first, and so are keys that their digits do not determine.
///              Numeric order of floats takes one more read on a CPU if there is no -0, and no NaN
///              but the positive quiet one without payload. Otherwise, and always on a GPU, it
///              takes up to three more reads and writes, to copy keys before the sort and special
///              ones after it
/// workspace    memory for n keys, unless spare memory is given, and a constant amount, which the
///              context keeps; radix_sort_workspace returns the amount. On a GPU, the keys of the
///              last case above take 16 bytes each if that is more, and memory for the copies.
///              Numeric order of floats takes memory for n more keys, even with spare memory.
///              Counted keys on a GPU take memory for as many keys as there may be. The algorithm
///              is that for this number, but for keys of 8 and 16 bits passes over the digits
/// determinism  the same result on every run and for every number of threads
/// returns      once the work is queued; context.wait() before reading out
/// throws       sam::invalid_argument  if sizes differ, arrays overlap, the keys do not have the
///                                     bits of the options, or spare memory is too small;
///                                     nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Satish, Harris, Garland, IPDPS 2009; Wassenberg, Sanders, Euro-Par 2011
///              (write-combined stores); Adinets, Merrill, arXiv 2206.01784, 2022 (GPUs)
template <class Context, class In, class Out>
void radix_sort(Context&& context, In const& in, Out&& out,
                detail::call_site at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_sort(*detail::lend_context(context), in, std::forward<Out>(out), at);
  else if constexpr (detail::is_counted_sort<Context, In, Out, detail::natural_digits>::value)
    detail::radix_sort("sam::radix_sort", context, in, detail::all_items{}, out,
                       detail::natural_digits{},
                       detail::default_sort_options<detail::item_or_any_t<In>>{}, at.at);
}
template <class Context, class In, class Out>
void radix_sort(Context&& context, In const& in, Out&& out, detail::sort_options_alone<In> options,
                std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_sort(*detail::lend_context(context), in, std::forward<Out>(out), options, at);
  else if constexpr (detail::is_counted_sort<Context, In, Out, detail::natural_digits>::value)
    detail::radix_sort("sam::radix_sort", context, in, detail::all_items{}, out,
                       detail::natural_digits{}, options, at);
}
template <class Context, class In, class Out, sort_facts Facts>
requires(detail::says_something(Facts)) void radix_sort(
    Context&& context, In const& in, Out&& out,
    sort_options<detail::item_or_any_t<In>, no_values, Facts> options,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_sort(*detail::lend_context(context), in, std::forward<Out>(out), options, at);
  else if constexpr (detail::is_counted_sort<Context, In, Out, detail::natural_digits>::value)
    detail::radix_sort("sam::radix_sort", context, in, detail::all_items{}, out,
                       detail::natural_digits{}, options, at);
}
template <class Context, class In, class Out, class Digits>
requires(!detail::is_sort_options<Digits>) void radix_sort(
    Context&& context, In const& in, Out&& out, Digits digits,
    detail::call_site at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_sort(*detail::lend_context(context), in, std::forward<Out>(out), digits, at);
  else if constexpr (detail::is_counted_sort<Context, In, Out, Digits>::value)
    detail::radix_sort("sam::radix_sort", context, in, detail::all_items{}, out, digits,
                       detail::default_sort_options<detail::item_or_any_t<In>>{}, at.at);
}
template <class Context, class In, class Out, class Digits>
requires(!detail::is_sort_options<Digits>) void radix_sort(
    Context&& context, In const& in, Out&& out, Digits digits,
    detail::sort_options_alone<In> options,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_sort(*detail::lend_context(context), in, std::forward<Out>(out), digits,
                           options, at);
  else if constexpr (detail::is_counted_sort<Context, In, Out, Digits>::value)
    detail::radix_sort("sam::radix_sort", context, in, detail::all_items{}, out, digits, options,
                       at);
}

/// Sorts keys as radix_sort does, and moves the value of each key along with it.
///
/// values_in, values_out  n trivially copyable values each; values_out may be values_in. No other
///                        overlap with an output is allowed. Keys and values may be computed
///                        inputs, which are first stored in memory of the context. The traffic and
///                        the workspace are those of keys as large as a key and its value.
///                        sam::zipped(a, b, ...) and sam::zipped_to(c, d, ...) stand for the values
///                        of several arrays, which may be the same. Indices are sorted in place of
///                        large values, which are read and written once more, or twice in place:
///                        of those for a computed output that exceed 4 bytes on a GPU, or 16 on a
///                        CPU, and of those from array to array that exceed 16 bytes on a GPU. Such
///                        a sort to a computed output does not use spare memory. From array to
///                        array, values move with their keys if there is spare memory
/// Everything else is as for radix_sort.
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void radix_sort_pairs(Context&& context, KeysIn const& keys_in, ValuesIn const& values_in,
                      KeysOut&& keys_out, ValuesOut&& values_out,
                      detail::call_site at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::radix_sort_pairs(*detail::lend_context(context), keys_in, values_in,
                                 std::forward<KeysOut>(keys_out),
                                 std::forward<ValuesOut>(values_out), at);
  } else {
    using digits = detail::natural_digits;
    if constexpr (detail::is_counted_sort_of_pairs<Context, KeysIn, ValuesIn, KeysOut, ValuesOut,
                                                   digits>::value)
      detail::radix_sort_pairs("sam::radix_sort_pairs", context, keys_in, values_in,
                               detail::all_items{}, keys_out, values_out, digits{},
                               detail::default_sort_options<detail::item_or_any_t<KeysIn>,
                                                            detail::item_or_any_t<ValuesIn>>{},
                               at.at);
  }
}
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut>
void radix_sort_pairs(Context&& context, KeysIn const& keys_in, ValuesIn const& values_in,
                      KeysOut&& keys_out, ValuesOut&& values_out,
                      detail::sort_options_for<KeysIn, ValuesIn> options,
                      std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::radix_sort_pairs(*detail::lend_context(context), keys_in, values_in,
                                 std::forward<KeysOut>(keys_out),
                                 std::forward<ValuesOut>(values_out), options, at);
  } else {
    using digits = detail::natural_digits;
    if constexpr (detail::is_counted_sort_of_pairs<Context, KeysIn, ValuesIn, KeysOut, ValuesOut,
                                                   digits>::value)
      detail::radix_sort_pairs("sam::radix_sort_pairs", context, keys_in, values_in,
                               detail::all_items{}, keys_out, values_out, digits{}, options, at);
  }
}
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut,
          sort_facts Facts>
requires(detail::says_something(Facts)) void radix_sort_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, KeysOut&& keys_out,
    ValuesOut&& values_out,
    sort_options<detail::item_or_any_t<KeysIn>, detail::item_or_any_t<ValuesIn>, Facts> options,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::radix_sort_pairs(*detail::lend_context(context), keys_in, values_in,
                                 std::forward<KeysOut>(keys_out),
                                 std::forward<ValuesOut>(values_out), options, at);
  } else {
    using digits = detail::natural_digits;
    if constexpr (detail::is_counted_sort_of_pairs<Context, KeysIn, ValuesIn, KeysOut, ValuesOut,
                                                   digits>::value)
      detail::radix_sort_pairs("sam::radix_sort_pairs", context, keys_in, values_in,
                               detail::all_items{}, keys_out, values_out, digits{}, options, at);
  }
}
template <class Context, class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Digits>
requires(!detail::is_sort_options<Digits>) void radix_sort_pairs(
    Context&& context, KeysIn const& keys_in, ValuesIn const& values_in, KeysOut&& keys_out,
    ValuesOut&& values_out, Digits digits, detail::sort_options_for<KeysIn, ValuesIn> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_sort_pairs(*detail::lend_context(context), keys_in, values_in,
                                 std::forward<KeysOut>(keys_out),
                                 std::forward<ValuesOut>(values_out), digits, options, at);
  else if constexpr (detail::is_counted_sort_of_pairs<Context, KeysIn, ValuesIn, KeysOut, ValuesOut,
                                                      Digits>::value)
    detail::radix_sort_pairs("sam::radix_sort_pairs", context, keys_in, values_in,
                             detail::all_items{}, keys_out, values_out, digits, options, at);
}

/// Writes the sorted order of keys, which are not changed: out[0] is the index of the first key in
/// this order, and so on.
///
/// keys         n keys
/// out          n integers that can hold n - 1, apart from keys, or a computed output of integers
/// workspace    as for pairs of a key and an index, and n more keys
/// Everything else is as for radix_sort; also throws sam::invalid_argument if out's integers cannot
/// hold n - 1.
template <class Context, class Keys, class Out>
void radix_argsort(Context&& context, Keys const& keys, Out&& out,
                   detail::call_site at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_argsort(*detail::lend_context(context), keys, std::forward<Out>(out), at);
  else if constexpr (detail::is_counted_argsort<Context, Keys, Out, detail::natural_digits>::value)
    detail::radix_argsort(
        "sam::radix_argsort", context, keys, detail::all_items{}, out, detail::natural_digits{},
        detail::default_sort_options<detail::item_or_any_t<Keys>, detail::item_or_any_t<Out>>{},
        at.at);
}
template <class Context, class Keys, class Out>
void radix_argsort(Context&& context, Keys const& keys, Out&& out,
                   detail::sort_options_for<Keys, Out> options,
                   std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_argsort(*detail::lend_context(context), keys, std::forward<Out>(out), options,
                              at);
  else if constexpr (detail::is_counted_argsort<Context, Keys, Out, detail::natural_digits>::value)
    detail::radix_argsort("sam::radix_argsort", context, keys, detail::all_items{}, out,
                          detail::natural_digits{}, options, at);
}
template <class Context, class Keys, class Out, sort_facts Facts>
requires(detail::says_something(Facts)) void radix_argsort(
    Context&& context, Keys const& keys, Out&& out,
    sort_options<detail::item_or_any_t<Keys>, detail::item_or_any_t<Out>, Facts> options,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_argsort(*detail::lend_context(context), keys, std::forward<Out>(out), options,
                              at);
  else if constexpr (detail::is_counted_argsort<Context, Keys, Out, detail::natural_digits>::value)
    detail::radix_argsort("sam::radix_argsort", context, keys, detail::all_items{}, out,
                          detail::natural_digits{}, options, at);
}
template <class Context, class Keys, class Out, class Digits>
requires(!detail::is_sort_options<Digits>) void radix_argsort(
    Context&& context, Keys const& keys, Out&& out, Digits digits,
    detail::sort_options_for<Keys, Out> options = {},
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::radix_argsort(*detail::lend_context(context), keys, std::forward<Out>(out), digits,
                              options, at);
  else if constexpr (detail::is_counted_argsort<Context, Keys, Out, Digits>::value)
    detail::radix_argsort("sam::radix_argsort", context, keys, detail::all_items{}, out, digits,
                          options, at);
}

/// Returns the largest number of bytes of its own memory that `context` needs to sort n keys, with
/// values if their type is given. The context keeps this memory until it needs more. `options` are
/// those of the sort. Memory for scans, which depends on the number of workers and not on n, is not
/// included. Throws sam::invalid_argument if n is negative or above 2^48.
template <class Key, class Value = no_values, class Context, class Digits = detail::natural_digits,
          sort_facts Facts = sort_facts{}>
index_t radix_sort_workspace(Context const& context, index_t n,
                             sort_options<Key, Value, Facts> const& options = {},
                             Digits digits = {},
                             std::source_location at = std::source_location::current()) {
  if constexpr (detail::are_digits<Key, Digits>::value) {
    detail::call_checks const call("sam::radix_sort_workspace", at);
    detail::expect_workspace_size(call, n);
    return detail::workspace_to_move<Context>(n, options, [&](auto const& moved) {
      auto job = detail::sort_job_for(call, n, digits, moved);
      job.sorted_keys = reinterpret_cast<Key*>(alignof(Key));  // not null, and never dereferenced
      return context.sort_workspace(job) + detail::numeric_order_workspace(n, moved);
    });
  }
}
/// Returns the workspace, as radix_sort_workspace, of radix_argsort of n keys with indices of type
/// Index.
template <class Key, class Index, class Context, class Digits = detail::natural_digits,
          sort_facts Facts = sort_facts{}>
index_t radix_argsort_workspace(Context const& context, index_t n,
                                sort_options<Key, Index, Facts> const& options = {},
                                Digits digits = {},
                                std::source_location at = std::source_location::current()) {
  if constexpr (detail::are_digits<Key, Digits>::value) {
    detail::call_checks const call("sam::radix_argsort_workspace", at);
    detail::expect_workspace_size(call, n);
    return context.sort_workspace(detail::sort_job_for(call, n, digits, options)) +
           detail::numeric_order_workspace(n, options);
  }
}

}  // namespace sam::inline v0_1
