// SPDX-License-Identifier: MIT
// Defines weighted_histogram. Weights are added to sums of pieces of the items, or, where a back
// end has no room for such sums, sorted by bin and then added up in order. Either way sums of
// floats do not depend on timing.
#pragma once

#include <sam/detail/selection/radix_select.hpp>
#include <sam/histogram.hpp>
#include <sam/radix_sort.hpp>
#include <sam/segmented_reduce.hpp>
#if __has_include(<sam/chosen_backend/scan.hpp>)
#include <sam/chosen_backend/segmented.hpp>
#endif

#include <bit>

namespace sam::inline v0_1 {

namespace detail {

/// Stores the bin of each of the first items, and `number` for the other items and those that lie
/// in none.
template <class Source, class First, class Bins>
struct store_bins_job {
  using item = std::uint32_t;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Source in;
  std::uint32_t* out;
  index_t n, number;
  First first;
  Bins bins;

  SAM_FUNCTION item load(index_t i) const {
    if constexpr (!std::is_same_v<First, known_count>)
      if (i >= first())
        return static_cast<item>(number);
    auto const bin = static_cast<index_t>(bins(in.at(i)));
    return static_cast<item>(bin < 0 || bin >= number ? number : bin);
  }
  SAM_FUNCTION accumulator to_accumulator(item) const { return 0; }
  SAM_FUNCTION void store(index_t i, item x, accumulator) const { out[i] = x; }
  SAM_FUNCTION item* front() const { return out; }
  SAM_FUNCTION index_t capacity() const { return n; }
  SAM_FUNCTION void make(index_t begin, index_t count, item* to) const {
    for (index_t k = 0; k < count; ++k)
      to[k] = load(begin + k);
  }
};

/// The bins of all items and their weights, in the workspace.
template <class W>
struct binned_weights {
  std::uint32_t* bins;
  W* weights;
  binned_weights(workspace_parts& parts, index_t n)
      : bins(parts.take<std::uint32_t>(n)), weights(parts.take<W>(n)) {}
};
template <class W, class Context>
binned_weights<W> take_binned_weights(Context& context, index_t n) {
  workspace_parts sizes(nullptr);
  binned_weights<W> const unplaced(sizes, n);
  workspace_parts parts(engine::workspace<std::byte>(context, sizes.bytes()));
  return binned_weights<W>(parts, n);
}

/// Stores the sum of each run of equal bins.
template <class Sum>
struct sums_of_bins {
  Sum* sums;
  std::uint32_t const* bins;
  index_t number;
  SAM_FUNCTION void put(index_t i, index_t, Sum const& total) const {
    if (index_t{bins[i]} < number)
      sums[bins[i]] = total;
  }
};

template <class Sums>
struct sums_weights {
  static constexpr bool value = arithmetic<item_or_any_t<Sums>>;
  static_assert(value, "sam: the sums of a weighted histogram must be integers, float or double");
};
template <class Context, class In, class Weights, class Sums, class Bins>
using is_weighted_histogram =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     reads_items<parameter::weights, Context, Weights>,
                     writes_to<parameter::sums, Context, Sums>, sums_weights<Sums>,
                     converts_items<Weights, item_or_any_t<Sums>>,
                     are_bins<std::remove_cvref_t<Context>, Bins, item_or_any_t<In>>>;

/// Sorts the weights by bin, and adds them up. No sum is written before all memory is there.
template <class Context, class W, class Sum>
void sum_weights(checked_call<Context> const& call, binned_weights<W> const& at,
                 checked_array<W const> const& weights, checked_array<Sum> const& sums) {
  int const bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sums.size)));
  auto job = sam::detail::sort_job_for(call, weights.size, natural_digits{},
                                       sort_options<std::uint32_t, W>{.bits = {0, bits}});
  job.keys = job.sorted_keys = at.bins;
  job.values = weights.data;
  job.sorted_values = at.weights;
  call.context().sort(job);
  sam::detail::fill(call.context(), sums.size, sums.data, Sum(0));
  using heads = heads_by_key<std::uint32_t, equal_items, direction::forward, 1>;
  sam::detail::run_segmented_reduce<Sum, carry::decoupled>(
      call.context(), weights.size, static_cast<W const*>(at.weights), heads{at.bins, {}, 1, 1},
      plus{}, from_nothing{}, sums_of_bins<Sum>{sums.data, at.bins, sums.size});
}

/// Adds up the weights where the context can. Elsewhere, stores the bins of all items, sorts the
/// weights by them, and adds them up.
template <class Context, class W, class From, class Sum, class Bins>
void add_weights(checked_call<Context> const& call, checked_array<W const> const& by,
                 From const& from, checked_array<Sum> const& to, Bins const& bins) {
  auto& context = call.context();
  index_t const n = from.taken.size;
  auto const in = sam::detail::source_from(from.taken);
  using source = std::remove_const_t<decltype(in)>;
  using first = std::remove_cvref_t<decltype(from.number)>;
  using direct = weighted_histogram_job<source, first, W, Sum, Bins>;
  [[maybe_unused]] direct const job{n, in, from.number, by.data, to.data, to.size, bins};
  if constexpr (sums_all_bins<Context, direct>) {
    context.sum_bins(job);
  } else {
    if constexpr (sums_bins<Context, direct>)
      if (context.sum_bins(job))
        return;
    if (n == 0)
      return sam::detail::fill(context, to.size, to.data, Sum(0));
    auto const at = sam::detail::take_binned_weights<W>(context, n);
    context.run(n, store_bins_job<source, first, Bins>{in, at.bins, n, to.size, from.number, bins},
                pass_over_flags<std::uint32_t>);
    sam::detail::sum_weights(call, at, checked_array<W const>{by.data, n, by.name}, to);
  }
}

/// Returns earlier sums as an input that is stored, since the sums are written before it is added.
template <class Context, class Before, class Sum>
checked_input<array_source<Sum>, 0> earlier_sums(checked_call<Context> const& call,
                                                 Before const& before,
                                                 checked_array<Sum> const& to) {
  auto const earlier = sam::detail::earlier_counts(call, before, to);
  return {{earlier.data}, earlier.size, earlier.name, {}};
}
template <class Context, class Sum>
nothing_to_store earlier_sums(checked_call<Context> const&, no_counts, checked_array<Sum> const&) {
  return {};
}
template <class Context, class Sum>
void add_earlier_sums(Context& context, checked_array<Sum const> const& earlier,
                      checked_array<Sum> const& to) {
  sam::detail::add_counts(context, static_cast<Sum const*>(to.data), earlier.data, to);
}
template <class Context, class Sum>
void add_earlier_sums(Context&, nothing_to_store, checked_array<Sum> const&) {}

template <class Context, class In, class Weights, class Sums, class Bins, class Before>
void weighted_histogram(Context& context, In const& in, Weights const& weights, Sums& sums,
                        Bins const& bins, Before const& before, std::source_location at) {
  using T = item_or_any_t<In>;
  checked_call const call(context, "sam::weighted_histogram", at);
  auto const from = detail::first_items_of<parameter::in>(call, in);
  auto const given = sam::detail::input_of<parameter::weights>(call, weights);
  auto const to = call.template output<parameter::sums>(sums);
  call.same_size(given, from.all);
  call.apart(to, from.all);
  call.apart(to, given);
  sam::detail::apart_from_arrays(call, to, from.all);
  detail::apart_from_count(call, in, to);
  call.template fits<std::uint32_t>("sums", to.size);
  auto const earlier = sam::detail::earlier_sums(call, before, to);
  sam::detail::with_checked_bins<T>(call, to.size, to, bins, [&](auto const& bin_of) {
    if (to.size == 0)
      return;
    auto const stored = detail::in_memory(context, detail::beside(given, from), earlier);
    sam::detail::add_weights(call, std::get<0>(stored), from, to, bin_of);
    sam::detail::add_earlier_sums(context, std::get<1>(stored), to);
  });
}

}  // namespace detail

/// Computes a weighted histogram: sums[b] becomes the sum of the weights of the items in bin b, and
/// 0 if there are none.
///
/// in           n items, in memory that `context` reaches, or sam::counted(items, number). in may
///              be a computed input (<sam/inputs.hpp>), whose items are computed as they are read
/// weights      a number for each item, in memory that `context` reaches; or a computed input,
///              whose items are first stored in memory of the context
/// sums         an integer, float or double for each bin, at most 2^32 - 1, apart from in and
///              weights, whose items are converted as by inclusive_scan. Integers are added modulo
///              2^w
/// bins         as for histogram
/// traffic      a read of n items and weights. On GPUs, where 5 sums for each bin exceed 36 KiB and
///              items have several bytes, that of radix_sort_pairs of n bins of 4 bytes, sorted by
///              as many bits as their number has, with weights; and two reads and a write of n bins
///              and weights. Kokkos spaces with kernels of Kokkos alone always sort
/// workspace    on CPUs up to 256 sums for each bin, at most n / 4 or the number of bins, and four
///              for each bin and thread; on GPUs up to 128 sums for each bin, at most n / 16, or
///              for a sort memory for n bins of 4 bytes and n weights, and that of the sort
/// determinism  the same bits on every run and for every number of threads, floats included
/// returns      once the work is queued; context.wait() before reading sums
/// throws       sam::invalid_argument  if sizes differ, arrays overlap, or the bins are invalid, as
///                                     for histogram; nothing is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       private sums that are added up at the end, as in histogram: of workers on CPUs, of
///              lanes on GPUs. For many bins on GPUs, a stable sort by bins, as radix_sort_pairs,
///              and sums of the runs, as segmented_reduce
template <class Context, class In, class Weights, class Sums, class Bins>
void weighted_histogram(Context&& context, In const& in, Weights const& weights, Sums&& sums,
                        Bins const& bins,
                        std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::weighted_histogram(*detail::lend_context(context), in, weights,
                                   std::forward<Sums>(sums), bins, at);
  else if constexpr (detail::is_weighted_histogram<Context, In, Weights, Sums, Bins>::value)
    detail::weighted_histogram(context, in, weights, sums, bins, detail::no_counts{}, at);
}

/// Adds a weighted histogram to that of earlier items: sums[b] becomes before[b] plus the sum of
/// the weights of the items in bin b. So sums of floats may have other bits than those of all items
/// at once.
///
/// before       as many sums as there are bins, of the item type of sums. It may be sums; any other
///              overlap is an error
/// traffic      as above, and three reads and two writes of a sum for each bin
/// workspace    a sum for each bin more
/// Everything else is as above.
template <class Context, class In, class Weights, class Sums, class Bins, class Before>
requires(!detail::is_location<Before>) void weighted_histogram(
    Context&& context, In const& in, Weights const& weights, Sums&& sums, Bins const& bins,
    Before const& before, std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>)
    return sam::weighted_histogram(*detail::lend_context(context), in, weights,
                                   std::forward<Sums>(sums), bins, before, at);
  else if constexpr (detail::all_right<
                         detail::is_weighted_histogram<Context, In, Weights, Sums, Bins>,
                         detail::reads_counts<Context, Before, Sums>>)
    detail::weighted_histogram(context, in, weights, sums, bins, before, at);
}

}  // namespace sam::inline v0_1
