#pragma once

// How the devices of a process reach each other, over the words of a GPU's run-time library.

#include <span>
#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace ladder::several::gpu {

/// The numbers of devices among those that the process sees.
template <class Runtime>
std::vector<int> numbers_of(std::span<Device* const> devices) {
  std::vector<int> numbers;
  for (Device* const device : devices) {
    device->select();
    Runtime::check(Runtime::current_device(&numbers.emplace_back()));
  }
  devices.front()->select();
  return numbers;
}

/// Whether one reaches the other's memory, whether by atomic operations too (NVLink and Infinity
/// Fabric do), and the driver's rank of the way. What the library does not tell is left out.
template <class Runtime>
std::string access_between(int from, int to) {
  const auto told = [&](typename Runtime::Between what) {
    int value = 0;
    if (Runtime::between(&value, what, from, to) == Runtime::success) return value;
    (void)Runtime::last_error();
    return -1;
  };
  using Between = typename Runtime::Between;
  const int access = told(Between::access), rank = told(Between::rank);
  if (access < 0) return {};
  if (access == 0) return "no access";
  std::string said = "access";
  if (told(Between::atomics) > 0) said += " and atomics";
  if (rank >= 0) said += ", rank " + std::to_string(rank);
  return said;
}

struct NoLinks {
  std::vector<Fact> operator()(int, int) const { return {}; }
};

/// What holds of each pair of GPUs: `more(from, to)` adds what one vendor alone tells.
template <class Runtime, class More = NoLinks>
std::vector<Fact> topology(std::span<Device* const> devices, const char* source, More more = {}) {
  const auto numbers = numbers_of<Runtime>(devices);
  std::vector<Fact> facts;
  for (const int from : numbers) {
    for (const int to : numbers) {
      if (from == to) continue;
      const std::string pair = "GPU " + std::to_string(from) + " to GPU " + std::to_string(to);
      if (auto said = access_between<Runtime>(from, to); !said.empty())
        facts.push_back({pair, std::move(said), source});
      for (Fact& fact : more(from, to)) {
        fact.name = pair + " " + fact.name;
        facts.push_back(std::move(fact));
      }
    }
  }
  return facts;
}

}  // namespace ladder::several::gpu
