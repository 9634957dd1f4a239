#pragma once

// The standard sweeps: selections that have a name.

#include <string_view>
#include <utility>
#include <vector>

namespace ladder::bench {

struct StandardSweep {
  std::string_view name, says;
  /// Options and what it sets them to; without "--rungs", it is over all.
  std::vector<std::pair<std::string_view, std::string_view>> sets;
};

/// The only table of them.
inline const std::vector<StandardSweep>& standard_sweeps() {
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

}  // namespace ladder::bench
