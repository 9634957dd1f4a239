#pragma once

// What is timed on a queue: a rung bound to a problem, and the harness's own kernels.

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "common/backend.hpp"
#include "hip/queue.hpp"

namespace ladder::hip {

/// Shared by all that is timed: how the result comes to the host, and how its place is spoiled.
class QueueJob : public Job {
 public:
  QueueJob(Queue& queue, Footprint footprint, Type result_type)
      : queue_(queue),
        footprint_(std::move(footprint)),
        result_type_(result_type),
        result_bytes_(facts(result_type).bytes) {}

  void fetch() override {
    check(hipMemcpyAsync(queue_.pinned().result.data(), queue_.result(), result_bytes_,
                         hipMemcpyDeviceToHost, queue_.stream()));
    queue_.synchronize();
  }

  Value result() const override {
    Value value{result_type_, 0};
    std::memcpy(&value.bits, queue_.pinned().result.data(), result_bytes_);
    return value;
  }

  /// Neither a sum of small integers nor an element of any data, in no type: 0xFF would be the
  /// integer -1, which is.
  void spoil() override {
    constexpr int byte = 0x5A;
    check(hipMemsetAsync(queue_.result(), byte, sizeof(Pinned::result), queue_.stream()));
    queue_.pinned().result.fill(std::byte{byte});
  }

  const Footprint& footprint() const override { return footprint_; }

 protected:
  Queue& queue_;

 private:
  Footprint footprint_;
  Type result_type_;
  std::size_t result_bytes_;
};

/// A rung bound to a problem.
class Reduction final : public QueueJob {
 public:
  Reduction(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
            const Tuning& tuning, bool blocks)
      : QueueJob(queue, std::move(footprint), accumulator_of(problem.type, problem.operation)),
        rung_(rung),
        problem_(problem),
        tuning_(tuning),
        blocks_(blocks) {}

  void run() override {
    if (problem_.n == 0) return write_identity();
    queue_.begin(footprint().scratch_bytes);
    rung_(queue_, problem_, tuning_);
  }

  void fetch() override {
    if (!blocks_) QueueJob::fetch();
  }

  Tuning tuning() const override { return tuning_; }

 private:
  /// The result of reducing nothing, once for all rungs and without a launch.
  void write_identity() {
    Pinned& pinned = queue_.pinned();
    const auto type = static_cast<std::size_t>(accumulator_of(problem_.type, problem_.operation));
    const auto& identity = pinned.identity[type][static_cast<std::size_t>(problem_.operation)];
    if (blocks_) {
      std::memcpy(pinned.result.data(), &identity, sizeof identity);
    } else {
      check(hipMemcpyAsync(queue_.result(), &identity, sizeof identity, hipMemcpyHostToDevice,
                           queue_.stream()));
    }
  }

  Run<Queue> rung_;
  Problem problem_;
  Tuning tuning_;
  bool blocks_;
};

/// One of the harness's own kernels, or nothing. Its result means nothing; fetching it costs what a
/// rung's fetch does.
template <class Enqueue>
class Plain final : public QueueJob {
 public:
  Plain(Queue& queue, Enqueue enqueue)
      : QueueJob(queue, queue.trace(enqueue), Type::i64), enqueue_(enqueue) {}
  void run() override { enqueue_(); }

 private:
  Enqueue enqueue_;
};

template <class Enqueue>
std::unique_ptr<Job> plain(Queue& queue, Enqueue enqueue) {
  return std::make_unique<Plain<Enqueue>>(queue, enqueue);
}

}  // namespace ladder::hip
