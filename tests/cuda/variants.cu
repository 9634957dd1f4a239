// Right rungs that differ from one of the ladder in a single point, to tell apart what a step of
// the ladder changes together (docs/ladder.md and docs/past.md say what came of it).

#include <array>

#include <cuda/ptx>

#include "cuda/calling.hpp"
#include "cuda/cluster.hpp"
#include "cuda/grid.hpp"
#include "cuda/passes.hpp"
#include "cuda/target.hpp"
#include "cuda/tree.hpp"
#include "cuda/vector.hpp"
#include "tests/model/faulty.hpp"

namespace ladder::cuda {

namespace r18 {
Run<Queue> find(Type, Operation);
}

namespace faulty::variants {
namespace {

/// r02 with a mask for its remainder: the threads that add are as scattered as there, without the
/// division that r03 saves too.
template <class T, class Op>
__global__ void reduce_by_mask(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * blockDim.x + tid;
  tile[tid] = i < n ? A(x[i]) : Op::identity();
  __syncthreads();

  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if ((tid & (2 * s - 1)) == 0) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
struct ByMask {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    in_passes(queue, problem, layout, reduce_by_mask<typename Case::element, Op>,
              reduce_by_mask<A, Op>);
  }
};

/// r10 with r12's tree: what shuffles are worth while each thread has but two elements.
template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce_by_shuffles(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  const Index i = Index{blockIdx.x} * (2 * block) + threadIdx.x;
  const Index j = i + block;
  const A mine = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
  const A all = reduce_block<Op, block>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case>
struct ByShuffles {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = 2};
      in_passes(queue, problem, layout, reduce_by_shuffles<typename Case::element, Op, block>,
                reduce_by_shuffles<A, Op, block>);
    });
  }
};

/// As many lanes of each warp as a bit more than half meet, by a mask of just these; or, planted
/// for a tool to find, by a mask that lacks the last of them, which is undefined.
constexpr unsigned meeting = 17, own = (1U << meeting) - 1, lacking_one = own >> 1;
constexpr unsigned planted = 64;  // `items` that nothing else asks for

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce_with_meeting(const T* x, Index n, typename Op::value* partial, unsigned mask) {
  using A = typename Op::value;
  const Index i = Index{blockIdx.x} * block + threadIdx.x;
  const A mine = i < n ? A(x[i]) : Op::identity();
  if (threadIdx.x % warp < meeting) __syncwarp(mask);
  const A all = reduce_block<Op, block>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case>
struct WithMeeting {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block<32, 256, 1024>(tuning.block, [&]<unsigned block>() {
      in_passes(queue, problem, Layout{.block = block},
                reduce_with_meeting<typename Case::element, Op, block>,
                reduce_with_meeting<A, Op, block>, tuning.items == planted ? lacking_one : own);
    });
  }
};
Run<Queue> find_meeting(Type type, Operation operation) {
  return pick<Queue, WithMeeting>(Each<Operation::sum>::Over<Type::f32>{}, type, operation);
}

template <class A>
__global__ void copy(const A* from, A* to) {
  *to = *from;
}

/// r18 with its result elsewhere: in the 256-byte piece of the scratch memory that `items` names,
/// and copied from there.
template <class Case>
struct Elsewhere {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using A = typename Case::accumulator;
    constexpr std::size_t piece = 256 / sizeof(A);
    A* const place = queue.scratch<A>(tuning.items * piece) + (tuning.items - 1) * piece;
    const Problem there{problem.input, problem.n, Case::type, Case::operation, place};
    r18::find(Case::type, Case::operation)(queue, there, tuning);
    queue.launch(copy<A>, Shape{}, Pass{sizeof(A), sizeof(A), 0}, place, problem.result);
  }
};

/// r30's kernels, by block, vectors that a thread has under way (`items`) and blocks: what its
/// choices were found with.
template <class Case>
struct Chosen {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using A = Native<typename Case::accumulator>;
    const Choice choice{tuning.block, tuning.items,
                        tuning.grid == 1 ? Choice::alone : Choice::one_pass};
    call<Case>(queue, problem, choice, reinterpret_cast<A*>(problem.result), tuning.grid);
  }
};
using Tried = Each<Operation::sum, Operation::max>::Over<Type::i32, Type::f32, Type::f64, Type::i8,
                                                         Type::f16>;
Run<Queue> find_chosen(Type type, Operation operation) {
  return pick<Queue, Chosen>(Tried{}, type, operation);
}

/// r21 with HIP's fence on either side of the barrier.
template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce_by_fences(const T* x, Index n, typename Op::value* partial, typename Op::value* result) {
  using A = typename Op::value;
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;
  const auto [head, vectors, tail] = split(x, n);

  A mine = Op::identity();
  if (first < head) mine = A(x[first]);
  if (first < n - tail) mine = Op{}(mine, A(x[tail + first]));
  const auto* const v = reinterpret_cast<const Vector<T>*>(x + head);
  Index i = first;
#pragma unroll unrolled
  for (Index k = steps(first, vectors, stride); k > 0; --k, i += stride)
    mine = Op{}(mine, fold<Op, T>(v[i]));

  mine = reduce_block<Op, block>(mine);
  if (tid == 0) partial[blockIdx.x] = mine;
  __threadfence();
  sync_grid();
  __threadfence();
  if (blockIdx.x != 0) return;

  mine = Op::identity();
  for (unsigned b = tid; b < gridDim.x; b += block) mine = Op{}(mine, partial[b]);
  mine = reduce_block<Op, block>(mine);
  if (tid == 0) *result = mine;
}

template <class Case>
struct ByFences {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block<256, 512>(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = width<T>, .grid = tuning.grid};
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch_together(reduce_by_fences<T, Op, block>, Shape{blocks, block}, pass,
                            problem.input, problem.n, partial, problem.result);
    });
  }
};

/// r23 with partials that are sent: each is a store that counts its bytes at a barrier in the first
/// block's shared memory (`st.async`), and only that block waits, where r23 has all threads of the
/// cluster meet behind the store.
template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce_by_sending(const T* x, Index n, typename Op::value* partial, unsigned* ticket,
                      typename Op::value* result) {
  if constexpr (target >= 90) {
    namespace ptx = ::cuda::ptx;
    using A = typename Op::value;
    const unsigned tid = threadIdx.x, rank = cluster_rank(), clusters = gridDim.x / cluster;
    __shared__ A of_blocks[cluster];
    __shared__ std::uint64_t arrived;
    if (rank == 0 && tid == 0) {
      ptx::mbarrier_init(&arrived, 1);
      ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                     sizeof of_blocks);
    }
    arrive_at_cluster();
    const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;
    const auto [head, vectors, tail] = split(x, n);
    A mine = Op::identity();
    if (first < head) mine = A(x[first]);
    if (first < n - tail) mine = Op{}(mine, A(x[tail + first]));
    const auto* const v = reinterpret_cast<const Vector<T>*>(x + head);
    Index i = first;
#pragma unroll unrolled
    for (Index k = steps(first, vectors, stride); k > 0; --k, i += stride)
      mine = Op{}(mine, fold<Op, T>(v[i]));

    mine = reduce_block<Op, block>(mine);
    wait_for_cluster();
    if (tid == 0) ptx::st_async(in_block(of_blocks + rank, 0), mine, in_block(&arrived, 0));
    if (rank != 0) return;

    __shared__ bool last;
    if (tid == 0) {
      while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &arrived, 0))
        continue;
      for (unsigned b = 1; b < cluster; ++b) mine = Op{}(mine, of_blocks[b]);
      partial[blockIdx.x / cluster] = mine;
      last = draw(ticket) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    mine = Op::identity();
    for (unsigned b = tid; b < clusters; b += block) mine = Op{}(mine, partial[b]);
    mine = reduce_block<Op, block>(mine);
    if (tid == 0) {
      *result = mine;
      *ticket = 0;
    }
  }
}

template <class Case>
struct BySending {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block<256, 512>(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = width<T>, .grid = tuning.grid};
      const std::size_t blocks = in_whole_clusters(layout.blocks(problem.n));
      A* const partial = queue.scratch<A>(blocks / cluster);
      Pass pass = layout.pass<T, A>(problem.n);
      pass.written_bytes = blocks / cluster * sizeof(A);
      pass.depth += cluster - 1;
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks / cluster);
      queue.launch_in_clusters(cluster, reduce_by_sending<T, Op, block>, Shape{blocks, block}, pass,
                               problem.input, problem.n, partial, queue.ticket(), problem.result);
    });
  }
};

consteval Extra variant(std::string_view id, std::string_view idea,
                        Run<Queue> (*finder)(Type, Operation), unsigned axes = block_axis,
                        Tuning defaults = {.block = 256, .items = 1}, Need need = {}) {
  return {Rung{id, "", "", idea, "an experiment", axes}, Entry{id, finder, defaults, need}, false};
}

constexpr std::array changed{
    variant("variant_r02_mask", "r02 without its division", find<ByMask>),
    variant("variant_r10_shuffle", "r10 with the tree of r12", find<ByShuffles>),
    variant("variant_meeting", "has lanes meet by a mask; with --items=64 by one that lacks a lane",
            find_meeting, block_axis | items_axis),
    variant("variant_r18_elsewhere", "r18 with its result at another address", find<Elsewhere>,
            block_axis | items_axis),
    variant("variant_choice", "r30 with another choice of block, vectors and blocks", find_chosen,
            block_axis | grid_axis | items_axis),
    variant("variant_r21_fences",
            "r21 with a fence on either side of its barrier, as HIP's has them", find<ByFences>,
            block_axis | grid_axis, {.block = 512, .grid = 4}),
    variant("variant_r23_sent", "r23 with partials that are sent to one block, which alone waits",
            find<BySending>, block_axis | grid_axis, {.block = 512, .grid = 4},
            Need{90, "clusters"}),
};

}  // namespace

std::span<const Extra> rungs() { return changed; }

}  // namespace faulty::variants
}  // namespace ladder::cuda
