#!/bin/sh
# Runs every test program of the bundle; arguments go to each (say --gtest_filter=...). contract_tests and fault_tests run in
# SHARDS processes at once (default: one per two processors, 12 at most), each on separate processors. Threads of several
# processes that wait for each other on one processor take ten times as long. Without arguments the first process runs all GPU
# tests, since several processes would share the GPU in turn. Exit status 1 if one failed.
cd "$(dirname "$0")" || exit 2
processors=$(taskset -pc $$ 2>/dev/null | sed 's/.*: *//' | tr ',' '\n' |
  while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done)
cores=$(nproc)
half=$(((cores + 1) / 2))
shards=${SHARDS:-$((half < 12 ? half : 12))}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failed=0

on_its_own() { # on_its_own I COMMAND...: on the I-th of `parts` equal parts of the processors
  each=$((cores / parts))
  own=$(echo "$processors" | sed -n "$((each * $1 + 1)),$((each * $1 + each))p" | paste -sd , -)
  shift
  if [ -n "$own" ] && [ "$parts" -gt 1 ]; then taskset -c "$own" "$@"; else "$@"; fi
}

told() { # told NAME STATUS LOG
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
    grep -E '^(\[  (PASSED|SKIPPED) +\] [0-9]|Ran )' "$3"
  elif [ "$2" != 77 ]; then
    failed=$((failed + 1))
    cat "$3"
    echo "FAILED: $1"
  fi
}

on_gpu='*/cuda.*:*/hip.*' # test suites of GPU backends
for program in tests/*_tests; do # the other programs are started by these
  parts=1 for_gpu=0
  case $program in */contract_tests | */fault_tests) parts=$shards ;; esac
  if [ "$parts" -gt 1 ] && [ $# = 0 ]; then for_gpu=1; fi
  began=$(date +%s)
  running='' i=0
  while [ "$i" -lt "$parts" ]; do
    filter='*' count=$((parts - for_gpu)) index=$((i - for_gpu))
    if [ $for_gpu = 1 ]; then filter=-$on_gpu; fi
    if [ "$index" -lt 0 ]; then filter=$on_gpu count=1 index=0; fi
    on_its_own "$i" env OMP_WAIT_POLICY=passive GTEST_FILTER="$filter" GTEST_TOTAL_SHARDS="$count" GTEST_SHARD_INDEX="$index" \
      "$program" "$@" >"$logs/$i" 2>&1 &
    running="$running $!"
    i=$((i + 1))
  done
  i=0
  for process in $running; do
    wait "$process"
    told "$program, part $((i + 1)) of $parts" $? "$logs/$i"
    i=$((i + 1))
  done
  echo "== $program: $(($(date +%s) - began)) s"
done
if [ $# = 0 ] && command -v python3 >/dev/null; then # interruptions of a study
  for backend in cpu cuda hip; do
    PROGRAM=tests/ladder_with_faults BACKEND=$backend python3 tests/long_study_test.py >"$logs/study" 2>&1
    told "tests/long_study_test.py, $backend" $? "$logs/study"
  done
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
