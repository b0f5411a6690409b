// SPDX-License-Identifier: MIT
// Defines flags as arguments, one per item: an array of integers or bools, or bits packed in words.
#pragma once

#include <sam/arguments/call.hpp>
#include <sam/backend/pointers.hpp>

#include <span>

namespace sam::inline v0_1 {

/// Flags packed 32 to a word, least significant bit first: flag i is bit i % 32 of words[i / 32].
///
/// words    an array of std::uint32_t, which is not copied and must outlive this object; a
///          temporary that owns its words does not compile
/// size     the number of flags; there must be exactly as many words as hold them. Unused bits of
///          the last word may have any value. Without it, all bits are flags
/// throws   sam::invalid_argument if there are more or fewer words, or size is negative
template <class Words>
class packed_bits {
  static_assert(detail::parameter::words::is_array<Words>::value);
  static_assert(std::is_same_v<detail::item_or_any_t<Words>, std::uint32_t>,
                "sam: the words of packed_bits must be of type std::uint32_t");

 public:
  template <class W>
  requires std::is_same_v<std::remove_cvref_t<W>, Words>
  explicit packed_bits(W&& words, std::source_location at = std::source_location::current())
      : packed_bits(std::forward<W>(words), 32 * sam::size_of(words), at) {}
  template <class W>
  requires std::is_same_v<std::remove_cvref_t<W>, Words>
  packed_bits(W&& words, index_t size, std::source_location at = std::source_location::current())
      : words_(detail::borrow(words)), size_(size) {
    static_assert(detail::outlives_call<W>,
                  "sam: the words of packed_bits are a temporary, which "
                  "is destroyed before they are read; store it in a variable");
    detail::call_checks const checks("sam::packed_bits", at);
    auto const checked = checks.items<std::uint32_t const>("words", words);
    index_t const bits = 32 * checked.size;
    if (size < 0 || size > bits || size <= bits - 32)
      checks.refuse("words", "holds ", checked.size, " words but should hold ", size,
                    " flags, 32 to a word");
  }
  std::span<std::uint32_t const> words() const {
    return {detail::raw_pointer(std::data(words_)), static_cast<std::size_t>(std::size(words_))};
  }
  index_t size() const { return size_; }

 private:
  detail::borrowed_t<Words const&> words_;
  index_t size_;
};
template <class W>
packed_bits(W&&) -> packed_bits<std::remove_cvref_t<W>>;
template <class W>
packed_bits(W&&, index_t) -> packed_bits<std::remove_cvref_t<W>>;

template <class Words>
inline constexpr bool is_borrowed<packed_bits<Words>> = true;

namespace detail {

template <class F>
inline constexpr bool are_packed_bits = false;
template <class Words>
inline constexpr bool are_packed_bits<packed_bits<Words>> = true;

/// Flags that have passed their checks: the pointer-like `first`, their number, and their memory.
template <class First>
struct checked_flags {
  First first;
  index_t size;
  extent memory;
};

/// Checks at compile time that an array's items can be flags.
template <class F>
struct are_flag_items {
  static constexpr bool value = std::is_integral_v<item_or_any_t<F>>;
  static_assert(value, "sam: flags must be integers, bools or sam::packed_bits");
};
template <class Parameter, class Context, class F>
struct are_flags : std::conjunction<reads_from<Parameter, Context, F>, are_flag_items<F>> {};
template <class Parameter, class Context, class Words>
struct are_flags<Parameter, Context, packed_bits<Words>>
    : Parameter::template is_reached<Context, Words> {};

/// Returns flags of an array or packed bits. Rejects those that the context cannot access.
template <class Parameter, class Context, class F>
auto flags_of(checked_call<Context> const& call, F const& flags) {
  if constexpr (are_packed_bits<F>) {
    auto const words = call.template input<Parameter>(flags.words());
    return checked_flags<bit_pointer>{{words.data}, flags.size(), words};
  } else {
    auto const items = call.template input<Parameter>(flags);
    return checked_flags<item_of<F> const*>{items.data, items.size, items};
  }
}
/// Returns flags, one for each of the n items of in; rejects any other number. Packed bits may have
/// more, in their last word.
template <class Parameter, class Context, class F>
auto flags_of(checked_call<Context> const& call, F const& flags, index_t n) {
  auto const all = sam::detail::flags_of<Parameter>(call, flags);
  bool const fit = are_packed_bits<F>
                       ? n <= all.size && div_up(n, 32) == engine::div_up(all.size, 32)
                       : n == all.size;
  if (!fit)
    call.refuse(Parameter::name, "holds ", all.size, " items but in holds ", n,
                "; both must hold the same number");
  return all;
}

}  // namespace detail

}  // namespace sam::inline v0_1
