// SPDX-License-Identifier: MIT
// Minimum and maximum of floats, whose results must not depend on the vector width.
#include "../support/extremes.hpp"

#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/serial/backend.hpp>

#include "primitives.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace {

template <class T, class Policy>
std::string wrong_scan(sam::serial::context& context, std::vector<T> const& items,
                       Policy const& policy) {
  auto const wanted = sam::reference::inclusive_scan(items, policy);
  std::vector<T> out(items.size()), in_place(items);
  sam::inclusive_scan(context, items, out, policy);
  sam::inclusive_scan(context, in_place, in_place, policy);
  return test::unlike(out, wanted) + test::unlike(in_place, wanted);
}

template <class T, class Op>
std::string wrong_extremes_by(Op op, std::vector<T> const& items) {
  sam::serial::context context;
  std::string wrong = wrong_scan(context, items, sam::scan_policy<Op>{op}) +
                      wrong_scan(context, items, sam::backward(sam::scan_policy<Op, 1, 3>{op})) +
                      wrong_scan(context, items, sam::tuples_of(20, op));
  std::vector<T> out(items.size()), total(1);
  sam::reduce(context, items, total, op);
  wrong += test::unlike(
      total, sam::reference::reduce(items, sam::scan_policy<Op>{op}, sam::identity_of<T>(op)));
  std::vector<std::uint8_t> heads(items.size());
  for (std::size_t i = 0; i < heads.size(); i += 50)
    heads[i] = 1;
  sam::segmented_inclusive_scan(context, items, sam::by_heads(heads), out, op);
  return wrong + test::unlike(out, sam::reference::segmented_inclusive_scan(
                                       items, heads, sam::scan_policy<Op>{op}));
}

}  // namespace

std::string wrong_extremes() {
  auto const seed = std::random_device{}();
  for (sam::index_t const n : {1'000, 100'003})
    for (int kind = 0; kind < test::kinds_of_extremes; ++kind) {
      std::string const wrong =
          wrong_extremes_by(sam::maximum{}, test::extreme_items<float>(n, kind, seed)) +
          wrong_extremes_by(sam::minimum_number{}, test::extreme_items<double>(n, kind, seed));
      if (!wrong.empty())
        return "extremes of kind " + std::to_string(kind) + ", with seed " + std::to_string(seed) +
               ": " + wrong;
    }
  return "";
}
