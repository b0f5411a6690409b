// SPDX-License-Identifier: MIT
// Defines the interface between primitives and back ends: a job over n items, run under a resolved
// scan policy.
#pragma once

#include <sam/algebra/carry_algebra.hpp>
#include <sam/backend/pointers.hpp>
#include <sam/base/callable.hpp>
#include <sam/scan_policy.hpp>

#include <concepts>

namespace sam {

/// Describes one primitive to a back end: how to load an item, convert it and store the result. A
/// back end calls these members in any order and from any thread. `load` must not depend on the
/// stores of other items.
///
/// load(i)            returns item i
/// to_accumulator(x)  converts item x to its aggregate, the value that is scanned
/// store(i, x, y)     stores the result of item i, given its scan value y: the inclusive or the
///                    exclusive prefix, as the policy has it
///
/// Each of the following kinds of job has further members, with which a back end does less work.
///
/// Contiguous items. If the aggregates lie in memory in order, a job may have `source()`, a pointer
/// to them. If it stores only scan values, it may have `target()`, a pointer to their destination.
/// Back ends then move whole vectors. A job that stores a function of item and scan value, in
/// order, has `target()` of that function's type, and `output(x, y)`, the value to store. A job
/// that can be iterated has `again()`, which returns the job over the stored values.
///
/// Generating jobs store values that need no scan. Such a job has `target()`, the destination, and
/// `make(begin, count, to)`, which writes the results of items [begin, begin + count) to `to`. A
/// back end may then call `make` for ranges of items and nothing else.
///
/// Elementwise jobs have items that do not depend on one another, and define `static constexpr bool
/// elementwise = true`. `store` may then receive any scan value, and a back end need not scan. A
/// copy job stores the items themselves, in order, and has four members:
///
/// front()                 points at the destination of item 0
/// capacity()              returns the number of items that fit there
/// make(begin, count, to)  writes items [begin, begin + count) to `to`
/// make_aligned(begin, to)  optional, if it is faster than make: writes 16 bytes of items to `to`,
///                         which is aligned to 16 bytes
///
/// Ending jobs need only the scan values of the last row of components, and define `static
/// constexpr bool ends = true`. Back ends may store the other items or omit them. The member type
/// `whole` may name the job that needs all scan values. Tiles are then cut as they are for that
/// job, so that both jobs give the same bits.
///
/// Reading jobs read arrays at the item's own index, or near it. `reads()` returns their
/// sam::pointers. `load(i, p...)` returns item i, where the pointers p point at its elements: in
/// memory, or in a copy that the back end made.
///
/// Scattering jobs write to places other than the item's own, and define `static constexpr bool
/// scatters = true`. `store` receives the item that was loaded for to_accumulator, and no item is
/// stored before all items up to it are loaded. So a job may overwrite any item up to its own. Back
/// ends that load items twice guarantee neither; the context's `holds_items` is then false.
/// `overwrites()` is optional: it returns false if this job overwrites no item.
///
/// Predicate jobs are scattering jobs whose scan is an exclusive sum from 0 of the items they keep.
/// They define `static constexpr bool counts = true` and have `bool keeps(x)`. to_accumulator(x) is
/// 1 if keeps(x), else 0. A back end may then hold one bit per item in place of its aggregate.
///
/// Selection jobs are predicate jobs that only write one value for each kept item, contiguously. A
/// back end may replace their stores by copies of whole runs of values.
///
/// value(i, x)        returns the value to write for item i, of type `value_type`
/// front()            points at the destination of the first kept item's value
/// capacity()         returns the number of values that fit there
/// stays(i, before)   is true if the value of item i already lies at its destination, given that
///                    `before` items are kept before it; it must not be written then
/// close(kept)        receives the number of kept items; called once
/// keeps_from(i)      optional: which of items i to i + 63 are kept, in a form of heads_from below
/// values_from(i)     optional: a pointer to the value of item i, followed in memory by the values
///                    of the next items
///
/// Partition jobs are scattering jobs that write every item behind the earlier items of its kind.
/// Their aggregates have `of[k]`, the number of items of kind k, for all kinds but the last.
///
/// kinds     is the number of kinds, at least 2
/// kind(x)   returns the kind of an item, an int from 0 on
/// front()   points at the destination of the first item
/// begin(k)  returns the number of items of kinds below k, in the type of of[k]
///
/// Jobs whose aggregates are segmented_value (sam/algebra/segmented.hpp) may offer values and head
/// flags separately, for back ends that hold them so.
///
/// value(i)       returns the value of item i, of the aggregate's value type, without a start
/// source()       optional: points at the values, if they lie in memory
/// is_head(i)     is true if item i begins a segment
/// heads_from(i)  returns the head flags of items i to i + 63: a std::uint64_t with a bit each, a
///                pointer to a byte each, a flag_window, or an unequal_window
///
/// Segmented scan jobs are such jobs that store scan values. Under an exclusive scan, the value
/// stored for a head is the policy's start.
///
/// Segmented reduction jobs are such jobs that only need the aggregate of each segment. They run
/// under an exclusive scan that counts heads, and have the following members in place of store. The
/// first item always begins a segment, even if is_head is false.
///
/// op, start              are those of the scan within a segment: an operator; from_nothing or
///                        from_value
/// put_total(i, rank, y)  receives the aggregate y of the segment that ends with item i, and the
///                        number `rank` of earlier segments
/// put_head(i, rank)      optional: receives the index i of that segment's first item
/// put_head_from(i, rank, p...)  optional: like put_head, with pointers to elements of the arrays
///                        of reads()
/// put_totals(begin, end, totals, count)  replaces put_total: receives all aggregates of segments
///                        that end before one of items [begin, end)
/// heads_at(i, p...)      optional: returns 32 head flags as bits, of items i, i + 1, ..., as far
///                        as there are items
/// counts_lengths         optional, `static constexpr bool counts_lengths = true`: a segment's
///                        aggregate is the number of its items
/// front(), capacity()    optional, if put_total stores the aggregates contiguously: the
///                        destination, and the number of aggregates that fit there
/// close(segments)        receives the number of segments; called once
///
/// Recurrence jobs store the output of a recursive filter. A back end that holds filter states in
/// place of the aggregates needs these members:
///
/// ring      is the filter_ring (sam/algebra/filter_ring.hpp) of the states
/// state(y)  returns the state behind a run of items whose aggregate is y, from a zero state
/// source()  points at the items, which are converted to the ring's numbers
template <class J>
concept job = std::copy_constructible<J> &&
    requires(J const j, index_t i, typename J::item x, typename J::accumulator y) {
  { j.load(i) } -> std::same_as<typename J::item>;
  { j.to_accumulator(x) } -> std::same_as<typename J::accumulator>;
  j.store(i, x, y);
};

/// True if a job needs the scan values of the last row only.
template <class Job>
concept ending = requires {
  requires Job::ends;
};
/// Names the job whose tile size a job uses: its `whole` if it has one, else the job itself.
template <class Job>
struct cut_as {
  using type = Job;
};
template <ending Job>
requires requires { typename Job::whole; }
struct cut_as<Job> {
  using type = typename Job::whole;
};
template <class Job>
using cut_as_t = typename cut_as<Job>::type;
/// True if a job needs no scan.
template <class Job>
concept elementwise = requires {
  requires Job::elementwise;
};
/// True if an elementwise job stores its items unchanged.
template <class Job>
concept copying = elementwise<Job> && requires(Job const j) {
  { j.front() } -> std::same_as<typename Job::item*>;
  { j.capacity() } -> std::same_as<index_t>;
  j.make(index_t{}, index_t{}, j.front());
};
/// True if a job produces its output without a scan. Back ends without support for such jobs scan
/// their items, if the job has the members for that.
template <class Job>
concept generating = !elementwise<Job> && requires(Job const j, index_t i) {
  j.make(i, i, j.target());
};
/// True if a job writes to places other than the item's own.
template <class Job>
concept scattering = requires {
  requires Job::scatters;
};
/// True for predicate jobs: the aggregate of an item is 1 if the job keeps the item, else 0.
template <class Job>
concept counting = scattering<Job> && requires(Job const j, typename Job::item const x) {
  requires Job::counts;
  { j.keeps(x) } -> std::same_as<bool>;
};
/// True for selection jobs: all writes are values of the kept items, contiguously.
template <class Job>
concept selecting = counting<Job> &&
    requires(Job const j, index_t i, typename Job::item const x, index_t before) {
  { j.value(i, x) } -> std::convertible_to<typename Job::value_type>;
  { j.front() } -> std::same_as<typename Job::value_type*>;
  { j.capacity() } -> std::same_as<index_t>;
  { j.stays(i, before) } -> std::same_as<bool>;
  j.close(before);
};
/// True for partition jobs: each item is written behind the earlier items of its kind.
template <class Job>
concept partitioning = scattering<Job> &&
    requires(Job const j, typename Job::item const x, typename Job::accumulator const y) {
  requires Job::kinds >= 2;
  { j.kind(x) } -> std::same_as<int>;
  { j.front() } -> std::same_as<typename Job::item*>;
  { j.n } -> std::convertible_to<index_t>;
  { j.begin(0) } -> std::same_as<std::remove_cvref_t<decltype(y.of[Job::kinds - 2])>>;
};
/// The bytes per item that a back end holds from the conversion of the item to its store.
template <class Job>
inline constexpr int held_bytes = [] {
  if constexpr (scattering<Job>)
    return static_cast<int>(sizeof(typename Job::item));
  else
    return 0;
}();

/// Runs a job from the last item to the first. A selection job then fills its array from the end,
/// at which its front() points, and must overwrite no item.
template <job Job>
struct reversed {
  static_assert(!scattering<Job> || selecting<Job>, "a scattering job goes forward");
  using item = typename Job::item;
  using accumulator = typename Job::accumulator;
  Job inner;
  index_t n;

  SAM_FUNCTION item load(index_t i) const { return inner.load(n - 1 - i); }
  template <class... P>
  SAM_FUNCTION item load(index_t i, P const&... p) const {
    return inner.load(n - 1 - i, p...);
  }
  SAM_FUNCTION accumulator to_accumulator(item x) const { return inner.to_accumulator(x); }
  SAM_FUNCTION void store(index_t i, item x, accumulator y) const { inner.store(n - 1 - i, x, y); }

  auto again() const requires requires { inner.again(); }
  { return reversed<decltype(inner.again())>{inner.again(), n}; }
};

template <class Job>
inline constexpr bool is_reversed = false;
template <class Job>
inline constexpr bool is_reversed<reversed<Job>> = true;

/// Returns the job that names the arrays: the inner job of a reversed one, else the job itself.
template <class Job>
SAM_FUNCTION auto const& forward_job(Job const& job) {
  if constexpr (is_reversed<Job>)
    return job.inner;
  else
    return job;
}
template <class Job>
using forward_job_of = std::remove_cvref_t<decltype(sam::forward_job(std::declval<Job const&>()))>;

/// True if a job, or the inner job of a reversed one, has reads().
template <class Job>
concept reading = requires(forward_job_of<Job> const j) {
  j.reads();
};
/// True if a job, or the inner job of a reversed one, stores a value for each item, in order.
template <class Job>
concept storing = requires(forward_job_of<Job> const j) {
  j.target();
};
/// Returns the value that a job stores for an item.
template <storing Job>
SAM_FUNCTION auto stored_value(Job const& job, [[maybe_unused]] typename Job::item const& x,
                               typename Job::accumulator const& y) {
  if constexpr (requires { sam::forward_job(job).output(x, y); })
    return sam::forward_job(job).output(x, y);
  else
    return y;
}
template <class Job>
using output_of =
    std::remove_pointer_t<decltype(sam::forward_job(std::declval<Job const&>()).target())>;

/// Holds 64 flags, one byte each.
struct flag_window {
  alignas(64) std::uint8_t flags[64];
};
/// Describes 64 flags by comparisons. Flag l in [first, last) is set if items[l + earlier] and
/// items[l + later] are not equal. All other flags are `others`.
template <class T, class Equal>
struct unequal_window {
  T const* items;
  index_t earlier, later;
  int first, last;
  bool others;
  Equal equal;

  bool is_set(int l) const {
    return !static_cast<bool>(equal(items[l + earlier], items[l + later]));
  }
};
/// True if a job, or the inner job of a reversed one, offers values and head flags separately.
template <class Job>
concept has_heads_apart = requires(forward_job_of<Job> const j, index_t i) {
  { j.value(i) } -> std::same_as<typename Job::accumulator::value_type>;
  { j.is_head(i) } -> std::same_as<bool>;
  j.heads_from(i);
};
/// True for segmented scan jobs: values and head flags are separate, and scan values are stored.
template <class Job>
concept segmenting = has_heads_apart<Job> && storing<Job>;
/// True for segmented reduction jobs: only the aggregate of each segment is stored.
template <class Job>
concept reducing_segments = has_heads_apart<Job> && requires(Job const j, index_t i) {
  j.op;
  j.start;
  j.close(i);
} &&(
    requires(Job const j, index_t i, typename Job::accumulator::value_type y) {
      j.put_total(i, i, y);
    } ||
    requires(Job const j, index_t i, typename Job::accumulator::value_type const* y) {
      j.put_totals(i, i, y, i);
    });

/// True if a segmented reduction job loads items from arrays, each with its head flag `x.head`.
template <class Job>
concept reducing_segments_of_arrays = reading<Job> &&
    requires(Job const j, typename Job::item const x, index_t i) {
  { x.head } -> std::convertible_to<bool>;
  j.op;
  j.put_total(i, i, j.to_accumulator(x).value);
  j.close(i);
};
/// True if the aggregate of a segment is the number of its items.
template <class Job>
concept counting_lengths = requires {
  requires Job::counts_lengths;
};

/// True for recurrence jobs: the output of a recursive filter is stored.
template <class Job>
concept filtering = storing<Job> && requires(Job const j, typename Job::accumulator const y) {
  { j.state(y) } -> std::same_as<typename decltype(Job::ring)::value>;
  { j.source() } -> std::same_as<typename Job::item const*>;
};

/// True if the aggregates lie in memory, in order.
template <class Job>
concept has_source = requires(Job const j) {
  { j.source() } -> std::same_as<typename Job::accumulator const*>;
};
/// True if a job stores the scan values themselves, in order.
template <class Job>
concept has_target = requires(Job const j) {
  { j.target() } -> std::same_as<typename Job::accumulator*>;
}
&&!requires(Job const j, typename Job::item const x, typename Job::accumulator const y) {
  j.output(x, y);
};
/// True if a job stores the values of `output`, in order.
template <class Job>
concept has_output = requires(Job const j, typename Job::item x, typename Job::accumulator y) {
  { j.output(x, y) } -> std::same_as<output_of<Job>>;
};

/// Swaps the operands of an operator: flipped{op}(a, b) is op(b, a).
template <class Op>
struct flipped {
  Op op;
  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return op(b, a);
  }
  template <class T>
  requires has_identity<Op, T> SAM_FUNCTION constexpr T identity() const {
    return sam::identity_of<T>(op);
  }
  static constexpr bool idempotent = is_idempotent<Op>;
};

/// Returns the operator for a scan from the other end. A commutative operator is returned unchanged
/// and so keeps its other properties.
template <class Op>
constexpr auto flip(Op op) {
  if constexpr (is_commutative<Op>)
    return op;
  else
    return flipped<Op>{op};
}

/// A start that begins a scan with its first items, so that the operator needs no identity.
struct from_nothing {};
/// A start that begins every round of a scan with `value`.
template <class T>
struct from_value {
  T value;
};

/// A scan policy with its direction, bound and start resolved, as a back end runs it. It always
/// goes forward. `components` is the tuple size, also where it is known at compile time.
template <class Operator, int Order, int TupleSize, carry_scheme Carry, bound Bound, class Start>
struct resolved_policy {
  using op_type = Operator;
  using carry = Carry;
  using start_type = Start;
  static constexpr int order = Order;
  static constexpr int tuple_size = TupleSize;
  static constexpr bound kind = Bound;
  static constexpr bool starts_known = !std::is_same_v<Start, from_nothing>;
  static_assert(Bound == bound::inclusive || starts_known, "an exclusive scan needs a start");

  Operator op;
  index_t components;
  Start start;
};

namespace detail {
/// True if R can hold the largest coefficient of `rows` zero items of an order-q scan, which is
/// C(rows + q - 2, q - 1). Integers wrap around, which does no harm.
template <class R>
constexpr bool holds_coefficients(int order, index_t rows) {
  if constexpr (std::is_floating_point_v<R>) {
    R coefficient = 1;
    for (int k = 1; k < order; ++k) {
      R const ratio = static_cast<R>(rows + k - 1) / static_cast<R>(k);
      if (coefficient > std::numeric_limits<R>::max() / 2 / ratio)
        return false;
      coefficient *= ratio;
    }
  }
  return true;
}
/// The largest number of rows between two states: those of the tiles in flight. Under a multi-pass
/// scheme, or for an order that a back end may run as one, it is those of a large part of the
/// array.
template <class Policy>
inline constexpr index_t most_rows_between_states =
    index_t{1} << (single_pass_scheme<typename Policy::carry> && Policy::order <= 16 ? 22 : 33);
}  // namespace detail

/// True if all rounds over items of T run as one, by <sam/algebra/carry_algebra.hpp>. False if a
/// coefficient could be infinite, since infinity times a zero item is a NaN.
template <class T, class Policy>
inline constexpr bool has_algebra = [] {
  if constexpr (Policy::order > 1 && module_operator<typename Policy::op_type, T>)
    return detail::holds_coefficients<typename Policy::op_type::template coefficient<T>>(
        Policy::order, detail::most_rows_between_states<Policy>);
  else
    return false;
}();

/// The number of rounds to run. A second inclusive scan with an idempotent operator changes
/// nothing, so one round is enough there.
template <class Policy, bound Bound>
inline constexpr int effective_order =
    Bound == bound::inclusive&& is_idempotent<typename Policy::op_type> ? 1 : Policy::order;

template <bound Bound, class Policy, class Start>
constexpr auto resolve_policy(Policy const& policy, Start start) {
  constexpr bool forward = Policy::heading == direction::forward;
  auto const op = [&] {
    if constexpr (forward)
      return policy.op;
    else
      return sam::flip(policy.op);
  }();
  return resolved_policy<std::remove_const_t<decltype(op)>, effective_order<Policy, Bound>,
                         Policy::tuple_size, typename Policy::carry, Bound, Start>{
      op, policy.components, start};
}

/// Returns the policy with order 1, for operators whose order-q scan runs as q rounds.
template <class Operator, int Order, int TupleSize, class Carry, bound Bound, class Start>
constexpr auto
one_round(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, 1, TupleSize, Carry, Bound, Start>{policy.op, policy.components,
                                                                      policy.start};
}

/// Returns the policy with another carry scheme.
template <carry_scheme Scheme, class Operator, int Order, int TupleSize, class Carry, bound Bound,
          class Start>
constexpr auto
carried_by(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, Order, TupleSize, Scheme, Bound, Start>{
      policy.op, policy.components, policy.start};
}

/// Returns the policy with tuple size S. With run_time_tuple the size stays that of `components`.
template <int S, class Operator, int Order, int TupleSize, class Carry, bound Bound, class Start>
constexpr auto
with_tuple_size(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, Order, S, Carry, Bound, Start>{
      policy.op, S == run_time_tuple ? policy.components : S, policy.start};
}

}  // namespace sam
