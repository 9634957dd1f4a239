// What --resume takes over from the file of records.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "bench/json_text.hpp"
#include "bench/records/records.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// What must be the same where the samples of two runs are mixed, by field, model and device.
Json comparable(const Json& run) {
  Json part;
  for (const char* field :
       {"schema", "version", "commit", "build_type", "build", "seed", "data_file", "machine"})
    part[field] = run.value(field, Json());
  part.update(run.value("models", Json::object()));
  for (const auto& device : run.value("devices", Json::array())) {
    auto& kept = part[device.value("space", "")] = device;
    for (const char* field : {"backends", "peak_gbs", "peak_source"}) kept.erase(field);
  }
  return part;
}

/// What keeps the samples of a file apart from those of this run, in words; empty where they may be
/// mixed. This run may have more devices and models.
std::string difference(const Json& file, const Json& run) {
  const Json there = comparable(file), here = comparable(run);
  for (const auto& [name, value] : there.items()) {
    if (!here.contains(name)) return name + ", which this run does not measure";
    const Json changes = Json::diff(value, here[name]);
    if (changes.empty()) continue;
    const std::string path = changes[0]["path"];
    const Json::json_pointer where(path);
    const auto text = [&](const Json& side) {
      return side.contains(where) ? side.at(where).dump() : "nothing";
    };
    std::string words = path;
    std::ranges::replace(words, '/', ' ');
    return concat("another ", name, words, " (", text(value), " there, ", text(here[name]),
                  " here)");
  }
  return "";
}

/// The line as an object; nothing for one that a kill cut short.
std::optional<Json> parse(const std::string& line) try {
  auto record = Json::parse(line);
  return record.is_object() ? std::optional(record) : std::nullopt;
} catch (const Json::parse_error& error) {
  if (error.byte > line.size()) return std::nullopt;
  throw;
}

/// A time is a number above zero. JSON has no other number, and a word or a null is none.
std::optional<double> seconds_of(const Json& sample) {
  const auto found = sample.find("seconds");
  if (found == sample.end() || !found->is_number()) return std::nullopt;
  const double seconds = *found;
  return std::isfinite(seconds) && seconds > 0 ? std::optional(seconds) : std::nullopt;
}

/// An error without bound has no number in JSON.
double ulps_of(const Json& sample) {
  const auto found = sample.find("ulps");
  if (found == sample.end()) return 0;
  return found->is_number() ? found->get<double>() : std::numeric_limits<double>::infinity();
}

std::string text_of(const Json& record, const char* field) {
  const auto found = record.find(field);
  return found != record.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The samples of one file as they are read, line by line.
class Reader {
 public:
  Reader(const std::string& path, const Json& run, Process& process)
      : path_(path), run_(run), process_(process) {}

  std::map<std::string, Earlier> read() {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      ++number_;
      take(line);
    }
    return std::move(found_);
  }

 private:
  NotPossible refusal(const std::string& why) const {
    return NotPossible{concat("--resume: ", path_, " holds ", why)};
  }

  NotPossible cannot_be_read() const {
    return refusal(concat("a line that cannot be read (line ", number_, "): begin a new file"));
  }

  void take(const std::string& line) try {
    if (too_deep(line)) throw cannot_be_read();
    const auto record = parse(line);
    if (!record) return;
    const std::string kind = text_of(*record, "kind");
    if (kind == "run") take_run(*record);
    if (kind == "sample") take_sample(*record);
  } catch (const Json::exception&) {
    throw cannot_be_read();
  } catch (const WrongField&) {
    throw cannot_be_read();
  }

  void take_run(const Json& record) {
    const Json schema = record.value("schema", Json());
    if (schema != records_schema) {
      throw refusal(concat("records of another schema (", schema.is_null() ? "none" : schema.dump(),
                           " there, ", records_schema, " here)"));
    }
    differs_[text_of(record, "run")] = difference(record, run_);
    processes_[text_of(record, "run")] = process_of(record);
  }

  void take_sample(const Json& record) {
    const auto other = differs_.find(text_of(record, "run"));
    if (other == differs_.end()) throw refusal("samples of a run that it does not describe");
    if (!other->second.empty()) throw refusal("samples of " + other->second);
    const auto& its = processes_[text_of(record, "run")];
    const bool of_another = !process_.group.empty() && its.group == process_.group &&
                            (its.index != process_.index || its.of != process_.of);
    if (of_another) return;  // which the study's last process counts
    if (!record.value("ok", false)) {
      throw refusal("a wrong or failed sample: begin a new file, and see whether it comes again");
    }
    const auto seconds = seconds_of(record);
    if (!seconds) {
      throw refusal(concat("a sample whose time cannot be (line ", number_, ": ",
                           record.value("seconds", Json()).dump(), " s): begin a new file"));
    }
    if (its.index != process_.index || its.of != process_.of) return;
    if (!process_.group.empty() && its.group != process_.group) return;
    process_.group = its.group;
    auto& earlier = found_[text_of(record, "id")];
    earlier.seconds.push_back(*seconds);
    earlier.ulps = std::max(earlier.ulps, ulps_of(record));
    if (const auto result = text_of(record, "result"); !result.empty())
      earlier.results.insert(result);
  }

  std::map<std::string, Earlier> found_;
  const std::string& path_;
  const Json& run_;
  std::size_t number_ = 0;
  Process& process_;                            ///< whose samples are wanted
  std::map<std::string, std::string> differs_;  ///< of each run, from this one
  std::map<std::string, Process> processes_;    ///< of each run
};

}  // namespace

std::map<std::string, Earlier> Records::earlier(const Json& run, Process& process) const {
  return Reader(file_.path(), run, process).read();
}

}  // namespace ladder::bench
