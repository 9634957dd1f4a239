#pragma once

#include <memory>
#include <string_view>

#include "tests/guarded_input.hpp"
#include "tests/model/on_device.hpp"

namespace ladder::cuda {

/// On a rung of the opened backend; skipped in the rung's words where the GPU lacks what it needs.
class OnRung : public OnQueue {
 protected:
  explicit OnRung(std::string_view id) : rung_(tests::rung_of(*backend_, id)) {}
  void SetUp() override {
    OnQueue::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(backend_->open(0), std::nullopt);
    const auto& need = backend_->rungs()[rung_].need;
    if (const auto lack = lacking(need, device->facts()); !lack.empty()) GTEST_SKIP() << lack;
  }

  std::unique_ptr<Backend> backend_ = make_backend({});
  std::size_t rung_;
};

}  // namespace ladder::cuda
