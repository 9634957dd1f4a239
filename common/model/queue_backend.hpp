#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "common/model/reduction.hpp"
#include "common/model/roster.hpp"
#include "common/model/tuning.hpp"

namespace ladder {

/// A backend whose rungs are put onto a queue and traced (common/model/queue.hpp): what they are,
/// what a tuning becomes, and a rung bound to a problem.
template <class Queue>
class QueueBackend : public Backend {
 public:
  /// Makes the queue on a device, or throws with a sentence.
  using Open = std::unique_ptr<Queue> (*)(int device);

  QueueBackend(std::string_view name, Open open_queue, std::span<const Entry<Queue>> table,
               std::span<const Extra<Queue>> library, std::span<const Extra<Queue>> more,
               bool all_block = false)
      : name_(name), open_(open_queue), roster_(device_ladder, table, library, more, all_block) {}

  std::string_view name() const override { return name_; }
  std::span<const RungInfo> rungs() const override { return roster_.infos(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }

  std::optional<std::string> open(int device) override {
    if (queue_ != nullptr && device == number_) return std::nullopt;
    try {
      queue_ = open_(device);  // where this is refused, what is open stays open
    } catch (const NotPossible& refusal) {
      return refusal.what();
    } catch (const std::exception& error) {
      return std::string(name_) + " cannot be used: " + error.what();
    }
    number_ = device;
    return std::nullopt;
  }
  Device& device() const override { return queue_->device(); }

  Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const override {
    const Tuning full = filled_in(rungs()[rung].rung, roster_.defaults(rung), tuning);
    if (full == Tuning{} || !carries(rung, problem.type, problem.operation)) return full;
    check_tuning(rungs()[rung].rung, full);
    try {
      const Tuning whole = complete(rung, problem, full);
      return as_launched(whole, problem.n, trace(rung, problem, whole));
    } catch (const NotPossible&) {
      return full;  // `prepare` says so
    }
  }

  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    const Run<Queue> run = roster_.find(rung, problem.type, problem.operation);
    const RungInfo& info = rungs()[rung];
    if (const auto lack = lacking(info.need, queue_->facts()); !lack.empty())
      throw NotPossible(std::string(info.rung.id) + " " + lack);
    Problem bound = problem;
    bound.result = queue_->result();
    const Tuning full = filled_in(info.rung, roster_.defaults(rung), tuning);
    const Tuning whole = complete(rung, bound, full);
    if (info.library && bound.n > 0) queue_->make_ready([&] { run(*queue_, bound, whole); });
    Footprint footprint = trace(rung, bound, whole);
    queue_->reserve(footprint.scratch_bytes);
    const Tuning launched = as_launched(whole, bound.n, footprint);
    return std::make_unique<Reduction<Queue>>(*queue_, std::move(footprint), run, bound, launched,
                                              roster_.leaves_on_host(rung));
  }

 protected:
  const Queue& queue() const { return *queue_; }

 private:
  Tuning complete(std::size_t rung, const Problem& problem, const Tuning& tuning) const {
    return with_grid(rungs()[rung].rung, roster_.defaults(rung), problem.n, queue_->facts().units,
                     tuning, [&](const Tuning& some) { return trace(rung, problem, some); });
  }

  Footprint trace(std::size_t rung, const Problem& problem, const Tuning& tuning) const {
    if (problem.n == 0) return {};
    const Run<Queue> run = roster_.find(rung, problem.type, problem.operation);
    return queue_->trace([&] { run(*queue_, problem, tuning); }, !roster_.leaves_on_host(rung));
  }

  std::string_view name_;
  Open open_;
  Roster<Queue> roster_;
  int number_ = -1;
  std::unique_ptr<Queue> queue_;
};

}  // namespace ladder
