# shellcheck shell=bash
# What ./study says of itself.

help_of() {
  case $1 in
    all) cat <<'HELP' ;;
Reduction Ladder: how much of this machine does each step of the reduction ladder reach?

  ./study run [OPTION...]     set up, build every backend that this machine can run, measure, print the table, make the page
  ./study report FILE...      a page, tables and figures of records, of one machine or of several
  ./study compare OLD NEW     which measurements of two sets of records differ beyond noise
  ./study submit FILE...      records of this machine into docs/results, checked, ready to be sent
  ./study test [OPTION...]    set up, build and run every test that this machine can run
  ./study evidence            what the hardware did in each CUDA rung: counters and machine code, as records
  ./study tune                what r30 should choose on this GPU, or c13 on this CPU, measured and judged, as a file that
                              ./study run takes up
  ./study setup               install what is missing (says what and from where; without root: what to install)
  ./study doctor              what was found here, what is missing, how to get it
  ./study bundle [--tests]    a folder with the executable and its libraries, for a machine without network or compiler

./study COMMAND --help says more.
HELP
    run) cat <<'HELP' ;;
./study run [OPTION...]

Sets up what is missing (as ./study setup does), builds, measures, and makes a page of the run, in a folder of its own below
report/; report/index.html is a copy of the last one. With nvcc and an NVIDIA GPU the preset is nvidia (CUDA, HIP, Kokkos and
CPU in one process), with hipcc and an AMD GPU it is amd (HIP, Kokkos and CPU), otherwise host (Kokkos on the CPU, and CPU).
With --devices=all, or 0,1 say, it is nvidia-multi or amd-multi: the rungs past one device, and those on one beside them.
Options are checked before anything is built, as far as they can be. Ctrl-C says how to go on later. Where a GPU is lost (exit
status 3), another process goes on behind what lost it, three times at most. Where Kokkos is neither installed nor can be
downloaded, or HIP's headers are missing, it is left out, with a sentence. A second run builds only what changed. Without
options and without a GPU it takes a first look, --sizes=64MiB --quick.

OPTION... goes to the measuring program, say --quick, --rungs=r04,r16, --sizes=2^20..2^28 or --dry-run;
./study run -- --help lists them all. Without --records=FILE the records of the run go to results/, under the date and
the name of this machine. The build's log is build/PRESET/study.log.
HELP
    report) cat <<'HELP' ;;
./study report [--output FOLDER] FILE...

Makes report/index.html of records (FILE: *.jsonl, *.jsonl.gz, or a folder of them), from any machines, backends and days:
what each backend reaches and what portability costs at a glance; then portability rung by rung and over all platforms, the
libraries, sizes, kernel and host time, cold and hot, sweeps, every ladder, evidence, the published figures, accuracy. It is
one file that needs no network; the tables lie beside it as Markdown and CSV, the figures as SVG, and each number names the
records that it comes from. Ratios are made of the same problem on the same device alone, and say where they come from
separate processes. What is wrong or missing in the records is said on the page.

pandas, matplotlib and Jinja2 are installed from PyPI into .venv in this folder where Python 3 has none (./study setup). Exit status: 0 made;
1 made, and the page tells of something wrong; 2 no report could be made.
HELP
    compare) cat <<'HELP' ;;
./study compare [--threshold PERCENT] [--all] OLD NEW

Which measurements of NEW are slower or faster than those of OLD beyond noise, for people who tune or change a compiler. OLD
and NEW are records files (*.jsonl, *.jsonl.gz) or folders of them, of the same machine. A change is one whose ratio of medians
lies beyond the threshold (1 %) with its whole 95 % bootstrap interval; one whose interval lies across it is too noisy to tell.
At the head stands what differs between the two (device, clocks, compilers, commit), at the end the geometric mean for each
problem. --all lists what did not change, what is too noisy, and what is missing, too. Exit status: 0 nothing is slower; 1
something is slower, or is wrong now; 2 nothing could be compared.
HELP
    submit) cat <<'HELP' ;;
./study submit [--name=NAME] FILE...

Takes records of a machine that docs/results does not have yet: ./study run --processes=5 --records=FILE makes them, and several
files of one machine go together. They are checked, packed, and written into the new folder docs/results/NAME with a page of their
tables; nothing else is written, and nothing that is there is changed. Then the steps are printed that are left until they can be
sent. NAME is made of what the GPU is called, without one of the processor and its cores.

Refused, each with what to do: records that are not whole, of another schema, of two machines, or of fewer than five processes; a
wrong or failed result; a build from files that no commit has, or of a commit that is not in the history here; what at a size
beyond the caches is faster than its ceiling, or the peak, by more than processes differ. Exit status: 0 taken; 2 refused, and
nothing was written.
HELP
    test) cat <<'HELP' ;;
./study test [OPTION...]

Sets up what is missing, builds, says in one line each what cannot be tested on this machine and why, and runs all other
tests, one for each core side by side. OPTION... goes to ctest, say -R NAME to run the tests whose name matches, or -j 4.
HELP
    evidence) cat <<'HELP' ;;
./study evidence [OPTION...]

Builds as ./study run does, then has Nsight Compute (ncu) count, for each CUDA rung, what its idea is about: the lanes that
take part, bank conflicts, barriers, sectors that a load touches, instructions per element, bytes from DRAM; cuobjdump shows the
loops that are left in the machine code. Both tools come with the CUDA toolkit; the driver may let only root count
(developer.nvidia.com/ERR_NVGPUCTRPERM). The records go to results/, under the date and the name of this machine.

  --rungs=r00..r20  --size=2^26  --type=f32  --op=sum     what is looked at (the defaults are shown)
  --records=FILE                                          where the records go
HELP
    tune) cat <<'HELP' ;;
./study tune [OPTION...]

Builds as ./study run does, then measures what r30 can choose between on this GPU (threads per block, vectors that a thread has
under way, blocks), or with --backend=cpu c13 on this CPU (threads, pieces of its share that each reads side by side, prefetches),
each candidate in processes of its own, and takes for each type, operation and size the fastest; then other processes judge what
was chosen against what the rung takes without it. Where that is nowhere slower beyond noise, it is written
where ./study run and ladder find it, $XDG_CONFIG_HOME/reduction-ladder/DEVICE.json (XDG_CONFIG_HOME: ~/.config); exit status 1
and no file where it is. ladder --tuning=FILE takes another file. The records of a run name the file and its hash.

  --types=f32,f64,i32,i64,i8,f16,bf16  --ops=sum,max  --sizes=2^4..2^28  --rounds=3     the defaults; a CPU's sizes end at 2^26
  --to=FILE                                                                              where the file goes
HELP
    setup) cat <<'HELP' ;;
./study setup

Looks for a C++20 compiler, CMake, Ninja and the libraries, and installs what is missing:
  compiler and libraries   with apt-get as root on Debian or Ubuntu, from the package archive that apt is set up for
  HIP's headers            likewise, where nvcc is and the archive has them: optional, for the HIP backend on NVIDIA GPUs
  CMake (3.28), Ninja      from PyPI, into .venv in this folder
  pandas, matplotlib, Jinja2   likewise: optional, for the page of ./study run and for ./study report and compare
Kokkos is no package of most systems: where none is installed, the build downloads its source. Kokkos_ROOT names one that
is installed where nobody looks, LADDER_KOKKOS_ARCHIVE an archive of the source for a machine without network.
Without root it prints the one line that an administrator has to run (exit status 2), unless what is missing can be had
without: CMake and Ninja from PyPI, and the sources of libraries, which the build downloads itself.
HELP
    doctor) cat <<'HELP' ;;
./study doctor

A table of what the study needs and can use: what was found here, in which version, what is missing and how to get it;
then what ./study run would build on this machine. Changes nothing.
HELP
    bundle) cat <<'HELP' ;;
./study bundle [--tests] [-DNAME=VALUE...]

Makes bundle/: the measuring program, built for any x86-64-v3 processor, and beside it the shared libraries that it
needs besides the C library and the GPU's driver. Copy the folder to another x86-64 Linux and run ./ladder there (and
./evidence.py --ladder ./ladder where ncu is: see ./study evidence). With
nvcc here CUDA, HIP (where its headers are) and Kokkos on CUDA are in it, also when this machine has no GPU: then for compute
capability 9.0, or as -DCMAKE_CUDA_ARCHITECTURES=... says (Kokkos takes one; with several it is left out). --tests adds the
test programs, and ./run_tests to run them all; each model's code is then in a shared library. The folder is also packed as
bundle.tar.xz.
HELP
  esac
}

# The commands that a mistyped one may have meant: those within the least edit distance. None where even that is more than
# two letters and half of what was typed.
nearest() {
  printf '%s\n' "${commands[@]}" | awk -v given="$1" '
    function least(a, b, c) { if (b < a) a = b; return c < a ? c : a }
    { n = length(given); m = length($1)
      for (j = 0; j <= m; j++) d[0, j] = j
      for (i = 1; i <= n; i++) { d[i, 0] = i
        for (j = 1; j <= m; j++)
          d[i, j] = least(d[i-1, j] + 1, d[i, j-1] + 1, d[i-1, j-1] + (substr(given, i, 1) != substr($1, j, 1))) }
      if (!names || d[n, m] < best) { best = d[n, m]; names = $1 } else if (d[n, m] == best) names = names " or " $1 }
    END { if (best <= 2 || 2 * best <= length(given)) print names }'
}
