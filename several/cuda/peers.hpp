#pragma once

// Devices that write into the first one's memory: the words that their partials come in, and the
// job that launches a kernel on each.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <cuda/atomic>
#include <cuda_runtime.h>

#include "common/model/gpu/kernel_facts.hpp"
#include "common/model/queue.hpp"
#include "common/model/reduction.hpp"
#include "cuda/queue.hpp"
#include "cuda/words.hpp"
#include "several/local/devices.hpp"

namespace ladder::several::cuda {

using ladder::cuda::Runtime;

/// What a launch knows of the others of its call. A partial takes `words_of` words: four bytes of
/// it and the number of the call in each, so that who reads the number has the partial beside it.
struct Call {
  /// Two for each side, in the first one's memory; a ring of them, so that a side may be ahead.
  std::uint64_t* words;
  unsigned number;  ///< never 0
  unsigned side, sides;
};

/// Twice the calls that a side may be ahead: before one more, all are waited for.
inline constexpr unsigned ring = 64;

__device__ inline std::uint64_t* words_for(const Call& call, unsigned side) {
  return call.words + 2 * (std::size_t{call.number % ring} * call.sides + side);
}

/// Leaves this side's partial for the first one.
template <class A>
__device__ void leave(const Call& call, A partial) {
  const auto pieces = ladder::cuda::detail::cut(partial);
  for (unsigned p = 0; p < words_of<A>; ++p) {
    ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>(words_for(call, call.side)[p])
        .store(std::uint64_t{call.number} << 32 | pieces.at[p], ::cuda::memory_order_relaxed);
  }
}

/// Waits for the partial of `side`; false where it does not come within two seconds, as where its
/// kernel has failed.
template <class A>
__device__ bool take(const Call& call, unsigned side, A& partial) {
  constexpr std::uint64_t limit = 2'000'000'000;
  ladder::cuda::detail::Pieces<A> pieces{};
  const std::uint64_t start = Runtime::nanoseconds();
  for (unsigned p = 0; p < words_of<A>; ++p) {
    const ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system> word(
        words_for(call, side)[p]);
    std::uint64_t seen = word.load(::cuda::memory_order_relaxed);
    for (; seen >> 32 != call.number; seen = word.load(::cuda::memory_order_relaxed)) {
      if (Runtime::nanoseconds() - start > limit) return false;
    }
    pieces.at[p] = static_cast<unsigned>(seen);
  }
  partial = ladder::cuda::detail::joined<A>(pieces);
  return true;
}

/// One side's launch: a device, its stream, and what a kernel takes on it beside the problem.
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
                 gpu::kernel_facts<Runtime>(code, shape.block, shape.shared)};
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
    Runtime::check(Runtime::launch(code, static_cast<unsigned>(shape.grid), shape.block, addresses,
                                   shape.shared, static_cast<Runtime::Stream>(device_.stream())));
  }

  Device& device_;
  Call call_;
  bool tracing_ = false;
  std::size_t scratch_bytes_ = 0;
  Launch traced_;
  std::unique_ptr<Buffer> scratch_, ticket_;
};

/// Lets `device` reach the first one's memory. Throws `NotPossible` where it cannot.
inline void reach(Device& device, Device& first) {
  int mine = 0, other = 0;
  first.select();
  Runtime::check(cudaGetDevice(&other));
  device.select();
  Runtime::check(cudaGetDevice(&mine));
  if (mine == other) return;
  int can = 0;
  Runtime::check(cudaDeviceCanAccessPeer(&can, mine, other));
  if (can == 0) {
    throw NotPossible("GPU " + std::to_string(mine) + " does not reach the memory of GPU " +
                      std::to_string(other) + ": nvidia-smi topo -p2p r says what does");
  }
  const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
  if (code == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();
  } else {
    Runtime::check(code);
  }
}

/// A kernel on each side; the first side's device has the result.
class Peers final : public Job {
 public:
  Peers(std::span<const Side> sides, const Problem& problem, Run<Sending> launch)
      : problem_(problem),
        inputs_(sides.begin(), sides.end()),
        launch_(launch),
        type_(accumulator_of(problem.type, problem.operation)) {
    Device& first = *sides.front().device;
    for (const Side& side : sides) reach(*side.device, first);
    first.select();
    const std::size_t bytes = 2 * sizeof(std::uint64_t) * ring * sides.size();
    words_ = first.allocate(bytes);
    result_ = first.allocate(sizeof(std::uint64_t));
    pinned_ = first.allocate_pinned(sizeof(std::uint64_t));
    first.enqueue_set(words_->data(), 0, bytes);
    const auto count = static_cast<unsigned>(sides.size());
    for (unsigned i = 0; i < count; ++i) {
      Device& device = *sides[i].device;
      device.select();
      auto& side = sides_.emplace_back(std::make_unique<Sending>(
          device, Call{reinterpret_cast<std::uint64_t*>(words_->data()), 0, i, count}));
      add(side->trace([&] { launch_(*side, part(i), {}); }));
      device.synchronize();
    }
    footprint_.launches.front().pass.depth += count;
    first.select();
    first.synchronize();
  }
  void run() override {
    if (++ahead_ == ring / 2) wait();
    ++number_;
    if (number_ == 0) ++number_;
    for (std::size_t i = sides_.size(); i-- > 0;) {
      sides_[i]->device().select();
      sides_[i]->number(number_);
      launch_(*sides_[i], part(i), {});
    }
  }
  void fetch() override {
    sides_.front()->device().download(pinned_->data(), result_->data(), bytes());
  }
  Value result() const override {
    Value value{type_, 0};
    std::memcpy(&value.bits, pinned_->data(), bytes());
    return value;
  }
  void spoil() override {
    wait();
    sides_.front()->device().enqueue_set(result_->data(), spoiled_byte, sizeof(std::uint64_t));
    std::memset(pinned_->data(), spoiled_byte, sizeof(std::uint64_t));
  }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return {.shares = static_cast<unsigned>(sides_.size())}; }

 private:
  std::size_t bytes() const { return facts(type_).bytes; }
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
  Run<Sending> launch_;
  Type type_;
  std::unique_ptr<Buffer> words_, result_, pinned_;
  std::vector<std::unique_ptr<Sending>> sides_;
  Footprint footprint_;
  unsigned number_ = 0, ahead_ = 0;
};

}  // namespace ladder::several::cuda
