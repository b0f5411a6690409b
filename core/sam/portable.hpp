// SPDX-License-Identifier: MIT
// Defines functions and constants that device code may use without a standard library.
#pragma once

#include <sam/base/namespaces.hpp>
#include <sam/base/requirements.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define SAM_FUNCTION __host__ __device__
#define SAM_DEVICE __device__ __forceinline__
#else
#define SAM_FUNCTION
#define SAM_DEVICE inline
#endif

// Marks a function that the compiler neither inlines nor clones.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define SAM_ONE_COPY __noinline__
#elif defined(__GNUC__) && !defined(__clang__)
#define SAM_ONE_COPY [[gnu::noipa]]
#else
#define SAM_ONE_COPY [[gnu::noinline]]
#endif

namespace sam::inline v0_1 {

/// The type of counts and indices: signed, so that differences are safe, and 64 bits wide, so that
/// n may exceed 2^32.
using index_t = std::int64_t;

namespace engine {

SAM_FUNCTION constexpr index_t div_up(index_t a, index_t b) { return (a + b - 1) / b; }
SAM_FUNCTION constexpr index_t min_of(index_t a, index_t b) { return b < a ? b : a; }
SAM_FUNCTION constexpr index_t max_of(index_t a, index_t b) { return a < b ? b : a; }
/// Stores an integer that other threads may store to at the same time; any of them may win.
template <class T>
SAM_FUNCTION void store_relaxed(T* to, T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  *static_cast<T volatile*>(to) = x;
#else
  __atomic_store_n(to, x, __ATOMIC_RELAXED);
#endif
}
/// Returns an integer about which the compiler then knows nothing.
SAM_FUNCTION inline index_t hidden(index_t x) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  asm("" : "+r"(x));
#endif
  return x;
}
/// Returns bits about which the compiler then knows nothing.
SAM_FUNCTION inline std::uint32_t hidden_bits(std::uint32_t bits) {
#if defined(__HIP_DEVICE_COMPILE__) && defined(__AMDGCN__)
  asm volatile("" : "+v"(bits));
#elif defined(__GNUC__) || defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(bits));
#endif
  return bits;
}
/// Returns the number of set bits.
SAM_FUNCTION inline int count_bits(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  return __popc(x);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __builtin_popcount(x);
#else
  return std::popcount(x);
#endif
}

}  // namespace engine

#if defined(__CUDA_ARCH__)
#define SAM_HAS_DEVICE_EXTREMES
namespace detail {
/// Provides the instructions that choose between two numbers; see <sam/algebra/extremes.hpp>. A
/// back end adds specialisations for its own types.
template <class T>
struct device_extremes {};
template <>
struct device_extremes<float> {
#if __CUDA_ARCH__ >= 800
  static __device__ float minimum(float a, float b) {
    float x;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(a), "f"(b));
    return x;
  }
  static __device__ float maximum(float a, float b) {
    float x;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(a), "f"(b));
    return x;
  }
#else
  static __device__ float minimum(float a, float b) {
    return a != a || b != b ? a + b : fminf(a, b);
  }
  static __device__ float maximum(float a, float b) {
    return a != a || b != b ? a + b : fmaxf(a, b);
  }
#endif
  static __device__ float minimum_number(float a, float b) { return fminf(a, b); }
  static __device__ float maximum_number(float a, float b) { return fmaxf(a, b); }
};
// Doubles have no such instruction, and fmin and fmax take several and ignore a NaN. This macro
// uses four comparisons and a selection. a is selected if it wins, or if the two are equal and a's
// sign wins, compared by the upper halves as integers. The last comparison handles NaN.
#define SAM_CHOOSE_DOUBLE(name, upper_half_wins, does_not_lose, wins, because_of_nan)              \
  static __device__ double name(double a, double b) {                                              \
    double chosen;                                                                                 \
    asm("{\n"                                                                                      \
        ".reg .pred p;\n"                                                                          \
        "setp." upper_half_wins ".s32 p, %3, %4;\n"                                                \
        "setp." does_not_lose ".and.f64 p, %1, %2, p;\n"                                           \
        "setp." wins ".or.f64 p, %1, %2, p;\n"                                                     \
        "setp." because_of_nan ".f64 p, %2, %2, p;\n"                                              \
        "selp.f64 %0, %1, %2, p;\n"                                                                \
        "}\n"                                                                                      \
        : "=d"(chosen)                                                                             \
        : "d"(a), "d"(b), "r"(__double2hiint(a)), "r"(__double2hiint(b)));                         \
    return chosen;                                                                                 \
  }
template <>
struct device_extremes<double> {
  // A NaN among a and b wins: if b is one, a is not selected.
  SAM_CHOOSE_DOUBLE(minimum, "lt", "le", "ltu", "num.and")
  SAM_CHOOSE_DOUBLE(maximum, "gt", "ge", "gtu", "num.and")
  // A NaN loses: if b is one, a is selected.
  SAM_CHOOSE_DOUBLE(minimum_number, "lt", "le", "lt", "nan.or")
  SAM_CHOOSE_DOUBLE(maximum_number, "gt", "ge", "gt", "nan.or")
};
#undef SAM_CHOOSE_DOUBLE
}  // namespace detail
#endif

namespace detail {
#ifdef __SIZEOF_INT128__
__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;
template <class T>
inline constexpr bool is_int128 = std::is_same_v<T, int128> || std::is_same_v<T, uint128>;
#else
template <class T>
inline constexpr bool is_int128 = false;
#endif

// The host's 16-bit floats, by the names that they also have before C++23. CUDA compilers have
// types of their own instead.
#if defined(__FLT16_MANT_DIG__) && !defined(__CUDACC__)
#define SAM_HAS_FLOAT16
__extension__ using float16 = _Float16;
#endif
#if defined(__BFLT16_MANT_DIG__) && !defined(__CUDACC__)
#define SAM_HAS_BFLOAT16
__extension__ using bfloat16 = __bf16;
#endif

// The type in which + and * of T wrap around: unsigned, and not promoted to a signed int.
template <class T, bool Wide = is_int128<T>>
struct modular {
  using type = std::common_type_t<unsigned, std::make_unsigned_t<T>>;
};
template <class T>
struct modular<T, true> {
#ifdef __SIZEOF_INT128__
  using type = uint128;
#endif
};
}  // namespace detail

/// An integer type with arithmetic modulo 2^w: any but bool.
template <class T>
concept integer = (std::is_integral_v<T> && !std::is_same_v<T, bool>) || sam::detail::is_int128<T>;

/// True if T is a floating-point type: a standard one, a back end's, or half or bfloat16 where the
/// compiler has them (_Float16, __bf16, and the identical std::float16_t and std::bfloat16_t).
template <class T>
inline constexpr bool is_floating = std::is_floating_point_v<T>;
#ifdef SAM_HAS_FLOAT16
template <>
inline constexpr bool is_floating<detail::float16> = true;
#endif
#ifdef SAM_HAS_BFLOAT16
template <>
inline constexpr bool is_floating<detail::bfloat16> = true;
#endif

template <class T>
concept arithmetic = integer<T> || std::is_floating_point_v<T>;

namespace engine {

/// The unsigned type, at least as wide as int, in which sums and products of T wrap around.
template <integer T>
using modular_t = typename detail::modular<T>::type;

/// An uninitialised array of N values, whose type need not be default constructible.
template <class T, int N>
union uninitialized_array {
  SAM_FUNCTION uninitialized_array() {}
  T at[std::size_t{N}];
};

}  // namespace engine

namespace detail {
template <class T>
constexpr T lowest() {
  if constexpr (is_int128<T>)
    return T(-1) < T(0) ? T(T(1) << 127) : T(0);
  else if constexpr (std::numeric_limits<T>::has_infinity)
    return -std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::lowest();
}
template <class T>
constexpr T highest() {
  if constexpr (is_int128<T>)
    return T(~detail::lowest<T>());
  else if constexpr (std::numeric_limits<T>::has_infinity)
    return std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::max();
}
}  // namespace detail

namespace engine {

/// The smallest and the largest value of T: infinities where T has them. They are variables, since
/// device code may read a constexpr variable but not call numeric_limits.
template <class T>
inline constexpr T lowest_of = detail::lowest<T>();
template <class T>
inline constexpr T highest_of = detail::highest<T>();

}  // namespace engine

}  // namespace sam::inline v0_1
