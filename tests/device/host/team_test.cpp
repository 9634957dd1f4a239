// The threads that start faster than OpenMP's: the place of each, and that none spins needlessly.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "common/device/host/machine.hpp"
#include "common/device/host/thread_team.hpp"
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

TEST_F(Teams, do_without_those_that_sleep_until_a_caller_comes_again) {
  if (most() < 2) GTEST_SKIP() << "one hardware thread: there is nobody to be woken";
  const auto others = [&] {  // counts workers other than the caller
    std::atomic<unsigned> count{0};
    std::vector<std::atomic<int>> calls(most());
    const auto caller = std::this_thread::get_id();
    team.run_if_awake(most(), [&](unsigned worker) {
      ++calls[worker];
      if (std::this_thread::get_id() != caller) ++count;
    });
    for (const auto& each : calls) EXPECT_EQ(each, 1);
    return count.load();
  };
  const auto fall_asleep = [&] {  // a thread without a processor takes longer
    for (int i = 0; i < 100 && others() != 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  EXPECT_EQ(others(), 0U) << "none has been started yet";
  team.run(most(), [](unsigned) {});
  fall_asleep();
  EXPECT_EQ(others(), 0U);
  EXPECT_EQ(others(), 0U) << "not armed: they would not be there the next time either";
  team.arm();
  EXPECT_EQ(others(), 0U) << "they still sleep";
  EXPECT_EQ(others(), most() - 1) << "woken, and waited for";
  EXPECT_EQ(others(), most() - 1);
  team.disarm();
  fall_asleep();
  EXPECT_EQ(others(), 0U);
}

TEST_F(Teams, sleep_when_they_are_not_armed) {
  team.arm();
  team.run(most(), [](unsigned) {});
  team.disarm();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::clock_t before = std::clock();  // CPU time of all threads of the process
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
}

TEST_F(Teams, start_no_thread_more_than_the_workers_besides_the_caller) {
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<unsigned>(std::distance(begin(tasks), end(tasks)));
  };
  std::thread([] {}).join();  // a sanitizer starts its own with the first one
  const unsigned before = threads();
  for (unsigned workers = 1; workers <= most(); ++workers) {
    team.run(workers, [](unsigned) {});
    EXPECT_EQ(threads() - before, workers - 1);
  }
}

TEST_F(Teams, refuse_more_workers_than_there_are_places) {
  EXPECT_THROW(team.run(most() + 1, [](unsigned) {}), std::runtime_error);
}

}  // namespace
}  // namespace ladder::host
