#include "bench/run/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "bench/results/resident_input.hpp"
#include "bench/results/sampler.hpp"
#include "bench/run/study.hpp"
#include "bench/text.hpp"
#include "common/reference.hpp"

namespace ladder::bench {
namespace {

/// Elements of the small inputs that costs are found out on.
constexpr std::size_t small = std::size_t{1} << 20;

using Now = std::function<double()>;

template <class Body>
double seconds_of(const Now& now, const Body& body) {
  const double start = now();
  body();
  return now() - start;
}

/// What a sample costs on a device beside the rung itself.
struct DeviceCosts {
  double cold = 0, hot = 0;  ///< one timed run of the least that can be launched
  double launch = 0;         ///< of which is that launch
  double per_byte = 0;       ///< of a read of memory at full speed

  double around(Cache cache) const { return cache == Cache::hot ? hot : cold; }
  double reading(std::size_t bytes) const { return launch + static_cast<double>(bytes) * per_byte; }
};

DeviceCosts costs_of(Device& device, const Now& now) {
  const auto job = device.floor(Floor::launch);
  const auto scope = finest_scope(device);
  const auto timed = [&](Cache cache) {
    return seconds_of(now, [&] { time_run(device, *job, cache, scope); });
  };
  timed(Cache::cold);  // makes the buffer that is read
  DeviceCosts costs;
  costs.cold = std::min(timed(Cache::cold), timed(Cache::cold));
  costs.hot = std::min(timed(Cache::hot), timed(Cache::hot));
  costs.launch = time_run(device, *job, Cache::hot, scope).value_or(0);
  const double evicting = std::max(costs.cold - costs.hot, 0.0);
  costs.per_byte =
      evicting / static_cast<double>(std::max<std::size_t>(device.eviction().bytes, 1));
  return costs;
}

/// A problem of at most `small` elements on which the costs of one input are found out.
struct Sample {
  std::size_t n = 0;
  double making = 0;                       ///< seconds for n elements
  std::map<Operation, double> checking{};  ///< likewise
  std::unique_ptr<ResidentInput> input{};
};

Sample sample_of(const std::vector<const Measurement*>& group, const Plan& plan, const Now& now) {
  const auto& first = *group.front();
  const auto* file = first.data == Data::file ? plan.files.at(first.type).get() : nullptr;
  Sample sample;
  for (const auto* m : group) sample.n = std::max(sample.n, std::min(m->n, small));
  const Recipe recipe{first.data, first.operation, 1};
  sample.making = seconds_of(now, [&] {
    sample.input = std::make_unique<ResidentInput>(first.device(), first.type, recipe, sample.n, 0,
                                                   first.offset, file, true);
  });
  Elements elements{first.type, recipe, file != nullptr ? file->data() : nullptr};
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  for (const auto* m : group) {
    auto& seconds = sample.checking[m->operation];
    if (seconds == 0)
      seconds = seconds_of(now, [&] {
        references(elements, m->operation, {&sample.n, 1}, threads);
      });
  }
  return sample;
}

/// Seconds of one run: as on the sample in proportion, but no faster than memory can be read.
double run_seconds(const Measurement& m, const Sample& sample, const DeviceCosts& costs) {
  const std::size_t n = std::min(m.n, sample.n);
  const double least = costs.reading(m.bytes());
  try {
    const Problem problem{sample.input->data(), n, m.type, m.operation, nullptr};
    const auto tuning = m.backend->resolve(m.rung, problem, m.tuning);
    const auto job = m.backend->prepare(m.rung, problem, tuning);
    job->run();
    job->fetch();
    const auto time = time_run(m.device(), *job, Cache::hot, m.scope);
    if (!time || n == 0) return least;
    const double share = static_cast<double>(m.n) / static_cast<double>(n);
    return std::max(least, costs.launch + std::max(0.0, *time - costs.launch) * share);
  } catch (const std::exception&) {
    m.device().recover();
    return least;
  }
}

class Estimator {
 public:
  Estimator(const Selection& selection, const Plan& plan, const Now& now)
      : selection_(selection), plan_(plan), now_(now) {
    for (const auto& planned : plan.devices)
      costs_[planned.device] = costs_of(*planned.device, now);
  }

  double total() {
    double seconds = 0;
    for (const auto& group : groups(plan_.measurements, share_input)) {
      const Sample sample = sample_of(group, plan_, now_);
      swept_on_input_.clear();
      seconds += preparing(group, sample);
      for (const auto* m : group) seconds += sampling(*m, sample) + ceiling(*m);
    }
    return seconds;
  }

 private:
  static double preparing(const std::vector<const Measurement*>& group, const Sample& sample) {
    std::size_t most = 0;
    for (const auto* m : group) most = std::max(most, m->n);
    if (sample.n == 0) return 0;
    double once = sample.making;
    for (const auto& [operation, seconds] : sample.checking) once += seconds;
    return once * static_cast<double>(most) / static_cast<double>(sample.n);
  }

  /// With the run that warms up and the pilot.
  double sampling(const Measurement& m, const Sample& sample) {
    const auto& costs = costs_.at(&m.device());
    const auto key = std::tuple(m.backend, m.rung, m.type, m.operation, m.n, m.tuning.block,
                                m.tuning.grid, m.tuning.items, m.tuning.workers);
    if (!runs_.contains(key)) runs_[key] = run_seconds(m, sample, costs);
    const double run = runs_[key];
    return run + repeated(run, m.cache, costs, 1);
  }

  /// The sweep at a size and cache state, once for all who share it, and what it has kept once for
  /// each input of a CPU (bench/run/ceilings.cpp).
  double ceiling(const Measurement& m) {
    if (selection_.profile || selection_.no_ceilings || m.bytes() < 16) return 0;
    const bool first = swept_.emplace(&m.device(), m.bytes(), m.cache).second;
    const bool on_input = swept_on_input_.emplace(&m.device(), m.bytes(), m.cache).second;
    if (!first && !(on_input && m.device().facts().kind == "cpu")) return 0;
    const auto& costs = costs_.at(&m.device());
    const auto all = m.device().ceiling_configurations().size();
    const auto second = std::min<std::size_t>(all, sweep_second);
    const double run = costs.reading(m.bytes()), one = sample_seconds(run, m.cache, costs);
    double seconds =
        static_cast<double>(first ? all : std::min<std::size_t>(all, sweep_kept)) * (run + one);
    if (first) seconds += 2 * static_cast<double>(second) * one;
    for (std::size_t i = 0; i < std::min<std::size_t>(all, sweep_kept); ++i)
      seconds += repeated(run, m.cache, costs, 0);
    return seconds;
  }

  static double sample_seconds(double run, Cache cache, const DeviceCosts& costs) {
    return costs.around(cache) + run * (cache == Cache::cold ? 1 : 1 + hot_runs);
  }
  double repeated(double run, Cache cache, const DeviceCosts& costs, std::size_t more) const {
    const double one = sample_seconds(run, cache, costs);
    return one * static_cast<double>(samples_for(selection_, one, run) + more);
  }

  const Selection& selection_;
  const Plan& plan_;
  const Now& now_;
  std::map<const Device*, DeviceCosts> costs_;
  std::map<std::tuple<Backend*, std::size_t, Type, Operation, std::size_t, unsigned, unsigned,
                      unsigned, unsigned>,
           double>
      runs_;
  std::set<std::tuple<const Device*, std::size_t, Cache>> swept_;
  std::set<std::tuple<const Device*, std::size_t, Cache>> swept_on_input_;  ///< of this group
};

}  // namespace

double estimated_seconds(const Selection& selection, const Plan& plan, const Now& now) {
  return Estimator(selection, plan, now).total();
}

double estimated_seconds(const Selection& selection, const Plan& plan) {
  using Clock = std::chrono::steady_clock;
  return estimated_seconds(selection, plan, [] {
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  });
}

}  // namespace ladder::bench
