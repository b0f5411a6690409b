// SPDX-License-Identifier: MIT
// Tests the commands segmented-scan and reduce of the tool.
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cstdint>
#include <limits>

namespace {

/// Runs a command on `in` and returns its output, in items of type Out. The file `where`, passed by
/// `option`, describes the segments.
template <class Out, class T, class Where>
std::vector<Out> made_to(std::string const& command, std::string const& option,
                         std::vector<Where> const& where, std::vector<T> const& in) {
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  write_npy(folder / "where.npy", where);
  auto const result = run_tool(command + " " + option + " " + folder / "where.npy" + " " +
                               folder / "in.npy" + " " + folder / "out.npy");
  CAPTURE(command, result.errors);
  REQUIRE(result.status == 0);
  REQUIRE(result.errors.empty());
  return read_npy<Out>(folder / "out.npy");
}
template <class T, class Where>
std::vector<T> made(std::string const& command, std::string const& option,
                    std::vector<Where> const& where, std::vector<T> const& in) {
  return made_to<T>(command, option, where, in);
}
/// Runs a command whose results are sums or products.
template <class T, class Where>
std::vector<total<T>> totals(std::string const& command, std::string const& option,
                             std::vector<Where> const& where, std::vector<T> const& in) {
  return made_to<total<T>>(command, option, where, in);
}
template <class T, class Where>
std::vector<T> scanned(std::string const& options, std::string const& option,
                       std::vector<Where> const& where, std::vector<T> const& in) {
  return made("segmented-scan " + options, option, where, in);
}

/// Returns runs of 1 to 9 equal keys. For floats, they include both zeros, which are equal, and
/// NaN, which equals nothing.
template <class Key>
std::vector<Key> keys_in_runs(std::size_t n, unsigned seed) {
  std::vector<Key> keys;
  for (auto const x : random_items<std::uint32_t>(n, seed)) {
    keys.insert(keys.end(), 1 + x % 9, static_cast<Key>(x >> 8 & 3));
    if constexpr (std::is_floating_point_v<Key>)
      if (keys.back() == Key(0)) {
        keys.push_back(-Key(0));
        keys.insert(keys.end(), x >> 16 & 3, std::numeric_limits<Key>::quiet_NaN());
      }
  }
  keys.resize(n);
  return keys;
}

/// Returns flags that are 1 where a segment begins or, if `are_ends`, ends.
template <class Key>
std::vector<std::uint8_t> heads_of(std::vector<Key> const& keys, bool are_ends) {
  std::vector<std::uint8_t> heads(keys.size(), 0);
  for (std::size_t i = 1; i < keys.size(); ++i)
    heads[are_ends ? i - 1 : i] = keys[i - 1] != keys[i];
  return heads;
}

/// True if the operator of these options adds or multiplies.
bool grows(std::string const& options) {
  return options.find("--op") == std::string::npos ||
         options.find("multiplies") != std::string::npos;
}

template <class T>
std::string bytes_of(std::vector<T> const& items) {
  return {reinterpret_cast<char const*>(items.data()), items.size() * sizeof(T)};
}

}  // namespace

TEST_CASE("the tool scans segments as its help says", "[tool]") {
  using items = std::vector<std::int32_t>;
  items const in{3, 1, 4, 1, 5, 9};
  auto const on = GENERATE(from_range(back_end_options()));
  std::vector<std::uint8_t> const heads{0, 0, 1, 255, 0, 0}, ends{0, 1, 1, 0, 0, 0};
  auto const gives = [&](std::string const& options, items const& out) {
    bool const backward = options.find("--backward") != std::string::npos;
    if (grows(options))
      CHECK(totals("segmented-scan" + on + options, "--heads", backward ? ends : heads, in) ==
            widened(out));
    auto const as = grows(options) ? on + "--as int32 " : on;
    CHECK(scanned(as + options, "--heads", backward ? ends : heads, in) == out);
    CHECK(scanned(as + options, "--offsets", std::vector<std::int64_t>{0, 2, 2, 3, 6}, in) == out);
    CHECK(scanned(as + options, "--keys", std::vector<float>{7, 7, 5, 7, 7, 7}, in) == out);
  };
  gives("", {3, 4, 4, 1, 6, 15});
  gives("--exclusive", {0, 3, 0, 0, 1, 6});
  gives("--backward", {4, 1, 4, 15, 14, 9});
  gives("--backward --exclusive --init 2", {3, 2, 2, 16, 11, 2});
  gives("--op max --init 4", {4, 4, 4, 4, 5, 9});
  gives("--op multiplies", {3, 3, 4, 1, 5, 45});
  gives("--op xor", {3, 2, 4, 1, 4, 13});
  gives("--op land", {1, 1, 1, 1, 1, 1});
}

TEST_CASE("the tool reduces segments as its help says", "[tool]") {
  using items = std::vector<std::int32_t>;
  test_folder const folder;
  auto const on = GENERATE(from_range(back_end_options()));
  write_npy(folder / "in.npy", items{3, 1, 4, 1, 5, 9});
  write_npy(folder / "heads.npy", std::vector<std::uint8_t>{0, 0, 1, 255, 0, 0});
  write_npy(folder / "offsets.npy", std::vector<std::uint8_t>{0, 0, 2, 2, 3, 6});
  write_npy(folder / "keys.npy", std::vector<float>{7, 7, 5, 7, 7, 7});
  auto const gives = [&](std::string const& options, items const& out, std::int32_t nothing) {
    auto const check = [&](std::string const& where, items const& totals) {
      REQUIRE(run_tool("reduce" + on + options + where + " " + folder / "in.npy" + " " +
                       folder / "out.npy")
                  .status == 0);
      if (grows(options))
        CHECK(read_npy<std::int64_t>(folder / "out.npy") == widened(totals));
      else
        CHECK(read_npy<std::int32_t>(folder / "out.npy") == totals);
    };
    check(" --heads " + folder / "heads.npy", out);
    check(" --keys " + folder / "keys.npy" + " --unique-keys " + folder / "each.npy", out);
    CHECK(read_npy<float>(folder / "each.npy") == std::vector<float>{7, 5, 7});
    check(" --offsets " + folder / "offsets.npy", {nothing, out[0], nothing, out[1], out[2]});
  };
  gives("", {4, 4, 15}, 0);
  gives("--init 2", {6, 6, 17}, 2);
  gives("--op max --init 4", {4, 4, 9}, 4);
  gives("--op multiplies", {3, 4, 45}, 1);
  gives("--op land", {1, 1, 1}, 1);
  auto const printed =
      run_tool("reduce" + on + "--heads " + folder / "heads.npy" + " " + folder / "in.npy");
  CHECK(printed.output == "4\n4\n15\n");
}

TEMPLATE_TEST_CASE("the tool scans segments and reduces as the references do", "[tool]",
                   std::int8_t, std::uint16_t, std::int32_t, std::int64_t, float, double) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const in = random_items<T>(70'001, 1);
  auto heads = random_items<std::uint8_t>(in.size(), 2);
  for (auto& head : heads)
    head = head < 3;
  std::vector<std::size_t> offsets{0};
  for (std::size_t i = 1; i < in.size(); ++i)
    if (heads[i] != 0)
      offsets.push_back(i);
  offsets.push_back(in.size());
  auto const check = [&]<class Out>(std::string const& name, auto op, Out identity) {
    CAPTURE(name);
    sam::scan_policy<decltype(op)> const policy{op};
    auto const items = converted<Out>(in);
    std::string const scan = "segmented-scan" + on + "--op " + name;
    CHECK((made_to<Out>(scan, "--heads", heads, in) ==
           sam::reference::segmented_inclusive_scan(items, heads, policy)));
    CHECK(
        (made_to<Out>(scan + " --backward --exclusive", "--heads", heads, in) ==
         sam::reference::segmented_exclusive_scan(items, heads, sam::backward(policy), identity)));
    test_folder const folder;
    write_npy(folder / "in.npy", in);
    REQUIRE(run_tool("reduce" + on + "--op " + name + " " + folder / "in.npy" + " " +
                     folder / "out.npy")
                .status == 0);
    CHECK(read_npy<Out>(folder / "out.npy") == sam::reference::reduce(items, policy, identity));
    CHECK((made_to<Out>("reduce" + on + "--op " + name, "--heads", heads, in) ==
           sam::reference::segmented_reduce(items, offsets, policy, identity)));
  };
  check("plus", sam::plus{}, total<T>(0));
  check("min", sam::minimum{}, sam::engine::highest_of<T>);
  if constexpr (std::is_integral_v<T>)
    check("or", sam::bit_or{}, T(0));
}

TEMPLATE_TEST_CASE("keys of any type say where segments lie", "[tool]", std::uint8_t, std::int16_t,
                   std::uint32_t, std::int64_t, float, double) {
  using Key = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  for (std::size_t const n : {0, 1, 2, 1001, 5000}) {
    CAPTURE(n);
    auto const keys = keys_in_runs<Key>(n, 3);
    auto const in = random_items<std::int32_t>(n, 4);
    CHECK(totals("segmented-scan --init 5" + on, "--keys", keys, in) ==
          sam::reference::segmented_inclusive_scan(widened(in), heads_of(keys, false),
                                                   sam::scan_policy<>{},
                                                   std::optional<std::int64_t>{5}));
    CHECK(scanned(on + "--op max --init -9 --backward --exclusive", "--keys", keys, in) ==
          sam::reference::segmented_exclusive_scan(
              in, heads_of(keys, true), sam::backward(sam::scan_policy<sam::maximum>{}), -9));
    test_folder const folder;
    std::string const each = folder / "each.npy";
    auto const [unique_keys, least] =
        sam::reference::reduce_by_key(keys, in, sam::scan_policy<sam::minimum>{}, 1000);
    std::string const reduce = "reduce --op min --init 1000" + on;
    CHECK(made(reduce, "--keys", keys, in) == least);
    CHECK(made(reduce + "--unique-keys " + each, "--keys", keys, in) == least);
    CHECK(npy_items(read_bytes(each)) == bytes_of(unique_keys));
    CHECK(npy_header(read_bytes(each)).find(descr<Key>()) != std::string::npos);
  }
}

TEMPLATE_TEST_CASE("packed heads say where segments lie", "[tool]", std::uint8_t, std::int16_t,
                   float, std::int64_t) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  std::string const heads = "--packed --heads";
  sam::scan_policy<> const sums;
  for (std::size_t const n : {0, 1, 31, 32, 33, 1001, 40'000}) {
    CAPTURE(n);
    auto const in = random_items<T>(n, 7);
    auto flags = random_items<std::uint8_t>(n, 8);
    for (auto& flag : flags)
      flag = flag % 20 == 0;
    std::string const scan = "segmented-scan" + on;
    auto const items = widened(in);
    CHECK((totals(scan, heads, packed(flags), in) ==
           sam::reference::segmented_inclusive_scan(items, flags, sums)));
    CHECK((totals(scan + "--exclusive --init 3", heads, packed(flags), in) ==
           sam::reference::segmented_exclusive_scan(items, flags, sums, total<T>(3))));
    CHECK((totals(scan + "--backward", heads, packed(flags), in) ==
           sam::reference::segmented_inclusive_scan(items, flags, sam::backward(sums))));
    auto const offsets = n == 0 ? std::vector<sam::index_t>() : sam::reference::offsets_of(flags);
    CHECK((totals("reduce" + on, heads, packed(flags), in) ==
           sam::reference::segmented_reduce(items, offsets, sums, total<T>(0))));
  }
}

TEMPLATE_TEST_CASE("offsets of any type say where segments lie, and where empty ones", "[tool]",
                   std::int16_t, std::uint32_t, std::int64_t, std::uint64_t) {
  using Offset = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  for (int const n : {0, 1, 33, 1001, 30'000}) {
    CAPTURE(n);
    auto const in = random_items<std::uint16_t>(static_cast<std::size_t>(n), 4);
    std::vector<Offset> offsets{0, 0};
    std::vector<std::uint8_t> heads(in.size(), 0), ends(heads);
    for (int at = 0, k = 0; at < n - 1; ++k) {
      at = std::min(at + k * k % 61, n - 1);
      offsets.push_back(static_cast<Offset>(at));
      heads[static_cast<std::size_t>(at)] = 1;
      if (at > 0)
        ends[static_cast<std::size_t>(at - 1)] = 1;
    }
    offsets.push_back(static_cast<Offset>(n));
    sam::scan_policy<> const sums;
    auto const items = widened(in);
    std::string const scan = "segmented-scan" + on;
    CHECK(totals(scan, "--offsets", offsets, in) ==
          sam::reference::segmented_inclusive_scan(items, heads, sums));
    CHECK(totals(scan + "--exclusive --init 7", "--offsets", offsets, in) ==
          sam::reference::segmented_exclusive_scan(items, heads, sums, std::uint64_t{7}));
    CHECK(totals(scan + "--backward", "--offsets", offsets, in) ==
          sam::reference::segmented_inclusive_scan(items, ends, sam::backward(sums)));
    CHECK(totals("reduce --init 7" + on, "--offsets", offsets, in) ==
          sam::reference::segmented_reduce(items, offsets, sums, std::uint64_t{7}));
    CHECK(made("reduce --op and" + on, "--offsets", offsets, in) ==
          sam::reference::segmented_reduce(in, offsets, sam::scan_policy<sam::bit_and>{},
                                           std::uint16_t{0xffff}));
  }
}

TEST_CASE("the tool prints a reduction", "[tool]") {
  test_folder const folder;
  auto const on = GENERATE(from_range(back_end_options()));
  write_npy(folder / "in.npy", std::vector<std::int8_t>{3, -10, 4});
  write_npy(folder / "floats.npy", std::vector<double>{0.5, 0.25});
  write_npy(folder / "none.npy", std::vector<std::int16_t>{});
  auto const prints = [&](std::string const& arguments, std::string const& text) {
    auto const result = run_tool("reduce" + on + arguments);
    CAPTURE(arguments, result.errors);
    CHECK(result.status == 0);
    CHECK(result.output == text + "\n");
  };
  prints(folder / "in.npy", "-3");
  prints("--op min " + folder / "in.npy", "-10");
  prints("--op max --init 5 " + folder / "in.npy", "5");
  prints(folder / "floats.npy", "0.75");
  prints("--op multiplies " + folder / "none.npy", "1");
}

TEST_CASE("segments that do not fit are refused", "[tool]") {
  test_folder const folder;
  std::string const scan = "segmented-scan" + one_back_end();
  std::string const in = folder / "in.npy", out = folder / "out.npy";
  std::string const two = folder / "two.npy", floats = folder / "floats.npy";
  write_npy(in, std::vector<std::int8_t>{1, 2, 3});
  write_npy(two, std::vector<std::int8_t>{0, 2});
  write_npy(floats, std::vector<float>{0, 3});
  fails(2, "", scan + in + " " + out);
  fails(2, "", scan + "--heads " + two + " --keys " + two + " " + in + " " + out);
  fails(1, "there are 3 to scan", scan + "--heads " + two + " " + in + " " + out);
  fails(1, "there are 3 to scan", scan + "--keys " + two + " " + in + " " + out);
  fails(1, "end with 3", scan + "--offsets " + two + " " + in + " " + out);
  fails(1, "flags are integers", scan + "--heads " + floats + " " + in + " " + out);
  fails(1, "offsets are integers", scan + "--offsets " + floats + " " + in + " " + out);
  std::string const reduce = "reduce" + one_back_end();
  fails(2, "", reduce + "--heads " + two + " --keys " + two + " " + in);
  fails(2, "--keys", reduce + "--heads " + two + " --unique-keys " + out + " " + in);
  fails(1, "there are 3 to reduce", reduce + "--heads " + two + " " + in);
  fails(1, "end with 3", reduce + "--offsets " + two + " " + in + " " + out);
  fails(1, "float32", "reduce" + one_back_end() + "--op xor " + floats);
  CHECK(folder.files().size() == 3);
}
