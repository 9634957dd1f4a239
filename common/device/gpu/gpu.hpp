#pragma once

// A GPU as a device: memory, fill, eviction, ceiling, floors, clock and hold, on the runtime's API.
// Vendor-specific parts (facts, conditions) are in nvidia/ and amd/.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/data.hpp"
#include "common/device/device.hpp"
#include "common/device/gpu/clock.hpp"
#include "common/device/gpu/gpu_sweep.hpp"
#include "common/device/gpu/memory.hpp"

namespace ladder {

/// Sentence that refuses the GPU if one of these variables makes launches synchronous: then no work
/// can be enqueued while the stream is held.
inline std::optional<std::string> why_launches_wait(std::initializer_list<const char*> variables) {
  for (const char* name : variables) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0' && std::string_view(value) != "0") {
      return std::string(name) + "=" + value +
             " makes each launch wait for its end, so that nothing can be timed: unset it";
    }
  }
  return std::nullopt;
}

}  // namespace ladder

namespace ladder::LADDER_MODEL {

__global__ void empty() {}

template <class T>
__global__ void generate(T* x, Recipe recipe, std::uint64_t first, std::int64_t count) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
    x[i] = element<T>(recipe, first + static_cast<std::uint64_t>(i));
}

class GpuDevice : public Device {
 public:
  using Stream = Runtime::Stream;

  /// Opens device `index`, which becomes the calling thread's current one. Launches each kernel of
  /// the harness once, so that none is loaded while the stream is held. Throws `Error`, or
  /// `NotPossible` if the eviction buffer does not fit.
  GpuDevice(int index, std::string name, DeviceFacts facts)
      : index_(index),
        name_(std::move(name)),
        facts_(std::move(facts)),
        stream_(make_stream(index)),
        evicted_bytes_(ceil_div(4 * std::max(facts_.last_level_cache, std::size_t{1} << 20), 256) *
                       256),
        evicted_(LADDER_MODEL::allocate(evicted_bytes_)),
        result_(LADDER_MODEL::allocate(sizeof(std::uint64_t))),
        clock_(stream_.get()) {
    enqueue_set(evicted_.get(), 1, evicted_bytes_);
    for (std::size_t i = 0; i < sweep_count(); ++i) {  // one of each kernel
      const auto& sweep = sweeps[i];
      const bool by_loads = sweep.piece == 0 && sweep.block == 256;
      const bool in_bulk =
          sweep.piece == sweep_pieces.back() && sweep.depth == sweep_copies.front();
      if (sweep.blocks_per_unit == 1 && (by_loads || in_bulk)) read(sweep);
    }
    enqueue_empty();
    evict();
    synchronize();
  }

  std::string_view name() const override { return name_; }
  const DeviceFacts& facts() const override { return facts_; }
  void select() override { Runtime::check(LADDER_GPU(SetDevice)(index_)); }

  std::size_t free_bytes() override { return free_memory(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<OwningBuffer<Memory>>(LADDER_MODEL::allocate(bytes), bytes);
  }
  std::unique_ptr<Buffer> allocate_pinned(std::size_t bytes) override {
    return std::make_unique<OwningBuffer<Pinned>>(LADDER_MODEL::allocate_pinned(bytes), bytes);
  }
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override {
    if (recipe.data == Data::file) throw NotPossible("data from a file cannot be generated");
    if (count == 0) return;
    with_type(type, [&]<Type t>() {
      using T = native<t>;
      constexpr unsigned block = 256;
      const auto grid =
          static_cast<unsigned>(blocks_for(count, block, std::size_t{32} * facts_.units));
      auto* x = static_cast<T*>(destination);
      Recipe made = recipe;
      auto n = static_cast<std::int64_t>(count);
      void* parameters[] = {&x, &made, &first, &n};
      Runtime::check(Runtime::launch(reinterpret_cast<const void*>(&generate<T>), grid, block,
                                     parameters, 0, stream_.get()));
    });
    synchronize();
  }
  void upload(void* destination, const void* source, std::size_t bytes) override {
    enqueue_upload(destination, source, bytes);
    synchronize();
  }
  void download(void* destination, const void* source, std::size_t bytes) override {
    Runtime::check(LADDER_GPU(MemcpyAsync)(destination, source, bytes,
                                           LADDER_GPU(MemcpyDeviceToHost), stream_.get()));
    synchronize();
  }
  void enqueue_set(void* destination, int byte, std::size_t bytes) override {
    Runtime::check(LADDER_GPU(MemsetAsync)(destination, byte, bytes, stream_.get()));
  }
  void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) override {
    Runtime::check(LADDER_GPU(MemcpyAsync)(destination, pinned, bytes,
                                           LADDER_GPU(MemcpyHostToDevice), stream_.get()));
  }

  std::vector<std::string> ceiling_configurations() const override {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sweep_count(); ++i) texts.push_back(sweeps[i].text());
    return texts;
  }
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override {
    return std::make_unique<Own>(*this, [this, configuration, input, bytes] {
      enqueue_sweep(stream_.get(), facts_.units, sweeps[configuration], input, bytes);
    });
  }
  std::unique_ptr<Job> floor(Floor which) override {
    if (which == Floor::clock) return std::make_unique<Own>(*this, [] {});
    return std::make_unique<Own>(*this, [this] { enqueue_empty(); });
  }

  void evict() override { read(eviction_sweep); }
  Eviction eviction() const override { return {.bytes = evicted_bytes_}; }

  bool has_timer() const override { return true; }
  void hold() override { clock_.hold(); }
  void mark_start() override { clock_.mark_start(); }
  void mark_stop() override { clock_.mark_stop(); }
  void let_go() noexcept override { clock_.let_go(); }
  bool release() override { return clock_.release(); }
  double elapsed() override { return clock_.elapsed(); }

  void* stream() const override { return stream_.get(); }
  void synchronize() override { Runtime::check(LADDER_GPU(StreamSynchronize)(stream_.get())); }
  std::optional<std::string> recover() override {
    clock_.let_go();
    // The first call clears an error of a single call. An error that returns after it is permanent.
    (void)Runtime::last_error();
    (void)LADDER_GPU(DeviceSynchronize)();
    (void)Runtime::last_error();
    const auto code = LADDER_GPU(DeviceSynchronize)();
    if (code == Runtime::success) return std::nullopt;
    return "the GPU is lost to this process (" + std::string(LADDER_GPU(GetErrorString)(code)) +
           "): start the program again";
  }

 private:
  /// A kernel of the device itself, or nothing. Its result is meaningless; fetching it costs the
  /// same as a rung's fetch.
  class Own final : public Job {
   public:
    Own(GpuDevice& gpu, std::function<void()> enqueue) : gpu_(gpu), enqueue_(std::move(enqueue)) {}
    void run() override { enqueue_(); }
    void fetch() override {
      gpu_.download(pinned_->data(), gpu_.result_.get(), sizeof(std::uint64_t));
    }
    Value result() const override { return {Type::i64, 0}; }
    void spoil() override { gpu_.enqueue_set(gpu_.result_.get(), 0, sizeof(std::uint64_t)); }
    const Footprint& footprint() const override { return footprint_; }

   private:
    GpuDevice& gpu_;
    std::function<void()> enqueue_;
    std::unique_ptr<Buffer> pinned_ = gpu_.allocate_pinned(sizeof(std::uint64_t));
    Footprint footprint_;
  };

  static Stream make_stream(int index) {
    Runtime::check(LADDER_GPU(SetDevice)(index));
    Stream stream = nullptr;
    Runtime::check(LADDER_GPU(StreamCreateWithFlags)(&stream, LADDER_GPU(StreamNonBlocking)));
    return stream;
  }
  /// Bulk-copy sweeps come last in the table.
  std::size_t sweep_count() const { return sweeps.size() - (facts_.bulk_copies ? 0 : bulk_count); }
  void read(const Sweep& sweep) {
    enqueue_sweep(stream_.get(), facts_.units, sweep, evicted_.get(), evicted_bytes_);
  }
  void enqueue_empty() {
    void* none[] = {nullptr};
    Runtime::check(
        Runtime::launch(reinterpret_cast<const void*>(&empty), 1, 1, none, 0, stream_.get()));
  }

  int index_;
  std::string name_;
  DeviceFacts facts_;
  Runtime::Owned<Stream> stream_;
  std::size_t evicted_bytes_;
  Memory evicted_, result_;
  Clock clock_;  ///< destroyed before the memory: releases the stream before that is freed
};

/// GPUs of one kind by number; all callers share one object per GPU. `Kind(device)` opens one; its
/// errors become the sentence of a `NotPossible`.
template <class Kind>
std::shared_ptr<Kind> open_shared(int device) {
  // A vector, not a map: clang 15 crashes on a map when it compiles C++20 as HIP.
  static std::vector<std::pair<int, std::weak_ptr<Kind>>> open;
  auto found = std::ranges::find(open, device, [](const auto& one) { return one.first; });
  if (found == open.end()) found = open.insert(open.end(), {device, {}});
  auto& known = found->second;
  auto shared = known.lock();
  if (shared != nullptr) return shared;
  try {
    known = shared = std::make_shared<Kind>(device);
  } catch (const NotPossible&) {
    throw;
  } catch (const std::exception& error) {
    throw NotPossible("GPU " + std::to_string(device) + " cannot be used: " + error.what());
  }
  return shared;
}

}  // namespace ladder::LADDER_MODEL
