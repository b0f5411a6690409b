// SPDX-License-Identifier: MIT
// What a back end is asked to run: a job over n items, under a pass.
#pragma once

#include <sam/algebra/carry_algebra.hpp>
#include <sam/backend/pointers.hpp>
#include <sam/base/callable.hpp>
#include <sam/scan_policy.hpp>

#include <concepts>

namespace sam {

/// What a primitive does with one item. A back end calls these in any order and from any thread;
/// `load` must not depend on what `store` of another item writes.
///
/// load(i)           item i
/// to_accumulator(x)      what the item counts in the scan
/// store(i, x, y)   item i once its scan value y is known: up to and including it, or before it
///
/// A job whose items lie in memory just as the scan wants them may also offer `source()`, a
/// pointer to them, and one that only stores scan values `target()`; back ends then move whole
/// vectors. One that stores, in order, what it makes of items and scan values offers a `target()`
/// of that type and `output(x, y)`, the value to store. One that is to be iterated offers
/// `again()`: the job over what this one has stored.
///
/// One that stores what no scan says may offer `target()`, where to, and `make(begin, count, to)`,
/// which puts what it stores for items [begin, begin + count) to `to`. A back end may then have
/// stretches of items made, and call nothing else.
///
/// One whose items have nothing to do with one another says `static constexpr bool elementwise =
/// true`: store may be given any scan value, and a back end need not scan. If storing an item is
/// storing it, in order, it may offer `front()`, where item 0 goes, `capacity()`, for how many, and
/// `make(begin, count, to)`, which puts items [begin, begin + count) to `to`; and, if there is a
/// better way, `make_aligned(begin, to)`, for 16 bytes of items whose place is aligned to these.
///
/// One that wants the scan values of the last row of components only says `static constexpr bool
/// ends = true`; then back ends need not store other items, though they may. It may name, as
/// `whole`, the job that wants all of them: tiles are then cut as they are for that, so that values
/// have its bits.
///
/// A job that reads arrays only at the item's own index, or nearly so, may say which, `reads()`,
/// their sam::pointers, and offer `load(i, p...)`, item i where p point at its elements: in memory,
/// or wherever a back end has brought them.
///
/// One that writes to other places than the item's own says `static constexpr bool scatters =
/// true`. It is then given each item as it was when it was loaded to be converted, and no item is
/// stored before all up to it have been loaded: so it may write over any item up to its own. Only
/// back ends that load twice, of which the context's `holds_items` tells, promise neither. Where it
/// is known that it writes over none, `overwrites()` may say so: false.
///
/// A scattering job that counts the items it keeps, in an exclusive sum from 0, says `static
/// constexpr bool counts = true` and offers `bool keeps(x)`: to_accumulator(x) is 1 where it holds
/// of item x, else 0. A back end may then keep a bit of each item in place of its aggregate.
///
/// A counting job that only writes a value for each item it keeps, one behind the other, may say
/// more; a back end may then do all that store does by writing whole runs of values:
///
/// value(i, x)         what is written for item i, of type `value_type`
/// front(), capacity()     where the value of the first item kept goes, and how many values fit
/// there stays(i, before)    whether the value of item i lies in its place already if so many items
/// were
///                     kept before it, and so must not be written
/// close(kept)         is told, once, how many items were kept
/// keeps_from(i)       optionally: whether items i to i + 63 are kept, as heads_from says it below
/// values_from(i)      optionally: a pointer to the value of item i, in memory before those of
///                     the items that follow
///
/// A scattering job that puts every item behind those of its kind that come before it may say so.
/// Its aggregates have `of[k]`, how many items are of kind k, for all kinds but the last one.
///
/// kinds     how many kinds there are, at least 2
/// kind(x)   of which an item is: an int from 0 on
/// front()   where the first item of all goes
/// begin(k)  how many items are of smaller kinds than k, of the type that counts them
///
/// One whose aggregates are segmented_value (sam/algebra/segmented.hpp) may offer values and heads
/// apart, for a back end that keeps them so.
///
/// value(i), source()  the value of item i, of the aggregate's type and without a start; a pointer
/// to
///                     them, if there is one
/// is_head(i)          whether item i begins a segment
/// heads_from(i)       the same for items i to i + 63: a bit each in a std::uint64_t, a pointer to
///                     a byte each, a flag_window, or an unequal_window
///
/// If such a job stores scan values, what it stores for a head under an exclusive scan is the
/// pass's start. If it wants no more than what each segment comes to, in an exclusive scan that
/// counts heads, it offers these in place of store. The first item of all begins a segment,
/// whatever is_head says.
///
/// op, start             of the scan within a segment: an operator; from_nothing or from_value
/// put_total(i, rank, y) is told what a segment comes to, which ends with item i and has so many
///                       others before it
/// put_head(i, rank)     optionally: is told where that segment begins
/// put_head_from(i, rank, p...)  the same, from elements of the arrays that reads() names
/// put_totals(begin, end, totals, count)
///                       or else is told all that come to an end before one of items [begin, end)
/// heads_at(i, p...)     optionally: 32 bits, the first of which says whether item i is a head, and
///                       the others whether those behind it are, as far as there are such
/// counts_lengths           optionally, `static constexpr bool counts_lengths = true`: a segment
/// comes to
///                       the number of its items
/// front(), capacity()       optionally, if putting totals is storing them one behind the other:
/// where,
///                       and how many fit there
/// close(segments)       is told, once, how many there are
///
/// One that stores what a recursive filter makes of its items may offer what a back end needs that
/// keeps states in place of such aggregates:
///
/// ring      the filter_ring (sam/algebra/filter_ring.hpp) that states are of
/// state(y)  the one that a run leaves behind which comes to y, with nothing before it
/// source()  a pointer to the items, which count as what they are converted to
template <class J>
concept job = std::copy_constructible<J> &&
    requires(J const j, index_t i, typename J::item x, typename J::accumulator y) {
  { j.load(i) } -> std::same_as<typename J::item>;
  { j.to_accumulator(x) } -> std::same_as<typename J::accumulator>;
  j.store(i, x, y);
};

/// Whether a job wants the scan values of the last row only.
template <class Job>
concept ending = requires {
  requires Job::ends;
};
/// The job whose tiles a job's are.
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
/// Whether a job needs no scan.
template <class Job>
concept elementwise = requires {
  requires Job::elementwise;
};
/// Whether such a job stores its items as they are.
template <class Job>
concept copying = elementwise<Job> && requires(Job const j) {
  { j.front() } -> std::same_as<typename Job::item*>;
  { j.capacity() } -> std::same_as<index_t>;
  j.make(index_t{}, index_t{}, j.front());
};
/// Whether a job makes what it stores without a scan. Back ends that know nothing of elementwise
/// items scan these, if the job says how.
template <class Job>
concept generating = !elementwise<Job> && requires(Job const j, index_t i) {
  j.make(i, i, j.target());
};
/// Whether a job writes to other places than the item's own.
template <class Job>
concept scattering = requires {
  requires Job::scatters;
};
/// Whether a job's aggregate of an item only says whether the job keeps the item.
template <class Job>
concept counting = scattering<Job> && requires(Job const j, typename Job::item const x) {
  requires Job::counts;
  { j.keeps(x) } -> std::same_as<bool>;
};
/// Whether all that a job writes are values of the items it keeps, one behind the other.
template <class Job>
concept selecting = counting<Job> &&
    requires(Job const j, index_t i, typename Job::item const x, index_t before) {
  { j.value(i, x) } -> std::convertible_to<typename Job::value_type>;
  { j.front() } -> std::same_as<typename Job::value_type*>;
  { j.capacity() } -> std::same_as<index_t>;
  { j.stays(i, before) } -> std::same_as<bool>;
  j.close(before);
};
/// Whether all that a job does is to put each item behind those of its kind.
template <class Job>
concept partitioning = scattering<Job> &&
    requires(Job const j, typename Job::item const x, typename Job::accumulator const y) {
  requires Job::kinds >= 2;
  { j.kind(x) } -> std::same_as<int>;
  { j.front() } -> std::same_as<typename Job::item*>;
  { j.n } -> std::convertible_to<index_t>;
  { j.begin(0) } -> std::same_as<std::remove_cvref_t<decltype(y.of[Job::kinds - 2])>>;
};
/// What an item takes that a back end holds from when it is converted until it is stored.
template <class Job>
inline constexpr int held_bytes = [] {
  if constexpr (scattering<Job>)
    return static_cast<int>(sizeof(typename Job::item));
  else
    return 0;
}();

/// The same job from the last item to the first. One that packs fills an array from its end, where
/// front() is then; it must write over no item.
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

/// The job that names the arrays: the one that a reversed job reverses.
template <class Job>
SAM_FUNCTION auto const& forward_job(Job const& job) {
  if constexpr (is_reversed<Job>)
    return job.inner;
  else
    return job;
}
template <class Job>
using forward_job_of = std::remove_cvref_t<decltype(sam::forward_job(std::declval<Job const&>()))>;

/// Whether a job, or the one that it reverses, says which arrays it reads.
template <class Job>
concept reading = requires(forward_job_of<Job> const j) {
  j.reads();
};
/// Whether it, or the one that it reverses, stores a value for each item, in order.
template <class Job>
concept storing = requires(forward_job_of<Job> const j) {
  j.target();
};
/// What it stores for an item.
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

/// 64 flags, a byte each.
struct flag_window {
  alignas(64) std::uint8_t flags[64];
};
/// 64 flags. Flag l in [first, last) is set if items[l + earlier] and items[l + later] are not
/// equal; all flags before `first` and from `last` on are `others`.
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
/// Whether a job, or the one that it reverses, offers values and heads apart.
template <class Job>
concept has_heads_apart = requires(forward_job_of<Job> const j, index_t i) {
  { j.value(i) } -> std::same_as<typename Job::accumulator::value_type>;
  { j.is_head(i) } -> std::same_as<bool>;
  j.heads_from(i);
};
/// Whether it does and stores scan values.
template <class Job>
concept segmenting = has_heads_apart<Job> && storing<Job>;
/// Whether it does and wants no more than what each segment comes to.
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

/// Whether it says of each item that it loads from arrays whether that is a head: `x.head`.
template <class Job>
concept reducing_segments_of_arrays = reading<Job> &&
    requires(Job const j, typename Job::item const x, index_t i) {
  { x.head } -> std::convertible_to<bool>;
  j.op;
  j.put_total(i, i, j.to_accumulator(x).value);
  j.close(i);
};
/// Whether a segment comes to the number of its items.
template <class Job>
concept counting_lengths = requires {
  requires Job::counts_lengths;
};

/// Whether a job stores what a filter makes of items, and says so.
template <class Job>
concept filtering = storing<Job> && requires(Job const j, typename Job::accumulator const y) {
  { j.state(y) } -> std::same_as<typename decltype(Job::ring)::value>;
  { j.source() } -> std::same_as<typename Job::item const*>;
};

/// Whether the scan's values lie in memory, in order.
template <class Job>
concept has_source = requires(Job const j) {
  { j.source() } -> std::same_as<typename Job::accumulator const*>;
};
/// Whether storing an item is storing its scan value, in order.
template <class Job>
concept has_target = requires(Job const j) {
  { j.target() } -> std::same_as<typename Job::accumulator*>;
}
&&!requires(Job const j, typename Job::item const x, typename Job::accumulator const y) {
  j.output(x, y);
};
/// Whether storing an item is storing, in order, what `output` says.
template <class Job>
concept has_output = requires(Job const j, typename Job::item x, typename Job::accumulator y) {
  { j.output(x, y) } -> std::same_as<output_of<Job>>;
};

/// The operator seen from the other end: flipped{op}(a, b) is op(b, a).
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

/// A commutative operator is its own mirror image, and keeps all that is known of it.
template <class Op>
constexpr auto flip(Op op) {
  if constexpr (is_commutative<Op>)
    return op;
  else
    return flipped<Op>{op};
}

/// The scan starts from its first items: the operator needs no identity.
struct from_nothing {};
/// Every round of the scan starts from this value.
template <class T>
struct from_value {
  T value;
};

/// A scan policy with its direction, bound and start resolved: what a back end runs. It always goes
/// forward. `components` is the tuple size, also where it is known at compile time.
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
/// Whether an R can hold the largest coefficient of `rows` zero items of an order-q scan, which is
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
/// As many rows as lie between two states: those of the tiles under way or, under a multi-pass
/// scheme and of orders for which a back end may take one, of large parts of the array.
template <class Policy>
inline constexpr index_t most_rows_between_states =
    index_t{1} << (single_pass_scheme<typename Policy::carry> && Policy::order <= 16 ? 22 : 33);
}  // namespace detail

/// All rounds of a pass over items of T are one, by the algebra of <sam/algebra/carry_algebra.hpp>.
/// Not where a coefficient would be infinite, since infinity times an item that is 0 is no number.
template <class T, class Policy>
inline constexpr bool has_algebra = [] {
  if constexpr (Policy::order > 1 && module_operator<typename Policy::op_type, T>)
    return detail::holds_coefficients<typename Policy::op_type::template coefficient<T>>(
        Policy::order, detail::most_rows_between_states<Policy>);
  else
    return false;
}();

/// Scanning twice with an idempotent operator changes nothing, if items count in their own output.
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

/// The same pass with order 1, for operators of which an order is so many rounds.
template <class Operator, int Order, int TupleSize, class Carry, bound Bound, class Start>
constexpr auto
one_round(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, 1, TupleSize, Carry, Bound, Start>{policy.op, policy.components,
                                                                      policy.start};
}

/// The same pass with another carry scheme.
template <carry_scheme Scheme, class Operator, int Order, int TupleSize, class Carry, bound Bound,
          class Start>
constexpr auto
carried_by(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, Order, TupleSize, Scheme, Bound, Start>{
      policy.op, policy.components, policy.start};
}

/// The same pass with a tuple size that is now known or, for run_time_tuple, as good as not.
template <int S, class Operator, int Order, int TupleSize, class Carry, bound Bound, class Start>
constexpr auto
with_tuple_size(resolved_policy<Operator, Order, TupleSize, Carry, Bound, Start> const& policy) {
  return resolved_policy<Operator, Order, S, Carry, Bound, Start>{
      policy.op, S == run_time_tuple ? policy.components : S, policy.start};
}

}  // namespace sam
