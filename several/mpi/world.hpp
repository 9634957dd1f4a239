#pragma once

// The ranks that mpirun started. All run the same program on the same plan, so that all ranks reach
// each call below.

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
  /// True if a launcher started this process as a rank, even as the only one.
  static bool started();
  /// World of this process. Ends all ranks with status 2 if their builds differ.
  static std::shared_ptr<World> join();

  explicit World(int rank);
  ~World() override;

  bool is_first() const override { return rank_ == 0; }
  std::uint64_t from_first(std::uint64_t number) override;
  bool all_fail(int status, const std::string& sentence) override;
  [[noreturn]] void abort(int status, const std::string& sentence) override;

  unsigned rank() const { return rank_; }
  unsigned size() const { return size_; }
  /// Index among the ranks of its host.
  unsigned place() const { return place_; }

  /// Calls `act` on each rank. If it fails on one, throws that rank's error on all.
  void together(const std::function<void()>& act);
  /// `own` of all ranks.
  template <class T>
  std::vector<T> gather(const T& own) {
    std::vector<T> all(size_);
    watch_.begin("the facts of all ranks", 0);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    watch_.end();
    return all;
  }
  std::uint64_t least(std::uint64_t own) const;
  /// Maximum over all ranks of their time for the runs that `meet` began.
  double largest(double own);
  /// Adds up bytes; the depth is the maximum.
  Pass sum(const Pass& own) const;

  /// Synchronizes all ranks before runs that read `bytes` bytes in total. Ends all ranks if their
  /// numbers differ.
  void meet(std::uint64_t number, double bytes);
  /// Called after the last of these runs on this rank, which then waits for no other.
  void runs_are_over() { watch_.end(); }
  /// Creates the communicator of the first `shares` ranks if needed.
  void make_ready(unsigned shares);
  /// MPI_Allreduce over the first `shares` ranks, including this one.
  Value reduce(const Value& own, Operation operation, unsigned shares) const;

 private:
  static void combine(void* in, void* to, int* length, MPI_Datatype*);
  void check_builds() const;

  unsigned rank_, size_ = 1, place_ = 0;
  double allowed_ = 0;  ///< time limit of the current runs in seconds
  Watch watch_;
  MPI_Op combine_ = MPI_OP_NULL;
  MPI_Comm ends_ = MPI_COMM_NULL;        ///< only for the end, which ranks may reach at any time
  bool failed_ = false;                  ///< all ranks failed and met at the end
  std::map<unsigned, MPI_Comm> shares_;  ///< of the first ranks, by their number
};

}  // namespace ladder::several
