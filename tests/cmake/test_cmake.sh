#!/usr/bin/env bash
# test_cmake.sh TOPIC: checks the message of a configuration that fails, and that the next one in the same build folder works.
# Each topic uses a temporary folder. Configures a project of a few lines over the modules of cmake/, which finds mock Kokkos
# and ROCm installations of a few lines.
# CMAKE names the cmake to run, MAKE_PROGRAM its generator's program; KOKKOS_ARCHIVE (optional) the archive of the pinned
# release. The topic presets configures this project. Exit status 77: not testable here (ctest reports it as skipped).
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
cmake=${CMAKE:-cmake}
archive=${KOKKOS_ARCHIVE:-${LADDER_KOKKOS_ARCHIVE:-/nowhere}}
here=$(mktemp -d)
trap 'rm -rf -- "$here"' EXIT
cd -- "$here"

# Removes the user's settings.
unset Kokkos_ROOT KOKKOS_ROOT Kokkos_DIR CMAKE_PREFIX_PATH LADDER_KOKKOS_ARCHIVE LADDER_WERROR
unset CUDAARCHS ROCM_PATH HIP_PATH HIPCXX HIPFLAGS

mkdir project
cat >project/CMakeLists.txt <<PROJECT
cmake_minimum_required(VERSION 3.28)
project(Probe LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "$root/cmake")
if(NOT LADDER_KOKKOS_SPACES STREQUAL "hip") # nothing but what is named
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
  message(STATUS "\${LADDER_HIP_LANGUAGE} \${LADDER_HIP_VERSION} for \${LADDER_HIP_ARCHITECTURES}")
endif()
if(LADDER_KOKKOS)
  include(Kokkos)
  message(STATUS "\${LADDER_KOKKOS_LANGUAGE} \${LADDER_KOKKOS_DEVICES} for \${LADDER_KOKKOS_ARCHITECTURES}")
  if(NOT TARGET Kokkos::kokkos)
    message(FATAL_ERROR "There is no Kokkos::kokkos.")
  endif()
endif()
PROJECT

die() {
  printf 'FAILED: %s\n--- status %s, output:\n%s\n--- errors:\n%s\n' "$*" "${status-}" "$(<out)" "$(<err)" >&2
  exit 1
}

# configure OPTION...: configures one build folder without the options of earlier calls. Sets status; output is in out and err.
configure() {
  "$cmake" -S project -B build ${MAKE_PROGRAM:+"-DCMAKE_MAKE_PROGRAM=$MAKE_PROGRAM"} -U'LADDER_*' -U'Kokkos_*' -U'CMAKE_DISABLE_*' \
    -U'*CONTENT*' -U'CMAKE_HIP_*' -U'CMAKE_CUDA_*' -UCMAKE_CXX_FLAGS "$@" >out 2>err </dev/null && status=0 || status=$?
}

# refuses SENTENCE OPTION...: the error output is exactly this sentence in CMake's frame: "CMake Error at PLACE (message):", the
# sentence, which CMake wraps, and the call stack.
refuses() {
  configure "${@:2}"
  [ "$status" = 1 ] || die "exit status $status, not 1"
  local said
  said=$(awk '/^Call Stack/ { exit } NR > 1' err | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
  [ "$said" = "$1" ] || die "it says: $said"$'\n'"    and not: $1"
  [ "$(grep -c '^CMake' err)" = 1 ] || die 'there is more than one message'
}

# works LINE OPTION...: succeeds without errors or warnings, with LINE in the output.
works() {
  configure "${@:2}"
  [ "$status" = 0 ] || die "exit status $status"
  [ ! -s err ] || die 'it works, but says something'
  grep -qF -- "$1" out || die "the output lacks: $1"
}

test_options() {
  refuses 'LADDER_KOKKOS_SPACES names "vulkan", which is none of the known spaces: cuda, hip, openmp, serial.' \
    -DLADDER_KOKKOS=ON '-DLADDER_KOKKOS_SPACES=openmp;vulkan'
  refuses 'LADDER_KOKKOS is ON, but LADDER_KOKKOS_SPACES is empty: name at least one of cuda, hip, openmp, serial.' \
    -DLADDER_KOKKOS=ON -DLADDER_KOKKOS_SPACES=
  refuses 'LADDER_KOKKOS_SPACES names cuda and hip, and a Kokkos can be built for only one of them: choose one.' \
    -DLADDER_KOKKOS=ON '-DLADDER_KOKKOS_SPACES=hip;serial;cuda'
  refuses 'LADDER_CUDA_TYPES names "f33", which is none of the known types: i32, i64, f32, f64, i8, f16, bf16.' \
    '-DLADDER_CUDA_TYPES=f32;f33'
  refuses '-Ofast (CMAKE_CXX_FLAGS, or CXXFLAGS in the environment): results could not be checked, since NaN and the order of additions'\
' would mean nothing. Leave it out.' -DCMAKE_CXX_FLAGS=-Ofast
  refuses 'LADDER_HIP_PLATFORM names "intel", which is none of the known platforms: amd, nvidia.' \
    -DLADDER_HIP=ON -DLADDER_HIP_PLATFORM=intel
  refuses 'LADDER_SANITIZE is for host code alone: use compute-sanitizer for the CUDA backend and for Kokkos on CUDA.' \
    -DLADDER_KOKKOS=ON -DLADDER_KOKKOS_SPACES=cuda -DLADDER_SANITIZE=address
  refuses 'LADDER_SANITIZE is for host code alone: configure without the HIP backend (-DLADDER_HIP=OFF).' \
    -DLADDER_HIP=ON -DLADDER_SANITIZE=address
  printf '#!/bin/sh\necho "Cuda compilation tools, release 12.8, V12.8.93"\n' >nvcc
  chmod +x nvcc
  refuses "$here/nvcc is of CUDA 12.8: CUDA 13.0 or newer is needed, as no older compiler has built and tested these sources." \
    -DLADDER_CUDA=ON "-DCMAKE_CUDA_COMPILER=$here/nvcc"
}

test_cccl() {
  refuses "LADDER_CCCL is $here/cccl, where there is no CCCL: name the folder that has its cub/ and cuda/." "-DLADDER_CCCL=$here/cccl"
  mkdir -p cccl/include/cccl/cuda/std/__cccl
  local header=cccl/include/cccl/cuda/std/__cccl/version.h
  echo '#define CCCL_VERSION 3004001' >"$header"
  works "CCCL for CUB's modes: 3.4.1, with them: 0" "-DLADDER_CCCL=$here/cccl"
  echo '#define CCCL_VERSION 3005010' >"$header"
  for folder in cccl cccl/include cccl/include/cccl; do
    works "CCCL for CUB's modes: 3.5.10, with them: 1" "-DLADDER_CCCL=$here/$folder"
  done
}

# Tests a wrong or missing archive. Builds the right one if it is available.
test_archive() {
  echo 'something else' >wrong
  local sum hash=188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
  sum=$(sha256sum wrong)
  refuses "LADDER_KOKKOS_ARCHIVE names $here/wrong, which is not the source archive of kokkos 5.0.2: its SHA-256 is ${sum%% *}, not \
$hash." -DLADDER_KOKKOS=ON "-DLADDER_KOKKOS_ARCHIVE=$here/wrong"
  LADDER_KOKKOS_ARCHIVE=$here/none refuses "LADDER_KOKKOS_ARCHIVE names $here/none, where there is no file: name a copy of the source \
archive of kokkos 5.0.2 there, or unset it to have that downloaded." -DLADDER_KOKKOS=ON
  refuses "kokkos is not installed and could not be downloaded (FETCHCONTENT_FULLY_DISCONNECTED is set): install it (Kokkos 5: \
github.com/kokkos/kokkos), or name a copy of its 5.0.2 source archive in LADDER_KOKKOS_ARCHIVE." \
    -DLADDER_KOKKOS=ON -DFETCHCONTENT_FULLY_DISCONNECTED=ON
  [ -f "$archive" ] || exit 77
  works 'CXX serial for' -DLADDER_KOKKOS=ON "-DLADDER_KOKKOS_ARCHIVE=$archive" -DLADDER_KOKKOS_SPACES=serial
}

# installed FOLDER VERSION DEVICES [LANGUAGE [GPU]]: makes a mock Kokkos installation with this description.
installed() {
  local folder=$here/$1/lib/cmake/Kokkos
  mkdir -p -- "$folder"
  cat >"$folder/KokkosConfigVersion.cmake" <<CONFIG
set(PACKAGE_VERSION "$2")
if(PACKAGE_VERSION MATCHES "^\${PACKAGE_FIND_VERSION_MAJOR}\\\\.")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
CONFIG
  cat >"$folder/KokkosConfig.cmake" <<CONFIG
add_library(Kokkos::kokkos INTERFACE IMPORTED)
set(Kokkos_DEVICES $3)
set(Kokkos_ARCH ${5:+GPU$5})
set(Kokkos_CUDA_ARCHITECTURES ${5-})
set(Kokkos_COMPILE_LANGUAGE ${4:-CXX})
CONFIG
}
mend=', or configure with -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON to have 5.0.2 built.'
another="point Kokkos_ROOT at another one$mend"

# kokkos COMMAND FOLDER SENTENCE OPTION...: runs COMMAND (works or refuses) with the Kokkos in FOLDER.
kokkos() { "$1" "$3" -DLADDER_KOKKOS=ON "-DKokkos_ROOT=$here/$2" "${@:4}"; }

test_installed_kokkos() {
  installed good 5.1.0 'OPENMP;SERIAL'
  installed other 4.5.1 'OPENMP;SERIAL'
  CMAKE_PREFIX_PATH=$here/other refuses "Kokkos 4.5.1 at $here/other cannot be used, version 5 is needed, with all that it was \
built with: $another" -DLADDER_KOKKOS=ON
  # A Kokkos_ROOT that is set later takes precedence over the first installation found.
  CMAKE_PREFIX_PATH=$here/other kokkos works good "Kokkos 5.1.0 (openmp, serial): installed at $here/good"
  installed threads 5.0.2 'THREADS;SERIAL'
  kokkos refuses threads "Kokkos 5.0.2 at $here/threads is built without cuda and openmp, which LADDER_KOKKOS_SPACES asks for (it has \
threads, serial): $another" '-DLADDER_KOKKOS_SPACES=cuda;openmp;serial'
  installed device 5.0.2 'OPENMP;SERIAL;CUDA' CUDA 90
  refuses "Kokkos 5.0.2 at $here/device is built for cuda too, so that nothing can be compiled with it without that, and \
LADDER_KOKKOS_SPACES asks for openmp, serial alone: point Kokkos_DIR at another one$mend" \
    -DLADDER_KOKKOS=ON "-DKokkos_DIR=$here/device/lib/cmake/Kokkos"
  mkdir nothing
  local nothing="names $here/nothing, where no Kokkos was found: correct it, or unset it to have 5.0.2 built."
  kokkos refuses nothing "Kokkos_DIR or Kokkos_ROOT $nothing"
  refuses "Kokkos_DIR or Kokkos_ROOT $nothing" -DLADDER_KOKKOS=ON "-DKokkos_DIR=$here/nothing"
  [ -f "$archive" ] || exit 77
  CMAKE_PREFIX_PATH=$here/good works 'Kokkos 5.0.2 (openmp, serial): built from the 5.0.2 release' -DLADDER_KOKKOS=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON "-DLADDER_KOKKOS_ARCHIVE=$archive"
}

test_kokkos_on_a_gpu() {
  installed launcher 5.0.2 'SERIAL;CUDA' CXX 90
  kokkos refuses launcher "Kokkos 5.0.2 at $here/launcher is built without Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE, so that it would \
take over the compilation of every source here: $another" -DLADDER_KOKKOS_SPACES=cuda -DCMAKE_CUDA_ARCHITECTURES=90
  installed ampere 5.0.2 'SERIAL;CUDA' CUDA 80
  kokkos refuses ampere "Kokkos 5.0.2 at $here/ampere is built for GPU architecture 80, and this build is for 90: configure with \
-DCMAKE_CUDA_ARCHITECTURES=80, $another" -DLADDER_KOKKOS_SPACES=cuda -DCMAKE_CUDA_ARCHITECTURES=90-real
  kokkos works ampere 'CUDA serial;cuda for GPU80' -DLADDER_KOKKOS_SPACES=cuda '-DCMAKE_CUDA_ARCHITECTURES=80-real;80-virtual'
  refuses "Kokkos is built for one GPU architecture, and CMAKE_CUDA_ARCHITECTURES is \"80;90\": name one there, or configure without \
Kokkos (-DLADDER_KOKKOS=OFF)." -DLADDER_KOKKOS=ON -DLADDER_KOKKOS_SPACES=cuda '-DCMAKE_CUDA_ARCHITECTURES=80;90'
  refuses "Kokkos 5.0.2 does not know the GPU architecture 103 of CMAKE_CUDA_ARCHITECTURES: name one that it knows (75, 80, 86, 87, \
89, 90, 100, 120), or configure without Kokkos (-DLADDER_KOKKOS=OFF)." \
    -DLADDER_KOKKOS=ON -DLADDER_KOKKOS_SPACES=cuda -DCMAKE_CUDA_ARCHITECTURES=103
}

# rocm FOLDER VERSION [GPU...]: makes a mock ROCm. Its compiler accepts these GPUs and compiles nothing. The file FOLDER/seen
# lists the GPUs present; without it the query crashes.
rocm() {
  local folder=$here/$1 gpu
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
without_hip='or configure without the HIP backend (-DLADDER_HIP=OFF).'

# hip FOLDER SENTENCE OPTION...: requires a refusal of the ROCm in FOLDER, or of no ROCm if FOLDER is empty.
hip() { ROCM_PATH=${1:+$here/$1} refuses "$2" -DLADDER_HIP=ON "${@:3}"; }

test_hip_on_amd() {
  if [ -e /opt/rocm ]; then exit 77; fi
  hip '' "LADDER_HIP is ON, but hipcc was not found: install AMD's ROCm, or what the system has of it (Debian and Ubuntu: hipcc), and \
put its bin folder in PATH or name its folder in ROCM_PATH, $without_hip"
  rocm old 4.5.20531 gfx90a
  hip old "The HIP backend needs hipcc 5.2 or newer, and $here/old/bin/hipcc is version 4.5.20531: install a newer ROCm and name its \
folder in ROCM_PATH, $without_hip"
}

# Only the choice of architectures is tested: CMake may fail later on such a compiler.
test_hip_architectures() {
  rocm rocm 6.4.1 gfx90a gfx1030 gfx1100
  export ROCM_PATH=$here/rocm
  decides() {
    configure -DLADDER_HIP=ON
    grep -qF "HIP architectures: $1" out || die "it does not decide: $1"
  }
  decides 'gfx90a, gfx1030, gfx1100 (no GPU seen here: all that the compiler takes; it refuses gfx908, gfx940,'
  printf 'gfx000\ngfx90a\ngfx90a\ngfx1036\n' >rocm/seen
  decides 'gfx90a (the GPUs of this machine; it refuses gfx1036)'
  local does_not="$here/rocm/llvm/bin/clang++ does not compile for"
  local others="name others in CMAKE_HIP_ARCHITECTURES (it takes gfx90a, gfx1030, gfx1100) or the folder of a ROCm that does in \
ROCM_PATH, $without_hip"
  refuses "$does_not gfx942 (named in CMAKE_HIP_ARCHITECTURES): $others" -DLADDER_HIP=ON '-DCMAKE_HIP_ARCHITECTURES=gfx90a;gfx942'
  echo gfx1201 >rocm/seen
  refuses "$does_not gfx1201 (the GPUs of this machine): $others" -DLADDER_HIP=ON
  rocm former 5.2.21153 gfx90a
  ROCM_PATH=$here/former refuses "Kokkos on HIP needs hipcc 6.2 or newer, and $here/former/bin/hipcc is version 5.2.21153: install AMD's \
ROCm and put its bin folder in PATH or name its folder in ROCM_PATH, or leave hip out of LADDER_KOKKOS_SPACES (preset kokkos-openmp)." \
    -DLADDER_KOKKOS=ON -DLADDER_KOKKOS_SPACES=hip
}

# headers FOLDER MAJOR MINOR PATCH: makes the HIP headers that the configuration reads.
headers() {
  mkdir -p -- "$here/$1/include/hip/nvidia_detail"
  : >"$here/$1/include/hip/nvidia_detail/nvidia_hip_runtime_api.h"
  printf '#define HIP_VERSION_MAJOR %s\n#define HIP_VERSION_MINOR %s\n#define HIP_VERSION_PATCH %s\n' "${@:2}" \
    >"$here/$1/include/hip/hip_version.h"
}

test_hip_on_nvidia() {
  if [ -e /opt/rocm ]; then exit 77; fi
  local on_nvidia=(-DLADDER_HIP=ON -DLADDER_HIP_PLATFORM=nvidia -DCMAKE_CUDA_ARCHITECTURES=90)
  refuses "LADDER_HIP is ON for nvidia, but HIP's headers (hip/nvidia_detail) were not found: install them (Debian and Ubuntu: \
libamdhip64-dev; ROCm: hip-dev), or name in HIP_PATH the folder in whose include folder they are, $without_hip" "${on_nvidia[@]}"
  headers old 4 4 21432
  HIP_PATH=$here/old refuses "The HIP backend needs HIP 5.2 or newer, and the headers at $here/old/include are version 4.4.21432: install \
newer ones, point LADDER_HIP_INCLUDE_DIR at them, $without_hip" "${on_nvidia[@]}"
  headers some 6 4 43482
  HIP_PATH=$here/some works 'CUDA 6.4.43482 for 90' "${on_nvidia[@]}"
}

# A source archive records its commit; a folder without git has none.
test_commit() {
  mkdir -p archive/cmake checkout/cmake
  echo 0123456789abcdef0123456789abcdef01234567 >archive/cmake/commit.txt
  # shellcheck disable=SC2016
  echo '$Format:%H$' >checkout/cmake/commit.txt
  echo '@commit@' >template
  local folder
  for folder in archive checkout; do
    "$cmake" -DGIT= "-DSOURCE=$PWD/$folder" "-DTEMPLATE=$PWD/template" "-DOUTPUT=$PWD/$folder.commit" \
      -P "$root/cmake/WriteBuildInfo.cmake"
  done
  [ "$(<archive.commit) $(<checkout.commit)" = '0123456789 unknown' ] || die "it is $(<archive.commit) and $(<checkout.commit)"
}

# A preset's program links only the code of its devices. Skips a preset whose compiler or library is missing.
test_presets() {
  if [ -f "$archive" ]; then export LADDER_KOKKOS_ARCHIVE=$archive; fi
  local pair preset linked
  for pair in cpu:host cuda:nvidia hip-amd:amd hip-nvidia:nvidia kokkos-openmp:host; do
    preset=${pair%:*}
    "$cmake" -S "$root" --preset "$preset" -B "$here/$preset" -DBUILD_TESTING=OFF ${MAKE_PROGRAM:+"-DCMAKE_MAKE_PROGRAM=$MAKE_PROGRAM"} \
      >out 2>err </dev/null && status=0 || status=$?
    if [ "$status" != 0 ]; then
      grep -q 'not found\|could not be downloaded' err || die "preset $preset cannot be configured"
      echo "preset $preset is passed over"
      continue
    fi
    linked=$(grep '^build bench/ladder:' "$preset/build.ninja" | grep -oE 'libladder_(host|nvidia|amd)\.a' | sort -u)
    [ "$linked" = "libladder_${pair#*:}.a" ] || die "preset $preset links $linked"
  done
}

"test_$1"
