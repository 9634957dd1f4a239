#include "tests/several/fixed_tree.hpp"

namespace ladder {
namespace hip {
std::vector<std::unique_ptr<Backend>> backends();
}

tests::OnEachDevice tests::on_each_device() { return on_all_seen(hip::backends); }

}  // namespace ladder
