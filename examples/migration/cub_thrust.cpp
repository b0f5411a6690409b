// SPDX-License-Identifier: MIT
// Calls of CUB and Thrust, written with sam: a scan with an initial value, a selection, and calls
// whose arguments differ most between the libraries.
#include <sam/backend.hpp>
#include <sam/compact.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace {

struct is_odd {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 != 0; }
};

bool scans_from_pointers(sam::default_context& context) {
  std::vector<int> const items{3, 1, 4, 1, 5};
  std::vector<int> results(5);
  int const* const in = items.data();
  int* const out = results.data();
  std::size_t const n = items.size();
  auto const op = sam::maximum{};
  int const init = 2;
  // [exclusive_scan]
  sam::exclusive_scan(context, std::span(in, n), std::span(out, n), op, init);
  // [/exclusive_scan]
  context.wait();
  return results == std::vector{2, 3, 3, 4, 4};
}

bool selects(sam::default_context& context) {
  std::vector<int> const in{3, 1, 4, 1, 5};
  std::vector<int> out(5);
  auto const keep = is_odd{};
  // [compact]
  sam::index_t const kept = sam::compact(context, in, out, keep);
  // [/compact]
  return kept == 4 && out[2] == 1 && out[3] == 5;
}

bool reduces(sam::default_context& context) {
  std::vector<int> const in{3, 1, 4, 1, 5};
  int init = 10;
  // [reduce]
  // A variable of type int behind `in` would be the place for the result.
  int const sum = sam::reduce(context, in, int(init), sam::plus{});  // 24
  sam::index_t const odd =
      sam::transform_reduce<sam::index_t>(context, in, is_odd{});  // count_if: 4
  // [/reduce]
  return sum == 24 && odd == 4;
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  bool const right = scans_from_pointers(context) && selects(context) && reduces(context);
  std::puts(right ? "all results are right" : "a result is wrong");
  return right ? 0 : 1;
}
