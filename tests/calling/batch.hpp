#pragma once

// Shared by the tests of many reductions in every model: an input, function and accumulator types
// as user code defines them, and a reference loop. LADDER_CALLING names the header of the model's
// fixture.

#include LADDER_CALLING

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ladder::LADDER_MODEL {

/// Like a lambda with captures, it cannot be assigned.
struct Square {
  const long long factor = 1;
  LADDER_TEST_FUNCTION long long operator()(int x) const { return factor * x * x; }
};
/// Three numbers without a default constructor, whose vectors do not fill 16 bytes.
struct Counted {
  float count, sum, squares;
  LADDER_TEST_FUNCTION explicit Counted(float x) : count(1), sum(x), squares(x * x) {}
  LADDER_TEST_FUNCTION explicit Counted(int x) : Counted(static_cast<float>(x)) {}
  LADDER_TEST_FUNCTION Counted(float n, float s, float q) : count(n), sum(s), squares(q) {}
  bool operator==(const Counted&) const = default;
};
struct Together {
  LADDER_TEST_FUNCTION Counted operator()(const Counted& a, const Counted& b) const {
    return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
  }
};

/// Returns small numbers: the sums of their squares are exact in float.
inline std::vector<int> small(std::size_t n) {
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761U >> 28) - 7;
  return values;
}

/// Folds `length` elements, `step` apart from `first` on, into `all`.
template <class In, class A, class Op>
A folded(const In& x, std::size_t first, std::size_t length, std::size_t step, const Op& op,
         A all) {
  for (std::size_t i = 0; i < length; ++i)
    all = op(all, static_cast<A>(x[static_cast<std::int64_t>(first + i * step)]));
  return all;
}

}  // namespace ladder::LADDER_MODEL
