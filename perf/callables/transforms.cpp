// SPDX-License-Identifier: MIT
// Times scans and reductions with user-defined transforms.
#include <sam/reduce.hpp>
#include <sam/scan.hpp>

#include "cases.hpp"
#include "operators.hpp"

namespace callables {

template <class T, class Transform>
[[gnu::noinline]] void plain_scan(item const* in, index_t n, T* out, Transform transform) {
  T sum{};
  for (index_t i = 0; i < n; ++i)
    out[i] = sum = sam::plus{}(sum, static_cast<T>(transform(in[i])));
}
template <class T, class Transform>
[[gnu::noinline]] T plain_reduce(item const* in, index_t n, Transform transform) {
  T sum{};
  for (index_t i = 0; i < n; ++i)
    sum = sam::plus{}(sum, static_cast<T>(transform(in[i])));
  return sum;
}

template <class Transform>
void measure(Transform transform) {
  using made = decltype(transform(item{}));
  using T = std::conditional_t<std::is_same_v<made, bool>, int, made>;
  static context own;
  auto const out = [](index_t n) { return std::span(output<T>(), std::size_t(n)); };
  auto const same = [](index_t n) { return same_sums(output<T>(), wanted<T>(), n); };
  compare(
      "transform_scan", Transform::label,
      [&](index_t n) {
        sam::transform_inclusive_scan(own, random_items<item>(n), out(n), transform);
      },
      [&](index_t n) { plain_scan(input(n), n, wanted<T>(), transform); }, same);
  compare(
      "transform_reduce", Transform::label,
      [&](index_t n) { sam::transform_reduce(own, random_items<item>(n), out(1), transform); },
      [&](index_t n) { *wanted<T>() = plain_reduce<T>(input(n), n, transform); },
      [&](index_t) { return same(1); });
}

}  // namespace callables

int main(int argc, char** argv) {
  callables::only = argc > 1 ? argv[1] : nullptr;
  for_each(callables::transforms<callables::item>::all{},
           [](auto transform) { callables::measure(transform); });
}
