#pragma once

#include <cstddef>
#include <cstdint>
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

/// Bytes of this process that lie in large pages now; 0 where the kernel does not tell.
std::size_t in_large_pages(const std::filesystem::path& root = "/");

/// What pages are asked for: large ones come only where the system gives them, and for 2 MiB or
/// more.
enum class PageSize : std::uint8_t { small, large };
/// Small ones where the environment says LADDER_PAGES=small. Throws `NotPossible` where it says
/// anything else but "large" or nothing.
PageSize pages_asked_for();

/// Fresh pages, not yet touched: they come to lie at the worker that writes to them first. Throws
/// NotPossible where there is not enough.
std::unique_ptr<Buffer> map_memory(std::size_t bytes, PageSize pages = PageSize::large);

}  // namespace ladder::host
