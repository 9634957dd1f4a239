#include <array>

#include "kokkos/kokkos_backend.hpp"

namespace ladder::kokkos {

// clang-format off
// Defined in rungs/<id>_<slug>.cpp or library/.
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
namespace library_range { Run<Queue> find(Type, Operation); }
namespace library_range_view { Run<Queue> find(Type, Operation); }
namespace library_range_signed { Run<Queue> find(Type, Operation); }
namespace library_range_wide { Run<Queue> find(Type, Operation); }
namespace library_team_view { Run<Queue> find(Type, Operation); }
namespace library_reduce { Run<Queue> find(Type, Operation); }
namespace library_team_rows { Run<Queue> find(Type, Operation); }
namespace library_nested_rows { Run<Queue> find(Type, Operation); }
namespace library_array_columns { Run<Queue> find(Type, Operation); }
// clang-format on

namespace {

// Defaults of the native rungs, so that ratios compare the same work. One table serves every space.
constexpr Tuning covering{.block = 256};
constexpr Tuning coarse{.block = 256, .items = 32};
constexpr Tuning fixed{.block = 256, .grid = 8};
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
    Entry{"r21", "Kokkos has no barrier across a league within a kernel"},
    Entry{"r22", "Kokkos has no word for an instruction that reduces a warp"},
    Entry{"r23", "Kokkos has no clusters of teams"},
    Entry{"r24", "Kokkos has no asynchronous copy into team scratch"},
    Entry{"r25", "Kokkos has no word for a copy engine within a kernel"},
    Entry{"r26", "Kokkos has no word for matrix units"},
    Entry{"r27", r27::find, fixed_large},
    Entry{"r28", r28::find, fixed},
    Entry{"r29", r29::find, fixed_large},
    Entry{"r30", r30::find, Tuning{}},
    Entry{"r31", r31::find, fixed_large},
    Entry{"r32", "Kokkos has no launch that starts while the kernel before it ends"},
};
// clang-format on
static_assert(complete(rungs, device_ladder),
              "kokkos: a rung is missing, out of order, or absent without a reason");

constexpr std::array batch{
    Entry{"b00", b00::find}, Entry{"b01", b01::find}, Entry{"b02", b02::find},
    Entry{"b03", b03::find}, Entry{"b04", b04::find}, Entry{"b05", b05::find},
    Entry{"b06", b06::find}, Entry{"b07", b07::find}, Entry{"b08", b08::find},
    Entry{"b10", b10::find},
};
static_assert(complete(batch, batch_ladder),
              "kokkos: a batched rung is missing, out of order, or absent without a reason");

constexpr bool blocks = true;

// Kokkos's reducers compare with `<`: results with NaN or signed zeros depend on the order.
constexpr std::array libraries{
    Extra{Rung{"library_range", "", "",
               "parallel_reduce over RangePolicy into a scalar: fences before it returns", "Kokkos",
               no_axis, "", nan_unspecified},
          Entry{"library_range", library_range::find, Tuning{}, blocks}},
    Extra{Rung{"library_range_view", "", "",
               "parallel_reduce over RangePolicy into a View of the space", "Kokkos", no_axis, "",
               nan_unspecified},
          Entry{"library_range_view", library_range_view::find}},
    Extra{Rung{"library_range_signed", "", "",
               "library_range_view with a signed index of 32 bits (IndexType<int>), which Kokkos "
               "5.2 takes by default on a GPU",
               "Kokkos", no_axis, "", nan_unspecified},
          Entry{"library_range_signed", library_range_signed::find}},
    Extra{Rung{"library_range_wide", "", "",
               "library_range_view with an index of 64 bits (IndexType<int64_t>)", "Kokkos",
               no_axis, "", nan_unspecified},
          Entry{"library_range_wide", library_range_wide::find}},
    Extra{Rung{"library_team_view", "", "",
               "parallel_reduce over TeamPolicy, in it one over TeamVectorRange, into a View of "
               "the space",
               "Kokkos", no_axis, "", nan_unspecified},
          Entry{"library_team_view", library_team_view::find}},
    Extra{Rung{"library_reduce", "", "",
               "Kokkos::Experimental::reduce, of sums alone: fences before it returns", "Kokkos"},
          Entry{"library_reduce", library_reduce::find, Tuning{}, blocks}},
    Extra{
        Rung{"library_team_rows", "", "",
             "a team for each row or segment, in it parallel_reduce over TeamVectorRange", "Kokkos",
             no_axis, "", nan_unspecified, bit(Grouping::rows) | bit(Grouping::segments)},
        Entry{"library_team_rows", library_team_rows::find}},
    Extra{
        Rung{"library_nested_rows", "", "",
             "a thread of a team for each row or segment (TeamThreadRange), in it "
             "parallel_reduce over ThreadVectorRange",
             "Kokkos", no_axis, "", nan_unspecified, bit(Grouping::rows) | bit(Grouping::segments)},
        Entry{"library_nested_rows", library_nested_rows::find}},
    Extra{Rung{"library_array_columns", "", "",
               "parallel_reduce over the rows, its value an array with a member for each column; "
               "on a GPU 16 columns at a time",
               "Kokkos", no_axis, "", nan_unspecified, bit(Grouping::columns)},
          Entry{"library_array_columns", library_array_columns::find}},
};

}  // namespace

std::span<const Entry> table() { return rungs; }
std::span<const Entry> batch_table() { return batch; }
std::span<const Extra> library() { return libraries; }

}  // namespace ladder::kokkos
