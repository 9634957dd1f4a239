#include "bench/output/built.hpp"

#include <algorithm>

#include "bench/text.hpp"

namespace ladder::bench {

std::string unoptimized_text(std::span<const BuildFact> facts) {
  std::string text;
  for (const auto& fact : facts) {
    if (fact.name != "optimized" || fact.value != "no") continue;
    const auto flags = std::ranges::find_if(facts, [&](const BuildFact& other) {
      return other.group == fact.group && other.name == "flags";
    });
    text += concat("Not optimized: what was compiled as ", fact.group, " (",
                   flags == facts.end() ? "" : flags->value,
                   "). Its times say nothing of the rungs.\n");
  }
  return text;
}

}  // namespace ladder::bench
