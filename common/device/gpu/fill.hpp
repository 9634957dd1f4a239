#pragma once

// The input, made where it is read.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/accounting.hpp"
#include "common/data.hpp"

namespace ladder::gpu {

template <class Runtime, class T>
__global__ void generate(T* x, Recipe recipe, std::uint64_t first, std::int64_t count) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
    x[i] = element<T>(recipe, first + static_cast<std::uint64_t>(i));
}

/// Enqueues the writing of elements `first` to `first + count - 1` of the recipe's data (not
/// `Data::file`) to `destination`, in the memory of a device with `units` SMs, aligned for the
/// type. Throws `Error`.
template <class Runtime>
void fill(typename Runtime::Stream stream, unsigned units, void* destination, Type type,
          Recipe recipe, std::uint64_t first, std::size_t count) {
  if (count == 0) return;
  with_type(type, [&]<Type t>() {
    using T = native<t>;
    constexpr unsigned block = 256;
    const auto grid = static_cast<unsigned>(blocks_for(count, block, std::size_t{32} * units));
    auto* x = static_cast<T*>(destination);
    auto n = static_cast<std::int64_t>(count);
    void* parameters[] = {&x, &recipe, &first, &n};
    Runtime::check(Runtime::launch(reinterpret_cast<const void*>(&generate<Runtime, T>), grid,
                                   block, parameters, 0, stream));
  });
}

}  // namespace ladder::gpu
