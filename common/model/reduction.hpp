#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "common/device/job.hpp"
#include "common/model/queue.hpp"

namespace ladder {

/// A rung bound to a problem, on a queue that is a `ladder::Queue` with the model's own `fetch`.
template <class Queue>
class Reduction final : public Job {
 public:
  Reduction(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
            const Tuning& tuning, bool blocks)
      : queue_(queue),
        footprint_(std::move(footprint)),
        rung_(rung),
        problem_(problem),
        tuning_(tuning),
        blocks_(blocks) {}

  void arm() override { queue_.arm(); }
  void disarm() override { queue_.disarm(); }
  void run() override {
    if (problem_.n == 0) return write_identity();
    queue_.begin(footprint_.scratch_bytes);
    rung_(queue_, problem_, tuning_);
  }
  void fetch() override {
    if (!blocks_) queue_.fetch(bytes());
  }
  Value result() const override {
    Value value{type(), 0};
    std::memcpy(&value.bits, queue_.template host_result<void>(), bytes());
    return value;
  }
  void spoil() override {
    queue_.device().enqueue_set(queue_.result(), spoiled_byte, sizeof(Value::bits));
    std::memset(queue_.template host_result<void>(), spoiled_byte, sizeof(Value::bits));
  }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return tuning_; }

 private:
  Type type() const { return accumulator_of(problem_.type, problem_.operation); }
  std::size_t bytes() const { return facts(type()).bytes; }

  /// The result of reducing nothing, once for all rungs and without a launch.
  void write_identity() {
    const Value identity = identity_of(type(), problem_.operation);
    if (blocks_) {
      std::memcpy(queue_.template host_result<void>(), &identity.bits, bytes());
    } else {
      std::memcpy(queue_.host_identity(), &identity.bits, bytes());
      queue_.device().enqueue_upload(queue_.result(), queue_.host_identity(), bytes());
    }
  }

  Queue& queue_;
  Footprint footprint_;
  Run<Queue> rung_;
  Problem problem_;
  Tuning tuning_;
  bool blocks_;
};

/// Bytes of the results of a problem with groups, and of one more, which nobody writes.
inline std::size_t group_results_bytes(const Problem& problem) {
  return (problem.groups.count + 1) * facts(accumulator_of(problem.type, problem.operation)).bytes;
}

/// A rung bound to a problem with groups. The queue has a place for their results and brings them
/// to the host: there is room for them already.
template <class Queue>
class GroupedReduction : public Job {
 public:
  GroupedReduction(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
                   const Tuning& tuning)
      : queue_(queue),
        footprint_(std::move(footprint)),
        rung_(rung),
        problem_(problem),
        tuning_(tuning) {}

  /// As `Reduction`; a CPU's queue has its job do that.
  void arm() override {
    if constexpr (requires { queue_.arm(); }) queue_.arm();
  }
  void disarm() override {
    if constexpr (requires { queue_.disarm(); }) queue_.disarm();
  }
  void run() override {
    if (problem_.n == 0) return write_identities();
    queue_.begin(footprint_.scratch_bytes);
    problem_.result = queue_.group_results();  // a later job may have made more room
    rung_(queue_, problem_, tuning_);
  }
  void fetch() override { queue_.fetch_group_results(all_bytes()); }
  /// The first group's.
  Value result() const override {
    Value value{type(), 0};
    std::memcpy(&value.bits, queue_.host_group_results(), facts(type()).bytes);
    return value;
  }
  std::span<const std::byte> results() const override {
    return {queue_.host_group_results(), all_bytes()};
  }
  void spoil() override {
    queue_.device().enqueue_set(queue_.group_results(), spoiled_byte, all_bytes());
    std::memset(queue_.host_group_results(), spoiled_byte, all_bytes());
  }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return tuning_; }

 protected:
  Queue& queue() { return queue_; }

 private:
  Type type() const { return accumulator_of(problem_.type, problem_.operation); }
  std::size_t all_bytes() const { return group_results_bytes(problem_); }

  /// The results of groups that are all empty, once for all rungs and without a launch.
  void write_identities() {
    const Value identity = identity_of(type(), problem_.operation);
    const std::size_t bytes = facts(type()).bytes;
    for (std::size_t g = 0; g < problem_.groups.count; ++g)
      std::memcpy(queue_.host_group_results() + g * bytes, &identity.bits, bytes);
    queue_.device().enqueue_upload(queue_.group_results(), queue_.host_group_results(),
                                   problem_.groups.count * bytes);
  }

  Queue& queue_;
  Footprint footprint_;
  Run<Queue> rung_;
  Problem problem_;
  Tuning tuning_;
};

/// A rung bound to a problem that carries it out before it returns, on the host, and leaves the
/// result where the problem says, or in a place of the job's own.
template <class Queue>
class BlockingReduction : public Job {
 public:
  BlockingReduction(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
                    const Tuning& tuning)
      : queue_(queue),
        footprint_(std::move(footprint)),
        rung_(rung),
        problem_(problem),
        tuning_(tuning) {
    if (problem_.result == nullptr) problem_.result = slot_.bytes;
  }

  void run() override {
    if (problem_.n != 0) return rung_(queue_, problem_, tuning_);
    const Value identity = identity_of(type(), problem_.operation);
    std::memcpy(problem_.result, &identity.bits, facts(type()).bytes);
  }
  Value result() const override {
    Value value{type(), 0};
    std::memcpy(&value.bits, problem_.result, facts(type()).bytes);
    return value;
  }
  void spoil() override { std::memset(problem_.result, spoiled_byte, facts(type()).bytes); }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return tuning_; }

 protected:
  Queue& queue() { return queue_; }

 private:
  /// A cache line of its own.
  struct alignas(128) Slot {
    std::byte bytes[128];
  };

  Type type() const { return accumulator_of(problem_.type, problem_.operation); }

  Queue& queue_;
  Footprint footprint_;
  Run<Queue> rung_;
  Problem problem_;
  Tuning tuning_;
  Slot slot_{};
};

}  // namespace ladder
