#!/usr/bin/env bash
# test_study.sh BEHAVIOUR...: tests ./study, each behaviour in a temporary folder. ./study inspects the machine through the
# commands in PATH, so a folder of small scripts simulates another machine. Exit status 77: not testable here (ctest reports it
# as skipped).
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
# ends STATUS COMMAND...: runs with only the machine's commands in PATH and expects STATUS.
ends() {
  capture there "${@:2}"
  expect_status "$1"
}
expect() { [[ $output == *"$1"* ]] || die "the output lacks: $1"; }
expect_not() { [[ $output != *"$1"* ]] || die "the output should not say: $1"; }

# Simulated machine: `machine` empties it, `tool NAME` adds a script from standard input, `with NAME...` adds the real commands.
# `there COMMAND...` runs with only these in PATH.
machine() {
  rm -rf -- "$scratch/machine"
  mkdir -- "$scratch/machine"
  with bash sh env cat awk sed grep head sort tr dirname readlink mkdir id timeout uname date tail rm
}
# Removes a link to a real tool first: writing through it would change the tool.
tool() {
  rm -f -- "$scratch/machine/$1"
  cat >"$scratch/machine/$1"
  chmod +x "$scratch/machine/$1"
}
with() {
  local name
  for name; do ln -sf -- "$(command -v "$name")" "$scratch/machine/$name"; done
}
# Adds the CMake of the tests, which finds nothing in the system's folders.
with_cmake() {
  printf '#!/bin/sh\nexec "%s" -DCMAKE_SYSTEM_PREFIX_PATH=/nowhere "$@"\n' "${CMAKE:-$(command -v cmake)}" | tool cmake
}
# copy_study FOLDER: copies ./study and its parts, without builds or .venv.
copy_study() {
  rm -rf -- "$1"
  mkdir -p -- "$1/tools"
  cp -- "$study" "$1/study"
  cp -r -- "$root/tools/study" "$1/tools/study"
  cp -r -- "$root/cmake" "$1/cmake"
}
there() { env -i HOME=/nonexistent PATH="$scratch/machine" "$@"; }
gpu() { printf '#!/bin/sh\ncase "$*" in -L) echo "GPU 0: NVIDIA H200 (UUID: GPU-0)" ;; *) echo 580.1 ;; esac\n' | tool nvidia-smi; }
agents() { printf '#!/bin/sh\nprintf "%s\\n"\n' "$*" | tool rocm_agent_enumerator; }
hipcc() { printf '#!/bin/sh\necho "HIP version: %s-abc"\n' "$1" | tool hipcc; }
nvcc() { printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V%s.1"\n' "$1" "$1" | tool nvcc; }
# only_without FILE...: skips if such a file exists, since it does not belong to the simulated machine.
only_without() {
  local file
  for file; do if [ -e "$file" ]; then exit 77; fi; done
}
# headers FOLDER: makes the HIP headers that ./study looks for.
headers() {
  mkdir -p -- "$1/include/hip/nvidia_detail"
  : >"$1/include/hip/nvidia_detail/nvidia_hip_runtime_api.h"
}
# kokkos FOLDER VERSION: makes the parts of an installed Kokkos that ./study looks for.
kokkos() {
  mkdir -p -- "$1/lib/cmake/Kokkos"
  printf 'set(PACKAGE_VERSION "%s")\n' "$2" >"$1/lib/cmake/Kokkos/KokkosConfigVersion.cmake"
  : >"$1/lib/cmake/Kokkos/KokkosConfig.cmake"
}
no_kokkos_here() { if compgen -G '/usr/{,local/}{lib,lib64,lib/*,share}/cmake/Kokkos' >/dev/null; then exit 77; fi; }

# machine_that_builds [WORD]: makes a machine with all but Kokkos and a GPU, and ./study in the folder copy. Its cmake detects
# HIP and Kokkos truthfully, and fails with the content of `error` unless WORD is among its options. It builds the real
# ladder_options; its ladder is the file of this name, which prints its options. The file `built` logs the calls of cmake.
machine_that_builds() {
  copy_study "$scratch/copy"
  machine
  with chmod cp ln sleep wc
  local name real=${CMAKE:-$(command -v cmake)}
  for name in ctest ninja; do printf '#!/bin/sh\necho 3.31.0\n' | tool "$name"; done
  for name in pkg-config c++; do printf '#!/bin/sh\nexit 0\n' | tool "$name"; done
  tool cmake <<CMAKE
#!/bin/bash
echo "\$*" >>"$scratch/built"
case "\$*" in
  --version) echo 3.31.0 ;;
  -P*)
    "$real" -DCMAKE_SYSTEM_PREFIX_PATH=/nowhere "\$@" 2>/dev/null
    printf -- '-- %s=1\n' hwloc benchmark GTest CLI11 nlohmann_json rapidcheck hwy TBB Eigen3 openblas MPI
    ;;
  *--preset*)
    while [ "\$1" != -B ]; do shift; done
    mkdir -p "\$2"
    for option; do case \$option in -DLADDER_KOKKOS_TYPES=*) echo "LADDER_KOKKOS_TYPES:STRING=\${option#*=}" >"\$2/CMakeCache.txt" ;; esac; done
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$scratch/copy" >>"\$2/CMakeCache.txt"
    if [[ " \$* " == *" ${1:---preset} "* || -z "${1-}" ]]; then exit 0; fi
    cat "$scratch/error"
    exit 1
    ;;
  --build*)
    mkdir -p "\$2/bench"
    ln -sf "${LADDER_OPTIONS:-$root/build/cpu/bench/ladder_options}" "\$2/bench/ladder_options"
    if [ "\$4" = ladder ]; then cp "$scratch/ladder" "\$2/bench/ladder"; fi
    ;;
esac
CMAKE
  : >"$scratch/built"
  printf '#!/bin/sh\necho measured "$@"\n' >"$scratch/ladder"
  chmod +x "$scratch/ladder"
}
# cmake_error WORD...: sets the error with which cmake fails.
cmake_error() { printf -- '-- found\nCMake Error at cmake/Some.cmake:9 (message):\n  %s\n  %s\nCall Stack (most recent first):\n' "$@" >"$scratch/error"; }
run() { ends "$1" "$scratch/copy/study" run "${@:2}"; } # run STATUS OPTION...
# records_of_a_run STATUS: makes a ladder that copies prepared records and exits with STATUS.
records_of_a_run() {
  python3 -c 'import pandas, scipy, vl_convert, jinja2' >/dev/null 2>&1 || exit 77
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v python3)" | tool python3 # not a link: python3 may belong to a .venv
  cp -r -- "$root/bench" "$scratch/copy/"
  (cd -- "$root/tests/bench/report" &&
    python3 -c 'import made, pathlib, sys; made.write(pathlib.Path(sys.argv[1]), made.records())' "$scratch/made.jsonl")
  cat >"$scratch/ladder" <<LADDER
#!/bin/sh
for option; do case \$option in --records=*) cp -- "$scratch/made.jsonl" "\${option#*=}" ;; esac; done
exit $1
LADDER
}

every_command_is_listed_and_has_help_and_others_exit_2() {
  local command flag commands='run report compare submit test evidence tune setup doctor bundle'
  capture "$study"
  expect_status 0
  for command in $commands; do expect "./study $command"; done
  for command in $commands; do
    for flag in --help -h; do
      capture "$study" "$command" "$flag"
      expect_status 0
      [[ $output == "./study $command"* ]] || die "help of $command begins otherwise"
    done
  done
  capture "$study" rnu
  expect_status 2
  expect "unknown command 'rnu'. The commands are: $commands."
  capture "$study" bundle --everything
  expect_status 2
  expect --everything
  expect --tests
  capture "$study" doctor --fast
  expect_status 2
  expect --fast
}

a_folder_that_cannot_be_named_in_a_script_is_refused() {
  local name
  machine
  # shellcheck disable=SC2016
  for name in 'a"quote' 'a$dollar' 'a`tick' 'a\backslash' 'a;list'; do
    copy_study "$scratch/$name"
    ends 2 "$scratch/$name/study" setup
    expect "This folder's path has a character that CMake or the scripts of .venv cannot name"
    expect "$scratch/$name"
    ends 0 "$scratch/$name/study" run --help
  done
}

works_from_any_folder_through_a_link_and_with_a_space_in_the_path() {
  mkdir -- "$scratch/elsewhere"
  copy_study "$scratch/a folder"
  ln -s -- "../a folder/study" "$scratch/elsewhere/study"
  machine
  mkdir -p -- "$scratch/a folder/.venv/bin"
  printf '#!/bin/sh\necho "cmake version 3.31.0"\n' >"$scratch/a folder/.venv/bin/cmake"
  chmod +x "$scratch/a folder/.venv/bin/cmake"
  cd -- "$scratch/elsewhere"
  ends 0 ./study doctor
  expect "3.31.0 ($scratch/a folder/.venv/bin/cmake)"
}

doctor_names_what_it_looked_for_and_how_to_get_it() {
  local name
  machine
  copy_study "$scratch/copy"
  ends 0 "$scratch/copy/study" doctor
  for name in 'C++ compiler' OpenMP CMake Ninja pkg-config git hwloc 'Google Benchmark' GoogleTest RapidCheck CLI11 nlohmann/json \
    Highway oneTBB Eigen OpenBLAS MPI Kokkos nvcc NCCL 'NVIDIA GPU' "HIP's headers" hipcc RCCL 'AMD GPU' python3 ncu cuobjdump \
    './study run here: preset host' 'missing    GCC 12 or newer' 'not known  ' 'apt-get install libhwloc-dev' \
    './study setup brings a CMake' 'only for CUDA: a GPU with its driver'; do
    expect "$name"
  done
  printf '#!/bin/sh\necho "cmake version 3.25.1"\n' | tool cmake
  ends 0 "$scratch/copy/study" doctor
  expect '3.25.1 is too old: ./study setup puts it into .venv'
}

# doctor_says SENTENCE: expects it for the current simulated machine.
doctor_says() {
  ends 0 "$study" doctor
  expect "$1"
}

a_gpu_without_nvcc_is_told_to_install_the_toolkit() {
  only_without /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc # found without PATH
  machine
  gpu
  doctor_says 'NVIDIA H200, driver 580.1'
  expect 'preset host. CUDA and Kokkos on CUDA are left out: here is an NVIDIA H200, but no nvcc: install the CUDA toolkit'
}

an_nvidia_gpu_its_nvcc_and_hips_headers_choose_the_preset() {
  local left_out='preset host. CUDA and Kokkos on CUDA are left out:'
  only_without /opt/rocm
  machine
  nvcc 13.0
  doctor_says "$left_out no NVIDIA GPU with a working driver is seen here"
  printf '#!/bin/sh\necho "No devices were found"\nexit 6\n' | tool nvidia-smi
  doctor_says "$left_out no NVIDIA GPU"
  gpu
  nvcc 11.8
  doctor_says "$left_out nvcc 11.8 is too old: install the CUDA toolkit"
  nvcc 13.0
  with_cmake
  doctor_says 'preset nvidia. HIP is left out: its headers are not found here (Debian and Ubuntu: libamdhip64-dev).'
  headers "$scratch/hip"
  ends 0 env HIP_PATH="$scratch/hip" "$study" doctor
  expect "HIP's headers      of no known version ($scratch/hip/include)"
  expect_not 'HIP is left out'
}

an_amd_gpu_and_its_hipcc_choose_the_preset() {
  local left_out='HIP and Kokkos on HIP are left out:'
  only_without /opt/rocm
  machine
  with_cmake
  agents 'gfx000\ngfx942'
  doctor_says "$left_out here is an AMD GPU (gfx942), but no hipcc: install ROCm, 5.2 or newer"
  hipcc 4.5.20531
  doctor_says "$left_out hipcc 4.5.20531 is too old: install ROCm, 5.2 or newer"
  hipcc 5.2.21153
  doctor_says 'Kokkos on HIP is left out: it needs hipcc 6.2 or newer, and this one is 5.2.21153.'
  hipcc 6.4.43482
  doctor_says "hipcc              6.4.43482 ($scratch/machine/hipcc)"
  expect 'AMD GPU            gfx942'
  expect 'preset amd. CUDA and Kokkos on CUDA are left out: no NVIDIA GPU'
  expect_not 'HIP is left out'
  printf '#!/bin/sh\necho "Traceback" >&2\nexit 1\n' | tool rocm_agent_enumerator
  doctor_says "$left_out no AMD GPU with a working driver is seen here"
}

doctor_tells_which_kokkos_the_build_takes() {
  no_kokkos_here
  copy_study "$scratch/copy"
  machine
  with_cmake
  kokkos "$scratch/one" 5.1.0
  kokkos "$scratch/other" 4.5.1
  : >"$scratch/kokkos.tar.gz"
  told() { # told SENTENCE VARIABLE=VALUE...
    ends 0 env "${@:2}" "$scratch/copy/study" doctor
    expect "$1"
  }
  told 'Kokkos             missing    the build downloads 5.0.2 (github.com, else deb.debian.org); or name its archive in'
  told "Kokkos             5.0.2 (built from $scratch/kokkos.tar.gz)" LADDER_KOKKOS_ARCHIVE="$scratch/kokkos.tar.gz"
  told "LADDER_KOKKOS_ARCHIVE names $scratch/none.tar.gz, where there is no file" LADDER_KOKKOS_ARCHIVE="$scratch/none.tar.gz"
  told "Kokkos             5.1.0 ($scratch/one/lib)" CMAKE_PREFIX_PATH="/nowhere:$scratch/one"
  told "Kokkos             4.5.1 in $scratch/other/lib is passed over, 5 is needed: the build downloads 5.0.2" \
    CMAKE_PREFIX_PATH="$scratch/one" Kokkos_ROOT="$scratch/other"
}

openblas_is_found_with_its_own_headers_alone() {
  machine
  printf '#!/bin/sh\nexec "%s" -DCMAKE_SYSTEM_PREFIX_PATH="%s" "$@"\n' "${CMAKE:-$(command -v cmake)}" "$scratch/system" | tool cmake
  mkdir -p -- "$scratch/system/include" "$scratch/system/lib"
  : >"$scratch/system/include/cblas.h" # as in libblas-dev
  : >"$scratch/system/lib/libopenblas.so"
  doctor_says 'OpenBLAS           missing'
  : >"$scratch/system/include/openblas_config.h"
  doctor_says "OpenBLAS           $scratch/system/lib/libopenblas.so"
}

a_mistyped_option_is_answered_before_a_backend_is_built() {
  machine_that_builds
  run 2 --types=f33
  expect "ladder: --types: 'f33': unknown; choose from i32"
  run 0 -- --help
  expect 'Usage: ladder [OPTIONS]'
  if grep -q -- '--target ladder$' "$scratch/built"; then die 'ladder was built'; fi
  run 0 --rungs=library_cub,r04 --quick
  expect 'measured --records='
}

types_are_built_when_a_run_asks_for_them() {
  machine_that_builds
  # built_for TYPES OPTION...: expects that a run with these options configures TYPES.
  built_for() {
    : >"$scratch/built"
    run 0 "${@:2}"
    grep -qF -- "-DLADDER_KOKKOS_TYPES=$1" "$scratch/built" || die "it is not built for $1"
    [ "$(sed -n 's/^LADDER_KOKKOS_TYPES:STRING=//p' "$scratch/copy/build/host/CMakeCache.txt")" = "$1" ] || die "not for $1"
  }
  built_for f32
  expect 'For a first look on a CPU: --sizes=64MiB --quick.'
  expect 'compiled for f32 alone. A run with other --types compiles them too.'
  expect '--sizes=64MiB --quick'
  built_for 'f32;f64' --types=f64 --dry-run
  built_for 'f32;f64' --types=f32
  built_for '' --list
  built_for '' --types=i8
  expect_not 'compiled for'
}

several_devices_have_a_preset_of_their_own() {
  only_without /opt/rocm
  machine_that_builds
  run 2 --devices=0,1
  expect '--devices names GPUs, and none can be used: no NVIDIA GPU'
  expect 'cmake --workflow --preset mpi'
  gpu
  nvcc 13.0
  local devices
  for devices in --devices=all '--devices 0,1'; do
    # shellcheck disable=SC2086
    run 0 $devices --sizes=2^20
    expect 'HIP and Kokkos are left out, which ./study run has without --devices'
    grep -q -- '--preset nvidia-multi .*-DLADDER_CUDA_TYPES= ' "$scratch/built" || die 'it is of another preset'
  done
}

an_interrupted_run_says_how_to_go_on() {
  local signal child waited
  machine_that_builds
  # Stops at a signal, as the program does.
  cat >"$scratch/ladder" <<'LADDER'
#!/bin/bash
for option; do case $option in --records=*) echo '{"kind":"run"}' >"${option#*=}" ;; esac; done
trap 'echo stopped; exit 130' INT
trap 'echo stopped; exit 143' TERM
echo measuring
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.5; done
LADDER
  for signal in INT:130 TERM:143; do
    : >out
    waited=0
    set -m # without it a background process ignores SIGINT
    env -i HOME=/nonexistent PATH="$scratch/machine" "$scratch/copy/study" run --rungs=r04 "--benchmark_filter=a b" >out 2>&1 </dev/null &
    child=$!
    set +m
    until grep -q measuring out || [ $waited = 200 ]; do sleep 0.1; waited=$((waited + 1)); done
    kill "-${signal%:*}" $child
    wait $child && status=0 || status=$?
    output=$(<out)
    expect_status "${signal#*:}"
    expect stopped
    expect 'Records: copy/results/'
    expect 'To go on: ./study run --resume --records=copy/results/'
    expect '--benchmark_filter=a\ b'
  done
}

after_a_lost_device_another_process_goes_on_three_times_at_most() {
  machine_that_builds
  # Loses its device as often as the file `losses` specifies.
  cat >"$scratch/ladder" <<LADDER
#!/bin/bash
echo "started \$*"
for option; do case \$option in --records=*) echo '{"kind":"run"}' >>"\${option#*=}" ;; esac; done
echo >>"$scratch/started"
[ "\$(wc -l <"$scratch/started")" -gt "\$(cat "$scratch/losses")" ] || exit 3
LADDER
  started() { # started TIMES LOSSES STATUS OPTION...
    : >"$scratch/started"
    echo "$2" >"$scratch/losses"
    run "$3" "${@:4}"
    [ "$(wc -l <"$scratch/started")" = "$1" ] || die "it was not started $1 times"
  }
  started 3 2 0 --rungs=r04 "--benchmark_filter=a b"
  expect 'another process goes on behind that (further process 1 of at most 3)'
  expect 'started --resume --records='
  expect '--rungs=r04 --benchmark_filter=a b'
  started 4 9 3 --rungs=r04
  expect 'further process 3 of at most 3'
  expect 'To go on: ./study run --resume --records=copy/results/'
  started 1 9 3 --energy # a run that is not resumed
  expect_not 'To go on'
}

a_kokkos_that_cannot_be_had_or_does_not_fit_is_left_out_with_a_sentence() {
  local why='kokkos is not installed and could not be downloaded ("Could not resolve hostname"): install it.'
  no_kokkos_here
  machine_that_builds -DLADDER_KOKKOS=OFF
  cmake_error 'kokkos is not installed and could not be downloaded ("Could not' 'resolve hostname"): install it.'
  run 0 --quick
  expect "Kokkos is left out: $why"
  expect_not 'The end of'
  expect 'measured --records='
  ends 0 "$scratch/copy/study" test
  expect "Not run: the tests of Kokkos: $why"
  cmake_error 'The CPU backend' 'lacks hwloc 2.' # an error unrelated to Kokkos is shown
  run 2
  expect 'The end of build/host/study.log:'
  expect 'lacks hwloc 2.'
  expect_not 'left out: The'
  machine_that_builds -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON # an unsuitable installed Kokkos
  kokkos "$scratch/other" 4.5.1
  cmake_error 'Kokkos 4.5.1 cannot' 'be used.'
  ends 0 env Kokkos_ROOT="$scratch/other" "$scratch/copy/study" run
  expect 'Kokkos 4.5.1 cannot be used.'
  expect_not 'Kokkos is left out'
  expect measured
}

a_hip_that_cannot_be_had_is_left_out_with_a_sentence() {
  only_without /opt/rocm
  machine_that_builds -DLADDER_HIP=OFF
  gpu
  nvcc 13.0
  run 0
  expect 'HIP is left out: its headers are not found here (Debian and Ubuntu: libamdhip64-dev).'
  expect_not 'Configuring without HIP'
  headers "$scratch/hip"
  cmake_error 'The HIP backend needs HIP 5.2: configure without the HIP' 'backend (-DLADDER_HIP=OFF).'
  local why='The HIP backend needs HIP 5.2: configure without the HIP backend (-DLADDER_HIP=OFF).'
  ends 0 env HIP_PATH="$scratch/hip" "$scratch/copy/study" run
  expect "HIP is left out: $why"
  expect_not 'Kokkos is left out'
  expect 'measured --records='
  ends 0 env HIP_PATH="$scratch/hip" "$scratch/copy/study" test
  expect "Not run: the tests of HIP: $why"
}

what_is_not_installed_and_what_brings_it_is_said() {
  no_kokkos_here
  only_without /opt/rocm
  machine_that_builds
  printf '#!/bin/sh\necho 1000\n' | tool id
  printf '#!/bin/sh\necho "apt-get was called" >&2\nexit 1\n' | tool apt-get
  printf '#!/bin/sh\n[ "$*" = "show libamdhip64-dev" ]\n' | tool apt-cache
  printf '#!/bin/sh\nexit 1\n' | tool python3
  nvcc 13.0
  mkdir -p -- "$scratch/copy/.venv/bin"
  mv -- "$scratch/machine/cmake" "$scratch/machine/ctest" "$scratch/copy/.venv/bin/"
  ends 0 "$scratch/copy/study" setup
  expect 'the build downloads the source (github.com, else deb.debian.org): Kokkos 5.0.2.'
  expect "Optional, and not installed: HIP's headers (the HIP backend on NVIDIA GPUs)."
  expect 'Packages would bring these: sudo apt-get install libamdhip64-dev'
  expect 'The report is left out: pandas, scipy, vl-convert and Jinja2 could not be installed (see build/setup.log).'
  expect "CMake for the presets by hand: export PATH=$scratch/copy/.venv/bin:\$PATH, then cmake --workflow --preset cpu."
  # As a user other than root, on a machine with only apt-get.
  rm -rf -- "$scratch/copy/.venv"
  rm -- "$scratch/machine/pkg-config" "$scratch/machine/c++"
  local command
  for command in setup run test bundle; do
    ends 2 "$scratch/copy/study" "$command"
    expect 'Missing: a C++20 compiler (GCC 12 or newer), pkg-config, hwloc'
    expect 'sudo apt-get install g++ pkg-config libhwloc-dev'
    expect ' libopenblas-dev'
    expect_not 'apt-get was called'
  done
}

a_folder_that_cannot_be_written_is_named() {
  machine_that_builds
  : >"$scratch/copy/build" # a file, which not even root can use as a folder
  run 2
  expect "Cannot write $scratch/copy/build/"
}

what_a_command_needs_is_said_in_a_sentence() {
  copy_study "$scratch/copy"
  machine
  nvcc 13.0
  needs() { # needs SENTENCE COMMAND...
    ends 2 "$scratch/copy/study" "${@:2}"
    expect "$1"
  }
  needs './study report needs records' report
  needs './study compare needs two sets of records' compare
  needs './study submit needs records, say ./study submit mine.jsonl; ./study run --processes=5' submit --name=mine
  needs './study report cannot be run: it needs Python 3' report some.jsonl
  needs './study submit cannot be run: it needs Python 3' submit some.jsonl
  needs './study evidence needs Python 3' evidence
  with python3
  needs './study evidence is about CUDA rungs: no NVIDIA GPU with a working driver is seen here' evidence
  needs './study tune is about r30 on an NVIDIA GPU: no NVIDIA GPU' tune
  expect '. With --backend=cpu it is about c13 on this CPU.'
  needs 'Missing: a C++20 compiler' tune --backend cpu
}

a_run_ends_with_its_page_and_a_file_name_is_only_a_name() {
  local name
  machine_that_builds
  records_of_a_run 1 # exit status of a run with wrong results
  run 1
  expect 'Records: copy/results/'
  expect '/index.html (also copy/report/index.html, until the next run)'
  grep -q interleaved_divergent "$scratch/copy/report/index.html" || die 'the page is not of the run'
  run 1 --records="$scratch/mine.jsonl" --dry-run
  expect_not 'Page:'
  mkdir -- "$scratch/files"
  cd -- "$scratch/files"
  for name in '--output=y.jsonl' "-x it's \"so\" * \$HOME \\ \$(touch ran) \`touch ran\`; touch ran;.jsonl" \
    '<img src=x onerror=alert(1)>.jsonl'; do
    run 1 --records="$name"
    [ -f "./$name" ] || die "no file $name"
    expect "Records: $name"
    expect "Page: $scratch/copy/report/${name%.jsonl}/index.html"
    if grep -qF '<img src=x' "$scratch/copy/report/${name%.jsonl}/index.html"; then die 'a name is markup'; fi
  done
  ends 0 "$scratch/copy/study" report --output="$scratch/page" -- --output=y.jsonl
  [ "$(find "$scratch/copy/report" -name index.html | wc -l)" = 5 ] || die 'the page of a run before is gone'
  [ ! -e ran ] || die 'a name was run'
}

for behaviour; do "$behaviour"; done
