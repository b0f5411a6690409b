// SPDX-License-Identifier: MIT
// Tests the kernel requirements of the host engine for each kernel, see
// backends/sam/host/kernels/scalar_kernel.hpp, and the workspace of its contexts.
#include <sam/error.hpp>
#include <sam/host/kernels/choose_kernel.hpp>
#include <sam/host/memory/workspace.hpp>
#include <sam/reference.hpp>

#include "items.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <tuple>

namespace {

using sam::index_t;
using sam::engine::bound;

template <class T, class Operator, int Order, int TupleSize, bound Kind, index_t Components = 1>
struct kernel_case {
  using item = T;
  static constexpr bound kind = Kind;
  sam::scan_policy<Operator, Order, TupleSize> policy;
  kernel_case() {
    if (TupleSize == sam::run_time_tuple)
      policy.components = Components;
  }
};

constexpr int any = sam::run_time_tuple;
using test::falls, test::affine, test::pair_of_sums;

/// Returns the last item that is not 0, as to fill gaps: does not commute, has no identity, and
/// selects one of its operands.
struct last_nonzero {
  template <class T>
  T operator()(T left, T right) const {
    return right != 0 ? right : left;
  }
};
/// Returns the last item that is not NaN. NaN equals no number, itself included.
struct later_real {
  double operator()(double left, double right) const { return right != right ? left : right; }
};

// SIMD kernels: one round and several, transposed and not, tuples that divide a vector and others.
// Transposed kernels: items of every size. Scalar kernels: with streams and without, with an
// algebra and without. Row kernels: with an algebra and without. All have both bounds.
using all_kernels =
    std::tuple<kernel_case<std::int32_t, sam::plus, 1, 1, bound::inclusive>,
               kernel_case<std::uint8_t, sam::plus, 1, 3, bound::exclusive>,
               kernel_case<std::int16_t, sam::maximum, 1, 4, bound::exclusive>,
               kernel_case<std::int32_t, sam::plus, 3, 1, bound::exclusive>,
               kernel_case<std::int64_t, sam::plus, 2, 2, bound::inclusive>,
               kernel_case<std::int32_t, sam::plus, 1, 1, bound::exclusive>,
               kernel_case<std::uint8_t, sam::plus, 2, 1, bound::inclusive>,
               kernel_case<std::int64_t, sam::plus, 3, 1, bound::exclusive>,
               kernel_case<std::int32_t, last_nonzero, 1, 1, bound::inclusive>,
               kernel_case<std::int64_t, last_nonzero, 1, 1, bound::exclusive>,
               kernel_case<std::int16_t, last_nonzero, 1, 1, bound::exclusive>,
               kernel_case<std::uint32_t, test::plus_modulo, 1, 1, bound::inclusive>,
               kernel_case<std::uint8_t, last_nonzero, 1, 1, bound::inclusive>,
               kernel_case<std::int8_t, last_nonzero, 1, 1, bound::exclusive>,
               kernel_case<double, later_real, 1, 1, bound::inclusive>,
               kernel_case<std::uint16_t, test::saturating_plus, 1, 1, bound::inclusive>,
               kernel_case<affine, test::compose, 1, 1, bound::exclusive>,
               kernel_case<affine, test::compose, 1, 3, bound::inclusive>,
               kernel_case<falls, test::join_runs, 1, 5, bound::exclusive>,
               kernel_case<pair_of_sums, test::add_pairs, 3, 2, bound::inclusive>,
               kernel_case<std::int32_t, sam::plus, 2, any, bound::exclusive, 7>,
               kernel_case<falls, test::join_runs, 1, any, bound::exclusive, 6>,
               kernel_case<affine, test::compose, 1, any, bound::inclusive, 70>>;

/// Checks that a run behind another one has the same results if it is scanned from the state before
/// it, from its reduction in pieces, and on its own.
template <class Kernel, class T>
void check_run(Kernel kernel, std::vector<T> const& items, index_t head, T init,
               std::vector<T> const& wanted) {
  auto const buffer = [&](index_t size) { return std::vector<T>(std::size_t(size), init); };
  auto const n = static_cast<index_t>(items.size());
  auto state = buffer(kernel.width()), accumulator = state, from_accumulator = state, apart = state;
  auto out = buffer(n), with_part_aggregates = out, propagated = out;
  auto part_aggregates = buffer(kernel.part_aggregates(head));

  REQUIRE(kernel.start(state.data()));
  kernel.scan(items.data(), out.data(), head, 0, state.data(), true, nullptr);
  REQUIRE(kernel.start(from_accumulator.data()));
  kernel.set_tile_items(head);
  kernel.reduce(items.data(), head, accumulator.data(), part_aggregates.data());
  kernel.append(from_accumulator.data(), accumulator.data());
  REQUIRE(test::differences(from_accumulator, state) == "");

  REQUIRE(kernel.start(from_accumulator.data()));
  kernel.place(part_aggregates.data(), head, from_accumulator.data(), true);
  auto from_pieces = buffer(kernel.width());
  REQUIRE(kernel.start(from_pieces.data()));
  index_t const piece = 3 * kernel.piece_granule();
  for (index_t at = 0; at < head; at += piece)
    kernel.scan(items.data() + at, with_part_aggregates.data() + at, std::min(piece, head - at), at,
                from_pieces.data(), true,
                part_aggregates.empty() ? nullptr : part_aggregates.data());
  if (!part_aggregates.empty())
    REQUIRE(test::differences(from_accumulator, state) == "");
  else
    REQUIRE(test::differences(from_pieces, state) == "");

  bool const known = kernel.start_apart(apart.data());
  kernel.scan(items.data() + head, propagated.data() + head, n - head, 0, apart.data(), known,
              nullptr);
  auto before = state;
  kernel.propagate(propagated.data() + head, n - head, before.data());
  kernel.scan(items.data() + head, out.data() + head, n - head, head, state.data(), true, nullptr);

  REQUIRE(test::differences(out, wanted) == "");
  std::copy_n(out.begin(), head, propagated.begin());
  REQUIRE(test::differences(propagated, wanted) == "");
  std::copy(out.begin() + head, out.end(), with_part_aggregates.begin() + head);
  REQUIRE(test::differences(with_part_aggregates, wanted) == "");
}

TEMPLATE_LIST_TEST_CASE("a kernel's ways to bring a run behind another agree", "[kernels]",
                        all_kernels) {
  using T = typename TestType::item;
  TestType const tested;
  using op = typename decltype(tested.policy)::op_type;
  auto const init = test::random_items<T, op>(1, test::seed_for(0))[0];
  auto const policy =
      sam::engine::resolve_policy<TestType::kind>(tested.policy, sam::engine::from_value<T>{init});
  sam::host::with_kernel<T>(policy, [&](auto const& kernel) {
    for (index_t const granules : {1, 2, 3, 5, 16})
      for (index_t const tail : {index_t{1}, kernel.granule() - 1, 3 * kernel.granule() + 5}) {
        index_t const head = granules * kernel.granule();
        auto const seed = test::seed_for(head + tail);
        CAPTURE(granules, tail, seed);
        auto const items = test::random_items<T, op>(head + tail, seed);
        auto const wanted =
            TestType::kind == bound::inclusive
                ? sam::reference::inclusive_scan(items, tested.policy, std::optional<T>(init))
                : sam::reference::exclusive_scan(items, tested.policy, init);
        check_run(kernel, items, head, init, wanted);
      }
  });
}

// --- The workspace ------------------------------------------------------------------------------

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool allocation_may_fail = false;  // the sanitizer would end the program
#else
constexpr bool allocation_may_fail = true;
#endif

TEST_CASE("a workspace that cannot grow says by how much, and stays as it was", "[workspace]") {
  sam::host::workspace memory;
  memory.reserve(sam::host::workspace::plan().part<int>(10));
  memory.rewind();
  int* const kept = memory.take<int>(10);
  kept[9] = 7;
  if (!allocation_may_fail)
    SKIP("this sanitizer does not let an allocation fail");
  sam::host::workspace::plan too_much;
  too_much.part<std::byte>(index_t{1} << 60);
  try {
    memory.reserve(too_much);
    FAIL("an exabyte was reserved");
  } catch (sam::out_of_memory const& error) {
    std::string const what = error.what();
    CAPTURE(what);
    REQUIRE(what.starts_with("sam::host: could not grow a context's workspace to 11529215046068"));
  }
  memory.rewind();
  REQUIRE(memory.take<int>(10) == kept);
  REQUIRE(kept[9] == 7);
}

TEST_CASE("a workspace that was moved from is as new", "[workspace]") {
  sam::host::workspace memory;
  sam::host::workspace::plan const plan = sam::host::workspace::plan().part<int>(10);
  memory.reserve(plan);
  sam::host::workspace const other = std::move(memory);
  memory.reserve(plan);
  memory.rewind();
  memory.take<int>(10)[9] = 7;
  memory = sam::host::workspace();
  memory.reserve(plan);
  memory.rewind();
  memory.take<int>(10)[9] = 7;
}

TEST_CASE("workspace parts start cache lines of their own and lie apart", "[workspace]") {
  sam::host::workspace memory;
  sam::host::workspace::plan plan;
  for (index_t count = 0; count < 20; ++count)
    plan.part<std::int16_t>(count * 10);
  memory.reserve(plan);
  memory.rewind();
  std::byte const* end = nullptr;
  for (index_t count = 0; count < 20; ++count) {
    auto* const part = memory.take<std::int16_t>(count * 10);
    REQUIRE(reinterpret_cast<std::uintptr_t>(part) % sam::host::cache_line == 0);
    REQUIRE(reinterpret_cast<std::byte*>(part) >= end);
    // A sanitizer detects writes behind the last part.
    std::fill(part, part + count * 10, std::int16_t(1));
    end = reinterpret_cast<std::byte*>(part + count * 10);
  }
}

}  // namespace
