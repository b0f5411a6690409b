// SPDX-License-Identifier: MIT
// Selections and partitions: by a predicate, by flags, of indices, into two and three parts; unique
// items and run lengths.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// [is_odd]
struct is_odd {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 != 0; }
};
// [/is_odd]
struct is_small {
  SAM_FUNCTION bool operator()(int x) const { return x < 3; }
};

int mistakes = 0;
template <class T>
void expect(char const* what, std::vector<T> const& is, std::vector<T> const& wanted) {
  if (is == wanted)
    return;
  std::printf("%s: wrong result\n", what);
  ++mistakes;
}

void select(sam::default_context& context) {
  // [compact]
  std::vector<int> const in{3, 1, 4, 1, 5, 9};
  std::vector<int> out(in.size());
  sam::index_t const kept = sam::compact(context, in, out, is_odd{});  // waits, and returns 5
  out.resize(static_cast<std::size_t>(kept));                          // 3 1 1 5 9
  // [/compact]
  expect("compact", out, {3, 1, 1, 5, 9});

  // [count]
  std::vector<int> count(1);
  out.resize(in.size());
  sam::compact(context, in, out, is_odd{}, count);  // returns once the work is queued
  context.wait();                                   // now count[0] is 5
  // [/count]
  expect("count", count, {5});

  // [flags]
  std::vector<std::uint8_t> const flags{0, 1, 1, 0, 0, 1};
  std::vector<std::uint32_t> const bits{0b100110};  // the same flags, the first in the lowest bit
  std::vector<int> of_bits(in.size()), indices(in.size());
  sam::compact_flagged(context, in, flags, out);                            // 1 4 9
  sam::compact_flagged(context, in, sam::packed_bits(bits, 6), of_bits);    // 1 4 9
  auto const found = sam::compact_indices(context, in, indices, is_odd{});  // 0 1 3 4 5
  // [/flags]
  out.resize(3), of_bits.resize(3), indices.resize(static_cast<std::size_t>(found));
  expect("flags", out, {1, 4, 9});
  expect("bits", of_bits, out);
  expect("indices", indices, {0, 1, 3, 4, 5});

  // [partition]
  std::vector<int> parts(in.size()), three_parts(in.size());
  auto const odd = sam::partition(context, in, parts, is_odd{});  // 3 1 1 5 9 | 4
  auto const [small, other_odd] =
      sam::three_way_partition(context, in, three_parts, is_small{}, is_odd{});  // 1 1 | 3 5 9 | 4
  // [/partition]
  expect("partition", parts, {3, 1, 1, 5, 9, 4});
  expect("three_way_partition", three_parts, {1, 1, 3, 5, 9, 4});
  expect("sizes", {odd, small, other_odd}, std::vector<sam::index_t>{5, 2, 3});
}

void runs(sam::default_context& context) {
  // [runs]
  std::vector<int> const in{2, 2, 0, 0, 0, 7};
  std::vector<int> values(in.size()), lengths(in.size()), decoded(in.size());
  auto const n = sam::run_length_encode(context, in, values, lengths);  // 2 0 7 and 2 3 1
  values.resize(static_cast<std::size_t>(n));
  lengths.resize(static_cast<std::size_t>(n));
  auto const items = sam::run_length_decode(context, values, lengths, decoded);
  // [/runs]
  expect("values", values, {2, 0, 7});
  expect("lengths", lengths, {2, 3, 1});
  expect("decoded", decoded, in);
  expect("their number", {items}, std::vector<sam::index_t>{6});

  // [unique]
  std::vector<int> keys = in;
  auto const different = sam::unique(context, keys, keys);  // in place: 2 0 7
  // [/unique]
  keys.resize(static_cast<std::size_t>(different));
  expect("unique", keys, values);
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;
  select(context);
  runs(context);
  return mistakes;
}
