// m03: one process per device, and MPI_Allreduce of the results on the hosts.

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "common/accounting.hpp"
#include "common/model/reduction.hpp"
#include "several/mpi/world.hpp"
#include "several/several_backend.hpp"
#include "several/shares.hpp"

namespace ladder::several::mpi {
namespace {

/// Work of each rank by itself, timed by the slowest: a ceiling, a floor.
class EachRank : public Job {
 public:
  /// `own`: null if this rank has no share. `bytes`: size of the whole problem.
  EachRank(World& world, std::unique_ptr<Job> own, std::size_t bytes)
      : world_(world), own_(std::move(own)), bytes_(bytes), number_(++jobs()) {}

  void arm() override {
    if (own_) own_->arm();
  }
  void line_up(unsigned runs) override {
    left_ = runs;
    world_.meet(number_ << 32 | ++samples_, static_cast<double>(bytes_) * runs);
  }
  void run() override {
    if (left_ == 0) line_up(1);
    if (own_) {
      own_->run();
      own_->fetch();
      meet_others(*own_);
    }
    if (--left_ == 0) world_.runs_are_over();
  }
  double longest(double seconds) override { return world_.largest(seconds); }
  void disarm() override {
    if (own_) own_->disarm();
  }
  void spoil() override {
    if (own_) own_->spoil();
  }
  Value result() const override { return own_ ? own_->result() : Value(); }
  const Footprint& footprint() const override { return own_ ? own_->footprint() : nothing_; }

 protected:
  World& world() const { return world_; }
  /// Follows each run if this rank has a share; timed.
  virtual void meet_others([[maybe_unused]] const Job& own) {}

 private:
  /// Number of prepared jobs, the same on all ranks.
  static std::uint64_t& jobs() {
    static std::uint64_t count = 0;
    return count;
  }

  World& world_;
  std::unique_ptr<Job> own_;
  std::size_t bytes_;
  std::uint64_t number_, samples_ = 0;
  unsigned left_ = 0;  ///< remaining runs that all ranks lined up for
  Footprint nothing_;
};

class AllReduce final : public EachRank {
 public:
  AllReduce(World& world, std::unique_ptr<Job> own, const Problem& problem, const Tuning& tuning)
      : EachRank(world, std::move(own), effective_bytes(problem.n, problem.type)),
        operation_(problem.operation),
        tuning_(tuning),
        result_{accumulator_of(problem.type, problem.operation), 0} {
    const Footprint& mine = EachRank::footprint();
    footprint_ = footprint_of(world.sum(pass_of(mine)), mine, tuning.shares);
  }
  void spoil() override {
    std::memset(&result_.bits, spoiled_byte, facts(result_.type).bytes);
    EachRank::spoil();
  }
  Value result() const override { return result_; }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return tuning_; }

 protected:
  void meet_others(const Job& own) override {
    result_ = world().reduce(own.result(), operation_, tuning_.shares);
  }

 private:
  Operation operation_;
  Tuning tuning_;
  Footprint footprint_;
  Value result_;
};

/// The device of each rank. Allocation and preparation fail on all ranks or on none.
class RankDevice final : public SpanningDevice {
 public:
  RankDevice(std::shared_ptr<World> world, Device& own)
      : SpanningDevice(own, world->gather(member_facts(own.facts())), "rank"),
        world_(std::move(world)) {}

  void use(Tuned tuned) override {
    own().use(tuned);
    Device::use(std::move(tuned));
  }
  /// Disturbances of all ranks; those of the others have the rank as prefix.
  std::string disturbance() override {
    std::array<char, 128> mine{};
    own().disturbance().copy(mine.data(), mine.size() - 1);
    std::string all;
    for (unsigned rank = 0; const auto& what : world_->gather(mine)) {
      add_disturbance(all, rank == 0 ? "" : "rank " + std::to_string(rank), what.data());
      ++rank;
    }
    return all;
  }
  std::size_t free_bytes() override { return part_of_memory(world_->least(own().free_bytes())); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    std::unique_ptr<Buffer> buffer;
    world_->together([&] { buffer = own().allocate(bytes); });
    return buffer;
  }
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override {
    own().fill(destination, type, recipe, first, count);
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    own().upload(destination, source, bytes);
  }
  void enqueue_set(void* destination, int byte, std::size_t bytes) override {
    own().enqueue_set(destination, byte, bytes);
  }
  void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) override {
    own().enqueue_upload(destination, pinned, bytes);
  }
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override {
    std::unique_ptr<Job> mine;
    const Share share = share_of(bytes, world_->rank(), world_->size());
    world_->together([&] {
      const auto* const from = static_cast<const std::byte*>(input) + share.first;
      mine = own().ceiling(configuration, from, share.count / 16 * 16);
    });
    return std::make_unique<EachRank>(*world_, std::move(mine), bytes);
  }
  std::unique_ptr<Job> floor(Floor which) override {
    std::unique_ptr<Job> mine;
    world_->together([&] { mine = own().floor(which); });
    return std::make_unique<EachRank>(*world_, std::move(mine), 0);
  }
  void evict() override { own().evict(); }
  void synchronize() override { own().synchronize(); }
  std::optional<std::string> recover() override { return own().recover(); }

 private:
  std::shared_ptr<World> world_;
};

constexpr std::string_view one_process = "is of one process: the backends several/...";

class OverMpi final : public SeveralBackend {
 public:
  explicit OverMpi(std::unique_ptr<Backend> each)
      : SeveralBackend("mpi", "rank", std::move(each),
                       {one_process, one_process, one_process, "", one_process}) {
    if (World::started()) world_ = World::join();
  }

  Ranks* ranks() override { return world_.get(); }
  std::optional<std::string> open(int device) override { return open_on({&device, 1}); }
  std::optional<std::string> open_on(std::span<const int> devices) override {
    if (device_ != nullptr) return std::nullopt;
    if (world_ == nullptr) return "runs on the ranks of an MPI: mpirun -n 4 ladder ...";
    try {
      std::string why;
      world_->together([&] { why = open_own(devices); });
      const MemberFacts mine = member_facts(own().device().facts());
      const auto alike = std::ranges::count(world_->gather(mine), mine.id, &MemberFacts::id);
      world_->together([&] {
        if (!why.empty() && alike > 1) throw NotPossible(why);
      });
      device_ = device_on(world_, own().device());
    } catch (const std::exception& error) {
      return error.what();
    }
    return std::nullopt;
  }
  Device& device() const override { return *device_; }

  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    check_carried(rung, problem);
    const Tuning resolved = resolve(rung, problem, tuning);
    world_->make_ready(resolved.shares);
    std::unique_ptr<Job> mine;
    world_->together([&] {
      if (world_->rank() < resolved.shares)
        mine = prepare_part(own(), part_of(problem, problem.input, world_->rank(), resolved.shares),
                            resolved);
    });
    return std::make_unique<AllReduce>(*world_, std::move(mine), problem, resolved);
  }

 protected:
  unsigned size() const override { return world_->size(); }

 private:
  /// Opens this rank's device. One number is that of each host's first rank, and the other ranks
  /// follow; several numbers are those of a host's ranks. A launcher may show each rank a single
  /// device: if the rank's own number is absent, opens that device and returns the reason.
  std::string open_own(std::span<const int> devices) {
    const unsigned place = world_->place();
    if (devices.size() > 1 && place >= devices.size()) {
      throw NotPossible("--devices names " + std::to_string(devices.size()) +
                        " devices, and this is rank " + std::to_string(place + 1) + " of its host");
    }
    const int first = devices.front() == every_device ? 0 : devices.front();
    const int wanted = devices.size() > 1 ? devices[place] : first + static_cast<int>(place);
    const auto why = own().open(wanted);
    if (!why) return "";
    if (wanted == 0 || own().open(0) || own().device().facts().seen != 1) throw NotPossible(*why);
    return *why;
  }

  /// One RankDevice per device: backends that share a device on rank 0 share it on all ranks.
  static std::shared_ptr<RankDevice> device_on(const std::shared_ptr<World>& world, Device& own) {
    static std::vector<std::pair<const Device*, std::weak_ptr<RankDevice>>> known;
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
    for (const auto& [device, shared] : known)
      if (device == &own) return shared.lock();
    auto made = std::make_shared<RankDevice>(world, own);
    known.emplace_back(&own, made);
    return made;
  }

  std::shared_ptr<World> world_;
  std::shared_ptr<RankDevice> device_;
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> all;
  for (auto& each : single_device_backends())
    all.push_back(std::make_unique<OverMpi>(std::move(each)));
  return all;
}

}  // namespace ladder::several::mpi
