// SPDX-License-Identifier: MIT
// Defines histogram and cumulative_histogram.
#pragma once

#include <sam/backend/histogram_job.hpp>
#include <sam/bins.hpp>
#include <sam/detail/inputs/copy_input.hpp>
#include <sam/scan.hpp>
#if __has_include(<sam/chosen_backend/histogram.hpp>)
#include <sam/chosen_backend/histogram.hpp>
#include <sam/chosen_backend/scan.hpp>
#endif

#include <cstddef>
#include <tuple>
#include <utility>

namespace sam::inline v0_1 {

namespace detail {

template <class Counts>
struct counts_items {
  using count = item_or_any_t<Counts>;
  static constexpr bool value = integer<count> && (sizeof(count) == 4 || sizeof(count) == 8);
  static_assert(value, "sam: the counts of a histogram must be integers of 4 or 8 bytes");
};
/// Checks a histogram at compile time.
template <class Parameter, class Context, class In, class Counts, class Bins>
using is_histogram =
    std::conjunction<is_context<Context>, reads_first_items<parameter::in, Context, In>,
                     writes_to<Parameter, Context, Counts>, counts_items<Counts>,
                     are_bins<std::remove_cvref_t<Context>, Bins, item_or_any_t<In>>>;

/// Calls use(f) with the function f that returns the index of an item's bin. Rejects bins that do
/// not fit items of T or `number` of them. If IsOne, f is always of one type.
template <class T, bool IsOne = false, class Context, class Bins, class Use>
void with_checked_bins(checked_call<Context> const& call, index_t number, extent const& counts,
                       Bins const& bins, Use const& use) {
  if constexpr (knows_bins<Bins>) {
    bins.template check<T>(call, number, counts);
    bins.template with_bins<T, IsOne>(number, use);
  } else {
    sam::detail::expect_runs_on<Context, Bins, T>();
    use(bins);
  }
}

/// Runs a histogram of known items, or of the first ones, by their number.
template <class Context, class Item, class Count, class Bins, class Number>
void run_histogram(Context& context, histogram_job<Item, Count, Bins> const& job,
                   Number const& number) {
  static_assert(counts_bins<Context, histogram_job<Item, Count, Bins>>,
                "sam: this context has no count_bins(job), which histograms need");
  if (job.size == 0)
    return;
  if constexpr (std::is_same_v<Number, known_count>)
    context.count_bins(job);
  else
    context.count_bins(counted_histogram_job<Item, Count, Bins, Number>{job, number});
}

/// Returns the bin of f(x).
template <class F, class Bins>
struct bins_of_transformed {
  F f;
  Bins bins;
  template <class T>
  SAM_FUNCTION index_t operator()(T const& x) const {
    return static_cast<index_t>(bins(f(x)));
  }
  template <class T>
  SAM_FUNCTION auto bin_or(T const& x, index_t none) const requires
      requires(Bins const& b, F const& g) {
    b.bin_or(g(x), none);
  }
  { return bins.bin_or(f(x), none); }
};
template <class Bins>
Bins const& bins_after(std::identity const&, Bins const& bins) {
  return bins;
}
template <class F, class Bins>
bins_of_transformed<F, Bins> bins_after(F const& f, Bins const& bins) {
  return {f, bins};
}

/// True for a transform of an array.
template <class In>
inline constexpr bool is_transformed_array = false;
template <class In>
requires requires { typename In::transformed_input_tag; }
inline constexpr bool is_transformed_array<In> = !is_lazy<decltype(In::base)>;

/// Calls use(in, f) with an input and a transform of its items: those of a transformed array, which
/// is then read as it is, or any other input and no transform.
template <class In, class Use>
auto with_array_of(In const& in, Use const& use) {
  using items = array_within_t<In>;
  if constexpr (is_transformed_array<items>) {
    auto const& transformed = detail::items_within(in);
    if constexpr (is_counted<In>)
      return use(sam::counted(transformed.base, in.number), transformed.f);
    else
      return use(transformed.base, transformed.f);
  } else {
    return use(in, std::identity{});
  }
}

/// Adds counts of earlier items to new ones.
template <class Count>
struct add_counts_job {
  using item = Count;
  using accumulator = std::uint32_t;
  static constexpr bool elementwise = true;
  Count const* counted;
  Count const* before;
  Count* counts;

  SAM_FUNCTION Count load(index_t b) const { return plus{}(before[b], counted[b]); }
  SAM_FUNCTION accumulator to_accumulator(Count const&) const { return 0; }
  SAM_FUNCTION void store(index_t b, Count const& sum, accumulator) const { counts[b] = sum; }
};

/// Returns checked counts of earlier items. They may be those that are written.
template <class Context, class Before, class Count>
auto earlier_counts(checked_call<Context> const& call, Before const& before,
                    checked_array<Count> const& to) {
  auto const earlier = call.template input<parameter::before>(before);
  call.same_size(earlier, to);
  call.same_or_apart(to, earlier);
  return earlier;
}
template <class Context, class Count>
void add_counts(Context& context, Count const* counted, Count const* before,
                checked_array<Count> const& to) {
  if (to.size > 0)
    context.run(to.size, add_counts_job<Count>{counted, before, to.data},
                engine::resolve_policy<engine::bound::exclusive>(
                    scan_policy<>{}, engine::from_value<std::uint32_t>{0}));
}
/// Calls count_to(place) with memory for as many counts as `to` has, and adds those to earlier
/// ones.
template <class Context, class Before, class Count, class CountTo>
void add_to_earlier(checked_call<Context> const& call, Before const& before,
                    checked_array<Count> const& to, CountTo const& count_to) {
  Context& context = call.context();
  auto const earlier = sam::detail::earlier_counts(call, before, to);
  Count* const counted = engine::workspace<Count>(context, to.size);
  count_to(counted);
  sam::detail::add_counts(context, static_cast<Count const*>(counted), earlier.data, to);
}
/// Stands for no earlier counts.
struct no_counts {};
template <class Context, class Count, class CountTo>
void add_to_earlier(checked_call<Context> const&, no_counts, checked_array<Count> const& to,
                    CountTo const& count_to) {
  count_to(to.data);
}
/// Checks earlier counts.
template <class Context, class Before, class Counts>
using reads_counts = std::conjunction<reads_from<parameter::before, Context, Before>,
                                      have_one_item_type<Before, Counts>>;

/// Leaves new counts as they are.
struct no_change {
  template <class Count>
  void operator()(checked_array<Count> const&) const {}
};
/// Counts items in the bins, calls change(counted) with the new counts, and adds these to earlier
/// ones. The last `spare` counts have no bin.
template <class Parameter, class Context, class In, class Counts, class Bins, class Before,
          class Change = no_change>
void count_items(checked_call<Context> const& call, In const& in, Counts& counts, index_t spare,
                 Bins const& bins, Before const& before, Change const& change = {}) {
  using count = item_of<Counts>;
  detail::with_array_of(in, [&](auto const& items, auto const& transform) {
    using T = item_or_any_t<std::remove_cvref_t<decltype(items)>>;
    sam::detail::expect_runs_on<Context, std::remove_cvref_t<decltype(transform)>, T>();
    auto const given = detail::first_items_of<parameter::in>(call, items);
    auto const to = call.template output<Parameter>(counts);
    call.apart(to, given.all);
    detail::apart_from_count(call, items, to);
    call.template fits<count>(to.name, given.all.size);
    index_t const number = to.size - spare;
    if (number < 0)
      call.refuse(to.name, "holds no items; it must hold one more than there are bins");
    detail::add_to_earlier(call, before, to, [&](count* place) {
      auto const from = std::get<0>(detail::in_memory(call.context(), given));
      sam::detail::with_checked_bins<item_or_any_t<In>>(
          call, number, to, bins, [&](auto const& checked) {
            auto const bin_of = detail::bins_after(transform, checked);
            detail::run_histogram(call.context(),
                                  histogram_job<T, count, std::remove_const_t<decltype(bin_of)>>{
                                      from.taken.size, from.taken.data, place, number, bin_of},
                                  from.number);
          });
      change(checked_array<count>{place, to.size, to.name});
    });
  });
}
/// Computes a cumulative histogram, beside an earlier one.
template <class Context, class In, class Below, class Bins, class Before>
void cumulative_histogram(Context& context, In const& in, Below& below, Bins const& bins,
                          Before const& before, std::source_location at) {
  using count = item_of<Below>;
  checked_call const call(context, "sam::cumulative_histogram", at);
  sam::detail::count_items<parameter::below>(
      call, in, below, 1, bins, before, [&](checked_array<count> const& counted) {
        // The exclusive scan ignores the last item, which holds no count.
        sam::detail::run_scan<bound::exclusive>(
            context, checked_array<count const>{counted.data, counted.size, counted.name}, counted,
            std::identity{}, scan_policy<>{}, from_value<count>{0});
      });
}

/// The interleaved items of one pixel.
template <class T, int Channels>
struct pixel {
  T channels[std::size_t{Channels}];
};
/// The bins of one channel, and their number.
template <class Bins>
struct channel_bins {
  index_t number;
  Bins bins;
  /// Returns the index of the bin of x behind `begin` others, or -1.
  template <class T>
  SAM_FUNCTION index_t behind(index_t begin, T const& x) const {
    auto const found = static_cast<index_t>(bins(x));
    return found < 0 || found >= number ? -1 : begin + found;
  }
};
/// Gives each of some channels equal bins.
template <class Bins>
struct bins_of_each_channel {
  channel_bins<Bins> own;
  template <int C, class T>
  SAM_FUNCTION index_t bin_of(T const& x) const {
    return own.behind(C * own.number, x);
  }
  SAM_FUNCTION index_t begin_of(int c) const { return c * own.number; }
};
/// The bins of a channel, and those of the channels behind it.
template <class Bins, class Rest>
struct bins_of_channel_and_rest {
  channel_bins<Bins> own;
  Rest rest;
  template <int C, class T>
  SAM_FUNCTION index_t bin_of(T const& x) const {
    if constexpr (C == 0) {
      return own.behind(0, x);
    } else {
      index_t const found = rest.template bin_of<C - 1>(x);
      return found < 0 ? found : own.number + found;
    }
  }
  SAM_FUNCTION index_t begin_of(int c) const {
    return c == 0 ? 0 : own.number + rest.begin_of(c - 1);
  }
};
struct bins_of_no_channel {
  SAM_FUNCTION index_t begin_of(int) const { return 0; }
};
/// Finds the bins of the first `Counted` channels of a pixel, for a histogram_job.
template <class T, int Channels, int Counted, class Bins>
struct bins_of_pixel {
  static constexpr int channels = Counted;
  using channel = T;
  Bins bins;
  template <int C>
  SAM_FUNCTION T const& of(pixel<T, Channels> const& x) const {
    return x.channels[C];
  }
  template <int C>
  SAM_FUNCTION index_t bin_of(T const& x) const {
    return bins.template bin_of<C>(x);
  }
  SAM_FUNCTION index_t begin_of(int c) const { return bins.begin_of(c); }
};

/// The number of whole groups of channels.
template <int Channels, class Number>
struct number_of_groups {
  Number items;
  SAM_FUNCTION index_t operator()() const { return items() / Channels; }
};
template <int Channels>
known_count groups_in(known_count const& items) {
  return {items.n / Channels};
}
template <int Channels, class Number>
number_of_groups<Channels, Number> groups_in(Number const& items) {
  return {items};
}

/// Counts the first `Counted` channels of the first items.
template <int Channels, int Counted, class Context, class T, class Number, class Count, class Bins>
void run_histogram_of_channels(Context& context, first_items<T const, Number> const& from,
                               Count* to, Bins const& bins) {
  using pixel_type = pixel<T, Channels>;
  detail::run_histogram(context,
                        histogram_job<pixel_type, Count, bins_of_pixel<T, Channels, Counted, Bins>>{
                            from.taken.size / Channels,
                            reinterpret_cast<pixel_type const*>(from.taken.data),
                            to,
                            bins.begin_of(Counted),
                            {bins}},
                        detail::groups_in<Channels>(from.number));
}

/// Checks the arrays of a histogram of channels, and calls use(call, from, to, place), where
/// `place` receives the counts.
template <int Channels, class Context, class In, class Counts, class Before, class Use>
void with_channels(Context& context, In const& in, Counts& counts, Before const& before,
                   std::source_location at, Use const& use) {
  checked_call const call(context, "sam::histogram_of_channels", at);
  auto const from = detail::first_items_of<parameter::in>(call, in);
  auto const to = call.template output<parameter::counts>(counts);
  call.apart(to, from.all);
  detail::apart_from_count(call, in, to);
  if (from.all.size % Channels != 0)
    call.refuse(parameter::in::name, "holds ", from.all.size,
                " items, which are not whole groups of ", Channels);
  call.template fits<item_of<Counts>>(to.name, from.all.size / Channels);
  detail::add_to_earlier(call, before, to, [&](auto* place) { use(call, from, to, place); });
}
template <int Channels, int Counted, class Context, class In, class Counts, class Bins,
          class Before>
void count_channels(Context& context, In const& in, Counts& counts, Bins const& bins,
                    Before const& before, std::source_location at) {
  sam::detail::with_channels<Channels>(
      context, in, counts, before, at,
      [&](auto const& call, auto const& from, auto const& to, auto* place) {
        if (to.size % Counted != 0)
          call.refuse(to.name, "holds ", to.size, " items; it must hold as many for each of ",
                      Counted, " channels");
        index_t const number = to.size / Counted;
        auto const [items] = detail::in_memory(context, from);
        sam::detail::with_checked_bins<item_or_any_t<In>>(
            call, number, to, bins, [&, &first = items](auto const& bin_of) {
              detail::run_histogram_of_channels<Channels, Counted>(
                  context, first, place,
                  bins_of_each_channel<std::remove_cvref_t<decltype(bin_of)>>{{number, bin_of}});
            });
      });
}

/// The bins of the first channels.
template <class... Bins>
struct bins_of_channels {
  std::tuple<channel_bins<Bins>...> each;
};
template <class A>
inline constexpr bool are_bins_of_channels = false;
template <class... Bins>
inline constexpr bool are_bins_of_channels<bins_of_channels<Bins...>> = true;

/// Rejects bins that do not fit items of T.
template <class T, class Context, class Bins>
void check_channel_bins(checked_call<Context> const& call, extent const& counts,
                        channel_bins<Bins> const& own) {
  if (own.number < 0)
    call.refuse("bins", "has a channel of ", own.number, " bins; it must have at least 0");
  sam::detail::with_checked_bins<T>(call, own.number, counts, own.bins, [](auto const&) {});
}
/// Calls use(b) with the bins of some channels, one behind the other.
template <class T, class Context, class Use>
void with_bins_of_channels(checked_call<Context> const&, extent const&, Use const& use) {
  use(bins_of_no_channel{});
}
template <class T, class Context, class Use, class Bins, class... Rest>
void with_bins_of_channels(checked_call<Context> const& call, extent const& counts, Use const& use,
                           channel_bins<Bins> const& own, channel_bins<Rest> const&... rest) {
  sam::detail::with_checked_bins<T, true>(
      call, own.number, counts, own.bins, [&](auto const& bin_of) {
        using bins = std::remove_cvref_t<decltype(bin_of)>;
        sam::detail::with_bins_of_channels<T>(
            call, counts,
            [&](auto const& others) {
              use(bins_of_channel_and_rest<bins, std::remove_cvref_t<decltype(others)>>{
                  {own.number, bin_of}, others});
            },
            rest...);
      });
}
/// Counts each channel in bins of its own, which follow those of the channel before.
template <int Channels, class T, class Context, class From, class Count, class... Bins>
void count_each_channel(checked_call<Context> const& call, From const& from,
                        checked_array<Count> const& to, Count* place,
                        channel_bins<Bins> const&... own) {
  (sam::detail::check_channel_bins<T>(call, to, own), ...);
  call.size_is(to, (own.number + ...), "the bins of all channels");
  auto const [items] = detail::in_memory(call.context(), from);
  sam::detail::with_bins_of_channels<T>(
      call, to,
      [&, &first = items](auto const& bins) {
        detail::run_histogram_of_channels<Channels, static_cast<int>(sizeof...(Bins))>(
            call.context(), first, place, bins);
      },
      own...);
}
template <int Channels, class Context, class In, class Counts, class Before, class... Bins>
void count_channels_by(Context& context, In const& in, Counts& counts,
                       bins_of_channels<Bins...> const& bins, Before const& before,
                       std::source_location at) {
  static_assert(1 <= sizeof...(Bins) && sizeof...(Bins) <= Channels,
                "sam::histogram_of_channels: bins must be those of at least one and at most all "
                "channels");
  sam::detail::with_channels<Channels>(
      context, in, counts, before, at,
      [&](auto const& call, auto const& from, auto const& to, auto* place) {
        std::apply(
            [&](auto const&... own) {
              sam::detail::count_each_channel<Channels, item_or_any_t<In>>(call, from, to, place,
                                                                           own...);
            },
            bins.each);
      });
}

}  // namespace detail

/// Computes a histogram: counts[b] becomes the number of items in bin b.
///
/// in           n items, in memory that `context` reaches, or sam::counted(items, number). in may
///              be a computed input (<sam/inputs.hpp>): a transformed array is read as it is, and
///              the items of others are first stored in memory of the context
/// counts       an integer of 4 or 8 bytes for each bin, in memory apart from in. It must be able
///              to hold n. Earlier contents are overwritten
/// bins         even_bins(lower, upper) or bins_between(boundaries), see <sam/bins.hpp>. Or a
///              function object that returns the index of an item's bin; a device must be able to
///              call it, once or more for equal items. An item with an index below 0, or not below
///              the number of bins, is not counted
/// traffic      n reads of one item. Up to some thousand bins, and all bins of one-byte items, are
///              counted in caches or shared memory. With more bins, each item also costs an
///              addition in memory on a GPU
/// workspace    on CPUs up to 32 bytes for each bin and thread, if there are more items than bins;
///              for items of one byte 9 KB for each thread. Memory for items that are stored
/// determinism  counts are exact
/// returns      once the work is queued; context.wait() before reading counts
/// throws       sam::invalid_argument  if counts cannot hold n or overlaps in, if the limits of the
///                                     bins are not a range or too close for in's type, or if the
///                                     number of boundaries does not match that of counts; nothing
///                                     is written
///              sam::out_of_memory     if the context cannot grow
///              sam::device_error      if the back end cannot queue the work
/// source       Shams, Kennedy, ICSPCS 2007 (private counters that are added up at the end)
template <class Context, class In, class Counts, class Bins>
void histogram(Context&& context, In const& in, Counts&& counts, Bins const& bins,
               std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::histogram(*detail::lend_context(context), in, std::forward<Counts>(counts), bins,
                          at);
  } else {
    using to = detail::parameter::counts;
    if constexpr (detail::is_histogram<to, Context, In, Counts, Bins>::value) {
      detail::checked_call const call(context, "sam::histogram", at);
      detail::count_items<to>(call, in, counts, 0, bins, detail::no_counts{});
    }
  }
}

/// Adds a histogram to that of earlier items: counts[b] becomes before[b] plus the number of items
/// in bin b. So arrays are counted one after another as one.
///
/// before       as many counts as there are bins, of the item type of counts. It may be counts; any
///              other overlap is an error. Sums are modulo 2^w
/// traffic      that of histogram, and two reads and two writes of a count for each bin
/// workspace    a count for each bin more
/// Everything else is as above.
template <class Context, class In, class Counts, class Bins, class Before>
requires(!detail::is_location<Before>) void histogram(
    Context&& context, In const& in, Counts&& counts, Bins const& bins, Before const& before,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::histogram(*detail::lend_context(context), in, std::forward<Counts>(counts), bins,
                          before, at);
  } else {
    namespace parameter = detail::parameter;
    if constexpr (detail::all_right<
                      detail::is_histogram<parameter::counts, Context, In, Counts, Bins>,
                      detail::reads_counts<Context, Before, Counts>>) {
      detail::checked_call const call(context, "sam::histogram", at);
      detail::count_items<parameter::counts>(call, in, counts, 0, bins, before);
    }
  }
}

/// Computes a histogram of each channel of interleaved items, as of the colours of an image: item i
/// belongs to channel i % Channels.
///
/// Channels     the number of channels; Counted, which is all of them unless it is given, says how
///              many are counted, the first ones
/// in           n items, n being a multiple of Channels; the first ones that sam::counted takes are
///              counted in whole groups
/// counts       as many integers for each counted channel, those of channel 0 first. They must be
///              able to hold n / Channels
/// bins         as for histogram, for every channel the same
/// traffic      n reads of an item. Where the bins of all channels do not fit the shared memory of
///              a GPU, as some 20,000 do, n reads for each group of channels whose bins do
/// Everything else is as for histogram.
template <int Channels, int Counted = Channels, class Context, class In, class Counts, class Bins>
requires(!detail::are_bins_of_channels<Bins>) void histogram_of_channels(
    Context&& context, In const& in, Counts&& counts, Bins const& bins,
    std::source_location at = std::source_location::current()) {
  static_assert(1 <= Counted && Counted <= Channels,
                "sam::histogram_of_channels: at least one and at most all channels are counted");
  using to = detail::parameter::counts;
  if constexpr (detail::stands_for_context<Context>)
    return sam::histogram_of_channels<Channels, Counted>(*detail::lend_context(context), in,
                                                         std::forward<Counts>(counts), bins, at);
  else if constexpr (detail::is_histogram<to, Context, In, Counts, Bins>::value)
    detail::count_channels<Channels, Counted>(context, in, counts, bins, detail::no_counts{}, at);
}
/// Adds a histogram of each channel to those of earlier items, as histogram does.
template <int Channels, int Counted = Channels, class Context, class In, class Counts, class Bins,
          class Before>
requires(
    !detail::are_bins_of_channels<Bins> &&
    !detail::is_location<Before>) void histogram_of_channels(Context&& context, In const& in,
                                                             Counts&& counts, Bins const& bins,
                                                             Before const& before,
                                                             std::source_location at =
                                                                 std::source_location::current()) {
  static_assert(1 <= Counted && Counted <= Channels,
                "sam::histogram_of_channels: at least one and at most all channels are counted");
  using to = detail::parameter::counts;
  if constexpr (detail::stands_for_context<Context>)
    return sam::histogram_of_channels<Channels, Counted>(
        *detail::lend_context(context), in, std::forward<Counts>(counts), bins, before, at);
  else if constexpr (detail::all_right<detail::is_histogram<to, Context, In, Counts, Bins>,
                                       detail::reads_counts<Context, Before, Counts>>)
    detail::count_channels<Channels, Counted>(context, in, counts, bins, before, at);
}

/// Returns the bins of one channel: so many, and as for histogram.
template <class Bins>
auto channel_bins(index_t number, Bins const& bins) {
  return detail::channel_bins<Bins>{number, bins};
}
/// Returns the bins of the first channels, for histogram_of_channels.
template <class... Bins>
auto bins_of_channels(detail::channel_bins<Bins> const&... each) {
  return detail::bins_of_channels<Bins...>{{each...}};
}

/// Computes a histogram of each channel of interleaved items, with bins of its own:
///
///   sam::histogram_of_channels<4>(context, in, counts, sam::bins_of_channels(
///       sam::channel_bins(256, sam::even_bins(0, 256)), sam::channel_bins(3, my_bins)));
///
/// counts       as many integers as there are bins in all, those of channel 0 first. They must be
///              able to hold n / Channels. Earlier counts, as for histogram, may follow bins
/// bins         the bins of the first channels, from 1 to Channels of them; others are not counted
/// Everything else is as above.
template <int Channels, class Context, class In, class Counts, class... Bins>
void histogram_of_channels(Context&& context, In const& in, Counts&& counts,
                           detail::bins_of_channels<Bins...> const& bins,
                           std::source_location at = std::source_location::current()) {
  using to = detail::parameter::counts;
  if constexpr (detail::stands_for_context<Context>)
    return sam::histogram_of_channels<Channels>(*detail::lend_context(context), in,
                                                std::forward<Counts>(counts), bins, at);
  else if constexpr (std::conjunction_v<detail::is_histogram<to, Context, In, Counts, Bins>...>)
    detail::count_channels_by<Channels>(context, in, counts, bins, detail::no_counts{}, at);
}
template <int Channels, class Context, class In, class Counts, class Before, class... Bins>
requires(!detail::is_location<Before>) void histogram_of_channels(
    Context&& context, In const& in, Counts&& counts, detail::bins_of_channels<Bins...> const& bins,
    Before const& before, std::source_location at = std::source_location::current()) {
  using to = detail::parameter::counts;
  if constexpr (detail::stands_for_context<Context>)
    return sam::histogram_of_channels<Channels>(*detail::lend_context(context), in,
                                                std::forward<Counts>(counts), bins, before, at);
  else if constexpr (detail::all_right<detail::is_histogram<to, Context, In, Counts, Bins>...,
                                       detail::reads_counts<Context, Before, Counts>>)
    detail::count_channels_by<Channels>(context, in, counts, bins, before, at);
}

/// Computes a cumulative histogram: below[b] becomes the number of items in all bins before b, and
/// below[bins] that in all bins. So below[j] - below[i] items lie in bins [i, j).
///
/// below        one item more than there are bins, so at least 1. It receives the counts first and
///              is then scanned
/// Everything else is as for histogram.
template <class Context, class In, class Below, class Bins>
void cumulative_histogram(Context&& context, In const& in, Below&& below, Bins const& bins,
                          std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::cumulative_histogram(*detail::lend_context(context), in, std::forward<Below>(below),
                                     bins, at);
  } else {
    using to = detail::parameter::below;
    if constexpr (detail::is_histogram<to, Context, In, Below, Bins>::value)
      detail::cumulative_histogram(context, in, below, bins, detail::no_counts{}, at);
  }
}
/// Adds a cumulative histogram to that of earlier items, as histogram does.
template <class Context, class In, class Below, class Bins, class Before>
requires(!detail::is_location<Before>) void cumulative_histogram(
    Context&& context, In const& in, Below&& below, Bins const& bins, Before const& before,
    std::source_location at = std::source_location::current()) {
  if constexpr (detail::stands_for_context<Context>) {
    return sam::cumulative_histogram(*detail::lend_context(context), in, std::forward<Below>(below),
                                     bins, before, at);
  } else {
    using to = detail::parameter::below;
    if constexpr (detail::all_right<detail::is_histogram<to, Context, In, Below, Bins>,
                                    detail::reads_counts<Context, Before, Below>>)
      detail::cumulative_histogram(context, in, below, bins, before, at);
  }
}

}  // namespace sam::inline v0_1
