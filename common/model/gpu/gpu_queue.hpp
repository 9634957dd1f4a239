#pragma once

// The stream on which rungs enqueue their work, with its memory.
//
// A rung launches only through `launch` and allocates scratch only through `scratch`. So the queue
// can also *trace* a rung: it launches nothing and records kernels, their memory passes and scratch
// as the rung's footprint. No second description of a rung exists that could disagree.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/model/gpu/kernel_facts.hpp"
#include "common/model/queue.hpp"
#include "common/runtime/gpu_runtime.hpp"

namespace ladder::LADDER_MODEL {

/// Queue on the device's stream, through the model's own runtime.
class Queue : public ladder::Queue {
 public:
  using Stream = Runtime::Stream;
  using ladder::Queue::Queue;

  // Interface for rungs.

  /// Enqueues `kernel` with `arguments`, converted to its parameters' types. `pass` is the launch's
  /// memory traffic. Throws `Runtime::Error` if the launch fails and, when tracing, `NotPossible`
  /// if it never can succeed.
  template <class... Parameter, class... Argument>
  void launch(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
              const Argument&... arguments) {
    launch_by(Runtime::launch, kernel, shape, pass, arguments...);
  }

  /// As `launch`, for a kernel whose blocks wait for each other: all are resident at once. When
  /// tracing, throws `NotPossible` if the device cannot hold them.
  template <class... Parameter, class... Argument>
  void launch_together(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
                       const Argument&... arguments) {
    launch_by(Runtime::launch_together, kernel, shape, pass, arguments...);
    if (!tracing()) return;
    const auto each = static_cast<std::size_t>(footprint().launches.back().kernel.blocks_per_unit);
    if (shape.grid > each * facts().units) {
      throw NotPossible("needs its " + std::to_string(shape.grid) +
                        " blocks resident at once, the device holds " +
                        std::to_string(each * facts().units));
    }
  }

#if LADDER_IS_CUDA
  /// As `launch`, for a kernel that may start while the previous one ends; it must wait for that
  /// one.
  template <class... Parameter, class... Argument>
  void launch_dependent(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
                        const Argument&... arguments) {
    launch_by(Runtime::launch_dependent, kernel, shape, pass, arguments...);
  }

  /// As `launch`, in clusters of `cluster` blocks each. When tracing, throws `NotPossible` if the
  /// grid is not a multiple of `cluster` or no cluster of this kernel fits the device.
  template <class... Parameter, class... Argument>
  void launch_in_clusters(unsigned cluster, void (*kernel)(Parameter...), const Shape& shape,
                          const Pass& pass, const Argument&... arguments) {
    if (tracing() && shape.grid % cluster != 0) {
      throw NotPossible("a grid of " + std::to_string(shape.grid) +
                        " blocks is not whole clusters of " + std::to_string(cluster));
    }
    const auto in_clusters = [cluster](auto... words) {
      return Runtime::launch_in_clusters(cluster, words...);
    };
    launch_by(in_clusters, kernel, shape, pass, arguments...);
    if (!tracing()) return;
    int clusters = 0;
    Runtime::check(Runtime::occupy(&clusters, cluster, reinterpret_cast<const void*>(kernel),
                                   shape.block, shape.shared));
    if (clusters == 0) {
      throw NotPossible("no cluster of " + std::to_string(cluster) + " blocks of " +
                        std::to_string(shape.block) + " threads fits the device");
    }
    footprint().launches.back().kernel.resident = static_cast<unsigned>(clusters) * cluster;
  }
#endif

  /// As `launch`, through a graph: captured at the first launch with these arguments, then
  /// replayed.
  template <class... Parameter, class... Argument>
  void replay(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
              const Argument&... arguments) {
    static_assert(sizeof...(Parameter) == sizeof...(Argument), "one argument for each parameter");
    const void* const function = reinterpret_cast<const void*>(kernel);
    if (tracing()) return trace_launch(function, shape, pass);
    auto& graph = graph_of_launch(bytes_of(function, shape.grid, shape.block, shape.shared,
                                           static_cast<Parameter>(arguments)...));
    if (graph == nullptr) {
      const auto captured = graph_of(stream(), [&] {
        enqueue(Runtime::launch, function, shape, static_cast<Parameter>(arguments)...);
      });
      Runtime::Replay made = nullptr;
      Runtime::check(LADDER_GPU(GraphInstantiateWithFlags)(&made, captured.get(), 0));
      graph.reset(made);
    }
    Runtime::check(LADDER_GPU(GraphLaunch)(graph.get(), stream()));
  }

  /// Waits until `ready()`, which polls host memory for what the stream's work writes. Failed work
  /// writes nothing, so the stream is queried now and then. Throws `Error`, or `std::logic_error`
  /// if all work is done and `ready()` is still false.
  template <class Ready>
  void wait_until(const Ready& ready) const {
    constexpr unsigned seldom = 1U << 16;
    for (unsigned looks = 1; !ready(); ++looks) {
      if (looks % seldom != 0) continue;
      const auto code = LADDER_GPU(StreamQuery)(stream());
      if (code == LADDER_GPU(ErrorNotReady)) continue;
      Runtime::check(code);
      if (!ready()) throw std::logic_error("a rung has ended and left no result");
    }
  }

  /// Enqueues a library's reduction of n elements of type T with accumulators of type A. `Code
  /// call(void* temporary, std::size_t& bytes, Stream)` follows CUB's convention: if `temporary` is
  /// null, it sets `bytes` and enqueues nothing.
  template <class T, class A, class Call>
  void library(std::size_t n, Call&& call) {
    if (!tracing()) {
      std::size_t bytes = reserved_bytes();
      return Runtime::check(call(static_cast<void*>(reserved()), bytes, stream()));
    }
    std::size_t bytes = 0;
    Runtime::check(call(static_cast<void*>(nullptr), bytes, stream()));
    void* const temporary = take(bytes == 0 ? 1 : bytes);  // never null, which queries the size
    trace_library(n, sizeof(T), sizeof(A),
                  [&] { Runtime::check(call(temporary, bytes, stream())); });
  }

  Stream stream() const { return static_cast<Stream>(device().stream()); }

  // Interface for the backend.

  /// Copies the result's first `bytes` bytes to the host and waits for them.
  void fetch(std::size_t bytes) {
    Runtime::check(LADDER_GPU(MemcpyAsync)(host_result<void>(), result(), bytes,
                                           LADDER_GPU(MemcpyDeviceToHost), stream()));
    synchronize();
  }
  /// Copies `bytes` bytes of the groups' results to the host and waits for them.
  void fetch_group_results(std::size_t bytes) {
    Runtime::check(LADDER_GPU(MemcpyAsync)(host_group_results(), group_results(), bytes,
                                           LADDER_GPU(MemcpyDeviceToHost), stream()));
    synchronize();
  }
  void synchronize() const { Runtime::check(LADDER_GPU(StreamSynchronize)(stream())); }

 private:
  /// Concatenated bytes of the values. Skips empty types, whose one byte may be anything.
  template <class... Value>
  static std::string bytes_of(const Value&... values) {
    static_assert((std::is_trivially_copyable_v<Value> && ...));
    std::string bytes;
    const auto append = [&]<class V>(const V& value) {
      if constexpr (!std::is_empty_v<V>)
        bytes.append(reinterpret_cast<const char*>(std::addressof(value)), sizeof value);
    };
    (append(values), ...);
    return bytes;
  }

  /// Enqueues a kernel by `way`, one of the runtime's launch functions.
  template <class Way, class... Parameter, class... Argument>
  void launch_by(const Way& way, void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
                 const Argument&... arguments) {
    static_assert(sizeof...(Parameter) == sizeof...(Argument), "one argument for each parameter");
    const auto* const code = reinterpret_cast<const void*>(kernel);
    if (tracing()) return trace_launch(code, shape, pass);
    enqueue(way, code, shape, static_cast<Parameter>(arguments)...);
  }
  template <class Way, class... Parameter>
  void enqueue(const Way& way, const void* kernel, const Shape& shape, Parameter... parameters) {
    void* addresses[sizeof...(Parameter) + 1] = {
        const_cast<void*>(static_cast<const void*>(std::addressof(parameters)))...};
    Runtime::check(way(kernel, static_cast<unsigned>(shape.grid), shape.block,
                       static_cast<void**>(addresses), shape.shared, stream()));
  }

  void trace_launch(const void* kernel, const Shape& shape, const Pass& pass) {
    const std::size_t most = std::min(facts().max_grid, facts().max_grid_threads / shape.block);
    if (shape.grid > most) {
      throw NotPossible("needs a grid of " + std::to_string(shape.grid) + " blocks of " +
                        std::to_string(shape.block) + " threads, the device takes " +
                        std::to_string(most));
    }
    allow_shared(kernel, shape);
    Launch launch{pass, static_cast<unsigned>(shape.grid), shape.block,
                  kernel_facts(kernel, shape.block, shape.shared)};
    if (launch.kernel.blocks_per_unit == 0) {
      throw NotPossible("a block of " + std::to_string(shape.block) +
                        " threads does not fit on an SM: limited by " + launch.kernel.limiter);
    }
    footprint().launches.push_back(std::move(launch));
  }

  // Raises the limit of a kernel that needs more shared memory than the default, for its later
  // launches.
  static void allow_shared(const void* kernel, const Shape& shape) {
    KernelFacts facts;
    Runtime::check(Runtime::attributes(&facts, kernel));
    const std::size_t bytes = facts.shared_bytes + shape.shared;
    if (bytes <= shared_without_asking) return;
    if (Runtime::allow_shared(kernel, shape.shared) == Runtime::success) return;
    (void)Runtime::last_error();
    throw NotPossible("a block of " + std::to_string(shape.block) + " threads needs " +
                      std::to_string(bytes) +
                      " bytes of shared memory, more than a block can have");
  }

  // A library launches its own kernels. The first reads the input, later ones one partial per
  // block. The elements per thread are unknown: assumed is at most an even share plus 64, since
  // blocks take whole tiles.
  void trace_library(std::size_t n, std::size_t element, std::size_t accumulator,
                     const std::function<void()>& enqueue) {
    std::size_t values = n, bytes = element;
    for (Launch& launch : capture(stream(), enqueue)) {
      const std::size_t grid = launch.grid, block = launch.block;
      launch.pass = {values * bytes, grid * accumulator, ceil_div(values, grid * block) + 64 + 10};
      footprint().launches.push_back(std::move(launch));
      values = grid;
      bytes = accumulator;
    }
  }

  using Graph = Runtime::Owned<Runtime::Replay>;
  struct Known {
    std::string launch;
    Graph graph;
  };

  /// The slot for the graph of this launch; empty if there is none yet. Searches the latest first.
  /// (No map: clang 15 crashes on one when it compiles HIP.)
  Graph& graph_of_launch(const std::string& launch) {
    for (std::size_t i = graphs_.size(); i > 0; --i) {
      if (graphs_[i - 1].launch == launch) return graphs_[i - 1].graph;
    }
    graphs_.push_back({launch, nullptr});
    return graphs_.back().graph;
  }

  std::vector<Known> graphs_;
};

}  // namespace ladder::LADDER_MODEL
