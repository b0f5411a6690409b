// SPDX-License-Identifier: MIT
// Item types and operators as users write them. Some do not commute, have no identity, or have
// state. Items have 8, 12, 16 and 24 bytes, and one type has no default constructor.
#pragma once

#include <sam/operators.hpp>

#include <cstdint>

namespace test {

using sam::index_t;

/// A generator of random bits. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014.
struct generator {
  std::uint64_t state;
  std::uint64_t operator()() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

/// The map x -> a x + b modulo 2^32.
struct affine {
  std::uint32_t a, b;
  friend constexpr bool operator==(affine const&, affine const&) = default;
  static affine random(generator& bits) {
    return {static_cast<std::uint32_t>(bits()) | 1, static_cast<std::uint32_t>(bits())};
  }
};

/// Composes two maps: the left one is applied first.
struct compose {
  SAM_FUNCTION constexpr affine operator()(affine left, affine right) const {
    return {right.a * left.a, right.a * left.b + right.b};
  }
  SAM_FUNCTION constexpr affine identity() const { return {1, 0}; }
};

/// An upper triangular 3 x 3 matrix with ones on the diagonal; 12 or 24 bytes.
template <class U>
struct heisenberg {
  U a, b, c;
  friend constexpr bool operator==(heisenberg const&, heisenberg const&) = default;
  static heisenberg random(generator& bits) {
    return {static_cast<U>(bits()), static_cast<U>(bits()), static_cast<U>(bits())};
  }
};

/// The product of such matrices. It does not commute, and its identity is not declared.
struct heisenberg_product {
  template <class U>
  SAM_FUNCTION constexpr heisenberg<U> operator()(heisenberg<U> l, heisenberg<U> r) const {
    return {l.a + r.a, l.b + r.b, l.c + r.c + l.a * r.b};
  }
};

/// A 2 x 2 matrix modulo 2^32; 16 bytes. Random matrices are invertible, because other products
/// would soon vanish.
struct matrix {
  std::uint32_t at[2][2];
  friend constexpr bool operator==(matrix const&, matrix const&) = default;
  static matrix random(generator& bits) {
    auto const x = static_cast<std::uint32_t>(bits());
    return bits() % 2 == 0 ? matrix{{{1, x}, {0, 1}}} : matrix{{{1, 0}, {x, 1}}};
  }
};
struct matrix_product {
  SAM_FUNCTION constexpr matrix operator()(matrix const& l, matrix const& r) const {
    matrix product{};
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k)
        product.at[i][k] = l.at[i][0] * r.at[0][k] + l.at[i][1] * r.at[1][k];
    return product;
  }
};

/// The first and last number of a sequence, and how often it falls; 12 bytes, and no default
/// constructor.
struct falls {
  SAM_FUNCTION constexpr falls(std::int32_t first_, std::int32_t last_, std::uint32_t count_)
      : first(first_), last(last_), count(count_) {}
  std::int32_t first, last;
  std::uint32_t count;
  friend constexpr bool operator==(falls const&, falls const&) = default;
  static falls random(generator& bits) {
    auto const x = static_cast<std::int32_t>(bits() % 1000);
    return {x, x, 0};
  }
};
struct join_runs {
  SAM_FUNCTION constexpr falls operator()(falls l, falls r) const {
    return {l.first, r.last, l.count + r.count + (r.first < l.last)};
  }
};

/// Items [begin, end). Joining two that are not adjacent sets `torn`. So a wrong, lost or repeated
/// aggregate of a tile shows in every later item.
struct stretch {
  std::uint32_t begin, end, torn;
};
struct join {
  SAM_FUNCTION constexpr stretch operator()(stretch l, stretch r) const {
    return {l.begin, r.end, l.torn | r.torn | (l.end != r.begin)};
  }
};

/// A pair of sums, with the algebra by which a scan of any order needs only one carry.
struct pair_of_sums {
  std::uint32_t x, y;
  friend constexpr bool operator==(pair_of_sums const&, pair_of_sums const&) = default;
  static pair_of_sums random(generator& bits) {
    return {static_cast<std::uint32_t>(bits()), static_cast<std::uint32_t>(bits())};
  }
};
struct add_pairs {
  static constexpr bool commutative = true;
  template <class T>
  using coefficient = std::uint32_t;

  SAM_FUNCTION constexpr pair_of_sums operator()(pair_of_sums l, pair_of_sums r) const {
    return {l.x + r.x, l.y + r.y};
  }
  SAM_FUNCTION constexpr pair_of_sums identity() const { return {0, 0}; }
  SAM_FUNCTION static constexpr pair_of_sums scale(pair_of_sums p, std::uint32_t times) {
    return {p.x * times, p.y * times};
  }
};

/// Returns the left item: associative, without any identity.
struct leftmost {
  template <class T>
  SAM_FUNCTION constexpr T operator()(T left, T) const {
    return left;
  }
};

/// Returns the right item. It is declared idempotent. An exclusive scan yields every predecessor.
struct rightmost {
  static constexpr bool idempotent = true;
  template <class T>
  SAM_FUNCTION constexpr T operator()(T, T right) const {
    return right;
  }
};

/// A sum that saturates at the largest value. It declares no properties.
struct saturating_plus {
  template <class T>
  SAM_FUNCTION constexpr T operator()(T l, T r) const {
    return r > sam::engine::highest_of<T> - l ? sam::engine::highest_of<T> : static_cast<T>(l + r);
  }
};

/// A sum modulo a number that is known at run time.
struct plus_modulo {
  std::uint32_t modulus = 1000003;
  SAM_FUNCTION constexpr std::uint32_t operator()(std::uint32_t l, std::uint32_t r) const {
    return (l + r) % modulus;
  }
  SAM_FUNCTION constexpr std::uint32_t identity() const { return 0; }
};

static_assert(sizeof(affine) == 8 && sizeof(heisenberg<std::uint32_t>) == 12);
static_assert(sizeof(matrix) == 16 && sizeof(heisenberg<std::uint64_t>) == 24);
static_assert(!std::is_default_constructible_v<falls> && sam::scan_operator<join_runs, falls>);
static_assert(sam::has_identity<compose, affine> && !sam::module_operator<compose, affine>);
static_assert(!sam::has_identity<matrix_product, matrix>);
static_assert(sam::module_operator<add_pairs, pair_of_sums>);
static_assert(!sam::lanewise_operator<add_pairs, pair_of_sums>);

}  // namespace test
