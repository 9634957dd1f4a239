#pragma once

#include <cstddef>
#include <span>

#include "common/accounting.hpp"
#include "common/problem.hpp"
#include "common/value.hpp"

namespace ladder {

/// What `Job::spoil` writes: in no type the result of exact data, but for an xor of int8, which can
/// be anything. (0xFF would be the integer -1.)
inline constexpr int spoiled_byte = 0x5A;

/// Something that can be timed, all that it needs allocated: a rung bound to a problem and a
/// tuning, or one of a device's own kernels. It can be run any number of times.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Untimed, before each sample: whatever the run needs (threads pinned where they will run).
  virtual void arm() {}
  /// Untimed, before `runs` runs in a row: where several processes take part, brings them all to
  /// the start.
  virtual void line_up([[maybe_unused]] unsigned runs) {}
  /// What is timed: enqueues everything, or carries it out where the rung blocks.
  virtual void run() = 0;
  /// Brings the result to where the host reads it and waits for it; part of host scope. Nothing
  /// where the rung blocks.
  virtual void fetch() {}
  /// Untimed, after the runs that `line_up` announced: the seconds of whoever took longest, where
  /// `own` is what the caller's clock says.
  virtual double longest(double own) { return own; }
  /// Untimed, after each sample: undoes `arm`.
  virtual void disarm() {}
  /// The fetched result.
  virtual Value result() const = 0;
  /// The fetched results of a problem with groups, one accumulator behind the other, and room for
  /// one more, which only `spoil` writes. Empty where there are no groups.
  virtual std::span<const std::byte> results() const { return {}; }
  /// Overwrites the place of the result, untimed, so that a run which writes nothing cannot pass on
  /// its predecessor's.
  virtual void spoil() = 0;
  virtual const Footprint& footprint() const = 0;
  /// The tuning as resolved: no zero on an axis that the rung has.
  virtual Tuning tuning() const { return {}; }
};

}  // namespace ladder
