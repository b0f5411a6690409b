# SPDX-License-Identifier: MIT
# Builds and runs the project in outside/ in a new folder. `way` says how the project finds sam.
file(REMOVE_RECURSE ${work})
set(ENV{CMAKE_PREFIX_PATH} "")  # an installed sam must find its dependencies by itself
set(options -G ${generator} -DCMAKE_CXX_COMPILER=${compiler} -DLANGUAGE=${language})
if(way STREQUAL find_package)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${sam_build} --prefix ${work}/prefix
                  COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND options -DBACKEND=${backend} -DCMAKE_PREFIX_PATH=${work}/prefix)
  if(architectures)  # of AMD GPUs
    string(REPLACE ";" "\\;" architectures "${architectures}")
    list(APPEND options "-DSAM_HIP_ARCHITECTURES=${architectures}")
  endif()
else()
  list(APPEND options -DSAM_SOURCE=${sam_source} -DSAM_BACKEND=${backend} ${dependency})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/outside -B ${work}/build ${options}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/build/outside COMMAND_ERROR_IS_FATAL ANY)
