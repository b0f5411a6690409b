// SPDX-License-Identifier: MIT
// Benchmarks float maxima on a CUDA device against a maximum of a single comparison. The difference
// is the cost of the rules for NaN and signed zeros.
#include <sam/reduce.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "../operators.hpp"
#include "support.hpp"

#include <vector>

namespace perf {

/// Returns the offsets of segments of 100 items.
std::span<index_t const> offsets_for(index_t n) {
  std::vector<index_t> offsets;
  for (index_t begin = 0; begin + 100 <= n; begin += 100)
    offsets.push_back(begin);
  offsets.push_back(n);
  index_t* memory = nullptr;
  std::size_t const bytes = offsets.size() * sizeof(index_t);
  check(cudaMalloc(&memory, bytes));
  check(cudaMemcpy(memory, offsets.data(), bytes, cudaMemcpyHostToDevice));
  return {memory, offsets.size()};
}

template <class T, class Op>
void add_calls(std::string const& suffix, std::string const& who, index_t n, Op op) {
  auto const add_call = [&](std::string const& name, auto call) {
    add(name + suffix, who, n * index_t{sizeof(T)}, [=](benchmark::State& state) {
      auto& a = arrays::get();
      sam::default_context context;
      time_calls(state, n, sizeof(T), [&] { call(context, a.in<T>(n), a.out<T>(n)); });
    });
  };
  add_call("inclusive_scan",
           [=](auto& context, auto in, auto out) { sam::inclusive_scan(context, in, out, op); });
  add_call("reduce",
           [=](auto& context, auto in, auto out) { sam::reduce(context, in, out.first(1), op); });
  std::span<index_t const> const starts = offsets_for(n);
  add_call("segmented_inclusive_scan", [=](auto& context, auto in, auto out) {
    sam::segmented_inclusive_scan(context, in, sam::by_offsets(starts), out, op);
  });
  add_call("segmented_reduce", [=](auto& context, auto in, auto out) {
    sam::segmented_reduce(context, in, sam::by_offsets(starts), out.first(starts.size() - 1), op);
  });
}

template <class T>
void compare(std::string const& type, index_t n) {
  std::string const suffix = "/" + type + "/n:" + std::to_string(n);
  add_calls<T>(suffix, "maximum", n, sam::maximum{});
  add_calls<T>(suffix, "plain_maximum", n, plain_maximum{});
}

[[maybe_unused]] bool const registered = [] {
  for (int const power : {28, 24, 20, 16}) {
    compare<float>("f32", index_t{1} << power);
    compare<double>("f64", index_t{1} << power);
  }
  return true;
}();

}  // namespace perf
