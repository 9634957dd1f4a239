// The contract on values: special values, and the error on real data.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/contract.hpp"
#include "tests/orders.hpp"

namespace ladder::tests {

void expect_right(const Subject& subject, Type type, Operation operation,
                  const std::vector<std::size_t>& sizes, std::size_t offset,
                  const std::vector<Tuning>& tunings, Places places) {
  const auto [recipe, expected] = exact_data(type, operation, sizes);
  GuardedInput input(subject.backend, type, recipe, *std::ranges::max_element(sizes), offset);
  for (const Tuning& tuning : tunings) {
    for (const Reference& reference : expected) {
      std::vector<std::optional<std::size_t>> planted{std::nullopt};
      if (plants(operation) && reference.n > 0) {
        const auto found = places(reference.n, tuning.block);
        planted.assign(found.begin(), found.end());
      }
      for (const auto& place : planted) {
        const Verdict verdict = input.judge(subject.rung, reference, tuning, place);
        EXPECT_TRUE(verdict.ok) << verdict.message;
      }
    }
  }
}

void treats_special_values(const Subject& subject) {
  if ((subject.info().rung.traits & nan_unspecified) != 0) {
    GTEST_SKIP()
        << "what it makes of NaN, infinities and zeros is declared the library's own affair";
  }
  for_each_carried(subject, [&](Type type, Operation operation) {
    if (facts(type).integer || operation == Operation::product) return;
    with_type(type, [&]<Type t>() {
      using T = native<t>;
      if constexpr (is_floating<T>) {
        for (const std::size_t n : {1U, 2U, 33U, 1000U, 4097U}) {
          const std::vector<std::size_t> sizes{n};
          for (const auto& [what, array] : special_arrays<T>(operation, n)) {
            SCOPED_TRACE(what);
            const Recipe recipe{Data::file, operation, 0};
            auto expected = references({type, recipe, array.data()}, operation, sizes, 1).front();
            if (what == subnormal &&
                flushes_subnormals(subject.backend, subject.rung, type, operation)) {
              // A sum of several bfloat16 may be a normal float: then the order of the elements
              // decides which partials are zero.
              if (type == Type::bf16) continue;
              expected.value = Value::of(type, T{0});
            }
            GuardedInput input(subject.backend, type, recipe, n, 0, array.data());
            const Verdict verdict = input.judge(subject.rung, expected, {});
            EXPECT_TRUE(verdict.ok) << verdict.message;
          }
        }
      }
    });
  });
}

void stays_within_its_bound(const Subject& subject) {
  const std::vector<std::size_t> sizes{1, 1000, 4097, 100000, (1U << 20) + 1};
  for_each_carried(subject, [&](Type type, Operation operation) {
    // All other operations are exact, as on exact data. A floating product leaves the range.
    const bool wraps = facts(type).integer && operation == Operation::product;
    if (operation != Operation::sum && !wraps) return;
    for (const Data data : {Data::uniform, Data::normal}) {
      const Recipe recipe{data, operation, 7};
      const auto expected = references({type, recipe, nullptr}, operation, sizes, 2);
      GuardedInput input(subject.backend, type, recipe, sizes.back());
      for (const Reference& reference : expected) {
        const Ran ran = input.run(subject.rung, reference.n, {});
        const Verdict verdict =
            check(ran.value, reference, rounds(type, operation, data), ran.depth);
        EXPECT_TRUE(verdict.ok) << in_words(type, operation, reference.n, ran.tuning, {}) << " "
                                << name(data) << ": " << verdict.message;
      }
    }
  });
}

}  // namespace ladder::tests
