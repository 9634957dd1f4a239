#include "bench/cells.hpp"

#include <algorithm>

namespace ladder::bench {

std::string ratio(double value, double uncertainty) {
  return number_text(value, std::min(3, warranted_digits(value, uncertainty)));
}

std::string percent(const std::optional<double>& part, double uncertainty) {
  return part ? ratio(100 * *part, uncertainty) : "unknown";
}

std::string checked(const Row& row) {
  const auto all = std::to_string(row.seconds.size() + row.wrong);
  if (row.wrong > 0) return "WRONG " + std::to_string(row.wrong) + "/" + all;
  if (row.failed > 0 || row.seconds.empty()) return "FAILED";
  return all + "/" + all + (row.vacuous ? " (bound vacuous)" : "");
}

std::string conditions_text(const Measurement& m) {
  return std::string(name(m.data)) + " data, " + std::string(name(m.cache)) + ", " +
         std::string(name(m.scope)) + " scope";
}

std::string problem_text(const Measurement& m) {
  return std::string(facts(m.type).words) + " " + std::string(facts(m.operation).name) + ", " +
         conditions_text(m);
}

std::string size_text(const Measurement& m) {
  return "n = " + elements_text(m.n) + " (" + bytes_text(static_cast<double>(m.bytes())) + ")";
}

std::string place_text(const Measurement& m) {
  return m.place && *m.place != Place::random ? "@" + std::string(name(*m.place)) : "";
}

}  // namespace ladder::bench
