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

# sam::cuda_kernels has sorts, scans, compactions and reductions of standard types compiled. Programs that link it in place of sam::cuda
# do not compile them. It is built where something links it, and installed where SAM_CUDA_KERNELS is on.
option(SAM_CUDA_KERNELS "Build and install sam::cuda_kernels: compiled kernels of standard types" OFF)
set(exclude EXCLUDE_FROM_ALL)
if(SAM_CUDA_KERNELS)
  set(exclude "")
endif()
file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/backends/sam/cuda/kernels/*.cu)
add_library(sam_cuda_kernels STATIC ${exclude} ${kernels})
add_library(sam::cuda_kernels ALIAS sam_cuda_kernels)
target_link_libraries(sam_cuda_kernels PUBLIC sam_cuda)
target_compile_definitions(sam_cuda_kernels INTERFACE SAM_CUDA_KERNELS)
set_target_properties(sam_cuda_kernels PROPERTIES EXPORT_NAME cuda_kernels POSITION_INDEPENDENT_CODE ON)
if(SAM_CUDA_KERNELS)
  install(TARGETS sam_cuda_kernels EXPORT sam-cuda)
endif()
unset(exclude)
unset(kernels)
