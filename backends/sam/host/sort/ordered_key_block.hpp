// SPDX-License-Identifier: MIT
// Evaluates a user's digits on several keys at once. The time must not depend on whether the
// compiler turns a selection in the digits into a branch.
#pragma once

#include <sam/digits.hpp>
#include <sam/host/simd/truth_word.hpp>
#include <sam/portable.hpp>

#include <cstddef>
#include <type_traits>

namespace sam::inline v0_1::host {

/// Calls use(i, ordered_key_of(keys[i])) for whole blocks of keys from i on, and advances i past
/// them.
///
/// All ordered keys of a block are stored before any is used, so that the compiler can vectorize
/// `ordered_key_of`. It cannot do so in one loop with a scatter. Then g++ turns a selection into a
/// branch, which random keys mispredict.
template <int Block, class Key, class Function, class Use>
[[gnu::always_inline]] inline void for_ordered_key_blocks(index_t& i, Key const* keys, index_t n,
                                                          Function const& ordered_key_of,
                                                          Use const& use) {
  for (; i + Block <= n; i += Block) {
    struct {
      std::remove_cvref_t<decltype(ordered_key_of(keys[i]))> at[std::size_t{Block}];
    } ordered_keys;
    for (int k = 0; k < Block; ++k)
      ordered_keys.at[k] = ordered_key_of(keys[i + k]);
    host::keep_in_memory(ordered_keys);
#pragma GCC unroll 4
    for (int k = 0; k < Block; ++k)
      use(i + k, ordered_keys.at[k]);
  }
}

/// Calls use(i, ordered_key_of(keys[i])) for i from 0 to n - 1, in this order. `ordered_key_of` is
/// computed from Digits. Only users' digits are evaluated in blocks, since the library's own have
/// no selections.
///
/// `Most` is the largest block: 64, or less if n is always smaller.
///
/// Both functions should capture by value. Otherwise the compiler has to assume that the stores of
/// `use` change what they refer to.
template <class Digits, int Most = 64, class Key, class Function, class Use>
[[gnu::always_inline]] inline void
for_each_ordered_key(Key const* keys, index_t n, Function const ordered_key_of, Use const use) {
  index_t i = 0;
  if constexpr (!sam::detail::is_consistent<Digits>) {
    if constexpr (Most > 8)
      host::for_ordered_key_blocks<Most>(i, keys, n, ordered_key_of, use);
    host::for_ordered_key_blocks<8>(i, keys, n, ordered_key_of, use);
  }
  for (; i < n; ++i)
    use(i, ordered_key_of(keys[i]));
}

}  // namespace sam::inline v0_1::host
