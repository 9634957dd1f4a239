# shellcheck shell=bash
# Detects installed and missing tools and libraries.

cmake_floor=3.28

at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }
first_version() { "$@" 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1 || true; }
quietly() { "$@" >/dev/null 2>&1; }
listed() { printf '%s' "$1" && [ $# = 1 ] || printf ', %s' "${@:2}"; }

# Sets cmake and ctest: the system's, else the project's own; empty if none is new enough. too_old: version of a rejected one.
find_cmake() {
  local folder version
  cmake='' ctest='' too_old=''
  for folder in "$(dirname -- "$(command -v cmake || echo /)")" "$venv/bin"; do
    version=$(first_version "$folder/cmake" --version)
    if [ -n "$version" ] && at_least $cmake_floor "$version"; then
      cmake=$folder/cmake ctest=$folder/ctest
      return
    fi
    too_old=${too_old:-$version}
  done
}

# Sets cxx if the compiler supports C++20, and openmp if it supports OpenMP.
find_compiler() {
  local compiler=${CXX:-c++}
  cxx='' openmp=''
  quietly command -v "$compiler" || return 0
  if quietly "$compiler" -std=c++20 -E -include source_location -x c++ /dev/null; then cxx=$compiler; fi
  if quietly "$compiler" -fopenmp -E -include omp.h -x c++ /dev/null; then openmp=found; fi
}

# Sets seen: the output of cmake/Look.cmake by name; empty without a CMake. A CMake too old for the build will do here.
declare -A seen=()
ask_cmake() {
  local line asking=${cmake:-$(command -v cmake || true)}
  seen=()
  if [ -z "$asking" ]; then return; fi
  while IFS= read -r line; do
    if [[ $line =~ ^--\ ([A-Za-z0-9_]+)=(.*) ]]; then seen[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}; fi
  done < <("$asking" -P "$root/cmake/Look.cmake" 2>/dev/null || true)
}
see() { printf '%s' "${seen[$1]-}"; }
asked() { [ -n "${seen[kokkos_release]-}" ]; }

# Libraries: CMake name; grade if missing (see find_missing); Debian packages; display name; the part that needs it.
libraries='hwloc;needed;libhwloc-dev;hwloc
benchmark;fetched;libbenchmark-dev;Google Benchmark
GTest;fetched;libgtest-dev libgmock-dev;GoogleTest
CLI11;fetched;libcli11-dev;CLI11
nlohmann_json;fetched;nlohmann-json3-dev;nlohmann/json
rapidcheck;fetched;librapidcheck-dev;RapidCheck
hwy;fetched;libhwy-dev;Highway
TBB;left_out;libtbb-dev;oneTBB;the CPU library rung of std::reduce
Eigen3;left_out;libeigen3-dev;Eigen;the CPU library rung of Eigen
openblas;left_out;libopenblas-dev;OpenBLAS;the CPU library rung of BLAS
MPI;left_out;libopenmpi-dev openmpi-bin;MPI;the rungs of several processes (preset mpi)'

# Missing items in four grades, with the Debian packages that provide them:
#   needed    required to build anything; only a package provides it
#   fetched   the build downloads its source instead
#   left_out  a small part is omitted
#   optional  an additional backend; only if apt knows the package
# Without CMake every library counts as missing: installing a present package again does no harm.
find_missing() {
  local library grade names name what
  needed=() fetched=() left_out=() optional=() packages=()
  find_cmake
  find_compiler
  ask_cmake
  find_cuda
  find_hip
  lack() { # lack GRADE NAME PACKAGE...
    local -n grade_of_it=$1
    grade_of_it+=("$2")
    packages+=("${@:3}")
  }
  [ -n "$cxx" ] || lack needed 'a C++20 compiler (GCC 12 or newer)' g++
  quietly command -v pkg-config || lack needed pkg-config pkg-config
  while IFS=';' read -r library grade names name what; do
    # shellcheck disable=SC2086 # several packages
    [ -n "$(see "$library")" ] || lack "$grade" "$name${what:+ ($what)}" $names
  done <<<"$libraries"
  find_kokkos
  if asked && [[ $(see Kokkos) != 5.* ]] && [ -z "$kokkos_archive" ]; then
    lack fetched "Kokkos $(see kokkos_release)"
  fi
  if new_nvcc && asked && [ -z "$(see hip_headers)" ] && quietly apt-cache show libamdhip64-dev; then
    lack optional "HIP's headers (the HIP backend on NVIDIA GPUs)" libamdhip64-dev
  fi
  if new_nvcc && asked && [ -z "$(see nccl)" ] && quietly apt-cache show libnccl-dev; then
    lack optional 'NCCL (m01 on several NVIDIA GPUs)' libnccl-dev
  fi
  if [ -n "$(see hipcc)" ] && [ -z "$(see rccl)" ] && quietly apt-cache show librccl-dev; then
    lack optional 'RCCL (m01 on several AMD GPUs)' librccl-dev
  fi
}

# Sets kokkos: the CMake configuration of an installed one; kokkos_archive: the source given, or one from an earlier build.
find_kokkos() {
  local folder archive
  kokkos=$(see Kokkos_config)
  kokkos_archive=${LADDER_KOKKOS_ARCHIVE-}
  for folder in "$root"/build/{host,nvidia,amd}; do
    archive=$folder/archives/kokkos-$(see kokkos_release).tar.gz
    if [ -z "$kokkos_archive" ] && [ -f "$archive" ]; then kokkos_archive=$archive; fi
  done
}

# Sets nvcc, nvcc_version, gpu and why_no_cuda, which is empty if CUDA can be built and run.
find_cuda() {
  local place
  nvcc='' nvcc_version='' gpu='' why_no_cuda=''
  for place in "${CUDACXX:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-/nowhere}/bin/nvcc" \
    "${CUDA_PATH:-/nowhere}/bin/nvcc" /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc; do
    if [ -x "$place" ]; then
      nvcc=$place
      nvcc_version=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
      PATH=$PATH:$(dirname -- "$nvcc") # for the toolkit's other commands
      break
    fi
  done
  if quietly command -v nvidia-smi; then
    gpu=$(timeout 60 nvidia-smi -L 2>/dev/null | sed -n 's/^GPU [0-9]*: \(.*\) (UUID.*/\1/p' | head -n 1 || true)
  fi
  if [ -z "$gpu" ]; then
    why_no_cuda='no NVIDIA GPU with a working driver is seen here (nvidia-smi lists none)'
  elif [ -z "$nvcc" ]; then
    why_no_cuda="here is an $gpu, but no nvcc: install the CUDA toolkit, 13 or newer, and run again"
  elif ! new_nvcc; then
    why_no_cuda="nvcc $nvcc_version is too old: install the CUDA toolkit, 13 or newer, and run again"
  fi
}
new_nvcc() { [ -n "$nvcc" ] && at_least 13.0 "${nvcc_version:-0}"; } # as in cmake/Cuda.cmake

# Sets hipcc_version, amd_gpu and why_no_rocm, which is empty if HIP can be built for an AMD GPU and run.
find_hip() {
  local hipcc
  hipcc=$(see hipcc)
  hipcc_version=$(see hipcc_version) amd_gpu='' why_no_rocm=''
  if [ -n "$hipcc" ]; then PATH=$PATH:$(dirname -- "$hipcc"); fi # for ROCm's other commands
  # Without a device rocm_agent_enumerator may crash; gfx000 is the CPU.
  amd_gpu=$(timeout 60 rocm_agent_enumerator 2>/dev/null | grep -v '^gfx000' | grep -m 1 '^gfx' || true)
  if [ -z "$amd_gpu" ]; then
    why_no_rocm='no AMD GPU with a working driver is seen here (rocm_agent_enumerator lists none)'
  elif ! asked; then
    why_no_rocm="here is an AMD GPU ($amd_gpu), and CMake, which looks for hipcc, is not here yet: run ./study setup"
  elif [ -z "$hipcc" ]; then
    why_no_rocm="here is an AMD GPU ($amd_gpu), but no hipcc: install ROCm, 5.2 or newer, and run again"
  elif ! at_least 5.2 "${hipcc_version:-0}"; then
    why_no_rocm="hipcc ${hipcc_version:-of no known version} is too old: install ROCm, 5.2 or newer, and run again"
  fi
}

# choose_preset [several]: sets preset; with `several` the one with multi-device rungs.
choose_preset() {
  preset=host
  if [ -z "$why_no_cuda" ]; then preset=nvidia; elif [ -z "$why_no_rocm" ]; then preset=amd; fi
  if [ -z "${1-}" ]; then
    fit_preset
    return
  fi
  preset_options=() absent=()
  case $preset in
    nvidia) absent=("HIP and Kokkos are left out, which ./study run has without --devices") ;;
    amd) absent=("Kokkos is left out, which ./study run has without --devices") ;;
    host)
      fail "--devices names GPUs, and none can be used: $why_no_cuda; $why_no_rocm." \
        "Over the ranks of a CPU: cmake --workflow --preset mpi (docs/several.md)."
      ;;
  esac
  preset+=-multi
}

# Sets preset_options: CMake options of the preset here; absent: omitted parts, each `X is (are) left out: why`.
fit_preset() {
  preset_options=() absent=()
  if [ "$preset" != nvidia ]; then absent+=("CUDA and Kokkos on CUDA are left out: $why_no_cuda"); fi
  case $preset in
    host) absent+=("HIP and Kokkos on HIP are left out: $why_no_rocm") ;;
    nvidia)
      if asked && [ -z "$(see hip_headers)" ]; then
        preset_options+=(-DLADDER_HIP=OFF)
        absent+=("HIP is left out: its headers are not found here (Debian and Ubuntu: libamdhip64-dev)")
      fi
      ;;
    amd)
      if ! at_least 6.2 "$hipcc_version"; then
        preset_options+=('-DLADDER_KOKKOS_SPACES=openmp;serial')
        absent+=("Kokkos on HIP is left out: it needs hipcc 6.2 or newer, and this one is $hipcc_version")
      fi
      ;;
  esac
}

say_absent() {
  local sentence
  for sentence in "${absent[@]}"; do say "$sentence."; done
}
