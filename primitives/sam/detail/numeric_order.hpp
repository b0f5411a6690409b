// SPDX-License-Identifier: MIT
// Sorts floats in numeric order, by a sort in IEEE 754's total order and two scans.
//
// The first scan copies the keys in canonical form, so that equal keys are equal in all bits. If
// sorted keys are wanted, it also saves the original zeros and NaNs. The sort is in total order.
// The last scan replaces the k-th sorted zero by the k-th saved zero, and NaNs likewise. A stable
// sort, of all items or of each segment, keeps the order of equal keys, so these are the same keys.
// So no sort needs kernels for a second order.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/backend/sort_job.hpp>
#include <sam/context.hpp>
#include <sam/detail/counted_input.hpp>

#include <cstddef>
#include <type_traits>

namespace sam::inline v0_1::detail {

/// Counts zeros and NaNs among keys.
struct special_counts {
  index_t zeros, nans;
};
struct add_special_counts {
  SAM_FUNCTION special_counts operator()(special_counts const& a, special_counts const& b) const {
    return {a.zeros + b.zeros, a.nans + b.nans};
  }
};

/// Stores keys in canonical form, and saves the special ones in `kept`: zeros from its front, NaNs
/// from its end. With brings_back, it restores the saved keys instead. It leaves out keys past
/// their number.
template <binary_float Key, class Number>
struct special_keys_job {
  using item = Key;
  using accumulator = special_counts;
  using floats = numeric_floats<Key>;
  Key const* from;
  Key* to;    // may be `from`
  Key* kept;  // memory for n keys, or null if they are not restored
  index_t n;
  bool brings_back;
  Number number;

  SAM_FUNCTION auto reads() const { return engine::make_pointers(from); }
  SAM_FUNCTION Key load(index_t, Key const* key) const { return *key; }
  SAM_FUNCTION Key load(index_t i) const { return from[i]; }
  SAM_FUNCTION accumulator to_accumulator(Key const& key) const {
    return {floats::is_zero(key) ? 1 : 0, floats::is_nan(key) ? 1 : 0};
  }
  SAM_FUNCTION void store(index_t i, Key const& key, accumulator const& before) const {
    if constexpr (!std::is_same_v<Number, known_count>)
      if (i >= number())
        return;
    bool const is_zero = floats::is_zero(key), is_special = is_zero || floats::is_nan(key);
    index_t const place = is_zero ? before.zeros : n - 1 - before.nans;
    if (brings_back) {
      if (is_special)
        to[i] = kept[place];
    } else {
      if (is_special && kept != nullptr)
        kept[place] = key;
      to[i] = floats::canonical(key);
    }
  }
};

/// Combines, by or, the bits in which keys differ from their canonical form.
template <binary_float Key>
struct find_special_keys_job {
  using item = Key;
  using accumulator = typename numeric_floats<Key>::bits;
  static constexpr bool ends = true;
  Key const* keys;
  index_t n;
  accumulator* differences;

  SAM_FUNCTION Key load(index_t i) const { return keys[i]; }
  SAM_FUNCTION accumulator to_accumulator(Key const& key) const {
    using floats = numeric_floats<Key>;
    return static_cast<accumulator>(floats::bits_of(key) ^ floats::canonical_bits(key));
  }
  SAM_FUNCTION void store(index_t i, Key const&, accumulator y) const {
    if (i + 1 == n)
      *differences = y;
  }
};

/// Returns true if some key is not canonical, so that numeric and total order may differ.
template <class Context, class Key>
bool has_special_keys(Context& context, Key const* keys, index_t n) {
  typename numeric_floats<Key>::bits differences = 0;
  context.run(n, find_special_keys_job<Key>{keys, n, &differences},
              resolve_policy<bound::inclusive>(scan_policy<bit_or>{}, from_nothing{}));
  context.wait();
  return differences != 0;
}

/// Returns the bytes of workspace that a sort of n keys in numeric order needs.
template <class Key>
index_t numeric_order_bytes(index_t n) {
  return div_up(n * index_t{sizeof(Key)}, 256) * 256;
}

/// Sorts in numeric order, given a job whose digits are those of total order. sort(job) sorts in
/// total order, and must not use numeric_order_bytes of workspace at `memory`. On a host, it first
/// checks if the orders differ for any key; on a device, this check would have to wait.
template <class Context, class Key, class Value, class Digits, class Number, class Sort>
void sort_numerically(Context& context, sort_job<Key, Value, Digits> job, Number const& number,
                      std::byte* memory, Sort const& sort) {
  if constexpr (!works_on_device<Context>)
    if (!detail::has_special_keys(context, job.keys, job.n))
      return sort(job);
  auto const resolved = resolve_policy<bound::exclusive>(scan_policy<add_special_counts>{},
                                                         from_value<special_counts>{{0, 0}});
  auto* const buffer = reinterpret_cast<Key*>(memory);
  bool const keeps = job.sorted_keys != nullptr;
  special_keys_job<Key, Number> special{
      job.keys, keeps ? job.sorted_keys : buffer, keeps ? buffer : nullptr, job.n, false, number};
  context.run(job.n, special, resolved);
  job.keys = special.from = special.to;
  sort(job);
  special.brings_back = true;
  if (keeps)
    context.run(job.n, special, resolved);
}

}  // namespace sam::inline v0_1::detail
