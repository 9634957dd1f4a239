#pragma once

// Processes that carry out one plan together, each on a device of its own.

#include <cstdint>
#include <string>

namespace ladder {

/// The ranks of an MPI. Each runs the same program with the same command; rank 0 decides what is
/// measured in which order, and it alone prints and writes.
class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  virtual bool is_first() const = 0;
  /// Returns rank 0's number on every rank. The others wait for it as long as rank 0 takes.
  virtual std::uint64_t from_first(std::uint64_t number) = 0;
  /// Called by a rank that ends with an error. Returns true on rank 0 if all ranks came here, as
  /// they do for a wrong option: then rank 0 says it. If they did not, prints the sentence and ends
  /// all ranks with this status.
  virtual bool all_fail(int status, const std::string& sentence) = 0;
  /// Prints the sentence of this rank and ends all ranks.
  [[noreturn]] virtual void abort(int status, const std::string& sentence) = 0;
};

/// Whether this process decides, checks, prints and writes. `ranks`: null for one process alone.
inline bool leads(const Ranks* ranks) { return ranks == nullptr || ranks->is_first(); }

}  // namespace ladder
