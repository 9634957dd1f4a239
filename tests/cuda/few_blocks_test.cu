// r24, r25 and r26 with so few blocks that each thread goes through its ring, or its loop, many
// times over: by default that takes an input of many megabytes.

#include <string>
#include <vector>

#include "tests/cuda/on_rung.hpp"

namespace ladder::cuda {
namespace {

class FewBlocks : public OnRung, public testing::WithParamInterface<const char*> {
 protected:
  FewBlocks() : OnRung(GetParam()) {}
};

// Around whole turns of a ring of four, and with a last piece of every kind.
TEST_P(FewBlocks, take_every_element_once) {
  const std::vector<std::size_t> sizes{1,    127,  2047,  2048,  2049,  4096,  6145,
                                       8191, 8192, 16400, 32768, 65537, 100003};
  for (const TypeFacts& type : types) {
    if (!backend_->carries(rung_, type.type, Operation::sum)) continue;
    const Recipe recipe = tests::exact_recipe(type.type, Operation::sum, sizes);
    const auto expected = references({type.type, recipe, nullptr}, Operation::sum, sizes, 1);
    for (const std::size_t offset : {std::size_t{0}, type.bytes, 16 - type.bytes}) {
      tests::GuardedInput input(*backend_, type.type, recipe, sizes.back(), offset);
      for (const Reference& reference : expected) {
        for (const unsigned block : {32U, 128U, 256U, 512U, 1024U}) {
          for (const unsigned grid : {1U, 3U}) {
            input.guard_and_plant(reference.n, {});
            const auto job = backend_->prepare(rung_, input.problem(reference.n),
                                               {.block = block, .grid = grid});
            const Verdict verdict = check(tests::result_of(*backend_, *job), reference, false, 0);
            input.restore(reference.n, {});
            EXPECT_TRUE(verdict.ok)
                << tests::in_words(type.type, Operation::sum, reference.n, job->tuning(), {})
                << ", " << offset << " bytes past a boundary: " << verdict.message;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rungs, FewBlocks, testing::Values("r20", "r24", "r25", "r26"),
                         [](const auto& info) { return std::string(info.param); });

class Ring : public OnRung {
 protected:
  Ring() : OnRung("r24") {}
};

// The ring changes what is under way, not the order of the additions.
TEST_F(Ring, gives_the_bits_of_r20) {
  constexpr std::size_t n = 1000003;
  tests::GuardedInput input(*backend_, Type::f32, {Data::normal, Operation::sum, 5}, n);
  for (const unsigned block : {64U, 512U}) {
    const auto result = [&](std::size_t rung) {
      const auto job = backend_->prepare(rung, input.problem(n), {.block = block, .grid = 7});
      return tests::result_of(*backend_, *job).bits;
    };
    EXPECT_EQ(result(rung_), result(tests::rung_of(*backend_, "r20"))) << "block " << block;
  }
}

}  // namespace
}  // namespace ladder::cuda
