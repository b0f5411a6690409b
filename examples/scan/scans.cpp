// SPDX-License-Identifier: MIT
// Scans and reductions: inclusive, exclusive, from an initial value, of transformed items, in
// place, backward.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// [square]
struct square {
  SAM_FUNCTION std::int64_t operator()(int x) const { return std::int64_t{x} * x; }
};
// [/square]

int mistakes = 0;
template <class T>
void expect(char const* what, std::vector<T> const& is, std::vector<T> const& wanted) {
  if (is == wanted)
    return;
  std::printf("%s: wrong result\n", what);
  ++mistakes;
}

void scan(sam::default_context& context) {
  // [scan]
  std::vector<int> const in{3, 1, 4, 1, 5};
  std::vector<int> sums(5), before(5), maxima(5);

  sam::inclusive_scan(context, in, sums);                    // 3 4 8 9 14
  sam::exclusive_scan(context, in, before);                  // 0 3 4 8 9
  sam::inclusive_scan(context, in, maxima, sam::maximum{});  // 3 3 4 4 5
  context.wait();                                            // now the results may be read
  // [/scan]
  expect("inclusive", sums, {3, 4, 8, 9, 14});
  expect("exclusive", before, {0, 3, 4, 8, 9});
  expect("maxima", maxima, {3, 3, 4, 4, 5});

  // [init]
  sam::exclusive_scan(context, in, before, 100);                // 100 103 104 108 109
  sam::inclusive_scan(context, in, maxima, sam::maximum{}, 4);  // 4 4 4 4 5
  // [/init]
  // [transform]
  std::vector<std::int64_t> squares(5);
  sam::transform_inclusive_scan(context, in, squares, square{});  // 9 10 26 27 52
  // [/transform]
  context.wait();
  expect("from 100", before, {100, 103, 104, 108, 109});
  expect("maxima from 4", maxima, {4, 4, 4, 4, 5});
  expect("squares", squares, {9, 10, 26, 27, 52});

  // [in_place]
  std::vector<int> items = in;
  sam::inclusive_scan(context, items, items);
  // [/in_place]
  // [backward]
  std::vector<int> after(5);
  sam::inclusive_scan(context, in, after, sam::backward(sam::plus{}));  // 14 11 10 6 5
  // [/backward]
  context.wait();
  expect("in place", items, {3, 4, 8, 9, 14});
  expect("backward", after, {14, 11, 10, 6, 5});
}

void reduce(sam::default_context& context) {
  std::vector<int> const in{3, 1, 4, 1, 5};
  // [reduce]
  int const sum = sam::reduce(context, in);                      // waits, and returns 14
  int const largest = sam::reduce(context, in, sam::maximum{});  // 5

  std::vector<int> place(1);
  sam::reduce(context, in, place, sam::minimum{});  // returns at once on a GPU
  context.wait();
  // [/reduce]
  expect("reduce", {sum, largest, place[0]}, std::vector<int>{14, 5, 1});

  std::vector<double> const readings{0.9, 1.8, 2.7};
  std::vector<int> whole(3);
  // [converted]
  // double to int loses values, so it does not compile unless it is asked for.
  sam::transform_inclusive_scan(context, readings, whole, sam::converted<int>{});  // 0 1 3
  // [/converted]
  context.wait();
  expect("converted", whole, {0, 1, 3});

  // [error]
  std::vector<int> too_short(4);
  try {
    sam::inclusive_scan(context, in, too_short);
  } catch (sam::invalid_argument const& error) {
    std::puts(error.what());  // names sam::inclusive_scan, the argument `out`, and this line
  }
  // [/error]
  expect("after an error", too_short, {0, 0, 0, 0});
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  scan(context);
  reduce(context);
  return mistakes;
}
