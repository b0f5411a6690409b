// SPDX-License-Identifier: MIT
// This header evaluates a user's predicate on 64 items at once. The time must not depend on whether
// the compiler can vectorize the predicate.
#pragma once

#include <sam/backend/job.hpp>
#include <sam/host/simd/flag_bits.hpp>

#include <cstdint>
#include <type_traits>

namespace sam::inline v0_1::host {

/// Selects the signed integer type as wide as T, which has at most 8 bytes.
template <class T>
struct lane_as_wide_as {
  using type = std::conditional_t<
      sizeof(T) == 1, std::int8_t,
      std::conditional_t<sizeof(T) == 2, std::int16_t,
                         std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
};

/// Forces the compiler to store an object to memory and load it again, so that it does not fuse the
/// code that writes the object with the code that reads it.
template <class T>
[[gnu::always_inline]] inline void keep_in_memory([[maybe_unused]] T& x) {
#if defined(__GNUC__)
  asm("" : "+m"(x));
#endif
}

/// Makes a value opaque to the optimizer, which then cannot rely on anything that it knows about
/// the value.
template <class T>
[[gnu::always_inline]] inline void forget_value([[maybe_unused]] T& x) {
#if defined(__GNUC__)
  asm("" : "+r"(x));
#endif
}

/// True if the answers of a predicate on T are stored in lanes as wide as T.
///
/// g++ 12 vectorizes answers like `(x & 1) != 0` only at the width of x. It cannot vectorize
/// answers that && or ?: computes from floats into such lanes, because the last comparison might
/// trap.
template <class T>
inline constexpr bool is_answered_in_lanes = (std::is_integral_v<T> ||
                                              std::is_enum_v<T>)&&sizeof(T) <= 8;

#ifdef SAM_HAVE_STREAMING_STORES
/// Returns flags in lanes as masks.
///
/// The vectors are opaque to the compiler, so that it does not fuse the code that stores the lanes
/// with the code that uses the masks. It may still keep the lanes in registers.
template <class T>
[[gnu::always_inline]] inline vector_masks<T> masks_of(lane_window<T>& lanes) {
  namespace hn = hwy::HWY_NAMESPACE;
  hn::CappedTag<T, 64> const d;
  vector_masks<T> masks;
#if !HWY_ARCH_X86
  host::keep_in_memory(lanes);
#endif
#pragma GCC unroll 32
  for (int k = 0; k < masks.vectors; ++k) {
    auto v = hn::Load(d, lanes.flags + k * masks.width);
#if HWY_ARCH_X86 && defined(__GNUC__)
    asm("" : "+x"(v.raw));
#endif
    masks.of_vectors[k] = host::word_of_mask(d, hn::MaskFromVec(v));
  }
  return masks;
}
#endif

/// Returns flags in lanes as a word, the first in the lowest bit. The compiler does not fuse the
/// code that stores the lanes with the code that uses the word.
template <class T>
[[gnu::always_inline]] inline std::uint64_t flag_word(lane_window<T>& lanes) {
#ifdef SAM_HAVE_STREAMING_STORES
  return host::flag_word(host::masks_of(lanes));
#else
  host::keep_in_memory(lanes);
  flag_window bytes;
  for (int l = 0; l < 64; ++l)
    bytes.flags[l] = static_cast<std::uint8_t>(lanes.flags[l]);
  return host::low_bits(bytes);
#endif
}

/// Holds the answers of a predicate on 64 items of type T.
template <class T>
using answers = lane_window<
    typename lane_as_wide_as<std::conditional_t<is_answered_in_lanes<T>, T, std::int8_t>>::type>;

/// Stores the answers of a predicate on items of type T: holds(0) to holds(63).
///
/// Callers pass the lanes to masks_of or flag_word, which keep the compiler from fusing this loop
/// with the code that uses the answers. Otherwise g++ may branch on every answer, which costs a
/// misprediction for every other item: ten times the time of a vector loop.
///
/// `holds` is passed by value because the compiler would otherwise have to assume that the stores
/// change its captured values. Inlining keeps constants and answers in registers.
template <class T, class Holds>
[[gnu::always_inline]] inline void ask(Holds const holds, answers<T>& lanes) {
  if constexpr (is_answered_in_lanes<T>) {
    for (int k = 0; k < 64; ++k)
      lanes.flags[k] = static_cast<bool>(holds(k)) ? -1 : 0;
  } else {
    // These values are opaque to the compiler, the answers have even odds, and both values are as
    // wide as a conditional move. Otherwise the compiler generates branches where it cannot
    // vectorize `holds`.
    int yes = -1, no = 0;
    host::forget_value(yes);
    host::forget_value(no);
    for (int k = 0; k < 64; ++k) {
      bool const answer = static_cast<bool>(holds(k));
      lanes.flags[k] =
          static_cast<std::int8_t>(__builtin_expect_with_probability(answer, 1, 0.5) ? yes : no);
    }
  }
}

/// Returns a word with bit k set if holds(k) is true, for k from 0 to 63. `holds` evaluates a
/// predicate on items of type T.
template <class T, class Holds>
[[gnu::always_inline]] inline std::uint64_t word_where(Holds const holds) {
  answers<T> lanes;
  host::ask<T>(holds, lanes);
  return host::flag_word(lanes);
}

#ifdef SAM_HAVE_STREAMING_STORES
/// Returns the answers of a predicate on T as masks, like word_where. They are in lanes as wide as
/// T if is_answered_in_lanes<T>.
template <class T, class Holds>
[[gnu::always_inline]] inline auto masks_where(Holds const holds) {
  answers<T> lanes;
  host::ask<T>(holds, lanes);
  return host::masks_of(lanes);
}

/// Returns a word with bit k set if a[k] == b[k] is false, for k from 0 to 63.
template <class T>
std::uint64_t word_of_unequal(T const* a, T const* b) {
  namespace hn = hwy::HWY_NAMESPACE;
  using number = std::conditional_t<std::is_floating_point_v<T>, T, hwy::SignedFromSize<sizeof(T)>>;
  hn::CappedTag<number, 64> const d;
  constexpr int width = static_cast<int>(hn::MaxLanes(d));
  std::uint64_t word = 0;
#pragma GCC unroll 32
  for (int l = 0; l < 64; l += width) {
    auto const equal = hn::Eq(hn::LoadU(d, reinterpret_cast<number const*>(a + l)),
                              hn::LoadU(d, reinterpret_cast<number const*>(b + l)));
    word |= host::word_of_mask(d, hn::Not(equal)) << l;  // Ne is false for NaN on some targets
  }
  return word;
}
#endif

/// Evaluates the comparisons of a window and returns the flags as a word, the first in the lowest
/// bit.
template <class T, class Equal>
std::uint64_t flag_word(unequal_window<T, Equal> const& some) {
  if (some.last - some.first != 64) {
    std::uint64_t word = some.others ? ~std::uint64_t{0} : 0;
    for (int l = some.first; l < some.last; ++l) {
      std::uint64_t const bit = std::uint64_t{1} << l;
      word = some.is_set(l) ? word | bit : word & ~bit;
    }
    return word;
  }
#ifdef SAM_HAVE_STREAMING_STORES
  if constexpr (std::is_same_v<Equal, sam::detail::equal_items> && std::is_arithmetic_v<T> &&
                sizeof(T) <= 8)
    return host::word_of_unequal(some.items + some.earlier, some.items + some.later);
  else
#endif
    return host::word_where<T>([some](int l) { return some.is_set(l); });
}
template <class T, class Equal>
std::uint64_t flag_word(changes_of_window<T, Equal> const& some) {
  std::uint64_t const word = host::flag_word(some.window);
  return word ^ (word << 1 | std::uint64_t{some.before});
}

/// Evaluates the comparisons of a window and stores the flags as bits, like put_flags for other
/// flags.
template <class T, class Equal>
void put_flags(unequal_window<T, Equal> const& some, std::uint8_t* to) {
  host::put_flags(host::flag_word(some), to);
}
template <class T, class Equal>
void put_flags(changes_of_window<T, Equal> const& some, std::uint8_t* to) {
  host::put_flags(host::flag_word(some), to);
}

/// Selects the type of the items that a job reads first and passes to its predicate.
template <class Job>
struct asked_about {
  using type = typename Job::item;
};
template <reading Job>
struct asked_about<Job> {
  using pointer = decltype(engine::forward_job(std::declval<Job const&>()).reads().first);
  using type = std::remove_cvref_t<decltype(*std::declval<pointer const&>())>;
};
template <class Job>
using asked_about_t = typename asked_about<Job>::type;

}  // namespace sam::inline v0_1::host
