// SPDX-License-Identifier: MIT
// Tests the commands compact, partition, unique and rle of the tool.
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cstdint>
#include <functional>
#include <limits>

namespace {

/// Runs a command of the tool on `in` and returns its output, in items of type Out.
template <class Out, class T>
std::vector<Out> made_as(std::string const& command, std::vector<T> const& in,
                         std::string const& says = "") {
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  auto const result = run_tool(command + " " + folder / "in.npy" + " " + folder / "out.npy");
  CAPTURE(command, result.errors);
  REQUIRE(result.status == 0);
  REQUIRE(result.errors.empty());
  REQUIRE(result.output == says);
  return read_npy<Out>(folder / "out.npy");
}
template <class T>
std::vector<T> made(std::string const& command, std::vector<T> const& in,
                    std::string const& says = "") {
  return made_as<T>(command, in, says);
}

using all_types = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                             std::uint16_t, std::uint32_t, std::uint64_t, float, double>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("the tool keeps what its options say, of every type", "[tool]", all_types) {
  using T = TestType;
  auto const in = random_items<T>(3001, 5);
  T const pivot = std::is_floating_point_v<T> ? T(0) : in[0];
  std::string const value = " " + std::to_string(pivot) + one_back_end();
  auto const check = [&](std::string const& option, auto keep) {
    CAPTURE(option, value);
    CHECK(made("compact " + option + value, in) == sam::reference::compact(in, keep));
    auto const kept = std::to_string(sam::reference::compact(in, keep).size());
    CHECK(made("partition " + option + value, in, kept + " of 3001 items come first\n") ==
          sam::reference::partition(in, keep));
    CHECK(made_as<std::int64_t>("compact --indices " + option + value, in) ==
          sam::reference::compact_indices<std::int64_t>(in, keep));
    auto const equals = [=](T x) { return x == pivot; };
    auto const also = [=](T x) { return !keep(x) && equals(x); };
    auto const then = std::to_string(sam::reference::compact(in, also).size());
    CHECK(made("partition " + option + " " + std::to_string(pivot) + " --then-equal" + value, in,
               kept + " of 3001 items come first, then " + then + "\n") ==
          sam::reference::three_way_partition(in, keep, equals));
  };
  check("--greater", [=](T x) { return x > pivot; });
  check("--less", [=](T x) { return x < pivot; });
  check("--equal", [=](T x) { return x == pivot; });
}

TEST_CASE("the tool compares at the ends of types, and zeros and NaN as C++ does", "[tool]") {
  auto const on = one_back_end();
  using bytes = std::vector<std::int8_t>;
  CHECK(made("compact --greater 127" + on, bytes{127, -128, 0}) == bytes{});
  CHECK(made("compact --less -128" + on, bytes{127, -128, 0}) == bytes{});
  CHECK(made("compact --less 127" + on, bytes{127, -128, 0}) == bytes{-128, 0});
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  using doubles = std::vector<double>;
  doubles const in{-0.0, 0.0, 1e-310, -1e-310, nan, -nan, infinity, -infinity};
  CHECK(made("compact --equal -0" + on, in) == doubles{0, 0});
  CHECK(made("compact --greater 0" + on, in) == doubles{1e-310, infinity});
  CHECK(made("compact --less 0" + on, in) == doubles{-1e-310, -infinity});
  CHECK(made("compact --greater nan" + on, in) == doubles{});
  CHECK(made("compact --less inf" + on, in).size() == 5);
}

TEST_CASE("the tool keeps what flags say", "[tool]") {
  auto const on = GENERATE(from_range(back_end_options()));
  test_folder const folder;
  auto const in = random_items<std::int16_t>(1001, 7);
  std::vector<std::int32_t> flags(in.size());
  for (std::size_t i = 0; i < flags.size(); ++i)
    flags[i] = i % 3 == 0 ? 0 : static_cast<std::int32_t>(i << 20);
  write_npy(folder / "in.npy", in);
  write_npy(folder / "flags.npy", flags);
  auto const kept = sam::reference::compact_flagged(in, flags);
  std::string const files = " " + folder / "in.npy" + " " + folder / "out.npy";
  auto const by_flags = " --flags " + folder / "flags.npy" + on + files;
  REQUIRE(run_tool("compact" + by_flags).status == 0);
  CHECK(read_npy<std::int16_t>(folder / "out.npy") == kept);
  REQUIRE(run_tool("partition" + by_flags).status == 0);
  auto parted = kept;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (flags[i] == 0)
      parted.push_back(in[i]);
  CHECK(read_npy<std::int16_t>(folder / "out.npy") == parted);
  REQUIRE(run_tool("compact --indices" + by_flags).status == 0);
  CHECK(read_npy<std::int64_t>(folder / "out.npy") ==
        sam::reference::compact_indices_flagged<std::int64_t>(flags));

  fails(2, "", "compact" + on + files);
  fails(2, "", "compact --less 1 --greater 2" + on + files);
  fails(2, "", "partition" + on + "--less 1 --then-less 2 --then-equal 3" + files);
  fails(2, "", "partition" + on + "--then-less 2" + files);
  fails(2, "excludes", "partition --then-less 2" + by_flags);
  fails(2, "--indices", "partition --indices" + by_flags);
  fails(1, "--then-equal 1.5 is not", "partition --less 1 --then-equal 1.5" + on + files);
  fails(1, "--less 1.5 is not a number of type int16", "compact --less 1.5" + on + files);
  write_npy(folder / "flags.npy", std::vector<std::int8_t>(5));
  fails(1, "holds 5 flags", "compact" + by_flags);
  write_npy(folder / "flags.npy", std::vector<float>(1001));
  fails(1, "flags are integers", "compact" + by_flags);
}

TEMPLATE_TEST_CASE("the tool keeps what packed flags say", "[tool]", std::uint8_t, std::int16_t,
                   float, std::int64_t) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  test_folder const folder;
  std::string const files = " --packed --flags " + folder / "flags.npy" + on + folder / "in.npy" +
                            " " + folder / "out.npy";
  for (std::size_t const n : {0, 1, 31, 32, 33, 1001, 40'000}) {
    CAPTURE(n);
    auto const in = random_items<T>(n, 7);
    auto flags = random_items<std::uint8_t>(n, 8);
    for (auto& flag : flags)
      flag = flag % 3 == 0;
    write_npy(folder / "in.npy", in);
    write_npy(folder / "flags.npy", packed(flags));
    auto wanted = sam::reference::compact_flagged(in, flags);
    REQUIRE(run_tool("compact" + files).status == 0);
    CHECK((read_npy<T>(folder / "out.npy") == wanted));
    REQUIRE(run_tool("compact --indices" + files).status == 0);
    CHECK(read_npy<std::int64_t>(folder / "out.npy") ==
          sam::reference::compact_indices_flagged<std::int64_t>(flags));
    auto const parted = run_tool("partition" + files);
    CHECK(parted.output ==
          std::to_string(wanted.size()) + " of " + std::to_string(n) + " items come first\n");
    for (auto& flag : flags)
      flag = flag == 0;
    auto const others = sam::reference::compact_flagged(in, flags);
    wanted.insert(wanted.end(), others.begin(), others.end());
    CHECK((read_npy<T>(folder / "out.npy") == wanted));
  }
}

TEST_CASE("packed flags that do not fit are refused", "[tool]") {
  test_folder const folder;
  std::string const files = one_back_end() + folder / "in.npy" + " " + folder / "out.npy";
  std::string const flags = folder / "flags.npy", packed_flags = " --packed --flags " + flags;
  write_npy(folder / "in.npy", std::vector<std::int8_t>(33));
  write_npy(flags, std::vector<std::uint32_t>(1));
  std::string const problem = flags + ": holds 1 items; 33 packed flags are 2, with 32 in each";
  fails(1, problem, "compact" + packed_flags + files);
  fails(1, problem, "compact --indices" + packed_flags + files);
  fails(1, problem, "partition" + packed_flags + files);
  fails(1, problem, "segmented-scan --packed --heads " + flags + files);
  fails(1, problem, "reduce --packed --heads " + flags + files);
  fails(1, problem, "sort --packed --heads " + flags + files);
  write_npy(flags, std::vector<std::uint32_t>(33));
  fails(1, flags + ": holds 33 items", "compact" + packed_flags + files);
  write_npy(flags, std::vector<std::int32_t>(2));
  fails(1, flags + ": holds int32; packed flags are uint32", "compact" + packed_flags + files);
  fails(2, "--packed requires --flags", "compact --packed --less 5" + files);
  fails(2, "--packed requires --heads", "segmented-scan --packed --offsets " + flags + files);
  fails(2, "--packed requires --heads", "sort --packed" + files);
  CHECK(folder.files().size() == 2);
}

TEMPLATE_LIST_TEST_CASE("the tool encodes runs and decodes them", "[tool]", all_types) {
  using T = TestType;
  test_folder const folder;
  std::vector<T> in;
  for (int i = 0; i < 2000; ++i)
    in.insert(in.end(), static_cast<std::size_t>(i * 7 % 5), static_cast<T>(i % 3));
  write_npy(folder / "in.npy", in);
  auto const on = one_back_end();
  std::string const encoded = " " + folder / "values.npy" + " " + folder / "lengths.npy";
  REQUIRE(run_tool("rle encode" + on + " " + folder / "in.npy" + encoded).status == 0);
  auto const [values, lengths] =
      sam::reference::run_length_encode<std::int64_t>(in, [](T a, T b) { return a == b; });
  CHECK(read_npy<T>(folder / "values.npy") == values);
  CHECK(read_npy<std::int64_t>(folder / "lengths.npy") == lengths);
  REQUIRE(run_tool("rle decode" + on + encoded + " " + folder / "out.npy").status == 0);
  CHECK(read_npy<T>(folder / "out.npy") == in);
  CHECK(made("unique" + on, in) == values);
}

TEMPLATE_TEST_CASE("the tool keeps the values beside the first of equal items", "[tool]",
                   std::uint8_t, std::int32_t, double) {
  using V = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  test_folder const folder;
  auto keys = random_items<std::int16_t>(9001, 3);
  for (auto& key : keys)
    key = static_cast<std::int16_t>(key & 1);
  auto const values = random_items<V>(keys.size(), 4);
  write_npy(folder / "keys.npy", keys);
  write_npy(folder / "values.npy", values);
  std::string const unique = "unique --values " + folder / "values.npy" + " " +
                             folder / "values_out.npy" + on + " " + folder / "keys.npy" + " " +
                             folder / "out.npy";
  REQUIRE(run_tool(unique).status == 0);
  auto const [first_keys, first_values] =
      sam::reference::unique_by_key(keys, values, std::equal_to<>());
  CHECK(read_npy<std::int16_t>(folder / "out.npy") == first_keys);
  CHECK(read_npy<V>(folder / "values_out.npy") == first_values);
  write_npy(folder / "values.npy", std::vector<V>(5));
  fails(1, "holds 5 values but", unique);
}

TEST_CASE("the tool decodes no lengths that make no sense", "[tool]") {
  test_folder const folder;
  write_npy(folder / "values.npy", std::vector<std::uint8_t>{1, 2});
  std::string const decode = "rle decode" + one_back_end() + " " + folder / "values.npy" + " " +
                             folder / "lengths.npy" + " " + folder / "out.npy";
  write_npy(folder / "lengths.npy", std::vector<std::int64_t>{1, -2});
  fails(1, "holds a length that is negative or too large", decode);
  std::int64_t const most = std::numeric_limits<std::int64_t>::max();
  write_npy(folder / "lengths.npy", std::vector<std::int64_t>{most, most});
  fails(1, "holds a length that is negative or too large", decode);
  write_npy(folder / "lengths.npy", std::vector<std::int64_t>{1});
  fails(1, "holds 1 lengths", decode);
  write_npy(folder / "lengths.npy", std::vector<std::int32_t>{1, 1});
  fails(1, "lengths are int64", decode);
}
