#pragma once

// The HIP backend's rungs: one cell for each rung of the ladder, and the entries past it.

#include <span>

#include "common/ladder.hpp"
#include "common/roster.hpp"
#include "hip/queue.hpp"

namespace ladder::hip {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// In the order of `device_ladder`.
std::span<const Entry> table();

/// rocPRIM and hipCUB, as far as they were found.
std::span<const Extra> library();

// Each is defined in the file of its rung, under rungs/ or library/.
// clang-format off
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
namespace r30 { Run<Queue> find(Type, Operation); }
namespace library_rocprim { Run<Queue> find(Type, Operation); }
namespace library_hipcub { Run<Queue> find(Type, Operation); }
// clang-format on

}  // namespace ladder::hip
