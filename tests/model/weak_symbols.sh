#!/usr/bin/env bash
# weak_symbols.sh LIBRARY...: of functions and objects that several libraries define, the linker keeps one. So what is written
# over a run-time library's words (common/device/gpu, common/model/gpu, common/runtime) may not be in two of them under one
# name: HIP's words on NVIDIA are not CUDA's. The words themselves are, but only among libraries of the same words.
# NM and CXX name the tools. The check is seen to fail first, on two objects that are made here.
set -euo pipefail
nm=${NM:-nm}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# Weak definitions of a library that concern a run-time library, each once.
weak() { "$nm" -C --defined-only "$1" 2>/dev/null | sed -nE 's/^[0-9a-f]* ?[VWu] //p' | grep -E 'ladder::(gpu|runtime)::' | sort -u; }
# What more than one of the libraries defines, but for the words, and for a sweep, which is numbers and calls nothing.
shared() {
  for library; do weak "$library"; done | sort | uniq -d |
    grep -vE '^(guard variable for )?ladder::runtime::(Cuda|Hip)Words::|ladder::gpu::Sweep(::| const|,)' || true
}
die() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

for object in one other; do
  cat >"$scratch/$object.cpp" <<SOURCE
namespace ladder::gpu { template <class Words> int launch() { static int count; return ++count; } }
namespace ladder::runtime { struct CudaWords { static int text() { static int count; return ++count; } }; }
struct $object {};
int $object() { return ladder::gpu::launch<int>() + ladder::gpu::launch<struct $object>() + ladder::runtime::CudaWords::text(); }
SOURCE
  "${CXX:-c++}" -c -O0 "$scratch/$object.cpp" -o "$scratch/$object.o"
done
found=$(shared "$scratch/one.o" "$scratch/other.o")
[[ $found == *'launch<int>'* && $found != *launch\<o* && $found != *Words* ]] || die "the check sees nothing, or too much: $found"

for library; do
  symbols=$(weak "$library")
  [[ $symbols == *ladder::* ]] || die "$library defines nothing over a run-time library's words"
  case $library in
    *hip* | *amd*) other=CudaWords ;;
    *) other=HipWords ;;
  esac
  [[ $symbols != *$other* ]] || die "$library has $other"
done
found=$(shared "$@")
[ -z "$found" ] || die "more than one of $* define"$'\n'"$found"
