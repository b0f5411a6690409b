// SPDX-License-Identifier: MIT
// Tests streams in place of files, and that unfinished outputs are removed.
#include "tool.hpp"
#include <catch2/catch_test_macros.hpp>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <thread>

namespace {

using longs = std::vector<std::int64_t>;

/// A folder with a named pipe and with in.npy, which holds 3, 1, 2.
class place : public test_folder {
 public:
  place() {
    write_npy(*this / "in.npy", longs{3, 1, 2});
    REQUIRE(mkfifo((*this / "pipe").c_str(), 0600) == 0);
  }
  std::string in() const { return *this / "in.npy "; }
  std::string out() const { return *this / "out.npy "; }
  std::string pipe() const { return *this / "pipe "; }

  /// Returns the names of unfinished files.
  std::vector<std::string> unfinished() const {
    std::vector<std::string> names = files();
    std::erase_if(names, [](std::string const& name) {
      return name == "in.npy" || name == "out.npy" || name == "pipe";
    });
    std::ranges::sort(names);
    return names;
  }
  /// Waits until there are `count` unfinished files.
  void wait_for(std::size_t count) const {
    for (int k = 0; k < 1000 && unfinished().size() != count; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    REQUIRE(unfinished().size() == count);
  }
};

/// Returns the items of an array from the bytes of its file.
longs items_in(std::string const& bytes) {
  test_folder const folder;
  write_bytes(folder / "a.npy", bytes);
  return read_npy<std::int64_t>(folder / "a.npy");
}

unsigned mode_of(std::string const& path) {
  struct stat about {};
  REQUIRE(stat(path.c_str(), &about) == 0);
  return about.st_mode & 07777u;
}

}  // namespace

TEST_CASE("no signal leaves anything", "[tool]") {
  place const here;
  // The tool blocks with a finished temporary file until the pipe is read, which never happens.
  std::string const command = "rle encode" + one_back_end() + here.in() + here.out() + here.pipe();
  for (int const signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU,
        SIGVTALRM, SIGPROF, SIGIO, SIGSYS, SIGRTMIN, SIGRTMAX}) {
    CAPTURE(signal);
    int const tool = start_tool(command);
    here.wait_for(1);
    REQUIRE(kill(tool, signal) == 0);
    CHECK(end_of(tool) == -signal);
    CHECK(here.unfinished().empty());
  }
  CHECK(here.files().size() == 2);
}

TEST_CASE("a closed pipe ends the tool quietly", "[tool]") {
  place const here;
  write_npy(here / "in.npy", random_items<std::int64_t>(100'000, 1));
  std::string const on = one_back_end();
  std::string const encode = "$sam rle encode" + on + here.in() + here.out();
  auto const killed = run_shell("{ " + encode + "-; echo $? >&2; } | head -c 1 > /dev/null");
  CHECK(killed.errors == "141\n");
  CHECK(here.files().size() == 2);
  auto const told = run_shell("trap '' PIPE; { " + encode +
                              "/dev/stdout; echo $? >&2; } | head -c 1 > /dev/null");
  CHECK(told.errors == "sam: /dev/stdout: Broken pipe\n1\n");
  CHECK(here.files().size() == 2);
}

TEST_CASE("two tools may write one file at a time", "[tool]") {
  place const here;
  std::string const command = "rle encode" + one_back_end() + here.in() + here.out() + here.pipe();
  int const first = start_tool(command);
  here.wait_for(1);
  auto const name = here.unfinished().front();
  int const second = start_tool(command);
  here.wait_for(2);
  CHECK(std::ranges::count(here.unfinished(), name) == 1);
  // Its buffer holds the output of both.
  std::fstream const pipe(here / "pipe", std::ios::in | std::ios::out);
  CHECK(end_of(first) == 0);
  CHECK(end_of(second) == 0);
  CHECK(here.unfinished().empty());
  CHECK(read_npy<std::int64_t>(here / "out.npy") == longs{3, 1, 2});
}

TEST_CASE("arrays go through pipes", "[tool]") {
  place const here;
  std::string const on = one_back_end(), scan = "$sam scan" + on;
  CHECK(items_in(run_shell(scan + here.in() + "-").output) == longs{3, 4, 6});
  CHECK(items_in(run_shell(scan + "- - < " + here.in()).output) == longs{3, 4, 6});
  CHECK(items_in(run_shell("cat " + here.in() + " | " + scan + "- - | " + scan + "- -").output) ==
        longs{3, 7, 13});
  CHECK(run_shell("cat " + here.in() + " | $sam reduce" + on + "-").output == "6\n");
  CHECK(run_shell("cat " + here.in() + " | $sam encode" + on + "- - | $sam reduce" + on + "-")
            .output == "2\n");
  CHECK(run_shell(scan + here.in() + here.pipe() + "& $sam reduce" + on + here.pipe()).output ==
        "13\n");
  // Reading starts at the current position, so that bytes read before are skipped.
  std::string const behind = "{ head -c 5 > /dev/null; cat; } < " + here / "more" + " | ";
  write_bytes(here / "more", "12345" + read_bytes(here / "in.npy"));
  CHECK(run_shell(behind + "$sam reduce" + on + "-").output == "6\n");
  fails(1, "standard input: is cut short", "reduce" + on + "-", "head -c 80 " + here.in() + " |");
  fails(1, "two inputs are -", "sort" + on + "--values - " + here / "v.npy" + " - " + here.out());
  fails(1, "two inputs are -", "rle decode" + on + "- - " + here.out());
}

TEST_CASE("descriptors are written to where they stand, and never replaced", "[tool]") {
  place const here;
  std::string const scan = "$sam scan" + one_back_end() + here.in();
  std::string const log = here / "log";
  std::filesystem::create_symlink("/dev/stdout", here / "link");
  for (std::string const out : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    CAPTURE(out);
    write_bytes(log, "precious");
    CHECK(run_shell(scan + out + " >> " + log).status == 0);
    CHECK(read_bytes(log).starts_with("precious\x93NUMPY"));
    CHECK(items_in(read_bytes(log).substr(8)) == longs{3, 4, 6});
    CHECK(run_shell("{ printf head; " + scan + out + "; } > " + log).status == 0);
    CHECK(read_bytes(log).starts_with("head\x93NUMPY"));
  }
  CHECK(items_in(run_shell(scan + here / "link").output) == longs{3, 4, 6});
  CHECK(std::filesystem::is_symlink(here / "link"));
  write_bytes(log, "precious");
  CHECK(run_shell(scan + "/dev/fd/3 3>> " + log).status == 0);
  CHECK(read_bytes(log).starts_with("precious\x93NUMPY"));
}

TEST_CASE("a link is followed, also to where no file is yet", "[tool]") {
  place const here;
  std::filesystem::create_directory(here / "folder");
  std::filesystem::create_symlink("folder/../folder/target.npy", here / "first");
  std::filesystem::create_symlink("first", here / "link.npy");
  for (int round = 0; round < 2; ++round) {
    REQUIRE(run_tool("scan" + one_back_end() + here.in() + here / "link.npy").status == 0);
    CHECK(std::filesystem::is_symlink(here / "link.npy"));
    CHECK(std::filesystem::is_symlink(here / "first"));
    CHECK(read_npy<std::int64_t>(here / "folder/target.npy") == longs{3, 4, 6});
  }
  std::filesystem::create_symlink("round", here / "round");
  fails(1, "round: Too many levels", "scan " + here.in() + here / "round");
}

TEST_CASE("a new file has the mode of the umask, a replaced one keeps its own", "[tool]") {
  place const here;
  std::string const arguments = "scan" + one_back_end() + here.in() + here.out();
  REQUIRE(run_tool(arguments, "umask 027;").status == 0);
  CHECK(mode_of(here / "out.npy") == 0640);
  REQUIRE(chmod((here / "out.npy").c_str(), 0604) == 0);
  REQUIRE(run_tool(arguments, "umask 077;").status == 0);
  CHECK(mode_of(here / "out.npy") == 0604);
}

TEST_CASE("lines for people do not mix with arrays", "[tool]") {
  place const here;
  std::string const part = "partition --less 2" + one_back_end() + here.in();
  std::string const note = "1 of 3 items come first\n";
  auto const piped = run_tool(part + "-");
  CHECK(items_in(piped.output) == longs{1, 3, 2});
  CHECK(piped.errors == note);
  CHECK(run_tool(part + here.out()).output == note);
  auto const counts =
      run_tool("histogram --bins 2 --from 0 --to 4" + one_back_end() + here.in() + "/dev/stdout");
  CHECK(items_in(counts.output) == longs{1, 2});
  CHECK(counts.errors == "3 of 3 items lie in a bin\n");
  fails(1, "printed to standard output",
        "reduce" + one_back_end() + "--keys " + here.in() + "--unique-keys - " + here.in());
}

TEST_CASE("outputs that meet are refused before anything is done", "[tool]") {
  place const here;
  std::string const encode = "rle encode" + one_back_end() + here.in();
  auto const refused = [&](std::string const& outputs, std::string const& after = "") {
    CAPTURE(outputs);
    auto const result = run_tool(encode + outputs + after);
    CHECK(result.status == 1);
    CHECK(result.errors.find("is named for two outputs") != std::string::npos);
    CHECK(here.files().size() == 2);
  };
  std::filesystem::path const folder = std::filesystem::path(here / "in.npy").parent_path();
  refused(here.out() + here.out());
  refused(here.out() + (folder / "." / "out.npy").string());
  refused("- -");
  refused("/dev/stdout -");
  refused(here.pipe() + here.pipe());
  CHECK(run_tool(encode + "/dev/null /dev/null").status == 0);
  CHECK(run_tool(encode + here.out() + "/dev/null").status == 0);
}

TEST_CASE("what cannot be written is said before a file is read", "[tool]") {
  place const here;
  std::string const missing = here / "missing.npy ";
  for (std::string const command :
       {"scan ", "sort ", "unique ", "encode ", "compact --less 1 ",
        "linear-filter --coefficients 1 ", "reduce ", "segmented-scan --keys k.npy ",
        "summed-area-table ", "histogram --bins 1 --from 0 --to 1 ", "linear-recurrence a.npy ",
        "rle decode v.npy ", "rle encode v.npy "}) {
    CAPTURE(command);
    std::string const nowhere = here / "nowhere/out.npy";
    fails(1, nowhere + ": No such file or directory", command + missing + nowhere);
    fails(1, "Is a directory",
          command + missing + std::filesystem::path(nowhere).parent_path().parent_path().string());
  }
  fails(1, "in.npy/out.npy: Not a directory", "scan " + missing + here / "in.npy/out.npy");
  fails(1, "'': No such file", "scan " + here.in() + "''");
  CHECK(here.files().size() == 2);
}

TEST_CASE("closed and full descriptors are reported", "[tool]") {
  place const here;
  std::string const on = one_back_end();
  std::string const scan = "scan" + on + here.in();
  auto const told = [&](std::string const& problem, std::string const& arguments) {
    auto const result = run_tool(arguments);
    CAPTURE(arguments);
    CHECK(result.status == 1);
    CHECK(result.errors == "sam: " + problem + "\n");
  };
  told("standard output: Bad file descriptor", scan + "- >&-");
  told("standard input: Bad file descriptor", "reduce" + on + "- <&-");
  told("standard output: Bad file descriptor", "reduce" + on + here.in() + ">&-");
  told("/dev/fd/0: Bad file descriptor", scan + "/dev/fd/0 < " + here.in());
  told("standard output: No space left on device", scan + "- > /dev/full");
  told("standard output: No space left on device", "reduce" + on + here.in() + "> /dev/full");
  CHECK(run_tool(scan + here.out() + "<&- >&- 2>&-").status == 0);
  CHECK(read_npy<std::int64_t>(here / "out.npy") == longs{3, 4, 6});
}

TEST_CASE("audio is not written to streams", "[tool]") {
  place const here;
  write_npy(here / "in.npy", std::vector<std::int16_t>{1, 2, 3});
  std::filesystem::create_symlink("/dev/null", here / "null.wav");
  fails(1, "is a stream", "decode --rate 8000" + one_back_end() + here.in() + here / "null.wav");
}
