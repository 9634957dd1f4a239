# ladder_build_info: static library that implements common/build_info.hpp. Each build looks up the git commit, but rewrites the
# source only if its content changed, so that an unchanged tree rebuilds nothing.

# ladder_build_fact(GROUP NAME VALUE): records a build setting of a part of the project. Callable in any folder; a list is
# joined by commas.
function(ladder_build_fact group name value)
  string(REPLACE ";" "," value "${value}")
  string(STRIP "${value}" value)
  string(REGEX REPLACE " +" " " value "${value}")
  string(REGEX REPLACE "([\\\"])" "\\\\\\1" value "${value}")
  set_property(GLOBAL APPEND_STRING PROPERTY LADDER_BUILD_FACTS "      {\"${group}\", \"${name}\", \"${value}\"},\n")
endfunction()

# ladder_compiler_facts(GROUP LANGUAGE): records a language's compiler, and its flags in this build type.
function(ladder_compiler_facts group language)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  set(flags "${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${config}}")
  if(language STREQUAL "CXX" AND LADDER_SANITIZE)
    string(APPEND flags " -fsanitize=${LADDER_SANITIZE}")
  endif()
  ladder_build_fact(${group} compiler "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}")
  ladder_build_fact(${group} flags "${flags}")
  # Recorded only for unoptimized or sanitized code, whose times mean nothing.
  string(REGEX MATCHALL "-O[0-9a-z]*( |$)" levels "${flags}")
  list(POP_BACK levels level)
  if(NOT level MATCHES "-O[1-3s]|-Ofast" OR flags MATCHES "-fsanitize|Ofast-compile=m")
    ladder_build_fact(${group} optimized no)
  endif()
endfunction()

# Deferred until every folder has added its facts. Each build adds the commit.
function(ladder_write_build_facts)
  get_property(facts GLOBAL PROPERTY LADDER_BUILD_FACTS)
  set(commit @commit@)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in" "${PROJECT_BINARY_DIR}/build_info/template" @ONLY)
endfunction()

function(ladder_add_build_info)
  # Resolves -march=native for this machine.
  set(cpu_arch "${LADDER_CPU_ARCH}")
  if(cpu_arch STREQUAL "native" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    execute_process(
      COMMAND "${CMAKE_CXX_COMPILER}" -march=native -Q --help=target
      OUTPUT_VARIABLE help
      ERROR_QUIET)
    if(help MATCHES "-march=[ \t]+([A-Za-z0-9_.-]+)")
      set(cpu_arch "native (${CMAKE_MATCH_1})")
    endif()
  endif()
  ladder_compiler_facts(cxx CXX)
  ladder_build_fact(cxx cpu_arch "${cpu_arch}")
  cmake_language(DEFER DIRECTORY "${PROJECT_SOURCE_DIR}" CALL ladder_write_build_facts)

  find_package(Git QUIET)
  set(folder "${PROJECT_BINARY_DIR}/build_info")
  add_custom_target(
    ladder_build_info_source
    COMMAND
      "${CMAKE_COMMAND}" "-DGIT=${GIT_EXECUTABLE}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DTEMPLATE=${folder}/template"
      "-DOUTPUT=${folder}/build_info.cpp" -P "${PROJECT_SOURCE_DIR}/cmake/WriteBuildInfo.cmake"
    BYPRODUCTS "${folder}/build_info.cpp"
    COMMENT "Looking up the commit"
    VERBATIM)
  add_library(ladder_build_info STATIC "${folder}/build_info.cpp")
  add_dependencies(ladder_build_info ladder_build_info_source)
  target_link_libraries(ladder_build_info PUBLIC ladder_flags)
endfunction()

ladder_add_build_info()
