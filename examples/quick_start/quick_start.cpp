// SPDX-License-Identifier: MIT
// The program in the README.

// [quick_start]
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

// Any associative operator will do: this one adds, but never beyond 100.
struct capped_plus {
  int operator()(int a, int b) const { return a + b < 100 ? a + b : 100; }
};

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;  // where calls run; keep it for the next one

  std::vector<int> const in{3, 1, 4, 1, 5, 9};
  std::vector<int> sums(6), tuples(6), capped(6);

  // Prefix sums.
  sam::inclusive_scan(context, in, sums);

  // Prefix sums of prefix sums of 3-tuples, in one pass.
  sam::inclusive_scan(context, in, tuples, sam::scan_policy<sam::plus, 2, 3>{});

  // Our own operator, starting from 90; the item itself is left out.
  sam::exclusive_scan(context, in, capped, capped_plus{}, 90);

  // A call that returns a value waits for it.
  int const largest = sam::reduce(context, in, sam::maximum{});

  context.wait();  // other calls may return before their work is done
  bool const right = largest == 9 && sums == std::vector{3, 4, 8, 9, 14, 23} &&
                     tuples == std::vector{3, 1, 4, 7, 7, 17} &&
                     capped == std::vector{90, 93, 94, 98, 99, 100};
  return right ? 0 : 1;
}
// [/quick_start]
