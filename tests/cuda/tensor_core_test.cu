// r26: how often its sums round, from which the bound of its error follows.

#include <utility>

#include "tests/cuda/on_rung.hpp"

namespace ladder::cuda {
namespace {

class TensorCore : public OnRung {
 protected:
  TensorCore() : OnRung("r26") {}
};

TEST_F(TensorCore, rounds_more_often_than_its_lanes_have_elements) {
  // 4096 lanes with 256 elements each and 8 levels of a tree; then 16 partials, one a thread, in 8.
  const std::size_t once = 256 + 8, behind = 1 + 8;
  for (const auto& [type, roundings] :
       {std::pair{Type::f16, 5U}, std::pair{Type::bf16, 5U}, std::pair{Type::f64, 4U}}) {
    if (!backend_->carries(rung_, type, Operation::sum)) continue;
    const Problem problem{queue->result(), std::size_t{1} << 20, type, Operation::sum, nullptr};
    const auto job = backend_->prepare(rung_, problem, {.block = 256, .grid = 16});
    EXPECT_EQ(job->footprint().depth(), roundings * once + behind);  // nothing has been read
  }
}

}  // namespace
}  // namespace ladder::cuda
