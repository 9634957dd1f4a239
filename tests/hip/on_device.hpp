#pragma once

// Tests that need a GPU are skipped in the backend's own words where there is none.

#include <gtest/gtest.h>

#include "common/hip_runtime/device.hpp"

namespace ladder::hip {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = hip_runtime::why_unusable(0)) GTEST_SKIP() << *why;
  }
};

}  // namespace ladder::hip
