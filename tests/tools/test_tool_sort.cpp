// SPDX-License-Identifier: MIT
#include <sam/digits.hpp>
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <cstdint>

namespace {

/// What the tool writes when it sorts `in`.
template <class Out, class T>
std::vector<Out> sorted(std::string const& options, std::vector<T> const& in) {
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  auto const result =
      run_tool("sort " + options + " " + folder / "in.npy" + " " + folder / "out.npy");
  CAPTURE(options, result.errors);
  REQUIRE(result.status == 0);
  REQUIRE(result.errors.empty());
  CHECK(npy_header(read_bytes(folder / "out.npy")).find(descr<Out>()) != std::string::npos);
  return read_npy<Out>(folder / "out.npy");
}

using all_types = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                             std::uint16_t, std::uint32_t, std::uint64_t, float, double>;

}  // namespace

TEST_CASE("the tool sorts as its help says", "[tool]") {
  using items = std::vector<std::int32_t>;
  using indices = std::vector<std::int64_t>;
  items const in{3, -1, 4, -1, 5, 9};
  auto const on = GENERATE(from_range(back_end_options()));
  CHECK(sorted<std::int32_t>(on, in) == items{-1, -1, 3, 4, 5, 9});
  CHECK(sorted<std::int32_t>(on + "--descending", in) == items{9, 5, 4, 3, -1, -1});
  CHECK(sorted<std::int64_t>(on + "--argsort", in) == indices{1, 3, 0, 2, 4, 5});
  CHECK(sorted<std::int64_t>(on + "--descending --argsort", in) == indices{5, 4, 2, 0, 1, 3});
}

TEMPLATE_LIST_TEST_CASE("the tool sorts as the reference does", "[tool]", all_types) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  constexpr int bits = 8 * sizeof(T);
  for (std::size_t const n : {0, 1, 1000, 70'001}) {
    auto const in = random_items<T>(n, 5);
    auto const order =
        sam::reference::radix_argsort<std::int64_t>(in, sam::number_digits<T>{}, 0, bits);
    CHECK(sorted<T>(on, in) == sam::reference::in_order(in, order));
    CHECK(sorted<std::int64_t>(on + "--argsort", in) == order);
    auto const falling = [](T x) { return ~std::uint64_t{sam::number_digits<T>{}(x)}; };
    CHECK(sorted<std::int64_t>(on + "--argsort --descending", in) ==
          sam::reference::radix_argsort<std::int64_t>(in, falling, 0, bits));
  }
}

TEMPLATE_TEST_CASE("the tool sorts values by the items beside them", "[tool]", std::uint8_t,
                   std::int16_t, float, std::int64_t) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  test_folder const folder;
  auto const keys = random_items<float>(30'001, 3);
  auto const values = random_items<T>(keys.size(), 4);
  write_npy(folder / "keys.npy", keys);
  write_npy(folder / "values.npy", values);
  std::string const files = " --values " + folder / "values.npy" + " " + folder / "values_out.npy" +
                            " " + folder / "keys.npy" + " " + folder / "out.npy";
  auto const check = [&](std::string const& options, auto digits) {
    REQUIRE(run_tool("sort" + on + options + files).status == 0);
    auto const order = sam::reference::radix_argsort<std::int64_t>(keys, digits, 0, 32);
    CHECK(read_npy<float>(folder / "out.npy") == sam::reference::in_order(keys, order));
    CHECK(read_npy<T>(folder / "values_out.npy") == sam::reference::in_order(values, order));
  };
  sam::number_digits<float> const rising;
  check("", rising);
  check("--descending", [=](float x) { return ~std::uint32_t{rising(x)}; });

  write_npy(folder / "values.npy", std::vector<T>(5));
  fails(1, "holds 5 values but", "sort" + on + files);
  fails(2, "excludes", "sort --argsort" + on + files);
}

TEST_CASE("a file of any shape may be sorted into itself", "[tool]") {
  test_folder const folder;
  std::string const items = "\3\1\2\6\5\4";
  auto const file = [](std::string const& bytes) {
    return npy_bytes("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", bytes);
  };
  write_bytes(folder / "a.npy", file(items));
  auto const result = run_tool("sort" + one_back_end() + folder / "a.npy" + " " + folder / "a.npy");
  REQUIRE(result.status == 0);
  CHECK(npy_items(read_bytes(folder / "a.npy")) == "\1\2\3\4\5\6");
  CHECK(npy_header(read_bytes(folder / "a.npy")).find("(2, 3)") != std::string::npos);
}
