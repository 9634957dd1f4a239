// The part of the contract that is about values: special ones, and the error on real data.

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/contract.hpp"

namespace ladder::tests {
namespace {

constexpr const char* subnormal = "subnormal numbers";

/// Arrays of floats that an implementation by `<` alone, or one that starts from its first element,
/// gets wrong.
template <class T>
std::vector<std::pair<std::string, std::vector<T>>> special_arrays(Operation operation,
                                                                   std::size_t n) {
  using Limits = std::numeric_limits<T>;
  constexpr T infinity = Limits::infinity(), nan = Limits::quiet_NaN();
  const auto minus = [](T value) { return T(-static_cast<Computed<T>>(value)); };
  const T zero = T(0), minus_zero = minus(zero);
  std::vector<T> plain(n);
  for (std::size_t i = 0; i < n; ++i) plain[i] = element<T>({Data::exact, operation, 1}, i);
  std::vector<std::pair<std::string, std::vector<T>>> arrays;
  const auto add = [&](std::string what, std::vector<T> array, auto... places) {
    (places(array), ...);
    arrays.emplace_back(std::move(what), std::move(array));
  };
  const auto put = [n](std::size_t index, T value) {
    return [=](std::vector<T>& array) { array[std::min(index, n - 1)] = value; };
  };
  add("NaN first", plain, put(0, nan));
  add("NaN in the middle", plain, put(n / 2, minus(nan)));
  add("NaN last", plain, put(n - 1, nan));
  add("NaN before the infinities", plain, put(0, nan), put(n / 2, infinity),
      put(n - 1, minus(infinity)));
  add("NaN behind the infinities", plain, put(0, infinity), put(n / 2, minus(infinity)),
      put(n - 1, nan));
  add("nothing but NaN", std::vector<T>(n, nan));
  add("infinity", plain, put(n / 2, infinity));
  add("minus infinity", plain, put(n / 3, minus(infinity)));
  add("both infinities", plain, put(0, infinity), put(n - 1, minus(infinity)));
  add("nothing but infinity", std::vector<T>(n, infinity));
  add("nothing but minus infinity", std::vector<T>(n, minus(infinity)));
  add("nothing but -0", std::vector<T>(n, minus_zero));
  add("one +0 among -0", std::vector<T>(n, minus_zero), put(n / 2, zero));
  add("one -0 among +0", std::vector<T>(n, zero), put(n - 1, minus_zero));
  add("-0 first, then +0", std::vector<T>(n, zero), put(0, minus_zero));
  add(subnormal, std::vector<T>(n, Limits::denorm_min()), put(n / 2, zero));
  if (operation != Operation::sum) {
    add("the ends of the range", plain, put(0, Limits::max()), put(n - 1, Limits::lowest()));
  }
  return arrays;
}

/// Where the hardware takes subnormal numbers for zero: PTX's `red.add.f32` on global memory does
/// ("flushes subnormal inputs and results to sign-preserving zero", PTX ISA), and rungs of atomic
/// updates sum by it.
bool flushes_subnormals(const Subject& subject, Type type, Operation operation) {
  const bool on_nvidia = subject.backend.device().name().starts_with("cuda:");
  return on_nvidia && (type == Type::f32 || type == Type::bf16) && operation == Operation::sum &&
         (subject.info().rung.traits & atomic_updates) != 0;
}

}  // namespace

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
            if (what == subnormal && flushes_subnormals(subject, type, operation)) {
              // A sum of several bfloat16 may be no subnormal float: which partials are zero hangs
              // on their order then.
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
    // The other results are exact, as they are on exact data. A floating product leaves the range.
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
