#!/usr/bin/env bash
# test_cmake.sh BEHAVIOUR...: checks what a configuration says when it cannot go on, and that the next one in the same
# build folder works once the mistake is mended. Each behaviour has a folder of its own that is deleted afterwards. What is
# configured is a project of a few lines over the modules of cmake/; what it finds are installed Kokkoses of a few lines.
# CMAKE names the cmake to run, MAKE_PROGRAM what its generator needs; KOKKOS_ARCHIVE, where there is one, the archive of the
# pinned release. Those of presets configure this project. Exit status 77: it cannot be checked here (ctest calls it skipped).
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
cmake=${CMAKE:-cmake}
archive=${KOKKOS_ARCHIVE:-${LADDER_KOKKOS_ARCHIVE:-/nowhere}}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"

# Nothing of the user's own settings.
unset Kokkos_ROOT KOKKOS_ROOT Kokkos_DIR CMAKE_PREFIX_PATH LADDER_KOKKOS_ARCHIVE LADDER_WERROR
unset CUDAARCHS ROCM_PATH HIP_PATH HIPCXX HIPFLAGS

mkdir project
cat >project/CMakeLists.txt <<PROJECT
cmake_minimum_required(VERSION 3.28)
project(Probe LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "$root/cmake")
if(NOT ANYWHERE AND NOT LADDER_KOKKOS_SPACES STREQUAL "hip") # nothing but what is named
  set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
  set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
  set(CMAKE_FIND_USE_PACKAGE_REGISTRY OFF)
  set(CMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY OFF)
endif()
include(Options)
include(Dependencies)
if(LADDER_CUDA)
  include(Cuda)
endif()
if(LADDER_CCCL)
  include(Cccl)
endif()
if(LADDER_HIP)
  include(Hip)
  message(STATUS "language=\${LADDER_HIP_LANGUAGE} version=\${LADDER_HIP_VERSION} architectures=\${LADDER_HIP_ARCHITECTURES}")
  message(STATUS "rocprim=\${LADDER_HIP_ROCPRIM} hipcub=\${LADDER_HIP_HIPCUB}")
endif()
if(LADDER_KOKKOS)
  include(Kokkos)
  message(STATUS "language=\${LADDER_KOKKOS_LANGUAGE} version=\${LADDER_KOKKOS_VERSION} source=\${LADDER_KOKKOS_SOURCE}")
  message(STATUS "devices=\${LADDER_KOKKOS_DEVICES} architectures=\${LADDER_KOKKOS_ARCHITECTURES}")
  if(NOT TARGET Kokkos::kokkos)
    message(FATAL_ERROR "There is no Kokkos::kokkos.")
  endif()
endif()
PROJECT

die() {
  printf 'FAILED: %s\n--- status %s, output:\n%s\n--- errors:\n%s\n' "$*" "${status-}" "${output-}" "${errors-}" >&2
  exit 1
}

# configure OPTION...: into one and the same build folder. Sets output, errors, status.
configure() {
  "$cmake" -S project -B build ${MAKE_PROGRAM:+"-DCMAKE_MAKE_PROGRAM=$MAKE_PROGRAM"} -DLADDER_KOKKOS=ON "$@" \
    >out 2>err </dev/null && status=0 || status=$?
  output=$(<out) errors=$(<err)
}

hip() { configure -DLADDER_KOKKOS=OFF -DLADDER_HIP=ON "$@"; }

# The whole of the errors has to be this one sentence, in CMake's frame: "CMake Error at PLACE (message):", the sentence in
# lines of its own length, and the call stack.
expect_sentence() {
  [ "$status" = 1 ] || die "exit status $status, not 1"
  local said
  said=$(awk '/^Call Stack/ { exit } NR > 1' err | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
  [ "$said" = "$1" ] || die "it says: $said"$'\n'"    and not: $1"
  [ "$(grep -c '^CMake' err)" = 1 ] || die 'there is more than one message'
}
expect_works() {
  [ "$status" = 0 ] || die "exit status $status"
  [ -z "$errors" ] || die 'it works, but says something'
  local line
  for line; do [[ $output == *"$line"* ]] || die "the output lacks: $line"; done
}

# installed FOLDER VERSION DEVICES [LANGUAGE [GPU]]: a Kokkos as it says of itself what it is.
installed() {
  local folder=$scratch/$1/lib/cmake/Kokkos
  rm -rf -- "${scratch:?}/$1"
  mkdir -p -- "$folder"
  cat >"$folder/KokkosConfigVersion.cmake" <<CONFIG
set(PACKAGE_VERSION "$2")
if(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
CONFIG
  cat >"$folder/KokkosConfigCommon.cmake" <<CONFIG
set(Kokkos_DEVICES $3)
set(Kokkos_OPTIONS )
set(Kokkos_ARCH ${5:+GPU$5})
if(Kokkos_ENABLE_CUDA)
  set(Kokkos_CUDA_ARCHITECTURES ${5-})
endif()
CONFIG
  cat >"$folder/KokkosConfig.cmake" <<CONFIG
if(NOT "$2" MATCHES "^5")
  message(FATAL_ERROR "A Kokkos that is refused has not to be loaded.")
endif()
add_library(Kokkos::kokkos INTERFACE IMPORTED)
include("\${CMAKE_CURRENT_LIST_DIR}/KokkosConfigCommon.cmake")
set(Kokkos_COMPILE_LANGUAGE ${4:-CXX})
CONFIG
}
mend=', or configure with -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON to have 5.0.2 built.'
another="point Kokkos_ROOT at another one$mend"

a_cuda_that_is_too_old_is_told_before_it_is_tried() {
  printf '#!/bin/sh\necho "Cuda compilation tools, release 12.8, V12.8.93"\n' >nvcc
  chmod +x nvcc
  configure -DLADDER_KOKKOS=OFF -DLADDER_CUDA=ON "-DCMAKE_CUDA_COMPILER=$scratch/nvcc"
  expect_sentence "$scratch/nvcc is of CUDA 12.8: CUDA 13.0 or newer is needed, as no older compiler has built and tested these sources."
}

a_cccl_that_is_named_is_taken_where_it_is_new_enough() {
  configure -DLADDER_KOKKOS=OFF "-DLADDER_CCCL=$scratch/cccl"
  expect_sentence "LADDER_CCCL is $scratch/cccl, where there is no CCCL: name the folder that has its cub/ and cuda/."
  mkdir -p cccl/include/cccl/cuda/std/__cccl
  local header=cccl/include/cccl/cuda/std/__cccl/version.h
  echo '#define CCCL_VERSION 3004001' >"$header"
  configure -DLADDER_KOKKOS=OFF "-DLADDER_CCCL=$scratch/cccl"
  expect_works "CCCL for CUB's modes: 3.4.1, with them: 0"
  echo '#define CCCL_VERSION 3005010' >"$header"
  for folder in cccl cccl/include cccl/include/cccl; do
    configure -DLADDER_KOKKOS=OFF "-DLADDER_CCCL=$scratch/$folder"
    expect_works "CCCL for CUB's modes: 3.5.10, with them: 1"
  done
}

an_unknown_space_is_named_with_the_known_ones() {
  configure '-DLADDER_KOKKOS_SPACES=openmp;vulkan'
  expect_sentence 'LADDER_KOKKOS_SPACES names "vulkan", which is none of the known spaces: cuda, hip, openmp, serial.'
  installed good 5.0.2 'OPENMP;SERIAL'
  configure '-DLADDER_KOKKOS_SPACES=openmp' "-DKokkos_ROOT=$scratch/good"
  expect_works "language=CXX version=5.0.2 source=installed at $scratch/good" 'devices=openmp;serial architectures='
}

an_unknown_type_is_named_with_the_known_ones() {
  configure -DLADDER_KOKKOS=OFF '-DLADDER_CUDA_TYPES=f32;f33'
  expect_sentence 'LADDER_CUDA_TYPES names "f33", which is none of the known types: i32, i64, f32, f64, i8, f16, bf16.'
}

no_space_at_all_is_told() {
  configure -DLADDER_KOKKOS_SPACES=
  expect_sentence 'LADDER_KOKKOS is ON, but LADDER_KOKKOS_SPACES is empty: name at least one of cuda, hip, openmp, serial.'
  configure -DLADDER_KOKKOS_SPACES= -DLADDER_KOKKOS=OFF
  expect_works
}

cuda_and_hip_together_are_refused() {
  configure '-DLADDER_KOKKOS_SPACES=hip;serial;cuda'
  expect_sentence \
    'LADDER_KOKKOS_SPACES names cuda and hip, and a Kokkos can be built for only one of them: choose one.'
}

sanitizers_with_kokkos_on_cuda_are_refused() {
  configure '-DLADDER_KOKKOS_SPACES=cuda' -DLADDER_SANITIZE=address
  expect_sentence \
    'LADDER_SANITIZE is for host code alone: use compute-sanitizer for the CUDA backend and for Kokkos on CUDA.'
}

a_wrong_archive_is_told_from_the_right_one() {
  echo 'something else' >wrong.tar.gz
  local is sentence
  is=$(sha256sum wrong.tar.gz)
  sentence="LADDER_KOKKOS_ARCHIVE names $scratch/wrong.tar.gz, which is not the source archive of kokkos 5.0.2: its SHA-256 \
is ${is%% *}, not 188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e."
  configure "-DLADDER_KOKKOS_ARCHIVE=$scratch/wrong.tar.gz"
  expect_sentence "$sentence"
  LADDER_KOKKOS_ARCHIVE=$scratch/wrong.tar.gz configure -ULADDER_KOKKOS_ARCHIVE
  expect_sentence "$sentence"
  if [ -f "$archive" ]; then
    configure "-DLADDER_KOKKOS_ARCHIVE=$archive"
    expect_works 'version=5.0.2 source=built from the 5.0.2 release' 'devices=openmp;serial'
  fi
}

an_archive_that_is_not_there_is_named() {
  configure "-DLADDER_KOKKOS_ARCHIVE=$scratch/none.tar.gz"
  expect_sentence "LADDER_KOKKOS_ARCHIVE names $scratch/none.tar.gz, where there is no file: name a copy of the source archive \
of kokkos 5.0.2 there, or unset it to have that downloaded."
  if [ -f "$archive" ]; then
    LADDER_KOKKOS_ARCHIVE=$archive configure -ULADDER_KOKKOS_ARCHIVE -DLADDER_KOKKOS_SPACES=serial
    expect_works 'devices=serial architectures='
  fi
}

without_archive_or_network_the_ways_to_get_kokkos_are_told() {
  configure -DFETCHCONTENT_FULLY_DISCONNECTED=ON
  expect_sentence "kokkos is not installed and could not be downloaded (FETCHCONTENT_FULLY_DISCONNECTED is set): install it \
(Kokkos 5: github.com/kokkos/kokkos), or name a copy of its 5.0.2 source archive in LADDER_KOKKOS_ARCHIVE."
  installed good 5.0.2 'OPENMP;SERIAL'
  Kokkos_ROOT=$scratch/good configure
  expect_works "source=installed at $scratch/good"
}

a_kokkos_of_another_major_version_is_told_with_where_it_is() {
  local version
  for version in 3.7.01 4.5.1 6.0.0; do
    installed other $version 'OPENMP;SERIAL'
    configure "-DKokkos_ROOT=$scratch/other"
    expect_sentence "Kokkos $version at $scratch/other cannot be used, version 5 is needed: $another"
  done
  # As a system's Kokkos would be found, unasked.
  CMAKE_PREFIX_PATH=$scratch/other configure -UKokkos_ROOT
  expect_sentence "Kokkos 6.0.0 at $scratch/other cannot be used, version 5 is needed: $another"
  installed good 5.1.0 'OPENMP;SERIAL'
  CMAKE_PREFIX_PATH=$scratch/other configure "-DKokkos_ROOT=$scratch/good"
  expect_works "version=5.1.0 source=installed at $scratch/good"
}

a_kokkos_without_an_asked_space_is_told_with_what_it_has() {
  installed threads 5.0.2 'THREADS;SERIAL'
  configure "-DKokkos_ROOT=$scratch/threads"
  expect_sentence "Kokkos 5.0.2 at $scratch/threads is built without openmp, which LADDER_KOKKOS_SPACES asks for (it has \
threads, serial): $another"
  configure '-DLADDER_KOKKOS_SPACES=cuda;openmp;serial'
  expect_sentence "Kokkos 5.0.2 at $scratch/threads is built without cuda and openmp, which LADDER_KOKKOS_SPACES asks for (it \
has threads, serial): $another"
  configure -DLADDER_KOKKOS_SPACES=serial
  expect_works 'devices=threads;serial'
}

a_kokkos_for_a_device_that_is_not_asked_for_is_told() {
  installed device 5.0.2 'OPENMP;SERIAL;CUDA' CUDA 90
  configure "-DKokkos_DIR=$scratch/device/lib/cmake/Kokkos"
  expect_sentence "Kokkos 5.0.2 at $scratch/device is built for cuda too, so that nothing can be compiled with it without \
that, and LADDER_KOKKOS_SPACES asks for openmp, serial alone: point Kokkos_DIR at another one$mend"
  installed good 5.0.2 'OPENMP;SERIAL'
  configure "-DKokkos_DIR=$scratch/good/lib/cmake/Kokkos"
  expect_works "source=installed at $scratch/good"
}

a_kokkos_that_takes_over_every_compilation_is_told() {
  installed launcher 5.0.2 'SERIAL;CUDA' CXX 90
  configure "-DKokkos_ROOT=$scratch/launcher" -DLADDER_KOKKOS_SPACES=cuda -DCMAKE_CUDA_ARCHITECTURES=90
  expect_sentence "Kokkos 5.0.2 at $scratch/launcher is built without Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE, so that it \
would take over the compilation of every source here: $another"
  installed launcher 5.0.2 'SERIAL;CUDA' CUDA 90
  configure
  expect_works "language=CUDA" 'devices=serial;cuda architectures=GPU90'
}

a_kokkos_for_another_gpu_is_told_with_both() {
  installed ampere 5.0.2 'SERIAL;CUDA' CUDA 80
  configure "-DKokkos_ROOT=$scratch/ampere" -DLADDER_KOKKOS_SPACES=cuda -DCMAKE_CUDA_ARCHITECTURES=90-real
  expect_sentence "Kokkos 5.0.2 at $scratch/ampere is built for GPU architecture 80, and this build is for 90: configure with \
-DCMAKE_CUDA_ARCHITECTURES=80, $another"
  configure -DCMAKE_CUDA_ARCHITECTURES=80
  expect_works "source=installed at $scratch/ampere"
}

more_than_one_gpu_architecture_is_refused() {
  configure -DLADDER_KOKKOS_SPACES=cuda '-DCMAKE_CUDA_ARCHITECTURES=80;90'
  expect_sentence "Kokkos is built for one GPU architecture, and CMAKE_CUDA_ARCHITECTURES is \"80;90\": name one there, or \
configure without Kokkos (-DLADDER_KOKKOS=OFF)."
  installed device 5.0.2 'SERIAL;CUDA' CUDA 90
  configure "-DKokkos_ROOT=$scratch/device" '-DCMAKE_CUDA_ARCHITECTURES=90-real;90-virtual'
  expect_works "source=installed at $scratch/device"
}

a_gpu_that_kokkos_does_not_know_is_told_with_those_it_knows() {
  configure -DLADDER_KOKKOS_SPACES=cuda -DCMAKE_CUDA_ARCHITECTURES=103
  expect_sentence "Kokkos 5.0.2 does not know the GPU architecture 103 of CMAKE_CUDA_ARCHITECTURES: name one that it knows \
(50, 52, 53, 60, 61, 70, 72, 75, 80, 86, 87, 89, 90, 100, 120), or configure without Kokkos (-DLADDER_KOKKOS=OFF)."
  configure -DLADDER_KOKKOS=OFF
  expect_works
}

an_architecture_set_twice_in_two_ways_is_refused() {
  configure -DLADDER_KOKKOS_SPACES=cuda -DCMAKE_CUDA_ARCHITECTURES=90 -DKokkos_ARCH_AMPERE80=ON
  expect_sentence "Kokkos_ARCH_AMPERE80 is set, and CMAKE_CUDA_ARCHITECTURES is for 90: name the same GPU in both, or only in \
the second."
}

a_place_without_kokkos_is_named() {
  mkdir nothing
  configure "-DKokkos_ROOT=$scratch/nothing"
  expect_sentence "Kokkos_DIR or Kokkos_ROOT names $scratch/nothing, where no Kokkos was found: correct it, or unset it to \
have 5.0.2 built."
  configure -UKokkos_ROOT "-DKokkos_DIR=$scratch/nothing"
  expect_sentence "Kokkos_DIR or Kokkos_ROOT names $scratch/nothing, where no Kokkos was found: correct it, or unset it to \
have 5.0.2 built."
  installed nothing 5.0.2 'OPENMP;SERIAL'
  configure -UKokkos_DIR "-DKokkos_ROOT=$scratch/nothing"
  expect_works "source=installed at $scratch/nothing"
}

an_installed_kokkos_comes_first_and_can_be_passed_over() {
  [ -f "$archive" ] || exit 77
  installed good 5.0.2 'OPENMP;SERIAL'
  export LADDER_KOKKOS_ARCHIVE=$archive
  configure "-DKokkos_ROOT=$scratch/good"
  expect_works "source=installed at $scratch/good"
  configure -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON
  expect_works 'source=built from the 5.0.2 release' 'devices=openmp;serial'
  configure -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=OFF
  expect_works "source=installed at $scratch/good"
}

a_kokkos_named_later_comes_before_the_one_found_first() {
  installed first 5.0.1 'OPENMP;SERIAL'
  CMAKE_PREFIX_PATH=$scratch/first configure
  expect_works "source=installed at $scratch/first"
  installed second 5.0.2 'OPENMP;SERIAL'
  CMAKE_PREFIX_PATH=$scratch/first configure "-DKokkos_ROOT=$scratch/second"
  expect_works "version=5.0.2 source=installed at $scratch/second"
}

hip_without_a_hipcc_of_today_is_told_with_what_was_found() {
  mkdir tools
  printf '#!/bin/sh\necho "HIP version: 5.2.21153-0"\n' >tools/hipcc
  chmod +x tools/hipcc
  PATH=$scratch/tools:$PATH configure -DLADDER_KOKKOS_SPACES=hip
  local needed='Kokkos on HIP needs hipcc 6.2 or newer, and'
  local install="install AMD's ROCm and put its bin folder in PATH or name its folder in ROCM_PATH, or leave hip out of \
LADDER_KOKKOS_SPACES (preset kokkos-openmp)."
  expect_sentence "$needed $scratch/tools/hipcc is version 5.2.21153: $install"
  if command -v hipcc >/dev/null || [ -e /opt/rocm/bin/hipcc ]; then return; fi
  configure
  expect_sentence "$needed none was found: $install"
}

# rocm FOLDER VERSION [GPU...]: a ROCm as far as its own words go. Its compiler takes the GPUs and compiles nothing; the GPUs
# that are seen are those of the file FOLDER/seen, and without that file whoever asks for them crashes.
rocm() {
  local folder=$scratch/$1 gpu
  mkdir -p -- "$folder/bin" "$folder/llvm/bin"
  printf '#!/bin/sh\necho "HIP version: %s-abc\nAMD clang version 18.0.0git\nInstalledDir: %s/llvm/bin"\n' "$2" "$folder" \
    >"$folder/bin/hipcc"
  printf '#!/bin/sh\necho %s\n' "$folder" >"$folder/bin/hipconfig"
  printf '#!/bin/sh\ncat %s/seen || kill -SEGV $$\n' "$folder" >"$folder/bin/rocm_agent_enumerator"
  {
    printf '#!/bin/sh\ncase "$*" in\n'
    for gpu in "${@:3}"; do printf '  *--offload-arch=%s" "*) exit 0 ;;\n' "$gpu"; done
    printf 'esac\necho "error: invalid target ID" >&2\nexit 1\n'
  } >"$folder/llvm/bin/clang++"
  chmod +x "$folder"/bin/* "$folder/llvm/bin/clang++"
}
no_rocm_here() { if [ -e /opt/rocm ]; then exit 77; fi; }
without_hip='or configure without the HIP backend (-DLADDER_HIP=OFF).'
another_rocm="name the folder of another ROCm in ROCM_PATH, $without_hip"
# What comes of such a compiler once its architectures are decided on.
no_language="as a language, for the reasons in $scratch/build/hip_language/output.txt: mend that installation, $another_rocm"

# headers FOLDER MAJOR MINOR PATCH: HIP's headers, as far as they are looked at.
headers() {
  mkdir -p -- "$scratch/$1/include/hip/nvidia_detail"
  : >"$scratch/$1/include/hip/nvidia_detail/nvidia_hip_runtime_api.h"
  printf '#define HIP_VERSION_MAJOR %s\n#define HIP_VERSION_MINOR %s\n#define HIP_VERSION_PATCH %s\n' "${@:2}" \
    >"$scratch/$1/include/hip/hip_version.h"
}

an_unknown_hip_platform_is_named_with_the_known_ones() {
  hip -DLADDER_HIP_PLATFORM=intel
  expect_sentence 'LADDER_HIP_PLATFORM is "intel", which is none of the known platforms: amd, nvidia.'
  hip -DLADDER_HIP=OFF
  expect_works
}

sanitizers_with_hip_are_refused() {
  local platform
  for platform in amd nvidia; do
    hip -DLADDER_HIP_PLATFORM=$platform -DLADDER_SANITIZE=address
    expect_sentence 'LADDER_SANITIZE is for host code alone: configure without the HIP backend (-DLADDER_HIP=OFF).'
  done
}

hip_without_hipcc_is_told_what_to_install() {
  no_rocm_here
  hip
  expect_sentence "LADDER_HIP is ON, but hipcc was not found: install AMD's ROCm, or what the system has of it (Debian and \
Ubuntu: hipcc), and put its bin folder in PATH or name its folder in ROCM_PATH, $without_hip"
}

a_hipcc_that_is_too_old_is_told_with_its_version() {
  rocm old 4.5.20531 gfx90a
  ROCM_PATH=$scratch/old hip
  expect_sentence "The HIP backend needs hipcc 5.2 or newer, and $scratch/old/bin/hipcc is version 4.5.20531: install a newer \
ROCm and name its folder in ROCM_PATH, $without_hip"
}

hip_is_compiled_for_the_gpus_that_are_seen() {
  rocm rocm 6.4.1 gfx90a gfx1100
  printf 'gfx000\ngfx90a\ngfx90a\ngfx1036\n' >rocm/seen
  ROCM_PATH=$scratch/rocm hip
  expect_sentence "CMake cannot use HIP 6.4.1 at $scratch/rocm $no_language"
  [[ $output == *"HIP architectures: gfx90a (the GPUs of this machine; it refuses gfx1036)"* ]] || die 'the GPUs are not told'
  rocm other 7.0.2 gfx942
  ROCM_PATH=$scratch/other hip
  expect_sentence "CMake cannot use HIP 7.0.2 at $scratch/other $no_language"
}

without_a_gpu_hip_is_compiled_for_all_that_its_compiler_takes() {
  rocm rocm 6.4.1 gfx90a gfx1030 gfx1100
  ROCM_PATH=$scratch/rocm hip
  expect_sentence "CMake cannot use HIP 6.4.1 at $scratch/rocm $no_language"
  local line='HIP architectures: gfx90a, gfx1030, gfx1100 (no GPU seen here: all that the compiler takes; it refuses gfx908,'
  [[ $output == *"$line gfx940, gfx942, gfx950, gfx1200, gfx1201)"* ]] || die 'the architectures are not told'
}

an_architecture_that_the_compiler_refuses_is_told_with_those_it_takes() {
  rocm rocm 6.4.1 gfx90a gfx1100
  local does_not="$scratch/rocm/llvm/bin/clang++ does not compile for"
  local mend="name others in CMAKE_HIP_ARCHITECTURES (it takes gfx90a, gfx1100) or the folder of a ROCm that does in \
ROCM_PATH, $without_hip"
  ROCM_PATH=$scratch/rocm hip '-DCMAKE_HIP_ARCHITECTURES=gfx90a;gfx942'
  expect_sentence "$does_not gfx942 (named in CMAKE_HIP_ARCHITECTURES): $mend"
  echo gfx1201 >rocm/seen
  ROCM_PATH=$scratch/rocm hip -UCMAKE_HIP_ARCHITECTURES
  expect_sentence "$does_not gfx1201 (the GPUs of this machine): $mend"
  ROCM_PATH=$scratch/rocm hip -DCMAKE_HIP_ARCHITECTURES=gfx1100
  [[ $output == *"HIP architectures: gfx1100 (named in CMAKE_HIP_ARCHITECTURES)"* ]] || die 'what it takes is not taken'
}

a_compiler_that_compiles_for_no_gpu_is_told() {
  rocm broken 6.4.1
  ROCM_PATH=$scratch/broken hip
  expect_sentence "$scratch/broken/llvm/bin/clang++, the compiler behind $scratch/broken/bin/hipcc, compiles a kernel for no GPU \
at all: mend that installation, $another_rocm"
}

kokkos_on_hip_shares_the_language() {
  rocm rocm 6.4.1 gfx90a
  local instead="or configure for Kokkos's host spaces (-DLADDER_KOKKOS_SPACES=openmp, preset kokkos-openmp)."
  ROCM_PATH=$scratch/rocm configure -DLADDER_KOKKOS_SPACES=hip
  expect_sentence "CMake cannot use HIP 6.4.1 at $scratch/rocm ${no_language%"$without_hip"}$instead"
}

# The one that needs a HIP that works.
a_hip_that_is_installed_is_used_and_told() {
  command -v hipcc >/dev/null || [ -e /opt/rocm/bin/hipcc ] || exit 77
  hip -DANYWHERE=ON
  expect_works 'HIP architectures: gfx' 'language=HIP version=' 'architectures=gfx'
  hip -DANYWHERE=ON
  expect_works 'language=HIP version=' 'architectures=gfx'
  [[ $output != *'HIP architectures:'* ]] || die 'the architectures are tried again'
}

hip_for_nvidia_without_hips_headers_is_told_what_to_install() {
  no_rocm_here
  hip -DLADDER_HIP_PLATFORM=nvidia
  expect_sentence "LADDER_HIP is ON for nvidia, but HIP's headers (hip/nvidia_detail) were not found: install them (Debian and \
Ubuntu: libamdhip64-dev; ROCm: hip-dev), or name in HIP_PATH the folder in whose include folder they are, $without_hip"
  headers some 6 4 43482
  HIP_PATH=$scratch/some hip -DLADDER_HIP_PLATFORM=nvidia -DCMAKE_CUDA_ARCHITECTURES=90
  expect_works "HIP 6.4.43482 for nvidia (90): HIP's headers at $scratch/some/include, over CUDA" \
    'hipCUB not found (ROCm: hipcub-dev): its library rung is left out.' \
    'language=CUDA version=6.4.43482 architectures=90' 'rocprim=OFF hipcub=OFF'
}

headers_that_are_too_old_are_told_with_their_version() {
  headers old 4 4 21432
  HIP_PATH=$scratch/old hip -DLADDER_HIP_PLATFORM=nvidia
  expect_sentence "The HIP backend needs HIP 5.2 or newer, and the headers at $scratch/old/include are version 4.4.21432: \
install newer ones, point LADDER_HIP_INCLUDE_DIR at them, $without_hip"
  headers new 5 2 21153
  hip -DLADDER_HIP_PLATFORM=nvidia "-DLADDER_HIP_INCLUDE_DIR=$scratch/new/include"
  expect_works 'language=CUDA version=5.2.21153'
}

# device_of PRESET DEVICE: the whole project as that preset has it knows no other device and links none. Skipped where the
# compiler that it needs, or a library, is not here.
device_of() {
  [ ! -f "$archive" ] || export LADDER_KOKKOS_ARCHIVE=$archive
  known() { grep -oE 'libladder_(host|nvidia|amd)\.a' <<<"$1" | sort -u | tr '\n' ' '; }
  whole() {
    "$cmake" -S "$root" --preset "$@" -B "$scratch/whole" ${MAKE_PROGRAM:+"-DCMAKE_MAKE_PROGRAM=$MAKE_PROGRAM"} \
      >out 2>err </dev/null && status=0 || status=$?
    output=$(<out) errors=$(<err)
    if [ "$status" != 0 ]; then
      [[ $errors != *'not found'* && $errors != *'could not be downloaded'* && $errors != *' needs hipcc '* ]] || exit 77
      die "preset $1 cannot be configured"
    fi
    devices=$(known "$(<whole/build.ninja)")
    linked=$(known "$(grep '^build bench/ladder:' whole/build.ninja)")
  }
  whole "$1" -DBUILD_TESTING=OFF
  [ "$devices" = "libladder_$2.a " ] || die "preset $1 has the devices $devices"
  [ "$linked" = "$devices" ] || die "preset $1 links $linked"
  if [ "$1" = hip-nvidia ]; then
    whole "$1" -DBUILD_TESTING=ON
    [ "$devices" = 'libladder_amd.a libladder_nvidia.a ' ] || die "preset $1 has the devices $devices with its tests"
    [ "$linked" = 'libladder_nvidia.a ' ] || die "preset $1 links $linked with its tests"
  fi
}

preset_cpu_has_the_host_alone() { device_of cpu host; }
preset_cuda_has_nvidia_alone() { device_of cuda nvidia; }
preset_hip_amd_has_amd_alone() { device_of hip-amd amd; }
preset_hip_nvidia_has_amd_for_its_tests_alone() { device_of hip-nvidia nvidia; }
# commit_of FOLDER: what a build of the sources in FOLDER calls their commit.
commit_of() {
  : >facts.txt
  printf '@commit@\n' >template
  "$cmake" -DGIT= "-DSOURCE=$1" -DFACTS=facts.txt -DTEMPLATE="$scratch/template" -DOUTPUT="$scratch/out" \
    -P "$root/cmake/WriteBuildInfo.cmake" && cat out
}

an_archive_knows_its_commit() {
  mkdir -p archive/cmake checkout/cmake
  echo 0123456789abcdef0123456789abcdef01234567 >archive/cmake/commit.txt
  # shellcheck disable=SC2016
  echo '$Format:%H$' >checkout/cmake/commit.txt
  [ "$(commit_of "$PWD/archive")" = 0123456789 ] || die "$(commit_of "$PWD/archive")"
  [ "$(commit_of "$PWD/checkout")" = unknown ] || die "$(commit_of "$PWD/checkout")"
}

preset_kokkos_openmp_has_the_host_alone() { device_of kokkos-openmp host; }
preset_kokkos_cuda_has_nvidia_alone() { device_of kokkos-cuda nvidia; }
preset_kokkos_hip_has_amd_alone() { device_of kokkos-hip amd; }

for behaviour; do "$behaviour"; done
