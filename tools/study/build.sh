# shellcheck shell=bash
# Configuring and building a preset.

# The CMake error of the last `tried` command, on one line.
cmake_error() {
  awk '/^== / { said = ""; n = 0 } /^CMake Error/ && !n { n = on = 1; next } on && /^  / { $1 = $1; said = said " " $0; next }
    { on = 0 } END { print substr(said, 2) }' "$log"
}

# configure PRESET FOLDER TYPES [OPTION...]: --fresh if the folder was made for another source path. Continues without HIP or
# Kokkos if unavailable, unless OPTION requires it. Sets hip_left_out, kokkos_left_out: the reason.
configure() {
  local name=$1 folder=$2 types=$3 error configuring=("$cmake")
  shift 3
  if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    configuring+=(--fresh)
  fi
  # With few processors, use unity builds for code that is not measured: headers dominate its compile time.
  if [ "$(nproc 2>/dev/null || echo 1)" -le 4 ]; then configuring+=(-DCMAKE_UNITY_BUILD=ON); fi
  configuring+=(--preset "$name" -B "$folder" -UCMAKE_DISABLE_FIND_PACKAGE_Kokkos "${preset_options[@]}" "$@")
  configuring+=(-DLADDER_{CPU,CUDA,HIP,KOKKOS}_TYPES="$types")
  hip_left_out='' kokkos_left_out=''
  if tried "Configuring preset $name" "${configuring[@]}"; then return; fi
  error=$(cmake_error)
  if [[ $error == *-DLADDER_HIP=OFF* && $* != *LADDER_HIP* ]]; then
    hip_left_out=$error
    say "HIP is left out: $error"
    configuring+=(-DLADDER_HIP=OFF)
    if tried 'Configuring without HIP' "${configuring[@]}"; then return; fi
    error=$(cmake_error)
  fi
  if [[ ${error,,} == *kokkos* && ${*,,} != *kokkos* ]]; then
    if [ -n "$kokkos" ]; then
      say "$error"
      if tried 'Configuring without that Kokkos' "${configuring[@]}" -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON; then return; fi
      error=$(cmake_error)
    fi
    kokkos_left_out=$error
    say "Kokkos is left out: $error"
    if tried 'Configuring without Kokkos' "${configuring[@]}" -DLADDER_KOKKOS=OFF; then return; fi
  fi
  show_log
  exit 2
}

# types_for FOLDER TYPES: prints the element types to compile the models for: TYPES (f32,f64; or all) plus those
# FOLDER already has. Empty means all, as in CMake.
types_for() {
  local built=${2//,/;} cache=$1/CMakeCache.txt
  if [[ $2 == *all* ]]; then return; fi
  if [ -f "$cache" ]; then
    built+=";$(sed -n 's/^LADDER_KOKKOS_TYPES:STRING=//p' "$cache")"
    if [[ $built == *';' ]]; then return; fi
  fi
  built=$(tr ';' '\n' <<<"$built" | sort -u | tr '\n' ';')
  printf '%s' "${built%;}"
}

# build PRESET FOLDER TARGET TYPES [OPTION...]: builds, after configuring if necessary. TYPES: see types_for.
configured=''
build() {
  local name=$1 folder=$2 target=$3 types
  types=$(types_for "$folder" "$4")
  shift 4
  cd -- "$root" # CMake reads presets from here
  if [ "$configured" != "$folder for $types" ]; then
    start_log "$folder/study.log"
    configure "$name" "$folder" "$types" "$@"
    configured="$folder for $types"
  fi
  if [ "$target" = ladder ] && [ -n "$types" ]; then
    say "The models are compiled for ${types//;/, } alone. A run with other --types compiles them too."
  fi
  logged "Building $target (log: $log_shown)" "$cmake" --build "$folder" --target "$target" || exit 2
  cd -- "$OLDPWD"
}
