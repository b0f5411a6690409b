// SPDX-License-Identifier: MIT
// Tests calls inside parallel regions (of Kokkos and others), from several threads and instances,
// and in the child of a fork.
#include <sam/compact.hpp>
#include <sam/kokkos/backend.hpp>
#include <sam/radix_sort.hpp>
#include <sam/scan.hpp>

#include "watchdog.hpp"
#include <catch2/catch_test_macros.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using space = Kokkos::DefaultHostExecutionSpace;
using context_type = sam::kokkos::basic_context<space>;

// At the first size calls stay on the calling thread, at the second they do not.
constexpr std::size_t sizes[] = {1000, 200'000};

std::vector<float> random_floats(std::size_t n) {
  std::vector<float> items(n);
  std::uint32_t bits = 1;
  for (float& x : items)
    x = static_cast<float>((bits = bits * 1664525 + 1013904223) >> 8) / 1e4f;
  return items;
}

/// The results of some calls. The bits of a float sum show how items were grouped.
struct results {
  std::vector<float> sums, kept, sorted;
  sam::index_t number = 0;
  bool operator==(results const&) const = default;
};
template <class Context>
results call(Context& context, std::vector<float> const& items) {
  std::size_t const n = items.size();
  results all{std::vector<float>(n), std::vector<float>(n), std::vector<float>(n)};
  sam::inclusive_scan(context, items, all.sums);
  all.number = sam::compact(context, items, all.kept, [](float x) { return x > 800; });
  sam::radix_sort(context, items, all.sorted);
  context.wait();
  return all;
}
results expected(std::vector<float> const& items) {
  context_type context;
  return call(context, items);
}

TEST_CASE("calls in a kernel of Kokkos work at any size, with the same bits", "[regions]") {
  test::watchdog const watchdog(60s);
  for (std::size_t const n : sizes) {
    auto const items = random_floats(n);
    auto const wanted = expected(items);
    std::atomic<int> right{0};
    context_type outside;  // one iteration uses it
    Kokkos::parallel_for(Kokkos::RangePolicy<space>(0, 4), [&](int k) {
      context_type own;
      right += call(k == 0 ? outside : own, items) == wanted;
    });
    Kokkos::parallel_for(Kokkos::TeamPolicy<space>(2, 1),
                         [&](Kokkos::TeamPolicy<space>::member_type const&) {
                           context_type own;
                           right += call(own, items) == wanted;
                         });
    REQUIRE(right == 6);
    REQUIRE(call(outside, items) == wanted);
  }
}

TEST_CASE("a context that several iterations of a kernel use at once is an error", "[regions]") {
  test::watchdog const watchdog(60s);
  auto const items = random_floats(200'000);
  auto const wanted = expected(items);
  context_type context;
  std::atomic<int> right{0}, refused{0};
  Kokkos::parallel_for(Kokkos::RangePolicy<space>(0, 8), [&](int) {
    try {
      right += call(context, items) == wanted;
    } catch (sam::invalid_argument const& error) {
      refused += error.argument() == "context";
    }
  });
  REQUIRE(right + refused == 8);
  REQUIRE(call(context, items) == wanted);
}

#ifdef _OPENMP
TEST_CASE("calls in a region of OpenMP work at any size, with the same bits", "[regions]") {
  test::watchdog const watchdog(60s);
  for (std::size_t const n : sizes)
    for (int const threads : {1, 2, 4}) {
      auto const items = random_floats(n);
      auto const wanted = expected(items);
      std::atomic<int> right{0}, all{0};
#pragma omp parallel num_threads(threads)
      {
        context_type own;
        right += call(own, items) == wanted;
        ++all;
      }
      REQUIRE(right == all);
    }
}
#endif

TEST_CASE("threads may make calls at the same time, each on a context of its own", "[regions]") {
  test::watchdog const watchdog(60s);
  auto const items = random_floats(200'000);
  auto const wanted = expected(items);
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        context_type own;
        for (int k = 0; k < 10; ++k)
          right += call(own, items) == wanted;
      });
  }
  REQUIRE(right == 30);
}

TEST_CASE("calls on instances of a space work, also in a kernel on one of them", "[regions]") {
  test::watchdog const watchdog(60s);
  auto const items = random_floats(200'000);
  auto const wanted = expected(items);
  auto const instances = Kokkos::Experimental::partition_space(space(), 1, 1);
  std::atomic<int> right{0};
  for (auto const& instance : instances) {
    context_type context(instance);
    right += call(context, items) == wanted;
  }
  Kokkos::parallel_for(Kokkos::RangePolicy<space>(instances[0], 0, 2), [&](int) {
    for (auto const& instance : instances) {
      context_type context(instance);
      right += call(context, items) == wanted;
    }
  });
  REQUIRE(right == 6);
}

TEST_CASE("calls in the child of a fork work", "[regions]") {
  auto const items = random_floats(200'000);
  context_type before;
  auto const wanted = call(before, items);
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(30);
    context_type after;
    bool const right = call(before, items) == wanted && call(after, items) == wanted;
    _exit(right ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  REQUIRE(call(before, items) == wanted);  // the parent goes on with all threads
}

}  // namespace
