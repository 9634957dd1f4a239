#include "common/device/host/sweep.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "common/accounting.hpp"

namespace ladder::host {
namespace {

template <unsigned width>
struct Vector {
  using type [[gnu::vector_size(width)]] = std::uint64_t;
};

template <unsigned width, unsigned streams, unsigned loads, unsigned ahead>
std::uint64_t read(const std::byte* data, std::size_t bytes) {
  using V = typename Vector<width>::type;
  constexpr std::size_t step = std::size_t{width} * loads, lines = (step + 63) / 64;
  const std::size_t part = bytes / streams / step * step;  // per stream
  V folded[streams * loads] = {};
  for (std::size_t at = 0; at < part; at += step) {
    for (unsigned stream = 0; stream < streams; ++stream) {
      const std::byte* from = data + stream * part + at;
      if constexpr (ahead != 0) {
        for (std::size_t line = 0; line < lines; ++line) {
          __builtin_prefetch(from + ahead + line * 64);
        }
      }
      for (unsigned k = 0; k < loads; ++k) {
        V loaded;
        std::memcpy(&loaded, from + std::size_t{k} * width, width);
        folded[stream * loads + k] += loaded;
      }
    }
  }
  std::uint64_t words[streams * step / 8], all = 0;
  std::memcpy(words, folded, sizeof words);
  for (const std::uint64_t word : words) all += word;
  for (std::size_t at = streams * part; at < bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, 8);
    all += word;
  }
  return all;
}

template <unsigned width, unsigned streams, unsigned loads, unsigned ahead>
constexpr Reading reading{width, streams, loads, ahead, read<width, streams, loads, ahead>};

constexpr std::array compiled_readings{
    reading<16, 1, 8, 0>, reading<16, 4, 4, 0>,   reading<32, 1, 8, 0>,
    reading<32, 4, 2, 0>, reading<32, 8, 2, 512>, reading<64, 1, 4, 0>,
    reading<64, 4, 2, 0>, reading<64, 8, 1, 512>, reading<64, 8, 1, 2048>,
};

}  // namespace

std::vector<Reading> readings() {
  auto all = readings_in_vectors();
  all.insert(all.end(), compiled_readings.begin(), compiled_readings.end());
  return all;
}
std::vector<Reading> few_readings() {
  const auto all = readings_in_vectors();
  return {all[0], all[1], compiled_readings[2]};
}

std::string Reading::text() const {
  return std::to_string(width) + "-byte vectors, " + std::to_string(streams) +
         (streams == 1 ? " stream of " : " streams of ") + std::to_string(loads) +
         (loads == 1 ? " load, " : " loads, ") +
         (ahead == 0 ? "no prefetch" : "prefetch " + std::to_string(ahead) + " bytes ahead");
}

std::uint64_t sweep(Team& team, unsigned workers, const Reading& reading, const std::byte* data,
                    std::size_t bytes) {
  if (workers == 1) return reading.read(data, bytes);
  std::atomic<std::uint64_t> all{0};
  team.run(workers, [&](unsigned worker) {
    // Shares of whole pages, as equal as possible.
    constexpr std::size_t page = 4096;
    const std::size_t share = (bytes / workers + page - 1) / page * page;
    const std::size_t begin = std::min(bytes, worker * share);
    const std::size_t end = worker + 1 == workers ? bytes : std::min(bytes, begin + share);
    all.fetch_add(reading.read(data + begin, end - begin), std::memory_order_relaxed);
  });
  return all.load();
}

std::uint64_t sweep_in_turns(Team& team, unsigned workers, const Reading& reading,
                             const std::byte* data, std::size_t bytes) {
  std::atomic<std::uint64_t> all{0};
  team.run_in_turns(workers, ceil_div(bytes, turn_bytes), [&](std::size_t turn) {
    const std::size_t begin = turn * turn_bytes;
    all.fetch_add(reading.read(data + begin, std::min(turn_bytes, bytes - begin)),
                  std::memory_order_relaxed);
  });
  return all.load();
}

}  // namespace ladder::host
