#include "bench/records/study_so_far.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "bench/records/record_fields.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

NotPossible refusal(const std::string& path, const std::string& why) {
  return NotPossible{concat("--resume: ", path, " holds ", why)};
}

/// Calls `take` for each record of the file, and `unreadable` with the line's number where a field
/// has another form. A line that is no JSON was cut short by a kill.
void each_record(const std::string& path, const std::function<void(const Json&)>& take,
                 const std::function<void(std::size_t)>& unreadable) {
  std::ifstream file(path);
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    Json record;
    try {
      record = parsed(line);
    } catch (const Json::exception&) {
      continue;
    } catch (const NotPossible&) {
      unreadable(number);
    }
    try {
      if (record.is_object()) take(record);
    } catch (const Json::exception&) {
      unreadable(number);
    } catch (const WrongField&) {
      unreadable(number);
    }
  }
}

/// The words of a command in any order, without the program and those that may differ.
std::set<std::string> words_of(const std::vector<std::string>& command) {
  std::set<std::string> words;
  for (std::size_t i = 1; i < command.size(); ++i)
    if (command[i] != "--resume" && !command[i].starts_with("--samples=")) words.insert(command[i]);
  return words;
}

std::string another(const std::string& what, const std::string& there, const std::string& here) {
  const auto known = [](const std::string& text) { return text.empty() ? "nothing" : text; };
  return concat("samples of another ", what, " (", known(there), " there, ", known(here), " here)");
}

/// A refusal in words, with what only one of two commands has.
std::string another_command(const std::set<std::string>& there, const std::set<std::string>& here) {
  std::vector<std::string> only_there, only_here;
  std::ranges::set_difference(there, here, std::back_inserter(only_there));
  std::ranges::set_difference(here, there, std::back_inserter(only_here));
  return another("command", join(only_there, " "), join(only_here, " "));
}

/// See `StudySoFar`; devices and models go by their names.
std::map<std::string, std::string> fingerprint_of(const Json& run) {
  Json facts;
  for (const char* field : {"version", "commit", "build_type", "build", "machine"})
    facts[field] = run.value(field, Json());
  facts.update(run.value("models", Json::object()));
  for (const auto& device : run.value("devices", Json::array()))
    facts[device.value("space", "")] = device;
  const Json flat = facts.flatten();
  std::map<std::string, std::string> fingerprint;
  for (const auto& [path, value] : flat.items()) fingerprint[path] = value.dump();
  return fingerprint;
}

/// The first fact that differs, as a refusal in words; empty where none does.
std::string difference(std::map<std::string, std::string> there,
                       std::map<std::string, std::string> here) {
  auto all = there;
  all.insert(here.begin(), here.end());
  for (const auto& [path, value] : all) {
    if (there[path] == here[path]) continue;
    std::string words = path.substr(1);
    std::ranges::replace(words, '/', ' ');
    return another(words, there[path], here[path]);
  }
  return "";
}

/// Takes the records of a file one after the other, for the last study with one command.
class StudyReader {
 public:
  StudyReader(const std::string& path, const std::vector<std::string>& command)
      : path_(path), command_(words_of(command)) {}

  void take(const Json& record) {
    const auto kind = record.value("kind", ""), run = record.value("run", "");
    if (kind == "run") take_run(record, run);
    const auto process = runs_.find(run);
    if (process == runs_.end()) return;
    if (kind == "conditions") take_conditions(record, process->second);
    if (kind == "sample") take_sample(record, process->second);
  }

  StudySoFar result() const {
    if (found_.group.empty() && !other_.empty()) throw refusal(path_, other_);
    return found_;
  }

 private:
  void take_run(const Json& record, const std::string& run) {
    const Json schema = record.value("schema", Json());
    if (schema != records_schema)
      throw refusal(path_, another("schema", schema.is_null() ? "" : schema.dump(),
                                   std::to_string(records_schema)));
    const auto command = words_of(record.value("command", std::vector<std::string>{}));
    const auto process = process_of(record);
    if (command != command_) {
      other_ = another_command(command, command_);
      return;
    }
    if (process.group != found_.group) {
      found_ = {process.group, {}, {}, {}, {}};
      runs_.clear();
    }
    runs_[run] = process.index;
    found_.fingerprint = fingerprint_of(record);
  }

  void take_conditions(const Json& record, unsigned process) {
    const auto at = record.value("at", "");
    if (at == "end") found_.finished.insert(process);
    if (at != "lost") return;
    found_.lost.insert(process);
    if (const auto id = record.value("id", Json()); id.is_string()) found_.lost_in.insert(id);
  }

  void take_sample(const Json& record, unsigned process) {
    if (!record.value("ok", false)) {
      found_.wrong.insert(process);
      return;
    }
    const Json seconds = record.value("seconds", Json()), ulps = record.value("ulps", Json(0));
    if (!seconds.is_number() || seconds <= 0)
      throw refusal(path_, concat("a sample whose time cannot be (", seconds.dump(),
                                  " s): begin a new file"));
    auto& earlier = found_.samples[process][record.value("id", "")];
    earlier.seconds.push_back(seconds);
    double error = std::numeric_limits<double>::infinity();  // which has no number in JSON
    if (ulps.is_number()) error = ulps.get<double>();
    earlier.ulps = std::max(earlier.ulps, error);
    if (record.contains("result")) earlier.results.insert(record.value("result", ""));
  }

  const std::string& path_;
  const std::set<std::string> command_;
  StudySoFar found_;
  std::map<std::string, unsigned> runs_;  ///< of the study, to the index of their process
  std::string other_;  ///< how the command of the last other study differs; empty: there is none
};

OtherProcess other_process(const Json& summary) {
  const Json time = summary.value("midmean", Json()), error = summary.value("error", Json());
  OtherProcess other;
  other.count = whole_of(summary, "count", std::size_t{0});
  other.wrong = whole_of(summary, "wrong", std::size_t{0});
  other.failed = whole_of(summary, "failed", std::size_t{0});
  if (time.is_number()) other.time = time;
  if (error.is_string()) other.error = error;
  return other;
}

/// True for the record of the same sweep in another process.
bool is_same(const Ceiling& ceiling, const Json& record) {
  const Json input = ceiling.input_of ? input_of(*ceiling.input_of) : Json();
  using Sorted = nlohmann::json;  // an input's fields may come in any order
  return record.value("space", "") == ceiling.device->name() &&
         whole_of(record, "bytes", std::size_t{0}) == ceiling.asked_bytes &&
         record.value("cache", "") == name(ceiling.cache) &&
         Sorted(record.value("input", Json())) == Sorted(input);
}

}  // namespace

std::size_t StudySoFar::wanted(const std::string& id, std::size_t count, unsigned index,
                               unsigned processes) const {
  if (index <= processes) return count;
  constexpr std::size_t least = 5;
  std::size_t owed = 0, had = 0;
  for (const unsigned one : lost) owed += one <= processes ? count : 0;
  for (const auto& [one, by_id] : samples) {
    const auto found = by_id.find(id);
    const bool counts = one != index && (one > processes || lost.contains(one));
    if (counts && found != by_id.end()) had += found->second.seconds.size();
  }
  return std::clamp(owed > had ? owed - had : 0, std::min(least, count), count);
}

StudySoFar study_so_far(const Selection& selection) {
  StudyReader reader(selection.records, selection.command);
  each_record(
      selection.records, [&](const Json& record) { reader.take(record); },
      [&](std::size_t number) {
        throw refusal(selection.records,
                      concat("a line that cannot be read (line ", number, "): begin a new file"));
      });
  return reader.result();
}

StudySoFar study_to_resume(const Selection& selection, const Plan& plan, Process& process) {
  auto before = study_so_far(selection);
  if (before.group.empty()) return before;
  if (process.of == 1) {
    process.group = before.group;
    process.index = process.of = 1 + static_cast<unsigned>(before.lost.size());
  }
  const auto here = fingerprint_of(describe_run(selection, plan));
  if (const auto differs = difference(before.fingerprint, here); !differs.empty())
    throw refusal(selection.records, differs);
  if (before.wrong.contains(process.index))
    throw refusal(selection.records,
                  "a wrong or failed sample: begin a new file, and see whether it comes again");
  return before;
}

void add_other_processes(Results& results, const std::string& path, const Process& process) {
  const std::size_t others = process.of - 1;
  std::map<std::string, Row*> rows;  // by measurement id
  for (auto& row : results.rows) {
    rows[row.measurement.id()] = &row;
    row.others.resize(others);
  }
  for (auto& ceiling : results.ceilings) ceiling.others.resize(others, std::nan(""));
  std::map<std::string, std::size_t> runs;  // of the others, to their places among them
  const auto take = [&](const Json& record) {
    const auto kind = record.value("kind", ""), run = record.value("run", "");
    if (kind == "run") {
      const auto other = process_of(record);
      const bool is_other = other.group == process.group && other.index - 1 < others;
      if (is_other) runs[run] = other.index - 1;
    }
    const auto place = runs.find(run);
    if (place == runs.end()) return;
    if (kind == "summary") {
      const auto row = rows.find(record.value("id", ""));
      if (row != rows.end()) row->second->others[place->second] = other_process(record);
    }
    if (kind == "ceiling") {
      for (auto& ceiling : results.ceilings)
        if (is_same(ceiling, record))
          ceiling.others[place->second] = record.value("gbs", std::nan(""));
    }
  };
  each_record(path, take, [](std::size_t) {});  // which --resume would name
  for (auto& row : results.rows) {
    for (const auto& other : row.others) {
      row.wrong += other.wrong;
      row.failed += other.failed;
      if (row.error.empty()) row.error = other.error;
    }
  }
}

}  // namespace ladder::bench
