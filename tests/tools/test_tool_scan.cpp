// SPDX-License-Identifier: MIT
// Tests the command scan of the tool.
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cstdint>

namespace {

/// Scans `in` with the tool and returns items of type Out.
template <class Out, class T>
std::vector<Out> scanned_to(std::string const& options, std::vector<T> const& in) {
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  auto const result =
      run_tool("scan " + options + " " + folder / "in.npy" + " " + folder / "out.npy");
  CAPTURE(options, result.errors);
  REQUIRE(result.status == 0);
  REQUIRE(result.errors.empty());
  return read_npy<Out>(folder / "out.npy");
}
template <class T>
std::vector<T> scanned(std::string const& options, std::vector<T> const& in) {
  return scanned_to<T>(options, in);
}
template <class T>
std::vector<total<T>> summed(std::string const& options, std::vector<T> const& in) {
  return scanned_to<total<T>>(options, in);
}

/// Returns the name of T for the option --as.
template <class T>
std::string name_of() {
  std::string const kind = std::is_floating_point_v<T> ? "float"
                           : std::is_signed_v<T>       ? "int"
                                                       : "uint";
  return kind + std::to_string(8 * sizeof(T));
}

using all_types = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                             std::uint16_t, std::uint32_t, std::uint64_t, float, double>;

template <class Operator, class T>
std::vector<T> expected(Operator op, std::vector<T> items, int order, sam::index_t tuple_size,
                        bool exclusive, bool backward) {
  auto const forward_policy = sam::tuples_of(tuple_size, op);
  for (int round = 0; round < order; ++round) {
    auto const once = [&](auto policy) {
      if (exclusive)
        return sam::reference::exclusive_scan(items, policy, sam::identity_of<T>(op));
      return sam::reference::inclusive_scan(items, policy);
    };
    items = backward ? once(sam::backward(forward_policy)) : once(forward_policy);
  }
  return items;
}

}  // namespace

TEST_CASE("the tool scans as its help says", "[tool]") {
  using items = std::vector<std::int32_t>;
  items const in{3, 1, 4, 1, 5, 9};
  auto const on = GENERATE(from_range(back_end_options()));
  auto const check = [&](std::string const& options, items const& out) {
    bool const grows = options.find("--op") == std::string::npos ||
                       options.find("multiplies") != std::string::npos;
    CAPTURE(options);
    if (grows)
      CHECK(summed(on + options, in) == widened(out));
    else
      CHECK(scanned(on + options, in) == out);
    CHECK(scanned(on + options + " --as int32", in) == out);
  };
  check("", {3, 4, 8, 9, 14, 23});
  check("--order 2", {3, 7, 15, 24, 38, 61});
  check("--tuple 3", {3, 1, 4, 4, 6, 13});
  check("--order 2 --tuple 3", {3, 1, 4, 7, 7, 17});
  check("--exclusive", {0, 3, 4, 8, 9, 14});
  check("--backward", {23, 20, 19, 15, 14, 9});
  check("--backward --exclusive --tuple 2", {9, 10, 5, 9, 0, 0});
  check("--init 10", {13, 14, 18, 19, 24, 33});
  check("--init -10 --exclusive", {-10, -7, -6, -2, -1, 4});
  check("--init 1 --order 2", {5, 10, 19, 29, 44, 68});
  check("--op multiplies", {3, 3, 12, 12, 60, 540});
  check("--op multiplies --order 2", {3, 9, 108, 1296, 77760, 41990400});
  check("--op multiplies --exclusive --init 2 --tuple 4", {2, 2, 2, 2, 6, 2});
  check("--op min", {3, 1, 1, 1, 1, 1});
  check("--op max --order 5", {3, 3, 4, 4, 5, 9});
  check("--op max --exclusive --order 2 --init 4", {4, 4, 4, 4, 4, 4});
  check("--op min --exclusive", {2147483647, 3, 1, 1, 1, 1});
  check("--op and", {3, 1, 0, 0, 0, 0});
  check("--op or", {3, 3, 7, 7, 7, 15});
  check("--op xor", {3, 2, 6, 7, 2, 11});
  check("--op and --exclusive", {-1, 3, 1, 0, 0, 0});
  check("--op land", {1, 1, 1, 1, 1, 1});
  check("--op land --init 0", {0, 0, 0, 0, 0, 0});
  check("--op lor --exclusive", {0, 1, 1, 1, 1, 1});
  CHECK(scanned(on + "--op land", items{7, -2, 0, 5}) == items{1, 1, 0, 0});
  CHECK(scanned(on + "--op max", std::vector<double>{-2, -3, -1}) ==
        std::vector<double>{-2, -2, -1});
  CHECK(scanned(on + "--init 0.5", std::vector<float>{1, 2}) == std::vector<float>{1.5, 3.5});
}

TEMPLATE_LIST_TEST_CASE("the tool scans as the reference does", "[tool]", all_types) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const in = random_items<T>(70'001, 1);
  auto const check = [&](std::string const& name, auto op, int order, sam::index_t tuple_size,
                         bool exclusive, bool backward) {
    std::string const options = on + " --op " + name + " --order " + std::to_string(order) +
                                " --tuple " + std::to_string(tuple_size) +
                                (exclusive ? " --exclusive" : "") + (backward ? " --backward" : "");
    CAPTURE(options);
    // The parentheses keep Catch2 from printing so many items.
    auto const narrow = expected(op, in, order, tuple_size, exclusive, backward);
    if (name != "plus" && name != "multiplies") {
      CHECK((scanned(options, in) == narrow));
      return;
    }
    CHECK(
        (summed(options, in) == expected(op, widened(in), order, tuple_size, exclusive, backward)));
    if (order <= 5)
      CHECK((scanned(options + " --as " + name_of<T>(), in) == narrow));
  };
  for (bool const exclusive : {false, true})
    for (bool const backward : {false, true}) {
      check("plus", sam::plus{}, 1, 1, exclusive, backward);
      check("min", sam::minimum{}, 1, 3, exclusive, backward);
      check("max", sam::maximum{}, 2, 5, exclusive, backward);
    }
  if constexpr (std::is_integral_v<T>) {
    for (int const order : {2, 5, 8, 12})
      check("plus", sam::plus{}, order, order % 3 + 1, order == 5, order == 8);
    check("multiplies", sam::multiplies{}, 2, 1000, false, false);
    check("and", sam::bit_and{}, 1, 2, false, true);
    check("or", sam::bit_or{}, 3, 5, true, false);
    check("xor", sam::bit_xor{}, 3, 2, true, false);
  } else {
    check("plus", sam::plus{}, 2, 3, false, false);
  }
}

TEST_CASE("every carry scheme gives the same sums", "[tool]") {
  auto const on = GENERATE(from_range(back_end_options()));
  auto const in = random_items<std::int32_t>(500'001, 2);
  auto const sums = expected(sam::plus{}, widened(in), 3, 2, false, false);
  for (std::string const scheme :
       {"decoupled", "chained", "lookback", "reduce_then_scan", "scan_then_propagate"}) {
    CAPTURE(scheme);
    CHECK((summed(on + "--order 3 --tuple 2 --carry " + scheme, in) == sums));
    CHECK((scanned(on + "--as int32 --order 3 --tuple 2 --carry " + scheme, in) ==
           converted<std::int32_t>(sums)));
  }
}

TEST_CASE("arrays of any shape and of none are scanned in C order", "[tool]") {
  test_folder const folder;
  std::string const scan = "scan --as uint8" + one_back_end();
  auto const [shape, items] = GENERATE(table<std::string, std::string>({
      {"(2, 3)", std::string("\1\2\3\4\5\6", 6)},
      {"()", "\7"},
      {"(0,)", ""},
      {"(3, 0, 2)", ""},
      {"(1, 2, 1)", "\1\1"},
  }));
  std::string sums = items;
  for (std::size_t i = 1; i < sums.size(); ++i)
    sums[i] = static_cast<char>(sums[i] + sums[i - 1]);
  for (char const version : {'\1', '\2', '\3'}) {
    write_bytes(folder / "in.npy",
                npy_bytes("{'shape': " + shape + ", \"fortran_order\": False, 'descr': '|u1'}",
                          items, version));
    REQUIRE(run_tool(scan + folder / "in.npy" + " " + folder / "out.npy").status == 0);
    std::string const out = read_bytes(folder / "out.npy");
    CHECK(npy_header(out).starts_with("{'descr': '|u1', 'fortran_order': False, 'shape': " + shape +
                                      ", }"));
    CHECK(npy_header(out).ends_with("\n"));
    CHECK((10 + npy_header(out).size()) % 64 == 0);
    CHECK(npy_items(out) == sums);
  }
}

TEST_CASE("a file may be scanned into itself", "[tool]") {
  test_folder const folder;
  std::string const scan = "scan" + one_back_end(), file = folder / "a.npy";
  write_npy(file, std::vector<std::int64_t>{'\1', '\2', '\3'});
  std::filesystem::create_symlink("a.npy", folder / "link.npy");
  REQUIRE(run_tool(scan + file + " " + folder / "link.npy").status == 0);
  CHECK(read_npy<std::int64_t>(file) == std::vector<std::int64_t>{1, 3, 6});
  CHECK(std::filesystem::is_symlink(folder / "link.npy"));
  CHECK(folder.files().size() == 2);
}

TEMPLATE_TEST_CASE("the tool maps items before it combines them", "[tool]", std::int8_t,
                   std::uint16_t, std::int32_t, std::int64_t, float, double) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const in = random_items<T>(70'001, 3);
  using wide = total<T>;
  // Checks a map: the tool's result must be a scan of mapped items of type Out.
  auto const check = [&]<class Out>(std::string const& name, std::type_identity<Out>, auto map) {
    CAPTURE(name);
    std::vector<Out> mapped;
    for (wide const x : widened(in))
      mapped.push_back(static_cast<Out>(map(x)));
    std::string const option = on + "--map " + name;
    CHECK((scanned_to<Out>("--op max " + option, in) ==
           expected(sam::maximum{}, mapped, 1, 1, false, false)));
    CHECK((scanned_to<Out>("--op max --exclusive " + option, in) ==
           expected(sam::maximum{}, mapped, 1, 1, true, false)));
    test_folder const folder;
    write_npy(folder / "in.npy", in);
    REQUIRE(run_tool("reduce --op max --init 1 " + option + " " + folder / "in.npy" + " " +
                     folder / "out.npy")
                .status == 0);
    CHECK(read_npy<Out>(folder / "out.npy") ==
          sam::reference::reduce(mapped, sam::scan_policy<sam::maximum>{}, Out(1)));
    if constexpr (std::is_integral_v<T>)
      CHECK((scanned_to<Out>(option, in) == expected(sam::plus{}, mapped, 1, 1, false, false)));
  };
  // Unsigned, so that it may wrap around.
  using number = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  using negated = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  std::type_identity<wide> const same;
  check("square", same, [](wide x) { return number(x) * number(x); });
  check("absolute", same, [](wide x) { return x < 0 ? number(0) - number(x) : number(x); });
  check("negate", std::type_identity<negated>{}, [](wide x) { return number(0) - number(x); });
  check("nonzero", std::type_identity<std::int64_t>{}, [](wide x) { return x != 0; });
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  fails(1, "truth values",
        "scan --op land --map square" + one_back_end() + folder / "in.npy" + " out.npy");
}

TEMPLATE_TEST_CASE("an array larger than --chunk is scanned part by part", "[tool]", std::int32_t,
                   std::uint8_t, double) {
  using T = TestType;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const in = random_items<T>(10'001, 4);
  std::string const options =
      GENERATE("", " --exclusive", " --order 3 --tuple 2", " --order 2 --exclusive --init 3",
               " --op min --tuple 7 --exclusive", " --op max --init 5",
               " --op multiplies --tuple 900", " --op land", " --op lor --exclusive",
               " --map square", " --map nonzero --exclusive", " --carry lookback --tuple 3");
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  std::string const files = " " + folder / "in.npy" + " " + folder / "out.npy";
  REQUIRE(run_tool("scan" + on + options + files).status == 0);
  std::string const whole = read_bytes(folder / "out.npy");
  for (std::string const chunk : {"907", "1000", "10000", "10001"}) {
    CAPTURE(options, chunk);
    auto const result = run_tool("scan" + on + options + " --chunk " + chunk + files);
    CHECK(result.errors.empty());
    REQUIRE(result.status == 0);
    CHECK((read_bytes(folder / "out.npy") == whole));
  }
}

TEMPLATE_TEST_CASE("an array larger than --chunk is reduced, coded and counted part by part",
                   "[tool]", std::int16_t, std::uint64_t) {
  using T = TestType;
  auto const in = random_items<T>(10'001, 6);
  std::string const command =
      GENERATE("reduce", "reduce --op max --init 5", "reduce --op multiplies --as int32",
               "reduce --op lor", "reduce --map square", "encode", "encode --order 3 --tuple 2",
               "decode", "decode --order 2 --tuple 5", "histogram --bins 10 --from 0 --to 100",
               "histogram --bins 3 --from 5 --to 90 --cumulative");
  test_folder const folder;
  write_npy(folder / "in.npy", in);
  std::string const on = one_back_end();
  REQUIRE(run_tool(command + on + " " + folder / "in.npy" + " " + folder / "whole.npy").status ==
          0);
  for (std::string const chunk : {"907", "10000"}) {
    CAPTURE(command, chunk);
    auto const result = run_shell("cat " + folder / "in.npy" + " | $sam " + command + on +
                                  " --chunk " + chunk + " - - | cat >" + folder / "parts.npy");
    REQUIRE(result.status == 0);
    CHECK((read_bytes(folder / "parts.npy") == read_bytes(folder / "whole.npy")));
  }
}

TEST_CASE("a scan in parts goes from pipe to pipe, and keeps what it must", "[tool]") {
  test_folder const folder;
  std::string const scan = "scan --chunk 100" + one_back_end();
  auto const in = random_items<std::int64_t>(1'001, 5);
  write_npy(folder / "in.npy", in);
  REQUIRE(run_shell("cat " + folder / "in.npy" + " | $sam " + scan + " - - | cat >" +
                    folder / "out.npy")
              .status == 0);
  CHECK(read_npy<std::int64_t>(folder / "out.npy") ==
        expected(sam::plus{}, in, 1, 1, false, false));
  // In place, and backward, for which all items are read at once.
  REQUIRE(run_tool(scan + " " + folder / "in.npy" + " " + folder / "in.npy").status == 0);
  CHECK(read_bytes(folder / "in.npy") == read_bytes(folder / "out.npy"));
  write_npy(folder / "in.npy", in);
  REQUIRE(run_tool(scan + " --backward " + folder / "in.npy" + " " + folder / "out.npy").status ==
          0);
  CHECK(read_npy<std::int64_t>(folder / "out.npy") == expected(sam::plus{}, in, 1, 1, false, true));
  // An input that is cut short on the way leaves no output.
  std::string const bytes = read_bytes(folder / "in.npy");
  std::string const to = folder / "none.npy";
  write_bytes(folder / "short.npy", bytes.substr(0, bytes.size() - 1));
  auto const result = run_shell("cat " + folder / "short.npy" + " | $sam " + scan + " - " + to);
  CHECK(result.status == 1);
  CHECK(result.errors.find("is cut short") != std::string::npos);
  CHECK(!std::filesystem::exists(to));
}
