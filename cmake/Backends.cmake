# How a backend becomes part of an executable. Objects that register themselves would be dropped from a static library
# by the linker, so one generated source names every backend that is built.

# ladder_types(NAME cuda TARGETS ladder_cuda cuda_tests)
# What belongs to a model is built for the types that were asked for (LADDER_CUDA_TYPES), or says that it is not.
function(ladder_types)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "TARGETS")
  string(TOUPPER "LADDER_${arg_NAME}_TYPES" types)
  if(${types})
    list(JOIN ${types} ":" listed)
    foreach(target IN LISTS arg_TARGETS)
      target_compile_definitions(${target} PRIVATE LADDER_TYPES="${listed}") # common/problem.hpp
    endforeach()
  endif()
endfunction()

# ladder_alone(<target>...): what is measured is compiled a source at a time, since GCC's inlining depends on all that a
# compilation has; but where nothing is measured (LADDER_UNITY), many are: most of the time for one is its headers.
function(ladder_alone)
  if(LADDER_UNITY)
    set_target_properties(${ARGV} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  else()
    set_target_properties(${ARGV} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# ladder_to_the_bit(<target> OPTIONS <option>... SOURCES <source>...): compiles sources that promise bits, or that keep what an
# addition rounds off, as they are written: no product and sum in one step. With LADDER_UNITY the whole target has these options,
# so that the sources are compiled together with the others.
function(ladder_to_the_bit target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;SOURCES")
  if(LADDER_UNITY)
    target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  else()
    set_source_files_properties(${arg_SOURCES} PROPERTIES COMPILE_OPTIONS "${arg_OPTIONS}")
  endif()
endfunction()

# ladder_backend(NAME cuda TARGET ladder_cuda NAMESPACE ladder::cuda)
# Called once by each backend's folder. TARGET is its static library, which defines
# std::vector<std::unique_ptr<ladder::Backend>> NAMESPACE::backends().
function(ladder_backend)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;NAMESPACE" "")
  foreach(needed NAME TARGET NAMESPACE)
    if(NOT arg_${needed})
      message(FATAL_ERROR "ladder_backend: ${needed} is missing")
    endif()
  endforeach()
  ladder_alone(${arg_TARGET})
  ladder_types(NAME "${arg_NAME}" TARGETS ${arg_TARGET})
  set_property(GLOBAL APPEND PROPERTY LADDER_BACKENDS "${arg_NAME}")
  set_property(GLOBAL PROPERTY LADDER_BACKEND_${arg_NAME}_TARGET "${arg_TARGET}")
  set_property(GLOBAL PROPERTY LADDER_BACKEND_${arg_NAME}_NAMESPACE "${arg_NAMESPACE}")
endfunction()

# ladder_generate_backends(TARGET ladder_backends [FUNCTION all_backends])
# A static library that defines ladder::all_backends() (common/model/backend.hpp) over every backend declared so far, and
# links them: what links TARGET has them all.
function(ladder_generate_backends)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;FUNCTION" "")
  set(function all_backends)
  if(arg_FUNCTION)
    set(function "${arg_FUNCTION}")
  endif()
  get_property(names GLOBAL PROPERTY LADDER_BACKENDS)
  if(NOT names)
    message(FATAL_ERROR
      "No backend is enabled: switch on at least one of LADDER_CPU, LADDER_CUDA, LADDER_HIP and LADDER_KOKKOS.")
  endif()

  set(declarations "")
  set(calls "")
  set(targets "")
  foreach(name IN LISTS names)
    get_property(target GLOBAL PROPERTY LADDER_BACKEND_${name}_TARGET)
    get_property(namespace GLOBAL PROPERTY LADDER_BACKEND_${name}_NAMESPACE)
    string(APPEND declarations
      "namespace ${namespace} {\nstd::vector<std::unique_ptr<ladder::Backend>> backends();\n}\n")
    string(APPEND calls "  append(${namespace}::backends());\n")
    list(APPEND targets "${target}")
  endforeach()

  set(source "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/all_backends.cpp.in" "${source}" @ONLY)
  add_library(${arg_TARGET} STATIC "${source}")
  target_link_libraries(${arg_TARGET} PUBLIC ladder_flags ${targets})
  list(JOIN names ", " listed)
  message(STATUS "Backends: ${listed}")
endfunction()
