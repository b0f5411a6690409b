// SPDX-License-Identifier: MIT
// Sorts of floats in numeric order, made of a sort in IEEE 754's total order and two passes.
//
// The first pass copies the keys and makes them canonical, so that keys which count as equal are
// equal in all bits. Where sorted keys are wanted it also keeps the zeros and the NaNs as they
// were. The sort is the one of total order. The last pass puts the k-th kept zero in place of the
// k-th sorted zero, and NaNs likewise: a stable sort, of all items or of each segment, leaves keys
// that count as equal in their order, so these are the same key. No sort has kernels for a second
// order.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/backend/sort_job.hpp>
#include <sam/context.hpp>

#include <cstddef>

namespace sam::detail {

/// How many keys of each special kind there are.
struct special_counts {
  index_t zeros, nans;
};
struct add_special_counts {
  SAM_FUNCTION special_counts operator()(special_counts const& a, special_counts const& b) const {
    return {a.zeros + b.zeros, a.nans + b.nans};
  }
};

/// Makes keys canonical and keeps special ones in `kept`, zeros from its first place up and NaNs
/// from its last place down; or brings the kept ones back.
template <binary_float Key>
struct special_keys_job {
  using item = Key;
  using accumulator = special_counts;
  using floats = numeric_floats<Key>;
  Key const* from;
  Key* to;    // may be `from`
  Key* kept;  // room for n keys; null if nobody wants them back
  index_t n;
  bool brings_back;

  SAM_FUNCTION auto reads() const { return sam::make_pointers(from); }
  SAM_FUNCTION Key load(index_t, Key const* key) const { return *key; }
  SAM_FUNCTION Key load(index_t i) const { return from[i]; }
  SAM_FUNCTION accumulator to_accumulator(Key const& key) const {
    return {floats::is_zero(key) ? 1 : 0, floats::is_nan(key) ? 1 : 0};
  }
  SAM_FUNCTION void store(index_t i, Key const& key, accumulator const& before) const {
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

/// Reduces keys to the bits in which any of them differs from its canonical form.
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

/// Returns whether numeric order and total order put such keys in different orders.
template <class Context, class Key>
bool has_special_keys(Context& context, Key const* keys, index_t n) {
  typename numeric_floats<Key>::bits differences = 0;
  context.run(n, find_special_keys_job<Key>{keys, n, &differences},
              resolve_policy<bound::inclusive>(scan_policy<bit_or>{}, from_nothing{}));
  context.wait();
  return differences != 0;
}

/// How many bytes of scratch a sort of n keys in numeric order needs.
template <class Key>
index_t numeric_order_bytes(index_t n) {
  return div_up(n * index_t{sizeof(Key)}, 256) * 256;
}

/// Sorts as the job says, whose digits are those of total order, but in numeric order. sort(job)
/// does so in total order, and leaves numeric_order_bytes of scratch at `memory` alone. A host
/// looks first whether there is any key for which the orders differ; a device would have to be
/// waited for.
template <class Context, class Key, class Value, class Digits, class Sort>
void sort_numerically(Context& context, sort_job<Key, Value, Digits> job, std::byte* memory,
                      Sort const& sort) {
  if constexpr (!works_on_device<Context>)
    if (!detail::has_special_keys(context, job.keys, job.n))
      return sort(job);
  auto const resolved = resolve_policy<bound::exclusive>(scan_policy<add_special_counts>{},
                                                         from_value<special_counts>{{0, 0}});
  auto* const buffer = reinterpret_cast<Key*>(memory);
  bool const keeps = job.sorted_keys != nullptr;
  special_keys_job<Key> special{job.keys, keeps ? job.sorted_keys : buffer,
                                keeps ? buffer : nullptr, job.n, false};
  context.run(job.n, special, resolved);
  job.keys = special.from = special.to;
  sort(job);
  special.brings_back = true;
  if (keeps)
    context.run(job.n, special, resolved);
}

}  // namespace sam::detail
