// SPDX-License-Identifier: MIT
// Sets the tuning values of the host engine when the first context is made.
#pragma once

#include <sam/base/tuning_files.hpp>
#include <sam/host/memory/tuning.hpp>

namespace sam::inline v0_1::host {

/// Returns the name of the CPU, by which tables are matched.
inline std::string device_name() {
  std::string name;
#ifdef __x86_64__
  unsigned words[12] = {}, id[4] = {};
  for (unsigned k = 0; k < 3; ++k)
    __get_cpuid(0x80000002 + k, words + 4 * k, words + 4 * k + 1, words + 4 * k + 2,
                words + 4 * k + 3);
  __get_cpuid(1, id, id + 1, id + 2, id + 3);
  for (unsigned const word : words)
    for (int shift = 0; shift < 32; shift += 8)
      if (char const c = static_cast<char>(word >> shift & 0xff);
          c != '\0' && !(c == ' ' && (name.empty() || name.back() == ' ')))
        name += c;
  while (!name.empty() && name.back() == ' ')
    name.pop_back();
  name += ", family " + std::to_string((id[0] >> 8 & 0xf) + (id[0] >> 20 & 0xff)) + ", model " +
          std::to_string((id[0] >> 4 & 0xf) + (id[0] >> 12 & 0xf0));
#else
  std::string const path = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";
  if (!engine::read_table_file(path.c_str(), name).empty())
    name = "unknown CPU";
  while (!name.empty() && name.back() == '\n')
    name.pop_back();
#endif
  return name;
}

/// Sets `tuned` at the first call. Returns where its values come from.
inline engine::tuning_source const& load_tuning() {
  static engine::tuning_source const source = [] {
    engine::tuning_source from;
    from.text = *tuning::table != '\0' ? tuning::table : "the defaults";
    engine::load_tables(
        "host", [] { return host::device_name(); }, all_tunables, tuned, from);
    return from;
  }();
  return source;
}

}  // namespace sam::inline v0_1::host
