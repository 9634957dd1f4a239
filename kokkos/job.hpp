#pragma once

// What is timed on a queue: a rung bound to a problem, and the harness's own kernels.

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "common/backend.hpp"
#include "common/problem.hpp"
#include "kokkos/queue.hpp"

namespace ladder::kokkos {

/// Shared by all that is timed: how the result comes to the host, and how its place is spoiled.
class QueueJob : public Job {
 public:
  QueueJob(Queue& queue, Footprint footprint, Type result_type)
      : queue_(queue), footprint_(std::move(footprint)), result_type_(result_type) {}

  void arm() override { device().arm(); }
  void disarm() override { device().disarm(); }

  void fetch() override { device().download(device().landing(), queue_.result(), bytes()); }

  Value result() const override {
    Value value{result_type_, 0};
    std::memcpy(&value.bits, device().landing(), bytes());
    return value;
  }

  /// Neither a sum of small integers nor an element of any data, in no type.
  void spoil() override {
    std::byte spoilt[sizeof(std::uint64_t)];
    std::memset(spoilt, 0x5A, sizeof spoilt);
    device().upload(queue_.result(), spoilt, sizeof spoilt);
    std::memcpy(device().landing(), spoilt, sizeof spoilt);
  }

  const Footprint& footprint() const override { return footprint_; }

 protected:
  Queue& queue() { return queue_; }
  Device& device() const { return queue_.device(); }

 private:
  std::size_t bytes() const { return facts(result_type_).bytes; }

  Queue& queue_;
  Footprint footprint_;
  Type result_type_;
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
    queue().begin(footprint().scratch_bytes);
    rung_(queue(), problem_, tuning_);
  }

  void fetch() override {
    if (!blocks_) QueueJob::fetch();
  }

  Tuning tuning() const override { return tuning_; }

 private:
  /// The result of reducing nothing, once for all rungs and without a launch.
  void write_identity() {
    with_type(accumulator_of(problem_.type, problem_.operation), [&]<Type type>() {
      with_operation(problem_.operation, [&]<Operation operation>() {
        const auto identity = Function<operation, native<type>>::identity();
        if (blocks_) {
          std::memcpy(device().landing(), &identity, sizeof identity);
        } else {
          device().upload(problem_.result, &identity, sizeof identity);
        }
      });
    });
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

}  // namespace ladder::kokkos
