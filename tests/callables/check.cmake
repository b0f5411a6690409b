# SPDX-License-Identifier: MIT
# cmake -D nvcc=... -D flags=... -D source=... -D output=... -D case=... [-D "expected=<regular expression>"] -P check.cmake
if(case EQUAL 0)
  list(APPEND flags -fdevice-syntax-only -c)
else()
  list(APPEND flags -ptx --Ofast-compile=max)  # some errors only come from the code generator
endif()
set(ENV{LC_ALL} C)
execute_process(COMMAND ${nvcc} ${flags} -DCASE=${case} -o ${output} ${source}
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX MATCH "error: [^\n]*" first "${output}")
if(case EQUAL 0 AND (NOT status EQUAL 0 OR output MATCHES "warning"))
  message(FATAL_ERROR "${source}: it does not compile without a warning:\n${output}")
elseif(NOT case EQUAL 0 AND status EQUAL 0)
  message(FATAL_ERROR "case ${case} of ${source}: it compiles")
elseif(NOT case EQUAL 0 AND NOT first MATCHES "${expected}")
  message(FATAL_ERROR "case ${case} of ${source}: the first error is not '${expected}':\n${output}")
endif()
