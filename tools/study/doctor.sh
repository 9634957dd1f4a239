# shellcheck shell=bash
# ./study doctor.

cmd_doctor() {
  [ $# = 0 ] || fail "./study doctor takes no options; it was given: $*"
  local apt='apt-get install' driver='' sentence library grade names name what how
  find_missing
  choose_preset
  if [ "$(id -u)" != 0 ]; then apt="sudo $apt"; fi
  line() { # line NAME FOUND HOW [LACK]: prints HOW to get it if FOUND is empty
    if [ -n "$2" ]; then printf '%-18s %s\n' "$1" "$2"; else printf '%-18s %-10s %s\n' "$1" "${4-missing}" "$3"; fi
  }
  # For items that CMake detects; prints "not known" without a CMake.
  cmakes_line() { if asked; then line "$@"; else line "$1" '' "$3" 'not known'; fi; }
  kokkos_line() {
    local version
    version=$(see Kokkos)
    case $version in
      5.*) say "$version (${kokkos%/cmake/Kokkos/*})" ;;
      '')
        if [ -f "$kokkos_archive" ]; then
          say "$(see kokkos_release) (built from $kokkos_archive)"
        elif [ -n "$kokkos_archive" ]; then
          say "left out: LADDER_KOKKOS_ARCHIVE names $kokkos_archive, where there is no file"
        fi
        ;;
      *) say "$version in ${kokkos%/cmake/Kokkos/*} is passed over, 5 is needed: the build downloads $(see kokkos_release)" ;;
    esac
  }
  hip_headers_line() {
    local folder version
    folder=$(see hip_headers) version=$(see hip_version)
    if [ -n "$folder" ]; then say "${version:-of no known version} ($folder)"; fi
  }
  report_modules() {
    local candidate modules='import jinja2, pandas, scipy, vl_convert; print(*(f"{m.__name__} {m.__version__}" for m in (pandas, scipy, vl_convert, jinja2)), sep=", ")'
    for candidate in "$venv/bin/python" python3; do "$candidate" -c "$modules" 2>/dev/null && return; done
    return 0
  }
  line 'C++ compiler' "$(if [ -n "$cxx" ]; then "$cxx" --version | head -n 1; fi)" "GCC 12 or newer: $apt g++"
  line OpenMP "$openmp" 'comes with GCC; for clang: libomp-dev'
  line CMake "${cmake:+$(first_version "$cmake" --version) ($cmake)}" \
    "$cmake_floor or newer${too_old:+, $too_old is too old}: ./study setup puts it into .venv"
  line Ninja "$(first_version ninja --version)" "./study setup puts it into .venv; or $apt ninja-build"
  line pkg-config "$(first_version pkg-config --version)" "$apt pkg-config"
  line git "$(first_version git --version)" "without it the records cannot name the commit: $apt git"
  while IFS=';' read -r library grade names name what; do
    how="$apt $names"
    case $grade in
      fetched) how="the build downloads it; or $how" ;;
      left_out) how="a library rung is left out; $how" ;;
    esac
    cmakes_line "$name" "$(see "$library")" "$how"
  done <<<"$libraries"
  cmakes_line Kokkos "$(kokkos_line)" \
    "the build downloads ${seen[kokkos_release]-its source} (github.com, else deb.debian.org); or name its archive in LADDER_KOKKOS_ARCHIVE"
  line nvcc "${nvcc:+$nvcc_version ($nvcc)}" 'only for CUDA: the CUDA toolkit, 13 or newer'
  if [ -n "$gpu" ]; then
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true)
  fi
  cmakes_line NCCL "$(see nccl)" \
    "only for m01 (preset nvidia-multi): $apt libnccl-dev, of NVIDIA's repository; or PyPI's nvidia-nccl-cu13, named by NCCL_ROOT"
  line 'NVIDIA GPU' "${gpu:+$gpu, driver ${driver:-unknown}}" 'only for CUDA: a GPU with its driver'
  cmakes_line "HIP's headers" "$(hip_headers_line)" "only for HIP on an NVIDIA GPU: $apt libamdhip64-dev; ROCm: hip-dev"
  cmakes_line hipcc "$(if [ -n "$(see hipcc)" ]; then say "${hipcc_version:-of no known version} ($(see hipcc))"; fi)" \
    "only for HIP on an AMD GPU: ROCm, 6.2 or newer for Kokkos on HIP too; or $apt hipcc"
  cmakes_line RCCL "$(see rccl)" \
    "only for m01 on AMD GPUs (preset amd-multi): ROCm's rccl-dev; or $apt librccl-dev, where the system has it; RCCL_ROOT names another"
  line 'AMD GPU' "$amd_gpu" 'only for HIP on an AMD GPU: a GPU with its driver'
  line python3 "$(first_version python3 --version)" "the report, ./study evidence, and some tests: $apt python3"
  line "report's modules" "$(report_modules)" './study setup puts pandas, scipy, vl-convert and Jinja2 into .venv'
  line ncu "$(first_version ncu --version)" './study evidence: comes with the CUDA toolkit (Nsight Compute)'
  line cuobjdump "$(first_version cuobjdump --version)" './study evidence: comes with the CUDA toolkit'
  say ''
  if ! asked; then say 'What is not known here is what CMake looks for: ./study setup brings a CMake, then run ./study doctor again.'; fi
  say "./study run here: preset $preset.$(for sentence in "${absent[@]}"; do printf ' %s.' "$sentence"; done)"
}
