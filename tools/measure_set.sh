#!/bin/sh
# measure_set.sh [--ladder=PROGRAM] [--to=FOLDER] [--processes=N] [--rungs=LIST] [PART...]
#
# Measures the records of a machine that are committed, part by part: each part is one file in FOLDER (default records/), with
# all processes (default 5) of its measurements, and takes at most 9 minutes on an H200. A machine may be another from part to
# part. A part that is finished is passed over, one that was stopped goes on. --rungs=r30 takes of each part these rungs alone.
# Without parts: those of the machine's GPU, or where none is found, of its CPU. Then tools/pack.py makes the committed form.
#
#   sizes_cold sizes_hot  float sums of r16, r20, r31, r30 and the libraries, 2^4 to 2^30, kernel scope
#   sizes_host            r16, r20, r30, polled too, and the libraries in host scope, cold and hot
#   rungs                 every rung, 2^12 to 2^30, cold, kernel scope (r00 to 2^24)
#   types types_native    r20, r30 and the libraries with all types and operations: two sizes, and two more on cuda alone
#   units                 r22 and r26, whose instructions are for some types, beside r20, r30 and the libraries: sums. Only where it
#                         is asked for
#   accuracy              r16, r20, r27 to r30 and the libraries on uniform data, two blocks: errors in ulps, different results
#   energy                joules per GB of r04, r16, r30 (c07, c13) and the libraries; nothing where no counter is
#   kokkos_small          Kokkos's r30 and r31 beside CUDA's, and the variants that show what costs, 2^10 to 2^24, cold and hot; by
#                         --ladder=build/nvidia/tests/ladder_with_faults, which has them. Only where it is asked for
#   kokkos_past           r27, r28, r29 and r31 of Kokkos and of CUDA, and the variants that show what Kokkos's take longer, 2^24 to
#                         2^28; by --ladder=build/nvidia/tests/ladder_with_faults. Only where it is asked for
#   past_variants         r21 of CUDA and of HIP, and CUDA's with HIP's fences; by the same program. Only where it is asked for
#   limits_told limits_collected
#                         what r30 cannot go below: a word handed over to the host, by one block or by as many as r30 has; blocks that
#                         nobody collects, up to 4 GiB, and a word that one block leaves for another; on zeros, by
#                         --ladder=build/nvidia/tests/ladder_with_faults. Only where they are asked for
#   cancelling            r16, r20, r27 to r30 and the libraries on 2^28 floats of condition number 1e8 (by cancelling.py: numpy). Only
#                         where it is asked for
#   accuracy_all accuracy_cpu
#                         errors and different results of every rung, of floats and both types of 16 bits, on uniform and normal
#                         data: 2^20 elements, 100 samples, two blocks and two grids (of the CPU one worker and all). Only where they
#                         are asked for
#   cancelling_all cancelling_cpu
#                         the same of sums that cancel, condition numbers 1e2 to 1e16 (by cancelling.py: numpy): 2^20 elements, of
#                         floats 2^24 (of the CPU 2^22) too. Only where they are asked for
#   cpu                   every rung of the CPU and of Kokkos on it, at sizes in cache and beyond
#   cpu_memory            c07 to c13, Kokkos's r30 and the libraries: sums, minima and maxima of floats and doubles beyond four
#                         times the last-level cache (1 GiB at least)
#   cpu_cache             c00, c08, c13 and the libraries: the same, hot, 64 bytes to 8 MiB
#   cpu_levels            c08, c09, c13 and the libraries: float sums of 1 KiB to 4 GiB, hot and cold, beside the ceiling at each size.
#                         Only where it is asked for
#   cpu_pages             both cpu_pages_large and cpu_pages_small: c07, c08, c09 and the ceiling beyond four times the last-level
#                         cache, in large pages and in small ones, since a process has one kind. Only where it is asked for
#   cpu_steps             what is in a step of the CPU's ladder, hot, four parts: cpu_line (c03 and c04 by one worker and by two),
#                         cpu_chains (c05, its variants, c06, c07), cpu_watch (what c13's watch for NaN and zeros costs) and
#                         cpu_predicted (in cache); by --ladder=build/cpu/tests/ladder_with_faults, which has the variants. Only where
#                         it is asked for
#   threads               rungs of the CPU, oneTBB and Kokkos by 1, 2, 4 ... to all hardware threads, in memory and in cache
#   waking                small inputs by one thread and by all: OpenMP, c13's own threads, oneTBB and Kokkos on OpenMP, where
#                         OpenMP's idle threads sleep and where they spin; each alone, so that none waits for what another spins
set -eu

here=$(cd "$(dirname "$0")" && pwd)
ladder=$here/ladder to=records processes=5 rungs='' parts=''
for argument; do
  case $argument in
    --ladder=*) ladder=${argument#*=} ;;
    --to=*) to=${argument#*=} ;;
    --processes=*) processes=${argument#*=} ;;
    --rungs=*) rungs=${argument#*=} ;;
    -h | --help)
      sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
      exit
      ;;
    sizes_cold | sizes_hot | sizes_host | rungs | types | types_native | units | accuracy | energy | kokkos_small | kokkos_past | past_variants | limits_told | limits_collected | cancelling | accuracy_all | accuracy_cpu | cancelling_all | cancelling_cpu | cpu | cpu_memory | cpu_cache | cpu_levels | cpu_pages_large | cpu_pages_small | cpu_line | cpu_chains | cpu_watch | cpu_predicted | threads | waking) parts="$parts $argument" ;;
    cpu_pages) parts="$parts cpu_pages_large cpu_pages_small" ;;
    cpu_steps) parts="$parts cpu_line cpu_chains cpu_watch cpu_predicted" ;;
    *)
      echo "measure_set: unknown: $argument (--help lists the parts)" >&2
      exit 2
      ;;
  esac
done
if ! [ -x "$ladder" ]; then
  echo "measure_set: $ladder is not there: name the measuring program with --ladder=PROGRAM" >&2
  exit 2
fi

# Those of the program's backends that this machine can run.
backends=$("$ladder" --benchmark_list_tests --sizes=2^10 | sed -n 's#^reduce/\(.*\)/[rc][0-9][0-9]_.*#\1#p' | sort -u)
on() { # on NAME...: those of them that there are, with commas
  for name; do echo "$backends" | grep -x "$name" || true; done | paste -sd , -
}
gpu=$(on cuda hip kokkos/cuda kokkos/hip) native=$(on cuda)
if [ -z "$parts" ]; then parts=${gpu:+sizes_cold sizes_hot sizes_host rungs types${native:+ types_native} accuracy energy}; fi
if [ -z "$parts" ]; then parts='cpu cpu_memory cpu_cache threads waking energy'; fi

taken() { # taken LIST: LIST, or what --rungs asks for
  echo "${rungs:-$1}"
}

waited() { # waited PROCESS: its exit status; where this script is stopped, so is the process
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

run() { # run PART OPTION...
  part=$1
  shift
  echo "== $part: $*"
  began=$(date +%s)
  "$ladder" "$@" "--processes=$processes" "--records=$to/$part.part" --resume >"$to/$part.txt" 2>&1 &
  waited $! || {
    status=$?
    cat "$to/$part.txt"
    if [ $status -gt 1 ]; then exit $status; fi # 1: something was wrong, and the records say what
  }
  echo "== $part: $(($(date +%s) - began)) s"
}

# A part of several runs, of other backends or in other environments: each has a file in a folder of the part's name until all
# are there, since a run that goes on takes what it finds in its file for its own.
piece() { # piece PART/NAME [VARIABLE=VALUE...] -- OPTION...
  name=$1
  shift
  mkdir -p "$to/${name%/*}"
  if [ -e "$to/$name.jsonl" ]; then return; fi
  (
    while [ "$1" != -- ]; do
      export "${1?}"
      shift
    done
    shift
    run "$name" "$@"
  ) &
  waited $!
  mv "$to/$name.part" "$to/$name.jsonl"
}
joined() { # joined PART
  cat "$to/$1"/*.jsonl >"$to/$1.jsonl"
  rm -r "${to:?}/$1"
}
named() { # named RUNG...: those that the program has for sums or minima, with commas
  for name; do "$ladder" --benchmark_list_tests --sizes=2^10 --ops=sum,min | sed -n "s#.*/\($name\)[_/].*#\1#p" | sort -u; done | paste -sd , -
}

threads() {
  all=$(nproc) counts=''
  count=1
  while [ "$count" -lt "$all" ]; do
    counts="$counts$count," count=$((2 * count))
  done
  counts=$counts$all
  own=$(taken "$(named c07 c08 c09 c13 library_std_reduce)")
  for where in '1GiB cold' '2^20,2^24 hot'; do
    what="--sizes=${where% *} --cache=${where#* } --samples=20"
    # shellcheck disable=SC2086
    piece "threads/cpu_${where#* }" -- --backends=cpu --rungs="$own" --workers="$counts" $what --no-ceilings
    if [ -z "$(on kokkos/openmp)" ]; then continue; fi
    for count in $(echo "$counts" | tr , ' '); do
      # shellcheck disable=SC2086
      piece "threads/kokkos_${where#* }_$count" "OMP_NUM_THREADS=$count" -- --backends=kokkos/openmp --rungs="$(taken r16,r30,lib)" $what \
        --no-ceilings
    done
  done
  joined threads
}

waking() {
  all=$(nproc)
  what='--sizes=2^4..2^18 --cache=hot --samples=40 --no-ceilings'
  for policy in passive active; do
    for rung in $(taken "$(named c07 c13 library_std_reduce)" | tr , ' '); do
      # shellcheck disable=SC2086
      piece "waking/${policy}_$rung" "OMP_WAIT_POLICY=$policy" -- --backends=cpu --rungs="$rung" --workers="1,$all" $what
    done
    if [ -z "$(on kokkos/openmp)" ]; then continue; fi
    for count in 1 "$all"; do
      # shellcheck disable=SC2086
      piece "waking/${policy}_kokkos_$count" "OMP_WAIT_POLICY=$policy" "OMP_NUM_THREADS=$count" -- --backends=kokkos/openmp \
        --rungs="$(taken r30)" $what
    done
  done
  joined waking
}

energy() { # three rounds of one process, which are not taken up again; status 2: nothing counts the energy here
  part=energy
  echo "== $part: $*"
  began=$(date +%s)
  rm -f "$to/$part.part"
  "$ladder" --energy "$@" "--records=$to/$part.part" >"$to/$part.txt" 2>&1 || {
    status=$?
    cat "$to/$part.txt"
    if [ $status -gt 2 ]; then exit $status; fi
    if [ $status -eq 2 ]; then rm -f "$to/$part.part" && return; fi
  }
  mv "$to/$part.part" "$to/$part.jsonl"
  echo "== $part: $(($(date +%s) - began)) s"
}

# What a rung is asked for where its errors are looked at, by the backends that they are of.
of_errors() { # of_errors PART
  case $1 in
    *_all) echo "--backends=$gpu --rungs=$(taken r00..r31,lib) --block=128,512 --grid=2x,16x --scope=kernel" ;;
    *_cpu) echo "--backends=$(on cpu kokkos/openmp kokkos/serial) --rungs=$(taken c00..c13,r00..r31,lib) --scope=host" ;;
  esac
}
accuracy_of() { # accuracy_of PART
  for data in uniform normal; do
    # shellcheck disable=SC2046
    piece "$1/$data" -- $(of_errors "$1") --types=f32,f16,bf16 --sizes=2^20 --cache=hot --data=$data --samples=100 --no-ceilings
  done
  if [ "$1" = accuracy_cpu ]; then # one worker beside the default
    piece "$1/alone" -- --backends="$(on cpu)" --rungs="$(taken c00..c13)" --workers=1 --types=f32,f16,bf16 --sizes=2^20 --cache=hot \
      --scope=host --data=uniform --samples=20 --no-ceilings
  fi
  joined "$1"
}
cancelling_of() { # cancelling_of PART LARGE
  for power in 2 4 6 8 10 12 14 16; do
    for what in "f32 20" "f32 $2" 'f16 20' 'bf16 20'; do
      kind=${what% *} size=${what#* }
      each=cancelling_${kind}_1e${power}_2^$size
      case $kind in bf16) file=$to/$each.raw ;; *) file=$to/$each.npy ;; esac # a .npy file cannot hold bfloat16
      if [ -e "$to/$1/$each.jsonl" ]; then continue; fi
      python3 "$here/cancelling.py" "$file" "--elements=$((1 << size))" "--condition=1e$power" "--type=$kind"
      # shellcheck disable=SC2046
      piece "$1/$each" -- $(of_errors "$1") --types="$kind" "--sizes=2^$size" --cache=hot --samples=20 --no-ceilings \
        "--data=file:$file"
      rm "$file"
    done
  done
  joined "$1"
}

# The least power of two of bytes that four last-level caches fit into, 1 GiB at least: what a size that is to say something
# about memory has to have.
memory_size() {
  cache=$(getconf LEVEL3_CACHE_SIZE 2>/dev/null) || cache=0
  gib=1
  while [ $((4 * ${cache:-0})) -gt $((gib << 30)) ]; do gib=$((2 * gib)); done
  echo "${gib}GiB"
}

mkdir -p "$to"
for part in $parts; do
  if [ -e "$to/$part.jsonl" ]; then
    echo "== $part: is there ($to/$part.jsonl)"
    continue
  fi
  # CUB's reproducible mode of CCCL 3.5 is wrong at 2^30 floats, and 2^29 was not tried: one wrong sample ends a part.
  wrong='library_cub_reproducible/.*/n:(536870912|1073741824)/'
  types='--types=i8,i32,i64,f16,bf16,f32,f64 --ops=sum,product,min,max,and,or,xor --cache=cold --scope=kernel --samples=40'
  hot='--cache=hot --samples=20 --no-ceilings'
  sizes="--backends=$gpu --sizes=2^4..2^30 --benchmark_filter=-$wrong"
  # The words of these lists are options of their own.
  # shellcheck disable=SC2086
  case $part in
    sizes_cold) run "$part" $sizes --rungs="$(taken r16,r20,r31,r30,lib)" --cache=cold --scope=kernel --samples=40 ;;
    sizes_hot) run "$part" $sizes --rungs="$(taken r16,r20,r31,r30,lib)" --cache=hot --scope=kernel --samples=40 ;;
    sizes_host) run "$part" $sizes --rungs="$(taken r16,r20,r30,r30_polled,r30_mapped,r30_graph,lib)" --cache=both --scope=host --samples=40 ;;
    rungs)
      run "$part" --backends="$gpu" --rungs="$(taken r00..r31,lib)" --sizes=2^12,2^16,2^20,2^24,2^28,2^30 --cache=cold --scope=kernel \
        --samples=40 "--benchmark_filter=-/r00_.*/n:(268435456|1073741824)/|$wrong"
      ;;
    types) # the models side by side, in the same processes: no ratio is made of two
      run "$part" --backends="$gpu" --rungs="$(taken r20,r30,lib)" --sizes=2^16,2^28 $types
      ;;
    types_native) run "$part" --backends="$native" --rungs="$(taken r20,r30,lib)" --sizes=2^20,2^24 $types ;;
    units)
      run "$part" --backends="$gpu" --rungs="$(taken r20,r22,r26,r30,lib)" --types=i8,i32,f16,bf16,f64 --sizes=2^12,2^16,2^20,2^24,1GiB \
        --cache=cold --scope=kernel --samples=40
      ;;
    accuracy)
      run "$part" --backends="$gpu" --rungs="$(taken r16,r20,r27..r30,lib)" --sizes=2^24 --block=128,512 --data=uniform --samples=40 \
        --scope=kernel
      ;;
    energy)
      energy --backends="${gpu:-$(on cpu kokkos/openmp kokkos/serial)}" "--benchmark_filter=-$wrong" ${rungs:+"--rungs=$rungs"}
      continue
      ;;
    limits_told | limits_collected)
      truncate -s 4G "$to/zeros"  # takes no room on most file systems
      what='--rungs=r30,limit_uncollected,limit_written,limit_word --types=f32,f16,bf16,i8 --sizes=1,2^16,2^20,2^22,2^24,2^26,2^28,2^30 --cache=cold --scope=kernel'
      if [ "$part" = limits_told ]; then
        what='--rungs=r30_polled,r30_mapped,r30_graph,library_cub,library_thrust,limit_told,limit_told_graph,limit_uncollected_told --sizes=1,2^4,2^8,2^12,2^16,2^18,2^20 --cache=both --scope=host --no-ceilings'
      fi
      run "$part" --backends="$native" $what --samples=40 "--data=file:$to/zeros"
      rm "$to/zeros"
      ;;
    cancelling)
      python3 "$here/cancelling.py" "$to/cancelling.npy"
      run "$part" --backends="$gpu" --rungs="$(taken r16,r20,r27..r30,lib)" --sizes=2^28 --cache=cold --scope=kernel --samples=40 \
        "--data=file:$to/cancelling.npy"
      rm "$to/cancelling.npy"
      ;;
    accuracy_all | accuracy_cpu)
      accuracy_of "$part"
      continue
      ;;
    cancelling_all)
      cancelling_of "$part" 24
      continue
      ;;
    cancelling_cpu)
      cancelling_of "$part" 22
      continue
      ;;
    threads | waking)
      "$part"
      continue
      ;;
    kokkos_small)
      run "$part" --backends="$(on cuda kokkos/cuda)" --rungs="$(taken "$(named r30 r31 variant_any 'variant_small_[a-z]*')")" \
        --sizes=2^10..2^24 --cache=both --scope=kernel --samples=40
      ;;
    kokkos_past)
      run "$part" --backends="$(on cuda kokkos/cuda)" --rungs="$(taken "$(named r27 r28 r29 r31 'variant_past_r2[789]_[a-z]*')")" \
        --sizes=2^24,2^26,2^27,2^28 --cache=cold --scope=kernel --samples=40
      ;;
    past_variants)
      run "$part" --backends="$(on cuda hip)" --rungs="$(taken "$(named r21 'variant_r21_[a-z]*')")" --sizes=2^12,2^16,2^20,2^24 \
        --cache=cold --scope=kernel --samples=40
      ;;
    cpu) run "$part" --backends="$(on cpu kokkos/openmp kokkos/serial)" --sizes=2^12,2^16,2^20,2^24,2^28,1GiB --cache=cold --quick ;;
    cpu_memory)
      run "$part" --backends="$(on cpu kokkos/openmp)" --rungs="$(taken c07..c13,r30,lib)" --types=f32,f64 --ops=sum,min,max \
        --sizes="$(memory_size)" --cache=cold --samples=9
      ;;
    cpu_cache)
      run "$part" --backends=cpu --rungs="$(taken c00,c08,c13,lib)" --types=f32,f64 --ops=sum,min,max --cache=hot --samples=9 \
        --sizes=64B,256B,1KiB,4KiB,16KiB,32KiB,64KiB,128KiB,256KiB,512KiB,1MiB,2MiB,4MiB,8MiB
      ;;
    cpu_levels)
      run "$part" --backends=cpu --rungs="$(taken c08,c09,c13,lib)" --types=f32 --ops=sum \
        --sizes=1KiB,8KiB,64KiB,512KiB,4MiB,32MiB,256MiB,2GiB,4GiB --cache=both --samples=9
      ;;
    cpu_pages_*)
      run "$part" --backends=cpu --rungs="$(taken c07,c08,c09)" --types=f32,f64 --ops=sum,min --sizes="$(memory_size)" --cache=cold \
        --samples=9 "--pages=${part##*_}"
      ;;
    cpu_line) run "$part" --backends=cpu --rungs="$(taken c03,c04)" --workers=1,2 --types=f32 --ops=sum --sizes=2^20 $hot ;;
    cpu_chains)
      run "$part" --backends=cpu --rungs="$(taken "$(named c00 c05 variant_two_chains variant_four_chains c06 c07)")" --workers=1 \
        --types=f32,f64 --ops=sum --sizes=2^12,2^16 $hot
      ;;
    cpu_watch)
      run "$part" --backends=cpu --rungs="$(taken "$(named c13 variant_unwatched library_eigen)")" --workers=1 --types=f32,f64 \
        --ops=min,max --sizes=16KiB,32KiB,64KiB,128KiB $hot
      ;;
    cpu_predicted)
      run "$part" --backends=cpu --rungs="$(taken c07..c13)" --workers=1 --types=i8,bf16,f32,f64 --ops=sum,min \
        --sizes=2^12,2^13,2^14,2^16 $hot
      ;;
  esac
  mv "$to/$part.part" "$to/$part.jsonl"
done
