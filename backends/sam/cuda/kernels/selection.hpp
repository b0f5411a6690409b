// SPDX-License-Identifier: MIT
// Compactions by flags of standard types that the library sam::cuda_kernels has compiled: programs
// that link it do not compile them.
#pragma once

#include <sam/cuda/device/device.hpp>
#include <sam/cuda/platform.hpp>
#include <sam/detail/compact_job.hpp>
#include <sam/launch/calls/scan.hpp>

namespace sam::inline v0_1::cuda {

/// The job of compact_flagged on items of type T, with the count in an index_t.
template <class T, class Flag, class Sum>
using flagged_compaction = sam::detail::compact_job<Sum, sam::detail::kept_by_flag<T, Flag const*>,
                                                    sam::detail::to_front<T, index_t>>;
template <class Sum>
using compaction_policy = std::remove_const_t<decltype(sam::detail::pass_over_flags<Sum>)>;

// SAM_CUDA_COMPACTIONS(WHAT, T) makes the declarations of the compactions of items of type T, by
// flags that are bools or bytes. WHAT is `extern template` or `template`.
#define SAM_CUDA_COMPACTIONS(WHAT, T)                                                              \
  WHAT void context::run(index_t n, flagged_compaction<T, bool, std::uint32_t> const& job,         \
                         compaction_policy<std::uint32_t> const&);                                 \
  WHAT void context::run(index_t n, flagged_compaction<T, bool, index_t> const& job,               \
                         compaction_policy<index_t> const&);                                       \
  WHAT void context::run(index_t n, flagged_compaction<T, std::uint8_t, std::uint32_t> const& job, \
                         compaction_policy<std::uint32_t> const&);                                 \
  WHAT void context::run(index_t n, flagged_compaction<T, std::uint8_t, index_t> const& job,       \
                         compaction_policy<index_t> const&)

SAM_CUDA_COMPACTIONS(extern template, std::int32_t);
SAM_CUDA_COMPACTIONS(extern template, std::uint32_t);
SAM_CUDA_COMPACTIONS(extern template, std::int64_t);
SAM_CUDA_COMPACTIONS(extern template, std::uint64_t);
SAM_CUDA_COMPACTIONS(extern template, float);
SAM_CUDA_COMPACTIONS(extern template, double);

}  // namespace sam::inline v0_1::cuda
