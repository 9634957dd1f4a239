// Values derived from a row relative to the others, and their tables, on made-up results: nothing
// here is measured.

#include <fstream>
#include <sstream>

#include "bench/output/tables.hpp"
#include "bench/records/records.hpp"
#include "bench/results/results.hpp"
#include "fake_backend.hpp"
#include "program.hpp"

namespace ladder::bench {
namespace {

class Derivation : public Program {
 protected:
  Derivation() { plan_.devices.push_back({&device_, {backend_.get()}, {}}); }

  /// A measurement of that rung, over 128 MiB by default.
  Measurement of(std::string_view rung, Tuning tuning = {}) const {
    Measurement m;
    m.backend = backend_.get();
    while (m.info().rung.id != rung) ++m.rung;
    m.n = std::size_t{1} << 25;
    m.tuning = tuning;
    return m;
  }
  /// Adds a row of which each sample took `seconds`. The reference is valid until the next call.
  Row& add(const Measurement& m, double seconds) {
    auto& row = results_.rows.emplace_back();
    row.measurement = m;
    row.seconds = {seconds, seconds, seconds};
    return row;
  }
  Selection to_file() const {
    Selection selection;
    selection.records = file("records.jsonl");
    return selection;
  }
  /// Returns the run record of a process, as a line.
  static std::string run_of_study(const std::string& run, unsigned index, unsigned of) {
    PlainJson line{{"kind", "run"}, {"run", run}, {"schema", 2}};
    line["process"] = {{"index", index}, {"of", of}, {"group", "one study"}};
    return line.dump() + "\n";
  }
  Derived last() const { return derive(results_, results_.rows.back()); }
  void sweep(const Measurement& m, double seconds) {
    Ceiling ceiling{&m.device(), m.bytes(), m.bytes(), m.cache, {}, {}, {}};
    ceiling.candidates.push_back({{nullptr, {seconds, seconds, seconds}}, 0});
    results_.ceilings.push_back(std::move(ceiling));
  }
  /// Sets the time of an empty call of a rung.
  void call_takes(double seconds) {
    results_.floors.push_back({&device_, Floor::call, Statistics({seconds, seconds, seconds})});
  }

  /// Returns the printed tables of the results.
  std::string printed() const {
    std::ostringstream out;
    print_tables(out, results_, false);
    return out.str();
  }

  std::unique_ptr<Backend> backend_ = fake::make_backend();
  Device& device_ = backend_->device();
  Plan plan_;
  Results results_{plan_};
};
using Told = Derivation;

TEST_F(Derivation, HoldsAStepAgainstTheFastestTuningOfThoseThatAreAsNear) {
  add(of("r11", {.block = 64, .grid = 8}), 5);
  add(of("r11", {.block = 128, .grid = 8}), 3);
  add(of("r11", {.block = 512, .grid = 8}), 4);
  add(of("r12", {.block = 256, .grid = 8}), 2);
  EXPECT_DOUBLE_EQ(last().step.value().factor, 1.5);
  add(of("r12", {.block = 512, .grid = 8}), 2);
  EXPECT_DOUBLE_EQ(last().step.value().factor, 2) << "the nearest comes before the fastest";
}

TEST_F(Derivation, HoldsNothingAgainstAnotherCacheStateScopeOrSize) {
  const auto own = of("r12");
  auto hot = of("r11"), by_host = hot, longer = hot;
  hot.cache = Cache::hot;
  by_host.scope = Scope::host;
  longer.n *= 2;
  for (const auto& other : {hot, by_host, longer}) {
    add(other, 1);
    add(own, 2);
    EXPECT_FALSE(last().step.has_value()) << other.name();
    auto same = other;
    same.rung = own.rung;
    add(same, 2);
    EXPECT_DOUBLE_EQ(last().step.value().factor, 0.5) << other.name();
  }
  add(of("r11"), 3);
  add(own, 2);
  EXPECT_EQ(last().step.value().versus, "r11");
  EXPECT_DOUBLE_EQ(last().step.value().factor, 1.5);
}

TEST_F(Derivation, HoldsNothingThatIsLostAmongCallsAgainstAnything) {
  const auto own = of("r12");
  call_takes(1);
  sweep(own, 1);
  add(of("r11"), 3).calls = 7;
  add(own, 1.9).calls = 7;
  EXPECT_FALSE(last().step.has_value());
  EXPECT_FALSE(last().of_ceiling.has_value());
  add(of("r15"), 3);
  EXPECT_EQ(last().step.value().versus, "r11") << "r12 is lost among calls";
  add(own, 2.1).calls = 7;
  EXPECT_DOUBLE_EQ(last().step.value().factor, 3 / 2.1);
  EXPECT_DOUBLE_EQ(last().of_ceiling.value(), 1 / 2.1);
  add(own, 1.9).calls = 1;
  EXPECT_DOUBLE_EQ(last().step.value().factor, 3 / 1.9) << "the floor is not of single calls";
}

TEST_F(Derivation, TakesNothingThatIsMoreThanAHundredthAboveTheCeiling) {
  const auto above = [&](Measurement m, double part) {
    sweep(m, part);
    return above_ceiling(results_, add(m, 1));
  };
  auto m = of("r12");
  m.n = std::size_t{1} << 26;  // 256 MiB
  EXPECT_FALSE(above(m, 1.009));
  m.cache = Cache::hot;
  EXPECT_TRUE(above(m, 1.011));
  m.n += 4;
  EXPECT_TRUE(above(m, 1.2));
  m.n = std::size_t{1} << 25;
  EXPECT_FALSE(above(m, 1.2)) << "a cache may keep a part";
}

TEST_F(Told, IsAnErrorOnAGpuWhereItIsAboveTheCeiling) {
  auto m = of("r12");
  m.n = std::size_t{1} << 26;
  sweep(m, 1.2);
  add(m, 1);
  EXPECT_NE(printed().find("\nERROR reduce/fake/r12"), std::string::npos) << printed();
  EXPECT_EQ(printed().find("Warning: "), std::string::npos) << printed();
}

TEST_F(Told, ShowsNoShareAHundredthAboveTheCeiling) {
  const auto weak = [&](double part) {
    results_.rows.clear();
    results_.ceilings.clear();
    sweep(of("r12"), part);
    add(of("r12"), 1);
    return printed().find("sweep too weak") != std::string::npos;
  };
  EXPECT_FALSE(weak(1.01));
  EXPECT_EQ(last().of_ceiling.value(), 1.01) << "and no other number";
  EXPECT_TRUE(weak(1.011));
}

TEST_F(Told, ShowsNoShareAboveThePeak) {
  plan_.devices[0].peak.gbs = 1;
  add(of("r12"), 1);  // 128 MiB in a second
  EXPECT_EQ(printed().find("in cache"), std::string::npos) << printed();
  add(of("r12"), 1e-3);
  EXPECT_NE(printed().find("in cache"), std::string::npos) << printed();
}

TEST_F(Told, NamesTheFloorsThatWereMeasured) {
  results_.floors.push_back({&device_, Floor::launch, Statistics({2e-6, 2e-6, 2e-6})});
  results_.floors.push_back({&device_, Floor::clock, Statistics()});
  add(of("r12"), 1);
  EXPECT_NE(printed().find(", an empty launch 2.0 µs\n"), std::string::npos) << printed();
}

TEST_F(Derivation, CountsWhatFailedInAnotherProcess) {
  const auto m = of("r12");
  std::ofstream stream(file("records.jsonl"));
  const auto write = [&](unsigned index, const PlainJson& summary) {
    const std::string run(index, 'r');
    stream << run_of_study(run, index, 4);
    PlainJson line{{"kind", "summary"}, {"run", run}, {"id", m.id()}};
    line.update(summary);
    stream << line << "\n";
  };
  write(1, {{"count", 2}, {"midmean", 3.0}, {"failed", 1}, {"error", "the launch failed"}});
  write(2, {{"count", 3}, {"midmean", 2.0}, {"failed", 2}});
  write(3, {{"count", 1}, {"midmean", 5.0}, {"wrong", 4}});
  stream.close();
  const auto& row = add(m, 1);
  add_other_processes(results_, to_file(), {4, 4, "one study", 0});
  EXPECT_EQ(row.failed, 3U);
  EXPECT_EQ(row.wrong, 4U);
  EXPECT_EQ(row.error, "the launch failed");
  EXPECT_EQ(row.right(), 9U);
  EXPECT_EQ(row.times(), (std::vector<double>{3, 2, 5, 1}));
  EXPECT_FALSE(row.good());
}

TEST_F(Derivation, HoldsARowAgainstTheSweepOfItsOwnInput) {
  auto sum = of("r12"), least = sum;
  least.operation = Operation::min;
  sweep(least, 0.5);
  results_.ceilings.back().input_of = least;
  sweep(sum, 0.8);
  results_.ceilings.back().input_of = sum;
  add(sum, 1);
  EXPECT_DOUBLE_EQ(last().of_ceiling.value(), 0.8);
  add(least, 1);
  EXPECT_DOUBLE_EQ(last().of_ceiling.value(), 0.5);

  std::ofstream stream(file("records.jsonl"));
  stream << run_of_study("r", 1, 2);
  for (const auto& [op, gbs] : {std::pair{"min", 20.0}, std::pair{"sum", 10.0}}) {
    PlainJson line{{"kind", "ceiling"}, {"run", "r"}, {"space", device_.name()}};
    line.update({{"bytes", sum.bytes()}, {"cache", "cold"}, {"gbs", gbs}});
    line["input"] = {{"type", "f32"}, {"data", "exact"}, {"op", op}};
    stream << line << "\n";
  }
  stream.close();
  add_other_processes(results_, to_file(), {2, 2, "one study", 0});
  EXPECT_EQ(results_.ceilings[0].all_gbs().front(), 20.0);
  EXPECT_EQ(results_.ceilings[1].all_gbs().front(), 10.0);
}

}  // namespace
}  // namespace ladder::bench
