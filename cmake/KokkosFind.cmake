# Which Kokkos is installed, as the build looks for it: for cmake/Kokkos.cmake, and for cmake/Look.cmake, which only tells.

set(LADDER_KOKKOS_RELEASE 5.0.2) # what is built where none is installed

# _ladder_kokkos_said(<variable> <folder> <name>): what KokkosConfig.cmake in that folder will say of NAME. It is read, not
# included: an included one has already made its targets, or stopped over a library that is not here, when it is refused.
function(_ladder_kokkos_said variable folder name)
  set(text "")
  foreach(file KokkosConfigCommon.cmake KokkosConfig.cmake KokkosConfigVersion.cmake)
    if(EXISTS "${folder}/${file}")
      file(READ "${folder}/${file}" more)
      string(APPEND text "${more}")
    endif()
  endforeach()
  set(value "")
  if(text MATCHES "set\\(${name} +([^)]*)\\)")
    string(REPLACE "\"" "" value "${CMAKE_MATCH_1}")
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

# Sets FOUND_IN (the folder of KokkosConfig.cmake) and FOUND_VERSION; empty where there is none.
function(_ladder_kokkos_find)
  set(FOUND_IN "" PARENT_SCOPE)
  if(CMAKE_DISABLE_FIND_PACKAGE_Kokkos)
    return()
  endif()
  set(given "${Kokkos_DIR}")
  # No Kokkos has this version, so that every candidate is looked at, in find_package's own order, and none is loaded.
  find_package(Kokkos 999999 EXACT CONFIG QUIET)
  if(given)
    set(Kokkos_DIR "${given}" CACHE PATH "The folder of KokkosConfig.cmake" FORCE)
  else()
    unset(Kokkos_DIR CACHE) # else what was found once would come before a Kokkos_ROOT that is named later
  endif()

  set(folder "")
  set(version "")
  if(Kokkos_CONSIDERED_CONFIGS)
    list(GET Kokkos_CONSIDERED_CONFIGS 0 folder)
    list(GET Kokkos_CONSIDERED_VERSIONS 0 version)
    cmake_path(GET folder PARENT_PATH folder)
  endif()
  foreach(place "${given}" "${Kokkos_ROOT}" "$ENV{Kokkos_ROOT}")
    if(place AND (NOT folder OR (place STREQUAL given AND NOT EXISTS "${given}/KokkosConfig.cmake")))
      message(FATAL_ERROR
        "Kokkos_DIR or Kokkos_ROOT names ${place}, where no Kokkos was found: correct it, or unset it to have 5.0.2 built.")
    endif()
  endforeach()
  set(FOUND_IN "${folder}" PARENT_SCOPE)
  set(FOUND_VERSION "${version}" PARENT_SCOPE)
endfunction()
