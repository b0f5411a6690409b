// SPDX-License-Identifier: MIT
// The GPU engine, run on fibers: every scan equals its reference, with warps of 32 and of 64, for
// every number of blocks and whatever holds up whom; and its bits depend on none of these.
#include <sam/reference.hpp>
#include <sam/scan.hpp>

#include "items.hpp"
#include "simt/context.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace {

using sam::index_t;
using sam::plus;
using sam::scan_policy;
using sam::carry::chained;
using sam::carry::decoupled;
using sam::carry::lookback;
constexpr auto backward = sam::direction::backward;

enum class form { inclusive, inclusive_from, exclusive };

/// Type, policy, form, warp size, shape: what is compiled.
template <class T, class Policy, form Kind = form::inclusive, int Warp = 32,
          class Shape = sam::gpu::block_shape<2, 3, 2>>
struct scan_case {
  using item = T;
  using policy = Policy;
  using context = simt::context<Warp, Shape>;
  static constexpr form kind = Kind;
  static constexpr int warp_size = Warp;
  static constexpr int warp_items = Warp / Policy::tuple_size * Policy::tuple_size * Shape::items;
  static constexpr int tile = Shape::warps * warp_items;
};

/// n items `shift` items past a multiple of 16 bytes, with room around them that must stay as it
/// is.
template <class T>
class fenced {
 public:
  fenced(std::vector<T> const& items, index_t shift)
      : n_(items.size()), begin_(fence + static_cast<std::size_t>(shift) * sizeof(T)),
        bytes_(begin_ + n_ * sizeof(T) + fence, poison) {
    if (n_ != 0)
      std::memcpy(bytes_.data() + begin_, items.data(), n_ * sizeof(T));
  }
  T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_); }
  T const* data() const { return reinterpret_cast<T const*>(bytes_.data() + begin_); }
  std::size_t size() const { return n_; }
  T const& operator[](std::size_t i) const { return data()[i]; }
  bool intact() const {
    auto const is_poison = [](std::byte b) { return b == poison; };
    auto const end = bytes_.begin() + static_cast<std::ptrdiff_t>(begin_ + n_ * sizeof(T));
    return std::all_of(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_),
                       is_poison) &&
           std::all_of(end, bytes_.end(), is_poison);
  }

 private:
  static constexpr std::size_t fence = 64;  // new gives memory at a multiple of 16
  static constexpr std::byte poison{0x5a};
  std::size_t n_, begin_;
  std::vector<std::byte> bytes_;
};

template <form Kind, class T, class Policy>
std::vector<T> expected(std::vector<T> const& items, Policy policy, T init) {
  if constexpr (Kind == form::inclusive)
    return sam::reference::inclusive_scan(items, policy);
  else if constexpr (Kind == form::inclusive_from)
    return sam::reference::inclusive_scan(items, policy, std::optional<T>(init));
  else
    return sam::reference::exclusive_scan(items, policy, init);
}

template <form Kind, class Context, class T, class Policy>
void scan(Context& context, fenced<T> const& in, fenced<T>& out, Policy policy, T init) {
  if constexpr (Kind == form::inclusive)
    sam::inclusive_scan(context, in, out, policy);
  else if constexpr (Kind == form::inclusive_from)
    sam::inclusive_scan(context, in, out, policy, init);
  else
    sam::exclusive_scan(context, in, out, policy, init);
}

/// Lanes, warps and tiles, the ring once full, and once wrapped.
template <class Case>
std::set<index_t> sizes_at_every_edge() {
  std::set<index_t> sizes{1};
  for (index_t const edge : {Case::warp_size, Case::warp_items, Case::tile, 2 * Case::tile})
    for (index_t const n : {edge - 1, edge, edge + 1})
      sizes.insert(n);
  index_t const ring = 2 * Case::context::window;
  sizes.insert(ring / 2 * Case::tile + 1);
  sizes.insert((ring + 3) * Case::tile - 7);
  return sizes;
}

using maps = test::heisenberg<std::uint32_t>;
using product = test::heisenberg_product;
template <class Op, int Order, int TupleSize, class Carry,
          sam::direction Heading = sam::direction::forward>
using policy = scan_policy<Op, Order, TupleSize, Carry, Heading>;

using cases =
    std::tuple<scan_case<std::int32_t, policy<plus, 1, 1, decoupled>>,
               scan_case<std::int8_t, policy<plus, 2, 3, decoupled, backward>>,
               scan_case<std::int64_t, policy<plus, 8, 1, decoupled>, form::exclusive>,
               scan_case<std::int32_t, policy<plus, 3, 5, chained>, form::exclusive>,
               scan_case<maps, policy<product, 1, 2, lookback, backward>>,
               scan_case<maps, policy<product, 2, 1, decoupled>, form::exclusive>,
               scan_case<float, policy<plus, 2, 1, decoupled, backward>, form::exclusive>,
               scan_case<std::int8_t, policy<sam::maximum, 1, 1, chained>>,
               scan_case<std::int64_t, policy<plus, 2, 2, lookback>, form::inclusive_from>,
               scan_case<std::int32_t, policy<plus, 2, 11, decoupled>, form::inclusive, 32,
                         sam::gpu::block_shape<5, 1, 3>>,
               scan_case<maps, policy<product, 1, 1, decoupled>, form::inclusive, 64>,
               scan_case<std::int32_t, policy<plus, 1, 1, lookback>, form::inclusive, 64>,
               scan_case<std::int8_t, policy<plus, 3, 2, chained, backward>, form::inclusive, 64>,
               scan_case<float, policy<plus, 1, 5, decoupled>, form::exclusive, 64>>;

TEMPLATE_LIST_TEST_CASE("a scan on fibers equals its reference", "[simt]", cases) {
  using T = typename TestType::item;
  using op = typename TestType::policy::op_type;
  typename TestType::policy const p;
  auto const init = test::random_items<T, op>(4, test::seed_for(-1))[3];
  for (int const blocks : {1, 2, 3, 7}) {
    auto const seed = test::seed_for(blocks);
    CAPTURE(blocks, seed);
    typename TestType::context context(blocks, seed);
    for (index_t const n : sizes_at_every_edge<TestType>()) {
      CAPTURE(n);
      auto items = test::random_items<T, op>(n, seed + static_cast<std::uint64_t>(n));
      auto const wanted = expected<TestType::kind>(items, p, init);
      fenced<T> in(items, 1), out(std::vector<T>(items.size(), init), n % 2);
      scan<TestType::kind>(context, in, out, p, init);
      REQUIRE(test::differences(out, wanted) == "");
      REQUIRE(out.intact());
      if (n % 3 != 1)
        continue;
      scan<TestType::kind>(context, in, in, p, init);
      REQUIRE(test::differences(in, wanted) == "");
      REQUIRE(in.intact());
    }
  }
}

}  // namespace
