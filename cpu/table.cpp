#include "cpu/table.hpp"

#include <array>

namespace ladder::cpu {

// clang-format off
// Each in rungs/<id>_<slug>.cpp
namespace c00 { Run<Queue> find(Type, Operation); }
namespace c01 { Run<Queue> find(Type, Operation); }
namespace c02 { Run<Queue> find(Type, Operation); }
namespace c03 { Run<Queue> find(Type, Operation); }
namespace c04 { Run<Queue> find(Type, Operation); }
namespace c05 { Run<Queue> find(Type, Operation); }
namespace c06 { Run<Queue> find(Type, Operation); }
namespace c07 { Run<Queue> find(Type, Operation); }
// clang-format on

namespace {

constexpr bool blocks = true;

// clang-format off
constexpr std::array table{
    Entry{"c00", c00::find, {}, blocks},
    Entry{"c01", c01::find, {}, blocks},
    Entry{"c02", c02::find, {}, blocks},
    Entry{"c03", c03::find, {}, blocks},
    Entry{"c04", c04::find, {}, blocks},
    Entry{"c05", c05::find, {}, blocks},
    Entry{"c06", c06::find, {}, blocks},
    Entry{"c07", c07::find, {}, blocks},
};
// clang-format on
static_assert(complete(table, cpu_ladder),
              "cpu: a rung is missing, out of order, or absent without a reason");

}  // namespace

std::span<const Entry> entries() { return table; }

Pass pass_of(const Rung& rung, const Problem& problem, unsigned workers) {
  const std::size_t n = problem.n, bytes = facts(problem.type).bytes;
  const bool own = rung.id.starts_with("c");
  // One chain: of one thread, or of all threads' updates of one result.
  if (!own || rung.id == "c00" || rung.id == "c01") return {n * bytes, bytes, n};
  // The partials, written and read once; c02 hands over as many values, by way of a register.
  const std::size_t partials = workers * bytes;
  return {n * bytes + partials, partials + bytes, ceil_div(n, workers) + workers};
}

}  // namespace ladder::cpu
