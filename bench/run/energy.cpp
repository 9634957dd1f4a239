#include "bench/run/energy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "bench/records/interruption.hpp"
#include "bench/results/statistics.hpp"
#include "bench/run/study.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// More calls than that are never enqueued without waiting.
constexpr double most_calls = 1 << 20;
/// Of the time that a batch is expected to take, how much may go by with looks at the counter: then
/// the next batch comes.
constexpr double looking_part = 0.8;

}  // namespace

bool EnergyInterval::waiting() const {
  return !ended_ && (!begin_ || counter_.now() - begin_->seconds >= least_);
}

void EnergyInterval::look() {
  const double from = counter_.now(), joules = counter_.joules();
  const Reading now{from, counter_.now(), joules};
  if (!waits_from_) waits_from_ = now.from;
  const bool changed = before_ && now.joules != before_->joules;
  if (changed) {
    const double first = std::max(before_->from, now.from - step_.seconds);
    // In the middle of what is possible, give or take half of it.
    const Change change{(first + now.to) / 2, now.joules, (now.to - first) / 2};
    if (begin_) {
      energy_ = {change.joules - begin_->joules, change.seconds - begin_->seconds,
                 change.slack + begin_->slack};
      ended_ = true;
    } else {
      begin_ = change;
    }
    before_.reset();
    waits_from_.reset();
  } else {
    if (now.to - *waits_from_ > std::max(energy_patience, 10 * step_.seconds))
      throw std::runtime_error("the energy counter stands still");
    before_ = now;
  }
}

EnergyStep measure_step(EnergyCounter& counter) {
  constexpr std::size_t least_changes = 5;
  std::vector<double> seconds, joules;
  double last = counter.joules(), changed_at = 0;
  bool known = false;  // when the last change was
  const double start = counter.now();
  while (counter.now() - start < idle_least || seconds.size() < least_changes) {
    const double value = counter.joules(), now = counter.now();
    if (value != last) {
      if (known) {
        seconds.push_back(now - changed_at);
        joules.push_back(value - last);
      }
      last = value;
      changed_at = now;
      known = true;
    } else if (now - (known ? changed_at : start) > energy_patience) {
      throw NotPossible(concat("the energy counter stands still (", counter.source(), ")"));
    }
    counter.wait(energy_pause);
  }
  return {Statistics(seconds).median, Statistics(joules).median};
}

Energy measure_idle(EnergyCounter& counter, const EnergyStep& step) {
  counter.wait(idle_settling);
  EnergyInterval interval(counter, step, idle_least);
  while (!interval.ended()) {
    if (interval.waiting()) interval.look();
    counter.wait(energy_pause);
  }
  return interval.energy();
}

LoadEnergy measure_load(EnergyCounter& counter, const EnergyStep& step, const Load& load) {
  std::size_t calls = 1;  // of a batch
  double batch = 0;       // seconds
  const auto run_batch = [&] {
    const double start = counter.now();
    load.enqueue(calls);
    load.finish();
    batch = counter.now() - start;
  };
  // As many calls as a batch takes, while clocks and power settle.
  for (const double start = counter.now(); counter.now() - start < energy_warm_up;) {
    run_batch();
    const double wanted = static_cast<double>(calls) * energy_batch / std::max(batch, 1e-9);
    const double most = std::min(most_calls, 8.0 * static_cast<double>(calls));
    calls = static_cast<std::size_t>(std::clamp(std::floor(wanted), 1.0, most));
  }
  run_batch();

  LoadEnergy found;
  EnergyInterval interval(counter, step, energy_least);
  const double start = counter.now();
  while (!interval.ended()) {
    const double began = counter.now();
    load.enqueue(calls);
    found.calls += calls;
    if (interval.waiting()) {
      interval.look();
      while (interval.waiting() && counter.now() - began < looking_part * batch) {
        counter.wait(energy_pause);
        interval.look();
      }
    }
    load.finish();
  }
  found.seconds = counter.now() - start;
  found.energy = interval.energy();
  return found;
}

std::vector<std::size_t> order_of_round(std::size_t count, unsigned round, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < round; ++i) std::ranges::shuffle(order, random);
  return order;
}

namespace {

/// A device, and what counts its energy.
struct Metered {
  Device* device = nullptr;
  std::unique_ptr<EnergyCounter> counter;
  EnergyStep step;
  Energy idle;  ///< before the round under way
};

/// A row's calls back to back: of each batch the last result is looked at.
class RowLoad {
 public:
  explicit RowLoad(Row& row) : row_(row), armed_(*row.job) {}

  Load load() {
    return {[this](std::size_t calls) {
              row_.job->spoil();
              for (std::size_t i = 0; i < calls; ++i) row_.job->run();
            },
            [this] {
              row_.job->fetch();
              row_.measurement.device().synchronize();
              const auto verdict = verdict_of(row_);
              if (!verdict.ok) throw std::runtime_error("wrong result: " + verdict.message);
            }};
  }

 private:
  Row& row_;
  Armed armed_;
};

void measure_row(Metered& metered, Row& row, EnergyRound& round) {
  const auto& m = row.measurement;
  const auto note = [&](const std::exception& error) {
    if (round.error.empty()) round.error = error.what();
    if (const auto lost = m.device().recover()) {
      round.error = concat("device lost: ", round.error, "; ", *lost);
      round.lost = true;
    }
  };
  try {
    row.input->guard_and_plant(m.n, m.operation, row.planted);
    RowLoad running(row);
    round.load = measure_load(*metered.counter, metered.step, running.load());
  } catch (const std::exception& error) {
    note(error);
  }
  try {
    row.input->restore(m.n, row.planted);
  } catch (const std::exception& error) {
    note(error);
  }
}

}  // namespace

std::vector<EnergyRound> measure_energy(Results& results, std::uint64_t seed, Progress& progress,
                                        const std::function<void(const EnergyRound&)>& done) {
  std::vector<Metered> devices;
  for (const auto& planned : results.plan.devices) {
    progress.stage(concat("energy: the counter's step on ", planned.device->name()));
    devices.push_back({planned.device, planned.device->energy_counter(), {}, {}});
    devices.back().step = measure_step(*devices.back().counter);
  }
  std::vector<EnergyRound> rounds;
  for (unsigned round = 1; round <= energy_rounds; ++round) {
    for (auto& metered : devices) {
      progress.stage(concat("energy: ", metered.device->name(), " idle"));
      metered.idle = measure_idle(*metered.counter, metered.step);
    }
    const auto order = order_of_round(results.rows.size(), round, seed);
    for (std::size_t place = 0; place < order.size(); ++place) {
      auto& row = results.rows[order[place]];
      auto& metered = *std::ranges::find(devices, &row.measurement.device(), &Metered::device);
      progress.stage(concat("energy: round ", round, " of ", energy_rounds, ", ", place + 1, " of ",
                            order.size(), ": ", row.measurement.name()));
      EnergyRound one{&row,         round,        place + 1, metered.counter->source(),
                      metered.step, metered.idle, {},        ""};
      measure_row(metered, row, one);
      done(one);
      if (one.lost) end_as_lost(one.error);
      rounds.push_back(one);
    }
  }
  progress.clear();
  return rounds;
}

double energy_seconds(const Plan& plan) {
  // A counter's steps, and what is made ready, are the tenth of a second.
  const double round = energy_warm_up + energy_least + 2 * energy_batch + 0.1;
  const double idle = idle_settling + idle_least + 0.1;
  const auto devices = static_cast<double>(plan.devices.size());
  return devices * idle_least +
         energy_rounds * (devices * idle + round * static_cast<double>(plan.measurements.size()));
}

}  // namespace ladder::bench
