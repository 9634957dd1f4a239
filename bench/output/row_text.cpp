#include "bench/output/row_text.hpp"

#include <algorithm>
#include <vector>

#include "bench/results/digits.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {

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

std::string n_text(const Measurement& m) {
  const auto shape = m.shape.text();
  return concat(shape, shape.empty() ? "" : ", ", "n = ", elements_text(m.n), " (",
                size_text(m.bytes()), ")");
}

std::string tuning_text(const Measurement& m) {
  std::vector<std::string> parts;
  for (const auto& axis : tuning_axes) {
    if ((m.info().rung.axes & axis.bit) != 0)
      parts.push_back(concat(axis.name.front(), m.tuning.*axis.member));
  }
  if (m.place && *m.place != Place::random) parts.push_back(concat("@", name(*m.place)));
  return join(parts, " ");
}

}  // namespace ladder::bench
