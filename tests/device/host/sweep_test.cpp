#include "common/device/host/sweep.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "common/data.hpp"
#include "common/device/host/host_device.hpp"

namespace ladder::host {
namespace {

TEST(Sweep, reads_every_word_once_in_every_configuration) {
  const auto host = open();
  Team& team = host->team();
  for (const std::size_t words : {2U, 512U, 514U, 4098U, 100002U, 6 * 32768U + 2}) {
    std::vector<std::uint64_t> data(words + 1);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < words; ++i) {
      data[i] = random_word(5, i);
      expected += data[i];
    }
    data[words] = 0x5A5A;
    for (unsigned workers = 1; workers <= host->pinning().max_workers(); ++workers) {
      for (const Reading& reading : readings()) {
        const auto* bytes = reinterpret_cast<const std::byte*>(data.data());
        EXPECT_EQ(sweep(team, workers, reading, bytes, words * 8), expected)
            << reading.text() << ", " << words << " words, " << workers << " workers";
        EXPECT_EQ(sweep_in_turns(team, workers, reading, bytes, words * 8), expected)
            << reading.text() << ", " << words << " words, " << workers << " workers in turns";
        EXPECT_EQ(sweep(team, workers, reading, bytes + 8, words * 8 - 16),
                  expected - data[0] - data[words - 1])
            << reading.text() << ", not aligned to its vectors";
      }
    }
  }
}

}  // namespace
}  // namespace ladder::host
