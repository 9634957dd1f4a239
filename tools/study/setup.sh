# shellcheck shell=bash
# Installs missing dependencies and reports them.

# The shebangs of .venv's scripts and CMake do not support every character in a path.
check_place() {
  case $root in
    *['"$`\;']* | *$'\n'*)
      fail "This folder's path has a character that CMake or the scripts of .venv cannot name (\" \$ \` \\ ; or a line's end):" \
        "move it, then try again. It is $root"
      ;;
  esac
}

# shown PATH: prints the path relative to the current directory if below it.
shown() { case $1 in "$PWD"/*) printf '%s' "${1#"$PWD/"}" ;; *) printf '%s' "$1" ;; esac; }

# record_name [WHAT]: prints a name for a new records file, from date and machine.
record_name() { printf '%s-%s%s.jsonl' "$(date -u +%Y-%m-%dT%H%M%SZ)" "$(uname -n | tr -c 'A-Za-z0-9.\n-' _)" "${1:+-$1}"; }

start_log() { # start_log FILE
  log=$1 log_shown=${1#"$root/"}
  { mkdir -p -- "$(dirname -- "$log")" && : >"$log"; } 2>/dev/null ||
    fail "Cannot write $log: use a copy of this folder that you may write to."
}

# tried WHAT COMMAND...: runs COMMAND; prints WHAT and the build's counter, and logs the output.
tried() {
  local what=$1 start=$SECONDS line
  shift
  printf '== %s\n' "$what" >>"$log"
  printf '%s ...' "$what"
  if "$@" 2>&1 </dev/null | while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    if [ -t 1 ] && [[ $line =~ ^\[[0-9]+/[0-9]+\] ]]; then printf '\r%s ... %s ' "$what" "${BASH_REMATCH[0]}"; fi
  done; then
    if [ -t 1 ]; then printf '\r\033[K%s ...' "$what"; fi
    printf ' done in %d s\n' $((SECONDS - start))
  else
    printf ' failed.\n'
    return 1
  fi
}

# logged WHAT COMMAND...: like tried; prints the end of the log if COMMAND fails.
logged() { tried "$@" || { show_log && return 1; }; }
show_log() {
  printf 'The end of %s:\n\n' "$log_shown"
  tail -n 30 "$log"
  printf '\n'
}

install_packages() {
  say "Installing with apt-get, from the package archive that apt is set up for: $*"
  DEBIAN_FRONTEND=noninteractive logged 'Installing packages' apt-get install -y --no-install-recommends "$@"
}

# install_python_tools LOCK...: installs exactly the packages of these lock files. Replaces installed ones: the scripts of a
# .venv that was moved exist but do not run.
install_python_tools() {
  local pip=("$venv/bin/python" -m pip) lock locks=() names=()
  for lock; do
    locks+=(-r "$lock")
    names+=("$(basename -- "${lock%.lock}")")
  done
  say "Installing from PyPI into .venv in this folder: ${names[*]}"
  if ! quietly "${pip[@]}" --version; then
    rm -rf -- "$venv"
    if quietly python3 -c 'import venv, ensurepip'; then
      logged 'Making .venv' python3 -m venv "$venv"
    else # Debian packages ensurepip separately; the system's pip can install into .venv too
      logged 'Making .venv' python3 -m venv --without-pip "$venv"
      pip=(python3 -m pip --python "$venv/bin/python")
    fi
  fi
  logged 'Installing tools' "${pip[@]}" install --disable-pip-version-check --retries 1 --force-reinstall --require-hashes \
    "${locks[@]}"
}

# Sets tools: those of CMake and Ninja that must be installed from PyPI.
find_tools() {
  find_cmake
  tools=()
  if [ -z "$cmake" ]; then tools+=(cmake); fi
  quietly ninja --version || tools+=(ninja)
}
can_make_venv() {
  quietly "$venv/bin/python" -m pip --version || quietly python3 -c 'import venv, ensurepip' || quietly python3 -c 'import venv, pip'
}
install_tools() {
  local tool locks=()
  find_tools
  if [ ${#tools[@]} = 0 ]; then return; fi
  for tool in "${tools[@]}"; do locks+=("$root/tools/study/$tool.lock"); done
  start_log "$root/build/setup.log"
  install_python_tools "${locks[@]}" || exit 2
  find_cmake
  [ -n "$cmake" ] || fail "CMake $cmake_floor or newer could not be installed: see $log_shown."
}

# Installs missing dependencies; sets cmake, ctest and the results of find_missing. Prints nothing if nothing is missing.
setup() {
  local has_apt='' tools
  if quietly command -v apt-get; then has_apt=1; fi
  look() {
    find_tools
    if [ ${#tools[@]} -gt 0 ] && can_make_venv; then install_tools; fi # first: CMake detects the rest
    find_missing
    if [ ${#tools[@]} -gt 0 ] && ! can_make_venv; then
      needed+=("Python's venv (for $(listed "${tools[@]}"))")
      packages+=(python3-venv)
    fi
  }

  look
  if [ ${#packages[@]} -gt 0 ] && [ -n "$has_apt" ] && [ "$(id -u)" = 0 ]; then
    start_log "$root/build/setup.log"
    logged 'Reading the lists of packages' sh -c 'apt-get update || true' # an old list may suffice
    find_missing # the lists show which optional packages exist
    if [ ${#tools[@]} -gt 0 ] && ! can_make_venv; then packages+=(python3-venv); fi
    install_packages "${packages[@]}" || true # remaining ones are reported below
    look
  fi
  if [ ${#needed[@]} -gt 0 ]; then
    say "Missing: $(listed "${needed[@]}")." >&2
    [ -n "$has_apt" ] || fail "Install it with this system's packages (Debian's names: ${packages[*]}), then try again."
    fail "Installing packages needs root. Run this, then try again:"$'\n'"  sudo apt-get install ${packages[*]}"
  fi
  if [ ${#fetched[@]} -gt 0 ]; then
    say "Not installed, so the build downloads the source (github.com, else deb.debian.org): $(listed "${fetched[@]}")."
  fi
  if [ ${#left_out[@]} -gt 0 ]; then say "Not installed, so left out: $(listed "${left_out[@]}")."; fi
  if [ ${#optional[@]} -gt 0 ]; then say "Optional, and not installed: $(listed "${optional[@]}")."; fi
  if [ ${#packages[@]} -gt 0 ]; then say "Packages would bring these: sudo apt-get install ${packages[*]}"; fi
}
