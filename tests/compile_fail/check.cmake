# SPDX-License-Identifier: MIT
# cmake -D compiler=... -D flags=... -D source=... -P check.cmake
file(STRINGS ${source} expected LIMIT_COUNT 1)
if(NOT expected MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${source}: its first line is not '// expect: <the message>'")
endif()
set(expected "${CMAKE_MATCH_1}")

set(ENV{LC_ALL} C)
execute_process(COMMAND ${compiler} ${flags} -fsyntax-only ${source}
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "${source}: it compiles")
elseif(NOT output MATCHES "${expected}")
  message(FATAL_ERROR "${source}: it fails, but without '${expected}':\n${output}")
endif()
