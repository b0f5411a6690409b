// SPDX-License-Identifier: MIT
// Asks a user's digits about several keys at once. The time that this takes must not depend on
// whether the compiler makes a branch of a selection in them.
#pragma once

#include <sam/digits.hpp>
#include <sam/host/truth_word.hpp>
#include <sam/portable.hpp>

#include <cstddef>
#include <type_traits>

namespace sam::host {

/// Calls use(i, image_of(keys[i])) for whole blocks of keys from i on, and moves i behind them.
///
/// The images of a block go to memory before anything uses them, so a compiler can make vector code
/// of `image_of`. In one loop with a scatter it cannot. Then g++ turns a selection into a branch,
/// which random keys mispredict.
template <int Block, class Key, class Function, class Use>
[[gnu::always_inline]] inline void for_image_blocks(index_t& i, Key const* keys, index_t n,
                                                    Function const& image_of, Use const& use) {
  for (; i + Block <= n; i += Block) {
    struct {
      std::remove_cvref_t<decltype(image_of(keys[i]))> at[std::size_t{Block}];
    } images;
    for (int k = 0; k < Block; ++k)
      images.at[k] = image_of(keys[i + k]);
    host::keep_in_memory(images);
#pragma GCC unroll 4
    for (int k = 0; k < Block; ++k)
      use(i + k, images.at[k]);
  }
}

/// Calls use(i, image_of(keys[i])) for i from 0 to n - 1, in this order. `image_of` is computed
/// from Digits. Only users' digits are evaluated in blocks, since the library's own have no
/// selection.
///
/// `Most` is the largest block: 64, or less if n is always smaller.
///
/// Both functions should capture by value: a compiler has to assume that the stores of `use` change
/// what they refer to.
template <class Digits, int Most = 64, class Key, class Function, class Use>
[[gnu::always_inline]] inline void for_each_image(Key const* keys, index_t n,
                                                  Function const image_of, Use const use) {
  index_t i = 0;
  if constexpr (!sam::detail::is_consistent<Digits>) {
    if constexpr (Most > 8)
      host::for_image_blocks<Most>(i, keys, n, image_of, use);
    host::for_image_blocks<8>(i, keys, n, image_of, use);
  }
  for (; i < n; ++i)
    use(i, image_of(keys[i]));
}

}  // namespace sam::host
