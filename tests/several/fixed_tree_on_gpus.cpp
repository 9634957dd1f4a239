// LADDER_MODEL: cuda or hip.

#include "tests/several/fixed_tree.hpp"

namespace ladder {
namespace LADDER_MODEL {
std::vector<std::unique_ptr<Backend>> backends();
}

tests::OnEachDevice tests::on_each_device() { return on_all_seen(LADDER_MODEL::backends); }

}  // namespace ladder
