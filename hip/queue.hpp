#pragma once

// The stream that rungs put their work on, with the memory that comes with it.
//
// A rung launches only through `launch` and takes scratch memory only through `scratch`. So the
// queue can also *trace* a rung: nothing is launched then, and what would have been (kernels, their
// passes over memory, the scratch) becomes the rung's footprint. There is no second description of
// a rung that could disagree with what it does.

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>

#include <hip/hip_runtime.h>

#include "common/accounting.hpp"
#include "common/hip_runtime/check.hpp"
#include "common/hip_runtime/memory.hpp"
#include "common/pinned.hpp"

namespace ladder::hip {

using hip_runtime::check;

/// How a kernel is launched: blocks, threads in a block, bytes of dynamic shared memory in a block.
struct Shape {
  std::size_t grid = 1;
  unsigned block = 1;
  std::size_t shared = 0;
};

class Queue {
 public:
  /// On `device`, which becomes the calling thread's current one. Throws `hip_runtime::Error`.
  explicit Queue(int device);

  // What rungs use.

  /// Enqueues `kernel` with `arguments`, which become its parameters' types. `pass` says what the
  /// launch does to memory. Throws `hip_runtime::Error` where it cannot be launched and, when
  /// tracing, `NotPossible` where it never could be.
  template <class... Parameter, class... Argument>
  void launch(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
              const Argument&... arguments) {
    static_assert(sizeof...(Parameter) == sizeof...(Argument), "one argument for each parameter");
    if (tracing()) return trace_launch(reinterpret_cast<const void*>(kernel), shape, pass);
    enqueue(reinterpret_cast<const void*>(kernel), shape, static_cast<Parameter>(arguments)...);
  }

  /// Device memory for `count` values until the end of this run; each call of a run gives another
  /// piece, aligned to 256 bytes. Allocated before the first run. When tracing: an address that is
  /// good for counting alone.
  template <class T>
  T* scratch(std::size_t count) {
    return reinterpret_cast<T*>(take(count * sizeof(T)));
  }

  /// A counter in device memory, zero before each run: whoever counts with it leaves it so.
  unsigned* ticket() const { return reinterpret_cast<unsigned*>(ticket_.get()); }

  /// Enqueues a library's reduction of n elements of type T with accumulators of type A, by
  /// `hipError_t call(void* temporary, std::size_t& bytes, hipStream_t)`, which asks for its
  /// temporary memory as CUB does: where `temporary` is null, it sets `bytes` and enqueues nothing.
  template <class T, class A, class Call>
  void library(std::size_t n, Call&& call) {
    if (!tracing()) {
      std::size_t bytes = scratch_bytes_;
      return check(call(static_cast<void*>(scratch_.get()), bytes, stream()));
    }
    std::size_t bytes = 0;
    check(call(static_cast<void*>(nullptr), bytes, stream()));
    void* const temporary = take(bytes == 0 ? 1 : bytes);  // never null, which would ask again
    trace_library(n, sizeof(T), sizeof(A), [&] { check(call(temporary, bytes, stream())); });
  }

  hipStream_t stream() const { return stream_.get(); }
  bool tracing() const { return footprint_ != nullptr; }
  /// Where a blocking rung leaves its result, and where `fetch` does.
  template <class T>
  T* host_result() const {
    return reinterpret_cast<T*>(pinned_->result.data());
  }

  /// Wavefronts of a block, the last of which may have idle lanes.
  unsigned waves(unsigned block) const {
    const auto wave = static_cast<unsigned>(device_.warpSize);
    return (block + wave - 1) / wave;
  }

  // What the backend uses.

  /// Where results go on the device.
  std::byte* result() const { return result_.get(); }
  Pinned& pinned() const { return *pinned_; }
  const hipDeviceProp_t& device() const { return device_; }

  /// To be called before each run of a rung: its scratch begins anew, and may not pass what it was
  /// traced to need.
  void begin(std::size_t scratch_limit) {
    scratch_used_ = 0;
    scratch_limit_ = scratch_limit;
  }

  /// What `rung()` would put onto this queue.
  template <class Rung>
  Footprint trace(Rung&& rung) {
    Footprint footprint;
    const Tracing scope(*this, footprint);
    rung();
    footprint.scratch_bytes = scratch_used_;
    return footprint;
  }

  /// Makes room for runs that need up to `bytes` bytes of scratch. Throws `NotPossible`.
  void reserve(std::size_t bytes);
  void synchronize() const { check(hipStreamSynchronize(stream())); }

 private:
  class Tracing {
   public:
    Tracing(Queue& queue, Footprint& footprint) : queue_(queue) {
      queue_.footprint_ = &footprint;
      queue_.begin(std::numeric_limits<std::size_t>::max());
    }
    Tracing(const Tracing&) = delete;
    Tracing& operator=(const Tracing&) = delete;
    ~Tracing() { queue_.footprint_ = nullptr; }

   private:
    Queue& queue_;
  };

  template <class... Parameter>
  void enqueue(const void* kernel, const Shape& shape, Parameter... parameters) {
    void* addresses[sizeof...(Parameter) + 1] = {
        const_cast<void*>(static_cast<const void*>(std::addressof(parameters)))...};
    check(hipLaunchKernel(kernel, dim3(static_cast<unsigned>(shape.grid)), dim3(shape.block),
                          addresses, shape.shared, stream()));
  }

  void* take(std::size_t bytes);
  void trace_launch(const void* kernel, const Shape& shape, const Pass& pass);
  void trace_library(std::size_t n, std::size_t element, std::size_t accumulator,
                     const std::function<void()>& enqueue);

  struct DestroyStream {
    void operator()(hipStream_t stream) const noexcept { (void)hipStreamDestroy(stream); }
  };
  struct FreePinned {
    void operator()(Pinned* pinned) const noexcept { (void)hipHostFree(pinned); }
  };

  hipDeviceProp_t device_{};
  std::unique_ptr<std::remove_pointer_t<hipStream_t>, DestroyStream> stream_;
  hip_runtime::Memory result_;
  hip_runtime::Memory ticket_;
  std::unique_ptr<Pinned, FreePinned> pinned_;
  hip_runtime::Memory scratch_;
  std::size_t scratch_bytes_ = 0;
  std::size_t scratch_used_ = 0;
  std::size_t scratch_limit_ = 0;
  Footprint* footprint_ = nullptr;
};

}  // namespace ladder::hip
