# shellcheck shell=bash
# ./study bundle.

cmd_bundle() {
  local target=ladder options=() folder out=$root/bundle archive=$root/bundle.tar.xz file
  while [ $# -gt 0 ]; do
    case $1 in
      --tests) target=all ;;
      -D?*) options+=("$1") ;;
      *) fail "./study bundle: unknown option $1 (known: --tests, -DNAME=VALUE)" ;;
    esac
    shift
  done
  [ "$(uname -sm)" = 'Linux x86_64' ] || fail "./study bundle is for x86-64 Linux; this is $(uname -sm)."
  setup
  preset=host preset_options=() absent=('CUDA, HIP and Kokkos on CUDA are left out: no nvcc, 13 or newer, is here')
  if new_nvcc; then
    preset=nvidia
    fit_preset
  fi
  say_absent
  folder=$root/build/bundle-$preset
  if [ $preset = nvidia ]; then options=(-DCMAKE_CUDA_FLAGS=--compress-mode=size "${options[@]}"); fi
  if [ $target = all ]; then # many programs: the code for a device is in libraries that they share
    folder+=-tests
    options=(-DBUILD_SHARED_LIBS=ON "${options[@]}")
  fi
  # RPATH, not RUNPATH: it has to hold for the libraries of the libraries too.
  # shellcheck disable=SC2016
  build $preset "$folder" $target all -DLADDER_CPU_ARCH=x86-64-v3 '-DCMAKE_BUILD_RPATH=$ORIGIN;$ORIGIN/..' \
    -DCMAKE_{EXE,SHARED}_LINKER_FLAGS=-Wl,--disable-new-dtags "${options[@]}"

  rm -rf -- "$out"
  mkdir -p -- "$out"
  install -s -- "$folder/bench/ladder" "$out/"
  install -m 644 -- "$root/ladder.spdx.json" "$out/" # what is in it, and under which licences
  install -- "$root/tools/measure_set.sh" "$out/measure_set"
  install -- "$root/tools"/{evidence,sass,shared}.py "$root/bench/report/evidence.csv" "$out/"
  if [ $target = all ]; then
    mkdir -- "$out/tests"
    find "$folder/tests" -name CMakeFiles -prune -o -type f -perm -u+x ! -name '*.so*' -print0 | while IFS= read -r -d '' file; do
      if [ "$(head -c 4 -- "$file" | tail -c 3)" = ELF ]; then install -s -- "$file" "$out/tests/"; fi
    done
    install -- "$root/tests/long_study_test.py" "$out/tests/"
    run_tests_script >"$out/run_tests"
    chmod +x "$out/run_tests"
  fi
  # Not the C library, which has to fit the other machine's loader, nor the driver's, which has to fit its kernel.
  { find "$out" -type f -perm -u+x -exec ldd {} + 2>/dev/null || true; } |
    sed -n 's/.* => \(\/.*\) (0x.*/\1/p' | sort -u |
    grep -vE '/(ld-linux.*|lib(c|m|mvec|dl|pthread|rt|resolv|util|anl|cuda|nvidia-.*))\.so' |
    while IFS= read -r file; do cp -L -- "$file" "$out/"; done
  find "$out" -maxdepth 1 -name 'libladder_*' -exec strip --strip-unneeded {} +
  rm -f -- "$archive"
  tar -C "$root" -cf - bundle | xz -9e -T 0 >"$archive" || fail "Packing bundle.tar.xz needs tar and xz (Debian: xz-utils)."
  say "bundle/ is ready ($(du -sh -- "$out" | cut -f 1)), and packed as bundle.tar.xz ($(du -sh -- "$archive" | cut -f 1)):" \
    "copy it to another x86-64 Linux and run ./ladder there."
}

run_tests_script() {
  cat <<'SCRIPT'
#!/bin/sh
# Runs every test program of the bundle; arguments go to each (say --gtest_filter=...). contract_tests and fault_tests are cut
# into SHARDS processes at once (default: one for every two processors, 12 at most), each on processors of its own: threads of
# several processes that wait for each other on one take ten times as long. Without arguments the first of them has all that
# runs on a GPU, where several processes take turns. Exit status 1 if one failed.
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

on_gpu='*/cuda.*:*/hip.*' # the suites of backends
for program in tests/*_tests; do # the others are what these start
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
if [ $# = 0 ] && command -v python3 >/dev/null; then # what stops a study
  for backend in cpu cuda hip; do
    PROGRAM=tests/ladder_with_faults BACKEND=$backend python3 tests/long_study_test.py >"$logs/study" 2>&1
    told "tests/long_study_test.py, $backend" $? "$logs/study"
  done
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
SCRIPT
}
