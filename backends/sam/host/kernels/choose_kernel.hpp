// SPDX-License-Identifier: MIT
// Chooses the fastest kernel for a scan from its item type, operator and tuple size.
#pragma once

#include <sam/host/kernels/row_kernel.hpp>
#include <sam/host/kernels/scalar_kernel.hpp>
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/kernels/recurrence_kernel.hpp>
#include <sam/host/kernels/segmented_kernel.hpp>
#include <sam/host/kernels/simd_kernel.hpp>
#include <sam/host/kernels/transposed_kernel.hpp>
#else
namespace sam::host {
// Device compilers do not support the vector extensions that these kernels use.
template <class Policy, class T>
concept fits_lanes = false;
template <class Policy, class T>
concept fits_columns = false;
template <class Policy, class V>
concept fits_segments = false;
template <class Job>
concept fits_filter = false;
template <class T, class Policy>
class simd_kernel;
template <class T, class Policy>
class transposed_kernel;
template <class T, class Policy>
class segmented_kernel;
template <class Job, class Policy>
class recurrence_kernel;
template <class Job>
struct filter_terms_of;
template <class Values>
struct headed_values;
}  // namespace sam::host
#endif

namespace sam::host {

/// Calls use(kernel) with the fastest kernel for the policy.
template <class T, class Policy, class Use>
void with_kernel(Policy const& policy, Use use) {
  constexpr int s = Policy::tuple_size;
  auto const fixed = [&]<int S>(std::integral_constant<int, S>) {
    host::with_kernel<T>(sam::with_tuple_size<S>(policy), use);
  };
  if constexpr (s == run_time_tuple) {
    // Frequent sizes for which the row kernel is slow.
    using one = decltype(sam::with_tuple_size<1>(policy));
    if (policy.components == 1)
      return fixed(std::integral_constant<int, 1>{});
    if constexpr (fits_lanes<one, T>) {
      if (policy.components == 2)
        return fixed(std::integral_constant<int, 2>{});
      if (policy.components == 3)
        return fixed(std::integral_constant<int, 3>{});
      if (policy.components == 4)
        return fixed(std::integral_constant<int, 4>{});
    }
    use(row_kernel<T, Policy>(policy));
  } else if constexpr (fits_lanes<Policy, T>) {
    use(simd_kernel<T, Policy>(policy));
  } else if constexpr (fits_columns<Policy, T>) {
    use(transposed_kernel<T, Policy>(policy));
  } else if constexpr (s <= 16) {
    use(scalar_kernel<T, Policy>(policy));
  } else {
    use(row_kernel<T, Policy>(policy));
  }
}

}  // namespace sam::host
