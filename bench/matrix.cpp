#include "bench/matrix.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <tuple>

#include "bench/compare.hpp"
#include "bench/grid.hpp"

namespace ladder::bench {
namespace {

using M = Measurement;
constexpr Axis over_n{"n", "n=", 3, [](const M& m) { return m.n; }};
constexpr Axis over_block{"block", "b", 1,
                          [](const M& m) -> std::size_t { return m.tuning.block; }};
constexpr Axis over_grid{"grid", "g", 1, [](const M& m) -> std::size_t { return m.tuning.grid; }};
constexpr Axis over_items{"items", "i", 1,
                          [](const M& m) -> std::size_t { return m.tuning.items; }};
constexpr Axis over_workers{"workers", "w", 1,
                            [](const M& m) -> std::size_t { return m.tuning.workers; }};
/// As they are preferred for the columns, where they have as many values; and as they are written.
constexpr std::array preferred{&over_n, &over_grid, &over_items, &over_block, &over_workers};
constexpr std::array written{&over_n, &over_block, &over_grid, &over_items, &over_workers};

/// How many values of the axis a rung has, at most.
std::size_t values_of(const Rows& rows, const Axis& axis) {
  std::map<std::tuple<Backend*, std::size_t, std::size_t, unsigned, unsigned>,
           std::set<std::size_t>>
      values;
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    // By default the grid follows n and the block: it is swept where it varies all the same.
    auto& own = &axis == &over_grid
                    ? values[{m.backend, m.rung, m.n, m.tuning.block, m.tuning.items}]
                    : values[{m.backend, m.rung, 0, 0, 0}];
    own.insert(axis.of(m));
  }
  std::size_t most = 0;
  for (const auto& [whose, own] : values) most = std::max(most, own.size());
  return most;
}

std::string value_text(const Axis& axis, std::size_t value) {
  if (&axis == &over_n) return elements_text(value);
  return value == 0 ? "no " + std::string(axis.name) : std::to_string(value);
}

/// What tells the lines of one rung apart.
std::string tuning_text(const Measurement& m, const std::vector<const Axis*>& others) {
  std::string text;
  const auto append = [&](const std::string& part) {
    text += (text.empty() || part.empty() ? "" : " ") + part;
  };
  for (const auto* axis : others) {
    const auto value = axis->of(m);
    if (value != 0 || axis == &over_n) append(std::string(axis->label) + value_text(*axis, value));
  }
  append(place_text(m));
  return text;
}

class Matrix {
 public:
  /// A line's place among the others: backend, rung, and what else tells it apart.
  using Key = std::vector<std::size_t>;

  Matrix(const Study& study, std::vector<std::string> columns, bool marks_best)
      : study_(study), columns_(std::move(columns)), marks_best_(marks_best) {}

  /// Where the row's rung belongs.
  Key key(const Row& row) const {
    const auto& backends = study_.plan().backends;
    const auto backend = std::ranges::find(backends, row.measurement.backend) - backends.begin();
    return {static_cast<std::size_t>(backend), row.measurement.rung};
  }

  void put(const Key& key, const std::string& tuning, std::size_t column, const Row& row) {
    auto& line = lines_[key];
    line.tuning = tuning;
    line.rows.resize(columns_.size());
    line.rows[column] = &row;
  }

  /// GB/s, then percent of the ceiling; the title is completed by what the columns are.
  void print(std::ostream& out, const std::string& title, const std::string& by) const {
    print_one(out, title + ": GB/s by " + by, [&](const Row& row) {
      return ratio(compare(study_, row).gbs, row.statistics().uncertainty());
    });
    print_one(out, title + ": % of the ceiling by " + by, [&](const Row& row) {
      const auto comparison = compare(study_, row);
      return percent(comparison.of_ceiling, comparison.ceiling_uncertainty);
    });
  }

 private:
  struct Line {
    std::string tuning;
    Rows rows;  ///< one a column; null where there is none
  };

  /// The fastest of a line; none where there is no choice.
  static const Row* best(const Line& line) {
    Rows good;
    for (const auto* row : line.rows) {
      if (row != nullptr && row->good()) good.push_back(row);
    }
    if (good.size() < 2) return nullptr;
    return *std::ranges::min_element(good, {},
                                     [](const Row* row) { return row->statistics().median; });
  }

  void print_one(std::ostream& out, const std::string& title,
                 const std::function<std::string(const Row&)>& cell) const {
    const bool tuned =
        std::ranges::any_of(lines_, [](const auto& entry) { return !entry.second.tuning.empty(); });
    // Room for the mark behind each figure, so that they stay in line.
    const std::string plain = marks_best_ ? " " : "";
    std::vector<std::string> heads{"backend", "rung"};
    if (tuned) heads.push_back("tuning");
    for (const auto& column : columns_) heads.push_back(column + plain);
    Grid grid(heads, (tuned ? "lll" : "ll") + std::string(columns_.size(), 'r'));
    for (const auto& [key, line] : lines_) {
      const auto some = std::ranges::find_if(line.rows, [](const Row* row) { return row; });
      const auto& m = (*some)->measurement;
      std::vector<std::string> cells{std::string(m.backend->name()), full_name(m.info().rung)};
      if (tuned) cells.push_back(line.tuning);
      const auto* first = marks_best_ ? best(line) : nullptr;
      for (const auto* row : line.rows) {
        cells.push_back(row == nullptr ? ""
                        : row->good()  ? cell(*row) + (row == first ? "*" : plain)
                                       : checked(*row) + plain);
      }
      grid.add(cells);
    }
    out << "\n" << title << "\n";
    grid.print(out);
  }

  const Study& study_;
  std::vector<std::string> columns_;
  bool marks_best_;
  std::map<Key, Line> lines_;
};

/// The values of the axis, ascending; at the end 0, where rungs have no such axis.
std::vector<std::size_t> column_values(const Rows& rows, const Axis& axis) {
  std::set<std::size_t> values;
  for (const auto* row : rows) values.insert(axis.of(row->measurement));
  std::vector<std::size_t> columns(values.begin(), values.end());
  if (&axis != &over_n && columns.front() == 0) std::ranges::rotate(columns, columns.begin() + 1);
  return columns;
}

/// The rows at the largest size.
Rows largest(const Rows& rows) {
  std::size_t most = 0;
  for (const auto* row : rows) most = std::max(most, row->measurement.n);
  Rows found;
  std::ranges::copy_if(rows, std::back_inserter(found),
                       [&](const Row* row) { return row->measurement.n == most; });
  return found;
}

/// "i32 min @last".
std::string case_text(const Measurement& m) {
  const auto place = place_text(m);
  return std::string(facts(m.type).name) + " " + std::string(facts(m.operation).name) +
         (place.empty() ? "" : " " + place);
}

/// What the cases' sizes have in common, in words.
std::string common_size(const Rows& rows) {
  const auto& first = rows.front()->measurement;
  const auto all = [&](auto of) {
    return std::ranges::all_of(rows,
                               [&](const Row* row) { return of(row->measurement) == of(first); });
  };
  if (all([](const Measurement& m) { return m.n; })) return ", n = " + elements_text(first.n);
  if (all([](const Measurement& m) { return m.bytes(); }))
    return ", " + bytes_text(static_cast<double>(first.bytes()));
  return ", the largest size of each";
}

void print_cases_alike(std::ostream& out, const Study& study, const std::vector<Rows>& problems) {
  Rows rows;
  for (const auto& problem : problems) {
    if (!swept_axes(problem).empty()) return;
    std::ranges::copy(largest(problem), std::back_inserter(rows));
  }
  std::map<std::tuple<Type, Operation, Place>, std::string> ordered;
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    ordered[{m.type, m.operation, m.place.value_or(Place::random)}] = case_text(m);
  }
  std::vector<std::string> cases;
  for (const auto& [what, text] : ordered) cases.push_back(text);
  Matrix matrix(study, cases, false);
  for (const auto* row : rows) {
    const auto column = std::ranges::find(cases, case_text(row->measurement)) - cases.begin();
    matrix.put(matrix.key(*row), "", static_cast<std::size_t>(column), *row);
  }
  matrix.print(out, conditions_text(rows.front()->measurement) + common_size(rows),
               "type and operation");
}

}  // namespace

std::vector<const Axis*> swept_axes(const Rows& rows) {
  std::vector<std::pair<std::size_t, const Axis*>> found;
  for (const auto* axis : preferred) {
    const auto count = values_of(rows, *axis);
    if (count > axis->few) found.emplace_back(count, axis);
  }
  std::ranges::stable_sort(found, std::greater{}, [](const auto& entry) { return entry.first; });
  std::vector<const Axis*> swept;
  for (const auto& entry : found) swept.push_back(entry.second);
  return swept;
}

bool sweeps_sizes(const std::vector<const Axis*>& swept) {
  return std::ranges::find(swept, &over_n) != swept.end();
}

bool over_sizes(const std::vector<const Axis*>& swept) {
  return !swept.empty() && swept.front() == &over_n;
}

void print_sweep(std::ostream& out, const Study& study, const Rows& rows,
                 const std::vector<const Axis*>& swept) {
  const Axis& across = *swept.front();
  const bool tunings = !over_sizes(swept);
  std::vector<const Axis*> others;
  for (const auto* axis : written) {
    if (axis != &across && std::ranges::find(swept, axis) != swept.end()) others.push_back(axis);
  }
  const auto columns = column_values(rows, across);
  std::vector<std::string> heads;
  for (const auto value : columns) heads.push_back(value_text(across, value));
  Matrix matrix(study, heads, tunings);
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    auto key = matrix.key(*row);
    for (const auto* axis : others) key.push_back(axis->of(m));
    key.push_back(static_cast<std::size_t>(m.place.value_or(Place::random)));
    const auto column = std::ranges::find(columns, across.of(m)) - columns.begin();
    matrix.put(key, tuning_text(m, others), static_cast<std::size_t>(column), *row);
  }
  const auto& first = rows.front()->measurement;
  matrix.print(out, problem_text(first) + (sweeps_sizes(swept) ? "" : ", " + size_text(first)),
               std::string(across.name) + (tunings ? ", * the best of its row" : ""));
}

Rows best_tunings(const Rows& rows) {
  Rows best;
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    const auto known = std::ranges::find_if(best, [&](const Row* other) {
      const auto& its = other->measurement;
      return its.backend == m.backend && its.rung == m.rung && its.place == m.place;
    });
    if (known == best.end()) {
      best.push_back(row);
    } else if (row->good() &&
               (!(*known)->good() || row->statistics().median < (*known)->statistics().median)) {
      *known = row;
    }
  }
  return best;
}

void print_cases(std::ostream& out, const Study& study, const std::vector<Rows>& problems) {
  std::map<std::tuple<Data, Cache, Scope>, std::vector<Rows>> alike;
  for (const auto& rows : problems) {
    const auto& m = rows.front()->measurement;
    alike[{m.data, m.cache, m.scope}].push_back(rows);
  }
  for (const auto& [conditions, some] : alike) {
    if (some.size() > 1) print_cases_alike(out, study, some);
  }
}

}  // namespace ladder::bench
