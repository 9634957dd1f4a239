#pragma once

// The rungs of fake_backend.hpp and their queue: right rungs with a claimed speed, and one rung for
// each possible failure.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "common/model/roster.hpp"
#include "tests/bench/fake_backend.hpp"

namespace ladder::fake {

/// Returns a setting that a test passes in the environment.
inline const char* setting(const char* name, const char* otherwise) {
  const char* const said = std::getenv(name);
  return said != nullptr ? said : otherwise;
}

/// Injects a device fault: FAKE_LOST="CALL WHAT FILE" loses the device at call CALL, counted
/// from 1. The first process to reach it creates FILE; later processes skip the fault. WHAT: gone
/// (in all later processes too), ecc, reset.
class Fault {
 public:
  Fault() {
    std::istringstream words(setting("FAKE_LOST", ""));
    words >> at_ >> what_ >> file_;
    struck_before_ = std::filesystem::exists(file_);
  }
  bool gone() const { return struck_before_ && what_ == "gone"; }
  bool lost() const { return !why_.empty(); }
  void strike(const std::string& why) { why_ = why; }
  /// Counts a call that reaches the device; throws if the device is lost.
  void touch() {
    ++calls_;
    if (!lost() && calls_ == at_ && !struck_before_) {
      std::ofstream(file_).put('!');
      strike(what_ == "ecc" ? "uncorrectable ECC error encountered (cudaErrorECCUncorrectable)"
             : what_ == "reset"
                 ? "the device was reset (cudaErrorDeviceUninitialized)"
                 : "no CUDA-capable device is available (cudaErrorDevicesUnavailable)");
    }
    if (lost()) throw std::runtime_error(why_);
  }

 private:
  std::size_t at_ = 0, calls_ = 0;
  std::string what_, file_, why_;
  bool struck_before_ = false;
};

struct Queue {
  Fault fault;
  double seconds = 0;  ///< of the last run
  double marked = 0;   ///< of all runs since the start was marked
  bool lets_go = false;
  double now = 0, joules = 0;  ///< of the energy's own, slower clock

  void pass(double time, double watts) {
    now += time;
    joules += time * watts;
  }
};
using NoEntry = Entry<Queue>;

inline void say(const std::string& what) { log().push_back(what); }

template <class Case>
typename Case::accumulator reduce(const View<Case>& problem) {
  auto value = Case::function::identity();
  for (std::size_t i = 0; i < problem.n; ++i)
    value = typename Case::function{}(value, problem.input[i]);
  return value;
}

inline constexpr auto nothing = [](const auto&...) {};
/// A right rung that claims `gbs` GB/s and 1 µs, and then calls `also(queue, problem, tuning)`.
template <int gbs, auto also = nothing>
struct Right {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
      *problem.result = reduce(problem);
      queue.seconds =
          static_cast<double>(problem.n * sizeof(typename Case::element)) / (gbs * 1e9) + 1e-6;
      also(queue, problem, tuning);
    }
  };
};

/// Fastest in blocks of 128, with 16 elements per thread and a grid of 64, on the axes that the
/// rung has; each doubling or halving of one costs 10 %.
inline constexpr auto slower = [](Queue& queue, const auto&, const Tuning& tuning) {
  const auto off = [](unsigned value, int best) {
    return value == 0 ? 0 : std::abs(std::log2(value) - best);
  };
  queue.seconds *= 1 + 0.1 * (off(tuning.block, 7) + off(tuning.items, 4) + off(tuning.grid, 6));
};
template <int gbs>
using Tuned = Right<gbs, slower>;

inline constexpr auto is_off_by_one = [](Queue&, const auto& problem, const Tuning&) {
  if (problem.n > 0) *problem.result += 1;
};
inline constexpr auto is_off_at_64 = [](Queue&, const auto& problem, const Tuning& tuning) {
  if (tuning.block == 64) *problem.result += 1;
};
/// Returns the floating minimum of the elements that are not NaN, and the first of two zeros.
inline constexpr auto ignores_nan = []<class Case>(Queue&, const View<Case>& problem,
                                                   const Tuning&) {
  if constexpr (Case::operation == Operation::min && is_floating<typename Case::element>) {
    auto least = Case::function::identity();
    for (std::size_t i = 0; i < problem.n; ++i)
      if (problem.input[i] < least) least = problem.input[i];
    *problem.result = least;
  }
};
inline constexpr auto throws = [](const auto&...) {
  throw std::runtime_error("the launch failed, as it always does");
};
inline constexpr auto loses = [](Queue& queue, const auto&...) {
  queue.fault.strike("an illegal memory access was encountered (cudaErrorIllegalAddress)");
  queue.fault.touch();
};
inline constexpr auto spins = [](const auto&...) {
  std::this_thread::sleep_for(std::chrono::seconds(20));
};
inline constexpr auto aborts = [](const auto&...) { std::abort(); };
inline constexpr auto lets_go = [](Queue& queue, const auto&...) { queue.lets_go = true; };

template <template <class> class Launch>
Run<Queue> classic(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}
inline Run<Queue> no_max(Type type, Operation operation) {
  return operation == Operation::max ? nullptr : classic<Right<20>::Launch>(type, operation);
}

inline constexpr std::array steps{
    device_ladder[2], device_ladder[3],  device_ladder[4],  device_ladder[6],  device_ladder[7],
    device_ladder[8], device_ladder[11], device_ladder[12], device_ladder[15], device_ladder[22]};
inline constexpr std::array table{
    NoEntry{"r02", classic<Right<10>::Launch>, {.block = 256}},
    NoEntry{"r03", "left out on purpose"},
    NoEntry{"r04", no_max, {.block = 256}},
    NoEntry{"r06", classic<Right<40>::Launch>, {.block = 256}},
    NoEntry{"r07", classic<Tuned<50>::Launch>, {.block = 256, .items = 8}},
    NoEntry{"r08", classic<Tuned<30>::Launch>, {.block = 256, .items = 8}},
    NoEntry{"r11", classic<Tuned<60>::Launch>, {.block = 256, .grid = 8}},
    NoEntry{"r12", classic<Tuned<65>::Launch>, {.block = 256, .grid = 8}},
    NoEntry{"r15", classic<Tuned<70>::Launch>, {.block = 256, .grid = 8}},
    NoEntry{"r23", classic<Tuned<75>::Launch>, {.block = 256, .grid = 8}, Need{90, "clusters"}}};
static_assert(complete(table, steps));
template <template <class> class Launch>
consteval Extra<Queue> extra(std::string_view id, std::string_view idea, unsigned axes = no_axis,
                             Tuning tuning = {}, bool blocks = false) {
  return {{id, "", "", idea, "", axes}, {id, classic<Launch>, tuning, blocks}, false};
}
inline constexpr std::array library{
    Extra<Queue>{{"library_fake", "", "", "the library", "", no_axis, "", nan_unspecified},
                 {"library_fake", classic<Right<80>::Launch>}},
    Extra<Queue>{{"open_nan", "", "", "ignores NaN, as declared", "", no_axis, "", nan_unspecified},
                 {"open_nan", classic<Right<70, ignores_nan>::Launch>},
                 false},
    extra<Right<70, ignores_nan>::Launch>("ignores_nan", "ignores NaN without a word"),
    extra<Right<90, is_off_by_one>::Launch>("wrong", "is off by one"),
    extra<Right<95, is_off_at_64>::Launch>("wrong_at_64", "is off by one in blocks of 64",
                                           block_axis, {.block = 256}),
    extra<Right<50, throws>::Launch>("throws", "fails to launch"),
    extra<Right<50, lets_go>::Launch>("lets_go", "outlasts the hold"),
    extra<Right<50, loses>::Launch>("loses", "loses the device"),
    extra<Right<50, spins>::Launch>("spins", "takes 20 s"),
    extra<Right<50, aborts>::Launch>("aborts", "ends the program"),
    extra<Right<60>::Launch>("blocks", "has host scope only", no_axis, {}, true),
    extra<Right<60>::Launch>("refused", "cannot be prepared")};

inline constexpr std::array tuned_steps{
    *std::ranges::find(device_ladder, std::string_view("r30"), &Rung::id)};
inline constexpr std::array tuned_table{NoEntry{"r30", classic<Right<50>::Launch>}};

inline constexpr std::array serial_steps{cpu_ladder[0]};
inline constexpr std::array serial_table{NoEntry{"c00", classic<Right<15>::Launch>, {}, true}};

}  // namespace ladder::fake
