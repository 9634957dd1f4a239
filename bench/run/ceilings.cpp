#include <algorithm>
#include <chrono>

#include "bench/run/sampler.hpp"
#include "bench/run/study.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

constexpr int floor_samples = 21;

void measure(const Ceiling& ceiling, Ceiling::Candidate& candidate) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto time = time_run(*ceiling.device, *candidate.job, ceiling.cache,
                             finest_scope(*ceiling.device), {}, Profile::no, candidate.calls);
  if (time) candidate.seconds.push_back(*time);
  candidate.cost = std::chrono::duration<double>(Clock::now() - start).count();
}

/// Leaves the `count` fastest so far.
void keep(Ceiling& ceiling, std::ptrdiff_t count) {
  auto& candidates = ceiling.candidates;
  std::ranges::sort(candidates, {}, &Ceiling::Candidate::time);
  if (std::ssize(candidates) > count)
    candidates.erase(candidates.begin() + count, candidates.end());
}

}  // namespace

void measure_floors(Progress& progress, Results& results) {
  for (const auto& planned : results.plan.devices) {
    auto& device = *planned.device;
    for (const auto what : {Floor::launch, Floor::clock, Floor::call}) {
      progress.stage(concat("floor: ", name(what)));
      const auto job = device.floor(what == Floor::launch ? what : Floor::clock);
      const auto scope = finest_scope(device);
      const unsigned calls =
          what == Floor::call ? calls_of_a_sample(device, *job, Cache::hot, scope) : 1;
      if (what == Floor::call && calls == 1) continue;  // no sample here is several calls
      std::vector<double> seconds;
      for (int i = 0; i < floor_samples; ++i) {
        if (const auto time = time_run(device, *job, Cache::hot, scope, {}, Profile::no, calls))
          seconds.push_back(*time);
      }
      results.floors.push_back({&device, what, Statistics(seconds), calls});
    }
  }
}

void sweep_ceilings(const Selection& selection, Progress& progress, Results& results) {
  for (const auto& row : results.rows) {
    const auto& m = row.measurement;
    auto& device = m.device();
    const bool known = std::ranges::any_of(results.ceilings, [&](const Ceiling& c) {
      return c.device == &device && c.asked_bytes == m.bytes() && c.cache == m.cache;
    });
    if (known || m.bytes() < 16) continue;
    progress.stage(concat("ceiling: ", size_text(m.bytes()), " ", name(m.cache)));
    Ceiling ceiling{&device, m.bytes(), m.bytes() / 16 * 16, m.cache, {}, {}};
    for (std::size_t c = 0; c < device.ceiling_configurations().size(); ++c) {
      auto job = device.ceiling(c, row.input->aligned(), ceiling.bytes);
      ceiling.candidates.push_back({c, std::move(job), {}});
    }
    if (ceiling.candidates.empty()) continue;
    for (auto& candidate : ceiling.candidates) {
      candidate.job->run();  // its kernel loaded, its threads made
      candidate.job->fetch();
      candidate.calls =
          calls_of_a_sample(device, *candidate.job, ceiling.cache, finest_scope(device));
      measure(ceiling, candidate);
    }
    keep(ceiling, sweep_second);
    for (auto& candidate : ceiling.candidates) {
      measure(ceiling, candidate);
      measure(ceiling, candidate);
    }
    keep(ceiling, sweep_kept);
    for (auto& candidate : ceiling.candidates) {
      candidate.wanted = samples_for(selection, candidate.cost, candidate.time());
      candidate.seconds.clear();  // what chose it must not also measure it: the best of many would
                                  // flatter itself
    }
    results.ceilings.push_back(std::move(ceiling));
  }
}

}  // namespace ladder::bench
