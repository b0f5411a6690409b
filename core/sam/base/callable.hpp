// SPDX-License-Identifier: MIT
// Determines at compile time how a caller's function object can be called, in particular a CUDA
// lambda.
//
// nvcc compiles host code twice. Its own front end sees an extended __device__ lambda itself. The
// host compiler sees a wrapper in its place. The wrapper cannot be called in a const context, and
// has a known result type only if the lambda declares one: [] __device__ (int x) -> bool { ... }.
// So the front end checks concepts on the lambda, and the host compiler takes them as satisfied.
#pragma once

#include <sam/portable.hpp>

#include <concepts>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sam::inline v0_1::detail {

#ifdef __CUDACC_EXTENDED_LAMBDA__
template <class F>
inline constexpr bool is_device_lambda = __nv_is_extended_device_lambda_closure_type(F);
template <class F>
inline constexpr bool is_host_device_lambda = __nv_is_extended_host_device_lambda_closure_type(F);
template <class F>
inline constexpr bool
    says_what_it_returns = __nv_is_extended_device_lambda_with_preserved_return_type(F);
#else
template <class F>
inline constexpr bool is_device_lambda = false;
template <class F>
inline constexpr bool is_host_device_lambda = false;
template <class F>
inline constexpr bool says_what_it_returns = true;
#endif

/// Returns true if F is a lambda's type and nvcc's front end compiles this. Only the front end
/// prints lambda types in this form.
template <class F>
constexpr bool is_known_lambda() {
#ifdef __CUDACC__
  std::string_view const function = __PRETTY_FUNCTION__;
  return function.find("[with F = lambda [") != std::string_view::npos;
#else
  return false;
#endif
}

/// True for the type of the wrapper that the host compiler sees in place of a __device__ lambda.
template <class F>
inline constexpr bool is_opaque = is_device_lambda<F> && !is_known_lambda<F>();

/// True if f(args...) is valid for a const f, or if that cannot be determined. False for pointers
/// to members.
template <class F, class... Args>
concept callable_with = is_opaque<F> || requires(F const& f) {
  f(std::declval<Args>()...);
};

template <class F, class... Args>
struct result_of_callable {
  using type = decltype(std::declval<F const&>()(std::declval<Args>()...));
};
template <class F, class... Args>
requires is_opaque<F>
struct result_of_callable<F, Args...> {
  using type = decltype(std::declval<F&>()(std::declval<Args>()...));
};
/// The type of f(args...). It is not available for a __device__ lambda that does not declare its
/// result type.
template <class F, class... Args>
using result_of_callable_t = typename result_of_callable<F, Args...>::type;

/// True if f(args...) converts to R, possibly explicitly, or if that cannot be determined.
template <class F, class R, class... Args>
concept callable_for = is_opaque<F> || requires(F const& f) {
  static_cast<R>(f(std::declval<Args>()...));
};

/// Compares items by ==. Unlike std::equal_to, it can be called on a device.
struct equal_items {
  static constexpr bool runs_on_devices = true;
  template <class T>
  requires requires(T const& a, T const& b) { a == b; }
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const { return a == b; }
};

}  // namespace sam::inline v0_1::detail

namespace sam::inline v0_1 {

/// Compares items by ==, but takes all NaNs for equal, as NumPy's unique does: an equivalence for
/// unique, unique_by_key, run_length_encode, by_keys and reduce_by_key.
struct equal_nan {
  static constexpr bool runs_on_devices = true;
  template <class T>
  requires requires(T const& a, T const& b) { a == b; }
  SAM_FUNCTION constexpr bool operator()(T const& a, T const& b) const {
    return a == b || (!(a == a) && !(b == b));
  }
};

}  // namespace sam::inline v0_1

namespace sam::inline v0_1::detail {

// --- Devices -------------------------------------------------------------------------------------

template <class F>
struct of_void {
  using type = F;
};
template <template <class> class F, class T>
requires requires { typename F<void>; }
struct of_void<F<T>> {
  using type = F<void>;
};
template <class F, class... Others>
inline constexpr bool is_one_of = (std::is_same_v<F, Others> || ...);
/// True for the function objects of <functional>, such as std::plus<int>, but not std::identity.
template <class F>
inline constexpr bool is_standard_function_object =
    is_one_of<typename of_void<F>::type, std::plus<>, std::minus<>, std::multiplies<>,
              std::divides<>, std::modulus<>, std::negate<>, std::equal_to<>, std::not_equal_to<>,
              std::less<>, std::greater<>, std::less_equal<>, std::greater_equal<>,
              std::logical_and<>, std::logical_or<>, std::logical_not<>, std::bit_and<>,
              std::bit_or<>, std::bit_xor<>, std::bit_not<>>;

#if defined(__CUDACC__) && !defined(__CUDACC_RELAXED_CONSTEXPR__)
inline constexpr bool constexpr_runs_on_devices = false;
#else
inline constexpr bool constexpr_runs_on_devices = true;
#endif

/// Fails to compile if Context works on a device but F, called with Args, can run on the host only,
/// as far as the compiler can tell. A context may offer
/// `template <class F, class... Args> static void expect_on_device()`, in which a compiler of
/// device code checks the rest.
template <class Context, class F, class... Args>
struct runs_on {
  static constexpr bool on_device = requires(std::remove_reference_t<Context> & context) {
    context.results();
  };
  static constexpr bool is_host_lambda =
      detail::is_known_lambda<F>() && !is_device_lambda<F> && !is_host_device_lambda<F>;
  static constexpr bool is_host_object =
      is_standard_function_object<F> && !constexpr_runs_on_devices;
  static constexpr bool value = !on_device || (!is_host_lambda && !is_host_object);
  static_assert(!on_device || !is_host_lambda,
                "sam: a device cannot call this lambda; mark it SAM_FUNCTION, which is __host__ "
                "__device__, or __device__, and compile with --extended-lambda");
  static_assert(!on_device || !is_host_object,
                "sam: a device cannot call the function objects of <functional>; use sam's, such "
                "as sam::plus, or one of your own whose operator() is marked SAM_FUNCTION, which "
                "is __host__ __device__");
};

/// True if F needs no check by expect_on_device. A function object may declare `static constexpr
/// bool runs_on_devices = true`.
template <class F>
inline constexpr bool is_known_to_run_on_devices =
    is_device_lambda<F> || is_host_device_lambda<F> || std::is_same_v<F, std::identity>;
template <class F>
requires requires { requires F::runs_on_devices; }
inline constexpr bool is_known_to_run_on_devices<F> = true;

/// Lets the compiler of device code check what runs_on cannot.
template <class Context, class F, class... Args>
void expect_runs_on() {
  if constexpr (!is_known_to_run_on_devices<F>)
    if constexpr (requires { Context::template expect_on_device<F, Args...>(); })
      Context::template expect_on_device<F, Args...>();
}

}  // namespace sam::inline v0_1::detail
