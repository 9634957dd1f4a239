#include <algorithm>
#include <cstdio>
#include <map>

#include "bench/plan.hpp"

namespace ladder::bench {

std::string Measurement::name() const {
  const auto axes = info().rung.axes;
  std::string text = "reduce/" + std::string(backend->name()) + "/" + full_name(info().rung) + "/" +
                     std::string(facts(type).name) + "/" + std::string(facts(operation).name) +
                     "/n:" + std::to_string(n);
  const auto part = [&](unsigned which, const char* label, unsigned value) {
    if ((axes & which) != 0) text += label + std::to_string(value);
  };
  part(block_axis, "/block:", tuning.block);
  part(grid_axis, "/grid:", tuning.grid);
  part(items_axis, "/items:", tuning.items);
  part(workers_axis, "/workers:", tuning.workers);
  text += "/" + std::string(ladder::name(data));
  if (place) text += "/place:" + std::string(ladder::name(*place));
  return text + "/" + std::string(bench::name(cache)) + "/" + std::string(bench::name(scope));
}

std::string Measurement::id() const {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::size_t memory_size(const DeviceFacts& facts) {
  return std::max<std::size_t>(std::size_t{256} << 20, 4 * facts.last_level_cache);
}

bool share_input(const Measurement& a, const Measurement& b) {
  return a.type == b.type && a.data == b.data &&
         (a.data != Data::exact || a.operation == b.operation) &&
         a.backend->memory_space() == b.backend->memory_space();
}

std::vector<std::pair<std::string, std::size_t>> resident_bytes(const Plan& plan) {
  std::vector<const Measurement*> largest;  // of each group that shares an input
  for (const auto& m : plan.measurements) {
    const auto same =
        std::ranges::find_if(largest, [&](const auto* other) { return share_input(*other, m); });
    if (same == largest.end()) {
      largest.push_back(&m);
    } else if (m.n > (*same)->n) {
      *same = &m;
    }
  }
  std::map<std::string, std::size_t> bytes;
  for (const auto* m : largest) {
    bytes[m->backend->memory_space()] += m->bytes() + guard_elements * facts(m->type).bytes;
  }
  return {bytes.begin(), bytes.end()};
}

}  // namespace ladder::bench
