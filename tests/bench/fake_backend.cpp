#include "fake_backend.hpp"

#include <algorithm>
#include <utility>

#include "tests/bench/fake_device.hpp"

namespace ladder::fake {
namespace {

FakeDevice& device() {
  static FakeDevice one("fake:0", true);
  return one;
}
FakeDevice& device_without_timer() {
  static FakeDevice one("serial:0", false);
  return one;
}

class Fake : public Backend {
 public:
  Fake(std::string_view name, FakeDevice& device, Roster<Queue> roster, std::string why_not = "")
      : name_(name), device_(device), roster_(std::move(roster)), why_not_(std::move(why_not)) {}
  std::string_view name() const override { return name_; }
  std::span<const RungInfo> rungs() const override { return roster_.infos(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return roster_.carries(rung, type, operation);
  }
  std::optional<std::string> open(int) override {
    if (device_.queue.fault.gone()) return "no such device is seen here";
    return why_not_.empty() ? std::nullopt : std::optional(why_not_);
  }
  Device& device() const override { return device_; }
  std::vector<Fact> facts() const override { return {{"version", "3", "made up"}}; }
  Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const override {
    const Tuning& defaults = roster_.defaults(rung);
    Tuning whole{tuning.block != 0 ? tuning.block : defaults.block, 0,
                 tuning.items != 0 ? tuning.items : defaults.items, 0};
    if (whole.block == 512) throw NotPossible("blocks of 512 are not to be had");
    if (whole.block * whole.items > 1 << 16) throw NotPossible("a tile of more than 2^16 elements");
    if (defaults.grid == 0) return whole;
    const std::size_t wanted =
        tuning.grid != 0 ? tuning.grid
                         : defaults.grid * device_.facts().units * defaults.block / whole.block;
    const std::size_t covering = (problem.n + whole.block - 1) / whole.block;
    whole.grid = static_cast<unsigned>(std::clamp<std::size_t>(covering, 1, wanted));
    return whole;
  }
  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    if (roster_.infos()[rung].rung.id == "refused") throw NotPossible("refused at the last moment");
    const auto run = roster_.find(rung, problem.type, problem.operation);
    return std::make_unique<FakeJob>(device_.queue, run, problem, tuning);
  }

 private:
  std::string_view name_;
  FakeDevice& device_;
  Roster<Queue> roster_;
  std::string why_not_;
};

struct Apart {
  FakeDevice own{"apart:0", true};
};
/// A backend with a device of its own.
class OnItsOwn final : private Apart, public Fake {
 public:
  OnItsOwn() : Fake("apart", own, Roster<Queue>{tuned_steps, tuned_table, {}, {}}) {}
};

}  // namespace

std::vector<std::string>& log() {
  static std::vector<std::string> calls;
  return calls;
}

std::unique_ptr<Backend> make_backend(std::string_view name) {
  return std::make_unique<Fake>(name, device(), Roster<Queue>{steps, table, library, {}});
}
std::unique_ptr<Backend> make_absent() {
  return std::make_unique<Fake>("absent", device(), Roster<Queue>{steps, table, library, {}},
                                "no such device was ever built; buy one");
}
std::unique_ptr<Backend> make_apart() { return std::make_unique<OnItsOwn>(); }
std::unique_ptr<Backend> make_serial() {
  return std::make_unique<Fake>("serial", device_without_timer(),
                                Roster<Queue>{serial_steps, serial_table, {}, {}});
}

}  // namespace ladder::fake
