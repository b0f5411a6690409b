// SPDX-License-Identifier: MIT
// Times primitives on runs of equal keys, with user-defined equalities.
#include "keys.hpp"

#include <sam/run_length.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/unique.hpp>

#include "cases.hpp"

namespace callables {

struct as_keys {};
/// Returns keys in runs of 4 on average.
std::span<item const> keys(index_t n) {
  static bool const filled = [] {
    std::mt19937_64 bits(99);
    item last{};
    auto const& all = shared_array<item, as_keys>();
    for (item& x : all.first(all.size()))
      x = last =
          bits() % 4 == 0 ? random_item<item>(bits) * (std::is_integral_v<item> ? 1 : 64) : last;
    return true;
  }();
  static_cast<void>(filled);
  return shared_array<item, as_keys>().first(n);
}
struct as_values {};
std::span<std::int32_t const> ones(index_t n) {
  static bool const filled = [] {
    auto const& all = shared_array<std::int32_t, as_values>();
    std::fill_n(all.data(), all.size(), 1);
    return true;
  }();
  static_cast<void>(filled);
  return shared_array<std::int32_t, as_values>().first(n);
}

template <class Equal>
[[gnu::noinline]] index_t plain_unique(item const* in, index_t n, item* out, Equal equal) {
  item* to = out;
  for (index_t i = 0; i < n; ++i)
    if (i == 0 || !equal(in[i - 1], in[i]))
      *to++ = in[i];
  return to - out;
}
template <class Equal>
[[gnu::noinline]] void plain_scan(std::int32_t const* in, item const* key, index_t n,
                                  std::int32_t* out, Equal equal) {
  std::int32_t sum = in[0];
  out[0] = sum;
  for (index_t i = 1; i < n; ++i)
    out[i] = sum = equal(key[i - 1], key[i]) ? sum + in[i] : in[i];
}
template <class Equal>
[[gnu::noinline]] index_t plain_reduce(std::int32_t const* in, item const* key, index_t n,
                                       item* keys_out, std::int32_t* out, Equal equal) {
  index_t to = 0;
  keys_out[0] = key[0];
  std::int32_t sum = in[0];
  for (index_t i = 1; i < n; ++i) {
    if (equal(key[i - 1], key[i])) {
      sum += in[i];
    } else {
      out[to++] = sum;
      keys_out[to] = key[i];
      sum = in[i];
    }
  }
  out[to++] = sum;
  return to;
}

template <class Equal>
void measure(Equal equal) {
  static context own;
  counts count;
  std::span const one(&count.ours, 1);
  auto const out = [](index_t n) { return std::span(output(), std::size_t(n)); };
  auto const sums = [](index_t n) { return std::span(output<std::int32_t>(), std::size_t(n)); };
  auto const same = [&](index_t) {
    return count.ours == count.wanted && same_items(output(), wanted(), count.ours);
  };
  compare(
      "unique", Equal::label,
      [&](index_t n) { count.ours = sam::unique(own, keys(n), out(n), equal); },
      [&](index_t n) { count.wanted = plain_unique(keys(n).data(), n, wanted(), equal); }, same);
  compare(
      "scan_by_key", Equal::label,
      [&](index_t n) {
        sam::segmented_inclusive_scan(own, ones(n), sam::by_keys(keys(n), equal), sums(n));
      },
      [&](index_t n) {
        plain_scan(ones(n).data(), keys(n).data(), n, wanted<std::int32_t>(), equal);
      },
      [&](index_t n) { return same_items(output<std::int32_t>(), wanted<std::int32_t>(), n); });
  if constexpr (!std::is_same_v<item, std::int32_t>) {
    compare(
        "reduce_by_key", Equal::label,
        [&](index_t n) {
          sam::reduce_by_key(own, keys(n), ones(n), out(n), sums(n), one, sam::plus{}, equal);
        },
        [&](index_t n) {
          count.wanted = plain_reduce(ones(n).data(), keys(n).data(), n, wanted(),
                                      wanted<std::int32_t>(), equal);
        },
        same);
    compare(
        "run_length", Equal::label,
        [&](index_t n) { sam::run_length_encode(own, keys(n), out(n), sums(n), one, equal); },
        [&](index_t n) {
          count.wanted = plain_reduce(ones(n).data(), keys(n).data(), n, wanted(),
                                      wanted<std::int32_t>(), equal);
        },
        same);
  }
}

}  // namespace callables

int main(int argc, char** argv) {
  callables::only = argc > 1 ? argv[1] : nullptr;
  for_each(callables::equalities<callables::item>::all{},
           [](auto equal) { callables::measure(equal); });
}
