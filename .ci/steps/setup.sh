#!/usr/bin/env bash
# Installs what the other steps need on Debian 12, as root: ./study sets up its own needs; the rest is for the checks.
source .ci/shared.sh

./study setup
need git git
need ccache ccache
need clang-format-14 clang-format-14
need clang-tidy-15 clang-tidy-15
need /usr/lib/llvm-15/lib/libomp.so libomp-15-dev # has the omp.h that clang-tidy needs
need shellcheck shellcheck
# AArch64 vectors, on an emulated processor.
need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
need qemu-aarch64 qemu-user
# For tests of the report's page in a browser. Ubuntu has no such package.
need chromium chromium || echo 'No Chromium is to be had: report.in_browser will be skipped.'
need mpirun openmpi-bin # ranks on the CPU
need mpicxx libopenmpi-dev
need hipcc hipcc # includes HIP's headers, for NVIDIA GPUs too
need /usr/include/rocprim librocprim-dev
if ! .venv/bin/python -c '' 2>/dev/null; then python3 -m venv .venv; fi
need_python .ci/python.lock # ruff, codespell; Hypothesis for report.reading
need_python .ci/actionlint.txt
