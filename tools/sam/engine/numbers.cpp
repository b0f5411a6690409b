// SPDX-License-Identifier: MIT
// Compiles differences of neighbours, inner products, and histograms of weights and of channels.
#include "engine/words_on.hpp"

// This file is included once for each context of a group.
#ifndef SAM_TOOL_NUMBERS
#define SAM_TOOL_NUMBERS
#include <sam/adjacent_difference.hpp>
#include <sam/histogram.hpp>
#include <sam/inner_product.hpp>
#include <sam/segmented_inner_product.hpp>
#include <sam/weighted_histogram.hpp>

#include "engine/operators.hpp"

namespace sam::tool {

/// Combines two neighbours, which are words, as numbers of a type that is known when running.
struct operator_of_words {
  neighbour_operator op;
  item_type type;

  template <class T>
  SAM_FUNCTION static constexpr T combined(neighbour_operator op, T x, T other) {
    switch (op) {
    case neighbour_operator::plus:
      return plus{}(x, other);
    case neighbour_operator::multiplies:
      return multiplies{}(x, other);
    case neighbour_operator::min:
      return minimum{}(x, other);
    case neighbour_operator::max:
      return maximum{}(x, other);
    default:
      break;
    }
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      if (op == neighbour_operator::bit_and)
        return x & other;
      if (op == neighbour_operator::bit_or)
        return x | other;
      if (op == neighbour_operator::bit_xor)
        return x ^ other;
      return static_cast<T>(static_cast<U>(x) - static_cast<U>(other));
    } else {
      return x - other;
    }
  }
  template <class T>
  SAM_FUNCTION constexpr std::uint64_t of(std::uint64_t x, std::uint64_t other) const {
    return __builtin_bit_cast(std::uint64_t,
                              combined(op, __builtin_bit_cast(T, x), __builtin_bit_cast(T, other)));
  }
  SAM_FUNCTION constexpr std::uint64_t operator()(std::uint64_t x, std::uint64_t other) const {
    return type == item_type::float64 ? of<double>(x, other)
           : type == item_type::int64 ? of<std::int64_t>(x, other)
                                      : of<std::uint64_t>(x, other);
  }
};

template <class Context>
class numbers_on final : public number_calls {
  using words = words_on<Context>;
  template <class T>
  using array_on = typename memory_of<Context>::template arrays<T>;

 public:
  explicit numbers_on(Context& context) : context_(context) {}

  void combine_neighbours(word_span items, item_type type, neighbour_operator op,
                          bool with_next) override {
    words const all(context_, items);
    operator_of_words const combine{op, type};
    if (with_next)
      adjacent_difference_right(context_, all.out(), all.out(), combine);
    else
      adjacent_difference(context_, all.out(), all.out(), combine);
    all.bring_back();
  }
  std::uint64_t inner_product(word_span a, word_span b) override { return product_of(a, b); }
  double inner_product(std::span<double> a, std::span<double> b) override {
    return product_of(a, b);
  }
  void inner_products(word_span a, word_span b, index_span offsets, word_span sums) override {
    products_of(a, b, offsets, sums);
  }
  void inner_products(std::span<double> a, std::span<double> b, index_span offsets,
                      std::span<double> sums) override {
    products_of(a, b, offsets, sums);
  }
  void weigh(word_span keys, word_span boundaries, word_span weights, word_span sums) override {
    weigh_as(keys, boundaries, weights, sums);
  }
  void weigh(word_span keys, word_span boundaries, std::span<double> weights,
             std::span<double> sums) override {
    weigh_as(keys, boundaries, weights, sums);
  }
  void count_channels(word_span keys, int channels, word_span boundaries,
                      index_span counts) override {
    words const from(context_, keys), limits(context_, boundaries);
    indices_on<Context> const to(context_, counts);
    auto const bins = bins_between(limits.in());
    if (channels == 2)
      histogram_of_channels<2>(context_, from.in(), to.out(), bins);
    else if (channels == 3)
      histogram_of_channels<3>(context_, from.in(), to.out(), bins);
    else
      histogram_of_channels<4>(context_, from.in(), to.out(), bins);
    to.bring_back();
  }

 private:
  template <class T>
  T product_of(std::span<T> a, std::span<T> b) {
    array_on<T> const first(context_, a), second(context_, b);
    return sam::inner_product(context_, first.in(), second.in());
  }
  template <class T>
  void products_of(std::span<T> a, std::span<T> b, index_span offsets, std::span<T> sums) {
    array_on<T> const first(context_, a), second(context_, b), to(context_, sums);
    indices_on<Context> const by(context_, offsets);
    segmented_inner_product(context_, first.in(), second.in(), by_offsets(by.in()), to.out());
    to.bring_back();
  }
  template <class T>
  void weigh_as(word_span keys, word_span boundaries, std::span<T> weights, std::span<T> sums) {
    words const from(context_, keys), limits(context_, boundaries);
    array_on<T> const by(context_, weights), to(context_, sums);
    weighted_histogram(context_, from.in(), by.in(), to.out(), bins_between(limits.in()));
    to.bring_back();
  }

  Context& context_;
};

template <class Context>
std::unique_ptr<number_calls> make_numbers(Context& context) {
  return std::make_unique<numbers_on<Context>>(context);
}

}  // namespace sam::tool
#endif

namespace sam::tool {

template std::unique_ptr<number_calls> make_numbers(SAM_CONTEXT&);

}  // namespace sam::tool
