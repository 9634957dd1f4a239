// The measuring of energy, on a counter and a device whose time a test makes.

#include "bench/run/energy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "program.hpp"

namespace ladder::bench {
namespace {

constexpr double idle_watts = 50, busy_watts = 300;

/// A device that is busy until its work is done, and a counter that tells what had been taken at
/// its last step.
class Made : public EnergyCounter {
 public:
  /// `reading`: seconds that one takes; what it tells is from so far within it.
  Made(double step, double phase, double reading = 20e-6, double within = 1)
      : step_(step), phase_(phase), reading_(reading), within_(within) {}

  double joules() override {
    pass(within_ * reading_);
    const double told = told_;
    pass((1 - within_) * reading_);
    return told;
  }
  std::string source() const override { return "made up"; }
  double now() override { return now_; }
  void wait(double seconds) override { pass(seconds); }

  void enqueue(double seconds) { busy_until_ = std::max(busy_until_, now_) + seconds; }
  void finish() {
    if (busy_until_ > now_) pass(busy_until_ - now_);
  }

 private:
  void pass(double seconds) {
    const double end = now_ + seconds;
    while (now_ < end) {
      const double stepped = phase_ + step_ * (std::floor((now_ - phase_) / step_) + 1);
      double next = std::min(end, stepped);
      if (now_ < busy_until_) next = std::min(next, busy_until_);
      taken_ += (next - now_) * (now_ < busy_until_ ? busy_watts : idle_watts);
      now_ = next == now_ ? std::nextafter(now_, end) : next;
      if (next == stepped) told_ = taken_;
    }
  }

  double step_, phase_, reading_, within_;
  double now_ = 0, busy_until_ = 0, taken_ = 0, told_ = 0;
};

/// Calls of so many seconds that are enqueued, or that block.
Load load_of(Made& made, double call, bool blocks) {
  return {[&made, call, blocks](std::size_t calls) {
            made.enqueue(call * static_cast<double>(calls));
            if (blocks) made.finish();
          },
          [&made] { made.finish(); }};
}

TEST(Energy, TheStepOfACounterIsHowOftenAndByHowMuchItChanges) {
  for (const double step : {0.1, 0.02, 0.001}) {
    Made made(step, 0.3 * step);
    constexpr double before = 1;
    made.wait(before);
    const auto found = measure_step(made);
    EXPECT_NEAR(found.seconds, step, 2 * energy_pause);
    EXPECT_NEAR(found.joules, idle_watts * found.seconds, idle_watts * 2 * energy_pause);
    EXPECT_GE(made.now() - before, idle_least);
  }
}

TEST(Energy, ACounterThatStandsStillIsRefused) {
  Made made(1e9, 1e9);
  EXPECT_THROW(measure_step(made), NotPossible);
  EXPECT_LT(made.now(), 2 * energy_patience);
  EXPECT_THROW(measure_idle(made, {0.1, 5}), std::runtime_error);
  EXPECT_THROW(measure_load(made, {0.1, 5}, load_of(made, 1e-3, false)), std::runtime_error);
}

TEST(Energy, IdleIsFromAChangeToAChange) {
  Made made(0.1, 0.03);
  const auto step = measure_step(made);
  const auto idle = measure_idle(made, step);
  EXPECT_GE(idle.seconds, idle_least - idle.slack);
  EXPECT_LT(idle.seconds, idle_least + 0.2);
  EXPECT_NEAR(idle.joules / 0.1 / idle_watts, std::round(idle.joules / 0.1 / idle_watts), 1e-6)
      << "whole steps";
  EXPECT_LE(std::abs(idle.watts() / idle_watts - 1), idle.uncertainty());
  EXPECT_LT(idle.uncertainty(), 0.001);
}

/// Whatever the phase of the counter, the length of a call, and whether it blocks.
TEST(Energy, UnderLoadTheUncertaintyHoldsWhatTheStepsLeaveOpen) {
  for (const bool blocks : {false, true})
    for (const double step : {0.1, 0.001})
      for (const double call : {3e-6, 1.1e-3, 0.07, 0.35})
        for (const double phase : {0.0, 0.21, 0.5, 0.77}) {
          Made made(step, phase * step);
          const auto known = measure_step(made);
          const auto found = measure_load(made, known, load_of(made, call, blocks));
          const std::string which = "blocks " + std::to_string(blocks) + ", step " +
                                    std::to_string(step) + ", call " + std::to_string(call) +
                                    ", phase " + std::to_string(phase);
          EXPECT_GE(found.energy.seconds, energy_least - found.energy.slack) << which;
          EXPECT_LE(found.energy.seconds, found.seconds + found.energy.slack) << which;
          EXPECT_NEAR(found.calls_per_second() * call, 1, 0.03) << which << ": kept busy";
          // What lies between batches is idle: the device's true power is a little below.
          EXPECT_LE(std::abs(found.energy.watts() / busy_watts - 1),
                    found.energy.uncertainty() + 0.015)
              << which;
          EXPECT_LT(found.energy.uncertainty(), 0.04) << which;
          if (!blocks && call < 0.01) {
            EXPECT_LT(found.energy.uncertainty(), 0.01) << which << ": looked at while it runs";
          }
        }
}

/// As NVIDIA's counters are: they change ten times a second, and a reading takes milliseconds.
TEST(Energy, TheTimeThatAReadingTakesIsInTheUncertainty) {
  for (const double within : {0.0, 0.5, 1.0})
    for (const double phase : {0.0, 0.013, 0.029, 0.047, 0.061, 0.083}) {
      Made made(0.1, phase, 5e-3, within);
      const auto step = measure_step(made);
      EXPECT_NEAR(step.seconds, 0.1, 6e-3);
      const auto idle = measure_idle(made, step);
      EXPECT_LE(std::abs(idle.watts() / idle_watts - 1), idle.uncertainty()) << within << phase;
      EXPECT_GT(idle.slack, 5e-3);
      const auto load = measure_load(made, step, load_of(made, 1e-3, false));
      EXPECT_LE(std::abs(load.energy.watts() / busy_watts - 1), load.energy.uncertainty())
          << within << " " << phase;
      EXPECT_LT(load.energy.uncertainty(), 0.012);
      EXPECT_NEAR(load.calls_per_second() * 1e-3, 1, 1e-3) << "readings leave no gap";
    }
}

TEST(Energy, ABatchIsAsManyCallsAsTakeSomeTime) {
  Made made(0.1, 0);
  std::vector<std::size_t> batches;
  const Load inner = load_of(made, 1e-4, false);
  measure_load(made, measure_step(made),
               {[&](std::size_t calls) {
                  batches.push_back(calls);
                  inner.enqueue(calls);
                },
                inner.finish});
  EXPECT_EQ(batches.front(), 1u);
  EXPECT_NEAR(static_cast<double>(batches.back()), energy_batch / 1e-4, 5);
  EXPECT_EQ(std::set(batches.end() - 50, batches.end()).size(), 1u);
}

TEST(Energy, EachRoundHasAnOrderOfItsOwn) {
  std::set<std::vector<std::size_t>> orders;
  for (unsigned round = 1; round <= energy_rounds; ++round) {
    auto order = order_of_round(20, round, 7);
    EXPECT_EQ(order, order_of_round(20, round, 7)) << "told by the seed";
    orders.insert(order);
    std::ranges::sort(order);
    std::vector<std::size_t> all(20);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all) << "each once";
  }
  EXPECT_EQ(orders.size(), energy_rounds);
  EXPECT_NE(order_of_round(20, 1, 7), order_of_round(20, 1, 8));
}

// The program, over fake devices.

constexpr const char* counts = "FAKE_ENERGY=steps";

TEST_F(Program, MeasuresTheEnergyInRoundsAndRecordsThem) {
  const auto outcome = run("--energy --sizes=2^12" + records_option(), counts);
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  expect_says(outcome, "J/GB");
  expect_says(outcome, "library_fake");
  expect_says(outcome, "energy by made up, which changes every 100 ms (idle by 5.0 J), idle 50");
  expect_says(outcome, "absent: no such device was ever built");
  std::map<std::string, std::set<unsigned>> rounds;
  std::map<unsigned, std::set<unsigned>> orders;
  for (const auto& record : records("energy")) {
    const std::string rung = record["rung"];
    rounds[rung].insert(record["round"].get<unsigned>());
    orders[record["round"]].insert(record["order"].get<unsigned>());
    EXPECT_EQ(record["rounds"], energy_rounds);
    EXPECT_EQ(record["ok"], true);
    EXPECT_EQ(record["error"], nullptr);
    EXPECT_EQ(record["bytes"], 4096 * 4);
    EXPECT_EQ(record["block"], rung == "r04" ? PlainJson(256) : PlainJson(nullptr));
    EXPECT_NEAR(record["idle_watts"], 50, 0.1);
    EXPECT_NEAR(record["step_seconds"], 0.1, 1e-3);
    EXPECT_NEAR(record["step_joules"], 5, 0.1);
    EXPECT_GE(record["seconds"].get<double>() + record["slack_seconds"].get<double>(), 3);
    const double watts = record["watts"], gbs = record["gbs"];
    EXPECT_NEAR(watts, 200, 200 * 0.05);
    EXPECT_DOUBLE_EQ(watts, record["joules"].get<double>() / record["seconds"].get<double>());
    EXPECT_DOUBLE_EQ(gbs, record["calls"].get<double>() * 4096 * 4 * 1e-9 /
                              record["calls_seconds"].get<double>());
    EXPECT_DOUBLE_EQ(record["joules_per_gb"], watts / gbs);
    // The made up rungs' claims, ten thousand times slower: 20 and 80 GB/s, and a microsecond.
    const double call = 1e4 * (4096 * 4 / (rung == "r04" ? 20e9 : 80e9) + 1e-6);
    EXPECT_NEAR(gbs, 4096 * 4e-9 / call, 0.05 * 4096 * 4e-9 / call) << rung;
  }
  ASSERT_EQ(rounds.size(), 2u) << "of the rungs that energy is measured of";
  EXPECT_EQ(rounds["r04"], (std::set{1U, 2U, 3U}));
  EXPECT_EQ(rounds["library_fake"], (std::set{1U, 2U, 3U}));
  for (const auto& [round, places] : orders) EXPECT_EQ(places, (std::set{1U, 2U})) << round;
  EXPECT_EQ(records("conditions").size(), 2u);
  EXPECT_TRUE(records("measurement").empty());
  EXPECT_TRUE(records("sample").empty());
  // What rounds differ by, and what the counter's steps leave open: all that is told in percent.
  const std::regex percent("([0-9.]+) %");
  const auto begin = std::sregex_iterator(outcome.text.begin(), outcome.text.end(), percent);
  ASSERT_NE(begin, std::sregex_iterator());
  for (auto at = begin; at != std::sregex_iterator(); ++at)
    EXPECT_LT(std::stod((*at)[1]), 50) << outcome.text;
  // With two digits, though it is a part of the whole.
  const std::regex open("leave at most ([0-9]\\.[0-9]|0\\.[0-9][0-9]|[1-9][0-9]) % open");
  EXPECT_TRUE(std::regex_search(outcome.text, open)) << outcome.text;
}

TEST_F(Program, EnergyLeavesNoLineOfProgressAboveItsTable) {
  setenv("FAKE_ENERGY", "steps", 1);
  const auto outcome = run_on_terminal(100, {"--energy", "--sizes=2^12", "--rungs=r04"});
  unsetenv("FAKE_ENERGY");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  const auto last = outcome.text.rfind("energy: round 3 of 3");
  ASSERT_NE(last, std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find("\r\x1b[K", last), outcome.text.find_first_of("\r\n", last));
}

TEST_F(Program, EnergyOfEachProblemHasATableOfItsOwn) {
  const auto outcome = run("--energy --sizes=2^12 --types=f32,i32 --rungs=r04,lib", counts);
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  const auto tables = [&](const std::string& head) {
    std::size_t count = 0;
    for (auto at = outcome.text.find(head); at != std::string::npos;
         at = outcome.text.find(head, at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(tables("\nfloat sum, "), 1U) << outcome.text;
  EXPECT_EQ(tables("\nint32 sum, "), 1U) << outcome.text;
}

TEST_F(Program, SaysInASentenceWhereNothingCountsTheEnergy) {
  const auto outcome = run("--energy --sizes=2^12" + records_option());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.text,
            "ladder: --energy: nothing counts it: fake:0: no counter of its energy is known\n");
  EXPECT_FALSE(fs::exists(file("records.jsonl")));
  const auto still = run("--energy --sizes=2^12", "FAKE_ENERGY=still");
  EXPECT_EQ(still.status, 2);
  expect_says(still, "the energy counter stands still (made up)");
}

TEST_F(Program, AWrongResultOrAFailureUnderEnergyIsAnError) {
  const auto outcome =
      run("--energy --rungs=r04,wrong,throws --sizes=2^12" + records_option(), counts);
  EXPECT_EQ(outcome.status, 1) << outcome.text;
  expect_says(outcome, "0/3: wrong result: ");
  expect_says(outcome, "0/3: the launch failed, as it always does");
  expect_says(outcome, "3/3\n");
  std::size_t wrong = 0;
  for (const auto& record : records("energy")) {
    if (record["rung"] == "r04") continue;
    EXPECT_EQ(record["ok"], false);
    EXPECT_EQ(record["joules"], nullptr);
    EXPECT_FALSE(record.contains("joules_per_gb"));
    EXPECT_FALSE(record["error"].get<std::string>().empty());
    ++wrong;
  }
  EXPECT_EQ(wrong, 6u);
}

TEST_F(Program, EnergyIsOfFourGibibytesOrOfWhatFits) {
  expect_says(run("--energy --benchmark_list_tests", counts), "/n:1073741824/");
  // Two inputs in 8 GiB, less what the harness takes.
  const auto two = run("--energy --types=f32,i64 --benchmark_list_tests", counts);
  expect_says(two, "f32/sum/n:536870912/");
  expect_says(two, "i64/sum/n:268435456/");
  expect_says(run("--energy --types=f32,i64 --ops=sum,max --benchmark_list_tests", counts),
              "f32/max/n:268435456/");
  expect_says(run("--energy --dry-run", counts), "2 measurements, about 3");
}

TEST_F(Program, EnergyRefusesWhatMeansNothingToIt) {
  for (const std::string option :
       {"--cache=cold", "--scope=kernel", "--samples=5", "--processes=2", "--quick", "--profile",
        "--resume --records=x", "--benchmark_format=json"}) {
    const auto outcome = run("--energy " + option, counts);
    EXPECT_EQ(outcome.status, 2) << option;
    expect_says(outcome, "--energy");
    expect_says(outcome, option.substr(0, option.find_first_of("= ")));
  }
  const auto none = run("--energy --rungs=r04 --sizes=0", counts);
  EXPECT_EQ(none.status, 2);
  expect_says(none, "nothing is read");
}

}  // namespace
}  // namespace ladder::bench
