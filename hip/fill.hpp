#pragma once

// The input, made where it is read.

#include <cstddef>
#include <cstdint>

#include "common/data.hpp"
#include "hip/queue.hpp"

namespace ladder::hip {

/// Enqueues the writing of elements `first` to `first + count - 1` of the recipe's data (not
/// `Data::file`) to `destination`, in device memory, aligned for the type.
void fill(Queue& queue, void* destination, Type type, const Recipe& recipe, std::uint64_t first,
          std::size_t count);

}  // namespace ladder::hip
