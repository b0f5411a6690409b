// SPDX-License-Identifier: MIT
// Tests the NVTX ranges that a profiler sees. This program acts as the profiler: NVTX calls it
// through its static injection hook.
#include <sam/backend.hpp>
#include <sam/cuda/runtime/testing.hpp>
#include <sam/sam.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nvtx3/nvToolsExt.h>

#include <string>
#include <vector>

namespace {

using names = std::vector<std::string>;
names told;

int push(char const* name) {
  told.push_back(name);
  return 0;
}
int pop() {
  told.push_back("end");
  return 0;
}

int inject(NvtxGetExportTableFunc_t table_of) {
  auto const* const callbacks =
      static_cast<NvtxExportTableCallbacks const*>(table_of(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &size) == 0)
    return 0;
  *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}

// The hook is set before the first range uses it.
[[maybe_unused]] bool const injected = (InitializeInjectionNvtx2_fnptr = inject, true);

}  // namespace

TEST_CASE("ranges begin and end with their scopes", "[nvtx]") {
  told.clear();
  {
    sam::cuda::range const outer("outer");
    sam::cuda::range const inner([] { return std::string("inner"); });
  }
  CHECK(told == names{"outer", "inner", "end", "end"});
}

TEST_CASE("every call and every scan of it has a name", "[nvtx]") {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    SKIP("there is no CUDA device here");
  sam::cuda::context context;
  sam::cuda::testing::limit_cluster_items(context, 0);
  std::vector<int> host{1, 2, 3};
  sam::cuda::staging::arrays<int> const staged(context, std::span<int>(host));
  told.clear();
  sam::inclusive_scan(context, staged.in(), staged.out(), sam::scan_policy<sam::plus, 2>{});
  CHECK(told ==
        names{"sam::inclusive_scan", "sam: scan of order 2, tuples of 1, 3 items", "end", "end"});
  staged.bring_back();
  CHECK(host == std::vector<int>{1, 4, 10});
}
