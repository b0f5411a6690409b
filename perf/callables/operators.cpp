// SPDX-License-Identifier: MIT
// Times scans and reductions, also of segments, with user-defined operators.
#include "operators.hpp"

#include <sam/reduce.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "cases.hpp"

namespace callables {

struct as_heads {};
std::uint8_t const* heads(index_t n) {  // segments of 50 items on average
  static bool const filled = [] {
    std::mt19937_64 bits(7);
    auto const& all = shared_array<item, as_heads>();
    auto* const flags = reinterpret_cast<std::uint8_t*>(all.data());
    for (index_t i = 0; i < all.size(); ++i)
      flags[i] = bits() % 50 == 0 || i == 0;
    return true;
  }();
  static_cast<void>(filled);
  static_cast<void>(n);
  return reinterpret_cast<std::uint8_t*>(shared_array<item, as_heads>().data());
}

template <class Op>
[[gnu::noinline]] void plain_scan(item const* in, index_t n, item* out, Op op) {
  item sum = in[0];
  out[0] = sum;
  for (index_t i = 1; i < n; ++i)
    out[i] = sum = op(sum, in[i]);
}
template <class Op>
[[gnu::noinline]] item plain_reduce(item const* in, index_t n, Op op) {
  item sum = in[0];
  for (index_t i = 1; i < n; ++i)
    sum = op(sum, in[i]);
  return sum;
}
template <class Op>
[[gnu::noinline]] void plain_segmented_scan(item const* in, std::uint8_t const* head, index_t n,
                                            item* out, Op op) {
  item sum = in[0];
  out[0] = sum;
  for (index_t i = 1; i < n; ++i)
    out[i] = sum = head[i] != 0 ? in[i] : op(sum, in[i]);
}
template <class Op>
[[gnu::noinline]] index_t plain_segmented_reduce(item const* in, std::uint8_t const* head,
                                                 index_t n, item* out, Op op) {
  item* to = out;
  item sum = in[0];
  for (index_t i = 1; i < n; ++i) {
    if (head[i] != 0) {
      *to++ = sum;
      sum = in[i];
    } else {
      sum = op(sum, in[i]);
    }
  }
  *to++ = sum;
  return to - out;
}

template <class Op>
void measure(Op op) {
  static context own;
  counts count;
  auto const out = [](index_t n) { return std::span(output(), std::size_t(n)); };
  auto const flags = [](index_t n) { return std::span(heads(n), std::size_t(n)); };
  auto const same = [](index_t n) { return same_sums(output(), wanted(), n); };
  compare(
      "inclusive_scan", Op::label,
      [&](index_t n) { sam::inclusive_scan(own, random_items<item>(n), out(n), op); },
      [&](index_t n) { plain_scan(input(n), n, wanted(), op); }, same);
  compare(
      "reduce", Op::label, [&](index_t n) { sam::reduce(own, random_items<item>(n), out(1), op); },
      [&](index_t n) { *wanted() = plain_reduce(input(n), n, op); },
      [&](index_t) { return same(1); });
  compare(
      "segmented_scan", Op::label,
      [&](index_t n) {
        sam::segmented_inclusive_scan(own, random_items<item>(n), sam::by_heads(flags(n)), out(n),
                                      op);
      },
      [&](index_t n) { plain_segmented_scan(input(n), heads(n), n, wanted(), op); }, same);
  compare(
      "segmented_reduce", Op::label,
      [&](index_t n) {
        std::span const one(&count.ours, 1);
        sam::segmented_reduce(own, random_items<item>(n), sam::by_heads(flags(n)), out(n), one, op);
      },
      [&](index_t n) {
        count.wanted = plain_segmented_reduce(input(n), heads(n), n, wanted(), op);
      },
      [&](index_t) { return count.ours == count.wanted && same(count.ours); });
}

}  // namespace callables

int main(int argc, char** argv) {
  callables::only = argc > 1 ? argv[1] : nullptr;
  for_each(callables::operators<callables::item>::all{}, [](auto op) { callables::measure(op); });
}
