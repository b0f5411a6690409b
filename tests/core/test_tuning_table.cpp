// SPDX-License-Identifier: MIT
// Tests the reader of tuning tables, the search for their files, and the released tables.
#include <sam/base/tuning_files.hpp>
#include <sam/cuda/runtime/released_tables.hpp>
#include <sam/host/memory/load_tuning.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

using sam::index_t;

namespace {

struct values {
  index_t some = 10, other = 20;
};
constexpr sam::engine::tunable<values> all_values[] = {
    {"some", &values::some, 1, 100},
    {"other", &values::other, -5, 8589934592, true},
};

std::string version() {
  auto const [major, minor, patch] = sam::version();
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch + 7);
}
/// Returns a table with these values.
std::string table(std::string const& of, std::string const& device = "a device") {
  return "{\"sam_tuning\": 1, \"sam\": \"" + version() +
         "\",\n \"engine\": \"host\", \"device\": \"" + device +
         "\",\n \"more\": [1, -2.5e3, {\"x\": null, \"y\": []}, \"\\\"}\"], \"values\": {" + of +
         "}, \"last\": true}\n";
}
std::string problem_of(std::string const& text, values& to) {
  sam::engine::table_header header;
  sam::engine::table_problem problem;
  bool const is_read = sam::engine::read_header(text.c_str(), header, problem) &&
                       sam::engine::is_for(header, "host", "a device", problem) &&
                       sam::engine::read_values(header.values, all_values, to, problem);
  CHECK(is_read == !problem.found());
  return problem.text;
}
std::string problem_of(std::string const& text) {
  values to;
  std::string const problem = problem_of(text, to);
  CHECK(((problem.empty()) || (to.some == 10 && to.other == 20)));
  return problem;
}

/// Sets an environment variable until the end of the scope, or removes it.
class environment {
 public:
  environment(char const* name, char const* value) : name_(name) {
    if (char const* const before = std::getenv(name))
      before_ = before, was_set_ = true;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  ~environment() { was_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  environment(environment const&) = delete;
  environment& operator=(environment const&) = delete;

 private:
  char const* name_;
  std::string before_;
  bool was_set_ = false;
};

class folder {
 public:
  folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "sam_tuning_XXXXXX";
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~folder() { std::filesystem::remove_all(path_); }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;

  std::string write(std::string const& name, std::string const& text) const {
    std::string const path = path_ / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text;
    return path;
  }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::unique_ptr<sam::engine::tuning_source> loaded(values& to) {
  auto source = std::make_unique<sam::engine::tuning_source>();
  auto const name = [](void const*, char(&to_name)[256]) {
    std::snprintf(to_name, sizeof to_name, "a device");
  };
  sam::engine::load_tables("host", +name, nullptr, all_values, to, *source);
  return source;
}

}  // namespace

TEST_CASE("a table sets the values that it has, and no others", "[tuning]") {
  values to;
  CHECK(problem_of(table("\"some\": 42"), to).empty());
  CHECK((to.some == 42 && to.other == 20));
  CHECK(problem_of(table("\"other\": 8589934592, \"some\": 1"), to).empty());
  CHECK((to.some == 1 && to.other == 8589934592));
  CHECK(problem_of(table(""), to).empty());
}

TEST_CASE("a table that cannot be used changes nothing, and the problem is named", "[tuning]") {
  CHECK(problem_of(table("\"some\": 101")) == "sets some to 101, which is not from 1 to 100");
  CHECK(problem_of(table("\"some\": 5, \"other\": -6")) ==
        "sets other to -6, which is not from -5 to 8589934592");
  CHECK(problem_of(table("\"some\": 5, \"none\": 1")) ==
        "sets none, which this version of sam does not have");
  CHECK(problem_of(table("\"some\": 5.5")).rfind("sets some to what is not an integer", 0) == 0);
  CHECK(problem_of(table("\"some\": \"5\"")).rfind("sets some to what is not an integer", 0) == 0);
  CHECK(problem_of(table("\"some\": 99999999999999999999")).rfind("sets some to ", 0) == 0);
  CHECK(problem_of(table("", "b")) == "is for the device \"b\"; this is \"a device\"");
  auto const [major, minor, patch] = sam::version();
  CHECK(
      problem_of("{\"sam_tuning\": 1, \"sam\": \"7.8.9\", \"engine\": \"host\", \"values\": {}}") ==
      "was written by sam 7.8.9; this is sam " + std::to_string(major) + "." +
          std::to_string(minor) + "." + std::to_string(patch));
  CHECK(problem_of("{\"sam_tuning\": 2, \"engine\": \"host\", \"values\": {}}") ==
        "has format 2; this version reads format 1");
  CHECK(problem_of("{\"sam_tuning\": 1, \"sam\": \"" + version() +
                   "\", \"engine\": \"cuda\", \"values\": {}}") ==
        "is for the engine cuda, not for host");
  CHECK(problem_of("{}").rfind("is not a tuning table", 0) == 0);
  CHECK(problem_of("[]").rfind("is damaged at byte 0", 0) == 0);
}

TEST_CASE("no beginning of a table is taken for a table", "[tuning]") {
  std::string const whole = table("\"some\": 5, \"other\": 6");
  CHECK(problem_of(whole).empty());
  for (std::size_t bytes = 0; bytes + 2 < whole.size(); ++bytes)
    CHECK(problem_of(whole.substr(0, bytes)).rfind("is damaged at byte ", 0) == 0);
  CHECK(problem_of(whole + "x").rfind("is damaged at byte ", 0) == 0);
  for (std::size_t at = 0; at < whole.size(); ++at)  // must end, whatever it says
    problem_of(whole.substr(0, at) + '\x01' + whole.substr(at + 1));
  CHECK(problem_of(std::string(100000, '[')).rfind("is damaged", 0) == 0);
}

TEST_CASE("tables are found by SAM_TUNING_FILE, or else in the configuration folder", "[tuning]") {
  folder const files;
  std::string const standard = files.write("sam/tuning-host.json", table("\"some\": 1"));
  std::string const named = files.write("named.json", table("\"some\": 2"));
  std::string const other = files.write("other.json", table("\"some\": 3", "another device"));
  std::string cuda = table("\"none\": 3");
  cuda.replace(cuda.find("\"host\""), 6, "\"cuda\"");
  cuda = files.write("cuda.json", cuda);
  environment const configuration("XDG_CONFIG_HOME", files.path().c_str());
  values to;
  {
    environment const none("SAM_TUNING_FILE", nullptr);
    auto const source = loaded(to);
    CHECK((source->is_file && source->text == standard && source->problem[0] == '\0'));
    CHECK(to.some == 1);
  }
  {
    environment const disabled("SAM_TUNING_FILE", "");
    to = {};
    CHECK(std::string(loaded(to)->text) == "the defaults");
    CHECK(to.some == 10);
  }
  {
    environment const both("SAM_TUNING_FILE", (cuda + ":" + named).c_str());
    CHECK(loaded(to)->text == named);
    CHECK(to.some == 2);
  }
  {
    environment const wrong("SAM_TUNING_FILE", other.c_str());
    to = {};
    auto const source = loaded(to);
    CHECK(std::string(source->problem) ==
          "the tuning table " + other +
              " is for the device \"another device\"; this is \"a device\"");
    CHECK(std::string(source->text) == "the defaults");
    CHECK(to.some == 10);
  }
  {
    environment const missing("SAM_TUNING_FILE", "/nowhere/table.json");
    CHECK(std::string(loaded(to)->problem) ==
          "the tuning table /nowhere/table.json cannot be opened");
  }
}

TEST_CASE("an unknown device gets the table of the nearest one", "[tuning]") {
  using sam::cuda::choose_table;
  auto const name_for = [](char const* device, sam::cuda::device_properties const& properties) {
    auto const choice = choose_table(device, properties);
    return std::string(choice.table.name) + (choice.is_exact ? "" : ", nearest");
  };
  constexpr index_t kib = 1024, mib = 1024 * 1024;
  CHECK(name_for("NVIDIA H100 PCIe", {90, 114, 227 * kib, 50 * mib}) == "h100");
  CHECK(name_for("NVIDIA GH200 480GB", {90, 132, 227 * kib, 60 * mib}) == "h200, nearest");
  CHECK(name_for("NVIDIA B200", {100, 148, 227 * kib, 126 * mib}) == "h200, nearest");
  CHECK(name_for("NVIDIA A30", {80, 56, 163 * kib, 24 * mib}) == "a100, nearest");
  CHECK(name_for("NVIDIA L4", {89, 58, 99 * kib, 48 * mib}) == "rtx, nearest");
  CHECK(name_for("NVIDIA GeForce RTX 5090", {120, 170, 99 * kib, 96 * mib}) == "rtx, nearest");
  CHECK(name_for("Quadro RTX 4000", {75, 36, 64 * kib, 4 * mib}) == "t4, nearest");
  for (sam::cuda::released_table const& known : sam::cuda::released_tables)
    CHECK(name_for(known.device, known.properties) == known.name);
}

TEST_CASE("a table is said to be measured on the device only if it was", "[tuning]") {
  auto const relation = [](char const* device, sam::cuda::device_properties const& properties) {
    return std::string(sam::cuda::choose_table(device, properties).relation());
  };
  for (sam::cuda::released_table const& known : sam::cuda::released_tables) {
    std::string const name = known.name;
    CHECK(relation(known.device, known.properties) ==
          (name == "h100" || name == "h200" ? "for this device"
                                            : "for this device, but measured on another one"));
    CHECK(relation("NVIDIA GeForce RTX 3090", known.properties) == "of the nearest device");
  }
}

TEST_CASE("the files of the released tables say what is compiled in", "[tuning]") {
  std::filesystem::path const source = SAM_SOURCE;
  std::set<std::string> names;
  for (sam::cuda::released_table const& known : sam::cuda::released_tables) {
    names.insert(std::string(known.name) + ".json");
    auto const path = source / "backends/sam/cuda/tuning" / (std::string(known.name) + ".json");
    sam::engine::table_header header;
    sam::engine::table_problem problem;
    sam::engine::table_file const file(path.c_str(), problem);
    REQUIRE(!problem.found());
    std::string const text = file.text();
    REQUIRE(sam::engine::read_header(text.c_str(), header, problem));
    std::string const device(header.device.begin, std::size_t(header.device.size));
    CHECK(device.rfind(known.device, 0) == 0);
    CHECK((text.find("not measured on this device") == std::string::npos) == known.is_measured);
    sam::cuda::tunables values{};
    for (auto const& value : sam::cuda::all_tunables)
      values.*value.value = -1;
    CHECK(sam::engine::read_values(header.values, sam::cuda::all_tunables, values, problem));
    for (auto const& value : sam::cuda::all_tunables)
      CHECK(values.*value.value == known.values.*value.value);
    for (auto const& [name, property] :
         {std::pair{"capability", index_t{known.properties.capability}},
          std::pair{"multiprocessors", index_t{known.properties.multiprocessors}},
          std::pair{"shared_bytes", known.properties.shared_bytes},
          std::pair{"l2_bytes", known.properties.l2_bytes}})
      CHECK(text.find("\"" + std::string(name) + "\": " + std::to_string(property)) !=
            std::string::npos);
  }
  for (auto const& file : std::filesystem::directory_iterator(source / "backends/sam/cuda/tuning"))
    CHECK(names.contains(file.path().filename()));
}

TEST_CASE("all defaults lie in their ranges, and names are unique", "[tuning]") {
  auto const check = [](auto const& all, auto const& values) {
    std::set<std::string> names;
    for (auto const& known : all) {
      CHECK((known.least <= values.*known.value && values.*known.value <= known.most));
      CHECK(names.insert(known.name).second);
    }
  };
  check(sam::host::all_tunables, sam::host::tunables{});
  check(sam::cuda::all_tunables, sam::cuda::tunables{});
}

TEST_CASE("the CPU has a name", "[tuning]") {
  std::string const name = sam::host::device_name();
  CHECK(!name.empty());
  CHECK(name == sam::host::device_name());
  CHECK(name.find('\n') == std::string::npos);
}
