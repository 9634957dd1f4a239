// Mistakes of the published code in the selection of a block's elements. All passes over partials
// are correct: memory past the partials has undefined content.

#include <algorithm>
#include <array>

#include "common/accounting.hpp"
#include "common/gpu/vector.hpp"
#include "tests/cuda/errata.hpp"

namespace ladder::cuda::faulty::errata {
namespace {

/// Loads without a bound, as in harris 1 to 3, csc 1 to 3 and blog 0 to 3: their kernels have no
/// size parameter.
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

/// Loads two elements per thread and step. The loop checks the first; with `bounded` false nothing
/// checks the second, as in harris 7 and csc 7.
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

/// Elements per thread between block starts in HalfTheTerms, and elements that a thread adds.
constexpr unsigned strode = 32, added = 16;

/// Blocks start `strode` elements per thread apart and add `terms` of them: bu's listing for 32
/// elements per thread adds only the first 16.
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

/// Elements per thread in a block's slice: whole vectors of either width.
constexpr unsigned slice_items = 8;

/// Each block reduces a slice, in vectors. blog 7 makes both mistakes. `first_alone` checks only
/// the first element of a vector against the bound and loads all. `rounds_down` divides a thread's
/// element count by the vector width and rounds down. (blog 7's slices may also start off a 16-byte
/// boundary, where the load faults; slices here never do.)
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

// Conditions under which each mistake shows.

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
