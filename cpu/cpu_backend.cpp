#include "cpu/cpu_backend.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "common/exact_sum.hpp"
#include "common/model/reduction.hpp"
#include "cpu/cpu_subtrees.hpp"

namespace ladder::cpu {
namespace {

/// A job whose workers are pinned from `arm` to `disarm`.
template <class Job>
class Pinned final : public Job {
 public:
  /// `pinned`: number of pinned workers; 0 for libraries that place their threads themselves.
  Pinned(Queue& queue, Footprint footprint, Run<Queue> rung, const Problem& problem,
         const Tuning& tuning, unsigned pinned)
      : Job(queue, std::move(footprint), rung, problem, tuning), pinned_(pinned) {}

  void arm() override {
    if (pinned_ != 0) this->queue_.host().arm(pinned_);
  }
  void disarm() override {
    if (pinned_ != 0) this->queue_.host().disarm();
  }

 private:
  unsigned pinned_;
};

using Reduction = Pinned<BlockingReduction<Queue>>;
using Grouped = Pinned<GroupedReduction<Queue>>;

/// Memory traffic: all elements read once; unless the rung is one chain, the workers' partials
/// written and read once. Partials passed in registers count the same.
Pass pass_of(const Rung& rung, const Problem& problem, unsigned workers) {
  const std::size_t n = problem.n, bytes = facts(problem.type).bytes;
  if (problem.groups.by != Grouping::whole) {
    return {n * bytes, group_results_bytes(problem),
            std::max<std::size_t>(1, problem.groups.length)};
  }
  if ((rung.traits & one_chain) != 0) return {n * bytes, bytes, n};
  std::size_t partials = workers * bytes, depth = ceil_div(n, workers) + workers;
  if ((rung.traits & fixed_order) != 0) {
    const std::size_t accumulator = facts(accumulator_of(problem.type, problem.operation)).bytes;
    const FixedTree tree = accumulator == 8 ? fixed_tree<double> : fixed_tree<float>;
    partials = Subtrees(tree, n, workers).count * accumulator;
    depth = depth_of(tree, n);
  }
  if ((rung.traits & order_free) != 0) {
    partials = workers * sizeof(ExactSum);
    depth = 1;  // only the exact sum is rounded
  }
  return {n * bytes + partials, partials + bytes, depth};
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(std::span<const Extra> more)
      : roster_(cpu_ladder, table(), library(), more, batch_table(), false, workers_axis) {}

  std::string_view name() const override { return "cpu"; }
  std::span<const RungInfo> rungs() const override { return roster_.infos(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }

  /// There is one CPU for any device number.
  std::optional<std::string> open(int) override {
    if (queue_) return std::nullopt;
    try {
      queue_ = std::make_unique<Queue>(host::open());
    } catch (const NotPossible& refusal) {
      return refusal.what();
    }
    return std::nullopt;
  }
  Device& device() const override { return queue_->host(); }
  std::vector<Fact> facts() const override { return library_facts(); }

  Tuning resolve(std::size_t rung, const Problem&, const Tuning& tuning) const override {
    if ((rungs()[rung].rung.axes & workers_axis) == 0) return {};
    const unsigned most = queue_->pinning().max_workers();
    if (tuning.workers > most) {
      throw NotPossible(std::to_string(tuning.workers) + " workers: there are " +
                        std::to_string(most) + " hardware threads to use");
    }
    return {.workers = tuning.workers != 0 ? tuning.workers : queue_->pinning().default_workers()};
  }
  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    const RungInfo& info = rungs()[rung];
    const Run<Queue> run = roster_.find(rung, problem.type, problem.operation);
    if (const auto other = not_taken(info.rung, problem.groups.by); !other.empty())
      throw NotPossible(other);
    const bool grouped = problem.groups.by != Grouping::whole;
    if (grouped) queue_->reserve_group_results(group_results_bytes(problem));
    const Tuning resolved = resolve(rung, problem, tuning);
    const unsigned most = queue_->pinning().max_workers();
    const unsigned workers =
        std::max({1U, resolved.workers, std::min(roster_.defaults(rung).workers, most)});
    const auto bound = [&](Footprint footprint, unsigned pinned) -> std::unique_ptr<Job> {
      if (grouped)
        return std::make_unique<Grouped>(*queue_, std::move(footprint), run, problem, resolved,
                                         pinned);
      return std::make_unique<Reduction>(*queue_, std::move(footprint), run, problem, resolved,
                                         pinned);
    };
    if (problem.n == 0) return bound({}, 0);
    Footprint footprint{{Launch{pass_of(info.rung, problem, workers), workers, 1, {}}}, 0};
    footprint.scratch_bytes = workers * sizeof(Padded<std::uint64_t>);
    if ((info.rung.traits & fixed_order) != 0) {
      footprint.scratch_bytes = workers * subtrees_per_worker * sizeof(std::uint64_t);
    }
    roster_.make_ready(rung, *queue_, workers);
    return bound(std::move(footprint), info.library ? 0 : workers);
  }

 private:
  Roster<Queue> roster_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(std::span<const Extra> more) {
  return std::make_unique<CpuBackend>(more);
}

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend({}));
  return one;
}

}  // namespace ladder::cpu
