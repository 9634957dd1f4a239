#pragma once

// Results of --energy.

#include <string>

#include "bench/results/results.hpp"

namespace ladder::bench {

inline constexpr unsigned energy_rounds = 3;

/// The interval between two changes of an energy counter.
struct Energy {
  double joules = 0, seconds = 0;
  double slack = 0;  ///< seconds by which the interval may be longer or shorter

  double watts() const { return joules / seconds; }
};

/// One round of one measurement.
struct EnergyRound {
  const Row* row = nullptr;
  unsigned round = 1;        ///< from 1
  std::size_t place = 1;     ///< in the round's order, from 1
  std::string source;        ///< name of the counter
  Energy step, idle;         ///< of the idle device: one step of the counter, and some seconds
  Energy load{};             ///< under calls back to back; meaningless with an error
  std::size_t calls = 0;     ///< in `calls_seconds`, which include the load's interval
  double calls_seconds = 0;  ///< from the start of the first call to the end of the last
  std::string error{};       ///< empty if every checked result was right

  double gbs() const {
    return static_cast<double>(calls * row->measurement.bytes()) / calls_seconds * 1e-9;
  }
};

}  // namespace ladder::bench
