#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "common/nvidia/device.hpp"
#include "common/nvidia/memory.hpp"
#include "common/nvidia/nvml.hpp"
#include "common/size_text.hpp"
#include "common/tuning.hpp"
#include "cuda/backend.hpp"
#include "cuda/ceiling.hpp"
#include "cuda/fill.hpp"
#include "cuda/job.hpp"
#include "cuda/queue.hpp"
#include "cuda/table.hpp"
#include "cuda/timing.hpp"

namespace ladder::cuda {
namespace {

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(std::span<const Extra> more)
      : roster_(device_ladder, table(), library(), more) {}

  std::string_view name() const override { return "cuda"; }
  std::span<const RungInfo> rungs() const override { return roster_.infos(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }

  std::optional<std::string> open(int device) override {
    if (queue_ != nullptr && device == device_) return std::nullopt;
    if (auto reason = nvidia::why_unusable(device)) return reason;
    try {
      close();
      queue_ = std::make_unique<Queue>(device);
      nvml_ = std::make_unique<nvidia::Nvml>(nvidia::pci_bus_id(device));
      facts_ = nvidia::describe(device);
      timing_ = std::make_unique<Timing>(*queue_, facts_.last_level_cache);
      for (auto& fact : nvml_->facts()) facts_.more.push_back(std::move(fact));
    } catch (const std::exception& error) {
      close();
      cudaGetLastError();
      return "GPU " + std::to_string(device) + " cannot be used: " + error.what();
    }
    device_ = device;
    return std::nullopt;
  }

  const DeviceFacts& facts() const override { return facts_; }
  std::vector<Fact> conditions() override { return nvml_->conditions(); }

  std::string memory_space() const override { return "cuda:" + std::to_string(device_); }
  std::size_t free_bytes() override { return nvidia::free_memory(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return nvidia::allocate_buffer(bytes);
  }

  // Other backends read the same memory through streams of their own, so both have finished on
  // return.
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override {
    if (recipe.data == Data::file) throw NotPossible("data from a file cannot be generated");
    cuda::fill(*queue_, destination, type, recipe, first, count);
    queue_->synchronize();
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyHostToDevice, queue_->stream()));
    queue_->synchronize();
  }

  Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const override {
    const Tuning full = filled_in(rungs()[rung].rung, roster_.defaults(rung), tuning);
    if (!carries(rung, problem.type, problem.operation)) return full;
    try {
      const Run<Queue> run = roster_.find(rung, problem.type, problem.operation);
      const Tuning whole = complete(rung, run, problem, full);
      return as_launched(whole, problem.n, trace(run, problem, whole));
    } catch (const NotPossible&) {
      return full;  // `prepare` says so
    }
  }

  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    const Run<Queue> run = roster_.find(rung, problem.type, problem.operation);
    Problem bound = problem;
    bound.result = queue_->result();
    const Tuning full = filled_in(rungs()[rung].rung, roster_.defaults(rung), tuning);
    const Tuning whole = complete(rung, run, bound, full);
    Footprint footprint = trace(run, bound, whole);
    queue_->reserve(footprint.scratch_bytes);
    const Tuning launched = as_launched(whole, bound.n, footprint);
    return std::make_unique<Reduction>(*queue_, std::move(footprint), run, bound, launched,
                                       rungs()[rung].blocks);
  }

  std::vector<std::string> ceiling_configurations() const override {
    std::vector<std::string> texts;
    for (const Sweep& sweep : sweeps()) texts.push_back(sweep.text());
    return texts;
  }
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override {
    const Sweep& sweep = sweeps()[configuration];
    return plain(*queue_,
                 [this, &sweep, input, bytes] { enqueue_sweep(*queue_, sweep, input, bytes); });
  }

  std::vector<std::string> floors() const override { return {"empty kernel", "event pair"}; }
  std::unique_ptr<Job> floor(std::size_t which) override {
    if (which == 0) return plain(*queue_, [this] { enqueue_empty(*queue_); });
    return plain(*queue_, [] {});
  }

  void evict() override { timing_->evict(); }
  std::string eviction() const override {
    return "ordinary reads of " + size_text(timing_->eviction_bytes()) +
           ", four times the L2 cache";
  }
  std::size_t evicted_bytes() const override { return timing_->eviction_bytes(); }

  bool has_device_timer() const override { return true; }
  void hold() override { timing_->clock().hold(); }
  void mark_start() override { timing_->clock().mark_start(); }
  void mark_stop() override { timing_->clock().mark_stop(); }
  bool release() override { return timing_->clock().release(); }
  double elapsed() override { return timing_->clock().elapsed(); }

  void synchronize() override { queue_->synchronize(); }
  std::optional<std::string> recover() override {
    timing_->clock().let_go();
    return nvidia::recover();
  }

 private:
  void close() {
    nvml_.reset();
    timing_.reset();
    queue_.reset();
  }

  Tuning complete(std::size_t rung, Run<Queue> run, const Problem& problem,
                  const Tuning& tuning) const {
    return with_grid(rungs()[rung].rung, roster_.defaults(rung), problem.n, facts_.units, tuning,
                     [&](const Tuning& some) { return trace(run, problem, some); });
  }

  Footprint trace(Run<Queue> run, const Problem& problem, const Tuning& tuning) const {
    if (problem.n == 0) return {};
    return queue_->trace([&] { run(*queue_, problem, tuning); });
  }

  Roster<Queue> roster_;
  int device_ = -1;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Timing> timing_;
  std::unique_ptr<nvidia::Nvml> nvml_;
  DeviceFacts facts_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(std::span<const Extra> more) {
  return std::make_unique<CudaBackend>(more);
}

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> all;
  all.push_back(make_backend({}));
  return all;
}

}  // namespace ladder::cuda
