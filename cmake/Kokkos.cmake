# Kokkos::kokkos with the spaces LADDER_KOKKOS_SPACES. Sets for the rest of the build:
#   LADDER_KOKKOS_LANGUAGE       language of all sources that include Kokkos_Core.hpp: CXX, CUDA or HIP
#   LADDER_KOKKOS_VERSION        5.0.2
#   LADDER_KOKKOS_SOURCE         "installed at DIR" or "built from the 5.0.2 release"
#   LADDER_KOKKOS_DEVICES        list of its spaces in lower case; may be more than requested
#   LADDER_KOKKOS_ARCHITECTURES  list of its architectures, under Kokkos's names: HOPPER90
#
# An installed Kokkos comes first, else the pinned release is built with these spaces. An unsuitable installed Kokkos is an
# error rather than ignored: a user who has a Kokkos wants to measure that one.

set(LADDER_KOKKOS_LANGUAGE CXX)
if("cuda" IN_LIST LADDER_KOKKOS_SPACES)
  set(LADDER_KOKKOS_LANGUAGE CUDA)
elseif("hip" IN_LIST LADDER_KOKKOS_SPACES)
  set(LADDER_KOKKOS_LANGUAGE HIP)
  # Kokkos also rejects an older hipcc, but in many lines.
  include(HipLanguage)
  set(_found "none was found")
  if(LADDER_HIPCC)
    set(_found "${LADDER_HIPCC} is version ${LADDER_HIPCC_VERSION}")
  endif()
  if(NOT LADDER_HIPCC_VERSION VERSION_GREATER_EQUAL 6.2)
    message(FATAL_ERROR
      "Kokkos on HIP needs hipcc 6.2 or newer, and ${_found}: install AMD's ROCm and put its bin folder in PATH or name "
      "its folder in ROCM_PATH, or leave hip out of LADDER_KOKKOS_SPACES (preset kokkos-openmp).")
  endif()
  ladder_enable_hip("for Kokkos's host spaces (-DLADDER_KOKKOS_SPACES=openmp, preset kokkos-openmp)")
endif()
set(_ladder_kokkos_gpus CMAKE_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES)

# GPUs that both Kokkos 5.0.2 and current compilers support, each followed by Kokkos's name.
set(_ladder_kokkos_names_CUDA
  75 TURING75 80 AMPERE80 86 AMPERE86 87 AMPERE87 89 ADA89 90 HOPPER90 100 BLACKWELL100 120 BLACKWELL120)
set(_ladder_kokkos_names_HIP
  gfx906 AMD_GFX906 gfx908 AMD_GFX908 gfx90a AMD_GFX90A gfx940 AMD_GFX940 gfx942 AMD_GFX942 gfx1030 AMD_GFX1030
  gfx1100 AMD_GFX1100 gfx1103 AMD_GFX1103 gfx1201 AMD_GFX1201)

# Returns the single GPU architecture of the sources, as a bare 90 or gfx90a; stops if there are several.
function(_ladder_kokkos_gpu variable)
  set(gpu ${${_ladder_kokkos_gpus}})
  list(TRANSFORM gpu REPLACE "-(real|virtual)$" "")
  list(REMOVE_DUPLICATES gpu)
  list(LENGTH gpu count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR
      "Kokkos is built for one GPU architecture, and ${_ladder_kokkos_gpus} is \"${${_ladder_kokkos_gpus}}\": name one "
      "there, or configure without Kokkos (-DLADDER_KOKKOS=OFF).")
  endif()
  set(${variable} "${gpu}" PARENT_SCOPE)
endfunction()

# Loads the installed Kokkos. Sets Kokkos_FOUND, its package's variables, and place; stops if it does not suit this build.
macro(_ladder_kokkos_find)
  set(given "${Kokkos_DIR}")
  set(root Kokkos_ROOT)
  if(given)
    set(root Kokkos_DIR)
  endif()
  find_package(Kokkos 5...<6 CONFIG QUIET)
  if(given)
    set(Kokkos_DIR "${given}" CACHE PATH "The folder of KokkosConfig.cmake" FORCE)
  else()
    unset(Kokkos_DIR CACHE) # else the cached one would precede a Kokkos_ROOT that is set later
  endif()
  set(place "")
  if(Kokkos_CONSIDERED_CONFIGS)
    set(at 0)
    if(Kokkos_FOUND)
      set(at -1) # earlier configurations did not fit
    endif()
    list(GET Kokkos_CONSIDERED_CONFIGS ${at} place)
    list(GET Kokkos_CONSIDERED_VERSIONS ${at} version)
    string(REGEX REPLACE "/(lib|lib64|lib/[^/]+|share)/cmake/[^/]+/[^/]+$" "" place "${place}")
  endif()
  foreach(folder "${given}" "${Kokkos_ROOT}" "$ENV{Kokkos_ROOT}")
    if(folder AND (NOT place OR (folder STREQUAL given AND NOT EXISTS "${given}/KokkosConfig.cmake")))
      message(FATAL_ERROR
        "Kokkos_DIR or Kokkos_ROOT names ${folder}, where no Kokkos was found: correct it, or unset it to have 5.0.2 built.")
    endif()
  endforeach()
  if(place)
    _ladder_kokkos_check("Kokkos ${version} at ${place}"
      "point ${root} at another one, or configure with -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON to have 5.0.2 built")
  endif()
endmacro()

# Stops if this build cannot use the Kokkos that was found.
function(_ladder_kokkos_check found what_to_do)
  if(NOT Kokkos_FOUND)
    message(FATAL_ERROR "${found} cannot be used, version 5 is needed, with all that it was built with: ${what_to_do}.")
  endif()
  string(TOLOWER "${Kokkos_DEVICES}" devices)
  string(REPLACE ";" ", " devices_listed "${devices}")
  set(missing ${LADDER_KOKKOS_SPACES})
  list(REMOVE_ITEM missing "" ${devices})
  if(missing)
    list(JOIN missing " and " missing)
    message(FATAL_ERROR
      "${found} is built without ${missing}, which LADDER_KOKKOS_SPACES asks for (it has ${devices_listed}): ${what_to_do}.")
  endif()
  # Then only that device's compiler accepts its headers.
  set(beyond ${devices})
  list(REMOVE_ITEM beyond openmp serial threads hpx ${LADDER_KOKKOS_SPACES})
  if(beyond)
    list(JOIN beyond " and " beyond)
    list(JOIN LADDER_KOKKOS_SPACES ", " asked)
    message(FATAL_ERROR
      "${found} is built for ${beyond} too, so that nothing can be compiled with it without that, and LADDER_KOKKOS_SPACES "
      "asks for ${asked} alone: ${what_to_do}.")
  endif()
  if(LADDER_KOKKOS_LANGUAGE STREQUAL "CXX")
    return()
  endif()
  if(NOT Kokkos_COMPILE_LANGUAGE STREQUAL LADDER_KOKKOS_LANGUAGE)
    message(FATAL_ERROR
      "${found} is built without Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE, so that it would take over the compilation of "
      "every source here: ${what_to_do}.")
  endif()
  _ladder_kokkos_gpu(gpu)
  set(its_gpu "${Kokkos_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES}")
  if(its_gpu AND NOT gpu STREQUAL its_gpu)
    message(FATAL_ERROR
      "${found} is built for GPU architecture ${its_gpu}, and this build is for ${gpu}: configure with "
      "-D${_ladder_kokkos_gpus}=${its_gpu}, ${what_to_do}.")
  endif()
endfunction()

# Builds the pinned release with the requested spaces.
macro(_ladder_kokkos_build)
  foreach(space openmp serial cuda hip)
    string(TOUPPER "${space}" upper)
    set(Kokkos_ENABLE_${upper} OFF)
    if(space IN_LIST LADDER_KOKKOS_SPACES)
      set(Kokkos_ENABLE_${upper} ON)
    endif()
  endforeach()
  if(NOT Kokkos_ENABLE_OPENMP)
    set(Kokkos_ENABLE_SERIAL ON) # Kokkos always needs a host space
  endif()
  set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE OFF)
  set(arch "")
  if(NOT LADDER_KOKKOS_LANGUAGE STREQUAL "CXX")
    set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE ON)
    _ladder_kokkos_gpu(gpu)
    set(names ${_ladder_kokkos_names_${LADDER_KOKKOS_LANGUAGE}})
    list(FIND names "${gpu}" at)
    if(at EQUAL -1)
      list(FILTER names EXCLUDE REGEX "^[A-Z]")
      list(JOIN names ", " known)
      message(FATAL_ERROR
        "Kokkos 5.0.2 does not know the GPU architecture ${gpu} of ${_ladder_kokkos_gpus}: name one that it knows "
        "(${known}), or configure without Kokkos (-DLADDER_KOKKOS=OFF).")
    endif()
    math(EXPR at "${at} + 1")
    list(GET names ${at} arch)
    set(Kokkos_ARCH_${arch} ON)
  endif()
  ladder_fetch(Kokkos)
  if(arch)
    unset(Kokkos_ARCH_${arch} CACHE) # Kokkos caches it; the next configuration would take it for the user's setting
  endif()
  FetchContent_GetProperties(kokkos SOURCE_DIR folder)
  get_directory_property(Kokkos_VERSION DIRECTORY "${folder}" DEFINITION Kokkos_VERSION)
  get_directory_property(Kokkos_DEVICES DIRECTORY "${folder}" DEFINITION KOKKOS_ENABLED_DEVICES)
  get_directory_property(Kokkos_ARCH DIRECTORY "${folder}" DEFINITION KOKKOS_ENABLED_ARCH_LIST)
  # Omits its unused containers and vectors, which take nvcc a minute.
  set_target_properties(kokkos PROPERTIES INTERFACE_LINK_LIBRARIES "kokkoscore;kokkosalgorithms")
  # This release never changes, and half of nvcc's time for it is headers that all its sources include.
  if(NOT FETCHCONTENT_SOURCE_DIR_KOKKOS AND NOT LADDER_KOKKOS_LANGUAGE STREQUAL "HIP")
    set_target_properties(kokkoscore PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endmacro()

# A static Kokkos on CUDA needs three functions of the driver's library, and programs that link it do not start without a
# driver. ladder_kokkos_driver provides them and loads the library when they are called. If a Kokkos needs more functions, the
# linker uses the library as before: --as-needed drops it only if no symbol is missing.
function(_ladder_kokkos_without_driver target)
  if(NOT TARGET ${target} OR NOT LADDER_KOKKOS_LANGUAGE STREQUAL "CUDA")
    return()
  endif()
  add_subdirectory("${PROJECT_SOURCE_DIR}/kokkos/driver" "${PROJECT_BINARY_DIR}/kokkos_driver")
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  # Only for this build: Kokkos exports its targets, which may name only targets of its own.
  set_target_properties(
    ${target} PROPERTIES INTERFACE_LINK_LIBRARIES "$<BUILD_LOCAL_INTERFACE:ladder_kokkos_driver>;${libraries}")
endfunction()

block(PROPAGATE LADDER_KOKKOS_VERSION LADDER_KOKKOS_SOURCE LADDER_KOKKOS_DEVICES LADDER_KOKKOS_ARCHITECTURES)
  if("openmp" IN_LIST LADDER_KOKKOS_SPACES)
    ladder_need_openmp() # gives one sentence; Kokkos's own message is long
  endif()
  set(Kokkos_FOUND OFF)
  if(NOT CMAKE_DISABLE_FIND_PACKAGE_Kokkos)
    _ladder_kokkos_find()
  endif()
  if(Kokkos_FOUND)
    set(LADDER_KOKKOS_SOURCE "installed at ${place}")
    _ladder_kokkos_without_driver(Kokkos::CUDA)
  else()
    _ladder_kokkos_build()
    set(LADDER_KOKKOS_SOURCE "built from the ${Kokkos_VERSION} release")
    if(FETCHCONTENT_SOURCE_DIR_KOKKOS)
      set(LADDER_KOKKOS_SOURCE "built from ${FETCHCONTENT_SOURCE_DIR_KOKKOS}")
    endif()
    _ladder_kokkos_without_driver(CUDA)
  endif()
  set(LADDER_KOKKOS_VERSION "${Kokkos_VERSION}")
  set(LADDER_KOKKOS_ARCHITECTURES "${Kokkos_ARCH}")
  string(TOLOWER "${Kokkos_DEVICES}" LADDER_KOKKOS_DEVICES)
  list(JOIN LADDER_KOKKOS_DEVICES ", " listed)
  message(STATUS "Kokkos ${Kokkos_VERSION} (${listed}): ${LADDER_KOKKOS_SOURCE}")
endblock()
