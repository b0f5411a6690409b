// SPDX-License-Identifier: MIT
// Times compaction and partition with user-defined predicates.
#include "predicates.hpp"

#include <sam/compact.hpp>
#include <sam/partition.hpp>

#include "cases.hpp"

namespace callables {

template <class Keep>
[[gnu::noinline]] index_t plain_compact(item const* in, index_t n, item* out, Keep keep) {
  item* to = out;
  for (index_t i = 0; i < n; ++i)
    if (keep(in[i]))
      *to++ = in[i];
  return to - out;
}
template <class Keep>
[[gnu::noinline]] index_t plain_partition(item const* in, index_t n, item* out, Keep keep) {
  item *first = out, *last = out;
  for (index_t i = 0; i < n; ++i)
    last += keep(in[i]) ? 1 : 0;
  index_t const kept = last - out;
  for (index_t i = 0; i < n; ++i) {
    if (keep(in[i]))
      *first++ = in[i];
    else
      *last++ = in[i];
  }
  return kept;
}

template <class Keep>
void measure(Keep keep) {
  static context own;
  counts count;
  auto const same = [&](index_t n, index_t written) {
    return count.ours == count.wanted &&
           same_items(output(), wanted(), written < 0 ? count.ours : n);
  };
  compare(
      "compact", Keep::label,
      [&](index_t n) {
        count.ours =
            sam::compact(own, random_items<item>(n), std::span(output(), std::size_t(n)), keep);
      },
      [&](index_t n) { count.wanted = plain_compact(input(n), n, wanted(), keep); },
      [&](index_t n) { return same(n, -1); });
  compare(
      "partition", Keep::label,
      [&](index_t n) {
        count.ours =
            sam::partition(own, random_items<item>(n), std::span(output(), std::size_t(n)), keep);
      },
      [&](index_t n) { count.wanted = plain_partition(input(n), n, wanted(), keep); },
      [&](index_t n) { return same(n, n); });
}

}  // namespace callables

int main(int argc, char** argv) {
  callables::only = argc > 1 ? argv[1] : nullptr;
  for_each(callables::predicates<callables::item>::all{},
           [](auto keep) { callables::measure(keep); });
}
