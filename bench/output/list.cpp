#include "bench/output/list.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "bench/json_text.hpp"
#include "bench/output/columns.hpp"
#include "bench/results/record_kinds.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

Json describe(const Rung& rung) {
  return {{"id", rung.id},        {"slug", rung.slug},       {"base", rung.base},
          {"idea", rung.idea},    {"sources", rung.sources}, {"axes", rung.axes},
          {"family", rung.family}};
}

/// `text` in lines of at most `room`, broken between words.
std::vector<std::string> folded(const std::string& text, std::size_t room) {
  std::vector<std::string> lines{""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > room) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

/// A rung in two columns and, below its name, what it is and carries.
void print_narrow(std::ostream& out, const std::vector<std::vector<std::string>>& rungs,
                  std::size_t columns) {
  constexpr std::size_t indent = 4, least = 20;
  for (const auto& rung : rungs) {
    out << rung[0] << "  " << rung[1] << (rung[2].empty() ? "" : "  (after " + rung[2] + ")")
        << "\n";
    for (const auto& line :
         folded(concat(rung[3], "; ", rung[4]), std::max(columns, indent + least) - indent))
      out << std::string(indent, ' ') << line << "\n";
  }
}

}  // namespace

void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json,
                std::size_t columns) {
  Json list = Json::array();
  Columns lines({"backend", "rung", "base", "idea", "here"}, "lllll");
  std::vector<std::vector<std::string>> rungs;
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
      rungs.push_back({std::string(backend->name()), full_name(info.rung),
                       std::string(info.rung.base), std::string(info.rung.idea),
                       info.why_absent.empty() ? concat(carried.size(), " type-operation pairs",
                                                        need.empty() ? "" : "; ", need)
                                               : concat("absent: ", info.why_absent)});
      lines.add(rungs.back());
      Json line = describe(info.rung);
      line.update({{"backend", backend->name()},
                   {"library", info.library},
                   {"blocks", info.blocks},
                   {"absent", info.why_absent},
                   {"needs", need},
                   {"carries", carried}});
      list.push_back(line);
    }
  }
  if (!json) {
    if (lines.total_width() <= columns) {
      lines.print(out);
    } else {
      print_narrow(out, rungs, columns);
    }
    return;
  }
  Json all{
      {"ladders", {{"device", Json::array()}, {"cpu", Json::array()}, {"several", Json::array()}}},
      {"rungs", list}};
  for (const auto& rung : device_ladder) all["ladders"]["device"].push_back(describe(rung));
  for (const auto& rung : cpu_ladder) all["ladders"]["cpu"].push_back(describe(rung));
  for (const auto& rung : several_ladder) all["ladders"]["several"].push_back(describe(rung));
  for (const auto& axis : tuning_axes) all["axes"].push_back(axis.name);
  for (const auto& type : types)
    all["types"].push_back({{"name", type.name}, {"words", type.words}, {"bytes", type.bytes}});
  for (const auto& [kind, says] : record_kinds)
    all["kinds"].push_back({{"kind", kind}, {"says", says}});
  out << all.dump(1) << "\n";
}

}  // namespace ladder::bench
