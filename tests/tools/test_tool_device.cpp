// SPDX-License-Identifier: MIT
// Tests back ends that need a device, with and without one.
#include "tool.hpp"
#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

constexpr char const* no_device = "CUDA_VISIBLE_DEVICES= ";

}  // namespace

TEST_CASE("a missing device is reported, and nothing is written", "[tool]") {
  test_folder const folder;
  std::string const in = folder / "in.npy", out = folder / "out.npy";
  write_npy(in, std::vector<std::int16_t>{1, 2, 3});
  for (std::string const& name : back_ends()) {
    std::string const problem = "the back end " + name + " cannot be used here: ";
    for (std::string const command : {"scan", "sort", "encode", "decode"})
      fails(1, problem, command + " --backend " + name + " " + in + " " + out, no_device);
    fails(1, problem, "decode --rate 8000 --backend " + name + " " + in + " " + folder / "out.wav",
          no_device);
    CHECK(folder.files() == std::vector<std::string>{"in.npy"});
    CHECK((read_npy<std::int16_t>(in) == std::vector<std::int16_t>{1, 2, 3}));
  }
}

TEST_CASE("info says why a device cannot be used", "[tool]") {
  auto const result = run_tool("info", no_device);
  CHECK(result.status == 0);
  CHECK(result.errors.empty());
  for (std::string const& name : back_ends()) {
    std::size_t const at = result.output.find("back end     " + name);
    REQUIRE(at != std::string::npos);
    CHECK(result.output.find("  not usable ", at) == result.output.find('\n', at) + 1);
  }
}

TEST_CASE("info says what a device is", "[tool]") {
  back_end_options();
  auto const result = run_tool("info");
  CHECK(result.status == 0);
  for (std::string const fact : {"device", "capability", "processors", "memory", "clocks", "CUDA"})
    CHECK(result.output.find("\n  " + fact + " ") != std::string::npos);
}
