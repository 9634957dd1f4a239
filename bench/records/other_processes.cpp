#include "bench/records/other_processes.hpp"

#include <algorithm>
#include <fstream>
#include <functional>

#include "bench/json_text.hpp"
#include "bench/records/record_fields.hpp"
#include "bench/records/records.hpp"

namespace ladder::bench {
namespace {

/// Calls `take` for each record of the file; what it cannot read is not there.
void each_record(const std::string& path, const std::function<void(const Json&)>& take) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (too_deep(line)) continue;
    const Json record = Json::parse(line, nullptr, false);
    try {
      if (record.is_object()) take(record);  // not the line that a kill cut short
    } catch (const Json::exception&) {
      continue;  // a field of another form: who resumes this file is told by `Records::earlier`
    } catch (const WrongField&) {
      continue;
    }
  }
}

OtherProcess other_process(const Json& summary) {
  const auto number = [&](const char* name) {
    const auto& value = summary.value(name, Json());
    return value.is_number() ? value.get<double>() : std::nan("");
  };
  OtherProcess other;
  other.statistics.count = whole_of(summary, "count", std::size_t{0});
  other.statistics.midmean = number("midmean");
  other.statistics.median = number("median");
  other.statistics.p5 = number("p5");
  other.statistics.p95 = number("p95");
  other.wrong = whole_of(summary, "wrong", std::size_t{0});
  other.failed = whole_of(summary, "failed", std::size_t{0});
  const auto& error = summary.value("error", Json());
  if (error.is_string()) other.error = error;
  return other;
}

}  // namespace

std::size_t StudySoFar::wanted(const std::string& id, std::size_t count, unsigned index,
                               unsigned processes) const {
  if (index <= processes) return count;
  constexpr std::size_t least = 5;
  std::size_t owed = 0, had = 0;
  for (const unsigned one : lost) owed += one <= processes ? count : 0;
  for (const auto& [one, samples] : taken) {
    const auto found = samples.find(id);
    const bool counts = one != index && (one > processes || lost.contains(one));
    if (counts && found != samples.end()) had += found->second;
  }
  return std::clamp(owed > had ? owed - had : 0, std::min(least, count), count);
}

StudySoFar study_so_far(const std::string& path, const std::vector<std::string>& command) {
  const auto without_resume = [](std::vector<std::string> words) {
    std::erase(words, "--resume");
    if (!words.empty()) words.erase(words.begin());  // the program, by whatever path
    return words;
  };
  StudySoFar found;
  std::map<std::string, Process> runs;
  each_record(path, [&](const Json& record) {
    const auto kind = record.value("kind", ""), run = record.value("run", "");
    if (kind == "run") {
      const auto process = runs[run] = process_of(record);
      const auto its = record.value("command", std::vector<std::string>{});
      const bool same = without_resume(its) == without_resume(command);
      if (same && process.group != found.group) found = {process.group, {}, {}, {}};
    }
    const auto& process = runs[run];
    if (process.group != found.group || found.group.empty()) return;
    if (kind == "sample" && record.value("ok", false))
      ++found.taken[process.index][record.value("id", "")];
    if (kind != "conditions") return;
    const auto at = record.value("at", "");
    if (at == "end") found.finished.insert(process.index);
    if (at == "lost") {
      found.lost.insert(process.index);
      if (const auto& id = record.value("id", Json()); id.is_string()) found.lost_in.insert(id);
    }
  });
  return found;
}

void add_other_processes(Results& results, const std::string& path, const Process& process) {
  std::map<std::string, unsigned> runs;  // to the index of its process
  std::map<std::string, std::map<unsigned, OtherProcess>> summaries;
  // By space, bytes, cache state and input, whose fields may come in any order.
  using Sorted = nlohmann::json;
  std::map<std::tuple<std::string, std::size_t, std::string, Sorted>, std::map<unsigned, double>>
      ceilings;
  each_record(path, [&](const Json& record) {
    const auto kind = record.value("kind", ""), run = record.value("run", "");
    if (kind == "run") {
      const auto other = process_of(record);
      if (other.group == process.group && other.index != process.index) runs[run] = other.index;
    }
    const auto found = runs.find(run);
    if (found == runs.end()) return;
    if (kind == "summary") summaries[record.value("id", "")][found->second] = other_process(record);
    if (kind == "ceiling") {
      ceilings[{record.value("space", ""), whole_of(record, "bytes", std::size_t{0}),
                record.value("cache", ""), Sorted(record.value("input", Json()))}][found->second] =
          record.value("gbs", std::nan(""));
    }
  });
  for (auto& row : results.rows) {
    auto& found = summaries[row.measurement.id()];
    for (unsigned index = 1; index < process.of; ++index) {
      const auto& other = row.others.emplace_back(found[index]);
      row.wrong += other.wrong;
      row.failed += other.failed;
      if (row.error.empty()) row.error = other.error;
    }
  }
  for (auto& ceiling : results.ceilings) {
    auto& found = ceilings[{std::string(ceiling.device->name()), ceiling.asked_bytes,
                            std::string(name(ceiling.cache)),
                            ceiling.input_of ? Sorted(input_of(*ceiling.input_of)) : Sorted()}];
    for (unsigned index = 1; index < process.of; ++index) {
      const auto at = found.find(index);
      ceiling.others.push_back(at == found.end() ? std::nan("") : at->second);
    }
  }
}

}  // namespace ladder::bench
