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
  if [ $target = all ]; then # many programs: shared libraries hold the device code
    folder+=-tests
    options=(-DBUILD_SHARED_LIBS=ON "${options[@]}")
  fi
  # RPATH, not RUNPATH: it must also apply to dependencies of the libraries.
  # shellcheck disable=SC2016
  build $preset "$folder" $target all -DLADDER_CPU_ARCH=x86-64-v3 '-DCMAKE_BUILD_RPATH=$ORIGIN;$ORIGIN/..' \
    -DCMAKE_{EXE,SHARED}_LINKER_FLAGS=-Wl,--disable-new-dtags "${options[@]}"

  rm -rf -- "$out"
  mkdir -p -- "$out"
  install -s -- "$folder/bench/ladder" "$out/"
  install -m 644 -- "$root/ladder.spdx.json" "$out/" # contents and licences
  install -- "$root/tools/measure_set.py" "$out/measure_set"
  install -- "$root/tools"/{evidence,sass,shared}.py "$root"/{bench/report/evidence,tools/measure_set}.csv "$out/"
  if [ $target = all ]; then
    mkdir -- "$out/tests"
    find "$folder/tests" -name CMakeFiles -prune -o -type f -perm -u+x ! -name '*.so*' -print0 | while IFS= read -r -d '' file; do
      if [ "$(head -c 4 -- "$file" | tail -c 3)" = ELF ]; then install -s -- "$file" "$out/tests/"; fi
    done
    install -- "$root/tests/long_study_test.py" "$out/tests/"
    install -- "$root/tests/of_bundle.sh" "$out/run_tests"
  fi
  # Exclude the C library, which must match the other machine's loader, and the driver's, which must match its kernel.
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
