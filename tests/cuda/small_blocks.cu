// Kernels for what r30 gives to one block, each with one thing less on its way from the launch to
// the result: what of CUB's lead at the smallest sizes, caches hot, is whose (docs/tuned.md).

#include <array>
#include <cstdint>

#include "cuda/calling.hpp"
#include "tests/model/faulty.hpp"

namespace ladder::cuda::faulty::variants {
namespace {

/// `count` vectors of 16 bytes, one at least and no more than `vectors` for each thread. There is
/// no loop, no element before or behind the vectors, and no index of 64 bits. Where it is
/// `by_one`, one thread adds up what the warps have left, loaded four at once, in place of shuffles
/// that each wait for the one before.
template <unsigned block, unsigned vectors, bool by_one, class T, class A, class Op>
__global__ void __launch_bounds__(block)
    reduce_whole(const T* x, unsigned count, A* result, Op op, A identity) {
  using namespace reduce_detail;
  constexpr unsigned warps = block / warp;
  __shared__ __align__(16) unsigned char memory[warps * sizeof(A)];
  A* const tile = reinterpret_cast<A*>(memory);

  const unsigned i = threadIdx.x;
  decltype(load(x, Index{})) loaded[vectors];
  A mine = identity;
  if constexpr (vectors == 1) {
    if (i < count) mine = value_of<const T*, A>(load(x, i), op);
  } else {
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) {
      const unsigned there = i + k * block;
      loaded[k] = load(x, there < count ? there : count - 1);
    }
#pragma unroll
    for (unsigned k = 0; k < vectors; ++k) {
      const A some = value_of<const T*, A>(loaded[k], op);
      if (i + k * block < count) mine = k == 0 ? some : op(mine, some);
    }
  }

  if constexpr (!by_one || warps == 1) {
    mine = reduce_block<block>(mine, identity, op, tile);
  } else {
    mine = reduce_lanes<warp>(mine, op);
    if (i % warp == 0) tile[i / warp] = mine;
    __syncthreads();
    if (i == 0) mine = fold<0, warps, A>(tile, op);
  }
  if (i == 0) *result = mine;
}

/// What there are kernels for: threads of the block, vectors of each.
constexpr struct {
  unsigned block, vectors;
} shapes[] = {{32, 1},  {32, 4},  {256, 1}, {256, 2}, {256, 4},
              {512, 1}, {512, 2}, {512, 4}, {1024, 4}};

template <bool by_one, class T, class A, class Op, std::size_t i = 0, class F>
void with_shape(unsigned block, unsigned vectors, F&& f) {
  if constexpr (i < sizeof shapes / sizeof *shapes) {
    constexpr auto known = shapes[i];
    if (known.block != block || known.vectors != vectors)
      return with_shape<by_one, T, A, Op, i + 1>(block, vectors, f);
    f(reduce_whole<known.block, known.vectors, by_one, T, A, Op>);
  }
}

/// Threads and vectors of each for so many bytes: the header's; 256 threads up to 16 KiB, as CUB
/// has them; and one warp up to 2 KiB.
struct Usual {
  static Choice choice(std::size_t bytes) { return usual_choice(bytes); }
};
struct Of256 {
  static Choice choice(std::size_t bytes) {
    const Choice usual = usual_choice(bytes);
    return bytes > 16384 ? usual : Choice{256, bytes > 8192 ? 4U : bytes > 4096 ? 2U : 1U, -1};
  }
};
struct OneWarp {
  static Choice choice(std::size_t bytes) {
    return bytes > 2048 ? Of256::choice(bytes) : Choice{32, bytes > 512 ? 4U : 1U, -1};
  }
};

/// What is no whole number of vectors, or more than one block's, is r30's.
template <class Case, class Shapes, bool by_one>
void run_whole(Queue& queue, const View<Case>& problem) {
  using T = Native<typename Case::element>;
  using A = Native<typename Case::accumulator>;
  using Op = Operator<Case>;
  const T* const x = reinterpret_cast<const T*>(problem.input);
  A* const result = reinterpret_cast<A*>(problem.result);
  const Choice choice = Shapes::choice(problem.n * sizeof(T));
  const std::size_t count = problem.n / width<T>;
  if (choice.per_unit != Choice::alone || count == 0 || problem.n % width<T> != 0 ||
      reinterpret_cast<std::uintptr_t>(x) % sizeof(Vector<T>) != 0) {
    return call<Case>(queue, problem, usual_choice(problem.n * sizeof(T)), result);
  }
  const Layout layout{.block = choice.block, .items = width<T> * choice.vectors, .grid = 1};
  with_shape<by_one, T, A, Op>(choice.block, choice.vectors, [&](auto* kernel) {
    queue.launch(kernel, Shape{1, choice.block}, layout.pass<T, A>(problem.n), x,
                 static_cast<unsigned>(count), result, Op{},
                 std::bit_cast<A>(Case::function::identity()));
  });
}

template <class Shapes, bool by_one>
struct Whole {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
      run_whole<Case, Shapes, by_one>(queue, problem);
    }
  };
  static Run<Queue> find(Type type, Operation operation) {
    using Cases = Each<Operation::sum, Operation::max>::Over<Type::i32, Type::f32, Type::f64>;
    return pick<Queue, Launch>(Cases{}, type, operation);
  }
};

/// r30 with what its i8 minimum and maximum would be by the header's own operations.
template <class Case>
struct ByBytes {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Op = std::conditional_t<Case::operation == Operation::min, Minimum, Maximum>;
    call<Case, false, Op>(queue, problem, choice_of<Case>(queue, problem), problem.result);
  }
};
Run<Queue> find_by_bytes(Type type, Operation operation) {
  using Cases = Each<Operation::min, Operation::max>::Over<Type::i8>;
  return pick<Queue, ByBytes>(Cases{}, type, operation);
}

consteval Extra variant(std::string_view id, std::string_view idea,
                        Run<Queue> (*finder)(Type, Operation)) {
  return {Rung{id, "", "", idea, "an experiment"}, Entry{id, finder}, false};
}

constexpr std::array all{
    variant("variant_whole", "r30's one block for whole vectors alone, without a loop",
            Whole<Usual, false>::find),
    variant("variant_whole_by_one", "variant_whole, one thread adds what the warps leave",
            Whole<Usual, true>::find),
    variant("variant_whole_256", "variant_whole_by_one in blocks of 256 threads up to 16 KiB",
            Whole<Of256, true>::find),
    variant("variant_whole_warp", "variant_whole_256, one warp up to 2 KiB",
            Whole<OneWarp, true>::find),
    variant("variant_bytes", "r30's minimum and maximum of int8, two at a time", find_by_bytes),
};

}  // namespace

std::span<const Extra> of_one_block() { return all; }

}  // namespace ladder::cuda::faulty::variants
