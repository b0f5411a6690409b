// SPDX-License-Identifier: MIT
// Implements program.hpp.
#include "tune/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace sam::tune {

program::program(std::string path) : path_(std::move(path)) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe");
  signal(SIGPIPE, SIG_IGN);  // a program that has ended is noticed when it does not answer
  process_ = fork();
  if (process_ < 0)
    throw std::runtime_error("cannot start " + path_);
  if (process_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl(path_.c_str(), path_.c_str(), nullptr);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  to_ = fdopen(to[1], "w");
  from_ = fdopen(from[0], "r");
  std::vector<std::string> const about = ask("about");
  if (about.size() < 2)
    throw std::runtime_error(path_ + " is not a program of the tuner");
  engine_ = about[0];
  device_ = about[1];
  for (std::size_t k = 2; k < about.size(); ++k)
    if (std::size_t const tab = about[k].find('\t'); tab != std::string::npos)
      facts_.emplace_back(about[k].substr(0, tab), about[k].substr(tab + 1));
  for (std::string const& line : ask("settings")) {
    setting& known = settings_.emplace_back();
    std::istringstream(line) >> known.name >> known.value >> known.least >> known.most >>
        known.at_build_time;
  }
}

program::~program() {
  if (to_ != nullptr)
    std::fclose(to_);  // the program ends with its input
  if (from_ != nullptr)
    std::fclose(from_);
  if (process_ > 0)
    waitpid(process_, nullptr, 0);
}

std::vector<std::string> program::ask(std::string const& command) {
  std::fprintf(to_, "%s\n", command.c_str());
  std::fflush(to_);
  std::vector<std::string> lines;
  std::string line;
  for (int c; (c = std::fgetc(from_)) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
    } else if (line.empty()) {
      return lines;
    } else {
      lines.push_back(line);
      line.clear();
    }
  }
  throw std::runtime_error(path_ + " ended while it was asked for: " + command);
}

void program::set(std::string const& name, index_t value) {
  auto const known = std::ranges::find(settings_, name, &setting::name);
  if (known == settings_.end() || known->at_build_time || known->value == value)
    return;
  known->value = value;
  ask("set " + name + " " + std::to_string(value));
}

double program::seconds(workload_id const& what) {
  auto const lines = ask("time " + std::to_string(what.n) + " " + what.name);
  return lines.size() == 1 ? std::atof(lines[0].c_str()) : -1;
}

void program::forget() { ask("forget"); }

}  // namespace sam::tune
