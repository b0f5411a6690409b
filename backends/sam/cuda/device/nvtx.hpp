// SPDX-License-Identifier: MIT
// Names for NVIDIA's profilers, where sam is built with SAM_NVTX; otherwise no code.
#pragma once

#include <sam/base/requirements.hpp>

#include <string>
#include <string_view>

#ifdef SAM_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace sam::cuda {

/// A range in the profiler's time line from here to the end of the scope. It covers what the host
/// does; the profiler shows beside it the kernels that were queued in it.
class range {
 public:
#ifdef SAM_NVTX
  explicit range(std::string_view name) { nvtxRangePushA(std::string(name).c_str()); }
  /// make_name() is called only if there are ranges.
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
