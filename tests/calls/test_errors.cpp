// SPDX-License-Identifier: MIT
// Tests every error: its type, the argument that it names, its text, and the caller's line. Nothing
// may be written.
#include <sam/compact.hpp>
#include <sam/delta.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/unique.hpp>

#include "support.hpp"

#include <source_location>

namespace {

using sam::index_t;

struct arrays {
  sam::default_context context;
  test::fenced_array<int> in = test::on_backend(std::vector<int>(100, 1));
  test::fenced_array<int> out{100};
};

/// Returns the line above the caller's.
unsigned line_above(std::source_location at = std::source_location::current()) {
  return at.line() - 1;
}

/// Checks that `call`, which is in `line`, throws "<function>: <argument> <problem>
/// [<file>:<line>]".
template <class Call>
void check(unsigned line, Call call, std::string const& function, std::string const& argument,
           std::string const& problem) {
  try {
    call();
  } catch (sam::invalid_argument const& error) {
    CAPTURE(function);
    REQUIRE(error.argument() == argument);
    REQUIRE(std::string(error.what()) == function + ": " + argument + " " + problem + " [" +
                                             __FILE__ + ":" + std::to_string(line) + "]");
    return;
  }
  FAIL(function << " threw nothing");
}

struct negate {
  SAM_FUNCTION int operator()(int x) const { return -x; }
};

char const* const sizes_differ = "holds 99 items but in holds 100; both must hold the same number";

TEST_CASE("sizes that differ are an error in every function, at the caller's line", "[errors]") {
  arrays a;
  auto& c = a.context;
  auto const in = test::as_span(a.in);
  auto const out = test::as_span(a.out).first(99);
  negate const negated;
  auto const differ = [](unsigned line, auto call, char const* function) {
    check(line, call, function, "out", sizes_differ);
  };
  auto const call1 = [&] { sam::inclusive_scan(c, in, out); };
  differ(line_above(), call1, "sam::inclusive_scan");
  auto const call2 = [&] { sam::inclusive_scan(c, in, out, sam::plus{}, 1); };
  differ(line_above(), call2, "sam::inclusive_scan");
  auto const call3 = [&] { sam::exclusive_scan(c, in, out, sam::scan_policy<>{}); };
  differ(line_above(), call3, "sam::exclusive_scan");
  auto const call4 = [&] { sam::exclusive_scan(c, in, out, sam::plus{}, 1); };
  differ(line_above(), call4, "sam::exclusive_scan");
  auto const call5 = [&] { sam::transform_inclusive_scan(c, in, out, negated); };
  differ(line_above(), call5, "sam::transform_inclusive_scan");
  auto const call6 = [&] { sam::transform_inclusive_scan(c, in, out, negated, sam::plus{}, 1); };
  differ(line_above(), call6, "sam::transform_inclusive_scan");
  auto const call7 = [&] { sam::transform_exclusive_scan(c, in, out, negated); };
  differ(line_above(), call7, "sam::transform_exclusive_scan");
  auto const call8 = [&] { sam::transform_exclusive_scan(c, in, out, negated, sam::plus{}, 1); };
  differ(line_above(), call8, "sam::transform_exclusive_scan");
  auto const call9 = [&] { sam::delta_encode(c, in, out); };
  differ(line_above(), call9, "sam::delta_encode");
  auto const call10 = [&] { sam::delta_decode(c, in, out); };
  differ(line_above(), call10, "sam::delta_decode");
  REQUIRE(a.out.untouched());
}

TEST_CASE("a null pointer behind a size is an error", "[errors]") {
  arrays a;
  std::span<int> const null(static_cast<int*>(nullptr), 100);
  auto const problem = "is a null pointer but should hold 100 items";
  auto const from = [&] { sam::exclusive_scan(a.context, null, a.out, sam::plus{}, 1); };
  check(line_above(), from, "sam::exclusive_scan", "in", problem);
  auto const to = [&] { sam::exclusive_scan(a.context, a.in, null); };
  check(line_above(), to, "sam::exclusive_scan", "out", problem);
  auto const encode = [&] { sam::delta_encode(a.context, null, a.out); };
  check(line_above(), encode, "sam::delta_encode", "in", problem);
  REQUIRE(a.out.untouched());
}

TEST_CASE("an output that overlaps its input is an error unless it is the input", "[errors]") {
  arrays a;
  auto& c = a.context;
  auto const all = test::as_span(a.in);
  auto const problem =
      "overlaps in without being the same array; pass the same items to work in place, or memory "
      "apart from in";
  for (std::size_t const shift : {1, 49}) {
    auto const ahead = [&] { sam::inclusive_scan(c, all.first(50), all.subspan(shift, 50)); };
    check(line_above(), ahead, "sam::inclusive_scan", "out", problem);
    auto const behind = [&] { sam::inclusive_scan(c, all.subspan(shift, 50), all.first(50)); };
    check(line_above(), behind, "sam::inclusive_scan", "out", problem);
  }
  // Same address, other item type.
  std::span const shorts(reinterpret_cast<short*>(all.data()), 100);
  sam::converted<short> const cut;
  auto const narrower = [&] { sam::transform_inclusive_scan(c, all, shorts, cut); };
  check(line_above(), narrower, "sam::transform_inclusive_scan", "out", problem);
  auto const decode = [&] { sam::delta_decode(c, all.first(50), all.subspan(1, 50)); };
  check(line_above(), decode, "sam::delta_decode", "out", problem);
  REQUIRE(a.in.to_host() == std::vector<int>(100, 1));

  sam::inclusive_scan(c, all.first(50), all.subspan(50));  // adjacent arrays do not overlap
  sam::inclusive_scan(c, all.subspan(50), all.first(50));
  sam::inclusive_scan(c, all, all);
  c.wait();
  REQUIRE(a.in.fences_intact());
}

TEST_CASE("tuples without components are an error", "[errors]") {
  arrays a;
  for (index_t const size : {index_t{0}, index_t{-1}, index_t{-1} << 40}) {
    auto const have = "has tuples of " + std::to_string(size);
    auto const scan = [&] { sam::inclusive_scan(a.context, a.in, a.out, sam::tuples_of(size)); };
    check(line_above(), scan, "sam::inclusive_scan", "policy",
          have + " components; there must be at least 1");
    auto const is = "is " + std::to_string(size) + "; it must be at least 1";
    auto const encode = [&] { sam::delta_encode<2>(a.context, a.in, a.out, size); };
    check(line_above(), encode, "sam::delta_encode", "tuple_size", is);
    auto const decode = [&] { sam::delta_decode<2>(a.context, a.in, a.out, size); };
    check(line_above(), decode, "sam::delta_decode", "tuple_size", is);
  }
  REQUIRE(a.out.untouched());
}

/// Has the interface of a strided view.
struct view {
  int* items;
  bool contiguous;
  int* data() const { return items; }
  std::size_t size() const { return 50; }
  bool span_is_contiguous() const { return contiguous; }
};

TEST_CASE("a strided view is an error", "[errors]") {
  arrays a;
  view const strided{a.out.data(), false}, whole{a.in.data(), true};
  auto const problem = "is a strided view; it must be contiguous in memory";
  auto const to = [&] { sam::inclusive_scan(a.context, whole, strided); };
  check(line_above(), to, "sam::inclusive_scan", "out", problem);
  auto const from = [&] { sam::inclusive_scan(a.context, strided, whole); };
  check(line_above(), from, "sam::inclusive_scan", "in", problem);
  REQUIRE(a.out.untouched());
  sam::inclusive_scan(a.context, whole, whole);
  a.context.wait();
  REQUIRE(a.in.to_host()[49] == 50);
}

TEST_CASE("a call that failed leaves its context usable", "[errors]") {
  arrays a;
  REQUIRE_THROWS_AS(sam::inclusive_scan(a.context, a.in, a.out, sam::tuples_of(0)), sam::error);
  sam::inclusive_scan(a.context, a.in, a.out);
  a.context.wait();
  REQUIRE(a.out.to_host()[99] == 100);
}

// --- compact, partition and unique --------------------------------------------------------------

struct is_positive {
  template <class T>
  SAM_FUNCTION bool operator()(T x) const {
    return x > 0;
  }
};

struct compact_arrays : arrays {
  test::fenced_array<index_t> count{1};
  test::fenced_array<std::uint8_t> flags = test::on_backend(std::vector<std::uint8_t>(100, 1));
  is_positive keep;
  bool untouched() const {
    return out.untouched() && count.untouched() && in.to_host() == std::vector<int>(100, 1);
  }
};

TEST_CASE("compact, partition and unique refuse arrays of the wrong size", "[errors]") {
  compact_arrays a;
  auto& c = a.context;
  auto const few_flags = test::as_span(a.flags).first(99);
  auto const flagged = [&] { sam::compact_flagged(c, a.in, few_flags, a.out, a.count); };
  check(line_above(), flagged, "sam::compact_flagged", "flags", sizes_differ);
  auto const few = test::as_span(a.out).first(99);
  auto const parted = [&] { sam::partition(c, a.in, few, a.keep, a.count); };
  check(line_above(), parted, "sam::partition", "out", sizes_differ);

  auto const no_count = test::as_span(a.count).first(0);
  auto const none = "holds 0 items; it must hold 1";
  auto const call1 = [&] { sam::compact(c, a.in, a.out, a.keep, no_count); };
  check(line_above(), call1, "sam::compact", "count", none);
  auto const call2 = [&] { sam::compact_indices(c, a.in, a.out, a.keep, no_count); };
  check(line_above(), call2, "sam::compact_indices", "count", none);
  auto const call3 = [&] { sam::unique(c, a.in, a.out, a.in); };
  check(line_above(), call3, "sam::unique", "count", "holds 100 items; it must hold 1");
  REQUIRE(a.untouched());
}

TEST_CASE("a count or an index that may not fit its type is an error", "[errors]") {
  compact_arrays a;
  test::fenced_array<int> in(300), out(300);
  test::fenced_array<std::uint8_t> count(1), bytes(300);
  auto const counted = [&] { sam::compact(a.context, in, out, a.keep, count); };
  check(line_above(), counted, "sam::compact", "count",
        "holds integers of up to 255 but may have to hold 300");
  auto const indexed = [&] { sam::compact_indices(a.context, in, bytes, a.keep, a.count); };
  check(line_above(), indexed, "sam::compact_indices", "out",
        "holds integers of up to 255 but may have to hold 299");
  REQUIRE((out.untouched() && count.untouched() && bytes.untouched() && a.count.untouched()));
  auto const most = test::as_span(in).first(255);  // 255, the largest number that count holds
  sam::compact(a.context, most, out, a.keep, count);
  auto const one_more = test::as_span(in).first(256);
  sam::compact_indices(a.context, one_more, bytes, a.keep, a.count);
  a.context.wait();
}

TEST_CASE("compact, partition and unique refuse null pointers", "[errors]") {
  compact_arrays a;
  std::span<int> const null(static_cast<int*>(nullptr), 100);
  std::span<bool> const no_flags(static_cast<bool*>(nullptr), 100);
  auto const problem = "is a null pointer but should hold 100 items";
  auto const from = [&] { sam::compact(a.context, null, a.out, a.keep, a.count); };
  check(line_above(), from, "sam::compact", "in", problem);
  auto const to = [&] { sam::unique(a.context, a.in, null, a.count); };
  check(line_above(), to, "sam::unique", "out", problem);
  auto const by = [&] { sam::compact_flagged(a.context, a.in, no_flags, a.out, a.count); };
  check(line_above(), by, "sam::compact_flagged", "flags", problem);
  auto const number = [&] { sam::partition(a.context, a.in, a.out, a.keep, null.first(1)); };
  check(line_above(), number, "sam::partition", "count",
        "is a null pointer but should hold 1 items");
  REQUIRE(a.untouched());
}

TEST_CASE("compact, partition and unique refuse arrays that overlap", "[errors]") {
  compact_arrays a;
  auto& c = a.context;
  auto const all = test::as_span(a.in);
  auto const half = all.first(50), other_half = all.subspan(50), ahead = all.subspan(1, 50);
  auto const of_out = test::as_span(a.out).subspan(99);
  auto const overlaps_in =
      "overlaps in without being the same array; pass the same items to work in place, or memory "
      "apart from in";
  auto const call1 = [&] { sam::compact(c, half, ahead, a.keep, a.count); };
  check(line_above(), call1, "sam::compact", "out", overlaps_in);
  auto const call2 = [&] { sam::unique(c, ahead, half, a.count); };
  check(line_above(), call2, "sam::unique", "out", overlaps_in);

  auto const apart_from_in = "overlaps in; the two must lie apart";
  auto const apart_from_out = "overlaps out; the two must lie apart";
  auto const call3 = [&] { sam::partition(c, all, all, a.keep, a.count); };
  check(line_above(), call3, "sam::partition", "out", apart_from_in);
  auto const call4 = [&] { sam::compact_indices(c, half, half, a.keep, a.count); };
  check(line_above(), call4, "sam::compact_indices", "out", apart_from_in);
  auto const call5 = [&] { sam::compact(c, all, a.out, a.keep, all.last(1)); };
  check(line_above(), call5, "sam::compact", "count", apart_from_in);
  auto const call6 = [&] { sam::unique(c, all, a.out, of_out); };
  check(line_above(), call6, "sam::unique", "count", apart_from_out);
  auto const call7 = [&] { sam::compact_flagged(c, half, other_half, other_half, a.count); };
  check(line_above(), call7, "sam::compact_flagged", "flags", apart_from_out);
  auto const call8 = [&] { sam::compact_flagged(c, other_half, half, a.out, all.first(1)); };
  check(line_above(), call8, "sam::compact_flagged", "flags",
        "overlaps count; the two must lie apart");
  REQUIRE(a.untouched());

  sam::compact(c, half, other_half, a.keep, a.count);  // adjacent arrays do not overlap
  // In place, with capacity for half of the items.
  REQUIRE(sam::compact(c, all, half, a.keep) == 100);
  c.wait();
}

TEST_CASE("packed bits are refused unless they are as many as the items", "[errors]") {
  compact_arrays a;
  auto& c = a.context;
  auto const words = test::on_backend(std::vector<std::uint32_t>(4, ~0u));
  auto const few = std::span(words.data(), 3);
  auto const call1 = [&] { sam::compact_flagged(c, a.in, sam::packed_bits{few}, a.out, a.count); };
  check(line_above(), call1, "sam::compact_flagged", "flags",
        "holds 96 items but in holds 100; both must hold the same number");
  auto const call2 = [&] { sam::packed_bits(words, 129); };
  check(line_above(), call2, "sam::packed_bits", "words",
        "holds 4 words but should hold 129 flags, 32 to a word");
  auto const of_count = std::span(reinterpret_cast<std::uint32_t*>(a.count.data()), 2);
  sam::packed_bits const bits{of_count};
  auto const call3 = [&] { sam::compact_indices_flagged(c, bits, a.out, a.count); };
  check(line_above(), call3, "sam::compact_indices_flagged", "count",
        "overlaps flags; the two must lie apart");
  REQUIRE(a.untouched());
}

TEST_CASE("functions of two outputs name the one that is wrong", "[errors]") {
  compact_arrays a;
  auto& c = a.context;
  auto const in = test::as_span(a.in), out = test::as_span(a.out);
  auto const few = out.first(99), half = out.first(50), other_half = out.subspan(50);
  test::fenced_array<int> counts(2);
  auto const call1 = [&] { sam::three_way_partition(c, in, few, a.keep, a.keep, counts); };
  check(line_above(), call1, "sam::three_way_partition", "out", sizes_differ);
  auto const call2 = [&] { sam::three_way_partition(c, in, out, a.keep, a.keep, a.count); };
  check(line_above(), call2, "sam::three_way_partition", "counts", "holds 1 items; it must hold 2");
  auto const waits = [&] { sam::three_way_partition(c, in, few, a.keep, a.keep); };
  check(line_above(), waits, "sam::three_way_partition", "out", sizes_differ);
  auto const call3 = [&] { sam::unique_by_key(c, in, in.first(99), half, other_half, a.count); };
  check(line_above(), call3, "sam::unique_by_key", "values",
        "holds 99 items but keys holds 100; both must hold the same number");
  auto const call4 = [&] { sam::unique_by_key(c, in, in, half, half, a.count); };
  check(line_above(), call4, "sam::unique_by_key", "values_out",
        "overlaps keys_out; the two must lie apart");
  auto const call5 = [&] { sam::unique_by_key(c, in, in, in.subspan(1), out, a.count); };
  check(line_above(), call5, "sam::unique_by_key", "keys_out",
        "overlaps keys without being the same array; pass the same items to work in place, or "
        "memory apart from keys");
  auto const call6 = [&] { sam::run_length_encode(c, in, half, half, a.count); };
  check(line_above(), call6, "sam::run_length_encode", "lengths",
        "overlaps values; the two must lie apart");
  test::fenced_array<std::int16_t> many(40'000), values(9), lengths(9);
  auto const call7 = [&] { sam::run_length_encode(c, many, values, lengths, a.count); };
  check(line_above(), call7, "sam::run_length_encode", "lengths",
        "holds integers of up to 32767 but may have to hold 40000");
  auto const call8 = [&] { sam::run_length_decode(c, in, few, half, a.count); };
  check(line_above(), call8, "sam::run_length_decode", "lengths",
        "holds 99 items but values holds 100; both must hold the same number");
  auto const call9 = [&] { sam::run_length_decode(c, in, in, in, a.count); };
  check(line_above(), call9, "sam::run_length_decode", "out",
        "overlaps values; the two must lie apart");
  REQUIRE((a.untouched() && counts.untouched()));
}

/// A context that does not hold items of more than 4 bytes, so that its back end would load them
/// twice.
struct forgetful : test::threads {
  using test::threads::threads;
  template <class Item>
  static constexpr bool loads_items_once = sizeof(Item) <= 4;
};

TEST_CASE("compaction in place is an error where a back end loads items twice", "[errors]") {
  if constexpr (test::backend_bytes::also_on_threads) {
    forgetful c(1);
    std::vector<double> items(100, 1), out(100);
    std::vector<int> small(100, 1), count(1, 7);
    auto const problem = "is in, but threads loads such items twice; pass memory apart from in";
    auto const call1 = [&] { sam::compact(c, items, items, is_positive{}, count); };
    check(line_above(), call1, "sam::compact", "out", problem);
    auto const call2 = [&] { sam::unique(c, small, small, count); };
    check(line_above(), call2, "sam::unique", "out", problem);
    REQUIRE(count[0] == 7);
    sam::compact(c, items, out, is_positive{}, count);
    sam::compact(c, small, small, is_positive{}, count);
    REQUIRE(count[0] == 100);
  }
}

// --- radix_sort and its variants ----------------------------------------------------------------

struct sort_arrays : arrays {
  test::fenced_array<int> values = test::on_backend(std::vector<int>(100, 1)), values_out{100};
  test::fenced_array<int> spare{100}, spare_values{100};
  bool untouched() const {
    return out.untouched() && values_out.untouched() && spare.untouched() &&
           spare_values.untouched() && in.to_host() == std::vector<int>(100, 1) &&
           values.to_host() == std::vector<int>(100, 1);
  }
};

TEST_CASE("sorts refuse arrays of the wrong size", "[errors]") {
  sort_arrays a;
  auto& c = a.context;
  auto const few = test::as_span(a.out).first(99);
  auto const fewer = "holds 99 items but keys_in holds 100; both must hold the same number";
  auto const call1 = [&] { sam::radix_sort(c, a.in, few); };
  check(line_above(), call1, "sam::radix_sort", "out", sizes_differ);
  auto const call2 = [&] { sam::radix_sort_pairs(c, a.in, few, a.out, a.values_out); };
  check(line_above(), call2, "sam::radix_sort_pairs", "values_in", fewer);
  auto const call3 = [&] { sam::radix_sort_pairs(c, a.in, a.values, few, a.values_out); };
  check(line_above(), call3, "sam::radix_sort_pairs", "keys_out", fewer);
  auto const call4 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.values_out, few); };
  check(line_above(), call4, "sam::radix_sort_pairs", "values_out", fewer);
  auto const call5 = [&] { sam::radix_argsort(c, a.in, few); };
  check(line_above(), call5, "sam::radix_argsort", "out",
        "holds 99 items but keys holds 100; both must hold the same number");
  test::fenced_array<int> many(257);
  test::fenced_array<std::uint8_t> bytes(257);
  auto const call6 = [&] { sam::radix_argsort(c, many, bytes); };
  check(line_above(), call6, "sam::radix_argsort", "out",
        "holds integers of up to 255 but may have to hold 256");
  REQUIRE((a.untouched() && bytes.untouched()));
}

TEST_CASE("sorts refuse bits that keys do not have", "[errors]") {
  sort_arrays a;
  auto& c = a.context;
  auto const call1 = [&] { sam::radix_sort(c, a.in, a.out, {.bits = {8, 33}}); };
  check(line_above(), call1, "sam::radix_sort", "options.bits",
        "are [8, 33); they must lie in [0, 32)");
  auto const call2 = [&] { sam::radix_sort(c, a.in, a.out, {.bits = {-1, 4}}); };
  check(line_above(), call2, "sam::radix_sort", "options.bits",
        "are [-1, 4); they must lie in [0, 32)");
  auto const call3 = [&] { sam::radix_argsort(c, a.in, a.out, {.bits = {9, 8}}); };
  check(line_above(), call3, "sam::radix_argsort", "options.bits",
        "are [9, 8); they must lie in [0, 32)");
  auto const call4 = [&] { sam::radix_sort_workspace<short>(c, 9, {.bits = {17}}); };
  check(line_above(), call4, "sam::radix_sort_workspace", "options.bits",
        "are [17, 16); they must lie in [0, 16)");
  REQUIRE(a.untouched());
}

TEST_CASE("sorts refuse spare memory that is too small or in use", "[errors]") {
  sort_arrays a;
  auto& c = a.context;
  auto const few = test::as_span(a.spare).first(99), in = test::as_span(a.in);
  auto const small = "holds 99 items; it must hold at least 100";
  auto const call1 = [&] { sam::radix_sort(c, a.in, a.out, {.spare_keys = few}); };
  check(line_above(), call1, "sam::radix_sort", "options.spare_keys", small);
  sam::sort_options<int, int> half{.spare_keys = test::as_span(a.spare)};
  auto const call2 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.out, a.values_out, half); };
  check(line_above(), call2, "sam::radix_sort_pairs", "options.spare_values",
        "holds 0 items; it must hold at least 100");
  auto const call3 = [&] { sam::radix_sort(c, a.in, a.out, {.spare_keys = in}); };
  check(line_above(), call3, "sam::radix_sort", "options.spare_keys",
        "overlaps in; the two must lie apart");
  half.spare_values = half.spare_keys;
  auto const call4 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.out, a.values_out, half); };
  check(line_above(), call4, "sam::radix_sort_pairs", "options.spare_values",
        "overlaps options.spare_keys; the two must lie apart");
  half.spare_values = std::span<int>(static_cast<int*>(nullptr), 100);
  auto const call6 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.out, a.values_out, half); };
  check(line_above(), call6, "sam::radix_sort_pairs", "options.spare_values",
        "is a null pointer but should hold 100 items");
  half.spare_values = test::as_span(a.values_out);
  auto const call5 = [&] { sam::radix_argsort(c, a.in, a.values_out, half); };
  check(line_above(), call5, "sam::radix_argsort", "options.spare_values",
        "overlaps out; the two must lie apart");
  REQUIRE(a.untouched());
}

TEST_CASE("sorts refuse null pointers and arrays that overlap", "[errors]") {
  sort_arrays a;
  auto& c = a.context;
  auto const all = test::as_span(a.in);
  std::span<int> const null(static_cast<int*>(nullptr), 100);
  auto const is_null = "is a null pointer but should hold 100 items";
  auto const call1 = [&] { sam::radix_sort(c, null, a.out); };
  check(line_above(), call1, "sam::radix_sort", "in", is_null);
  auto const call2 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.out, null); };
  check(line_above(), call2, "sam::radix_sort_pairs", "values_out", is_null);
  auto const call3 = [&] { sam::radix_sort(c, all.first(50), all.subspan(1, 50)); };
  check(line_above(), call3, "sam::radix_sort", "out",
        "overlaps in without being the same array; pass the same items to work in place, or "
        "memory apart from in");
  auto const call4 = [&] { sam::radix_argsort(c, a.in, a.in); };
  check(line_above(), call4, "sam::radix_argsort", "out", "overlaps keys; the two must lie apart");
  auto const call5 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.out, a.out); };
  check(line_above(), call5, "sam::radix_sort_pairs", "values_out",
        "overlaps keys_out; the two must lie apart");
  auto const call6 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.values, a.in); };
  check(line_above(), call6, "sam::radix_sort_pairs", "keys_out",
        "overlaps values_in; the two must lie apart");
  auto const call7 = [&] { sam::radix_sort_pairs(c, a.in, a.values, a.out, a.in); };
  check(line_above(), call7, "sam::radix_sort_pairs", "values_out",
        "overlaps keys_in; the two must lie apart");
  REQUIRE(a.untouched());
  sam::radix_sort_pairs(c, a.in, a.in, a.out, a.values_out);  // inputs may overlap
  c.wait();
}

TEST_CASE("sorts of segments refuse what is wrong with keys, bits and segments", "[errors]") {
  sort_arrays a;
  auto& c = a.context;
  auto const few = test::as_span(a.out).first(99);
  auto const offsets = test::on_backend(std::vector<std::int32_t>{0, 40, 40, 100});
  auto const falling = test::on_backend(std::vector<std::int32_t>{0, 60, 40, 100});
  auto const by = sam::by_offsets(offsets);
  auto const call1 = [&] { sam::segmented_radix_sort(c, a.in, by, few); };
  check(line_above(), call1, "sam::segmented_radix_sort", "out", sizes_differ);
  auto const call2 = [&] { sam::segmented_radix_sort(c, a.in, by, a.out, {.bits = {8, 33}}); };
  check(line_above(), call2, "sam::segmented_radix_sort", "options.bits",
        "are [8, 33); they must lie in [0, 32)");
  auto const wrong = sam::by_checked_offsets(falling);
  auto const falls = "is wrong at item 2 of 4; it must begin with 0, never fall, and end with 100";
  auto const call3 = [&] { sam::segmented_radix_sort(c, a.in, wrong, a.out); };
  check(line_above(), call3, "sam::segmented_radix_sort", "offsets", falls);
  auto const call4 = [&] {
    sam::segmented_radix_sort_pairs(c, a.in, a.values, wrong, a.out, a.values_out);
  };
  check(line_above() - 1, call4, "sam::segmented_radix_sort_pairs", "offsets", falls);
  auto const call5 = [&] { sam::segmented_radix_argsort(c, a.in, wrong, a.out); };
  check(line_above(), call5, "sam::segmented_radix_argsort", "offsets", falls);
  auto const none = sam::by_length(0);
  auto const call6 = [&] { sam::segmented_radix_argsort(c, a.in, none, a.out); };
  check(line_above(), call6, "sam::segmented_radix_argsort", "length",
        "is 0; it must be at least 1");
  auto const call7 = [&] { sam::segmented_radix_sort_workspace<int>(c, 9, none); };
  check(line_above(), call7, "sam::segmented_radix_sort_workspace", "length",
        "is 0; it must be at least 1");
  REQUIRE(a.untouched());
}

TEST_CASE("sorts of segments refuse outputs that overlap the description of segments", "[errors]") {
  sort_arrays a;
  auto& c = a.context;
  auto const in_out = sam::by_keys(a.out), in_spare = sam::by_keys(a.spare);
  auto const in_values = sam::by_heads(a.values_out);
  auto const apart = "overlaps keys; the two must lie apart";
  auto const call1 = [&] { sam::segmented_radix_sort(c, a.in, in_out, a.out); };
  check(line_above(), call1, "sam::segmented_radix_sort", "out", apart);
  sam::sort_options<int> const spare{.spare_keys = test::as_span(a.spare)};
  auto const call2 = [&] { sam::segmented_radix_sort(c, a.in, in_spare, a.out, spare); };
  check(line_above(), call2, "sam::segmented_radix_sort", "options.spare_keys", apart);
  auto const call3 = [&] {
    sam::segmented_radix_sort_pairs(c, a.in, a.values, in_values, a.out, a.values_out);
  };
  check(line_above() - 1, call3, "sam::segmented_radix_sort_pairs", "values_out",
        "overlaps heads; the two must lie apart");
  auto const in_in = sam::by_keys(a.in);
  auto const call4 = [&] { sam::segmented_radix_argsort(c, a.values, in_out, a.out); };
  check(line_above(), call4, "sam::segmented_radix_argsort", "out", apart);
  REQUIRE(a.untouched());
  sam::segmented_radix_argsort(c, a.in, in_in, a.out);  // inputs may be the same
  c.wait();
}

TEST_CASE("more segments than are sorted at once are an error", "[errors]") {
  if constexpr (test::backend_bytes::also_on_threads) {
    test::plain_threads c(1);
    int nothing = 0;
    index_t const n = (index_t{1} << 32) + 1;
    // The call fails before it reads them.
    std::span<int> const many(&nothing, static_cast<std::size_t>(n));
    auto const ones = sam::by_length(1);
    auto const call = [&] { sam::segmented_radix_sort(c, many, ones, many); };
    check(line_above(), call, "sam::segmented_radix_sort", "segments",
          "may be 4294967297; plain_threads sorts at most 4294967296");
    REQUIRE(nothing == 0);
  }
}

static_assert(std::is_base_of_v<sam::error, sam::invalid_argument>);
static_assert(std::is_base_of_v<sam::error, sam::device_error>);
static_assert(std::is_base_of_v<sam::error, sam::out_of_memory>);
static_assert(std::is_base_of_v<std::runtime_error, sam::error>);

}  // namespace
