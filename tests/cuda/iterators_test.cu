// What Thrust's iterators give, as the header's input, and PyTorch's way to compile half precision.

#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_HALF2_OPERATORS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>

#include "tests/model/calling.hpp"

namespace ladder::cuda {
namespace {

class Iterators : public Calling {};

struct Doubled {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
/// Of the product of two numbers.
struct Multiplied {
  template <class Two>
  __host__ __device__ float operator()(const Two& two) const {
    return static_cast<float>(thrust::get<0>(two)) * static_cast<float>(thrust::get<1>(two));
  }
};

TEST_F(Iterators, of_thrust_are_inputs) {
  thrust::device_vector<int> x(100000);
  thrust::sequence(x.begin(), x.end());
  const int sum = 704982704;  // 99999 · 100000 / 2, modulo 2^32
  ok(reduce(workspace, x.begin(), x.size(), place<int>(), Sum{}, 0, stream));
  EXPECT_EQ(got<int>(), sum);
  ok(reduce(workspace, thrust::counting_iterator<int>(0), 100000, place<int>(), Sum{}, 0, stream));
  EXPECT_EQ(got<int>(), sum);
  ok(reduce(workspace, thrust::make_transform_iterator(x.begin(), Doubled{}), x.size(),
            place<int>(), Sum{}, 0, stream));
  EXPECT_EQ(got<int>(), 2 * static_cast<unsigned>(sum));
  const auto both = thrust::make_zip_iterator(x.begin(), thrust::counting_iterator<int>(0));
  ok(reduce(workspace, thrust::make_transform_iterator(both, Multiplied{}), 1000, place<float>(),
            Sum{}, 0.0F, stream));
  EXPECT_NEAR(got<float>(), 332833500.0F, 100.0F);
}

TEST_F(Iterators, of_half_precision_do_without_its_operators) {
  const std::vector<__half> values(1000, __float2half(0.5F));
  const __half* const x = on_device(values);
  ok(reduce(workspace, x, values.size(), place<__half>(), Sum{}, __float2half(0), stream));
  EXPECT_EQ(__half2float(got<__half>()), 500.0F);
  ok(reduce(workspace, x, values.size(), place<float>(), Sum{}, 0.0F, stream));
  EXPECT_EQ(got<float>(), 500.0F);
  ok(reduce(workspace, x, values.size(), place<__half>(), Maximum{}, __float2half(0), stream));
  EXPECT_EQ(__half2float(got<__half>()), 0.5F);
}

}  // namespace
}  // namespace ladder::cuda
