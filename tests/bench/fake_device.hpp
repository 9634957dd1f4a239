#pragma once

// The device of fake_backend.hpp: it computes on the host and reports made-up times.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/reference.hpp"
#include "tests/bench/fake_rungs.hpp"

namespace ladder::fake {

inline constexpr double idle_watts = 50, busy_watts = 200;

class HostBuffer : public Buffer {
 public:
  explicit HostBuffer(std::size_t bytes) : bytes_(bytes) {}
  std::byte* data() override { return bytes_.data(); }
  std::size_t bytes() const override { return bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
};

class FakeJob : public Job {
 public:
  FakeJob(Queue& queue, Run<Queue> launch, const Problem& problem, const Tuning& tuning)
      : queue_(queue), run_(launch), problem_(problem), tuning_(tuning) {
    problem_.result = &raw_;
    footprint_.launches.push_back(
        {{effective_bytes(problem.n, problem.type), 8, problem.n}, 1, tuning.block, {}});
  }
  void arm() override { say("arm"); }
  void run() override {
    say("run");
    queue_.fault.touch();
    queue_.seconds = 1e-6;  // the launch
    if (run_ != nullptr) run_(queue_, problem_, tuning_);
    queue_.marked += queue_.seconds;
    queue_.pass(1e4 * queue_.seconds, busy_watts);
  }
  void fetch() override {
    say("fetch");
    queue_.fault.touch();
    fetched_ = raw_;
  }
  void disarm() override { say("disarm"); }
  Value result() const override {
    return with_type(problem_.type, [&]<Type type>() {
      native<type> value;
      std::memcpy(&value, &fetched_, sizeof value);
      return Value::of(type, value);
    });
  }
  void spoil() override {
    say("spoil");
    queue_.fault.touch();
    raw_ = fetched_ = ~std::uint64_t{0};
  }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return tuning_; }

 private:
  Queue& queue_;
  Run<Queue> run_;
  Problem problem_;
  Tuning tuning_;
  Footprint footprint_;
  std::uint64_t raw_ = 0, fetched_ = 0;
};

/// Slowdown factor of this process among several, 1 by default: FAKE_SLOWNESS="1 1.1 1.2".
inline double slowness() {
  std::istringstream factors(setting("FAKE_SLOWNESS", ""));
  double factor = 1, next = 1;
  for (int i = std::atoi(setting("LADDER_PROCESS", "0")); i > 0 && factors >> next; --i)
    factor = next;
  return factor;
}

/// Returns the joules as of its last step, with ten steps per second.
class FakeCounter : public EnergyCounter {
 public:
  FakeCounter(Queue& queue, bool moves) : queue_(queue), moves_(moves) {}
  double joules() override {
    const double step = std::floor(10 * queue_.now);
    if (moves_ && step > step_) {
      step_ = step;
      told_ = queue_.joules;
    }
    return told_;
  }
  std::string source() const override { return "made up"; }
  double now() override { return queue_.now; }
  void wait(double seconds) override { queue_.pass(seconds, idle_watts); }

 private:
  Queue& queue_;
  bool moves_;
  double step_ = -1, told_ = 0;
};

class FakeDevice : public Device {
 public:
  FakeDevice(std::string_view name, bool has_timer) : name_(name), has_timer_(has_timer) {
    facts_.name = "a fake device";
    facts_.id = setting("FAKE_ID", "");
    facts_.kind = setting("FAKE_KIND", "gpu");
    facts_.peak_gbs = 100;
    facts_.peak_source = "made up";
    facts_.last_level_cache = std::size_t{1} << 20;
    facts_.memory_bytes = std::size_t{1} << 28;
    facts_.units = 4;
    facts_.capability = facts_.code_capability = 80;
    facts_.more = {{"driver", setting("FAKE_DRIVER", "1.0"), "made up"}};
  }
  std::string_view name() const override { return name_; }
  const DeviceFacts& facts() const override { return facts_; }
  std::size_t free_bytes() override {
    queue.fault.touch();
    return std::size_t{8} << 30;
  }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    queue.fault.touch();
    return std::make_unique<HostBuffer>(bytes);
  }
  std::unique_ptr<Buffer> allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override {
    queue.fault.touch();
    with_type(type, [&]<Type t>() {
      for (std::size_t i = 0; i < count; ++i)
        static_cast<native<t>*>(destination)[i] = element<native<t>>(recipe, first + i);
    });
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    queue.fault.touch();
    std::memcpy(destination, source, bytes);
  }
  void download(void* destination, const void* source, std::size_t bytes) override {
    queue.fault.touch();
    std::memcpy(destination, source, bytes);
  }
  void enqueue_set(void* destination, int byte, std::size_t bytes) override {
    queue.fault.touch();
    std::memset(destination, byte, bytes);
  }
  void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) override {
    upload(destination, pinned, bytes);
  }
  std::vector<std::string> ceiling_configurations() const override {
    return {"slow sweep", "fast sweep", "slower sweep", "slowest sweep"};
  }
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override {
    const Problem problem{input, bytes / 4, Type::f32, Operation::sum, nullptr};
    // More sweeps than are kept, to show which are chosen.
    constexpr std::array sweeps{classic<Right<30>::Launch>, classic<Right<85>::Launch>,
                                classic<Right<20>::Launch>, classic<Right<10>::Launch>};
    return std::make_unique<FakeJob>(queue, sweeps[configuration](problem.type, problem.operation),
                                     problem, Tuning{});
  }
  std::unique_ptr<Job> floor(Floor) override {
    return std::make_unique<FakeJob>(queue, nullptr, Problem{}, Tuning{});
  }
  void evict() override { call("evict"); }
  Eviction eviction() const override { return {.bytes = 4096}; }
  bool has_timer() const override { return has_timer_; }
  void hold() override { call("hold"); }
  void mark_start() override {
    call("start");
    queue.marked = 0;
  }
  void mark_stop() override { call("stop"); }
  void let_go() noexcept override {
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(setting("FAKE_LET_GO", "0"))));
  }
  bool release() override {
    call("release");
    return !std::exchange(queue.lets_go, false);
  }
  double elapsed() override {
    queue.fault.touch();
    return queue.marked * slowness() * (throttled() ? 2 : 1);
  }
  /// FAKE_SAMPLE_MS: wall-clock time of each sample except the first.
  std::string disturbance() override {
    const int takes = std::atoi(setting("FAKE_SAMPLE_MS", "0"));
    if (looks_ > 1) std::this_thread::sleep_for(std::chrono::milliseconds(takes));
    const bool is = throttled();
    ++looks_;
    if (!is) return "";
    return looks_ % 2 == 0 ? "thermal slowdown, made up" : "thermal slowdown";
  }
  void synchronize() override { call("synchronize"); }
  std::optional<std::string> recover() override {
    if (!queue.fault.lost()) return std::nullopt;
    return "the fake device is lost to this process: start the program again";
  }
  std::unique_ptr<EnergyCounter> energy_counter() override {
    const std::string_view counter = setting("FAKE_ENERGY", "");
    if (counter.empty()) return Device::energy_counter();
    return std::make_unique<FakeCounter>(queue, counter != "still");
  }

  Queue queue;

 private:
  /// FAKE_THROTTLED="2 4": true in samples 2 to 4, retakes included, which take twice as long.
  bool throttled() const {
    std::istringstream words(setting("FAKE_THROTTLED", "1 0"));
    std::size_t from = 0, to = 0;
    words >> from >> to;
    return looks_ >= from && looks_ <= to;
  }
  void call(const char* what) {
    say(what);
    queue.fault.touch();
  }

  std::size_t looks_ = 0;  ///< calls of `disturbance`; the first precedes the first sample
  std::string_view name_;
  bool has_timer_;
  DeviceFacts facts_;
};

}  // namespace ladder::fake
