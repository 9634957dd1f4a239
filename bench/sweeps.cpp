#include "bench/sweeps.hpp"

#include <algorithm>

namespace ladder::bench {

const std::vector<Sweep>& sweeps() {
  static const std::vector<Sweep> all{
      {"block",
       "threads in a block, from the first tree to warp shuffles",
       {.rungs = "r02..r12", .block = "32..1024"}},
      {"items",
       "elements per thread by threads in a block, for coarsened rungs",
       {.rungs = "r07,r08", .block = "32..1024", .items = "4..512"}},
      {"grid",
       "blocks for each multiprocessor by threads in a block, for fixed grids",
       {.rungs = "r11,r15", .block = "32..1024", .grid = "1x..64x"}},
      {"n", "elements, from where launching is all to where bandwidth is", {.sizes = "2^4..2^30"}},
      {"types", "integers and floating point, narrow and wide", {.types = "i32,i64,f32,f64"}},
      {"ops", "the operations that every published rung carries", {.operations = "sum,min,max"}},
  };
  return all;
}

void fill_in(Lists& given, const std::vector<const Sweep*>& chosen) {
  const auto over_all = [](const Sweep* sweep) { return sweep->sets.rungs.empty(); };
  for (auto list : {&Lists::rungs, &Lists::types, &Lists::operations, &Lists::sizes, &Lists::block,
                    &Lists::grid, &Lists::items}) {
    if (!(given.*list).empty()) continue;
    if (list == &Lists::rungs && std::ranges::any_of(chosen, over_all)) continue;
    for (const auto* sweep : chosen) {
      const auto& more = sweep->sets.*list;
      (given.*list) += (more.empty() || (given.*list).empty() ? "" : ",") + more;
    }
  }
}

std::string sweeps_text() {
  const auto part = [](const char* option, const std::string& list) {
    return list.empty() ? "" : std::string(" --") + option + "=" + list;
  };
  std::string text =
      "Sweeps. Each sets what is not given, and the scope to kernel on backends that have it:";
  for (const auto& sweep : sweeps()) {
    const auto& sets = sweep.sets;
    text +=
        "\n  " + sweep.name + std::string(8 - sweep.name.size(), ' ') + sweep.what + "\n         ";
    text += part("rungs", sets.rungs) + part("types", sets.types) + part("ops", sets.operations) +
            part("sizes", sets.sizes) + part("block", sets.block) + part("items", sets.items) +
            part("grid", sets.grid);
  }
  return text;
}

}  // namespace ladder::bench
