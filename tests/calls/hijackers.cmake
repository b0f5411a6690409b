# SPDX-License-Identifier: MIT
# cmake -D "headers=<header>;..." -D output=<file> -P hijackers.cmake
# Writes a list of all free functions that the headers declare: one HIJACK(<name>) per line. A line that starts in the
# first column declares a free function, so that the list is complete if the sources are formatted.
set(names "")
foreach(header IN LISTS headers)
  file(STRINGS ${header} lines REGEX "^[A-Za-z_[].*[a-z0-9_]\\(")
  foreach(line IN LISTS lines)
    if(line MATCHES "^(template|requires|struct|class|concept|namespace|using|static_assert|extern|enum|asm)[ <(]")
      continue()
    endif()
    string(REGEX REPLACE "\\[\\[[^]]*\\]\\]" "" line "${line}")
    string(REGEX REPLACE "(__launch_bounds__|decltype|alignas)\\([^()]*\\)" "" line "${line}")
    if(line MATCHES "^[^(]*=")  # it is a variable
      continue()
    endif()
    if(line MATCHES "(^|[ *&>])([a-z][A-Za-z0-9_]*)\\(")
      list(APPEND names ${CMAKE_MATCH_2})
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES names)
list(SORT names)
list(TRANSFORM names REPLACE ".+" "HIJACK(\\0)\n")
string(JOIN "" text ${names})
file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
