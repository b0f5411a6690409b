// SPDX-License-Identifier: MIT
// Benchmarks recurrences and filters against a plain loop and copies of as many bytes as they read
// and write.
#include <sam/linear_recurrence.hpp>

#include "support.hpp"

#include <array>

namespace {

using perf::add;
using perf::index_t;
using perf::pages;

/// Terms, and factors whose products neither vanish nor grow.
template <class T>
struct arrays {
  static arrays& of(index_t n) { return perf::kept<arrays>(n); }
  explicit arrays(index_t n) : a(n), b(n), out(n) {
    perf::fill_random(a);
    perf::fill_random(b);
  }
  pages<T> a, b, out;
};

/// Adds sam, copies of `moved` items per item, and a loop on one thread.
template <class T, class Call, class Loop>
void compare(std::string const& what, index_t n, int moved, Call call, Loop loop) {
  std::string const name = what + "/" + perf::type_name<T>() + "/n:" + std::to_string(n);
  auto const time = [=](benchmark::State& state, auto const& work) {
    auto& all = arrays<T>::of(n);
    perf::time_calls(state, n, sizeof(T), [&] {
      work(all);
      benchmark::ClobberMemory();
    });
  };
  add(name, "sam", [=](benchmark::State& state) {
    sam::default_context context;
    time(state, [&](arrays<T>& all) {
      call(context, all);
      context.wait();
    });
  });
  auto const copied = [=](auto copy) {
    return [=](benchmark::State& state) {
      auto const bytes = static_cast<std::size_t>(n) * sizeof(T);
      time(state, [&](arrays<T>& all) {
        copy(all.out.data(), all.b.data(), bytes);
        if (moved == 3)
          copy(all.out.data(), all.a.data(), bytes / 2);
      });
    };
  };
  add(name, "roof", copied(perf::roof_copy));
  add(name, "memcpy", copied(perf::memory_copy));
  add(name, "serial", [=](benchmark::State& state) { time(state, loop); });
}

template <class T, std::size_t Q>
void compare_filter(index_t n, std::array<T, Q> const& c) {
  compare<T>(
      "linear_filter/order:" + std::to_string(Q), n, 2,
      [=](auto& context, auto& all) { sam::linear_filter(context, all.b, c, all.out); },
      [=](auto& all) {
        T const* const in = all.b.data();
        T* const out = all.out.data();
        std::array<T, Q> before{};
        for (index_t i = 0; i < n; ++i) {
          T x = in[i];
          // The newest item is added last: the dependency chain is one product and one sum.
          for (std::size_t k = Q; k-- > 0;)
            x = sam::number_ring<T>::add(x, sam::number_ring<T>::multiply(c[k], before[k]));
          for (std::size_t k = Q - 1; k > 0; --k)
            before[k] = before[k - 1];
          out[i] = before[0] = x;
        }
      });
}

template <class T>
void compare_all(index_t n) {
  compare_filter(n, std::array<T, 1>{T(0.5)});
  compare_filter(n, std::array<T, 2>{T(0.5), T(0.25)});
  compare_filter(n, std::array<T, 4>{T(0.25), T(0.25), T(0.125), T(0.125)});
  compare<T>(
      "linear_recurrence", n, 3,
      [](auto& context, auto& all) { sam::linear_recurrence(context, all.a, all.b, all.out); },
      [=](auto& all) {
        T x(0);
        for (index_t i = 0; i < n; ++i)
          all.out.data()[i] = x = sam::number_ring<T>::add(
              sam::number_ring<T>::multiply(all.a.data()[i], x), all.b.data()[i]);
      });
}

[[maybe_unused]] bool const registered = [] {
  for (index_t const n : perf::sizes({1 << 20, 1 << 25})) {
    compare_all<float>(n);
    compare_all<double>(n);
    compare_all<std::int32_t>(n);
    compare_all<std::int64_t>(n);
  }
  return true;
}();

}  // namespace
