// Rungs that are wrong on purpose, built on each model's right ones.

#include "tests/model/faulty.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

namespace ladder::LADDER_MODEL {

namespace r04 {
Run<Queue> find(Type, Operation);
}
namespace r16 {
Run<Queue> find(Type, Operation);
}

namespace faulty {
namespace {

template <class Case>
struct ReturnsZero {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = typename Case::accumulator;
    queue.launch(set<Queue, A>, Shape{}, Pass{0, sizeof(A), 0}, problem.result, A{0});
  }
};

/// *result = Op{}(*result, other)
template <class Op>
__global__ void combine(typename Op::value* result, const typename Op::value* other,
                        typename Op::value otherwise) {
  *result = Op{}(*result, other == nullptr ? otherwise : *other);
}

template <class Case>
struct AddsTwice {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    faults::reduce_by(r04::find, queue, problem, tuning);
    queue.launch(combine<Op>, Shape{}, Pass{0, 0, 1}, problem.result, problem.input + problem.n / 2,
                 Op::identity());
  }
};

template <class Case>
struct TenTimes {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using A = typename Case::accumulator;
    faults::reduce_by(r04::find, queue, problem, tuning);
    queue.launch(combine<Function<Operation::product, A>>, Shape{}, Pass{0, 0, 1}, problem.result,
                 nullptr, A{10});
  }
};

/// The tree of r04, but the first thread of the upper half stores its element late, and no barrier
/// makes the others wait. In the first level thread 0, in another wave, combines that slot and
/// reads the identity instead of the element. Only one element is lost, since several might add up
/// to zero.
template <class T, class Op, bool late>
__global__ void reduce_too_early(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const A mine = own_element<Op>(x, n);
  const bool is_late = late && blockIdx.x == 0 && tid == blockDim.x / 2;
  tile[tid] = is_late ? Op::identity() : mine;
  __syncthreads();
  if (is_late) {
    lose_time();
    tile[tid] = mine;
  }
  // Here the barrier is missing.

  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
using MissingBarrier =
    InPasses<Case, reduce_too_early<typename Case::element, typename Case::function, true>,
             reduce_too_early<typename Case::accumulator, typename Case::function, false>>;

/// Combines the right result with memory that was never written.
template <class Case>
struct ReadsUnwritten {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    faults::reduce_by(r04::find, queue, problem, tuning);
    queue.launch(combine<Op>, Shape{}, Pass{0, 0, 1}, problem.result, queue.scratch<A>(1),
                 Op::identity());
  }
};

// Rungs that make the process lose its device do so from this many elements on; the tests of right
// and wrong results use fewer.
constexpr std::size_t many = std::size_t{1} << 22;

/// Spins for about 20 s, much longer than any watchdog that a user would set.
template <class A>
__global__ void spin(A* result) {
  constexpr long long cycles = 40'000'000'000;
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  *result = A{0};
}

template <class Case>
struct SpinsOnMany {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using A = typename Case::accumulator;
    faults::reduce_by(r04::find, queue, problem, tuning);
    if (problem.n >= many) queue.launch(spin<A>, Shape{}, Pass{0, sizeof(A), 0}, problem.result);
  }
};

template <class Case>
struct WritesNowhereOnMany {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using A = typename Case::accumulator;
    faults::reduce_by(r04::find, queue, problem, tuning);
    A* const nowhere = nullptr;
    if (problem.n >= many)
      queue.launch(set<Queue, A>, Shape{}, Pass{0, sizeof(A), 0}, nowhere, A{0});
  }
};

using faults::miscounting;

constexpr std::array faulty_rungs{
    wrong("fault_drops_last", "drops the last element",
          miscounting<Queue, r04::find, faults::all_but_the_last>),
    wrong("fault_adds_twice", "adds one element twice", faults::find_sum<Queue, AddsTwice>),
    wrong("fault_reads_past_end", "takes in the neighbour past the end",
          miscounting<Queue, r04::find, faults::one_too_many>),
    wrong("fault_ignores_vector_tail", "ignores what is left over of whole 16-byte vectors",
          miscounting<Queue, r16::find, faults::whole_vectors>,
          {.acts = faults::leaves_a_rest,
           .axes = block_axis | grid_axis,
           .defaults = {.block = 512, .grid = 4}}),
    wrong("fault_returns_zero", "returns zero", find<ReturnsZero>),
    wrong("fault_ten_times", "returns ten times the result", find<TenTimes>),
    // The late thread must be in another wave than thread 0, and must have an element.
    wrong("fault_missing_barrier", "combines an element before it was stored", find<MissingBarrier>,
          {.acts = [](Type, std::size_t n,
                      unsigned block) { return block / 2 >= widest_wave && n > block / 2; },
           .place = [](Type, std::size_t, unsigned block) { return std::size_t{block / 2}; }}),
    // Undefined, so certain at no size: initcheck has to find it.
    wrong("fault_reads_unwritten", "combines memory that nobody wrote", find<ReadsUnwritten>,
          {.acts = nullptr}),
};

/// Right at the sizes that the tests of right and wrong results use.
constexpr std::array right_on_few{
    wrong("fault_spins", "takes 20 s from 2^22 elements on", find<SpinsOnMany>),
    wrong("fault_writes_nowhere", "writes to an address that is none from 2^22 elements on",
          find<WritesNowhereOnMany>),
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Extra> all = faults::extras_of<Queue>(model_name, faulty_rungs);
  for (const auto& rung : right_on_few) all.push_back(rung.extra);
  for (const auto& [id, name] :
       {std::pair{"r16", "alias_r16"}, {"r20", "alias_r20"}, {"r30", "alias_r30"}})
    all.push_back(faults::alias<Queue>(device_ladder, table(), id, name));
  if constexpr (model_name == "cuda") {
    for (const auto& rungs : {errata::elements(), errata::passes(), errata::threads()})
      std::ranges::copy(faults::extras_of<Queue>(model_name, rungs), std::back_inserter(all));
    std::ranges::copy(meeting::rungs(), std::back_inserter(all));
  }
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend(all));
  return one;
}

}  // namespace faulty
}  // namespace ladder::LADDER_MODEL
