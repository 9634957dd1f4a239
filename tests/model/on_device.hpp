#pragma once

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/model/model.hpp"

namespace ladder::LADDER_MODEL {

/// Tests that need a GPU are skipped in its own words where there is none.
class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = vendor::why_unusable(0)) GTEST_SKIP() << *why;
    device = vendor::open(0);
  }

  /// What stands at `place` in the device's memory once all is done.
  int read(const int* place) const {
    int value = -1;
    device->download(&value, place, sizeof value);
    return value;
  }

  std::shared_ptr<Device> device;
};

/// On a queue that a test may use, and its result's place as a zero.
class OnQueue : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    queue = std::make_unique<Queue>(device);
    place = reinterpret_cast<int*>(queue->result());
    device->enqueue_set(place, 0, 2 * sizeof *place);
  }

  std::unique_ptr<Queue> queue;
  int* place = nullptr;
};

}  // namespace ladder::LADDER_MODEL
