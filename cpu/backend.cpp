#include "cpu/backend.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "common/machine/machine.hpp"
#include "common/machine/memory.hpp"
#include "cpu/ceiling.hpp"
#include "cpu/table.hpp"

namespace ladder::cpu {
namespace {

/// A result's own bytes, where a rung writes it unless the problem says another place.
struct alignas(line_bytes) Slot {
  std::byte bytes[line_bytes];
};

/// What all jobs have in common: workers that are pinned while it runs.
class PinnedJob : public Job {
 public:
  PinnedJob(Queue& queue, unsigned workers, Footprint work)
      : queue_(queue), workers_(workers), footprint_(std::move(work)) {}
  ~PinnedJob() override = default;

  void arm() override {
    if (workers_ != 0) queue_.arm(workers_);
  }
  void disarm() override {
    if (workers_ != 0) queue_.disarm();
  }
  const Footprint& footprint() const override { return footprint_; }

 protected:
  Queue& queue() { return queue_; }

 private:
  Queue& queue_;
  unsigned workers_;  ///< 0: nothing is pinned
  Footprint footprint_;
};

class RungJob : public PinnedJob {
 public:
  RungJob(Queue& queue, Run<Queue> rung, const Problem& problem, const Tuning& tuning,
          unsigned pinned, Footprint footprint)
      : PinnedJob(queue, pinned, std::move(footprint)),
        rung_(rung),
        problem_(problem),
        tuning_(tuning) {
    if (problem_.result == nullptr) problem_.result = slot_.bytes;
  }

  void run() override { rung_(queue(), problem_, tuning_); }
  Value result() const override {
    Value value{accumulator(), 0};
    std::memcpy(&value.bits, problem_.result, facts(value.type).bytes);
    return value;
  }
  void spoil() override { std::memset(problem_.result, 0xA5, facts(accumulator()).bytes); }
  Tuning tuning() const override { return tuning_; }

 private:
  Type accumulator() const { return accumulator_of(problem_.type, problem_.operation); }

  Run<Queue> rung_;
  Problem problem_;
  Tuning tuning_;
  Slot slot_{};
};

/// The reduction of nothing, for every rung alike.
void identity(Queue&, const Problem& problem, const Tuning&) {
  with_type(problem.type, [&]<Type type>() {
    with_operation(problem.operation, [&]<Operation operation>() {
      if constexpr (facts(type).integer || !facts(operation).integers_only) {
        using Op = typename Case<type, operation>::function;
        const auto value = Op::identity();
        std::memcpy(problem.result, &value, sizeof value);
      }
    });
  });
}

/// What is measured to know what measuring costs, or how fast memory can be read: a call without a
/// problem, whose result is a word.
class WordJob : public PinnedJob {
 public:
  WordJob(Queue& queue, unsigned workers, Footprint footprint, std::function<std::uint64_t()> body,
          Tuning tuning)
      : PinnedJob(queue, workers, std::move(footprint)), body_(std::move(body)), tuning_(tuning) {}
  void run() override { word_ = body_(); }
  Value result() const override { return {Type::i64, word_}; }
  void spoil() override { word_ = 0xA5A5A5A5A5A5A5A5; }
  Tuning tuning() const override { return tuning_; }

 private:
  std::function<std::uint64_t()> body_;
  Tuning tuning_;
  std::uint64_t word_ = 0;
};

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(std::span<const ladder::Extra<Queue>> more)
      : roster_(cpu_ladder, entries(), library(), more) {}

  std::string_view name() const override { return "cpu"; }
  std::span<const RungInfo> rungs() const override { return roster_.infos(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }

  /// There is one CPU, whatever number of device was asked for.
  std::optional<std::string> open(int) override {
    if (queue_) return std::nullopt;
    try {
      machine::Machine machine = machine::find_machine();
      facts_ = std::move(machine.facts);
      queue_ = std::make_unique<Queue>(std::move(machine.places), machine.default_workers);
    } catch (const std::runtime_error& error) {
      return std::string("the CPU backend cannot be used: ") + error.what();
    }
    return std::nullopt;
  }
  const DeviceFacts& facts() const override { return facts_; }
  std::vector<Fact> conditions() override { return machine::conditions_of(queue_->places()); }

  std::string memory_space() const override { return "host"; }
  std::size_t free_bytes() override { return machine::free_memory(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return machine::map_memory(bytes);
  }

  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override {
    with_type(type, [&]<Type t>() {
      auto* to = static_cast<native<t>*>(destination);
      in_shares(count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) to[i] = element<native<t>>(recipe, first + i);
      });
    });
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    auto* to = static_cast<std::byte*>(destination);
    const auto* from = static_cast<const std::byte*>(source);
    in_shares(bytes, [&](std::size_t begin, std::size_t end) {
      if (begin < end) std::memcpy(to + begin, from + begin, end - begin);
    });
  }

  Tuning resolve(std::size_t rung, const Problem&, const Tuning& tuning) const override {
    if ((rungs()[rung].rung.axes & workers_axis) == 0) return {};
    const unsigned workers = tuning.workers != 0 ? tuning.workers : queue_->default_workers();
    return {.workers = workers};
  }
  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    const RungInfo& info = rungs()[rung];
    const Run<Queue> run = roster_.find(rung, problem.type, problem.operation);
    const Tuning resolved = resolve(rung, problem, tuning);
    if (resolved.workers > queue_->max_workers()) {
      throw NotPossible(std::to_string(resolved.workers) + " workers: there are " +
                        std::to_string(queue_->max_workers()) + " hardware threads to use");
    }
    const unsigned workers = std::max(
        {1U, resolved.workers, std::min(roster_.defaults(rung).workers, queue_->max_workers())});
    if (problem.n == 0) {
      return std::make_unique<RungJob>(*queue_, identity, problem, resolved, 0, Footprint{});
    }
    Footprint footprint{{Launch{pass_of(info.rung, problem, workers), workers, 1, {}}}, 0};
    footprint.scratch_bytes = workers * sizeof(Padded<std::uint64_t>);
    if (info.library) make_ready(info.rung.id, *queue_, workers);
    return std::make_unique<RungJob>(*queue_, run, problem, resolved, info.library ? 0 : workers,
                                     std::move(footprint));
  }

  std::vector<std::string> ceiling_configurations() const override {
    std::vector<std::string> words;
    for (const unsigned workers : teams()) {
      for (const Reading& reading : readings()) {
        words.push_back(in_words(reading) + ", " + std::to_string(workers) +
                        (workers == 1 ? " worker" : " workers"));
      }
    }
    return words;
  }
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override {
    const Reading& reading = readings()[configuration % readings().size()];
    const unsigned workers = teams()[configuration / readings().size()];
    const auto* data = static_cast<const std::byte*>(input);
    return std::make_unique<WordJob>(
        *queue_, workers, Footprint{{Launch{{bytes, 0, 0}, workers, 1, {}}}, 0},
        [=, this] { return sweep(*queue_, reading, data, bytes); }, Tuning{.workers = workers});
  }

  std::vector<std::string> floors() const override { return {"clock_pair", "empty_region"}; }
  std::unique_ptr<Job> floor(std::size_t which) override {
    const unsigned workers = which == 0 ? 1 : queue_->default_workers();
    std::function<std::uint64_t()> body = [] { return std::uint64_t{0}; };
    if (which != 0) {
      body = [workers = static_cast<int>(workers)] {
#pragma omp parallel num_threads(workers)
        { asm volatile(""); }  // a region without a trace could be left out
        return std::uint64_t{0};
      };
    }
    return std::make_unique<WordJob>(*queue_, workers, Footprint{}, std::move(body),
                                     Tuning{.workers = workers});
  }

  void evict() override {
    const std::size_t bytes = evicted_bytes();
    if (!evicting_) {
      evicting_ = machine::map_memory(bytes);
      // Written once: untouched pages would all be the one page of zeros, and stay in cache.
      in_shares(bytes, [&](std::size_t begin, std::size_t end) {
        std::memset(evicting_->data() + begin, 1, end - begin);
      });
    }
    const machine::Armed armed(*queue_, queue_->default_workers());
    sweep(*queue_, readings().front(), evicting_->data(), bytes);
  }
  std::string eviction() const override {
    return "ordinary reads of " + std::to_string(evicted_bytes()) + " bytes (4 x last-level cache" +
           (evicted_bytes() == evicting_cap ? ", at most 4 GiB" : "") + ") by " +
           std::to_string(queue_->default_workers()) + " pinned workers";
  }
  /// Four times the last-level cache; where that is unknown, of one that is larger than most.
  std::size_t evicted_bytes() const override {
    constexpr std::size_t supposed = std::size_t{64} << 20;
    const std::size_t cache = facts_.last_level_cache == 0 ? supposed : facts_.last_level_cache;
    return std::min(4 * cache, evicting_cap);
  }

 private:
  static constexpr std::size_t evicting_cap = std::size_t{4} << 30;

  /// How many workers the sweeps are tried with: one a core, and all that there can be.
  std::vector<unsigned> teams() const {
    std::vector<unsigned> counts{queue_->default_workers()};
    if (queue_->max_workers() != counts.front()) counts.push_back(queue_->max_workers());
    return counts;
  }

  /// Calls `work(begin, end)` on pinned workers, over shares as the rungs' static schedule has
  /// them: pages that are fresh come to lie where they will be read. Little is done without them.
  template <class Work>
  void in_shares(std::size_t count, const Work& work) {
    if (constexpr std::size_t little = 1 << 16; count < little) {
      work(0, count);
      return;
    }
    const unsigned workers = queue_->default_workers();
    const std::size_t share = count / workers, rest = count % workers;
    const machine::Armed armed(*queue_, workers);
    const int team = static_cast<int>(workers);
#pragma omp parallel for num_threads(team) schedule(static)
    for (std::size_t worker = 0; worker < workers; ++worker) {
      const std::size_t begin = worker * share + std::min(worker, rest);
      work(begin, begin + share + (worker < rest ? 1 : 0));
    }
  }

  Roster<Queue> roster_;
  DeviceFacts facts_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Buffer> evicting_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(std::span<const ladder::Extra<Queue>> more) {
  return std::make_unique<CpuBackend>(more);
}

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend({}));
  return one;
}

}  // namespace ladder::cpu
