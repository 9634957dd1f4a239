# shellcheck shell=bash
# The help of ./study and of its commands.

help_of() {
  case $1 in
    all) cat <<'HELP' ;;
Reduction Ladder: how much of this machine does each step of the reduction ladder reach?

  ./study run [OPTION...]     set up, build, measure, print the table, make the page
  ./study report FILE...      a page, tables and figures of records, of one machine or of several
  ./study compare OLD NEW     which measurements of two sets of records differ beyond noise
  ./study submit FILE...      records of this machine into docs/results, checked, ready to be sent
  ./study test [OPTION...]    set up, build and run every test that this machine can run
  ./study evidence            hardware counters and machine code of each CUDA rung, as records
  ./study tune                measures which configuration is best for r30 on this GPU, or c13 on this CPU
  ./study setup               install what is missing (without root: print what to install)
  ./study doctor              what was found here, what is missing, how to get it
  ./study bundle [--tests]    a folder with the executable and its libraries, for a machine without network or compiler

./study COMMAND --help says more.
HELP
    run) cat <<'HELP' ;;
./study run [OPTION...]

  ./study run                                                # a first look at this machine
  ./study run --rungs=r04,r11..r16,lib --sizes=2^20..2^28    # some rungs and the libraries, over sizes
  ./study run --types=f64 --ops=sum,max --cache=both         # other problems, cold and hot
  ./study run --processes=5 --records=mine.jsonl             # five fresh processes: how far the next would be off
  ./study run -- --help                                      # every option of the measuring program

Sets up what is missing (as ./study setup does), builds, measures, and makes a page of the run in a folder of its own below
report/; report/index.html is a copy of the last one. The preset is nvidia (CUDA, HIP, Kokkos and CPU) with nvcc and an NVIDIA
GPU, amd (HIP, Kokkos and CPU; never run yet) with hipcc and an AMD GPU, otherwise host (Kokkos on the CPU, and CPU). With --devices it is
nvidia-multi or amd-multi: the rungs on several devices. A backend that cannot be built here is left out, with a sentence.

OPTION... goes to the measuring program. Wrong options are refused before the backends are built. Without options and without a
GPU the run is --sizes=64MiB --quick. The models are compiled for the element types of --types, and those of earlier runs.

Without --records=FILE the records go to results/, under the date and the name of this machine. Ctrl-C prints how to go on
later. After a lost GPU (exit status 3) another process goes on, three times at most. The build's log is build/PRESET/study.log.
HELP
    report) cat <<'HELP' ;;
./study report [--output FOLDER] FILE...

  ./study report results/*.jsonl                     # of all runs so far, into report/
  ./study report --output=h200 docs/results/h200     # of records that are committed

Makes report/index.html of records (FILE: *.jsonl, *.jsonl.gz, or a folder of them), from any machines, backends and days. It
is one file that needs no network; the tables lie beside it as CSV, and each number names the
records that it comes from. Ratios are made of the same problem on the same device alone. What is wrong or missing in the
records is said on the page.

pandas, scipy, vl-convert and Jinja2 are installed from PyPI into .venv in this folder where Python 3 has none (./study setup). Exit
status: 0 made; 1 made, and something in the records is wrong; 2 no report could be made.
HELP
    compare) cat <<'HELP' ;;
./study compare [--threshold PERCENT] [--all] OLD NEW

  ./study compare before.jsonl after.jsonl           # after tuning, or with another compiler

Prints which measurements of NEW are slower or faster than those of OLD beyond noise, for people who tune or change a compiler.
OLD and NEW are records files (*.jsonl, *.jsonl.gz) or folders of them, of the same machine. A change is a ratio of times whose
whole 95 % interval lies beyond the threshold (1 %): by Welch's t-test on the logarithms of the processes' times where both
sides have two processes or more, else from the spread of the samples, which ignores how far processes differ. An interval across
the threshold is too noisy to tell. The head lists what differs between the two sides (device, clocks, compilers, commit), the
end the geometric mean for each problem. --all lists what did not change, what is too noisy, and what is missing, too.

Exit status: 0 nothing is slower; 1 something is slower, or is wrong now; 2 nothing could be compared.
HELP
    test) cat <<'HELP' ;;
./study test [OPTION...]

Sets up what is missing, builds, prints one line for each group of tests that cannot run on this machine and why, and runs all
others, one for each core at a time. OPTION... goes to ctest, say -R NAME to run the tests whose name matches, or -j 4.
HELP
    submit | evidence | tune) sed -n '/^"""/,/"""$/{ s/"""//; p; }' "$root/tools/$1.py" ;; # the tool's module docstring
    setup) cat <<'HELP' ;;
./study setup

Looks for a C++20 compiler, CMake, Ninja and the libraries, and installs what is missing:
  compiler and libraries       with apt-get as root on Debian or Ubuntu, from the package archive that apt is set up for
  HIP's headers                likewise, where nvcc is and the archive has them: optional, for HIP on NVIDIA GPUs
  CMake (3.28), Ninja          from PyPI, into .venv in this folder
  pandas, scipy, vl-convert, Jinja2   likewise: optional, for the page of ./study run and for ./study report and compare
Kokkos is downloaded by the build where none is installed. Kokkos_ROOT names an installed one, LADDER_KOKKOS_ARCHIVE an archive
of its source for a machine without network. Without root it prints the one line that an administrator has to run (exit status
2), unless the build can do without.
HELP
    doctor) cat <<'HELP' ;;
./study doctor

A table of what the study needs and can use: what was found here, in which version, what is missing and how to get it;
then what ./study run would build on this machine. Changes nothing.
HELP
    bundle) cat <<'HELP' ;;
./study bundle [--tests] [-DNAME=VALUE...]

Makes bundle/ and bundle.tar.xz: the measuring program for any x86-64-v3 processor, with the shared libraries that it needs
besides the C library and the GPU's driver. Copy it to another x86-64 Linux and run ./ladder there (and ./evidence.py --ladder
./ladder where ncu is). With nvcc here CUDA, HIP (where its headers are) and Kokkos on CUDA are in it, also when this machine has
no GPU: then for compute capability 9.0, or as -DCMAKE_CUDA_ARCHITECTURES=... says (Kokkos takes one; with several it is left
out). --tests adds the test programs, and ./run_tests to run them all.
HELP
  esac
}
