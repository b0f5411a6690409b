// SPDX-License-Identifier: MIT
// Calls of every primitive on prepared arrays, with callables that can run an action at a chosen
// call. They serve tests of failures inside a call.
#pragma once

#include <sam/sam.hpp>

#include "operators.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace test {

using ints = std::vector<int>;

/// Counts the calls of callables, and runs an action at one of them. Safe to call from any thread.
struct hook {
  long act_at = 0;  // 0: never
  std::function<void()> act;
  std::atomic<long> calls{0};

  void operator()() {
    if (calls.fetch_add(1, std::memory_order_relaxed) + 1 == act_at)
      act();
  }
};

struct hooked_plus {
  hook* own;
  int operator()(int a, int b) const {
    (*own)();
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }
};
struct hooked_negate {
  hook* own;
  int operator()(int x) const {
    (*own)();
    return -x;
  }
};
struct hooked_is_odd {
  hook* own;
  bool operator()(int x) const {
    (*own)();
    return x % 2 != 0;
  }
};
struct hooked_equal {
  hook* own;
  bool operator()(int a, int b) const {
    (*own)();
    return a == b;
  }
};
struct hooked_digits {
  hook* own;
  std::uint32_t operator()(int x) const {
    (*own)();
    return static_cast<std::uint32_t>(x);
  }
};
struct hooked_bin {
  hook* own;
  int operator()(int x) const {
    (*own)();
    return x % 10;
  }
};

/// The inputs of all calls. Runs, segments and flags have all lengths from 1 on.
struct call_inputs {
  explicit call_inputs(std::size_t n) : items(n), values(n), runs(n), flags(n), lengths(n) {
    generator bits{n};
    for (std::size_t i = 0; i < n; ++i) {
      items[i] = static_cast<int>(bits() % 1000);
      values[i] = static_cast<int>(i);
      bool const begins = i == 0 || bits() % 7 == 0;
      runs[i] = begins ? static_cast<int>(i) : runs[i - 1];
      flags[i] = begins ? 1 : 0;
      if (begins)
        offsets.push_back(static_cast<int>(i));
      lengths[i] = static_cast<int>(bits() % 3);
    }
    offsets.push_back(static_cast<int>(n));
    words.assign((n + 31) / 32, 0x8421'0842u);
  }
  std::size_t segments() const { return offsets.size() - 1; }

  ints items, values, runs, flags, lengths, offsets;
  std::vector<std::uint32_t> words;
};

/// The outputs of all calls.
struct call_outputs {
  explicit call_outputs(std::size_t n) : out(n, -1), other(n, -1), count(2, -1) {}
  bool operator==(call_outputs const&) const = default;
  ints out, other, count;
};

template <class Context>
struct any_call {
  char const* name;
  void (*make)(Context& context, call_inputs const& in, call_outputs& to, hook& own);
};

/// Returns calls of scans, reductions and primitives built on them.
template <class Context>
std::vector<any_call<Context>> scanning_calls() {
  using in_t = call_inputs const&;
  using out_t = call_outputs&;
  using policy = sam::scan_policy<hooked_plus>;
  return {
      {"inclusive_scan",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::inclusive_scan(c, in.items, to.out, hooked_plus{&h});
       }},
      {"inclusive_scan of sums",
       [](Context& c, in_t in, out_t to, hook&) { sam::inclusive_scan(c, in.items, to.out); }},
      {"inclusive_scan of order 2",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::inclusive_scan(c, in.items, to.out, sam::scan_policy<hooked_plus, 2>{{&h}});
       }},
      {"inclusive_scan, chained",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::inclusive_scan(c, in.items, to.out,
                             sam::scan_policy<hooked_plus, 1, 1, sam::carry::chained>{{&h}});
       }},
      {"inclusive_scan, lookback",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::inclusive_scan(c, in.items, to.out,
                             sam::scan_policy<hooked_plus, 1, 1, sam::carry::lookback>{{&h}});
       }},
      {"inclusive_scan, reduce_then_scan",
       [](Context& c, in_t in, out_t to, hook& h) {
         using carry = sam::carry::reduce_then_scan;
         sam::inclusive_scan(c, in.items, to.out, sam::scan_policy<hooked_plus, 1, 1, carry>{{&h}});
       }},
      {"inclusive_scan, scan_then_propagate",
       [](Context& c, in_t in, out_t to, hook& h) {
         using carry = sam::carry::scan_then_propagate;
         sam::inclusive_scan(c, in.items, to.out, sam::scan_policy<hooked_plus, 1, 1, carry>{{&h}});
       }},
      {"inclusive_scan of wide tuples",
       [](Context& c, in_t in, out_t to, hook&) {
         sam::inclusive_scan(c, in.items, to.out, sam::tuples_of(20'000));
       }},
      {"inclusive_scan backward",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::inclusive_scan(c, in.items, to.out, sam::backward(hooked_plus{&h}));
       }},
      {"exclusive_scan",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::exclusive_scan(c, in.items, to.out, hooked_plus{&h}, 3);
       }},
      {"transform_inclusive_scan",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::transform_inclusive_scan(c, in.items, to.out, hooked_negate{&h});
       }},
      {"transform_exclusive_scan",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::transform_exclusive_scan(c, in.items, to.out, hooked_negate{&h});
       }},
      {"reduce",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::reduce(c, in.items, std::span(to.out).first(1), hooked_plus{&h});
       }},
      {"transform_reduce",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::transform_reduce(c, in.items, std::span(to.out).first(1), hooked_negate{&h});
       }},
      {"segmented_inclusive_scan",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_inclusive_scan(c, in.items, sam::by_heads(in.flags), to.out, policy{{&h}});
       }},
      {"segmented_inclusive_scan by offsets",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_inclusive_scan(c, in.items, sam::by_checked_offsets(in.offsets), to.out,
                                       policy{{&h}});
       }},
      {"segmented_exclusive_scan",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_exclusive_scan(c, in.items, sam::by_keys(in.runs), to.out, policy{{&h}}, 5);
       }},
      {"segmented_reduce",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_reduce(c, in.items, sam::by_length(9), to.out, std::span(to.count).first(1),
                               hooked_plus{&h});
       }},
      {"segmented_reduce by offsets",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_reduce(c, in.items, sam::by_offsets(in.offsets),
                               std::span(to.out).first(in.segments()), hooked_plus{&h}, 5);
       }},
      {"reduce_by_key",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::reduce_by_key(c, in.runs, in.items, to.other, to.out, std::span(to.count).first(1),
                            hooked_plus{&h});
       }},
      {"summed_area_table", [](Context& c, in_t in, out_t to,
                               hook&) { sam::summed_area_table(c, in.items, 100, to.out); }},
      {"exclusive_summed_area_table",
       [](Context& c, in_t in, out_t to, hook&) {
         sam::exclusive_summed_area_table(c, in.items, 100, to.out);
       }},
      {"delta_encode",
       [](Context& c, in_t in, out_t to, hook&) { sam::delta_encode<2>(c, in.items, to.out); }},
      {"delta_decode",
       [](Context& c, in_t in, out_t to, hook&) { sam::delta_decode<2>(c, in.items, to.out); }},
      {"linear_recurrence", [](Context& c, in_t in, out_t to,
                               hook&) { sam::linear_recurrence(c, in.items, in.values, to.out); }},
      {"linear_filter",
       [](Context& c, in_t in, out_t to, hook&) {
         sam::linear_filter(c, in.items, std::array{1, -1}, to.out);
       }},
  };
}

/// Returns calls of primitives that count, move or sort items.
template <class Context>
std::vector<any_call<Context>> moving_calls() {
  using in_t = call_inputs const&;
  using out_t = call_outputs&;
  using counts = std::span<int, 1>;
  return {
      {"histogram",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::histogram(c, in.items, std::span(to.out).first(10), hooked_bin{&h});
       }},
      {"cumulative_histogram",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::cumulative_histogram(c, in.items, std::span(to.out).first(11), hooked_bin{&h});
       }},
      {"compact",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::compact(c, in.items, to.out, hooked_is_odd{&h}, counts(to.count.data(), 1));
       }},
      {"compact, and return the number",
       [](Context& c, in_t in, out_t to, hook& h) {
         to.count[0] = static_cast<int>(sam::compact(c, in.items, to.out, hooked_is_odd{&h}));
       }},
      {"compact_flagged",
       [](Context& c, in_t in, out_t to, hook&) {
         sam::compact_flagged(c, in.items, in.flags, to.out, counts(to.count.data(), 1));
       }},
      {"compact_indices",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::compact_indices(c, in.items, to.out, hooked_is_odd{&h}, counts(to.count.data(), 1));
       }},
      {"compact_indices_flagged",
       [](Context& c, in_t in, out_t to, hook&) {
         sam::packed_bits const bits(in.words, static_cast<sam::index_t>(in.items.size()));
         sam::compact_indices_flagged(c, bits, to.out, counts(to.count.data(), 1));
       }},
      {"partition",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::partition(c, in.items, to.out, hooked_is_odd{&h}, counts(to.count.data(), 1));
       }},
      {"three_way_partition",
       [](Context& c, in_t in, out_t to, hook& h) {
         auto const is_small = [](int x) { return x < 300; };
         sam::three_way_partition(c, in.items, to.out, is_small, hooked_is_odd{&h}, to.count);
       }},
      {"unique",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::unique(c, in.runs, to.out, counts(to.count.data(), 1), hooked_equal{&h});
       }},
      {"unique_by_key",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::unique_by_key(c, in.runs, in.values, to.out, to.other, counts(to.count.data(), 1),
                            hooked_equal{&h});
       }},
      {"run_length_encode",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::run_length_encode(c, in.runs, to.out, to.other, counts(to.count.data(), 1),
                                hooked_equal{&h});
       }},
      {"find_runs",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::find_runs(c, in.runs, to.out, to.other, counts(to.count.data(), 1), hooked_equal{&h});
       }},
      {"run_length_decode",
       [](Context& c, in_t in, out_t to, hook&) {
         sam::run_length_decode(c, in.items, in.lengths, to.out, counts(to.count.data(), 1));
       }},
      {"radix_sort", [](Context& c, in_t in, out_t to,
                        hook& h) { sam::radix_sort(c, in.items, to.out, hooked_digits{&h}); }},
      {"radix_sort_pairs",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::radix_sort_pairs(c, in.items, in.values, to.out, to.other, hooked_digits{&h});
       }},
      {"radix_argsort",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::radix_argsort(c, in.items, to.out, hooked_digits{&h});
       }},
      {"segmented_radix_sort",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_radix_sort(c, in.items, sam::by_offsets(in.offsets), to.out,
                                   hooked_digits{&h});
       }},
      {"segmented_radix_sort_pairs",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_radix_sort_pairs(c, in.items, in.values, sam::by_heads(in.flags), to.out,
                                         to.other, hooked_digits{&h});
       }},
      {"segmented_radix_argsort",
       [](Context& c, in_t in, out_t to, hook& h) {
         sam::segmented_radix_argsort(c, in.items, sam::by_length(1000), to.out, hooked_digits{&h});
       }},
  };
}

template <class Context>
std::vector<any_call<Context>> every_call() {
  auto all = scanning_calls<Context>();
  for (auto const& call : moving_calls<Context>())
    all.push_back(call);
  return all;
}

/// A size at which calls stay on the calling thread, and one at which several threads have tiles.
/// Both are whole rows of an image.
inline constexpr std::size_t sizes_of_calls[] = {1000, 140'000};

}  // namespace test
