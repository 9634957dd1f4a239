#pragma once

// How the devices of a process reach each other, over the words of a GPU's run-time library.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "several/local/pci.hpp"

namespace ladder::several::gpu {

/// A GPU by its number among those that the process sees, and its PCI bus address.
struct Place {
  int number;
  std::string address;

  std::string name() const { return "GPU " + std::to_string(number); }
};

template <class Runtime>
std::vector<Place> places_of(std::span<Device* const> devices) {
  std::vector<Place> places;
  for (Device* const device : devices) {
    Place place{};
    std::array<char, 32> address{};
    device->select();
    Runtime::check(Runtime::current_device(&place.number));
    Runtime::check(
        Runtime::address_of(address.data(), static_cast<int>(address.size()), place.number));
    place.address = address.data();
    places.push_back(place);
  }
  devices.front()->select();
  return places;
}

/// Whether one reaches the other's memory, whether by atomic operations too (NVLink and Infinity
/// Fabric do), and the driver's rank of the way. What the library does not tell is left out.
template <class Runtime>
std::string access_between(const Place& from, const Place& to) {
  const auto told = [&](typename Runtime::Between what) {
    int value = 0;
    if (Runtime::between(&value, what, from.number, to.number) == Runtime::success) return value;
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
  std::vector<Fact> operator()(const Place&, const Place&) const { return {}; }
};

/// What holds of each GPU, and of each pair: `more(from, to)` adds what one vendor alone tells.
template <class Runtime, class More = NoLinks>
std::vector<Fact> topology(std::span<Device* const> devices, const char* source, More more = {}) {
  const auto places = places_of<Runtime>(devices);
  std::vector<Fact> facts;
  for (const Place& place : places) {
    for (Fact& fact : plugged_in(place.name(), place.address)) facts.push_back(std::move(fact));
  }
  for (const Place& from : places) {
    for (const Place& to : places) {
      if (from.number == to.number) continue;
      const std::string pair = from.name() + " to " + to.name();
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
