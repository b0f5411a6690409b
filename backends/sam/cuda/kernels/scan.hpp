// SPDX-License-Identifier: MIT
// Scans and reductions of standard types that the library sam::cuda_kernels has compiled: programs
// that link it do not compile them.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/detail/scan_job.hpp>
#include <sam/launch/calls/scan.hpp>

namespace sam::inline v0_1::cuda {

/// The job and the policies of a scan of items of type T, without a transform, by the default carry
/// scheme.
template <class T>
using plain_scan_job = sam::detail::scan_job<T, T, std::identity>;
template <class T>
using plain_reduce_job = sam::detail::reduce_job<T, T, std::identity>;
template <class Operator>
using inclusive_policy =
    decltype(engine::resolve_policy<bound::inclusive>(scan_policy<Operator>{}, from_nothing{}));
template <class Operator, class T>
using exclusive_policy = decltype(engine::resolve_policy<bound::exclusive>(scan_policy<Operator>{},
                                                                           from_value<T>{T(0)}));
template <class Operator>
using reduce_policy =
    decltype(engine::with_carry_scheme<
             carry::without_stored_values<typename inclusive_policy<Operator>::carry>>(
        inclusive_policy<Operator>{}));

// SAM_CUDA_SCANS(WHAT, T) makes the declarations of the scans and reductions of items of type T.
// WHAT is `extern template` or `template`.
#define SAM_CUDA_SCANS(WHAT, T)                                                                    \
  WHAT void context::run(index_t n, plain_scan_job<T> const& job, inclusive_policy<plus> const&);  \
  WHAT void context::run(index_t n, plain_scan_job<T> const& job,                                  \
                         exclusive_policy<plus, T> const&);                                        \
  WHAT void context::run(index_t n, plain_reduce_job<T> const& job, reduce_policy<plus> const&);   \
  WHAT void context::run(index_t n, plain_reduce_job<T> const& job,                                \
                         reduce_policy<minimum> const&);                                           \
  WHAT void context::run(index_t n, plain_reduce_job<T> const& job, reduce_policy<maximum> const&)

SAM_CUDA_SCANS(extern template, std::int32_t);
SAM_CUDA_SCANS(extern template, std::uint32_t);
SAM_CUDA_SCANS(extern template, std::int64_t);
SAM_CUDA_SCANS(extern template, std::uint64_t);
SAM_CUDA_SCANS(extern template, float);
SAM_CUDA_SCANS(extern template, double);

}  // namespace sam::inline v0_1::cuda
