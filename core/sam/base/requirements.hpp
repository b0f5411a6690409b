// SPDX-License-Identifier: MIT
// Rejects compilers and language standards that the library does not support. Every header but
// version.hpp includes this one first, so that the first error names the cause.
#pragma once

// g++ 10 and nvcc before 12.4 are untested. Clang 15 does not initialise aggregates with
// parentheses; Apple's clang 15 is based on clang 16.
#if !defined(__GNUC__)
#error "sam needs g++ 11 or later, or clang 16 or later"
#define SAM_UNMET_REQUIREMENT
#elif defined(__apple_build_version__) && __clang_major__ < 15
#error "sam needs Apple clang 15 or later, or g++ 11 or later"
#define SAM_UNMET_REQUIREMENT
#elif defined(__clang__) && !defined(__apple_build_version__) && __clang_major__ < 16
#error "sam needs clang 16 or later, or g++ 11 or later"
#define SAM_UNMET_REQUIREMENT
#elif !defined(__clang__) && __GNUC__ < 11
#error "sam needs g++ 11 or later, or clang 16 or later"
#define SAM_UNMET_REQUIREMENT
#elif defined(__NVCC__) && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1204
#error "sam needs nvcc 12.4 or later"
#define SAM_UNMET_REQUIREMENT
#elif defined(__NVCC__) && __cplusplus < 202002L
#error "sam needs C++20: pass -std=c++20 to nvcc; CMake before 3.25.2 drops CUDA_STANDARD 20"
#define SAM_UNMET_REQUIREMENT
#elif __cplusplus < 202002L
#error "sam needs C++20: pass -std=c++20"
#define SAM_UNMET_REQUIREMENT
#endif

// Compilers continue after #error and would add hundreds of errors. A missing header stops them.
#ifdef SAM_UNMET_REQUIREMENT
#include <sam_stops_here_because_of_the_error_above>
#endif
