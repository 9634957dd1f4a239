#pragma once

// The ranks that mpirun has started. Rank 0 measures: it has the plan, the order and the records,
// and the others do what it says, one command after another.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "several/crew.hpp"
#include "several/mpi/watch.hpp"

namespace ladder::several {

class World final : public Crew {
 public:
  using Make = std::vector<std::unique_ptr<Backend>> (*)();

  /// The one of this process. Throws `NotPossible` where it was not started by mpirun or the like,
  /// or where the ranks are not of one build. `make` gives the backends that the ranks run.
  static std::shared_ptr<World> join(Make make);
  /// Whether this process was started as one of several ranks, or as the only one.
  static bool started();

  World(Make make, int of_this_process);
  /// Rank 0 lets the others go.
  ~World() override;

  unsigned rank() const { return rank_; }
  /// Number among the ranks of its host.
  unsigned place() const { return place_; }
  /// Carries out what rank 0 says until it is let go. Returns the exit status.
  int serve();

  unsigned size() const override { return size_; }
  std::string_view kind() const override { return "rank"; }
  Member& own() override { return member_; }
  std::vector<Answer> ask(Command command, std::span<const std::byte> payload) override;
  using Crew::ask;
  void make_ready(unsigned shares) override;

  /// Rank 0: brings all ranks to the start of `runs` runs of the job.
  void line_up(const Command& command, Part& part);
  /// One run of those on this rank: its share, then MPI_Allreduce. False where a rank failed, whose
  /// part then has the error: the runs are over.
  bool run(Part& part, Value& result);
  void runs_are_over() { watch_.end(); }

 private:
  struct Partial {
    std::uint64_t bits;
    std::uint64_t failed;  ///< how many of those that it is made of
  };
  static void combine(void* in, void* to, int* length, MPI_Datatype*);

  void check_builds() const;
  Answer carry_out(const Command& command, std::span<const std::byte> payload);
  void send(const Command& command, std::span<const std::byte> payload);
  std::vector<Answer> gather(const Answer& own) const;
  /// The barrier before the runs: ends all ranks where they are not before the same sample.
  void meet(const Part& part, std::uint64_t index);
  void run_all(const Command& command);
  void divide(unsigned shares);

  unsigned rank_ = 0, size_ = 1, place_ = 0;
  Member member_;
  Watch watch_;
  MPI_Datatype partial_ = MPI_DATATYPE_NULL;
  MPI_Op combine_ = MPI_OP_NULL;
  std::map<unsigned, MPI_Comm> shares_;  ///< the first so many ranks
};

}  // namespace ladder::several
