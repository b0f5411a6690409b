// SPDX-License-Identifier: MIT
// Lists the released tuning tables and chooses the one of the device that is most like a given
// device. The files of these tables are backends/sam/cuda/tuning/*.json, and a test compares both.
#pragma once

#include <sam/cuda/runtime/tuning.hpp>

#include <cmath>
#include <string_view>

namespace sam::inline v0_1::cuda {

/// Holds the properties of a device by which devices are compared.
struct device_properties {
  int capability;  // 10 * major + minor
  int multiprocessors;
  index_t shared_bytes;  // of a block, at most
  index_t l2_bytes;
};

/// A released table: a device, its properties and its values.
struct released_table {
  char const* name;
  char const* device;  // the beginning of the names of such devices
  device_properties properties;
  bool is_measured;  // on such a device; if not, elsewhere with limits like its own
  tunables values;
};

inline constexpr released_table released_tables[] = {
    {"h100", "NVIDIA H100", {90, 132, 232448, 52428800}, true, {}},
    {"h200", "NVIDIA H200", {90, 132, 232448, 62914560}, true, {.exact_scan_stages = 5}},
    {"a100", "NVIDIA A100", {80, 108, 166912, 41943040}, false, {.exact_scan_stages = 5}},
    {"rtx",
     "NVIDIA GeForce RTX 4090",
     {89, 128, 101376, 75497472},
     false,
     {.sort_narrow_warps = 8, .scan_blocks = 1}},
    {"t4", "Tesla T4", {75, 40, 65536, 4194304}, false, {}},
};

/// Returns how different two devices are: 0 if they have the same properties. A generation counts
/// as much as twice the resources.
inline double distance(device_properties const& a, device_properties const& b) {
  auto const ratio = [](double x, double y) {
    return std::abs(std::log2((x > 1 ? x : 1) / (y > 1 ? y : 1)));
  };
  return std::abs(a.capability - b.capability) / 10.0 +
         ratio(double(a.multiprocessors), double(b.multiprocessors)) +
         ratio(double(a.shared_bytes), double(b.shared_bytes)) +
         ratio(double(a.l2_bytes), double(b.l2_bytes)) / 2;
}

/// A released table, and true if it is for devices of this name.
struct table_choice {
  released_table const& table;
  bool is_exact;

  /// Says what the table has to do with the device.
  char const* relation() const {
    if (!is_exact)
      return "of the nearest device";
    return table.is_measured ? "for this device" : "for this device, but measured on another one";
  }
};

/// Returns the released table for a device: by its name, or else that of the nearest device.
inline table_choice choose_table(std::string_view device, device_properties const& properties) {
  released_table const* nearest = nullptr;
  for (released_table const& known : released_tables) {
    if (device.substr(0, std::string_view(known.device).size()) == known.device)
      return {known, true};
    if (nearest == nullptr || cuda::distance(properties, known.properties) <
                                  cuda::distance(properties, nearest->properties))
      nearest = &known;
  }
  return {*nearest, false};
}

}  // namespace sam::inline v0_1::cuda
