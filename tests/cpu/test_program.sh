#!/usr/bin/env bash
# test_program.sh LADDER BEHAVIOUR...: tests the program on this machine's CPUs, in environments that clusters set. Each run
# uses a temporary folder. Exit status 77: not testable here.
set -euo pipefail

ladder=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"
unset OMP_PROC_BIND OMP_PLACES OMP_NUM_THREADS OMP_WAIT_POLICY GOMP_CPU_AFFINITY KMP_AFFINITY

die() {
  printf 'FAILED: %s\n--- status %s, output:\n%s\n' "$*" "${status-}" "${output-}" >&2
  exit 1
}
# measure VARIABLE=VALUE... [OPTION...]: one small measurement with records. Sets output (both streams) and status.
measure() {
  rm -f records.jsonl
  output=$(env "$@" --backends=cpu --rungs=c07 --sizes=2^12 --samples=2 --cache=hot --records=records.jsonl 2>&1 </dev/null) &&
    status=0 || status=$?
}
expect() { [[ $output == *"$1"* ]] || die "the output lacks: $1"; }
expect_not() { [[ $output != *"$1"* ]] || die "the output should not say: $1"; }
recorded() { grep -qF -- "$1" records.jsonl || die "the records lack: $1"; }

processors=$(nproc)
several() { [ "$processors" -gt 1 ] || exit 77; }
first_processor() { taskset -pc $$ | sed 's/.*: *//; s/[-,].*//'; }

binding_threads_takes_no_processor_away() {
  several
  measure "$ladder"
  local workers setting
  workers=$(grep -o 'w[0-9]*  *[0-9.]* [mµn]s' <<<"$output" | head -n 1 | cut -d ' ' -f 1)
  for setting in OMP_PROC_BIND=close OMP_PROC_BIND=spread OMP_PROC_BIND=TRUE OMP_PLACES=threads OMP_PLACES=cores; do
    measure $setting "$ladder"
    [ "$status" = 0 ] || die "exit status $status under $setting"
    expect " $workers "
    recorded "in place of $setting"
    measure $setting "$ladder" "--workers=$processors"
    expect " w$processors "
  done
  measure OMP_PROC_BIND=false "$ladder"
  expect " $workers "
}

a_part_of_the_machine_is_told() {
  several
  local first online
  first=$(first_processor) online=$(getconf _NPROCESSORS_ONLN)
  measure taskset -c "$first" "$ladder"
  expect "1 of $online processors"
  expect ' w1 '
  recorded "\"part\":\"1 of $online processors\""
  measure OMP_PROC_BIND=close taskset -c "$first" "$ladder"
  expect "1 of $online processors"
  measure "OMP_PLACES={$first}" "$ladder"
  expect "1 of $online processors"
  measure OMP_PROC_BIND=close "$ladder"
  expect_not "1 of $online processors"
}

omp_num_threads_is_the_default_of_workers() {
  several
  measure OMP_NUM_THREADS=1 "$ladder"
  expect '1 worker by default (OMP_NUM_THREADS)'
  expect ' w1 '
  recorded '"default workers":{"value":"1","source":"OMP_NUM_THREADS"}'
  measure OMP_NUM_THREADS=1 "$ladder" "--workers=$processors"
  expect " w$processors "
}

the_threads_of_openblas_are_told() {
  "$ladder" --list >list
  if grep -q 'built without OpenBLAS' list; then exit 77; fi
  measure OPENBLAS_NUM_THREADS=1 "$ladder"
  expect 'cpu, library OpenBLAS: OpenBLAS '
  expect ', 1 thread'
  recorded '"library OpenBLAS":{"value":"OpenBLAS '
  several
  measure OPENBLAS_NUM_THREADS=2 "$ladder"
  expect ', 2 threads, of which a sum uses one'
}

a_device_is_of_gpus() {
  output=$("$ladder" --backends=cpu --rungs=c00 --sizes=2^4 --samples=2 --cache=hot --device=0 --block=64 2>&1) || die 'it failed'
  output=$("$ladder" --backends=cpu --rungs=c00 --sizes=2^4 --device=9 2>&1) && status=0 || status=$?
  [ "$status" = 2 ] || die "exit status $status, not 2"
  expect '--devices: names GPUs, and none is measured'
}

more_workers_than_processors_are_refused_when_planning() {
  output=$("$ladder" --backends=cpu --rungs=c07 --workers=1000 --dry-run 2>&1) && status=0 || status=$?
  [ "$status" = 2 ] || die "exit status $status, not 2"
  expect "1000 workers: there are $processors hardware threads to use"
}

vectors_and_pages_are_chosen_and_recorded() {
  local least
  measure "$ladder" --cpu-targets=none
  [ "$status" = 2 ] || die "exit status $status, not 2"
  expect "vectors of 'none' cannot be had here; choose from "
  least=$(sed -nE 's/.*choose from (.*, )?//p' <<<"$output")
  measure "$ladder" "--cpu-targets=$least" --pages=small
  [ "$status" = 0 ] || die "exit status $status"
  recorded "\"vectors\":{\"value\":\"$least, 16 bytes\""
  recorded 'large ones not asked for (LADDER_PAGES)'
  measure "$ladder" --pages=medium
  [ "$status" = 2 ] || die "exit status $status, not 2"
  expect '--pages: medium not in {large,small}'
}

a_limit_of_address_space_is_told() {
  # Large enough for GPU libraries, which do not exit when memory runs out. The expected error is detected before that.
  output=$(ulimit -v 4000000 && "$ladder" --backends=cpu --rungs=c07 --types=f64 --sizes=5GiB --samples=2 2>&1) && status=0 || status=$?
  [ "$status" = 2 ] || die "exit status $status, not 2"
  expect ' (ulimit -v may limit this process)'
}

for behaviour in "${@:2}"; do "$behaviour"; done
