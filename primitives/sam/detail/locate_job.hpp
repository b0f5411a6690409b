// SPDX-License-Identifier: MIT
// Defines the jobs of reductions that find an item: an extreme one, or the first of some kind.
#pragma once

#include <sam/algebra/located.hpp>
#include <sam/arguments/call.hpp>
#include <sam/backend/job.hpp>

namespace sam::inline v0_1::detail {

/// Checks a strict weak order of items of T, which Context calls.
template <class Context, class Less, class T>
struct is_comparison {
  static constexpr bool is_one = callable_for<Less, bool, T const&, T const&>;
  static constexpr bool value =
      std::conjunction_v<std::bool_constant<is_one>, runs_on<Context, Less, T, T>>;
  static_assert(is_one, "sam: less must be a const function object on two items, a strict weak "
                        "order: bool less(a, b) const");
};

/// The number of items in a block of 16 KiB, which a first-level cache holds.
template <class T>
inline constexpr index_t items_of_block = max_of((16 << 10) / index_t{sizeof(T)}, 1);

/// Returns the item of a block that natural_extreme<Max> puts first. Accumulators in independent
/// lanes let compilers use vectors.
template <bool Max, class T>
T extreme_of_block(T const* items, index_t count) {
  constexpr index_t lanes = 256 / index_t{sizeof(T)};
  natural_extreme<Max> const precedes;
  T first = items[0];
  index_t i = 0;
  if (count >= lanes) {
    T best[std::size_t{lanes}];
    for (index_t l = 0; l < lanes; ++l)
      best[l] = items[l];
    for (i = lanes; i + lanes <= count; i += lanes)
      for (index_t l = 0; l < lanes; ++l) {
        T const x = items[i + l];
        if constexpr (is_floating<T>)  // one selection, and a NaN stays
          best[l] = ((Max ? best[l] < x : x < best[l]) | (x != x)) ? x : best[l];
        else
          best[l] = (Max ? best[l] < x : x < best[l]) ? x : best[l];
      }
    for (T const x : best)
      first = precedes(x, first) ? x : first;
  }
  for (; i < count; ++i)
    first = precedes(items[i], first) ? items[i] : first;
  return first;
}

/// Combines a block of items into the one that `precedes` puts first.
template <class T, class Precedes>
void locate_in_block(Precedes const& precedes, located<T>& best, T const* items, index_t begin,
                     index_t count) {
  index_t i = 0;
  if (best.index < 0) {
    best = located<T>::of(items[begin], begin);
    i = 1;
  }
  for (; i < count; ++i)
    if (precedes(items[begin + i], best.value()))
      best = located<T>::of(items[begin + i], begin + i);
}
template <class T, bool Max>
requires std::is_arithmetic_v<T>
void locate_in_block(natural_extreme<Max> const& precedes, located<T>& best, T const* items,
                     index_t begin, index_t count) {
  T const first = sam::detail::extreme_of_block<Max>(items + begin, count);
  if (best.index >= 0 && !precedes(first, best.value()))
    return;
  index_t i = begin;
  while (precedes(first, items[i]))
    ++i;
  best = located<T>::of(items[i], i);
}

/// Reduces items to the extreme one. Op is first_of_order or first_of_both_orders, and Put writes
/// the result.
template <class T, class Accumulator, class Op, class Put>
struct locate_job {
  using item = Accumulator;
  using accumulator = Accumulator;
  static constexpr bool ends = true;
  static constexpr index_t item_bytes = sizeof(T), block_items = items_of_block<T>;
  T const* in;
  index_t n;
  Op op;
  Put put;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(in); }
  SAM_FUNCTION item load(index_t i, T const* x) const {
    if constexpr (std::is_same_v<Accumulator, located<T>>)
      return located<T>::of(*x, i);
    else
      return {located<T>::of(*x, i), located<T>::of(*x, i)};
  }
  SAM_FUNCTION item load(index_t i) const { return load(i, in + i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    if (i == n - 1)
      put(y);
  }
  void accumulate(accumulator& sum, index_t begin, index_t count) const {
    if constexpr (std::is_same_v<Accumulator, located<T>>) {
      sam::detail::locate_in_block(op.precedes, sum, in, begin, count);
    } else {
      sam::detail::locate_in_block(op.min.precedes, sum.min, in, begin, count);
      sam::detail::locate_in_block(op.max.precedes, sum.max, in, begin, count);
    }
  }
  SAM_FUNCTION bool settles(accumulator const&) const { return false; }
};

/// Reduces the items of a computed input to the extreme one, as locate_job does those of an array.
template <class Source, class Accumulator, class Op, class Put>
struct locate_computed_job {
  using item = Accumulator;
  using accumulator = Accumulator;
  using T = typename Source::item;
  static constexpr bool ends = true;
  static constexpr index_t item_bytes = sizeof(T), block_items = items_of_block<T>;
  Source in;
  index_t n;
  Op op;
  Put put;

  SAM_FUNCTION auto reads() const requires(Source::arrays > 0) { return in.reads(); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return of(in.template read<0>(i, engine::make_pointers(p...)), i);
  }
  SAM_FUNCTION item load(index_t i) const { return of(in.at(i), i); }
  SAM_FUNCTION accumulator to_accumulator(item const& x) const { return x; }
  SAM_FUNCTION void store(index_t i, item const&, accumulator const& y) const {
    if (i == n - 1)
      put(y);
  }
  void accumulate(accumulator& sum, index_t begin, index_t count) const {
    for (index_t i = begin; i < begin + count; ++i)
      sum = op(sum, load(i));
  }
  SAM_FUNCTION bool settles(accumulator const&) const { return false; }

 private:
  static SAM_FUNCTION item of(T const& x, index_t i) {
    if constexpr (std::is_same_v<Accumulator, located<T>>)
      return located<T>::of(x, i);
    else
      return {located<T>::of(x, i), located<T>::of(x, i)};
  }
};

/// Matches the first items only, of as many as number() says; all() matches any item.
template <class Which>
concept matching_first = requires(Which const which) {
  which.all();
  { which.number() } -> std::same_as<index_t>;
};

/// Returns what such a job loads for item i, whichever items the number counts.
template <template <class, class> class Job, class Which, class Put, class... P>
SAM_FUNCTION index_t load_of_first(Job<Which, Put> const& job, index_t i, P const&... p) {
  using all = std::remove_cvref_t<decltype(job.which.all())>;
  return Job<all, Put>{job.which.all(), job.n, job.put}.load(i, p...);
}

/// Returns what matches the items of which a reducing_first job asks for the number itself.
template <class Which>
SAM_FUNCTION auto const& without_number(Which const& which) {
  if constexpr (matching_first<Which>)
    return which.all();
  else
    return which;
}

/// Reduces items to the index of the first one that matches, or to the highest index_t. Which has
/// reads() of a job, as many arrays as `arrays` says, and matches(i, p...) and matches_at(i).
template <class Which, class Put>
struct find_job {
  using item = index_t;
  using accumulator = index_t;
  static constexpr bool ends = true;
  static constexpr index_t item_bytes = Which::item_bytes,
                           block_items = max_of((4 << 10) / item_bytes, 64);
  static constexpr index_t none = highest_of<index_t>;
  Which which;
  index_t n;
  Put put;

  SAM_FUNCTION auto reads() const requires(Which::arrays > 0) { return which.reads(); }
  template <class... P>
  SAM_FUNCTION index_t load(index_t i, P const&... p) const {
    return which.matches(i, p...) ? i : none;
  }
  SAM_FUNCTION index_t load(index_t i) const { return which.matches_at(i) ? i : none; }
  template <class... P>
  SAM_FUNCTION bool matters(index_t i, P const&... p) const {
    return detail::without_number(which).matches(i, p...);
  }
  SAM_FUNCTION index_t reduced() const requires matching_first<Which> { return which.number(); }
  template <class... P>
  SAM_FUNCTION index_t load_first(index_t i, P const&... p) const requires matching_first<Which> {
    return detail::load_of_first(*this, i, p...);
  }
  SAM_FUNCTION index_t to_accumulator(index_t x) const { return x; }
  SAM_FUNCTION void store(index_t i, index_t, index_t y) const {
    if (i == n - 1)
      put(min_of(y, n));
  }

  // to_chosen(y) has chosen_bits, and is greater for a lower index, so that devices take a maximum
  // for up to most_chosen items. 0 stands for no match.
  static constexpr int chosen_bits = 32;
  static constexpr index_t most_chosen = (index_t{1} << chosen_bits) - 1;
  static SAM_FUNCTION std::uint64_t to_chosen(index_t y) {
    return y < most_chosen ? std::uint64_t(most_chosen - y) : 0;
  }
  static SAM_FUNCTION index_t of_chosen(std::uint64_t x) {
    return x == 0 ? none : most_chosen - index_t(x);
  }

  /// Asks about some items at a time, which compilers can do by vectors. Item 0 is asked by itself
  /// where items are compared with those before them.
  void accumulate(index_t& first, index_t begin, index_t count) const {
    constexpr index_t some = 64;
    index_t const end = begin + count;
    constexpr bool looks_back = requires { requires Which::looks_back; };
    if (looks_back && begin == 0 && count > 0 && (first = load(begin++)) != none)
      return;
    for (; begin + some <= end; begin += some) {
      if (looks_back && begin <= 0)  // so that compilers know that each item has one before it
        __builtin_unreachable();
      unsigned any = 0;
      for (index_t k = 0; k < some; ++k)
        any |= load(begin + k) != none ? 1u : 0u;
      if (any != 0)
        break;
    }
    for (; begin < end && first == none; ++begin)
      first = load(begin);
  }
  SAM_FUNCTION bool settles(index_t first) const { return first != none; }
};

/// Counts the items that match.
template <class Which, class Put>
struct count_job {
  using item = index_t;
  using accumulator = index_t;
  static constexpr bool ends = true;
  static constexpr bool sum_is_at_most_n = true;
  static constexpr index_t item_bytes = Which::item_bytes,
                           block_items = max_of((16 << 10) / item_bytes, 64);
  Which which;
  index_t n;
  Put put;

  SAM_FUNCTION auto reads() const requires(Which::arrays > 0) { return which.reads(); }
  template <class... P>
  SAM_FUNCTION index_t load(index_t i, P const&... p) const {
    return which.matches(i, p...) ? 1 : 0;
  }
  SAM_FUNCTION index_t load(index_t i) const { return which.matches_at(i) ? 1 : 0; }
  SAM_FUNCTION index_t reduced() const requires matching_first<Which> { return which.number(); }
  template <class... P>
  SAM_FUNCTION index_t load_first(index_t i, P const&... p) const requires matching_first<Which> {
    return detail::load_of_first(*this, i, p...);
  }
  SAM_FUNCTION index_t to_accumulator(index_t x) const { return x; }
  SAM_FUNCTION void store(index_t i, index_t, index_t y) const {
    if (i == n - 1)
      put(y);
  }
  void accumulate(index_t& sum, index_t begin, index_t count) const {
    std::uint32_t matching = 0;  // counters of 32 bits fill more lanes of a vector
    for (index_t k = 0; k < count; ++k)
      if (which.matches_at(begin + k))  // compilers vectorize this also for comparisons of floats
        ++matching;
    sum += matching;
  }
  SAM_FUNCTION bool settles(index_t) const { return false; }
};

/// Matches the items for which keep(x) is true. In is the item type of an array, or a source.
template <class In, class Keep>
struct matching_items {
  using source = source_of_t<In>;
  static constexpr int arrays = source::arrays;
  static constexpr index_t item_bytes = sizeof(typename source::item);
  source in;
  Keep keep;
  SAM_FUNCTION auto reads() const { return in.reads(); }
  template <class... P>
  SAM_FUNCTION bool matches(index_t i, P const&... p) const {
    return static_cast<bool>(keep(in.template read<0>(i, engine::make_pointers(p...))));
  }
  SAM_FUNCTION bool matches_at(index_t i) const { return static_cast<bool>(keep(in.at(i))); }
};

/// Matches the items that are less than the one before them.
template <class T, class Less>
struct descents {
  static constexpr bool looks_back = true;
  static constexpr int arrays = 1;
  static constexpr index_t item_bytes = sizeof(T);
  using pointer = pointer_with_neighbours<T, 1>;
  T const* in;
  Less less;
  SAM_FUNCTION auto reads() const { return engine::make_pointers(pointer{in}); }
  SAM_FUNCTION bool matches(index_t i, pointer const& x) const {
    return i > 0 && static_cast<bool>(less(*x, x[-1]));
  }
  SAM_FUNCTION bool matches_at(index_t i) const {
    return i > 0 && static_cast<bool>(less(in[i], in[i - 1]));
  }
};

struct as_is {
  SAM_FUNCTION index_t operator()(index_t x) const { return x; }
};
/// Writes an integer or a bool, which `of` computes from the result.
template <class T, class Of>
struct put_number {
  T* out;
  Of of;
  template <class Accumulator>
  SAM_FUNCTION void operator()(Accumulator const& y) const {
    *out = static_cast<T>(of(y));
  }
};

}  // namespace sam::inline v0_1::detail
