#pragma once

// The input, made where it is read.

#include <cstddef>
#include <cstdint>

#include "common/data.hpp"
#include "kokkos/queue.hpp"

namespace ladder::kokkos {

/// Enqueues the writing of elements `first` to `first + count - 1` of the recipe's data (not
/// `Data::file`) to `destination`, in the space's memory, aligned for the type.
void fill(Queue& queue, void* destination, Type type, const Recipe& recipe, std::uint64_t first,
          std::size_t count);

/// The same on a host, by the calling thread, finished on return.
void fill_here(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
               std::size_t count);

}  // namespace ladder::kokkos
