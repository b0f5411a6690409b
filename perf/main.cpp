// SPDX-License-Identifier: MIT
// Runs the benchmarks. Below Google Benchmark's own output, it prints a table of ratios between
// implementations.
#include <sam/backend.hpp>
#include <sam/version.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

// Benchmarks are named <case>/by:<who>/...; those of one case are compared with each other.
class comparing_reporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(std::vector<Run> const& runs) override {
    std::vector<Run> shown;  // median and variation of repetitions
    for (Run const& run : runs)
      if (run.repetitions == 1 || run.aggregate_name == "median" || run.aggregate_name == "cv")
        shown.push_back(run);
    ConsoleReporter::ReportRuns(shown);
    for (Run const& run : runs) {
      std::string const name = run.benchmark_name();
      auto const by = name.find("/by:");
      if (run.run_type != Run::RT_Iteration || by == std::string::npos)
        continue;
      auto const end = name.find('/', by + 1);
      auto const rate = run.counters.find("items/s");
      if (rate == run.counters.end())
        continue;
      rates_[name.substr(0, by)][name.substr(by + 4, end - by - 4)].push_back(rate->second.value);
    }
  }

  void print_ratios() const {
    if (rates_.empty())
      return;
    std::printf("\n%-64s %10s %8s %8s %8s  %s\n", "median of all repetitions", "sam G/s", "of roof",
                "of copy", "x serial", "and times the best peer");
    for (auto const& [name, cases] : rates_) {
      auto const ours = median(cases, "sam");
      std::string best = "-";
      double peer = 0;
      for (auto const& [who, rates] : cases)
        if (who != "sam" && who != "roof" && who != "memcpy" && who != "serial" &&
            median(cases, who) > peer)
          peer = median(cases, who), best = who;
      std::printf("%-64s %10.3f", name.c_str(), ours / 1e9);
      for (char const* who : {"roof", "memcpy", "serial"})
        if (cases.count(who) > 0)
          std::printf(" %8.2f", ours / median(cases, who));
        else
          std::printf(" %8s", "-");
      if (peer > 0)
        std::printf("  %.2f %s\n", ours / peer, best.c_str());
      else
        std::printf("  -\n");
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
};

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime runtime(argc, argv);
  // By default, cases are repeated and randomly interleaved, so that drift of the machine affects
  // all of them.
  std::vector<std::string> defaults{"--benchmark_repetitions=5",
                                    "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments{argv[0]};
  for (std::string& option : defaults)
    arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  auto count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
    return 1;
  benchmark::AddCustomContext("sam_version", std::to_string(SAM_VERSION));
  benchmark::AddCustomContext("compiler", __VERSION__);
  comparing_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
}
