// ladder_options: parses the command line of `ladder` without a backend. ./study builds it first to
// report usage errors before compiling the backends. Prints one line,
//   WHAT TYPES FILE
// WHAT: measures, energy or nothing (a plan, a list, a profile). TYPES: the element types to build,
// e.g. f32,f64, or all. FILE: the argument of --records, or empty. Prints no such line after --help
// or --version.

#include <iostream>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"

int main(int argc, char** argv) {
  using namespace ladder;
  try {
    const auto selection = bench::parse_command_line(argc, argv);
    if (!selection) return 0;
    bench::check_rung_names(selection->rungs);
    const bool nothing =
        selection->list || selection->list_tests || selection->dry_run || selection->profile;
    std::cout << (nothing             ? "nothing"
                  : selection->energy ? "energy"
                                      : "measures")
              << " "
              << (selection->list ? "all"
                                  : bench::join(selection->types, ",",
                                                [](Type type) { return facts(type).name; }))
              << " " << selection->records << "\n";
  } catch (const bench::UsageError& error) {
    std::cerr << "ladder: " << error.what() << "\n";
    return 2;
  }
}
