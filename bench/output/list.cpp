#include <ostream>

#include <nlohmann/json.hpp>

#include "bench/output/tables.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

Json describe_rung(const Rung& rung) {
  Json groupings = Json::array();
  for (const auto by : {Grouping::whole, Grouping::rows, Grouping::columns, Grouping::segments})
    if (rung.takes(by)) groupings.push_back(name(by));
  return {{"id", rung.id},         {"slug", rung.slug},       {"base", rung.base},
          {"idea", rung.idea},     {"sources", rung.sources}, {"axes", rung.axes},
          {"family", rung.family}, {"groupings", groupings}};
}

}  // namespace

void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json) {
  Json list = Json::array();
  Columns lines({"backend", "rung", "base", "idea", "here"}, "lllll");
  for (const auto& backend : backends) {
    for (std::size_t i = 0; i < backend->rungs().size(); ++i) {
      const auto& info = backend->rungs()[i];
      const std::string need = said(info.need);
      Json carried = Json::array();
      for (const auto& type : types) {
        for (const auto& operation : operations) {
          if (!backend->carries(i, type.type, operation.operation)) continue;
          carried.push_back(concat(type.name, " ", operation.name));
        }
      }
      const auto here =
          concat(carried.size(), " type-operation pairs", need.empty() ? "" : "; ", need);
      lines.add({std::string(backend->name()), full_name(info.rung), std::string(info.rung.base),
                 std::string(info.rung.idea),
                 info.why_absent.empty() ? here : concat("absent: ", info.why_absent)});
      Json line = describe_rung(info.rung);
      line.update({{"backend", backend->name()},
                   {"library", info.library},
                   {"blocks", info.blocks},
                   {"absent", info.why_absent},
                   {"needs", need},
                   {"carries", carried}});
      list.push_back(line);
    }
  }
  if (!json) return lines.print(out);
  Json all;
  const auto describe = [&](const char* ladder, std::span<const Rung> rungs) {
    for (const auto& rung : rungs) all["ladders"][ladder].push_back(describe_rung(rung));
  };
  describe("device", device_ladder);
  describe("cpu", cpu_ladder);
  describe("several", several_ladder);
  describe("batch", batch_ladder);
  all["rungs"] = list;
  for (const auto& axis : tuning_axes) all["axes"].push_back(axis.name);
  for (const auto& type : types)
    all["types"].push_back({{"name", type.name}, {"words", type.words}, {"bytes", type.bytes}});
  out << all.dump(1) << "\n";
}

}  // namespace ladder::bench
