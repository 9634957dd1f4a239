#pragma once

// Multi-device rungs that use a GPU model's API.

#include <memory>
#include <span>
#include <vector>

#include "common/gpu/model.hpp"
#include "several/local/devices.hpp"

namespace ladder::several::LADDER_MODEL {

namespace m01 {
bool carries(Type, Operation);
std::unique_ptr<Job> combine(std::vector<Part> parts, const Problem& problem);
}  // namespace m01

namespace m02 {
bool carries(Type, Operation);
std::unique_ptr<Job> prepare(std::span<const Side> sides, const Problem& problem, Result where);
}  // namespace m02

}  // namespace ladder::several::LADDER_MODEL
