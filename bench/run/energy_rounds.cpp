// Energy of rungs, run back to back without timing, measured by the device's energy counter.

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "bench/run/study.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

// Seconds: minimum interval under load and idle, warm-up before load and rest before idle, a batch
// of calls, pause between readings of an idle device, and timeout for an unchanged counter.
constexpr double load_time = 3, idle_time = 2, warm_up_time = 0.5, rest_time = 1, batch_time = 0.02,
                 pause_time = 0.5e-3, patience_time = 10;

/// Work of the device between two readings of the counter; the counter is read while it runs.
struct Work {
  std::function<void()> enqueue, finish;
};

/// Waits for the next change of the counter. A reading takes milliseconds, and the counter changes
/// ten times a second. `seconds` is a point in time, `slack` its uncertainty.
Energy next_change(EnergyCounter& counter, const Work& work) {
  const double start = counter.now();
  for (double before = 0, before_from = -1;;) {
    work.enqueue();
    const double from = counter.now(), joules = counter.joules(), to = counter.now();
    work.finish();
    if (before_from >= 0 && joules != before)
      return {joules, (before_from + to) / 2, (to - before_from) / 2};
    if (to - start > patience_time)
      throw NotPossible(concat("the energy counter stands still (", counter.source(), ")"));
    before = joules;
    before_from = from;
  }
}

/// Measures from one counter change to the first one at least `least` seconds later.
Energy measure(EnergyCounter& counter, double least, const Work& work) {
  const Energy begin = next_change(counter, work);
  while (counter.now() - begin.seconds < least) {
    work.enqueue();
    work.finish();
  }
  const Energy end = next_change(counter, work);
  return {end.joules - begin.joules, end.seconds - begin.seconds, begin.slack + end.slack};
}

/// Runs the row back to back and checks the last result of each batch.
void measure_load(EnergyCounter& counter, const Row& row, EnergyRound& round) {
  const auto pinned = armed(*row.job);
  std::size_t calls = 1;  // calls per batch
  const Work work{[&] {
                    row.job->spoil();
                    for (std::size_t i = 0; i < calls; ++i) row.job->run();
                    round.calls += calls;
                  },
                  [&] {
                    row.job->fetch();
                    row.measurement.device().synchronize();
                    const auto verdict = verdict_of(row);
                    if (!verdict.ok) throw std::runtime_error("wrong result: " + verdict.message);
                  }};
  // While clocks and power settle, single calls determine the batch size.
  double start = counter.now();
  while (counter.now() - start < warm_up_time) {
    work.enqueue();
    work.finish();
  }
  const double rate = static_cast<double>(round.calls) / (counter.now() - start);
  calls = std::max<std::size_t>(1, static_cast<std::size_t>(rate * batch_time));
  round.calls = 0;
  start = counter.now();
  round.load = measure(counter, load_time, work);
  round.calls_seconds = counter.now() - start;
}

}  // namespace

void Study::measure_energy() {
  std::map<const Device*, std::unique_ptr<EnergyCounter>> counters;
  for (const auto& planned : results_.plan.devices)
    counters[planned.device] = planned.device->energy_counter();
  std::vector<Row*> order;
  for (auto& row : results_.rows) order.push_back(&row);
  std::mt19937_64 random(std::random_device{}());
  for (unsigned round = 1; round <= energy_rounds; ++round) {
    std::map<const Device*, Energy> steps, idles;
    for (auto& [device, counter] : counters) {
      progress_.stage(concat("energy: ", device->name(), " idle"));
      counter->wait(rest_time);
      const Work none{[] {}, [&counter = *counter] { counter.wait(pause_time); }};
      steps[device] = measure(*counter, 0, none);
      idles[device] = measure(*counter, idle_time, none);
    }
    std::ranges::shuffle(order, random);
    for (std::size_t i = 0; i < order.size(); ++i) {
      Row& row = *order[i];
      const Device* const device = &row.measurement.device();
      auto& counter = *counters[device];
      progress_.stage(concat("energy: round ", round, " of ", energy_rounds, ", ", i + 1, " of ",
                             order.size(), ": ", row.measurement.name()));
      auto& one = row.energy.emplace_back(
          EnergyRound{round, i + 1, counter.source(), steps[device], idles[device]});
      one.error = on_its_input(row, [&] { measure_load(counter, row, one); });
      records_.energy(row, one);
      if (one.error.empty()) continue;
      ++row.failed;
      row.error = one.error;
    }
  }
  end();
}

double energy_seconds(const Plan& plan) {
  const auto devices = static_cast<double>(plan.devices.size());
  const auto loads = static_cast<double>(plan.measurements.size());
  return energy_rounds * (devices * (rest_time + idle_time) + loads * (warm_up_time + load_time));
}

}  // namespace ladder::bench
