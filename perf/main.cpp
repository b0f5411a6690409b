// SPDX-License-Identifier: MIT
// Runs the benchmarks and, below Google Benchmark's own output, prints what matters: the ratios.
#include <sam/backend.hpp>
#include <sam/version.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

// Benchmarks are named <case>/by:<who>/...; the cases of one name are compared with one another.
class comparing_reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(std::vector<Run> const& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (Run const& run : runs) {
      std::string const name = run.benchmark_name();
      auto const by = name.find("/by:");
      if (run.run_type != Run::RT_Iteration || by == std::string::npos)
        continue;
      auto const end = name.find('/', by + 1);
      auto const rate = run.counters.find("items/s");
      if (rate == run.counters.end())
        continue;
      auto& cases = rates_[name.substr(0, by)];
      if (cases.empty())
        order_.push_back(name.substr(0, by));
      cases[name.substr(by + 4, end - by - 4)].push_back(rate->second.value);
    }
  }

  void print_ratios() const {
    if (order_.empty())
      return;
    std::printf("\n%-52s %10s %8s %8s  %s\n", "median of all repetitions", "sam G/s", "of roof",
                "of copy", "and times the best peer");
    for (std::string const& name : order_) {
      auto const& cases = rates_.at(name);
      auto const ours = median(cases, "sam");
      std::string best = "-";
      double peer = 0;
      for (auto const& [who, rates] : cases)
        if (who != "sam" && who != "roof" && who != "memcpy" && median(cases, who) > peer)
          peer = median(cases, who), best = who;
      std::printf("%-52s %10.3f %8.2f %8.2f ", name.c_str(), ours / 1e9,
                  ours / median(cases, "roof"), ours / median(cases, "memcpy"));
      if (peer > 0)
        std::printf(" %.2f %s\n", ours / peer, best.c_str());
      else
        std::printf(" -\n");
    }
  }

 private:
  using by_who = std::map<std::string, std::vector<double>>;

  static double median(by_who const& cases, std::string const& who) {
    auto const found = cases.find(who);
    if (found == cases.end())
      return 0;
    auto rates = found->second;
    std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
    return rates[rates.size() / 2];
  }

  std::map<std::string, by_who> rates_;
  std::vector<std::string> order_;
};

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime runtime(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::AddCustomContext("sam_version", std::to_string(SAM_VERSION));
  benchmark::AddCustomContext("compiler", __VERSION__);
  comparing_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
}
