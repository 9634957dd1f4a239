#include "bench/output/built.hpp"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace ladder::bench {
namespace {

TEST(Built, WhatIsNotOptimizedIsSaidWithItsFlags) {
  const std::array facts{BuildFact{"cxx", "flags", "-O3"}, BuildFact{"cuda", "compiler", "nvcc"},
                         BuildFact{"cuda", "flags", "-O0 --Ofast-compile=mid"},
                         BuildFact{"cuda", "optimized", "no"}};
  EXPECT_EQ(unoptimized_text(facts),
            "Not optimized: what was compiled as cuda (-O0 --Ofast-compile=mid). Its times say "
            "nothing of the rungs.\n");
}

TEST(Built, ThisOneSaysSoWhereItIsForDebuggingOrSanitized) {
  std::string_view flags;
  bool optimized = true;
  for (const auto& fact : build_info().facts) {
    if (fact.group == "cxx" && fact.name == "flags") flags = fact.value;
    if (fact.group == "cxx" && fact.name == "optimized") optimized = fact.value != "no";
  }
  const bool slow = build_info().build_type == "Debug" || flags.find("-fsanitize") != flags.npos ||
                    flags.find("-O0") != flags.npos;
  EXPECT_EQ(optimized, !slow) << flags;
}

TEST(Built, AnOptimizedBuildSaysNothing) {
  const std::array facts{BuildFact{"cxx", "flags", "-O3 -DNDEBUG"}};
  EXPECT_EQ(unoptimized_text(facts), "");
}

}  // namespace
}  // namespace ladder::bench
