#include "bench/cli/standard_sweeps.hpp"

namespace ladder::bench {

std::span<const StandardSweep> standard_sweeps() {
  static const std::vector<StandardSweep> all{
      {"block",
       "threads per block, from the first tree to warp shuffles",
       {{"--rungs", "r02..r12"}, {"--block", "32..1024"}}},
      {"items",
       "elements per thread by threads per block, for coarsened rungs",
       {{"--rungs", "r07,r08"}, {"--block", "32..1024"}, {"--items", "4..512"}}},
      {"grid",
       "blocks per SM by threads per block, for fixed grids",
       {{"--rungs", "r11,r15"}, {"--block", "32..1024"}, {"--grid", "1x..64x"}}},
      {"n",
       "elements, from where launching is all to where bandwidth is",
       {{"--sizes", "2^4..2^30"}}},
      {"types",
       "integers and floating point, narrow and wide",
       {{"--types", "i8,i32,i64,f16,bf16,f32,f64"}}},
      {"ops", "the operations that every published rung carries", {{"--ops", "sum,min,max"}}},
  };
  return all;
}

std::string standard_sweeps_text() {
  std::string text =
      "Sweeps. Each sets what is not given, and the scope to kernel on backends that have it:";
  for (const auto& sweep : standard_sweeps()) {
    text.append("\n  ").append(sweep.name).append(8 - sweep.name.size(), ' ').append(sweep.says);
    text += "\n         ";
    for (const auto& [option, list] : sweep.sets)
      text.append(" ").append(option).append("=").append(list);
  }
  return text;
}

}  // namespace ladder::bench
