// SPDX-License-Identifier: MIT
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cstdint>

namespace {

/// Scans `in` by the tool, with segments as the file `where` says them to `option`.
template <class T, class Where>
std::vector<T> scanned(std::string const& options, std::string const& option,
                       std::vector<Where> const& where, std::vector<T> const& in) {
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  write_npy(folder / "where.npy", where);
  auto const result =
      run_tool("segmented-scan " + options + " " + option + " " + folder / "where.npy" + " " +
               folder / "in.npy" + " " + folder / "out.npy");
  CAPTURE(options, result.errors);
  REQUIRE(result.status == 0);
  REQUIRE(result.errors.empty());
  return read_npy<T>(folder / "out.npy");
}

}  // namespace

TEST_CASE("the tool scans segments as its help says", "[tool]") {
  using items = std::vector<std::int32_t>;
  items const in{3, 1, 4, 1, 5, 9};
  auto const on = GENERATE(from_range(back_end_options()));
  std::vector<std::uint8_t> const heads{0, 0, 1, 255, 0, 0}, ends{0, 1, 1, 0, 0, 0};
  auto const gives = [&](std::string const& options, items const& out) {
    bool const backward = options.find("--backward") != std::string::npos;
    CHECK(scanned(on + options, "--heads", backward ? ends : heads, in) == out);
    CHECK(scanned(on + options, "--offsets", std::vector<std::int64_t>{0, 2, 2, 3, 6}, in) == out);
    CHECK(scanned(on + options, "--keys", std::vector<float>{7, 7, 5, 7, 7, 7}, in) == out);
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
  auto const check = [&](std::string const& name, auto op, T identity) {
    CAPTURE(name);
    sam::scan_policy<decltype(op)> const policy{op};
    CHECK((scanned(on + "--op " + name, "--heads", heads, in) ==
           sam::reference::segmented_inclusive_scan(in, heads, policy)));
    CHECK((scanned(on + "--backward --exclusive --op " + name, "--heads", heads, in) ==
           sam::reference::segmented_exclusive_scan(in, heads, sam::backward(policy), identity)));
    test_folder const folder;
    write_npy(folder / "in.npy", in);
    REQUIRE(run_tool("reduce" + on + "--op " + name + " " + folder / "in.npy" + " " +
                     folder / "out.npy")
                .status == 0);
    CHECK(read_npy<T>(folder / "out.npy") == sam::reference::reduce(in, policy, identity));
    write_npy(folder / "heads.npy", heads);
    REQUIRE(run_tool("reduce" + on + "--heads " + folder / "heads.npy" + " --op " + name + " " +
                     folder / "in.npy" + " " + folder / "out.npy")
                .status == 0);
    CHECK(read_npy<T>(folder / "out.npy") ==
          sam::reference::segmented_reduce(in, offsets, policy, identity));
  };
  check("plus", sam::plus{}, T(0));
  check("min", sam::minimum{}, sam::highest_of<T>);
  if constexpr (std::is_integral_v<T>)
    check("or", sam::bit_or{}, T(0));
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
