// ladder_options: the command line of `ladder` without a backend. ./study builds it first, so that
// a typing mistake is answered before the backends are compiled. It prints one line,
//   WHAT TYPES FILE
// WHAT: measures, energy or nothing (a plan, a list, a profile). TYPES: the element types that have
// to be built, f32,f64 say, or all. FILE: that of --records, or nothing. After --help and --version
// it prints no such line.

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
