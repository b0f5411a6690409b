// SPDX-License-Identifier: MIT
// Implements the helpers that run the tool.
#include "tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

test_folder::test_folder() {
  std::string pattern = std::filesystem::temp_directory_path() / "sam_tool_XXXXXX";
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

test_folder::~test_folder() { std::filesystem::remove_all(path_); }

std::vector<std::string> test_folder::files() const {
  std::vector<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename());
  return names;
}

run_result run_tool(std::string const& arguments, std::string const& before) {
  return run_shell(before + " $sam " + arguments);
}

run_result run_shell(std::string const& commands) {
  test_folder const folder;
  std::string const output = folder / "output", errors = folder / "errors";
  std::string const command =
      "sam='" SAM_TOOL "'; exec > '" + output + "' 2> '" + errors + "'; " + commands;
  int const status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), read_bytes(output), read_bytes(errors)};
}

int start_tool(std::string const& arguments) {
  std::string const command = "ulimit -c 0; exec '" SAM_TOOL "' " + arguments + " 2> /dev/null";
  pid_t const process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  return process;
}

int end_of(int process) {
  int status = 0;
  REQUIRE(waitpid(process, &status, 0) == process);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<std::string> back_ends() {
  std::vector<std::string> all;
  std::istringstream names(SAM_BACKENDS);
  for (std::string name; std::getline(names, name, ',');)
    all.push_back(name);
  return all;
}

namespace {

void skip_unless_usable(std::string const& name) {
  static std::string const info = run_tool("info").output + "\n\n";
  std::size_t const from = info.find("back end     " + name);
  REQUIRE(from != std::string::npos);
  std::string const block = info.substr(from, info.find("\n\n", from) - from);
  std::string const problem = "not usable ";
  if (std::size_t const at = block.find(problem); at != std::string::npos)
    SKIP(name + " cannot be used here: " + block.substr(at + problem.size()));
}

}  // namespace

std::vector<std::string> back_end_options() {
  std::vector<std::string> options;
  for (std::string const& name : back_ends()) {
    skip_unless_usable(name);
    options.push_back(" --backend " + name + " ");
  }
  return options;
}

std::string one_back_end() {
  std::string const name = back_ends().front();
  skip_unless_usable(name);
  return name == SAM_DEFAULT_BACKEND ? " " : " --backend " + name + " ";
}

void fails(int status, std::string const& problem, std::string const& arguments,
           std::string const& before) {
  auto const result = run_tool(arguments, before);
  CAPTURE(arguments, result.errors);
  CHECK(result.status == status);
  CHECK(result.errors.starts_with("sam: "));
  CHECK(result.errors.find(problem) != std::string::npos);
  CHECK(std::ranges::count(result.errors, '\n') == 1);
  CHECK(result.output.empty());
}

std::string read_bytes(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  INFO(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(std::string const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string npy_bytes(std::string const& header, std::string const& items, char version) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k)
    file += static_cast<char>((header.size() + 1) >> (8 * k) & 0xff);
  return file + header + '\n' + items;
}

std::string npy_header(std::string const& file) {
  REQUIRE(file.size() >= 10);
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(file[i]); };
  REQUIRE(byte(6) == 1);
  return file.substr(10, byte(8) + 256u * byte(9));
}

void expect_type(std::string const& file, std::string const& descr) {
  CAPTURE(npy_header(file));
  REQUIRE(npy_header(file).find("'descr': '" + descr + "'") != std::string::npos);
}

std::string npy_items(std::string const& file) { return file.substr(10 + npy_header(file).size()); }
