// SPDX-License-Identifier: MIT
// Marks ranges for NVIDIA's profilers if SAM_NVTX is defined. Otherwise it generates no code.
#pragma once

#include <sam/base/requirements.hpp>

#include <string>
#include <string_view>

#ifdef SAM_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace sam::inline v0_1::cuda {

/// Marks host code in the profiler's time line, from its constructor to its destructor. The
/// profiler also shows the kernels that were launched in this range.
class range {
 public:
#ifdef SAM_NVTX
  explicit range(std::string_view name) { nvtxRangePushA(std::string(name).c_str()); }
  /// Opens a range named make_name(), which is called only if SAM_NVTX is defined.
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

}  // namespace sam::inline v0_1::cuda
