#pragma once

// Devices that write into the first one's memory: the words that their partials come in, and the
// job that launches a kernel on each. Over the words of a GPU's run-time library.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/device/gpu/memory.hpp"
#include "common/model/gpu/gpu_queue.hpp"
#include "common/model/gpu/kernel_facts.hpp"
#include "common/model/queue.hpp"
#include "common/model/reduction.hpp"
#include "common/thread_team.hpp"
#include "several/gpu/links.hpp"
#include "several/local/devices.hpp"

namespace ladder::several::gpu {

/// What a launch knows of the others of its call. A partial takes `words_of` words: four bytes of
/// it and the number of the call in each, so that who reads the number has the partial beside it.
struct Call {
  /// Two for each side, in the first one's memory; a ring of them, so that a side may be ahead.
  std::uint64_t* words;
  /// Where the first one leaves the result in the same way, in the host's memory; null: its own
  /// memory has the result.
  std::uint64_t* told;
  unsigned number;  ///< never 0
  unsigned side, sides;
};

/// Twice the calls that a side may be ahead: before one more, all are waited for.
inline constexpr unsigned ring = 64;

__device__ inline std::uint64_t* words_for(const Call& call, unsigned side) {
  return call.words + 2 * (std::size_t{call.number % ring} * call.sides + side);
}

/// One side's launch: a device, its stream, and what a kernel takes on it beside the problem.
template <class Runtime>
class Sending {
 public:
  Sending(Device& device, Call call) : device_(device), call_(call) {}

  const DeviceFacts& facts() const { return device_.facts(); }
  template <class A>
  A* partials(std::size_t count) {
    if (tracing_) scratch_bytes_ = count * sizeof(A);
    return scratch_ ? reinterpret_cast<A*>(scratch_->data()) : nullptr;
  }
  unsigned* ticket() const {
    return ticket_ ? reinterpret_cast<unsigned*>(ticket_->data()) : nullptr;
  }
  const Call& call() const { return call_; }
  template <class... Parameter, class... Argument>
  void launch(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
              const Argument&... arguments) {
    const auto* const code = reinterpret_cast<const void*>(kernel);
    if (tracing_) {
      traced_ = {pass, static_cast<unsigned>(shape.grid), shape.block,
                 ladder::gpu::kernel_facts<Runtime>(code, shape.block, shape.shared)};
      return;
    }
    put(code, shape, static_cast<Parameter>(arguments)...);
  }

  Device& device() const { return device_; }
  /// What `run()` would launch here; makes room for it.
  template <class Run>
  Launch trace(const Run& run) {
    tracing_ = true;
    run();
    tracing_ = false;
    scratch_ = device_.allocate(scratch_bytes_);
    ticket_ = device_.allocate(sizeof(unsigned));
    device_.enqueue_set(ticket_->data(), 0, sizeof(unsigned));
    return traced_;
  }
  void number(unsigned number) { call_.number = number; }

 private:
  template <class... Parameter>
  void put(const void* code, const Shape& shape, Parameter... parameters) {
    void* addresses[] = {
        const_cast<void*>(static_cast<const void*>(std::addressof(parameters)))...};
    launch_on<Runtime>(device_, code, shape, addresses);
  }

  Device& device_;
  Call call_;
  bool tracing_ = false;
  std::size_t scratch_bytes_ = 0;
  Launch traced_;
  std::unique_ptr<Buffer> scratch_, ticket_;
};

/// Where the result of m02's kernel is to be when a run has been fetched.
enum class Result : std::uint8_t {
  on_device,  ///< in the first one's memory, from where it is copied
  told,       ///< in the host's memory: the kernel writes it there, and the host looks for it
};

/// A kernel on each side. Where the sides are different devices, a thread for each of them launches
/// at the same moment; the threads spin between `arm` and `disarm` alone.
template <class Runtime>
class Peers final : public Job {
 public:
  Peers(std::span<const Side> sides, const Problem& problem, Run<Sending<Runtime>> launch,
        Result where)
      : problem_(problem),
        inputs_(sides.begin(), sides.end()),
        launch_(launch),
        type_(accumulator_of(problem.type, problem.operation)),
        where_(where),
        links_(sides),
        failures_(sides.size()),
        team_(static_cast<unsigned>(sides.size()),
              [this](unsigned worker) { sides_[worker]->device().select(); }) {
    Device& first = *sides.front().device;
    first.select();
    const std::size_t bytes = 2 * sizeof(std::uint64_t) * ring * sides.size();
    words_ = for_others(bytes);
    result_ = first.allocate(sizeof(std::uint64_t));
    pinned_ = first.allocate_pinned(2 * sizeof(std::uint64_t));
    std::memset(pinned_->data(), 0, 2 * sizeof(std::uint64_t));
    first.enqueue_set(words_.get(), 0, bytes);
    const auto count = static_cast<unsigned>(sides.size());
    for (unsigned i = 0; i < count; ++i) {
      Device& device = *sides[i].device;
      device.select();
      auto& side = sides_.emplace_back(std::make_unique<Sending<Runtime>>(
          device, Call{reinterpret_cast<std::uint64_t*>(words_.get()),
                       where == Result::told ? told() : nullptr, 0, i, count}));
      add(side->trace([&] { launch_(*side, part(i), {}); }));
      device.synchronize();
    }
    footprint_.launches.front().pass.depth += count;
    first.select();
    first.synchronize();
  }
  /// Wakes the threads, too: one that has had nothing to do since sleeps on.
  void arm() override {
    team_.arm();
    if (all_different()) team_.run(static_cast<unsigned>(sides_.size()), [](unsigned) {});
  }
  void disarm() override { team_.disarm(); }
  void run() override {
    if (++ahead_ == ring / 2) wait();
    ++number_;
    if (number_ == 0) ++number_;
    on_each([this](std::size_t side) {
      sides_[side]->number(number_);
      launch_(*sides_[side], part(side), {});
    });
  }
  /// Throws `std::logic_error` where the kernel has ended and left no result.
  void fetch() override {
    Device& first = sides_.front()->device();
    if (where_ == Result::on_device)
      return first.download(pinned_->data(), result_->data(), bytes());
    ladder::gpu::wait_until<Runtime>(static_cast<typename Runtime::Stream>(first.stream()),
                                     [this] { return is_told(); });
  }
  Value result() const override {
    Value value{type_, 0};
    if (where_ == Result::on_device) {
      std::memcpy(&value.bits, pinned_->data(), bytes());
      return value;
    }
    std::uint64_t joined = 0;
    for (std::size_t p = words(); p-- > 0;) joined = joined << 32 | (told()[p] & 0xFFFFFFFF);
    std::memcpy(&value.bits, &joined, bytes());
    return value;
  }
  void spoil() override {
    wait();
    sides_.front()->device().enqueue_set(result_->data(), spoiled_byte, sizeof(std::uint64_t));
    // A word of 0 is of no call.
    std::memset(pinned_->data(), where_ == Result::told ? 0 : spoiled_byte,
                2 * sizeof(std::uint64_t));
    // By the threads that will launch: they are warm then, as the caller is.
    on_each([this](std::size_t side) { links_.wake(side); });
    sides_.front()->device().select();
  }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return {.shares = static_cast<unsigned>(sides_.size())}; }

 private:
  static ladder::gpu::Memory<Runtime> for_others(std::size_t bytes) {
    std::byte* memory = nullptr;
    Runtime::check(Runtime::allocate_for_others(&memory, bytes));
    return ladder::gpu::Memory<Runtime>(memory);
  }
  std::size_t bytes() const { return facts(type_).bytes; }
  std::size_t words() const { return (bytes() + 3) / 4; }
  std::uint64_t* told() const { return reinterpret_cast<std::uint64_t*>(pinned_->data()); }
  bool is_told() const {
    for (std::size_t p = 0; p < words(); ++p) {
      const auto word = std::atomic_ref<std::uint64_t>(told()[p]).load(std::memory_order_acquire);
      if (word >> 32 != number_) return false;
    }
    return true;
  }
  bool all_different() const {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (inputs_[i].device == inputs_[j].device) return false;
    return true;
  }
  /// `act(side)` for each side, its device selected; the first side's last where one thread does it
  /// all, since that may be the device of others too, which it then waits for.
  template <class Act>
  void on_each(const Act& act) {
    const auto try_on = [&](std::size_t side) noexcept {
      try {
        act(side);
      } catch (...) {
        failures_[side] = std::current_exception();
      }
    };
    if (all_different()) {
      team_.run(static_cast<unsigned>(sides_.size()), try_on);
    } else {
      for (std::size_t i = sides_.size(); i-- > 0;) {
        sides_[i]->device().select();
        try_on(i);
      }
    }
    std::exception_ptr first;
    for (auto& failure : failures_) {
      if (auto one = std::exchange(failure, nullptr); one && !first) first = one;
    }
    if (first) std::rethrow_exception(first);
  }
  Problem part(std::size_t i) const {
    return {inputs_[i].input, inputs_[i].n, problem_.type, problem_.operation, result_->data()};
  }
  /// The sides are one pass that they share: its bytes are added up, its depth is the largest.
  void add(Launch launch) {
    if (footprint_.launches.empty()) {
      footprint_.launches.push_back(std::move(launch));
      return;
    }
    Pass& all = footprint_.launches.front().pass;
    all.read_bytes += launch.pass.read_bytes;
    all.written_bytes += launch.pass.written_bytes;
    all.depth = std::max(all.depth, launch.pass.depth);
  }
  /// Until nobody is ahead of anybody.
  void wait() {
    for (const auto& side : sides_) {
      side->device().select();
      side->device().synchronize();
    }
    sides_.front()->device().select();
    ahead_ = 0;
  }

  Problem problem_;
  std::vector<Side> inputs_;
  Run<Sending<Runtime>> launch_;
  Type type_;
  Result where_;
  Links<Runtime> links_;
  ladder::gpu::Memory<Runtime> words_;
  std::unique_ptr<Buffer> result_, pinned_;
  std::vector<std::unique_ptr<Sending<Runtime>>> sides_;
  Footprint footprint_;
  unsigned number_ = 0, ahead_ = 0;
  std::vector<std::exception_ptr> failures_;  ///< of a launch, by its side
  Team team_;                                 // last: its threads use the others
};

}  // namespace ladder::several::gpu
