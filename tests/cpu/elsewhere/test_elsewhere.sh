#!/usr/bin/env bash
# test_elsewhere.sh SOURCE HIGHWAY ARCHITECTURE [CPU...]: cross-compiles the rungs with explicit vectors for an AArch64
# ARCHITECTURE and runs them in QEMU as each CPU. SOURCE is the project's folder; HIGHWAY contains Highway's header folder. Exit
# status 77, with the reason on stdout: the cross compiler or QEMU is not installed.
set -euo pipefail

source=$1 highway=$2 architecture=$3
shift 3
need() { # need TOOL PACKAGE
  if command -v "$1" >/dev/null; then return; fi
  echo "Not run: there is no $1 here (Debian: $2)."
  exit 77
}
need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
need qemu-aarch64 qemu-user
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
ln -s -- "$highway/hwy" "$scratch/hwy" # only Highway: the same folder may contain headers of this machine
cd -- "$source"
aarch64-linux-gnu-g++ -std=c++20 -O1 -march="$architecture" -fopenmp -static -Itests/cpu/elsewhere -I. -isystem "$scratch" \
  -DHWY_COMPILE_ONLY_STATIC tests/cpu/elsewhere/rungs.cpp cpu/rungs/c{08,09,10,11,12,13}_*.cpp -o "$scratch/rungs"
export OMP_WAIT_POLICY=passive # threads that spin are slow to emulate
for cpu in "$@"; do
  printf '%s as %s: ' "$architecture" "$cpu"
  qemu-aarch64 -cpu "$cpu" "$scratch/rungs"
done
