#include <array>

#include "cuda/table.hpp"

namespace ladder::cuda {
namespace {

// Blocks of 256 threads. A fixed grid has what fits a multiprocessor at once, 2048 threads, or as
// many as are resident where the device or a kernel's registers allow fewer.
constexpr Tuning covering{.block = 256};
constexpr Tuning fixed{.block = 256, .grid = 8};
// Half as many partials for the one block that adds them.
constexpr Tuning fixed_large{.block = 512, .grid = 4};

constexpr std::array rungs{
    Entry{"r00", r00::find, covering},    Entry{"r01", "not built yet"},
    Entry{"r02", r02::find, covering},    Entry{"r03", "not built yet"},
    Entry{"r04", r04::find, covering},    Entry{"r05", "not built yet"},
    Entry{"r06", r06::find, covering},    Entry{"r07", "not built yet"},
    Entry{"r08", "not built yet"},        Entry{"r09", "not built yet"},
    Entry{"r10", "not built yet"},        Entry{"r11", r11::find, fixed},
    Entry{"r12", r12::find, fixed},       Entry{"r13", "not built yet"},
    Entry{"r14", "not built yet"},        Entry{"r15", r15::find, fixed},
    Entry{"r16", r16::find, fixed_large}, Entry{"r17", "not built yet"},
    Entry{"r18", "not built yet"},        Entry{"r20", "not built yet"},
};
static_assert(complete(rungs, device_ladder),
              "cuda: a rung is missing, out of order, or absent without a reason");

constexpr bool blocks = true;

constexpr std::array libraries{
    Extra{Rung{"library_cub", "", "",
               "cub::DeviceReduce, temporary memory allocated beforehand; min and max: NaN: "
               "unspecified, "
               "and they start from the largest finite value",
               "CCCL"},
          Entry{"library_cub", library_cub::find}},
    Extra{Rung{"library_thrust", "", "",
               "thrust::reduce, temporary memory allocated beforehand, result on the host; min and "
               "max: "
               "NaN: unspecified",
               "CCCL"},
          Entry{"library_thrust", library_thrust::find, Tuning{}, blocks}},
};

}  // namespace

std::span<const Entry> table() { return rungs; }
std::span<const Extra> library() { return libraries; }

}  // namespace ladder::cuda
