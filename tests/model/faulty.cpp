// Rungs that are wrong on purpose, on each model's own right ones.

#include "tests/model/faulty.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include LADDER_HEADER(passes)
#include LADDER_HEADER(tree)
#include LADDER_HEADER(vector)

namespace ladder::LADDER_MODEL {

namespace r04 {
Run<Queue> find(Type, Operation);
}
namespace r16 {
Run<Queue> find(Type, Operation);
}

namespace faulty {
namespace {

/// A right rung, on the first n elements.
template <class Case>
void reduce_first(Run<Queue> (*find)(Type, Operation), Queue& queue, const View<Case>& problem,
                  std::size_t n, const Tuning& tuning) {
  const Problem part{problem.input, n, Case::type, Case::operation, problem.result};
  find(Case::type, Case::operation)(queue, part, tuning);
}

template <class Case>
struct DropsLast {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    reduce_first(r04::find, queue, problem, problem.n - 1, tuning);
  }
};

template <class Case>
struct ReadsPastEnd {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    reduce_first(r04::find, queue, problem, problem.n + 1, tuning);  // a guard stands there
  }
};

template <class Case>
struct IgnoresVectorTail {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    constexpr std::size_t w = width<typename Case::element>;
    reduce_first(r16::find, queue, problem, problem.n / w * w, tuning);
  }
};

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
    reduce_first(r04::find, queue, problem, problem.n, tuning);
    queue.launch(combine<Op>, Shape{}, Pass{0, 0, 1}, problem.result, problem.input + problem.n / 2,
                 Op::identity());
  }
};

template <class Case>
struct TenTimes {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using A = typename Case::accumulator;
    reduce_first(r04::find, queue, problem, problem.n, tuning);
    queue.launch(combine<Function<Operation::product, A>>, Shape{}, Pass{0, 0, 1}, problem.result,
                 nullptr, A{10});
  }
};

/// The tree of r04, but one thread stores its element late, and no barrier makes the others wait
/// for it. It is the first thread of the upper half: thread 0, in another wave, combines what lies
/// there in the first level, and takes the identity for the element. One element alone is lost,
/// since several might add up to nothing.
template <class T, class Op, bool late>
__global__ void reduce_too_early(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * blockDim.x + tid;
  const A mine = i < n ? A(x[i]) : Op::identity();
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
struct MissingBarrier {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    in_passes(queue, problem, layout, reduce_too_early<T, Op, true>,
              reduce_too_early<A, Op, false>);
  }
};

/// Right, and then combined with what nobody wrote.
template <class Case>
struct ReadsUnwritten {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    reduce_first(r04::find, queue, problem, problem.n, tuning);
    queue.launch(combine<Op>, Shape{}, Pass{0, 0, 1}, problem.result, queue.scratch<A>(1),
                 Op::identity());
  }
};

// Rungs that cost the process its device do so from so many elements on; the tests of what is right
// and wrong stay below.
constexpr std::size_t many = std::size_t{1} << 22;

/// For some 20 s: much longer than any watchdog that a user would set.
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
    reduce_first(r04::find, queue, problem, problem.n, tuning);
    if (problem.n >= many) queue.launch(spin<A>, Shape{}, Pass{0, sizeof(A), 0}, problem.result);
  }
};

template <class Case>
struct WritesNowhereOnMany {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using A = typename Case::accumulator;
    reduce_first(r04::find, queue, problem, problem.n, tuning);
    A* const nowhere = nullptr;
    if (problem.n >= many)
      queue.launch(set<Queue, A>, Shape{}, Pass{0, sizeof(A), 0}, nowhere, A{0});
  }
};

Run<Queue> find_twice(Type type, Operation operation) {
  return operation == Operation::sum ? find<AddsTwice>(type, operation) : nullptr;
}

/// A rung under a second name: two times of the same.
Extra alias_of(std::string_view id, std::string_view name) {
  const auto& rung = *std::ranges::find(device_ladder, id, &Rung::id);
  Extra alias{Rung{name, "", "", "another rung under a second name", "", rung.axes},
              *std::ranges::find(table(), id, &Entry::id), false};
  alias.entry.id = name;
  return alias;
}

const std::array extras{
    wrong("fault_drops_last", "drops the last element", find<DropsLast>),
    wrong("fault_adds_twice", "adds one element twice", find_twice),
    wrong("fault_reads_past_end", "takes in the neighbour past the end", find<ReadsPastEnd>),
    wrong("fault_ignores_vector_tail", "ignores what is left over of whole 16-byte vectors",
          find<IgnoresVectorTail>, block_axis | grid_axis, {.block = 512, .grid = 4}),
    wrong("fault_returns_zero", "returns zero", find<ReturnsZero>),
    wrong("fault_ten_times", "returns ten times the result", find<TenTimes>),
    wrong("fault_missing_barrier", "combines an element before it was stored",
          find<MissingBarrier>),
    wrong("fault_reads_unwritten", "combines memory that nobody wrote", find<ReadsUnwritten>),
    wrong("fault_spins", "takes 20 s from 2^22 elements on", find<SpinsOnMany>),
    wrong("fault_writes_nowhere", "writes to an address that is none from 2^22 elements on",
          find<WritesNowhereOnMany>),
    alias_of("r16", "alias_r16"),
    alias_of("r20", "alias_r20"),
    alias_of("r30", "alias_r30"),
};

using faults::always, faults::last;

constexpr std::array known{
    faults::Fault{"fault_drops_last", always, last, false},
    faults::Fault{"fault_adds_twice", always, last, true},
    faults::Fault{"fault_reads_past_end", always, last, false},
    faults::Fault{
        "fault_ignores_vector_tail",
        [](Type type, std::size_t n, unsigned) { return n % (16 / facts(type).bytes) != 0; }, last,
        false},
    faults::Fault{"fault_returns_zero", always, last, false},
    faults::Fault{"fault_ten_times", always, last, false},
    // The late thread has to be in another wave than thread 0, and to have an element.
    faults::Fault{"fault_missing_barrier",
                  [](Type, std::size_t n, unsigned block) {
                    return block / 2 >= widest_wave && n > block / 2;
                  },
                  [](Type, std::size_t, unsigned block) { return std::size_t{block / 2}; }, false},
    // Undefined, so nowhere certain: for initcheck to find.
    faults::Fault{"fault_reads_unwritten", nullptr, last, false},
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Extra> all(extras.begin(), extras.end());
  if constexpr (model_name == "cuda") {
    std::ranges::copy(errata::rungs(), std::back_inserter(all));
    std::ranges::copy(meeting::rungs(), std::back_inserter(all));
  }
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend(all));
  return one;
}

std::span<const faults::Fault> faults() {
  static const std::vector<faults::Fault> all = [] {
    std::vector<faults::Fault> both(known.begin(), known.end());
    if constexpr (model_name == "cuda")
      std::ranges::copy(errata::faults(), std::back_inserter(both));
    return both;
  }();
  return all;
}

}  // namespace faulty
}  // namespace ladder::LADDER_MODEL
