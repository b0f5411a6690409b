// SPDX-License-Identifier: MIT
// Tests which types are accepted as arrays, when two arrays overlap, and the version of the
// library.
#include <sam/arguments/call.hpp>
#include <sam/version.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <list>
#include <span>
#include <vector>

namespace {

/// Resembles a Kokkos::View.
template <int Rank>
struct view {
  static constexpr int rank() { return Rank; }
  int* data() const { return nullptr; }
  std::size_t size() const { return 0; }
};
struct size_only {
  std::size_t size() const { return 0; }
};
/// Resembles a thrust::device_vector.
struct fancy_pointer {
  int* get() const { return nullptr; }
};
struct behind_fancy_pointer {
  fancy_pointer data() const { return {}; }
  std::size_t size() const { return 0; }
};
/// A range of computed items, behind an iterator.
struct computed {
  struct iterator {
    int operator*() const { return 0; }
  };
  iterator data() const { return {}; }
  std::size_t size() const { return 0; }
};

static_assert(sam::array<std::vector<int>> && sam::array<std::vector<int> const&>);
static_assert(sam::array<std::span<int const>> && sam::array<std::array<float, 3>>);
static_assert(sam::array<view<0>> && sam::array<view<1>>);
static_assert(!sam::array<view<2>> && !sam::array<view<2> const&>);
static_assert(sam::array<int[3]> && sam::array<int (&)[3]> && sam::array<behind_fancy_pointer>);
static_assert(!sam::array<std::list<int>> && !sam::array<int*> && !sam::array<int>);
static_assert(!sam::array<size_only> && !sam::array<std::span<void*>*> && !sam::array<computed>);
static_assert(!sam::array<std::vector<bool>>);

static_assert(sam::output_array<std::vector<int>&> && sam::output_array<std::span<int> const>);
static_assert(!sam::output_array<std::vector<int> const> && sam::output_array<view<1>>);
static_assert(!sam::output_array<std::span<int const>> && sam::output_array<int (&)[3]>);

static_assert(std::is_same_v<sam::item_of<std::span<int const>>, int>);
static_assert(std::is_same_v<sam::item_of<std::vector<double> const&>, double>);
static_assert(std::is_same_v<sam::item_of<behind_fancy_pointer>, int>);

static_assert(sam::is_borrowed<std::span<int>> && sam::is_borrowed<view<1>>);
static_assert(!sam::is_borrowed<std::vector<int>> && !sam::is_borrowed<std::array<int, 3>>);
static_assert(sam::detail::outlives_call<std::vector<int>&>);
static_assert(!sam::detail::outlives_call<std::vector<int>>);

// Call operators distinguish function objects from variables.
struct with_template_call {
  void operator()(auto const&) const {}
};
struct final_call final {
  void operator()() const {}
};
using sam::detail::has_call_operator;
static_assert(has_call_operator<decltype([] {})> && has_call_operator<with_template_call>);
static_assert(has_call_operator<final_call const&> && has_call_operator<int (*)(int)>);
static_assert(!has_call_operator<int> && !has_call_operator<view<1>>);
static_assert(sam::detail::is_place<int&> && sam::detail::is_place<std::span<int>>);
static_assert(!sam::detail::is_place<int> && !sam::detail::is_place<int const&>);
static_assert(!sam::detail::is_place<final_call&>);

// Only some conversions keep every value.
using sam::detail::loses_values;
static_assert(!loses_values<int, long> && !loses_values<unsigned, long> &&
              !loses_values<bool, int>);
static_assert(!loses_values<int, int> && !loses_values<int, float> && !loses_values<double, float>);
static_assert(loses_values<double, int> && loses_values<float, bool> && loses_values<int, bool>);
static_assert(loses_values<long, int> && loses_values<int, unsigned> && loses_values<int, short>);
static_assert(loses_values<unsigned, int> && loses_values<int, unsigned long>);

/// True if the checks accept an output of m items at byte `to` for an input of n items at byte 16:
/// the arrays are equal or do not overlap.
template <class In = int, class Out = int>
bool accepted(std::size_t n, std::size_t to, std::size_t m) {
  alignas(8) static std::byte memory[256];
  std::span const in(reinterpret_cast<In const*>(memory + 16), n);
  std::span const out(reinterpret_cast<Out*>(memory + to), m);
  sam::detail::call_checks const call("test", std::source_location::current());
  try {
    call.same_or_apart(call.items<Out>("out", out), call.items<In const>("in", in));
  } catch (sam::invalid_argument const& error) {
    REQUIRE(error.argument() == "out");
    return false;
  }
  return true;
}

TEST_CASE("arrays overlap if any byte is in both, unless they are the same", "[array]") {
  REQUIRE(accepted(4, 16, 4));        // equal
  REQUIRE(accepted(4, 32, 4));        // directly behind
  REQUIRE(accepted(4, 0, 4));         // directly before
  REQUIRE_FALSE(accepted(4, 28, 4));  // overlaps the last item
  REQUIRE_FALSE(accepted(4, 4, 4));   // overlaps the first item
  REQUIRE_FALSE(accepted(4, 12, 6));  // surrounds
  REQUIRE_FALSE(accepted(4, 20, 1));  // inside
  REQUIRE(accepted(0, 16, 0));
}

TEST_CASE("nothing overlaps an array without items", "[array]") {
  std::vector<int> items(4);
  std::span const all(items);
  sam::detail::call_checks const call("test", std::source_location::current());
  auto const whole = call.items<int>("all", all), none = call.items<int>("none", all.subspan(2, 0));
  call.apart(whole, none);
  call.apart(none, whole);
  REQUIRE_THROWS_AS(call.apart(whole, whole), sam::invalid_argument);
}

TEST_CASE("the same memory is the same array only for items of one size", "[array]") {
  REQUIRE(accepted<unsigned, int>(4, 16, 4));
  REQUIRE(accepted<float, int>(4, 16, 4));
  REQUIRE_FALSE(accepted<int, short>(4, 16, 4));
  REQUIRE_FALSE(accepted<short, int>(4, 16, 4));
}

TEST_CASE("sizes are signed and of 64 bits", "[array]") {
  std::vector<int> const items(3);
  static_assert(std::is_same_v<decltype(sam::size_of(items)), sam::index_t>);
  REQUIRE(sam::size_of(items) == 3);
}

TEST_CASE("the version in three numbers is that of the macro", "[version]") {
  constexpr sam::version_number version = sam::version();
  static_assert(10'000 * version.major + 100 * version.minor + version.patch == SAM_VERSION);
  static_assert(version.minor < 100 && version.patch < 100);
  REQUIRE(version.major >= 0);
}

}  // namespace
