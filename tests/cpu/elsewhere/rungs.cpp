// Compares the rungs with explicit vectors with a loop over the operation's definition, on a
// foreign processor. Uses no test framework: none is installed for that processor.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "common/data.hpp"
#include "common/fixed_tree.hpp"
#include "cpu/cpu_queue.hpp"
#include "tests/orders.hpp"

namespace ladder::cpu {

// clang-format off
namespace c08 { Run<Queue> find(Type, Operation); }
namespace c09 { Run<Queue> find(Type, Operation); }
namespace c10 { Run<Queue> find(Type, Operation); }
namespace c11 { Run<Queue> find(Type, Operation); }
namespace c12 { Run<Queue> find(Type, Operation); }
namespace c13 { Run<Queue> find(Type, Operation); }
// clang-format on

namespace {

struct Rung {
  const char* id;
  Run<Queue> (*find)(Type, Operation);
};
constexpr Rung rungs[]{{"c08", c08::find}, {"c09", c09::find}, {"c10", c10::find},
                       {"c11", c11::find}, {"c12", c12::find}, {"c13", c13::find}};

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  }
}

/// Returns the number of wrong results of all rungs and numbers of workers; prints each.
template <class Case>
int wrong(const typename Case::element* x, std::size_t n, const char* what,
          std::initializer_list<unsigned> numbers_of_workers = {1, 3}) {
  using A = typename Case::accumulator;
  A expected = Case::function::identity();
  for (std::size_t i = 0; i < n; ++i) expected = typename Case::function{}(expected, A(x[i]));
  int count = 0;
  for (const Rung& rung : rungs) {
    const auto run = rung.find(Case::type, Case::operation);
    if (run == nullptr) continue;
    for (const unsigned workers : numbers_of_workers) {
      Queue queue;
      A result = A(5);
      run(queue, {x, n, Case::type, Case::operation, &result}, {.workers = workers});
      if (same(result, expected)) continue;
      ++count;
      std::printf("%s, type %d, operation %d, n %zu, %s, %u workers: %g, not %g\n", rung.id,
                  static_cast<int>(Case::type), static_cast<int>(Case::operation), n, what, workers,
                  static_cast<double>(result), static_cast<double>(expected));
    }
  }
  return count;
}

template <class Case, class T = typename Case::element>
std::vector<T> exact(std::size_t n) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = element<T>({Data::exact, Case::operation, 1}, i);
  return x;
}

/// Returns the number of wrong results. Large sizes are few and minimal: emulation is slow.
template <class Case>
int of_case() {
  using T = typename Case::element;
  int count = 0;
  // One worker of c13 reads the first size in four pieces and the second in two; three share it.
  for (const std::size_t bytes : {50000U, 400000U}) {
    const std::size_t n = bytes / sizeof(T) + 7;
    const std::vector<T> x = exact<Case>(n + 1);
    count += wrong<Case>(x.data() + 1, n, "exact data", {1, 3});
    if constexpr (is_floating<T> && Case::operation != Operation::product) {
      auto special = x;
      special[n / 2] = std::numeric_limits<T>::quiet_NaN();
      count += wrong<Case>(special.data(), n, "a NaN", {1});
    }
  }
  for (const std::size_t n : {1U, 2U, 15U, 16U, 17U, 63U, 64U, 65U, 255U, 257U, 1000U, 4097U}) {
    const std::vector<T> x = exact<Case>(n + 3);
    for (std::size_t offset = 0; offset < 3; ++offset) {
      count += wrong<Case>(x.data() + offset, n, "exact data");
    }
    if constexpr (is_floating<T> && Case::operation != Operation::product) {
      for (const auto& [what, special] : tests::special_arrays<T>(Case::operation, n))
        count += wrong<Case>(special.data(), n, what.c_str());
    }
  }
  return count;
}

/// Returns how often c11 differs from the fixed tree, and how often c12 differs on reversed input.
/// Every addition and product of the data rounds.
template <class Case>
int of_order() {
  using T = typename Case::element;
  using A = typename Case::accumulator;
  const auto c11 = c11::find(Case::type, Case::operation);
  const auto c12 = c12::find(Case::type, Case::operation);
  int count = 0;
  for (const std::size_t n : {1U, 65U, 1000U, 2048U, 2049U, 60013U}) {
    auto x = tests::rough<T>(Case::operation, n);
    const auto expected = reduce_by<typename Case::function>(fixed_tree<A>, x.data(), n);
    for (unsigned workers = 1; workers <= 3; ++workers) {
      Queue queue;
      A tree{}, sum{}, reversed{};
      c11(queue, {x.data(), n, Case::type, Case::operation, &tree}, {.workers = workers});
      if (c12 != nullptr) {
        c12(queue, {x.data(), n, Case::type, Case::operation, &sum}, {.workers = workers});
        std::reverse(x.begin(), x.end());
        c12(queue, {x.data(), n, Case::type, Case::operation, &reversed}, {.workers = workers});
        std::reverse(x.begin(), x.end());
      }
      if (same(tree, expected) && same(sum, reversed)) continue;
      ++count;
      std::printf(
          "type %d, operation %d, n %zu, %u workers: tree %a, not %a; sum %a, reversed %a\n",
          static_cast<int>(Case::type), static_cast<int>(Case::operation), n, workers,
          static_cast<double>(tree), static_cast<double>(expected), static_cast<double>(sum),
          static_cast<double>(reversed));
    }
  }
  return count;
}

/// Returns the number of wrong results of c13 with tuned configurations, and with dynamic chunks,
/// which start at 2 MiB per worker.
int of_ways() {
  using Sum = Case<Type::f32, Operation::sum>;
  const auto x = exact<Sum>(20012);
  const float expected = std::accumulate(x.begin() + 1, x.end(), 0.0F);  // exact in any order
  using Long = Case<Type::i32, Operation::sum>;
  const auto in_turns = exact<Long>((std::size_t{3} << 19) + 1000);
  int count = wrong<Long>(in_turns.data() + 1, in_turns.size() - 1, "in turns", {3});
  for (const Tuned::HostLine& way :
       {Tuned::HostLine{0, 1, 1, 0}, {0, 3, 2, 0}, {0, 3, 2, 4096}, {0, 1, 4, 0}}) {
    Queue queue;
    queue.host().tuned_.add(Sum::type, Sum::operation, way);
    float result = 5;
    const Problem problem{x.data() + 1, x.size() - 1, Sum::type, Sum::operation, &result};
    c13::find(Sum::type, Sum::operation)(queue, problem, {.workers = 3});
    if (result == expected) continue;
    ++count;
    std::printf("c13, %u workers, %u pieces: %g, not %g\n", way.workers, way.pieces, result,
                expected);
  }
  return count;
}

template <class... Case>
int of_all(Cases<Case...>) {
  return (0 + ... + of_case<Case>());
}
template <class... Case>
int of_orders(Cases<Case...>) {
  return (0 + ... + of_order<Case>());
}

}  // namespace
}  // namespace ladder::cpu

int main() {
  using ladder::Operation, ladder::Type;
  using Rounded = ladder::Each<Operation::sum, Operation::product>::Over<Type::f32, Type::f64,
                                                                         Type::f16, Type::bf16>;
  const int wrong = ladder::cpu::of_all(ladder::Everything{}) + ladder::cpu::of_orders(Rounded{}) +
                    ladder::cpu::of_ways();
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
