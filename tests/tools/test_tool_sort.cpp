// SPDX-License-Identifier: MIT
// Tests the command sort of the tool.
#include <sam/digits.hpp>
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace {

/// Sorts `in` with the tool and returns the output.
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

TEST_CASE("the tool sorts each segment as its help says", "[tool]") {
  using items = std::vector<std::int32_t>;
  using indices = std::vector<std::int64_t>;
  test_folder const folder;
  auto const on = GENERATE(from_range(back_end_options()));
  std::string const out = folder / "out.npy", values_out = folder / "values_out.npy";
  write_npy(folder / "in.npy", items{3, -1, 4, 1, 9, 1});
  write_npy(folder / "values.npy", std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5});
  write_npy(folder / "heads.npy", std::vector<std::uint8_t>{0, 0, 1, 255, 0, 0});
  write_npy(folder / "offsets.npy", indices{0, 2, 2, 3, 6});
  write_npy(folder / "keys.npy", std::vector<float>{7, 7, 5, 7, 7, 7});
  for (std::string const where : {"heads", "offsets", "keys"}) {
    auto const sort = [&](std::string const& options) {
      auto const result = run_tool("sort" + on + options + " --" + where + " " +
                                   folder / (where + ".npy") + " " + folder / "in.npy" + " " + out);
      CAPTURE(where, options, result.errors);
      REQUIRE(result.status == 0);
    };
    sort("");
    CHECK(read_npy<std::int32_t>(out) == items{-1, 3, 4, 1, 1, 9});
    sort("--argsort");
    CHECK(read_npy<std::int64_t>(out) == indices{1, 0, 2, 3, 5, 4});
    sort("--descending --values " + folder / "values.npy" + " " + values_out);
    CHECK(read_npy<std::int32_t>(out) == items{3, -1, 4, 9, 1, 1});
    CHECK(read_npy<std::uint8_t>(values_out) == std::vector<std::uint8_t>{0, 1, 2, 4, 3, 5});
  }
}

TEMPLATE_TEST_CASE("the tool sorts segments as the reference does", "[tool]", std::int8_t,
                   std::uint16_t, std::int32_t, float, std::int64_t, double) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  test_folder const folder;
  auto const in = random_items<T>(70'001, 5);
  auto const values =
      random_items<std::conditional_t<sizeof(T) < 4, double, std::int16_t>>(70'001, 6);
  using value = typename decltype(values)::value_type;
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t k = 1; offsets.back() < 70'001; ++k)
    offsets.push_back(std::min<std::int64_t>(offsets.back() + k * k % 997, 70'001));
  write_npy(folder / "in.npy", in);
  write_npy(folder / "values.npy", values);
  write_npy(folder / "offsets.npy", offsets);
  std::string const files =
      " --offsets " + folder / "offsets.npy" + " " + folder / "in.npy" + " " + folder / "out.npy";
  auto const check = [&](std::string const& options, auto digits) {
    auto const order = sam::reference::segmented_radix_argsort<std::int64_t>(in, offsets, digits, 0,
                                                                             8 * sizeof(T));
    REQUIRE(run_tool("sort" + on + options + files).status == 0);
    CHECK(read_npy<T>(folder / "out.npy") == sam::reference::in_order(in, order));
    REQUIRE(run_tool("sort" + on + options + "--argsort" + files).status == 0);
    CHECK(read_npy<std::int64_t>(folder / "out.npy") == order);
    REQUIRE(run_tool("sort" + on + options + "--values " + folder / "values.npy" + " " +
                     folder / "values_out.npy" + files)
                .status == 0);
    CHECK(read_npy<T>(folder / "out.npy") == sam::reference::in_order(in, order));
    CHECK(read_npy<value>(folder / "values_out.npy") == sam::reference::in_order(values, order));
  };
  check("", sam::number_digits<T>{});
  check("--descending ", [](T x) { return ~std::uint64_t{sam::number_digits<T>{}(x)}; });
}

TEMPLATE_TEST_CASE("segments to sort may be said in any way", "[tool]", std::uint8_t, std::int16_t,
                   float, std::int64_t) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  test_folder const folder;
  for (std::size_t const n : {0, 1, 333, 9001}) {
    CAPTURE(n);
    auto const in = random_items<T>(n, 5);
    std::vector<std::uint8_t> heads(n, 0);
    std::vector<T> keys;
    for (std::size_t i = 0; i < n; ++i) {
      heads[i] = i % 7 == 3 || i % 100 == 0;
      keys.push_back(static_cast<T>(i == 0 ? T(0) : heads[i] != 0 ? 1 - keys[i - 1] : keys[i - 1]));
    }
    auto const offsets = sam::reference::offsets_of(heads);
    write_npy(folder / "in.npy", in);
    write_npy(folder / "heads.npy", heads);
    write_npy(folder / "offsets.npy", offsets);
    write_npy(folder / "keys.npy", keys);
    auto const order = sam::reference::segmented_radix_argsort<std::int64_t>(
        in, offsets, sam::number_digits<T>{}, 0, 8 * sizeof(T));
    write_npy(folder / "packed.npy", packed(heads));
    for (std::string const where : {"heads", "packed", "offsets", "keys"}) {
      CAPTURE(where);
      std::string const files = (where == "packed" ? " --packed --heads " : " --" + where + " ") +
                                folder / (where + ".npy") + " " + folder / "in.npy" + " " +
                                folder / "out.npy";
      REQUIRE(run_tool("sort" + on + files).status == 0);
      CHECK(read_npy<T>(folder / "out.npy") == sam::reference::in_order(in, order));
      REQUIRE(run_tool("sort --argsort" + on + files).status == 0);
      CHECK(read_npy<std::int64_t>(folder / "out.npy") == order);
    }
  }
}

TEST_CASE("segments that do not fit the items to sort are refused", "[tool]") {
  test_folder const folder;
  std::string const in = folder / "in.npy", two = folder / "two.npy", falls = folder / "falls.npy";
  std::string const sort = "sort" + one_back_end(), files = " " + in + " " + folder / "out.npy";
  write_npy(in, std::vector<std::int8_t>{1, 2, 3});
  write_npy(two, std::vector<std::int8_t>{0, 2});
  write_npy(falls, std::vector<std::int8_t>{0, 2, 1, 3});
  fails(2, "", sort + "--heads " + two + " --keys " + two + files);
  fails(1, "there are 3 to sort", sort + "--heads " + two + files);
  fails(1, "there are 3 to sort", sort + "--keys " + two + files);
  fails(1, "end with 3", sort + "--offsets " + two + files);
  fails(1, "never fall", sort + "--argsort --offsets " + falls + files);
  CHECK(folder.files().size() == 3);
}

TEMPLATE_TEST_CASE("the tool sorts by some bits alone", "[tool]", std::int8_t, std::uint16_t, float,
                   std::int64_t) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const n = GENERATE(0, 1, 9001);
  test_folder const folder;
  std::string const files = folder / "in.npy" + " " + folder / "out.npy";
  std::string const values_out = folder / "values_out.npy";
  auto const in = random_items<T>(static_cast<std::size_t>(n), 5);
  auto const values = random_items<std::int16_t>(in.size(), 6);
  std::vector<int> const offsets{0, n / 3, n / 3, n / 2, n};
  write_npy(folder / "in.npy", in);
  write_npy(folder / "values.npy", values);
  write_npy(folder / "offsets.npy", offsets);
  sam::number_digits<T> const rising;
  auto const falling = [=](T x) { return ~std::uint64_t{rising(x)}; };
  auto const check = [&](int begin, int end) {
    CAPTURE(n, begin, end);
    auto const sorts = [&](std::string const& options, std::vector<std::int64_t> const& order) {
      std::string const sort = "sort" + on + options + "--bits " + std::to_string(begin) + " " +
                               std::to_string(end) + " ";
      CAPTURE(options);
      REQUIRE(run_tool(sort + files).status == 0);
      CHECK((read_npy<T>(folder / "out.npy") == sam::reference::in_order(in, order)));
      REQUIRE(run_tool(sort + "--argsort " + files).status == 0);
      CHECK(read_npy<std::int64_t>(folder / "out.npy") == order);
      REQUIRE(
          run_tool(sort + "--values " + folder / "values.npy " + values_out + " " + files).status ==
          0);
      CHECK((read_npy<T>(folder / "out.npy") == sam::reference::in_order(in, order)));
      CHECK(read_npy<std::int16_t>(values_out) == sam::reference::in_order(values, order));
    };
    std::string const where = "--offsets " + folder / "offsets.npy ";
    using std::int64_t;
    sorts("", sam::reference::radix_argsort<int64_t>(in, rising, begin, end));
    sorts("--descending ", sam::reference::radix_argsort<int64_t>(in, falling, begin, end));
    sorts(where, sam::reference::segmented_radix_argsort<int64_t>(in, offsets, rising, begin, end));
    sorts(where + "--descending ",
          sam::reference::segmented_radix_argsort<int64_t>(in, offsets, falling, begin, end));
  };
  constexpr int all = 8 * sizeof(T);
  check(3, 7);
  if (n > 1) {
    check(0, 5);
    check(all - 2, all);
    check(4, 4);
  }
}

TEMPLATE_TEST_CASE("the tool sorts floats as numbers, or in IEEE 754's total order", "[tool]",
                   float, double) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const nan = std::numeric_limits<T>::quiet_NaN();
  T const some[] = {0, -T(0), nan, -nan, 1, -1, std::numeric_limits<T>::infinity()};
  auto const turns = random_items<std::uint32_t>(5001, 3);
  std::vector<T> in;
  for (auto const turn : turns)
    in.push_back(some[turn % std::size(some)]);
  auto const values = random_items<std::uint16_t>(in.size(), 4);
  std::vector<int> const offsets{0, 17, 17, 3000, 5001};
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  write_npy(folder / "values.npy", values);
  write_npy(folder / "offsets.npy", offsets);
  std::string const files = folder / "in.npy" + " " + folder / "out.npy";
  std::string const beside = "--values " + folder / "values.npy" + " " + folder / "values_out.npy ";
  // Compares bytes, because NaN differs from itself and -0 equals 0.
  auto const same = [](std::vector<T> const& a, std::vector<T> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  };
  auto const check = [&](std::string const& options, auto digits) {
    for (bool const in_segments : {false, true}) {
      auto const ends = in_segments ? offsets : std::vector<int>{0, 5001};
      std::string const sort =
          "sort" + on + options + (in_segments ? "--offsets " + folder / "offsets.npy" + " " : "");
      CAPTURE(sort);
      auto const order =
          sam::reference::segmented_radix_argsort<std::int64_t>(in, ends, digits, 0, 8 * sizeof(T));
      REQUIRE(run_tool(sort + files).status == 0);
      CHECK(same(read_npy<T>(folder / "out.npy"), sam::reference::in_order(in, order)));
      REQUIRE(run_tool(sort + "--argsort " + files).status == 0);
      CHECK(read_npy<std::int64_t>(folder / "out.npy") == order);
      REQUIRE(run_tool(sort + beside + files).status == 0);
      CHECK(same(read_npy<T>(folder / "out.npy"), sam::reference::in_order(in, order)));
      CHECK(read_npy<std::uint16_t>(folder / "values_out.npy") ==
            sam::reference::in_order(values, order));
    }
  };
  sam::number_digits<T> const total;
  check("--total-order ", total);
  check("--total-order --descending ", [=](T x) { return ~std::uint64_t{total(x)}; });
  // Returns the rank of a number among all numbers in the array; NaN is last.
  auto const numeric = [](T x) -> std::uint64_t {
    return x != x ? 4 : x < 0 ? 0 : x == 0 ? 1 : x == 1 ? 2 : 3;
  };
  check("", numeric);
  check("--descending ", [=](T x) { return ~numeric(x); });
}

TEST_CASE("bits that items do not have are refused", "[tool]") {
  test_folder const folder;
  std::string const bytes = folder / "bytes.npy", floats = folder / "floats.npy";
  std::string const sort = "sort" + one_back_end() + "--bits ", out = " " + folder / "out.npy";
  write_npy(bytes, std::vector<std::int8_t>{3, 1, 2});
  write_npy(floats, std::vector<float>{3, 1, 2});
  fails(1, "--bits 0 9 must not fall, and lie from 0 to 8, for items of int8",
        sort + "0 9 " + bytes + out);
  fails(1, "for items of int8", sort + "0 32 --heads " + bytes + " " + bytes + out);
  fails(1, "from 0 to 32, for items of float32", sort + "33 33 --argsort " + floats + out);
  fails(1, "--bits 5 4 must",
        sort + "5 4 --values " + bytes + " " + folder / "values.npy" + " " + floats + out);
  fails(1, "--bits -1 4 must", sort + "-1 4 " + bytes + out);
  fails(2, "--bits", sort + "3 " + bytes + out);
  fails(2, "--bits", sort + "0 two " + bytes + out);
  CHECK(folder.files().size() == 2);
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
