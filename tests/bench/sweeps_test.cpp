// The tables as the program prints them, over a fake device whose times are always the same.

#include <string>

#include <gtest/gtest.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

Outcome measure(const std::string& arguments, int status = 0) {
  return run_to(status, "--samples=2 --scope=kernel " + arguments);
}

/// The lines below a title, up to the next empty one; what was printed where there is no such
/// title.
std::string below(const Outcome& outcome, const std::string& title) {
  const auto start = outcome.text.find("\n" + title + "\n");
  if (start == std::string::npos) return "no '" + title + "' in:\n" + outcome.text;
  const auto from = start + title.size() + 2;
  return "\n" + outcome.text.substr(from, outcome.text.find("\n\n", from) - from + 1);
}

const std::string sums = "float sum, exact data, cold, kernel scope";

TEST(Table, HasARowForEachRungSizeAndTuning) {
  const auto outcome = measure("--rungs=r11,r12,lib --block=64,128 --sizes=2^18,2^20");
  EXPECT_EQ(below(outcome, sums), R"(
  ceiling 83.31 GB/s (n = 2^20, fake:0: fast sweep)
backend  rung                 n  tuning        time   GB/s  % peak  % ceiling  step       checked
fake     r11_grid_stride   2^18  b64 g128  22.17 µs  47.29    47.3       60.2             2/2
fake     r11_grid_stride   2^18  b128 g64  18.48 µs  56.75    56.8       72.2             2/2
fake     r11_grid_stride   2^20  b64 g128  85.09 µs  49.29    49.3       59.2             2/2
fake     r11_grid_stride   2^20  b128 g64  70.91 µs  59.15    59.2       71.0             2/2
fake     r12_warp_shuffle  2^18  b64 g128  20.56 µs  51.00    51.0       64.9  1.08x r11  2/2
fake     r12_warp_shuffle  2^18  b128 g64  17.13 µs  61.21    61.2       77.8  1.08x r11  2/2
fake     r12_warp_shuffle  2^20  b64 g128  78.63 µs  53.34    53.3       64.0  1.08x r11  2/2
fake     r12_warp_shuffle  2^20  b128 g64  65.53 µs  64.01    64.0       76.8  1.08x r11  2/2
fake     library_fake      2^18            14.11 µs  74.33    74.3       94.5             2/2
fake     library_fake      2^20            53.43 µs  78.50    78.5       94.2             2/2
)");
}

TEST(Table, IsOneForEachProblem) {
  const auto outcome =
      measure("--rungs=r02 --ops=sum,min --place=first,last --cache=both --sizes=2^10");
  const auto title = [](const std::string& problem, const std::string& cache) {
    return problem + ", exact data, " + cache + ", kernel scope, n = 2^10 (4 KiB)";
  };
  for (const auto* cache : {"cold", "hot"}) {
    EXPECT_EQ(below(outcome, title("float sum", cache)), R"(
  ceiling 3.908 GB/s (fake:0: fast sweep)
backend  rung                       tuning      time   GB/s  % peak  % ceiling  checked
fake     r02_interleaved_divergent  b256    1.410 µs  2.906    2.91       74.4  2/2
)");
    EXPECT_EQ(below(outcome, title("float min", cache)), R"(
  ceiling 3.908 GB/s (fake:0: fast sweep)
backend  rung                       tuning           time   GB/s  % peak  % ceiling  checked
fake     r02_interleaved_divergent  b256 @first  1.410 µs  2.906    2.91       74.4  2/2
fake     r02_interleaved_divergent  b256 @last   1.410 µs  2.906    2.91       74.4  2/2
)");
  }
}

TEST(Table, HasAWrongResultInItsRowAndNamesItBelow) {
  const auto outcome = measure("--rungs=wrong_at_64 --block=64,128 --sizes=2^16", 1);
  EXPECT_EQ(below(outcome, sums + ", n = 2^16 (256 KiB)"), R"(
  ceiling 64.19 GB/s (fake:0: fast sweep)
backend  rung         tuning      time   GB/s  % peak       % ceiling  checked
fake     wrong_at_64  b64                                              WRONG 2/2
fake     wrong_at_64  b128    3.759 µs  69.73    69.7  sweep too weak  2/2
)");
  expect_says(outcome, "\nERROR reduce/fake/wrong_at_64/f32/sum/n:65536/block:64/");
}

}  // namespace
}  // namespace ladder::bench
