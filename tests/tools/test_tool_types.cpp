// SPDX-License-Identifier: MIT
// Tests the result type of each command, and totals that exceed the items' type.
#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace {

/// Writes a .npy file of bools.
void write_bools(std::string const& path, std::string const& bytes) {
  write_bytes(path, npy_bytes("{'descr': '|b1', 'fortran_order': False, 'shape': (" +
                                  std::to_string(bytes.size()) + ",), }",
                              bytes));
}
/// Returns the bytes of a file of bools.
std::string read_bools(std::string const& path) {
  std::string const file = read_bytes(path);
  expect_type(file, "|b1");
  return npy_items(file);
}

/// Runs `sam <command> in.npy out.npy`, and returns what `sam reduce` prints.
class trial {
 public:
  explicit trial(std::string on) : on_(std::move(on)) {}

  std::string path(std::string const& name) const { return folder_ / name; }
  void run(std::string const& command) const {
    auto const result = run_tool(command + on_ + in_and_out());
    CAPTURE(command, result.errors);
    REQUIRE(result.status == 0);
    REQUIRE(result.errors.empty());
  }
  template <class Out>
  std::vector<Out> made(std::string const& command) const {
    run(command);
    return read_npy<Out>(path("out.npy"));
  }
  std::string bools(std::string const& command) const {
    run(command);
    return read_bools(path("out.npy"));
  }
  std::string printed(std::string const& options) const {
    auto const result = run_tool("reduce " + options + on_ + path("in.npy"));
    CAPTURE(options, result.errors);
    REQUIRE(result.status == 0);
    return result.output;
  }

 private:
  std::string in_and_out() const { return " " + path("in.npy") + " " + path("out.npy"); }

  test_folder folder_;
  std::string on_;
};

}  // namespace

TEMPLATE_TEST_CASE("totals grow beyond the type of the items", "[tool]", std::int8_t, std::uint8_t,
                   std::int16_t, std::uint16_t, std::int32_t, std::uint32_t) {
  using T = TestType;
  using sums = std::vector<total<T>>;
  trial const in(GENERATE(from_range(back_end_options())));
  constexpr total<T> most = std::numeric_limits<T>::max();
  std::vector<T> const items(5, static_cast<T>(most));
  write_npy(in.path("in.npy"), items);
  write_npy(in.path("keys.npy"), std::vector<T>{1, 1, 1, 2, 2});
  write_npy(in.path("heads.npy"), std::vector<T>{1, 0, 0, 1, 0});
  write_npy(in.path("offsets.npy"), std::vector<T>{0, 3, 3, 5});
  auto const each = " " + in.path("keys.npy");

  sums const running{most, 2 * most, 3 * most, 4 * most, 5 * most};
  CHECK(in.made<total<T>>("scan") == running);
  CHECK(in.made<total<T>>("scan --exclusive") == sums{0, most, 2 * most, 3 * most, 4 * most});
  CHECK(in.made<total<T>>("scan --tuple 2 --op multiplies") ==
        sums{most, most, most * most, most * most,
             static_cast<total<T>>(std::uint64_t{most} * most * most)});
  CHECK(in.made<total<T>>("scan --map absolute") == running);
  CHECK(in.made<total<T>>("segmented-scan --keys" + each) ==
        sums{most, 2 * most, 3 * most, most, 2 * most});
  CHECK(in.made<total<T>>("reduce") == sums{5 * most});
  CHECK(in.made<total<T>>("reduce --heads " + in.path("heads.npy")) == sums{3 * most, 2 * most});
  CHECK(in.made<total<T>>("reduce --offsets " + in.path("offsets.npy")) ==
        sums{3 * most, 0, 2 * most});
  CHECK(in.made<total<T>>("reduce --unique-keys " + in.path("unique.npy") + " --keys" + each) ==
        sums{3 * most, 2 * most});
  CHECK(read_npy<T>(in.path("unique.npy")) == std::vector<T>{1, 2});
  CHECK(in.printed("") == std::to_string(5 * most) + "\n");
  CHECK(in.printed("--init 1000") == std::to_string(5 * most + 1000) + "\n");
  if constexpr (sizeof(T) < 4)
    CHECK(in.printed("--map square") == std::to_string(5 * most * most) + "\n");
}

TEMPLATE_TEST_CASE("items that are not 0 are counted in int64", "[tool]", std::int8_t, std::uint8_t,
                   std::int16_t, std::int64_t, float, double) {
  trial const in(GENERATE(from_range(back_end_options())));
  std::vector<TestType> items(70'000, TestType(3));
  items[100] = 0;
  write_npy(in.path("in.npy"), items);
  CHECK(in.printed("--map nonzero") == "69999\n");
  CHECK(in.made<std::int64_t>("reduce --map nonzero").front() == 69'999);
  CHECK(in.made<std::int64_t>("scan --map nonzero").back() == 69'999);
  CHECK(in.made<std::int64_t>("scan --exclusive --map nonzero").back() == 69'998);
  CHECK(in.made<std::uint16_t>("reduce --as uint16 --map nonzero").front() == 69'999 - 65'536);
}

TEST_CASE("mapped items are wide, also where their map does not fit", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  write_npy(in.path("in.npy"), std::vector<std::int8_t>{-128, 5});
  CHECK(in.printed("--map absolute") == "133\n");
  CHECK(in.printed("--map absolute --op max") == "128\n");
  CHECK(in.printed("--map square --op max") == "16384\n");
  CHECK(in.printed("--map negate") == "123\n");
  CHECK(in.printed("--as int8 --map absolute --op max") == "5\n");
  write_npy(in.path("in.npy"), std::vector<std::uint8_t>{200, 5});
  CHECK(in.printed("--map negate") == "-205\n");
  CHECK(in.printed("--map negate --op min") == "-200\n");
  CHECK(in.printed("--as uint8 --map negate") == "51\n");
}

TEST_CASE("a type may be chosen, also one of another kind", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  write_npy(in.path("in.npy"), std::vector<std::uint8_t>{200, 100, 1});
  write_npy(in.path("keys.npy"), std::vector<float>{1, 1, 2});
  CHECK(in.made<std::uint8_t>("scan --as uint8") == std::vector<std::uint8_t>{200, 44, 45});
  CHECK(in.made<std::int8_t>("scan --as int8 --op max") == std::vector<std::int8_t>{-56, 100, 100});
  CHECK(in.made<double>("scan --as float64 --op multiplies") ==
        std::vector<double>{200, 20000, 20000});
  CHECK(in.made<float>("scan --as float32 --map negate") == std::vector<float>{-200, -300, -301});
  CHECK(in.made<std::int16_t>("segmented-scan --as int16 --keys " + in.path("keys.npy")) ==
        std::vector<std::int16_t>{200, 300, 1});
  CHECK(in.made<float>("reduce --as float32 --keys " + in.path("keys.npy")) ==
        std::vector<float>{300, 1});
  std::vector<float> ones(1u << 20, 1);
  ones[0] = float(1 << 25);
  write_npy(in.path("in.npy"), ones);
  CHECK(in.made<double>("reduce --as float64") ==
        std::vector<double>{double(1 << 25) + (1 << 20) - 1});
}

TEST_CASE("a NaN is printed without its sign", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  write_npy(in.path("in.npy"), std::vector<float>{1, -std::numeric_limits<float>::quiet_NaN()});
  CHECK(in.printed("--op max") == "nan\n");
}

TEST_CASE("bools stay bools, and are counted in int64", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  using longs = std::vector<std::int64_t>;
  std::string const items{"\1\0\0\1\1", 5};
  write_bools(in.path("in.npy"), items);
  CHECK(in.bools("sort") == std::string("\0\0\1\1\1", 5));
  CHECK(in.bools("unique") == std::string("\1\0\1", 3));
  CHECK(in.bools("compact --greater 0") == "\1\1\1");
  CHECK(in.bools("compact --flags " + in.path("in.npy")) == "\1\1\1");
  CHECK(in.bools("partition --equal 0") == std::string("\0\0\1\1\1", 5));
  CHECK(in.bools("rle decode " + in.path("in.npy") + " " + [&] {
    write_npy(in.path("lengths.npy"), longs{1, 0, 2, 0, 1});
    return in.path("lengths.npy") + " " + in.path("decoded.npy") + "; $sam compact --less 2";
  }()) == items);
  CHECK(read_bools(in.path("decoded.npy")) == std::string("\1\0\0\1", 4));
  CHECK(in.bools("scan --op and") == std::string("\1\0\0\0\0", 5));
  CHECK(in.bools("scan --op min --exclusive") == std::string("\1\1\0\0\0", 5));
  CHECK(in.bools("scan --op xor") == std::string("\1\1\1\0\1", 5));
  CHECK(in.bools("scan --op lor --init 0") == "\1\1\1\1\1");
  CHECK(in.bools("segmented-scan --op max --keys " + in.path("in.npy")) == items);
  CHECK(in.bools("reduce --op and") == std::string("\0", 1));
  CHECK(in.bools("reduce --op max --heads " + in.path("in.npy")) == "\1\1\1");
  CHECK(in.made<std::int64_t>("scan") == longs{1, 1, 1, 2, 3});
  CHECK(in.made<std::int64_t>("segmented-scan --keys " + in.path("in.npy")) ==
        longs{1, 0, 0, 1, 2});
  CHECK(in.made<std::int64_t>("reduce --heads " + in.path("in.npy")) == longs{1, 1, 1});
  CHECK(in.made<std::uint8_t>("scan --as uint8") == std::vector<std::uint8_t>{1, 1, 1, 2, 3});
  CHECK(in.made<std::uint8_t>("encode") == std::vector<std::uint8_t>{1, 255, 0, 1, 0});
  CHECK(in.made<std::uint8_t>("linear-filter --coefficients 1").size() == 5);
  fails(1, "which is 0 or 1", "scan --op min --init 2 " + in.path("in.npy") + " out.npy");
  write_bools(in.path("in.npy"), std::string(300, '\1'));
  CHECK(in.printed("") == "300\n");
  CHECK(in.printed("--map nonzero") == "300\n");
  write_bools(in.path("in.npy"), "\2\1");  // NumPy reads both bytes as true
  CHECK(in.printed("") == "2\n");
}

TEST_CASE("a summed-area table of bools is int64", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  write_bytes(in.path("in.npy"),
              npy_bytes("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }", "\1\1\1\1"));
  CHECK(in.made<std::int64_t>("summed-area-table") == std::vector<std::int64_t>{1, 2, 2, 4});
}

TEST_CASE("sums of no floats are 0", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  write_npy(in.path("in.npy"), std::vector<float>{});
  CHECK(in.printed("") == "0\n");
  write_npy(in.path("in.npy"), std::vector<float>{1, 2});
  write_npy(in.path("offsets.npy"), std::vector<int>{0, 0, 2});
  CHECK(in.printed("--offsets " + in.path("offsets.npy")) == "0\n3\n");
}

TEST_CASE("help says of which type the result is", "[tool]") {
  for (std::string const command : {"scan",
                                    "segmented-scan",
                                    "reduce",
                                    "summed-area-table",
                                    "linear-recurrence",
                                    "linear-filter",
                                    "histogram",
                                    "sort",
                                    "encode",
                                    "decode",
                                    "compact",
                                    "partition",
                                    "unique",
                                    "rle encode",
                                    "rle decode",
                                    "top",
                                    "merge",
                                    "search",
                                    "extremes",
                                    "gather",
                                    "scatter",
                                    "adjacent-difference",
                                    "inner-product"}) {
    CAPTURE(command);
    std::string help = run_tool(command + " --help").output;
    std::ranges::replace(help, '\n', ' ');
    bool const says = help.find("out is of") != std::string::npos ||
                      help.find("Type of out") != std::string::npos ||
                      help.find("int64") != std::string::npos;
    CHECK(says);
  }
}
