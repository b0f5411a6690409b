# SPDX-License-Identifier: MIT
# CUDA devices from compute capability 7.5.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80 90)
endif()
enable_language(CUDA)
find_package(CUDAToolkit 12.4 REQUIRED)
option(SAM_NVTX "Name calls and passes for NVIDIA's profilers" OFF)
sam_add_backend(cuda DEVICE_MEMORY LANGUAGE CUDA LINK CUDA::cudart_static $<$<BOOL:${SAM_NVTX}>:CUDA::nvtx3>
                FIND_DEPENDENCY CUDAToolkit 12.4)
if(SAM_NVTX)
  target_compile_definitions(sam_cuda INTERFACE SAM_NVTX)
endif()
# CMake before 3.25.2 drops the standard that it does not know of nvcc.
target_compile_options(sam_cuda INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
