// SPDX-License-Identifier: MIT
// Tests `sam predict`.
#include "tool.hpp"
#include <catch2/catch_test_macros.hpp>

namespace {

/// Returns what the tool predicts, without the first line.
std::string predicted(std::string const& arguments) {
  auto const result = run_tool("predict " + arguments);
  CHECK(result.status == 0);
  CHECK(result.errors.empty());
  return result.output.substr(result.output.find('\n') + 1);
}

}  // namespace

TEST_CASE("items a thread that conflict are predicted, and good strides are named", "[tool]") {
  CHECK(predicted("--items 48") ==
        "shared memory: wavefronts per item 0.5, per access 16: 16 times the fewest\n"
        "               strides next to 48 without conflicts: 47 and 49\n"
        "global memory: sectors per item 1, per access 32: 8 times the fewest\n");
  CHECK(predicted("--items 53") ==
        "shared memory: wavefronts per item 0.03125, per access 1: 1 times the fewest\n"
        "               strides next to 53 without conflicts: 53\n"
        "global memory: sectors per item 1, per access 32: 8 times the fewest\n");
}

TEST_CASE("strides at which the runs of threads would overlap are not named", "[tool]") {
  auto const strides = [](std::string const& arguments) {
    std::string const all = predicted(arguments);
    std::size_t const at = all.find("strides");
    return all.substr(at, all.find('\n', at) - at);
  };
  CHECK(strides("--items 48 --stride 50") == "strides next to 50 without conflicts: 49 and 51");
  CHECK(strides("--items 60 --stride 66 --item-bytes 1") ==
        "strides next to 66 without conflicts: 60 and 68");
  CHECK(strides("--items 61 --stride 66 --item-bytes 1") ==
        "strides next to 66 without conflicts: 68");
  CHECK(strides("--items 51 --stride 51 --item-bytes 32") ==
        "strides next to 51 with the fewest conflicts: 51");
}

TEST_CASE("neighbouring items are predicted to need no more than their bytes", "[tool]") {
  for (std::string const bytes : {"1", "2", "4", "8", "16"}) {
    CAPTURE(bytes);
    std::string const all = predicted("--pattern striped --items 3 --item-bytes " + bytes);
    CHECK(all.find("strides next to 1 without conflicts: 1\n") != std::string::npos);
    CHECK(all.find("shared memory: wavefronts") == 0);
    CHECK(all.find(": 1 times the fewest\nglobal") ==
          std::string::npos);  // the strides lie between
    CHECK(all.substr(all.size() - 21) == ": 1 times the fewest\n");
  }
}

TEST_CASE("random accesses have no stride", "[tool]") {
  std::string const all = predicted("--pattern random --items 1000");
  CHECK(all.find("stride") == std::string::npos);
  CHECK(all.find("per access 3.5") != std::string::npos);
}

TEST_CASE("the first line of a prediction says what is accessed", "[tool]") {
  CHECK(run_tool("predict").output.find("A warp of 32 lanes, 1 item of 4 bytes for each lane\n") ==
        0);
  CHECK(run_tool("predict --item-bytes 12 --items 2")
            .output.find(
                "A warp of 32 lanes, 2 items of 12 bytes for each lane, each by 3 accesses\n") ==
        0);
}

TEST_CASE("wrong options of a prediction are refused", "[tool]") {
  fails(2, "--items", "predict --items 0");
  fails(2, "--item-bytes", "predict --item-bytes 2000");
  fails(2, "--stride", "predict --stride -1");
  fails(2, "--pattern", "predict --pattern sideways");
}
