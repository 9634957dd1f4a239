#include "bench/records.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>

#include <sys/utsname.h>

#include "common/build_info.hpp"

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

template <class T>
Json or_null(const T& value, bool known) {
  return known ? Json(value) : Json(nullptr);
}

/// What keeps the samples of two runs apart, in words; empty where they may be mixed.
std::string difference(const Json& a, const Json& b) {
  for (const char* field : {"commit", "flags", "seed", "data_file"}) {
    if (a.value(field, Json()) != b.value(field, Json())) {
      return std::string("another ") + field + " (" + a.value(field, Json()).dump() + ")";
    }
  }
  const auto names = [](const Json& run) {
    std::vector<std::string> all;
    for (const auto& device : run.value("devices", Json::array())) {
      all.push_back(device.value("backend", "") + ": " + device.value("name", ""));
    }
    return all;
  };
  const auto mine = names(b);
  for (const auto& name : names(a)) {
    if (std::ranges::find(mine, name) == mine.end()) {
      return name + ", which this run does not measure";
    }
  }
  return "";
}

}  // namespace

Records::Records(const std::string& path) : path_(path) {
  char suffix[8];
  std::snprintf(suffix, sizeof suffix, "-%04x", std::random_device{}() & 0xFFFFu);
  run_ = utc("%Y%m%dT%H%M%SZ") + suffix;
  if (path.empty()) return;
  // A kill may have cut the last line short: what follows must not be glued to it.
  std::ifstream before(path, std::ios::ate | std::ios::binary);
  const bool torn = before && before.tellg() > 0 && before.seekg(-1, std::ios::end).get() != '\n';
  file_.open(path, std::ios::app);
  if (torn) file_ << "\n";
  if (!file_)
    throw NotPossible("--records=" + path + ": cannot be written: " + std::strerror(errno));
}

void Records::write(std::string_view kind, const Json& fields) {
  if (path_.empty()) return;
  Json line{{"kind", kind}, {"run", run_}};
  line.update(fields);
  file_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  if (!file_) throw NotPossible("--records=" + path_ + ": writing failed: " + std::strerror(errno));
}

std::map<std::string, Earlier> Records::earlier(const std::string& path, const Json& run) {
  std::map<std::string, Json> runs;
  std::map<std::string, Earlier> found;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const Json record = Json::parse(line, nullptr, false);
    if (record.is_discarded() || !record.is_object()) continue;  // the line that a kill cut short
    const auto kind = record.value("kind", "");
    if (kind == "run") runs[record.value("run", "")] = record;
    if (kind != "sample") continue;
    const auto other = runs.find(record.value("run", ""));
    const std::string differs =
        other == runs.end() ? "a run that it does not describe" : difference(other->second, run);
    if (!differs.empty()) {
      throw NotPossible("--resume: " + path + " holds samples of " + differs);
    }
    if (!record.value("ok", false)) {
      throw NotPossible("--resume: " + path +
                        " holds a wrong or failed sample: begin a new file, and see whether it "
                        "comes again");
    }
    auto& earlier = found[record.value("id", "")];
    earlier.seconds.push_back(record.value("seconds", 0.0));
    earlier.ulps = std::max(earlier.ulps, record.value("ulps", 0.0));
  }
  return found;
}

Json describe(const std::vector<Fact>& facts) {
  Json object = Json::object();
  for (const auto& fact : facts)
    object[fact.name] = {{"value", fact.value}, {"source", fact.source}};
  return object;
}

Json describe_run(const Selection& selection, const Plan& plan) {
  const auto& build = build_info();
  utsname system{};
  uname(&system);
  Json devices = Json::array();
  for (auto* backend : plan.backends) {
    const auto& facts = backend->facts();
    const auto& peak = plan.peak(backend);
    devices.push_back({{"backend", backend->name()},
                       {"name", facts.name},
                       {"kind", facts.kind},
                       {"memory_space", backend->memory_space()},
                       {"peak_gbs", or_null(peak.gbs.value_or(0), peak.gbs.has_value())},
                       {"peak_source", peak.source},
                       {"last_level_cache", facts.last_level_cache},
                       {"memory_bytes", facts.memory_bytes},
                       {"units", facts.units},
                       {"eviction", backend->eviction()},
                       {"facts", describe(facts.more)}});
  }
  return {
      {"schema", records_schema},
      {"date", utc("%Y-%m-%dT%H:%M:%SZ")},
      {"command", selection.command},
      {"seed", selection.seed},
      {"data_file", selection.data_file},
      {"version", build.version},
      {"commit", build.commit},
      {"build_type", build.build_type},
      {"compilers", {{"cxx", build.cxx_compiler}, {"cuda", build.cuda_compiler}}},
      {"flags",
       {{"cxx", build.cxx_flags},
        {"cuda", build.cuda_flags},
        {"cuda_architectures", build.cuda_architectures},
        {"cpu_arch", build.cpu_arch}}},
      {"hip",
       {{"version", build.hip},
        {"platform", build.hip_platform},
        {"source", build.hip_source},
        {"compiler", build.hip_compiler},
        {"flags", build.hip_flags},
        {"architectures", build.hip_architectures}}},
      {"kokkos",
       {{"version", build.kokkos},
        {"source", build.kokkos_source},
        {"devices", build.kokkos_devices},
        {"arch", build.kokkos_arch}}},
      {"machine",
       {{"system", system.sysname}, {"release", system.release}, {"architecture", system.machine}}},
      {"devices", devices}};
}

Json describe(const Measurement& m, const Footprint& footprint, std::uint64_t seed) {
  const auto axes = m.info().rung.axes;
  const auto axis = [&](unsigned which, unsigned value) {
    return or_null(value, (axes & which) != 0);
  };
  const auto* main = footprint.main();
  const bool device = main != nullptr && main->kernel.registers > 0;
  return {{"id", m.id()},
          {"name", m.name()},
          {"backend", m.backend->name()},
          {"rung", m.info().rung.id},
          {"slug", m.info().rung.slug},
          {"library", m.info().library},
          {"type", facts(m.type).name},
          {"op", facts(m.operation).name},
          {"n", m.n},
          {"block", axis(block_axis, m.tuning.block)},
          {"grid", axis(grid_axis, m.tuning.grid)},
          {"items", axis(items_axis, m.tuning.items)},
          {"workers", axis(workers_axis, m.tuning.workers)},
          {"data", name(m.data)},
          {"seed", seed},
          {"place", m.place ? Json(name(*m.place)) : Json(nullptr)},
          {"scope", name(m.scope)},
          {"cache", name(m.cache)},
          {"eviction", m.cache == Cache::cold ? Json(m.backend->eviction()) : Json(nullptr)},
          {"evicted_bytes", m.cache == Cache::cold ? m.backend->evicted_bytes() : 0},
          {"bytes", m.bytes()},
          {"moved_bytes", or_null(footprint.moved_bytes(), !footprint.launches.empty())},
          {"depth", or_null(footprint.depth(), !footprint.launches.empty())},
          {"launches", or_null(footprint.launches.size(), !footprint.launches.empty())},
          {"registers", or_null(device ? main->kernel.registers : 0, device)},
          {"shared_bytes", or_null(device ? main->kernel.shared_bytes : 0, device)},
          {"blocks_per_sm", or_null(device ? main->kernel.blocks_per_unit : 0, device)},
          {"limiter", device ? Json(main->kernel.limiter) : Json(nullptr)}};
}

}  // namespace ladder::bench
