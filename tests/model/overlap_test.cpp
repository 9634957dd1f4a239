// Calls of the header that may start while the preceding kernel ends. A model or device without
// such launches runs them one after another and must return the same results.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "tests/model/calling.hpp"

namespace ladder::LADDER_MODEL {
namespace {

/// Writes `value` to each of n elements after a wait in every block. `early`: the next kernel may
/// start before the wait.
__global__ void write_late(int* x, unsigned n, int value, bool early) {
  if (early) reduce_detail::let_next_start();
  constexpr std::uint64_t wait = 5'000;  // ns
  const std::uint64_t start = Runtime::nanoseconds();
  while (Runtime::nanoseconds() - start < wait) {
  }
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] = value;
}

class Overlapping : public Calling {
 protected:
  /// Calls `f.operator()<overlap>()` with each kind of overlap.
  template <class F>
  static void with_each_overlap(F&& f) {
    f.template operator()<Overlap::none>();
    f.template operator()<Overlap::after_previous>();
    f.template operator()<Overlap::input_ready>();
  }
  /// Returns the number of results that differ from `expected(call)`.
  template <class F>
  std::size_t wrong(const int* results, std::size_t calls, const F& expected) const {
    std::vector<int> found(calls);
    device->download(found.data(), results, calls * sizeof(int));
    std::size_t count = 0;
    for (std::size_t call = 0; call < calls; ++call)
      count += found[call] != static_cast<int>(expected(call));
    return count;
  }
  int* results_of(std::size_t calls) { return on_device(std::vector<int>(calls, -1)); }
};

TEST_F(Overlapping, ten_thousand_calls_in_a_chain_leave_the_result_of_their_own_input) {
  // One block, whole and partial vectors, a few blocks, and collection by more than one wave.
  const std::size_t sizes[] = {1,     7,     1000,    1024,    4096,   16384,
                               16385, 65536, 1 << 17, 1 << 18, 1 << 20};
  const std::size_t calls = 10'000, most = (1 << 20) + 64;
  std::vector<int> values(most);
  for (std::size_t i = 0; i < most; ++i) values[i] = static_cast<int>(i * 2654435761U >> 16) - 999;
  std::vector<int> before(most + 1, 0);  // sums of all elements before an index, may wrap
  for (std::size_t i = 0; i < most; ++i) {
    before[i + 1] =
        static_cast<int>(static_cast<unsigned>(before[i]) + static_cast<unsigned>(values[i]));
  }
  const int* const x = on_device(values);
  const auto size_of = [&](std::size_t call) { return sizes[call * 7 % std::size(sizes)]; };
  const auto first_of = [](std::size_t call) { return call % 61; };
  with_each_overlap([&]<Overlap overlap>() {
    int* const results = results_of(calls);
    for (std::size_t call = 0; call < calls; ++call) {
      ok(reduce<overlap>(workspace, x + first_of(call), size_of(call), results + call, Sum{}, 0,
                         stream));
    }
    const auto expected = [&](std::size_t call) {
      const std::size_t first = first_of(call);
      return static_cast<unsigned>(before[first + size_of(call)]) -
             static_cast<unsigned>(before[first]);
    };
    EXPECT_EQ(wrong(results, calls, expected), 0U) << "overlap " << static_cast<int>(overlap);
  });
}

TEST_F(Overlapping, a_call_after_the_kernel_that_writes_its_input_waits_for_it) {
  const unsigned n = 1 << 18;
  int* const x = on_device(std::vector<int>(n, 0));
  for (const bool early : {false, true}) {
    const int calls = 1000;
    int* const results = results_of(calls);
    for (int call = 0; call < calls; ++call) {
      const unsigned some = call % 2 == 0 ? n : 5000;
      write_late<<<64, 256, 0, stream>>>(x, some, call, early);
      ok(Runtime::last_error());
      ok(reduce<Overlap::after_previous>(workspace, x, some, results + call, Sum{}, 0, stream));
    }
    const auto expected = [&](std::size_t call) { return call * (call % 2 == 0 ? n : 5000); };
    EXPECT_EQ(wrong(results, calls, expected), 0U)
        << (early ? "the kernel lets the call start at once" : "");
  }
}

TEST_F(Overlapping, an_input_that_is_ready_may_be_written_two_kernels_before) {
  const unsigned n = 1 << 18;
  int* const x = on_device(std::vector<int>(n, 0));
  int* const other = on_device(std::vector<int>(n, 1));
  const int rounds = 1000;
  int* const results = results_of(2 * rounds);
  for (int round = 0; round < rounds; ++round) {
    write_late<<<64, 256, 0, stream>>>(x, n, round, round % 2 == 0);
    ok(Runtime::last_error());
    int* const here = results + 2 * round;
    // This call waits for the kernel that writes x before it lets the next call start.
    ok(reduce<Overlap::after_previous>(workspace, other, n, here, Sum{}, 0, stream));
    ok(reduce<Overlap::input_ready>(workspace, x, n, here + 1, Sum{}, 0, stream));
  }
  const auto expected = [&](std::size_t call) { return call % 2 == 0 ? n : call / 2 * n; };
  EXPECT_EQ(wrong(results, 2 * rounds, expected), 0U);
}

TEST_F(Overlapping, a_count_that_a_kernel_before_writes_is_read_behind_it) {
  const std::size_t most = 1 << 16;
  const int* const x = on_device(std::vector<int>(most, 1));
  int* const n = on_device(std::vector<int>{0});
  const int calls = 1000;
  int* const results = results_of(calls);
  for (int call = 0; call < calls; ++call) {
    write_late<<<1, 1, 0, stream>>>(n, 1, 60 * call, true);
    ok(Runtime::last_error());
    ok(reduce<Overlap::after_previous>(workspace, x, n, most, results + call, Sum{}, 0, stream));
  }
  EXPECT_EQ(wrong(results, calls, [](std::size_t call) { return 60 * call; }), 0U);
}

TEST_F(Overlapping, a_graph_of_a_chain_is_replayed_over_changing_data) {
  const std::size_t n = 1 << 18, calls = 20;
  int* const x = on_device(std::vector<int>(n, 1));
  int* const results = results_of(calls);
  with_each_overlap([&]<Overlap overlap>() {
    const Graph graph(stream, [&] {
      for (std::size_t call = 0; call < calls; ++call)
        ok(reduce<overlap>(workspace, x, n - call, results + call, Sum{}, 0, stream));
    });
    std::size_t count = 0;
    for (std::size_t round = 1; round <= 200; ++round) {
      const int value = static_cast<int>(round);  // new value of the first element
      device->upload(x, &value, sizeof value);
      graph.launch();
      count += wrong(results, calls, [&](std::size_t call) { return n - call - 1 + round; });
    }
    EXPECT_EQ(count, 0U) << "overlap " << static_cast<int>(overlap);
  });
}

TEST_F(Overlapping, two_streams_share_a_workspace_in_order) {
  const auto owned = another_stream();
  const Runtime::Stream second = owned.get();
  const std::size_t n = 1 << 18, rounds = 1000;
  const int* const x = on_device(std::vector<int>(n, 1));
  with_each_overlap([&]<Overlap overlap>() {
    int* const results = results_of(2 * rounds);
    device->synchronize();
    Runtime::Event done = nullptr;
    ok(LADDER_GPU(EventCreate)(&done));
    const Runtime::Owned<Runtime::Event> owned_event(done);
    for (std::size_t round = 0; round < rounds; ++round) {
      for (const auto on : {stream, second}) {
        const std::size_t call = 2 * round + (on == second ? 1 : 0);
        ok(reduce<overlap>(workspace, x, n - call, results + call, Sum{}, 0, on));
        ok(LADDER_GPU(EventRecord)(done, on));
        ok(LADDER_GPU(StreamWaitEvent)(on == second ? stream : second, done, 0));
      }
    }
    ok(LADDER_GPU(StreamSynchronize)(second));
    const auto expected = [&](std::size_t call) { return n - call; };
    EXPECT_EQ(wrong(results, 2 * rounds, expected), 0U) << "overlap " << static_cast<int>(overlap);
  });
}

TEST_F(Overlapping, calls_are_right_beside_kernels_that_fill_the_device) {
  const auto other = another_stream();
  const std::size_t n = 1 << 20, calls = 500;
  const int* const x = on_device(std::vector<int>(n, 1));
  int* const scratch = on_device(std::vector<int>(n, 0));
  with_each_overlap([&]<Overlap overlap>() {
    int* const results = results_of(calls);
    for (std::size_t call = 0; call < calls; ++call) {
      write_late<<<4096, 256, 0, other.get()>>>(scratch, static_cast<unsigned>(n), 1,
                                                call % 2 == 0);
      ok(Runtime::last_error());
      ok(reduce<overlap>(workspace, x, n - call, results + call, Sum{}, 0, stream));
    }
    ok(LADDER_GPU(StreamSynchronize)(other.get()));
    const auto expected = [&](std::size_t call) { return n - call; };
    EXPECT_EQ(wrong(results, calls, expected), 0U) << "overlap " << static_cast<int>(overlap);
  });
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
