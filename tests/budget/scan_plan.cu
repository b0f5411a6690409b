// SPDX-License-Identifier: MIT
// Prints the scan plan, which tools/ci/check_budget compares with the documents.
#include <sam/cuda/scan.hpp>

#include <cstdio>

int main() { std::fputs(sam::cuda::scan_plan_text().c_str(), stdout); }
