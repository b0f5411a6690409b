// SPDX-License-Identifier: MIT
// Tests histograms, summed-area tables, recurrences and filters of the tool.
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace {

/// Runs `sam <command> in.npy... out.npy` on these arrays.
template <class Out, class... In>
std::vector<Out> made(std::string const& command, std::string const& says,
                      std::vector<In> const&... in) {
  test_folder const folder;
  std::string files;
  auto const add = [&](auto const& items) {
    std::string const name = folder / ("in" + std::to_string(files.size()) + ".npy");
    write_npy(name, items);
    files += " " + name;
  };
  (add(in), ...);
  auto const result = run_tool(command + files + " " + folder / "out.npy");
  CAPTURE(command, result.errors);
  REQUIRE(result.status == 0);
  REQUIRE(result.errors.empty());
  CHECK(result.output == says);
  CHECK(npy_header(read_bytes(folder / "out.npy")).find(descr<Out>()) != std::string::npos);
  return read_npy<Out>(folder / "out.npy");
}

template <class T>
void write_image(std::string const& path, std::vector<T> const& items, std::size_t width) {
  write_npy(path, items);
  std::string const shape =
      std::to_string(items.size() / width) + ", " + std::to_string(width) + "), }";
  std::string const header = "{'descr': '" + descr<T>() + "', 'fortran_order': False, 'shape': (";
  write_bytes(path, npy_bytes(header + shape, npy_items(read_bytes(path))));
}

std::vector<std::int64_t> summed_up(std::vector<std::int64_t> const& counts) {
  std::vector<std::int64_t> below{0};
  for (std::int64_t const count : counts)
    below.push_back(below.back() + count);
  return below;
}

/// The type in which the tool computes sums, recurrences and filters of T.
template <class T>
using wide =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

}  // namespace

TEMPLATE_TEST_CASE("the tool counts items in bins", "[tool]", std::int8_t, std::uint16_t,
                   std::int32_t, std::uint64_t, float, double) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const in = random_items<T>(20'001, 5);
  std::vector<std::int64_t> even(8), between(3);
  T const lower = std::is_signed_v<T> ? T(-2) : T(0), upper = T(30);
  std::vector<T> const boundaries{lower, T(1), T(1), upper};
  for (T const x : in)
    if (lower <= x && x < upper) {
      ++even[static_cast<std::size_t>((x - lower) * 8 / (upper - lower))];
      ++between[x < T(1) ? 0 : 2];
    }
  std::int64_t const inside = between[0] + between[2];
  std::string const says = std::to_string(inside) + " of 20001 items lie in a bin\n";
  std::string const limits =
      "--bins 8 --from " + std::to_string(static_cast<int>(lower)) + " --to 30";
  CHECK(made<std::int64_t>("histogram" + on + limits, says, in) == even);
  CHECK(made<std::int64_t>("histogram --cumulative" + on + limits, says, in) == summed_up(even));

  test_folder const folder;
  write_npy(folder / "edges.npy", boundaries);
  std::string const edges = "--boundaries " + folder / "edges.npy";
  CHECK(made<std::int64_t>("histogram" + on + edges, says, in) == between);
  CHECK(made<std::int64_t>("histogram --cumulative" + on + edges, says, in) == summed_up(between));
}

TEST_CASE("the tool counts at the ends of types, and no NaN", "[tool]") {
  using counts = std::vector<std::int64_t>;
  auto const on = one_back_end();
  std::vector<std::int8_t> const bytes{-128, -1, 0, 127};
  CHECK(made<std::int64_t>("histogram --bins 2 --from -128 --to 128" + on,
                           "4 of 4 items lie in a bin\n", bytes) == counts{2, 2});
  using wide = std::numeric_limits<std::uint64_t>;
  std::vector<std::uint64_t> const words{0, wide::max() / 2, wide::max() / 2 + 1, wide::max()};
  CHECK(made<std::int64_t>("histogram --bins 4 --from 0 --to 18446744073709551616" + on,
                           "4 of 4 items lie in a bin\n", words) == counts{1, 1, 1, 1});
  CHECK(made<std::int64_t>(
            "histogram --bins 1 --from 9223372036854775808 --to 18446744073709551615" + on,
            "1 of 4 items lie in a bin\n", words) == counts{1});
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const doubles{nan, -0.0, 1, 2, -nan};
  CHECK(made<std::int64_t>("histogram --bins 2 --from 0 --to 2" + on, "2 of 5 items lie in a bin\n",
                           doubles) == counts{1, 1});
}

TEMPLATE_TEST_CASE("the tool sums up images", "[tool]", std::uint8_t, std::int32_t, float) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  constexpr std::size_t width = 23, height = 317;
  auto const image = random_items<T>(width * height, 5);
  test_folder const folder;
  write_image(folder / "in.npy", image, width);
  std::string const command = "summed-area-table" + on, in = " " + folder / "in.npy";
  std::string const out = " " + folder / "out.npy";
  for (bool const exclusive : {false, true}) {
    REQUIRE(run_tool(command + (exclusive ? "--exclusive" : "") + in + out).status == 0);
    CHECK(read_npy<wide<T>>(folder / "out.npy") ==
          sam::reference::summed_area_table<wide<T>>(image, width, exclusive));
    CHECK(npy_header(read_bytes(folder / "out.npy")).find("(317, 23)") != std::string::npos);
  }
  wide<T> sum{};
  for (std::size_t y = 100; y < height; ++y)
    for (std::size_t x = 3; x < 20; ++x)
      sum += static_cast<wide<T>>(image[y * width + x]);
  auto const printed = run_tool(command + "--box 100 3 317 20" + in);
  CHECK(printed.status == 0);
  CHECK(std::stod(printed.output) == static_cast<double>(sum));
  CHECK(run_tool(command + "--box 7 3 7 20" + in).output == "0\n");
  auto const box = [&](std::string const& sides) {
    return run_tool(command + sides + " --box 100 3 316 22" + in).output;
  };
  CHECK(box("--exclusive") == box(""));
  fails(1, "--box must say", command + "--exclusive --box 100 3 317 20" + in);
  fails(1, "--box must say", command + "--exclusive --box 100 3 316 23" + in);
  fails(1, "--box must say", command + "--box 0 0 318 1" + in + out);
  fails(1, "--box must say", command + "--box 5 0 4 1" + in + out);
  fails(1, "--box must say", command + "--box 5 -1 6 1" + in + out);
  write_npy(folder / "in.npy", image);
  fails(1, "has rank 1", command + in + out);
}

TEMPLATE_TEST_CASE("the tool solves recurrences and filters", "[tool]", std::int8_t, std::uint32_t,
                   std::int64_t, float, double) {
  using T = TestType;
  using U = wide<T>;
  auto const on = GENERATE(from_range(back_end_options()));
  constexpr bool floats = std::is_floating_point_v<T>;
  auto a = random_items<T>(30'001, 5);
  auto const b = random_items<T>(a.size(), 6);
  if constexpr (floats)  // keeps all sums exact
    std::ranges::transform(a, a.begin(), [](T x) { return x < 0 ? T(0) : T(x == 0 ? -1 : 1); });
  auto const check = [&](std::vector<T> const& got, std::vector<U> const& wanted) {
    CHECK(got == converted<T>(wanted));
  };
  auto const wide_a = converted<U>(a), wide_b = converted<U>(b);
  check(made<T>("linear-recurrence" + on, "", a, b),
        sam::reference::linear_recurrence<U>(wide_a, wide_b, U(0)));
  check(made<T>("linear-recurrence --init 7" + on, "", a, b),
        sam::reference::linear_recurrence<U>(wide_a, wide_b, U(7)));
  auto const check_filter = [&]<std::size_t Q>(std::string const& options, std::array<int, Q> c,
                                               std::array<int, Q> before) {
    std::array<U, Q> wide_c, wide_before;
    std::ranges::transform(c, wide_c.begin(), [](int x) { return static_cast<U>(x); });
    std::ranges::transform(before, wide_before.begin(), [](int x) { return static_cast<U>(x); });
    check(made<T>("linear-filter --coefficients " + options + on, "", b),
          sam::reference::linear_filter(wide_b, wide_c, wide_before));
  };
  check_filter("1", std::array{1}, std::array{0});
  check_filter("-1 --before 3", std::array{-1}, std::array{3});
  check_filter("0,1 --before 1,2", std::array{0, 1}, std::array{1, 2});
  check_filter("-1,-1,-1 --before 1,2,3", std::array{-1, -1, -1}, std::array{1, 2, 3});
  check_filter("0,-1,0,0", std::array{0, -1, 0, 0}, std::array{0, 0, 0, 0});
  if constexpr (!floats)
    check_filter("2,-1,5,3 --before 4,3,2,1", std::array{2, -1, 5, 3}, std::array{4, 3, 2, 1});
}

TEST_CASE("inputs that recurrences and filters do not allow are refused", "[tool]") {
  test_folder const folder;
  std::string const on = one_back_end(), out = " " + folder / "out.npy";
  std::string const bytes = " " + folder / "bytes.npy", floats = " " + folder / "floats.npy";
  write_npy(folder / "bytes.npy", std::vector<std::int8_t>{1, 3, 2});
  write_npy(folder / "floats.npy", std::vector<float>{1, 2});
  std::string const even = "histogram" + on + "--bins 5 ";
  fails(1, "--from 0.5 is not an integer, as the items are",
        even + "--from 0.5 --to 5" + bytes + out);
  fails(1, "--to 18446744073709551617 is not an integer",
        even + "--from 0 --to 18446744073709551617" + bytes + out);
  fails(1, "more than 2^64 integers", even + "--from -1 --to 18446744073709551616" + bytes + out);
  fails(1, "that must be a range", even + "--from 5 --to 5" + bytes + out);
  fails(1, "that must be a range", even + "--from nan --to 5" + floats + out);
  fails(1, "none is below", "histogram" + on + "--boundaries" + bytes + bytes + out);
  fails(1, "boundaries are of the type", "histogram" + on + "--boundaries" + floats + bytes + out);
  fails(1, "of one type", "linear-recurrence" + on + floats + bytes + out);
  std::string const filter = "linear-filter" + on + "--coefficients ";
  fails(1, "--coefficients 1.5 is not an integer, as the items are",
        filter + "2,1.5" + bytes + out);
  fails(1, "--coefficients '' is not an integer", filter + "1,,2" + bytes + out);
  fails(1, "--coefficients are 5", filter + "1,2,3,4,5" + bytes + out);
  fails(1, "--before needs an item for each coefficient: 2, not 1",
        filter + "1,2 --before 1" + bytes + out);
  write_npy(folder / "floats.npy", std::vector<std::int8_t>{1, 2});
  fails(1, "holds 2 items but", "linear-recurrence" + on + floats + bytes + out);
  CHECK(folder.files().size() == 2);
}
