// What a study does before its first counted sample.

#include <algorithm>
#include <chrono>
#include <thread>
#include <tuple>

#include "bench/sampler.hpp"
#include "bench/study.hpp"

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int floor_samples = 21;
// Of the sweep's configurations: those that come into the closer choice, and those of them that are
// interleaved with the rungs.
constexpr std::size_t sweep_second = 8, sweep_kept = 3;

constexpr double time_budget(const Selection& selection) { return selection.quick ? 0.1 : 0.5; }

}  // namespace

std::size_t Study::samples_for(double cost, double seconds) const {
  if (selection_.profile) return 1;
  if (selection_.samples) return *selection_.samples;
  const std::size_t least = seconds > 1 ? 3 : 5;
  // Cold times of some microseconds have two or three modes, a microsecond apart. A median of fewer
  // samples jumps between them (the A/A trial: docs/method.md).
  const std::size_t most = selection_.quick ? 40 : 500;
  return std::clamp(static_cast<std::size_t>(time_budget(selection_) / cost), least, most);
}

void Study::prepare(const std::map<std::string, Earlier>& earlier) {
  for (auto* backend : plan_.backends) {
    records_.write("conditions", {{"at", "start"},
                                  {"backend", backend->name()},
                                  {"facts", describe(backend->conditions())}});
  }
  make_inputs();
  for (auto& row : rows_) {
    records_.write("measurement",
                   describe(row.measurement, row.job->footprint(), row.input->recipe().seed));
    if (const auto known = earlier.find(row.measurement.id()); known != earlier.end()) {
      row.seconds = known->second.seconds;
      row.ulps = known->second.ulps;
    }
  }
  if (!selection_.profile) {
    measure_floors();
    sweep_ceilings();
  }
  pilot();
  for (const auto& skipped : plan_.skipped)
    records_.write("skipped", {{"what", skipped.what}, {"reason", skipped.reason}});
}

void Study::make_inputs() {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Measurement> left = std::move(plan_.measurements);
  plan_.measurements.clear();
  while (!left.empty()) {
    std::vector<Measurement> group, others;
    for (auto& m : left) (share_input(left.front(), m) ? group : others).push_back(m);
    left = std::move(others);

    std::vector<std::size_t> sizes;
    std::vector<Operation> wanted;
    for (const auto& m : group) {
      sizes.push_back(m.n);
      if (std::ranges::find(wanted, m.operation) == wanted.end()) wanted.push_back(m.operation);
    }
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const auto& first = group.front();
    progress_.stage("data and references: " + std::string(facts(first.type).name) + " up to " +
                    bytes_text(static_cast<double>(effective_bytes(sizes.back(), first.type))));

    const auto* file = first.data == Data::file ? plan_.files.at(first.type).get() : nullptr;
    Elements elements{first.type,
                      {first.data, first.operation, selection_.seed},
                      file != nullptr ? file->data() : nullptr};
    std::map<Operation, std::vector<Reference>> found;
    // A result of zero would let a rung pass that returns nothing: the first seed is taken that has
    // none.
    for (bool zero = true; zero;) {
      zero = false;
      for (const auto operation : wanted) {
        found[operation] = references(elements, operation, sizes, threads);
        for (const auto& reference : found[operation])
          zero |= reference.n > 0 && reference.value.number() == 0;
      }
      if (first.data != Data::exact) break;
      if (zero) ++elements.recipe.seed;
    }
    residents_.push_back(
        {first, std::make_unique<Input>(*first.backend, first.type, elements.recipe, sizes.back(),
                                        file, !selection_.profile)});
    auto* input = residents_.back().input.get();
    for (auto& m : group) {
      const auto which = std::ranges::lower_bound(sizes, m.n) - sizes.begin();
      Row row;
      row.input = input;
      row.reference = found[m.operation][static_cast<std::size_t>(which)];
      row.planted = m.n;
      if (m.place && m.n > 0) {
        row.planted = index_of(*m.place, m.n, m.tuning.block, elements.recipe.seed);
        row.reference = with_planted(row.reference, m.type, elements.recipe, row.planted);
      }
      try {
        row.job = m.backend->prepare(m.rung, {input->data(), m.n, m.type, m.operation, nullptr},
                                     m.tuning);
      } catch (const NotPossible& reason) {
        plan_.skipped.push_back({m.name(), reason.what()});
        continue;
      }
      row.vacuous = check(row.reference.value, row.reference, rounds(m.type, m.operation, m.data),
                          row.job->footprint().depth())
                        .vacuous;
      row.measurement = std::move(m);
      rows_.push_back(std::move(row));
    }
  }
  // In the plan's order again: backend by backend, rung by rung.
  std::ranges::stable_sort(rows_, {}, [&](const Row& row) {
    const auto backend =
        std::ranges::find(plan_.backends, row.measurement.backend) - plan_.backends.begin();
    return std::tuple(backend, row.measurement.rung, row.measurement.n);
  });
}

void Study::measure_floors() {
  for (auto* backend : plan_.backends) {
    const auto names = backend->floors();
    for (std::size_t which = 0; which < names.size(); ++which) {
      progress_.stage("floor: " + names[which]);
      const auto job = backend->floor(which);
      std::vector<double> seconds;
      for (int i = 0; i < floor_samples; ++i) {
        if (const auto time = time_run(*backend, *job, Cache::hot, finest_scope(*backend)))
          seconds.push_back(*time);
      }
      const Statistics statistics(seconds);
      records_.write("floor", {{"backend", backend->name()},
                               {"what", names[which]},
                               {"scope", name(finest_scope(*backend))},
                               {"count", statistics.count},
                               {"median", statistics.median},
                               {"p5", statistics.p5},
                               {"p95", statistics.p95}});
      floors_.push_back({backend, names[which], statistics});
    }
  }
}

void Study::sweep_ceilings() {
  for (const auto& row : rows_) {
    const auto& m = row.measurement;
    const std::string space = m.backend->memory_space();
    const bool known = std::ranges::any_of(ceilings_, [&](const Ceiling& c) {
      return c.space == space && c.asked_bytes == m.bytes() && c.cache == m.cache;
    });
    if (known || m.bytes() < 16) continue;
    progress_.stage("ceiling: " + bytes_text(static_cast<double>(m.bytes())) + " " +
                    std::string(name(m.cache)));
    Ceiling ceiling{space, m.bytes(), m.bytes() / 16 * 16, m.cache, {}};
    for (auto* backend : plan_.backends) {
      if (backend->memory_space() != space) continue;
      for (std::size_t c = 0; c < backend->ceiling_configurations().size(); ++c) {
        ceiling.candidates.push_back(
            {backend, c, backend->ceiling(c, row.input->data(), ceiling.bytes), {}});
      }
    }
    const auto measure = [&](Ceiling::Candidate& candidate) {
      const auto start = Clock::now();
      const auto time =
          time_run(*candidate.backend, *candidate.job, m.cache, finest_scope(*candidate.backend));
      if (time) candidate.seconds.push_back(*time);
      candidate.cost = since(start);
    };
    const auto keep = [&](std::size_t count) {
      std::ranges::sort(ceiling.candidates, {}, [](const auto& c) {
        return c.seconds.empty() ? 1e30 : Statistics(c.seconds).median;
      });
      if (ceiling.candidates.size() > count)
        ceiling.candidates.erase(ceiling.candidates.begin() + static_cast<std::ptrdiff_t>(count),
                                 ceiling.candidates.end());
    };
    if (ceiling.candidates.empty()) continue;
    for (auto& candidate : ceiling.candidates) {
      candidate.job->run();  // its kernel loaded, its threads made
      candidate.job->fetch();
      measure(candidate);
    }
    keep(sweep_second);
    for (auto& candidate : ceiling.candidates) {
      measure(candidate);
      measure(candidate);
    }
    keep(sweep_kept);
    for (auto& candidate : ceiling.candidates) {
      const double seconds = candidate.seconds.empty() ? 0 : Statistics(candidate.seconds).median;
      candidate.wanted = samples_for(candidate.cost, seconds);
      candidate.seconds.clear();  // what chose it must not also measure it: the best of many would
                                  // flatter itself
    }
    ceilings_.push_back(std::move(ceiling));
  }
}

void Study::pilot() {
  for (auto& row : rows_) {
    progress_.stage("pilot: " + row.measurement.name());
    try {
      row.job->run();  // loads the kernels: that must not happen while the queue is held
      row.job->fetch();
    } catch (const std::exception& error) {
      fail(row, error.what());
      continue;
    }
    const auto start = Clock::now();
    const auto time = timed(row);
    row.sample_cost = since(start);
    if (!time) continue;
    const auto count = samples_for(row.sample_cost, *time);
    row.wanted = count > row.seconds.size() ? count - row.seconds.size() : 0;
  }
}

}  // namespace ladder::bench
