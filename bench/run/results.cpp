#include "bench/run/results.hpp"

#include <algorithm>

namespace ladder::bench {

const Ceiling::Candidate& Ceiling::best() const {
  return *std::ranges::min_element(candidates, {}, [](const Candidate& c) {
    return c.seconds.empty() ? 1e30 : Statistics(c.seconds).median;
  });
}

double Ceiling::gbs() const {
  return static_cast<double>(bytes) / Statistics(best().seconds).median * 1e-9;
}

std::string Ceiling::configuration() const {
  return device->ceiling_configurations()[best().configuration];
}

const Ceiling* Results::ceiling_of(const Measurement& m) const {
  for (const auto& ceiling : ceilings) {
    const bool same = ceiling.device == &m.device() && ceiling.asked_bytes == m.bytes() &&
                      ceiling.cache == m.cache;
    if (same && !ceiling.best().seconds.empty()) return &ceiling;
  }
  return nullptr;
}

}  // namespace ladder::bench
