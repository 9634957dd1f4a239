#pragma once

// What applications reduce besides one array to one number: two arrays read side by side, as for a
// dot product; the least element with its place; four moments in one pass. Each leaves first what
// the harness compares: the sum, or the least element. So the two arrays are the halves of the
// input, and are added where a dot product multiplies: the traffic and the instructions are as
// many.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/model/backend.hpp"
#include "common/model/roster.hpp"
#include "common/problem.hpp"

namespace ladder::calls {

struct Added {
  constexpr float operator()(float x, float y) const { return x + y; }
};

/// An element and where it stands; by itself none, which is above all others.
struct Element {
  float value = std::numeric_limits<float>::infinity();
  std::int64_t place = std::numeric_limits<std::int64_t>::max();
};
struct Numbered {
  constexpr Element operator()(std::int64_t i, float x) const { return {x, i}; }
};
struct Least {
  constexpr Element operator()(const Element& a, const Element& b) const {
    return b.value < a.value || (b.value == a.value && b.place < a.place) ? b : a;
  }
};

/// Sums of the first four powers.
struct Moments {
  float sums[4];
  constexpr Moments& operator+=(const Moments& other) {
    for (int power = 0; power < 4; ++power) sums[power] += other.sums[power];
    return *this;
  }
};
struct Powers {
  constexpr Moments operator()(float x) const { return {{x, x * x, x * x * x, x * x * x * x}}; }
};
struct Together {
  constexpr Moments operator()(Moments a, const Moments& b) const { return a += b; }
};

/// Elements of each of the two arrays.
inline std::size_t half(std::size_t n) {
  if (n % 2 != 0) throw NotPossible("two arrays are the halves of the input: an even n");
  return n / 2;
}

/// A call as a rung: of float sums, or of float minima.
template <class Queue, template <class> class Launch, Operation operation>
Run<Queue> find(Type type, Operation asked) {
  using Only = typename Each<operation>::template Over<Type::f32>;
  return pick<Queue, Launch>(Only{}, type, asked);
}

}  // namespace ladder::calls
