// SPDX-License-Identifier: MIT
#pragma once

#include <sam/host/kernels/item_kernel.hpp>
#include <sam/host/kernels/row_kernel.hpp>
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/kernels/column_kernel.hpp>
#include <sam/host/kernels/filter_kernel.hpp>
#include <sam/host/kernels/lane_kernel.hpp>
#include <sam/host/kernels/segment_kernel.hpp>
#else
namespace sam::host {
// Device compilers do not know the vectors of their host compiler.
template <class Pass, class T>
concept fits_lanes = false;
template <class Pass, class T>
concept fits_columns = false;
template <class Pass, class V>
concept fits_segments = false;
template <class Job>
concept fits_filter = false;
template <class T, class Pass>
class lane_kernel;
template <class T, class Pass>
class column_kernel;
template <class T, class Pass>
class segment_kernel;
template <class Job, class Pass>
class filter_kernel;
template <class Job>
struct filter_terms_of;
template <class Values>
struct headed_values;
}  // namespace sam::host
#endif

namespace sam::host {

/// Calls use(kernel) with the fastest kernel for the pass.
template <class T, class Pass, class Use>
void with_kernel(Pass const& pass, Use use) {
  constexpr int s = Pass::tuple_size;
  auto const fixed = [&]<int S>(std::integral_constant<int, S>) {
    host::with_kernel<T>(sam::with_tuple_size<S>(pass), use);
  };
  if constexpr (s == run_time_tuple) {
    // Sizes that are frequent and that row by row is slow for.
    using one = decltype(sam::with_tuple_size<1>(pass));
    if (pass.components == 1)
      return fixed(std::integral_constant<int, 1>{});
    if constexpr (fits_lanes<one, T>) {
      if (pass.components == 2)
        return fixed(std::integral_constant<int, 2>{});
      if (pass.components == 3)
        return fixed(std::integral_constant<int, 3>{});
      if (pass.components == 4)
        return fixed(std::integral_constant<int, 4>{});
    }
    use(row_kernel<T, Pass>(pass));
  } else if constexpr (fits_lanes<Pass, T>) {
    use(lane_kernel<T, Pass>(pass));
  } else if constexpr (fits_columns<Pass, T>) {
    use(column_kernel<T, Pass>(pass));
  } else if constexpr (s <= 16) {
    use(item_kernel<T, Pass>(pass));
  } else {
    use(row_kernel<T, Pass>(pass));
  }
}

}  // namespace sam::host
