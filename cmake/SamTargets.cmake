# SPDX-License-Identifier: MIT
# Adds our own programs: each source is compiled once for each of SAM_BACKENDS, as <name>.<back end>.
#
# sam_add_test(<folder>/<name> [PLAIN] [BRIEF] [LABELS <label>...])
#                                                <folder>/<name>.cpp on each back end; PLAIN disables
#                                                SAM_SANITIZE_TESTS; BRIEF tests run for so short that
#                                                optimising would take longer than it saves, if sanitized
# sam_add_engine_test(<folder>/<name> [PLAIN] [BRIEF])
#                                                <name>.cpp on each back end; the serial back end is left
#                                                out if another one runs the same engine, whose contexts in
#                                                tests/support/engine_context.hpp include a serial one
# sam_add_core_test(<folder>/<name> [LABELS <label>...])
#                                                <name>.cpp, which needs no back end, once; its label is
#                                                core by default
# sam_add_example(<folder>/<name> [BACKENDS <back end>...])
#                                                <folder>/<name>.cpp, a test that passes when main returns 0; the
#                                                target examples.<back end> builds all of a back end
# sam_add_bench(<name> <back end>...)            <name>.cpp, with Google Benchmark and main.cpp
# sam_add_program(<target> <source> <back end>)  a program; the functions above use it
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
find_package(Threads REQUIRED)

# Compile options of our own programs. They are never passed on to users of the library.
set(flags -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(SAM_WERROR)
  list(APPEND flags -Werror)
endif()
if(SAM_NATIVE)
  check_cxx_compiler_flag(-march=native SAM_HAS_MARCH_NATIVE)
  if(SAM_HAS_MARCH_NATIVE)
    list(APPEND flags -march=native)
  endif()
endif()
add_library(sam_build_flags INTERFACE)
target_link_libraries(sam_build_flags INTERFACE Threads::Threads)
target_compile_options(sam_build_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
# clang warns about functions that libstdc++'s std::stable_sort calls.
target_compile_options(sam_build_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
# Functions for host and device may call a function object that is for the host only.
target_compile_options(sam_build_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=20011,20013,20014,20015>)
unset(flags)

# sam_sanitize(<target> <PUBLIC|PRIVATE|INTERFACE> <sanitizers>)
function(sam_sanitize target scope sanitizers)
  # These checks would take a third of the compile time. The hardware detects null pointers, and the address sanitizer
  # detects accesses outside objects better.
  set(flags -fsanitize=${sanitizers} -fno-sanitize=null,object-size,vptr -fno-sanitize-recover=all
            -fno-omit-frame-pointer)
  target_compile_options(${target} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
  target_link_options(${target} ${scope} -fsanitize=${sanitizers})
endfunction()
if(SAM_SANITIZE)
  sam_sanitize(sam_build_flags INTERFACE ${SAM_SANITIZE})
endif()

# What tests link to use sanitizers although SAM_SANITIZE names none. Errors trap without a message, which saves a sixth of
# the compile time: the preset `asan` builds with messages. This is empty where the compiler has no sanitizers.
add_library(sam_sanitized INTERFACE)
if(NOT SAM_SANITIZE)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=address,undefined)
  check_cxx_source_compiles("int main() { return 0; }" SAM_HAS_ADDRESS_SANITIZER)
  unset(CMAKE_REQUIRED_FLAGS)
  if(SAM_HAS_ADDRESS_SANITIZER)
    sam_sanitize(sam_sanitized INTERFACE address,undefined)
    target_compile_options(sam_sanitized INTERFACE -Og -D_GLIBCXX_ASSERTIONS -fsanitize-undefined-trap-on-error)
  endif()
endif()

add_library(sam_brief INTERFACE)
target_compile_options(sam_brief INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-O0>)

# Binding would pin the main thread, and with it every thread that a test starts, to one core. Threads that spin at a
# barrier would take cores from tests that run in parallel.
set(SAM_TEST_ENVIRONMENT OMP_PROC_BIND=false OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive)

# Sets `result` to the file that `target` compiles for `source`, in the language of the back end.
function(sam_source result target source backend)
  get_target_property(language sam_${backend} SAM_LANGUAGE)
  if(language STREQUAL HIP_COMMANDS)  # sam_add_hip_sources adds it
    set(source "")
  elseif(NOT language STREQUAL CXX)
    # CMake gives a source one language per folder, for all targets. So each target gets a file of its own.
    set(own ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    file(CONFIGURE OUTPUT ${own} CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\"\n" @ONLY)
    set_source_files_properties(${own} PROPERTIES LANGUAGE ${language})
    set(source ${own})
  endif()
  set(${result} ${source} PARENT_SCOPE)
endfunction()

# Adds a program. With SAM_PTX_ONLY, a CUDA program is compiled to PTX only and cannot be linked or run.
function(sam_add_program target source backend)
  sam_source(own ${target} ${source} ${backend})
  get_target_property(language sam_${backend} SAM_LANGUAGE)
  if(SAM_PTX_ONLY AND language STREQUAL CUDA)
    add_library(${target} OBJECT ${own})
    set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON)
  else()
    add_executable(${target} ${own})
  endif()
  target_link_libraries(${target} PRIVATE sam::${backend} sam_build_flags)
  if(language STREQUAL HIP_COMMANDS)
    sam_add_hip_sources(${target} ${source})
  endif()
endfunction()

# Precompiles the headers that follow PRIVATE once for all sources of `target`. With REUSE_FROM, uses those of another
# target with the same settings.
function(sam_precompile target backend)
  get_target_property(language sam_${backend} SAM_LANGUAGE)
  if(language STREQUAL CXX)  # CMake does not precompile headers for CUDA
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()

# Adds the folder's main.cpp, compiled once per back end, and the libraries that follow to `target`. If the folder has a
# precompiled.hpp, it is precompiled once per back end. What the libraries say of compiling holds for all three. `variant`
# names programs with other libraries.
function(sam_add_main target variant backend)
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(main ${folder}_main${variant}.${backend})
  file(GLOB precompiled CONFIGURE_DEPENDS precompiled.hpp)
  if(NOT TARGET ${main})
    sam_source(own ${main} main.cpp ${backend})
    get_target_property(language sam_${backend} SAM_LANGUAGE)
    if(language STREQUAL HIP_COMMANDS)  # object libraries take no objects
      add_library(${main} STATIC)
      sam_add_hip_sources(${main} main.cpp)
    else()
      add_library(${main} OBJECT ${own})
    endif()
    target_link_libraries(${main} PRIVATE sam::${backend} sam_build_flags PUBLIC ${ARGN})
    target_include_directories(${main} PRIVATE ${backend} support)
    if(backend IN_LIST SAM_TEST_FEW_TYPES)
      target_compile_definitions(${main} PUBLIC SAM_TEST_FEW_TYPES)
    endif()
    if(precompiled)
      sam_precompile(${main} ${backend} PRIVATE ${precompiled})
    endif()
  endif()
  target_link_libraries(${target} PRIVATE ${main})
  if(precompiled)
    sam_precompile(${target} ${backend} REUSE_FROM ${main})
  endif()
endfunction()

# sam_discover_tests(<target> [WHOLE] <label>...): registers the test cases of `target` under labels. Each label is also a target
# that builds its tests, without those named in SAM_TEST_LEFT_OUT: tests.<label>. With SAM_TEST_WHOLE, WHOLE programs are one
# test each: many test cases take less time than a program takes to start.
function(sam_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "" "")
  set(labels ${arg_UNPARSED_ARGUMENTS})
  foreach(label IN LISTS labels)
    if(NOT TARGET tests.${label})
      add_custom_target(tests.${label})
    endif()
    if(NOT target IN_LIST SAM_TEST_LEFT_OUT)
      add_dependencies(tests.${label} ${target})
    endif()
  endforeach()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL EXECUTABLE)  # it is PTX only
    return()
  endif()
  set(cost 0)
  if("long" IN_LIST labels)  # start first, so that other cores do not wait for it at the end
    set(cost 100)
  endif()
  set(lock)
  if("memory" IN_LIST labels)  # some take most of a device's memory: run one at a time
    set(lock "RESOURCE_LOCK device_memory")
  endif()
  if(arg_WHOLE AND SAM_TEST_WHOLE)
    if(cost EQUAL 0)  # before programs that take less time
      set(cost 50)
    endif()
    add_test(NAME ${target} COMMAND ${target})
    set_tests_properties(${target} PROPERTIES LABELS "${labels}" ENVIRONMENT "${SAM_TEST_ENVIRONMENT}" COST ${cost})
    return()
  endif()
  # catch_discover_tests would flatten the lists, so that a file that ctest reads sets these properties.
  catch_discover_tests(${target} TEST_PREFIX "${target}: " DISCOVERY_MODE PRE_TEST)
  set(properties ${CMAKE_CURRENT_BINARY_DIR}/${target}_properties.cmake)
  file(CONFIGURE OUTPUT ${properties} CONTENT [[
if(@target@_TESTS)
  set_tests_properties(${@target@_TESTS} PROPERTIES LABELS "@labels@" ENVIRONMENT "@SAM_TEST_ENVIRONMENT@" COST @cost@ @lock@)
endif()
]] @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${properties})
endfunction()

macro(sam_skip_unwritten name)
  file(GLOB written CONFIGURE_DEPENDS ${name}.cpp)  # reconfigures when the file appears
  if(NOT written)
    message(STATUS "sam: ${name}.cpp is not written yet")
    return()
  endif()
endmacro()

function(sam_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLAIN;BRIEF" "" "LABELS;BACKENDS")
  sam_skip_unwritten(${name})
  if(NOT arg_BACKENDS)
    set(arg_BACKENDS ${SAM_BACKENDS})
  endif()
  get_filename_component(program ${name} NAME)
  foreach(backend IN LISTS arg_BACKENDS)
    set(target ${program}.${backend})
    sam_add_program(${target} ${name}.cpp ${backend})
    target_include_directories(${target} PRIVATE support ${backend})  # backend_bytes.hpp
    get_target_property(language sam_${backend} SAM_LANGUAGE)
    if(arg_PLAIN)
      sam_add_main(${target} _plain ${backend} Catch2::Catch2)
    elseif(SAM_SANITIZE_TESTS AND arg_BRIEF AND language STREQUAL CXX)
      sam_add_main(${target} _brief ${backend} Catch2::Catch2 sam_sanitized sam_brief)
    elseif(SAM_SANITIZE_TESTS AND language STREQUAL CXX)
      sam_add_main(${target} "" ${backend} Catch2::Catch2 sam_sanitized)
    else()
      sam_add_main(${target} "" ${backend} Catch2::Catch2)
    endif()
    set(labels ${backend} ${arg_LABELS})
    get_target_property(on_device sam_${backend} SAM_DEVICE_MEMORY)
    if(on_device)
      list(APPEND labels gpu)
    endif()
    set(whole)
    if(NOT on_device)
      set(whole WHOLE)
    endif()
    sam_discover_tests(${target} ${whole} ${labels})
  endforeach()
endfunction()

# Engines take long to compile. So the serial back end is left out if another one runs the same engine.
function(sam_add_engine_test name)
  set(backends ${SAM_BACKENDS})
  foreach(backend IN LISTS SAM_BACKENDS)
    get_target_property(on_host_engine sam_${backend} SAM_HOST_ENGINE)
    if(on_host_engine AND NOT backend STREQUAL serial)
      list(REMOVE_ITEM backends serial)
    endif()
  endforeach()
  sam_add_test(${name} BACKENDS ${backends} ${ARGN})
endfunction()

function(sam_add_core_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS")
  sam_skip_unwritten(${name})
  get_filename_component(target ${name} NAME)
  add_executable(${target} ${name}.cpp)
  target_include_directories(${target} PRIVATE support)
  target_link_libraries(${target} PRIVATE sam::core sam_build_flags Catch2::Catch2WithMain)
  if(NOT arg_LABELS)
    set(arg_LABELS core)
  endif()
  if(SAM_SANITIZE_TESTS AND NOT "simt" IN_LIST arg_LABELS)
    target_link_libraries(${target} PRIVATE sam_sanitized)
  endif()
  sam_discover_tests(${target} ${arg_LABELS})
endfunction()

# An example that names no back ends works on the host's memory. It is built for the first back end of SAM_BACKENDS that
# reaches that memory: tests, not examples, show that all back ends do the same.
function(sam_add_example name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "BACKENDS")
  sam_skip_unwritten(${name})
  get_filename_component(program ${name} NAME)
  get_filename_component(folder ${name} DIRECTORY)
  set(backends)
  foreach(backend IN LISTS SAM_BACKENDS)
    get_target_property(on_device sam_${backend} SAM_DEVICE_MEMORY)
    if((NOT arg_BACKENDS OR backend IN_LIST arg_BACKENDS) AND (NOT on_device OR folder STREQUAL backend))
      list(APPEND backends ${backend})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES backends)
  if(NOT arg_BACKENDS)
    list(SUBLIST backends 0 1 backends)
  endif()
  foreach(backend IN LISTS backends)
    sam_add_program(${program}.${backend} ${name}.cpp ${backend})
    target_compile_options(${program}.${backend} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>)
    if(NOT TARGET examples.${backend})
      add_custom_target(examples.${backend})
    endif()
    add_dependencies(examples.${backend} ${program}.${backend})
    get_target_property(type ${program}.${backend} TYPE)
    if(NOT type STREQUAL EXECUTABLE)  # with SAM_PTX_ONLY
      continue()
    endif()
    set(labels example ${backend})
    get_target_property(on_device sam_${backend} SAM_DEVICE_MEMORY)
    if(on_device)
      list(APPEND labels gpu)
    endif()
    add_test(NAME ${program}.${backend} COMMAND ${program}.${backend})
    set_tests_properties(${program}.${backend} PROPERTIES LABELS "${labels}" ENVIRONMENT "${SAM_TEST_ENVIRONMENT}")
    if(on_device)  # skipped where there is none
      set_tests_properties(
        ${program}.${backend} PROPERTIES SKIP_REGULAR_EXPRESSION
                                         "no NVIDIA driver;no CUDA-capable device;CUDA driver version is insufficient")
    endif()
  endforeach()
endfunction()

function(sam_add_bench name)
  sam_skip_unwritten(${name})
  foreach(backend IN LISTS ARGN)
    sam_add_program(${name}.${backend} ${name}.cpp ${backend})
    target_include_directories(${name}.${backend} PRIVATE ${backend})  # backend_threads.hpp, ...
    sam_add_main(${name}.${backend} "" ${backend} benchmark::benchmark)
  endforeach()
endfunction()
