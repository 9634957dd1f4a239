#include "kokkos/backend.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "common/tuning.hpp"
#include "kokkos/ceiling.hpp"
#include "kokkos/devices.hpp"
#include "kokkos/fill.hpp"
#include "kokkos/job.hpp"
#include "kokkos/queue.hpp"
#include "kokkos/table.hpp"

namespace ladder::kokkos {
namespace {

/// How a space is opened, by its type.
struct Opening {
  std::string_view name;
  bool on_host;
  Opened (*open)(int device);
};

class KokkosBackend final : public Backend {
 public:
  KokkosBackend(Opening opening, std::span<const Extra> more)
      : opening_(opening),
        roster_(device_ladder, table(), library(), more),
        infos_(roster_.infos().begin(), roster_.infos().end()) {
    // A host's space has done what it was given when it returns, and has no clock of its own.
    if (opening.on_host) {
      for (RungInfo& info : infos_) info.blocks = true;
    }
  }
  ~KokkosBackend() override { close(); }

  std::string_view name() const override { return opening_.name; }
  std::span<const RungInfo> rungs() const override { return infos_; }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }

  std::optional<std::string> open(int device) override {
    if (queue_ != nullptr && device == device_) return std::nullopt;
    try {
      Opened opened = opening_.open(device);  // where this is refused, what is open stays open
      close();
      runtime_ = std::move(opened.runtime);
      queue_ = std::make_unique<Queue>(std::move(opened.space), std::move(opened.device));
      device_ = device;
      make_evicting();
    } catch (const NotPossible& refusal) {
      if (device_ == device) close();
      return refusal.what();
    } catch (const std::exception& error) {
      if (device_ == device) close();
      return std::string(name()) + " cannot be used: " + error.what();
    }
    return std::nullopt;
  }

  const DeviceFacts& facts() const override { return device().facts; }
  std::vector<Fact> conditions() override { return device().conditions(); }

  std::string memory_space() const override { return device().memory_space(); }
  std::size_t free_bytes() override { return device().free_bytes(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override { return device().allocate(bytes); }

  // Other backends read the same memory through queues of their own, so both have finished on
  // return.
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override {
    if (recipe.data == Data::file) throw NotPossible("data from a file cannot be generated");
    if (count == 0) return;
    if (queue_->on_host() && count < little) {
      return kokkos::fill_here(destination, type, recipe, first, count);
    }
    device().arm();
    kokkos::fill(*queue_, destination, type, recipe, first, count);
    device().synchronize();
    device().disarm();
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    device().upload(destination, source, bytes);
  }

  Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const override {
    const Tuning full = filled_in(rungs()[rung].rung, roster_.defaults(rung), tuning);
    if (full == Tuning{} || !carries(rung, problem.type, problem.operation)) return full;
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
    const RungInfo& info = roster_.infos()[rung];
    Problem bound = problem;
    bound.result = queue_->result();
    const Tuning full = filled_in(info.rung, roster_.defaults(rung), tuning);
    const Tuning whole = complete(rung, run, bound, full);
    // A library makes memory of its own when it is first called, which cannot be looked at.
    if (info.library && problem.n > 0) {
      run(*queue_, bound, whole);
      queue_->device().synchronize();
    }
    Footprint footprint = trace(run, bound, whole, !info.blocks);
    queue_->reserve(footprint.scratch_bytes);
    const Tuning launched = as_launched(whole, bound.n, footprint);
    return std::make_unique<Reduction>(*queue_, std::move(footprint), run, bound, launched,
                                       info.blocks);
  }

  std::vector<std::string> ceiling_configurations() const override {
    std::vector<std::string> texts;
    for (const Sweep& sweep : sweeps(queue_->on_host())) texts.push_back(sweep.text());
    return texts;
  }
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override {
    const Sweep& sweep = sweeps(queue_->on_host())[configuration];
    return plain(*queue_,
                 [this, &sweep, input, bytes] { enqueue_sweep(*queue_, sweep, input, bytes); });
  }

  std::vector<std::string> floors() const override {
    if (queue_->on_host()) return {"empty kernel"};
    return {"empty kernel", "event pair"};
  }
  std::unique_ptr<Job> floor(std::size_t which) override {
    if (which == 0) return plain(*queue_, [this] { enqueue_empty(*queue_); });
    return plain(*queue_, [] {});
  }

  void evict() override {
    device().arm();
    enqueue_sweep(*queue_, eviction_sweep(), evicting_->data(), evicting_->bytes());
    device().disarm();
  }
  std::string eviction() const override {
    const std::size_t bytes = evicting_->bytes();
    return "ordinary reads of " + std::to_string(bytes) + " bytes (4 x last-level cache" +
           (bytes == evicting_cap ? ", at most 4 GiB)" : ")");
  }
  std::size_t evicted_bytes() const override { return evicting_->bytes(); }

  bool has_device_timer() const override { return device().has_timer(); }
  void hold() override { device().hold(); }
  void mark_start() override { device().mark_start(); }
  void mark_stop() override { device().mark_stop(); }
  bool release() override { return device().release(); }
  double elapsed() override { return device().elapsed(); }

  void synchronize() override { device().synchronize(); }
  std::optional<std::string> recover() override { return device().recover(); }

 private:
  static constexpr std::size_t evicting_cap = std::size_t{4} << 30;
  static constexpr std::size_t little = 1 << 16;  // elements that a team of threads is not worth

  Device& device() const { return queue_->device(); }

  const Sweep& eviction_sweep() const {
    return sweeps(queue_->on_host())[queue_->on_host() ? 0 : 4];
  }

  /// Four times the last-level cache; where that is unknown, of one that is larger than most.
  /// Written once: untouched pages would all be the one page of zeros, and stay in cache.
  void make_evicting() {
    constexpr std::size_t supposed = std::size_t{64} << 20;
    const std::size_t cache = facts().last_level_cache == 0 ? supposed : facts().last_level_cache;
    const std::size_t bytes = std::min(ceil_div(4 * cache, 256) * 256, evicting_cap);
    evicting_ = allocate(bytes);
    fill(evicting_->data(), Type::i32, {Data::exact, Operation::sum, 1}, 0, bytes / 4);
  }

  void close() {
    if (queue_ != nullptr) {
      try {
        device().synchronize();
      } catch (const std::exception&) {  // a lost device: nobody is left to be told
      }
    }
    evicting_.reset();
    queue_.reset();
    device_ = -1;  // Kokkos itself runs on: it could not be started again
  }

  Tuning complete(std::size_t rung, Run<Queue> run, const Problem& problem,
                  const Tuning& tuning) const {
    return with_grid(rungs()[rung].rung, roster_.defaults(rung), problem.n, facts().units, tuning,
                     [&](const Tuning& some) { return trace(run, problem, some); });
  }

  Footprint trace(Run<Queue> run, const Problem& problem, const Tuning& tuning,
                  bool enqueues = true) const {
    if (problem.n == 0) return {};
    return queue_->trace([&] { run(*queue_, problem, tuning); }, enqueues);
  }

  Opening opening_;
  Roster<Queue> roster_;
  std::vector<RungInfo> infos_;
  int device_ = -1;
  std::shared_ptr<Runtime> runtime_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Buffer> evicting_;
};

template <class... Space>
std::vector<std::unique_ptr<Backend>> one_for_each(std::type_identity<std::variant<Space...>>,
                                                   std::span<const Extra> more) {
  std::vector<std::unique_ptr<Backend>> all;
  (all.push_back(std::make_unique<KokkosBackend>(
       Opening{name_of<Space>(), on_host<Space>, kokkos::open<Space>}, more)),
   ...);
  return all;
}

}  // namespace

std::vector<std::unique_ptr<Backend>> make_backends(std::span<const Extra> more) {
  return one_for_each(std::type_identity<AnySpace>{}, more);
}

std::vector<std::unique_ptr<Backend>> backends() { return make_backends({}); }

}  // namespace ladder::kokkos
