# shellcheck shell=bash
# The commands that build, measure and test; each is the function cmd_NAME.

cmd_run() {
  local arg before='' named='' nothing='' file='' status=0 made=0 python=''
  if [ "${1-}" = -- ]; then shift; fi
  for arg; do
    if [ "$before" = --records ]; then file=$arg; fi
    case $arg in
      --records=*) named=1 file=${arg#*=} ;;
      --records) named=1 ;;
      --list | --dry-run | --profile | --benchmark_list_tests* | -h | --help) nothing=1 ;; # is measured
    esac
    before=$arg
  done
  setup
  if [ -z "$nothing" ]; then find_report_python 'The page of the run is left out' || true; fi
  choose_preset
  say_absent
  build "$preset" "$root/build/$preset" ladder
  if [ -z "$named$nothing" ]; then
    quietly mkdir -p -- "$root/results" || true # where this fails, ladder says so itself
    file=$root/results/$(record_name)
    set -- "--records=$file" "$@"
  fi
  "$root/build/$preset/bench/ladder" "$@" || status=$?
  if [ -n "$nothing" ] || ! [ -f "$file" ]; then return $status; fi
  say "Records: ${file#"$root/"}"
  if [ -n "$python" ]; then
    on_records report --output="$root/report" "$file" >/dev/null || made=$?
    if [ $made -lt 2 ]; then say 'Page: report/index.html'; fi
  fi
  return $status
}

cmd_test() {
  local sentence python=''
  setup
  find_report_python 'Not run: the tests of the report' || true
  choose_preset
  build "$preset" "$root/build/$preset" all
  # Before ctest: its own summary is what has to stand last.
  for sentence in "${absent[@]}"; do
    sentence=${sentence/ are left out:/:}
    say "Not run: the tests of ${sentence/ is left out:/:}."
  done
  if [ -n "$hip_left_out" ]; then say "Not run: the tests of HIP: $hip_left_out"; fi
  if [ -n "$kokkos_left_out" ]; then say "Not run: the tests of Kokkos: $kokkos_left_out"; fi
  if [ ${#left_out[@]} -gt 0 ]; then say "Not run: the tests of what is not installed: $(listed "${left_out[@]}")."; fi
  if ! quietly command -v python3; then say "Not run: the tests of the rungs' sources and of the scripts: no Python 3."; fi
  cd -- "$root"
  # Most of them use one core or wait; those that take times ask to be alone (RUN_SERIAL).
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
  build "$preset" "$root/build/$preset" ladder
  if [ -z "$own_records" ]; then
    quietly mkdir -p -- "$root/results" || true
    set -- "--records=$root/results/$(record_name evidence)" "$@"
  fi
  "$python" "$root/tools/evidence.py" --ladder "$root/build/$preset/bench/ladder" "$@"
}

# Sets python to one that has what the report needs; installs that where none has. Returns 1 where none will, after a
# sentence that begins with WHAT.
find_report_python() { # find_report_python WHAT
  local candidate
  look_for_one() {
    python=''
    for candidate in "$venv/bin/python" python3; do
      if quietly "$candidate" -c 'import pandas, matplotlib, jinja2'; then
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
  say 'Installing from PyPI into .venv in this folder, for the report: pandas, matplotlib, Jinja2'
  quietly install_python_tools --retries 1 -r "$root/bench/report/requirements.txt" || true # one sentence is enough
  look_for_one
  if [ -z "$python" ]; then
    say "$1: pandas, matplotlib and Jinja2 could not be installed (see $log_shown)." >&2
    return 1
  fi
}

# on_records MODULE OPTION...
on_records() {
  PYTHONPATH=$root/bench${PYTHONPATH:+:$PYTHONPATH} "$python" -m "$@"
}

# Those of the arguments that are no options.
files_among() {
  local arg
  for arg; do [[ $arg == -* ]] || printf '%s\n' "$arg"; done
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

cmd_setup() {
  [ $# = 0 ] || fail "./study setup takes no options; it was given: $*"
  local python=''
  setup
  find_report_python 'The report is left out' || true
  say 'Ready: ./study run builds and measures.'
}
