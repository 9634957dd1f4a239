// The first record of a process: command, build and machine.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <random>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

#include <sys/utsname.h>

#include "bench/records/records.hpp"
#include "common/build_info.hpp"
#include "common/machine_id.hpp"

namespace ladder::bench {
namespace {

std::string utc(const char* format) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Json describe_device(const PlannedDevice& planned) {
  const auto& facts = planned.device->facts();
  const auto eviction = planned.device->eviction();
  const Json evicted{{"kind", "reads"},
                     {"bytes", eviction.bytes},
                     {"workers", known(eviction.workers, eviction.workers > 0)},
                     {"capped", eviction.capped}};
  Json backends = Json::array();
  for (const auto* backend : planned.backends) backends.push_back(backend->name());
  return {{"space", planned.device->name()},
          {"backends", backends},
          {"name", facts.name},
          {"kind", facts.kind},
          {"part", known(facts.part)},
          {"id", known(facts.id)},
          {"peak_gbs", known(planned.peak.gbs)},
          {"peak_source", planned.peak.source},
          {"last_level_cache", facts.last_level_cache},
          {"memory_bytes", facts.memory_bytes},
          {"units", facts.units},
          {"tuning", known(planned.device->tuned().source)},
          {"eviction", evicted},
          {"facts", describe(facts.more)}};
}

/// Size and hash of each file that the measurements read, by the type or the shape that it is for.
Json describe_files(const Plan& plan) {
  Json files = Json::object();
  const auto add = [&](std::string_view use, std::string_view bytes) {
    files[std::string(use)] = {{"bytes", bytes.size()}, {"hash", hash_of(bytes)}};
  };
  for (const auto& [type, bytes] : plan.files) add(facts(type).name, bytes);
  for (const auto& [shape, made] : plan.groups) {
    const auto& offsets = made.offsets;
    if (shape.first.starts_with("segments:file:"))
      add(shape.first,
          {reinterpret_cast<const char*>(offsets.data()), offsets.size() * sizeof offsets.front()});
  }
  return files;
}

}  // namespace

Json describe(const std::vector<Fact>& facts) {
  Json object = Json::object();
  for (const auto& fact : facts)
    object[fact.name] = {{"value", fact.value}, {"source", fact.source}};
  return object;
}

std::vector<std::string> without_folders(const std::vector<std::string>& command) {
  // A path is the first word, or follows "file:" or the name of an option of files. In a list of
  // shapes it ends before the next comma.
  static const std::regex folders(
      R"((^|--(?:records|tuning|benchmark_out)[=\n]|--data[=\n]file:)[^\n]*/|(file:)[^,\n]*/)");
  std::istringstream lines(std::regex_replace(join(command, "\n"), folders, "$1$2"));
  std::vector<std::string> words;
  for (std::string word; std::getline(lines, word);) words.push_back(word);
  return words;
}

std::string new_run_id() {
  char suffix[8];
  std::snprintf(suffix, sizeof suffix, "-%04x", std::random_device{}() & 0xFFFFu);
  return utc("%Y%m%dT%H%M%SZ") + suffix;
}

Json describe_run(const Selection& selection, const Plan& plan) {
  const auto& build = build_info();
  Json built = Json::object(), axes = Json::array(), kinds = Json::object(),
       devices = Json::array(), models = Json::object();
  for (const auto& fact : build.facts)
    built[std::string(fact.group)][std::string(fact.name)] = fact.value;
  for (const auto& axis : tuning_axes) axes.push_back(axis.name);
  for (const auto& type : types)
    kinds[std::string(type.name)] = {{"words", type.words}, {"bytes", type.bytes}};
  for (const auto& planned : plan.devices) devices.push_back(describe_device(planned));
  for (const auto* backend : plan.backends)
    models[std::string(backend->name())] = describe(backend->facts());
  utsname system{};
  uname(&system);
  Json run{{"schema", records_schema},
           {"date", utc("%Y-%m-%dT%H:%M:%SZ")},
           {"command", without_folders(selection.command)},
           {"seed", selection.seed},
           {"data_file", name_of_file(selection.data_file)},
           {"version", build.version},
           {"commit", build.commit},
           {"build_type", build.build_type},
           {"build", built},
           {"axes", axes},
           {"types", kinds},
           {"machine",
            {{"id", known(machine_id())},
             {"system", system.sysname},
             {"release", system.release},
             {"architecture", system.machine}}},
           {"devices", devices},
           {"models", models}};
  if (auto files = describe_files(plan); !files.empty()) run["file"] = std::move(files);
  return run;
}

}  // namespace ladder::bench
