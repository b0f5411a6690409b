# SPDX-License-Identifier: MIT
# Compiles code that calls sam for several kinds of processors. sam is a header-only library: it is compiled with its
# caller, for one kind of processor. A program that may run on different kinds puts its calls into a library of this
# kind.

# sam_add_library_for_processors(<name> <source>...): defines a shared library that is compiled with the flags of the
# build, and again for each higher level of x86-64. From glibc 2.33 on, the dynamic linker loads the highest level that
# the machine supports from glibc-hwcaps/<level> beside the library. An installation must keep these files beside the
# library. Only functions declared [[gnu::visibility("default")]] can be called from outside, so that no inline function
# of one level replaces that of another. Libraries, definitions and options that are added to <name> later apply to all
# levels.
function(sam_add_library_for_processors name)
  add_library(${name} SHARED ${ARGN})
  set(libraries ${name})
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    foreach(level IN ITEMS x86-64-v2 x86-64-v3 x86-64-v4)
      set(for_level ${name}-${level})
      add_library(${for_level} SHARED ${ARGN})
      foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_FEATURES COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
        set_property(TARGET ${for_level} PROPERTY ${property} $<TARGET_PROPERTY:${name},${property}>)
      endforeach()
      set_property(TARGET ${for_level} APPEND PROPERTY COMPILE_OPTIONS -march=${level})
      set_target_properties(
        ${for_level} PROPERTIES OUTPUT_NAME ${name}
                                LIBRARY_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:${name}>/glibc-hwcaps/${level})
      add_dependencies(${name} ${for_level})
      list(APPEND libraries ${for_level})
    endforeach()
  endif()
  set_target_properties(${libraries} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
