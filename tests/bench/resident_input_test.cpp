// What lies in an input before, in and after a sample.

#include "bench/run/resident_input.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "bench/plan/plan.hpp"
#include "fake_backend.hpp"

namespace ladder::bench {
namespace {

constexpr std::size_t whole = 1000;
constexpr Recipe recipe{Data::exact, Operation::min, 1};

class Resident : public testing::Test {
 protected:
  /// With the guards behind the last element.
  std::vector<float> seen() const {
    std::vector<float> values(whole + guard_elements);
    device_.download(values.data(), input_.data(), values.size() * sizeof(float));
    return values;
  }
  static float at(std::size_t i) { return element<float>(recipe, i); }

  std::unique_ptr<Backend> backend_ = fake::make_backend();
  Device& device_ = backend_->device();
  ResidentInput input_{device_, Type::f32, recipe, whole, 256, 4, nullptr, true};
};

TEST_F(Resident, HasTheDecidingElementAndTheGuardsForOneSample) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{700}, whole}) {
    const std::size_t planted = n / 2;
    input_.guard_and_plant(n, Operation::min, planted);
    const auto values = seen();
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(values[i],
                i == planted ? planted_element<float>(Operation::min, recipe, i) : at(i));
    for (std::size_t i = n; i < n + guard_elements; ++i)
      ASSERT_EQ(values[i], guard_element<float>(Operation::min)) << i << " behind " << n;
    input_.restore(n, planted);
    const auto after = seen();
    for (std::size_t i = 0; i < whole; ++i) ASSERT_EQ(after[i], at(i)) << "of the first " << n;
  }
}

TEST_F(Resident, HasNoDecidingElementWhereNoneIsPlanted) {
  input_.guard_and_plant(whole, Operation::sum, whole);
  const auto values = seen();
  for (std::size_t i = 0; i < whole; ++i) ASSERT_EQ(values[i], at(i));
  EXPECT_EQ(values[whole], guard_element<float>(Operation::sum));
}

}  // namespace
}  // namespace ladder::bench
