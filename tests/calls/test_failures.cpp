// SPDX-License-Identifier: MIT
// Tests failures inside a call, for every primitive: callables that throw or make calls themselves,
// allocations that fail, and a context that two threads use. The context stays usable, and nothing
// hangs or leaks.
#include <sam/backend.hpp>

#include "backend_bytes.hpp"  // of the back end's folder
#include "every_call.hpp"
#include "threads_context.hpp"
#include "watchdog.hpp"
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <cstdlib>
#include <new>
#include <type_traits>

// --- Allocations that fail on request -----------------------------------------------------------

namespace {

std::atomic<long> allocations_left{-1};  // until one fails; negative: none fails
std::atomic<long> failed_allocations{0};
std::atomic<long> live_blocks{0};

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (allocations_left.load() >= 0 && allocations_left.fetch_sub(1) == 0) {
    ++failed_allocations;
    return nullptr;
  }
  bytes = (bytes + alignment - 1) / alignment * alignment;
  void* const block = std::aligned_alloc(alignment, bytes == 0 ? alignment : bytes);
  if (block != nullptr)
    ++live_blocks;
  return block;
}
void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const block = allocate(bytes, alignment))
    return block;
  throw std::bad_alloc();
}
void release(void* block) noexcept {
  if (block == nullptr)
    return;
  --live_blocks;
  std::free(block);
}
constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

// The other forms of operator new call these.
void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, usual); }
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  return allocate(bytes, usual);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, std::nothrow_t const&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t, std::nothrow_t const&) noexcept {
  release(block);
}

namespace {

using namespace std::chrono_literals;

struct boom {
  int which;
};

template <class Context>
Context make_context() {
  if constexpr (std::is_constructible_v<Context, int>)
    return Context(3);
  else
    return Context();
}

/// Calls test(call, in, wanted, calls of callables) for every call at every size. `wanted` has the
/// outputs without a failure.
template <class Context, class Test>
void for_every_call(Test test) {
  for (std::size_t const n : test::sizes_of_calls) {
    test::call_inputs const in(n);
    for (auto const& call : test::every_call<Context>()) {
      CAPTURE(n, call.name);
      auto context = make_context<Context>();
      test::hook idle;
      test::call_outputs wanted(n);
      call.make(context, in, wanted, idle);
      context.wait();
      test(call, in, wanted, idle.calls.load());
    }
  }
}

template <class Context>
void check_still_works(Context& context, test::any_call<Context> const& call,
                       test::call_inputs const& in, test::call_outputs const& wanted) {
  test::hook idle;
  test::call_outputs to(in.items.size());
  call.make(context, in, to, idle);
  context.wait();
  REQUIRE(to == wanted);
}

/// Runs the test on the back end's context and, if its tests do so, also on threads.
template <class Test>
void on_each_context(Test test) {
  test.template operator()<sam::default_context>();
  if constexpr (test::backend_bytes::also_on_threads)
    test.template operator()<test::threads>();
}

TEST_CASE("what a callable throws reaches the caller, and the context stays usable", "[failures]") {
  test::watchdog const watchdog(300s);
  on_each_context([]<class Context>() {
    auto context = make_context<Context>();
    for_every_call<Context>([&](auto const& call, auto const& in, auto const& wanted, long calls) {
      for (long const at : {1L, calls / 2}) {
        if (at < 1 || at > calls)
          continue;
        CAPTURE(at);
        test::call_outputs to(in.items.size());
        test::hook throws{at, [&] { throw boom{static_cast<int>(at)}; }};
        int caught = 0;
        try {
          call.make(context, in, to, throws);
        } catch (boom const& thrown) {
          caught = thrown.which;
        }
        REQUIRE(caught == at);
        check_still_works(context, call, in, wanted);
      }
    });
  });
}

TEST_CASE("a call that a callable makes on its own context is an error", "[failures]") {
  test::watchdog const watchdog(300s);
  on_each_context([]<class Context>() {
    auto context = make_context<Context>();
    for_every_call<Context>([&](auto const& call, auto const& in, auto const& wanted, long calls) {
      if (calls == 0)
        return;
      test::ints const few(10, 1);
      test::ints sums(10, -1);
      test::call_outputs to(in.items.size());
      test::hook nests{calls / 2 + 1, [&] { sam::inclusive_scan(context, few, sums); }};
      std::string what;
      try {
        call.make(context, in, to, nests);
      } catch (sam::invalid_argument const& error) {
        REQUIRE(error.argument() == "context");
        what = error.what();
      }
      REQUIRE(what.starts_with("sam::inclusive_scan: context is in use by another call; give each "
                               "thread a context of its own, and each operator or predicate that "
                               "makes calls [" __FILE__ ":"));
      REQUIRE(sums == test::ints(10, -1));
      check_still_works(context, call, in, wanted);
    });
  });
}

TEST_CASE("calls that a callable makes on another context work at any size", "[failures]") {
  test::watchdog const watchdog(300s);
  on_each_context([]<class Context>() {
    auto context = make_context<Context>();
    for_every_call<Context>([&](auto const& call, auto const& in, auto const& wanted, long calls) {
      if (calls == 0)
        return;
      bool right = true;
      auto const nested = [&] {
        for (std::size_t const n : test::sizes_of_calls) {
          auto inner = make_context<Context>();
          test::ints const items(n, 1);
          test::ints sums(n);
          sam::inclusive_scan(inner, items, sums);
          auto const kept = sam::compact(inner, items, sums, [](int x) { return x == 1; });
          right &= kept == static_cast<sam::index_t>(n);
          inner.wait();
        }
      };
      test::hook nests{calls / 2 + 1, nested};
      test::call_outputs to(in.items.size());
      call.make(context, in, to, nests);
      context.wait();
      REQUIRE(right);
      REQUIRE(to == wanted);
    });
  });
}

TEST_CASE("a context that a call on another thread uses is an error", "[failures]") {
  test::watchdog const watchdog(60s);
  on_each_context([]<class Context>() {
    for (std::size_t const n : test::sizes_of_calls) {
      auto context = make_context<Context>();
      test::call_inputs const in(n);
      test::call_outputs to(n), other(n);
      bool refused = false;
      auto const disturb = [&] {
        std::thread([&] {
          try {
            sam::inclusive_scan(context, in.items, other.out);
          } catch (sam::invalid_argument const& error) {
            refused = error.argument() == "context";
          }
        }).join();
      };
      test::hook waits{static_cast<long>(n / 2), disturb};
      sam::inclusive_scan(context, in.items, to.out, test::hooked_plus{&waits});
      context.wait();
      REQUIRE(refused);
      REQUIRE(other == test::call_outputs(n));
      // Threads may use a context one after the other.
      std::thread([&] { sam::inclusive_scan(context, in.items, other.out); }).join();
      REQUIRE(other == to);
    }
  });
}

TEST_CASE("a context can be moved between calls", "[failures]") {
  test::call_inputs const in(1000);
  test::call_outputs to(1000), other(1000);
  sam::default_context first;
  sam::inclusive_scan(first, in.items, to.out);
  sam::default_context second = std::move(first);
  sam::inclusive_scan(second, in.items, other.out);
  second.wait();
  REQUIRE(other == to);
}

TEST_CASE("every allocation that fails is sam::out_of_memory, and the context stays usable",
          "[failures]") {
  using context_type = sam::default_context;
  for_every_call<context_type>([](auto const& call, auto const& in, auto const& wanted, long) {
    long const before = live_blocks;
    for (long k = 0;; ++k) {
      CAPTURE(k);
      context_type context;
      test::hook idle;
      test::call_outputs to(in.items.size());
      bool is_typed = false, is_other = false;
      std::string what;
      failed_allocations = 0;
      allocations_left = k;
      try {
        call.make(context, in, to, idle);
        context.wait();
      } catch (sam::out_of_memory const& error) {
        allocations_left = -1;
        what = error.what();
        is_typed = true;
      } catch (...) {
        allocations_left = -1;
        is_other = true;
      }
      allocations_left = -1;
      REQUIRE(!is_other);
      if (failed_allocations == 0)
        break;
      REQUIRE(is_typed);
      REQUIRE(what != "");
      check_still_works(context, call, in, wanted);
    }
    REQUIRE(live_blocks == before);
  });
}

/// An order that is none of digits.
struct by_last_digit {
  SAM_FUNCTION bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

TEST_CASE("a sort of computed items writes nothing if memory runs out", "[failures]") {
  sam::index_t const n = 140'000;
  std::vector<int> const untouched(static_cast<std::size_t>(n), -1);
  auto out = untouched;
  auto const check = [&](auto const& sort) {
    out = untouched;
    bool failed = true;
    for (long k = 0; failed; ++k) {
      sam::default_context context;
      failed_allocations = 0;
      allocations_left = k;
      try {
        sort(context);
        context.wait();
      } catch (sam::out_of_memory const&) {
      }
      allocations_left = -1;
      failed = failed_allocations > 0;
      REQUIRE((out == untouched) == failed);
    }
  };
  auto const in = sam::constant(n, 5);
  check([&](auto& context) { sam::radix_sort(context, in, out); });
  check([&](auto& context) { sam::merge_sort(context, in, out, by_last_digit{}); });
}

TEST_CASE("that memory ran out is reported without memory for the message", "[failures]") {
  bool is_typed = false;
  char what[64] = "";
  allocations_left = 0;
  try {
    sam::throw_out_of_memory(
        "sam::host", [] { return std::string(100, 'x'); }, std::source_location::current());
  } catch (sam::out_of_memory const& error) {
    is_typed = true;
    std::strncpy(what, error.what(), sizeof what - 1);
  } catch (...) {
  }
  allocations_left = -1;
  REQUIRE(is_typed);
  REQUIRE(std::string(what) == "sam: out of memory");
}

}  // namespace
