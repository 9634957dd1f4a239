#include "bench/sampler.hpp"

#include <chrono>

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int hot_runs = 3;

/// The job's threads are where they run for as long as this lives, whatever is thrown.
class Armed {
 public:
  explicit Armed(Job& job) : job_(job) { job_.arm(); }
  ~Armed() { job_.disarm(); }
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;

 private:
  Job& job_;
};

}  // namespace

std::optional<double> time_run(Backend& backend, Job& job, Cache cache, Scope scope, bool profile) {
  if (cache == Cache::cold && !profile) backend.evict();
  const Armed armed(job);
  if (cache == Cache::hot && !profile) {
    for (int i = 0; i < hot_runs; ++i) job.run();
  }
  job.spoil();
  if (scope == Scope::host) {
    backend.synchronize();
    const auto start = Clock::now();
    job.run();
    job.fetch();
    const auto stop = Clock::now();
    return std::chrono::duration<double>(stop - start).count();
  }
  if (!profile) backend.hold();
  bool held = false;
  try {
    backend.mark_start();
    job.run();
    backend.mark_stop();
  } catch (...) {
    backend.release();  // or the device would wait for its time limit
    throw;
  }
  held = backend.release();
  job.fetch();
  if (!held && !profile) return std::nullopt;
  return backend.elapsed();
}

}  // namespace ladder::bench
