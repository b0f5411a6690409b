// SPDX-License-Identifier: MIT
// One scan over several arrays, and calls that take their number of items from memory.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

namespace {

struct is_odd {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 != 0; }
};

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  using ints = std::vector<int>;

  ints const first{3, 1, 4}, second{1, 5, 9, 2};
  ints first_out(3), second_out(4);
  // [states]
  sam::scan_state<int> at;  // no items before
  sam::inclusive_scan(context, first, first_out, sam::plus{}, at, at);
  sam::inclusive_scan(context, second, second_out, sam::plus{}, at, at);  // goes on from there
  int const total = at.value();
  // [/states]
  context.wait();
  bool as_expected = first_out == ints{3, 4, 8} && second_out == ints{9, 14, 23, 25} && total == 25;

  using floats = std::vector<float>;
  floats const left{1e8f, 1}, right{1, 1, -1e8f}, all{1e8f, 1, 1, 1, -1e8f};
  floats left_out(2), right_out(3), all_out(5);
  // [streams]
  sam::stream_state<float> behind, of_all;
  sam::inclusive_scan(context, left, left_out, sam::plus{}, behind, behind);
  sam::inclusive_scan(context, right, right_out, sam::plus{}, behind, behind);
  // left_out and right_out have the bits of this call for all items.
  sam::inclusive_scan(context, all, all_out, sam::plus{}, of_all, of_all);
  // [/streams]
  context.wait();
  left_out.insert(left_out.end(), right_out.begin(), right_out.end());
  as_expected = as_expected && left_out == all_out;

  ints const in{3, 1, 4, 1, 5, 9, 2};
  ints kept(7), sorted(7), values(7), lengths(7), count(1), runs(1);
  // [counted]
  sam::compact(context, in, kept, is_odd{}, count);
  sam::radix_sort(context, sam::counted(kept, count), sorted);  // of count[0] items
  sam::run_length_encode(context, sam::counted(sorted, count), values, lengths, runs);
  // [/counted]
  context.wait();
  as_expected = as_expected && count == ints{5} && sorted == ints{1, 1, 3, 5, 9, 0, 0} &&
                runs == ints{4} && values == ints{1, 3, 5, 9, 0, 0, 0} &&
                lengths == ints{2, 1, 1, 1, 0, 0, 0};
  return as_expected ? 0 : 1;
}
