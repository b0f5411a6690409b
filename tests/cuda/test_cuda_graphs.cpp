// SPDX-License-Identifier: MIT
// Tests contexts of the CUDA back end: calls captured in a CUDA graph, which must be right on every
// launch of it, streams, memory that is not the context's, and errors.
#include <sam/compact.hpp>
#include <sam/find_by_key.hpp>
#include <sam/histogram.hpp>
#include <sam/linear_recurrence.hpp>
#include <sam/partition.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/reference.hpp>
#include <sam/run_length.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_minmax.hpp>
#include <sam/segmented_radix_sort.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>
#include <sam/segmented_top_k.hpp>
#include <sam/unique.hpp>

#include "stream.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

// The headers of CUDA 13.0 lack this.
#if __has_include(<cuda/memory_pool>)
#include <cuda/memory_pool>
#endif

namespace {

using sam::index_t;
using sam::plus, sam::scan_policy;
using test::check, test::graph, test::stream;

TEST_CASE("a captured scan is right on every replay", "[cuda]") {
  index_t const n = 1000003;
  stream s;
  sam::cuda::context context(s);
  test::fenced_array<int> in(n), out(n);
  graph const scans(s, [&] {
    sam::inclusive_scan(context, in, out, scan_policy<plus, 3>{});
    sam::inclusive_scan(context, out, out, sam::maximum{});
  });
  for (int replay = 0; replay < 5; ++replay) {
    auto const items = test::random_items<int>(n, test::seed_for(n + replay));
    check(cudaMemcpyAsync(in.data(), items.data(), items.size() * sizeof(int),
                          cudaMemcpyHostToDevice, s));
    scans.launch();
    context.wait();
    auto const sums = sam::reference::inclusive_scan(items, scan_policy<plus, 3>{});
    REQUIRE(test::differences(out.to_host(), sam::reference::inclusive_scan(
                                                 sums, scan_policy<sam::maximum>{})) == "");
    sam::inclusive_scan(context, in, out);  // work between replays uses other slots of the ring
  }
}

/// Checks calls on a context, whose memory comes from a pool.
void check_with_pool(sam::cuda::context& context, cudaMemPool_t pool, stream const& s) {
  auto const taken = [&] {
    std::uint64_t bytes = 0;
    check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
    return static_cast<index_t>(bytes);
  };
  index_t const n = 100'003, before = taken();
  auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
  auto const in = test::on_backend(items);
  test::fenced_array<std::uint32_t> out(n);
  auto sorted = items;
  std::sort(sorted.begin(), sorted.end());
  sam::radix_sort(context, in, out);
  context.wait();
  REQUIRE(out.to_host() == sorted);
  REQUIRE(taken() - before >= index_t(n * sizeof(std::uint32_t)));
  REQUIRE(context.held_bytes() >= taken() - before);
  graph const again(s, [&] { sam::radix_sort(context, in, out); });
  check(cudaMemsetAsync(out.data(), 0, items.size() * sizeof(std::uint32_t), s));
  again.launch();
  context.wait();
  REQUIRE(out.to_host() == sorted);
  REQUIRE(sam::reduce(context, in) == std::accumulate(items.begin(), items.end(), 0u));
  context.trim();
  check(cudaStreamSynchronize(s));
  REQUIRE(taken() == before);
  sam::radix_sort(context, in, out);
  context.wait();
  REQUIRE(out.to_host() == sorted);
}

TEST_CASE("a context takes its memory from a pool, and gives it back", "[cuda]") {
  stream s;
  cudaMemPoolProps how{};
  how.allocType = cudaMemAllocationTypePinned;
  how.location.type = cudaMemLocationTypeDevice;
  check(cudaGetDevice(&how.location.id));
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &how));
  {
    sam::cuda::context context(s, pool);
    check_with_pool(context, pool, s);
  }
#if __has_include(<cuda/memory_pool>)
  {
    cuda::device_memory_pool_ref resource(pool);
    sam::cuda::context context(s, resource);
    check_with_pool(context, pool, s);
  }
#endif
  check(cudaMemPoolDestroy(pool));
}

TEST_CASE("a call that would allocate while it is captured says so, and the capture goes on",
          "[cuda]") {
  index_t const n = 300'007;
  stream s;
  sam::cuda::context context(s);
  auto const items = test::random_items<int>(n, test::seed_for(n));
  auto const in = test::on_backend(items);
  test::fenced_array<int> out(n);
  graph const scan(s, [&] {
    REQUIRE_THROWS_AS(sam::radix_sort(context, in, out), sam::device_error);
    REQUIRE_THROWS_AS(context.trim(), sam::device_error);
    sam::inclusive_scan(context, in, out);
  });
  scan.launch();
  context.wait();
  REQUIRE(test::differences(out.to_host(),
                            sam::reference::inclusive_scan(items, scan_policy<plus>{})) == "");
}

TEST_CASE("captured sorts, of all and of segments, are right on every replay", "[cuda]") {
  index_t const n = 300'007;
  stream s;
  sam::cuda::context context(s);
  test::fenced_array<std::uint32_t> in(n), out(n), all(n), offsets(4);
  auto const sort = [&] {
    sam::segmented_radix_sort(context, in, sam::by_offsets(offsets), out);
    sam::radix_sort(context, in, all);
  };
  auto const bring = [&](test::fenced_array<std::uint32_t>& to,
                         std::vector<std::uint32_t> const& items) {
    check(cudaMemcpyAsync(to.data(), items.data(), items.size() * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, s));
  };
  bring(offsets, {0, 0, 0, std::uint32_t(n)});
  sort();  // makes the context allocate before the capture
  context.wait();
  graph const sorts(s, sort);
  for (std::uint32_t replay = 0; replay < 3; ++replay) {
    auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n + replay));
    std::vector<std::uint32_t> const ends{0, 1000 * replay, 100'000 + replay, std::uint32_t(n)};
    bring(in, items);
    bring(offsets, ends);
    sorts.launch();
    context.wait();
    auto wanted = items;
    for (std::size_t k = 1; k < ends.size(); ++k)
      std::sort(wanted.begin() + ends[k - 1], wanted.begin() + ends[k]);
    REQUIRE(test::differences(out.to_host(), wanted) == "");
    std::sort(wanted.begin(), wanted.end());
    REQUIRE(test::differences(all.to_host(), wanted) == "");
  }
}

struct is_odd {
  SAM_FUNCTION bool operator()(std::int32_t x) const { return x % 2 != 0; }
};
struct is_below {
  std::uint32_t limit;
  SAM_FUNCTION bool operator()(std::uint32_t x) const { return x < limit; }
};
/// The bytes of items, which compare as bits do.
template <class T>
std::vector<char> bytes_of(std::vector<T> const& items) {
  auto const* const begin = reinterpret_cast<char const*>(items.data());
  return {begin, begin + items.size() * sizeof(T)};
}
struct bin_of {
  SAM_FUNCTION index_t operator()(std::uint32_t x) const { return index_t{x % 11}; }
};

TEST_CASE("captured partitions and reductions are right on every replay", "[cuda]") {
  stream s;
  sam::cuda::context context(s);
  auto const first = is_below{1u << 30}, second = is_below{3u << 30};
  for (index_t const n : {8'192, 8'193, 300'007, 1'100'003}) {
    CAPTURE(n);
    test::fenced_array<std::uint32_t> in(n), two(n), three(n), sum(1);
    test::fenced_array<int> count(1), counts(2);
    graph const calls(s, [&] {
      sam::partition(context, in, two, first, count);
      sam::three_way_partition(context, in, three, first, second, counts);
      sam::reduce(context, in, sum);
    });
    for (int replay = 0; replay < 3; ++replay) {
      auto items = test::random_items<std::uint32_t>(n, test::seed_for(n + replay));
      check(cudaMemcpyAsync(in.data(), items.data(), items.size() * sizeof(std::uint32_t),
                            cudaMemcpyHostToDevice, s));
      calls.launch();
      context.wait();
      REQUIRE(sum.to_host()[0] == std::accumulate(items.begin(), items.end(), 0u));
      auto const middle = std::stable_partition(items.begin(), items.end(), first);
      REQUIRE(test::differences(two.to_host(), items) == "");
      REQUIRE(count.to_host()[0] == middle - items.begin());
      auto const last = std::stable_partition(middle, items.end(), second);
      REQUIRE(test::differences(three.to_host(), items) == "");
      REQUIRE(counts.to_host() == std::vector{int(middle - items.begin()), int(last - middle)});
      REQUIRE((two.fences_intact() && three.fences_intact()));
    }
  }
}

TEST_CASE("a compaction, a sort of what is left and a reduction by key are one graph", "[cuda]") {
  index_t const n = 300'007;
  stream s;
  sam::cuda::context context(s);
  test::fenced_array<std::uint32_t> in(n), kept(n), sorted(n), parted(n), keys(n), sums(n),
      bins(11);
  auto const ones = test::on_backend(std::vector<std::uint32_t>(std::size_t(n), 1));
  test::fenced_array<int> left(1), few(1), runs(1);
  auto const calls = [&] {
    sam::compact(context, in, kept, is_below{1 << 16}, left);
    sam::radix_sort(context, sam::counted(kept, left), sorted);
    sam::reduce_by_key(context, sam::counted(sorted, left), ones, keys, sums, runs);
    sam::partition(context, sam::counted(kept, left), parted, is_below{1 << 10}, few);
    sam::histogram(context, sam::counted(keys, runs), bins, bin_of{});
  };
  calls();  // makes the context allocate before the capture
  context.wait();
  graph const all(s, calls);
  for (int replay = 0; replay < 4; ++replay) {
    // The last replay is left with few keys, and the one before with none.
    std::uint32_t const range = replay == 3 ? ~0u : replay == 2 ? 1u << 31 : 1u << (17 + replay);
    auto items = test::random_items<std::uint32_t>(n, test::seed_for(n + replay));
    for (std::uint32_t& x : items)
      x = replay == 2 ? x | 1u << 16 : x % range;
    check(cudaMemcpyAsync(in.data(), items.data(), items.size() * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, s));
    all.launch();
    context.wait();
    std::vector<std::uint32_t> wanted, firsts, lengths;
    std::copy_if(items.begin(), items.end(), std::back_inserter(wanted), is_below{1 << 16});
    auto split = wanted;
    auto const end = std::stable_partition(split.begin(), split.end(), is_below{1 << 10});
    std::sort(wanted.begin(), wanted.end());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (i == 0 || wanted[i] != wanted[i - 1])
        firsts.push_back(wanted[i]), lengths.push_back(0);
      ++lengths.back();
    }
    auto const begins_with = [](auto const& array, std::vector<std::uint32_t> const& first) {
      auto const got = array.to_host();
      return std::equal(first.begin(), first.end(), got.begin());
    };
    CAPTURE(replay, wanted.size(), firsts.size());
    REQUIRE(left.to_host()[0] == int(wanted.size()));
    REQUIRE(begins_with(sorted, wanted));
    REQUIRE(runs.to_host()[0] == int(firsts.size()));
    REQUIRE(begins_with(keys, firsts));
    REQUIRE(begins_with(sums, lengths));
    REQUIRE(few.to_host()[0] == end - split.begin());
    REQUIRE(begins_with(parted, split));
    REQUIRE(bins.to_host() == sam::reference::histogram<std::uint32_t>(firsts, 11, bin_of{}));
  }
}

TEST_CASE("captured calls by key have the results of launched ones on every replay", "[cuda]") {
  using both = sam::min_and_max<float>;
  stream s;
  sam::cuda::context context(s);
  for (index_t const n : {16'383, 16'384, 16'385, 30'011, 65'537, 262'144, 262'145}) {
    CAPTURE(n);
    test::fenced_array<std::uint32_t> in(n), keys(n), firsts(n), places(n), in_place(n);
    test::fenced_array<std::int32_t> sums(n), lengths(n), totals(n), counts(5);
    auto const floats = test::on_backend(test::random_items<float>(n, test::seed_for(n)));
    test::fenced_array<float> float_sums(n);
    test::fenced_array<both> extremes(n);
    test::fenced_array<std::uint8_t> sorted(n);
    auto const ones = test::on_backend(std::vector<std::int32_t>(std::size_t(n), 1));
    auto const count = [&](int of) { return std::span(counts.data() + of, 1); };
    // Keys come from the kernel before the first call by key, and lengths from the one before the
    // sums of lengths.
    auto const calls = [&] {
      sam::inclusive_scan(context, in, keys);
      sam::reduce_by_key(context, keys, ones, firsts, sums, count(0));
      sam::argmax_by_key(context, keys, floats, firsts, places, count(1));
      sam::minmax_by_key(context, keys, floats, firsts, extremes, count(1));
      sam::is_sorted_by_key(context, keys, floats, firsts, sorted, count(1));
      sam::run_length_encode(context, keys, firsts, lengths, count(2));
      sam::reduce_by_key(context, sam::counted(keys, count(0)), lengths, firsts, totals, count(3));
      sam::reduce_by_key(context, keys, floats, firsts, float_sums, count(4));
      check(cudaMemcpyAsync(in_place.data(), keys.data(), std::size_t(n) * sizeof(std::uint32_t),
                            cudaMemcpyDeviceToDevice, s));
      sam::run_length_encode(context, in_place, in_place, lengths, count(2));
    };
    calls();
    graph const all(s, calls);
    for (int replay = 0; replay < 3; ++replay) {
      auto begins = test::random_items<std::uint32_t>(n, test::seed_for(n + replay));
      for (std::uint32_t& x : begins)
        x = x % (replay == 0 ? 4 : 300) == 0;
      check(cudaMemcpyAsync(in.data(), begins.data(), begins.size() * sizeof(std::uint32_t),
                            cudaMemcpyHostToDevice, s));
      auto const results = [&] {
        context.wait();
        return std::tuple(firsts.to_host(), places.to_host(), in_place.to_host(), sums.to_host(),
                          lengths.to_host(), totals.to_host(), counts.to_host(),
                          bytes_of(float_sums.to_host()), bytes_of(extremes.to_host()),
                          sorted.to_host());
      };
      all.launch();
      auto const captured = results();
      std::vector<std::int32_t> expected;
      for (std::size_t i = 0; i < begins.size(); ++i) {
        if (i == 0 || begins[i] != 0)
          expected.push_back(0);
        ++expected.back();
      }
      auto const& found = std::get<3>(captured);
      REQUIRE(std::get<6>(captured)[0] == int(expected.size()));
      REQUIRE(std::equal(expected.begin(), expected.end(), found.begin()));
      calls();
      REQUIRE((captured == results()));
    }
    REQUIRE((firsts.fences_intact() && sums.fences_intact() && places.fences_intact()));
  }
}

TEST_CASE("captured scans and selections have the results of launched ones on every replay",
          "[cuda]") {
  stream s;
  sam::cuda::context context(s);
  // Around the fewest and the most items of two kernels, of all sizes of items.
  for (index_t const n : {2049, 4096, 4097, 8193, 16'385, 30'011, 65'537, 262'144, 262'145, 524'289,
                          1'048'576, 1'048'577}) {
    CAPTURE(n);
    test::fenced_array<std::int32_t> in(n), sums(n), in_place(n), pairs(n), triples(n), kept(n),
        runs(n), counts(4);
    test::fenced_array<std::int32_t> by_key(n), some(n), backward(n);
    test::fenced_array<std::int64_t> wide(n), wide_sums(n);
    test::fenced_array<std::int8_t> narrow(n), narrow_sums(n);
    auto const count = [&](int of) { return std::span(counts.data() + of, 1); };
    auto const calls = [&] {
      sam::exclusive_scan(context, in, sums);
      sam::inclusive_scan(context, in_place, in_place);
      sam::inclusive_scan(context, in, backward, sam::backward(plus{}));
      sam::inclusive_scan(context, in, pairs, scan_policy<plus, 1, 2>{});
      sam::inclusive_scan(context, sums, triples, scan_policy<sam::maximum, 1, 3>{});
      sam::inclusive_scan(context, wide, wide_sums);
      sam::inclusive_scan(context, narrow, narrow_sums, sam::maximum{});
      sam::compact(context, sums, kept, is_odd{}, count(0));
      sam::unique(context, sums, runs, count(1));
      sam::compact(context, sam::counted(kept, count(0)), some, is_odd{}, count(2));
      sam::inclusive_scan(context, sam::counted(in, count(1)), some);
      sam::segmented_inclusive_scan(context, in, sam::by_keys(sums), by_key);
    };
    auto const fill = [&](int seed) {
      auto items = test::random_items<std::int32_t>(n, test::seed_for(n + seed));
      for (std::int32_t& x : items)
        x = x % 3 == 0 ? x % 5 : 0;
      check(cudaMemcpyAsync(in.data(), items.data(), items.size() * 4, cudaMemcpyHostToDevice, s));
      check(cudaMemcpyAsync(in_place.data(), in.data(), items.size() * 4, cudaMemcpyDeviceToDevice,
                            s));
      check(cudaMemcpyAsync(narrow.data(), in.data(), items.size(), cudaMemcpyDeviceToDevice, s));
      check(cudaMemcpyAsync(wide.data(), in.data(), items.size() * 4, cudaMemcpyDeviceToDevice, s));
      context.wait();
    };
    auto const results = [&] {
      context.wait();
      auto const numbers = counts.to_host();
      auto const first = [&](auto const& array, int of) {
        auto all = array.to_host();
        all.resize(std::size_t(numbers[std::size_t(of)]));
        return all;
      };
      return std::tuple(sums.to_host(), in_place.to_host(), backward.to_host(), pairs.to_host(),
                        triples.to_host(), wide_sums.to_host(), narrow_sums.to_host(),
                        first(kept, 0), first(runs, 1), first(some, 1), by_key.to_host(), numbers);
    };
    fill(9);
    check(cudaMemsetAsync(wide.data(), 1, std::size_t(n) * 8, s));
    check(cudaMemsetAsync(counts.data(), 0, 16, s));
    calls();
    graph const all(s, calls);
    for (int replay = 0; replay < 3; ++replay) {
      fill(replay);
      all.launch();
      auto const captured = results();
      fill(replay);
      calls();
      REQUIRE((captured == results()));
    }
    REQUIRE(test::differences(sums.to_host(), sam::reference::exclusive_scan(
                                                  in.to_host(), scan_policy<plus>{}, 0)) == "");
    REQUIRE((sums.fences_intact() && in_place.fences_intact() && kept.fences_intact() &&
             runs.fences_intact()));
  }
}

TEST_CASE("captured scans of floats have the bits of launched ones", "[cuda]") {
  stream s;
  sam::cuda::context context(s);
  for (index_t const n :
       {4096, 4097, 8192, 8193, 16'384, 16'385, 30'011, 32'768, 32'769, 65'535, 65'536, 65'537}) {
    CAPTURE(n);
    auto const in = test::on_backend(test::random_reals<float>(n, test::seed_for(n)));
    auto const wide = test::on_backend(test::random_reals<double>(n, test::seed_for(n)));
    auto const factors = test::on_backend(test::random_reals<float>(n, test::seed_for(n + 1)));
    test::fenced_array<float> sums(n), in_place(n), recurrence(n), exclusive(n);
    test::fenced_array<double> wide_sums(n);
    auto const calls = [&] {
      sam::inclusive_scan(context, in, sums);
      sam::exclusive_scan(context, in, exclusive, 0.3f);
      sam::inclusive_scan(context, wide, wide_sums);
      sam::linear_recurrence(context, factors, in, recurrence);
      check(cudaMemcpyAsync(in_place.data(), in.data(), std::size_t(n) * 4,
                            cudaMemcpyDeviceToDevice, s));
      sam::inclusive_scan(context, in_place, in_place);
    };
    auto const results = [&] {
      context.wait();
      return std::tuple(bytes_of(sums.to_host()), bytes_of(exclusive.to_host()),
                        bytes_of(wide_sums.to_host()), bytes_of(recurrence.to_host()),
                        bytes_of(in_place.to_host()));
    };
    calls();
    auto const launched = results();
    graph const all(s, calls);
    for (int replay = 0; replay < 2; ++replay) {
      all.launch();
      REQUIRE((launched == results()));
    }
  }
}

// The second kernel of a captured call by key reads keys before its own wait. No multiprocessor's
// first-level cache may then give it a key from before the kernel ahead of the call.
TEST_CASE("captured calls by key read keys that the kernel before them wrote", "[cuda]") {
  index_t const all_keys = 1 << 18, n = 1 << 14;
  int const replays = 1000;
  stream s;
  sam::cuda::context context(s);
  test::fenced_array<std::uint32_t> keys(all_keys), firsts(all_keys), begins(n);
  test::fenced_array<std::int32_t> sums(all_keys), count(1);
  auto const ones = test::on_backend(std::vector<std::int32_t>(std::size_t{all_keys}, 1));
  auto const written = std::span(keys.data(), std::size_t{n});
  check(cudaMemsetAsync(keys.data(), 0, std::size_t{all_keys} * sizeof(std::uint32_t), s));
  check(cudaMemsetAsync(begins.data(), 0, std::size_t{n} * sizeof(std::uint32_t), s));
  auto const calls = [&] {
    // Every multiprocessor reads keys.
    sam::reduce_by_key(context, keys, ones, firsts, sums, count);
    sam::inclusive_scan(context, begins, written);
    sam::reduce_by_key(context, written, std::span(ones.data(), std::size_t{n}), firsts, sums,
                       count);
  };
  calls();
  graph const captured(s, calls);
  for (int replay = 0; replay < replays; ++replay) {
    // Keys begin with another number and have another number of runs in every replay.
    int const length = 1 + replay % 37;
    std::vector<std::uint32_t> next(std::size_t{n}, 0);
    for (std::size_t i = 0; i < next.size(); i += std::size_t(length))
      next[i] = i == 0 ? std::uint32_t(replay) : 1;
    check(cudaMemcpyAsync(begins.data(), next.data(), next.size() * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, s));
    captured.launch();
    std::int32_t runs = 0;
    check(cudaMemcpyAsync(&runs, count.data(), sizeof runs, cudaMemcpyDeviceToHost, s));
    context.wait();
    CAPTURE(replay);
    REQUIRE(runs == (n + length - 1) / length);
  }
}

TEST_CASE("numbers of segments and of results change between replays", "[cuda]") {
  index_t const n = 20'000, rows = 200, k = 3;
  stream s;
  sam::cuda::context context(s);
  test::fenced_array<std::uint32_t> in(n), sorted(n), tops(rows * k), best(rows);
  test::fenced_array<int> places(rows), number(1);
  std::vector<int> ends(std::size_t{rows} + 1);
  for (std::size_t row = 0; row < ends.size(); ++row)
    ends[row] = static_cast<int>(row * 100);
  auto const offsets = test::on_backend(ends);
  std::span const best_ones(best.data(), std::size_t{rows});
  auto const calls = [&] {
    auto const first = sam::by_offsets(sam::counted(offsets, number));
    sam::segmented_radix_sort(context, in, first, sorted);
    sam::segmented_argmax(context, in, first, places);
    sam::segmented_top_k(context, in, first, k, tops);
    sam::top_k(context, in, sam::counted(best_ones, number));
  };
  calls();  // makes the context allocate before the capture
  context.wait();
  graph const all(s, calls);
  for (int const now : {5, 200, 0, 77}) {
    CAPTURE(now);
    auto items = test::random_items<std::uint32_t>(n, test::seed_for(n + now));
    check(cudaMemcpyAsync(in.data(), items.data(), items.size() * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, s));
    check(cudaMemcpyAsync(number.data(), &now, sizeof(int), cudaMemcpyHostToDevice, s));
    all.launch();
    context.wait();
    auto const in_order = sorted.to_host(), tops_found = tops.to_host(), found = best.to_host();
    auto const places_found = places.to_host();
    for (int row = 0; row < now; ++row) {
      auto const begin = items.begin() + row * 100;
      REQUIRE(places_found[std::size_t(row)] ==
              std::max_element(begin, begin + 100) - items.begin());
      std::sort(begin, begin + 100);
      REQUIRE(std::equal(begin, begin + 100, in_order.begin() + row * 100));
      REQUIRE(std::equal(tops_found.begin() + row * k, tops_found.begin() + (row + 1) * k,
                         std::make_reverse_iterator(begin + 100)));
    }
    std::sort(items.begin(), items.end(), std::greater<>{});
    REQUIRE(std::equal(found.begin(), found.begin() + now, items.begin()));
  }
}

TEST_CASE("captured scans go on from state to state on every replay", "[cuda]") {
  index_t const n = 100'003;
  using policy = scan_policy<plus, 2>;
  using state = sam::scan_state<int, policy>;
  stream s;
  sam::cuda::context context(s);
  test::fenced_array<int> in(n), out(n), back(n);
  auto at = test::on_backend(std::vector<state>{state{}});
  test::fenced_array<state> between(1);
  graph const scans(s, [&] {
    sam::inclusive_scan(context, in, out, policy{}, at, between);
    sam::inclusive_scan(context, in, back, policy{}, between, at);
  });
  state wanted{};
  for (int replay = 0; replay < 3; ++replay) {
    auto const items = test::random_items<int>(n, test::seed_for(n + replay));
    check(cudaMemcpyAsync(in.data(), items.data(), items.size() * sizeof(int),
                          cudaMemcpyHostToDevice, s));
    scans.launch();
    context.wait();
    auto const first = sam::reference::continue_scan(items, policy{}, wanted);
    auto const second = sam::reference::continue_scan(items, policy{}, wanted);
    REQUIRE(test::differences(out.to_host(), first) == "");
    REQUIRE(test::differences(back.to_host(), second) == "");
  }
}

TEST_CASE("who has sorted pairs apart can capture a sort in place", "[cuda]") {
  index_t const n = 100'003;
  stream s;
  sam::cuda::context context(s);
  auto const items = test::random_items<std::uint32_t>(n, test::seed_for(n));
  std::vector<std::uint64_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  test::fenced_array<std::uint32_t> keys(items, 0), out(n);
  test::fenced_array<std::uint64_t> values(order, 0), values_out(n);
  sam::radix_sort_pairs(context, keys, values, out, values_out);
  context.wait();
  graph const in_place(s, [&] { sam::radix_sort_pairs(context, keys, values, keys, values); });
  in_place.launch();
  context.wait();
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t i, std::uint64_t j) { return items[i] < items[j]; });
  REQUIRE(values.to_host() == order);
  REQUIRE(values_out.to_host() == order);
  REQUIRE(test::differences(keys.to_host(), out.to_host()) == "");
}

/// A stand-in for a Kokkos::View in CUDA memory, so that these tests need no Kokkos build for CUDA.
struct cuda_space {};
template <class T>
struct view {
  using memory_space = cuda_space;
  using value_type = T;
  T* items;
  std::size_t n;

  static constexpr std::size_t rank() { return 1; }
  T* data() const { return items; }
  std::size_t size() const { return n; }
  bool span_is_contiguous() const { return true; }
};
static_assert(sam::array<view<int const>> && sam::output_array<view<int> const>);
static_assert(sam::engine::is_within_reach<sam::cuda::context, view<int>>);
static_assert(sam::engine::has_own_memory<sam::cuda::context>);

TEST_CASE("contexts on several streams scan at the same time", "[cuda]") {
  index_t const n = 4000003;
  auto const items = test::random_items<int>(n, test::seed_for(n));
  auto const wanted = sam::reference::inclusive_scan(items, scan_policy<plus, 2>{});
  auto const in = test::on_backend(items);
  constexpr int count = 6;
  std::vector<stream> streams(count);
  std::vector<sam::cuda::context> contexts;
  std::vector<test::fenced_array<int>> outs;
  for (stream const& s : streams)
    contexts.emplace_back(s), outs.emplace_back(n);
  for (int round = 0; round < 20; ++round)
    for (int k = 0; k < count; ++k)
      sam::inclusive_scan(contexts[static_cast<std::size_t>(k)], in,
                          outs[static_cast<std::size_t>(k)], scan_policy<plus, 2>{});
  for (int k = 0; k < count; ++k) {
    contexts[static_cast<std::size_t>(k)].wait();
    REQUIRE(test::differences(outs[static_cast<std::size_t>(k)].to_host(), wanted) == "");
  }
}

TEST_CASE("views of device memory are scanned", "[cuda]") {
  auto const items = test::random_items<int>(1000, test::seed_for(1000));
  auto const in = test::on_backend(items);
  test::fenced_array<int> out(1000);
  sam::cuda::context context;
  sam::inclusive_scan(context, view<int const>{in.data(), 1000}, view<int>{out.data(), 1000},
                      sam::maximum{});
  context.wait();
  auto const wanted = sam::reference::inclusive_scan(items, scan_policy<sam::maximum>{});
  REQUIRE(test::differences(out.to_host(), wanted) == "");
}

/// True if `out` holds the inclusive sums of `items`.
template <class Out>
bool are_sums(Out const& out, std::vector<int> const& items) {
  auto const wanted = sam::reference::inclusive_scan(items, scan_policy<>{});
  return test::differences(out.to_host(), wanted) == "";
}

TEST_CASE("a context's device need not be the current one", "[cuda]") {
  int devices = 0;
  check(cudaGetDeviceCount(&devices));
  if (devices < 2)
    SKIP("needs two devices");
  auto const items = test::random_items<int>(1'000'003, test::seed_for(1'000'003));
  auto const in = test::on_backend(items);
  test::fenced_array<int> out(index_t(items.size()));
  sam::default_context context;
  check(cudaSetDevice(1));
  sam::inclusive_scan(context, in, out);
  context.wait();
  int current = -1;
  check(cudaGetDevice(&current));
  check(cudaSetDevice(0));
  REQUIRE(current == 1);
  REQUIRE(are_sums(out, items));
}

TEST_CASE("host memory is refused by the name of the argument", "[cuda][errors]") {
  sam::default_context context;
  int attribute = 0;
  check(cudaDeviceGetAttribute(&attribute, cudaDevAttrPageableMemoryAccess, context.device()));
  if (attribute != 0)
    SKIP("this device reaches all of the host's memory");
  std::vector<int> host = test::random_items<int>(100, test::seed_for(100));
  test::fenced_array<int> out(100);
  auto const is_refused = [&] {
    try {
      sam::inclusive_scan(context, host, out);
    } catch (sam::invalid_argument const& error) {
      return error.argument() == "in";
    }
    return false;
  };
  REQUIRE(is_refused());
  REQUIRE(out.untouched());

  check(cudaHostRegister(host.data(), host.size() * sizeof(int), cudaHostRegisterDefault));
  sam::inclusive_scan(context, host, out);
  context.wait();
  REQUIRE(are_sums(out, host));
  check(cudaHostUnregister(host.data()));
  REQUIRE(is_refused());

  // More pointers than a context remembers, in turn with host memory, which it never does.
  for (int round = 0; round < 3; ++round)
    for (std::size_t i = 0; i < 100; ++i)
      for (std::size_t k = 0; k < 10; ++k) {
        REQUIRE(context.reaches_pointer(reinterpret_cast<char const*>(out.data() + i) + k));
        REQUIRE(!context.reaches_pointer(host.data() + i));
      }
}

TEST_CASE("a context that cannot grow says so and works on", "[cuda][errors]") {
  std::size_t free_bytes = 0, all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes));
  sam::default_context context;
  REQUIRE_THROWS_AS(context.kernel_workspace(all_bytes + (std::size_t{1} << 30)),
                    sam::out_of_memory);
  auto const items = test::random_items<int>(1000, test::seed_for(1000));
  auto const in = test::on_backend(items);
  test::fenced_array<int> out(1000);
  sam::inclusive_scan(context, in, out);
  context.wait();
  REQUIRE(are_sums(out, items));
}

TEST_CASE("a context grows by what is asked for where there is no room for more",
          "[cuda][errors]") {
  std::size_t free_bytes = 0, all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes));
  sam::default_context context;
  REQUIRE(context.workspace(free_bytes / 100 * 35) != nullptr);
  REQUIRE(context.workspace(free_bytes / 100 * 36) != nullptr);
  context.wait();
}

TEMPLATE_TEST_CASE("an error of the caller's own is not taken for one of a scan", "[cuda][errors]",
                   sam::carry::decoupled, sam::carry::reduce_then_scan,
                   sam::carry::scan_then_propagate) {
  sam::default_context context;
  auto const items = test::random_items<int>(100'003, test::seed_for(100'003));
  auto const in = test::on_backend(items);
  test::fenced_array<int> out(100'003);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, ~std::size_t{0} / 2) == cudaErrorMemoryAllocation);
  sam::inclusive_scan(context, in, out, scan_policy<plus, 1, 1, TestType>{});
  context.wait();
  REQUIRE(are_sums(out, items));
}

}  // namespace
