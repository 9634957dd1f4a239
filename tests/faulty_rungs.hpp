#pragma once

// Building blocks of the faulty rungs of any backend.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "common/model/roster.hpp"
#include "tests/faults.hpp"

namespace ladder::faults {

template <class Queue>
using Find = Run<Queue> (*)(Type, Operation);

/// A rung that is wrong on purpose.
template <class Queue>
struct FaultyRung {
  Extra<Queue> extra;
  Fault fault;
};

/// Properties with the defaults of most GPU faults. `Fault` documents the first two.
struct How {
  Acts acts = always;
  Place place = last;
  unsigned axes = block_axis;
  Tuning defaults = {.block = 256};
  bool blocks = false;  ///< as in the table's entries
};

template <class Queue>
consteval FaultyRung<Queue> wrong(std::string_view id, std::string_view idea, Find<Queue> find,
                                  const How& how = {}) {
  return {{Rung{id, "", "", idea, "wrong on purpose", how.axes},
           Entry<Queue>{id, find, how.defaults, how.blocks}, false},
          Fault{id, how.acts, how.place}};
}

/// Returns the rungs for the backend and adds their faults to the tests' `known` of the model.
template <class Queue>
std::vector<Extra<Queue>> extras_of(std::string_view model,
                                    std::span<const FaultyRung<Queue>> rungs) {
  std::vector<Extra<Queue>> all;
  for (const auto& rung : rungs) {
    all.push_back(rung.extra);
    known[model].push_back(rung.fault);
  }
  return all;
}

/// Runs the rung of `find` on `count(n, bytes per element)` elements.
template <class Queue, Find<Queue> find, std::size_t (*count)(std::size_t n, std::size_t bytes)>
Run<Queue> miscounting(Type type, Operation operation) {
  if (find(type, operation) == nullptr) return nullptr;
  return [](Queue& queue, const Problem& problem, const Tuning& tuning) {
    Problem part = problem;
    part.n = count(problem.n, facts(problem.type).bytes);
    find(problem.type, problem.operation)(queue, part, tuning);
  };
}
constexpr std::size_t all_but_the_last(std::size_t n, std::size_t) { return n - 1; }
constexpr std::size_t one_too_many(std::size_t n, std::size_t) { return n + 1; }  // a guard
constexpr std::size_t whole_vectors(std::size_t n, std::size_t bytes) {
  return n / (16 / bytes) * (16 / bytes);
}
/// True if `whole_vectors` loses elements.
constexpr bool leaves_a_rest(Type type, std::size_t n, unsigned) {
  return n % (16 / facts(type).bytes) != 0;
}

template <class Queue, template <class> class Launch>
Run<Queue> find_classic(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}
/// For faults that change neither a minimum nor a maximum.
template <class Queue, template <class> class Launch>
Run<Queue> find_sum(Type type, Operation operation) {
  return operation == Operation::sum ? find_classic<Queue, Launch>(type, operation) : nullptr;
}

/// Runs a right rung as a step of a faulty one.
template <class Queue, class Case>
void reduce_by(Find<Queue> find, Queue& queue, const View<Case>& problem, const Tuning& tuning) {
  find(Case::type, Case::operation)(
      queue, {problem.input, problem.n, Case::type, Case::operation, problem.result}, tuning);
}

/// A rung of the table under a second name, to time the same code twice.
template <class Queue>
Extra<Queue> alias(std::span<const Rung> ladder, std::span<const Entry<Queue>> table,
                   std::string_view id, std::string_view name) {
  std::size_t rung = 0;
  while (table[rung].id != id) ++rung;
  Extra<Queue> extra{Rung{name, "", "", "another rung under a second name", "", ladder[rung].axes},
                     table[rung], false};
  extra.entry.id = name;
  return extra;
}

}  // namespace ladder::faults
