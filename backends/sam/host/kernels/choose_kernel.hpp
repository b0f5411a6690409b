// SPDX-License-Identifier: MIT
// This header chooses the host kernel for a scan, from the type of the values, the resolved policy
// and the tuple size.
#pragma once

#include <sam/host/kernels/row_kernel.hpp>
#include <sam/host/kernels/scalar_kernel.hpp>
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/kernels/simd_kernel.hpp>
#include <sam/host/kernels/transposed_kernel.hpp>
#else
namespace sam::inline v0_1::host {
// Device compilers do not support the vector types of their host compiler.
template <class Policy, class T>
concept fits_lanes = false;
template <class Policy, class T>
concept fits_columns = false;
template <class T, class Policy>
class simd_kernel;
template <class T, class Policy>
class transposed_kernel;
}  // namespace sam::inline v0_1::host
#endif

namespace sam::inline v0_1::host {

/// Calls use(kernel) with the fastest kernel for the resolved policy.
template <class T, class Policy, class Use>
void with_kernel(Policy const& policy, Use use) {
  constexpr int s = Policy::tuple_size;
  auto const fixed = [&]<int S>(std::integral_constant<int, S>) {
    host::with_kernel<T>(engine::with_tuple_size<S>(policy), use);
  };
  if constexpr (s == run_time_tuple) {
    // These tuple sizes are frequent, and slow in row_kernel.
    using one = decltype(engine::with_tuple_size<1>(policy));
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

}  // namespace sam::inline v0_1::host
