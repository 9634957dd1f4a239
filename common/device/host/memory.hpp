#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "common/device/device.hpp"

namespace ladder::host {

/// Bytes that can be had without swapping or meeting the limit of a control group (either version):
/// the least of what is available on the machine and left in this process's group and those above
/// it. Page cache that can be dropped counts as free. `root` is where /proc and /sys are, for
/// tests.
std::size_t free_memory(const std::filesystem::path& root = "/");

/// Bytes of main memory, by /proc/meminfo; 0 where that cannot be read.
std::size_t total_memory(const std::filesystem::path& root = "/");

/// Fresh pages, not yet touched: they come to lie at the worker that writes to them first. Throws
/// NotPossible where there is not enough.
std::unique_ptr<Buffer> map_memory(std::size_t bytes);

}  // namespace ladder::host
