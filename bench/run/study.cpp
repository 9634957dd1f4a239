#include "bench/run/study.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include "bench/results/sampler.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int attempts = 3;  // if the hold times out or a disturbance occurs

/// Limits repeats to a quarter more time if every sample is disturbed, as by the rung's own heat.
std::size_t most_retaken(const Row& row) { return std::max<std::size_t>(2, row.wanted / 4); }

/// Sampling time per measurement in seconds.
double budget(const Selection& selection) { return selection.quick ? 0.1 : 0.5; }

}  // namespace

std::size_t samples_for(const Selection& selection, double cost, double seconds) {
  if (selection.profile) return 1;
  if (selection.samples) return *selection.samples;
  const std::size_t least = seconds > 1 ? 3 : 5;
  // Cold times of some microseconds have two or three modes, a microsecond apart. Fewer samples
  // estimate the modes' frequencies too poorly (docs/method.md).
  const std::size_t most = selection.quick ? 40 : 500;
  return std::clamp(static_cast<std::size_t>(budget(selection) / cost), least, most);
}

double estimated_seconds(const Selection& selection, const Plan& plan) {
  if (selection.energy) return energy_seconds(plan);
  if (selection.samples || selection.profile) return 0;
  std::set<std::tuple<const Device*, std::size_t, Cache>> swept;
  for (const auto& m : plan.measurements) swept.emplace(&m.device(), m.bytes(), m.cache);
  const auto sweeps = selection.no_ceilings ? 0 : sweep_kept * swept.size();
  return budget(selection) * static_cast<double>(plan.measurements.size() + sweeps);
}

Verdict verdict_of(const Row& row) {
  const auto& m = row.measurement;
  if (row.group_references != nullptr) {
    return check_groups(row.job->results(), *row.group_references, m.rounds(),
                        row.job->footprint().depth(), std::byte{spoiled_byte});
  }
  const auto result = row.job->result();
  if (leaves_open(m.info().rung.traits, m.type, m.operation))
    return check_left_open(result, row.reference);
  return check(result, row.reference, m.rounds(), row.job->footprint().depth());
}

void Study::prepare() {
  for (const auto& planned : results_.plan.devices) records_.conditions("start", *planned.device);
  make_rows(selection_, process_.places, progress_, results_, ranks_);
}

bool Study::run(StudySoFar before) {
  for (const auto& row : results_.rows) records_.measurement(row);
  if (!selection_.profile) {
    measure_floors(progress_, results_);
    for (const auto& floor : results_.floors) records_.floor(floor);
    if (!selection_.no_ceilings) sweep_ceilings(selection_, progress_, results_);
  }
  number_steps();
  if (!leads(ranks_)) {
    follow();
    return true;  // the first rank alone writes
  }
  std::vector<Row*> order;
  auto& recorded = before.processes[process_.index];
  recorded.failed.merge(before.lost_in);
  for (auto& row : results_.rows) {
    const auto id = row.measurement.id();
    const auto& earlier = recorded.samples[id];
    row.seconds = earlier.seconds;
    row.ulps = earlier.ulps;
    row.results = earlier.results;
    if (const auto failed = recorded.failed.find(id); failed != recorded.failed.end()) {
      row.failed = 1;
      row.error = failed->second;
    } else {
      order.push_back(&row);
    }
  }
  // Code is placed in the order of the kernels' first launches: shuffle it.
  if (process_.places != 0) std::ranges::shuffle(order, std::mt19937_64(process_.places));
  for (auto* row : order) take(row->pilot_step);
  for (auto& row : results_.rows) schedule(row.measurement.name(), row, row.measurement.bytes());
  for (auto& ceiling : results_.ceilings)
    for (auto& candidate : ceiling.candidates)
      schedule(concat("ceiling/", ceiling.device->name(), "/bytes:", ceiling.bytes, "/",
                      name(ceiling.cache), "/", candidate.configuration),
               candidate, ceiling.bytes);
  progress_.clear();
  const bool written = !scheduled_ || run_benchmarks(selection_.benchmark_out);
  if (ranks_ != nullptr) ranks_->from_first(steps_.size());
  if (!selection_.profile) {
    for (const auto& ceiling : results_.ceilings) records_.ceiling(ceiling);
    for (const auto& row : results_.rows) records_.summary(results_, row);
  }
  end();
  return written;
}

void Study::number_steps() {
  const auto add = [this](std::function<std::string()> step) {
    steps_.push_back(std::move(step));
    return steps_.size() - 1;
  };
  for (auto& row : results_.rows) {
    row.pilot_step = add([this, &row] {
      pilot(row);
      return std::string();
    });
    row.step = add([this, &row] {
      if (row.failed == 0) sample(row);
      return row.error;
    });
  }
  for (auto& ceiling : results_.ceilings)
    for (auto& candidate : ceiling.candidates)
      candidate.step = add([this, &ceiling, &candidate] { return sample(ceiling, candidate); });
}

std::string Study::take(std::size_t step) {
  if (ranks_ != nullptr) ranks_->from_first(step);
  return steps_[step]();
}

void Study::follow() {
  for (auto step = ranks_->from_first(0); step < steps_.size(); step = ranks_->from_first(0))
    steps_[step]();
}

void Study::end() {
  progress_.clear();
  for (const auto& planned : results_.plan.devices) records_.conditions("end", *planned.device);
}

void Study::pilot(Row& row) {
  const auto& m = row.measurement;
  progress_.stage("pilot: " + m.name());
  const auto error = attempt(m.device(), &row, [&] {
    row.job->spoil();  // the guard behind many results too, which is fetched with them
    row.job->run();    // loads the kernels: not allowed while the stream is held
    row.job->fetch();
    if (!selection_.profile) row.calls = calls_of_a_sample(m.device(), *row.job, m.cache, m.scope);
  });
  if (!error.empty()) return fail(row, error);
  const auto start = Clock::now();
  const auto time = timed(row);
  row.cost = std::chrono::duration<double>(Clock::now() - start).count();
  (void)m.device().disturbance();  // from before the first sample
  if (!time) return;
  const auto count = samples_for(selection_, row.cost, *time);
  row.wanted = count - std::min(count, row.seconds.size());
}

std::optional<double> Study::timed(Row& row) {
  const auto& m = row.measurement;
  std::optional<double> time;
  for (int left = attempts; left > 0 && !time; --left) {
    const auto error = on_its_input(row, [&] {
      time = time_run(m.device(), *row.job, m.cache, m.scope, row.calls, selection_.profile);
    });
    if (!error.empty()) {
      fail(row, error);
      return std::nullopt;
    }
    if (!time) ++row.discarded;
  }
  if (!time) fail(row, "the stream was let go before all was enqueued, three times in a row");
  return time;
}

std::string Study::attempt(Device& device, const Row* row, const std::function<void()>& step) {
  try {
    if (limit_ && device.facts().kind == "gpu") {
      limit_->run(step, [&](const std::string& why) { lose(device, row, why); });
    } else {
      step();
    }
    return "";
  } catch (const std::exception& error) {
    if (const auto lost = device.recover()) lose(device, row, concat(error.what(), "; ", *lost));
    if (ranks_ != nullptr) ranks_->abort(1, error.what());  // the other ranks are in the same step
    return error.what();
  }
}

std::string Study::on_its_input(const Row& row, const std::function<void()>& step) {
  const auto& m = row.measurement;
  const auto error = attempt(m.device(), &row, [&] {
    row.input->guard_and_plant(m.extent(), m.operation, row.planted);
    step();
  });
  const auto later =
      attempt(m.device(), &row, [&] { row.input->restore(m.extent(), row.planted); });
  return error.empty() ? later : error;
}

void Study::fail(Row& row, const std::string& what) {
  ++row.failed;
  if (row.error.empty()) row.error = what;
  records_.failed_sample(row, what);
}

void Study::end_where_lost(const std::string& what) {
  for (const auto& planned : results_.plan.devices) {
    if (const auto lost = planned.device->recover())
      lose(*planned.device, nullptr, concat(what, "; ", *lost));
  }
}

void Study::lose(const Device& device, const Row* row, const std::string& why) {
  std::string error = "device lost: " + why;
  if (!leads(ranks_)) ranks_->abort(lost_status, error);
  try {
    records_.lost(device, row, error);
  } catch (const std::exception& problem) {
    error += concat("; ", problem.what());
  }
  if (row != nullptr) error += concat(" (", row->measurement.name(), ")");
  std::cout.flush();
  std::cerr << "ladder: failed: " << error
            << "; with --records, the same command with --resume goes on behind it" << std::endl;
  std::_Exit(lost_status);
}

void Study::sample(Row& row) {
  bool again = true;
  for (int left = attempts; again; --left) {
    const auto time = timed(row);
    if (!time) return;
    const auto disturbed =  // of all ranks
        selection_.profile ? std::string() : row.measurement.device().disturbance();
    again = agreed(leads(ranks_) && keep(row, *time, disturbed, left == 1));
  }
}

bool Study::keep(Row& row, double time, const std::string& disturbed, bool last) {
  const auto& m = row.measurement;
  const auto verdict = verdict_of(row);
  if (!verdict.ok) {
    const std::string error = "wrong result: " + verdict.message;
    records_.failed_sample(row, error);
    ++row.wrong;
    if (row.error.empty()) row.error = error;
    return false;
  }
  std::istringstream reasons(disturbed);  // separated by commas
  for (std::string one; std::getline(reasons >> std::ws, one, ',');) row.disturbances.insert(one);
  if (!disturbed.empty() && !last && row.retaken < most_retaken(row)) {
    ++row.retaken;
    records_.disturbed(row, time, disturbed);
    return true;
  }
  if (!disturbed.empty()) ++row.disturbed;
  row.left_open |= verdict.left_open;
  row.results.insert(row.job->result().text());
  records_.sample(row, time, verdict.ulps, disturbed);
  row.ulps = std::max(row.ulps, verdict.ulps);
  row.seconds.push_back(time);
  if (const auto skew = m.device().release_skew(); skew && m.scope == Scope::kernel)
    row.skews.push_back(*skew);
  return false;
}

std::string Study::sample(const Ceiling& ceiling, Ceiling::Candidate& candidate) {
  auto& device = *ceiling.device;
  std::optional<double> time;
  auto error = attempt(device, nullptr, [&] {
    for (int left = attempts; left > 0; --left) {
      time = time_run(device, *candidate.job, ceiling.cache, finest_scope(device), candidate.calls);
      if (!agreed(time && !device.disturbance().empty())) return;
    }
  });
  if (!error.empty()) return error;
  if (!time) return "discarded";
  candidate.seconds.push_back(*time);
  return "";
}

}  // namespace ladder::bench
