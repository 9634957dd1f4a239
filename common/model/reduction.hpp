#pragma once

#include <cstddef>
#include <cstring>
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
  /// Neither a sum of small integers nor an element of any data, in no type: 0xFF would be the
  /// integer -1, which is.
  void spoil() override {
    constexpr int byte = 0x5A;
    queue_.device().enqueue_set(queue_.result(), byte, sizeof(Value::bits));
    std::memset(queue_.template host_result<void>(), byte, sizeof(Value::bits));
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

}  // namespace ladder
