// SPDX-License-Identifier: MIT
// Tests the commands of the tool that order, search, choose and move items.
#include "tool.hpp"
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

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

/// Files of a test, and the tool's runs on them.
class trial {
 public:
  explicit trial(std::string on) : on_(std::move(on)) {}

  /// Writes an array and returns its path.
  template <class T>
  std::string file(std::string const& name, std::vector<T> const& items) const {
    write_npy(folder_ / name, items);
    return path(name);
  }
  std::string path(std::string const& name) const { return " " + name_of(name) + " "; }
  std::string name_of(std::string const& file) const { return folder_ / file; }

  /// Runs a command, which must succeed, and returns what it prints.
  std::string prints(std::string const& command, std::string const& arguments) const {
    auto const result = run_tool(command + on_ + arguments);
    CAPTURE(command, arguments, result.errors);
    REQUIRE(result.status == 0);
    return result.output;
  }
  /// Runs a command and returns its output, the file out.npy.
  template <class T>
  std::vector<T> made(std::string const& command, std::string const& arguments) const {
    prints(command, arguments + path("out.npy"));
    return read<T>("out.npy");
  }
  template <class T>
  std::vector<T> read(std::string const& name) const {
    return read_npy<T>(folder_ / name);
  }
  void refuses(std::string const& problem, std::string const& command, std::string const& arguments,
               int status = 1) const {
    fails(status, problem, command + on_ + arguments);
  }

 private:
  std::string on_;
  test_folder folder_;
};

using indices = std::vector<std::int64_t>;

template <class T, class In>
std::vector<T> taken(std::vector<T> const& items, std::vector<In> const& at) {
  std::vector<T> result;
  for (auto const index : at)
    result.push_back(items[static_cast<std::size_t>(index)]);
  return result;
}

}  // namespace

TEST_CASE("the tool finds the largest and the smallest items as its help says", "[tool]") {
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

TEST_CASE("the tool chooses from each segment", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  std::string const items = in.file<std::int16_t>("in.npy", {3, -1, 4, -1, 5, 9, 5});
  std::string const rows = "--offsets" + in.file<int>("rows.npy", {0, 3, 3, 4, 7});
  std::string const keys = "--keys" + in.file<int>("keys.npy", {7, 7, 7, 8, 9, 9, 9});
  std::string const two = "--count 2 ", heads = "--heads" + in.path("heads.npy");
  in.file<std::uint8_t>("heads.npy", {0, 0, 0, 1, 1, 0, 0});
  CHECK(in.made<std::int16_t>("top", two + rows + items) ==
        std::vector<std::int16_t>{4, 3, -1, 9, 5});
  CHECK(in.made<std::int64_t>("top", two + "--indices " + keys + items) == indices{2, 0, 3, 5, 4});
  CHECK(in.made<std::int64_t>("top", "--smallest --indices " + heads + items) == indices{1, 3, 4});
  CHECK(in.made<std::int64_t>("top", "--count 0 --indices " + rows + items).empty());
  auto const counts = [&](std::vector<std::uint8_t> const& each) {
    return "--counts" + in.file<std::uint8_t>("counts.npy", each) + " ";
  };
  CHECK(in.made<std::int16_t>("top", counts({1, 5, 0, 2}) + rows + items) ==
        std::vector<std::int16_t>{4, 9, 5});
  CHECK(in.made<std::int64_t>("top", counts({3, 0, 2}) + "--indices " + keys + items) ==
        indices{2, 0, 1, 5, 4});
  CHECK(in.made<std::int64_t>("top", counts({0, 0, 0, 0}) + "--indices " + rows + items).empty());
  in.refuses("holds 2 items; there are 4 segments", "top",
             counts({1, 2}) + rows + items + in.path("out.npy"));
  in.refuses("--counts needs segments", "top", counts({1}) + items + in.path("out.npy"));
  in.refuses("excludes", "top", counts({1, 1, 1}) + two + keys + items + in.path("out.npy"), 2);
  CHECK(in.made<std::int64_t>("extremes", "--largest " + rows + items) == indices{2, 7, 3, 5});
  CHECK(in.made<std::int64_t>("extremes", "--smallest " + keys + items) == indices{1, 3, 4});
  CHECK(in.prints("extremes", items) == "1 -1\n5 9\n");
  CHECK(in.prints("extremes", "--largest" + items) == "5 9\n");
  CHECK(in.prints("extremes", "--items" + items) == "-1\n9\n");
  CHECK(in.prints("extremes", "--items --smallest" + items) == "-1\n");
  in.refuses("excludes", "extremes", "--items --rank 1" + items, 2);
  CHECK(in.prints("extremes", "--rank 2" + items) == "3\n");
  in.refuses("--rank 7 must lie from 0 to 6", "extremes", "--rank 7" + items);
  in.refuses("need each other", "extremes", rows + items, 2);
  CHECK(in.made<std::int64_t>("extremes", keys + items) == indices{1, 2, 3, 3, 4, 5});
  in.refuses("holds no items", "extremes", in.file<float>("none.npy", {}));
}

TEST_CASE("the tool prints items of a rank of each type", "[tool]") {
  trial const in(one_back_end());
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::string const reals = in.file<float>("reals.npy", {nan, 0.5f, -2, 3});
  CHECK(in.prints("extremes", "--rank 0" + reals) == "-2\n");
  CHECK(in.prints("extremes", "--rank 2" + reals) == "3\n");
  CHECK(in.prints("extremes", "--rank 3" + reals) == "nan\n");
  CHECK(in.prints("extremes", reals) == "2 -2\n0 nan\n");
  CHECK(in.prints("extremes", "--items" + reals) == "-2\nnan\n");
  CHECK(in.prints("extremes", "--rank 0" + in.file<std::uint64_t>("words.npy", {~0ull})) ==
        "18446744073709551615\n");
}

TEST_CASE("the tool merges sorted arrays, and keeps sets of them", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  auto const n = GENERATE(0, 5, 3000);
  CAPTURE(n);
  auto const some = [n](unsigned seed) {
    auto items = random_items<std::int16_t>(static_cast<std::size_t>(n + n / 3), seed);
    for (auto& item : items)
      item = static_cast<std::int16_t>(item % (n / 2 + 2));
    std::ranges::sort(items);
    return items;
  };
  auto const a = some(1), b = some(2);
  std::string const files = in.file("a.npy", a) + in.file("b.npy", b);
  std::vector<std::int16_t> wanted;
  auto const to = std::back_inserter(wanted);
  std::ranges::merge(a, b, to);
  CHECK(in.made<std::int16_t>("merge", files) == wanted);
  wanted.clear(), std::ranges::set_union(a, b, to);
  CHECK(in.made<std::int16_t>("merge", "--set union" + files) == wanted);
  wanted.clear(), std::ranges::set_intersection(a, b, to);
  CHECK(in.made<std::int16_t>("merge", "--set intersection" + files) == wanted);
  wanted.clear(), std::ranges::set_symmetric_difference(a, b, to);
  CHECK(in.made<std::int16_t>("merge", "--set symmetric-difference" + files) == wanted);
  wanted.clear(), std::ranges::set_difference(a, b, to);
  // Values tell where an item comes from.
  in.file("ids_a.npy", widened(a));
  in.file("ids_b.npy", std::vector<std::int64_t>(b.size(), -1));
  std::string const values =
      "--values" + in.path("ids_a.npy") + in.path("ids_b.npy") + in.path("ids.npy");
  CHECK(in.made<std::int16_t>("merge", "--set difference " + values + files) == wanted);
  CHECK(in.read<std::int64_t>("ids.npy") == widened(wanted));
  indices begins, ends;
  for (auto const x : b) {
    begins.push_back(std::ranges::lower_bound(a, x) - a.begin());
    ends.push_back(std::ranges::upper_bound(a, x) - a.begin());
  }
  CHECK(in.made<std::int64_t>("search", files) == begins);
  CHECK(in.made<std::int64_t>("search", "--upper" + files) == ends);
  CHECK(in.made<std::int64_t>("search", "--ends" + in.path("ends.npy") + files) == begins);
  CHECK(in.read<std::int64_t>("ends.npy") == ends);
}

TEST_CASE("the tool refuses to merge and search what does not fit", "[tool]") {
  trial const in(one_back_end());
  std::string const out = in.path("out.npy");
  std::string const sorted = in.file<int>("sorted.npy", {1, 2, 3});
  std::string const other = in.file<int>("other.npy", {1, 3, 2});
  std::string const reals = in.file<float>("reals.npy", {1, 2});
  in.refuses("other.npy: is not sorted", "merge", sorted + other + out);
  in.refuses("other.npy: is not sorted", "search", other + sorted + out);
  in.refuses("holds float32 but", "merge", sorted + reals + out);
  in.refuses("holds 2 values but", "merge",
             "--values" + sorted + reals + in.path("values.npy") + sorted + sorted + out);
  in.refuses("", "search", "--upper --ends" + out + sorted + sorted + out, 2);
}

TEST_CASE("the tool sorts by comparisons as by digits", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  std::vector<float> const items{2, -0.0f, -1, 0, 2, -5, 7};
  std::string const file = in.file("in.npy", items);
  std::string const rows = "--offsets" + in.file<int>("rows.npy", {0, 3, 3, 7});
  for (std::string const options :
       {"", "--descending ", "--argsort ", "--total-order --argsort ", "--argsort --descending "})
    for (std::string const& segments : {std::string(), rows}) {
      CAPTURE(options, segments);
      in.prints("sort", options + segments + file + in.path("digits.npy"));
      if (options.find("argsort") == std::string::npos)
        CHECK(in.made<float>("sort", "--by-comparisons " + options + segments + file) ==
              in.read<float>("digits.npy"));
      else
        CHECK(in.made<std::int64_t>("sort", "--by-comparisons " + options + segments + file) ==
              in.read<std::int64_t>("digits.npy"));
    }
  std::string const values = in.file<std::int8_t>("ids.npy", {0, 1, 2, 3, 4, 5, 6});
  in.made<float>("sort", "--by-comparisons --values" + values + in.path("moved.npy") + file);
  CHECK(in.read<std::int8_t>("moved.npy") == std::vector<std::int8_t>{5, 2, 1, 3, 0, 4, 6});
  in.refuses("", "sort", "--by-comparisons --bits 0 1" + file + in.path("out.npy"), 2);
}

TEST_CASE("the tool finds, counts and tests items", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  std::string const items = in.file<std::int8_t>("in.npy", {3, -1, 4, -1, 5});
  CHECK(in.prints("find", "--greater 3" + items) == "2\n");
  CHECK(in.prints("find", "--less -1" + items) == "none\n");
  CHECK(in.prints("find", "--equal -1 --count" + items) == "2\n");
  CHECK(in.prints("find", "--equal 4 --any" + items) == "true\n");
  CHECK(in.prints("find", "--greater -2 --all" + items) == "true\n");
  CHECK(in.prints("find", "--greater -1 --all" + items) == "false\n");
  CHECK(in.prints("find", "--greater 4 --none" + items) == "false\n");
  CHECK(in.prints("find", "--sorted" + items) == "false\n");
  CHECK(in.prints("find", "--sorted" + in.file<float>("sorted.npy", {-1, 0, 0.5f})) == "true\n");
  using bytes = std::vector<std::uint8_t>;
  std::string const rows = "--offsets" + in.file<int>("rows.npy", {0, 2, 2, 5}) + items;
  CHECK(in.made<std::int64_t>("find", "--greater 3 " + rows) == indices{5, 5, 2});
  CHECK(in.made<std::int64_t>("find", "--greater 0 --count " + rows) == indices{1, 0, 2});
  std::string const keys = "--keys" + in.file<int>("keys.npy", {1, 2, 2, 3, 3}) + items;
  auto const tests = [&](std::string const& options) {
    bool const in_rows = options == "--sorted ";
    in.prints("find", options + (in_rows ? rows : keys) + in.path("truths.npy"));
    std::string const file = npy_items(read_bytes(in.name_of("truths.npy")));
    return bytes(file.begin(), file.end());
  };
  CHECK(tests("--greater 0 --any ") == bytes{1, 1, 1});
  CHECK(tests("--greater 0 --all ") == bytes{1, 0, 0});
  CHECK(tests("--greater 4 --none ") == bytes{1, 1, 0});
  CHECK(tests("--sorted ") == bytes{0, 1, 0});
  CHECK(in.made<std::int64_t>("inner-product", keys + items) == indices{9, 17, 26});
  in.refuses("need each other", "find", "--less 0 " + keys, 2);
  in.refuses("need each other", "find", "--less 0 " + items + in.path("out.npy"), 2);
  in.prints("rle find", in.file<float>("runs.npy", {1, 1, 2, 3, 3, 3, 1}) + in.path("out.npy") +
                            in.path("lengths.npy"));
  CHECK(in.read<std::int64_t>("out.npy") == indices{0, 3});
  CHECK(in.read<std::int64_t>("lengths.npy") == indices{2, 3});
  in.refuses("", "find", items, 2);
  in.refuses("", "find", "--sorted --count" + items, 2);
  in.refuses("is not a number of type int8", "find", "--less 1.5" + items);
}

TEST_CASE("the tool moves items by indices and stencils", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  auto const items = random_items<std::int16_t>(1000, 1);
  auto const others = random_items<double>(1000, 2);
  std::vector<std::int32_t> order(1000);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, std::mt19937(3));
  std::string const file = in.file("in.npy", items), by = in.file("order.npy", order);
  std::string const out = in.path("out.npy"), beside = in.file("others.npy", others);
  CHECK(in.made<std::int16_t>("gather", file + by) == taken(items, order));
  CHECK(in.made<std::int16_t>("gather", "--values" + beside + in.path("moved.npy") + file + by) ==
        taken(items, order));
  CHECK(in.read<double>("moved.npy") == taken(others, order));
  std::vector<std::int16_t> wanted(1000), kept;
  for (std::size_t i = 0; i < 1000; ++i) {
    wanted[static_cast<std::size_t>(order[i])] = items[i];
    if (others[i] > 0)
      kept.push_back(items[i]);
  }
  CHECK(in.made<std::int16_t>("scatter", file + by) == wanted);
  CHECK(in.made<std::int16_t>("compact", "--greater 0 --stencil" + beside + file) == kept);
  std::string const few = in.file<float>("few.npy", {8, 9}), to = in.file<int>("to.npy", {2, 0});
  CHECK(in.made<float>("scatter", "--into" + in.file<float>("base.npy", {1, 2, 3}) + few + to) ==
        std::vector<float>{9, 2, 8});
  in.refuses("holds the index 2; out has 2 items", "scatter", few + to + out);
  in.refuses("few.npy has 2 items", "gather", few + by + out);
  in.refuses("indices are integers", "gather", few + few + out);
  in.refuses("twice", "scatter", few + in.file<int>("twice.npy", {1, 1}) + out);
  in.refuses("holds 2 indices but", "gather",
             "--values" + beside + in.path("moved.npy") + file + to + out);
}

TEST_CASE("the tool combines neighbours", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  using bytes = std::vector<std::int8_t>;
  std::string const items = in.file<std::int8_t>("in.npy", {3, -100, 100, 5});
  CHECK(in.made<std::int8_t>("adjacent-difference", items) == bytes{3, -103, -56, -95});
  CHECK(in.made<std::int8_t>("adjacent-difference", "--op max" + items) == bytes{3, 3, 100, 100});
  CHECK(in.made<std::int8_t>("adjacent-difference", "--op min --right" + items) ==
        bytes{-100, -100, 5, 5});
  CHECK(in.made<std::int8_t>("adjacent-difference", "--op xor" + items) == bytes{3, -97, -8, 97});
  std::string const reals = in.file<float>("reals.npy", {1, 0.25f, -3});
  CHECK(in.made<float>("adjacent-difference", "--right" + reals) ==
        std::vector<float>{0.75f, 3.25f, -3});
  CHECK(in.made<float>("adjacent-difference", "--op multiplies" + reals) ==
        std::vector<float>{1, 0.25f, -0.75f});
  in.refuses("combine integers", "adjacent-difference", "--op and" + reals + in.path("out.npy"));
  CHECK(in.prints("inner-product", items + in.file<std::uint8_t>("u.npy", {255, 1, 2, 0})) ==
        "865\n");
  CHECK(in.prints("inner-product", reals + in.file<int>("i.npy", {4, 4, 1})) == "2\n");
  in.refuses("holds 4 items but", "inner-product", reals + items);
}

TEST_CASE("the tool sums weights in bins, and counts channels", "[tool]") {
  trial const in(GENERATE(from_range(back_end_options())));
  std::string const items = in.file<std::int16_t>("in.npy", {-10, -1, 0, 3, 9, 10});
  std::string const bins = "--bins 2 --from -10 --to 10 ";
  std::string const weights = "--weights" + in.file<std::uint8_t>("w.npy", {1, 2, 4, 8, 16, 32});
  CHECK(in.made<std::uint64_t>("histogram", bins + weights + items) ==
        std::vector<std::uint64_t>{3, 28});
  CHECK(in.made<std::int64_t>("histogram", bins + "--channels 2" + items) == indices{1, 2, 1, 1});
  std::string const reals = in.file<float>("reals.npy", {0.5f, -0.0f, 2.5f, 1});
  std::string const edges = "--boundaries" + in.file<float>("edges.npy", {0, 1, 1, 2.5f});
  std::string const shares = "--weights" + in.file<float>("shares.npy", {0.5f, 0.25f, 4, 8});
  CHECK(in.made<double>("histogram", edges + shares + reals) == std::vector<double>{0.75, 0, 8});
  CHECK(in.made<std::int64_t>("histogram", "--bins 1 --from 0 --to 2 --channels 4" + reals) ==
        indices{1, 1, 0, 1});
  std::string const out = in.path("out.npy");
  in.refuses("not a multiple of --channels 4", "histogram", bins + "--channels 4" + items + out);
  in.refuses("holds 4 weights but", "histogram", bins + shares + items + out);
  in.refuses("must lie below", "histogram", "--bins 2 --from 1 --to 1 --channels 2 " + items + out);
  in.refuses("", "histogram", bins + weights + " --cumulative" + items + out, 2);
}

TEST_CASE("help names every primitive of the README's table", "[tool]") {
  std::string const readme = read_bytes(SAM_README), help = run_tool("--help").output;
  auto const begin = readme.find("## The primitives"), end = readme.find("| `sam::counted(");
  REQUIRE(end != std::string::npos);
  std::string const table = readme.substr(begin, end - begin), prefix = "sam::";
  std::string missing;
  for (auto at = table.find(prefix); at != std::string::npos; at = table.find(prefix, at + 1)) {
    auto const from = at + prefix.size();
    std::string const name =
        table.substr(from, table.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", from) - from);
    if (!name.ends_with("_state") && help.find(name) == std::string::npos)
      missing += " " + name;
  }
  CHECK(missing == "");
}
