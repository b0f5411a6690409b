# SPDX-License-Identifier: MIT
# sam is compiled where it is called, together with the caller's operators, for one kind of processor. Whoever does not
# know on which kind a program will run puts what calls sam into a library of this kind.

# sam_add_library_for_processors(<name> <source>...): a shared library that is compiled as the build says, and for each
# of the levels of x86-64 above that. From glibc 2.33 on, the dynamic linker loads the highest that the machine has,
# from glibc-hwcaps/<level> beside the library, which has to stay there when it is installed. Only what is declared
# [[gnu::visibility("default")]] can be called from outside; nothing that is inline can be taken for another level's.
# Libraries, definitions and options that <name> is given later count for all levels.
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
