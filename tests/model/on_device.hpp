#pragma once

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/model/model.hpp"

namespace ladder::LADDER_MODEL {

/// Fixture for tests that need a GPU; skips with a reason if none is usable.
class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = vendor::why_unusable(0)) GTEST_SKIP() << *why;
    device = vendor::open(0);
  }

  /// Returns the value at `place` in device memory after all enqueued work.
  int read(const int* place) const {
    int value = -1;
    device->download(&value, place, sizeof value);
    return value;
  }

  std::shared_ptr<Device> device;
};

/// Fixture with a queue, of which the result's memory is zero.
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
