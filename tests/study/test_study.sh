#!/usr/bin/env bash
# test_study.sh BEHAVIOUR...: checks ./study, each behaviour in a folder of its own that is deleted afterwards.
# ./study looks at the machine through the commands in PATH, so a machine of another kind is a folder of small scripts.
# Exit status 77: it cannot be checked here (ctest calls it skipped).
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
study=$root/study
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"

die() {
  printf 'FAILED: %s\n' "$*" >&2
  printf -- '--- status %s, output:\n%s\n' "${status-}" "${output-}" >&2
  exit 1
}
# Sets output (both streams) and status.
capture() { output=$("$@" 2>&1 </dev/null) && status=0 || status=$?; }
expect_status() { [ "$status" = "$1" ] || die "exit status $status, not $1"; }
expect() { [[ $output == *"$1"* ]] || die "the output lacks: $1"; }
expect_not() { [[ $output != *"$1"* ]] || die "the output should not say: $1"; }

# A machine of its own: `machine` empties it, `tool NAME` puts a script (from standard input) there, `with NAME...` the
# real one. `there COMMAND...` runs with nothing but that in PATH.
machine() {
  rm -rf -- "$scratch/machine"
  mkdir -- "$scratch/machine"
  with bash sh env cat awk sed grep head sort tr dirname readlink mkdir id timeout uname date tail rm
}
# The link to a real tool goes first: writing through it would change the tool itself.
tool() {
  rm -f -- "$scratch/machine/$1"
  cat >"$scratch/machine/$1"
  chmod +x "$scratch/machine/$1"
}
with() {
  local name
  for name; do ln -sf -- "$(command -v "$name")" "$scratch/machine/$name"; done
}
there() { env -i HOME=/nonexistent PATH="$scratch/machine" "$@"; }
gpu() { printf '#!/bin/sh\ncase "$*" in -L) echo "GPU 0: NVIDIA H200 (UUID: GPU-0)" ;; *) echo 580.1 ;; esac\n' | tool nvidia-smi; }
nvcc() { printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V%s.1"\n' "$1" "$1" | tool nvcc; }
# The usual places of the toolkit are looked at without PATH.
no_toolkit_here() { if [ -e /usr/local/cuda/bin/nvcc ] || [ -e /opt/cuda/bin/nvcc ]; then exit 77; fi; }

the_commands_are_listed_when_none_is_given() {
  capture "$study"
  expect_status 0
  local command
  for command in run test evidence setup doctor bundle; do expect "./study $command"; done
}

every_command_has_help() {
  local command flag
  for command in run test evidence setup doctor bundle; do
    for flag in --help -h; do
      capture "$study" "$command" "$flag"
      expect_status 0
      [[ $output == "./study $command"* ]] || die "help of $command begins otherwise"
    done
  done
  capture "$study" --help
  expect_status 0
}

an_unknown_command_names_the_nearest_and_exits_2() {
  local pair
  for pair in rnu:run tset:test docter:doctor evidenc:evidence bundel:bundle set-up:setup; do
    capture "$study" "${pair%:*}"
    expect_status 2
    expect "unknown command '${pair%:*}'"
    expect "Did you mean ${pair#*:}?"
    expect 'run test evidence setup doctor bundle'
  done
}

an_unknown_option_is_named_and_exits_2() {
  capture "$study" bundle --everything
  expect_status 2
  expect --everything
  expect --tests
  capture "$study" doctor --fast
  expect_status 2
  expect --fast
}

doctor_names_what_it_looked_for() {
  capture "$study" doctor
  expect_status 0
  local name
  for name in 'C++ compiler' OpenMP CMake Ninja pkg-config git hwloc 'Google Benchmark' GoogleTest CLI11 nlohmann/json \
    oneTBB OpenBLAS nvcc 'NVIDIA GPU' python3 ncu cuobjdump './study run here: preset'; do
    expect "$name"
  done
  # On a machine with nothing, each has a way to get it.
  machine
  capture there "$study" doctor
  expect_status 0
  expect 'missing    GCC 12 or newer'
  expect 'libhwloc-dev'
  expect 'only for CUDA: a GPU with its driver'
}

a_machine_without_gpu_is_told_that_cuda_is_left_out() {
  machine
  nvcc 13.0
  capture there "$study" doctor
  expect_status 0
  expect 'preset host. CUDA is left out: no NVIDIA GPU with a working driver is seen here'
}

a_gpu_with_an_old_nvcc_is_told_to_install_a_newer_one() {
  machine
  gpu
  nvcc 11.8
  capture there "$study" doctor
  expect_status 0
  expect 'preset host. CUDA is left out: nvcc 11.8 is too old: install the CUDA toolkit'
}

a_gpu_without_nvcc_is_told_to_install_the_toolkit() {
  no_toolkit_here
  machine
  gpu
  capture there "$study" doctor
  expect_status 0
  expect 'NVIDIA H200, driver 580.1'
  expect 'preset host. CUDA is left out: here is an NVIDIA H200, but no nvcc: install the CUDA toolkit'
}

a_gpu_with_nvcc_chooses_the_nvidia_preset() {
  machine
  gpu
  nvcc 13.0
  capture there "$study" doctor
  expect_status 0
  expect 'preset nvidia.'
  expect_not 'left out: here'
}

evidence_without_a_gpu_or_python_says_so_in_a_sentence() {
  mkdir -- "$scratch/copy" # without a .venv
  cp -- "$study" "$scratch/copy/study"
  machine
  nvcc 13.0
  capture there "$scratch/copy/study" evidence
  expect_status 2
  expect 'needs Python 3'
  with python3
  capture there "$scratch/copy/study" evidence
  expect_status 2
  expect './study evidence is about CUDA rungs: no NVIDIA GPU with a working driver is seen here'
}

a_driver_without_device_is_not_a_gpu() {
  machine
  nvcc 13.0
  printf '#!/bin/sh\necho "No devices were found"\nexit 6\n' | tool nvidia-smi
  capture there "$study" doctor
  expect_status 0
  expect 'preset host. CUDA is left out'
}

works_from_any_folder_through_a_link_and_with_a_space_in_the_path() {
  mkdir -- "$scratch/a folder" "$scratch/elsewhere"
  cp -- "$study" "$scratch/a folder/study"
  ln -s -- "../a folder/study" "$scratch/elsewhere/study"
  cd -- "$scratch/elsewhere"
  machine
  mkdir -p -- "$scratch/a folder/.venv/bin"
  printf '#!/bin/sh\necho "cmake version 3.31.0"\n' | tool its_own_cmake
  mv -- "$scratch/machine/its_own_cmake" "$scratch/a folder/.venv/bin/cmake"
  capture there ./study doctor
  expect_status 0
  expect "3.31.0 ($scratch/a folder/.venv/bin/cmake)"
  capture "../a folder/study" rnu
  expect_status 2
  expect 'Did you mean run?'
}

an_old_cmake_is_passed_over() {
  mkdir -- "$scratch/copy" # without a .venv
  cp -- "$study" "$scratch/copy/study"
  machine
  printf '#!/bin/sh\necho "cmake version 3.25.1"\n' | tool cmake
  capture there "$scratch/copy/study" doctor
  expect '3.25.1 is too old: ./study setup puts it into .venv'
  printf '#!/bin/sh\necho "cmake version 3.28.0"\n' | tool cmake
  capture there "$scratch/copy/study" doctor
  expect '3.28.0 ('
  expect_not 'too old'
}

# As somebody else than root, on a machine with apt-get and nothing more.
without_root_the_line_for_the_administrator_is_printed() {
  mkdir -- "$scratch/copy"
  cp -- "$study" "$scratch/copy/study"
  machine
  printf '#!/bin/sh\necho 1000\n' | tool id
  printf '#!/bin/sh\necho "apt-get was called" >&2\nexit 1\n' | tool apt-get
  local command
  for command in setup run test bundle; do
    capture there "$scratch/copy/study" "$command"
    expect_status 2
    expect 'Missing: a C++20 compiler (GCC 12 or newer), pkg-config, hwloc'
    expect 'sudo apt-get install g++ pkg-config libhwloc-dev'
    expect_not 'apt-get was called'
  done
}

a_folder_that_cannot_be_written_is_named() {
  mkdir -- "$scratch/copy"
  cp -- "$study" "$scratch/copy/study"
  : >"$scratch/copy/build" # not even root makes a folder of it
  machine
  local name
  for name in cmake ctest ninja; do printf '#!/bin/sh\necho 3.31.0\n' | tool "$name"; done
  printf '#!/bin/sh\nexit 0\n' | tool pkg-config
  printf '#!/bin/sh\necho cxx hwloc\n' | tool c++
  capture there "$scratch/copy/study" run
  expect_status 2
  expect "Cannot write $scratch/copy/build/"
}

for behaviour; do "$behaviour"; done
