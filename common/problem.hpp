#pragma once

// What a rung is given: the problem with its groups, the tuning, and the list of (type, operation)
// pairs that it is instantiated for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder {

/// What gets a result of its own: the whole array, each row or column of a matrix that lies row
/// behind row, or each segment between two offsets. `Rung::groupings` joins these bits.
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

/// The groups of a problem, each of which is reduced to a result of its own. A group may be empty:
/// its result is the identity.
struct Groups {
  Grouping by = Grouping::whole;
  std::size_t count = 1;   ///< groups, and so results
  std::size_t length = 0;  ///< elements of each group; of segments the longest
  /// Elements from the beginning of a row of the matrix to that of the next one.
  std::size_t pitch = 0;
  /// Segment g has the elements from offsets[g] to offsets[g + 1], `count` + 1 offsets in all that
  /// never descend; where the rung reads them.
  const std::int64_t* offsets = nullptr;

  /// Elements from the first to behind the last one that is reduced, of n in all.
  constexpr std::size_t extent(std::size_t n) const {
    if (n == 0) return 0;
    if (by == Grouping::rows) return (count - 1) * pitch + length;
    if (by == Grouping::columns) return (length - 1) * pitch + count;
    return n;
  }
  /// The index of element i of group g; not for segments, whose offsets may lie on a device.
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

/// How a rung is laid out. Zero means: the backend's default for this rung on this device.
struct Tuning {
  unsigned block = 0;    ///< threads in a block; a power of two
  unsigned grid = 0;     ///< blocks in the grid, for rungs with a fixed grid
  unsigned items = 0;    ///< elements per thread, for coarsened rungs
  unsigned workers = 0;  ///< threads, on a CPU
  unsigned shares = 0;   ///< devices or ranks that take part
  bool operator==(const Tuning&) const = default;
};

/// What a reduction's result is: sums and products are carried in the type's accumulator, the rest
/// keep the element type.
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

/// The problem as a rung's source reads it, its types known.
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

/// The cases of some operations.
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

/// What every published rung carries: {int32, int64, float, double} x {sum, min, max}.
using Classic = Each<Operation::sum, Operation::min, Operation::max>::Over<Type::i32, Type::i64,
                                                                           Type::f32, Type::f64>;

/// The same on all types.
using ClassicOnAll = Each<Operation::sum, Operation::min, Operation::max>::OverAll;

/// All that makes sense: bit operations on integers only. Library rungs carry these.
using Everything =
    decltype(Each<Operation::sum, Operation::product, Operation::min, Operation::max>::OverAll{} +
             Each<Operation::bit_and, Operation::bit_or, Operation::bit_xor>::OverIntegers{});

/// What a rung's registration hands out: it puts the reduction onto `queue` (or carries it out, if
/// the rung blocks).
template <class Queue>
using Run = void (*)(Queue& queue, const Problem& problem, const Tuning& tuning);

/// Whether a list as "f32:i8" names a type; an empty one names all.
constexpr bool names_type(std::string_view list, Type type) {
  if (list.empty()) return true;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (list.substr(begin, end - begin) == facts(type).name) return true;
    begin = end + 1;
  }
  return false;
}

/// The types that the model whose source this is part of is built for (cmake/Options.cmake).
#ifdef LADDER_TYPES
inline constexpr std::string_view built_types = LADDER_TYPES;
#else
inline constexpr std::string_view built_types{};
#endif

/// `Launch<Case>` as a rung hands it out; null where the model is not built for the type.
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

/// The instance of `Launch` for a type and an operation known at run time; null where `Case...`
/// does not hold the pair. `Launch<Case>` has one static function `run(Queue&, const View<Case>&,
/// const Tuning&)`.
template <class Queue, template <class> class Launch, class... Case>
constexpr Run<Queue> pick(Cases<Case...>, Type type, Operation operation) {
  Run<Queue> found = nullptr;
  ((type == Case::type && operation == Case::operation ? void(found = run_of<Queue, Launch, Case>())
                                                       : void()),
   ...);
  return found;
}

}  // namespace ladder
