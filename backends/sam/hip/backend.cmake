# SPDX-License-Identifier: MIT
# This file defines the HIP back end, for AMD GPUs.
#
# SAM_HIP_PLATFORM  amd, or nvidia: nvcc compiles HIP's headers for NVIDIA GPUs, which tests this back end where there is
#                   no AMD GPU. It needs HIP 5, whose headers SAM_HIP_INCLUDE_DIR names.
# SAM_HIP_LANGUAGE  ON: sources are in CMake's language HIP. OFF: clang compiles them by commands of their own, see
#                   cmake/SamHip.cmake. By default ON where CMake finds a compiler of HIP.
set(SAM_HIP_PLATFORM amd CACHE STRING "The GPUs of the HIP back end: amd, or nvidia for tests")
if(SAM_HIP_PLATFORM STREQUAL nvidia)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit 12.4 REQUIRED)
  find_path(SAM_HIP_INCLUDE_DIR hip/nvidia_detail/nvidia_hip_runtime_api.h REQUIRED DOC "The headers of HIP 5")
  sam_add_backend(hip DEVICE_MEMORY LANGUAGE CUDA LINK CUDA::cudart_static FIND_DEPENDENCY CUDAToolkit 12.4)
  target_include_directories(sam_hip SYSTEM INTERFACE $<BUILD_INTERFACE:${SAM_HIP_INCLUDE_DIR}>)
  target_compile_definitions(sam_hip INTERFACE __HIP_PLATFORM_NVIDIA__)
  target_compile_options(
    sam_hip INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-std=c++20 -include
                       ${PROJECT_SOURCE_DIR}/backends/sam/hip/device/on_nvidia.hpp>")
  return()
endif()

include(CheckLanguage)
check_language(HIP)
set(found OFF)
if(CMAKE_HIP_COMPILER)
  set(found ON)
endif()
option(SAM_HIP_LANGUAGE "Compile the HIP back end in CMake's language HIP" ${found})
unset(found)
include(SamHip)
if(NOT TARGET sam::hip_runtime)
  message(FATAL_ERROR "sam: the HIP back end needs the HIP runtime. tools/setup/get_hip .deps/hip unpacks that of "
                      "Debian; SAM_HIP_LIBRARY names another one.")
endif()
if(SAM_HIP_LANGUAGE)
  if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
    set(CMAKE_HIP_ARCHITECTURES ${SAM_HIP_ARCHITECTURES})
  endif()
  set(architectures ${CMAKE_HIP_ARCHITECTURES})
  enable_language(HIP)
  sam_add_backend(hip DEVICE_MEMORY LANGUAGE HIP LINK sam::hip_runtime FIND_MODULE SamHip)
  list(JOIN SAM_HIP_KERNEL_OPTIONS " " options)
  target_compile_options(sam_hip INTERFACE "$<$<COMPILE_LANGUAGE:HIP>:SHELL:-std=c++20 ${options}>")
  unset(options)
else()
  if(NOT SAM_HIP_COMPILER)
    message(FATAL_ERROR "sam: there is no compiler of HIP. tools/setup/get_hip .deps/hip unpacks one on Debian 12; "
                        "SAM_HIP_COMPILER names another one.")
  endif()
  set(architectures ${SAM_HIP_ARCHITECTURES})
  sam_add_backend(hip DEVICE_MEMORY LANGUAGE HIP_COMMANDS LINK sam::hip_runtime FIND_MODULE SamHip)
endif()

# A program is compiled for warps of 64 lanes (gfx9, CDNA), of 32 (gfx10 and later, RDNA), or for both.
set(wide ${architectures})
list(FILTER wide INCLUDE REGEX "^gfx9")
set(narrow ${architectures})
list(FILTER narrow INCLUDE REGEX "^gfx1")
if(wide AND narrow)
  target_compile_definitions(sam_hip INTERFACE SAM_HIP_WARP_SIZES=96)
elseif(narrow)
  target_compile_definitions(sam_hip INTERFACE SAM_HIP_WARP_SIZES=32)
else()
  target_compile_definitions(sam_hip INTERFACE SAM_HIP_WARP_SIZES=64)
endif()
unset(architectures)
unset(wide)
unset(narrow)
