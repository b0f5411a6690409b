// SPDX-License-Identifier: MIT
// Sets the tuning values of the host engine when the first context is made.
#pragma once

#include <sam/base/tuning_files.hpp>
#include <sam/host/memory/tuning.hpp>

namespace sam::inline v0_1::host {

/// Writes the name of the CPU, by which tables are matched.
[[gnu::noinline, gnu::cold]] inline void name_device(void const*, char (&name)[256]) {
#ifdef __x86_64__
  unsigned id[4] = {}, words[13] = {};
  for (unsigned k = 0; k < 3; ++k)
    __get_cpuid(0x80000002 + k, words + 4 * k, words + 4 * k + 1, words + 4 * k + 2,
                words + 4 * k + 3);
  __get_cpuid(1, id, id + 1, id + 2, id + 3);
  char text[sizeof words];
  std::memcpy(text, words, sizeof words);
  int size = 0;
  for (char const* from = text; *from != '\0'; ++from)
    if (*from != ' ' || (size > 0 && text[size - 1] != ' '))
      text[size++] = *from;
  while (size > 0 && text[size - 1] == ' ')
    --size;
  std::snprintf(name, sizeof name, "%.*s, family %u, model %u", size, text,
                (id[0] >> 8 & 0xf) + (id[0] >> 20 & 0xff),
                (id[0] >> 4 & 0xf) + (id[0] >> 12 & 0xf0));
#else
  std::FILE* const file =
      std::fopen("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "r");
  if (file == nullptr || std::fscanf(file, "%255s", name) != 1)
    std::snprintf(name, sizeof name, "unknown CPU");
  if (file != nullptr)
    std::fclose(file);
#endif
}

inline std::string device_name() {
  char name[256];
  host::name_device(nullptr, name);
  return name;
}

/// Sets `tuned` and returns where its values come from.
[[gnu::noinline, gnu::cold]] inline engine::tuning_source find_tuning() {
  engine::tuning_source from;
  if (*tuning::table != '\0')
    std::snprintf(from.text, sizeof from.text, "%s", tuning::table);
  engine::load_tables("host", &name_device, nullptr, all_tunables, tuned, from);
  return from;
}
/// Sets `tuned` at the first call. Returns where its values come from.
inline engine::tuning_source const& load_tuning() {
  static engine::tuning_source const source = host::find_tuning();
  return source;
}

}  // namespace sam::inline v0_1::host
