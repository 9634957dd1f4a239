// Mistakes of the published code in which elements a block takes. Passes over partials are right in
// all of these: what lies behind partials in the scratch would be anything.

#include <algorithm>
#include <array>

#include "common/accounting.hpp"
#include "common/gpu/vector.hpp"
#include "tests/cuda/errata.hpp"

namespace ladder::cuda::faulty::errata {
namespace {

/// Loads without a bound, as in harris 1 to 3, csc 1 to 3 and blog 0 to 3, whose kernels are not
/// told how many elements there are.
template <class T, class Op>
__global__ void reduce_without_bound(const T* x, Index, typename Op::value* partial) {
  const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto all = tree<Op>(typename Op::value(x[i]));
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case>
using NoBound =
    InPasses<Case, reduce_without_bound<typename Case::element, typename Case::function>,
             reduce_ones<typename Case::accumulator, typename Case::function>>;

/// Two elements per thread in a step. The loop looks at the first of them; `bounded` false: at that
/// alone, as in harris 7 and csc 7.
template <class T, class Op, bool bounded>
__global__ void reduce_pairs(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A mine = Op::identity();
  const Index stride = Index{gridDim.x} * 2 * blockDim.x;
  for (Index i = Index{blockIdx.x} * 2 * blockDim.x + threadIdx.x; i < n; i += stride) {
    const Index j = i + blockDim.x;
    mine = Op{}(mine, Op{}(A(x[i]), !bounded || j < n ? A(x[j]) : Op::identity()));
  }
  const A all = tree<Op>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case>
using SecondLoadUnbounded =
    InPasses<Case, reduce_pairs<typename Case::element, typename Case::function, false>,
             reduce_pairs<typename Case::accumulator, typename Case::function, true>, 2>;

/// How far apart the blocks of HalfTheTerms begin, and how much they add, in elements per thread.
constexpr unsigned strode = 32, added = 16;

/// Blocks begin `strode` elements per thread apart and take `terms` of them: in bu's listing for 32
/// elements per thread, the first 16.
template <class T, class Op, unsigned terms>
__global__ void reduce_terms(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A mine = Op::identity();
  Index i = Index{blockIdx.x} * strode * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < terms; ++k, i += blockDim.x) {
    if (i < n) mine = Op{}(mine, A(x[i]));
  }
  const A all = tree<Op>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case>
using HalfTheTerms =
    InPasses<Case, reduce_terms<typename Case::element, typename Case::function, added>,
             reduce_terms<typename Case::accumulator, typename Case::function, strode>, strode>;

/// Elements of a block's slice for each thread: whole vectors of either width.
constexpr unsigned slice_items = 8;

/// Each block takes a slice, in vectors. blog 7 makes both mistakes: `first_alone` tests the first
/// element of a vector against the bound and loads all of them, and `rounds_down` counts a thread's
/// elements first and divides them into whole vectors then. (Its slices may also begin between two
/// 16-byte boundaries, where the load faults; ours never do.)
template <class T, class Op, bool first_alone, bool rounds_down>
__global__ void reduce_slices(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  constexpr unsigned w = width<T>;
  const Index slice = Index{slice_items} * blockDim.x;
  const T* const own = x + blockIdx.x * slice;
  const Index count = min(slice, n - blockIdx.x * slice);
  const Index each = (count + blockDim.x - 1) / blockDim.x;
  const Index vectors = (rounds_down ? each : each + w - 1) / w;

  A mine = Op::identity();
  for (Index k = 0; k < vectors; ++k) {
    const Index at = w * (threadIdx.x + k * blockDim.x);
    if (first_alone ? at < count : at + w <= count) {
      mine = Op{}(mine, fold<Op, T>(*reinterpret_cast<const Vector<T>*>(own + at)));
    } else {
      for (Index i = at; i < count; ++i) mine = Op{}(mine, A(own[i]));
    }
  }
  const A all = tree<Op>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case, bool first_alone, bool rounds_down>
using Slices = InPasses<
    Case, reduce_slices<typename Case::element, typename Case::function, first_alone, rounds_down>,
    reduce_slices<typename Case::accumulator, typename Case::function, false, false>, slice_items>;
template <class Case>
using VectorPastEnd = Slices<Case, true, false>;
template <class Case>
using VectorCountRoundedDown = Slices<Case, false, true>;

// When each acts.

constexpr std::size_t above(std::size_t count, std::size_t least) {
  return count > least ? count - least : 0;
}

constexpr bool passes_the_end_by_elements(Type, std::size_t n, unsigned block) {
  return n % block != 0;
}

constexpr bool passes_the_end_by_pairs(Type, std::size_t n, unsigned block) {
  return n % (2 * block) != 0;
}

constexpr bool loses_terms(Type, std::size_t n, unsigned block) {
  return never_cancel(above(n % (strode * block), added * block));
}

constexpr bool loses_vectors(Type type, std::size_t n, unsigned block) {
  const std::size_t w = 16 / facts(type).bytes;
  const std::size_t last_slice = n % (slice_items * block);
  const std::size_t taken = ceil_div(last_slice, block) / w * w * block;
  return never_cancel(above(last_slice, taken));
}

constexpr std::array of_elements{
    wrong("erratum_no_bound", "loads without asking how many elements there are", find<NoBound>,
          {.acts = passes_the_end_by_elements, .defaults = one_warp}),
    wrong("erratum_second_load_unbounded", "asks that of the first of two loads alone",
          find<SecondLoadUnbounded>,
          {.acts = passes_the_end_by_pairs,
           .axes = block_axis | grid_axis,
           .defaults = {.block = 32, .grid = 8}}),
    wrong("erratum_half_the_terms", "strides by 32 elements per thread and adds 16",
          find<HalfTheTerms>, {.acts = loses_terms, .defaults = {.block = 64}}),
    wrong("erratum_vector_past_end", "asks of the first element of a vector alone",
          find<VectorPastEnd>, {.acts = faults::leaves_a_rest, .defaults = one_warp}),
    wrong("erratum_vector_count_rounded_down", "rounds a thread's vectors down",
          find<VectorCountRoundedDown>, {.acts = loses_vectors, .defaults = one_warp}),
};

}  // namespace

std::span<const faults::FaultyRung<Queue>> elements() { return of_elements; }

}  // namespace ladder::cuda::faulty::errata
