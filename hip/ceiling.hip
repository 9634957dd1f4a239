#include <array>

#include "hip/ceiling.hpp"
#include "hip/index.hpp"

namespace ladder::hip {
namespace {

__device__ unsigned sum_of(const uint4& v) { return v.x + v.y + v.z + v.w; }

/// `n` counts vectors. `sink` is null: the sum is never stored, but the compiler cannot know. The
/// loops are not unrolled any further, or `loads` would not be the loads under way.
template <unsigned loads>
__global__ void __launch_bounds__(1024, 1) read(const uint4* x, Index n, unsigned* sink) {
  const Index stride = Index{gridDim.x} * blockDim.x;
  Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (; i + (loads - 1) * stride < n; i += loads * stride) {
    uint4 v[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) v[k] = x[i + k * stride];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) sum += sum_of(v[k]);
  }
#pragma unroll 1
  for (; i < n; i += stride) sum += sum_of(x[i]);
  if (sink != nullptr) *sink = sum;
}

using Read = void (*)(const uint4*, Index, unsigned*);

Read reader(unsigned loads) {
  switch (loads) {
    case 1:
      return read<1>;
    case 2:
      return read<2>;
    case 4:
      return read<4>;
    default:
      return read<8>;
  }
}

constexpr std::array blocks{256u, 512u, 1024u};
constexpr std::array loads_at_once{1u, 2u, 4u, 8u};
constexpr std::array blocks_per_unit{1u, 2u, 4u, 8u, 16u, 32u, 64u};

constexpr auto all_sweeps = [] {
  std::array<Sweep, blocks.size() * loads_at_once.size() * blocks_per_unit.size()> all{};
  std::size_t i = 0;
  for (const unsigned block : blocks) {
    for (const unsigned loads : loads_at_once) {
      for (const unsigned per_unit : blocks_per_unit) all[i++] = {block, loads, per_unit};
    }
  }
  return all;
}();

}  // namespace

std::string Sweep::text() const {
  return "block " + std::to_string(block) + ", " + std::to_string(loads) +
         " x 16-byte loads a thread, " + std::to_string(blocks_per_unit) +
         " blocks a multiprocessor";
}

std::span<const Sweep> sweeps() { return all_sweeps; }

void enqueue_sweep(Queue& queue, const Sweep& sweep, const void* input, std::size_t bytes) {
  const std::size_t n = bytes / sizeof(uint4);
  const std::size_t most = std::size_t{sweep.blocks_per_unit} *
                           static_cast<std::size_t>(queue.device().multiProcessorCount);
  queue.launch(reader(sweep.loads), Shape{blocks_for(n, sweep.block, most), sweep.block},
               Pass{.read_bytes = bytes}, static_cast<const uint4*>(input), n, nullptr);
}

}  // namespace ladder::hip
