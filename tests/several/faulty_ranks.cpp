// Ranks on the CPU, one with the fault in LADDER_FAULT: "RANK:what". The others notice it only
// through MPI, as when a machine of a cluster fails. With FAKE_ID, the name of a rank's device,
// they use devices that do not exist.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "cpu/cpu_backend.hpp"
#include "several/mpi/world.hpp"
#include "several/several_backend.hpp"
#include "tests/bench/fake_backend.hpp"

namespace ladder {
namespace several::mpi {
std::vector<std::unique_ptr<Backend>> backends();
}

namespace {

constexpr int runs_before = 100;  // so that some samples are recorded, including disturbed ones

/// Returns the fault of this rank; empty for none.
std::string fault() {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const char* const given = std::getenv("LADDER_FAULT");
  if (rank == nullptr || given == nullptr) return "";
  const std::string who = std::string(rank) + ":", what = given;
  return what.starts_with(who) ? what.substr(who.size()) : "";
}

class FaultyJob final : public Job {
 public:
  explicit FaultyJob(std::unique_ptr<Job> job) : job_(std::move(job)) {}
  void arm() override {
    if (fault() == "loses_step" && runs_ > runs_before) lose_step();
    job_->arm();
  }
  void run() override {
    job_->run();
    if (++runs_ <= runs_before) return;
    if (runs_ == runs_before + 1 && !fault().empty()) tell_when();
    if (fault() == "dies") std::raise(SIGKILL);
    if (fault() == "hangs") {
      for (;;) pause();
    }
    if (fault() == "stops") std::raise(SIGSTOP);
    if (fault() == "fails") throw std::runtime_error("its memory has come loose");
  }
  void fetch() override { job_->fetch(); }
  void disarm() override { job_->disarm(); }
  Value result() const override {
    Value value = job_->result();
    if (fault() == "is_wrong") ++value.bits;
    return value;
  }
  void spoil() override { job_->spoil(); }
  const Footprint& footprint() const override { return job_->footprint(); }
  Tuning tuning() const override { return job_->tuning(); }

 private:
  static void tell_when() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::fprintf(stderr, "the fault comes at %.3f\n", std::chrono::duration<double>(now).count());
  }
  /// Simulates a sample on this rank only.
  static void lose_step() { several::World::join()->meet(1, 0); }

  std::unique_ptr<Job> job_;
  int runs_ = 0;
};

class FaultyBackend final : public Backend {
 public:
  explicit FaultyBackend(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}

  std::string_view name() const override { return backend_->name(); }
  std::span<const RungInfo> rungs() const override { return backend_->rungs(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return backend_->carries(rung, type, operation);
  }
  std::optional<std::string> open(int device) override {
    if (fault() == "has_no_device" || (fault() == "sees_one" && device > 0))
      return "there is no GPU 1: 1 was found, counted from 0";
    return backend_->open(device);
  }
  Device& device() const override { return backend_->device(); }
  Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const override {
    return backend_->resolve(rung, problem, tuning);
  }
  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    if (fault() == "has_no_memory") throw NotPossible("not enough memory: needs 8 B, free 4 B");
    if (std::getenv("LADDER_TELLS") != nullptr) tell(problem, tuning);
    return std::make_unique<FaultyJob>(backend_->prepare(rung, problem, tuning));
  }

 private:
  /// Prints the tuned configuration and the number of workers of this rank.
  void tell(const Problem& problem, const Tuning& tuning) const {
    const Tuned& tuned = device().tuned();
    const std::size_t bytes = effective_bytes(problem.n, problem.type);
    const auto* const line = tuned.find_host(problem.type, problem.operation, bytes);
    std::fprintf(stderr, "rank %s: %u workers, prefetch %zu, by '%s'\n",
                 std::getenv("OMPI_COMM_WORLD_RANK"), tuning.workers,
                 line != nullptr ? line->prefetch : 0, tuned.source.c_str());
  }

  std::unique_ptr<Backend> backend_;
};

}  // namespace

std::vector<std::unique_ptr<Backend>> single_device_backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(std::make_unique<FaultyBackend>(
      std::getenv("FAKE_ID") != nullptr ? fake::make_apart() : cpu::make_backend({})));
  return one;
}
std::vector<std::unique_ptr<Backend>> all_backends() { return several::mpi::backends(); }

}  // namespace ladder
