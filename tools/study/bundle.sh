# shellcheck shell=bash
# ./study bundle.

cmd_bundle() {
  local target=ladder options=() folder out=$root/bundle file
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
  # RPATH, not RUNPATH: it has to hold for the libraries of the libraries too.
  folder=$root/build/bundle-$preset
  # shellcheck disable=SC2016
  build $preset "$folder" $target -DLADDER_CPU_ARCH=x86-64-v3 '-DCMAKE_BUILD_RPATH=$ORIGIN;$ORIGIN/..' \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags "${options[@]}"

  rm -rf -- "$out"
  mkdir -p -- "$out"
  install -s -- "$folder/bench/ladder" "$out/"
  install -- "$root/tools/evidence.py" "$root/tools/sass.py" "$root/tools/shared.py" "$out/"
  if [ $target = all ]; then
    mkdir -- "$out/tests"
    find "$folder/tests" -name CMakeFiles -prune -o -type f -perm -u+x -print0 | while IFS= read -r -d '' file; do
      if [ "$(head -c 4 -- "$file" | tail -c 3)" = ELF ]; then install -s -- "$file" "$out/tests/"; fi
    done
    run_tests_script >"$out/run_tests"
    chmod +x "$out/run_tests"
  fi
  # Not the C library, which has to fit the other machine's loader, nor the driver's, which has to fit its kernel.
  { find "$out" -type f -perm -u+x -exec ldd {} + 2>/dev/null || true; } |
    sed -n 's/.* => \(\/.*\) (0x.*/\1/p' | sort -u |
    grep -vE '/(ld-linux.*|lib(c|m|mvec|dl|pthread|rt|resolv|util|anl|cuda|nvidia-.*))\.so' |
    while IFS= read -r file; do cp -L -- "$file" "$out/"; done
  say "bundle/ is ready ($(du -sh -- "$out" | cut -f 1)): copy it to another x86-64 Linux and run ./ladder there."
}

run_tests_script() {
  cat <<'SCRIPT'
#!/bin/sh
# Runs every test program of the bundle; arguments go to each (say --gtest_filter=...). Exit status 1 if one failed.
cd "$(dirname "$0")" || exit 2
passed=0 failed=0
for program in tests/*_tests; do # the others are what these start
  echo "== $program"
  if "$program" "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $program"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
SCRIPT
}
