// SPDX-License-Identifier: MIT
// Tests of the histogram kernel, run on fibers.
#include <sam/gpu/counting_search.hpp>
#include <sam/gpu/histogram.hpp>
#include <sam/gpu/weighted_histogram.hpp>
#include <sam/reference.hpp>

#include "items.hpp"
#include "simt/device.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <tuple>

namespace {

using sam::index_t;

struct three_bytes {
  std::uint8_t at[3];
};
template <class T>
struct four_channels {
  T at[4];
};
/// Maps the first three channels of an item to bins of their own.
template <class T>
struct bins_of_three {
  static constexpr int channels = 3;
  using channel = T;
  index_t modulus;
  template <int C>
  T const& of(four_channels<T> const& x) const {
    return x.at[C];
  }
  template <int C>
  index_t bin_of(T x) const {
    index_t const bin = static_cast<std::uint8_t>(x) % modulus - 1;
    return bin < 0 || bin >= size_of(C) ? -1 : begin_of(C) + bin;
  }
  index_t size_of(int c) const { return (modulus - 2) / (c + 1) + c; }
  index_t begin_of(int c) const { return c == 0 ? 0 : begin_of(c - 1) + size_of(c - 1); }
};

/// Maps an item to a bin. Bin -1 and bins past the last one are not counted.
struct first_byte {
  index_t modulus;
  index_t operator()(std::uint8_t x) const { return x % modulus - 1; }
  index_t operator()(std::int8_t x) const { return x % modulus - 1; }
  index_t operator()(std::int32_t x) const { return (x & 0xff) % modulus - 1; }
  index_t operator()(three_bytes const& x) const { return x.at[0] % modulus - 1; }
};

/// Maps an item to a bin of a fixed number of bins.
struct low_byte {
  index_t modulus;
  index_t operator()(std::uint16_t x) const { return bin_or(x, -1); }
  index_t bin_or(std::uint16_t x, index_t none) const {
    index_t const bin = (x & 0xff) % modulus - 1;
    return bin >= 0 && bin < modulus - 2 ? bin : none;
  }
};

template <class T>
std::vector<T> make_items(index_t n, bool equal, std::uint64_t seed) {
  test::generator bits{seed};
  std::vector<T> items(static_cast<std::size_t>(n));
  for (T& x : items) {
    std::uint64_t const random = equal ? 0x77 : bits();
    std::memcpy(static_cast<void*>(&x), &random, sizeof(T));
  }
  return items;
}

template <class Item, class Count, int Warp, class Bins = first_byte>
struct histogram_case {
  using bins = Bins;
  using item = Item;
  using count = Count;
  static constexpr int warp_size = Warp;
};
using cases = std::tuple<
    histogram_case<std::uint8_t, std::uint32_t, 32>, histogram_case<std::int8_t, std::int64_t, 64>,
    histogram_case<std::uint16_t, std::uint32_t, 32, low_byte>,
    histogram_case<std::int32_t, std::int64_t, 4>, histogram_case<three_bytes, std::int32_t, 32>>;

TEMPLATE_LIST_TEST_CASE("histograms on fibers equal a plain loop", "[simt]", cases) {
  using T = typename TestType::item;
  using count = typename TestType::count;
  using bins_type = typename TestType::bins;
  using job = sam::engine::histogram_job<T, count, bins_type>;
  using block = sam::gpu::histogram_block<simt::device<TestType::warp_size>, job,
                                          sam::gpu::histogram_config<3, 2, 1>>;
  sam::gpu::exchange_memory memory{};
  for (index_t const n : {1, 2, 15, 16, 17, 1000, 5003})
    for (index_t const size : {1, 7, 100, 2000})
      for (int const blocks : {1, 3})
        for (index_t const buffer : {0, 500, 5000, 11'000, 70'000}) {
          if (job::counts_values && buffer < 10'000)
            continue;  // there must be room
          auto const seed = test::seed_for(n);
          bool const equal = size == 7;
          CAPTURE(n, size, blocks, buffer, seed);
          auto const items = make_items<T>(n, equal, seed);
          bins_type const bins{size + 2};
          auto const wanted = sam::reference::histogram<count>(items, size, bins);
          simt::fenced<T> in(items, 1);
          simt::fenced<count> counts(std::vector<count>(wanted.size()), 1);
          job const all{n, in.data(), counts.data(), size, bins};
          int const copies = block::copies_in(all, buffer);
          bool const adds = block::adds_in_words(all, copies) && buffer != 11'000;
          sam::gpu::histogram_arguments<job> const arguments{all, copies, adds ? &memory : nullptr};
          simt::grid g{};
          g.blocks = blocks;
          g.warps = block::threads / TestType::warp_size;
          g.warp_size = TestType::warp_size;
          g.shared_bytes = static_cast<int>(block::shared_bytes(all, arguments.copies));
          g.seed = seed;
          simt::launch(g, [&] { block(arguments).run(); });
          REQUIRE(test::differences(counts, wanted) == "");
          REQUIRE(counts.intact());
          REQUIRE(std::count(std::begin(memory.bins), std::end(memory.bins), 0) ==
                  sam::gpu::exchange_memory::most_bins);
        }
}

/// Counts channels, all at once or some of them, in bytes that may be unaligned.
template <class T, int Warp>
void count_channels_on_fibers() {
  using job = sam::engine::histogram_job<four_channels<T>, std::uint32_t, bins_of_three<T>>;
  using block =
      sam::gpu::histogram_block<simt::device<Warp>, job, sam::gpu::histogram_config<3, 2, 1>>;
  sam::gpu::exchange_memory memory{};
  for (index_t const n : {1, 3, 17, 1000, 5003})
    for (int const blocks : {1, 3})
      for (index_t const buffer : {0, 20'000, 200'000})
        for (index_t const shift : {0, 1})  // items
          for (int const first : {0, 1}) {
            if ((job::counts_values && buffer == 0) || (!job::may_split && first > 0))
              continue;  // there must be room, and then all are counted together
            auto const seed = test::seed_for(n);
            CAPTURE(n, blocks, buffer, shift, first, seed);
            bins_of_three<T> const bins{150};
            auto const items = make_items<T>(4 * n + shift, false, seed);
            std::vector<T> const counted(items.begin() + shift, items.end());
            auto const all = sam::reference::histogram_of_channels<std::uint32_t>(
                counted, 4, {bins.size_of(0), bins.size_of(1), bins.size_of(2)},
                [](std::size_t, T x) { return index_t{static_cast<std::uint8_t>(x)} % 150 - 1; });
            std::vector<std::uint32_t> counts(all.size(), 7);
            job some{n, reinterpret_cast<four_channels<T> const*>(items.data() + shift),
                     counts.data(), bins.begin_of(3), bins};
            some.keep_channels(first, 3);
            auto wanted = all;
            std::fill_n(wanted.begin(), bins.begin_of(first), 7);
            simt::grid g{};
            g.blocks = blocks;
            g.warps = block::threads / Warp;
            g.warp_size = Warp;
            int const copies = block::copies_in(some, buffer);
            g.shared_bytes = static_cast<int>(block::shared_bytes(some, copies));
            g.seed = seed;
            bool const adds = block::adds_in_words(some, copies);
            if (!adds)
              std::fill_n(some.counts, some.size, 0);
            simt::launch(g, [&] { block({some, copies, adds ? &memory : nullptr}).run(); });
            REQUIRE(test::differences(counts, wanted) == "");
          }
}
TEST_CASE("histograms of channels on fibers equal a plain loop", "[simt]") {
  count_channels_on_fibers<std::uint8_t, 32>();
  count_channels_on_fibers<std::int16_t, 64>();
}

/// A number of items in memory.
struct number_at {
  index_t const* at;
  SAM_FUNCTION index_t operator()() const { return *at; }
};

TEST_CASE("histograms on fibers count in memory", "[simt]") {
  using job =
      sam::engine::counted_histogram_job<std::uint8_t, std::uint32_t, first_byte, number_at>;
  using block =
      sam::gpu::histogram_block<simt::device<32>, job, sam::gpu::histogram_config<3, 2, 1>>;
  auto const items = make_items<std::uint8_t>(5003, false, test::seed_for(1));
  for (index_t const number : {index_t{0}, index_t{1}, index_t{777}, index_t{5003}}) {
    first_byte const bins{102};
    std::vector<std::uint8_t> const some(items.begin(), items.begin() + number);
    auto const wanted = sam::reference::histogram<std::uint32_t>(some, 100, bins);
    std::vector<std::uint32_t> counts(wanted.size());
    job const all{{5003, items.data(), counts.data(), 100, bins}, {&number}};
    sam::gpu::exchange_memory memory{};
    sam::gpu::histogram_arguments<job> const arguments{all, block::copies_in(all, 20'000), &memory};
    simt::grid g{};
    g.blocks = 3;
    g.warps = block::threads / 32;
    g.warp_size = 32;
    g.shared_bytes = static_cast<int>(block::shared_bytes(all, arguments.copies));
    simt::launch(g, [&] { block(arguments).run(); });
    REQUIRE(counts == wanted);
  }
}

/// Takes the digits of numbers of 16 bits from the highest on, and finds the number of a rank.
template <class Count>
struct number_search {
  static constexpr int passes = 2;
  static constexpr index_t bins = 256;
  struct state {
    index_t known = 0, rank = 0;
  };
  state* states;  // before each pass, and after the last

  struct digit {
    state const* from;
    int pass;
    index_t operator()(std::uint16_t x) const {
      if (pass == 1 && x >> 8 != from->known)
        return -1;
      return pass == 0 ? x >> 8 : x & 0xff;
    }
  };
  struct choice {
    state* from;
    void store(index_t bin, Count x, Count upto) const {
      auto const below = static_cast<index_t>(upto) - static_cast<index_t>(x);
      if (below < from->rank && from->rank <= static_cast<index_t>(upto))
        from[1] = {from->known << 8 | bin, from->rank - below};
    }
  };
  digit bins_of(int pass) const { return {states + pass, pass}; }
  choice chosen_of(int pass) const { return {states + pass}; }
};

template <class Count, int Warp>
void search_on_fibers() {
  using job = sam::engine::counting_search_job<std::uint16_t, Count, number_search<Count>>;
  using block =
      sam::gpu::counting_search_block<simt::device<Warp>, job, sam::gpu::histogram_config<3, 2, 1>>;
  sam::gpu::exchange_memory memory{};
  std::uint32_t done = 0;
  for (index_t const n : {1, 17, 1000, 5003})
    for (bool const equal : {false, true})
      for (int const blocks : {1, 4})
        for (int const copies : {1, 8}) {
          auto const seed = test::seed_for(n);
          CAPTURE(n, equal, blocks, copies, seed);
          auto const items = make_items<std::uint16_t>(n, equal, seed);
          auto sorted = items;
          std::sort(sorted.begin(), sorted.end());
          index_t const rank = n / 2 + 1;
          typename number_search<Count>::state states[3] = {{0, rank}};
          job const all{n, items.data(), {states}};
          simt::grid g{};
          g.blocks = blocks;
          g.warps = block::threads / Warp;
          g.warp_size = Warp;
          g.shared_bytes = static_cast<int>(block::shared_bytes(copies));
          g.seed = seed;
          for (int pass = 0; pass < 2; pass += blocks == 1 ? 2 : 1)
            simt::launch(g, [&, last = blocks == 1 ? 2 : pass + 1] {
              block({all, pass, last, copies, &memory, &done}).run();
            });
          REQUIRE(states[2].known == sorted[static_cast<std::size_t>(rank - 1)]);
        }
}
TEST_CASE("searches by counts on fibers find the item of a rank", "[simt]") {
  search_on_fibers<std::uint32_t, 32>();
  search_on_fibers<std::int64_t, 64>();
}

/// Adds weights in blocks of several numbers of tables, of memory that may be unaligned. All give
/// the same bits, for warps of both sizes.
template <class T, class Weight, class Sum>
void add_weights_on_fibers() {
  using sam::engine::array_source;
  using job =
      sam::engine::weighted_histogram_job<array_source<T>, number_at, Weight, Sum, first_byte>;
  using shape = sam::gpu::weighted_histogram_shape<job>;
  for (index_t const n : {0, 1, 130, 2049, 9000, 20'011})
    for (index_t const size : {1, 100, 700}) {
      auto const seed = test::seed_for(n);
      CAPTURE(n, size, seed);
      auto const items = make_items<T>(n + 1, size == 1, seed);
      std::vector<Weight> weights;
      for (std::int32_t const x : test::random_items<std::int32_t>(n + 1, seed + 1))
        weights.push_back(static_cast<Weight>(x % 1000) / 8);
      if (n == 9000)
        weights[500] = std::numeric_limits<Weight>::infinity();
      first_byte const bins{size + 2};
      auto const wanted = sam::reference::weighted_histogram<Sum>(
          std::vector<T>(items.begin() + 1, items.end()),
          std::vector<Weight>(weights.begin() + 1, weights.end()), size, bins);
      auto const add = [&](auto const& block, index_t limit, int blocks, int tables, int shift) {
        using block_type = typename std::remove_cvref_t<decltype(block)>::type;
        constexpr int warp = block_type::lanes;
        std::vector<T> const in(items.begin() + 1 - shift, items.end());
        std::vector<Weight> const by(weights.begin() + 1 - shift, weights.end());
        simt::fenced<Sum> sums(std::vector<Sum>(wanted.size(), Sum(7)), 1);
        job const all{limit, {in.data() + shift}, {&n}, by.data() + shift, sums.data(), size, bins};
        int const columns = shape::columns_for(all.kinds());
        index_t const most = shape::most_groups_of(limit, all.kinds());
        std::vector<Sum> groups(static_cast<std::size_t>(most * all.kinds()));
        std::uint32_t done = 0;
        simt::grid g{};
        g.blocks = static_cast<int>(std::min<index_t>(blocks, most));
        g.warps = block_type::threads / warp;
        g.warp_size = warp;
        g.shared_bytes = static_cast<int>(block_type::shared_bytes(all, columns, tables));
        g.seed = seed;
        simt::launch(g, [&] {
          block_type({all, columns, tables, false, most == 1 ? nullptr : groups.data(), &done})
              .run();
        });
        REQUIRE(test::differences(sums, wanted) == "");  // exact here
        REQUIRE(sums.intact());
      };
      using config = sam::gpu::weighted_histogram_config<4, 64>;
      std::type_identity<sam::gpu::weighted_histogram_block<simt::device<32>, job, config>> const
          narrow;
      std::type_identity<sam::gpu::weighted_histogram_block<simt::device<64>, job, config>> const
          wide;
      if (n <= 2048)
        add(narrow, n, 1, 1, 0);
      add(narrow, n, n > 8192 ? 3 : 1, 4, 1);
      add(wide, n, n > 8192 ? 2 : 1, 2, 0);
      add(narrow, 20'100, 2, 1, 0);
    }
}
TEST_CASE("weights on fibers are added up as by a plain loop", "[simt]") {
  add_weights_on_fibers<std::uint8_t, float, float>();
  add_weights_on_fibers<std::int32_t, float, double>();
}

}  // namespace
