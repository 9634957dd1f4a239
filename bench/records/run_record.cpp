// The first record of a process: command, build and machine.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <random>
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

/// The word of a command with only the file's name in each shape "segments:file:PATH".
std::string without_folders_of_shapes(std::string_view word) {
  constexpr std::string_view mark = "segments:file:";
  std::string shorter;
  for (auto at = word.find(mark); at != std::string_view::npos; at = word.find(mark)) {
    const auto begin = at + mark.size(), end = std::min(word.find(',', begin), word.size());
    shorter += word.substr(0, begin);
    shorter += name_of_file(std::string(word.substr(begin, end - begin)));
    word.remove_prefix(end);
  }
  return shorter.append(word);
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

}  // namespace

Json describe(const std::vector<Fact>& facts) {
  Json object = Json::object();
  for (const auto& fact : facts)
    object[fact.name] = {{"value", fact.value}, {"source", fact.source}};
  return object;
}

std::vector<std::string> without_folders(const std::vector<std::string>& command) {
  std::vector<std::string> words;
  bool file_follows = true;  // the program name itself
  for (const auto& word : command) {
    std::size_t begin = 0;  // offset of the path in the word
    bool names_file = std::exchange(file_follows, false);
    for (const std::string_view option : {"--records", "--tuning", "--data", "--benchmark_out"}) {
      if (word == option) file_follows = true;
      if (!word.starts_with(option) || word.substr(option.size(), 1) != "=") continue;
      names_file = true;
      begin = option.size() + 1;
    }
    if (names_file && word.compare(begin, 5, "file:") == 0) begin += 5;
    words.push_back(names_file ? word.substr(0, begin) + name_of_file(word.substr(begin))
                               : without_folders_of_shapes(word));
  }
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
  return {{"schema", records_schema},
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
}

}  // namespace ladder::bench
