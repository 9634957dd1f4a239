// m03: one process for each device, and MPI_Allreduce over their results on the hosts.

#include "several/backend.hpp"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "several/mpi/world.hpp"

namespace ladder::several::mpi {
namespace {

class AllReduce final : public Bound {
 public:
  AllReduce(Spanning& device, World& world, const Command& prepared, Footprint footprint)
      : Bound(device, prepared, std::move(footprint)), world_(world) {}

  void line_up(unsigned runs) override {
    Command command = this->command(Verb::line_up);
    command.runs = left_ = runs;
    world_.line_up(command, own());
  }
  void run() override {
    if (left_ == 0) line_up(1);
    Value value;
    const bool done = world_.run(own(), value);
    leave(value);
    if (--left_ > 0 && done) return;
    left_ = 0;
    world_.runs_are_over();
    if (!done) {
      ask(Verb::seconds);  // throws what went wrong, and where
      throw std::runtime_error("a rank has failed, and does not say how");
    }
  }
  double longest(double seconds) override {
    for (const Answer& answer : device().crew().all(command(Verb::seconds)))
      seconds = std::max(seconds, answer.number);
    return seconds;
  }

 private:
  World& world_;
  unsigned left_ = 0;  ///< of the runs that all ranks were told of
};

class Ranks final : public Spanning {
 public:
  Ranks(const std::shared_ptr<World>& world, std::uint32_t backend)
      : Spanning(world, backend), world_(*world) {}

 protected:
  std::unique_ptr<Job> bound(const Command& prepared, Footprint footprint) override {
    return std::make_unique<AllReduce>(*this, world_, prepared, std::move(footprint));
  }

 private:
  World& world_;
};

constexpr std::string_view one_process = "is of one process: the backends several/...";

class OverMpi final : public SeveralBackend {
 public:
  OverMpi(std::uint32_t which, std::unique_ptr<Backend> each)
      : SeveralBackend("mpi/" + std::string(each->name()), *each, which,
                       {one_process, one_process, one_process, "", one_process}),
        each_(std::move(each)) {}

  std::optional<int> serve() override {
    if (!World::started() || std::getenv("LADDER_PROCESS") != nullptr) return std::nullopt;
    try {
      world_ = World::join(single_device_backends);
    } catch (const NotPossible& reason) {
      std::cerr << "ladder: " << reason.what() << "\n";
      return 2;
    }
    if (world_->rank() == 0) return std::nullopt;
    return world_->serve();
  }

  std::optional<std::string> open(int device) override { return open_on({&device, 1}); }
  std::optional<std::string> open_on(std::span<const int> devices) override {
    if (spanning() != nullptr) return std::nullopt;
    // The ranks of a host follow the first one's device as it is: all devices are no others.
    if (devices.front() == every_device) return open(0);
    try {
      if (world_ == nullptr) world_ = World::join(single_device_backends);
      world_->all({.verb = Verb::open, .backend = which()}, std::as_bytes(devices));
      stand_on(device_on(world_, which()));
    } catch (const std::exception& error) {
      return error.what();
    }
    return std::nullopt;
  }

 private:
  /// Backends on one device of rank 0 are on one device of the ranks.
  static std::shared_ptr<Spanning> device_on(const std::shared_ptr<World>& world,
                                             std::uint32_t which) {
    static std::vector<std::pair<const Device*, std::weak_ptr<Spanning>>> known;
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
    const Device* const own = &world->own().backend(which).device();
    for (const auto& [device, shared] : known) {
      if (device == own) return shared.lock();
    }
    auto made = std::make_shared<Ranks>(world, which);
    known.emplace_back(own, made);
    return made;
  }

  std::shared_ptr<World> world_;
  std::unique_ptr<Backend> each_;
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> all;
  auto each = single_device_backends();
  for (std::uint32_t i = 0; i < each.size(); ++i)
    all.push_back(std::make_unique<OverMpi>(i, std::move(each[i])));
  return all;
}

}  // namespace ladder::several::mpi
