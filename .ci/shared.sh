# shellcheck shell=bash
# Shared by the steps of CI, each of which begins with: source .ci/shared.sh
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

export LADDER_WERROR=ON # cmake/Options.cmake: makes every preset configured below strict
PATH=$PWD/.venv/bin:$PATH

# Fallback for machines that cannot download Kokkos.
archive=$PWD/../shared/third_party/kokkos-5.0.2.tar.gz
if [ -z "${LADDER_KOKKOS_ARCHIVE-}" ] && [ -f "$archive" ]; then export LADDER_KOKKOS_ARCHIVE=$archive; fi

# Most presets compile the same sources by the same commands: compile them once. The cache is in this clone, so that runs are
# independent.
if [ -z "${CCACHE_DIR-}" ]; then export CCACHE_DIR=$PWD/build/ccache; fi
export CCACHE_BASEDIR=$PWD # else commands that name the build folder would miss the cache
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache

# need WHAT PACKAGE: installs PACKAGE unless WHAT, a command or a file, is there.
need() {
  if command -v "$1" >/dev/null || [ -e "$1" ]; then return; fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$2" >/dev/null
}

# need_python LOCK: installs the packages of this lock file from PyPI into .venv, which ./study setup has made.
need_python() { .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$1"; }

# quiet LOG COMMAND...: logs the command's output; prints the end of the log if it fails.
quiet() {
  local log=$1
  shift
  mkdir -p -- "$(dirname -- "$log")"
  if ! "$@" >>"$log" 2>&1; then
    tail -n 60 "$log"
    printf 'Failed: %s\nAbove is the end of %s.\n' "$*" "$log"
    exit 1
  fi
}

unity=(-DCMAKE_UNITY_BUILD=ON -DLADDER_UNITY=ON)
if [ -n "${CI_FULL-}" ]; then unity=(); fi
# configure PRESET [OPTION...]: uses unity builds; CI_FULL compiles each source separately.
# build PRESET [TARGET...]: builds the preset, or only these targets.
configure() { quiet "build/$1/ci.log" cmake --preset "$1" "${unity[@]}" "${@:2}"; }
build() { quiet "build/$1/ci.log" cmake --build --preset "$1" ${2:+--target "${@:2}"}; }

# run_tests PRESET [PATTERN]: runs the tests that were built, except those that match PATTERN. Also excludes tests of the
# configuration, scripts and emulated processors: they are the same for every preset and run in the last step.
run_tests() {
  ctest --preset "$1" --parallel "$(nproc)" --progress \
    --exclude-regex "_NOT_BUILT\$|_test\$|^(cmake|study|report|elsewhere)\\.${2:+|$2}"
}
