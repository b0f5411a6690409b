// SPDX-License-Identifier: MIT
// Tunes the engine that a context runs, in this process.
#pragma once

#include <sam/context.hpp>
#include <sam/host/memory/load_tuning.hpp>

#include "tune/workloads.hpp"

#include <cstdlib>
#include <fstream>
#include <thread>

namespace sam::tune {

/// Measures the workloads Kinds on a context.
template <unsigned Kinds, class Context>
class tuned_context final : public machine {
 public:
  explicit tuned_context(Context& context) : context_(context) {}

  std::string engine() const override { return has_own_tuning<Context> ? "cuda" : "host"; }
  std::string device() const override {
    if constexpr (has_own_tuning<Context>)
      return context_.name();
    else
      return host::device_name();
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    std::vector<std::pair<std::string, std::string>> all{{"compiler", __VERSION__}};
    if constexpr (has_own_tuning<Context>) {
      for (auto const& fact : about(context_))
        all.push_back(fact);
      if (char const* const other = std::getenv("SAM_PERF_LIKE");
          other != nullptr && *other != '\0')
        all.emplace_back("with the limits of", other);
    } else {
      all.emplace_back("back end", context_.name());
      all.emplace_back("threads", std::to_string(tool::threads_of(context_)));
      all.emplace_back("clock", clock_text());
    }
    return all;
  }
  std::vector<setting> settings() const override {
    std::vector<setting> all;
    with_values([&](auto const& values, auto const& names) {
      for (auto const& known : names)
        all.push_back(
            {known.name, values.*known.value, known.least, known.most, known.at_build_time});
    });
    return all;
  }
  void set(std::string const& name, index_t value) override {
    with_values([&](auto values, auto const& names) {
      for (auto const& known : names)
        if (name == known.name && !known.at_build_time && values.*known.value != value) {
          values.*known.value = value;
          use(values);
        }
    });
  }
  double seconds(workload_id const& what) override {
    for (auto const& [id, kept] : kept_)
      if (id == what)
        return kept == nullptr ? -1 : kept->seconds();
    kept_.emplace_back(what, make_workload<Kinds>(context_, what));
    return kept_.back().second == nullptr ? -1 : kept_.back().second->seconds();
  }
  void forget() override { kept_.clear(); }

 private:
  template <class Use>
  void with_values(Use const& use) const {
    if constexpr (has_own_tuning<Context>)
      use(context_.tuned(), Context::tunable_values());
    else
      use(host::tuned, host::all_tunables);
  }
  template <class Values>
  void use(Values const& values) {
    if constexpr (has_own_tuning<Context>)
      context_.use_tuning(values);
    else
      host::tuned = values;
  }
  static std::string clock_text() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
      if (line.rfind("cpu MHz", 0) == 0)
        return line.substr(line.find(':') + 2) + " MHz";
    return "unknown";
  }

  Context& context_;
  std::vector<std::pair<workload_id, std::unique_ptr<workload>>> kept_;
};

}  // namespace sam::tune
