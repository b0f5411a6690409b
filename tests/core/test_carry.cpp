// SPDX-License-Identifier: MIT
// Tests the carry protocol: schemes on descriptors that only record calls, the descriptors
// themselves, and both on threads with random delays. Tiles are so small that descriptor rings wrap
// a thousand times.
#include <sam/reference.hpp>
#include <sam/scan.hpp>

#include "items.hpp"
#include "threads_context.hpp"
#include "watchdog.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using namespace std::chrono_literals;
using sam::index_t;
namespace host = sam::host;

/// Descriptors with given answers that record the calls made on them.
struct recorder {
  struct state {
    index_t tiles = 0;
  };
  index_t window;
  index_t totals_up_to;  // earlier tiles have published inclusive prefixes
  std::string asked;

  index_t tiles_covered(state const& known) const { return known.tiles; }
  index_t oldest_readable(index_t tile) const { return sam::engine::max_of(0, tile - window + 1); }
  void read_inclusive_prefix(index_t tile, state& known) {
    asked += "total " + std::to_string(tile) + " ";
    known.tiles = tile + 1;
  }
  void accumulate_aggregates(index_t tile, state& known) {
    for (; known.tiles < tile; ++known.tiles)
      asked += "local " + std::to_string(known.tiles) + " ";
  }
  index_t latest_inclusive_prefix(index_t oldest, index_t tile) const {
    return sam::engine::max_of(oldest, sam::engine::min_of(totals_up_to, tile));
  }
  void publish_aggregate(index_t tile) { asked += "publish " + std::to_string(tile) + " "; }
};
static_assert(sam::tile_descriptors<recorder>);

template <class Scheme>
std::string asked(index_t tile, index_t known, index_t totals_up_to) {
  recorder descriptors{4, totals_up_to, ""};
  recorder::state state{known};
  Scheme::announce(descriptors, tile);
  Scheme::exclusive_prefix(descriptors, tile, state);
  return descriptors.asked + (state.tiles == tile ? "" : "and stops short");
}

TEST_CASE(
    "decoupled accumulates aggregates from its tile on, or from the oldest prefix it may read",
    "[carry]") {
  using sam::carry::decoupled;
  REQUIRE(asked<decoupled>(0, 0, 0) == "publish 0 ");
  REQUIRE(asked<decoupled>(3, 0, 3) == "publish 3 local 0 local 1 local 2 ");
  REQUIRE(asked<decoupled>(3, 2, 0) == "publish 3 local 2 ");
  REQUIRE(asked<decoupled>(9, 6, 0) == "publish 9 local 6 local 7 local 8 ");
  REQUIRE(asked<decoupled>(9, 5, 0) == "publish 9 total 5 local 6 local 7 local 8 ");
  REQUIRE(asked<decoupled>(9, 9, 0) == "publish 9 ");
}

TEST_CASE("chained reads the inclusive prefix of the tile before and nothing else", "[carry]") {
  using sam::carry::chained;
  REQUIRE(asked<chained>(0, 0, 0) == "");
  REQUIRE(asked<chained>(9, 2, 0) == "total 8 ");
  REQUIRE(asked<chained>(9, 9, 0) == "");
}

TEST_CASE("lookback reads the latest inclusive prefix, no earlier than it may or needs to",
          "[carry]") {
  using sam::carry::lookback;
  REQUIRE(asked<lookback>(0, 0, 0) == "publish 0 ");
  REQUIRE(asked<lookback>(9, 0, 9) == "publish 9 total 8 ");
  REQUIRE(asked<lookback>(9, 0, 8) == "publish 9 total 7 local 8 ");
  REQUIRE(asked<lookback>(9, 7, 3) == "publish 9 local 7 local 8 ");
  REQUIRE(asked<lookback>(9, 0, 3) == "publish 9 total 5 local 6 local 7 local 8 ");
  REQUIRE(asked<lookback>(3, 0, 0) == "publish 3 local 0 local 1 local 2 ");
}

/// The amount of random delay in threads.
enum class weather { calm, gusty, stormy };

void delay(weather how) {
  static std::atomic<index_t> threads{0};
  thread_local test::generator bits{test::seed_for(++threads)};
  if (how == weather::calm)
    return;
  auto const drawn = bits() % 256;
  if (drawn < 64)
    std::this_thread::yield();
  else if (how == weather::stormy && drawn == 255)
    std::this_thread::sleep_for(1ms);
}

/// A minimal kernel: rounds of order 1, one component, no identity, tiles of any size.
template <class T, class Op, int Rounds>
struct plain_kernel {
  static constexpr int rounds = Rounds;
  Op op;
  weather how;

  index_t width() const { return 1; }
  index_t granule() const { return 1; }
  index_t part_aggregates(index_t) const { return 0; }
  void set_tile_items(index_t) const {}
  bool start(T*) const { return false; }
  void reduce(T const* items, index_t count, T* accumulator, T*) const {
    delay(how);
    *accumulator = items[0];
    for (index_t i = 1; i < count; ++i)
      *accumulator = op(*accumulator, items[i]);
  }
  void append(T* state, T const* tile) const {
    delay(how);
    *state = op(*state, *tile);
  }
  void place(T*, index_t, T*, bool) const {}
  void scan(T const* items, T* out, index_t count, index_t at, T* state, bool known,
            T const*) const {
    for (index_t i = 0; i < count; ++i)
      out[i] = *state = known || at + i > 0 ? op(*state, items[i]) : items[i];
    delay(how);
  }
};

/// Scans an array to another.
template <class T>
struct copy_job {
  using item = T;
  using accumulator = T;
  T const* in;
  T* out;
  T const* source() const { return in; }
  T* target() const { return out; }
  T load(index_t i) const { return in[i]; }
  T to_accumulator(T x) const { return x; }
  void store(index_t i, T, T y) const { out[i] = y; }
};

/// Scans `in` in a single pass, on `workers` threads and tiles of `tile` items.
template <class Carry, int Rounds, class T, class Op>
std::vector<T> scan_in_small_tiles(std::vector<T> const& in, Op op, int workers, index_t tile,
                                   weather how) {
  plain_kernel<T, Op, Rounds> const kernel{op, how};
  auto const n = static_cast<index_t>(in.size());
  host::tile_config const config{{n, tile}, tile};
  index_t const window = host::ring<T>::depth_for(workers);
  std::vector<host::slot> slots(static_cast<std::size_t>(2 * window * Rounds));
  std::vector<T> values(static_cast<std::size_t>(4 * window * Rounds));
  std::vector<host::ring<T>> rings;
  for (int r = 0; r < Rounds; ++r)
    rings.push_back({slots.data() + 2 * window * r, values.data() + 4 * window * r, 1, window});
  std::vector<T> out(in.size());
  host::claims claimed(workers);
  test::threads(workers).for_each_worker(workers, [&](int) {
    std::vector<T> buffer(static_cast<std::size_t>(2 * tile + 1));
    T known[Rounds];
    host::worker_buffers<T> const buffers{buffer.data(), buffer.data() + tile, nullptr,
                                          buffer.data() + 2 * tile};
    host::work<Carry>(copy_job<T>{in.data(), out.data()}, kernel, config, claimed, rings.data(),
                      known, buffers);
  });
  return out;
}

TEMPLATE_TEST_CASE("no aggregate is lost, torn or taken twice, however late a thread is", "[carry]",
                   sam::carry::decoupled, sam::carry::chained, sam::carry::lookback) {
  test::watchdog guard(300s);
  std::vector<test::stretch> in, wanted;
  for (std::uint32_t i = 0; i < 6001; ++i) {
    in.push_back({i, i + 1, 0});
    wanted.push_back({0, i + 1, 0});
  }
  for (weather const how : {weather::calm, weather::gusty, weather::stormy})
    for (int workers = 1; workers <= 8; ++workers) {
      CAPTURE(workers, static_cast<int>(how), Catch::getSeed());
      REQUIRE(test::differences(scan_in_small_tiles<TestType, 1>(in, test::join{}, workers, 2, how),
                                wanted) == "");
    }
}

TEMPLATE_TEST_CASE("several rounds of carries at once keep the order of the items", "[carry]",
                   sam::carry::decoupled, sam::carry::chained, sam::carry::lookback) {
  test::watchdog guard(300s);
  auto const seed = test::seed_for(3);
  auto const in = test::random_items<test::affine>(5003, seed);
  auto const wanted = sam::reference::inclusive_scan(in, sam::scan_policy<test::compose, 3>{});
  for (weather const how : {weather::gusty, weather::stormy})
    for (int const workers : {2, 3, 8}) {
      CAPTURE(workers, static_cast<int>(how), seed);
      REQUIRE(
          test::differences(scan_in_small_tiles<TestType, 3>(in, test::compose{}, workers, 5, how),
                            wanted) == "");
    }
}

using int_kernel = plain_kernel<int, sam::plus, 1>;

/// A descriptor ring for one worker, and descriptors on it.
struct small_ring {
  index_t window = host::ring<int>::depth_for(1);
  std::vector<host::slot> slots = std::vector<host::slot>(static_cast<std::size_t>(2 * window));
  std::vector<int> values = std::vector<int>(static_cast<std::size_t>(4 * window));
  int_kernel kernel{{}, weather::calm};

  host::descriptors<int, int_kernel> descriptors() {
    return {host::ring<int>{slots.data(), values.data(), 1, window}, kernel};
  }
};

TEST_CASE("a slot answers for the tile that it holds and for no other", "[carry]") {
  small_ring ring;
  auto descriptors = ring.descriptors();
  int known = 0;
  decltype(descriptors)::state state{&known};
  for (index_t tile = 0; tile < 5 * ring.window; ++tile) {
    CAPTURE(tile);
    REQUIRE_FALSE(descriptors.poll_aggregate(tile));
    *descriptors.buffer_for(tile) = 1;
    REQUIRE_FALSE(descriptors.poll_aggregate(tile));
    descriptors.publish_aggregate(tile);
    REQUIRE(descriptors.poll_aggregate(tile));
    REQUIRE_FALSE(descriptors.poll_inclusive_prefix(tile));
    descriptors.publish_inclusive_prefix(tile, state);
    REQUIRE(descriptors.poll_inclusive_prefix(tile));
    REQUIRE(known == tile + 1);
    REQUIRE_FALSE(descriptors.poll_aggregate(tile + 2 * ring.window));
    REQUIRE_FALSE(
        (tile >= 2 * ring.window && descriptors.poll_inclusive_prefix(tile - 2 * ring.window)));

    auto late = ring.descriptors();  // belongs to a worker that has been idle for long
    int found = 0;
    decltype(late)::state from{&found};
    late.read_inclusive_prefix(tile, from);
    REQUIRE(found == tile + 1);
  }
}

TEST_CASE("no worker runs further ahead of an unfinished tile than the ring depth", "[carry]") {
  test::watchdog guard(60s);
  small_ring ring;
  auto descriptors = ring.descriptors();
  int known = 0;
  decltype(descriptors)::state state{&known};
  for (index_t tile = 0; tile < ring.window; ++tile)
    *descriptors.buffer_for(tile) = 1;  // none of these tiles is finished yet
  std::atomic<bool> has_room{false};
  std::jthread ahead([&] {
    auto other = ring.descriptors();
    other.buffer_for(ring.window);
    has_room = true;
  });
  std::this_thread::sleep_for(20ms);
  REQUIRE_FALSE(has_room);
  descriptors.publish_inclusive_prefix(0, state);
  ahead.join();
  REQUIRE(has_room);
}

/// Runs workers one after the other, the last one first.
struct one_by_one {
  int workers() const { return 8; }
  template <class Work>
  void for_each_worker(int count, Work const& work) const {
    for (int w = count; w-- > 0;)
      work(w);
  }
};

TEST_CASE("parts are scanned in order, however late a worker is", "[carry]") {
  test::watchdog guard(300s);
  auto const check = [](auto& pool, int workers, index_t n, weather how) {
    std::vector<test::stretch> in, wanted;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(n); ++i) {
      in.push_back({i, i + 1, 0});
      wanted.push_back({0, i + 1, 0});
    }
    std::vector<test::stretch> out(in.size());
    host::workspace memory;
    auto const parts = host::parting::of(n, workers, 1);
    REQUIRE(parts.has_all_parts());
    host::run_in_parts(pool, parts, memory, copy_job<test::stretch>{in.data(), out.data()},
                       plain_kernel<test::stretch, test::join, 1>{{}, how});
    REQUIRE(test::differences(out, wanted) == "");
  };
  for (int workers = 1; workers <= 8; ++workers)
    for (index_t const n : {100, 1013}) {
      CAPTURE(workers, n, Catch::getSeed());
      one_by_one alone;
      check(alone, workers, n, weather::calm);
      test::threads crowd(workers);
      for (weather const how : {weather::calm, weather::gusty, weather::stormy})
        for (int repeat = 0; repeat < 10; ++repeat)
          check(crowd, workers, n, how);
    }
}

// Tests the host engine with kernels whose states have several values.
TEMPLATE_TEST_CASE("the host engine is right on any number of threads", "[carry]",
                   sam::carry::decoupled, sam::carry::chained, sam::carry::lookback,
                   sam::carry::reduce_then_scan, sam::carry::scan_then_propagate) {
  test::watchdog guard(300s);
  index_t const n = 700003;
  auto const seed = test::seed_for(n);
  auto const sums = test::random_items<int>(n, seed);
  auto const maps = test::random_items<test::affine>(n, seed);
  sam::scan_policy<sam::plus, 3, 2, TestType> const sum;
  sam::scan_policy<test::compose, 2, 1, TestType> const map;
  sam::scan_policy<sam::plus, 2, sam::run_time_tuple, TestType> wide;
  wide.components = 10000;
  auto const wanted_sums = sam::reference::inclusive_scan(sums, sum);
  auto const wanted_maps = sam::reference::inclusive_scan(maps, map);
  auto const wanted_wide = sam::reference::inclusive_scan(sums, wide);
  for (int const workers : {1, 2, 5, 8}) {
    CAPTURE(workers, seed);
    test::threads crowd(workers);
    std::vector<int> out(sums.size());
    sam::inclusive_scan(crowd, sums, out, sum);
    REQUIRE(test::differences(out, wanted_sums) == "");
    sam::inclusive_scan(crowd, sums, out, wide);
    REQUIRE(test::differences(out, wanted_wide) == "");
    std::vector<test::affine> composed(maps.size());
    sam::inclusive_scan(crowd, maps, composed, map);
    REQUIRE(test::differences(composed, wanted_maps) == "");
  }
}

}  // namespace
