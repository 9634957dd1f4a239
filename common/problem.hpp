#pragma once

// Input of a rung: the problem with its groups, the tuning, and the list of (type, operation) pairs
// of its instances.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder {

/// Unit with a result of its own: the whole array, each row or column of a row-major matrix, or
/// each segment between two offsets. `Rung::groupings` combines these bits.
enum class Grouping : std::uint8_t { whole = 1, rows = 2, columns = 4, segments = 8 };

constexpr unsigned bit(Grouping grouping) { return static_cast<unsigned>(grouping); }

constexpr std::string_view name(Grouping grouping) {
  switch (grouping) {
    case Grouping::rows:
      return "rows";
    case Grouping::columns:
      return "columns";
    case Grouping::segments:
      return "segments";
    case Grouping::whole:
      break;
  }
  return "whole arrays";
}

/// The groups of a problem, each with a result of its own. An empty group's result is the identity.
struct Groups {
  Grouping by = Grouping::whole;
  std::size_t count = 1;   ///< groups, and so results
  std::size_t length = 0;  ///< elements of each group; for segments, of the longest
  /// Elements from the start of one row of the matrix to the start of the next.
  std::size_t pitch = 0;
  /// Segment g has elements [offsets[g], offsets[g + 1]): `count` + 1 non-descending offsets, in
  /// memory that the rung can read.
  const std::int64_t* offsets = nullptr;

  /// Number of elements from the first to the last one reduced, of n in all.
  constexpr std::size_t extent(std::size_t n) const {
    if (n == 0) return 0;
    if (by == Grouping::rows) return (count - 1) * pitch + length;
    if (by == Grouping::columns) return (length - 1) * pitch + count;
    return n;
  }
  /// Index of element i of group g; not for segments, whose offsets may be in device memory.
  constexpr std::size_t index(std::size_t g, std::size_t i) const {
    return by == Grouping::columns ? i * pitch + g : g * pitch + i;
  }
  bool operator==(const Groups&) const = default;
};

/// One reduction: `n` elements of `type` at `input`, reduced by `operation` into one accumulator at
/// `result`, or into one for each group. `input` need only be aligned for its type.
struct Problem {
  const void* input = nullptr;
  std::size_t n = 0;
  Type type = Type::f32;
  Operation operation = Operation::sum;
  void* result = nullptr;
  Groups groups = {};
};

/// Launch parameters of a rung. Zero selects the backend's default for this rung on this device.
struct Tuning {
  unsigned block = 0;    ///< threads in a block; a power of two
  unsigned grid = 0;     ///< blocks in the grid, for rungs with a fixed grid
  unsigned items = 0;    ///< elements per thread, for coarsened rungs
  unsigned workers = 0;  ///< threads, on a CPU
  unsigned shares = 0;   ///< devices or ranks
  bool operator==(const Tuning&) const = default;
};

/// Type of a reduction's result: the type's accumulator for sums and products, else the element
/// type.
constexpr Type accumulator_of(Type type, Operation operation) {
  const bool carried = operation == Operation::sum || operation == Operation::product;
  return carried ? facts(type).accumulator : type;
}

/// A type and an operation at compile time.
template <Type t, Operation o>
struct Case {
  static constexpr Type type = t;
  static constexpr Operation operation = o;
  using element = native<t>;
  using accumulator = native<accumulator_of(t, o)>;
  using function = Function<o, accumulator>;
};

/// The problem with its types known, as rungs read it.
template <class Case>
struct View {
  const typename Case::element* input;
  std::size_t n;
  typename Case::accumulator* result;
  Groups groups;

  explicit View(const Problem& problem)
      : input(static_cast<const typename Case::element*>(problem.input)),
        n(problem.n),
        result(static_cast<typename Case::accumulator*>(problem.result)),
        groups(problem.groups) {}
};

template <class... Case>
struct Cases {};

template <class... A, class... B>
Cases<A..., B...> operator+(Cases<A...>, Cases<B...>);

/// Lists of the cases of some operations.
template <Operation... operation>
class Each {
  template <Type type>
  using of = Cases<Case<type, operation>...>;
  template <bool carried, Type type>
  using where = std::conditional_t<carried, of<type>, Cases<>>;
  template <std::size_t... i>
  static auto all(std::index_sequence<i...>) -> decltype((Cases<>{} + ... + of<types[i].type>{}));
  template <std::size_t... i>
  static auto integers(std::index_sequence<i...>)
      -> decltype((Cases<>{} + ... + where<types[i].integer, types[i].type>{}));
  using Indices = std::make_index_sequence<types.size()>;

 public:
  template <Type... type>
  using Over = decltype((Cases<>{} + ... + of<type>{}));
  using OverAll = decltype(all(Indices{}));
  using OverIntegers = decltype(integers(Indices{}));
};

/// Cases of every published rung: {int32, int64, float, double} x {sum, min, max}.
using Classic = Each<Operation::sum, Operation::min, Operation::max>::Over<Type::i32, Type::i64,
                                                                           Type::f32, Type::f64>;

/// The operations of `Classic` on all types.
using ClassicOnAll = Each<Operation::sum, Operation::min, Operation::max>::OverAll;

/// All valid cases: bit operations on integers only. Library rungs carry these.
using Everything =
    decltype(Each<Operation::sum, Operation::product, Operation::min, Operation::max>::OverAll{} +
             Each<Operation::bit_and, Operation::bit_or, Operation::bit_xor>::OverIntegers{});

/// Entry point of a rung: enqueues the reduction on `queue`, or performs it if the rung blocks.
template <class Queue>
using Run = void (*)(Queue& queue, const Problem& problem, const Tuning& tuning);

/// True if a list such as "f32:i8" contains the type; an empty one contains all.
constexpr bool names_type(std::string_view list, Type type) {
  if (list.empty()) return true;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (list.substr(begin, end - begin) == facts(type).name) return true;
    begin = end + 1;
  }
  return false;
}

/// The types that this unit's model is built for (cmake/Options.cmake).
#ifdef LADDER_TYPES
inline constexpr std::string_view built_types = LADDER_TYPES;
#else
inline constexpr std::string_view built_types{};
#endif

/// `Launch<Case>` as a rung's entry point; null if the model is not built for the type.
template <class Queue, template <class> class Launch, class Case>
constexpr Run<Queue> run_of() {
  if constexpr (names_type(built_types, Case::type)) {
    return [](Queue& queue, const Problem& problem, const Tuning& tuning) {
      Launch<Case>::run(queue, View<Case>(problem), tuning);
    };
  } else {
    return nullptr;
  }
}

/// The instance of `Launch` for a type and an operation known at run time; null if `Case...` lacks
/// the pair. `Launch<Case>` has one static function `run(Queue&, const View<Case>&, const
/// Tuning&)`.
template <class Queue, template <class> class Launch, class... Case>
constexpr Run<Queue> pick(Cases<Case...>, Type type, Operation operation) {
  Run<Queue> found = nullptr;
  ((type == Case::type && operation == Case::operation ? void(found = run_of<Queue, Launch, Case>())
                                                       : void()),
   ...);
  return found;
}

}  // namespace ladder
