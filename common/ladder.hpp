#pragma once

// The ladder: the single list of rungs. Names, tests, tables and docs are derived from it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/problem.hpp"

namespace ladder {

/// Parts of `Tuning` that affect a rung: `Rung::axes` combines these bits.
enum Axes : std::uint8_t {
  no_axis = 0,
  block_axis = 1,
  grid_axis = 2,
  items_axis = 4,
  workers_axis = 8,
  shares_axis = 16
};

using TuningMember = unsigned Tuning::*;  // alias, since nvcc's generated code warns without it

/// One axis of `Tuning`. Command line, plan, names, records and tables iterate over `tuning_axes`.
struct Axis {
  Axes bit;
  std::string_view name;  ///< of the option, the part of a rung's name and the record field
  TuningMember member;
  std::string_view help;  ///< for --help
  bool power_of_two = false;
  bool per_unit = false;  ///< "8x" means 8 for each SM of the device
  unsigned least = 1, most = ~0U;
};

inline constexpr std::array tuning_axes{
    Axis{block_axis, "block", &Tuning::block, "threads per block", true, false, 32, 1024},
    Axis{grid_axis, "grid", &Tuning::grid, "blocks in the grid, for rungs with a fixed one", false,
         true},
    Axis{items_axis, "items", &Tuning::items, "elements per thread, for coarsened rungs"},
    Axis{workers_axis, "workers", &Tuning::workers, "threads, on a CPU"},
    Axis{shares_axis, "shares", &Tuning::shares, "devices or ranks that take part", false, false, 1,
         4096},
};

/// Properties of a rung or library besides its axes: `Rung::traits` combines these bits.
enum Traits : std::uint8_t {
  no_trait = 0,
  atomic_updates = 1,   ///< results of blocks or elements meet in one address, in no fixed order
  nan_unspecified = 2,  ///< the library defines its results for NaN, infinities and zeros
  one_chain = 4,        ///< CPU: all elements may meet in one chain of operations
  fixed_order = 8,      ///< rounded results have the bits of the fixed tree: common/fixed_tree.hpp
  order_free = 16,      ///< rounded results are exact until one rounding: no order changes a bit
  compensated = 32,     ///< sums as in twice the precision, rounded once: common/compensated.hpp
};

/// One step of a ladder. `id` and `slug` never change once published.
struct Rung {
  std::string_view id;       ///< "r04"
  std::string_view slug;     ///< "sequential_addressing"
  std::string_view base;     ///< the id of the rung that it changes; empty for the first of a chain
  std::string_view idea;     ///< the one change
  std::string_view sources;  ///< publication of the step
  unsigned axes = no_axis;   ///< bits of `Axes`
  std::string_view family = {};  ///< rungs of one idea, one colour in the figures: "atomics"
  unsigned traits = no_trait;    ///< bits of `Traits`
  unsigned groupings = bit(Grouping::whole);  ///< supported groupings: bits of `Grouping`

  constexpr bool takes(Grouping by) const { return (groupings & bit(by)) != 0; }
};

/// "r04_sequential_addressing"; entries past the ladder have no slug.
inline std::string full_name(const Rung& rung) {
  return rung.slug.empty() ? std::string(rung.id)
                           : std::string(rung.id) + "_" + std::string(rung.slug);
}

/// The ladder of devices with many blocks (CUDA, HIP, Kokkos).
inline constexpr std::array device_ladder{
    Rung{"r00", "atomic_per_element", "", "every element is one atomic update of one address",
         "journal 0", block_axis, "atomics", atomic_updates},
    Rung{"r01", "block_serial", "r00",
         "stage a tile in shared memory; thread 0 adds it up; one atomic per block", "journal 1",
         block_axis, "atomics", atomic_updates},
    Rung{"r02", "interleaved_divergent", "",
         "tree in shared memory, distance doubling, `tid % (2*s)` picks the threads",
         "harris 1, bu 1, blog 0", block_axis, "trees"},
    Rung{"r03", "interleaved_strided", "r02",
         "contiguous threads, strided indices: no divergence, bank conflicts instead",
         "harris 2, bu 2, blog 1", block_axis, "trees"},
    Rung{"r04", "sequential_addressing", "r03",
         "distance halving: no conflicts, whole warps retire", "harris 3, bu 3, blog 2", block_axis,
         "trees"},
    Rung{"r05", "sync_at_loop_start", "r04", "the barrier moves to the head of the loop: one fewer",
         "blog 3", block_axis, "trees"},
    Rung{"r06", "first_add_on_load", "r04",
         "each thread adds two elements as it loads: half the blocks, no idle half",
         "harris 4, bu 4", block_axis, "several loads per thread"},
    Rung{"r07", "coarsened", "r06", "C elements per thread, coalesced", "bu 5-9, blog 4",
         block_axis | items_axis, "several loads per thread"},
    Rung{"r08", "coarsened_uncoalesced", "r07",
         "the same, each thread on contiguous elements: kept as a finding", "blog 4",
         block_axis | items_axis, "several loads per thread"},
    Rung{"r09", "unroll_last_warp", "r06", "no block barrier once one warp is left",
         "harris 5, blog 5v1", block_axis, "unrolled"},
    Rung{"r10", "complete_unroll", "r09",
         "the block size is a template argument: no tree loop left", "harris 6, blog 5v2",
         block_axis, "unrolled"},
    Rung{"r11", "grid_stride", "r10", "a fixed grid walks the array (algorithm cascading, Brent)",
         "harris 7", block_axis | grid_axis, "grid stride"},
    Rung{"r12", "warp_shuffle", "r11", "the tree moves from shared memory to registers",
         "csc 8, blog 6, journal 4", block_axis | grid_axis, "grid stride"},
    Rung{"r13", "warp_atomic", "r12", "one atomic per warp, no shared memory", "csc 9",
         block_axis | grid_axis, "grid stride", atomic_updates},
    Rung{"r14", "block_atomic", "r12", "one atomic per block", "csc 10, journal 3",
         block_axis | grid_axis, "grid stride", atomic_updates},
    Rung{"r15", "two_kernels", "r12", "grid-stride partials, then one block adds the partials",
         "journal 5-6", block_axis | grid_axis, "grid stride"},
    Rung{"r16", "vectorized", "r15", "16-byte loads, head and tail handled", "blog 7, journal 7",
         block_axis | grid_axis, "vector loads"},
    Rung{"r17", "multiple_accumulators", "r16", "independent chains per thread: kept as a finding",
         "journal's failed step", block_axis | grid_axis, "vector loads"},
    Rung{"r18", "tree_block_atomic", "r04",
         "the shared-memory tree of r04, its block results through one atomic each", "journal 2",
         block_axis, "atomics", atomic_updates},
    Rung{"r20", "last_block", "r16",
         "one launch: the last block to finish adds the partials, in a fixed order",
         "past the published", block_axis | grid_axis, "one launch"},
    Rung{"r21", "cooperative_grid", "r16",
         "one launch: a barrier across the whole grid, behind which block 0 adds the partials",
         "bu, where to go", block_axis | grid_axis, "one launch"},
    Rung{"r22", "warp_reduce_instruction", "r20",
         "one instruction reduces a warp of 32-bit integers in place of five shuffles",
         "bu, where to go", block_axis | grid_axis, "past r20"},
    Rung{"r23", "cluster", "r20",
         "blocks in clusters: their partials meet in one block's shared memory, one leaves each "
         "cluster",
         "past the published", block_axis | grid_axis, "past r20"},
    Rung{"r24", "async_copy", "r20",
         "the input comes through shared memory, by copies that no register waits for",
         "bu, where to go", block_axis | grid_axis, "copies"},
    Rung{"r25", "bulk_copy", "r24",
         "one thread has the copy engine fetch kilobytes at a time into a ring of stages",
         "past the published", block_axis | grid_axis, "copies"},
    Rung{"r26", "tensor_core", "r20", "the matrix units add, by a product with a matrix of ones",
         "bu, where to go", block_axis | grid_axis, "past r20"},
    Rung{"r27", "compensated", "r20",
         "what each addition rounds off is added up beside the sum (Neumaier), to the last block",
         "past the published", block_axis | grid_axis, "compensated", compensated},
    Rung{"r28", "fixed_tree", "r20",
         "a tree whose shape depends on n alone: the same bits by any block, grid and backend",
         "past the published", block_axis | grid_axis, "reproducible", fixed_order},
    Rung{"r29", "order_free", "r28",
         "sums in bins that round nothing: the same bits for any order of the elements",
         "past the published", block_axis | grid_axis, "reproducible", order_free},
    Rung{"r30", "tuned", "r20",
         "the best in kernel scope for each size, type and operation; calls no library",
         "past the published", no_axis, "one launch"},
    Rung{"r31", "one_trip", "r20",
         "a block's partial and the number of the call are one word, which one block waits for",
         "past the published", block_axis | grid_axis, "one launch"},
    Rung{"r32", "dependent_launch", "r16",
         "the second kernel starts while the first ends, and waits for its partials",
         "past the published", block_axis | grid_axis, "vector loads"},
};

/// The ladder of a CPU, which has other bottlenecks.
inline constexpr std::array cpu_ladder{
    Rung{"c00", "serial", "", "one loop on one thread",
         "counterpart of r02: the plainest right answer", no_axis, "serial", one_chain},
    Rung{"c01", "atomic_per_element", "c00", "every element is one atomic update of one address",
         "counterpart of r00", workers_axis, "a shared result", atomic_updates | one_chain},
    Rung{"c02", "critical_per_thread", "c00", "one critical section per thread",
         "counterpart of r14", workers_axis, "a shared result"},
    Rung{"c03", "false_sharing", "c02", "partials packed in one cache line",
         "counterpart of r03, bank conflicts", workers_axis, "a shared result"},
    Rung{"c04", "padded_partials", "c03", "each partial in a cache line of its own",
         "counterpart of r04", workers_axis, "one result per thread"},
    Rung{"c05", "reduction_clause", "c04", "OpenMP's `reduction`: the partial lives in a register",
         "counterpart of r12", workers_axis, "one result per thread"},
    Rung{"c06", "simd_reduction", "c05", "`simd` beside `reduction`: vector loads and lanes",
         "counterpart of r16", workers_axis, "vectors"},
    Rung{"c07", "multiple_accumulators", "c06", "independent chains per thread",
         "counterpart of r17", workers_axis, "several accumulators"},
    Rung{"c08", "explicit_vectors", "c07",
         "vectors that the source names, as wide as the processor has them", "counterpart of r16",
         workers_axis, "explicit vectors"},
    Rung{"c09", "prefetch_and_pages", "c08",
         "software prefetch at a measured distance (large pages: for all rungs alike)",
         "past the published", workers_axis, "explicit vectors"},
    Rung{"c10", "compensated", "c09",
         "what each addition rounds off is added up beside the sum (Neumaier)",
         "past the published", workers_axis, "compensated", compensated},
    Rung{"c11", "fixed_tree", "c08",
         "a tree whose shape depends on n alone: the same bits by any threads, vectors and runs",
         "past the published", workers_axis, "reproducible", fixed_order},
    Rung{"c12", "order_free", "c11",
         "the exact sum, rounded once: the same bits for any order of the elements",
         "past the published", workers_axis, "reproducible", order_free},
    Rung{"c13", "tuned", "c09",
         "threads, chains and prefetch by size; threads that wait in a loop; calls no library",
         "counterpart of r30", workers_axis, "tuned"},
};

/// The ladder of several devices: ways to combine their results.
inline constexpr std::array several_ladder{
    Rung{"m00", "host_adds", "",
         "every device reduces its share by its own tuned rung; the host adds the results",
         "past the published", shares_axis, "several devices"},
    Rung{"m01", "collective", "m00",
         "a collective of the vendor's library (NCCL, RCCL) combines the results on the devices",
         "past the published", shares_axis, "several devices", nan_unspecified},
    Rung{"m02", "peer_writes", "m00",
         "one launch a device: each leaves its partial in the first one's memory, whose last block "
         "adds them",
         "past the published", shares_axis, "several devices"},
    Rung{"m03", "all_reduce", "m00",
         "one process a device: the results meet on the hosts, in MPI_Allreduce",
         "past the published", shares_axis, "several processes"},
    Rung{"m04", "tuned", "m02", "the best of these for each size and number of devices",
         "past the published", shares_axis, "several devices"},
};

/// The ladder of many reductions at once, in all models: one result per row or column of a matrix,
/// or per segment of an array.
inline constexpr std::array batch_ladder{
    Rung{"b00", "thread_per_row", "",
         "a thread takes a row: neighbours read addresses that are a row apart",
         "past the published", no_axis, "rows", no_trait, bit(Grouping::rows)},
    Rung{"b01", "block_per_row", "b00",
         "a block takes a row: coalesced, and most threads idle where rows are short",
         "past the published", no_axis, "rows", no_trait, bit(Grouping::rows)},
    Rung{"b02", "warp_per_row", "b01",
         "a warp takes a row: no barrier, and eight times as many rows at once",
         "past the published", no_axis, "rows", no_trait, bit(Grouping::rows)},
    Rung{"b03", "lanes_per_row", "b02",
         "16-byte loads by as many lanes as a row needs, 1 to 32, several rows at once",
         "past the published", no_axis, "rows", no_trait, bit(Grouping::rows)},
    Rung{"b04", "staged_rows", "b03",
         "a tile of short rows comes into shared memory as one array, whatever a row's length",
         "past the published", no_axis, "rows", no_trait, bit(Grouping::rows)},
    Rung{"b05", "blocks_per_row", "b01",
         "several blocks take a long row; their partials are joined at the end",
         "past the published", no_axis, "rows", no_trait, bit(Grouping::rows)},
    Rung{"b06", "thread_per_column", "", "a thread walks down a column: coalesced from the start",
         "past the published", no_axis, "columns", no_trait, bit(Grouping::columns)},
    Rung{"b07", "column_tiles", "b06",
         "blocks take tiles of columns and chunks of rows; a second pass joins them",
         "past the published", no_axis, "columns", no_trait, bit(Grouping::columns)},
    Rung{"b08", "warp_per_segment", "b02",
         "a warp takes a segment, whatever its length: the longest is waited for",
         "past the published", no_axis, "segments", no_trait, bit(Grouping::segments)},
    Rung{"b10", "tuned_batch", "b03",
         "the best of these by the shape; segments by merge path; calls no library",
         "past the published", no_axis, "tuned", no_trait,
         bit(Grouping::rows) | bit(Grouping::columns) | bit(Grouping::segments)},
};

/// Device requirement of a rung besides memory; `lacking` checks it when the device is known.
struct Need {
  unsigned capability = 0;     ///< NVIDIA's compute capability, major * 10 + minor; 0: any
  std::string_view what = {};  ///< the required feature: "clusters"
};

}  // namespace ladder
