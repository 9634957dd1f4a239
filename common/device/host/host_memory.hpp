#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/device/device.hpp"

namespace ladder::host {

/// Requested page size; large pages require system support and at least 2 MiB.
enum class PageSize : std::uint8_t { small, large };
/// `small` if LADDER_PAGES=small; `large` if it is "large", empty or unset. Throws `NotPossible`
/// for other values.
PageSize pages_asked_for();

/// Fresh, untouched pages: first touch places them near the writing worker. Throws NotPossible if
/// memory is insufficient.
std::unique_ptr<Buffer> map_memory(std::size_t bytes, PageSize pages = PageSize::large);

}  // namespace ladder::host
