// SPDX-License-Identifier: MIT
// Recurrences, filters and summed-area tables on a CUDA device beside a cudaMemcpy that moves as
// many bytes as a single pass over the items does.
#include <sam/linear_recurrence.hpp>
#include <sam/summed_area_table.hpp>

#include "support.hpp"

namespace perf {

/// Of `bytes` read and written for each item.
template <class Call>
void compare(std::string const& name, index_t n, int bytes, Call call) {
  add(name, "sam", [=](benchmark::State& state) {
    sam::default_context context;
    time_calls(state, n, 4, [&] { call(context); });
  });
  add(name, "memcpy", [=](benchmark::State& state) {
    time_calls(state, n, 4, [&] {
      check(cudaMemcpyAsync(arrays::get().out<std::byte>(1).data(),
                            arrays::get().in<std::byte>(1).data(), std::size_t(n) * bytes / 2,
                            cudaMemcpyDeviceToDevice));
    });
  });
}

template <class T>
void compare_filters(std::string const& type) {
  constexpr index_t n = index_t{1} << 28;
  compare("linear_recurrence/" + type, n, 3 * sizeof(T), [](auto& context) {
    auto const both = arrays::get().in<T>(2 * n);
    sam::linear_recurrence(context, both.first(n), both.last(n), arrays::get().out<T>(n));
  });
  auto const filter = [&](auto const& coefficients) {
    compare("linear_filter/" + type + "/order:" + std::to_string(coefficients.size()), n,
            2 * sizeof(T), [=](auto& context) {
              sam::linear_filter(context, arrays::get().in<T>(n), coefficients,
                                 arrays::get().out<T>(n));
            });
  };
  filter(std::array<T, 1>{T(0.5)});
  filter(std::array<T, 2>{T(0.5), T(0.25)});
  filter(std::array<T, 4>{T(0.25), T(0.25), T(0.125), T(0.125)});
}

template <class T>
void compare_tables(std::string const& type) {
  constexpr index_t n = index_t{1} << 28;
  for (index_t const width : {64, 1920, 16384, 65536}) {
    index_t const whole = n / width * width;
    compare("summed_area_table/" + type + "/width:" + std::to_string(width), whole, 2 * sizeof(T),
            [=](auto& context) {
              sam::summed_area_table(context, arrays::get().in<T>(whole), width,
                                     arrays::get().out<T>(whole));
            });
  }
}

[[maybe_unused]] bool const registered = [] {
  compare_filters<std::int32_t>("i32");
  compare_filters<float>("f32");
  compare_tables<std::int32_t>("i32");
  compare_tables<float>("f32");
  return true;
}();

}  // namespace perf
