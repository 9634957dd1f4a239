# Kokkos::kokkos with the spaces of LADDER_KOKKOS_SPACES, and what the rest of the build has to know of it:
#   LADDER_KOKKOS_LANGUAGE       the language of every source that includes Kokkos_Core.hpp: CXX, CUDA or HIP
#   LADDER_KOKKOS_VERSION        5.0.2
#   LADDER_KOKKOS_SOURCE         "installed at DIR" or "built from the 5.0.2 release"
#   LADDER_KOKKOS_DEVICES        the spaces that it has, a list in lower case; may be more than were asked for
#   LADDER_KOKKOS_ARCHITECTURES  the architectures that it was told of, a list in its own words: HOPPER90
#
# A Kokkos that the user has comes first, else the pinned release is built with these spaces. An installed one
# that does not fit is refused in a sentence rather than passed over: whoever has a Kokkos wants that one measured.

include(KokkosFind) # which one is installed, and the release that is built else

set(LADDER_KOKKOS_LANGUAGE CXX)
if("cuda" IN_LIST LADDER_KOKKOS_SPACES)
  set(LADDER_KOKKOS_LANGUAGE CUDA)
elseif("hip" IN_LIST LADDER_KOKKOS_SPACES)
  set(LADDER_KOKKOS_LANGUAGE HIP)
endif()

# Kokkos names one GPU architecture, and each by a name of its own.
set(_ladder_kokkos_cuda_names
  50 MAXWELL50 52 MAXWELL52 53 MAXWELL53 60 PASCAL60 61 PASCAL61 70 VOLTA70 72 VOLTA72 75 TURING75 80 AMPERE80
  86 AMPERE86 87 AMPERE87 89 ADA89 90 HOPPER90 100 BLACKWELL100 120 BLACKWELL120)
set(_ladder_kokkos_hip_names
  gfx906 AMD_GFX906 gfx908 AMD_GFX908 gfx90a AMD_GFX90A gfx940 AMD_GFX940 gfx942 AMD_GFX942 gfx1030 AMD_GFX1030
  gfx1100 AMD_GFX1100 gfx1103 AMD_GFX1103 gfx1201 AMD_GFX1201)

# Kokkos takes no older one, and says so in many lines.
if(LADDER_KOKKOS_LANGUAGE STREQUAL "HIP")
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
  unset(_found)
endif()

# The one GPU architecture that the sources are compiled for, as a bare 90 or gfx90a; more than one stops.
function(_ladder_kokkos_gpu variable)
  set(listed "${CMAKE_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES}")
  set(gpu "${listed}")
  list(TRANSFORM gpu REPLACE "-(real|virtual)$" "")
  list(REMOVE_DUPLICATES gpu)
  list(LENGTH gpu count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR
      "Kokkos is built for one GPU architecture, and CMAKE_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES is \"${listed}\": name "
      "one there, or configure without Kokkos (-DLADDER_KOKKOS=OFF).")
  endif()
  set(${variable} "${gpu}" PARENT_SCOPE)
endfunction()

# Stops where the Kokkos that was found in FOUND_IN cannot be the one of this build.
function(_ladder_kokkos_check place)
  set(found "Kokkos ${FOUND_VERSION} at ${place}")
  set(root Kokkos_ROOT)
  if(Kokkos_DIR)
    set(root Kokkos_DIR)
  endif()
  set(what_to_do
    "point ${root} at another one, or configure with -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON to have 5.0.2 built")

  if(NOT FOUND_VERSION VERSION_GREATER_EQUAL 5 OR FOUND_VERSION VERSION_GREATER_EQUAL 6)
    message(FATAL_ERROR "${found} cannot be used, version 5 is needed: ${what_to_do}.")
  endif()

  _ladder_kokkos_said(devices "${FOUND_IN}" Kokkos_DEVICES)
  string(TOLOWER "${devices}" devices)
  string(REPLACE ";" ", " devices_listed "${devices}")
  set(missing ${LADDER_KOKKOS_SPACES})
  list(REMOVE_ITEM missing "" ${devices})
  if(missing)
    list(JOIN missing " and " missing)
    message(FATAL_ERROR
      "${found} is built without ${missing}, which LADDER_KOKKOS_SPACES asks for (it has ${devices_listed}): ${what_to_do}.")
  endif()
  # Its headers then are for that device's compiler alone.
  set(beyond ${devices})
  list(REMOVE_ITEM beyond openmp serial threads hpx ${LADDER_KOKKOS_SPACES})
  if(beyond)
    list(JOIN beyond " and " beyond)
    list(JOIN LADDER_KOKKOS_SPACES ", " asked)
    message(FATAL_ERROR
      "${found} is built for ${beyond} too, so that nothing can be compiled with it without that, and LADDER_KOKKOS_SPACES "
      "asks for ${asked} alone: ${what_to_do}.")
  endif()

  if(NOT LADDER_KOKKOS_LANGUAGE STREQUAL "CXX")
    _ladder_kokkos_said(language "${FOUND_IN}" Kokkos_COMPILE_LANGUAGE)
    if(NOT language STREQUAL LADDER_KOKKOS_LANGUAGE)
      message(FATAL_ERROR
        "${found} is built without Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE, so that it would take over the compilation of "
        "every source here: ${what_to_do}.")
    endif()
    _ladder_kokkos_gpu(gpu)
    _ladder_kokkos_said(its_gpu "${FOUND_IN}" "Kokkos_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES")
    if(its_gpu AND NOT gpu STREQUAL its_gpu)
      message(FATAL_ERROR
        "${found} is built for GPU architecture ${its_gpu}, and this build is for ${gpu}: configure with "
        "-DCMAKE_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES=${its_gpu}, ${what_to_do}.")
    endif()
  endif()
endfunction()

# Kokkos_ARCH_... of that GPU, unless the user has set one.
function(_ladder_kokkos_arch variable)
  _ladder_kokkos_gpu(gpu)
  string(TOLOWER "${LADDER_KOKKOS_LANGUAGE}" language)
  set(names ${_ladder_kokkos_${language}_names})
  set(name "")
  set(known "")
  while(names)
    list(POP_FRONT names its_gpu its_name)
    list(APPEND known ${its_gpu})
    if(its_gpu STREQUAL gpu)
      set(name ${its_name})
    endif()
    if(Kokkos_ARCH_${its_name})
      if(NOT its_gpu STREQUAL gpu)
        message(FATAL_ERROR
          "Kokkos_ARCH_${its_name} is set, and CMAKE_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES is for ${gpu}: name the same "
          "GPU in both, or only in the second.")
      endif()
      set(${variable} "" PARENT_SCOPE)
      return()
    endif()
  endwhile()
  if(NOT name)
    list(JOIN known ", " known)
    message(FATAL_ERROR
      "Kokkos 5.0.2 does not know the GPU architecture ${gpu} of CMAKE_${LADDER_KOKKOS_LANGUAGE}_ARCHITECTURES: name one "
      "that it knows (${known}), or configure without Kokkos (-DLADDER_KOKKOS=OFF).")
  endif()
  set(${variable} "${name}" PARENT_SCOPE)
endfunction()

# A static Kokkos on CUDA needs three functions of the driver's library, and what links that library does not start where
# there is no driver. ladder_kokkos_driver has them and looks for the library when they are called. Should a Kokkos need more
# of it, the linker takes the library as before: --as-needed drops it only where nothing is left to find in it.
function(_ladder_kokkos_without_driver target)
  if(NOT TARGET ${target} OR NOT LADDER_KOKKOS_LANGUAGE STREQUAL "CUDA")
    return()
  endif()
  add_subdirectory("${PROJECT_SOURCE_DIR}/kokkos/driver" "${PROJECT_BINARY_DIR}/kokkos_driver")
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  # For this build alone: Kokkos exports its targets, and may name none in them that is not its own.
  set_target_properties(
    ${target} PROPERTIES INTERFACE_LINK_LIBRARIES "$<BUILD_LOCAL_INTERFACE:ladder_kokkos_driver>;${libraries}")
endfunction()

function(ladder_need_kokkos)
  if("openmp" IN_LIST LADDER_KOKKOS_SPACES)
    ladder_need_openmp() # Kokkos would say it in many lines
  endif()
  _ladder_kokkos_find()
  if(FOUND_IN)
    string(REGEX REPLACE "/(lib|lib64|lib/[^/]+|share)/cmake/[^/]+$" "" place "${FOUND_IN}")
    _ladder_kokkos_check("${place}")
    set(source "installed at ${place}")
    set(Kokkos_DIR "${FOUND_IN}") # in this function alone
    find_package(Kokkos CONFIG QUIET REQUIRED)
    _ladder_kokkos_without_driver(Kokkos::CUDA)
  else()
    foreach(space OPENMP SERIAL CUDA HIP)
      set(Kokkos_ENABLE_${space} OFF)
    endforeach()
    foreach(space IN LISTS LADDER_KOKKOS_SPACES)
      string(TOUPPER "${space}" space)
      set(Kokkos_ENABLE_${space} ON)
    endforeach()
    if(NOT Kokkos_ENABLE_OPENMP)
      set(Kokkos_ENABLE_SERIAL ON) # a Kokkos has a host space, whatever is asked for
    endif()
    set(Kokkos_ENABLE_TESTS OFF)
    set(Kokkos_ENABLE_DEPRECATED_CODE_5 OFF)
    set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE OFF)
    set(arch "")
    if(NOT LADDER_KOKKOS_LANGUAGE STREQUAL "CXX")
      set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE ON)
      _ladder_kokkos_arch(arch)
      if(arch)
        set(Kokkos_ARCH_${arch} ON)
      endif()
    endif()
    ladder_fetch(
      kokkos
      VERSION ${LADDER_KOKKOS_RELEASE}
      SHA256 188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
      INSTALL "Kokkos 5: github.com/kokkos/kokkos"
      URLS https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz
           https://deb.debian.org/debian/pool/main/k/kokkos/kokkos_5.0.2.orig.tar.gz)
    if(arch)
      unset(Kokkos_ARCH_${arch} CACHE) # Kokkos leaves it there, where the next configuration would take it for the user's
    endif()
    FetchContent_GetProperties(kokkos BINARY_DIR FOUND_IN)
    _ladder_kokkos_said(FOUND_VERSION "${FOUND_IN}" PACKAGE_VERSION)
    set(source "built from the ${FOUND_VERSION} release")
    if(FETCHCONTENT_SOURCE_DIR_KOKKOS)
      set(source "built from ${FETCHCONTENT_SOURCE_DIR_KOKKOS}")
    endif()
    _ladder_kokkos_without_driver(CUDA)
    # Nobody changes this release, and half of the time that nvcc takes for it is headers that all its sources have.
    if(FOUND_VERSION VERSION_EQUAL LADDER_KOKKOS_RELEASE AND NOT LADDER_KOKKOS_LANGUAGE STREQUAL "HIP")
      set_target_properties(kokkoscore PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    endif()
  endif()

  _ladder_kokkos_said(devices "${FOUND_IN}" Kokkos_DEVICES)
  _ladder_kokkos_said(architectures "${FOUND_IN}" Kokkos_ARCH)
  string(TOLOWER "${devices}" devices)
  list(JOIN devices ", " devices_listed)
  message(STATUS "Kokkos ${FOUND_VERSION} (${devices_listed}): ${source}")
  set(LADDER_KOKKOS_VERSION "${FOUND_VERSION}" PARENT_SCOPE)
  set(LADDER_KOKKOS_SOURCE "${source}" PARENT_SCOPE)
  set(LADDER_KOKKOS_DEVICES "${devices}" PARENT_SCOPE)
  set(LADDER_KOKKOS_ARCHITECTURES "${architectures}" PARENT_SCOPE)
endfunction()

ladder_need_kokkos()
