// Mistakes of the published code in combining the results of blocks.

#include <array>
#include <utility>

#include "common/accounting.hpp"
#include "common/data.hpp"
#include "common/gpu/atomics.hpp"
#include "tests/cuda/errata.hpp"

namespace ladder::cuda::faulty::errata {
namespace {

template <class A>
__global__ void set_all(A* x, Index n, A value) {
  const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

/// bu's host loop passes the number of elements to each pass, not the number of remaining partials:
/// the last block reads past them. In the deck that memory is the next output, which other blocks
/// are writing, or was never written. Here it is a gap wider than a block's overrun, filled with
/// the guard value, so that the result is certainly wrong.
template <class Case>
struct StaleLength {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    std::size_t left = layout.blocks(problem.n);
    if (left == 1) {
      return one_pass<T, A>(queue, layout, reduce_ones<T, Op>, problem.input, problem.n,
                            problem.result);
    }

    const std::size_t gap = tuning.block;
    std::size_t cells = 0;
    for (std::size_t p = left; p > 1; p = layout.blocks(p)) cells += p + gap;
    A* from = queue.scratch<A>(cells);
    queue.launch(set_all<A>, Shape{layout.blocks(cells), tuning.block},
                 Pass{0, cells * sizeof(A), 0}, from, cells, guard_element<A>(Op::kind));

    one_pass<T, A>(queue, layout, reduce_ones<T, Op>, problem.input, problem.n, from);
    while (left > 1) {
      const std::size_t blocks = layout.blocks(left);
      A* const behind = from + left + gap;
      const std::size_t bound = problem.n;  // the mistake: not `left`
      queue.launch(reduce_ones<A, Op>, shape_of(layout, left), layout.pass<A, A>(left), from, bound,
                   blocks == 1 ? problem.result : behind);
      from = behind;
      left = blocks;
    }
  }
};

template <class A>
__global__ void copy_one(const A* from, A* to) {
  *to = *from;
}

/// bu's host loop divides the length by the block size and rounds down. The next pass then misses
/// the partial of an incomplete last block, or the loop ends with two partials left.
template <class Case>
struct LengthRoundedDown {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    const std::size_t most = layout.blocks(problem.n);
    A* from = queue.scratch<A>(most);
    A* to = queue.scratch<A>(layout.blocks(most));

    one_pass<T, A>(queue, layout, reduce_ones<T, Op>, problem.input, problem.n, from);
    for (std::size_t left = problem.n / tuning.block; left > 1; left /= tuning.block) {
      one_pass<A, A>(queue, layout, reduce_ones<A, Op>, from, left, to);
      std::swap(from, to);
    }
    queue.launch(copy_one<A>, Shape{}, Pass{sizeof(A), sizeof(A), 0}, from, problem.result);
  }
};

/// As `reduce_ones`, but delays block 0 before its loads.
template <class T, class Op>
__global__ void reduce_late(const T* x, Index n, typename Op::value* partial) {
  if (blockIdx.x == 0) lose_time();
  __syncthreads();  // prevents hoisting of the load above the loop
  const auto all = tree<Op>(own_element<Op>(x, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

/// Uses one buffer for the partials of all passes: block 1 writes its partial to an address that
/// block 0 has yet to read. Block 0 usually comes first; a delay makes the mistake show every time.
template <class Case>
struct InPlace {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    std::size_t left = layout.blocks(problem.n);
    A* const partials = queue.scratch<A>(left);
    one_pass<T, A>(queue, layout, reduce_ones<T, Op>, problem.input, problem.n, partials);
    for (; layout.blocks(left) > 1; left = layout.blocks(left)) {
      one_pass<A, A>(queue, layout, reduce_late<A, Op>, partials, left, partials);
    }
    one_pass<A, A>(queue, layout, reduce_ones<A, Op>, partials, left, problem.result);
  }
};

template <class T, class Op>
__global__ void reduce_onto(const T* x, Index n, typename Op::value* result) {
  const auto all = tree<Op>(own_element<Op>(x, n));
  if (threadIdx.x == 0) atomic_update<Op>(result, all);
}

/// One kernel without initialization of the result, as csc 9 and 10 count: adds the sum to its
/// previous content. Only for sums: a minimum may equal that content.
template <class Case>
struct ResultNotReset {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    one_pass<T, A>(queue, layout, reduce_onto<T, Op>, problem.input, problem.n, problem.result);
  }
};

// Conditions under which each mistake shows.

/// A later pass has partials that do not fill its last block.
constexpr bool passes_the_partials(Type, std::size_t n, unsigned block) {
  for (std::size_t left = ceil_div(n, block); left > 1; left = ceil_div(left, block)) {
    if (left % block != 0) return true;
  }
  return false;
}

constexpr bool loses_the_last_block(Type, std::size_t n, unsigned block) {
  return n > block && never_cancel(n % block);
}

/// The second pass has several blocks, but at most as many as block 0 reads partials. Block 0 then
/// reads the last block's new partial, which includes the last element, instead of an old one.
constexpr bool is_written_over(Type, std::size_t n, unsigned block) {
  const std::size_t partials = ceil_div(n, block);
  return partials > block && partials <= std::size_t{block} * block && never_cancel(n % block);
}

/// Index in the first overwritten partial.
constexpr std::size_t in_second_block(Type, std::size_t, unsigned block) { return block; }

constexpr std::array of_passes{
    wrong("erratum_stale_length", "tells every pass the length of the first", find<StaleLength>,
          {.acts = passes_the_partials}),
    wrong("erratum_length_rounded_down", "rounds the number of partials down",
          find<LengthRoundedDown>, {.acts = loses_the_last_block}),
    wrong("erratum_in_place", "writes partials over those that other blocks are to read",
          find<InPlace>, {.acts = is_written_over, .place = in_second_block, .defaults = one_warp}),
    wrong("erratum_result_not_reset", "adds to whatever the result was before",
          faults::find_sum<Queue, ResultNotReset>),
};

}  // namespace

std::span<const faults::FaultyRung<Queue>> passes() { return of_passes; }

}  // namespace ladder::cuda::faulty::errata
