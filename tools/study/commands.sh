# shellcheck shell=bash
# The commands that build, measure and test; each is the function cmd_NAME.

cmd_run() {
  local several='' folder answer what types file status=0 again=0 python='' given
  if [ "${1-}" = -- ]; then shift; fi
  if [[ " $*" == *' --devices'* ]]; then several=several; fi # uses another preset
  setup
  choose_preset "$several"
  say_absent
  # The first run should take minutes. On a CPU, evicting caches that may exceed half a GiB from slow memory takes longer than
  # most rungs.
  if [ $# = 0 ] && [ "$preset" = host ]; then
    set -- --sizes=64MiB --quick
    say 'For a first look on a CPU: --sizes=64MiB --quick. A size that claims about its memory need: ./study run --quick' \
      '(some minutes more).'
  fi
  given=("$@")
  folder=$root/build/$preset
  # Build the option parser first: it reports usage errors before the backends are compiled.
  build "$preset" "$folder" ladder_options "${several:+all,}f32"
  answer=$("$folder/bench/ladder_options" "$@") || exit $?
  what=${answer%% *}
  case $what in
    measures | energy | nothing) ;;
    *) # --help and the like: print the answer
      say "$answer"
      return
      ;;
  esac
  answer=${answer#* }
  types=${answer%% *} file=${answer#* }
  if [ "$what" != nothing ]; then find_report_python 'The page of the run is left out' || true; fi
  build "$preset" "$folder" ladder "${several:+all,}$types"
  if [ -z "$file" ] && [ "$what" != nothing ]; then
    quietly mkdir -p -- "$root/results" || true # if this fails, ladder reports it
    file=$root/results/$(record_name)
    set -- "--records=$file" "$@"
    given=("--records=$(shown "$file")" "${given[@]}")
  fi
  with_signals "$folder/bench/ladder" "$@"
  # A lost device may work in a new process: --resume skips the measurement that lost it and takes the rest.
  while [ $status = 3 ] && [ $again -lt 3 ] && [ "$what" = measures ] && [ -s "$file" ]; do
    again=$((again + 1))
    say "The device was lost: another process goes on behind that (further process $again of at most 3)."
    with_signals "$folder/bench/ladder" --resume "$@"
  done
  if [ "$what" = nothing ] || ! [ -f "$file" ]; then return $status; fi
  say "Records: $(shown "$(readlink -f -- "$file")")"
  if [ $status -gt 128 ] || { [ $status = 3 ] && [ "$what" = measures ]; }; then
    say "To go on: ./study run --resume$(printf ' %q' "${given[@]}")"
    return $status
  fi
  if [ -n "$python" ]; then make_page "$(readlink -f -- "$file")"; fi
  return $status
}

# with_signals COMMAND...: forwards Ctrl-C and SIGTERM to the command and waits for its end. Sets status.
with_signals() {
  local child
  set -m # otherwise a background job ignores Ctrl-C
  "$@" &
  child=$!
  set +m
  trap 'kill -INT $child 2>/dev/null' INT
  trap 'kill -TERM $child 2>/dev/null' TERM
  wait $child && status=0 || status=$?
  while kill -0 $child 2>/dev/null; do wait $child && status=0 || status=$?; done
  trap - INT TERM
}

# make_page FILE: makes the page of a run in its own folder; report/index.html is a copy of the latest.
make_page() {
  local page made=0
  page=${1##*/}
  page=$root/report/${page%.jsonl}
  on_records report --output="$page" "$1" >/dev/null || made=$?
  if [ $made -lt 2 ] && cp -- "$page/index.html" "$root/report/index.html"; then
    say "Page: $(shown "$page/index.html") (also $(shown "$root/report/index.html"), until the next run)"
  fi
}

cmd_test() {
  local sentence python=''
  setup
  find_report_python 'Not run: the tests of the report' || true
  choose_preset
  build "$preset" "$root/build/$preset" all all
  # Print these before ctest, whose summary must come last.
  for sentence in "${absent[@]}"; do
    sentence=${sentence/ are left out:/:}
    say "Not run: the tests of ${sentence/ is left out:/:}."
  done
  if [ -n "$hip_left_out" ]; then say "Not run: the tests of HIP: $hip_left_out"; fi
  if [ -n "$kokkos_left_out" ]; then say "Not run: the tests of Kokkos: $kokkos_left_out"; fi
  if [ ${#left_out[@]} -gt 0 ]; then say "Not run: the tests of what is not installed: $(listed "${left_out[@]}")."; fi
  if ! quietly command -v python3; then say "Not run: the tests of the rungs' sources and of the scripts: no Python 3."; fi
  cd -- "$root"
  # Most tests use one core or wait; tests that measure times run alone (RUN_SERIAL).
  CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc 2>/dev/null || echo 1)} "$ctest" --preset "$preset" "$@"
}

cmd_evidence() {
  local arg own_records='' python=''
  for arg; do
    case $arg in --records | --records=*) own_records=1 ;; esac
  done
  python=$(command -v python3) || fail './study evidence needs Python 3: install it (Debian: python3), then try again.'
  find_cuda
  if [ -n "$why_no_cuda" ]; then fail "./study evidence is about CUDA rungs: $why_no_cuda."; fi
  setup
  choose_preset
  build "$preset" "$root/build/$preset" ladder all
  if [ -z "$own_records" ]; then
    quietly mkdir -p -- "$root/results" || true
    set -- "--records=$root/results/$(record_name evidence)" "$@"
  fi
  "$python" "$root/tools/evidence.py" --ladder "$root/build/$preset/bench/ladder" "$@"
}

cmd_tune() {
  local python=''
  find_cuda
  if [ -n "$why_no_cuda" ] && [[ " $* " != *' --backend'[=\ ]'cpu '* ]]; then
    fail "./study tune is about r30 on an NVIDIA GPU: $why_no_cuda. With --backend=cpu it is about c13 on this CPU."
  fi
  setup
  find_report_python './study tune cannot be run' || exit 2
  choose_preset
  build "$preset" "$root/build/$preset" ladder all
  PYTHONPATH=$root/bench "$python" "$root/tools/tune.py" --ladder "$root/build/$preset/bench/ladder" "$@"
}

# find_report_python WHAT: sets python to an interpreter with the report's packages, installing them if necessary. Returns 1 if
# that fails, after a message that starts with WHAT.
find_report_python() { # find_report_python WHAT
  local candidate log log_shown # log of the installation, not of the build
  look_for_one() {
    python=''
    for candidate in "$venv/bin/python" python3; do
      if quietly "$candidate" -c 'import pandas, scipy, vl_convert, jinja2'; then
        python=$candidate
        return
      fi
    done
  }
  if ! quietly command -v python3; then
    say "$1: it needs Python 3 (Debian: python3)." >&2
    return 1
  fi
  look_for_one
  if [ -n "$python" ]; then return; fi
  start_log "$root/build/setup.log"
  say 'Installing from PyPI into .venv in this folder, for the report: pandas, scipy, vl-convert, Jinja2'
  quietly install_python_tools "$root/bench/report/requirements.lock" || true # the message below is enough
  look_for_one
  if [ -z "$python" ]; then
    say "$1: pandas, scipy, vl-convert and Jinja2 could not be installed (see $log_shown)." >&2
    return 1
  fi
}

# on_records MODULE OPTION...
on_records() {
  PYTHONPATH=$root/bench${PYTHONPATH:+:$PYTHONPATH} "$python" -m "$@"
}

# files_among ARG...: prints the arguments that are no options; after -- all are files.
files_among() {
  local arg all=''
  for arg; do
    if [ -n "$all" ] || [[ $arg != -* ]]; then printf '%s\n' "$arg"; fi
    if [ "$arg" = -- ]; then all=1; fi
  done
}

cmd_report() {
  local python=''
  [ -n "$(files_among "$@")" ] || fail './study report needs records, say ./study report results/*.jsonl; ./study run makes some.'
  find_report_python './study report cannot be run' || exit 2
  if [[ " $* " != *' --output'* ]]; then set -- "--output=$root/report" "$@"; fi
  on_records report "$@"
}

cmd_compare() {
  local python=''
  [ -n "$(files_among "$@")" ] || fail './study compare needs two sets of records, say ./study compare results/old.jsonl results/new.jsonl.'
  find_report_python './study compare cannot be run' || exit 2
  on_records report.compare "$@"
}

cmd_submit() {
  local python=''
  [ -n "$(files_among "$@")" ] || fail './study submit needs records, say ./study submit mine.jsonl;' \
    './study run --processes=5 --records=mine.jsonl makes them.'
  find_report_python './study submit cannot be run' || exit 2
  "$python" "$root/tools/submit.py" "$@"
}

cmd_setup() {
  [ $# = 0 ] || fail "./study setup takes no options; it was given: $*"
  local python=''
  setup
  find_report_python 'The report is left out' || true
  say 'Ready: ./study run builds and measures.'
  case $cmake in
    "$venv"/*) say "CMake for the presets by hand: export PATH=$(printf %q "$venv/bin"):\$PATH, then cmake --workflow --preset cpu." ;;
  esac
}
