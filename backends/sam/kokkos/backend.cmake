# SPDX-License-Identifier: MIT
# Adds the Kokkos back end. It uses an installed Kokkos if there is one, else it builds a release with OpenMP.
if(NOT TARGET Kokkos::kokkos)
  FetchContent_Declare(
    Kokkos
    URL https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz
    URL_HASH SHA256=188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
    DOWNLOAD_EXTRACT_TIMESTAMP ON SYSTEM
    FIND_PACKAGE_ARGS 5.0 CONFIG)
  option(Kokkos_ENABLE_SERIAL "" ON)
  option(Kokkos_ENABLE_OPENMP "" ON)
  FetchContent_MakeAvailable(Kokkos)
endif()

# A project that finds sam must find the same Kokkos: at the path where it was found now, or at sam's prefix
# if both were built and installed together.
if(Kokkos_DIR AND NOT kokkos_SOURCE_DIR)
  set(hint "\"${Kokkos_DIR}\"")
else()
  set(hint [["${PACKAGE_PREFIX_DIR}"]])
endif()
set(engine HOST_ENGINE)
if(Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP OR Kokkos_ENABLE_SYCL)
  set(engine "")
endif()
sam_add_backend(kokkos ${engine} LINK Kokkos::kokkos FIND_DEPENDENCY Kokkos 5.0 CONFIG HINTS ${hint})
unset(hint)
unset(engine)
