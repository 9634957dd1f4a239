#!/bin/sh
# measure_set.sh [--ladder=PROGRAM] [--to=FOLDER] [--processes=N] [--dry-run] [PART...]
#
# Measures the records of a machine that are committed, part by part. Each part is one file in FOLDER (default records/) with
# all processes (default 5) of its measurements, and takes at most 9 minutes on an H200. A part that is finished is passed over,
# one that was stopped goes on. --dry-run prints the commands, and runs nothing but `PROGRAM --list`. Without parts: those of the
# machine's GPU, or where there is none, of its CPU. Then tools/pack.py makes the committed form.
#
# Parts of a GPU:
#   sizes_cold sizes_hot  float sums of r16, r20, r31, r30 and the libraries, 2^4 to 2^30, kernel scope
#   sizes_host            r16, r20, r30, polled too, and the libraries in host scope, cold and hot
#   rungs                 every rung, 2^12 to 2^30, cold, kernel scope (r00 to 2^24)
#   types types_native    r20, r30 and the libraries with all types and operations: two sizes, and two more on cuda alone
#   accuracy              r16, r20, r27 to r30 and the libraries on uniform data, two blocks: errors in ulps, different results
#   energy                joules per GB of r04, r16, r30 and the libraries; nothing where no counter is
# of a CPU:
#   cpu                   every rung of the CPU and of Kokkos on it, at sizes in cache and beyond
#   cpu_memory            c07 on, Kokkos's r30 and the libraries: float and double beyond four times the last-level cache
#   cpu_cache             c00, c08, c13 and the libraries: the same, hot, 64 bytes to 8 MiB
#   threads               the CPU's rungs, oneTBB and Kokkos by 1, 2, 4 ... to all hardware threads, in memory and in cache
# and only where they are asked for:
#   core                  the five parts that hold a device against others of its model, in at most 6 minutes: core_sizes (r30 beside
#                         CUB, cold and hot), core_models (four rungs and the libraries of each model), core_dependent (r32 beside
#                         r16), core_chain (calls in a chain), core_cpu (the host's CPU)
#   overlap               the header's calls that overlap with the kernel before, in a chain, beside r30 and CUB: of ladder_variants
#   batch                 many reductions at once: rows by their length, columns, segments, small ones, and the steps of b01 to b05
set -euf

ladder=$(dirname "$0")/ladder to=records processes=5 parts='' dry_run=''
for argument; do
  case $argument in
    --ladder=*) ladder=${argument#*=} ;;
    --to=*) to=${argument#*=} ;;
    --processes=*) processes=${argument#*=} ;;
    --dry-run) dry_run=yes ;;
    -h | --help)
      sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
      exit
      ;;
    core) parts="$parts core_sizes core_models core_dependent core_chain core_cpu" ;;
    *) parts="$parts $argument" ;;
  esac
done

listed=$("$ladder" --list --format=json | sed -n '/^ "rungs"/,$p')
if [ -z "$listed" ]; then
  echo "measure_set: name the measuring program with --ladder=PROGRAM" >&2
  exit 2
fi
all_of() { # all_of id|backend: of the rungs that the program has
  echo "$listed" | sed -n "s/^ *\"$1\": \"\(.*\)\",*\$/\1/p" | sort -u
}
only() { # only RUNG...: --rungs= of those that the program has, r00.. to the last of its ladder
  for rung; do
    case $rung in
      lib) echo lib ;;
      *..) all_of id | sed -n "s/^${rung%??..}[0-9][0-9]\$/$rung&/p" | tail -n 1 ;;
      *) all_of id | grep -x "$rung" || true ;;
    esac
  done | paste -sd , - | sed 's/^/--rungs=/'
}
backends=$(all_of backend)
if [ -z "$dry_run" ]; then # those that this machine can run
  backends=$("$ladder" --benchmark_list_tests --sizes=2^10 | sed -n 's#^reduce/\(.*\)/[rc][0-9][0-9]_.*#\1#p' | sort -u)
fi
on() { # on NAME...: those backends that there are, with commas
  for name; do echo "$backends" | grep -x "$name" || true; done | paste -sd , -
}
gpu=$(on cuda hip kokkos/cuda kokkos/hip) native=$(on cuda) host=$(on cpu kokkos/openmp kokkos/serial) kokkos=$(on kokkos/openmp)
if [ -z "$parts" ] && [ -n "$gpu" ]; then
  parts="sizes_cold sizes_hot sizes_host rungs types ${native:+types_native} accuracy energy"
fi
parts=${parts:-cpu cpu_memory cpu_cache threads}

# The least power of two of bytes that four last-level caches fit into, 1 GiB at least: what a size that is to say something
# about memory has to have.
cache=$(getconf LEVEL3_CACHE_SIZE 2>/dev/null) || cache=0
gib=1
while [ $((4 * ${cache:-0})) -gt $((gib << 30)) ]; do gib=$((2 * gib)); done

all=$(nproc) counts='' count=1
while [ "$count" -lt "$all" ]; do counts="$counts$count " count=$((2 * count)); done
counts=$counts$all

# runs PART: its runs, a line each: NAME [VARIABLE=VALUE] OPTION..., words without blanks. A part of one run has its name, one of
# several runs has a file for each in a folder of its name. CUB's reproducible mode of CCCL 3.5 is wrong at 2^30 floats, and 2^29
# was not tried: one wrong sample ends a part.
wrong='library_cub_reproducible/.*/n:(536870912|1073741824)/'
runs() {
  sizes="--backends=$gpu --sizes=2^4..2^30 --benchmark_filter=-$wrong --samples=40"
  types='--types=i8,i32,i64,f16,bf16,f32,f64 --ops=sum,product,min,max,and,or,xor --cache=cold --scope=kernel --samples=40'
  in_memory="--sizes=${gib}GiB --cache=cold --samples=9"
  case $1 in
    sizes_cold) echo "$1 $sizes $(only r16 r20 r31 r30 lib) --cache=cold --scope=kernel" ;;
    sizes_hot) echo "$1 $sizes $(only r16 r20 r31 r30 lib) --cache=hot --scope=kernel" ;;
    sizes_host) echo "$1 $sizes $(only r16 r20 r30 r30_polled r30_mapped r30_graph lib) --cache=both --scope=host" ;;
    rungs)
      echo "$1 --backends=$gpu $(only r00.. lib) --sizes=2^12,2^16,2^20,2^24,2^28,2^30 --cache=cold --scope=kernel" \
        "--samples=40 --benchmark_filter=-/r00_.*/n:(268435456|1073741824)/|$wrong"
      ;;
    types) echo "$1 --backends=$gpu $(only r20 r30 lib) --sizes=2^16,2^28 $types" ;;
    types_native) echo "$1 --backends=$native $(only r20 r30 lib) --sizes=2^20,2^24 $types" ;;
    core_sizes)
      echo "$1 --backends=$native $(only r30 lib) --sizes=2^4..2^30 --benchmark_filter=-$wrong --cache=both --scope=kernel" \
        --samples=20
      ;;
    core_models)
      echo "$1 --backends=$gpu $(only r04 r16 r30 r32 lib) --sizes=2^12,2^16,2^20,2^24,2^28,2^30 --benchmark_filter=-$wrong" \
        "--cache=cold --scope=kernel --samples=20"
      ;;
    core_dependent)
      echo "$1 --backends=$native $(only r16 r32) --sizes=2^12,2^16,2^20 --cache=both --scope=kernel --samples=20"
      ;;
    core_chain)
      echo "$1 --backends=$native $(only r16 r30 r32 lib) --sizes=2^12,2^16,2^20,2^22,2^24,2^28 --scope=chain --samples=20" \
        --no-ceilings
      ;;
    core_cpu) echo "$1 --backends=$(on cpu) $(only c13 lib) --sizes=2^12,2^16,2^20,2^24,2^28 --cache=cold --samples=9" ;;
    overlap)
      echo "$1 --backends=$native --rungs=r30,lib,$(all_of id | grep '^overlap_' | paste -sd , -) --types=f32 --scope=chain" \
        --samples=20 --no-ceilings --sizes=2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^28
      ;;
    batch)
      # Kokkos's own reductions take seconds for a few long rows or one long segment.
      slow='library_(nested|team)_rows/.*/(rows:(65536|262144|4194304|268435456)|segments:half:64)/'
      what='--types=f32 --ops=sum --scope=kernel --samples=10'
      rows=rows:2^2,rows:2^3,rows:2^4,rows:17,rows:2^6,rows:100,rows:2^8,rows:333,rows:2^10,rows:2^12,rows:2^14,rows:2^16
      echo "$1/rows --backends=$gpu $(only b10 lib) --sizes=1GiB --cache=cold --shape=$rows,rows:2^18,rows:2^22,rows:2^28 $what" \
        "--benchmark_filter=-$slow"
      echo "$1/columns --backends=$gpu $(only b07 b10 lib) --sizes=1GiB --cache=cold" \
        "--shape=columns:16,columns:64,columns:1024,columns:65536 $what"
      echo "$1/segments --backends=$gpu $(only b08 b10 lib) --sizes=1GiB --cache=cold" \
        "--shape=segments:uniform:8..8192,segments:zipf:64,segments:half:64 $what --benchmark_filter=-$slow"
      echo "$1/small --backends=$gpu $(only b10 lib) --cache=hot --shape=rows:1024x1024,rows:64x16384,rows:65536x16 $what"
      echo "$1/steps --backends=$native $(only b01 b02 b03 b04 b05) --sizes=1GiB --cache=cold" \
        "--shape=rows:2^4,rows:2^6,rows:2^8,rows:2^10,rows:2^12,rows:2^16 $what"
      ;;
    accuracy)
      echo "$1 --backends=$gpu $(only r16 r20 r27 r28 r29 r30 lib) --sizes=2^24 --block=128,512 --data=uniform --samples=40" \
        --scope=kernel
      ;;
    energy) echo "$1 --energy --backends=$gpu --benchmark_filter=-$wrong" ;;
    cpu) echo "$1 --backends=$host --sizes=2^12,2^16,2^20,2^24,2^28,1GiB --cache=cold --quick" ;;
    cpu_memory)
      echo "$1 --backends=$(on cpu kokkos/openmp) $(only c07.. r30 lib) --types=f32,f64 --ops=sum,min,max $in_memory"
      ;;
    cpu_cache)
      echo "$1 --backends=cpu $(only c00 c08 c13 lib) --types=f32,f64 --ops=sum,min,max --cache=hot --samples=9" \
        --sizes=64B,256B,1KiB,4KiB,16KiB,32KiB,64KiB,128KiB,256KiB,512KiB,1MiB,2MiB,4MiB,8MiB
      ;;
    threads)
      for sizes in cold:1GiB hot:2^20,2^24; do
        what="--sizes=${sizes#*:} --cache=${sizes%:*} --samples=20 --no-ceilings"
        echo "$1/cpu_${sizes%:*} --backends=cpu $(only c07 c08 c09 c13 library_std_reduce)" \
          "--workers=$(echo "$counts" | tr ' ' ,) $what"
        for count in ${kokkos:+$counts}; do
          echo "$1/kokkos_${sizes%:*}_$count OMP_NUM_THREADS=$count --backends=$kokkos $(only r16 r30 lib) $what"
        done
      done
      ;;
    *)
      echo "measure_set: unknown: $1 (--help lists the parts)" >&2
      exit 2
      ;;
  esac
}

waited() { # waited PROCESS: waits for it and returns its exit status; where this script is stopped, so is the process
  started=$1 status=0
  trap 'kill -TERM "$started" 2>/dev/null || true' INT TERM
  wait "$started" || status=$?
  while kill -0 "$started" 2>/dev/null; do # a signal ended the waiting
    status=0
    wait "$started" || status=$?
  done
  trap - INT TERM
  return $status
}

run() { # run NAME [VARIABLE=VALUE...] OPTION...: makes NAME.jsonl, unless it is there
  name=$1 file=$to/$1 environment=''
  shift
  while [ "${1#--}" = "$1" ]; do environment="$environment $1" && shift; done
  if [ -e "$file.jsonl" ]; then return; fi
  if [ "$name" != energy ]; then set -- "$@" "--processes=$processes" --resume; fi
  # shellcheck disable=SC2086  # words
  set -- $environment "$ladder" "$@" "--records=$file.part"
  echo "== $name: $*"
  if [ -n "$dry_run" ]; then return; fi
  mkdir -p "${file%/*}"
  if [ "$name" = energy ]; then rm -f "$file.part"; fi # rounds of one process, which are not taken up again
  began=$(date +%s)
  env "$@" >"$file.txt" 2>&1 &
  waited $! || {
    status=$?
    cat "$file.txt"
    case $name:$status in
      *:1) ;; # something was wrong, and the records say what
      energy:2) return ;; # nothing counts the energy here
      *) exit $status ;;
    esac
  }
  mv "$file.part" "$file.jsonl"
  echo "== $name: $(($(date +%s) - began)) s"
}

for part in $parts; do runs "$part" >/dev/null; done
for part in $parts; do
  if [ -e "$to/$part.jsonl" ]; then
    echo "== $part: is there ($to/$part.jsonl)"
    continue
  fi
  planned=$(runs "$part")
  while read -r line; do
    # shellcheck disable=SC2086  # words
    run $line </dev/null
  done <<PLANNED
$planned
PLANNED
  if [ -d "$to/$part" ] && [ -z "$dry_run" ]; then
    find "$to/$part" -name '*.jsonl' | sort | xargs cat >"$to/$part.jsonl"
    rm -r "${to:?}/$part"
  fi
done
