#include "bench/records/records.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/results/results.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

Json quantiles(const Statistics& statistics) {
  return {{"count", statistics.count},
          {"midmean", statistics.midmean},
          {"uncertainty", statistics.uncertainty},  // null if infinite
          {"median", statistics.median},
          {"p5", statistics.p5},
          {"p95", statistics.p95}};
}

/// Fields that identify the measured problem, for measurements and energy rounds.
Json problem_of(const Row& row) {
  const auto& m = row.measurement;
  const auto& rung = m.info().rung;
  Json fields{{"id", m.id()},
              {"backend", m.backend->name()},
              {"space", m.device().name()},
              {"rung", rung.id},
              {"slug", rung.slug},
              {"library", m.info().library},
              {"type", facts(m.type).name},
              {"op", facts(m.operation).name},
              {"n", m.n},
              {"shape", known(m.shape.text)}};
  for (const auto& axis : tuning_axes)
    fields[std::string(axis.name)] = known(m.tuning.*axis.member, (rung.axes & axis.bit) != 0);
  fields.update({{"data", name(m.data)},
                 {"seed", row.input->recipe().seed},
                 {"place", known(name(Place::random), m.plants())},
                 {"bytes", m.bytes()}});
  return fields;
}

/// Fields that identify the row's next sample.
Json sample_of(const Row& row) {
  return {{"id", row.measurement.id()}, {"index", row.seconds.size() + row.wrong}};
}

/// True if the first line is a record, complete or truncated; a line of "{" begins other JSON.
/// Reads at most 1 MiB because the file may have no line breaks.
bool begins_with_record(std::istream& file) {
  std::string begin(std::size_t{1} << 20, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  const std::string line = begin.substr(0, begin.find('\n'));
  const std::string kind = "\"kind\":";
  return line.starts_with('{') && (line.find(kind) != std::string::npos ||
                                   ("{" + kind).starts_with(line == "{" ? begin : line));
}

}  // namespace

RecordsFile::RecordsFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const auto refuse = [&](const std::string& why) {
    if (file_ >= 0) close(file_);
    return NotPossible(concat("--records=", path, ": ", why));
  };
  file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw refuse(concat("cannot be written: ", std::strerror(errno)));
  struct stat about {};
  if (fstat(file_, &about) != 0 || !S_ISREG(about.st_mode)) return;  // not a regular file
  // Some network file systems lack locks; there the user must prevent concurrent writers.
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw refuse("another process is writing to it; name another file, or wait for its end");
  std::ifstream before(path, std::ios::binary);
  if (before && about.st_size > 0) {
    if (!begins_with_record(before))
      throw refuse("holds something else than records; name a new file");
    before.clear();
    torn_ = before.seekg(-1, std::ios::end).get() != '\n';
  }
}

RecordsFile::~RecordsFile() {
  if (file_ >= 0) close(file_);
}

void RecordsFile::append(const std::string& line) {
  if (file_ < 0) return;
  // Terminate a truncated line so that this one starts on its own line.
  const std::string whole = (torn_ ? "\n" : "") + line + "\n";
  torn_ = false;
  for (std::string_view left = whole; !left.empty();) {
    const auto written = write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw NotPossible(concat("--records=", path_, ": writing failed: ", std::strerror(errno)));
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Describe the plan before opening the file: describing may lose a device.
Records::Records(const Selection& selection, const Plan& plan)
    : run_(new_run_id()), about_(describe_run(selection, plan)), file_(selection.records) {}

void Records::write(std::string_view kind, const Json& fields, const Json& more) {
  if (file_.path().empty()) return;
  Json line{{"kind", kind}, {"run", run_}};
  line.update(fields);
  line.update(more);
  file_.append(line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Records::run(const Process& process) {
  Json fields = about_;
  fields["process"] = {{"index", process.index},
                       {"of", process.of},
                       {"group", process.group.empty() ? run_ : process.group},
                       {"places", process.places}};
  write("run", fields);
}

void Records::conditions(std::string_view at, Device& device) {
  const auto now = std::chrono::steady_clock::now();
  write("conditions", {{"at", at},
                       {"space", device.name()},
                       {"seconds", std::chrono::duration<double>(now - started_).count()},
                       {"facts", describe(device.conditions())}});
}

void Records::lost(const Device& device, const Row* row, const std::string& error) {
  write("conditions", {{"at", "lost"},
                       {"space", device.name()},
                       {"id", row != nullptr ? Json(row->measurement.id()) : Json(nullptr)},
                       {"error", error},
                       {"facts", Json::object()}});
}

void Records::measurement(const Row& row) {
  const auto& m = row.measurement;
  const auto& rung = m.info().rung;
  const auto& footprint = row.job->footprint();
  const auto* main = footprint.main();
  const bool launches = main != nullptr, kernel = launches && main->kernel.registers > 0;
  const KernelFacts occupies = kernel ? main->kernel : KernelFacts{};
  const bool cold = m.cache == Cache::cold;
  write("measurement", problem_of(row),
        {{"name", m.name()},
         {"family", rung.family},
         {"nan", (rung.traits & nan_unspecified) != 0 ? "unspecified" : "propagates"},
         {"atomic", (rung.traits & atomic_updates) != 0},
         {"scope", name(m.scope)},
         {"cache", name(m.cache)},
         {"eviction", known("reads", cold)},
         {"evicted_bytes", cold ? m.device().eviction().bytes : 0},
         {"moved_bytes", known(footprint.moved_bytes(), launches)},
         {"depth", known(footprint.depth(), launches)},
         {"launches", known(footprint.launches.size(), launches)},
         {"blocks", known(launches ? main->grid : 0, launches)},
         {"registers", known(occupies.registers, kernel)},
         {"shared_bytes", known(occupies.shared_bytes, kernel)},
         {"blocks_per_sm", known(occupies.blocks_per_unit, kernel)},
         {"limiter", known(occupies.limiter, kernel)}});
}

void Records::floor(const FloorTime& floor) {
  write("floor",
        {{"space", floor.device->name()},
         {"what", name(floor.what)},
         {"calls", floor.calls},
         {"scope", name(finest_scope(*floor.device))}},
        quantiles(floor.statistics));
}

Json describe(const Ceiling& ceiling) {
  Json fields{{"space", ceiling.device->name()},
              {"bytes", ceiling.asked_bytes},
              {"cache", name(ceiling.cache)}};
  if (ceiling.input_of) {
    const auto& m = *ceiling.input_of;
    auto& input = fields["input"] = {{"type", facts(m.type).name}, {"data", name(m.data)}};
    if (m.data == Data::exact) input["op"] = facts(m.operation).name;  // exact data depend on it
  }
  return fields;
}

void Records::ceiling(const Ceiling& ceiling) {
  Json fields = describe(ceiling);
  fields.update({{"read_bytes", ceiling.bytes},
                 {"configuration", ceiling.configuration()},
                 {"scope", name(finest_scope(*ceiling.device))},
                 {"gbs", ceiling.own_gbs()},
                 {"calls", ceiling.best().calls}});
  write("ceiling", fields, quantiles(Statistics(ceiling.best().seconds)));
}

void Records::sample(const Row& row, double seconds, double ulps, const std::string& disturbed) {
  const auto& m = row.measurement;
  Json fields = sample_of(row);
  fields.update({{"seconds", seconds}, {"ok", true}, {"ulps", ulps}});
  // Record rounded results: if they repeat is a finding.
  if (m.rounds()) fields["result"] = row.job->result().text();
  if (!disturbed.empty()) fields["disturbed"] = disturbed;
  write("sample", fields);
}

void Records::disturbed(const Row& row, double seconds, const std::string& what) {
  write("disturbed", sample_of(row), {{"seconds", seconds}, {"what", what}});
}

void Records::failed_sample(const Row& row, const std::string& error) {
  write("sample", sample_of(row), {{"seconds", nullptr}, {"ok", false}, {"error", error}});
}

void Records::summary(const Results& results, const Row& row) {
  const auto& m = row.measurement;
  const auto statistics = row.statistics();
  Json fields{{"id", m.id()},
              {"name", m.name()},
              {"count", statistics.count},
              {"calls", row.calls},
              {"wrong", row.wrong},
              {"failed", row.failed},
              {"discarded", row.discarded},
              {"retaken", row.retaken},
              {"disturbed", row.disturbed},
              {"error", known(row.error)}};
  if (row.good()) {
    const auto derived = derive(results, row);
    const auto speedup = [](const std::optional<Speedup>& value) {
      return value ? Json{{"versus", value->versus},
                          {"factor", value->factor},
                          {"uncertainty", value->uncertainty}}
                   : Json(nullptr);
    };
    fields.update(quantiles(statistics));
    fields.update({{"gbs", derived.gbs},
                   {"of_peak", known(derived.of_peak)},
                   {"of_ceiling", known(derived.of_ceiling)},
                   {"of_ceiling_uncertainty", derived.ceiling_uncertainty},
                   {"step", speedup(derived.step)},
                   {"cumulative", speedup(derived.cumulative)},
                   {"elements_per_second", static_cast<double>(m.n) / statistics.midmean},
                   {"ulps", row.ulps},
                   {"bound_vacuous", row.vacuous},
                   {"nan_left_open", row.left_open},
                   {"result", row.results.size() == 1 ? Json(*row.results.begin()) : Json(nullptr)},
                   {"distinct_results", row.results.size()}});
    if (!row.skews.empty()) {  // only with several devices
      fields["release_skew"] = Statistics(row.skews).median;
      fields["release_skew_largest"] = *std::ranges::max_element(row.skews);
    }
  }
  write("summary", fields);
}

void Records::energy(const Row& row, const EnergyRound& round) {
  const auto& load = round.load;
  Json fields = problem_of(row);
  fields.update({{"round", round.round},
                 {"rounds", energy_rounds},
                 {"order", round.place},
                 {"source", round.source},
                 {"step_seconds", round.step.seconds},
                 {"idle_watts", round.idle.watts()},
                 {"ok", round.error.empty()},
                 {"error", known(round.error)}});
  if (round.error.empty()) {
    const double gbs = round.gbs(row.measurement);
    fields.update({{"joules", load.joules},
                   {"seconds", load.seconds},
                   {"slack_seconds", load.slack},
                   {"calls", round.calls},
                   {"calls_seconds", round.calls_seconds},
                   {"watts", load.watts()},
                   {"uncertainty", load.uncertainty()},
                   {"gbs", gbs},
                   {"joules_per_gb", load.watts() / gbs}});
  }
  write("energy", fields);
}

}  // namespace ladder::bench
