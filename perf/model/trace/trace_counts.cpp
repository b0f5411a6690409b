// SPDX-License-Identifier: MIT
// Records searches by counts and weighted histograms.
#include <sam/gpu/counting_search.hpp>
#include <sam/gpu/histogram.hpp>
#include <sam/gpu/weighted_histogram.hpp>
#include <sam/top_k.hpp>
#include <sam/weighted_histogram.hpp>

#include "cases.hpp"

namespace memory_trace {

namespace {

/// A context with the kernels of the CUDA back end.
class counting_context : public fibers<tile<8, 53>> {
  using device = simt::device<32>;

 public:
  counting_context() : fibers<tile<8, 53>>(1, 7) { conditions.has_delays = false; }

  template <class Job>
  void search_by_counts(Job const& job) {
    using block =
        sam::gpu::counting_search_block<device, Job, sam::gpu::histogram_config<16, 4, 2>>;
    constexpr int copies = 4;  // as for few items, which one block counts in all passes
    launch(1, block::threads, int(block::shared_bytes(copies)), [&] {
      block({job, 0, Job::passes, copies, &memory_, &done_}).run();
    });
  }
  template <class Job>
  void sum_bins(Job const& job) {
    using block = sam::gpu::weighted_histogram_block<device, Job,
                                                     sam::gpu::weighted_histogram_config<8, 240>>;
    using shape = sam::gpu::weighted_histogram_shape<Job>;
    int const columns = shape::columns_for(job.kinds());
    index_t const most = shape::most_groups_of(job.n, job.kinds());
    array<typename Job::sum> groups(most * job.kinds());
    int tables = shape::pieces_of_group;
    while (tables > 1 && block::shared_bytes(job, columns, tables) > index_t{227} << 10)
      tables /= 2;
    launch(1, block::threads, int(block::shared_bytes(job, columns, tables)), [&] {
      block({job, columns, tables, false, most == 1 ? nullptr : groups.data(), &done_}).run();
    });
  }

 private:
  sam::gpu::exchange_memory memory_{};
  std::uint32_t done_ = 0;
};

struct bin_of_number {
  SAM_FUNCTION index_t operator()(std::int32_t x) const { return x; }
};

void trace_weights(counting_context& context, std::string const& name, index_t bins,
                   std::uint64_t values) {
  index_t const n = 1 << 15;
  auto const in = random_array<std::int32_t>(n, values);
  auto const weights = random_array<float>(n);
  array<float> sums(bins);
  record("weighted histogram int32, " + name, n,
         [&] { sam::weighted_histogram(context, in, weights, sums, bin_of_number{}); });
}

}  // namespace

void trace_counts() {
  auto const context = std::make_unique<counting_context>();
  index_t const n = 1 << 13;
  auto const keys = random_array<std::uint32_t>(n, ~0ull);
  array<std::uint32_t> found(1);
  record("search by counts uint32, one block", n,
         [&] { sam::nth_element(*context, keys, n / 2, found); });
  trace_weights(*context, "256 bins", 256, 256);
  trace_weights(*context, "256 bins, 3 values", 256, 3);
  trace_weights(*context, "1024 bins", 1024, 1024);
}

}  // namespace memory_trace
