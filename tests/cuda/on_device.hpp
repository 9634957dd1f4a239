#pragma once

// Tests that need a GPU are skipped in the backend's own words where there is none.

#include <gtest/gtest.h>

#include "common/nvidia/device.hpp"

namespace ladder::cuda {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = nvidia::why_unusable(0)) GTEST_SKIP() << *why;
  }
};

}  // namespace ladder::cuda
