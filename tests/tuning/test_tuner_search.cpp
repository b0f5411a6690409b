// SPDX-License-Identifier: MIT
// Tests which candidates the tuner takes, on machines whose times are made up.
#include "tune/machine.hpp"
#include "tune/plan.hpp"
#include "tune/search.hpp"
#include <catch2/catch_test_macros.hpp>

#include <functional>

namespace {

namespace tune = sam::tune;

/// A machine on which a call takes a time that depends on the repeat.
class made_up final : public tune::machine {
 public:
  explicit made_up(std::function<double(int repeat)> time) : time_(std::move(time)) {}
  std::string engine() const override { return "host"; }
  std::string device() const override { return "made up"; }
  std::vector<std::pair<std::string, std::string>> facts() const override { return {}; }
  std::vector<tune::setting> settings() const override { return {}; }
  void set(std::string const&, sam::index_t) override {}
  double seconds(tune::workload_id const&) override { return time_(repeat_++); }
  void forget() override {}

 private:
  std::function<double(int)> time_;
  int repeat_ = 0;
};

/// Returns the value that is found if the default takes one second, 1 % more or less, and the other
/// candidate takes `time`.
sam::index_t best_with(std::function<double(int repeat)> const& time) {
  made_up usual([](int repeat) { return 1 + 0.01 * (repeat % 3 - 1); }), other(time);
  tune::limits within;
  within.seconds = 1e9;
  within.most_repeats = 60;
  tune::experiment found;
  tune::find_best({{1, &usual, [] {}}, {2, &other, [] {}}}, {{"call", 1}}, within, found);
  CHECK(found.trials.size() == 2);
  return found.after;
}

}  // namespace

TEST_CASE("the tuner takes what is faster by a clear part", "[tuning]") {
  CHECK(best_with([](int repeat) { return 0.9 + 0.01 * (repeat % 5 - 2); }) == 2);
  CHECK(best_with([](int) { return 0.995; }) == 1);
  CHECK(best_with([](int) { return 1.1; }) == 1);
}
TEST_CASE("the tuner leaves a value alone whose times are not steady", "[tuning]") {
  CHECK(best_with([](int repeat) { return repeat % 2 == 0 ? 0.4 : 1.0; }) == 1);
}
TEST_CASE("the tuner does not measure tiles of a GPU that do not fit", "[tuning]") {
  tune::model hopper, rtx, t4;
  hopper.shared_bytes = 227 << 10;
  rtx.shared_bytes = 99 << 10;
  t4.shared_bytes = 63 << 10;
  for (tune::search const& of : tune::searches_for("cuda"))
    for (sam::index_t const value : of.candidates) {
      CAPTURE(of.name, value);
      CHECK(tune::rejected_by(hopper, of.name, value).empty());
      CHECK(tune::rejected_by({}, of.name, value).empty());
    }
  CHECK(tune::rejected_by(rtx, "exact_scan_stages", 3) ==
        "the fewest stages of a large tile take 149 KiB, and a block has 99");
  CHECK(tune::rejected_by(rtx, "exact_scan_stages", 5).empty());
  for (sam::index_t const stages : {3, 4, 5})
    CHECK_FALSE(tune::rejected_by(t4, "exact_scan_stages", stages).empty());
  CHECK(tune::rejected_by(t4, "sort_wide_registers", 84) ==
        "the items of a large tile take 66 KiB, and a block has 63");
  CHECK(tune::rejected_by(t4, "sort_wide_registers", 52).empty());
}
