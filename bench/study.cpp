#include "bench/study.hpp"

#include <algorithm>

#include "bench/compare.hpp"
#include "bench/google_benchmark.hpp"
#include "bench/sampler.hpp"

namespace ladder::bench {
namespace {

constexpr int attempts = 3;  // where a hold gives up

}  // namespace

const Ceiling::Candidate& Ceiling::best() const {
  return *std::ranges::min_element(candidates, {}, [](const Candidate& c) {
    return c.seconds.empty() ? 1e30 : Statistics(c.seconds).median;
  });
}

double Ceiling::gbs() const {
  return static_cast<double>(bytes) / Statistics(best().seconds).median * 1e-9;
}

Study::Study(const Selection& selection, Plan plan, Records& records)
    : selection_(selection), plan_(std::move(plan)), records_(records) {}

const Ceiling* Study::ceiling_of(const Measurement& m) const {
  for (const auto& ceiling : ceilings_) {
    const bool same =
        ceiling.space == m.backend->memory_space() && ceiling.asked_bytes == m.bytes();
    if (same && ceiling.cache == m.cache && !ceiling.best().seconds.empty()) return &ceiling;
  }
  return nullptr;
}

std::optional<double> Study::timed(Row& row) {
  const auto& m = row.measurement;
  std::optional<double> time;
  for (int attempt = 0; attempt < attempts && !time; ++attempt) {
    try {
      row.input->dress(m.n, m.operation, row.planted);
      time = time_run(*m.backend, *row.job, m.cache, m.scope, selection_.profile);
    } catch (const std::exception& error) {
      fail(row, error.what());
    }
    try {
      row.input->restore(m.n, row.planted);
    } catch (const std::exception& error) {
      fail(row, error.what());
    }
    if (row.failed > 0) return std::nullopt;
    if (!time) ++row.discarded;
  }
  if (!time) fail(row, "the queue was let go before it was complete, three times in a row");
  return time;
}

void Study::fail(Row& row, const std::string& what) {
  ++row.failed;
  const auto& m = row.measurement;
  std::string error = what;
  if (const auto lost = m.backend->recover()) error += "; " + *lost;
  if (row.error.empty()) row.error = error;
  records_.write("sample", {{"id", m.id()},
                            {"index", row.seconds.size() + row.wrong},
                            {"seconds", nullptr},
                            {"ok", false},
                            {"error", error}});
}

void Study::sample(Row& row) {
  const auto& m = row.measurement;
  const auto time = timed(row);
  if (!time) return;
  const auto verdict = check(row.job->result(), row.reference, rounds(m.type, m.operation, m.data),
                             row.job->footprint().depth());
  const std::size_t index = row.seconds.size() + row.wrong;
  if (verdict.ok) {
    row.ulps = std::max(row.ulps, verdict.ulps);
    row.seconds.push_back(*time);
    Json fields{
        {"id", m.id()}, {"index", index}, {"seconds", *time}, {"ok", true}, {"ulps", verdict.ulps}};
    // Whether it is the same each time is a finding where results are rounded.
    if (rounds(m.type, m.operation, m.data)) fields["result"] = row.job->result().text();
    records_.write("sample", fields);
  } else {
    ++row.wrong;
    if (row.error.empty()) row.error = "wrong result: " + verdict.message;
    records_.write("sample", {{"id", m.id()},
                              {"index", index},
                              {"seconds", nullptr},
                              {"ok", false},
                              {"error", "wrong result: " + verdict.message}});
  }
}

void Study::register_benchmarks() {
  double expected = 0;
  for (auto& row : rows_) {
    if (row.wanted == 0 || row.failed > 0) continue;
    expected += row.sample_cost * static_cast<double>(row.wanted);
    register_benchmark(row.measurement.name(), row.wanted, [this, &row]() -> Repetition {
      const auto right = row.seconds.size();
      if (row.failed == 0) sample(row);
      progress_.advance(row.sample_cost, row.measurement.name());
      if (row.seconds.size() == right) return {0, 0, row.error};
      return {row.seconds.back(), static_cast<double>(row.measurement.bytes()), {}};
    });
  }
  for (auto& ceiling : ceilings_) {
    for (auto& candidate : ceiling.candidates) {
      expected += candidate.cost * static_cast<double>(candidate.wanted);
      register_benchmark(
          "ceiling/" + std::string(candidate.backend->name()), candidate.wanted,
          [this, &ceiling, &candidate]() -> Repetition {
            progress_.advance(candidate.cost, "ceiling");
            try {
              const auto time = time_run(*candidate.backend, *candidate.job, ceiling.cache,
                                         finest_scope(*candidate.backend));
              if (!time) return {0, 0, "discarded"};
              candidate.seconds.push_back(*time);
              return {*time, static_cast<double>(ceiling.bytes), {}};
            } catch (
                const std::exception& error) {  // a rung may have lost the device: its row says so
              candidate.backend->recover();
              return {0, 0, error.what()};
            }
          });
    }
  }
  progress_.expect(expected);
}

void Study::run() {
  progress_.clear();
  register_benchmarks();
  run_benchmarks(selection_);
  progress_.clear();
  write_summaries();
}

void Study::write_summaries() {
  for (const auto& ceiling : ceilings_) {
    const auto& best = ceiling.best();
    const Statistics statistics(best.seconds);
    records_.write("ceiling",
                   {{"space", ceiling.space},
                    {"bytes", ceiling.asked_bytes},
                    {"read_bytes", ceiling.bytes},
                    {"cache", name(ceiling.cache)},
                    {"backend", best.backend->name()},
                    {"configuration", best.backend->ceiling_configurations()[best.configuration]},
                    {"scope", name(finest_scope(*best.backend))},
                    {"count", statistics.count},
                    {"median", statistics.median},
                    {"p5", statistics.p5},
                    {"p95", statistics.p95},
                    {"gbs", ceiling.gbs()}});
  }
  for (const auto& row : rows_) {
    if (!selection_.profile) records_.write("summary", summary(*this, row));
  }
  for (auto* backend : plan_.backends) {
    records_.write("conditions", {{"at", "end"},
                                  {"backend", backend->name()},
                                  {"seconds", records_.seconds()},
                                  {"facts", describe(backend->conditions())}});
  }
}

}  // namespace ladder::bench
