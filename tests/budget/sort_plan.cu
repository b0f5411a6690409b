// SPDX-License-Identifier: MIT
// Prints the sort plan, which tools/ci/check_budget compares with the documents.
#include <sam/cuda/sort.hpp>

#include <cstdio>

int main() { std::fputs(sam::cuda::sort_plan_text().c_str(), stdout); }
