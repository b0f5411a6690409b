// SPDX-License-Identifier: MIT
// Tests all forms of calls: results by value, in variables and in arrays, operator and initial
// value in either order, temporary contexts, C arrays.
#include <sam/sam.hpp>

#include "support.hpp"

#include <algorithm>
#include <cstring>
#include <memory_resource>
#include <new>
#include <numeric>

namespace {

using sam::index_t;

struct line {  // the map x -> a x + b
  unsigned a, b;
  bool operator==(line const&) const = default;
};
struct compose {
  SAM_FUNCTION line operator()(line const& first, line const& then) const {
    return {then.a * first.a, then.a * first.b + then.b};
  }
};
struct halve {
  SAM_FUNCTION double operator()(int x) const { return x / 2.0; }
};
struct is_even {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 == 0; }
};
struct equal_halves {
  SAM_FUNCTION bool operator()(int a, int b) const { return a / 2 == b / 2; }
};

/// An array of 0, 1, ..., 9, and an output of the same size.
struct ten {
  sam::default_context context;
  test::fenced_array<int> in = test::on_backend(numbers());
  test::fenced_array<int> out{10};
  static std::vector<int> numbers() {
    std::vector<int> all(10);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<int> result() {
    context.wait();
    return out.to_host();
  }
};

/// Calls f() if the engine runs on the host. f is a generic lambda, so that it is not compiled
/// otherwise.
template <class F>
void on_host(F f) {
  if constexpr (test::backend_bytes::on_host)
    f(std::true_type{});
}

TEST_CASE("a reduction returns its value", "[calls]") {
  ten a;
  int const total = sam::reduce(a.context, a.in);
  REQUIRE(total == 45);
  REQUIRE(sam::reduce(a.context, a.in, sam::maximum{}) == 9);
  REQUIRE(sam::reduce(a.context, a.in, 100) == 145);
  REQUIRE(sam::reduce(a.context, a.in, 100, sam::maximum{}) == 100);
  REQUIRE(sam::reduce(a.context, a.in, sam::maximum{}, 100) == 100);
  REQUIRE(sam::reduce(a.context, a.in, std::int8_t{-100}) == -55);
  static_assert(std::is_same_v<decltype(sam::reduce(a.context, a.in)), int>);

  std::int64_t const wide = sam::reduce<std::int64_t>(a.context, a.in, std::int64_t{1} << 40);
  REQUIRE(wide == (std::int64_t{1} << 40) + 45);
  REQUIRE(sam::transform_reduce(a.context, a.in, halve{}) == 22.5);
  REQUIRE(sam::transform_reduce(a.context, a.in, halve{}, sam::maximum{}, 1.0) == 4.5);
  REQUIRE(sam::transform_reduce<float>(a.context, a.in, halve{}) == 22.5f);
}

TEST_CASE("a reduction of a struct returns its value", "[calls]") {
  sam::default_context context;
  std::vector<line> const maps{{2, 1}, {3, 5}, {1, 4}};
  auto const in = test::on_backend(maps);
  line const wanted{6, 12};
  REQUIRE(sam::reduce(context, in, compose{}) == wanted);
  REQUIRE(sam::reduce(context, in, compose{}, {1, 0}) == wanted);
}

TEST_CASE("a variable is a place for one result", "[calls]") {
  ten a;
  int total = -1;
  sam::reduce(a.context, a.in, total);
  a.context.wait();
  REQUIRE(total == 45);
  sam::reduce(a.context, a.in, total, sam::maximum{}, 3);
  a.context.wait();
  REQUIRE(total == 9);
  double halves = 0;
  sam::transform_reduce(a.context, a.in, halves, halve{}, 0.5);
  a.context.wait();
  REQUIRE(halves == 23);

  std::size_t count = 99;
  sam::compact(a.context, a.in, a.out, is_even{}, count);
  a.context.wait();
  REQUIRE(count == 5);
  std::uint8_t runs = 99;
  sam::unique(a.context, a.in, a.out, runs, equal_halves{});
  a.context.wait();
  REQUIRE(runs == 5);
  sam::segmented_reduce(a.context, a.in, sam::by_length(4), a.out, runs, sam::maximum{});
  a.context.wait();
  REQUIRE(runs == 3);
}

TEST_CASE("counts are returned where no place is given for them", "[calls]") {
  ten a;
  test::fenced_array<int> other(10);
  auto const pairs = sam::by_keys(a.in, equal_halves{});
  REQUIRE(sam::compact(a.context, a.in, a.out, is_even{}) == 5);
  REQUIRE(sam::unique(a.context, a.in, a.out) == 10);
  REQUIRE(sam::unique(a.context, a.in, a.out, equal_halves{}) == 5);
  REQUIRE(sam::run_length_encode(a.context, a.in, a.out, other, equal_halves{}) == 5);
  REQUIRE(sam::segmented_reduce(a.context, a.in, pairs, a.out) == 5);
  REQUIRE(sam::segmented_reduce(a.context, a.in, pairs, a.out, sam::maximum{}) == 5);
  REQUIRE(sam::segmented_reduce(a.context, a.in, pairs, a.out, 100, sam::plus{}) == 5);
  REQUIRE(a.result()[1] == 105);
  REQUIRE(sam::reduce_by_key(a.context, a.in, a.in, other, a.out) == 10);
  REQUIRE(sam::reduce_by_key(a.context, a.in, a.in, other, a.out, sam::maximum{}, equal_halves{}) ==
          5);
  REQUIRE(a.result()[4] == 9);
  REQUIRE(other.to_host()[4] == 8);
}

TEST_CASE("operator and initial value come in either order", "[calls]") {
  ten a;
  auto const last = [&] { return a.result()[9]; };
  sam::exclusive_scan(a.context, a.in, a.out, 100);
  REQUIRE(last() == 136);
  sam::exclusive_scan(a.context, a.in, a.out, 100, sam::maximum{});
  REQUIRE(last() == 100);
  sam::exclusive_scan(a.context, a.in, a.out, sam::maximum{}, 100);
  REQUIRE(last() == 100);
  sam::inclusive_scan(a.context, a.in, a.out, 100, sam::backward(sam::plus{}));
  REQUIRE(last() == 109);
  sam::transform_exclusive_scan(a.context, a.in, a.out, sam::converted<int>{}, 100);
  REQUIRE(last() == 136);
  sam::segmented_exclusive_scan(a.context, a.in, sam::by_length(10), a.out, 100, sam::plus{});
  REQUIRE(last() == 136);
  auto const offsets = test::on_backend(std::vector<int>{0, 10});
  sam::segmented_reduce(a.context, a.in, sam::by_offsets(offsets), test::as_span(a.out).first(1),
                        100, sam::plus{});
  REQUIRE(a.result()[0] == 145);
}

TEST_CASE("segments keep what only borrows", "[calls]") {
  ten a;
  auto const offsets = test::on_backend(std::vector<int>{0, 3, 10});
  auto const segments = sam::by_offsets(std::span<int const>(offsets.data(), 3));
  sam::segmented_inclusive_scan(a.context, a.in, segments, a.out);
  REQUIRE(a.result() == std::vector<int>{0, 1, 3, 3, 7, 12, 18, 25, 33, 42});
}

TEST_CASE("a context may be a temporary", "[calls]") {
  ten a;
  REQUIRE(sam::reduce(sam::default_context(), a.in) == 45);
  REQUIRE(sam::compact(sam::default_context(), a.in, a.out, is_even{}) == 5);
}

TEST_CASE("C arrays are arrays", "[calls]") {
  on_host([](auto) {
    sam::default_context context;
    int const in[] = {1, 2, 3};
    int out[3], total[1];
    sam::inclusive_scan(context, in, out);
    sam::reduce(context, in, total);
    context.wait();
    REQUIRE((out[2] == 6 && total[0] == 6));
  });
}

TEST_CASE("lambdas that capture are operators, transforms and predicates", "[calls]") {
  on_host([](auto) {
    ten a;
    int modulus = 7;
    auto const add = [modulus](int x, int y) { return (x + y) % modulus; };
    REQUIRE(sam::reduce(a.context, a.in, add) == 45 % 7);
    REQUIRE(sam::reduce(a.context, a.in, 5, add) == 50 % 7);
    REQUIRE(sam::compact(a.context, a.in, a.out, [=](int x) { return x < modulus; }) == 7);
    int (*const pointer)(int, int) = [](int x, int y) { return x < y ? y : x; };
    REQUIRE(sam::reduce(a.context, a.in, pointer) == 9);
  });
}

/// Sorts and scans, and checks both.
template <class Context>
void check_sort_and_scan(Context& context) {
  auto const items = test::random_items<std::int32_t>(100'003, 5);
  auto sorted = items;
  std::sort(sorted.begin(), sorted.end());
  auto const in = test::on_backend(items);
  test::fenced_array<std::int32_t> out(100'003), sums(100'003);
  sam::radix_sort(context, in, out);
  sam::inclusive_scan(context, in, sums);
  context.wait();
  REQUIRE(out.to_host() == sorted);
  REQUIRE(sums.to_host() == sam::reference::inclusive_scan(items, sam::scan_policy<>{}));
}

TEST_CASE("a context gives back the memory that it keeps", "[calls]") {
  sam::default_context context;
  check_sort_and_scan(context);
  REQUIRE(context.held_bytes() > 0);
  context.trim();
  REQUIRE(context.held_bytes() == 0);
  check_sort_and_scan(context);
  REQUIRE(context.held_bytes() > 0);
}

/// Checks that calls take the memory that bytes_for says, and that nothing is written before.
template <class Calls>
void check_bytes(Calls const& calls) {
  sam::default_context context;
  auto const in = test::on_backend(test::random_items<std::int32_t>(100'003, 5));
  test::fenced_array<std::int32_t> out(100'003);
  auto const before = out.to_host();
  index_t const held = context.held_bytes();
  index_t const measured = context.bytes_for([&] { calls(context, in, out); });
  REQUIRE(context.held_bytes() == held);
  REQUIRE(std::memcmp(before.data(), out.to_host().data(), before.size() * sizeof(std::int32_t)) ==
          0);
  calls(context, in, out);
  context.wait();
  REQUIRE(context.held_bytes() - held <= measured);
  REQUIRE(context.bytes_for([&] { calls(context, in, out); }) == 0);
}

TEST_CASE("calls say how much memory they will take", "[calls]") {
  check_bytes([](auto& context, auto const& in, auto& out) { sam::radix_sort(context, in, out); });
  check_bytes([](auto& context, auto const& in, auto& out) { sam::merge_sort(context, in, out); });
  check_bytes([](auto& context, auto const& in, auto& out) {
    sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 3, 2>{});
    sam::inclusive_scan(context, in, out,
                        sam::carried_by<sam::carry::scan_then_propagate>(sam::tuples_of(700)));
  });
  check_bytes([](auto& context, auto const& in, auto& out) {
    sam::partition(context, in, out, is_even{});
    auto const largest = std::span(out.data(), 100);
    sam::top_k(context, in, largest);
    sam::segmented_inclusive_scan(context, in, sam::by_keys(in), out);
    sam::count_if(context, in, is_even{});
  });
}

TEST_CASE("calls whose arguments are checked or counted say how much memory they will take",
          "[calls]") {
  constexpr index_t n = 100'003;
  std::vector<std::int32_t> order(n), ones(n, 1);
  std::iota(order.rbegin(), order.rend(), 0);
  auto const indices = test::on_backend(order), lengths = test::on_backend(ones);
  auto const offsets = test::on_backend(std::vector<std::int32_t>{0, 50'000, n});
  auto const begins = test::on_backend(std::vector<std::int32_t>{0, 50'000});
  auto const ends = test::on_backend(std::vector<std::int32_t>{20'000, n});
  auto count = test::on_backend(std::vector<index_t>{7});
  check_bytes([&](auto& context, auto const& in, auto& out) {
    sam::gather(context, in, sam::checked_indices(indices), out);
    sam::scatter(context, in, sam::checked_indices(indices), out);
    sam::inclusive_scan(context, in, sam::scattered(out, sam::checked_indices(indices)));
  });
  check_bytes([&](auto& context, auto const& in, auto& out) {
    sam::segmented_inclusive_scan(context, in, sam::by_checked_offsets(offsets), out);
    sam::segmented_inclusive_scan(context, in, sam::by_checked_ranges(begins, ends), out);
  });
  check_bytes([&](auto& context, auto const& in, auto& out) {
    sam::run_length_decode(context, in, sam::checked_lengths(lengths), out, count);
  });
  check_bytes([&](auto& context, auto const& in, auto& out) {
    sam::run_length_decode(context, in, lengths, out, count);
  });
  sam::default_context context;
  auto out = test::on_backend(ones);
  auto const bytes = [&](auto const& number) {
    return context.bytes_for([&] { sam::merge_sort(context, sam::counted(indices, number), out); });
  };
  REQUIRE(bytes(test::on_backend(std::vector<index_t>{0})) ==
          bytes(test::on_backend(std::vector<index_t>{n})));
}

/// Counts the bytes that are taken from it, and gives out at most `most`.
struct counting_resource : std::pmr::memory_resource {
  std::size_t held = 0, most = std::size_t{1} << 40;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (held + bytes > most)
      throw std::bad_alloc();
    held += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    held -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(std::pmr::memory_resource const& other) const noexcept override {
    return this == &other;
  }
};

TEST_CASE("a context on a CPU takes its memory from a resource", "[calls]") {
  on_host([](auto) {
    counting_resource memory;
    {
      sam::serial::context context(&memory);
      check_sort_and_scan(context);
      REQUIRE(memory.held > 0);
      REQUIRE(static_cast<index_t>(memory.held) == context.held_bytes());
      context.trim();
      REQUIRE(memory.held == 0);
      memory.most = 1000;
      std::vector<std::int32_t> items(100'003, 1);
      REQUIRE_THROWS_AS(sam::radix_sort(context, items, items), sam::out_of_memory);
      memory.most = std::size_t{1} << 40;
      sam::serial::context moved(std::move(context));
      check_sort_and_scan(moved);
      REQUIRE(static_cast<index_t>(memory.held) == moved.held_bytes());
    }
    REQUIRE(memory.held == 0);
  });
}

}  // namespace
