// Tests teams of any number of threads: results and footprints must not depend on it. The
// contract's tests cover the measured team sizes of each space; these tests cover all others.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/check.hpp"
#include "common/ladder.hpp"
#include "common/model/queue_backend.hpp"
#include "common/model/reduction.hpp"
#include "common/reference.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "tests/guarded_input.hpp"
#include "tests/kokkos/spaces.hpp"

namespace ladder::kokkos {
namespace {

using tests::exact_data;
using tests::in_words;

constexpr std::array blocks{32U, 256U, 1024U};

/// Sizes with full and incomplete teams, and with several passes.
const std::vector<std::size_t>& sizes() {
  static const std::vector<std::size_t> all{1, 33, 1000, 4097, 70001};
  return all;
}

/// Largest size per block. 4097 elements in blocks of 32 take three passes; more would need
/// thousands of teams, whose threads wait for each other at each level.
constexpr std::size_t most_of(unsigned block) { return block == 32 ? 4097 : 70001; }

std::unique_ptr<Queue> open(const Space& space) {
  return std::make_unique<Queue>(space.open(0));  // the runtime is kept
}

/// Returns team sizes. On a GPU also non-multiples of a warp, and sizes above a kernel's block: the
/// team then has one thread per leaf.
std::vector<unsigned> team_sizes(const Queue& queue) {
  if (!queue.on_host()) return {1, 3, 7, 32, 33, 100, 256, 1024};
  std::vector<unsigned> all;
  for (unsigned size = 1; size <= queue.largest_team(); ++size) all.push_back(size);
  return all;
}

/// Returns a grid too small for the larger sizes in one step, and items that leave a remainder.
Tuning tuning_of(std::size_t rung, unsigned block) {
  return filled_in(device_ladder[rung], {.items = 3}, {.block = block, .grid = 7});
}

/// One table serves all spaces and teams, so that their measurements compare the same work.
void expect_same_work(const Footprint& footprint, const Footprint& there) {
  EXPECT_EQ(footprint.scratch_bytes, there.scratch_bytes);
  EXPECT_EQ(footprint.depth(), there.depth());
  ASSERT_EQ(footprint.launches.size(), there.launches.size());
  for (std::size_t i = 0; i < footprint.launches.size(); ++i) {
    const ladder::Launch &launch = footprint.launches[i], &other = there.launches[i];
    EXPECT_EQ(launch.pass.read_bytes, other.pass.read_bytes) << "launch " << i;
    EXPECT_EQ(launch.pass.written_bytes, other.pass.written_bytes) << "launch " << i;
    EXPECT_EQ(launch.grid, other.grid) << "launch " << i;
  }
}

/// Device array whose first element is one element past a 16-byte boundary.
class Input {
 public:
  Input(Queue& queue, Type type, const Recipe& recipe, std::size_t n)
      : queue_(queue),
        type_(type),
        recipe_(recipe),
        buffer_(queue.device().allocate((n + 1) * facts(type).bytes)) {
    write(0, n);
  }

  void* at(std::size_t index) const { return buffer_->data() + (index + 1) * facts(type_).bytes; }

  void write(std::size_t first, std::size_t count) {
    queue_.device().fill(at(first), type_, recipe_, first, count);
  }
  void plant(std::size_t place) {
    with_type(type_, [&]<Type t>() {
      const auto extreme = planted_element<native<t>>(recipe_.operation, recipe_, place);
      queue_.device().upload(at(place), &extreme, sizeof extreme);
    });
  }

 private:
  Queue& queue_;
  Type type_;
  Recipe recipe_;
  std::unique_ptr<Buffer> buffer_;
};

/// Specific to each space: another layout on a host, and fixed teams on a GPU.
constexpr std::string_view tuned = "r30";

using Cell = std::tuple<Space, std::size_t>;

/// Each rung on each space.
std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const Space& space : spaces()) {
    for (std::size_t rung = 0; rung < table().size(); ++rung) {
      if (!table()[rung].present) continue;
      if (device_ladder[rung].id == tuned && !space.on_host) continue;
      all.emplace_back(space, rung);
    }
  }
  return all;
}

class TeamSizes : public testing::TestWithParam<Cell> {
 protected:
  void SetUp() override {
    if (const auto why = why_not_started(0)) GTEST_SKIP() << *why;
    Kept::start(team_threads);
    queue_ = open(space());
  }
  void TearDown() override {
    if (queue_ != nullptr) queue_->device().synchronize();
  }

  const Space& space() const { return std::get<0>(GetParam()); }
  std::size_t rung() const { return std::get<1>(GetParam()); }
  Queue& queue() { return *queue_; }

  /// Returns a problem whose result goes to the queue's result memory.
  Problem problem(const Input& input, std::size_t n, Type type, Operation operation) {
    return {input.at(0), n, type, operation, queue().result()};
  }
  /// Result of a run, and the memory traffic of its launches.
  struct Ran {
    Value value;
    Footprint footprint;
  };
  /// Runs as the backend does, but without pinned threads.
  Ran run(const Problem& problem, const Tuning& tuning) {
    const auto launch = table()[rung()].find(problem.type, problem.operation);
    const Footprint footprint = queue().trace([&] { launch(queue(), problem, tuning); },
                                              false);  // does not query its kernels
    queue().reserve(footprint.scratch_bytes);
    Reduction job(queue(), Footprint(footprint), launch, problem, tuning, false);
    job.spoil();
    job.run();
    job.fetch();
    return {job.result(), footprint};
  }

 private:
  std::unique_ptr<Queue> queue_;
};

TEST_P(TeamSizes, are_all_right_and_do_the_same_work_on_every_space) {
  const auto other = open(device_ladder[rung()].id == tuned ? space() : spaces().front());
  for (const Type type : {Type::i32, Type::f32}) {
    for (const Operation operation : {Operation::sum, Operation::max}) {
      if (table()[rung()].find(type, operation) == nullptr) continue;
      const auto [recipe, expected_of_all] = exact_data(type, operation, sizes());
      Input input(queue(), type, recipe, sizes().back());
      for (const Reference& reference : expected_of_all) {
        const std::size_t n = reference.n;
        std::optional<std::size_t> planted;
        Reference expected = reference;
        if (plants(operation)) {
          planted = n - 1;
          expected = with_planted(reference, type, recipe, n - 1);
          input.plant(n - 1);
        }
        for (const unsigned block : blocks) {
          if (n > most_of(block)) continue;
          const Tuning tuning = tuning_of(rung(), block);
          const Problem some = problem(input, n, type, operation);
          const auto launch = table()[rung()].find(type, operation);
          const Footprint there = other->trace([&] { launch(*other, some, tuning); }, false);
          for (const unsigned team : team_sizes(queue())) {
            queue().limit_team(team);
            const Ran ran = run(some, tuning);
            const Verdict verdict = check(ran.value, expected, false, 0);
            EXPECT_TRUE(verdict.ok) << in_words(type, operation, n, tuning, planted)
                                    << ", teams of " << team << ": " << verdict.message;
            expect_same_work(ran.footprint, there);
          }
        }
        if (planted) input.write(*planted, 1);
      }
    }
  }
}

/// The distribution of leaves over threads and lanes must not change which values are added. Only
/// atomic updates come in any order.
TEST_P(TeamSizes, add_the_same_pairs) {
  if ((device_ladder[rung()].traits & atomic_updates) != 0) GTEST_SKIP() << "in any order";
  constexpr std::size_t n = 4097;
  const Input input(queue(), Type::f32, {Data::uniform, Operation::sum, 5}, n);
  const Problem sum = problem(input, n, Type::f32, Operation::sum);
  for (const unsigned block : blocks) {
    const Tuning tuning = tuning_of(rung(), block);
    std::optional<Value> first;
    for (const unsigned team : team_sizes(queue())) {
      queue().limit_team(team);
      for (int again = 0; again < 3; ++again) {
        const Value got = run(sum, tuning).value;
        if (!first) first = got;
        EXPECT_EQ(got, *first) << "block " << block << ", teams of " << team << ", run " << again;
      }
    }
  }
}

constexpr auto in_words_of_its_cell = [](const auto& which) {
  const auto& [space, rung] = which.param;
  return in_name(space.name) + "_" + full_name(device_ladder[rung]);
};
INSTANTIATE_TEST_SUITE_P(Kokkos, TeamSizes, testing::ValuesIn(cells()), in_words_of_its_cell);

/// Guards against vacuous tests above.
TEST(Spaces, of_several_threads_have_teams_of_as_many) {
  if (const auto why = why_not_started(0)) GTEST_SKIP() << *why;
  Kept::start(team_threads);
  for (const Space& space : spaces()) {
    const auto queue = open(space);
    const unsigned expected = space.name == "kokkos/serial" ? 1 : team_threads;
    if (space.on_host) {
      EXPECT_EQ(queue->largest_team(), expected) << space.name;
    } else {
      EXPECT_GE(queue->largest_team(), largest_block) << space.name;
    }
  }
}

/// The address of a result can cost a few percent, which would be attributed to the space.
TEST(Spaces, of_one_device_write_to_the_same_memory) {
  if (const auto why = why_not_started(0)) GTEST_SKIP() << *why;
  Kept::start(team_threads);
  std::map<Device*, std::unique_ptr<Queue>> first;
  for (const Space& space : spaces()) {
    auto queue = open(space);
    const auto [known, is_first] = first.try_emplace(&queue->device(), nullptr);
    if (is_first) {
      known->second = std::move(queue);
      continue;
    }
    EXPECT_EQ(queue->result(), known->second->result()) << space.name;
    EXPECT_EQ(queue->ticket(), known->second->ticket()) << space.name;
  }
}

}  // namespace
}  // namespace ladder::kokkos
