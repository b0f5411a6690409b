// SPDX-License-Identifier: MIT
// Defines functions that tests on a back end have in common. Only main.cpp includes this, so that
// they are compiled once.
#pragma once

#include "support.hpp"
#if __has_include("backend_bytes_defined_once.hpp")  // of the back end's folder
#include "backend_bytes_defined_once.hpp"
#endif

#include <concepts>

namespace test {

host_context::host_context(place where, int threads) {
  if (where == place::serial)
    context_.emplace<1>();
  else if (where == place::threads)
    context_.emplace<2>(threads);
}
host_context::~host_context() = default;

void host_context::wait() {
  std::visit([](auto& where) { where.wait(); }, context_);
}
char const* host_context::name() const {
  return std::visit([](auto const& where) { return where.name(); }, context_);
}
void* host_context::workspace(std::size_t bytes) { return chosen().workspace(bytes); }
void* host_context::input_memory(std::size_t bytes) { return chosen().input_memory(bytes); }

sam::host::any_context& host_context::chosen() {
  return *std::visit(
      []<class Context>(Context& where) -> sam::host::any_context* {
        if constexpr (std::derived_from<Context, sam::host::any_context>)
          return &where;
        else  // the back end does not run the host engine, nor its tests this class
          return nullptr;
      },
      context_);
}

void fails(std::function<void()> const& call, std::string const& function,
           std::string const& argument, std::string const& problem, std::source_location at) {
  try {
    call();
  } catch (sam::invalid_argument const& error) {
    std::string const what = error.what();
    CAPTURE(what, problem);
    REQUIRE(error.argument() == argument);
    auto const place =
        what.find(function + ": " + argument + " " + problem + " [" + at.file_name() + ":");
    REQUIRE(place != std::string::npos);
    REQUIRE((place == 0 || !function.starts_with("sam::")));
    return;
  }
  FAIL("threw nothing; expected: " << problem);
}
}  // namespace test
