#include <array>

#include "common/gpu/rungs.hpp"

namespace ladder::cuda {

// clang-format off
// Defined in rungs/<id>_<slug>.cu or library/<name>.cu.
namespace r00 { Run<Queue> find(Type, Operation); }
namespace r01 { Run<Queue> find(Type, Operation); }
namespace r02 { Run<Queue> find(Type, Operation); }
namespace r03 { Run<Queue> find(Type, Operation); }
namespace r04 { Run<Queue> find(Type, Operation); }
namespace r05 { Run<Queue> find(Type, Operation); }
namespace r06 { Run<Queue> find(Type, Operation); }
namespace r07 { Run<Queue> find(Type, Operation); }
namespace r08 { Run<Queue> find(Type, Operation); }
namespace r09 { Run<Queue> find(Type, Operation); }
namespace r10 { Run<Queue> find(Type, Operation); }
namespace r11 { Run<Queue> find(Type, Operation); }
namespace r12 { Run<Queue> find(Type, Operation); }
namespace r13 { Run<Queue> find(Type, Operation); }
namespace r14 { Run<Queue> find(Type, Operation); }
namespace r15 { Run<Queue> find(Type, Operation); }
namespace r16 { Run<Queue> find(Type, Operation); }
namespace r17 { Run<Queue> find(Type, Operation); }
namespace r18 { Run<Queue> find(Type, Operation); }
namespace r20 { Run<Queue> find(Type, Operation); }
namespace r21 { Run<Queue> find(Type, Operation); }
namespace r22 { Run<Queue> find(Type, Operation); }
namespace r23 { Run<Queue> find(Type, Operation); }
namespace r24 { Run<Queue> find(Type, Operation); }
namespace r25 { Run<Queue> find(Type, Operation); }
namespace r26 { Run<Queue> find(Type, Operation); }
namespace r27 { Run<Queue> find(Type, Operation); }
namespace r28 { Run<Queue> find(Type, Operation); }
namespace r29 { Run<Queue> find(Type, Operation); }
namespace r30 { Run<Queue> find(Type, Operation); }
namespace r31 { Run<Queue> find(Type, Operation); }
namespace r32 { Run<Queue> find(Type, Operation); }
namespace b00 { Run<Queue> find(Type, Operation); }
namespace b01 { Run<Queue> find(Type, Operation); }
namespace b02 { Run<Queue> find(Type, Operation); }
namespace b03 { Run<Queue> find(Type, Operation); }
namespace b04 { Run<Queue> find(Type, Operation); }
namespace b05 { Run<Queue> find(Type, Operation); }
namespace b06 { Run<Queue> find(Type, Operation); }
namespace b07 { Run<Queue> find(Type, Operation); }
namespace b08 { Run<Queue> find(Type, Operation); }
namespace b10 { Run<Queue> find(Type, Operation); }
namespace r30_polled { Run<Queue> find(Type, Operation); }
namespace r30_mapped { Run<Queue> find(Type, Operation); }
namespace r30_graph { Run<Queue> find(Type, Operation); }
namespace library_cub { Run<Queue> find(Type, Operation); }
namespace library_cub_newest { Run<Queue> find(Type, Operation); }
namespace library_cub_segmented { Run<Queue> find(Type, Operation); }
namespace library_cub_segmented_newest { Run<Queue> find(Type, Operation); }
namespace library_cub_reproducible { Run<Queue> find(Type, Operation); }
namespace library_cub_not_guaranteed { Run<Queue> find(Type, Operation); }
namespace library_thrust { Run<Queue> find(Type, Operation); }
// clang-format on

namespace {

// Blocks of 256 threads. Fixed grids fill an SM with 2048 threads, or with fewer where the device,
// registers or shared memory limit residency.
constexpr Tuning covering{.block = 256};
constexpr Tuning coarse{.block = 256, .items = 32};
constexpr Tuning fixed{.block = 256, .grid = 8};
// Half the partials for the block that combines them.
constexpr Tuning fixed_large{.block = 512, .grid = 4};
// Sixteen warps with four copies in flight each: an SM slows down beyond 64.
constexpr Tuning copying{.block = 256, .grid = 2};

constexpr Need warp_reductions{80, "an instruction that reduces a warp"};
constexpr Need clusters{90, "clusters"};
constexpr Need async_copies{80, "copies into shared memory (cp.async)"};
constexpr Need bulk_copies{90, "bulk copies (TMA)"};
constexpr Need dependent_launches{90, "launches that overlap"};
constexpr Need matrix_units{80, "matrix units that take int8, bfloat16 and double"};

// clang-format off
constexpr std::array rungs{
    Entry{"r00", r00::find, covering},
    Entry{"r01", r01::find, covering},
    Entry{"r02", r02::find, covering},
    Entry{"r03", r03::find, covering},
    Entry{"r04", r04::find, covering},
    Entry{"r05", r05::find, covering},
    Entry{"r06", r06::find, covering},
    Entry{"r07", r07::find, coarse},
    Entry{"r08", r08::find, coarse},
    Entry{"r09", r09::find, covering},
    Entry{"r10", r10::find, covering},
    Entry{"r11", r11::find, fixed},
    Entry{"r12", r12::find, fixed},
    Entry{"r13", r13::find, fixed},
    Entry{"r14", r14::find, fixed},
    Entry{"r15", r15::find, fixed},
    Entry{"r16", r16::find, fixed_large},
    Entry{"r17", r17::find, fixed_large},
    Entry{"r18", r18::find, covering},
    Entry{"r20", r20::find, fixed_large},
    Entry{"r21", r21::find, fixed_large},
    Entry{"r22", r22::find, fixed_large, warp_reductions},
    Entry{"r23", r23::find, fixed_large, clusters},
    Entry{"r24", r24::find, fixed_large, async_copies},
    Entry{"r25", r25::find, copying, bulk_copies},
    Entry{"r26", r26::find, fixed_large, matrix_units},
    Entry{"r27", r27::find, fixed_large},
    Entry{"r28", r28::find, fixed},
    Entry{"r29", r29::find, fixed_large},
    Entry{"r30", r30::find, Tuning{}},
    Entry{"r31", r31::find, fixed_large},
    Entry{"r32", r32::find, fixed_large, dependent_launches},
};
// clang-format on
static_assert(complete(rungs, device_ladder),
              "cuda: a rung is missing, out of order, or absent without a reason");

constexpr std::array batch{
    Entry{"b00", b00::find}, Entry{"b01", b01::find}, Entry{"b02", b02::find},
    Entry{"b03", b03::find}, Entry{"b04", b04::find}, Entry{"b05", b05::find},
    Entry{"b06", b06::find}, Entry{"b07", b07::find}, Entry{"b08", b08::find},
    Entry{"b10", b10::find},
};
static_assert(complete(batch, batch_ladder),
              "cuda: a batched rung is missing, out of order, or absent without a reason");

constexpr bool blocks = true;
constexpr unsigned rows_and_segments = bit(Grouping::rows) | bit(Grouping::segments);

#if LADDER_CUB_MODES
constexpr Entry newest{"library_cub_newest", library_cub_newest::find};
constexpr Entry segmented_newest{"library_cub_segmented_newest",
                                 library_cub_segmented_newest::find};
constexpr Entry reproducible{"library_cub_reproducible", library_cub_reproducible::find};
constexpr Entry not_guaranteed{"library_cub_not_guaranteed", library_cub_not_guaranteed::find};
#else
constexpr std::string_view no_modes =
    "needs CCCL 3.5, this build has " LADDER_CCCL_VERSION ": -DLADDER_CCCL names a newer one";
constexpr Entry newest{"library_cub_newest", no_modes};
constexpr Entry segmented_newest{"library_cub_segmented_newest", no_modes};
constexpr Entry reproducible{"library_cub_reproducible", no_modes};
constexpr Entry not_guaranteed{"library_cub_not_guaranteed", no_modes};
#endif

constexpr std::array libraries{
    Extra{Rung{"library_cub", "", "", "cub::DeviceReduce, temporary memory allocated beforehand",
               "CCCL", no_axis, "", nan_unspecified},
          Entry{"library_cub", library_cub::find}},
    Extra{Rung{"library_cub_newest", "", "",
               "library_cub of the CCCL that was named, " LADDER_CCCL_VERSION, "CCCL", no_axis, "",
               nan_unspecified},
          newest},
    Extra{Rung{"library_cub_segmented", "", "",
               "cub::DeviceSegmentedReduce, temporary memory allocated beforehand", "CCCL", no_axis,
               "", nan_unspecified, rows_and_segments},
          Entry{"library_cub_segmented", library_cub_segmented::find}},
    Extra{Rung{"library_cub_segmented_newest", "", "",
               "library_cub_segmented of the CCCL that was named, " LADDER_CCCL_VERSION
               ", rows by their size",
               "CCCL", no_axis, "", nan_unspecified, rows_and_segments},
          segmented_newest},
    Extra{Rung{"library_cub_reproducible", "", "",
               "cub::DeviceReduce, required to give the same bits on every GPU; of CCCL 3.5 a sum "
               "with "
               "infinities is NaN, and one of zeros is not always zero",
               "CCCL", no_axis, "", nan_unspecified},
          reproducible},
    Extra{Rung{"library_cub_not_guaranteed", "", "",
               "cub::DeviceReduce, allowed to give other bits in each run", "CCCL", no_axis, "",
               atomic_updates},
          not_guaranteed},
    Extra{Rung{"library_thrust", "", "",
               "thrust::reduce, temporary memory allocated beforehand, result on the host", "CCCL",
               no_axis, "", nan_unspecified},
          Entry{"library_thrust", library_thrust::find, Tuning{}, blocks}},
    Extra{Rung{"r30_polled", "", "r30", "r30, the result written into the host's memory and polled",
               "past the published"},
          Entry{"r30_polled", r30_polled::find, Tuning{}, blocks}, false},
    Extra{Rung{"r30_mapped", "", "r30_polled",
               "r30, the result written into the host's memory, which waits for the stream",
               "past the published"},
          Entry{"r30_mapped", r30_mapped::find, Tuning{}, blocks}, false},
    Extra{Rung{"r30_graph", "", "r30_polled", "r30_polled, its launch replayed as a graph",
               "past the published"},
          Entry{"r30_graph", r30_graph::find, Tuning{}, blocks}, false},
};

}  // namespace

std::span<const Entry> table() { return rungs; }
std::span<const Entry> batch_table() { return batch; }
std::span<const Extra> library() { return libraries; }

}  // namespace ladder::cuda
