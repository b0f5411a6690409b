// SPDX-License-Identifier: MIT
// Times histograms with user-defined bins.
#include <sam/histogram.hpp>

#include "cases.hpp"
#include "keys.hpp"

namespace callables {

constexpr index_t number = bins<item>::count;

template <class Bins>
[[gnu::noinline]] void plain_histogram(item const* in, index_t n, index_t* counts, Bins bin) {
  std::fill_n(counts, number, 0);
  for (index_t i = 0; i < n; ++i)
    if (auto const b = static_cast<index_t>(bin(in[i])); b >= 0 && b < number)
      ++counts[b];
}

template <class Bins>
void measure(Bins bin) {
  static context own;
  static index_t ours[number], wanted[number];
  compare(
      "histogram", Bins::label,
      [&](index_t n) { sam::histogram(own, random_items<item>(n), std::span(ours), bin); },
      [&](index_t n) { plain_histogram(input(n), n, wanted, bin); },
      [&](index_t) { return same_items(ours, wanted, number); });
}

}  // namespace callables

int main(int argc, char** argv) {
  callables::only = argc > 1 ? argv[1] : nullptr;
  for_each(callables::bins<callables::item>::all{}, [](auto bin) { callables::measure(bin); });
}
