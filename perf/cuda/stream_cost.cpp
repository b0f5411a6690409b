// SPDX-License-Identifier: MIT
// Measures what it costs that a stream has the bits of one scan however it is cut into arrays, and
// writes JSON: the times of a call without states, of one with scan_states and of one with
// stream_states, as nodes of a CUDA graph, and of cudaMemcpyAsync of as many bytes. All take turns.
// Medians are written, in microseconds. "same bits" says whether the stream in three pieces has the
// bits of the call for all items. With an argument, it measures only calls whose names have this
// part, such as "double".
#include <sam/linear_recurrence.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>

#include "costs.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace {

using costs::check, costs::median, costs::repeated, costs::take;
using sam::index_t;

bool is_first = true;  // of all comparisons
char const* part_of_name = "";

/// A complex number of modulus 1.
struct rotation {
  float re, im;
  explicit rotation(std::uint32_t x = 0)
      : re(std::cos(static_cast<float>(x))), im(std::sin(static_cast<float>(x))) {}
  SAM_FUNCTION rotation(float real, float imaginary) : re(real), im(imaginary) {}
};
/// Multiplies complex numbers. It rounds more than once.
struct compose {
  SAM_FUNCTION rotation operator()(rotation const& a, rotation const& b) const {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

/// The arrays of a comparison.
template <class T, class State>
struct stream_arrays {
  std::span<T> in, out;
  std::span<State> states;

  explicit stream_arrays(index_t n) : in(take<T>(n)), out(take<T>(n)), states(take<State>(2)) {
    auto const random = costs::random_items(n);
    std::vector<T> items(random.begin(), random.end());
    if constexpr (std::is_floating_point_v<T>)
      for (T& x : items)
        x = x / 65'536 - 32'768;
    check(cudaMemcpy(in.data(), items.data(), in.size_bytes(), cudaMemcpyHostToDevice));
  }
  stream_arrays(stream_arrays const&) = delete;
  stream_arrays& operator=(stream_arrays const&) = delete;
  ~stream_arrays() {
    cudaFree(in.data());
    cudaFree(out.data());
    cudaFree(states.data());
  }
  std::span<State const> before() const { return states.first(1); }
  std::span<State> after() const { return states.last(1); }
  std::vector<T> results() const {
    std::vector<T> items(out.size());
    check(cudaMemcpy(items.data(), out.data(), out.size_bytes(), cudaMemcpyDeviceToHost));
    return items;
  }
};

/// Compares call(in, out), call(in, out, before, after) with states of either kind, and a copy.
template <class T, class State, class Stream, class Call>
void compare(std::FILE* to, cudaStream_t stream, char const* name, index_t n, Call const& call) {
  if (std::strstr(name, part_of_name) == nullptr)
    return;
  stream_arrays<T, Stream> a(n);
  auto const states = take<State>(2);
  std::span<T const> const in = a.in;
  std::span<State const> const before = states.first(1);
  auto const after = states.last(1);
  check(cudaDeviceSynchronize());  // states are zeros, which have no items
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  auto const copy = [&] {  // copies that are nodes of a graph take longer
    check(cudaEventRecord(begin, stream));
    for (int k = 0; k < costs::nodes; ++k)
      check(cudaMemcpyAsync(a.out.data(), a.in.data(), a.in.size_bytes(), cudaMemcpyDeviceToDevice,
                            stream));
    check(cudaEventRecord(end, stream));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    return 1000.0 * double(ms) / costs::nodes;
  };
  repeated plain(stream, [&] { call(in, a.out); });
  repeated with_states(stream, [&] { call(in, a.out, before, after); });
  repeated with_streams(stream, [&] { call(in, a.out, a.before(), a.after()); });
  std::vector<double> times[4];
  for (int k = 0; k < (n < 1 << 26 ? 51 : 11); ++k) {
    times[0].push_back(copy());
    times[1].push_back(plain.time());
    times[2].push_back(with_states.time());
    times[3].push_back(with_streams.time());
  }
  auto const whole = a.results();
  check(cudaMemset(a.out.data(), 0, a.out.size_bytes()));
  auto const memory = take<Stream>(2);
  check(cudaDeviceSynchronize());  // other streams do not wait for memory that is cleared
  index_t done = 0;
  int turn = 0;
  for (index_t const count : {n / 3, n / 2, n - n / 3 - n / 2}) {
    auto const part = [&](auto all) { return all.subspan(std::size_t(done), std::size_t(count)); };
    std::span<Stream const> const from = memory.subspan(std::size_t(turn), 1);
    call(part(in), part(a.out), from, memory.subspan(std::size_t(1 - turn), 1));
    turn = 1 - turn;
    done += count;
  }
  check(cudaStreamSynchronize(stream));
  auto const pieces = a.results();
  bool const same = std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(T)) == 0;
  double const c = median(times[0]), p = median(times[1]), s = median(times[2]),
               t = median(times[3]);
  std::fprintf(to,
               "%s\n    {\"call\": \"%s\", \"n\": %lld, \"copy\": %.2f, \"plain\": %.2f, "
               "\"scan_state\": %.2f, \"stream_state\": %.2f, \"of memcpy\": %.3f, "
               "\"by scan_state\": %.2f, \"same bits\": %s}",
               is_first ? "" : ",", name, static_cast<long long>(n), c, p, s, t, c / t, t / s,
               same ? "true" : "false");
  std::fflush(to);
  is_first = false;
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(states.data());
  cudaFree(memory.data());
}

/// Compares scans of T by a policy.
template <class T, class Policy>
void compare_scan(std::FILE* to, sam::cuda::context& c, cudaStream_t stream, char const* name,
                  index_t n) {
  compare<T, sam::scan_state<T, Policy>, sam::stream_state<T, Policy>>(
      to, stream, name, n, [&](auto in, auto out, auto... states) {
        sam::inclusive_scan(c, in, out, Policy{}, states...);
      });
}

void run(std::FILE* to) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  sam::cuda::context c(stream);
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::fprintf(to, "{\n  \"device\": \"%s\",\n  \"unit\": \"us\",\n  \"calls\": [", device.name);
  using sam::plus, sam::scan_policy;
  using sum = scan_policy<plus>;
  for (int const log_n : {8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28}) {
    index_t const n = index_t{1} << log_n;
    compare_scan<float, sum>(to, c, stream, "inclusive_scan, float", n);
    compare_scan<double, sum>(to, c, stream, "inclusive_scan, double", n);
    compare_scan<float, scan_policy<plus, 1, 4>>(to, c, stream, "inclusive_scan, 4-tuples of float",
                                                 n);
    compare_scan<float, scan_policy<plus, 2>>(to, c, stream, "inclusive_scan of order 2, float", n);
    compare_scan<rotation, scan_policy<compose>>(to, c, stream, "inclusive_scan, complex products",
                                                 n);
    compare<float, sam::scan_state<float, sum>, sam::segmented_stream_state<float, sum>>(
        to, stream, "segmented_inclusive_scan of 100, float", n,
        [&](auto in, auto out, auto... states) {
          sam::segmented_inclusive_scan(c, in, sam::by_length(100), out, plus{}, states...);
        });
  }
  std::fprintf(to, "\n  ]\n}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1)
    part_of_name = argv[1];
  run(stdout);
  return 0;
}
