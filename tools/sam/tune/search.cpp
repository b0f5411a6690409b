// SPDX-License-Identifier: MIT
// Implements search.hpp.
#include "tune/search.hpp"

#include "tune/statistics.hpp"

#include <chrono>

namespace sam::tune {

namespace {

/// The times of one candidate: a list for each workload, with one time for each repeat.
using times = std::vector<std::vector<double>>;

/// Measures candidates in turn, so that a change of the machine's speed meets all of them alike.
class measurement {
 public:
  measurement(std::vector<candidate> const& all, std::vector<workload_id> const& workloads)
      : all_(all), workloads_(workloads) {
    clear();
  }

  void clear() {
    times_.assign(all_.size(), times(workloads_.size()));
    repeats_ = 0;
  }
  /// Measures the candidates that `alive` lists until the time is over. Returns at once if there
  /// are enough repeats.
  void run(std::vector<std::size_t> const& alive, limits const& within,
           std::function<void(double)> const& progress) {
    using clock = std::chrono::steady_clock;
    auto const start = clock::now();
    for (index_t r = 0; r < within.most_repeats; ++r) {
      double const part =
          std::chrono::duration<double>(clock::now() - start).count() / within.seconds;
      progress(std::min(part, 1.0));
      if (part >= 1 && r >= within.least_repeats)
        break;
      for (std::size_t w = 0; w < workloads_.size(); ++w)
        for (std::size_t k = 0; k < alive.size(); ++k)
          measure(alive[(k + static_cast<std::size_t>(r)) % alive.size()], w);
      ++repeats_;
    }
  }

  /// Returns the time of a candidate relative to the first one: the geometric mean over workloads.
  trial trial_of(std::size_t c) const {
    std::vector<double> logs;
    for (std::size_t r = 0; r < std::min(times_[0][0].size(), times_[c][0].size()); ++r) {
      double sum = 0;
      for (std::size_t w = 0; w < workloads_.size(); ++w)
        sum += std::log(times_[c][w][r] / times_[0][w][r]);
      logs.push_back(sum / static_cast<double>(workloads_.size()));
    }
    return {all_[c].value, std::exp(median(logs)), median_error(logs),
            static_cast<index_t>(logs.size())};
  }
  comparison comparison_of(std::size_t c, std::size_t w) const {
    return {workloads_[w], median(times_[0][w]), median(times_[c][w]), spread(times_[0][w]),
            spread(times_[c][w])};
  }

 private:
  void measure(std::size_t c, std::size_t w) {
    all_[c].apply();
    if (repeats_ == 0)
      all_[c].on->seconds(workloads_[w]);  // warms up, and lets workspaces grow
    times_[c][w].push_back(std::max(all_[c].on->seconds(workloads_[w]), 1e-9));
  }

  std::vector<candidate> const& all_;
  std::vector<workload_id> const& workloads_;
  std::vector<times> times_;
  index_t repeats_ = 0;
};

bool is_clear_gain(trial const& of, std::vector<comparison> const& on) {
  double const gain = -std::log(of.ratio);
  bool const hurts = std::ranges::any_of(
      on, [](comparison const& c) { return c.after > (1 + most_loss) * c.before; });
  // Times of two kinds, as of a machine that does other work at times, have no normal distribution.
  bool const is_steady = std::ranges::all_of(on, [](comparison const& c) {
    return std::max(c.before_spread, c.after_spread) < most_spread;
  });
  return gain > -std::log(1 - least_gain) && gain > 3 * of.error && !hurts && is_steady;
}

}  // namespace

void find_best(std::vector<candidate> const& all, std::vector<workload_id> const& workloads,
               limits const& within, experiment& to) {
  to.before = to.after = all.front().value;
  if (all.size() < 2)
    return;
  int halvings = 0;
  for (std::size_t others = all.size() - 1; others > 1; others = (others + 1) / 2)
    ++halvings;
  int const stages = halvings + 2;  // the last one takes twice as long
  int stage = 0;
  auto const within_stage = [&](int shares) {
    limits part = within;
    part.seconds = within.seconds * shares / stages;
    return part;
  };
  measurement measured(all, workloads);
  std::vector<std::size_t> alive(all.size());
  for (std::size_t c = 0; c < all.size(); ++c)
    alive[c] = c;
  std::vector<trial> trials(all.size());
  auto const run = [&](int shares) {
    measured.run(alive, within_stage(shares),
                 [&](double part) { within.progress((stage + part * shares) / stages); });
    stage += shares;
    for (std::size_t const c : alive)
      trials[c] = measured.trial_of(c);
  };
  while (alive.size() > 2) {
    measured.clear();
    run(1);
    std::sort(alive.begin() + 1, alive.end(),
              [&](std::size_t a, std::size_t b) { return trials[a].ratio < trials[b].ratio; });
    alive.resize(1 + alive.size() / 2);
  }
  measured.clear();
  run(2);
  std::size_t const best = alive[1];
  for (std::size_t w = 0; w < workloads.size(); ++w)
    to.comparisons.push_back(measured.comparison_of(best, w));
  if (is_clear_gain(trials[best], to.comparisons))
    to.after = all[best].value;
  to.trials = trials;
}

trial compare(candidate const& before, candidate const& after,
              std::vector<workload_id> const& workloads, limits const& within,
              std::vector<comparison>& to) {
  std::vector<candidate> const both{before, after};
  measurement measured(both, workloads);
  measured.run({0, 1}, within, within.progress);
  for (std::size_t w = 0; w < workloads.size(); ++w)
    to.push_back(measured.comparison_of(1, w));
  return measured.trial_of(1);
}

}  // namespace sam::tune
