#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "common/device/device.hpp"
#include "common/model/queue.hpp"

namespace ladder {

/// A rung bound to a problem and a tuning, on a queue.
template <class Queue>
class BoundRung : public Job {
 public:
  BoundRung(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
            const Tuning& tuning)
      : queue_(queue),
        footprint_(std::move(footprint)),
        rung_(rung),
        problem_(problem),
        tuning_(tuning) {}

  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return tuning_; }

 protected:
  Type type() const { return accumulator_of(problem_.type, problem_.operation); }
  std::size_t bytes() const { return facts(type()).bytes; }
  Value value_at(const void* place) const {
    Value value{type(), 0};
    std::memcpy(&value.bits, place, bytes());
    return value;
  }
  /// Writes the result of an empty reduction, the same for all rungs and without a launch.
  void write_identity(void* place) const {
    const Value identity = identity_of(type(), problem_.operation);
    std::memcpy(place, &identity.bits, bytes());
  }

  Queue& queue_;
  Footprint footprint_;
  Run<Queue> rung_;
  Problem problem_;
  Tuning tuning_;
};

/// Job on a queue that is a `ladder::Queue` with the model's own `fetch`.
template <class Queue>
class Reduction final : public BoundRung<Queue> {
  using Base = BoundRung<Queue>;
  using Base::bytes, Base::queue_, Base::problem_;

 public:
  /// `blocks`: the rung itself leaves its result on the host.
  Reduction(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
            const Tuning& tuning, bool blocks)
      : Base(queue, std::move(footprint), rung, problem, tuning), blocks_(blocks) {}

  void arm() override { queue_.arm(); }
  void disarm() override { queue_.disarm(); }
  void run() override {
    if (problem_.n > 0) {
      queue_.begin(this->footprint_.scratch_bytes);
      return this->rung_(queue_, problem_, this->tuning_);
    }
    if (blocks_) return this->write_identity(on_host());
    this->write_identity(queue_.host_identity());
    queue_.device().enqueue_upload(queue_.result(), queue_.host_identity(), bytes());
  }
  void fetch() override {
    if (!blocks_) queue_.fetch(bytes());
  }
  Value result() const override { return this->value_at(on_host()); }
  void spoil() override {
    queue_.device().enqueue_set(queue_.result(), spoiled_byte, sizeof(std::uint64_t));
    std::memset(on_host(), spoiled_byte, sizeof(std::uint64_t));
  }

 private:
  void* on_host() const { return queue_.template host_result<void>(); }

  bool blocks_;
};

/// Bytes of the groups' results plus one guard accumulator, which no rung may write.
inline std::size_t group_results_bytes(const Problem& problem) {
  return (problem.groups.count + 1) * facts(accumulator_of(problem.type, problem.operation)).bytes;
}

/// Job for a problem with groups. The queue has memory for their results, already reserved, and
/// copies them to the host.
template <class Queue>
class GroupedReduction : public BoundRung<Queue> {
 protected:
  using Base = BoundRung<Queue>;
  using Base::queue_, Base::problem_;

 public:
  using Base::Base;

  /// As `Reduction`; on a CPU the job does it instead of the queue.
  void arm() override {
    if constexpr (requires { queue_.arm(); }) queue_.arm();
  }
  void disarm() override {
    if constexpr (requires { queue_.disarm(); }) queue_.disarm();
  }
  void run() override {
    if (problem_.n == 0) return write_identities();
    queue_.begin(this->footprint_.scratch_bytes);
    problem_.result = queue_.group_results();  // a later job may have reallocated it
    this->rung_(queue_, problem_, this->tuning_);
  }
  void fetch() override { queue_.fetch_group_results(all_bytes()); }
  /// Result of the first group.
  Value result() const override { return this->value_at(queue_.host_group_results()); }
  std::span<const std::byte> results() const override {
    return {queue_.host_group_results(), all_bytes()};
  }
  void spoil() override {
    queue_.device().enqueue_set(queue_.group_results(), spoiled_byte, all_bytes());
    std::memset(queue_.host_group_results(), spoiled_byte, all_bytes());
  }

 private:
  std::size_t all_bytes() const { return group_results_bytes(problem_); }
  void write_identities() {
    const std::size_t bytes = this->bytes(), count = problem_.groups.count;
    for (std::size_t g = 0; g < count; ++g)
      this->write_identity(queue_.host_group_results() + g * bytes);
    queue_.device().enqueue_upload(queue_.group_results(), queue_.host_group_results(),
                                   count * bytes);
  }
};

/// Job that reduces on the host before it returns. The result goes to the problem's `result`, or to
/// the job's own slot if that is null.
template <class Queue>
class BlockingReduction : public BoundRung<Queue> {
  using Base = BoundRung<Queue>;
  using Base::problem_;

 public:
  BlockingReduction(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
                    const Tuning& tuning)
      : Base(queue, std::move(footprint), rung, problem, tuning) {
    if (problem_.result == nullptr) problem_.result = slot_;
  }

  void run() override {
    if (problem_.n > 0) return this->rung_(this->queue_, problem_, this->tuning_);
    this->write_identity(problem_.result);
  }
  Value result() const override { return this->value_at(problem_.result); }
  void spoil() override { std::memset(problem_.result, spoiled_byte, this->bytes()); }

 private:
  alignas(128) std::byte slot_[128]{};  ///< in a cache line of its own
};

}  // namespace ladder
