#!/usr/bin/env bash
# test_haswell.sh CPU_ARCH LADDER CPU_TESTS: a build for x86-64-v3, which is what a bundle is, on the least processor that it is
# for: one with AVX2 and nothing wider, as QEMU has it. Exit status 77: it cannot be checked here.
set -euo pipefail

arch=$1 ladder=$2 tests=$3
if [ "$arch" != x86-64-v3 ]; then
  echo "Skipped: this build is for '$arch'; one with -DLADDER_CPU_ARCH=x86-64-v3 is looked at"
  exit 77
fi
if ! command -v qemu-x86_64 >/dev/null; then
  echo 'Skipped: there is no qemu-x86_64 (Debian: apt-get install qemu-user)'
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"

# Said here, or the program would set it and begin anew, as a program of this processor's.
export OMP_WAIT_POLICY=passive
unset OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY KMP_AFFINITY
on_haswell() { qemu-x86_64 -cpu Haswell "$@" 2> >(grep -v "TCG doesn't support" >&2); }

what=('--types=i8,i32,i64,f16,bf16,f32,f64' '--ops=sum,product,min,max' '--sizes=1000,2^16')
on_haswell "$ladder" --backends=cpu "${what[@]}" --samples=2 --cache=hot --no-ceilings --records=records.jsonl >output || {
  tail -n 40 output
  echo 'FAILED: the program was wrong or stopped'
  exit 1
}
grep -qF '"vectors":{"value":"AVX2, 32 bytes"' records.jsonl || {
  grep -o '"vectors":{[^}]*}' records.jsonl
  echo 'FAILED: the vectors are not those of a Haswell'
  exit 1
}
echo "$(grep -c '"kind":"sample".*"ok":true' records.jsonl) samples were right"
on_haswell "$tests" '--gtest_filter=VectorTargets*' --gtest_brief=1
