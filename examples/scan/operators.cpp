// SPDX-License-Identifier: MIT
// Operators of one's own: a function object, a lambda, and what an operator may say about itself.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// [affine]
// The map x -> a x + b.
struct affine {
  std::uint32_t a, b;
};
// Applies the left map, then the right one. This is associative, but it does not commute.
struct compose {
  SAM_FUNCTION affine operator()(affine left, affine right) const {
    return {left.a * right.a, right.a * left.b + right.b};
  }
};
// [/affine]

// [identity]
// The union of two sets of up to 64 elements.
struct set_union {
  template <class T>
  SAM_FUNCTION constexpr T operator()(T a, T b) const {
    return a | b;
  }
  template <class T>
  SAM_FUNCTION static constexpr T identity() {
    return 0;
  }
  static constexpr bool commutative = true;
  static constexpr bool idempotent = true;
  static constexpr bool lanewise = true;  // a | b also compiles for vectors of T
};
// [/identity]

// [argmin]
struct candidate {
  float value;
  std::int32_t index;
};
// Keeps the smaller value and, of equal ones, the earlier index.
struct smaller {
  SAM_FUNCTION candidate operator()(candidate left, candidate right) const {
    return right.value < left.value ? right : left;
  }
};
// [/argmin]

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  // [compose]
  std::vector<affine> const maps{{2, 1}, {3, 0}, {1, 5}};
  std::vector<affine> composed(3);
  sam::inclusive_scan(context, maps, composed, compose{});
  // composed[2] is x -> 6 x + 8
  // [/compose]

  // [lambda]
  std::vector<int> const in{3, 1, 4, 1, 5};
  std::vector<int> capped(5);
  int const cap = 7;
  sam::inclusive_scan(context, in, capped, [=](int a, int b) { return a + b < cap ? a + b : cap; });
  // [/lambda]

  // [use_identity]
  std::vector<std::uint64_t> const sets{1, 2, 4}, seen_before_wanted{0, 1, 3};
  std::vector<std::uint64_t> seen_before(3);
  sam::exclusive_scan(context, sets, seen_before, set_union{});  // 0 1 3
  // [/use_identity]

  // [use_argmin]
  std::vector<candidate> const readings{{2.5f, 0}, {0.5f, 1}, {0.5f, 2}};
  candidate const least = sam::reduce(context, readings, smaller{});  // 0.5 at index 1
  // [/use_argmin]
  context.wait();

  bool const right = composed[2].a == 6 && composed[2].b == 8 &&
                     capped == std::vector{3, 4, 7, 7, 7} && seen_before == seen_before_wanted &&
                     least.index == 1;
  return right ? 0 : 1;
}
