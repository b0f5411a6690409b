// SPDX-License-Identifier: MIT
// This file names ranges for NVIDIA's profilers if sam is built with SAM_NVTX. Otherwise it
// generates no code.
#pragma once

#include <sam/base/requirements.hpp>

#include <string>
#include <string_view>

#ifdef SAM_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace sam::cuda {

/// Marks a range in the profiler's timeline until the end of the scope. The range covers host work;
/// the profiler also shows the kernels queued in it.
class range {
 public:
#ifdef SAM_NVTX
  explicit range(std::string_view name) { nvtxRangePushA(std::string(name).c_str()); }
  /// Starts a range with the name that make_name() returns. Without SAM_NVTX, make_name is not
  /// called.
  template <class MakeName>
  requires requires(MakeName make) { make(); }
  explicit range(MakeName make_name) : range(std::string_view(make_name())) {}
  ~range() { nvtxRangePop(); }
#else
  template <class NameOrMakeName>
  explicit constexpr range(NameOrMakeName const&) {}
#endif
  range(range const&) = delete;
  range& operator=(range const&) = delete;
};

}  // namespace sam::cuda
