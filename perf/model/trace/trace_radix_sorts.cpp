// SPDX-License-Identifier: MIT
// Records radix sorts: the digit histogram, a digit pass, and sorts by one block.
#include <sam/gpu/sort/block_radix_sort.hpp>
#include <sam/gpu/sort/onesweep/onesweep_kernel.hpp>

#include "cases.hpp"

namespace memory_trace {

namespace {

template <class Key, class Value, int Warps, int Items>
struct radix_case {
  using key = Key;
  using value = Value;
  using job = sam::engine::sort_job<Key, Value, sam::number_digits<Key>>;
  using device = simt::device<32>;
  using counts = sam::gpu::digit_histogram<device, job, sam::gpu::digit_histogram_config<32, 4, 8>>;
  using pass = sam::gpu::onesweep<device, job, sam::gpu::sort_config<Warps, Items, 8, 2, 8>,
                                  std::uint32_t, !sam::gpu::radix_traits<job>::keys_only>;
  using block = sam::gpu::block_radix_sort<device, job, sam::gpu::sort_config<8, 16, 8, 1>>;
};

/// Keys and values of a sort, and the arguments of its kernels.
template <class Case>
struct radix_sort {
  using key = typename Case::key;
  using value = typename Case::value;

  radix_sort(index_t n, std::uint64_t bound)
      : keys(random_array<key>(n, bound)), sorted(n), spare(n), values(n), sorted_values(n),
        spare_values(n) {
    a.job.n = n;
    a.job.keys = keys.data();
    a.job.sorted_keys = sorted.data();
    a.job.end_bit = 8 * int(sizeof(key));
    a.keys_at[0] = sorted.data();
    a.keys_at[1] = spare.data();
    if constexpr (Case::job::has_values) {
      a.job.values = values.data();
      a.job.sorted_values = sorted_values.data();
      a.values_at[0] = sorted_values.data();
      a.values_at[1] = spare_values.data();
    }
    a.pack_if_aligned();
    a.control = control.get();
    a.words_bytes = Case::pass::words_bytes(n, a.places(8));
    words = std::make_unique<array<std::uint64_t>>(index_t(a.words_bytes / 8 + 1));
    a.words = words->data();
    a.steps = a.places(8);
    a.copies = Case::counts::copies_in((128 << 10) + 16);
  }

  array<key> keys, sorted, spare;
  array<value> values, sorted_values, spare_values;
  std::unique_ptr<sam::gpu::sort_control> control = std::make_unique<sam::gpu::sort_control>();
  std::unique_ptr<array<std::uint64_t>> words{};
  std::uint32_t must_ballot = 0;
  sam::gpu::sort_arguments<typename Case::job> a{};
};

template <class Case>
void trace_sort(std::string const& name, sam::gpu::ranking how, std::uint64_t bits = ~0ull) {
  index_t const n = 2 * Case::pass::size;
  radix_sort<Case> s(n, ~0ull);
  for (auto& key : s.keys)
    key &= static_cast<typename Case::key>(bits);
  s.a.ranks = {how, &s.must_ballot};
  auto const count = [&] {
    launch(1, Case::counts::threads, Case::counts::shared_bytes(s.a.copies),
           [&] { typename Case::counts(s.a).run(); });
  };
  if (how == sam::gpu::ranking::atomic && bits == ~0ull)
    record("digit histogram " + name, n, count);
  else
    count();
  record("onesweep pass " + name, n * s.a.steps, [&] {
    for (int step = 0; step != s.a.steps; ++step) {
      Case::pass::prepare(s.a, step);
      launch(1, Case::pass::threads, Case::pass::shared_bytes,
             [&] { typename Case::pass(s.a).run(); });
    }
  });
}
template <class Case>
void trace_block_sort(std::string const& name) {
  radix_sort<Case> s(Case::block::size, ~0ull);
  record("block radix sort " + name, Case::block::size, [&] {
    launch(1, Case::block::threads, Case::block::shared_bytes,
           [&] { typename Case::block(s.a).run(); });
  });
}

}  // namespace

void trace_radix_sorts() {
  using sam::gpu::ranking;
  using keys = radix_case<std::uint32_t, sam::no_values, 12, 32>;
  using pairs = radix_case<std::uint32_t, std::uint32_t, 8, 28>;
  using long_keys = radix_case<std::uint64_t, sam::no_values, 8, 28>;
  trace_sort<keys>("uint32", ranking::atomic);
  trace_sort<keys>("uint32, by ballots", ranking::ballot);
  // The digits of these keys lie in one bank, so the kernel swizzles its counters.
  trace_sort<keys>("uint32, few digits", ranking::atomic, 0xe0e0e0e0);
  // All keys agree but for one digit, so the pass writes them from the digit's counts.
  trace_sort<keys>("uint32, one digit", ranking::atomic, 0xff);
  trace_sort<pairs>("uint32 pairs", ranking::atomic);
  trace_sort<long_keys>("uint64", ranking::atomic);
  trace_block_sort<pairs>("uint32 pairs");
}

}  // namespace memory_trace
