#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "common/model/layout.hpp"
#include "common/model/reduction.hpp"
#include "common/model/roster.hpp"

namespace ladder {

/// The tuning with zeros replaced by the rung's defaults, except for the grid. Axes that the rung
/// lacks become zero.
inline Tuning filled_in(const Rung& rung, const Tuning& defaults, const Tuning& tuning) {
  const auto choose = [&](Axes axis, unsigned asked, unsigned otherwise) {
    return (rung.axes & axis) == 0 ? 0 : asked != 0 ? asked : otherwise;
  };
  return {.block = choose(block_axis, tuning.block, defaults.block),
          .grid = choose(grid_axis, tuning.grid, 0),
          .items = choose(items_axis, tuning.items, defaults.items)};
}

/// Throws `NotPossible` if the block or the items of a filled-in tuning are out of range.
inline void check_tuning(const Rung& rung, const Tuning& tuning) {
  if ((rung.axes & block_axis) != 0 &&
      (!std::has_single_bit(tuning.block) || tuning.block < smallest_block ||
       tuning.block > largest_block)) {
    throw NotPossible("a block of " + std::to_string(tuning.block) +
                      " threads: it has to be a power of two from " +
                      std::to_string(smallest_block) + " to " + std::to_string(largest_block));
  }
  if ((rung.axes & items_axis) != 0 && tuning.items > most_items) {
    throw NotPossible(std::to_string(tuning.items) + " elements per thread: at most " +
                      std::to_string(most_items));
  }
}

/// The tuning with the default grid if it has none. Each of the device's `units` gets as many
/// threads as in the rung's defaults, whatever the block. The grid never exceeds the resident
/// blocks: the rest would run in a second, shorter wave. `trace(tuning)` returns the rung's
/// footprint. Throws as `check_tuning`.
template <class Trace>
Tuning with_grid(const Rung& rung, const Tuning& defaults, std::size_t n, unsigned units,
                 Tuning tuning, const Trace& trace) {
  check_tuning(rung, tuning);
  if ((rung.axes & grid_axis) == 0 || tuning.grid != 0) return tuning;
  tuning.grid = 1;
  if (n == 0) return tuning;
  const Footprint footprint = trace(tuning);
  unsigned blocks = std::max(defaults.grid * defaults.block / tuning.block, 1U);
  const int resident = footprint.main()->kernel.blocks_per_unit;
  if (resident > 0) blocks = std::min(blocks, static_cast<unsigned>(resident));
  tuning.grid = blocks * units;
  const unsigned together = footprint.main()->kernel.resident;
  if (together > 0) tuning.grid = std::min(tuning.grid, together);
  return tuning;
}

/// The tuning with the grid as launched, which is smaller if the problem needs fewer blocks.
inline Tuning as_launched(Tuning tuning, std::size_t n, const Footprint& footprint) {
  if (tuning.grid == 0) return tuning;
  tuning.grid = n == 0 ? 1 : footprint.main()->grid;
  return tuning;
}

/// A backend whose rungs are enqueued and traced (common/model/queue.hpp): it lists rungs, resolves
/// tunings and binds a rung to a problem.
template <class Queue>
class QueueBackend : public Backend {
 public:
  /// Creates the queue on a device, or throws with a sentence.
  using Open = std::unique_ptr<Queue> (*)(int device);

  QueueBackend(std::string_view name, Open open_queue, std::span<const Entry<Queue>> table,
               std::span<const Extra<Queue>> library, std::span<const Extra<Queue>> more,
               std::span<const Entry<Queue>> batch = {}, bool all_block = false)
      : name_(name),
        open_(open_queue),
        roster_(device_ladder, table, library, more, batch, all_block) {}

  std::string_view name() const override { return name_; }
  std::span<const RungInfo> rungs() const override { return roster_.infos(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }

  std::optional<std::string> open(int device) override {
    if (queue_ != nullptr && device == number_) return std::nullopt;
    try {
      queue_ = open_(device);  // on refusal the open queue stays open
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
      return full;  // `prepare` reports it
    }
  }

  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    const Run<Queue> run = roster_.find(rung, problem.type, problem.operation);
    const RungInfo& info = rungs()[rung];
    if (const auto lack = lacking(info.need, queue_->facts()); !lack.empty())
      throw NotPossible(std::string(info.rung.id) + " " + lack);
    if (const auto other = not_taken(info.rung, problem.groups.by); !other.empty())
      throw NotPossible(other);
    Problem bound = problem;
    bound.result = queue_->result();
    const bool grouped = problem.groups.by != Grouping::whole;
    if (grouped) {
      queue_->reserve_group_results(group_results_bytes(problem));
      bound.result = queue_->group_results();
    }
    const Tuning full = filled_in(info.rung, roster_.defaults(rung), tuning);
    const Tuning whole = complete(rung, bound, full);
    if (info.library && bound.n > 0) queue_->make_ready([&] { run(*queue_, bound, whole); });
    Footprint footprint = trace(rung, bound, whole);
    queue_->reserve(footprint.scratch_bytes);
    const Tuning launched = as_launched(whole, bound.n, footprint);
    if (grouped) {
      return std::make_unique<GroupedReduction<Queue>>(*queue_, std::move(footprint), run, bound,
                                                       launched);
    }
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
