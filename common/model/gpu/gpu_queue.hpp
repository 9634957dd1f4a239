#pragma once

// The stream that rungs put their work on, with the memory that comes with it.
//
// A rung launches only through `launch` and takes scratch memory only through `scratch`. So the
// queue can also *trace* a rung: nothing is launched then, and what would have been (kernels, their
// passes over memory, the scratch) becomes the rung's footprint. There is no second description of
// a rung that could disagree with what it does.

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

/// On the device's stream, by the model's own words.
class Queue : public ladder::Queue {
 public:
  using Stream = Runtime::Stream;
  using ladder::Queue::Queue;

  // What rungs use.

  /// Enqueues `kernel` with `arguments`, which become its parameters' types. `pass` says what the
  /// launch does to memory. Throws `Runtime::Error` where it cannot be launched and, when tracing,
  /// `NotPossible` where it never could be.
  template <class... Parameter, class... Argument>
  void launch(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
              const Argument&... arguments) {
    launch_by(Runtime::launch, kernel, shape, pass, arguments...);
  }

  /// As `launch`, of a kernel whose blocks wait for each other: it is launched with all of them
  /// resident at once. When tracing, throws `NotPossible` for more than that.
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
  /// As `launch`, of a kernel that may start while the launch before it ends, and that waits for it
  /// by itself.
  template <class... Parameter, class... Argument>
  void launch_dependent(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
                        const Argument&... arguments) {
    launch_by(Runtime::launch_dependent, kernel, shape, pass, arguments...);
  }

  /// As `launch`, in clusters of `cluster` blocks each. When tracing, throws `NotPossible` where
  /// the grid is not whole clusters, or the device holds none of this kernel.
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

  /// As `launch`, by a graph, which is made when this launch first comes with these arguments, and
  /// replayed from then on.
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

  /// Waits until `ready()`, which looks for what the work on the stream writes into the host's
  /// memory. Work that fails writes nothing, so the stream is asked now and then. Throws `Error`,
  /// and `std::logic_error` where all is done and nothing has come.
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

  /// Enqueues a library's reduction of n elements of type T with accumulators of type A, by
  /// `Code call(void* temporary, std::size_t& bytes, Stream)`, which asks for its temporary memory
  /// as CUB does: where `temporary` is null, it sets `bytes` and enqueues nothing.
  template <class T, class A, class Call>
  void library(std::size_t n, Call&& call) {
    if (!tracing()) {
      std::size_t bytes = reserved_bytes();
      return Runtime::check(call(static_cast<void*>(reserved()), bytes, stream()));
    }
    std::size_t bytes = 0;
    Runtime::check(call(static_cast<void*>(nullptr), bytes, stream()));
    void* const temporary = take(bytes == 0 ? 1 : bytes);  // never null, which would ask again
    trace_library(n, sizeof(T), sizeof(A),
                  [&] { Runtime::check(call(temporary, bytes, stream())); });
  }

  Stream stream() const { return static_cast<Stream>(device().stream()); }

  // What the backend uses.

  /// Brings the result's first `bytes` bytes to the host and waits for them.
  void fetch(std::size_t bytes) {
    Runtime::check(LADDER_GPU(MemcpyAsync)(host_result<void>(), result(), bytes,
                                           LADDER_GPU(MemcpyDeviceToHost), stream()));
    synchronize();
  }
  /// The same of the results of groups.
  void fetch_group_results(std::size_t bytes) {
    Runtime::check(LADDER_GPU(MemcpyAsync)(host_group_results(), group_results(), bytes,
                                           LADDER_GPU(MemcpyDeviceToHost), stream()));
    synchronize();
  }
  void synchronize() const { Runtime::check(LADDER_GPU(StreamSynchronize)(stream())); }

 private:
  /// What the values are, one behind the other. What is empty has a byte that may be anything.
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

  /// By `way`, one of the runtime's words for a launch.
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

  // A kernel that takes more than any may have is allowed to, which holds for its launches to come.
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

  // A library launches its kernels itself. It reads its input in the first one and one partial of
  // each block in a later one. How many elements in turn a thread adds up is not told: an even
  // share, and no more than 64 above it, since blocks take whole tiles.
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

  /// The place of the graph of such a launch; empty where there is none yet. The last one is looked
  /// at first. (No map: clang 15 dies of one when it compiles HIP.)
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
