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
# The CMake that tests run with, which answers what is asked of it as on a machine with nothing in the system's folders.
with_cmake() {
  printf '#!/bin/sh\nexec "%s" -DCMAKE_SYSTEM_PREFIX_PATH=/nowhere "$@"\n' "${CMAKE:-$(command -v cmake)}" | tool cmake
}
# copy_study FOLDER: ./study and its parts, where nothing was built.
copy_study() {
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
# The usual places of the toolkit are looked at without PATH.
no_toolkit_here() { if [ -e /usr/local/cuda/bin/nvcc ] || [ -e /opt/cuda/bin/nvcc ]; then exit 77; fi; }

the_commands_are_listed_when_none_is_given() {
  capture "$study"
  expect_status 0
  local command
  for command in run report compare submit test evidence tune setup doctor bundle; do expect "./study $command"; done
}

every_command_has_help() {
  local command flag
  for command in run report compare submit test evidence tune setup doctor bundle; do
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
    expect 'run report compare submit test evidence tune setup doctor bundle'
  done
}

a_command_like_no_other_is_not_guessed_at() {
  capture "$study" frobnicate
  expect_status 2
  expect "unknown command 'frobnicate'. The commands are: run"
  expect_not 'Did you mean'
  capture "$study" RUN
  expect 'Did you mean run?'
}

a_folder_that_cannot_be_named_in_a_script_is_refused() {
  local name
  # shellcheck disable=SC2016
  for name in 'a"quote' 'a$dollar' 'a`tick' 'a\backslash' 'a;list'; do
    copy_study "$scratch/$name"
    machine
    capture there "$scratch/$name/study" setup
    expect_status 2
    expect "This folder's path has a character that CMake or the scripts of .venv cannot name"
    expect "$scratch/$name"
    capture there "$scratch/$name/study" run --help
    expect_status 0
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
  for name in 'C++ compiler' OpenMP CMake Ninja pkg-config git hwloc 'Google Benchmark' GoogleTest RapidCheck CLI11 nlohmann/json \
    Highway oneTBB Eigen OpenBLAS MPI Kokkos nvcc NCCL 'NVIDIA GPU' "HIP's headers" hipcc RCCL 'AMD GPU' python3 ncu cuobjdump './study run here: preset'; do
    expect "$name"
  done
  # On a machine with nothing, each has a way to get it.
  machine
  copy_study "$scratch/copy" # without a .venv
  capture there "$scratch/copy/study" doctor
  expect_status 0
  expect 'missing    GCC 12 or newer'
  expect 'not known  '
  expect 'apt-get install libhwloc-dev'
  expect './study setup brings a CMake'
  expect 'only for CUDA: a GPU with its driver'
}

a_machine_without_gpu_is_told_that_cuda_is_left_out() {
  machine
  nvcc 13.0
  capture there "$study" doctor
  expect_status 0
  expect 'preset host. CUDA and Kokkos on CUDA are left out: no NVIDIA GPU with a working driver is seen here'
}

a_gpu_with_an_old_nvcc_is_told_to_install_a_newer_one() {
  machine
  gpu
  nvcc 11.8
  capture there "$study" doctor
  expect_status 0
  expect 'preset host. CUDA and Kokkos on CUDA are left out: nvcc 11.8 is too old: install the CUDA toolkit'
}

a_gpu_without_nvcc_is_told_to_install_the_toolkit() {
  no_toolkit_here
  machine
  gpu
  capture there "$study" doctor
  expect_status 0
  expect 'NVIDIA H200, driver 580.1'
  expect 'preset host. CUDA and Kokkos on CUDA are left out: here is an NVIDIA H200, but no nvcc: install the CUDA toolkit'
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

# headers FOLDER: HIP's, as far as ./study looks.
headers() {
  mkdir -p -- "$1/include/hip/nvidia_detail"
  : >"$1/include/hip/nvidia_detail/nvidia_hip_runtime_api.h"
}
no_rocm_here() { if [ -e /opt/rocm ]; then exit 77; fi; }

without_hips_headers_the_nvidia_preset_leaves_hip_out() {
  no_rocm_here
  machine
  gpu
  nvcc 13.0
  with_cmake
  capture there "$study" doctor
  expect "HIP's headers      missing    only for HIP on an NVIDIA GPU"
  expect 'preset nvidia. HIP is left out: its headers are not found here (Debian and Ubuntu: libamdhip64-dev).'
  headers "$scratch/hip"
  capture there env HIP_PATH="$scratch/hip" "$study" doctor
  expect "HIP's headers      of no known version ($scratch/hip/include)"
  expect_not 'HIP is left out'
}

an_amd_gpu_with_hipcc_chooses_the_amd_preset() {
  machine
  with_cmake
  agents 'gfx000\ngfx942'
  hipcc 6.4.43482
  capture there "$study" doctor
  expect_status 0
  expect "hipcc              6.4.43482 ($scratch/machine/hipcc)"
  expect 'AMD GPU            gfx942'
  expect 'preset amd. CUDA and Kokkos on CUDA are left out: no NVIDIA GPU'
  expect_not 'HIP is left out'
  gpu
  nvcc 13.0
  capture there "$study" doctor
  expect 'preset nvidia.'
}

a_hipcc_that_kokkos_does_not_take_leaves_kokkos_on_hip_out() {
  machine
  with_cmake
  agents gfx90a
  hipcc 5.2.21153
  capture there "$study" doctor
  expect 'preset amd.'
  expect 'Kokkos on HIP is left out: it needs hipcc 6.2 or newer, and this one is 5.2.21153.'
}

an_amd_gpu_without_a_hipcc_of_today_is_told_to_install_rocm() {
  no_rocm_here
  machine
  with_cmake
  agents gfx90a
  local what='HIP and Kokkos on HIP are left out:'
  capture there "$study" doctor
  expect 'preset host.'
  expect "$what here is an AMD GPU (gfx90a), but no hipcc: install ROCm, 5.2 or newer"
  hipcc 4.5.20531
  capture there "$study" doctor
  expect 'preset host.'
  expect "$what hipcc 4.5.20531 is too old: install ROCm, 5.2 or newer"
  printf '#!/bin/sh\necho "Traceback" >&2\nexit 1\n' | tool rocm_agent_enumerator
  capture there "$study" doctor
  expect "$what no AMD GPU with a working driver is seen here"
}

# kokkos FOLDER VERSION: an installed one, as far as ./study looks.
kokkos() {
  mkdir -p -- "$1/lib/cmake/Kokkos"
  printf 'set(PACKAGE_VERSION "%s")\n' "$2" >"$1/lib/cmake/Kokkos/KokkosConfigVersion.cmake"
  printf 'set(Kokkos_DEVICES OPENMP;SERIAL)\n' >"$1/lib/cmake/Kokkos/KokkosConfigCommon.cmake"
  : >"$1/lib/cmake/Kokkos/KokkosConfig.cmake"
}
no_kokkos_here() { if compgen -G '/usr/{,local/}{lib,lib64,lib/*,share}/cmake/Kokkos' >/dev/null; then exit 77; fi; }

doctor_tells_which_kokkos_the_build_takes() {
  no_kokkos_here
  copy_study "$scratch/copy"
  machine
  with_cmake
  capture there "$scratch/copy/study" doctor
  expect 'Kokkos             missing    the build downloads 5.0.2 (github.com, else deb.debian.org); or name its archive in'
  : >"$scratch/kokkos.tar.gz"
  capture there env LADDER_KOKKOS_ARCHIVE="$scratch/kokkos.tar.gz" "$scratch/copy/study" doctor
  expect "Kokkos             5.0.2 (built from $scratch/kokkos.tar.gz)"
  capture there env LADDER_KOKKOS_ARCHIVE="$scratch/none.tar.gz" "$scratch/copy/study" doctor
  expect "LADDER_KOKKOS_ARCHIVE names $scratch/none.tar.gz, where there is no file"
  kokkos "$scratch/one" 5.1.0
  capture there env CMAKE_PREFIX_PATH="/nowhere:$scratch/one" "$scratch/copy/study" doctor
  expect "Kokkos             5.1.0 ($scratch/one/lib)"
  kokkos "$scratch/other" 4.5.1
  capture there env CMAKE_PREFIX_PATH="$scratch/one" Kokkos_ROOT="$scratch/other" "$scratch/copy/study" doctor
  expect "Kokkos             4.5.1 in $scratch/other/lib is passed over, 5 is needed: the build downloads 5.0.2"
}

# What cmake -P cmake/Look.cmake tells of a machine with all libraries; of HIP and Kokkos the truth.
looked="\"${CMAKE:-$(command -v cmake)}\" -DCMAKE_SYSTEM_PREFIX_PATH=/nowhere \"\$@\" 2>/dev/null
    printf -- '-- %s=1\n' hwloc benchmark GTest CLI11 nlohmann_json rapidcheck hwy TBB Eigen3 openblas MPI"

# machine_without_kokkos WORD: a machine with all but Kokkos and a GPU. Its cmake fails with what the file `error` holds
# unless WORD is given; what it builds is a ladder that says so.
machine_without_kokkos() {
  copy_study "$scratch/copy"
  machine
  with chmod
  local name
  for name in ctest ninja; do printf '#!/bin/sh\necho 3.31.0\n' | tool "$name"; done
  printf '#!/bin/sh\nexit 0\n' | tool pkg-config
  printf '#!/bin/sh\nexit 0\n' | tool c++
  tool cmake <<CMAKE
#!/bin/bash
case "\$*" in
  --version) echo 3.31.0 ;;
  -P*) $looked ;;
  *--preset*)
    if [[ " \$* " == *" ${1:-nothing} "* ]]; then exit 0; fi
    cat "$scratch/error"
    exit 1
    ;;
  --build*)
    mkdir -p "\$2/bench"
    printf '#!/bin/sh\necho measured "\$@"\n' >"\$2/bench/ladder"
    chmod +x "\$2/bench/ladder"
    ;;
esac
CMAKE
  cat >"$scratch/error" <<'ERROR'
-- The CXX compiler identification is GNU 12.2.0
CMake Error at cmake/Dependencies.cmake:99 (message):
  kokkos is not installed and could not be downloaded ("Could not resolve
  hostname"): install it.
Call Stack (most recent call first):
  cmake/Kokkos.cmake:250 (ladder_fetch)

-- Configuring incomplete, errors occurred!
ERROR
}

openblas_is_found_with_its_own_headers_alone() {
  machine
  printf '#!/bin/sh\nexec "%s" -DCMAKE_SYSTEM_PREFIX_PATH="%s" "$@"\n' "${CMAKE:-$(command -v cmake)}" "$scratch/system" | tool cmake
  mkdir -p -- "$scratch/system/include" "$scratch/system/lib"
  : >"$scratch/system/include/cblas.h" # as libblas-dev brings it
  capture there "$study" doctor
  expect 'OpenBLAS           missing'
  : >"$scratch/system/lib/libopenblas.so"
  capture there "$study" doctor
  expect 'OpenBLAS           missing'
  : >"$scratch/system/include/openblas_config.h"
  capture there "$study" doctor
  expect "OpenBLAS           $scratch/system/lib/libopenblas.so"
}

# run_options OPTION...: those of ./study run on a machine where nothing is installed and nothing may be.
run_options() { capture there "$scratch/copy/study" run "$@"; }

options_are_checked_before_anything_is_built() {
  copy_study "$scratch/copy"
  local folder
  for folder in bench common cpu cuda hip kokkos; do cp -r -- "$root/$folder" "$scratch/copy/"; done
  machine
  run_options --rungs=r04,bogus
  expect_status 2
  expect "./study run: --rungs: 'bogus' is unknown"
  expect_not Missing:
  run_options --nonsense
  expect './study run: unknown option --nonsense'
  run_options --types=f32,f33
  expect "--types: 'f33' is unknown"
  run_options --ops=sum,mean
  expect "--ops: 'mean' is unknown"
  run_options --sweep=all
  expect "--sweep: 'all' is unknown"
  # What the program takes goes on to what this machine lacks.
  run_options --rungs=r04..r06,c07,lib,sequential_addressing,r00_atomic_per_element,library_cub --types=f32,bf16 --ops=sum,xor \
    --sweep=block,types --sizes=2^20 --block=32..64 --workers=2 --quick --place=last --data=exact --benchmark_filter=x
  expect_status 2
  expect Missing:
}

an_up_to_date_program_refuses_what_it_would_refuse_later() {
  machine_without_kokkos --preset
  with find
  mkdir -p -- "$scratch/copy/"{bench,common,cpu,cuda,hip,kokkos,cmake} "$scratch/copy/build/host/bench"
  printf '#!/bin/sh\n[ "$*" = "--benchmark_list_tests --sizes=2x" ] || exit 3\necho "ladder: --sizes=2x: expected" >&2\nexit 2\n' \
    >"$scratch/copy/build/host/bench/ladder"
  chmod +x "$scratch/copy/build/host/bench/ladder"
  capture there "$scratch/copy/study" run --sizes=2x
  expect_status 2
  expect 'ladder: --sizes=2x: expected'
  expect_not Configuring
  sleep 1
  : >"$scratch/copy/common/newer.hpp" # then it may know too little
  capture there "$scratch/copy/study" run --sizes=2x
  expect Building
}

several_devices_have_a_preset_of_their_own() {
  machine_without_kokkos --preset
  with find
  capture there "$scratch/copy/study" run --devices=all
  expect_status 2
  expect '--devices names GPUs, and none can be used: no NVIDIA GPU'
  expect 'cmake --workflow --preset mpi'
  gpu
  nvcc 13.0
  mkdir -p -- "$scratch/copy/"{bench,common,cpu,cuda,hip,kokkos,cmake} "$scratch/copy/build/nvidia-multi/bench"
  printf '#!/bin/sh\necho "multi: $*" >&2\nexit 2\n' >"$scratch/copy/build/nvidia-multi/bench/ladder"
  chmod +x "$scratch/copy/build/nvidia-multi/bench/ladder"
  local devices
  for devices in --devices=all '--devices 0,1'; do
    # shellcheck disable=SC2086
    capture there "$scratch/copy/study" run $devices --sizes=2^20
    expect_status 2
    expect 'HIP and Kokkos are left out, which ./study run has without --devices'
    expect "multi: --benchmark_list_tests $devices --sizes=2^20"
  done
}

an_interrupted_run_says_how_to_go_on() {
  machine_without_kokkos --preset
  with sleep
  tool cmake <<CMAKE
#!/bin/sh
case "\$*" in --version) echo 3.31.0 ;; -P*) $looked ;; --build*) mkdir -p "\$2/bench" && cat "$scratch/ladder" >"\$2/bench/ladder" && chmod +x "\$2/bench/ladder" ;; esac
CMAKE
  # It stops at a signal, as the program does.
  cat >"$scratch/ladder" <<'LADDER'
#!/bin/bash
for option; do case $option in --records=*) echo '{"kind":"run"}' >"${option#*=}" ;; esac; done
trap 'echo stopped; exit 130' INT
trap 'echo stopped; exit 143' TERM
echo measuring
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.5; done
LADDER
  local signal
  for signal in INT:130 TERM:143; do
    : >out
    set -m # or it would not hear SIGINT
    env -i HOME=/nonexistent PATH="$scratch/machine" "$scratch/copy/study" run --rungs=r04 "--benchmark_filter=a b" >out 2>&1 </dev/null &
    local child=$! waited=0
    set +m
    until grep -q measuring out || [ $waited = 100 ]; do sleep 0.1; waited=$((waited + 1)); done
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

a_lost_device_is_gone_on_behind_three_times_at_most() {
  machine_without_kokkos --preset
  with chmod cat wc
  tool cmake <<CMAKE
#!/bin/sh
case "\$*" in --version) echo 3.31.0 ;; -P*) $looked ;; --build*) mkdir -p "\$2/bench" && cat "$scratch/ladder" >"\$2/bench/ladder" && chmod +x "\$2/bench/ladder" ;; esac
CMAKE
  # It loses its device as often as the file `losses` says.
  cat >"$scratch/ladder" <<LADDER
#!/bin/bash
echo "started \$*"
for option; do case \$option in --records=*) echo '{"kind":"run"}' >>"\${option#*=}" ;; esac; done
echo >>"$scratch/started"
[ "\$(wc -l <"$scratch/started")" -gt "\$(cat "$scratch/losses")" ] || exit 3
LADDER
  echo 2 >"$scratch/losses"
  capture there "$scratch/copy/study" run --rungs=r04 "--benchmark_filter=a b"
  expect_status 0
  expect 'another process goes on behind that (further process 1 of at most 3)'
  expect 'started --resume --records='
  expect '--rungs=r04 --benchmark_filter=a b'
  [ "$(wc -l <"$scratch/started")" = 3 ] || die 'it was not started three times'
  echo 9 >"$scratch/losses"
  : >"$scratch/started"
  capture there "$scratch/copy/study" run --rungs=r04
  expect_status 3
  expect 'further process 3 of at most 3'
  expect 'To go on: ./study run --resume --records=copy/results/'
  [ "$(wc -l <"$scratch/started")" = 4 ] || die 'it was not started four times'
  : >"$scratch/started"
  capture there "$scratch/copy/study" run --energy
  expect_status 3
  expect_not 'goes on behind'
  expect_not 'To go on'
  [ "$(wc -l <"$scratch/started")" = 1 ] || die 'energy is not resumed'
}

setup_says_that_kokkos_will_be_downloaded() {
  no_kokkos_here
  machine_without_kokkos ''
  capture there "$scratch/copy/study" setup
  expect_status 0
  expect 'the build downloads the source (github.com, else deb.debian.org): Kokkos 5.0.2.'
  kokkos "$scratch/one" 5.0.2
  capture there env Kokkos_ROOT="$scratch/one" "$scratch/copy/study" setup
  expect_not downloads
}

a_kokkos_that_cannot_be_had_is_left_out_with_a_sentence() {
  no_kokkos_here
  machine_without_kokkos -DLADDER_KOKKOS=OFF
  local why='kokkos is not installed and could not be downloaded ("Could not resolve hostname"): install it.'
  capture there "$scratch/copy/study" run --quick
  expect_status 0
  expect "Kokkos is left out: $why"
  expect_not 'The end of'
  expect 'measured --records='
  capture there "$scratch/copy/study" test
  expect_status 0
  expect "Not run: the tests of Kokkos: $why"
}

an_installed_kokkos_that_does_not_fit_is_passed_over_with_a_sentence() {
  machine_without_kokkos -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON
  kokkos "$scratch/other" 4.5.1
  printf 'CMake Error at cmake/Kokkos.cmake:9 (message):\n  Kokkos 4.5.1 cannot\n  be used.\nCall Stack\n' >"$scratch/error"
  capture there env Kokkos_ROOT="$scratch/other" "$scratch/copy/study" run
  expect_status 0
  expect 'Kokkos 4.5.1 cannot be used.'
  expect 'Configuring without that Kokkos'
  expect_not 'Kokkos is left out'
  expect measured
}

another_error_of_a_configuration_is_shown_and_exits_2() {
  machine_without_kokkos -DLADDER_KOKKOS=OFF
  printf 'CMake Error at cmake/Dependencies.cmake:9 (message):\n  The CPU backend lacks hwloc 2.\nCall Stack\n' >"$scratch/error"
  capture there "$scratch/copy/study" run
  expect_status 2
  expect 'The end of build/host/study.log:'
  expect 'The CPU backend lacks hwloc 2.'
  expect_not 'left out: The'
}

a_hip_that_cannot_be_had_is_left_out_with_a_sentence() {
  machine_without_kokkos -DLADDER_HIP=OFF
  gpu
  nvcc 13.0
  headers "$scratch/hip"
  local why='The HIP backend needs HIP 5.2 or newer: configure without the HIP backend (-DLADDER_HIP=OFF).'
  printf 'CMake Error at cmake/Hip.cmake:9 (message):\n  %s\nCall Stack\n' "$why" >"$scratch/error"
  capture there env HIP_PATH="$scratch/hip" "$scratch/copy/study" run
  expect_status 0
  expect "HIP is left out: $why"
  expect_not 'Kokkos is left out'
  expect 'measured --records='
  capture there env HIP_PATH="$scratch/hip" "$scratch/copy/study" test
  expect_status 0
  expect "Not run: the tests of HIP: $why"
}

what_the_machine_has_no_headers_or_no_hipcc_for_is_not_configured() {
  no_rocm_here
  machine_without_kokkos -DLADDER_HIP=OFF
  gpu
  nvcc 13.0
  capture there "$scratch/copy/study" run
  expect_status 0
  expect 'HIP is left out: its headers are not found here (Debian and Ubuntu: libamdhip64-dev).'
  expect_not 'Configuring without HIP'
  expect measured
  capture there "$scratch/copy/study" test
  expect 'Not run: the tests of HIP: its headers are not found here (Debian and Ubuntu: libamdhip64-dev).'
  rm -rf -- "$scratch/copy"
  machine_without_kokkos '-DLADDER_KOKKOS_SPACES=openmp;serial'
  agents gfx90a
  hipcc 5.2.21153
  capture there "$scratch/copy/study" test
  expect_status 0
  expect 'Not run: the tests of Kokkos on HIP: it needs hipcc 6.2 or newer, and this one is 5.2.21153.'
}

setup_offers_hips_headers_where_there_is_nvcc_and_apt_has_them() {
  no_rocm_here
  machine_without_kokkos ''
  printf '#!/bin/sh\necho 1000\n' | tool id
  printf '#!/bin/sh\necho "apt-get was called" >&2\nexit 1\n' | tool apt-get
  printf '#!/bin/sh\n[ "$*" = "show libamdhip64-dev" ]\n' | tool apt-cache
  nvcc 13.0
  capture there "$scratch/copy/study" setup
  expect_status 0
  expect "Optional, and not installed: HIP's headers (the HIP backend on NVIDIA GPUs)."
  expect 'Packages would bring these: sudo apt-get install libamdhip64-dev'
  printf '#!/bin/sh\nexit 100\n' | tool apt-cache
  capture there "$scratch/copy/study" setup
  expect_status 0
  expect_not HIP
}

report_without_records_or_python_says_so_in_a_sentence() {
  copy_study "$scratch/copy" # without a .venv
  machine
  capture there "$scratch/copy/study" report
  expect_status 2
  expect './study report needs records'
  capture there "$scratch/copy/study" compare
  expect_status 2
  expect './study compare needs two sets of records'
  capture there "$scratch/copy/study" report some.jsonl
  expect_status 2
  expect './study report cannot be run: it needs Python 3'
}

submit_without_records_or_python_says_so_in_a_sentence() {
  copy_study "$scratch/copy" # without a .venv
  machine
  capture there "$scratch/copy/study" submit
  expect_status 2
  expect './study submit needs records, say ./study submit mine.jsonl; ./study run --processes=5 --records=mine.jsonl makes them.'
  capture there "$scratch/copy/study" submit --name=mine
  expect './study submit needs records'
  capture there "$scratch/copy/study" submit some.jsonl
  expect_status 2
  expect './study submit cannot be run: it needs Python 3'
}

submit_says_what_cannot_be_taken_and_exits_2() {
  python3 -c 'import pandas, matplotlib, jinja2' >/dev/null 2>&1 || exit 77
  with_git() { git -C "$scratch/copy" -c user.name=a -c user.email=a@b "$@"; }
  copy_study "$scratch/copy"
  cp -r -- "$root/bench" "$scratch/copy/"
  cp -r -- "$root/tools/." "$scratch/copy/tools/"
  machine
  with git
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v python3)" | tool python3 # not a link: it may be of a .venv
  (cd -- "$root/tests/bench/report" &&
    python3 -c 'import made, pathlib, sys; made.write(pathlib.Path(sys.argv[1]), made.records())' "$scratch/mine.jsonl")
  capture there "$scratch/copy/study" submit mine.jsonl
  expect_status 2
  expect "submit: $scratch/copy is no clone of the repository"
  with_git init -q
  with_git commit -q --allow-empty -m one
  capture there "$scratch/copy/study" submit mine.jsonl
  expect_status 2
  expect 'submit: not taken, and nothing was written:'
  expect 'mine.jsonl: run r1 has 1 process, and 5 are needed'
  expect 'Measure again: ./study run --processes=5 --records=again.jsonl'
  [ ! -e "$scratch/copy/docs" ] || die 'something was written'
}

setup_leaves_the_report_out_where_its_modules_cannot_be_had() {
  machine_without_kokkos --preset
  printf '#!/bin/sh\nexit 1\n' | tool python3
  capture there "$scratch/copy/study" setup
  expect_status 0
  expect 'Installing from PyPI into .venv in this folder, for the report: pandas, matplotlib, Jinja2'
  expect 'The report is left out: pandas, matplotlib and Jinja2 could not be installed (see build/setup.log).'
}

a_run_ends_with_its_page() {
  python3 -c 'import pandas, matplotlib, jinja2' >/dev/null 2>&1 || exit 77
  machine_without_kokkos --preset
  with cp
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v python3)" | tool python3 # not a link: it may be of a .venv
  cp -r -- "$root/bench" "$scratch/copy/"
  (cd -- "$root/tests/bench/report" &&
    python3 -c 'import made, pathlib, sys; made.write(pathlib.Path(sys.argv[1]), made.records())' "$scratch/made.jsonl")
  # What is built measures nothing: it copies records that were made before, and something in them is wrong.
  tool cmake <<CMAKE
#!/bin/sh
case "\$*" in --version) echo 3.31.0 ;; -P*) $looked ;; --build*) mkdir -p "\$2/bench" && cp "$scratch/ladder" "\$2/bench/ladder" ;; esac
CMAKE
  cat >"$scratch/ladder" <<LADDER
#!/bin/sh
for option; do case \$option in --records=*) cp "$scratch/made.jsonl" "\${option#*=}" ;; esac; done
exit 1
LADDER
  chmod +x "$scratch/ladder"
  capture there "$scratch/copy/study" run
  expect_status 1
  expect 'Records: copy/results/'
  expect 'Page: copy/report/20'
  expect '/index.html (also copy/report/index.html, until the next run)'
  grep -q interleaved_divergent "$scratch/copy/report/index.html" || die 'the page is not of the run'
  cd -- "$scratch/copy"
  capture there "$scratch/copy/study" run --records="$scratch/mine.jsonl"
  expect "Records: $scratch/mine.jsonl"
  expect 'Page: report/mine/index.html (also report/index.html, until the next run)'
  [ "$(find "$scratch/copy/report" -name index.html | wc -l)" = 3 ] || die 'the page of the run before is gone'
  cd -- "$scratch"
  capture there "$scratch/copy/study" run --records="$scratch/mine.jsonl" --dry-run
  expect_not 'Page:'
}

a_file_name_is_only_a_file_name() {
  python3 -c 'import pandas, matplotlib, jinja2' >/dev/null 2>&1 || exit 77
  machine_without_kokkos --preset
  with cp
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v python3)" | tool python3 # not a link: it may be of a .venv
  cp -r -- "$root/bench" "$scratch/copy/"
  (cd -- "$root/tests/bench/report" &&
    python3 -c 'import made, pathlib, sys; made.write(pathlib.Path(sys.argv[1]), made.records())' "$scratch/made.jsonl")
  tool cmake <<CMAKE
#!/bin/sh
case "\$*" in --version) echo 3.31.0 ;; -P*) $looked ;; --build*) mkdir -p "\$2/bench" && cp "$scratch/ladder" "\$2/bench/ladder" ;; esac
CMAKE
  cat >"$scratch/ladder" <<LADDER
#!/bin/sh
for option; do case \$option in --records=*) cp -- "$scratch/made.jsonl" "\${option#*=}" ;; esac; done
LADDER
  chmod +x "$scratch/ladder"
  mkdir -- "$scratch/files"
  cd -- "$scratch/files"
  local name
  for name in '--output=y.jsonl' "-x it's \"so\" * \$HOME \\ \$(touch ran) \`touch ran\`; touch ran;.jsonl" \
    '<img src=x onerror=alert(1)>.jsonl'; do
    capture there "$scratch/copy/study" run --records="$name"
    expect_status 0
    [ -f "./$name" ] || die "no file $name"
    expect "Records: $name"
    expect "Page: $scratch/copy/report/${name%.jsonl}/index.html"
    capture there "$scratch/copy/study" report --output="$scratch/page" -- "$name"
    expect_status 0
    if grep -qF '<img src=x' "$scratch/page/index.html"; then die 'a name is markup'; fi
    rm -rf -- "./$name" "$scratch/page"
  done
  [ ! -e ran ] || die 'a name was run'
}

evidence_without_a_gpu_or_python_says_so_in_a_sentence() {
  copy_study "$scratch/copy" # without a .venv
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

tune_without_a_gpu_says_so_in_a_sentence() {
  copy_study "$scratch/copy"
  machine
  nvcc 13.0
  with python3
  capture there "$scratch/copy/study" tune
  expect_status 2
  expect './study tune is about r30 on an NVIDIA GPU: no NVIDIA GPU with a working driver is seen here'
  expect '. With --backend=cpu it is about c13 on this CPU.'
}

a_driver_without_device_is_not_a_gpu() {
  machine
  nvcc 13.0
  printf '#!/bin/sh\necho "No devices were found"\nexit 6\n' | tool nvidia-smi
  capture there "$study" doctor
  expect_status 0
  expect 'preset host. CUDA and Kokkos on CUDA are left out'
}

works_from_any_folder_through_a_link_and_with_a_space_in_the_path() {
  mkdir -- "$scratch/elsewhere"
  copy_study "$scratch/a folder"
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

setup_says_how_to_use_its_own_cmake_by_hand() {
  no_kokkos_here
  machine_without_kokkos ''
  mkdir -p -- "$scratch/copy/.venv/bin"
  mv -- "$scratch/machine/cmake" "$scratch/machine/ctest" "$scratch/copy/.venv/bin/"
  capture there "$scratch/copy/study" setup
  expect_status 0
  expect "CMake for the presets by hand: export PATH=$scratch/copy/.venv/bin:\$PATH, then cmake --workflow --preset cpu."
}

an_old_cmake_is_passed_over() {
  copy_study "$scratch/copy" # without a .venv
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
  copy_study "$scratch/copy"
  machine
  printf '#!/bin/sh\necho 1000\n' | tool id
  printf '#!/bin/sh\necho "apt-get was called" >&2\nexit 1\n' | tool apt-get
  local command
  for command in setup run test bundle; do
    capture there "$scratch/copy/study" "$command"
    expect_status 2
    expect 'Missing: a C++20 compiler (GCC 12 or newer), pkg-config, hwloc'
    expect 'sudo apt-get install g++ pkg-config libhwloc-dev'
    expect ' libopenblas-dev'
    expect_not 'apt-get was called'
  done
}

a_folder_that_cannot_be_written_is_named() {
  copy_study "$scratch/copy"
  : >"$scratch/copy/build" # not even root makes a folder of it
  machine
  local name
  for name in ctest ninja; do printf '#!/bin/sh\necho 3.31.0\n' | tool "$name"; done
  for name in pkg-config c++; do printf '#!/bin/sh\nexit 0\n' | tool "$name"; done
  printf '#!/bin/sh\necho 3.31.0\necho "-- hwloc=2.9.0"\n' | tool cmake
  capture there "$scratch/copy/study" run
  expect_status 2
  expect "Cannot write $scratch/copy/build/"
}

for behaviour; do "$behaviour"; done
