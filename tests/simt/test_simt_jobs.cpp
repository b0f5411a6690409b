// SPDX-License-Identifier: MIT
// Every kind of job by the GPU kernels on fibers, and moves by indices by a thread for each item.
#include <sam/gather.hpp>

#include "items.hpp"
#include "job_kinds.hpp"
#include "simt/context.hpp"
#include "simt/runner.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>

#include <numeric>
#include <tuple>

TEMPLATE_TEST_CASE("the smallest job of every kind runs on fibers", "", simt::context<32>,
                   simt::context<64>) {
  for (int const n : {1, 63, 1000, 3001}) {
    TestType context(3, test::seed_for(n));
    auto const in = test::some_integers(n);
    simt::runner<TestType> with(context, in);
    test::check_every_kind(with, in);
  }
}

namespace {

using sam::index_t;

template <class Index, class T, int Warp>
struct move_case {
  using index = Index;
  using item = T;
  using context = simt::context<Warp>;
};
using cases = std::tuple<move_case<std::uint32_t, std::uint32_t, 32>,
                         move_case<std::int64_t, std::uint8_t, 32>,
                         move_case<std::int32_t, test::affine, 64>>;

template <class T>
std::vector<T> some_items(index_t n, std::uint64_t seed) {
  std::vector<T> items(static_cast<std::size_t>(n));
  auto const words = test::random_items<std::uint64_t>(n, seed);
  for (std::size_t i = 0; i < items.size(); ++i)
    std::memcpy(static_cast<void*>(&items[i]), &words[i], std::min(sizeof(T), sizeof(words[i])));
  return items;
}
template <class T>
bool same(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TEMPLATE_LIST_TEST_CASE("items move by indices in a thread each", "[simt]", cases) {
  using T = typename TestType::item;
  using Index = typename TestType::index;
  using words = std::vector<std::uint64_t>;
  typename TestType::context context(3, test::seed_for(1));
  context.moves_early = true;
  for (index_t const n : {0, 1, 2, 31, 33, 255, 256, 257, 1000, 4099})
    for (index_t const shift : {0, 1, 3}) {
      CAPTURE(n, shift);
      auto const seed = test::seed_for(n + shift);
      std::vector<Index> order(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), Index(0));
      test::generator bits(seed);
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[bits() % i]);
      auto const items = some_items<T>(n, seed);
      words const others = test::random_items<std::uint64_t>(n, seed + 1);
      T const before = some_items<T>(1, seed + 2)[0];
      auto odd = order;  // some indices lead out: they gather the first item, and scatter none
      if (n > 2) {
        odd[std::size_t(n) / 2] = Index(n);
        odd[std::size_t(n) - 1] = Index(-1);
      }
      simt::fenced<T> const in(items, shift);
      simt::fenced<Index> const by(odd, (shift + 1) % 4), whole(order, shift);
      simt::fenced<T> gathered(std::vector<T>(items.size(), before), (shift + 2) % 4);
      simt::fenced<T> scattered(std::vector<T>(items.size(), before), (shift + 2) % 4);
      simt::fenced<T> permuted(std::vector<T>(items.size(), before), shift);
      simt::fenced<std::uint64_t> const in2(others, 1);
      simt::fenced<std::uint64_t> permuted2(words(others.size()), 0);
      int const launches = context.launches();
      sam::gather(context, in, by, gathered);
      sam::scatter(context, in, by, scattered);
      sam::apply_permutation(context, whole, in, permuted, in2, permuted2);
      REQUIRE(context.launches() == launches + (n > 0 ? 3 : 0));
      std::vector<T> wanted(items.size(), before);
      for (std::size_t i = 0; i < items.size(); ++i) {
        auto const from = static_cast<std::uint64_t>(odd[i]);
        REQUIRE(same(gathered[i], items[from < items.size() ? from : 0]));
        auto const at = static_cast<std::size_t>(order[i]);
        REQUIRE(same(permuted[i], items[at]));
        REQUIRE(permuted2[i] == others[at]);
        if (from < items.size())
          wanted[from] = items[i];
      }
      for (std::size_t i = 0; i < items.size(); ++i)
        REQUIRE(same(scattered[i], wanted[i]));
      REQUIRE((gathered.intact() && scattered.intact() && permuted.intact() && permuted2.intact()));
    }
}

}  // namespace
