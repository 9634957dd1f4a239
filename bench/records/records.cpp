#include "bench/records/records.hpp"

#include <algorithm>
#include <cmath>

#include "bench/records/record_fields.hpp"
#include "bench/results/derived.hpp"

namespace ladder::bench {
namespace {

Json quantiles(const Statistics& statistics) {
  return {{"count", statistics.count},
          {"midmean", statistics.midmean},
          {"uncertainty", statistics.uncertainty},  // null where it is infinite
          {"median", statistics.median},
          {"p5", statistics.p5},
          {"p95", statistics.p95}};
}

/// What is measured: of a measurement, and of a round of its energy.
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
              {"n", m.n}};
  for (const auto& axis : tuning_axes)
    fields[std::string(axis.name)] = known(m.tuning.*axis.member, (rung.axes & axis.bit) != 0);
  fields.update({{"data", name(m.data)},
                 {"seed", row.input->recipe().seed},
                 {"place", known(name(m.place.value_or(Place::random)), m.place.has_value())},
                 {"bytes", m.bytes()}});
  return fields;
}

/// Which sample it is: the next of its row.
Json sample_of(const Row& row) {
  return {{"id", row.measurement.id()}, {"index", row.seconds.size() + row.wrong}};
}

}  // namespace

// The plan is described first: a device may be lost then, and there is no file yet.
Records::Records(const Selection& selection, const Plan& plan)
    : run_(new_run_id()),
      about_(std::make_shared<Json>(describe_run(selection, plan))),
      file_(selection.records) {}

void Records::write(std::string_view kind, const Json& fields) {
  if (file_.path().empty()) return;
  Json line{{"kind", kind}, {"run", run_}};
  line.update(fields);
  if (kind == "sample") ++samples_;
  file_.append(line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string Records::kept() const {
  if (file_.path().empty())
    return "nothing is kept: with --records=FILE, --resume goes on where a run was stopped";
  return std::to_string(samples_) + (samples_ == 1 ? " sample" : " samples") + " of this run " +
         (samples_ == 1 ? "is" : "are") + " in " + file_.path() +
         ": the same command with --resume goes on from there";
}

void Records::run(const Process& process) {
  Json fields = *about_;
  fields["process"] = {{"index", process.index},
                       {"of", process.of},
                       {"group", process.group.empty() ? run_ : process.group},
                       {"places", process.places}};
  write("run", fields);
}

Json Records::conditions_of(const Device& device, std::string_view at) const {
  const auto now = std::chrono::steady_clock::now();
  return {{"at", at},
          {"space", device.name()},
          {"seconds", std::chrono::duration<double>(now - started_).count()},
          {"facts", Json::object()}};
}

void Records::conditions(std::string_view at, Device& device, const std::vector<Fact>& more) {
  auto facts = device.conditions();
  facts.insert(facts.end(), more.begin(), more.end());
  Json fields = conditions_of(device, at);
  fields["facts"] = describe(facts);
  write("conditions", fields);
}

void Records::lost(const Device& device, const Row* row, const std::string& error) {
  Json fields = conditions_of(device, "lost");
  fields["id"] = row != nullptr ? Json(row->measurement.id()) : Json(nullptr);
  fields["error"] = error;
  write("conditions", fields);
}

void Records::measurement(const Row& row) {
  const auto& m = row.measurement;
  const auto& rung = m.info().rung;
  const auto& footprint = row.job->footprint();
  const auto* main = footprint.main();
  const bool launches = main != nullptr, kernel = launches && main->kernel.registers > 0;
  const KernelFacts occupies = kernel ? main->kernel : KernelFacts{};
  const bool cold = m.cache != Cache::hot;
  Json fields = problem_of(row);
  fields.update({{"name", m.name()},
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
  write("measurement", fields);
}

void Records::floor(const FloorTime& floor) {
  Json fields{{"space", floor.device->name()},
              {"what", name(floor.what)},
              {"calls", floor.calls},
              {"scope", name(finest_scope(*floor.device))}};
  fields.update(quantiles(floor.statistics));
  write("floor", fields);
}

Json input_of(const Measurement& m) {
  Json input{{"type", facts(m.type).name}, {"data", name(m.data)}};
  if (m.data == Data::exact) input["op"] = facts(m.operation).name;  // it has data of its own
  return input;
}

void Records::ceiling(const Ceiling& ceiling) {
  Json fields{{"space", ceiling.device->name()},
              {"bytes", ceiling.asked_bytes},
              {"read_bytes", ceiling.bytes},
              {"cache", name(ceiling.cache)},
              {"configuration", ceiling.configuration()},
              {"scope", name(finest_scope(*ceiling.device))}};
  if (ceiling.input_of) fields["input"] = input_of(*ceiling.input_of);
  fields.update(quantiles(Statistics(ceiling.best().seconds)));
  fields["gbs"] = ceiling.own_gbs();
  fields["calls"] = ceiling.best().calls;
  write("ceiling", fields);
}

void Records::sample(const Row& row, double seconds, double ulps, const std::string& disturbed) {
  const auto& m = row.measurement;
  Json fields = sample_of(row);
  fields.update({{"seconds", seconds}, {"ok", true}, {"ulps", ulps}});
  // Whether it is the same each time is a finding where results are rounded.
  if (rounds(m.type, m.operation, m.data)) fields["result"] = row.job->result().text();
  if (!disturbed.empty()) fields["disturbed"] = disturbed;
  write("sample", fields);
}

void Records::disturbed(const Row& row, double seconds, const std::string& what) {
  Json fields = sample_of(row);
  fields.update({{"seconds", seconds}, {"what", what}});
  write("disturbed", fields);
}

void Records::failed_sample(const Row& row, const std::string& error, bool lost) {
  Json fields = sample_of(row);
  fields.update({{"seconds", nullptr}, {"ok", false}, {"error", error}});
  if (lost) fields["lost"] = true;
  write("sample", fields);
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
              {"error", known(row.error, !row.error.empty())}};
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
    if (!row.skews.empty()) {  // of several devices
      fields["release_skew"] = Statistics(row.skews).median;
      fields["release_skew_largest"] = *std::ranges::max_element(row.skews);
    }
  }
  write("summary", fields);
}

void Records::energy(const EnergyRound& round) {
  const auto &energy = round.load, &idle = round.idle;
  const bool ok = round.error.empty();
  Json fields = problem_of(*round.row);
  fields.update({{"round", round.round},
                 {"rounds", energy_rounds},
                 {"order", round.place},
                 {"source", round.source},
                 {"step_seconds", round.step.seconds},
                 {"step_joules", round.step.joules},
                 {"idle_joules", idle.joules},
                 {"idle_seconds", idle.seconds},
                 {"idle_watts", idle.watts()},
                 {"ok", ok},
                 {"error", known(round.error, !ok)},
                 {"joules", known(energy.joules, ok)},
                 {"seconds", known(energy.seconds, ok)},
                 {"slack_seconds", known(energy.slack, ok)},
                 {"calls", known(round.calls, ok)},
                 {"calls_seconds", known(round.calls_seconds, ok)}});
  if (ok) {
    fields.update({{"watts", energy.watts()},
                   {"uncertainty", energy.uncertainty()},
                   {"gbs", round.gbs()},
                   {"joules_per_gb", round.joules_per_gb()}});
  }
  write("energy", fields);
}

void Records::skipped(const Skipped& skipped) {
  write("skipped", {{"what", skipped.what}, {"reason", skipped.reason}});
}

}  // namespace ladder::bench
