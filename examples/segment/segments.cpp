// SPDX-License-Identifier: MIT
// Segments by offsets, by head flags, by keys and of one length; scans and reductions of them.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

int mistakes = 0;
template <class T>
void expect(char const* what, std::vector<T> const& is, std::vector<T> const& wanted) {
  if (is == wanted)
    return;
  std::printf("%s: wrong result\n", what);
  ++mistakes;
}

void describe(sam::default_context& context) {
  // [kinds]
  std::vector<int> const in{3, 1, 4, 1, 5, 9};
  std::vector<int> out(6);

  std::vector<int> const offsets{0, 2, 2, 6};  // segments [0, 2), [2, 2) and [2, 6)
  sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out);  // 3 4 | 4 5 10 19

  std::vector<std::uint8_t> const heads{1, 0, 1, 0, 0, 0};  // 1 where a segment begins
  sam::segmented_inclusive_scan(context, in, sam::by_heads(heads), out);

  std::vector<int> const keys{7, 7, 8, 8, 8, 8};  // a segment is a run of equal keys
  sam::segmented_inclusive_scan(context, in, sam::by_keys(keys), out);

  sam::segmented_inclusive_scan(context, in, sam::by_length(4), out);  // 3 4 8 9 | 5 14
  // [/kinds]
  context.wait();
  expect("by length", out, {3, 4, 8, 9, 5, 14});
  sam::segmented_inclusive_scan(context, in, sam::by_heads(heads), out);
  context.wait();
  expect("by heads", out, {3, 4, 4, 5, 10, 19});
}

void reduce(sam::default_context& context) {
  std::vector<int> const in{3, 1, 4, 1, 5, 9}, offsets{0, 2, 2, 6};
  // [offsets]
  std::vector<int> sums(3), largest(3);
  sam::segmented_reduce(context, in, sam::by_offsets(offsets), sums);
  sam::segmented_reduce(context, in, sam::by_offsets(offsets), largest, sam::maximum{}, -1);
  context.wait();
  // sums: 4 0 19, largest: 3 -1 9
  // [/offsets]
  expect("sums", sums, {4, 0, 19});
  expect("maxima", largest, {3, -1, 9});

  // [by_key]
  std::vector<int> const customers{7, 7, 7, 8, 9, 9}, payments{50, -20, -5, 10, 1, 2};
  std::vector<int> names(6), totals(6);
  auto const n = sam::reduce_by_key(context, customers, payments, names, totals);  // 3
  // names: 7 8 9, totals: 25 10 3
  // [/by_key]
  names.resize(static_cast<std::size_t>(n)), totals.resize(static_cast<std::size_t>(n));
  expect("names", names, {7, 8, 9});
  expect("totals", totals, {25, 10, 3});

  // [checked]
  std::vector<int> const wrong{0, 5, 2, 6};
  try {
    sam::segmented_reduce(context, in, sam::by_checked_offsets(wrong), sums);
  } catch (sam::invalid_argument const& error) {
    std::puts(error.what());
  }
  // [/checked]
  expect("after wrong offsets", sums, {4, 0, 19});
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  describe(context);
  reduce(context);
  return mistakes;
}
