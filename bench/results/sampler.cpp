#include "bench/results/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "bench/plan/plan.hpp"

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Job& job, unsigned calls) {
  job.line_up(calls);
  const auto start = Clock::now();
  for (unsigned i = 0; i < calls; ++i) {
    job.run();
    job.fetch();
  }
  const auto stop = Clock::now();
  return job.longest(std::chrono::duration<double>(stop - start).count());
}

/// Runs untimed, which fills the caches.
void warm_up(Job& job) {
  constexpr int hot_runs = 3;
  job.line_up(hot_runs);
  for (int i = 0; i < hot_runs; ++i) job.run();
}

unsigned calls_of_a_chain(Device& device, Job& job) {
  constexpr unsigned least = 20, most = 100;
  constexpr double lasting = 200e-6;
  const auto each = time_run(device, job, Cache::hot, Scope::chain, least);
  if (!each) return least;
  return static_cast<unsigned>(std::clamp(lasting / *each, double{least}, double{most}));
}

}  // namespace

ResidentInput::ResidentInput(Device& device, Type type, const Recipe& recipe, std::size_t n,
                             std::size_t shift, const void* file, bool guarded)
    : device_(device),
      type_(type),
      recipe_(recipe),
      n_(n),
      capacity_(guarded ? n + guard_elements : n),
      shift_(shift),
      file_(file),
      buffer_(device.allocate(shift + capacity_ * facts(type_).bytes)) {
  write(0, n);
}

void ResidentInput::write(std::size_t first, std::size_t count) {
  if (count == 0) return;
  if (file_ != nullptr) {
    const auto size = facts(type_).bytes;
    device_.upload(at(first), static_cast<const std::byte*>(file_) + first * size, count * size);
  } else {
    device_.fill(at(first), type_, recipe_, first, count);
  }
}

void ResidentInput::guard_and_plant(std::size_t n, Operation operation,
                                    std::span<const std::size_t> planted) {
  with_type(type_, [&]<Type type>() {
    using T = native<type>;
    const std::vector<T> guards(std::min(guard_elements, capacity_ - n),
                                guard_element<T>(operation));
    if (!guards.empty()) device_.upload(at(n), guards.data(), guards.size() * sizeof(T));
    for (const std::size_t index : planted) {
      const T extreme = planted_element<T>(operation, recipe_, index);
      device_.upload(at(index), &extreme, sizeof extreme);
    }
  });
}

void ResidentInput::restore(std::size_t n, std::span<const std::size_t> planted) {
  if (n < n_) write(n, std::min(guard_elements, n_ - n));
  for (const std::size_t index : planted) write(index, 1);
}

unsigned calls_of_a_sample(Device& device, Job& job, Cache cache, Scope scope) {
  if (scope == Scope::chain) return calls_of_a_chain(device, job);
  if (device.facts().kind != "cpu" || cache != Cache::hot || scope != Scope::host) return 1;
  constexpr double least = 20e-6;
  constexpr unsigned most = 1U << 14;
  const auto pinned = armed(job);
  warm_up(job);
  for (unsigned calls = 1;;) {
    const double seconds = seconds_of(job, calls);
    if (seconds >= least || calls == most) return calls;
    // Add a margin of 10 %: the next timing may be faster.
    const double wanted = 1.1 * least / std::max(seconds, 1e-9) * calls;
    calls = static_cast<unsigned>(std::clamp(std::ceil(wanted), calls + 1.0, double{most}));
  }
}

std::optional<double> time_run(Device& device, Job& job, Cache cache, Scope scope, unsigned calls,
                               bool profiled) {
  // Poison results before the eviction: poisoning later would leave writes that reach memory during
  // the timed run.
  if (cache == Cache::cold) {
    job.spoil();
    device.evict();
  }
  const auto pinned = armed(job);
  if (cache == Cache::hot) {
    if (!profiled) warm_up(job);
    job.spoil();
  }
  if (scope == Scope::host) {
    device.synchronize();
    return seconds_of(job, calls) / calls;
  }
  if (!profiled) device.hold();
  try {
    device.mark_start();
    for (unsigned i = 0; i < calls; ++i) job.run();
    device.mark_stop();
  } catch (...) {
    device.release();  // otherwise the device would wait until the hold times out
    throw;
  }
  const bool held = device.release();
  job.fetch();
  if (!held && !profiled) return std::nullopt;
  return device.elapsed() / calls;
}

}  // namespace ladder::bench
