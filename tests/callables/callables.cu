// SPDX-License-Identifier: MIT
// Function objects and lambdas that a caller may pass with sam::cuda::context, and those that are
// refused. The file is only compiled. CASE 0 must compile, and the first error of each other case
// must be the expected one.
#include <sam/cuda/backend.hpp>
#include <sam/sam.hpp>

#include <span>

struct xor_with {
  unsigned const mask;  // a const member: no default constructor and no assignment
  SAM_FUNCTION explicit xor_with(unsigned m) : mask(m) {}
  SAM_FUNCTION unsigned operator()(int const& x) const { return unsigned(x) ^ mask; }
};
struct host_predicate {
  bool operator()(int x) const { return x > 0; }
};
struct host_transform {
  int operator()(int x) const { return -x; }
};
struct host_digits {
  unsigned operator()(int const& x) const { return unsigned(x); }
};

struct arrays {
  std::span<int> in, out, other, one;
  std::span<float> floats;
};

void call(sam::cuda::context& context, arrays const& a, int k) {
  auto const& [in, out, other, one, floats] = a;
#if CASE == 0
  auto const add = [=] __device__(int x, int y) { return x + y + k; };
  auto const equal = [=] __device__(int x, int y) { return x % k == y % k; };
  auto const keep = [=] __device__(int x) { return x > k; };
  auto const halve = [] __device__(int x) { return x * 0.5F; };
  sam::inclusive_scan(context, in, out, add);
  sam::exclusive_scan(context, in, out, add, 0);
  sam::transform_inclusive_scan(context, in, floats, halve);
  sam::reduce(context, in, one, add);
  sam::transform_reduce(context, in, floats, halve);
  sam::segmented_inclusive_scan(context, in, sam::by_keys(other, equal), out, add);
  sam::segmented_reduce(context, in, sam::by_heads(other), out, one, add);
  sam::compact(context, in, out, keep, one);
  sam::partition(context, in, out, keep, one);
  sam::unique(context, in, out, one, equal);
  sam::run_length_encode(context, in, out, other, one, equal);
  sam::histogram(context, in, out, [] __device__(int x) { return x & 15; });
  sam::radix_sort(context, in, out,
                  [=] __device__(int const& x) -> unsigned { return unsigned(x ^ k); });
  sam::radix_sort(context, in, out,
                  [=] __host__ __device__(int const& x) { return unsigned(x ^ k); });
  sam::radix_argsort(context, in, out, xor_with(3));
  sam::radix_sort_pairs(context, in, other, in, other, xor_with(3));
  sam::segmented_radix_sort(context, in, sam::by_length(7), out, xor_with(3));
#elif CASE == 1  // expect: sam: a device cannot call this lambda; mark it SAM_FUNCTION
  sam::inclusive_scan(context, in, out, [](int x, int y) { return x + y; });
#elif CASE == 2  // expect: sam: a device cannot call this lambda; mark it SAM_FUNCTION
  sam::compact(
      context, in, out, [=](int x) { return x > k; }, one);
#elif CASE == 3  // expect: sam: a device cannot call the function objects of <functional>
  sam::inclusive_scan(context, in, out, std::plus<>{});
#elif CASE == 4  // expect: sam: digits that are a __device__ lambda must say what they return
  sam::radix_sort(context, in, out, [] __device__(int const& x) { return unsigned(x); });
#elif CASE == 5  // expect: sam: the operator
  sam::inclusive_scan(context, in, out, [] __device__(float* x, int y) { return y; });
#elif CASE == 6  // expect: a __host__ function.*call_operator_must_be_marked_SAM_FUNCTION
  sam::compact(context, in, out, host_predicate{}, one);
#elif CASE == 7  // expect: a __host__ function.*call_operator_must_be_marked_SAM_FUNCTION
  sam::transform_reduce(context, in, one, host_transform{});
#elif CASE == 8  // expect: a __host__ function.*call_operator_must_be_marked_SAM_FUNCTION
  sam::radix_sort(context, in, out, host_digits{});
#endif
}
