// SPDX-License-Identifier: MIT
// Radix sorts: of keys, of pairs, of indices, by digits of one's own, of segments, in spare memory.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

namespace {

// [digits]
struct date {
  std::uint8_t day, month;
  std::uint16_t year;
};
struct by_date {
  SAM_FUNCTION std::uint32_t operator()(date const& d) const {
    return std::uint32_t{d.year} << 16 | std::uint32_t{d.month} << 8 | d.day;
  }
};
// [/digits]

int mistakes = 0;
template <class T>
void expect(char const* what, std::vector<T> const& is, std::vector<T> const& wanted) {
  if (is == wanted)
    return;
  std::printf("%s: wrong result\n", what);
  ++mistakes;
}

void sort(sam::default_context& context) {
  // [sort]
  std::vector<int> const in{3, -1, 4, 1, -5};
  std::vector<int> out(5), descending(5);
  sam::radix_sort(context, in, out);                                                 // -5 -1 1 3 4
  sam::radix_sort(context, in, descending, {.order = sam::sort_order::descending});  // 4 3 1 -1 -5
  // [/sort]
  // [pairs]
  std::vector<int> const ids{0, 1, 2, 3, 4};
  std::vector<int> keys_out(5), ids_out(5), order(5);
  sam::radix_sort_pairs(context, in, ids, keys_out, ids_out);  // ids_out: 4 1 3 0 2
  sam::radix_argsort(context, in, order);                      // the same indices, without ids
  // [/pairs]
  // [columns]
  std::vector<int> keys{3, -1, 4, 1, -5};
  std::vector<double> prices{0.3, 0.1, 0.4, 0.2, 0.5};
  std::vector<char> marks{'c', 'a', 'd', 'b', 'e'};
  sam::radix_sort_pairs(context, keys, sam::zipped(prices, marks), keys,
                        sam::zipped_to(prices, marks));  // in place; marks: e a b c d
  // [/columns]
  context.wait();
  expect("sort", out, {-5, -1, 1, 3, 4});
  expect("descending", descending, {4, 3, 1, -1, -5});
  expect("pairs", ids_out, {4, 1, 3, 0, 2});
  expect("argsort", order, ids_out);
  expect("columns", marks, {'e', 'a', 'b', 'c', 'd'});
  expect("columns", prices, {0.5, 0.1, 0.2, 0.3, 0.4});

  // [floats]
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const readings{nan, 2.0f, -0.0f, 0.0f};
  std::vector<float> sorted(4);
  sam::radix_sort(context, readings, sorted, {.floats = sam::float_order::numeric});
  // -0.0 0.0 2.0 nan: zeros count as equal and keep their order; NaNs come last
  // [/floats]
  context.wait();
  expect("floats", {sorted[2], sorted[3] == sorted[3] ? 0.0f : 1.0f}, std::vector{2.0f, 1.0f});
}

void sort_by(sam::default_context& context) {
  // [use_digits]
  std::vector<date> dates{{3, 5, 2024}, {1, 1, 2025}, {9, 2, 2024}};
  sam::radix_sort(context, dates, dates, by_date{});  // in place
  // [/use_digits]
  context.wait();
  expect("dates", {dates[0].month, dates[1].month, dates[2].month},
         std::vector<std::uint8_t>{2, 5, 1});

  // [segments]
  std::vector<int> const rows{3, 1, 4, 1, 5, 9}, offsets{0, 4, 6};
  std::vector<int> sorted_rows(6);
  sam::segmented_radix_sort(context, rows, sam::by_offsets(offsets), sorted_rows);  // 1 1 3 4 | 5 9
  // [/segments]
  context.wait();
  expect("segments", sorted_rows, {1, 1, 3, 4, 5, 9});

  // [workspace]
  std::vector<std::uint32_t> keys(100'000, 7), spare(keys.size());
  sam::radix_sort(context, keys, keys, {.spare_keys = spare});  // takes `spare` instead of its own
  auto const bytes =
      sam::radix_sort_workspace<std::uint32_t>(context, 100'000, {.spare_keys = spare});
  // [/workspace]
  context.wait();
  std::printf("with spare memory this sort needs %lld bytes\n", static_cast<long long>(bytes));
  expect("spare memory", {keys.front(), keys.back()}, std::vector<std::uint32_t>{7, 7});
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  sort(context);
  sort_by(context);
  return mistakes;
}
