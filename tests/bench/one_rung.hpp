#pragma once

// A plan of one rung at one size, in kernel scope, on a fake backend: r02 at 2^10 elements by
// default.

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "bench/plan/plan.hpp"
#include "fake_backend.hpp"

namespace ladder::bench {

class OneRung : public testing::Test {
 protected:
  OneRung() {
    backends_.push_back(fake::make_backend());
    selection_.rungs = {"r02"};
    selection_.sizes = read_sizes("2^10");
    selection_.scopes = {Scope::kernel};
  }
  Plan plan() { return make_plan(selection_, backends_); }

  std::vector<std::unique_ptr<Backend>> backends_;
  Selection selection_;
};

}  // namespace ladder::bench
