#pragma once

// The ranks that mpirun has started. All run the same program on the same plan, so that each call
// below is one that all ranks come to.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "common/accounting.hpp"
#include "common/model/backend.hpp"
#include "several/mpi/watch.hpp"
#include "several/spanning_device.hpp"

namespace ladder::several {

class World final : public Ranks {
 public:
  /// Whether this process was started as one of several ranks, or as the only one.
  static bool started();
  /// The one of this process. Ends all ranks with status 2 if they are not of one build.
  static std::shared_ptr<World> join();

  explicit World(int rank);
  ~World() override;

  bool is_first() const override { return rank_ == 0; }
  std::uint64_t from_first(std::uint64_t number) override;
  bool all_fail(int status, const std::string& sentence) override;
  [[noreturn]] void abort(int status, const std::string& sentence) override;

  unsigned rank() const { return rank_; }
  unsigned size() const { return size_; }
  /// Number among the ranks of its host.
  unsigned place() const { return place_; }

  /// Carries `act` out on each rank. If it fails on one, throws that rank's error on all.
  void together(const std::function<void()>& act);
  std::vector<MemberFacts> gather(const MemberFacts& own) const;
  std::uint64_t least(std::uint64_t own) const;
  /// The largest of what the ranks have measured in the runs that `meet` began.
  double largest(double own);
  /// Bytes are added up; the depth is the largest.
  Pass sum(const Pass& own) const;

  /// Brings all ranks to the start of runs that read `bytes` bytes together. Ends them all where
  /// their numbers are not the same.
  void meet(std::uint64_t number, double bytes);
  /// After the last of these runs on this rank, which waits for no other one then.
  void runs_are_over() { watch_.end(); }
  /// Has the first so many ranks reduce among themselves from here on.
  void make_ready(unsigned shares);
  /// MPI_Allreduce over the first so many ranks, of which this is one.
  Value reduce(const Value& own, Operation operation, unsigned shares) const;

 private:
  static void combine(void* in, void* to, int* length, MPI_Datatype*);
  void check_builds() const;

  unsigned rank_, size_ = 1, place_ = 0;
  double allowed_ = 0;  ///< seconds for the runs under way
  Watch watch_;
  MPI_Op combine_ = MPI_OP_NULL;
  MPI_Comm ends_ = MPI_COMM_NULL;        ///< for the end alone, which ranks may come to at any time
  bool failed_ = false;                  ///< all ranks have, and have met at the end
  std::map<unsigned, MPI_Comm> shares_;  ///< the first so many ranks
};

}  // namespace ladder::several
