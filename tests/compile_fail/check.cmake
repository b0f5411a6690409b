# SPDX-License-Identifier: MIT
# cmake -D compiler=... -D flags=... -D source=... -D case=... -D "expected=<regular expression>" -P check.cmake
set(most_lines_behind 40)

set(ENV{LC_ALL} C)
execute_process(COMMAND ${compiler} ${flags} -DCASE=${case} -fsyntax-only ${source}
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "case ${case} of ${source}: it compiles")
endif()
string(FIND "${output}" "error: " first)
string(SUBSTRING "${output}" ${first} -1 errors)
string(REGEX REPLACE "\n.*" "" sentence "${errors}")
if(NOT sentence MATCHES "${expected}")
  message(FATAL_ERROR "case ${case} of ${source}: the first error is not '${expected}':\n${output}")
endif()
string(REGEX MATCHALL "\n" lines "${errors}")
list(LENGTH lines lines_behind)
if(lines_behind GREATER most_lines_behind)
  message(FATAL_ERROR "case ${case} of ${source}: ${lines_behind} lines follow the first error:\n${output}")
endif()
