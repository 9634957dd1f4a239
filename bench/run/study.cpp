#include "bench/run/study.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <numeric>
#include <random>

#include "bench/results/sampler.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int attempts = 3;  // where a hold gives up, or something disturbs the device

/// What is disturbed each time, as by the heat that it makes itself, costs a quarter more time.
std::size_t most_retaken(const Row& row) { return std::max<std::size_t>(2, row.wanted / 4); }

}  // namespace

Verdict verdict_of(const Row& row) {
  const auto& m = row.measurement;
  const auto result = row.job->result();
  if (leaves_open(m.info().rung.traits, m.type, m.operation))
    return check_left_open(result, row.reference);
  return check(result, row.reference, rounds(m.type, m.operation, m.data),
               row.job->footprint().depth());
}

void Study::prepare(StudySoFar before) {
  const auto& earlier = before.samples[process_.index];
  const auto& devices = results_.plan.devices;
  const auto on_gpu = [](const PlannedDevice& one) { return one.device->facts().kind == "gpu"; };
  if (!selection_.profile && std::ranges::any_of(devices, on_gpu)) {
    time_limit_.emplace(selection_.watchdog,
                        [this](const std::string& why) { lose(*device_, row_, why); });
  }
  claim();
  make_rows(selection_, process_.places, progress_, results_);
  for (auto& row : results_.rows) {
    records_.measurement(row);
    if (const auto known = earlier.find(row.measurement.id()); known != earlier.end()) {
      row.seconds = known->second.seconds;
      row.ulps = known->second.ulps;
      row.results = known->second.results;
    }
  }
  if (!selection_.profile) {
    measure_floors(progress_, results_);
    for (const auto& floor : results_.floors) records_.floor(floor);
    if (!selection_.no_ceilings) sweep_ceilings(selection_, progress_, results_);
  }
  pilot(before);
  for (const auto& skipped : results_.plan.skipped) records_.skipped(skipped);
  for (const auto& skipped : results_.skipped) records_.skipped(skipped);
}

void Study::claim() {
  for (const auto& planned : results_.plan.devices) {
    const auto& facts = planned.device->facts();
    std::vector<Fact> more;
    if (!claim_devices(facts.id)) {
      more.push_back({"other studies", "at the same time", "its id is claimed by another process"});
      progress_.clear();
      std::cerr << "ladder: another ladder measures on " << planned.device->name() << " ("
                << facts.name << ") at the same time: what both find is disturbed\n";
    }
    records_.conditions("start", *planned.device, more);
  }
}

void Study::add_other_processes() {
  bench::add_other_processes(results_, selection_.records, process_);
}

void Study::pilot(const StudySoFar& before) {
  std::vector<std::size_t> order(results_.rows.size());
  std::iota(order.begin(), order.end(), 0);
  // Kernels are loaded when they are first launched, one behind the other.
  if (process_.places != 0) std::ranges::shuffle(order, std::mt19937_64(process_.places));
  for (const auto which : order) {
    auto& row = results_.rows[which];
    progress_.stage("pilot: " + row.measurement.name());
    row.lost_before = before.lost_in.contains(row.measurement.id());
    if (row.lost_before) continue;
    try {
      const auto limit = limited(row.measurement.device(), &row);
      row.job->run();  // loads the kernels: that must not happen while the stream is held
      row.job->fetch();
      if (row.warming.twin != nullptr) row.warming.twin->run();
      const auto& m = row.measurement;
      if (!selection_.profile)
        row.calls = calls_of_a_sample(m.device(), *row.job, m.cache, m.scope);
    } catch (const std::exception& error) {
      fail(row, error.what());
      continue;
    }
    const auto start = Clock::now();
    const auto time = timed(row);
    row.sample_cost = std::chrono::duration<double>(Clock::now() - start).count();
    if (!time) continue;
    const auto count =
        before.wanted(row.measurement.id(), samples_for(selection_, row.sample_cost, *time),
                      process_.index, selection_.processes);
    row.wanted = count > row.seconds.size() ? count - row.seconds.size() : 0;
  }
}

std::optional<double> Study::timed(Row& row) {
  const auto& m = row.measurement;
  std::optional<double> time;
  for (int attempt = 0; attempt < attempts && !time; ++attempt) {
    try {
      row.input->guard_and_plant(m.n, m.operation, row.planted);
      const auto limit = limited(m.device(), &row);
      time = time_run(m.device(), *row.job, m.cache, m.scope, row.warming, profile(), row.calls);
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
  if (!time) fail(row, "the stream was let go before all was enqueued, three times in a row");
  return time;
}

Profile Study::profile() const {
  if (!selection_.profile) return Profile::no;
  return selection_.profile_evicts ? Profile::cold : Profile::alone;
}

void Study::fail(Row& row, const std::string& what) {
  auto& device = row.measurement.device();
  if (const auto lost = device.recover()) lose(device, &row, concat(what, "; ", *lost));
  ++row.failed;
  if (row.error.empty()) row.error = what;
  records_.failed_sample(row, what);
}

TimeLimit::Run Study::limited(const Device& device, Row* row) {
  device_ = &device;
  row_ = row;
  const bool limit = time_limit_ && device.facts().kind == "gpu";
  return TimeLimit::Run(limit ? &*time_limit_ : nullptr);
}

void Study::end_where_lost(const std::string& what) {
  for (const auto& planned : results_.plan.devices) {
    if (const auto lost = planned.device->recover())
      lose(*planned.device, nullptr, concat(what, "; ", *lost));
  }
}

void Study::lose(const Device& device, Row* row, const std::string& why) {
  const std::string error = "device lost: " + why;
  try {
    if (row != nullptr) {
      ++row->failed;
      if (row->error.empty()) row->error = error;
      records_.failed_sample(*row, error, true);
    }
    // No process comes back to this one: what it has found is told now.
    for (const auto& ceiling : results_.ceilings) {
      if (!ceiling.best().seconds.empty()) records_.ceiling(ceiling);
    }
    for (const auto& one : results_.rows) {
      if (!one.seconds.empty() || one.wrong > 0 || one.failed > 0) records_.summary(results_, one);
    }
    records_.lost(device, row, error);
  } catch (const std::exception& problem) {
    end_as_lost(concat(error, "; ", problem.what()));
  }
  end_as_lost(row == nullptr ? error : concat(error, " (", row->measurement.name(), ")"));
}

void Study::sample(Row& row) {
  for (int left = selection_.profile ? 0 : attempts - 1; !sample(row, left > 0); --left) {
  }
}

bool Study::sample(Row& row, bool again) {
  const auto time = timed(row);
  if (!time) return true;
  const auto disturbed =
      selection_.profile ? std::string() : row.measurement.device().disturbance();
  const auto verdict = verdict_of(row);
  if (verdict.ok) {
    if (row.disturbance.empty()) row.disturbance = disturbed;
    if (!disturbed.empty() && again && row.retaken < most_retaken(row)) {
      ++row.retaken;
      records_.disturbed(row, *time, disturbed);
      return false;
    }
    if (!disturbed.empty()) ++row.disturbed;
    row.left_open |= verdict.left_open;
    row.results.insert(row.job->result().text());
    records_.sample(row, *time, verdict.ulps, disturbed);
    row.ulps = std::max(row.ulps, verdict.ulps);
    row.seconds.push_back(*time);
    const auto& m = row.measurement;
    if (const auto skew = m.device().release_skew(); skew && m.scope == Scope::kernel)
      row.skews.push_back(*skew);
  } else {
    const std::string error = "wrong result: " + verdict.message;
    records_.failed_sample(row, error);
    ++row.wrong;
    if (row.error.empty()) row.error = error;
  }
  return true;
}

void Study::register_rows() {
  for (auto& row : results_.rows) {
    if (row.wanted == 0 || row.failed > 0) continue;
    progress_.expect(row.sample_cost * static_cast<double>(row.wanted));
    register_benchmark(row.measurement.name(), row.wanted, [this, &row]() -> Repetition {
      const auto right = row.seconds.size();
      if (row.failed == 0) sample(row);
      progress_.advance(row.sample_cost, row.measurement.name());
      if (row.seconds.size() == right) return {0, 0, row.error};
      return {row.seconds.back(), static_cast<double>(row.measurement.bytes()), {}};
    });
  }
}

Repetition Study::sweep(Ceiling& ceiling, Ceiling::Candidate& candidate) {
  auto& device = *ceiling.device;
  progress_.advance(candidate.cost, "ceiling");
  try {
    const auto limit = limited(device, nullptr);
    const auto once = [&] {
      return time_run(device, *candidate.job, ceiling.cache, finest_scope(device), {}, Profile::no,
                      candidate.calls);
    };
    auto time = once();
    for (int left = attempts - 1; left > 0 && time; --left) {
      if (device.disturbance().empty()) break;
      time = once();
    }
    if (!time) return {0, 0, "discarded"};
    candidate.seconds.push_back(*time);
    return {*time, static_cast<double>(ceiling.bytes), {}};
  } catch (const std::exception& error) {
    if (const auto lost = device.recover())
      lose(device, nullptr, concat(error.what(), "; ", *lost));
    return {0, 0, error.what()};
  }
}

void Study::register_ceilings() {
  for (auto& ceiling : results_.ceilings) {
    for (auto& candidate : ceiling.candidates) {
      progress_.expect(candidate.cost * static_cast<double>(candidate.wanted));
      register_benchmark(concat("ceiling/", ceiling.device->name()), candidate.wanted,
                         [this, &ceiling, &candidate] { return sweep(ceiling, candidate); });
    }
  }
}

void Study::run() {
  progress_.clear();
  // What was before the first sample disturbs none.
  for (const auto& planned : results_.plan.devices) (void)planned.device->disturbance();
  register_rows();
  register_ceilings();
  run_benchmarks(selection_);
  progress_.clear();
  if (selection_.profile) return;
  for (const auto& ceiling : results_.ceilings) records_.ceiling(ceiling);
  for (const auto& row : results_.rows) {
    if (!row.lost_before) records_.summary(results_, row);  // the process that lost it has told
  }
  for (const auto& planned : results_.plan.devices) records_.conditions("end", *planned.device);
}

}  // namespace ladder::bench
