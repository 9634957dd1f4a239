#include "bench/output/row_text.hpp"

#include "bench/results/digits.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {

std::string ratio(double value, double uncertainty) { return digits_text(value, {uncertainty, 3}); }

std::string percent(const std::optional<double>& part, double uncertainty) {
  return part ? ratio(100 * *part, uncertainty) : "unknown";
}

std::string checked(const Row& row) {
  const auto all = row.right() + row.wrong;
  if (row.wrong > 0) return concat("WRONG ", row.wrong, "/", all);
  if (row.failed > 0 || row.seconds.empty()) return "FAILED";
  return concat(all, "/", all, row.vacuous ? " (bound vacuous)" : "",
                row.left_open ? " (NaN left open)" : "");
}

std::string results_text(const Row& row) {
  constexpr std::size_t few = 3;
  std::vector<std::string> all(row.results.begin(), row.results.end());
  if (all.empty()) return "no right result";
  const auto more = all.size() - std::min(all.size(), few);
  all.resize(all.size() - more);
  return join(all) + (more == 0 ? "" : concat(" and ", more, " more"));
}

std::string conditions_text(const Measurement& m) {
  return concat(name(m.data), " data, ", name(m.cache), ", ", name(m.scope), " scope");
}

std::string problem_text(const Measurement& m) {
  return concat(facts(m.type).words, " ", facts(m.operation).name, ", ", conditions_text(m));
}

std::string n_text(const Measurement& m) {
  return concat("n = ", elements_text(m.n), " (", size_text(m.bytes()), ")");
}

std::string place_text(const Measurement& m) {
  return m.place && *m.place != Place::random ? concat("@", name(*m.place)) : "";
}

std::string axis_text(const Axis& axis, const Tuning& tuning) {
  return axis.name.front() + std::to_string(tuning.*axis.member);
}

std::string tuning_text(const Measurement& m) {
  std::string text;
  for (const auto& axis : tuning_axes) {
    if ((m.info().rung.axes & axis.bit) != 0) append(text, axis_text(axis, m.tuning));
  }
  append(text, place_text(m));
  return text;
}

std::string axes_text() {
  return join(tuning_axes, ", ",
              [](const Axis& axis) { return concat(axis.name.front(), " ", axis.name); });
}

void append(std::string& list, const std::string& text) {
  list += (list.empty() || text.empty() ? "" : " ") + text;
}

}  // namespace ladder::bench
