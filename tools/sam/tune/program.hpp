// SPDX-License-Identifier: MIT
// Runs variant.cpp, compiled with other values, as another process.
#pragma once

#include "tune/machine.hpp"

#include <cstdio>

namespace sam::tune {

/// A machine in another process. Throws std::runtime_error if it ends or answers nonsense.
class program final : public machine {
 public:
  explicit program(std::string path);
  ~program() override;
  program(program const&) = delete;
  program& operator=(program const&) = delete;

  std::string engine() const override { return engine_; }
  std::string device() const override { return device_; }
  std::vector<std::pair<std::string, std::string>> facts() const override { return facts_; }
  std::vector<setting> settings() const override { return settings_; }
  void set(std::string const& name, index_t value) override;
  double seconds(workload_id const& what) override;
  void forget() override;

 private:
  std::vector<std::string> ask(std::string const& command);

  std::string path_;
  int process_ = -1;
  std::FILE *to_ = nullptr, *from_ = nullptr;
  std::string engine_, device_;
  std::vector<std::pair<std::string, std::string>> facts_;
  std::vector<setting> settings_;
};

}  // namespace sam::tune
