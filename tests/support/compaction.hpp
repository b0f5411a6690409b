// SPDX-License-Identifier: MIT
// Items, predicates and output checks for tests of compaction, partition and unique.
#pragma once

#include <sam/detail/compact_job.hpp>

#include "support.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace test {

/// A predicate on items of any type: keeps those whose first byte is below a limit. The limit is
/// run-time state. Items differ in other bytes, so that mixed-up items are detected.
template <class T>
struct first_byte_below {
  unsigned limit;
  SAM_FUNCTION bool operator()(T const& x) const {
    return *reinterpret_cast<unsigned char const*>(&x) < limit;
  }
};

/// Compares only the first bytes, so that a test sees which of two equal items is kept.
template <class T>
struct same_first_byte {
  SAM_FUNCTION bool operator()(T const& a, T const& b) const {
    return *reinterpret_cast<unsigned char const*>(&a) ==
           *reinterpret_cast<unsigned char const*>(&b);
  }
};

struct three_bytes {
  unsigned char at[3];
};
struct sixteen_bytes {
  std::uint64_t at[2];
};
struct twenty_four_bytes {
  std::uint64_t at[3];
};

/// The share of items that is kept, and whether kept items come in runs.
enum class share { none, tenth, half, all, runs };
constexpr share shares[] = {share::none, share::tenth, share::half, share::all, share::runs};
constexpr unsigned limit = 128;

/// Returns items of random bytes. The first byte decides whether an item is kept; a quarter of the
/// items repeat that of their predecessor.
template <class T>
std::vector<T> random_bytes(index_t n, share kept, std::uint64_t seed) {
  generator bits(seed);
  std::vector<T> items(static_cast<std::size_t>(n));
  unsigned char last = 0;
  bool run = false;
  for (T& item : items) {
    unsigned char bytes[sizeof(T)];
    for (auto& byte : bytes)
      byte = static_cast<unsigned char>(bits() >> 11);
    if (bits() % 300 == 0)
      run = !run;
    bool const keep = kept == share::all || (kept == share::half && bits() % 2 == 0) ||
                      (kept == share::tenth && bits() % 10 == 0) || (kept == share::runs && run);
    unsigned char const first = static_cast<unsigned char>(bits() % limit + (keep ? 0 : limit));
    bytes[0] = bits() % 4 == 0 && (last < limit) == keep ? last : first;
    last = bytes[0];
    std::memcpy(&item, bytes, sizeof(T));
  }
  return items;
}

/// Returns the expected output: the kept items, then the previous contents of the array.
template <class T>
std::vector<T> written_over(std::vector<T> const& before, std::vector<T> const& kept) {
  std::vector<T> all = before;
  std::copy_n(kept.begin(), std::min(kept.size(), all.size()), all.begin());
  return all;
}

/// Checks that the call writes `kept` to the front of an array of `buffer` items that starts
/// `shift` items off a cache line, writes nothing else, and counts the kept items.
template <class Count, class T, class Call>
void check_apart(std::vector<T> const& kept, index_t buffer, index_t shift, Call call) {
  CAPTURE(buffer, shift, sizeof(Count));
  fenced_array<T> out(buffer, shift);
  fenced_array<Count> count(1, shift);
  auto const before = out.to_host();
  call(out, count);
  REQUIRE(differences(out.to_host(), written_over(before, kept)) == "");
  REQUIRE(count.to_host()[0] == static_cast<Count>(kept.size()));
  REQUIRE((out.fences_intact() && count.fences_intact()));
}

/// Checks a call whose output is its input.
template <class Context, class T, class Call>
void check_in_place(std::vector<T> const& items, std::vector<T> const& kept, index_t shift,
                    Call call) {
  if constexpr (sam::engine::loads_items_once<Context, sam::detail::marked<T>>) {
    auto array = on_backend(items, shift);
    fenced_array<index_t> count(1);
    call(array, array, count);
    REQUIRE(differences(array.to_host(), written_over(items, kept)) == "");
    REQUIRE(count.to_host()[0] == static_cast<index_t>(kept.size()));
    REQUIRE((array.fences_intact() && count.fences_intact()));
  }
}

struct keeps_all {
  template <class T>
  SAM_FUNCTION bool operator()(T const&) const {
    return true;
  }
};
/// Returns sizes around those at which the host engine changes how it selects values of T.
template <class T>
std::set<index_t> sizes_when_packed() {
  using job = sam::detail::compact_job<index_t, sam::detail::kept_by_predicate<T, keeps_all>,
                                       sam::detail::to_front<T, index_t>>;
  index_t const tile = sam::host::selecting_tiles<job>(0).size;
  std::set<index_t> sizes{0, 1, 2, 100, 9 * tile + 5};
  for (index_t const edge : {index_t{sam::host::packed_block}, tile})
    for (index_t const n : {edge - 1, edge, edge + 1})
      sizes.insert(n);
  backend_bytes::add_edges<std::uint32_t>(sam::detail::pass_over_flags<std::uint32_t>, sizes);
  return sizes;
}

/// Returns sizes around those at which the host engine changes how it scans sums under a resolved
/// policy, if it also holds an item of `held` bytes beside each.
template <class Sum, class Pass>
std::set<index_t> sizes_when_held(Pass const& pass, int held) {
  std::set<index_t> sizes{0, 1, 2, 100};
  sam::host::with_kernel<Sum>(pass, [&](auto const& kernel) {
    auto const config = sam::host::tile_config::of<Sum>(0, kernel, held);
    for (index_t const edge : {kernel.granule(), config.piece, config.tiles.size})
      for (index_t const n : {edge - 1, edge, edge + 1})
        sizes.insert(n);
    sizes.insert(9 * config.tiles.size + config.piece + 5);
  });
  backend_bytes::add_edges<Sum>(pass, sizes);
  return sizes;
}

}  // namespace test
