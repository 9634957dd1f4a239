# shellcheck shell=bash
# What the steps of CI share. Each step begins with: source .ci/shared.sh
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

export LADDER_WERROR=ON # cmake/Options.cmake: every preset that is configured from here on is strict
PATH=$PWD/.venv/bin:$PATH

# For a machine that reaches none of the places where Kokkos is downloaded from.
archive=$PWD/../shared/third_party/kokkos-5.0.2.tar.gz
if [ -z "${LADDER_KOKKOS_ARCHIVE-}" ] && [ -f "$archive" ]; then export LADDER_KOKKOS_ARCHIVE=$archive; fi

# The same source is compiled by the same command in most of the presets: once is enough. Kept in this clone, so that a run
# finds nothing of another one.
if [ -z "${CCACHE_DIR-}" ]; then export CCACHE_DIR=$PWD/build/ccache; fi
export CCACHE_BASEDIR=$PWD # or what names the folder of a build would be compiled again in the next one
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache

# need WHAT PACKAGE: installs PACKAGE unless WHAT, a command or a file, is there.
need() {
  if command -v "$1" >/dev/null || [ -e "$1" ]; then return; fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$2" >/dev/null
}

# need_python LOCK: what that file of versions and hashes names, from PyPI into .venv, which ./study setup has made.
need_python() { .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$1"; }

# quiet LOG COMMAND...: what the command says only where it fails.
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
# configure PRESET [OPTION...]: with several sources to a compilation; CI_FULL compiles each by itself.
# build PRESET [TARGET...]: what the preset builds, or these.
configure() { quiet "build/$1/ci.log" cmake --preset "$1" "${unity[@]}" "${@:2}"; }
build() { quiet "build/$1/ci.log" cmake --build --preset "$1" ${2:+--target "${@:2}"}; }

# run_tests PRESET [PATTERN]: of what was built; but not those of the configuration, of scripts and of emulated processors, which
# are the same for every preset and come last, nor those that match PATTERN.
run_tests() {
  ctest --preset "$1" --parallel "$(nproc)" --progress \
    --exclude-regex "_NOT_BUILT\$|_test\$|^(cmake|study|report|elsewhere)\\.${2:+|$2}"
}
