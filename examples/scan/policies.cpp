// SPDX-License-Identifier: MIT
// The policy of a scan: its order, its tuple size, its direction and its carry scheme.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdio>
#include <vector>

namespace {

int mistakes = 0;
void expect(char const* what, std::vector<int> const& is, std::vector<int> const& wanted) {
  if (is == wanted)
    return;
  std::printf("%s: wrong result\n", what);
  ++mistakes;
}

void orders_and_tuples(sam::default_context& context) {
  // [order]
  std::vector<int> const in{1, 1, 1, 1, 1, 1};
  std::vector<int> out(6);
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 2>{});  // 1 3 6 10 15 21
  // [/order]
  context.wait();
  expect("order 2", out, {1, 3, 6, 10, 15, 21});

  // [tuple]
  std::vector<int> const stereo{1, 10, 2, 20, 3, 30};  // left, right, left, right, ...
  sam::inclusive_scan(context, stereo, out, sam::scan_policy<sam::plus, 1, 2>{});
  // out is 1 10 3 30 6 60
  // [/tuple]
  context.wait();
  expect("2-tuples", out, {1, 10, 3, 30, 6, 60});

  // [columns]
  std::vector<int> const image{1, 2, 3,  //
                               4, 5, 6};
  sam::index_t const width = 3;
  sam::inclusive_scan(context, image, out, sam::tuples_of(width));  // 1 2 3 5 7 9
  sam::inclusive_scan(context, image, out, sam::tuples_of(width, sam::maximum{}));
  // [/columns]
  context.wait();
  expect("columns", out, {1, 2, 3, 4, 5, 6});

  // [component_sums]
  std::vector<int> sums(2);
  sam::reduce(context, stereo, sums, sam::scan_policy<sam::plus, 1, 2>{});  // 6 60
  // [/component_sums]
  context.wait();
  expect("sums of components", sums, {6, 60});
}

void directions_and_schemes(sam::default_context& context) {
  std::vector<int> const in{3, 1, 4, 1, 5, 9};
  std::vector<int> out(6), same(6);
  // [backward]
  auto const second_order = sam::scan_policy<sam::plus, 2>{};
  sam::inclusive_scan(context, in, out, sam::backward(second_order));
  // [/backward]
  // [scheme]
  sam::inclusive_scan(context, in, same, sam::carried_by<sam::carry::lookback>(sam::plus{}));
  sam::inclusive_scan(context, in, same,
                      sam::scan_policy<sam::plus, 1, 1, sam::carry::reduce_then_scan>{});
  // [/scheme]
  context.wait();
  expect("backward", out, {100, 77, 57, 38, 23, 9});
  expect("schemes", same, {3, 4, 8, 9, 14, 23});
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  orders_and_tuples(context);
  directions_and_schemes(context);
  return mistakes;
}
