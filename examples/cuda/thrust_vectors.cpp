// SPDX-License-Identifier: MIT
// Beside Thrust: device vectors as arrays, parts of them as spans, and one stream for both
// libraries.
#include <sam/cuda/backend.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_reduce.hpp>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <cstdio>
#include <span>
#include <stdexcept>

namespace {

struct halve {
  SAM_FUNCTION int operator()(int x) const { return x / 2; }
};

// [iterators]
// An array for the items from one iterator of a device vector to another.
template <class Iterator>
auto items_between(Iterator begin, Iterator end) {
  return std::span(thrust::raw_pointer_cast(&*begin), static_cast<std::size_t>(end - begin));
}
// [/iterators]

bool run() {
  // [vectors]
  cudaStream_t stream = nullptr;
  if (cudaStreamCreate(&stream) != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(cudaGetLastError()));
  auto const policy = thrust::cuda::par_nosync.on(stream);
  sam::cuda::context context(stream);

  thrust::device_vector<int> numbers(1000), halves(1000), sums(1000);
  thrust::sequence(policy, numbers.begin(), numbers.end());
  thrust::transform(policy, numbers.begin(), numbers.end(), halves.begin(), halve{});
  sam::inclusive_scan(context, halves, sums);  // device vectors are arrays
  // [/vectors]

  // [parts]
  // The last ten items only: scan in place.
  auto const tail = items_between(numbers.end() - 10, numbers.end());
  sam::inclusive_scan(context, tail, tail);

  // reduce_by_key of Thrust, with the number of keys left on the device.
  thrust::device_vector<int> keys(1000), totals(1000), count(1);
  sam::reduce_by_key(context, halves, sums, keys, totals, count);
  context.wait();
  // [/parts]
  int const sum = sums[999], of_tail = numbers[999], number = count[0], key = keys[3];
  int const total = totals[0];
  std::printf("the sum is %d, the number of keys %d\n", sum, number);
  return sum == 249'500 && of_tail == 9945 && number == 500 && key == 3 && total == 0;
}

}  // namespace

int main() try { return run() ? 0 : 1; } catch (std::exception const& error) {
  std::puts(error.what());
  return 1;
}
