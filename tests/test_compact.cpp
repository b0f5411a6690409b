// SPDX-License-Identifier: MIT
#include <sam/compact.hpp>

#include "support.hpp"

#include <set>

namespace {

using sam::index_t;

/// What the tests keep, of items of any type: those whose first byte is below a limit. It has a
/// state of its own, and items whose other bytes differ are told apart.
template <class T>
struct first_byte_below {
  unsigned limit;
  SAM_FUNCTION bool operator()(T const& x) const {
    return *reinterpret_cast<unsigned char const*>(&x) < limit;
  }
};

/// Equality by the first byte alone, so that it shows which of two equal items is kept.
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

/// How large a share of the items is kept, and how those that are kept lie.
enum class share { none, tenth, half, all, runs };
constexpr share shares[] = {share::none, share::tenth, share::half, share::all, share::runs};
constexpr unsigned limit = 128;

/// Random bytes; the first of each item decides, and is the item before's a quarter of the time.
template <class T>
std::vector<T> random_bytes(index_t n, share kept, std::uint64_t seed) {
  test::generator bits(seed);
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

/// What a call leaves: the items kept, then whatever was behind them.
template <class T>
std::vector<T> written_over(std::vector<T> const& before, std::vector<T> const& kept) {
  std::vector<T> all = before;
  std::copy_n(kept.begin(), std::min(kept.size(), all.size()), all.begin());
  return all;
}

/// The call writes `kept` to the front of an array of `room` items, `shift` items off a line, and
/// nothing else; and how many there were.
template <class Count, class T, class Call>
void check_apart(std::vector<T> const& kept, index_t room, index_t shift, Call call) {
  CAPTURE(room, shift, sizeof(Count));
  test::fenced_array<T> out(room, shift);
  test::fenced_array<Count> count(1, shift);
  auto const before = out.to_host();
  call(out, count);
  REQUIRE(test::differences(out.to_host(), written_over(before, kept)) == "");
  REQUIRE(count.to_host()[0] == static_cast<Count>(kept.size()));
  REQUIRE((out.fences_intact() && count.fences_intact()));
}

/// The same from items to themselves.
template <class Context, class T, class Call>
void check_in_place(std::vector<T> const& items, std::vector<T> const& kept, index_t shift,
                    Call call) {
  if constexpr (sam::holds_items<Context, sam::detail::marked<T>>) {
    auto array = test::on_backend(items, shift);
    test::fenced_array<index_t> count(1);
    call(array, array, count);
    REQUIRE(test::differences(array.to_host(), written_over(items, kept)) == "");
    REQUIRE(count.to_host()[0] == static_cast<index_t>(kept.size()));
    REQUIRE((array.fences_intact() && count.fences_intact()));
  }
}

template <class Context, class T>
void check_compact(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const n = static_cast<index_t>(items.size());
  auto const kept = sam::reference::compact(items, keep);
  auto const exactly = static_cast<index_t>(kept.size());
  auto const in = test::on_backend(items, 1);
  auto const call = [&](auto const& from, auto& out, auto& count) {
    sam::compact(context, from, out, keep, count);
    context.wait();
  };
  auto const from_in = [&](auto& out, auto& count) { call(in, out, count); };
  check_apart<index_t>(kept, n, 0, from_in);
  check_apart<index_t>(kept, n + 3, 1, from_in);
  check_apart<index_t>(kept, exactly, 3, from_in);
  check_apart<index_t>(kept, exactly / 2, 1, from_in);
  check_apart<index_t>(kept, 0, 0, from_in);
  check_in_place<Context>(items, kept, 0, call);
  check_in_place<Context>(items, kept, 1, call);

  test::fenced_array<T> out(n);
  REQUIRE(sam::compact(context, in, out, keep) == exactly);
  REQUIRE(out.fences_intact());
}

template <class Flag, class Context, class T>
void check_compact_flagged(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const n = static_cast<index_t>(items.size());
  std::vector<Flag> flags(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)  // not all ones: only zero drops an item
    flags[i] =
        keep(items[i]) ? static_cast<Flag>(std::uint64_t{1} << i % (8 * sizeof(Flag))) : Flag(0);
  auto const kept = sam::reference::compact_flagged(items, flags);
  auto const in = test::on_backend(items, 1);
  auto const marks = test::on_backend(flags, 1);
  auto const call = [&](auto const& from, auto& out, auto& count) {
    sam::compact_flagged(context, from, marks, out, count);
    context.wait();
  };
  auto const from_in = [&](auto& out, auto& count) { call(in, out, count); };
  check_apart<index_t>(kept, n, 1, from_in);
  check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 3, 0, from_in);
  check_in_place<Context>(items, kept, 1, call);
  REQUIRE(test::differences(marks.to_host(), flags) == "");
}

template <class Index, class Context, class T>
void check_compact_indices(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const n = static_cast<index_t>(items.size());
  auto const kept = sam::reference::compact_indices<Index>(items, keep);
  auto const in = test::on_backend(items, 1);
  auto const from_in = [&](auto& out, auto& count) {
    sam::compact_indices(context, in, out, keep, count);
    context.wait();
  };
  check_apart<index_t>(kept, n, 1, from_in);
  check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 2, 0, from_in);
}

template <class Context, class T>
void check_partition(Context& context, std::vector<T> const& items) {
  first_byte_below<T> const keep{limit};
  auto const wanted = sam::reference::partition(items, keep);
  auto const in = test::on_backend(items, 1);
  test::fenced_array<T> out(static_cast<index_t>(items.size()), 3);
  test::fenced_array<index_t> count(1);
  sam::partition(context, in, out, keep, count);
  context.wait();
  REQUIRE(test::differences(out.to_host(), wanted) == "");
  REQUIRE(count.to_host()[0] == std::count_if(items.begin(), items.end(), keep));
  REQUIRE((out.fences_intact() && count.fences_intact()));
}

template <class Context, class T>
void check_unique(Context& context, std::vector<T> const& items) {
  same_first_byte<T> const equal;
  auto const n = static_cast<index_t>(items.size());
  auto const kept = sam::reference::unique(items, equal);
  auto const in = test::on_backend(items, 1);
  auto const call = [&](auto const& from, auto& out, auto& count) {
    sam::unique(context, from, out, count, equal);
    context.wait();
  };
  auto const from_in = [&](auto& out, auto& count) { call(in, out, count); };
  check_apart<index_t>(kept, n, 1, from_in);
  check_apart<index_t>(kept, static_cast<index_t>(kept.size()) / 2, 0, from_in);
  check_in_place<Context>(items, kept, 0, call);
  check_in_place<Context>(items, kept, 1, call);
}

template <class Context, class T>
void check_all(Context& context, std::vector<T> const& items) {
  check_compact(context, items);
  check_compact_flagged<std::uint8_t>(context, items);
  check_compact_indices<std::int64_t>(context, items);
  check_partition(context, items);
  check_unique(context, items);
}

/// Where the host engine has its edges when it holds items of so many bytes beside sums of 32 bits.
std::set<index_t> sizes_when_held(int held) {
  using sum = std::uint32_t;
  auto const& pass = sam::detail::pass_over_flags<sum>;
  std::set<index_t> sizes{0, 1, 2, 100};
  sam::host::with_kernel<sum>(pass, [&](auto const& kernel) {
    auto const shape = sam::host::shape::of<sum>(0, kernel, held);
    for (index_t const edge : {kernel.granule(), shape.piece, shape.tiles.size})
      for (index_t const n : {edge - 1, edge, edge + 1})
        sizes.insert(n);
    sizes.insert(9 * shape.tiles.size + shape.piece + 5);
  });
  test::backend_bytes::add_edges<sum>(pass, sizes);
  return sizes;
}

TEMPLATE_TEST_CASE("compact and its kin equal their references", "[compact]", std::uint8_t,
                   std::int16_t, three_bytes, std::int32_t, std::int64_t, sixteen_bytes,
                   twenty_four_bytes) {
  using T = TestType;
  sam::default_context context;
  auto sizes = sizes_when_held(sizeof(T));
  sizes.merge(sizes_when_held(sizeof(sam::detail::marked<T>)));
  for (index_t const n : sizes)
    for (share const kept : shares) {
      if (n > 1000 && n % 2 == 0 && kept != share::half)
        continue;
      auto const seed = test::seed_for(n);
      CAPTURE(n, static_cast<int>(kept), seed, sizeof(T));
      check_all(context, random_bytes<T>(n, kept, seed));
    }
}

TEST_CASE("compact and its kin equal their references on several threads", "[compact]") {
  if constexpr (test::backend_bytes::also_on_threads) {
    test::threads crowd(test::several);
    for (share const kept : shares) {
      index_t const n = 400'003;
      auto const seed = test::seed_for(n);
      CAPTURE(static_cast<int>(kept), seed);
      check_all(crowd, random_bytes<std::int32_t>(n, kept, seed));
      check_all(crowd, random_bytes<three_bytes>(n, kept, seed));
      check_all(crowd, random_bytes<twenty_four_bytes>(n / 2, kept, seed));
    }
  }
}

TEMPLATE_TEST_CASE("flags are integers of any width, of which only zero drops an item", "[compact]",
                   std::int8_t, std::uint16_t, std::int32_t, std::int64_t) {
  sam::default_context context;
  for (index_t const n : {1, 1000, 70'001})
    check_compact_flagged<TestType>(context,
                                    random_bytes<std::int32_t>(n, share::half, test::seed_for(n)));
}

TEMPLATE_TEST_CASE("a count is an integer of any width that holds it", "[compact]", std::uint8_t,
                   std::int16_t, std::uint32_t, std::uint64_t) {
  sam::default_context context;
  index_t const n = 255;
  first_byte_below<std::int32_t> const keep{limit};
  auto const items = random_bytes<std::int32_t>(n, share::all, test::seed_for(n));
  auto const in = test::on_backend(items);
  check_apart<TestType>(items, n, 1, [&](auto& out, auto& count) {
    sam::compact(context, in, out, keep, count);
    context.wait();
  });
}

TEST_CASE("flags may be bools", "[compact]") {
  sam::default_context context;
  auto const in = test::on_backend(std::vector<int>{5, 6, 7, 8});
  auto const flags = test::on_backend(std::vector<std::uint8_t>{1, 0, 0, 1});
  test::fenced_array<int> out(2), count(1);
  std::span<bool const> const bools(reinterpret_cast<bool const*>(flags.data()), 4);
  sam::compact_flagged(context, in, bools, out, count);
  context.wait();
  REQUIRE(out.to_host() == std::vector<int>{5, 8});
  REQUIRE(count.to_host()[0] == 2);
}

TEMPLATE_TEST_CASE("indices are integers of any width that holds them", "[compact]", std::uint16_t,
                   std::int32_t, std::uint64_t) {
  sam::default_context context;
  for (index_t const n : {1, 1000, 65'536})
    check_compact_indices<TestType>(context,
                                    random_bytes<std::int32_t>(n, share::half, test::seed_for(n)));
}

TEST_CASE("unique compares by == unless it is told how", "[compact]") {
  sam::default_context context;
  auto items = test::on_backend(std::vector<float>{1, 1, 2, 2, 2, 1, -0.0f, 0.0f, 3});
  test::fenced_array<float> out(9);
  test::fenced_array<int> count(1);
  sam::unique(context, items, out, count);
  context.wait();
  REQUIRE(count.to_host()[0] == 5);
  auto all = out.to_host();
  all.resize(5);
  REQUIRE(all == std::vector<float>{1, 2, 1, -0.0f, 3});
}

TEST_CASE("of no items nothing is kept, and count says so", "[compact]") {
  sam::default_context context;
  test::fenced_array<int> none(0), out(3);
  test::fenced_array<std::uint8_t> flags(0), count(1);
  auto const counts_nothing = [&](auto const& call) {
    auto const one = std::vector<std::uint8_t>{1};
    count = test::on_backend(one);
    call();
    context.wait();
    REQUIRE(count.to_host()[0] == 0);
    REQUIRE((count.fences_intact() && out.untouched()));
  };
  first_byte_below<int> const keep{limit};
  counts_nothing([&] { sam::compact(context, none, out, keep, count); });
  counts_nothing([&] { sam::compact_flagged(context, none, flags, out, count); });
  counts_nothing([&] { sam::compact_indices(context, none, out, keep, count); });
  counts_nothing([&] { sam::partition(context, none, none, keep, count); });
  counts_nothing([&] { sam::unique(context, none, out, count); });
  REQUIRE(sam::compact(context, none, out, keep) == 0);
}

}  // namespace
