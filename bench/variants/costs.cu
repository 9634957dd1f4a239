// What a call costs besides its reduction: a count in device memory instead of an argument, the
// type of an index, and the wait for the kernel before it (docs/calling.md).

#include <array>
#include <bit>
#include <cstdint>
#if LADDER_CUB_MODES
#include <cuda/argument>
#endif

#include "bench/variants/variants.hpp"
#include "common/gpu/tree.hpp"
#include "cuda/library/cub.hpp"

namespace ladder::cuda::variants {
namespace {

using Floats = Each<Operation::sum>::Over<Type::f32>;

__device__ std::int64_t stored_count;

/// Where n stands in device memory. It is copied there only if another n was there, so that calls
/// that are timed find it; nothing is copied while `stream` is captured.
cudaError_t store_count(std::size_t n, cudaStream_t stream, const std::int64_t** where) {
  static std::size_t stored = ~std::size_t{0};
  void* address = nullptr;
  if (const cudaError_t code = cudaGetSymbolAddress(&address, stored_count)) return code;
  *where = static_cast<const std::int64_t*>(address);
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (const cudaError_t code = cudaStreamIsCapturing(stream, &capture)) return code;
  if (stored == n || capture != cudaStreamCaptureStatusNone) return cudaSuccess;
  stored = n;
  const auto count = static_cast<std::int64_t>(n);
  return cudaMemcpyToSymbol(stored_count, &count, sizeof count);
}

/// The header's call, told where n stands; the grid is that of n.
template <class Case>
struct CountOnDevice {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = Native<typename Case::element>;
    using A = Native<typename Case::accumulator>;
    by_header<T, A>(queue, problem.n, [&](const Workspace& workspace, cudaStream_t stream) {
      const std::int64_t* count = nullptr;
      if (const cudaError_t code = store_count(problem.n, stream, &count)) return code;
      return reduce(workspace, reinterpret_cast<const T*>(problem.input), count, problem.n,
                    reinterpret_cast<A*>(problem.result), Operator<Case>{},
                    std::bit_cast<A>(Case::function::identity()), stream);
    });
  }
};

#if LADDER_CUB_MODES
/// The newest CUB's call, told where n stands; the grid is its largest.
template <class Case>
struct CubCountOnDevice {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Told<Case>::T;
    using A = typename Told<Case>::A;
    queue.library<T, A>(problem.n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
      const std::int64_t* count = nullptr;
      if (const cudaError_t code = store_count(problem.n, stream, &count)) return code;
      return cub::DeviceReduce::Sum(temporary, bytes, reinterpret_cast<const T*>(problem.input),
                                    reinterpret_cast<A*>(problem.result),
                                    ::cuda::args::deferred{count}, stream);
    });
  }
};
#endif

/// The header's call, which may start while the kernel before it ends: for chains of calls
/// (--scope=chain). No kernel writes the input.
template <Overlap overlap>
struct Overlapping {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
      using T = Native<typename Case::element>;
      using A = Native<typename Case::accumulator>;
      by_header<T, A>(queue, problem.n, [&](const Workspace& workspace, cudaStream_t stream) {
        return reduce<overlap>(workspace, reinterpret_cast<const T*>(problem.input), problem.n,
                               reinterpret_cast<A*>(problem.result), Operator<Case>{},
                               std::bit_cast<A>(Case::function::identity()), stream);
      });
    }
  };
};

/// r16's kernel with indices of type I, for an input that begins at a 16-byte boundary.
template <class I, class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce_by_index(const T* x, I n, typename Op::value* partial) {
  using A = typename Op::value;
  const I first = static_cast<I>(blockIdx.x) * block + threadIdx.x;
  const I stride = static_cast<I>(gridDim.x) * block;
  const I vectors = n / width<T>, tail = vectors * width<T>;

  A mine = Op::identity();
  if (first < n - tail) mine = A(x[tail + first]);
  const auto* const v = reinterpret_cast<const Vector<T>*>(x);
  I i = first;
#pragma unroll unrolled
  for (I k = first < vectors ? (vectors - first + stride - 1) / stride : I{0}; k > 0; --k) {
    mine = Op{}(mine, fold<Op, T>(v[i]));
    i += stride;
  }

  mine = reduce_block<Op, block>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
}

template <class I>
struct ByIndex {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
      using T = typename Case::element;
      using Op = typename Case::function;
      using A = typename Op::value;
      with_block<512>(tuning.block, [&]<unsigned block>() {
        const Layout all{.block = block, .items = width<T>, .grid = tuning.grid},
            one{.block = block, .items = width<A>, .grid = 1};
        const std::size_t blocks = all.blocks(problem.n);
        A* const partial = queue.scratch<A>(blocks);
        queue.launch(reduce_by_index<I, T, Op, block>, shape_of(all, problem.n),
                     all.pass<T, A>(problem.n), problem.input, static_cast<I>(problem.n), partial);
        queue.launch(reduce_by_index<I, A, Op, block>, shape_of(one, blocks),
                     one.pass<A, A>(blocks), partial, static_cast<I>(blocks), problem.result);
      });
    }
  };
};

template <template <class> class Launch>
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Floats{}, type, operation);
}

/// As r16 is launched.
consteval Extra by_index(std::string_view id, std::string_view idea,
                         Run<Queue> (*finder)(Type, Operation)) {
  Extra one = variant(id, idea, finder, block_axis | grid_axis);
  one.entry.defaults = {.block = 512, .grid = 4};
  return one;
}

constexpr std::array all {
  variant("cost_count_on_device", "r30's call of the header with n in device memory",
          find<CountOnDevice>),
#if LADDER_CUB_MODES
      variant("library_cub_count_on_device", "cub::DeviceReduce::Sum with n in device memory",
              find<CubCountOnDevice>),
#endif
      by_index("cost_index_i64", "r16 for an aligned input, indices of 64 bits",
               find<ByIndex<std::int64_t>::Launch>),
      by_index("cost_index_i32", "the same with signed indices of 32 bits",
               find<ByIndex<std::int32_t>::Launch>),
      by_index("cost_index_u32", "the same with unsigned indices of 32 bits",
               find<ByIndex<std::uint32_t>::Launch>),
      variant("overlap_none", "the header's call, which starts when all before it is complete",
              find<Overlapping<Overlap::none>::Launch>),
      variant("overlap_after_previous", "the call is launched while the kernel before it runs",
              find<Overlapping<Overlap::after_previous>::Launch>),
      variant("overlap_input_ready", "and loads its input while that kernel runs",
              find<Overlapping<Overlap::input_ready>::Launch>),
};

}  // namespace

std::span<const Extra> costs() { return all; }

}  // namespace ladder::cuda::variants
