#include "bench/output/columns.hpp"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "bench/output/tables.hpp"

namespace ladder::bench {
namespace {

TEST(Columns, CountCharactersNotBytes) { EXPECT_EQ(width("12 µs"), 5U); }

TEST(Built, WhatIsNotOptimizedIsPrintedWithItsFlags) {
  const std::array facts{BuildFact{"cxx", "flags", "-O3"}, BuildFact{"cuda", "compiler", "nvcc"},
                         BuildFact{"cuda", "flags", "-O0 --Ofast-compile=mid"},
                         BuildFact{"cuda", "optimized", "no"}};
  EXPECT_EQ(unoptimized_text(facts),
            "Not optimized: what was compiled as cuda (-O0 --Ofast-compile=mid). Its times say "
            "nothing of the rungs.\n");
}

TEST(Built, ThisOneIsNotOptimizedWhereItIsForDebuggingOrSanitized) {
  std::string_view flags;
  for (const auto& fact : build_info().facts)
    if (fact.group == "cxx" && fact.name == "flags") flags = fact.value;
  const bool slow = build_info().build_type == "Debug" || flags.find("-fsanitize") != flags.npos ||
                    flags.find("-O0") != flags.npos;
  const bool said = unoptimized_text().find("compiled as cxx") != std::string::npos;
  EXPECT_EQ(said, slow) << flags;
}

}  // namespace
}  // namespace ladder::bench
