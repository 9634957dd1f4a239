#include "common/reference.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "common/problem.hpp"

namespace ladder {
namespace {

__extension__ using Wide = __int128;

/// Elements 0, 1, 2 … of type T, from a recipe or an array.
template <class T>
struct Reader {
  const Elements& elements;
  T operator()(std::size_t i) const {
    return elements.array != nullptr ? static_cast<const T*>(elements.array)[i]
                                     : element<T>(elements.recipe, i);
  }
};

/// Folds with the operation itself: exact for integers, selections, bits, and products that only
/// move the exponent.
template <class T, class A, Operation operation>
struct Fold {
  A value = Function<operation, A>::identity();
  void add(const Reader<T>& read, std::size_t i) {
    value = Function<operation, A>{}(value, A(read(i)));
  }
  void join(const Fold& other) { value = Function<operation, A>{}(value, other.value); }
  Reference finish(Type type, const Recipe&) const { return {0, Value::of(type, value), 0, 0}; }
};

/// Floating sums of a recipe: its elements are integers with one scale, so the sum is exact in 128
/// bits.
template <class T, class A>
struct ScaledSum {
  Wide sum = 0, magnitudes = 0;
  void add(const Reader<T>& read, std::size_t i) {
    const std::int64_t x = integer_element<T>(read.elements.recipe, i);
    sum += x;
    magnitudes += x < 0 ? -x : x;
  }
  void join(const ScaledSum& other) {
    sum += other.sum;
    magnitudes += other.magnitudes;
  }
  Reference finish(Type type, const Recipe& recipe) const {
    const int exponent = scale_exponent<T>(recipe);
    const A rounded = static_cast<A>(sum);
    const Wide rest = sum - static_cast<Wide>(rounded);
    return {0, Value::of(type, std::ldexp(rounded, exponent)),
            std::ldexp(static_cast<double>(rest), exponent),
            std::ldexp(static_cast<double>(magnitudes), exponent)};
  }
};

/// Floating sums of any data: a non-overlapping expansion that holds the sum exactly (Shewchuk,
/// "Adaptive precision floating-point arithmetic", Discrete & Computational Geometry 18, 1997:
/// Grow-Expansion with zero elimination). In long double, whose range no sum of doubles leaves.
template <class T, class A>
struct Expansion {
  using Part = long double;
  static_assert(std::numeric_limits<Part>::max_exponent > 1024 + 64);
  std::vector<Part> parts;  // increasing magnitude
  double special = 0;       // the sum of all NaN and infinities
  double magnitudes = 0;    // of the finite ones

  void grow(Part x) {
    std::size_t kept = 0;
    for (const Part part : parts) {
      const Part sum = x + part;
      const Part of_part = sum - x;
      const Part error = (x - (sum - of_part)) + (part - of_part);
      if (error != 0) parts[kept++] = error;
      x = sum;
    }
    parts.resize(kept);
    parts.push_back(x);
  }
  void add(const Reader<T>& read, std::size_t i) {
    const auto x = static_cast<double>(read(i));
    if (std::isfinite(x)) {
      magnitudes += std::abs(x);
      grow(x);
    } else {
      special += x;
    }
  }
  void join(const Expansion& other) {
    for (const Part part : other.parts) grow(part);
    special += other.special;
    magnitudes += other.magnitudes;
  }
  Reference finish(Type type, const Recipe&) const {
    if (special != 0) return {0, Value::of(type, static_cast<A>(special)), 0, magnitudes};
    const A value = static_cast<A>(std::accumulate(parts.rbegin(), parts.rend(), Part{0}));
    if (!std::isfinite(value)) return {0, Value::of(type, value), 0, magnitudes};
    Expansion rest = *this;
    rest.grow(-static_cast<Part>(value));
    const Part remainder = std::accumulate(rest.parts.begin(), rest.parts.end(), Part{0});
    return {0, Value::of(type, value), static_cast<double>(remainder), magnitudes};
  }
};

/// One pass: pieces between neighbouring sizes, cut small enough to be shared, joined in order.
template <class T, class State>
std::vector<Reference> pass(const Elements& elements, Type accumulator,
                            std::span<const std::size_t> sizes, unsigned threads) {
  struct Piece {
    std::size_t begin = 0, end = 0;
    State state{};
  };
  constexpr std::size_t piece_elements = std::size_t{1} << 20;
  std::vector<std::size_t> order(sizes.size());  // places in `sizes`, by size
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t which) { return sizes[which]; });
  std::vector<Piece> pieces;
  std::size_t from = 0;
  for (const std::size_t which : order) {
    for (; from < sizes[which]; from = pieces.back().end)
      pieces.push_back({from, std::min(sizes[which], from + piece_elements)});
  }
  std::atomic<std::size_t> next{0};
  const Reader<T> read{elements};
  const auto work = [&] {
    for (std::size_t p = next++; p < pieces.size(); p = next++) {
      State state;
      for (std::size_t i = pieces[p].begin; i < pieces[p].end; ++i) state.add(read, i);
      pieces[p].state = std::move(state);
    }
  };
  {
    std::vector<std::jthread> helpers;
    const auto wanted = std::min<std::size_t>(threads, pieces.size());
    for (std::size_t t = 1; t < wanted; ++t) helpers.emplace_back(work);
    work();
  }
  std::vector<Reference> found(sizes.size());
  State total;
  std::size_t piece = 0;
  for (const std::size_t which : order) {
    for (; piece < pieces.size() && pieces[piece].end <= sizes[which]; ++piece)
      total.join(pieces[piece].state);
    found[which] = total.finish(accumulator, elements.recipe);
    found[which].n = sizes[which];
  }
  return found;
}

}  // namespace

std::vector<Reference> references(const Elements& elements, Operation operation,
                                  std::span<const std::size_t> sizes, unsigned threads) {
  return with_type(elements.type, [&]<Type type>() {
    return with_operation(operation, [&]<Operation op>() -> std::vector<Reference> {
      using T = native<type>;
      constexpr Type accumulator = accumulator_of(type, op);
      using A = native<accumulator>;
      if constexpr (!facts(type).integer && facts(op).integers_only) {
        throw std::invalid_argument("bit operations are for integers");
      } else if constexpr (!facts(type).integer && op == Operation::sum) {
        if (elements.array != nullptr)
          return pass<T, Expansion<T, A>>(elements, accumulator, sizes, threads);
        return pass<T, ScaledSum<T, A>>(elements, accumulator, sizes, threads);
      } else {
        if (!facts(type).integer && op == Operation::product &&
            elements.recipe.data != Data::exact) {
          throw std::invalid_argument(
              "a floating product of such data leaves the type's range and checks nothing");
        }
        return pass<T, Fold<T, A, op>>(elements, accumulator, sizes, threads);
      }
    });
  });
}

Reference with_planted(const Reference& reference, Type type, const Recipe& recipe,
                       std::uint64_t index) {
  Reference planted = reference;
  with_type(type, [&]<Type t>() {
    with_operation(recipe.operation, [&]<Operation op>() {
      using T = native<t>;
      if constexpr (plants(op) && (facts(t).integer || !facts(op).integers_only)) {
        const T extreme = planted_element<T>(op, recipe, index);
        planted.value = Value::of(t, Function<op, T>{}(reference.value.as<T>(), extreme));
      }
    });
  });
  return planted;
}

}  // namespace ladder
