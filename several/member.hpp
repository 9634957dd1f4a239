#pragma once

// One of those who take part: a device with all that it keeps for whoever measures.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/model/backend.hpp"
#include "several/command.hpp"

namespace ladder::several {

/// A rung on a member's share.
struct Part {
  std::unique_ptr<Job> job;  ///< null where the member has no share
  std::uint64_t id = 0;      ///< of what was prepared, the same for all
  std::uint64_t samples = 0;
  Type accumulator{};
  Operation operation{};
  unsigned shares = 0;
  std::uint64_t bytes = 0;  ///< of the whole problem
  double seconds = 0;       ///< that the last runs took
  std::string error;        ///< of the last runs
};

class Member {
 public:
  /// Number `index`, on the backends of the build: all members have them in the same order.
  Member(unsigned index, std::vector<std::unique_ptr<Backend>> backends)
      : index_(index), backends_(std::move(backends)) {}

  /// Carries out what concerns its own device alone. Throws nothing: the answer says it.
  Answer carry_out(const Command& command, std::span<const std::byte> payload);

  unsigned index() const { return index_; }
  Backend& backend(std::size_t which) const { return *backends_[which]; }
  std::span<const std::unique_ptr<Backend>> backends() const { return backends_; }
  Part& part(std::uint64_t handle) { return parts_.at(handle); }
  Buffer& buffer(std::uint64_t handle) const { return *buffers_.at(handle); }

 private:
  void act(const Command& command, std::span<const std::byte> payload, Answer& answer);
  void prepare(const Command& command, Answer& answer);
  std::byte* address(const Command& command) const {
    return buffers_.at(command.buffer)->data() + command.at;
  }

  unsigned index_;
  std::vector<std::unique_ptr<Backend>> backends_;
  std::map<std::uint64_t, std::unique_ptr<Buffer>> buffers_;
  std::map<std::uint64_t, Part> parts_;  ///< below the buffers: they go first
};

}  // namespace ladder::several
