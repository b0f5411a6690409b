// SPDX-License-Identifier: MIT
// Tests the command top of the tool.
#include "tool.hpp"
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

/// Chooses from `in` with the tool and returns the output.
template <class Out, class T>
std::vector<Out> top(std::string const& options, std::vector<T> const& in) {
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  auto const result =
      run_tool("top " + options + " " + folder / "in.npy" + " " + folder / "out.npy");
  CAPTURE(options, result.errors);
  REQUIRE(result.status == 0);
  return read_npy<Out>(folder / "out.npy");
}

}  // namespace

TEST_CASE("the tool finds the largest and the smallest items as its help says", "[tool]") {
  using indices = std::vector<std::int64_t>;
  auto const on = GENERATE(from_range(back_end_options()));
  std::vector<std::int16_t> const in{3, -1, 4, -1, 5, 9, 5};
  CHECK(top<std::int16_t>(on, in) == std::vector<std::int16_t>{9});
  CHECK(top<std::int16_t>(on + "--count 3", in) == std::vector<std::int16_t>{9, 5, 5});
  CHECK(top<std::int64_t>(on + "--count 3 --indices", in) == indices{5, 4, 6});
  CHECK(top<std::int64_t>(on + "--count 3 --indices --smallest", in) == indices{1, 3, 0});
  CHECK(top<std::int64_t>(on + "--count 0 --indices", in).empty());
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const reals{-0.0, 0.0, nan, -2.5};
  CHECK(top<std::int64_t>(on + "--count 4 --indices", reals) == indices{2, 0, 1, 3});
  CHECK(std::isnan(top<double>(on, reals)[0]));
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  fails(1, "--count 8 must lie from 0 to 7",
        "top --count 8" + on + " " + folder / "in.npy" + " " + folder / "out.npy");
}
