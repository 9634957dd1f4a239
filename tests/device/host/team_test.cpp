// The threads that start faster than OpenMP's: who works where, and that none is awake in vain.

#include "common/team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "common/device/host/machine.hpp"
#include "tests/device/host/masks.hpp"

namespace ladder::host {
namespace {

class Teams : public testing::Test {
 protected:
  unsigned most() const { return static_cast<unsigned>(places.cpus.size()); }
  Places places = find_machine().places;
  Team team = team_at(places);
};

TEST_F(Teams, call_each_worker_once_whether_they_sleep_or_spin) {
  for (const bool armed : {false, true, false}) {
    armed ? team.arm() : team.disarm();
    for (unsigned workers = 1; workers <= most(); ++workers) {
      for (int again = 0; again < 100; ++again) {
        std::vector<std::atomic<int>> calls(most());
        team.run(workers, [&](unsigned worker) { ++calls[worker]; });
        for (unsigned worker = 0; worker < most(); ++worker) {
          EXPECT_EQ(calls[worker], worker < workers ? 1 : 0) << worker << " of " << workers;
        }
      }
    }
  }
}

TEST_F(Teams, see_what_was_written_before_and_are_seen_to_have_written) {
  std::vector<int> values(most());
  team.arm();
  for (int round = 1; round <= 1000; ++round) {
    int given = round;
    team.run(most(), [&](unsigned worker) { values[worker] = given; });
    EXPECT_EQ(std::ranges::count(values, round), static_cast<std::ptrdiff_t>(most()));
  }
}

TEST_F(Teams, work_at_their_places_but_for_the_caller) {
  std::vector<Mask> masks(most());
  team.run(most(), [&](unsigned worker) { masks[worker] = mask_of_caller(); });
  EXPECT_TRUE(same(masks[0], mask_of_caller()));
  for (unsigned worker = 1; worker < most(); ++worker) {
    EXPECT_TRUE(same(masks[worker], mask_of(places.cpus[worker]))) << worker;
  }
}

TEST_F(Teams, sleep_when_they_are_not_armed) {
  team.arm();
  team.run(most(), [](unsigned) {});
  team.disarm();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::clock_t before = std::clock();  // of all threads of the process
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
}

TEST_F(Teams, refuse_more_workers_than_there_are_places) {
  EXPECT_THROW(team.run(most() + 1, [](unsigned) {}), std::runtime_error);
}

}  // namespace
}  // namespace ladder::host
