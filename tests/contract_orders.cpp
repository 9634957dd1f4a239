// The contract on orders of operations: the bits of the fixed tree, the bits of the exact sum in
// any order of the elements, and the accuracy of twice the precision.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/fixed_tree.hpp"
#include "tests/contract.hpp"
#include "tests/orders.hpp"

namespace ladder::tests {
namespace {

/// Runs the rung on the first n elements; counts a result with other bits than `expected` and
/// records the first.
void hold(const Subject& subject, GuardedInput& input, std::size_t n, const Tuning& tuning,
          const Value& expected, const std::string& what, Differing& found) {
  const auto [got, resolved, depth] = input.run(subject.rung, n, tuning);
  ++found.runs;
  if (got.bits == expected.bits || found.count++ != 0) return;
  const Problem problem = input.problem(n);
  found.first = in_words(problem.type, problem.operation, n, resolved, {}) + ", " + what + ": " +
                got.text() + ", not " + expected.text();
}

/// Calls `f.template operator()<type, operation>()` for each pair that the rung carries.
template <Operation... operation, class F>
void for_each_rounding(const Subject& subject, const F& f) {
  const auto one = [&]<Type type, Operation o>() {
    if (subject.backend.carries(subject.rung, type, o)) f.template operator()<type, o>();
  };
  const auto of = [&]<Operation o>() {
    one.template operator()<Type::f32, o>();
    one.template operator()<Type::f64, o>();
    one.template operator()<Type::f16, o>();
    one.template operator()<Type::bf16, o>();
  };
  (of.template operator()<operation>(), ...);
}

/// Elements, and the expected results of some of their prefixes.
template <class T>
struct Known {
  std::string what;
  std::vector<T> x;
  std::vector<std::pair<std::size_t, Value>> results;
};

template <Type type, Operation o>
std::vector<Known<native<type>>> known_of_the_fixed_tree() {
  using Op = typename Case<type, o>::function;
  using T = native<type>;
  constexpr FixedTree tree = fixed_tree<typename Op::value>;
  constexpr std::size_t chunk = tree.chunk();
  std::vector<Known<T>> all;
  const auto add = [&](std::string what, std::vector<T> x, const std::vector<std::size_t>& sizes) {
    all.push_back({std::move(what), std::move(x), {}});
    for (const std::size_t n : sizes) {
      const auto value = reduce_by<Op>(tree, all.back().x.data(), n);
      all.back().results.emplace_back(n, Value::of(accumulator_of(type, o), value));
    }
  };
  std::vector<std::size_t> sizes{1,         2,     3,         63,        64,
                                 65,        127,   128,       129,       1000,
                                 chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1,
                                 3 * chunk, 65535, 65536,     65537,     100003};
  // More chunks than a single worker has room for subtree results, and more than a GPU's smallest
  // block joins at once.
  if (o == Operation::sum) {
    sizes.insert(sizes.end(), {512 * chunk, 512 * chunk + 1, 515 * chunk, 1025 * chunk});
  }
  add("rough data", rough<T>(o, *std::ranges::max_element(sizes)), sizes);
  for (const std::size_t n : {std::size_t{3}, std::size_t{1000}, 3 * chunk + 129}) {
    for (auto& [what, x] : hostile<T>(n)) add(what, std::move(x), {n});
  }
  return all;
}

template <Type type>
std::vector<Known<native<type>>> known_of_exact_sums() {
  using T = native<type>;
  using A = native<facts(type).accumulator>;
  std::vector<Known<T>> all;
  for (const std::size_t n : {1U, 31U, 2049U, 6007U}) {
    auto arrays = hostile<T>(n);
    arrays.emplace_back("rough data", rough<T>(Operation::sum, n));
    for (const auto& [what, array] : arrays) {
      const auto sum = Value::of(facts(type).accumulator, exactly_rounded<A>(array));
      std::size_t order = 0;
      for (auto& x : orders_of(array)) {
        all.push_back({what + ", order " + std::to_string(order++), std::move(x), {{n, sum}}});
      }
    }
  }
  return all;
}

/// A shuffled array of about this condition number (sum of magnitudes / magnitude of the sum):
/// pairs that cancel, and a small rest.
template <class T>
std::vector<T> of_condition(double condition, std::size_t n) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t word = random_word(13, i / 2);  // one per pair
    const auto large =
        static_cast<T>(std::ldexp(random_significand(word), static_cast<int>(word % 4)));
    const bool rest = i / 2 % 4 == 3 || i / 2 * 2 + 1 == n;
    x[i] = rest         ? static_cast<T>(random_significand(random_word(14, i)) * 12 / condition)
           : i % 2 == 0 ? large
                        : -large;
  }
  std::mt19937_64 random(17);
  std::ranges::shuffle(x, random);
  return x;
}

}  // namespace

Differing from_a_compensated_sum(const Subject& subject, const std::vector<Tuning>& tunings) {
  Differing found;
  for_each_rounding<Operation::sum>(subject, [&]<Type type, Operation o>() {
    using T = native<type>;
    if constexpr (std::is_floating_point_v<T>) {
      constexpr double u = facts(type).roundoff;
      std::size_t turn = 0;
      const auto hold_at = [&](double condition, std::size_t n, const std::vector<Tuning>& some) {
        const auto x = of_condition<T>(condition, n);
        const auto sum = exactly_rounded<double>(x);
        double magnitudes = 0;
        for (const T& element : x) magnitudes += std::abs(static_cast<double>(element));
        GuardedInput input(subject.backend, type, {Data::file, o, 0}, n, 0, x.data());
        for (const Tuning& tuning : some) {
          const Ran ran = input.run(subject.rung, n, tuning);
          const double off = std::abs(static_cast<double>(ran.value.template as<T>()) - sum);
          const double chain = static_cast<double>(ran.depth) * u;
          // Rounding in the additions of errors grows with the chain; with mixed signs, its
          // remainder grows with the root of n. `far`: it is far below the last place.
          const bool far = chain * magnitudes / std::abs(sum) <= std::sqrt(n) / 4;
          const double allowed = far ? std::ldexp(2 * u, std::ilogb(sum))
                                     : 2 * u * std::abs(sum) + 4 * chain * chain * magnitudes;
          ++found.runs;
          if (off <= allowed || found.count++ != 0) continue;
          found.first = in_words(type, o, n, ran.tuning, {}) + ", condition number " +
                        std::to_string(magnitudes / std::abs(sum)) + ": off by " +
                        std::to_string(off / (u * std::abs(sum))) + " roundings, allowed " +
                        std::to_string(allowed / (u * std::abs(sum)));
        }
      };
      for (const double condition : {1.0, 1e3, 1e6, 1e8, 1e11, 1e14}) {
        for (const std::size_t n : {1000U, 100003U}) {
          std::vector<Tuning> some;
          while (some.size() < 4) some.push_back(tunings[turn++ % tunings.size()]);
          hold_at(condition, n, some);
        }
      }
      hold_at(1e8, std::size_t{1} << 21, {Tuning{}});
    }
  });
  return found;
}

Differing from_the_fixed_tree(const Subject& subject, const std::vector<Tuning>& tunings) {
  Differing found;
  for_each_rounding<Operation::sum, Operation::product>(subject, [&]<Type type, Operation o>() {
    static const auto all = known_of_the_fixed_tree<type, o>();
    for (const auto& known : all) {
      for (const std::size_t offset : {std::size_t{0}, facts(type).bytes}) {
        GuardedInput input(subject.backend, type, {Data::file, o, 0}, known.x.size(), offset,
                           known.x.data());
        for (const auto& [n, expected] : known.results) {
          if (offset != 0 && n > 4096) continue;
          for (const Tuning& tuning : tunings) {
            hold(subject, input, n, tuning, expected, known.what, found);
          }
        }
      }
    }
  });
  return found;
}

Differing from_the_exact_sum(const Subject& subject, const std::vector<Tuning>& tunings) {
  Differing found;
  for_each_rounding<Operation::sum>(subject, [&]<Type type, Operation o>() {
    static const auto all = known_of_exact_sums<type>();
    std::size_t turn = 0;
    for (const auto& known : all) {
      GuardedInput input(subject.backend, type, {Data::file, o, 0}, known.x.size(), 0,
                         known.x.data());
      const auto& [n, expected] = known.results.front();
      const Tuning& tuning = tunings[turn++ % tunings.size()];
      hold(subject, input, n, tuning, expected, known.what, found);
    }
  });
  return found;
}

}  // namespace ladder::tests
