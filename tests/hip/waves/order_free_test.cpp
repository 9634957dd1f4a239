// Tests order-independent sums on wavefronts of 32 and 64 lanes: all rungs that promise them, on
// data wider than the windows and longer than one batch.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/gpu/rungs.hpp"
#include "common/model/exact.hpp"
#include "tests/orders.hpp"

namespace ladder::hip {
namespace {

const std::vector<Tuning> tunings{
    {.block = 32, .grid = 1}, {.block = 128, .grid = 3}, {.block = 64, .grid = 40}};

template <Type type>
void expect_exact(const Entry& entry, const std::string& what, const std::vector<native<type>>& x,
                  const std::vector<Tuning>& by = tunings) {
  using A = native<facts(type).accumulator>;
  const auto expected = Value::of(facts(type).accumulator, tests::exactly_rounded<A>(x));
  std::vector<native<type>> padded(1);  // past a boundary of 16 bytes
  padded.insert(padded.end(), x.begin(), x.end());
  for (const native<type>* const at : {x.data(), std::as_const(padded).data() + 1}) {
    for (const Tuning& tuning : by) {
      Queue queue;
      for (int run = 0; run < 2; ++run) {
        std::uint64_t result = 0x5A5A5A5A5A5A5A5A;
        entry.find(type, Operation::sum)(queue, {at, x.size(), type, Operation::sum, &result},
                                         tuning);
        Value value{facts(type).accumulator, 0};
        std::memcpy(&value.bits, &result, sizeof(A));
        EXPECT_EQ(value.bits, expected.bits)
            << entry.id << " " << facts(type).name << ", " << what << ", n " << x.size()
            << ", block " << tuning.block << ", grid " << tuning.grid << ", run " << run << ": "
            << value.text() << " and not " << expected.text();
        const auto* const digits = queue.digits();
        EXPECT_TRUE(std::all_of(digits, digits + exact::copies * exact::stride, [](auto digit) {
          return digit == 0;
        })) << "what went into the digits is still there";
      }
    }
  }
}

template <Type type>
void expect_exact_of_all(const Entry& entry) {
  using T = native<type>;
  for (const std::size_t n : {1U, 31U, 4007U}) {
    auto arrays = tests::hostile<T>(n);
    arrays.emplace_back("rough data", tests::rough<T>(Operation::sum, n));
    arrays.emplace_back("steps far apart", tests::array_of<T>(n, [&](std::size_t i, auto word) {
                          const int exponent = static_cast<int>(i * 8 / n) * 24 - 90;
                          return tests::random_sign(word) *
                                 std::ldexp(tests::random_significand(word), exponent);
                        }));
    arrays.emplace_back("rising", tests::array_of<T>(n, [&](std::size_t i, auto word) {
                          return std::ldexp(tests::random_significand(word),
                                            static_cast<int>(200 * i / n) - 100);
                        }));
    for (const auto& [what, array] : arrays) {
      for (const auto& order : tests::orders_of(array)) expect_exact<type>(entry, what, order);
    }
  }
}

/// Uses enough elements to make a thread flush its integers during the loop.
TEST(OrderFree, a_thread_may_have_any_number_of_elements) {
  for (std::size_t rung = 0; rung < table().size(); ++rung) {
    if ((device_ladder[rung].traits & order_free) == 0 || !table()[rung].present) continue;
    const std::size_t n = std::size_t{32} * 4 * 8194 + 3;
    const auto x = tests::array_of<float>(
        n, [](std::size_t, auto word) { return 0x1p100 * tests::random_significand(word); });
    expect_exact<Type::f32>(table()[rung], "large ones", x, {{.block = 32, .grid = 1}});
  }
}

/// Tests each type on one wavefront width: other tests cover both.
TEST(OrderFree, sums_have_the_bits_of_the_exact_sum) {
  std::size_t held = 0;
  for (std::size_t rung = 0; rung < table().size(); ++rung) {
    if ((device_ladder[rung].traits & order_free) == 0 || !table()[rung].present) continue;
    ++held;
    expect_exact_of_all<LADDER_WAVE == 32 ? Type::f32 : Type::f64>(table()[rung]);
    expect_exact_of_all<LADDER_WAVE == 32 ? Type::bf16 : Type::f16>(table()[rung]);
  }
  EXPECT_GT(held, 0U);
}

}  // namespace
}  // namespace ladder::hip
