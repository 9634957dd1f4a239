// The calls of calls.hpp by the header and by CUB.

#include <array>

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>

#include "bench/variants/calls.hpp"
#include "bench/variants/variants.hpp"

namespace ladder::cuda::variants {
namespace {

using namespace calls;

/// The header's call with these arguments.
template <class A, class In, class Op>
void call(Queue& queue, In x, std::size_t n, void* result, Op op, A identity) {
  by_header<float, A>(queue, n, [&](const Workspace& workspace, cudaStream_t stream) {
    return reduce(workspace, x, n, static_cast<A*>(result), op, identity, stream);
  });
}

template <class Case>
struct TwoArrays {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const std::size_t n = half(problem.n);
    call(queue, transform(Added{}, problem.input, problem.input + n), n, problem.result, Sum{},
         0.0F);
  }
};
template <class Case>
struct ArgMin {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call(queue, transform_indexed(Numbered{}, problem.input), problem.n, problem.result, Least{},
         Element{});
  }
};
template <class Case>
struct FourMoments {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    call(queue, transform(Powers{}, problem.input), problem.n, problem.result, Together{},
         Moments{});
  }
};

template <class Case>
struct CubTwoArrays {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const std::size_t n = half(problem.n);
    const auto pairs =
        thrust::make_transform_iterator(thrust::make_zip_iterator(problem.input, problem.input + n),
                                        thrust::make_zip_function(Added{}));
    queue.library<float, float>(n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceReduce::Sum(temporary, bytes, pairs, problem.result, n, stream);
    });
  }
};
template <class Case>
struct CubArgMin {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const std::size_t n = problem.n;
    auto* const place = reinterpret_cast<std::int64_t*>(problem.result) + 1;
    queue.library<float, Element>(n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceReduce::ArgMin(temporary, bytes, problem.input, problem.result, place,
                                       static_cast<std::int64_t>(n), stream);
    });
  }
};
template <class Case>
struct CubFourMoments {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const std::size_t n = problem.n;
    auto* const result = reinterpret_cast<Moments*>(problem.result);
    queue.library<float, Moments>(n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceReduce::TransformReduce(temporary, bytes, problem.input, result, n,
                                                Together{}, Powers{}, Moments{}, stream);
    });
  }
};

constexpr auto sum = Operation::sum, min = Operation::min;
constexpr std::array all{
    variant("call_two_arrays", "the header's transform of two arrays", find<Queue, TwoArrays, sum>),
    variant("call_argmin", "the header's transform_indexed, the least and its place",
            find<Queue, ArgMin, min>),
    variant("call_moments", "the header's transform to four powers", find<Queue, FourMoments, sum>),
    variant("library_cub_two_arrays", "cub::DeviceReduce::Sum over a zip of two arrays",
            find<Queue, CubTwoArrays, sum>),
    variant("library_cub_argmin", "cub::DeviceReduce::ArgMin", find<Queue, CubArgMin, min>),
    variant("library_cub_moments", "cub::DeviceReduce::TransformReduce to four powers",
            find<Queue, CubFourMoments, sum>),
};

}  // namespace

std::span<const Extra> calls_of_cuda() { return all; }

}  // namespace ladder::cuda::variants
