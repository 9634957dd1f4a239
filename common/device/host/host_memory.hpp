#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/device/device.hpp"

namespace ladder::host {

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
