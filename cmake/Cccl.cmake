# Selects the CCCL that provides CUB. library_cub uses the toolkit's. The rungs of the newest CUB and of its modes use that of
# LADDER_CCCL, if set, and only their source sees it; else the toolkit's. Sets LADDER_TOOLKIT_CCCL_VERSION, LADDER_CUB_MODES (0:
# too old for them), LADDER_CUB_MODES_VERSION, LADDER_CUB_MODES_FOLDER.

# ladder_find_cccl(PREFIX FOLDER...): sets PREFIX_FOLDER to the first folder with CCCL's headers, or to an empty string, and
# PREFIX_VERSION to its version.
function(ladder_find_cccl prefix)
  set(header cuda/std/__cccl/version.h)
  set(found "")
  set(version "of an unknown version")
  foreach(folder IN LISTS ARGN)
    if(NOT found AND EXISTS "${folder}/${header}")
      set(found "${folder}")
    endif()
  endforeach()
  if(found)
    file(STRINGS "${found}/${header}" lines REGEX "define CCCL_VERSION [0-9]+")
    if(lines MATCHES "CCCL_VERSION ([0-9]+)([0-9][0-9][0-9])([0-9][0-9][0-9])") # 3005000
      math(EXPR minor "1${CMAKE_MATCH_2} - 1000")
      math(EXPR patch "1${CMAKE_MATCH_3} - 1000")
      set(version "${CMAKE_MATCH_1}.${minor}.${patch}")
    endif()
  endif()
  set(${prefix}_FOLDER "${found}" PARENT_SCOPE)
  set(${prefix}_VERSION "${version}" PARENT_SCOPE)
endfunction()

set(_toolkit "")
foreach(_folder IN LISTS CUDAToolkit_INCLUDE_DIRS)
  list(APPEND _toolkit "${_folder}/cccl" "${_folder}")
endforeach()
ladder_find_cccl(LADDER_TOOLKIT_CCCL ${_toolkit})
if(LADDER_CCCL)
  ladder_find_cccl(LADDER_CUB_MODES "${LADDER_CCCL}" "${LADDER_CCCL}/cccl" "${LADDER_CCCL}/include" "${LADDER_CCCL}/include/cccl")
  if(NOT LADDER_CUB_MODES_FOLDER)
    message(FATAL_ERROR "LADDER_CCCL is ${LADDER_CCCL}, where there is no CCCL: name the folder that has its cub/ and cuda/.")
  endif()
else()
  ladder_find_cccl(LADDER_CUB_MODES ${_toolkit})
endif()

# The oldest tested version.
if(LADDER_CUB_MODES_VERSION VERSION_GREATER_EQUAL 3.5)
  set(LADDER_CUB_MODES 1)
else()
  set(LADDER_CUB_MODES 0)
endif()
message(STATUS "CCCL for CUB's modes: ${LADDER_CUB_MODES_VERSION}, with them: ${LADDER_CUB_MODES}")
