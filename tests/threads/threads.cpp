// A model that only the tests know: std::thread on the host. It shows what a model takes to join:
// this folder and the line that names it in tests/CMakeLists.txt.

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "common/device/host/host.hpp"
#include "common/model/reduction.hpp"
#include "common/model/roster.hpp"

namespace ladder::threads {
namespace {

using host::Host;

/// Threads that each reduce a contiguous share and enter one critical section with the result.
/// Without workers: the calling thread alone.
template <class Case>
struct Launch {
  static void run(Host&, const View<Case>& problem, const Tuning& tuning) {
    constexpr typename Case::function op;
    auto value = op.identity();
    std::mutex mutex;
    const std::size_t share = ceil_div(problem.n, std::max(1U, tuning.workers));
    const auto reduce = [&](std::size_t first) {
      auto mine = op.identity();
      const std::size_t end = std::min(problem.n, first + share);
      for (std::size_t i = first; i < end; ++i) mine = op(mine, problem.input[i]);
      const std::scoped_lock lock(mutex);
      value = op(value, mine);
    };
    {
      std::vector<std::jthread> team;  // joined at the end of this scope
      for (std::size_t i = share; i < problem.n; i += share) team.emplace_back(reduce, i);
      reduce(0);
    }
    *problem.result = value;
  }
};

Run<Host> find(Type type, Operation operation) {
  return pick<Host, Launch>(Classic{}, type, operation);
}

using Entry = ladder::Entry<Host>;
consteval Entry entry_of(const Rung& rung) {
  if (rung.id == "c00" || rung.id == "c02") return {rung.id, find, {}, true};
  return {rung.id, "not written for std::thread"};
}
template <std::size_t... i>
consteval std::array<Entry, sizeof...(i)> entries(std::index_sequence<i...>) {
  return {entry_of(cpu_ladder[i])...};
}
constexpr std::array table = entries(std::make_index_sequence<cpu_ladder.size()>{});

/// Shares, and their results one after another.
Footprint footprint_of(const Problem& problem, const Tuning& tuning) {
  if (problem.n == 0) return {};
  const unsigned workers = std::max(1U, tuning.workers);
  const std::size_t bytes = facts(problem.type).bytes;
  const Pass pass{problem.n * bytes, bytes, ceil_div(problem.n, workers) + workers};
  return {{ladder::Launch{pass, workers, 1, {}}}, 0};
}

class Threads final : public Backend {
 public:
  std::string_view name() const override { return "threads"; }
  std::span<const RungInfo> rungs() const override { return roster_.infos(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }
  std::optional<std::string> open(int) override {
    if (host_ == nullptr) host_ = host::open();
    return std::nullopt;
  }
  Device& device() const override { return *host_; }
  Tuning resolve(std::size_t rung, const Problem&, const Tuning& tuning) const override {
    if ((rungs()[rung].rung.axes & workers_axis) == 0) return {};
    return {.workers = tuning.workers != 0 ? tuning.workers : host_->facts().max_workers};
  }
  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    const Run<Host> run = roster_.find(rung, problem.type, problem.operation);
    const Tuning resolved = resolve(rung, problem, tuning);
    return std::make_unique<BlockingReduction<Host>>(*host_, footprint_of(problem, resolved), run,
                                                     problem, resolved);
  }

 private:
  Roster<Host> roster_{cpu_ladder, table, {}, {}};
  std::shared_ptr<Host> host_;
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(std::make_unique<Threads>());
  return one;
}

}  // namespace ladder::threads
