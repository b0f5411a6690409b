// SPDX-License-Identifier: MIT
// Times calls of a GPU back end, for a comparison of sam::hip with sam::cuda on one NVIDIA GPU. The
// program is compiled once for each; time_on_nvidia does so. Prints a JSON object.
#include <sam/backend.hpp>
#include <sam/launch/runtime/testing.hpp>
#include <sam/sam.hpp>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

namespace {

namespace timed = sam::SAM_GPU_BACKEND;

/// An array in device memory.
template <class T>
class array {
 public:
  explicit array(std::size_t n) : n_(n) {
    void* memory = nullptr;
    timed::check(timed::platform::allocate(memory, n * sizeof(T)), "get memory");
    items_ = static_cast<T*>(memory);
  }
  explicit array(std::vector<T> const& from) : array(from.size()) {
    timed::check(
        timed::platform::copy_to_device(items_, from.data(), from.size() * sizeof(T), nullptr),
        "copy");
    timed::check(timed::platform::synchronize(nullptr), "copy");
  }
  ~array() { timed::platform::release(items_); }
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  operator std::span<T>() { return {items_, n_}; }
  std::span<T const> in() const { return {items_, n_}; }
  std::span<T> out() { return {items_, n_}; }

 private:
  T* items_;
  std::size_t n_;
};

struct is_odd {
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

bool is_first = true;

/// Prints the median time of a call, in microseconds: of 15 batches of calls that are queued
/// together.
template <class Call>
void time(sam::default_context& context, char const* name, int log_n, Call call) {
  int const calls = log_n >= 26 ? 5 : 50;
  std::vector<double> times;
  for (int batch = 0; batch < 17; ++batch) {
    auto const begin = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k)
      call();
    context.wait();
    std::chrono::duration<double, std::micro> const passed =
        std::chrono::steady_clock::now() - begin;
    if (batch >= 2)
      times.push_back(passed.count() / calls);
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  std::printf("%s\n  \"%s, 2^%d\": %.2f", is_first ? "" : ",", name, log_n, times[7]);
  is_first = false;
}

}  // namespace

int main() {
  sam::default_context context;
#ifdef SAM_TIMES_IN_64_KIB
  timed::testing::run_like(context, {64 << 10, SIZE_MAX, INT_MAX});
#endif
  std::printf("{\n  \"device\": \"%s\"", context.name());
  is_first = false;
  for (int const log_n : {12, 16, 20, 24, 28}) {
    std::size_t const n = std::size_t{1} << log_n;
    std::vector<std::uint32_t> items(n);
    std::mt19937 random(7);
    for (auto& x : items)
      x = random();
    array<std::uint32_t> const keys(items);
    array<std::uint32_t> out(n), values(n);
    array<std::int64_t> count(std::size_t{1});
    time(context, "inclusive_scan of uint32", log_n,
         [&] { sam::inclusive_scan(context, keys.in(), out.out()); });
    time(context, "inclusive_scan of uint32, order 2, tuples of 3", log_n, [&] {
      sam::inclusive_scan(context, keys.in(), out.out(), sam::scan_policy<sam::plus, 2, 3>{});
    });
    time(context, "reduce of uint32", log_n,
         [&] { sam::reduce(context, keys.in(), out.out().first(1)); });
    time(context, "compact of uint32", log_n,
         [&] { sam::compact(context, keys.in(), out.out(), is_odd{}, count.out()); });
    time(context, "segmented_inclusive_scan of uint32 by keys", log_n, [&] {
      sam::segmented_inclusive_scan(context, keys.in(), sam::by_keys(keys.in()), out.out());
    });
    if (log_n <= 26) {
      time(context, "radix_sort of uint32", log_n,
           [&] { sam::radix_sort(context, keys.in(), out.out()); });
      time(context, "radix_sort_pairs of uint32, uint32", log_n,
           [&] { sam::radix_sort_pairs(context, keys.in(), keys.in(), out.out(), values.out()); });
    }
  }
  std::printf("\n}\n");
}
