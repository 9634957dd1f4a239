// What lies in an input before, in and after a sample.

#include "bench/results/sampler.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "bench/run/study.hpp"
#include "one_rung.hpp"

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
  ResidentInput input_{device_, Type::f32, recipe, whole, 256, nullptr, true};
};

TEST_F(Resident, HasTheDecidingElementAndTheGuardsForOneSample) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{700}, whole}) {
    const std::size_t planted = n / 2;
    input_.guard_and_plant(n, Operation::min, {&planted, 1});
    const auto values = seen();
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(values[i],
                i == planted ? planted_element<float>(Operation::min, recipe, i) : at(i));
    for (std::size_t i = n; i < n + guard_elements; ++i)
      ASSERT_EQ(values[i], guard_element<float>(Operation::min)) << i << " behind " << n;
    input_.restore(n, {&planted, 1});
    const auto after = seen();
    for (std::size_t i = 0; i < whole; ++i) ASSERT_EQ(after[i], at(i)) << "of the first " << n;
  }
}

TEST_F(Resident, HasNoDecidingElementWhereNoneIsPlanted) {
  input_.guard_and_plant(whole, Operation::sum, {});
  const auto values = seen();
  for (std::size_t i = 0; i < whole; ++i) ASSERT_EQ(values[i], at(i));
  EXPECT_EQ(values[whole], guard_element<float>(Operation::sum));
}

class Inputs : public OneRung {
 protected:
  Inputs() : OneRung("r02", "2^10") {}
};

/// A process alone has each input where its buffer begins, and one of several somewhere behind it,
/// with the same alignment.
TEST_F(Inputs, KeepTheAlignmentOfTheirBuffer) {
  const Plan planned = plan();
  Progress progress({});
  for (const std::uint64_t places : {0U, 1U, 2U, 3U}) {
    Results results(planned);
    make_rows(selection_, places, progress, results);
    ASSERT_EQ(results.inputs.size(), 1U);
    EXPECT_EQ(
        reinterpret_cast<std::uintptr_t>(results.inputs[0]->data()) % alignof(std::max_align_t), 0U)
        << places;
  }
}

}  // namespace
}  // namespace ladder::bench
