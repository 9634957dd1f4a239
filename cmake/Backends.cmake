# Adds backends to an executable. The linker would drop self-registering objects from a static library, so one generated source
# names every built backend.

# ladder_types(NAME cuda TARGETS ladder_cuda cuda_tests)
# Builds a model's targets for the requested types (LADDER_CUDA_TYPES); they report other types as not built.
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

# ladder_alone(<target>...): compiles measured code one source at a time, since GCC's inlining depends on the whole translation
# unit. Builds without measurements (LADDER_UNITY) combine sources: headers take most of the compile time.
function(ladder_alone)
  if(LADDER_UNITY)
    set_target_properties(${ARGV} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  else()
    set_target_properties(${ARGV} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# ladder_to_the_bit(<target> OPTIONS <option>... SOURCES <source>...): compiles sources without fused multiply-add, as written,
# if they promise exact bits or keep an addition's rounding error. With LADDER_UNITY the whole target has these options, so that
# these sources are combined with the others.
function(ladder_to_the_bit target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;SOURCES")
  if(LADDER_UNITY)
    target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  else()
    set_source_files_properties(${arg_SOURCES} PROPERTIES COMPILE_OPTIONS "${arg_OPTIONS}")
  endif()
endfunction()

# ladder_backend(NAME cuda TARGET ladder_cuda NAMESPACE ladder::cuda)
# Each backend's folder calls it once. TARGET is its static library, which defines
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
# Adds a static library that defines ladder::all_backends() (common/model/backend.hpp) for all backends declared so far. It
# links them, so targets that link TARGET have them all.
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
