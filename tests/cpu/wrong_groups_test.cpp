// Faulty rungs of many reductions: the contract's check of all groups detects each.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "common/check.hpp"
#include "cpu/cpu_backend.hpp"
#include "tests/guarded_input.hpp"

namespace ladder::cpu {
namespace {

enum class Mistake { none, last_element, next_row, neighbour, one_row_more, last_row, nothing };

/// Sums the rows as b00 does, with one mistake.
template <Mistake mistake>
Run<Queue> find(Type type, Operation operation) {
  if (type != Type::i32 || operation != Operation::sum) return nullptr;
  return [](Queue&, const Problem& problem, const Tuning&) {
    const auto* x = static_cast<const int*>(problem.input);
    auto* result = static_cast<int*>(problem.result);
    const Groups& rows = problem.groups;
    const std::size_t more = mistake == Mistake::one_row_more ? 1 : 0;
    const std::size_t fewer = mistake == Mistake::last_row ? 1 : 0;
    if (mistake == Mistake::nothing) return;
    for (std::size_t g = 0; g < rows.count + more - fewer; ++g) {
      std::size_t length = g < rows.count ? rows.length : 0;
      if (mistake == Mistake::last_element && length % 4 != 0) --length;
      if (mistake == Mistake::next_row) ++length;
      int sum = 0;
      for (std::size_t i = 0; i < length; ++i) sum += x[g * rows.pitch + i];
      result[mistake == Mistake::neighbour ? (g ^ 1U) : g] = sum;
    }
  };
}

/// A rung, and what the message of its verdict contains.
struct Wrong {
  Extra extra;
  std::string_view told;
};

template <Mistake mistake>
consteval Wrong rung(std::string_view id, std::string_view told) {
  return {{Rung{id, "", "", "wrong on purpose", "", no_axis, "", no_trait, bit(Grouping::rows)},
           Entry{id, find<mistake>, {}, true}, false},
          told};
}

constexpr std::array rungs{
    rung<Mistake::none>("right", ""),
    rung<Mistake::last_element>("loses_a_tail", "(6 of 6 are wrong)"),
    rung<Mistake::next_row>("reads_into_the_next_row", "(6 of 6 are wrong)"),
    rung<Mistake::neighbour>("takes_a_neighbours_place", "(6 of 6 are wrong)"),
    rung<Mistake::one_row_more>("writes_a_result_too_many",
                                "something was written behind the last result"),
    rung<Mistake::last_row>("forgets_the_last_row", "group 5: "),
    rung<Mistake::nothing>("writes_nothing", "(6 of 6 are wrong)")};

TEST(WrongGroups, are_all_seen) {
  const Groups rows{Grouping::rows, 6, 7, 9};
  const Recipe recipe{Data::exact, Operation::sum, 1};
  std::vector<int> x(rows.extent(42) + 8, guard_element<int>(Operation::sum));
  for (std::size_t g = 0; g < rows.count; ++g)
    for (std::size_t i = 0; i < rows.length; ++i)
      x[rows.index(g, i)] = element<int>(recipe, rows.index(g, i));
  const auto expected =
      group_references({Type::i32, recipe, nullptr}, Operation::sum, rows, {}, false, 1);
  for (const auto& [extra, told] : rungs) {
    const auto backend = make_backend({&extra, 1});
    ASSERT_EQ(backend->open(0), std::nullopt);
    const std::string_view id = extra.rung.id;
    const Problem problem{x.data(), 42, Type::i32, Operation::sum, nullptr, rows};
    const auto job = backend->prepare(tests::rung_of(*backend, id), problem, {});
    (void)tests::result_of(*backend, *job);
    const Verdict verdict =
        check_groups(job->results(), expected, false, 1, std::byte{spoiled_byte});
    EXPECT_EQ(verdict.ok, id == "right") << id << ": " << verdict.message;
    EXPECT_NE(verdict.message.find(told), std::string::npos) << id << ": " << verdict.message;
  }
}

}  // namespace
}  // namespace ladder::cpu
