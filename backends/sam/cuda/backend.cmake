# SPDX-License-Identifier: MIT
# This file defines the CUDA back end, for devices from compute capability 7.5 on.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80 90)
endif()
enable_language(CUDA)
find_package(CUDAToolkit 12.4 REQUIRED)
option(SAM_NVTX "Name calls and kernels for NVIDIA's profilers" OFF)
sam_add_backend(cuda DEVICE_MEMORY LANGUAGE CUDA LINK CUDA::cudart_static $<$<BOOL:${SAM_NVTX}>:CUDA::nvtx3>
                FIND_DEPENDENCY CUDAToolkit 12.4)
if(SAM_NVTX)
  target_compile_definitions(sam_cuda INTERFACE SAM_NVTX)
endif()
# CMake before 3.25.2 does not know that nvcc supports C++20 and omits the option.
target_compile_options(sam_cuda INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
