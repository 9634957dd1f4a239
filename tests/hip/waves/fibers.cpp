#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include <hip/hip_runtime.h>
#include <ucontext.h>

namespace ladder::hip {

/// The block's dynamic shared memory, declared in common/gpu/tree.hpp, at its maximum size.
alignas(16) thread_local unsigned char memory[1 << 16];

namespace fibers {
namespace {

constexpr std::size_t stack_bytes = 64 << 10;

struct Fiber {
  enum class State { runs, waits_for_wave, waits_for_block, waits_for_grid, has_ended };
  ucontext_t context;
  std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
  State state = State::runs;
  const void* slot = nullptr;
  Meetings met{};
};
using State = Fiber::State;

std::vector<std::vector<Fiber>> blocks;  // one block, or all blocks of a cooperative launch
std::span<Fiber> fibers;                 // of the running block
unsigned threads, current;
const std::function<void()>* body;
ucontext_t scheduler;

void begin() {
  (*body)();
  fibers[current].state = State::has_ended;
}

void wait(State state) {
  Fiber& fiber = fibers[current];
  fiber.state = state;
  swapcontext(&fiber.context, &scheduler);
}

/// Resumes fibers first to last - 1 if all wait in `state` or have ended. True if any resumed.
bool let_go(unsigned first, unsigned last, State state) {
  const auto some = fibers.subspan(first, last - first);
  const auto is_in = [](State wanted) {
    return [wanted](const Fiber& fiber) { return fiber.state == wanted; };
  };
  const bool all = std::ranges::all_of(some, [&](const Fiber& fiber) {
    return fiber.state == state || fiber.state == State::has_ended;
  });
  if (!all || std::ranges::none_of(some, is_in(state))) return false;
  for (Fiber& fiber : some) {
    if (fiber.state == state) fiber.state = State::runs;
  }
  return true;
}

/// Resumes fibers whose wait is over. Returns true if any resumed.
bool go_on() {
  bool some = false;
  for (unsigned first = 0; first < threads; first += LADDER_WAVE) {
    some |= let_go(first, std::min(first + LADDER_WAVE, threads), State::waits_for_wave);
  }
  return some || let_go(0, threads, State::waits_for_block);
}

/// Resets the block's threads to the start of the kernel.
void set_block() {
  for (unsigned i = 0; i < threads; ++i) {
    Fiber& fiber = fibers[i];
    fiber.state = State::runs;
    fiber.met = {};
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, begin, 0);
  }
}

/// Runs the block until each thread has ended or waits for the grid. Throws on deadlock.
void run_block() {
  std::memset(memory, 0x5A, sizeof memory);
  // Every other pass starts with the last thread, to expose code that is right in one order only.
  bool backwards = false;
  do {
    backwards = !backwards;
    for (unsigned i = 0; i < threads; ++i) {
      current = backwards ? threads - 1 - i : i;
      threadIdx.x = current;
      if (fibers[current].state == State::runs) {
        swapcontext(&scheduler, &fibers[current].context);
      }
    }
  } while (go_on());
  if (!std::ranges::all_of(fibers, [](const Fiber& fiber) {
        return fiber.state == State::has_ended || fiber.state == State::waits_for_grid;
      })) {
    throw std::logic_error("threads of a block wait for each other where they never meet");
  }
}

/// Returns true if the running block is at a grid barrier.
bool waits_for_grid() {
  return std::ranges::any_of(
      fibers, [](const Fiber& fiber) { return fiber.state == State::waits_for_grid; });
}

}  // namespace

void run(unsigned grid, unsigned block, std::size_t shared_bytes,
         const std::function<void()>& thread, bool together) {
  if (shared_bytes > sizeof memory) throw std::logic_error("more shared memory than a block has");
  const auto in_turn = [&](const auto& act) {
    for (blockIdx.x = 0; blockIdx.x < grid; ++blockIdx.x) {
      fibers = std::span(blocks[together ? blockIdx.x : 0]).first(block);
      act();
    }
  };
  if (const std::size_t held = together ? grid : 1; blocks.size() < held) blocks.resize(held);
  for (auto& some : blocks) {
    if (some.size() < block) some.resize(block);
  }
  threads = block;
  body = &thread;
  gridDim.x = grid;
  blockDim.x = block;
  unsigned waiting = 0;
  in_turn([&] {
    set_block();
    run_block();
    waiting += waits_for_grid() ? 1U : 0U;
  });
  while (waiting != 0) {
    if (!together || waiting != grid)
      throw std::logic_error("blocks wait for each other where they never meet");
    waiting = 0;
    in_turn([&] {
      let_go(0, threads, State::waits_for_grid);
      run_block();
      waiting += waits_for_grid() ? 1U : 0U;
    });
  }
}

void meet_block() {
  wait(State::waits_for_block);
  fibers[current].met = {fibers[current].met.block + 1, 0};
}
void meet_wave() {
  wait(State::waits_for_wave);
  ++fibers[current].met.wave;
}

void meet_grid() {
  wait(State::waits_for_grid);
  fibers[current].met = {fibers[current].met.block + 1, 0};
}

Meetings meetings() { return fibers[current].met; }

bool on_stack(const void* address) {
  const auto holds = [&](const Fiber& fiber) {
    const std::byte* const first = fiber.stack.get();
    return std::greater_equal<>()(address, static_cast<const void*>(first)) &&
           std::less<>()(address, static_cast<const void*>(first + stack_bytes));
  };
  return std::ranges::any_of(blocks,
                             [&](const auto& block) { return std::ranges::any_of(block, holds); });
}

const void* slot_of(const void* slot, unsigned lane) {
  const unsigned me = current, first = me - me % LADDER_WAVE;
  fibers[me].slot = slot;
  meet_wave();
  return lane < LADDER_WAVE && first + lane < threads ? fibers[first + lane].slot : nullptr;
}

}  // namespace fibers
}  // namespace ladder::hip
