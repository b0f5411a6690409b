# SPDX-License-Identifier: MIT
# Defines the library's targets and their installation. sam::core holds everything that is independent of back ends. The
# recipe of each back end, backends/sam/<name>/backend.cmake, defines sam::<name> by sam_add_backend.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sam)

# sam_add_headers(<target> BASE_DIRS <folder>... FILES <header>...): adds headers to a library, in two sets. CMake verifies
# that those of the set HEADERS compile alone. Those of the set `begun_with` are left out: others include them before anything
# else, so that compiling those begins with compiling them alone.
function(sam_add_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "BASE_DIRS;FILES")
  set(first)
  foreach(header IN LISTS arg_FILES)
    file(STRINGS ${header} directives REGEX "^ *#" LIMIT_COUNT 2)  # the first is #pragma once
    if(directives MATCHES ";#include <(sam/[^>]+)>$")
      list(APPEND first ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(begun_with)
  foreach(header IN LISTS arg_FILES)
    string(REGEX REPLACE "^${PROJECT_SOURCE_DIR}/[^/]+/" "" included ${header})
    if(included IN_LIST first)
      list(APPEND begun_with ${header})
    endif()
  endforeach()
  list(REMOVE_ITEM arg_FILES ${begun_with} "")
  target_sources(
    ${target}
    INTERFACE FILE_SET HEADERS BASE_DIRS ${arg_BASE_DIRS} FILES ${arg_FILES}
    INTERFACE FILE_SET begun_with TYPE HEADERS BASE_DIRS ${arg_BASE_DIRS} FILES ${begun_with})
  set_target_properties(${target} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
endfunction()

# sam_add_backend(<name> [DEVICE_MEMORY] [HOST_ENGINE] [LANGUAGE <language>] [LINK <target>...]
#                 [FIND_DEPENDENCY <argument>...] [FIND_MODULE <module>])
# DEVICE_MEMORY    cannot access host memory: it gets only the examples in examples/<name>
# HOST_ENGINE      runs the host engine, as the serial back end does
# LANGUAGE         the language of its programs and headers: CXX by default; HIP_COMMANDS for cmake/SamHip.cmake
# LINK             the targets that its headers need
# FIND_DEPENDENCY  how an installed sam finds them: arguments of find_dependency
# FIND_MODULE      the module of cmake/ that an installed sam includes for it
function(sam_add_backend backend)
  cmake_parse_arguments(PARSE_ARGV 1 arg "DEVICE_MEMORY;HOST_ENGINE" "LANGUAGE;FIND_MODULE" "LINK;FIND_DEPENDENCY")
  set(folder ${PROJECT_SOURCE_DIR}/backends/sam/${backend})
  set(generated ${PROJECT_BINARY_DIR}/generated/${backend})
  set(chosen ${generated}/sam/backend.hpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/backend.hpp.in ${chosen} @ONLY)
  set(guard "")
  set(end_guard "")
  if(arg_LANGUAGE STREQUAL CUDA)  # sources for the host compiler may name primitives, too
    set(guard "#ifdef __CUDACC__")
    set(end_guard "#endif\n")
  elseif(arg_LANGUAGE MATCHES HIP)
    set(guard "#ifdef __HIP__")
    set(end_guard "#endif\n")
  endif()
  foreach(feature IN ITEMS filter histogram merge scan segmented segmented_sort selection sort)
    list(APPEND chosen ${generated}/sam/chosen_backend/${feature}.hpp)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/chosen_backend.hpp.in
                   ${generated}/sam/chosen_backend/${feature}.hpp @ONLY)
  endforeach()
  set(patterns ${folder}/*.hpp ${folder}/*.cuh)
  if(arg_DEVICE_MEMORY)  # the host side that all GPU back ends share
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/backends/sam/launch/*.hpp)
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns})

  add_library(sam_${backend} INTERFACE)
  add_library(sam::${backend} ALIAS sam_${backend})
  target_link_libraries(sam_${backend} INTERFACE sam_core ${arg_LINK})
  sam_add_headers(sam_${backend} BASE_DIRS ${PROJECT_SOURCE_DIR}/backends FILES ${headers})
  # Chosen headers only include others, so that verifying them would tell nothing new.
  target_sources(sam_${backend} INTERFACE FILE_SET choice TYPE HEADERS BASE_DIRS ${generated} FILES ${chosen})
  set_target_properties(sam_${backend} PROPERTIES EXPORT_NAME ${backend}
                        SAM_LANGUAGE CXX SAM_DEVICE_MEMORY ${arg_DEVICE_MEMORY} SAM_HOST_ENGINE ${arg_HOST_ENGINE})
  if(arg_LANGUAGE)
    set_target_properties(sam_${backend} PROPERTIES SAM_LANGUAGE ${arg_LANGUAGE})
    if(arg_LANGUAGE STREQUAL HIP_COMMANDS)  # such headers cannot be verified
      set_source_files_properties(${headers} ${chosen} PROPERTIES SKIP_LINTING ON)
      set_target_properties(sam_${backend} PROPERTIES VERIFY_INTERFACE_HEADER_SETS OFF)
    else()
      set_source_files_properties(${headers} ${chosen} PROPERTIES LANGUAGE ${arg_LANGUAGE})
    endif()
  endif()

  # Each back end is installed as a package component of its own, with its own <sam/backend.hpp>. Its dependencies are
  # only looked for if the component is requested.
  install(TARGETS sam_${backend} EXPORT sam-${backend}
          FILE_SET HEADERS FILE_SET begun_with
          FILE_SET choice DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sam-${backend})
  install(EXPORT sam-${backend} FILE sam-${backend}-targets.cmake NAMESPACE sam:: DESTINATION ${package_dir})
  set(component ${PROJECT_BINARY_DIR}/generated/sam-${backend}.cmake)
  set(text "include(\${CMAKE_CURRENT_LIST_DIR}/sam-${backend}-targets.cmake)\n")
  if(arg_FIND_DEPENDENCY)
    list(GET arg_FIND_DEPENDENCY 0 package)
    set_target_properties(sam_${backend} PROPERTIES SAM_PACKAGE ${package})
    list(JOIN arg_FIND_DEPENDENCY " " arguments)
    string(PREPEND text "find_dependency(${arguments})\n")
  endif()
  if(arg_FIND_MODULE)
    string(PREPEND text "include(\${CMAKE_CURRENT_LIST_DIR}/${arg_FIND_MODULE}.cmake)\n")
    if(arg_FIND_MODULE STREQUAL SamHip)  # the compiler of this build, where it is still there
      string(PREPEND text "if(EXISTS \"${SAM_HIP_COMPILER}\")\n  set(SAM_HIP_COMPILER \"${SAM_HIP_COMPILER}\" "
             "CACHE FILEPATH \"Compiles HIP sources\")\nendif()\n")
    endif()
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/${arg_FIND_MODULE}.cmake DESTINATION ${package_dir})
  endif()
  file(CONFIGURE OUTPUT ${component} CONTENT "${text}" @ONLY)
  install(FILES ${component} DESTINATION ${package_dir})
endfunction()

file(GLOB_RECURSE headers CONFIGURE_DEPENDS core/*.hpp primitives/*.hpp backends/sam/host/*.hpp backends/sam/gpu/*.hpp)
add_library(sam_core INTERFACE)
add_library(sam::core ALIAS sam_core)
set_target_properties(sam_core PROPERTIES EXPORT_NAME core)
target_compile_features(sam_core INTERFACE cxx_std_20)
sam_add_headers(sam_core BASE_DIRS ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/primitives ${PROJECT_SOURCE_DIR}/backends
                FILES ${headers})
sam_compile_tables(sam_core)

# Streaming stores come from Highway if the compiler finds its header. The headers of sam also work without it.
find_path(SAM_HIGHWAY_INCLUDE_DIR hwy/highway.h DOC "Where Highway's hwy/highway.h is, if anywhere")
mark_as_advanced(SAM_HIGHWAY_INCLUDE_DIR)
if(SAM_HIGHWAY_INCLUDE_DIR)
  target_include_directories(sam_core SYSTEM INTERFACE $<BUILD_INTERFACE:${SAM_HIGHWAY_INCLUDE_DIR}>)
endif()

if(NOT SAM_BACKEND IN_LIST SAM_BACKENDS)
  list(PREPEND SAM_BACKENDS ${SAM_BACKEND})
endif()
foreach(backend IN LISTS SAM_BACKENDS)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/backends/sam/${backend}/backend.cmake)
    file(GLOB known RELATIVE ${PROJECT_SOURCE_DIR}/backends/sam backends/sam/*/backend.cmake)
    list(TRANSFORM known REPLACE "/backend.cmake" "")
    list(JOIN known ", " known)
    message(FATAL_ERROR "sam: there is no back end '${backend}'. Choose SAM_BACKEND from: ${known}.")
  endif()
  include(backends/sam/${backend}/backend.cmake)
endforeach()

add_library(sam INTERFACE)
add_library(sam::sam ALIAS sam)
target_link_libraries(sam INTERFACE sam_${SAM_BACKEND})

set(file_sets FILE_SET HEADERS FILE_SET begun_with)
if(SAM_TUNING)
  list(APPEND file_sets FILE_SET tables)
endif()
install(TARGETS sam_core EXPORT sam-core ${file_sets})
unset(file_sets)
install(EXPORT sam-core FILE sam-core-targets.cmake NAMESPACE sam:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sam-config.cmake.in generated/sam-config.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(generated/sam-config-version.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/SamProcessors.cmake
              ${PROJECT_BINARY_DIR}/generated/sam-config.cmake
              ${PROJECT_BINARY_DIR}/generated/sam-config-version.cmake DESTINATION ${package_dir})
