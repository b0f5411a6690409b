// SPDX-License-Identifier: MIT
// Implements tuner.hpp, but for the report.
#include "tune/tuner.hpp"

#include "tune/plan.hpp"
#include "tune/program.hpp"
#include "tune/search.hpp"
#include "tune/table.hpp"
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace sam::tune {

namespace {

using values = std::map<std::string, index_t>;

void must_write(std::string const& path, std::string const& text) {
  if (std::string const problem = write_file(path, text); !problem.empty())
    throw std::runtime_error(problem);
}

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * part);
  return text;
}

class tuner {
 public:
  tuner(machine& on, tuner_options const& options)
      : on_(on), options_(options), model_(model_of(on)) {
    for (setting const& known : on.settings())
      defaults_[known.name] = known.value;
    found_.engine = on.engine();
    found_.device = on.device();
    found_.facts = on.facts();
  }

  results run() {
    resume();
    std::vector<search> left;
    for (search const& next : searches_for(found_.engine))
      if (is_wanted(next))
        left.push_back(next);
    for (std::size_t k = 0; k < left.size(); ++k) {
      double const remaining = seconds_left();
      if (remaining <= 0) {
        options_.say("the time is over; run again to search the other " +
                     std::to_string(left.size() - k) + " values");
        return finish(false);
      }
      // The check at the end takes as long as two searches.
      run_search(left[k], remaining / static_cast<double>(left.size() - k + 2));
      must_write(partial(), table_text(found_));
    }
    verify(seconds_left());
    return finish(true);
  }

  results compare_with(values const& other) {
    std::vector<search> differing, built;
    for (search const& known : searches_for(found_.engine))
      if (other.contains(known.name) && other.at(known.name) != defaults_.at(known.name))
        (known.at_build_time ? built : differing).push_back(known);
    double const share =
        options_.minutes * 60 / static_cast<double>(built.size() + (differing.empty() ? 0 : 1));
    for (search const& known : built)
      compare_built(known, other.at(known.name), share);
    std::vector<workload_id> workloads;
    for (search const& known : differing) {
      add(workloads, known.workloads);
      experiment& e = found_.experiments.emplace_back();
      e.name = known.name;
      e.before = defaults_.at(known.name);
      e.after = other.at(known.name);
    }
    if (!workloads.empty())
      measure_all(workloads, share);
    return found_;
  }

 private:
  std::string partial() const { return options_.out + ".partial"; }
  double seconds_left() const {
    return options_.minutes * 60 -
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void show(double left_at_end, double share, double part, std::string const& doing) const {
    double const all = options_.minutes * 60;
    options_.progress(std::clamp((all - left_at_end - share + share * part) / all, 0.0, 1.0),
                      doing);
  }

  void resume() {
    std::string text;
    if (options_.fresh || !read_text(partial(), text).empty())
      return;
    results before;
    if (!read_results(text, found_.engine, found_.device, before)) {
      options_.say(partial() + " is damaged or of another machine; starting anew");
      return;
    }
    found_.experiments = before.experiments;
    for (experiment const& e : found_.experiments)
      on_.set(e.name, e.after);
    options_.say("going on after the " + std::to_string(found_.experiments.size()) +
                 " values of an earlier run");
  }

  bool is_wanted(search const& next) const {
    bool const is_done = std::ranges::find(found_.experiments, next.name, &experiment::name) !=
                         found_.experiments.end();
    bool const is_named =
        options_.only.empty() || std::ranges::find(options_.only, next.name) != options_.only.end();
    bool const can_change =
        !next.at_build_time ||
        std::ranges::find(options_.variants, next.name, &variant::name) != options_.variants.end();
    return is_named && can_change && !is_done && defaults_.contains(next.name);
  }

  void run_search(search const& next, double share) {
    experiment e;
    e.name = next.name;
    e.before = e.after = defaults_.at(next.name);
    std::vector<std::unique_ptr<program>> programs;
    std::vector<candidate> const all = candidates_of(next, e, programs);
    double const left_at_end = seconds_left() - share;
    if (all.size() > 1) {
      limits within;
      within.seconds = share;
      within.progress = [&](double part) { show(left_at_end, share, part, next.name); };
      std::vector<workload_id> const workloads = affordable(next.workloads, share, all.size());
      if (!workloads.empty())
        find_best(all, workloads, within, e);
    }
    on_.set(e.name, e.after);
    on_.forget();
    found_.experiments.push_back(e);
    say_result(e);
  }

  std::vector<candidate> candidates_of(search const& next, experiment& e,
                                       std::vector<std::unique_ptr<program>>& programs) {
    std::vector<candidate> all{{e.before, &on_, [this, &e] { on_.set(e.name, e.before); }}};
    for (index_t const value : next.candidates) {
      if (value == e.before)
        continue;
      if (std::string const why = rejected_by(model_, next.name, value); !why.empty()) {
        e.rejected.push_back({value, why});
        continue;
      }
      if (!next.at_build_time) {
        all.push_back({value, &on_, [this, &e, value] { on_.set(e.name, value); }});
        continue;
      }
      for (variant const& built : options_.variants)
        if (built.name == next.name && built.value == value) {
          programs.push_back(std::make_unique<program>(built.path));
          program* const on = programs.back().get();
          for (experiment const& done : found_.experiments)
            on->set(done.name, done.after);
          all.push_back({value, on, [] {}});
        }
    }
    return all;
  }

  /// Compares the default of a value of the build with another value, if a variant has it.
  void compare_built(search const& known, index_t value, double share) {
    experiment e;
    e.name = known.name;
    e.before = defaults_.at(known.name);
    e.after = value;
    search const only{known.name, {value}, known.workloads, true};
    std::vector<std::unique_ptr<program>> programs;
    std::vector<candidate> const both = candidates_of(only, e, programs);
    std::vector<workload_id> const workloads = affordable(known.workloads, share, both.size());
    if (both.size() == 2 && !workloads.empty()) {
      limits within;
      within.seconds = share;
      e.trials.push_back(compare(both[0], both[1], workloads, within, e.comparisons));
      e.trials.back().value = value;
    }
    found_.experiments.push_back(e);
  }

  /// Leaves out the slowest calls until each candidate can be measured a few times.
  std::vector<workload_id> affordable(std::vector<workload_id> const& wanted, double share,
                                      std::size_t candidates) {
    std::vector<std::pair<double, workload_id>> costs;
    for (workload_id const& what : wanted)
      if (double const seconds = on_.seconds(what); seconds >= 0)
        costs.emplace_back(seconds, what);
    std::ranges::sort(costs, {}, &std::pair<double, workload_id>::first);
    double all = 0;
    std::vector<workload_id> kept;
    for (auto const& [seconds, what] : costs) {
      all += seconds * std::clamp(65536.0 / static_cast<double>(what.n), 1.0, 16.0);  // a batch
      if (kept.empty() || all * static_cast<double>(candidates) * 12 < share)
        kept.push_back(what);
    }
    return kept;
  }

  void say_result(experiment const& e) const {
    std::string text = e.name + ": ";
    if (e.trials.empty())
      text += "not measured" + (e.rejected.empty() ? "" : ", since " + e.rejected.front().why);
    else if (e.after == e.before)
      text += "stays " + value_text(e.name, e.before) + ", no clear gain among " +
              std::to_string(e.trials.size() - 1) + " others";
    else
      text += value_text(e.name, e.after) + " instead of " + value_text(e.name, e.before) +
              ", calls take " +
              percent(1 - std::ranges::find(e.trials, e.after, &trial::value)->ratio) + " less";
    options_.say(text);
  }

  static void add(std::vector<workload_id>& to, std::vector<workload_id> const& more) {
    for (workload_id const& what : more)
      if (std::ranges::find(to, what) == to.end())
        to.push_back(what);
  }

  /// Measures all chosen values together against the defaults. Values that change only when the
  /// program is built are not among them.
  void measure_all(std::vector<workload_id> const& workloads, double share) {
    auto const set_all = [&](bool after) {
      for (experiment const& e : found_.experiments)
        on_.set(e.name, after ? e.after : e.before);
    };
    candidate const before{0, &on_, [&] { set_all(false); }},
        after{1, &on_, [&] { set_all(true); }};
    double const left_at_end = seconds_left() - share;
    limits within;
    within.seconds = share;
    within.progress = [&](double part) { show(left_at_end, share, part, "checking all values"); };
    auto const kept = affordable(workloads, share, 2);
    if (kept.empty())
      return;
    trial const total = compare(before, after, kept, within, found_.verified);
    found_.total_ratio = total.ratio;
    found_.total_error = total.error;
  }

  void verify(double share) {
    std::vector<workload_id> workloads;
    for (search const& known : searches_for(found_.engine))
      for (experiment const& e : found_.experiments)
        if (e.name == known.name && e.after != e.before && !known.at_build_time)
          add(workloads, known.workloads);
    if (workloads.empty())
      return;
    measure_all(workloads, std::max(share, 1.0));
    if (-std::log(found_.total_ratio) > 2 * found_.total_error)
      return;
    options_.say("together the values gain nothing that is clear, so the table keeps the defaults");
    for (experiment& e : found_.experiments)
      e.after = e.before;
  }

  results finish(bool is_complete) {
    found_.is_complete = is_complete;
    must_write(is_complete ? options_.out : partial(), table_text(found_));
    if (is_complete)
      unlink(partial().c_str());
    if (!options_.report.empty())
      must_write(options_.report, report_text(found_));
    return found_;
  }

  machine& on_;
  tuner_options const& options_;
  model model_;
  values defaults_;
  results found_;
  std::chrono::steady_clock::time_point const start_ = std::chrono::steady_clock::now();
};

}  // namespace

results tune(machine& on, tuner_options const& options) { return tuner(on, options).run(); }

results compare_table(machine& on, std::string const& path, tuner_options const& options) {
  std::string text;
  values other;
  std::string problem = read_text(path, text);
  if (problem.empty())
    problem = read_any_values(text, on, other);
  if (!problem.empty())
    throw std::runtime_error("the tuning table " + path + " " + problem);
  return tuner(on, options).compare_with(other);
}

std::string comparison_text(results const& of) {
  std::string text;
  char line[256];
  auto const add = [&](std::vector<comparison> const& rows) {
    for (comparison const& c : rows) {
      std::snprintf(line, sizeof line,
                    "%-16s %10lld items  default %10.2f us (+- %4.1f %%)  table %10.2f us "
                    "(+- %4.1f %%)  time %.3f\n",
                    c.what.name.c_str(), static_cast<long long>(c.what.n), c.before * 1e6,
                    100 * c.before_spread, c.after * 1e6, 100 * c.after_spread, c.after / c.before);
      text += line;
    }
  };
  for (experiment const& e : of.experiments) {
    std::snprintf(line, sizeof line, "%-24s %s instead of %s\n", e.name.c_str(),
                  tune::value_text(e.name, e.after).c_str(),
                  tune::value_text(e.name, e.before).c_str());
    text += line;
    add(e.comparisons);
    for (trial const& t : e.trials) {
      std::snprintf(line, sizeof line,
                    "with this value, calls take %.3f of the time (standard error %.3f)\n", t.ratio,
                    t.error);
      text += line;
    }
  }
  if (of.verified.empty())
    return text + "no other value differs from the defaults\n";
  add(of.verified);
  std::snprintf(line, sizeof line,
                "with the table, calls take %.3f of the time with the defaults "
                "(standard error %.3f)\n",
                of.total_ratio, of.total_error);
  return text + line;
}

std::string value_text(std::string const& name, index_t value) {
  if (!name.ends_with("_bytes") || value < 1024 || value % 1024 != 0)
    return std::to_string(value);
  return value % (1024 * 1024) == 0 ? std::to_string(value >> 20) + " MiB"
                                    : std::to_string(value >> 10) + " KiB";
}

}  // namespace sam::tune
