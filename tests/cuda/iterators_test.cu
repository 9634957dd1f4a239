// Tests Thrust's iterators as inputs, and half precision compiled with PyTorch's definitions.

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
/// Returns the product of two numbers.
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
  EXPECT_EQ(reduced(x.begin(), x.size(), Sum{}, 0), sum);
  EXPECT_EQ(reduced(thrust::counting_iterator<int>(0), 100000, Sum{}, 0), sum);
  const auto doubled = thrust::make_transform_iterator(x.begin(), Doubled{});
  EXPECT_EQ(reduced(doubled, x.size(), Sum{}, 0), 2 * static_cast<unsigned>(sum));
  const auto both = thrust::make_zip_iterator(x.begin(), thrust::counting_iterator<int>(0));
  const auto products = thrust::make_transform_iterator(both, Multiplied{});
  EXPECT_NEAR(reduced(products, 1000, Sum{}, 0.0F), 332833500.0F, 100.0F);
}

TEST_F(Iterators, of_half_precision_do_without_its_operators) {
  const std::vector<__half> values(1000, __float2half(0.5F));
  const __half* const x = on_device(values);
  EXPECT_EQ(__half2float(reduced(x, values.size(), Sum{}, __float2half(0))), 500.0F);
  EXPECT_EQ(reduced(x, values.size(), Sum{}, 0.0F), 500.0F);
  EXPECT_EQ(__half2float(reduced(x, values.size(), Maximum{}, __float2half(0))), 0.5F);
}

}  // namespace
}  // namespace ladder::cuda
