#pragma once

// Read-only sweep: reads an array with the least arithmetic that the compiler does not remove. Its
// best configuration is the ceiling; one configuration evicts.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#if defined(__CUDACC__)
#include <cuda/ptx>
#endif

#include "common/accounting.hpp"
#include "common/runtime/gpu_runtime.hpp"

namespace ladder::LADDER_MODEL {

constexpr unsigned most_copies = 8;  // bulk copies in flight per block
constexpr unsigned one_pass = 0;     // blocks per SM: as many as one pass needs, no striding

/// A way of reading. With loads, `depth` is the 16-byte loads in flight per thread. With bulk
/// copies of `piece` bytes, it is the copies in flight per block.
struct Sweep {
  unsigned block;
  unsigned depth;
  unsigned blocks_per_unit;  ///< on each SM; blocks beyond its capacity queue
  unsigned piece = 0;        ///< 0: use loads

  std::string text() const;

 private:
  /// Text of a value, with a mark if it is an end of its axis not set by the hardware.
  static std::string tried(unsigned value, std::span<const unsigned> axis, bool first_is_least,
                           bool last_is_most);
};

// The ceiling tries every combination. Some ends are hardware limits: a block of one warp, 1024
// threads, the loads that a thread's registers hold. The others end the sweep: a best configuration
// at one of these shows that the sweep ends too early.
constexpr std::array sweep_blocks{32U, 64U, 128U, 256U, 512U, 1024U};
constexpr std::array sweep_loads{1U, 2U, 4U, 8U, 16U, 32U};
constexpr std::array sweep_blocks_per_unit{1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, one_pass};
constexpr std::array sweep_pieces{1024U, 2048U, 4096U, 8192U, 16384U};
constexpr std::array sweep_copies{2U, 4U, most_copies};
constexpr std::array sweep_bulk_blocks_per_unit{1U, 2U, 4U, 8U, 16U};

/// Maximum threads of a block whose registers hold `loads` loads in flight per thread: of 65536
/// registers, each load takes four, and some more for its address.
constexpr unsigned most_threads(unsigned loads) {
  return loads <= 8 ? 1024 : loads <= 16 ? 512 : 256;
}

constexpr std::size_t load_count = [] {
  std::size_t count = 0;
  for (const unsigned block : sweep_blocks)
    for (const unsigned loads : sweep_loads) count += block <= most_threads(loads);
  return count * sweep_blocks_per_unit.size();
}();

constexpr std::size_t bulk_count = [] {
  std::size_t count = 0;
  for (const unsigned piece : sweep_pieces)
    for (const unsigned copies : sweep_copies) count += piece * copies <= shared_without_asking;
  return count * sweep_bulk_blocks_per_unit.size();
}();

constexpr auto sweeps = [] {
  std::array<Sweep, load_count + bulk_count> all{};
  std::size_t i = 0;
  for (const unsigned block : sweep_blocks)
    for (const unsigned loads : sweep_loads)
      for (const unsigned per_unit : sweep_blocks_per_unit)
        if (block <= most_threads(loads)) all[i++] = {block, loads, per_unit};
  for (const unsigned piece : sweep_pieces)
    for (const unsigned copies : sweep_copies)
      for (const unsigned per_unit : sweep_bulk_blocks_per_unit)
        if (piece * copies <= shared_without_asking) all[i++] = {32, copies, per_unit, piece};
  return all;
}();

inline std::string Sweep::tried(unsigned value, std::span<const unsigned> axis, bool first_is_least,
                                bool last_is_most) {
  const bool end =
      (value == axis.front() && !first_is_least) || (value == axis.back() && !last_is_most);
  return std::to_string(value) + (end ? " (end of the sweep)" : "");
}

inline std::string Sweep::text() const {
  if (piece != 0) {
    return tried(depth, sweep_copies, false, false) + " bulk copies of " +
           tried(piece, sweep_pieces, false, false) + " bytes per block, " +
           tried(blocks_per_unit, sweep_bulk_blocks_per_unit, true, false) + " blocks per SM";
  }
  return "block " + tried(block, sweep_blocks, true, true) + ", " +
         tried(depth, sweep_loads, true, true) + " x 16-byte loads per thread, " +
         (blocks_per_unit == one_pass
              ? std::string("as many blocks as one pass takes")
              : tried(blocks_per_unit, sweep_blocks_per_unit, true, true) + " blocks per SM");
}

constexpr Sweep eviction_sweep{.block = 512, .depth = 4, .blocks_per_unit = 4};

/// `n` counts vectors. `sink` is null: the sum is never stored, but the compiler cannot know. The
/// loops must not be unrolled further, or more than `loads` loads would be in flight.
template <unsigned loads>
__global__ void __launch_bounds__(most_threads(loads), 1)
    read(const uint4* x, std::int64_t n, unsigned* sink) {
  const auto sum_of = [](const uint4& v) { return v.x + v.y + v.z + v.w; };
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
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

inline const void* reader_by_loads(unsigned loads) {
  const auto reader = [&] {
    switch (loads) {
      case 1:
        return &read<1>;
      case 2:
        return &read<2>;
      case 4:
        return &read<4>;
      case 8:
        return &read<8>;
      case 16:
        return &read<16>;
      default:
        return &read<32>;
    }
  };
  return reinterpret_cast<const void*>(reader());
}

#if LADDER_IS_CUDA
/// Reads `bytes` bytes (a multiple of 16) by bulk copies into shared memory. One thread per block
/// starts them, and NVIDIA's TMA unit (compute capability 9.0 and later) carries them out. Each
/// block has `copies` (at most `most_copies`) pieces of `piece` bytes in flight. A block is one
/// warp and takes piece * copies bytes of dynamic shared memory. The data is not used: the copy
/// itself is the read.
__global__ void read_in_bulk(const std::byte* x, std::int64_t bytes, unsigned piece,
                             unsigned copies) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  namespace ptx = ::cuda::ptx;
  extern __shared__ __align__(128) std::byte landing[];
  __shared__ std::uint64_t arrived[most_copies];
  if (threadIdx.x != 0) return;
  for (unsigned k = 0; k < copies; ++k) ptx::mbarrier_init(&arrived[k], 1);
  ptx::fence_proxy_async(ptx::space_shared);
  unsigned slot = 0, round = 0;  // of the next copy; copies of one slot arrive in sequence
  const auto wait = [&](unsigned which, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(&arrived[which], parity)) continue;
  };
  const auto next = [&] {
    if (++slot == copies) slot = 0, ++round;
  };
  const std::int64_t stride = std::int64_t{gridDim.x} * piece;
  for (std::int64_t at = std::int64_t{blockIdx.x} * piece; at < bytes; at += stride) {
    if (round > 0) wait(slot, (round - 1) % 2);
    const auto size = static_cast<std::uint32_t>(bytes - at < piece ? bytes - at : piece);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &arrived[slot], size);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, landing + slot * piece, x + at, size,
                       &arrived[slot]);
    next();
  }
  for (unsigned k = 0; k < copies; ++k, next()) {  // last copy of each slot, oldest first
    if (round > 0) wait(slot, (round - 1) % 2);
  }
#else
  (void)x, (void)bytes, (void)piece, (void)copies;
#endif
}

#endif

/// Enqueues reading `bytes` bytes (a multiple of 16) at `input` (aligned to 16) on a device with
/// `units` SMs, through the caches like any load. Throws `Error`.
inline void enqueue_sweep(Runtime::Stream stream, unsigned units, const Sweep& sweep,
                          const void* input, std::size_t bytes) {
  const std::size_t most = std::size_t{sweep.blocks_per_unit} * units;
#if LADDER_IS_CUDA
  if (sweep.piece != 0) {
    const auto* x = static_cast<const std::byte*>(input);
    auto size = static_cast<std::int64_t>(bytes);
    unsigned piece = sweep.piece, copies = sweep.depth;
    void* parameters[] = {&x, &size, &piece, &copies};
    const auto grid = static_cast<unsigned>(blocks_for(bytes, sweep.piece, most));
    return Runtime::check(Runtime::launch(reinterpret_cast<const void*>(&read_in_bulk), grid,
                                          sweep.block, parameters, std::size_t{piece} * copies,
                                          stream));
  }
#endif
  const auto* x = static_cast<const uint4*>(input);
  auto n = static_cast<std::int64_t>(bytes / sizeof(uint4));
  unsigned* sink = nullptr;
  void* parameters[] = {&x, &n, &sink};
  const std::size_t whole = ceil_div(static_cast<std::size_t>(n), sweep.block * sweep.depth);
  const auto grid = sweep.blocks_per_unit == one_pass
                        ? std::max<std::size_t>(whole, 1)
                        : blocks_for(static_cast<std::size_t>(n), sweep.block, most);
  Runtime::check(Runtime::launch(reader_by_loads(sweep.depth), static_cast<unsigned>(grid),
                                 sweep.block, parameters, 0, stream));
}

}  // namespace ladder::LADDER_MODEL
