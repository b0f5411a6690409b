// SPDX-License-Identifier: MIT
// Benchmarks differences of neighbours, compaction by a stencil, and moves by index against other
// libraries, in one process and on the same items.
#include <sam/adjacent_difference.hpp>
#include <sam/compact.hpp>
#include <sam/gather.hpp>

#include "calls.hpp"
#include "select_peers.hpp"

#include <array>
#include <numeric>

namespace {

using perf::compared_call;
using perf::index_t;
using perf::pages;

/// Four arrays, and an order of theirs: random, or one that moves items by little.
template <class T>
struct arrays {
  explicit arrays(index_t n)
      : in{pages<T>(n), pages<T>(n), pages<T>(n), pages<T>(n)}, out{pages<T>(n), pages<T>(n),
                                                                    pages<T>(n), pages<T>(n)},
        random(n), near(n), stencil(n) {
    for (auto const& each : in)
      perf::fill_random(each);
    perf::fill_random(stencil);
    std::mt19937_64 bits(std::random_device{}());
    for (auto const& each : {std::ref(random), std::ref(near)})
      std::iota(each.get().data(), each.get().data() + n, 0u);
    std::shuffle(random.data(), random.data() + n, bits);
    for (index_t i = 0; i < n; i += 64)
      std::shuffle(near.data() + i, near.data() + std::min(n, i + 64), bits);
  }
  std::vector<std::span<std::byte>> results() {
    return {perf::bytes_of(out[0]), perf::bytes_of(out[1]), perf::bytes_of(out[2]),
            perf::bytes_of(out[3])};
  }
  std::array<pages<T>, 4> in, out;
  pages<std::uint32_t> random, near;
  pages<std::uint8_t> stencil;
};

template <class T>
using order_of = pages<std::uint32_t> arrays<T>::*;

template <class T>
std::string name(std::string const& call) {
  return call + "/" + perf::type_name<T>();
}
/// Returns the plain loop over f(arrays), which is called with every index.
template <class T, class F>
auto loop(F f) {
  return [f](arrays<T>& a) {
    auto const one = f(a);
    for (index_t i = 0; i < a.in[0].size(); ++i)
      one(i);
  };
}

template <class T>
void compare_differences(index_t n) {
  auto const difference = [](arrays<T>& a, auto const&... how) {
    T const* const in = a.in[0].data();
    std::adjacent_difference(how..., in, in + a.in[0].size(), a.out[0].data());
  };
  compared_call<arrays<T>>(name<T>("adjacent_difference"), n, 2 * sizeof(T), [=](arrays<T>& a) {
    difference(a);
  }).by_sam([](auto& context, auto& a) {
      sam::adjacent_difference(context, a.in[0], a.out[0]);
    }).by_std(difference);
}

struct is_high {
  bool operator()(std::uint8_t x) const { return x >= 128; }
};
template <class T>
void compare_stencils(index_t n) {
  auto const with = [](arrays<T>& a, auto use) {
    use([stencil = a.stencil.data()](index_t i) { return is_high{}(stencil[i]) ? 0 : 1; },
        [in = a.in[0].data()](index_t i) { return in[i]; },
        std::array<T*, 3>{a.out[0].data(), a.out[1].data(), a.out[2].data()});
  };
  compared_call<arrays<T>> call(name<T>("compact_by_stencil"), n, 1.5 * sizeof(T) + 1,
                                [=](arrays<T>& a) {
                                  with(a, [&](auto part, auto value, auto const& to) {
                                    perf::serial_select::select<1>(a.in[0].size(), part, value, to);
                                  });
                                });
  call.by_sam([](auto& context, auto& a) {
    sam::compact_by_stencil(context, a.in[0], a.stencil, a.out[0], is_high{});
  });
  perf::for_each_select_peer([&](auto peer) {
    call.by(peer.name, [=](arrays<T>& a) {
      with(a, [&](auto part, auto value, auto const& to) {
        decltype(peer)::template select<1>(a.in[0].size(), part, value, to);
      });
    });
  });
}

template <class T>
void compare_moves(index_t n, std::string const& order, order_of<T> indices) {
  auto const gathers = [=](arrays<T>& a) {
    return [in = a.in[0].data(), by = (a.*indices).data(), to = a.out[0].data()](index_t i) {
      to[i] = in[by[i]];
    };
  };
  compared_call<arrays<T>>(name<T>("gather " + order), n, 2 * sizeof(T) + 4, loop<T>(gathers))
      .by_sam([=](auto& context, auto& a) { sam::gather(context, a.in[0], a.*indices, a.out[0]); })
      .by_loop()
      .by_loops(gathers);
  auto const scatters = [=](arrays<T>& a) {
    return [in = a.in[0].data(), by = (a.*indices).data(), to = a.out[0].data()](index_t i) {
      to[by[i]] = in[i];
    };
  };
  compared_call<arrays<T>>(name<T>("scatter " + order), n, 2 * sizeof(T) + 4, loop<T>(scatters))
      .by_sam([=](auto& context, auto& a) { sam::scatter(context, a.in[0], a.*indices, a.out[0]); })
      .by_loop()
      .by_loops(scatters);
  auto const permutes = [=](arrays<T>& a) {
    std::array<T const*, 4> in;
    std::array<T*, 4> to;
    for (std::size_t k = 0; k < 4; ++k) {
      in[k] = a.in[k].data();
      to[k] = a.out[k].data();
    }
    return [in, to, by = (a.*indices).data()](index_t i) {
      for (std::size_t k = 0; k < 4; ++k)
        to[k][i] = in[k][by[i]];
    };
  };
  compared_call<arrays<T>>(name<T>("apply_permutation to four, " + order), n, 8 * sizeof(T) + 4,
                           loop<T>(permutes))
      .by_sam([=](auto& context, auto& a) {
        sam::apply_permutation(context, a.*indices, a.in[0], a.out[0], a.in[1], a.out[1], a.in[2],
                               a.out[2], a.in[3], a.out[3]);
      })
      .by_loop()
      .by_loops(permutes);
}

[[maybe_unused]] bool const registered = [] {
  for (index_t const n : perf::sizes({1 << 25, 1 << 20, 1 << 14})) {
    compare_differences<std::int32_t>(n);
    compare_differences<double>(n);
    compare_stencils<std::int32_t>(n);
    compare_moves<std::uint32_t>(n, "at random", &arrays<std::uint32_t>::random);
    compare_moves<std::uint32_t>(n, "nearby", &arrays<std::uint32_t>::near);
  }
  return true;
}();

}  // namespace
