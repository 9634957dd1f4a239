#pragma once

// The host as a device: its memory, its CPUs, and workers pinned to them.

#include <memory>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/host/disturbances.hpp"
#include "common/device/host/host_memory.hpp"
#include "common/device/host/pinning.hpp"
#include "common/device/host/sweep.hpp"
#include "common/device/host/thread_team.hpp"

namespace ladder::host {

class Host final : public Device {
 public:
  /// Throws std::runtime_error if the machine does not report its CPUs.
  Host();

  std::string_view name() const override { return "host"; }
  const DeviceFacts& facts() const override { return facts_; }
  std::vector<Fact> conditions() override;
  std::string disturbance() override { return disturbances_.since_last(); }

  std::size_t free_bytes() override;
  /// Fresh pages, placed near the worker that fills them. Large pages if the system provides them,
  /// unless LADDER_PAGES=small is set in the environment.
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override;
  std::unique_ptr<Buffer> allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override;
  void upload(void* destination, const void* source, std::size_t bytes) override;
  void download(void* destination, const void* source, std::size_t bytes) override;
  void enqueue_set(void* destination, int byte, std::size_t bytes) override;
  void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) override;

  std::vector<std::string> ceiling_configurations() const override;
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override;
  std::unique_ptr<Job> floor(Floor which) override;

  void evict() override;
  Eviction eviction() const override;

  /// Around a measurement: pins the workers and lets the team spin.
  void arm(unsigned workers);
  void disarm() noexcept;

  /// Workers shared by all models on the host.
  Pinning& pinning() { return pinning_; }
  /// Threads in addition to the workers; they start faster.
  Team& team() { return team_; }

 private:
  explicit Host(struct Machine machine);
  struct Way {
    Reading reading;
    unsigned workers;
    bool turns;  ///< dynamic shares: a worker that is done takes from the others'
  };
  /// Candidates for the ceiling: all readings with one worker per core and with the maximum, and a
  /// few readings with 1, 2, 4 … workers.
  std::vector<Way> ways() const;
  /// Calls `work(begin, end)` on pinned workers, with the shares of OpenMP's static schedule: first
  /// touch places fresh pages near their readers. A small `count` runs on the calling thread.
  template <class Work>
  void in_shares(std::size_t count, const Work& work);

  DeviceFacts facts_;
  PageSize pages_;
  Pinning pinning_;
  Team team_;
  Disturbances disturbances_;
  std::unique_ptr<Buffer> evicted_;  ///< created on first use
};

/// Opens the host; all callers share one object. Throws `NotPossible` with a sentence if the
/// machine does not report its CPUs.
std::shared_ptr<Host> open();

}  // namespace ladder::host
