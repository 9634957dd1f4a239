// Writes the work of each thread of each HIP rung for the drawings of docs/ladder.md and
// docs/batch.md: which elements it loads, what it adds, which values it passes on. The kernels are
// those of the rungs' sources, called with an element and an operation that record each use.
// Nothing here repeats how a rung finds its elements. 8 threads of a block represent 256; 4 lanes
// represent 32 or 64. `launches` and `launches_of_groups` below set the number of blocks and of
// elements.
//
//   hip_patterns > docs/data/patterns.csv

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/problem.hpp"

namespace ladder {

/// Makes the rungs' `find` instantiate nothing: only the kernels are needed.
template <class Queue, template <class> class Launch, class... Case>
constexpr Run<Queue> pick(Cases<Case...>, Type, Operation) requires(sizeof(Queue) > 0) {
  return nullptr;
}

}  // namespace ladder

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::patterns {
namespace {

constexpr unsigned threads = 8;
constexpr std::size_t most = 256;

struct Element {
  std::uint32_t index;
};
/// Input, which starts two elements past a 16-byte boundary.
struct {
  alignas(16) std::array<Element, most> at;
  const Element* begin() const { return at.data() + 2; }
} input;

/// Accumulator. `id` is the origin: from 1 on, an element; above `most`, an identity or a sum.
struct Value {
  std::uint32_t id;

  Value() = default;
  explicit Value(std::uint32_t number) : id(number) {}
  explicit Value(const Element& element);
};

/// Owner of a value, and whether it includes an element: identities and their sums do not.
struct Origin {
  unsigned block = blockIdx.x, thread = threadIdx.x;
  bool holds = true;
};
std::map<std::uint32_t, Origin> origins;
std::uint32_t last_id = most;

/// Action of a thread: loads elements from `first` on; passes `value` on by an atomic; or adds two
/// values from `places`. `between` is false if both are in its own registers.
struct Event {
  enum class Kind { load, add, atomic } kind;
  std::uint32_t value;
  Index first = 0, elements = 0;
  std::array<const Value*, 2> places{};
  std::array<std::uint32_t, 2> operands{};
  bool between = false;
  unsigned block = blockIdx.x, thread = threadIdx.x;
  fibers::Meetings met = fibers::meetings();
};
using Kind = Event::Kind;
std::vector<Event> events;

/// Records a load. Ignores an address outside the input: its vector's load was recorded.
void tell_load(const Element* first, Index elements, std::uint32_t value) {
  if (first < input.begin() || first >= input.at.data() + most) return;
  events.push_back(
      {.kind = Kind::load, .value = value, .first = first - input.begin(), .elements = elements});
}

Value::Value(const Element& element) : id(element.index + 1) {
  origins[id] = {};
  tell_load(&element, 1, id);
}

std::vector<Value> partials;
Value result;

bool holds(std::uint32_t id) {
  const auto origin = origins.find(id);
  return origin != origins.end() && origin->second.holds;
}
/// Returns true if the running thread holds the value in a register.
bool is_own(const Value& value) {
  const auto origin = origins.find(value.id);
  return fibers::on_stack(&value) && origin != origins.end() &&
         origin->second.block == blockIdx.x && origin->second.thread == threadIdx.x;
}

struct Sum {
  using value = Value;
  static constexpr Operation kind = Operation::sum;

  static Value identity() {
    origins[++last_id] = {.holds = false};
    return Value(last_id);
  }
  Value operator()(const Value& a, const Value& b) const {
    origins[++last_id] = {.holds = holds(a.id) || holds(b.id)};
    events.push_back({.kind = Kind::add,
                      .value = last_id,
                      .places = {&a, &b},
                      .operands = {a.id, b.id},
                      .between = !is_own(a) || !is_own(b)});
    return Value(last_id);
  }
};

// Found by argument-dependent lookup, so preferred to the template for any type.
Value unsafeAtomicAdd(Value* address, Value value) {
  events.push_back({.kind = Kind::atomic, .value = value.id});
  return std::exchange(*address, value);
}

}  // namespace
}  // namespace ladder::hip::patterns

/// Records a vector load from memory.
static const uint4& bits_of(const uint4& vector) {
  using ladder::hip::patterns::Element;
  ladder::hip::patterns::tell_load(reinterpret_cast<const Element*>(&vector), 4, 0);
  return vector;
}

// Kernels under trace.
#include "hip/rungs/b00_thread_per_row.hip"
#include "hip/rungs/b01_block_per_row.hip"
#include "hip/rungs/b02_warp_per_row.hip"
#include "hip/rungs/b03_lanes_per_row.hip"
#include "hip/rungs/b05_blocks_per_row.hip"
#include "hip/rungs/b06_thread_per_column.hip"
#include "hip/rungs/b07_column_tiles.hip"
#include "hip/rungs/b08_warp_per_segment.hip"
#include "hip/rungs/r00_atomic_per_element.hip"
#include "hip/rungs/r01_block_serial.hip"
#include "hip/rungs/r02_interleaved_divergent.hip"
#include "hip/rungs/r03_interleaved_strided.hip"
#include "hip/rungs/r04_sequential_addressing.hip"
#include "hip/rungs/r05_sync_at_loop_start.hip"
#include "hip/rungs/r06_first_add_on_load.hip"
#include "hip/rungs/r07_coarsened.hip"
#include "hip/rungs/r08_coarsened_uncoalesced.hip"
#include "hip/rungs/r09_unroll_last_warp.hip"
#include "hip/rungs/r10_complete_unroll.hip"
#include "hip/rungs/r11_grid_stride.hip"
#include "hip/rungs/r12_warp_shuffle.hip"
#include "hip/rungs/r13_warp_atomic.hip"
#include "hip/rungs/r14_block_atomic.hip"
#include "hip/rungs/r15_two_kernels.hip"
#include "hip/rungs/r16_vectorized.hip"
#include "hip/rungs/r17_multiple_accumulators.hip"
#include "hip/rungs/r18_tree_block_atomic.hip"
#include "hip/rungs/r20_last_block.hip"
#include "hip/rungs/r31_one_trip.hip"

namespace ladder::hip::patterns {
namespace {

bool is_partial(const Value* place) {
  return std::less_equal<>()(partials.data(), place) &&
         std::less<>()(place, partials.data() + partials.size());
}

/// Returns the origin of shared-memory indices: the dynamic memory if any event uses it, else the
/// lowest address used.
const Value* first_shared() {
  const Value* const dynamic = shared_memory<Value>();
  const Value* lowest = nullptr;
  for (const Event& event : events) {
    for (const Value* place : event.places) {
      if (place == nullptr || fibers::on_stack(place) || is_partial(place)) continue;
      if (place - dynamic >= 0 && place - dynamic < threads) return dynamic;
      if (lowest == nullptr || std::less<>()(place, lowest)) lowest = place;
    }
  }
  return lowest;
}

/// Formats an operand: "12@s3" is value 12 in the fourth word of shared memory, "@p0" a partial, no
/// place a register. Empty if the value includes no element.
std::string operand(std::uint32_t id, const Value* place, const Value* tile) {
  if (!holds(id)) return "";
  std::string text = std::to_string(id);
  if (fibers::on_stack(place)) return text;
  const bool partial = is_partial(place);
  return text + (partial ? "@p" : "@s") +
         std::to_string(place - (partial ? partials.data() : tile));
}

/// Sorts adjacent loads of a thread by address: compilers may evaluate the operands of one
/// expression in any order.
void sort_loads() {
  for (auto first = events.begin(); first != events.end();) {
    const auto last = std::find_if(first, events.end(), [&](const Event& event) {
      return event.kind != Kind::load || event.block != first->block ||
             event.thread != first->thread;
    });
    std::sort(first, last, [](const Event& a, const Event& b) { return a.first < b.first; });
    first = last == first ? first + 1 : last;
  }
}

/// Runs `kernel` with `blocks` blocks and writes its events, then the ids of the partials that it
/// leaves and of its result.
template <class Kernel>
void trace(std::string_view rung, unsigned blocks, Index n, bool leaves_partials, bool has_result,
           const Kernel& kernel) {
  events.clear();
  origins.clear();
  last_id = most;
  result = Value(0U);
  partials.assign(leaves_partials ? blocks : 0, Value(0U));
  fibers::run(blocks, threads, threads * sizeof(Value), kernel);
  sort_loads();

  std::cout << rung << ",launch," << blocks << ',' << threads << ",,," << n << ",,," << LADDER_WAVE
            << '\n';
  const Value* const tile = first_shared();
  for (const Event& event : events) {
    const bool sum = event.kind == Kind::add;
    std::cout << rung << ','
              << (!sum            ? event.kind == Kind::load ? "load" : "atomic"
                  : event.between ? "add"
                                  : "own")
              << ',' << event.block << ',' << event.thread << ',' << event.met.block << ','
              << event.met.wave << ',' << event.value << ',';
    if (event.between) std::cout << operand(event.operands[0], event.places[0], tile);
    std::cout << ',';
    if (event.between) std::cout << operand(event.operands[1], event.places[1], tile);
    std::cout << ',';
    if (event.kind == Kind::load) std::cout << event.first << '+' << event.elements;
    std::cout << '\n';
  }
  for (unsigned b = 0; b < partials.size(); ++b)
    std::cout << rung << ",partial," << b << ",,,," << partials[b].id << ",,,\n";
  if (has_result) std::cout << rung << ",result,,,,," << result.id << ",,,\n";
}

template <class Kernel>
void by_atomics(std::string_view rung, Kernel kernel, unsigned blocks, Index n) {
  trace(rung, blocks, n, false, false, [&] { kernel(input.begin(), n, &result); });
}
template <class Kernel, class... More>
void by_partials(std::string_view rung, Kernel kernel, unsigned blocks, Index n, More... more) {
  trace(rung, blocks, n, true, false, [&] { kernel(input.begin(), n, partials.data(), more...); });
}

/// First element at a 16-byte boundary: the start of the rows.
const Element* const aligned = input.begin() + 2;

/// Runs a rung of many reductions and writes its loads. Of loads of the same elements, only the
/// lowest thread's counts: lanes past the last row repeat it. The block has its real size, to show
/// how few of its threads load. `ends`: end indices of rows or segments.
template <class Kernel>
void trace_groups(std::string_view rung, unsigned blocks, const std::vector<Index>& ends,
                  const Kernel& kernel) {
  constexpr unsigned block = 256;
  events.clear();
  origins.clear();
  last_id = most;
  std::vector<Value> results(block, Value(0U));
  fibers::run(blocks, block, 0, [&] { kernel(results.data()); });
  std::cout << rung << ",launch," << blocks << ',' << block << ",,," << ends.back() << ',';
  for (const Index end : ends) std::cout << (end == ends.front() ? "" : "+") << end;
  std::cout << ",," << LADDER_WAVE << '\n';
  std::map<Index, const Event*> loads;
  for (const Event& event : events) {
    if (event.kind != Kind::load) continue;
    const Event*& first = loads[event.first - (aligned - input.begin())];
    if (first == nullptr || event.thread < first->thread) first = &event;
  }
  for (const auto& [at, load] : loads) {
    std::cout << rung << ",load," << load->block << ',' << load->thread << ",,,,,," << at << '+'
              << load->elements << '\n';
  }
}

/// Traces four rows of eight elements, eight columns of four, and segments of uneven lengths.
void launches_of_groups() {
  const std::vector<Index> rows = {8, 16, 24, 32};
  const Element* const x = aligned;
  trace_groups("b00", 1, rows, [&](Value* y) { b00::reduce<Element, Sum>(x, 4, 8, 8, y); });
  trace_groups("b01", 4, rows, [&](Value* y) { b01::reduce<Element, Sum>(x, 8, 8, y); });
  trace_groups("b02", 1, rows, [&](Value* y) { b02::reduce<Element, Sum>(x, 4, 8, 8, y); });
  trace_groups("b03", 1, rows,
               [&](Value* y) { b03::reduce<Element, uint4, Sum>(x, 4, 8, 8, 2, y); });
  trace_groups("b05", 4, {16, 32},
               [&](Value* y) { b05::reduce<Element, Sum>(x, 16, 16, 8, 2, y); });
  trace_groups("b06", 1, rows, [&](Value* y) { b06::reduce<Element, Sum>(x, 8, 4, 8, y); });
  trace_groups("b07", 2, rows, [&](Value* y) { b07::reduce<Element, Sum>(x, 8, 4, 8, 2, 2, y); });
  const std::vector<std::int64_t> offsets = {0, 2, 3, 20, 32};
  trace_groups("b08", 1, {2, 3, 20, 32},
               [&](Value* y) { b08::reduce<Element, Sum>(x, offsets.data(), 4, y); });
}

void launches() {
  by_atomics("r00", r00::reduce<Element, Sum>, 2, 16);
  by_atomics("r01", r01::reduce<Element, Sum>, 2, 16);
  by_partials("r02", r02::reduce<Element, Sum>, 2, 16);
  by_partials("r03", r03::reduce<Element, Sum>, 2, 16);
  by_partials("r04", r04::reduce<Element, Sum>, 2, 16);
  by_partials("r05", r05::reduce<Element, Sum>, 2, 16);
  by_partials("r06", r06::reduce<Element, Sum>, 2, 32);
  by_partials("r07", r07::reduce<Element, Sum>, 1, 32, 4U);
  by_partials("r08", r08::reduce<Element, Sum>, 1, 32, 4U);
  by_partials("r09", r09::reduce<Element, Sum>, 2, 32);
  by_partials("r10", r10::reduce<Element, Sum, threads>, 2, 32);
  by_partials("r11", r11::reduce<Element, Sum, threads>, 2, 32);
  by_partials("r12", r12::reduce<Element, Sum, threads>, 2, 32);
  by_atomics("r13", r13::reduce<Element, Sum, threads>, 2, 32);
  by_atomics("r14", r14::reduce<Element, Sum, threads>, 2, 32);
  by_partials("r15", r15::reduce<Element, Sum, threads>, 2, 32);
  by_partials("r16", r16::reduce<Element, Sum, threads>, 1, 2 + 64 + 1);
  by_partials("r17", r17::reduce<Element, Sum, threads>, 1, 2 + 128 + 1);
  by_atomics("r18", r18::reduce<Element, Sum>, 2, 16);

  constexpr Index n = 2 + 64 + 1;
  unsigned ticket = 0;
  trace("r20", 2, n, true, true, [&] {
    r20::reduce<Element, Sum, threads>(input.begin(), n, partials.data(), &ticket, &result);
  });
  std::array<std::uint64_t, 3> words{1};
  trace("r31", 2, n, false, true, [&] {
    r31::reduce<Element, Sum, threads>(input.begin(), n, Words{words.data(), 2}, &result);
  });
}

}  // namespace
}  // namespace ladder::hip::patterns

int main() {
  using namespace ladder::hip::patterns;
  for (std::uint32_t i = 0; i < most; ++i) input.at[i].index = i - 2;  // as begin() counts
  std::cout << "rung,event,block,thread,barriers,syncs,value,left,right,at\n";
  launches_of_groups();
  launches();
  return 0;
}
