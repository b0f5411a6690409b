# SPDX-License-Identifier: MIT
# Runs bits.cpp as compiled without and with a table, and with tables that it reads when it starts. All must print the
# same. Arguments: UNTUNED, TUNED (programs), SOURCE, FOLDER, PROJECT_VERSION.
cmake_minimum_required(VERSION 3.25)

function(run result program file)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env SAM_TUNING_FILE=${file} ${program} ${ARGN} OUTPUT_VARIABLE printed
                  ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT errors STREQUAL "")
    message(FATAL_ERROR "${program} with SAM_TUNING_FILE=${file}: ${status}: ${errors}")
  endif()
  set(${result} "${printed}" PARENT_SCOPE)
endfunction()

run(values ${UNTUNED} "" --tuning)
string(REGEX REPLACE "\n.*" "" device "${values}")
foreach(table IN ITEMS low high)
  configure_file(${SOURCE}/${table}.json.in ${FOLDER}/${table}.json @ONLY)
endforeach()

# The comparison would say nothing if no value changed.
run(tuned ${TUNED} "" --tuning)
run(read ${UNTUNED} ${FOLDER}/low.json --tuning)
string(REGEX REPLACE "(ahead_bytes|gathered_bytes|few_kinds) [0-9]+\n" "" tuned_when_running "${tuned}")
string(REGEX REPLACE "(ahead_bytes|gathered_bytes|few_kinds) [0-9]+\n" "" read_when_running "${read}")
if(tuned STREQUAL values OR NOT tuned_when_running STREQUAL read_when_running)
  message(FATAL_ERROR "tables are not used:\n${values}\n${tuned}\n${read}")
endif()

run(expected ${UNTUNED} "")
function(expect_the_same program file)
  run(found ${program} "${file}")
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "bits of ${program} with SAM_TUNING_FILE=${file} differ:\n${expected}\n${found}")
  endif()
endfunction()
expect_the_same(${TUNED} "")
expect_the_same(${UNTUNED} ${FOLDER}/low.json)
expect_the_same(${UNTUNED} ${FOLDER}/high.json)
expect_the_same(${TUNED} ${FOLDER}/high.json)
