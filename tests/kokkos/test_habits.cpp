// SPDX-License-Identifier: MIT
// Tests what users of Kokkos expect: calls on an execution space instance, all kinds of Views,
// regions of Kokkos Tools, and labels in messages.
#include <sam/kokkos/backend.hpp>
#include <sam/sam.hpp>

#include <Kokkos_DualView.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using space = Kokkos::DefaultExecutionSpace;
using native = sam::kokkos::basic_context<space>;
using fallback = sam::kokkos::basic_context<space, sam::kokkos::engine_kind::fallback>;
using pool = sam::kokkos::context_pool<space>;
using view = Kokkos::View<int*, space>;
using sam::index_t;

struct is_odd {
  SAM_FUNCTION bool operator()(int x) const { return x % 2 != 0; }
};

std::vector<int> some_integers(std::size_t n) {
  std::vector<int> items(n);
  std::uint32_t x = 1;
  for (int& item : items)
    item = static_cast<int>((x = x * 1664525 + 1013904223) >> 22);
  return items;
}
template <class View>
void from_host(std::vector<int> const& items, View const& there) {
  view const same("same", items.size());
  Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const here(items.data(),
                                                                                  items.size());
  Kokkos::deep_copy(same, here);
  Kokkos::deep_copy(space(), there, same);
  space().fence();
}
view on_space(std::vector<int> const& items) {
  view there("there", items.size());
  from_host(items, there);
  return there;
}
template <class View>
std::vector<int> to_host(View const& there) {
  view const same("same", there.size());
  Kokkos::deep_copy(space(), same, there);
  space().fence();
  auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), same);
  return {here.data(), here.data() + here.size()};
}
std::vector<int> sums_of(std::vector<int> items) {
  std::partial_sum(items.begin(), items.end(), items.begin());
  return items;
}
std::vector<int> sorted(std::vector<int> items) {
  std::sort(items.begin(), items.end());
  return items;
}
std::vector<int> odd_ones(std::vector<int> const& items) {
  std::vector<int> odd;
  std::copy_if(items.begin(), items.end(), std::back_inserter(odd), is_odd{});
  return odd;
}

}  // namespace

TEST_CASE("an instance of an execution space stands for a context in all calls", "[habits]") {
  space const instance;
  auto const items = some_integers(5000);
  view const in = on_space(items), out("out", items.size()), other("other", items.size());
  int const n = static_cast<int>(items.size());
  int const sum = std::accumulate(items.begin(), items.end(), 0);

  sam::inclusive_scan(instance, in, out);
  REQUIRE(to_host(out) == sums_of(items));
  sam::inclusive_scan(space(), in, out);  // a temporary will do
  REQUIRE(to_host(out) == sums_of(items));
  sam::exclusive_scan(instance, in, out, sam::plus{}, 7);
  REQUIRE(to_host(out).back() == 7 + sum - items.back());
  REQUIRE(sam::reduce(instance, in) == sum);
  REQUIRE(sam::reduce<std::int64_t>(instance, in) == sum);
  REQUIRE(sam::transform_reduce<index_t>(instance, in, is_odd{}) ==
          static_cast<index_t>(odd_ones(items).size()));
  int result = 0;
  sam::reduce(instance, in, result);
  instance.fence();
  REQUIRE(result == sum);
  REQUIRE(sam::segmented_reduce(instance, in, sam::by_length(1000), out) == n / 1000);
  sam::segmented_inclusive_scan(instance, in, sam::by_length(n), out);
  REQUIRE(to_host(out) == sums_of(items));
  REQUIRE(sam::compact(instance, in, out, is_odd{}) ==
          static_cast<index_t>(odd_ones(items).size()));
  REQUIRE(sam::compact_indices(instance, in, out, is_odd{}) ==
          static_cast<index_t>(odd_ones(items).size()));
  REQUIRE(sam::partition(instance, in, out, is_odd{}) ==
          static_cast<index_t>(odd_ones(items).size()));
  sam::radix_sort(instance, in, out);
  REQUIRE(to_host(out) == sorted(items));
  sam::radix_sort_pairs(instance, in, in, other, out);
  REQUIRE(to_host(out) == sorted(items));
  sam::radix_argsort(instance, in, other);
  sam::segmented_radix_sort(instance, in, sam::by_length(n), out);
  REQUIRE(to_host(out) == sorted(items));
  index_t const different = sam::unique(instance, out, other);
  REQUIRE(different == sam::reduce_by_key(instance, out, out, other, in));
  from_host(items, in);
  view const counts("counts", 4);
  sam::histogram(instance, in, counts, sam::even_bins(0, 1024));
  auto const counted = to_host(counts);
  REQUIRE(std::accumulate(counted.begin(), counted.end(), 0) == n);
  sam::delta_encode<2>(instance, in, out);
  sam::delta_decode<2>(instance, out, other);
  REQUIRE(to_host(other) == items);
  sam::summed_area_table(instance, in, 100, out);
  REQUIRE(to_host(out).back() == sum);
}

TEST_CASE("the contexts of instances are kept for the next call", "[habits]") {
  space const instance;
  view const in = on_space(some_integers(100)), out("out", 100);
  sam::inclusive_scan(instance, in, out);
  std::size_t const kept = pool::kept();
  REQUIRE(kept >= 1);
  sam::inclusive_scan(instance, in, out);
  sam::inclusive_scan(space(), in, out);
  REQUIRE(pool::kept() == kept);
  {
    auto const first = pool::lend(instance), second = pool::lend(instance);
    REQUIRE(&*first != &*second);  // no context serves two calls at once
  }
  REQUIRE(pool::kept() >= 2);
}

TEST_CASE("several threads may call on one instance", "[habits]") {
  if (!sam::kokkos::is_host_space<space> || space().concurrency() == 1)
    return;
  auto const items = some_integers(50'000);
  std::vector<view> ins, outs;
  for (int t = 0; t < 3; ++t) {
    ins.push_back(on_space(items));
    outs.emplace_back("out", items.size());
  }
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] { sam::inclusive_scan(space(), ins[t], outs[t]); });
  for (auto& thread : threads)
    thread.join();
  for (auto const& out : outs)
    REQUIRE(to_host(out) == sums_of(items));
}

TEMPLATE_TEST_CASE("strided Views of rank 1 are inputs and outputs", "[habits]", native, fallback) {
  TestType context{space{}};
  for (int const rows : {1, 2, 1000, 20'000}) {
    CAPTURE(rows);
    auto const items = some_integers(static_cast<std::size_t>(rows));
    Kokkos::View<int**, Kokkos::LayoutRight, space> const matrix("matrix", rows, 3);
    auto const column = [&](int c) { return Kokkos::subview(matrix, Kokkos::ALL, c); };
    auto const first = column(0), second = column(1), third = column(2);
    static_assert(std::is_same_v<typename decltype(column(0))::array_layout, Kokkos::LayoutStride>);
    from_host(items, first);
    Kokkos::deep_copy(third, 77);

    sam::inclusive_scan(context, first, second);
    context.wait();
    REQUIRE(to_host(second) == sums_of(items));
    REQUIRE(to_host(first) == items);  // the other columns did not change
    REQUIRE(to_host(third) == std::vector<int>(items.size(), 77));

    view const contiguous("contiguous", rows);
    sam::radix_sort(context, first, contiguous);
    context.wait();
    REQUIRE(to_host(contiguous) == sorted(items));
    sam::radix_sort(context, contiguous, second);
    context.wait();
    REQUIRE(to_host(second) == sorted(items));

    REQUIRE(sam::reduce(context, first) == std::accumulate(items.begin(), items.end(), 0));
    auto const odd = odd_ones(items);
    REQUIRE(sam::compact(context, first, third, is_odd{}) == static_cast<index_t>(odd.size()));
    auto wanted = odd;
    wanted.resize(items.size(), 77);  // the rest of out is not changed
    REQUIRE(to_host(third) == wanted);

    using extremes = Kokkos::View<sam::minmax_values<int>*, space>;
    extremes const of_first("of first", 8), of_copy("of copy", 8);
    sam::segmented_find_minmax(context, first, sam::by_length(2500), of_first);
    view const copy = on_space(items);
    sam::segmented_find_minmax(context, copy, sam::by_length(2500), of_copy);
    context.wait();
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, of_first);
    auto const wanted_there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, of_copy);
    for (std::size_t k = 0; k < found.size() && k * 2500 < items.size(); ++k) {
      REQUIRE(found(k).min.value == wanted_there(k).min.value);
      REQUIRE(found(k).max.value == wanted_there(k).max.value);
      REQUIRE(found(k).max.index == wanted_there(k).max.index);
    }

    sam::inclusive_scan(context, first, first);  // in place
    context.wait();
    REQUIRE(to_host(first) == sums_of(items));

    auto const every_other = Kokkos::subview(contiguous, std::pair(0, rows));
    Kokkos::View<int*, Kokkos::LayoutStride, space> const dense(every_other);  // of stride 1
    sam::inclusive_scan(context, dense, dense);
    context.wait();
    REQUIRE(to_host(contiguous) == sums_of(sorted(items)));
  }
}

TEMPLATE_TEST_CASE("const, unmanaged, rank-0 and dual Views are arrays", "[habits]", native,
                   fallback) {
  TestType context{space{}};
  auto const items = some_integers(1000);
  view const in = on_space(items), out("out", items.size());
  int const sum = std::accumulate(items.begin(), items.end(), 0);

  Kokkos::View<int const*, space> const read_only = in;
  sam::inclusive_scan(context, read_only, out);
  context.wait();
  REQUIRE(to_host(out) == sums_of(items));

  Kokkos::View<int*, space, Kokkos::MemoryUnmanaged> const unmanaged(out.data(), out.size());
  Kokkos::View<int const*, space, Kokkos::MemoryTraits<Kokkos::RandomAccess>> const random = in;
  sam::radix_sort(context, random, unmanaged);
  context.wait();
  REQUIRE(to_host(out) == sorted(items));

  Kokkos::View<int, space> const total("total");
  sam::reduce(context, in, total);
  Kokkos::View<index_t, space> const count("count");
  sam::compact(context, in, out, is_odd{}, count);
  context.wait();
  int total_here = 0;
  index_t count_here = 0;
  Kokkos::deep_copy(total_here, total);
  Kokkos::deep_copy(count_here, count);
  REQUIRE(total_here == sum);
  REQUIRE(count_here == static_cast<index_t>(odd_ones(items).size()));

  Kokkos::DualView<int*, space> const dual("dual", items.size());
  Kokkos::deep_copy(dual.view_device(), in);
  sam::inclusive_scan(context, dual.view_device(), dual.view_device());
  context.wait();
  REQUIRE(to_host(dual.view_device()) == sums_of(items));

  if constexpr (Kokkos::has_shared_space) {  // CudaUVMSpace on Cuda
    Kokkos::View<int*, Kokkos::SharedSpace> const shared("shared", items.size());
    Kokkos::deep_copy(shared, in);
    sam::inclusive_scan(context, shared, shared);
    context.wait();
    REQUIRE(to_host(shared) == sums_of(items));
  }

  auto const part = Kokkos::subview(in, std::pair(100, 200));
  REQUIRE(sam::reduce(context, part) ==
          std::accumulate(items.begin() + 100, items.begin() + 200, 0));
}

TEMPLATE_TEST_CASE("errors name Views by their labels", "[habits]", native, fallback) {
  TestType context{space{}};
  view const density("density", 10), sums("sums", 9);
  std::string text;
  try {
    sam::inclusive_scan(context, density, sums);
  } catch (sam::invalid_argument const& error) {
    text = error.what();
  }
  CAPTURE(text);
  REQUIRE(text.find("(in is the View \"density\", out is the View \"sums\")") != std::string::npos);
}

namespace {

/// Collects what Kokkos tells tools, while it lives.
class tool {
 public:
  tool() {
    namespace tools = Kokkos::Tools::Experimental;
    regions.clear(), kernels.clear(), allocations.clear();
    open = 0;
    tools::set_push_region_callback([](char const* name) {
      regions.emplace_back(name);
      ++open;
    });
    tools::set_pop_region_callback([] { --open; });
    tools::set_begin_parallel_for_callback([](char const* name, std::uint32_t, std::uint64_t* id) {
      *id = 0;
      kernels.emplace_back(name);
    });
    tools::set_allocate_data_callback([](Kokkos_Profiling_SpaceHandle, char const* label,
                                         void const*,
                                         std::uint64_t) { allocations.emplace_back(label); });
  }
  tool(tool const&) = delete;
  tool& operator=(tool const&) = delete;
  ~tool() {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_push_region_callback(nullptr);
    tools::set_pop_region_callback(nullptr);
    tools::set_begin_parallel_for_callback(nullptr);
    tools::set_allocate_data_callback(nullptr);
  }
  static inline std::vector<std::string> regions, kernels, allocations;
  static inline int open = 0;
};

bool all_begin_with_sam(std::vector<std::string> const& names) {
  return std::all_of(names.begin(), names.end(),
                     [](std::string const& name) { return name.starts_with("sam"); });
}

}  // namespace

TEMPLATE_TEST_CASE("a call is a region of Kokkos Tools with the name of its function", "[habits]",
                   native, fallback) {
  TestType context{space{}};
  auto const items = some_integers(300'000);
  view const in = on_space(items), out("out", items.size());
  tool const watching;
  sam::inclusive_scan(context, in, out);
  context.wait();
  REQUIRE(tool::regions == std::vector<std::string>{"sam::inclusive_scan"});
  sam::radix_sort(context, in, out);
  context.wait();
  REQUIRE(tool::regions.back() == "sam::radix_sort");
  REQUIRE(tool::open == 0);
  REQUIRE(all_begin_with_sam(tool::kernels));
  if (TestType::engine == sam::kokkos::engine_kind::fallback) {
    REQUIRE(!tool::kernels.empty());
    REQUIRE(std::count(tool::allocations.begin(), tool::allocations.end(), "sam::workspace") > 0);
  }

  view const two("two", 2);
  tool::regions.clear();
  REQUIRE_THROWS_AS(sam::inclusive_scan(context, in, two), sam::invalid_argument);
  REQUIRE(tool::open == 0);  // an error closes the region
}
