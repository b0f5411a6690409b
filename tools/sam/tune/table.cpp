// SPDX-License-Identifier: MIT
// Implements table.hpp.
#include "tune/table.hpp"

#include <sam/base/tuning_table.hpp>

#include "tune/json_cursor.hpp"
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace sam::tune {

namespace {

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "\"";
}

std::string version_text() {
  auto const [major, minor, patch] = sam::version();
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

/// Writes items between brackets, one on each line.
template <class Items, class Write>
void write_list(std::ostream& to, char const* name, Items const& items, std::string const& indent,
                Write const& write) {
  to << indent << '"' << name << "\": [";
  char const* between = "\n";
  for (auto const& item : items) {
    to << between << indent << "  ";
    write(item);
    between = ",\n";
  }
  to << "\n" << indent << "]";
}

void write_comparisons(std::ostream& to, char const* name, std::vector<comparison> const& all,
                       std::string const& indent) {
  write_list(to, name, all, indent, [&](comparison const& c) {
    to << "{\"call\": " << quoted(c.what.name) << ", \"n\": " << c.what.n
       << ", \"before_seconds\": " << c.before << ", \"before_spread\": " << c.before_spread
       << ", \"after_seconds\": " << c.after << ", \"after_spread\": " << c.after_spread << "}";
  });
}

void write_experiment(std::ostream& to, experiment const& of) {
  to << "{\"name\": " << quoted(of.name) << ", \"before\": " << of.before
     << ", \"after\": " << of.after << ",\n";
  write_list(to, "trials", of.trials, "     ", [&](trial const& t) {
    to << "{\"value\": " << t.value << ", \"ratio\": " << t.ratio << ", \"error\": " << t.error
       << ", \"repeats\": " << t.repeats << "}";
  });
  to << ",\n";
  write_list(to, "rejected", of.rejected, "     ", [&](rejection const& r) {
    to << "{\"value\": " << r.value << ", \"why\": " << quoted(r.why) << "}";
  });
  to << ",\n";
  write_comparisons(to, "comparisons", of.comparisons, "     ");
  to << "}";
}

/// Reads the members of an object into variables. Unknown members are skipped.
class members {
 public:
  explicit members(json_cursor& cursor) : cursor_(cursor) {}
  bool operator()(std::string& to) const { return cursor_.string(to); }
  bool operator()(index_t& to) const { return cursor_.integer(to); }
  bool operator()(double& to) const {
    char* end = nullptr;
    char const* const from = cursor_.where();
    to = std::strtod(from, &end);
    return end != from && cursor_.skip();
  }
  bool comparisons(std::vector<comparison>& to) const {
    return cursor_.array([&] {
      comparison& c = to.emplace_back();
      return cursor_.object([&](std::string const& name) {
        return name == "call"             ? (*this)(c.what.name)
               : name == "n"              ? (*this)(c.what.n)
               : name == "before_seconds" ? (*this)(c.before)
               : name == "before_spread"  ? (*this)(c.before_spread)
               : name == "after_seconds"  ? (*this)(c.after)
               : name == "after_spread"   ? (*this)(c.after_spread)
                                          : cursor_.skip();
      });
    });
  }
  bool trials(std::vector<trial>& to) const {
    return cursor_.array([&] {
      trial& t = to.emplace_back();
      return cursor_.object([&](std::string const& name) {
        return name == "value"     ? (*this)(t.value)
               : name == "ratio"   ? (*this)(t.ratio)
               : name == "error"   ? (*this)(t.error)
               : name == "repeats" ? (*this)(t.repeats)
                                   : cursor_.skip();
      });
    });
  }
  bool rejections(std::vector<rejection>& to) const {
    return cursor_.array([&] {
      rejection& r = to.emplace_back();
      return cursor_.object([&](std::string const& name) {
        return name == "value" ? (*this)(r.value) : name == "why" ? (*this)(r.why) : cursor_.skip();
      });
    });
  }
  bool experiments(std::vector<experiment>& to) const {
    return cursor_.array([&] {
      experiment& e = to.emplace_back();
      return cursor_.object([&](std::string const& name) {
        return name == "name"          ? (*this)(e.name)
               : name == "before"      ? (*this)(e.before)
               : name == "after"       ? (*this)(e.after)
               : name == "trials"      ? trials(e.trials)
               : name == "rejected"    ? rejections(e.rejected)
               : name == "comparisons" ? comparisons(e.comparisons)
                                       : cursor_.skip();
      });
    });
  }

 private:
  json_cursor& cursor_;
};

}  // namespace

std::string table_text(results const& of) {
  std::ostringstream to;
  to.precision(5);
  to << "{\n  \"sam_tuning\": " << engine::tuning_format
     << ",\n  \"sam\": " << quoted(version_text()) << ",\n  \"engine\": " << quoted(of.engine)
     << ",\n  \"device\": " << quoted(of.device) << ",\n  \"facts\": {";
  char const* between = "";
  for (auto const& [name, value] : of.facts) {
    to << between << quoted(name) << ": " << quoted(value);
    between = ", ";
  }
  to << "},\n  \"values\": {";
  between = "";
  for (experiment const& e : of.experiments)
    if (e.after != e.before) {
      to << between << quoted(e.name) << ": " << e.after;
      between = ", ";
    }
  to << "},\n  \"time_against_defaults\": " << of.total_ratio
     << ",\n  \"standard_error\": " << of.total_error << ",\n";
  write_comparisons(to, "verified", of.verified, "  ");
  to << ",\n";
  write_list(to, "experiments", of.experiments, "  ",
             [&](experiment const& e) { write_experiment(to, e); });
  to << "\n}\n";
  return to.str();
}

bool read_results(std::string const& text, std::string const& engine, std::string const& device,
                  results& to) {
  engine::table_header header;
  engine::table_problem problem;
  results found;
  json_cursor cursor(text.c_str());
  members const read(cursor);
  bool const is_whole =
      sam::engine::read_header(text.c_str(), header, problem) &&
      sam::engine::is_for(header, engine.c_str(), device.c_str(), problem) &&
      cursor.object([&](std::string const& name) {
        return name == "experiments" ? read.experiments(found.experiments) : cursor.skip();
      });
  to = is_whole ? found : results{};
  return is_whole;
}

std::string read_any_values(std::string const& text, machine const& of,
                            std::map<std::string, index_t>& to) {
  engine::table_header header;
  engine::table_problem problem;
  if (!engine::read_header(text.c_str(), header, problem))
    return problem.text;
  std::string const device(header.device.begin, static_cast<std::size_t>(header.device.size));
  if (!engine::is_for(header, of.engine().c_str(), device.c_str(), problem))
    return problem.text;
  std::vector<setting> const known = of.settings();
  engine::table_cursor cursor{header.values};
  engine::json_string name;
  index_t value = 0;
  cursor.take('{');
  for (bool first = true; engine::next_value(cursor, name, value, first, problem); first = false) {
    auto const at = std::ranges::find_if(
        known, [&](setting const& of_machine) { return name.is(of_machine.name.c_str()); });
    if (at == known.end() || value < at->least || value > at->most) {
      engine::refuse(problem, name, value, at == known.end() ? 1 : at->least,
                     at == known.end() ? 0 : at->most);
      break;
    }
    to[at->name] = value;
  }
  return problem.text;
}

std::string read_text(std::string const& path, std::string& to) {
  engine::table_problem problem;
  engine::table_file const file(path.c_str(), problem);
  if (!problem.found())
    to = file.text();
  return problem.text;
}

std::string write_file(std::string const& path, std::string const& text) {
  auto const problem = [&] { return "cannot write " + path + ": " + std::strerror(errno); };
  std::error_code failed;
  if (auto const folder = std::filesystem::path(path).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, failed);
  std::string temporary = path + ".XXXXXX";
  int const descriptor = mkstemp(temporary.data());
  if (descriptor < 0)
    return problem();
  std::FILE* const file = fdopen(descriptor, "wb");
  bool is_written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  is_written = file != nullptr && std::fflush(file) == 0 && fchmod(descriptor, 0644) == 0 &&
               fsync(descriptor) == 0 && is_written;
  if (file != nullptr)
    is_written = std::fclose(file) == 0 && is_written;
  if (is_written && std::rename(temporary.c_str(), path.c_str()) == 0)
    return "";
  std::string const why = problem();
  unlink(temporary.c_str());
  return why;
}

}  // namespace sam::tune
