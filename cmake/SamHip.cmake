# SPDX-License-Identifier: MIT
# Compiles HIP sources by clang, by commands of their own, for machines where CMake's language HIP does not work: that of
# Debian 12, for one. The rest of a program is compiled by the compiler of C++, which also links it.
#
# sam_add_hip_sources(<target> <source>...)
#   adds the objects of the sources to the target, with its include folders and definitions
#
# SAM_HIP_COMPILER       clang++, or a command that calls it, with what it needs to find the device libraries
# SAM_HIP_ARCHITECTURES  the GPUs to compile for, such as gfx90a;gfx942
# SAM_HIP_FLAGS          further options
include_guard(GLOBAL)

find_program(SAM_HIP_COMPILER NAMES hip-clang++ amdclang++ clang++-19 hipcc
             HINTS ${CMAKE_CURRENT_LIST_DIR}/../.deps/hip/bin PATHS /opt/rocm/bin
             DOC "Compiles HIP sources where CMake's language HIP does not work")
set(SAM_HIP_ARCHITECTURES gfx90a gfx942 CACHE STRING "The AMD GPUs to compile for")
set(SAM_HIP_FLAGS "" CACHE STRING "Further options for HIP sources")
mark_as_advanced(SAM_HIP_COMPILER)
# The options of kernels. Kernels call nothing: otherwise clang keeps some large lambdas apart, and what they refer to
# in memory. hipcc passes these options, too.
set(SAM_HIP_KERNEL_OPTIONS -Wno-cuda-compat -Wno-pass-failed -mllvm -amdgpu-early-inline-all=true -mllvm -amdgpu-function-calls=false)

# Defines sam::hip_runtime, the HIP runtime for host compilers.
get_filename_component(prefix "${SAM_HIP_COMPILER}" REALPATH)
get_filename_component(prefix "${prefix}" DIRECTORY)
get_filename_component(prefix "${prefix}" DIRECTORY)
find_library(SAM_HIP_LIBRARY amdhip64 HINTS ${prefix}/usr/lib/x86_64-linux-gnu ${prefix}/lib
             PATHS /opt/rocm/lib DOC "The HIP runtime")
find_path(SAM_HIP_INCLUDE_DIR hip/hip_runtime.h HINTS ${prefix}/usr/include ${prefix}/include
          PATHS /opt/rocm/include DOC "The headers of HIP")
mark_as_advanced(SAM_HIP_LIBRARY SAM_HIP_INCLUDE_DIR)
if(NOT TARGET sam::hip_runtime AND SAM_HIP_LIBRARY)
  add_library(sam::hip_runtime INTERFACE IMPORTED GLOBAL)
  get_filename_component(folder ${SAM_HIP_LIBRARY} DIRECTORY)
  target_link_libraries(sam::hip_runtime INTERFACE ${SAM_HIP_LIBRARY})
  target_link_options(sam::hip_runtime INTERFACE -Wl,-rpath-link,${folder})
  if(NOT folder IN_LIST CMAKE_PLATFORM_IMPLICIT_LINK_DIRECTORIES AND NOT folder MATCHES "^/usr/lib")
    # An old kind of run path also finds the libraries that the runtime needs.
    target_link_options(sam::hip_runtime INTERFACE -Wl,--disable-new-dtags,-rpath,${folder})
  endif()
endif()
unset(prefix)
unset(folder)

function(sam_add_hip_sources target)
  set(options "")
  foreach(architecture IN LISTS SAM_HIP_ARCHITECTURES)
    list(APPEND options --offload-arch=${architecture})
  endforeach()
  separate_arguments(flags NATIVE_COMMAND "${SAM_HIP_FLAGS}")
  set(includes "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source STEM LAST_ONLY stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.${stem}.hip.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND
        ${SAM_HIP_COMPILER} -x hip -std=c++20 -O3 -fPIC ${SAM_HIP_KERNEL_OPTIONS} ${options} ${flags}
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" -MD -MF ${object}.d -MT ${object} -c ${source}
        -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Building HIP object ${object}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE ${object})
  endforeach()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
