// SPDX-License-Identifier: MIT
// Tests on a CUDA device reductions whose blocks combine in one word, and selections of counted
// items: at the numbers of items where their kernels change, and in graphs that are replayed many
// times. Kernels of a graph change its inputs and check its results, so that no replay waits for
// the host.
#include <sam/compact.hpp>
#include <sam/cuda/runtime/testing.hpp>
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/inputs.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/unique.hpp>

#include "stream.hpp"
#include "support.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace test {

constexpr std::uint32_t highest = ~std::uint32_t{0};

/// Holds the place of the only item that is `highest`, or n for none, and the item that it
/// replaces.
struct turn {
  std::uint64_t bits;
  index_t place;
  std::uint32_t replaced;
  unsigned long long wrong;
};
/// Holds the results for the items that a turn changes, before it does so.
struct unchanged {
  std::uint32_t sum, top;
  index_t top_index;
};
struct findings {
  std::uint32_t sum_before, sum_behind, top;
  index_t first, top_index, number;
};

/// Moves the highest item to another place.
__global__ void next_turn(std::uint32_t* items, index_t n, turn* t) {
  if (t->place < n)
    items[t->place] = t->replaced;
  t->bits = t->bits * 6364136223846793005 + 1442695040888963407;
  t->place = index_t((t->bits >> 33) % std::uint64_t(n + 1));
  if (t->bits >> 32 & 1)
    t->place = n - t->place % 8;  // also often in the last vectors, or nowhere
  if (t->place < n) {
    t->replaced = items[t->place];
    items[t->place] = highest;
  }
}
__global__ void check_turn(findings* found, index_t n, unchanged before, turn* t) {
  bool const has = t->place < n;
  auto const sum = before.sum + (has ? highest - t->replaced : 0);
  bool const right = found->sum_before == sum && found->sum_behind == sum &&
                     found->top == (has ? highest : before.top) && found->first == t->place &&
                     found->top_index == (has ? t->place : before.top_index) &&
                     found->number == (has ? 1 : 0);
  if (!right)
    ++t->wrong;
  *found = {};
}

/// Sets a number of items to the next of -1, 0, 1, 31, 32, 33, 63, and so on.
__global__ void next_number(index_t* step, index_t* number) {
  index_t const k = (*step)++;
  *number = k / 3 * 32 + k % 3 - 1;
}
/// Checks that `out` begins with as many wanted items as the first `*number` of n have, and that
/// nothing else is written. Erases `out`.
template <class T>
__global__ void check_front(T* out, T const* wanted, index_t n, index_t const* number,
                            index_t const* before, index_t const* count,
                            unsigned long long* wrong) {
  constexpr T nothing = T(-1);
  index_t const taken = *number < 0 ? 0 : *number < n ? *number : n, end = before[taken];
  index_t const first = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
  if (first == 0 && *count != end)
    atomicAdd(wrong, 1ull);
  for (index_t i = first; i < n; i += index_t{gridDim.x} * blockDim.x) {
    if (out[i] != (i < end ? wanted[i] : nothing))
      atomicAdd(wrong, 1ull);
    out[i] = nothing;
  }
}

}  // namespace test

namespace {

using sam::index_t;
using test::check, test::graph, test::stream;

struct is_highest {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x == test::highest; }
};

TEST_CASE("words in which blocks combine are right on every replay", "[cuda][soak]") {
  for (index_t const n : {8'193, 300'007, (1 << 21) - 1, (1 << 21) + 3})
    for (int const blocks : {0, 3}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, blocks, seed);
      auto items = test::random_items<std::uint32_t>(n, seed);
      for (std::uint32_t& x : items)
        x /= 2;
      auto const top = std::max_element(items.begin(), items.end());
      test::unchanged const before{std::accumulate(items.begin(), items.end(), 0u), *top,
                                   top - items.begin()};
      auto in = test::on_backend(items);
      auto now = test::on_backend(std::vector<test::turn>{{seed, n, 0, 0}});
      auto found = test::on_backend(std::vector<test::findings>(1));
      stream s;
      sam::cuda::context context(s);
      context.limit_blocks(blocks);
      auto const calls = [&] {
        test::findings* const to = found.data();
        test::next_turn<<<1, 1, 0, s>>>(in.data(), n, now.data());
        sam::reduce(context, in, std::span(&to->sum_before, 1));
        sam::find_if(context, in, is_highest{}, std::span(&to->first, 1));
        sam::reduce(context, in, std::span(&to->sum_behind, 1));
        sam::argmax(context, in, std::span(&to->top_index, 1));
        sam::count_if(context, in, is_highest{}, std::span(&to->number, 1));
        sam::reduce(context, in, std::span(&to->top, 1), sam::maximum{});
        test::check_turn<<<1, 1, 0, s>>>(to, n, before, now.data());
      };
      calls();  // makes the context allocate before the capture
      context.wait();
      graph const all(s, calls);
      for (int replay = 0; replay < 5000; ++replay)
        all.launch();
      context.wait();
      REQUIRE(now.to_host()[0].wrong == 0);
      REQUIRE(in.fences_intact());
    }
}

/// Returns the numbers of items at which the kernel of reductions changes the number of its warps
/// or blocks, and the word that they combine in, each with its neighbours.
template <class T>
std::set<index_t> numbers_of_items() {
  sam::cuda::context const context;
  constexpr index_t block =
      16 / sizeof(T) * sam::cuda::scan_tuning::reduce_warps * sam::cuda::device::warp_size;
  constexpr index_t together = 4;  // vectors that a thread loads at a time
  index_t const word = (index_t{1} << 21) - 1, all = context.multiprocessors();
  constexpr index_t warp = together * block / sam::cuda::scan_tuning::reduce_warps;
  std::set<index_t> numbers{1, 2, 33, 100};
  for (index_t const edge :
       {warp / 4, warp / 2, warp, 2 * warp, 3 * warp, together * block, 2 * together * block,
        all * block, all * together * block, word, word + 1})
    numbers.insert({edge - 1, edge, edge + 1});
  return numbers;
}

TEMPLATE_TEST_CASE("extreme items are found up to the last index that a word holds", "[cuda]",
                   std::int8_t, std::uint16_t, std::int32_t, float) {
  using T = TestType;
  using limits = std::numeric_limits<T>;
  sam::cuda::context context;
  for (index_t const n : numbers_of_items<T>())
    for (int const kind : {0, 1, 2, 3, 4}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, kind, seed);
      std::vector<T> items(static_cast<std::size_t>(n),
                           kind < 3 ? limits::max() : limits::lowest());
      if (kind == 0)
        items = test::random_items<T>(n, seed);
      else if (kind > 1)  // kind 1 has equal items only
        items.back() = kind == 2   ? limits::lowest()
                       : kind == 3 ? limits::max()
                                   : limits::quiet_NaN();             // 0 for integers
      bool const has_nan = kind == 4 && std::is_floating_point_v<T>;  // which precedes all numbers
      index_t const low = has_nan ? n - 1 : sam::reference::find_extreme(items, sam::less{});
      index_t const high = has_nan ? n - 1 : sam::reference::find_extreme(items, sam::greater{});
      for (index_t const shift : {0, 1}) {
        auto const in = test::on_backend(items, shift);
        for (int const blocks : {0, 3}) {
          context.limit_blocks(blocks);
          REQUIRE(sam::argmin(context, in) == low);
          REQUIRE(sam::argmax(context, in) == high);
        }
      }
    }
}

struct is_odd {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

TEST_CASE("matches are found and counted wherever the number of blocks changes", "[cuda]") {
  sam::cuda::context context;
  for (index_t const n : numbers_of_items<std::uint32_t>()) {
    std::vector<std::uint32_t> items(static_cast<std::size_t>(n));
    for (index_t const place : {index_t{0}, n / 2, n - 1, n}) {
      CAPTURE(n, place);
      std::fill(items.begin(), items.end(), 2);
      std::fill(items.begin() + place, items.end(), 7);
      for (index_t const shift : {0, 1}) {
        auto const in = test::on_backend(items, shift);
        REQUIRE(sam::find_if(context, in, is_odd{}) == place);
        REQUIRE(sam::count_if(context, in, is_odd{}) == n - place);
      }
    }
  }
}

struct is_nine {
  SAM_FUNCTION bool operator()(std::uint8_t x) const { return x == 9; }
};
struct is_any {
  SAM_FUNCTION bool operator()(std::uint8_t x) const { return x < 10; }
};

TEST_CASE("about 2^32 items have extremes, matches and counts", "[cuda][large]") {
  index_t const middle = index_t{1} << 32;
  test::backend_bytes bytes(static_cast<std::size_t>(middle + 1));
  check(cudaMemset(bytes.data(), 1, static_cast<std::size_t>(middle + 1)));
  auto* const first = reinterpret_cast<std::uint8_t*>(bytes.data());
  sam::cuda::context context;
  for (index_t const n : {middle - 2, middle - 1, middle, middle + 1}) {
    CAPTURE(n);
    std::span<std::uint8_t const> const in(first, static_cast<std::size_t>(n));
    REQUIRE(sam::argmax(context, in) == 0);
    REQUIRE(sam::find_if(context, in, is_nine{}) == n);
    REQUIRE(sam::count_if(context, in, is_any{}) == n);
    check(cudaMemset(first + n - 1, 9, 1));
    REQUIRE(sam::argmin(context, in) == 0);
    REQUIRE(sam::argmax(context, in) == n - 1);
    REQUIRE(sam::find_if(context, in, is_nine{}) == n - 1);
    REQUIRE(sam::count_if(context, in, is_nine{}) == 1);
    check(cudaMemset(first + n - 1, 1, 1));
  }
}

/// Checks selections of the first -1, 0, 1, 31, 32, 33, 63, ... of n items. All warps take a
/// multiple of 32 items, so that these are the borders of the parts of warps and of all tiles.
void check_counted_selections(sam::cuda::context& context, stream const& s, index_t n) {
  auto const seed = test::seed_for(n);
  CAPTURE(seed);
  test::generator bits(seed);
  std::vector<std::uint32_t> items, odd, runs, indices, flags;
  std::vector<index_t> odd_before{0}, runs_before{0};
  for (index_t i = 0; i < n; ++i) {
    items.push_back(static_cast<std::uint32_t>(bits() % 3));
    flags.push_back(items.back() % 2);
    if (flags.back() != 0)
      odd.push_back(items.back()), indices.push_back(static_cast<std::uint32_t>(i));
    if (i == 0 || items.back() != items[items.size() - 2])
      runs.push_back(items.back());
    odd_before.push_back(static_cast<index_t>(odd.size()));
    runs_before.push_back(static_cast<index_t>(runs.size()));
  }
  auto const in = test::on_backend(items, 1), flags_in = test::on_backend(flags);
  auto const odd_ends = test::on_backend(odd_before), runs_ends = test::on_backend(runs_before);
  for (auto* const list : {&odd, &runs, &indices})
    list->resize(items.size());
  auto const odd_items = test::on_backend(odd), odd_indices = test::on_backend(indices);
  auto const runs_items = test::on_backend(runs);
  auto const erased = std::vector<std::uint32_t>(items.size(), test::highest);
  auto out = test::on_backend(erased, 1);
  auto step = test::on_backend(std::vector<index_t>{0}),
       number = test::on_backend(std::vector<index_t>{0});
  auto wrong = test::on_backend(std::vector<unsigned long long>{0});
  test::fenced_array<index_t> count(1);
  auto const calls = [&] {
    test::next_number<<<1, 1, 0, s>>>(step.data(), number.data());
    auto const taken = sam::counted(in, number);
    auto const expect = [&](auto const& wanted, auto const& before) {
      test::check_front<<<64, 256, 0, s>>>(out.data(), wanted.data(), n, number.data(),
                                           before.data(), count.data(), wrong.data());
    };
    sam::compact(context, taken, out, is_odd{}, count);
    expect(odd_items, odd_ends);
    sam::compact_flagged(context, taken, flags_in, out, count);
    expect(odd_items, odd_ends);
    sam::compact_indices(context, taken, out, is_odd{}, count);
    expect(odd_indices, odd_ends);
    sam::unique(context, taken, out, count);
    expect(runs_items, runs_ends);
  };
  calls();  // makes the context allocate before the capture
  context.wait();
  graph const all(s, calls);
  for (index_t replay = 0; replay < 3 * (n / 32 + 2); ++replay)
    all.launch();
  context.wait();
  REQUIRE(number.to_host()[0] > n);
  REQUIRE(wrong.to_host()[0] == 0);
  REQUIRE((out.fences_intact() && count.fences_intact()));
}

TEST_CASE("counted selections end at any border of warps and tiles", "[cuda]") {
  for (int const blocks : {0, 2}) {
    CAPTURE(blocks);
    {
      INFO("in one cluster");
      stream s;
      sam::cuda::context context(s);
      context.limit_blocks(blocks);
      check_counted_selections(context, s, 50'021);
    }
    for (bool const large : {false, true}) {
      CAPTURE(large);
      stream s;
      sam::cuda::context context(s);
      context.limit_blocks(blocks);
      sam::cuda::testing::limit_cluster_items(context, 0);
      if (large)
        sam::cuda::testing::limit_small_bytes(context, 0);
      check_counted_selections(context, s, 100'037);
    }
  }
}

}  // namespace
