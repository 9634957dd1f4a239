// The contract of every rung of many reductions at once: the result of each group, for any shape,
// alignment and content of the gaps between groups.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/contract.hpp"
#include "tests/refusal.hpp"

namespace ladder::tests {
namespace {

/// Groups, and the host's copy of segment offsets.
struct Shaped {
  std::size_t n = 0;
  Groups groups;
  std::vector<std::int64_t> offsets;

  std::string text() const {
    return std::string(name(groups.by)) + ": " + std::to_string(groups.count) + " of " +
           std::to_string(groups.length) + ", pitch " + std::to_string(groups.pitch);
  }
  std::size_t length(std::size_t g) const {
    return offsets.empty() ? groups.length : static_cast<std::size_t>(offsets[g + 1] - offsets[g]);
  }
  std::size_t index(std::size_t g, std::size_t i) const {
    return offsets.empty() ? groups.index(g, i) : static_cast<std::size_t>(offsets[g]) + i;
  }
};

/// Adds a matrix whose rows lie `gap` elements apart in memory.
void add_matrix(std::vector<Shaped>& all, Grouping by, std::size_t rows, std::size_t columns,
                std::size_t gap) {
  const bool by_rows = by == Grouping::rows;
  all.push_back({rows * columns,
                 {.by = by,
                  .count = by_rows ? rows : columns,
                  .length = by_rows ? columns : rows,
                  .pitch = columns + gap},
                 {}});
}

void add_segments(std::vector<Shaped>& all, const std::vector<std::size_t>& lengths) {
  Shaped shaped;
  shaped.offsets.push_back(0);
  for (const std::size_t length : lengths) {
    shaped.offsets.push_back(shaped.offsets.back() + static_cast<std::int64_t>(length));
    shaped.groups.length = std::max(shaped.groups.length, length);
  }
  shaped.n = static_cast<std::size_t>(shaped.offsets.back());
  shaped.groups.by = Grouping::segments;
  shaped.groups.count = lengths.size();
  all.push_back(std::move(shaped));
}

/// Shapes at the boundaries of lanes, vectors, warps, tiles, blocks and grids; and primes.
std::vector<Shaped> shapes_of(Grouping by) {
  constexpr std::size_t most = 300000;
  std::vector<Shaped> all;
  std::mt19937 random(7);
  if (by == Grouping::segments) {
    add_segments(all, {0});
    add_segments(all, {0, 0, 1, 0});
    add_segments(all, {5000});
    add_segments(all, {100000, 1, 0, 3});
    add_segments(all, std::vector<std::size_t>(3000, 0));
    add_segments(all, std::vector<std::size_t>(70000, 1));
    for (const std::size_t longest : {3U, 40U, 700U, 20000U}) {
      std::vector<std::size_t> lengths(50);
      for (auto& length : lengths) length = random() % (longest + 1);
      lengths.resize(longest < 1000 ? 1000 : 50, longest / 3);
      add_segments(all, lengths);
    }
    return all;
  }
  const std::vector<std::size_t> sides{1,   2,   3,   4,   5,    7,    8,    9,    15,    16,
                                       17,  31,  32,  33,  63,   64,   65,   100,  127,   128,
                                       129, 255, 256, 257, 1000, 1023, 1025, 4097, 16384, 70001};
  const bool rows = by == Grouping::rows;
  for (const std::size_t side : sides) {
    for (const std::size_t other : {std::size_t{1}, 2 + side % 5, std::size_t{259}}) {
      for (const std::size_t gap : {std::size_t{0}, std::size_t{1} + side % 7}) {
        if (side * (other + gap) <= most) add_matrix(all, by, other, side, gap);
      }
    }
  }
  add_matrix(all, by, rows ? 3 : 0, rows ? 0 : 3, 0);  // empty groups
  add_matrix(all, by, 2111, 37, 0);
  add_matrix(all, by, rows ? 3 : 3000, rows ? 90000 : 48, 0);
  return all;
}

/// An input with guards before, between and after the groups, and its references.
template <class T>
struct GroupedInput {
  std::vector<T> host;
  GroupReferences expected;
  std::unique_ptr<Buffer> input, offsets;

  /// Places the first element `offset` elements past an aligned address and plants extremes in some
  /// groups, at their first or last element.
  GroupedInput(Backend& backend, Type type, Operation operation, const Shaped& shaped,
               std::size_t offset) {
    constexpr std::size_t guards = 80;
    const Recipe recipe{Data::exact, operation, 5};
    const Groups& groups = shaped.groups;
    expected =
        group_references({type, recipe, nullptr}, operation, groups, shaped.offsets, false, 2);
    host.assign(offset + groups.extent(shaped.n) + guards, guard_element<T>(operation));
    for (std::size_t g = 0; g < groups.count; ++g)
      for (std::size_t i = 0; i < shaped.length(g); ++i)
        host[offset + shaped.index(g, i)] = element<T>(recipe, shaped.index(g, i));
    for (const std::size_t g : {std::size_t{0}, groups.count / 2, groups.count - 1}) {
      if (shaped.length(g) == 0 || !plants(operation)) continue;
      const std::size_t at = shaped.index(g, g % 2 == 0 ? shaped.length(g) - 1 : 0);
      host[offset + at] = planted_element<T>(operation, recipe, at);
      plant(expected, g, recipe, type, at);
    }
    auto& device = backend.device();
    input = device.allocate(host.size() * sizeof(T));
    device.upload(input->data(), host.data(), host.size() * sizeof(T));
    if (shaped.offsets.empty()) return;
    const std::size_t bytes = shaped.offsets.size() * sizeof shaped.offsets.front();
    offsets = device.allocate(bytes);
    device.upload(offsets->data(), shaped.offsets.data(), bytes);
  }
};

void expect_groups(const Subject& subject, Type type, Operation operation, const Shaped& shaped,
                   std::size_t offset) {
  with_type(type, [&]<Type t>() {
    using T = native<t>;
    const GroupedInput<T> made(subject.backend, type, operation, shaped, offset);
    Problem problem{reinterpret_cast<const T*>(made.input->data()) + offset,
                    shaped.n,
                    type,
                    operation,
                    nullptr,
                    shaped.groups};
    if (made.offsets != nullptr)
      problem.groups.offsets = reinterpret_cast<const std::int64_t*>(made.offsets->data());
    const auto job = subject.backend.prepare(subject.rung, problem, {});
    for (int again = 0; again < 2; ++again) {
      (void)result_of(subject.backend, *job);
      const Verdict verdict = check_groups(job->results(), made.expected, false,
                                           job->footprint().depth(), std::byte{spoiled_byte});
      EXPECT_TRUE(verdict.ok) << facts(type).name << " " << facts(operation).name << ", "
                              << shaped.text() << ", offset " << offset << ", run " << again + 1
                              << ": " << verdict.message;
    }
    if (shaped.n > 0) {
      EXPECT_GE(job->footprint().depth(), 1U) << shaped.text();
      if (!subject.info().library) {
        EXPECT_GE(job->footprint().moved_bytes(), shaped.n * sizeof(T)) << shaped.text();
      }
    }
  });
}

}  // namespace

void reduces_every_group(const Subject& subject) {
  for (const auto by : {Grouping::rows, Grouping::columns, Grouping::segments}) {
    if (!subject.info().rung.takes(by)) continue;
    const auto shapes = shapes_of(by);
    std::size_t turn = 0;
    for_each_carried(subject, [&](Type type, Operation operation) {
      for (std::size_t i = turn++ % 4; i < shapes.size(); i += 4) {
        const std::size_t offset = (i / 4 + turn) % 3;  // aligned and unaligned in turn
        expect_groups(subject, type, operation, shapes[i], offset);
      }
    });
  }
}

void refuses_other_groups(const Subject& subject) {
  for (const auto by : {Grouping::whole, Grouping::rows, Grouping::columns, Grouping::segments}) {
    if (subject.info().rung.takes(by)) continue;
    const Problem problem{nullptr, 0, Type::f32, Operation::sum, nullptr, {.by = by}};
    if (!subject.backend.carries(subject.rung, Type::f32, Operation::sum)) continue;
    const std::string text =
        refusal_of([&] { (void)subject.backend.prepare(subject.rung, problem, {}); });
    EXPECT_NE(text.find(name(by)), std::string::npos) << name(by) << ": " << text;
  }
}

}  // namespace ladder::tests
