#include "fake_backend.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "common/model/roster.hpp"
#include "common/reference.hpp"

namespace ladder::fake {
namespace {

constexpr double idle_watts = 50, busy_watts = 200;

/// What a test lets go wrong with the device: FAKE_LOST="CALL WHAT FILE" loses it at that call that
/// reaches it, counted from 1, in the first process that comes so far, which leaves FILE. WHAT:
/// gone (for all later processes too), ecc, reset.
class Fault {
 public:
  Fault() {
    const char* const setting = std::getenv("FAKE_LOST");
    if (setting == nullptr) return;
    std::istringstream words(setting);
    words >> at_ >> what_ >> file_;
    struck_before_ = std::filesystem::exists(file_);
  }
  bool gone() const { return struck_before_ && what_ == "gone"; }
  bool lost() const { return !why_.empty(); }
  void strike(const std::string& why) { why_ = why; }
  /// Each call that reaches the device.
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
  double seconds = 0;
  bool lets_go = false;
  double now = 0, joules = 0;  ///< for the energy, which has a slow clock of its own

  void pass(double time, double watts) {
    now += time;
    joules += time * watts;
  }
};
using NoEntry = Entry<Queue>;

void say(const std::string& what) { log().push_back(what); }

template <class Case>
typename Case::accumulator reduce(const View<Case>& problem) {
  auto value = Case::function::identity();
  for (std::size_t i = 0; i < problem.n; ++i)
    value = typename Case::function{}(value, problem.input[i]);
  return value;
}

// How fast the rungs claim to be, in GB/s.
template <class Case, int gbs>
void right(Queue& queue, const View<Case>& problem) {
  *problem.result = reduce(problem);
  queue.seconds =
      static_cast<double>(problem.n * sizeof(typename Case::element)) / (gbs * 1e9) + 1e-6;
}

template <int gbs>
struct Right {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
      right<Case, gbs>(queue, problem);
    }
  };
};
// As fast as that in blocks of 128, with 16 elements per thread and in a grid of 64 where it has
// these axes; a tenth slower for each doubling or halving of one of them.
template <int gbs>
struct Tuned {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
      right<Case, gbs>(queue, problem);
      const auto off = [](unsigned value, int best) {
        return value == 0 ? 0 : std::abs(std::log2(value) - best);
      };
      queue.seconds *=
          1 + 0.1 * (off(tuning.block, 7) + off(tuning.items, 4) + off(tuning.grid, 6));
    }
  };
};
template <class Case>
struct WrongAt64 {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    right<Case, 95>(queue, problem);
    if (tuning.block == 64) *problem.result += 1;
  }
};
template <class Case>
struct Wrong {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    right<Case, 90>(queue, problem);
    if (problem.n > 0) *problem.result += 1;
  }
};
/// Finds the least or largest of what is not NaN, and the first of two zeros.
template <class Case>
struct IgnoresNaN {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    right<Case, 70>(queue, problem);
    if constexpr (Case::operation == Operation::min && is_floating<typename Case::element>) {
      auto least = Case::function::identity();
      for (std::size_t i = 0; i < problem.n; ++i)
        if (problem.input[i] < least) least = problem.input[i];
      *problem.result = least;
    }
  }
};
template <class Case>
struct Throws {
  static void run(Queue&, const View<Case>&, const Tuning&) {
    throw std::runtime_error("the launch failed, as it always does");
  }
};
template <class Case>
struct Loses {
  static void run(Queue& queue, const View<Case>&, const Tuning&) {
    queue.fault.strike("an illegal memory access was encountered (cudaErrorIllegalAddress)");
    queue.fault.touch();
  }
};
template <class Case>
struct Spins {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    std::this_thread::sleep_for(std::chrono::seconds(20));
    right<Case, 50>(queue, problem);
  }
};
template <class Case>
struct Aborts {
  static void run(Queue&, const View<Case>&, const Tuning&) { std::abort(); }
};
template <class Case>
struct LetsGo {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    right<Case, 50>(queue, problem);
    queue.lets_go = true;
  }
};

template <template <class> class Launch>
Run<Queue> classic(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}
Run<Queue> no_max(Type type, Operation operation) {
  return operation == Operation::max ? nullptr : classic<Right<20>::Launch>(type, operation);
}

constexpr std::array steps{
    device_ladder[2], device_ladder[3],  device_ladder[4],  device_ladder[6],  device_ladder[7],
    device_ladder[8], device_ladder[11], device_ladder[12], device_ladder[15], device_ladder[22]};
constexpr std::array table{
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
constexpr std::array library{
    Extra<Queue>{{"library_fake", "", "", "the library", "", no_axis, "", nan_unspecified},
                 {"library_fake", classic<Right<80>::Launch>}},
    Extra<Queue>{{"open_nan", "", "", "ignores NaN, as declared", "", no_axis, "", nan_unspecified},
                 {"open_nan", classic<IgnoresNaN>},
                 false},
    extra<IgnoresNaN>("ignores_nan", "ignores NaN without a word"),
    extra<Wrong>("wrong", "is off by one"),
    extra<WrongAt64>("wrong_at_64", "is off by one in blocks of 64", block_axis, {.block = 256}),
    extra<Throws>("throws", "fails to launch"),
    extra<LetsGo>("lets_go", "outlasts the hold"),
    extra<Loses>("loses", "loses the device"),
    extra<Spins>("spins", "takes 20 s"),
    extra<Aborts>("aborts", "ends the program"),
    extra<Right<60>::Launch>("blocks", "has host scope only", no_axis, {}, true),
    extra<Right<60>::Launch>("refused", "cannot be prepared")};

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
    queue_.seconds = 1e-6;  // of the launch alone
    if (run_ != nullptr) run_(queue_, problem_, tuning_);
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

/// How many times as slow a process of several is, where a test says so: FAKE_SLOWNESS="1 1.1 1.2".
double slowness() {
  const char *const of_all = std::getenv("FAKE_SLOWNESS"), *const own =
                                                               std::getenv("LADDER_PROCESS");
  if (of_all == nullptr || own == nullptr) return 1;
  std::istringstream factors(of_all);
  double factor = 1;
  for (int i = 0; i < std::atoi(own); ++i) factors >> factor;
  return factor;
}

/// Tells the joules as they were at its last step, ten of which a second has.
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
    if (const char* const id = std::getenv("FAKE_ID")) facts_.id = id;
    facts_.kind = "gpu";
    facts_.peak_gbs = 100;
    facts_.peak_source = "made up";
    facts_.last_level_cache = std::size_t{1} << 20;
    facts_.memory_bytes = std::size_t{1} << 28;
    facts_.units = 4;
    // A newer device, where a test says so.
    const char* capability = std::getenv("FAKE_CAPABILITY");
    facts_.capability = capability != nullptr ? static_cast<unsigned>(std::atoi(capability)) : 80;
    facts_.code_capability = facts_.capability;
    // Another driver from one process to the next, where a test says so.
    const char* driver = std::getenv("FAKE_DRIVER");
    facts_.more = {{"driver", driver != nullptr ? driver : "1.0", "made up"}};
  }
  std::string_view name() const override { return name_; }
  const DeviceFacts& facts() const override { return facts_; }
  std::size_t free_bytes() override {
    queue.fault.touch();
    return std::size_t{8} << 30;
  }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    queue.fault.touch();
    // What somebody else has left since the plan was made, where a test says so.
    const char* const left = std::getenv("FAKE_LEFT");
    if (left != nullptr && bytes > std::strtoull(left, nullptr, 10))
      throw NotPossible("needs more of device memory than is free");
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
    // More than are kept, so that it shows which.
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
  void mark_start() override { call("start"); }
  void mark_stop() override { call("stop"); }
  bool release() override {
    call("release");
    return !std::exchange(queue.lets_go, false);
  }
  double elapsed() override {
    queue.fault.touch();
    return queue.seconds * slowness();
  }
  void synchronize() override { call("synchronize"); }
  std::optional<std::string> recover() override {
    if (!queue.fault.lost()) return std::nullopt;
    return "the fake device is lost to this process: start the program again";
  }
  std::unique_ptr<EnergyCounter> energy_counter() override {
    const char* const counter = std::getenv("FAKE_ENERGY");
    if (counter == nullptr) return Device::energy_counter();
    return std::make_unique<FakeCounter>(queue, std::string_view(counter) != "still");
  }

  Queue queue;

 private:
  void call(const char* what) {
    say(what);
    queue.fault.touch();
  }

  std::string_view name_;
  bool has_timer_;
  DeviceFacts facts_;
};

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

constexpr std::array serial_steps{cpu_ladder[0]};
constexpr std::array serial_table{NoEntry{"c00", classic<Right<15>::Launch>, {}, true}};

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
std::unique_ptr<Backend> make_serial() {
  return std::make_unique<Fake>("serial", device_without_timer(),
                                Roster<Queue>{serial_steps, serial_table, {}, {}});
}

}  // namespace ladder::fake
