#pragma once

// The rungs past one device that are written in CUDA.

#include <memory>
#include <span>

#include "several/local/devices.hpp"

namespace ladder::several::cuda {

namespace m01 {
bool carries(Type, Operation);
std::unique_ptr<Job> prepare(std::span<const Side> sides, const Problem& problem);
}  // namespace m01

namespace m02 {
bool carries(Type, Operation);
std::unique_ptr<Job> prepare(std::span<const Side> sides, const Problem& problem);
std::unique_ptr<Job> prepare_told(std::span<const Side> sides, const Problem& problem);
}  // namespace m02

}  // namespace ladder::several::cuda
