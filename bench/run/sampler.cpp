#include "bench/run/sampler.hpp"

#include <chrono>

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

// A GPU also keeps data of each launch in memory, from where the next launches find it in the
// cache.
constexpr int empty_runs = 8;

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

std::optional<double> time_run(Device& device, Job& job, Cache cache, Scope scope,
                               const Warming& warming, Profile profile) {
  const bool measured = profile == Profile::no;
  if (cache != Cache::hot && profile != Profile::alone) device.evict();
  if (cache == Cache::cold_data && warming.twin != nullptr && measured) {
    for (int i = 0; i < empty_runs; ++i) warming.empty->run();
    const Armed armed(*warming.twin);
    warming.twin->run();
    warming.twin->fetch();
  }
  const Armed armed(job);
  if (cache == Cache::hot && measured) {
    for (int i = 0; i < hot_runs; ++i) job.run();
  }
  job.spoil();
  if (scope == Scope::host) {
    device.synchronize();
    const auto start = Clock::now();
    job.run();
    job.fetch();
    const auto stop = Clock::now();
    return std::chrono::duration<double>(stop - start).count();
  }
  if (measured) device.hold();
  bool held = false;
  try {
    device.mark_start();
    job.run();
    device.mark_stop();
  } catch (...) {
    device.release();  // or the device would wait for its time limit
    throw;
  }
  held = device.release();
  job.fetch();
  if (!held && measured) return std::nullopt;
  return device.elapsed();
}

}  // namespace ladder::bench
