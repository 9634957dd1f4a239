#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <stdexcept>
#include <utility>

#include "bench/records/records.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

NotPossible refusal(const std::string& path, const std::string& why) {
  return NotPossible{concat("--resume: ", path, " holds ", why)};
}

std::string another(const std::string& what, const std::string& there, const std::string& here) {
  const auto known = [](const std::string& text) { return text.empty() ? "nothing" : text; };
  return concat("samples of another ", what, " (", known(there), " there, ", known(here), " here)");
}

/// The set of a command's options, each with its value, without --resume and --samples.
std::set<std::string> words_of(const std::vector<std::string>& given) {
  const auto command = without_folders(given);
  std::set<std::string> words;
  for (std::size_t i = 1; i < command.size(); ++i) {
    auto word = command[i];
    if (i + 1 < command.size() && !command[i + 1].starts_with("--")) word += "=" + command[++i];
    if (word != "--resume" && !word.starts_with("--samples=")) words.insert(word);
  }
  return words;
}

/// Error text with the arguments that only one of two commands has.
std::string another_command(const std::set<std::string>& there, const std::set<std::string>& here) {
  std::vector<std::string> only_there, only_here;
  std::ranges::set_difference(there, here, std::back_inserter(only_there));
  std::ranges::set_difference(here, there, std::back_inserter(only_here));
  return another("command", join(only_there, " "), join(only_here, " "));
}

/// Facts that must match for two runs of one command: build, machine, devices and models.
Json fingerprint_of(Json run) {
  for (const char* field : {"kind", "run", "date", "process", "command"}) run.erase(field);
  return run;
}

/// Error text with the first differing fact; empty if none differs.
std::string difference(const Json& there, const Json& here) {
  const Json changes = Json::diff(there, here);
  if (changes.empty()) return "";
  auto path = changes.front().at("path").get<std::string>();
  const auto at_path = [&](const Json& facts) {
    const Json::json_pointer at(path);
    return facts.contains(at) ? facts.at(at).dump() : "";
  };
  const auto value_there = at_path(there), value_here = at_path(here);
  // A device's fact is known by its name alone: "/devices/0/facts/driver/value".
  path = std::regex_replace(path, std::regex("^/devices/[0-9]+(?=/)|/facts(?=/)|/value$"), "");
  std::ranges::replace(path, '/', ' ');
  return another(path.substr(1), value_there, value_here);
}

/// Key of the sweep of a ceiling's record.
std::string sweep_of(const Json& ceiling) {
  std::string words;
  for (const char* field : {"space", "bytes", "cache", "input"})
    words += nlohmann::json(ceiling.value(field, Json())).dump();  // fields in any order
  return words;
}

/// The number, or `otherwise` if missing or null: JSON has no infinity.
double number_or(const Json& record, const char* field, double otherwise) {
  const Json value = record.value(field, Json());
  return value.is_null() ? otherwise : value.get<double>();
}

/// The count, or `otherwise` if missing. Throws `std::range_error` if it is no unsigned integer.
unsigned count_or(const Json& record, const char* field, unsigned otherwise) {
  const Json value = record.value(field, Json(otherwise));
  if (!value.is_number_unsigned() || !std::in_range<unsigned>(value.get<std::uint64_t>()))
    throw std::range_error("no count");
  return value.get<unsigned>();
}

void take_sample(const Json& record, StudySoFar::Recorded& process) {
  if (!record.value("ok", false)) {
    process.failed[record.value("id", "")] = record.value("error", "");
    return;
  }
  auto& earlier = process.samples[record.value("id", "")];
  const Json seconds = record.value("seconds", Json());
  if (!seconds.is_number() || seconds <= 0) throw std::range_error("no time");
  earlier.seconds.push_back(seconds);
  earlier.ulps =
      std::max(earlier.ulps, number_or(record, "ulps", std::numeric_limits<double>::infinity()));
  if (record.contains("result")) earlier.results.insert(record.value("result", ""));
}

void take_summary(const Json& record, StudySoFar::Recorded& process) {
  const Json error = record.value("error", Json());
  process.summaries[record.value("id", "")] = {
      count_or(record, "count", 0), number_or(record, "midmean", std::nan("")),
      count_or(record, "wrong", 0), count_or(record, "failed", 0),
      error.is_null() ? "" : error.get<std::string>()};
}

void take_conditions(const Json& record, StudySoFar& study, StudySoFar::Recorded& process) {
  const auto at = record.value("at", "");
  if (at == "end") process.finished = true;
  if (at != "lost") return;
  if (const auto id = record.value("id", Json()); !id.is_null())
    study.lost_in[id.get<std::string>()] = record.value("error", "");
}

/// Reads the records of a file in order, keeping those of the last study with one command.
struct StudyReader {
  const std::set<std::string> command;
  StudySoFar found{};
  std::map<std::string, unsigned> runs{};  ///< run ids of the study, to their process index
  std::string other{};                     ///< difference to the last study with another command

  void take_run(const Json& record) {
    const auto words = words_of(record.value("command", std::vector<std::string>{}));
    if (words != command) {
      other = another_command(words, command);
      return;
    }
    const auto run = record.value("run", "");
    const auto process = record.value("process", Json::object());
    const auto group = process.value("group", run);
    const auto index = count_or(process, "index", 1);
    if (group != found.group) {
      found = {group};
      runs.clear();
    }
    runs[run] = index;
    found.fingerprint = fingerprint_of(record).dump();
  }

  void take(const Json& record) {
    const auto kind = record.value("kind", "");
    if (kind == "run") take_run(record);
    const auto run = runs.find(record.value("run", ""));
    if (run == runs.end()) return;
    auto& process = found.processes[run->second];
    if (kind == "conditions") take_conditions(record, found, process);
    if (kind == "sample") take_sample(record, process);
    if (kind == "summary") take_summary(record, process);
    if (kind == "ceiling")
      process.ceilings[sweep_of(record)] = number_or(record, "gbs", std::nan(""));
  }
};

/// Reads the file of --records. Skips invalid lines, such as those truncated by a kill.
StudyReader read(const Selection& selection) {
  StudyReader reader{words_of(selection.command)};
  std::ifstream file(selection.records);
  for (std::string line; std::getline(file, line);) {
    try {
      reader.take(parsed(line));
    } catch (const Json::exception&) {
    } catch (const std::range_error&) {
    }
  }
  return reader;
}

}  // namespace

StudySoFar study_so_far(const Selection& selection) {
  const auto reader = read(selection);
  if (reader.found.group.empty() && !reader.other.empty())
    throw refusal(selection.records, reader.other);
  return reader.found;
}

StudySoFar study_to_resume(const Selection& selection, const Plan& plan, Process& process) {
  auto before = study_so_far(selection);
  if (before.group.empty()) return before;
  if (process.of == 1) process.group = before.group;
  const auto here = fingerprint_of(describe_run(selection, plan));
  if (const auto differs = difference(parsed(before.fingerprint), here); !differs.empty())
    throw refusal(selection.records, differs);
  return before;
}

void add_other_processes(Results& results, const Selection& selection, const Process& process) {
  auto study = read(selection).found;
  for (unsigned index = 1; index < process.of; ++index) {
    auto& recorded = study.processes[index];
    for (auto& row : results.rows) {
      const auto& other = row.others.emplace_back(recorded.summaries[row.measurement.id()]);
      row.wrong += other.wrong;
      row.failed += other.failed;
      if (row.error.empty()) row.error = other.error;
    }
    for (auto& ceiling : results.ceilings) {
      const auto same = recorded.ceilings.find(sweep_of(describe(ceiling)));
      ceiling.others.push_back(same == recorded.ceilings.end() ? std::nan("") : same->second);
    }
  }
}

}  // namespace ladder::bench
