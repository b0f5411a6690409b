// SPDX-License-Identifier: MIT
// Checks the limit on threads of Kokkos's OpenMP space, which Kokkos itself does not check.
#pragma once

#include <sam/error.hpp>

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace sam::inline v0_1::kokkos::detail {

/// Returns the positive number that follows `name` in `text`, or `otherwise` if anything else is
/// there.
inline int number_behind(std::string_view name, std::string_view text, int otherwise) {
  if (!text.starts_with(name))
    return otherwise;
  std::string_view const digits = text.substr(name.size());
  int number = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool const is_number = error == std::errc() && end == digits.data() + digits.size();
  return is_number && number > 0 ? number : otherwise;
}

/// Throws sam::device_error if Kokkos::initialize would start more OpenMP threads than its space
/// supports. Kokkos keeps a pointer per thread in an array of 512 (OpenMPTraits::MAX_THREAD_COUNT
/// in Kokkos 5.2) and writes past its end, which hangs or crashes.
inline void expect_openmp_threads([[maybe_unused]] int argc, [[maybe_unused]] char** argv,
                                  [[maybe_unused]] std::source_location at) {
#ifdef KOKKOS_ENABLE_OPENMP
  constexpr int most = 512;
  int threads = std::min(omp_get_max_threads(), omp_get_thread_limit());
  if (char const* const setting = std::getenv("KOKKOS_NUM_THREADS"))
    threads = number_behind("", setting, threads);
  for (int k = 0; k < argc && argv != nullptr && argv[k] != nullptr; ++k)
    threads = number_behind("--kokkos-num-threads=", argv[k], threads);
  if (threads > most)
    sam::detail::fail<device_error>(
        "sam::kokkos::runtime",
        "OpenMP is to run " + std::to_string(threads) +
            " threads, but Kokkos' OpenMP space has room for " + std::to_string(most) +
            "; set OMP_NUM_THREADS or KOKKOS_NUM_THREADS to that or less",
        at);
#endif
}

}  // namespace sam::inline v0_1::kokkos::detail
