// SPDX-License-Identifier: MIT
// Writes the report of the tuner: one page of HTML with plots, which needs no other file.
#include "tune/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sam::tune {

namespace {

std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string fixed(double x, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, x);
  return text;
}

std::string time_text(double seconds) {
  return seconds < 1e-4   ? fixed(seconds * 1e6, 1) + " us"
         : seconds < 1e-1 ? fixed(seconds * 1e3, 2) + " ms"
                          : fixed(seconds, 3) + " s";
}

/// Plots the time of each candidate relative to the default, with three standard errors.
std::string plot_of(experiment const& e) {
  std::vector<trial> all = e.trials;
  std::ranges::sort(all, {}, &trial::value);
  double low = 0.95, high = 1.05;
  for (trial const& t : all) {
    low = std::min(low, t.ratio * (1 - 3 * std::min(t.error, 0.2)));
    high = std::max(high, t.ratio * (1 + 3 * std::min(t.error, 0.2)));
  }
  int const step = 90, left = 60, height = 180;
  int const width = left + step * static_cast<int>(all.size()) + 10;
  auto const y_of = [&](double ratio) {
    return fixed(10 + (high - ratio) / (high - low) * (height - 20), 1);
  };
  std::ostringstream to;
  to << "<svg width=\"" << width << "\" height=\"" << height + 30 << "\" role=\"img\">\n";
  for (double const line : {low, 1.0, high})
    to << "<line x1=\"" << left << "\" x2=\"" << width << "\" y1=\"" << y_of(line) << "\" y2=\""
       << y_of(line) << "\" class=\"" << (line == 1.0 ? "one" : "grid") << "\"/><text x=\"4\" y=\""
       << y_of(line) << "\">" << fixed(line, 2) << "</text>\n";
  int x = left + step / 2;
  for (trial const& t : all) {
    char const* const kind = t.value == e.after    ? "chosen"
                             : t.value == e.before ? "default"
                                                   : "other";
    double const error = 3 * std::min(t.error, 0.2) * t.ratio;
    to << "<line x1=\"" << x << "\" x2=\"" << x << "\" y1=\"" << y_of(t.ratio - error) << "\" y2=\""
       << y_of(t.ratio + error) << "\" class=\"bar\"/><circle cx=\"" << x << "\" cy=\""
       << y_of(t.ratio) << "\" r=\"5\" class=\"" << kind << "\"><title>"
       << value_text(e.name, t.value) << ": " << fixed(t.ratio, 3) << ", " << t.repeats
       << " repeats</title></circle><text x=\"" << x << "\" y=\"" << height + 20
       << "\" text-anchor=\"middle\">" << value_text(e.name, t.value) << "</text>\n";
    x += step;
  }
  to << "</svg>\n";
  return to.str();
}

std::string table_of(std::vector<comparison> const& all, std::string const& other) {
  std::ostringstream to;
  to << "<table><tr><th>call</th><th>items</th><th>default</th><th>spread</th><th>" << other
     << "</th><th>spread</th><th>time</th></tr>\n";
  for (comparison const& c : all)
    to << "<tr><td>" << escaped(c.what.name) << "</td><td>" << c.what.n << "</td><td>"
       << time_text(c.before) << "</td><td>" << fixed(100 * c.before_spread, 1) << " %</td><td>"
       << time_text(c.after) << "</td><td>" << fixed(100 * c.after_spread, 1) << " %</td><td>"
       << fixed(c.before > 0 ? c.after / c.before : 1, 3) << "</td></tr>\n";
  to << "</table>\n";
  return to.str();
}

void write_experiment(std::ostream& to, experiment const& e) {
  to << "<h2>" << e.name << "</h2>\n<p>"
     << (e.after == e.before ? "Stays " + value_text(e.name, e.before) + "."
                             : "<b>" + value_text(e.name, e.after) + " instead of " +
                                   value_text(e.name, e.before) + ".</b>")
     << "</p>\n";
  if (e.trials.size() > 1)
    to << plot_of(e);
  for (rejection const& r : e.rejected)
    to << "<p>" << value_text(e.name, r.value) << " was not measured: " << escaped(r.why)
       << ".</p>\n";
  if (!e.comparisons.empty())
    to << "<details><summary>Calls under the default and the best other value</summary>\n"
       << table_of(e.comparisons, "other") << "</details>\n";
}

constexpr char const* head = R"(<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>sam tune</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .2em .8em; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr { border-bottom: 1px solid #ddd; }
svg text { font-size: 12px; } .grid { stroke: #ddd; } .one { stroke: #888; stroke-dasharray: 4; }
.bar { stroke: #68a; stroke-width: 2; } .other { fill: #fff; stroke: #68a; stroke-width: 2; }
.default { fill: #888; } .chosen { fill: #0a6; }
</style>
)";

}  // namespace

std::string report_text(results const& of) {
  std::ostringstream to;
  to << head << "<h1>Tuning of " << escaped(of.device) << "</h1>\n<table>\n";
  for (auto const& [name, value] : of.facts)
    to << "<tr><td>" << escaped(name) << "</td><td style=\"text-align:left\">" << escaped(value)
       << "</td></tr>\n";
  to << "</table>\n";
  auto const changed = std::ranges::count_if(
      of.experiments, [](experiment const& e) { return e.after != e.before; });
  to << "<p>" << of.experiments.size() << " values were searched, and " << changed << " changed. "
     << (of.is_complete ? "" : "The run is not complete. ") << "A change is taken "
     << "if calls take at least 2 % less, by more than three standard errors, and none takes more "
        "than 3 % more. Plots show times relative to the default (gray), with three standard "
        "errors; the chosen value is green.</p>\n";
  if (!of.verified.empty())
    to << "<h2>All chosen values together</h2>\n<p>Calls take " << fixed(of.total_ratio, 3)
       << " of the time with the defaults (geometric mean; standard error "
       << fixed(of.total_error, 3) << ").</p>\n"
       << table_of(of.verified, "tuned");
  for (experiment const& e : of.experiments)
    write_experiment(to, e);
  to << "</html>\n";
  return to.str();
}

}  // namespace sam::tune
