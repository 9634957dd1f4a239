#pragma once

// Devices that write into the first one's memory: the format of their partials, and the job that
// launches a kernel on each. Uses the API of a GPU's runtime.

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
#include "common/device/host/thread_team.hpp"
#include "common/model/gpu/gpu_queue.hpp"
#include "common/model/reduction.hpp"
#include "several/gpu/links.hpp"
#include "several/local/devices.hpp"

namespace ladder::several::LADDER_MODEL {

/// Arguments of a launch about its call. A partial takes `words_of` words: each has four payload
/// bytes and the call number, so a reader of the number also has the payload.
struct Call {
  /// Ring of two words per side in the first device's memory, so that a side may be ahead.
  std::uint64_t* words;
  /// Destination of the result in host memory, in the same format; null: the result stays in the
  /// first device's memory.
  std::uint64_t* told;
  unsigned number;  ///< never 0
  unsigned side, sides;
};

/// Ring length: twice the calls that a side may be ahead; `run` then waits for all sides.
inline constexpr unsigned ring = 64;

__device__ inline std::uint64_t* words_for(const Call& call, unsigned side) {
  return call.words + 2 * (std::size_t{call.number % ring} * call.sides + side);
}

/// A side's queue; all models on the device share its memory.
class Sending : public ladder::LADDER_MODEL::Queue {
 public:
  explicit Sending(Device& device) : ladder::LADDER_MODEL::Queue(borrowed(device)) {}

  Call call{};
  std::size_t scratch_bytes = 0;  ///< per run
};

/// Runs a kernel on each side. If the sides are different devices, one thread per device launches,
/// all at once; these threads spin only between `arm` and `disarm`.
class Peers final : public Job {
 public:
  Peers(std::span<const Side> sides, const Problem& problem, Run<Sending> launch, Result where)
      : problem_(problem),
        inputs_(sides.begin(), sides.end()),
        launch_(launch),
        type_(accumulator_of(problem.type, problem.operation)),
        where_(where),
        links_(devices_of(sides)),
        failures_(sides.size()),
        team_(static_cast<unsigned>(sides.size()),
              [this](unsigned worker) { sides_[worker]->device().select(); }) {
    Device& first = *sides.front().device;
    first.select();
    const std::size_t bytes = 2 * sizeof(std::uint64_t) * ring * sides.size();
    words_ = for_others(bytes);
    host_ = first.allocate_pinned(2 * sizeof(std::uint64_t));
    std::memset(told(), 0, 2 * sizeof(std::uint64_t));
    first.enqueue_set(words_.get(), 0, bytes);
    const auto count = static_cast<unsigned>(sides.size());
    Pass all;
    for (unsigned i = 0; i < count; ++i) {
      Device& device = *sides[i].device;
      device.select();
      auto& side = *sides_.emplace_back(std::make_unique<Sending>(device));
      side.call = {reinterpret_cast<std::uint64_t*>(words_.get()),
                   where == Result::told ? told() : nullptr, 0, i, count};
      const Footprint own = side.trace([&] { launch_(side, part(i), {}); });
      side.scratch_bytes = own.scratch_bytes;
      side.reserve(own.scratch_bytes);
      if (i == 0) footprint_ = own;
      all = side_by_side(all, pass_of(own));
      device.synchronize();
    }
    footprint_ = footprint_of(all, footprint_, count);
    first.select();
    first.synchronize();
  }
  /// Also wakes the threads: without work since `arm` they sleep.
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
      sides_[side]->call.number = number_;
      sides_[side]->begin(sides_[side]->scratch_bytes);
      launch_(*sides_[side], part(side), {});
    });
  }
  /// Throws `std::logic_error` if the kernel ended without a result.
  void fetch() override {
    if (where_ == Result::on_device)
      return sides_.front()->device().download(told(), sides_.front()->result(), bytes());
    sides_.front()->wait_until([this] { return is_told(); });
  }
  Value result() const override {
    std::uint64_t all = told()[0];
    if (where_ == Result::told) {
      all = 0;
      for (std::size_t p = words(); p-- > 0;) all = all << 32 | (told()[p] & 0xFFFFFFFF);
    }
    Value value{type_, 0};
    std::memcpy(&value.bits, &all, bytes());
    return value;
  }
  void spoil() override {
    wait();
    Device& first = sides_.front()->device();
    first.enqueue_set(sides_.front()->result(), spoiled_byte, sizeof(std::uint64_t));
    // A word of 0 belongs to no call.
    std::memset(told(), where_ == Result::told ? 0 : spoiled_byte, 2 * sizeof(std::uint64_t));
    // On the launching threads, which warms them up like the caller.
    on_each([this](std::size_t side) { links_.wake(side); });
    first.select();
  }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return {.shares = static_cast<unsigned>(sides_.size())}; }

 private:
  static std::vector<Device*> devices_of(std::span<const Side> sides) {
    std::vector<Device*> devices;
    for (const Side& side : sides) devices.push_back(side.device);
    return devices;
  }
  static ladder::LADDER_MODEL::Memory for_others(std::size_t bytes) {
    std::byte* memory = nullptr;
    Runtime::check(Runtime::allocate_for_others(&memory, bytes));
    return ladder::LADDER_MODEL::Memory(memory);
  }
  std::size_t bytes() const { return facts(type_).bytes; }
  std::size_t words() const { return (bytes() + 3) / 4; }
  /// Host memory of the result: the value itself, or the words that the kernel writes.
  std::uint64_t* told() const { return reinterpret_cast<std::uint64_t*>(host_->data()); }
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
  /// Calls `act(side)` for each side with its device selected. A single thread takes the first side
  /// last: that side waits for the others, which may be on the same device.
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
    return {inputs_[i].input, inputs_[i].n, problem_.type, problem_.operation,
            sides_.front()->result()};
  }
  /// Waits until no side is ahead of another.
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
  Run<Sending> launch_;
  Type type_;
  Result where_;
  Links links_;
  ladder::LADDER_MODEL::Memory words_;
  std::unique_ptr<Buffer> host_;  ///< not shared between jobs: their call numbers may coincide
  std::vector<std::unique_ptr<Sending>> sides_;
  Footprint footprint_;
  unsigned number_ = 0, ahead_ = 0;
  std::vector<std::exception_ptr> failures_;  ///< launch failure of each side
  Team team_;                                 // last: its threads use the others
};

}  // namespace ladder::several::LADDER_MODEL
