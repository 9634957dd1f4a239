#include "common/reference.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
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

/// One pass over pieces between neighbouring sizes, shared among threads and joined in order.
template <class T, class State>
std::vector<Reference> pass(const Elements& elements, Type accumulator,
                            std::span<const std::size_t> sizes, unsigned threads) {
  struct Piece {
    std::size_t begin = 0, end = 0;
    State state{};
  };
  constexpr std::size_t piece_elements = std::size_t{1} << 20;
  std::vector<std::size_t> order(sizes.size());  // indices into `sizes`, by size
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

/// Finds the references of all groups; each thread takes a few groups at a time.
template <class T, class State>
void pass_over_groups(const Elements& elements, const Groups& groups,
                      std::span<const std::int64_t> offsets, bool rounded, unsigned threads,
                      GroupReferences& found) {
  constexpr std::size_t piece_elements = std::size_t{1} << 20;
  const std::size_t bytes = facts(found.type).bytes;
  const std::size_t piece = std::max<std::size_t>(1, piece_elements / (groups.length + 1));
  const Reader<T> read{elements};
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t from = next.fetch_add(piece); from < groups.count;
         from = next.fetch_add(piece)) {
      for (std::size_t g = from; g < std::min(groups.count, from + piece); ++g) {
        State state;
        if (groups.by == Grouping::segments) {
          for (std::int64_t i = offsets[g]; i < offsets[g + 1]; ++i)
            state.add(read, static_cast<std::size_t>(i));
        } else {
          for (std::size_t i = 0; i < groups.length; ++i) state.add(read, groups.index(g, i));
        }
        const Reference one = state.finish(found.type, elements.recipe);
        std::memcpy(found.values.data() + g * bytes, &one.value.bits, bytes);
        if (!rounded) continue;
        found.remainders[g] = one.remainder;
        found.magnitudes[g] = one.magnitudes;
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned t = 1; t < threads; ++t) helpers.emplace_back(work);
  work();
}

/// Calls `f.template operator()<T, State>()` with the element's type and its accumulation state.
template <class F>
void with_state(const Elements& elements, Operation operation, const F& f) {
  with_type(elements.type, [&]<Type type>() {
    with_operation(operation, [&]<Operation op>() {
      using T = native<type>;
      using A = native<accumulator_of(type, op)>;
      if constexpr (!facts(type).integer && facts(op).integers_only) {
        throw std::invalid_argument("bit operations are for integers");
      } else if constexpr (!facts(type).integer && op == Operation::sum) {
        if (elements.array != nullptr) return f.template operator()<T, Expansion<T, A>>();
        return f.template operator()<T, ScaledSum<T, A>>();
      } else {
        if (!facts(type).integer && op == Operation::product &&
            elements.recipe.data != Data::exact) {
          throw std::invalid_argument(
              "a floating product of such data leaves the type's range and checks nothing");
        }
        return f.template operator()<T, Fold<T, A, op>>();
      }
    });
  });
}

}  // namespace

std::vector<Reference> references(const Elements& elements, Operation operation,
                                  std::span<const std::size_t> sizes, unsigned threads) {
  std::vector<Reference> found;
  with_state(elements, operation, [&]<class T, class State>() {
    found = pass<T, State>(elements, accumulator_of(elements.type, operation), sizes, threads);
  });
  return found;
}

GroupReferences group_references(const Elements& elements, Operation operation,
                                 const Groups& groups, std::span<const std::int64_t> offsets,
                                 bool rounded, unsigned threads) {
  GroupReferences found;
  found.type = accumulator_of(elements.type, operation);
  found.values.resize(groups.count * facts(found.type).bytes);
  if (rounded) {
    found.remainders.resize(groups.count);
    found.magnitudes.resize(groups.count);
  }
  with_state(elements, operation, [&]<class T, class State>() {
    pass_over_groups<T, State>(elements, groups, offsets, rounded, threads, found);
  });
  return found;
}

Reference GroupReferences::at(std::size_t group) const {
  Reference one;
  one.value.type = type;
  std::memcpy(&one.value.bits, values.data() + group * facts(type).bytes, facts(type).bytes);
  if (!remainders.empty()) {
    one.remainder = remainders[group];
    one.magnitudes = magnitudes[group];
  }
  return one;
}

void plant(GroupReferences& references, std::size_t group, const Recipe& recipe, Type type,
           std::uint64_t index) {
  const Value value = with_planted(references.at(group), type, recipe, index).value;
  const std::size_t bytes = facts(references.type).bytes;
  std::memcpy(references.values.data() + group * bytes, &value.bits, bytes);
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
