#include <array>
#include <vector>

#include "common/gpu/rungs.hpp"

namespace ladder::hip {

// clang-format off
// Defined in rungs/<id>_<slug>.hip or library/<name>.hip.
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
namespace r27 { Run<Queue> find(Type, Operation); }
namespace r28 { Run<Queue> find(Type, Operation); }
namespace r29 { Run<Queue> find(Type, Operation); }
namespace r30 { Run<Queue> find(Type, Operation); }
namespace r31 { Run<Queue> find(Type, Operation); }
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
namespace library_rocprim { Run<Queue> find(Type, Operation); }
namespace library_rocprim_segmented { Run<Queue> find(Type, Operation); }
namespace library_hipcub { Run<Queue> find(Type, Operation); }
namespace library_hipcub_segmented { Run<Queue> find(Type, Operation); }
// clang-format on

namespace {

// Blocks of 256 threads. Fixed grids fill an SM with 2048 threads, or with fewer where the device
// or registers limit residency.
constexpr Tuning covering{.block = 256};
constexpr Tuning coarse{.block = 256, .items = 32};
constexpr Tuning fixed{.block = 256, .grid = 8};
// Half the partials for the block that combines them.
constexpr Tuning fixed_large{.block = 512, .grid = 4};

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
    Entry{"r22", "HIP has no instruction that reduces a warp or wavefront"},
    Entry{"r23", "HIP has no clusters of blocks"},
    Entry{"r24", "HIP has no copy from global to shared memory that runs beside the thread"},
    Entry{"r25", "HIP has no word for a copy engine within a kernel"},
    Entry{"r26", "matrix units are reached by each AMD architecture's own instructions, and some have none"},
    Entry{"r27", r27::find, fixed_large},
    Entry{"r28", r28::find, fixed},
    Entry{"r29", r29::find, fixed_large},
    Entry{"r30", r30::find, Tuning{}},
    Entry{"r31", r31::find, fixed_large},
    Entry{"r32", "HIP has no launch that starts while the kernel before it ends"},
};
// clang-format on
static_assert(complete(rungs, device_ladder),
              "hip: a rung is missing, out of order, or absent without a reason");

constexpr std::array batch{
    Entry{"b00", b00::find}, Entry{"b01", b01::find}, Entry{"b02", b02::find},
    Entry{"b03", b03::find}, Entry{"b04", b04::find}, Entry{"b05", b05::find},
    Entry{"b06", b06::find}, Entry{"b07", b07::find}, Entry{"b08", b08::find},
    Entry{"b10", b10::find},
};
static_assert(complete(batch, batch_ladder),
              "hip: a batched rung is missing, out of order, or absent without a reason");

constexpr bool blocks = true;
[[maybe_unused]] constexpr unsigned rows_and_segments =
    bit(Grouping::rows) | bit(Grouping::segments);

/// Libraries found at build time.
const std::vector<Extra> libraries {
#if LADDER_HIP_ROCPRIM
  Extra{Rung{"library_rocprim", "", "", "rocprim::reduce, temporary memory allocated beforehand",
             "rocPRIM", no_axis, "", nan_unspecified},
        Entry{"library_rocprim", library_rocprim::find}},
      Extra{Rung{"library_rocprim_segmented", "", "",
                 "rocprim::segmented_reduce, temporary memory allocated beforehand", "rocPRIM",
                 no_axis, "", nan_unspecified, rows_and_segments},
            Entry{"library_rocprim_segmented", library_rocprim_segmented::find}},
#endif
#if LADDER_HIP_HIPCUB
      Extra{Rung{"library_hipcub", "", "",
                 "hipcub::DeviceReduce, temporary memory allocated beforehand", "hipCUB", no_axis,
                 "", nan_unspecified},
            Entry{"library_hipcub", library_hipcub::find}},
      Extra{Rung{"library_hipcub_segmented", "", "",
                 "hipcub::DeviceSegmentedReduce, temporary memory allocated beforehand", "hipCUB",
                 no_axis, "", nan_unspecified, rows_and_segments},
            Entry{"library_hipcub_segmented", library_hipcub_segmented::find}},
#endif
      Extra{Rung{"r30_polled", "", "r30",
                 "r30, the result written into the host's memory and polled", "past the published"},
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

}  // namespace ladder::hip
