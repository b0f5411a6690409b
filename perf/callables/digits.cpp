// SPDX-License-Identifier: MIT
// Times sorts by user-defined digits. The plain loop is a stable sort of the standard library.
#include <sam/radix_sort.hpp>

#include "cases.hpp"
#include "keys.hpp"

namespace callables {

template <class Digits>
void measure(Digits digits) {
  static context own;
  compare(
      "radix_sort", Digits::label,
      [&](index_t n) {
        sam::radix_sort(own, random_items<item>(n), std::span(output(), std::size_t(n)), digits);
      },
      [&](index_t n) {
        index_t const few = n > in_cache ? 0 : n;  // more would take seconds
        std::copy_n(input(n), few, wanted());
        std::stable_sort(wanted(), wanted() + few,
                         [&](item a, item b) { return digits(a) < digits(b); });
      },
      [&](index_t n) { return n > in_cache || same_items(output(), wanted(), n); });
}

}  // namespace callables

int main(int argc, char** argv) {
  callables::only = argc > 1 ? argv[1] : nullptr;
  for_each(callables::digits<callables::item>::all{},
           [](auto digits) { callables::measure(digits); });
}
