// SPDX-License-Identifier: MIT
// Converts error codes of a device's run-time library, and failed host allocations, to the
// exceptions of this library.
#pragma once

#include <sam/error.hpp>
#include <sam/launch/platform.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Throws out_of_memory or device_error if `status` is an error. `doing` completes the message
/// "could not ...", which ends with the text of the run-time library's error.
inline void check(platform::status status, std::string_view doing,
                  std::source_location at = std::source_location::current()) {
  if (status == platform::success)
    return;
  platform::clear_error();
  auto const what = [&] {
    return "could not " + std::string(doing) + ": " + platform::text_of(status);
  };
  if (status == platform::out_of_memory)
    sam::throw_out_of_memory(platform::name, what, at);
  sam::detail::fail<device_error>(platform::name, what(), at);
}

/// Calls f() and returns its result. Converts a std::bad_alloc from it to sam::out_of_memory.
template <class F>
decltype(auto) with_host_memory(F const& f) {
  return sam::detail::catch_error<std::bad_alloc>(f, [](std::bad_alloc const& failure) {
    sam::throw_out_of_memory(
        platform::name, [&] { return failure.what(); }, std::source_location::current());
  });
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
