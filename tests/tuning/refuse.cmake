# SPDX-License-Identifier: MIT
# Configures projects with tables that cannot be compiled in, and checks the messages. Arguments: SOURCE (of sam),
# FOLDER, PROJECT_VERSION.
cmake_minimum_required(VERSION 3.25)

function(expect_message message)
  set(table "{\"sam_tuning\": 1, \"sam\": \"${PROJECT_VERSION}\", \"engine\": \"host\", \"device\": \"x\",
    \"values\": {\"piece_bytes\": 512}}")
  if(ARGC GREATER 1)
    string(REPLACE "${ARGV1}" "${ARGV2}" table "${table}")
  endif()
  file(WRITE ${FOLDER}/table.json "${table}")
  file(WRITE ${FOLDER}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(refused VERSION ${PROJECT_VERSION} LANGUAGES NONE)
set(PROJECT_SOURCE_DIR ${SOURCE})
include(${SOURCE}/cmake/SamTuning.cmake)
add_library(refused INTERFACE)
sam_compile_tables(refused)
message(STATUS \"accepted\")
")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER} -B ${FOLDER}/build -DSAM_TUNING=${FOLDER}/table.json
                  OUTPUT_VARIABLE printed ERROR_VARIABLE errors)
  string(REGEX REPLACE "[ \n]+" " " errors "${printed}${errors}")  # CMake breaks lines
  string(FIND "${errors}" "${message}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "expected: ${message}\nfound: ${errors}")
  endif()
endfunction()

expect_message("accepted")
expect_message("sets piece_bytes to 5, which is not from 256 to 65536" 512 5)
expect_message("sets piece_bytes to 5.5, which is not an integer" 512 5.5)
expect_message("sets nothing, which this version of sam does not have" piece_bytes nothing)
expect_message("was written by sam 7.8.9; this is sam ${PROJECT_VERSION}" ${PROJECT_VERSION} 7.8.9)
expect_message("has format 2; this version reads format 1" "tuning\": 1" "tuning\": 2")
expect_message("is for the engine tpu; there are host, cuda and hip" host tpu)
expect_message("is not a tuning table, or is damaged" "}}" "}")
expect_message("is not a tuning table, or is damaged" "\"engine\": \"host\"," "")
