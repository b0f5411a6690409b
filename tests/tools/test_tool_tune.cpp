// SPDX-License-Identifier: MIT
// Tests `sam tune`, and what `sam info` says about tables.
#include "tool.hpp"
#include <catch2/catch_test_macros.hpp>

namespace {

bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}
std::string in_quotes(std::string const& text, std::string const& name) {
  std::size_t const at = text.find("\"" + name + "\": \"");
  REQUIRE(at != std::string::npos);
  std::size_t const from = at + name.size() + 5;
  return text.substr(from, text.find('"', from) - from);
}
std::string replaced(std::string text, std::string const& part, std::string const& by) {
  std::size_t const at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

/// A quick run: a search of small calls.
constexpr char const* quick = "tune --minutes 0.02 --only parallel_bytes ";

}  // namespace

TEST_CASE("a run ends with a table that programs use, and with a report", "[tool]") {
  test_folder const folder;
  std::string const table = folder / "a/table.json";
  auto const run = run_tool(quick + one_back_end() + " --out " + table);
  CHECK(run.status == 0);
  CHECK(has(run.output, "The table " + table + " changes "));
  CHECK(has(run.errors, "parallel_bytes: "));
  CHECK(folder.files() == std::vector<std::string>{"a"});

  std::string const text = read_bytes(table);
  CHECK(has(text, "\"name\": \"parallel_bytes\""));
  CHECK(has(text, "\"sam_tuning\": 1"));
  std::string const report = read_bytes(folder / "a/table.html");
  CHECK(has(report, "<svg"));
  CHECK(has(report, "</html>"));
  CHECK(!has(report, "http"));  // it needs no network

  auto const info = run_tool("info", "SAM_TUNING_FILE=" + table);
  CHECK(has(info.output, "tuning     " + table + "\n"));
  CHECK(info.errors.empty());
  CHECK(has(run_tool("info", "SAM_TUNING_FILE=").output, "tuning     the defaults\n"));
}

TEST_CASE("a table that cannot be used is reported, and the defaults are used", "[tool]") {
  test_folder const folder;
  std::string const table = folder / "table.json", in = folder / "in.npy", out = folder / "out.npy";
  CHECK(run_tool(quick + one_back_end() + " --no-report --out " + table).status == 0);
  CHECK(folder.files() == std::vector<std::string>{"table.json"});
  std::string const good = read_bytes(table), device = in_quotes(good, "device");
  write_npy(in, std::vector<std::int64_t>{1, 2, 3});
  auto const expect_problem = [&](std::string const& text, std::string const& problem) {
    write_bytes(table, text);
    auto const info = run_tool("info", "SAM_TUNING_FILE=" + table);
    CHECK(has(info.output, "tuning     the defaults; the tuning table " + table + " " + problem));
    auto const scan =
        run_tool("scan " + one_back_end() + " " + in + " " + out, "SAM_TUNING_FILE=" + table);
    CHECK(scan.status == 0);
    CHECK(has(scan.errors, "sam: the tuning table " + table + " " + problem));
    CHECK(has(scan.errors, "Instead, sam uses the defaults.\n"));
    CHECK((read_npy<std::int64_t>(out) == std::vector<std::int64_t>{1, 3, 6}));
  };
  expect_problem(good.substr(0, good.size() / 2), "is damaged at byte ");
  expect_problem(replaced(good, device, "Another CPU"),
                 "is for the device \"Another CPU\"; this is");
  expect_problem(replaced(good, "\"values\": {", "\"values\": {\"few_kinds\": -1 }, \"x\": {"),
                 "sets few_kinds to -1, which is not from 1 to 4096");
  expect_problem(replaced(good, "\"sam\": \"", "\"sam\": \"9"), "was written by sam 9");
}

TEST_CASE("a run goes on where another one was interrupted", "[tool]") {
  test_folder const folder;
  std::string const table = folder / "table.json", partial = table + ".partial";
  std::string const options = one_back_end() + " --no-report --out " + table;
  CHECK(run_tool(quick + options).status == 0);
  std::string const first = read_bytes(table);
  auto const trials_of = [](std::string const& text) {
    std::size_t const at = text.find("\"name\": \"parallel_bytes\"");
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find("\"comparisons\"", at) - at);
  };
  std::string const both = "tune --minutes 0.02 --only parallel_bytes fewest_split_bits " + options;

  write_bytes(partial, first);  // as if the run had ended after its first search
  auto const next = run_tool(both);
  CHECK(next.status == 0);
  CHECK(has(next.errors, "going on after the 1 values of an earlier run"));
  CHECK(trials_of(read_bytes(table)) == trials_of(first));
  CHECK(has(read_bytes(table), "\"name\": \"fewest_split_bits\""));
  CHECK(folder.files() == std::vector<std::string>{"table.json"});

  write_bytes(partial, first.substr(0, first.size() - 9));
  CHECK(has(run_tool(both).errors, "starting anew"));
  write_bytes(partial, first);
  CHECK(!has(run_tool(both + " --fresh").errors, "going on"));
}

TEST_CASE("a run whose time is over keeps what it has measured", "[tool]") {
  test_folder const folder;
  std::string const table = folder / "table.json";
  auto const run =
      run_tool("tune --minutes 0.01 --no-report --out " + table + " " + one_back_end());
  CHECK(run.status == 0);
  if (has(run.output, "Not finished.")) {  // always, unless the machine is very fast
    CHECK(has(run.errors, "the time is over"));
    CHECK(folder.files() == std::vector<std::string>{"table.json.partial"});
  }
}

TEST_CASE("a table of another device can be compared with the defaults", "[tool]") {
  test_folder const folder;
  std::string const table = folder / "table.json";
  auto const compared = "tune --minutes 0.02 --compare " + table + " " + one_back_end();
  write_bytes(
      table,
      "{\"sam_tuning\": 1, \"sam\": \"" + run_tool("--version").output.substr(4, 5) +
          "\", \"engine\": \"host\", \"device\": \"a\", \"values\": {\"sorted_bytes\": 65536}}");
  auto const run = run_tool(compared);
  CHECK(run.status == 0);
  CHECK(has(run.output, "sorted_bytes             64 KiB instead of 256 KiB\n"));
  CHECK(has(run.output, "with the table, calls take "));
  write_bytes(table, "{");
  fails(1, "the tuning table " + table + " is damaged at byte 1", compared);
}

TEST_CASE("the table must have a place that can be written to", "[tool]") {
  fails(1, "there is no home folder for the table; choose --out FILE", quick,
        "env -u HOME -u XDG_CONFIG_HOME");
  test_folder const folder;
  auto const run = run_tool(quick + one_back_end() + " --out /proc/table.json");
  CHECK(run.status == 1);
  CHECK(has(run.errors, "cannot write /proc/table.json.partial: "));
  fails(2, "", "tune --minutes 0");
}
