// SPDX-License-Identifier: MIT
// Tests on a CUDA device that results do not depend on tuning values that change at run time.
#include <sam/cuda/backend.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/scan.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <vector>

namespace {

using sam::index_t;
using sam::cuda::tunables;

template <class T>
std::vector<T> random_items(std::size_t n) {
  std::vector<T> items(n);
  std::uint64_t seed = n;
  for (T& item : items)
    item = T((seed = seed * 6364136223846793005 + 1442695040888963407) >> 40);
  return items;
}

struct is_odd {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};
struct is_multiple_of_4 {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 4 == 0; }
};

/// Returns the results of a call on device copies of n random items, as bytes.
template <class T, class Call>
std::vector<char> result_of(sam::cuda::context& context, std::size_t n, Call const& call) {
  auto const in = random_items<T>(n);
  std::vector<T> out(n);
  sam::cuda::staging::arrays<T> const staged(context, std::span<T const>(in), std::span<T>(out));
  call(context, staged.in(), staged.out());
  staged.bring_back();
  std::vector<char> bytes(n * sizeof(T));
  std::memcpy(bytes.data(), out.data(), bytes.size());
  return bytes;
}

std::vector<std::vector<char>> results_of(sam::cuda::context& context) {
  std::vector<std::vector<char>> all;
  for (std::size_t const n : {1000, 300'000, 5'000'000}) {
    auto const sort = [](auto& c, auto from, auto to) { sam::radix_sort(c, from, to); };
    all.push_back(result_of<std::uint16_t>(context, n, sort));
    all.push_back(result_of<std::uint32_t>(context, n, sort));
    all.push_back(result_of<float>(
        context, n, [](auto& c, auto from, auto to) { sam::inclusive_scan(c, from, to); }));
    all.push_back(result_of<std::uint32_t>(context, n, [](auto& c, auto from, auto to) {
      sam::three_way_partition(c, from, to, is_odd{}, is_multiple_of_4{});
    }));
  }
  return all;
}

}  // namespace

TEST_CASE("results do not depend on tuning values", "[cuda]") {
  sam::cuda::context context;
  auto const expected = results_of(context);
  tunables const usual = context.tuned();
  for (auto const& known : sam::cuda::context::tunable_values())
    if (!known.at_build_time)
      for (index_t const value : {known.least, known.most}) {
        CAPTURE(known.name, value);
        tunables changed = usual;
        changed.*known.value = value;
        context.use_tuning(changed);
        CHECK(context.tuned().*known.value == value);
        CHECK((results_of(context) == expected));
      }
}

TEST_CASE("a context says where its tuning values come from", "[cuda]") {
  sam::cuda::context const context;
  std::string const text = sam::engine::text_of(context.tuning_source());
  CAPTURE(text);
  CHECK(!text.empty());
}
