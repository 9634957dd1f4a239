#include "kokkos/ceiling.hpp"

#include <array>
#include <cstdint>

#include "common/layout.hpp"
#include "kokkos/index.hpp"
#include "kokkos/vector.hpp"

namespace ladder::kokkos {
namespace {

using Four = Vector<std::uint32_t>;

KOKKOS_FUNCTION unsigned sum_of(const Four& four) {
  return fold<Function<Operation::sum, std::uint32_t>, std::uint32_t>(four);
}

/// `n` counts vectors. `sink` is null: the sum is never stored, but the compiler cannot know.
template <unsigned loads>
struct Strided {
  const Four* x;
  Index n;
  unsigned block;
  unsigned* sink;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index before = Index{team.league_rank()} * block;
    const Index stride = Index{team.league_size()} * block;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block), [&](unsigned leaf) {
      Index i = before + leaf;
      unsigned sum = 0;
      for (; i + (loads - 1) * stride < n; i += loads * stride) {
        Four v[loads];
        for (unsigned k = 0; k < loads; ++k) v[k] = x[i + k * stride];
        for (unsigned k = 0; k < loads; ++k) sum += sum_of(v[k]);
      }
      for (; i < n; i += stride) sum += sum_of(x[i]);
      if (sink != nullptr) *sink = sum;
    });
  }
};

/// `n` counts words. Each team's share is read in `streams` parts, by loops that vectorize.
template <unsigned streams>
struct InShares {
  const std::uint64_t* x;
  Index n;
  std::uint64_t* sink;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index teams = team.league_size(), me = team.league_rank();
    const Index begin = n / teams * me + (me < n % teams ? me : n % teams);
    const Index count = n / teams + (me < n % teams ? 1 : 0);
    const Index part = count / streams;
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      std::uint64_t sum[streams] = {};
      const std::uint64_t* const from = x + begin;
      for (Index i = 0; i < part; ++i) {
        for (unsigned s = 0; s < streams; ++s) sum[s] += from[i + s * part];
      }
      for (Index i = streams * part; i < count; ++i) sum[0] += from[i];
      for (unsigned s = 1; s < streams; ++s) sum[0] += sum[s];
      if (sink != nullptr) *sink = sum[0];
    });
  }
};

struct Empty {
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team&) const {}
};

constexpr auto gpu_sweeps = [] {
  std::array<Sweep, 18> all{};
  std::size_t i = 0;
  for (const unsigned block : {512U, 1024U}) {
    for (const unsigned streams : {2U, 4U, 8U}) {
      for (const unsigned teams : {2U, 4U, 64U}) all[i++] = {block, streams, teams};
    }
  }
  return all;
}();
constexpr std::array host_sweeps{Sweep{0, 1, 1}, Sweep{0, 4, 1}};

template <unsigned streams>
void enqueue(Queue& queue, const Sweep& sweep, const void* input, std::size_t bytes) {
  const std::size_t teams = std::size_t{sweep.teams_per_unit} * queue.device().facts.units;
  const Pass pass{.read_bytes = bytes, .written_bytes = 0, .depth = 0};
  if (sweep.block == 0) {
    const InShares<streams> kernel{static_cast<const std::uint64_t*>(input),
                                   static_cast<Index>(bytes / sizeof(std::uint64_t)), nullptr};
    return queue.launch(kernel, Shape{queue.concurrency(), 1, 0}, pass);
  }
  const std::size_t n = bytes / sizeof(Four);
  const Strided<streams> kernel{static_cast<const Four*>(input), static_cast<Index>(n), sweep.block,
                                nullptr};
  queue.launch(kernel, Shape{blocks_for(n, sweep.block, teams), sweep.block, 0}, pass);
}

}  // namespace

std::string Sweep::text() const {
  if (block == 0) {
    return "each thread its share in " + std::to_string(streams) +
           (streams == 1 ? " stream" : " streams");
  }
  return "block " + std::to_string(block) + ", " + std::to_string(streams) +
         " x 16-byte loads a thread, " + std::to_string(teams_per_unit) +
         " blocks a multiprocessor";
}

std::span<const Sweep> sweeps(bool on_host) {
  if (on_host) return host_sweeps;
  return gpu_sweeps;
}

void enqueue_sweep(Queue& queue, const Sweep& sweep, const void* input, std::size_t bytes) {
  switch (sweep.streams) {
    case 1:
      return enqueue<1>(queue, sweep, input, bytes);
    case 2:
      return enqueue<2>(queue, sweep, input, bytes);
    case 4:
      return enqueue<4>(queue, sweep, input, bytes);
    default:
      return enqueue<8>(queue, sweep, input, bytes);
  }
}

void enqueue_empty(Queue& queue) { queue.launch(Empty{}, Shape{}, Pass{}); }

}  // namespace ladder::kokkos
