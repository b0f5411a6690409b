// SPDX-License-Identifier: MIT
// The version of the library. This header includes nothing, and any compiler can read it.
#pragma once

/// The version as one number, for `#if`: 10000 * major + 100 * minor + patch.
#define SAM_VERSION 100

#ifdef __cplusplus
namespace sam {

/// A version in three numbers.
struct version_number {
  int major;
  int minor;
  int patch;
};

/// Returns the version of the headers that the program is compiled with. It is a constant
/// expression: `static_assert(sam::version().major == 0)`.
constexpr version_number version() noexcept {
  return {SAM_VERSION / 10000, SAM_VERSION / 100 % 100, SAM_VERSION % 100};
}

}  // namespace sam
#endif
