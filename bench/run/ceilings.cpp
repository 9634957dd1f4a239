#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#include "bench/results/sampler.hpp"
#include "bench/run/study.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int floor_samples = 21;
constexpr std::ptrdiff_t sweep_second = 8;  // configurations kept for the second selection

void measure(const Ceiling& ceiling, Ceiling::Candidate& candidate) {
  const auto start = Clock::now();
  const auto time = time_run(*ceiling.device, *candidate.job, ceiling.cache,
                             finest_scope(*ceiling.device), candidate.calls);
  if (time) candidate.seconds.push_back(*time);
  candidate.cost = std::chrono::duration<double>(Clock::now() - start).count();
}

/// Keeps the `count` fastest candidates.
void keep(Ceiling& ceiling, std::ptrdiff_t count) {
  auto& candidates = ceiling.candidates;
  std::ranges::sort(candidates, {}, &Ceiling::Candidate::time);
  if (std::ssize(candidates) > count)
    candidates.erase(candidates.begin() + count, candidates.end());
}

/// Adds a candidate per configuration, ready to be timed.
void add_candidates(Ceiling& ceiling, const ResidentInput& input,
                    const std::vector<std::size_t>& configurations) {
  auto& device = *ceiling.device;
  for (const auto c : configurations) {
    ceiling.candidates.push_back({{device.ceiling(c, input.data(), ceiling.bytes)}, c});
    auto& candidate = ceiling.candidates.back();
    candidate.job->run();  // loads the kernel, creates threads
    candidate.job->fetch();
    candidate.calls =
        calls_of_a_sample(device, *candidate.job, ceiling.cache, finest_scope(device));
    measure(ceiling, candidate);
  }
}

/// Selects the best of all configurations; faster ones are timed more often.
void choose_among_all(Ceiling& ceiling, const ResidentInput& input) {
  std::vector<std::size_t> all(ceiling.device->ceiling_configurations().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  add_candidates(ceiling, input, all);
  keep(ceiling, sweep_second);
  for (auto& candidate : ceiling.candidates) {
    measure(ceiling, candidate);
    measure(ceiling, candidate);
  }
  keep(ceiling, sweep_kept);
}

/// Best configurations for another input of the same size; empty if none was swept.
std::vector<std::size_t> chosen_before(const Measurement& m, const Results& results) {
  const auto other = std::ranges::find_if(
      results.ceilings, [&](const Ceiling& ceiling) { return ceiling.is_alike(m); });
  std::vector<std::size_t> chosen;
  if (other == results.ceilings.end()) return chosen;
  for (const auto& candidate : other->candidates) chosen.push_back(candidate.configuration);
  return chosen;
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
      if (what == Floor::call && calls == 1) continue;  // samples here have one call
      std::vector<double> seconds;
      for (int i = 0; i < floor_samples; ++i) {
        if (const auto time = time_run(device, *job, Cache::hot, scope, calls))
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
    const bool known = std::ranges::any_of(
        results.ceilings, [&](const Ceiling& ceiling) { return ceiling.is_of(m); });
    if (known || m.scope == Scope::chain || m.bytes() < 16 ||
        device.ceiling_configurations().empty()) {
      continue;
    }
    progress.stage(concat("ceiling: ", size_text(m.bytes()), " ", name(m.cache)));
    Ceiling ceiling{&device, m.bytes(), m.bytes() / 16 * 16, m.cache, {}, {}, {}};
    if (device.facts().kind == "cpu") ceiling.input_of = m;
    if (const auto chosen = chosen_before(m, results); !chosen.empty()) {
      add_candidates(ceiling, *row.input, chosen);
    } else {
      choose_among_all(ceiling, *row.input);
    }
    for (auto& candidate : ceiling.candidates) {
      candidate.wanted = samples_for(selection, candidate.cost, candidate.time());
      candidate.seconds.clear();  // samples used for selection would bias the result: the
                                  // best of many looks too fast
    }
    results.ceilings.push_back(std::move(ceiling));
  }
}

}  // namespace ladder::bench
