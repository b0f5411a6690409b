// SPDX-License-Identifier: MIT
// Tests that the barriers of the GPU kernels suffice, and that a missing one is detected. Built
// with the thread sanitizer, scans on fibers have no data race, but have one if a barrier orders no
// memory. Built without it, scans with a barrier left out give wrong results.
#include <sam/reference.hpp>
#include <sam/scan.hpp>

#include "items.hpp"
#include "simt/context.hpp"
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <atomic>

#ifdef __SANITIZE_THREAD__
#include <fcntl.h>
#endif

namespace {

std::atomic<int> races{0};
std::atomic<bool> race_found{false};

}  // namespace

#ifdef __SANITIZE_THREAD__
extern "C" {
void __sanitizer_set_report_fd(void* fd);
void __tsan_on_report(void*) {
  ++races;
  race_found = true;
}
char const* __tsan_default_options() {
  return "suppress_equal_stacks=0:suppress_equal_addresses=0:exitcode=0";
}
}
#endif

namespace {

using sam::index_t;
using what = simt::site::what;

#ifdef __SANITIZE_THREAD__
constexpr bool is_sanitized = true;
void print_reports(bool wanted) {
  static int const nowhere = open("/dev/null", O_WRONLY);
  std::intptr_t const fd = wanted ? 2 : nowhere;
  __sanitizer_set_report_fd(reinterpret_cast<void*>(fd));
}
#else
constexpr bool is_sanitized = false;
void print_reports(bool) {}
#endif

struct twice {
  std::int32_t operator()(std::int16_t x) const { return 2 * x; }
};

/// Runs scans of small arrays of all kinds, the last at the end of the range of generation numbers.
/// Returns the first error; races are reported by the sanitizer.
template <int Warp>
std::string scan_all(simt::grid const& conditions, int blocks, std::uint64_t seed) {
  simt::context<Warp> context(blocks, seed);
  context.conditions = conditions;
  index_t const n = 6 * Warp * 7 + 5 * Warp;
  auto const items = test::random_items<std::int32_t>(n, seed);
  auto const shorts = test::random_items<std::int16_t>(n, seed);
  std::vector<std::int32_t> doubled(shorts.begin(), shorts.end()), out(items.size());
  for (auto& x : doubled)
    x *= 2;
  try {
    sam::scan_policy<sam::plus, 2, 3> const p;
    sam::inclusive_scan(context, items, out, p);
    if (out != sam::reference::inclusive_scan(items, p))
      return "a wrong sum";
    out = items;
    sam::scan_policy<sam::maximum, 1, 1, sam::carry::lookback, sam::direction::backward> const q;
    sam::exclusive_scan(context, out, out, q, 3);
    if (out != sam::reference::exclusive_scan(items, q, 3))
      return "a wrong maximum";
    // Tuples are so large that the spine kernel needs more than one warp.
    sam::scan_policy<sam::plus, 2, 11, sam::carry::reduce_then_scan> const in_passes;
    sam::inclusive_scan(context, items, out, in_passes);
    if (out != sam::reference::inclusive_scan(items, in_passes))
      return "a wrong sum in two passes";
    auto const of_panels = sam::tuples_of<2>(70);
    sam::inclusive_scan(context, items, out, of_panels);
    if (out != sam::reference::inclusive_scan(items, of_panels))
      return "a wrong sum of panels";
    auto const in_more = sam::carried_by<sam::carry::scan_then_propagate>(q);
    sam::transform_exclusive_scan(context, shorts, out, twice{}, in_more, 3);
    if (out != sam::reference::exclusive_scan(doubled, in_more, 3))
      return "a wrong maximum in three passes";
    context.start_from((std::uint32_t{1} << 31) - context.epoch);
    sam::scan_policy<sam::plus, 1, 1, sam::carry::chained> const r;
    sam::transform_inclusive_scan(context, shorts, out, twice{}, r);
    if (out != sam::reference::inclusive_scan(doubled, r))
      return "a wrong sum of transformed items";
  } catch (simt::failure const& why) {
    return why.what();
  }
  return context.is_at_rest() ? "" : "an descriptor_ring that is not at rest";
}
std::string scan_all(simt::grid const& conditions, std::uint64_t seed) {
  auto const why = scan_all<32>(conditions, 2, seed);
  return why != "" ? why : scan_all<64>(conditions, 2, seed);
}

TEST_CASE("scans on fibers have no data race", "[simt]") {
  for (int const blocks : {1, 2, 3}) {
    REQUIRE(scan_all<32>({}, blocks, test::seed_for(blocks)) == "");
    REQUIRE(scan_all<64>({}, blocks, test::seed_for(blocks)) == "");
  }
  REQUIRE(races == 0);
}

std::set<simt::site> all_barriers() {
  std::set<simt::site> sites;
  simt::grid conditions{};
  conditions.visited = &sites;
  REQUIRE(scan_all(conditions, test::seed_for(0)) == "");
  return sites;
}

/// True if the sanitizer reports a data race when a barrier waits but orders no memory.
bool is_missed_by_sanitizer(simt::site const& site) {
  simt::grid conditions{};
  conditions.unordered = &site;
  conditions.stop = &race_found;
  race_found = false;
  print_reports(false);
  scan_all(conditions, test::seed_for(1));
  print_reports(true);
  return race_found;
}

/// True if scans fail for some seed when the barrier is left out.
bool is_missed(simt::site const& site) {
  simt::grid conditions{};
  conditions.skipped = &site;
  conditions.patience = 2;
  for (index_t k = 0; k < 12; ++k)
    if (scan_all(conditions, test::seed_for(k)) != "")
      return true;
  return false;
}

// Not every missing barrier can be noticed here. Some order only relaxed accesses, which no
// sanitizer tracks, and the errors without them are rare.
TEST_CASE("a barrier that is missing is noticed", "[simt]") {
  std::size_t count = 0, missed = 0;
  std::string others;
  for (auto const& site : all_barriers()) {
    if (!is_sanitized && site.kind != what::sync_block && site.kind != what::sync_warp)
      continue;
    ++count;
    if (is_sanitized ? is_missed_by_sanitizer(site) : is_missed(site))
      ++missed;
    else
      others += "\n  " + to_string(site);
  }
  INFO("of " << count << " barriers, not missed:" << others);
  REQUIRE(count >= 6);
  REQUIRE(4 * missed >= (is_sanitized ? 3 : 2) * count);
}

}  // namespace
