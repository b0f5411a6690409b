// SPDX-License-Identifier: MIT
// Tests error messages and exit statuses of the tool.
#include "tool.hpp"
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstdint>

namespace {

std::string header(std::string const& descr, std::string const& order, std::string const& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

}  // namespace

TEST_CASE("help is printed, and the exit status is 0", "[tool]") {
  std::string const command =
      GENERATE("", "scan ", "segmented-scan ", "reduce ", "summed-area-table ",
               "linear-recurrence ", "linear-filter ", "histogram ", "sort ", "encode ", "decode ",
               "compact ", "partition ", "unique ", "rle ", "rle encode ", "rle decode ",
               "rle find ", "predict ", "demo ", "top ", "merge ", "search ", "extremes ", "find ",
               "gather ", "scatter ", "adjacent-difference ", "inner-product ");
  auto const result = run_tool(command + "--help");
  CHECK(result.status == 0);
  CHECK(result.errors.empty());
  CHECK(result.output.find("Examples:\n  sam ") != std::string::npos);
}

TEST_CASE("info names every back end", "[tool]") {
  auto const result = run_tool("info");
  CHECK(result.status == 0);
  CHECK(result.errors.empty());
  for (std::string const& name : back_ends())
    CHECK(result.output.find("back end     " + name) != std::string::npos);
}

TEST_CASE("info prints the plans of every back end", "[tool]") {
  auto const result = run_tool("info --sort-plan --scan-plan");
  CHECK(result.status == 0);
  for (std::string const& name : back_ends()) {
    CHECK(result.output.find("Scans of the back end " + name) != std::string::npos);
    CHECK(result.output.find("Sorts of the back end " + name) != std::string::npos);
  }
  CHECK(result.output.find("| 32 bits | ") != std::string::npos);
  CHECK(result.output.find("| int32 | ") != std::string::npos);
}

TEST_CASE("more threads than Kokkos has room for are refused", "[tool]") {
  for (std::string const& name : back_ends()) {
    std::string const info = run_tool("info").output;
    if (name != "kokkos" || info.find("  device     OpenMP") == std::string::npos)
      continue;
    test_folder const folder;
    std::string const in = folder / "in.npy";
    write_npy(in, std::vector<std::int16_t>{1, 2, 3});
    std::string const scan = "scan --backend kokkos " + in + " " + folder / "out.npy";
    fails(1, "OpenMP is to run 1000 threads", scan, "OMP_NUM_THREADS=1000");
    fails(1, "OpenMP is to run 513 threads", scan, "KOKKOS_NUM_THREADS=513");
    CHECK(folder.files() == std::vector<std::string>{"in.npy"});
    auto const few = "OMP_NUM_THREADS=1000 OMP_THREAD_LIMIT=2";
    CHECK(run_tool("reduce --backend kokkos " + in, few).output == "6\n");
    CHECK(run_tool("info", "OMP_NUM_THREADS=1000").output.find("not usable") != std::string::npos);
  }
}

TEST_CASE("what is not understood is status 2", "[tool]") {
  fails(2, "", "");
  fails(2, "there is no command frobnicate", "frobnicate");
  fails(2, "", "scan");
  fails(2, "", "scan in.npy");
  fails(2, "", "scan in.npy out.npy more.npy");
  fails(2, "--order", "scan --order 0 in.npy out.npy");
  fails(2, "--order", "scan --order two in.npy out.npy");
  fails(2, "--tuple", "scan --tuple 0 in.npy out.npy");
  fails(2, "--op", "scan --op minus in.npy out.npy");
  fails(2, "--carry", "scan --carry pigeon in.npy out.npy");
  fails(2, "--map", "scan --map cube in.npy out.npy");
  fails(2, "--as", "scan --as int7 in.npy out.npy");
  fails(2, "--as", "reduce --as bool in.npy");
  fails(2, "--map", "scan --map square --order 2 in.npy out.npy");
  fails(2, "--map", "reduce --map square --offsets rows.npy in.npy");
  fails(2, "", "sort in.npy");
  fails(2, "--order", "sort --order 2 in.npy out.npy");
  fails(2, "out", "summed-area-table in.npy");
  fails(2, "--box", "summed-area-table --box 1 2 three 4 in.npy");
  fails(2, "", "linear-recurrence a.npy b.npy");
  fails(2, "--coefficients", "linear-filter in.npy out.npy");
  fails(2, "", "histogram in.npy out.npy");
  fails(2, "--from", "histogram --bins 5 --to 3 in.npy out.npy");
  fails(2, "--bins", "histogram --bins 0 --from 1 --to 3 in.npy out.npy");
  fails(2, "", "histogram --boundaries edges.npy --bins 5 --from 1 --to 3 in.npy out.npy");
  fails(2, "--backend", "scan --backend abacus in.npy out.npy");
  fails(2, "--unheard", "decode --unheard of in.npy out.npy");
}

TEST_CASE("a file that is no array of numbers is refused", "[tool]") {
  test_folder const folder;
  std::string const in = folder / "in.npy", out = folder / "out.npy";
  auto const refused = [&](std::string const& problem, std::string const& bytes) {
    write_bytes(in, bytes);
    fails(1, problem, "scan " + in + " " + out);
    CHECK(folder.files() == std::vector<std::string>{"in.npy"});
  };
  std::string const items(12, '\1');
  std::string const good = npy_bytes(header("'<i4'", "False", "(3,)"), items);
  refused("is not a .npy file", "");
  refused("is not a .npy file", "RIFF....WAVE");
  refused("within the header", good.substr(0, 7));
  refused("within the header", good.substr(0, 30));
  refused("cut short", good.substr(0, good.size() - 1));
  refused("behind", good + "!");
  refused("version 4", npy_bytes(header("'<i4'", "False", "(3,)"), items, 4));
  refused("Fortran order", npy_bytes(header("'<i4'", "True", "(3, 1)"), items));
  refused("big-endian", npy_bytes(header("'>i4'", "False", "(3,)"), items));
  refused("'|S1'", npy_bytes(header("'|S1'", "False", "(12,)"), items));
  refused("'<f2'", npy_bytes(header("'<f2'", "False", "(6,)"), items));
  refused("'<c8'", npy_bytes(header("'<c8'", "False", "(1,)"), items));
  refused("'<?4'", npy_bytes(header("'<\n4'", "False", "(3,)"), items));
  refused("records", npy_bytes(header("[('a', '<i4')]", "False", "(3,)"), items));
  refused("would not fit", npy_bytes(header("'<i4'", "False", "(4294967296, 4294967296)"), items));
  refused("cut short", npy_bytes(header("'<i4'", "False", "(1000000000000,)"), items));
  for (std::string const& bad :
       {header("'<i4'", "False", "(-3,)"), header("'<i4'", "No", "(3,)"),
        header("'<i4'", "False", "(3,"), header("'<i4'", "False", "(3.0,)"), std::string("{}"),
        std::string("{'descr': '<i4', 'shape': (3,)}"),
        std::string("{'descr': '<i4', 'descr': '<i4', 'shape': (3,)}"),
        header("'<i4'", "False", "(3,)") + "}", std::string(50, '(')})
    refused("malformed", npy_bytes(bad, items));
}

TEST_CASE("what the items do not allow is refused", "[tool]") {
  test_folder const folder;
  std::string const scan = "scan" + one_back_end(), encode = "encode" + one_back_end();
  std::string const decode = "decode" + one_back_end();
  std::string const out = folder / "out.npy";
  std::string const floats = folder / "floats.npy", bytes = folder / "bytes.npy";
  write_npy(floats, std::vector<float>{1, 2});
  write_npy(bytes, std::vector<std::int8_t>{1, 2});
  fails(1, "float32", scan + "--op xor " + floats + " " + out);
  fails(1, "float32", encode + floats + " " + out);
  fails(1, "float32", decode + floats + " " + out);
  fails(1, "int8", scan + "--op max --init 128 " + bytes + " " + out);
  fails(1, "int8", scan + "--as int8 --init 128 " + bytes + " " + out);
  fails(1, "int64", scan + "--init 1.5 " + bytes + " " + out);
  fails(1, "uint64", scan + "--as uint64 --init -1 " + bytes + " " + out);
  fails(1, "stay floats", scan + "--as int64 " + floats + " " + out);
  fails(1, "not on float32", scan + "--as float32 --op xor " + bytes + " " + out);
  fails(1, "should end in .npy", encode + bytes + " " + folder / "out.txt");
  fails(1, "int8", "decode --rate 8000 " + bytes + " " + folder / "out.wav");
  fails(1, "several passes", scan + "--op max --carry reduce_then_scan " + bytes + " " + out);
  CHECK(folder.files().size() == 2);
}

TEST_CASE("files that cannot be read or written are named", "[tool]") {
  test_folder const folder;
  std::string const scan = "scan" + one_back_end(), decode = "decode" + one_back_end();
  std::string const in = folder / "in.npy", missing = folder / "missing.npy";
  write_npy(in, std::vector<std::int16_t>(100'000, 1));
  std::string const shorts = folder / "shorts.npy";
  write_npy(shorts, std::vector<std::int16_t>(10, 1));

  fails(1, missing + ": No such file or directory", "scan " + missing + " " + folder / "out.npy");
  fails(1, "Is a directory", "scan " + folder / "" + " " + folder / "out.npy");
  fails(1, "No such file or directory", scan + in + " " + folder / "nowhere/out.npy");
  fails(1, "Is a directory", scan + in + " " + folder / "");
  fails(1, "should end in", decode + "--rate 8000 " + shorts + " " + folder / "out.mp3");
  fails(1, "--rate", decode + shorts + " " + folder / "out.wav");
  fails(1, "whole number of frames",
        decode + "--rate 8000 --channels 3 " + shorts + " " + folder / "out.wav");
  write_bytes(folder / "text.wav", "This is no audio.");
  fails(1, "neither", "encode" + one_back_end() + folder / "text.wav" + " " + folder / "out.npy");
  fails(1, "missing.wav", "demo --audio " + folder / "missing.wav");
  CHECK(folder.files().size() == 3);
}

TEST_CASE("of two outputs both are written or none", "[tool]") {
  test_folder const folder;
  auto const on = one_back_end();
  std::string const in = folder / "in.npy", out = folder / "out.npy";
  std::string const nowhere = folder / "nowhere/out.npy";
  write_npy(in, std::vector<std::int16_t>(100'000, 1));
  auto const refused = [&](std::string const& problem, std::string const& first,
                           std::string const& second) {
    CAPTURE(first, second);
    auto const fails_with = [&](std::string const& arguments) {
      fails(1, problem, arguments);
      CHECK(folder.files() == std::vector<std::string>{"in.npy"});
    };
    auto const values = "--values " + in + " " + second + " " + in + " " + first;
    fails_with("sort" + on + values);
    fails_with("unique" + on + values);
    fails_with("rle encode" + on + in + " " + first + " " + second);
    fails_with("reduce" + on + "--keys " + in + " --unique-keys " + first + " " + in + " " +
               second);
  };
  refused("No such file or directory", out, nowhere);
  refused("No such file or directory", nowhere, out);
  refused("out.npy: is named for two outputs", out, out);
  fails(1, "File too large",
        "sort" + on + "--values " + in + " " + folder / "more.npy " + in + " " + out,
        "ulimit -f 64;");
  CHECK(folder.files() == std::vector<std::string>{"in.npy"});
  write_bytes(out, "old");
  fails(1, "No such file or directory", "rle encode" + on + in + " " + out + " " + nowhere);
  CHECK(read_bytes(out) == "old");
}

TEST_CASE("a full disk leaves things as they were", "[tool]") {
  test_folder const folder;
  std::string const scan = "scan" + one_back_end(), decode = "decode" + one_back_end();
  std::string const in = folder / "in.npy", out = folder / "out.npy";
  write_npy(in, std::vector<std::int16_t>(100'000, 1));
  fails(1, "No space left", scan + in + " /dev/full");

  // The shell's limit on file sizes stands in for a full disk.
  std::string const full = "ulimit -f 64;";
  fails(1, "File too large", scan + in + " " + out, full);
  fails(1, "could not be written", decode + "--rate 8000 " + in + " " + folder / "out.wav", full);
  CHECK(folder.files() == std::vector<std::string>{"in.npy"});

  write_bytes(out, "old");
  fails(1, "File too large", scan + in + " " + out, full);
  CHECK(read_bytes(out) == "old");
  CHECK(folder.files().size() == 2);
}
