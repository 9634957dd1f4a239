#include <algorithm>

#include "hip/fill.hpp"
#include "hip/index.hpp"

namespace ladder::hip {
namespace {

template <class T>
__global__ void generate(T* x, Recipe recipe, std::uint64_t first, Index count) {
  const Index stride = Index{gridDim.x} * blockDim.x;
  for (Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
    x[i] = element<T>(recipe, first + static_cast<std::uint64_t>(i));
}

}  // namespace

void fill(Queue& queue, void* destination, Type type, const Recipe& recipe, std::uint64_t first,
          std::size_t count) {
  if (count == 0) return;
  with_type(type, [&]<Type t>() {
    using T = native<t>;
    constexpr unsigned block = 256;
    const std::size_t most = std::size_t{32} * queue.device().multiProcessorCount;
    queue.launch(generate<T>, Shape{blocks_for(count, block, most), block}, Pass{},
                 static_cast<T*>(destination), recipe, first, count);
  });
}

}  // namespace ladder::hip
