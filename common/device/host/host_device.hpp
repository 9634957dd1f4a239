#pragma once

// The host as a device: its memory and its CPUs, and workers that are pinned to them.

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
  /// Throws std::runtime_error where the machine does not tell its CPUs.
  Host();

  std::string_view name() const override { return "host"; }
  const DeviceFacts& facts() const override { return facts_; }
  std::vector<Fact> conditions() override;
  std::string disturbance() override { return disturbances_.since_last(); }

  std::size_t free_bytes() override;
  /// Fresh pages: they come to lie at the worker that fills them. Large ones where the system gives
  /// such, unless the environment says LADDER_PAGES=small.
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

  /// Before and after a measurement: the workers at their places, the team ready to spin.
  void arm(unsigned workers);
  void disarm() noexcept;

  /// The workers that all models on the host share.
  Pinning& pinning() { return pinning_; }
  /// Threads beside them, which start faster.
  Team& team() { return team_; }

 private:
  explicit Host(struct Machine machine);
  struct Way {
    Reading reading;
    unsigned workers;
    bool turns;  ///< shares are not even: who is done takes of the others'
  };
  /// What is tried for the ceiling: all readings by one worker per core and by all that there can
  /// be, a few by 1, 2, 4 … workers.
  std::vector<Way> ways() const;
  /// Calls `work(begin, end)` on pinned workers, over shares as OpenMP's static schedule has them:
  /// pages that are fresh come to lie where they will be read. Little is done without them.
  template <class Work>
  void in_shares(std::size_t count, const Work& work);

  DeviceFacts facts_;
  PageSize pages_;
  Pinning pinning_;
  Team team_;
  Disturbances disturbances_;
  std::unique_ptr<Buffer> evicted_;  ///< made when it is first needed
};

/// One object for all who have it open. Throws `NotPossible` with a sentence where the machine does
/// not tell its CPUs.
std::shared_ptr<Host> open();

}  // namespace ladder::host
