#!/usr/bin/env bash
# Checks without a build: formatting, shell scripts, Python, spelling, the workflow.
source .ci/shared.sh

git ls-files -z '*.h' '*.hpp' '*.cpp' '*.cu' '*.cuh' '*.hip' | xargs -0 -r clang-format-14 --dry-run -Werror
shellcheck -x -a study .ci/run
git ls-files -z '.ci/*.sh' 'tests/*.sh' | xargs -0 shellcheck -x -a
ruff check
git ls-files -z | xargs -0 codespell
actionlint
