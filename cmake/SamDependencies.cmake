# SPDX-License-Identifier: MIT
# Declares third-party dependencies. FetchContent_MakeAvailable(<name>) uses an installed package if there is one, and
# downloads the release otherwise. An offline build without a package sets FETCHCONTENT_SOURCE_DIR_<NAME>. Each back end
# declares its own dependencies in its recipe.
include(FetchContent)

FetchContent_Declare(
  Catch2
  URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
  URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
  DOWNLOAD_EXTRACT_TIMESTAMP ON SYSTEM
  FIND_PACKAGE_ARGS 3.4 CONFIG)

FetchContent_Declare(
  CLI11
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  URL_HASH SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  DOWNLOAD_EXTRACT_TIMESTAMP ON SYSTEM
  FIND_PACKAGE_ARGS 2.1 CONFIG)

FetchContent_Declare(
  benchmark
  URL https://github.com/google/benchmark/archive/refs/tags/v1.9.1.tar.gz
  URL_HASH SHA256=32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981
  DOWNLOAD_EXTRACT_TIMESTAMP ON SYSTEM
  FIND_PACKAGE_ARGS 1.7 CONFIG)
set(BENCHMARK_ENABLE_TESTING OFF)
