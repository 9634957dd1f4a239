#include "bench/tell/matrix.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <tuple>

#include "bench/tell/columns.hpp"
#include "bench/tell/derived.hpp"
#include "bench/tell/digits.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

/// 0 where the rung has no such axis.
std::size_t value_of(Swept axis, const Measurement& m) {
  return axis == nullptr ? m.n : m.tuning.*axis->member;
}

/// How many values of the axis a rung has, at most.
std::size_t values_of(const Rows& rows, Swept axis) {
  std::map<std::vector<std::size_t>, std::set<std::size_t>> values;
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    std::vector<std::size_t> whose{reinterpret_cast<std::size_t>(m.backend), m.rung};
    // By default the grid follows n and the block: it is swept where it varies all the same.
    if (axis != nullptr && axis->per_unit) {
      whose.push_back(m.n);
      for (const auto& other : tuning_axes) {
        if (&other != axis) whose.push_back(m.tuning.*other.member);
      }
    }
    values[whose].insert(value_of(axis, m));
  }
  std::size_t most = 0;
  for (const auto& [whose, own] : values) most = std::max(most, own.size());
  return most;
}

std::string head_of(Swept axis, std::size_t value) {
  if (axis == nullptr) return elements_text(value);
  return value == 0 ? "no " + std::string(axis->name) : std::to_string(value);
}

/// What tells the lines of one rung apart.
std::string line_text(const Measurement& m, const std::vector<Swept>& others) {
  std::string text;
  for (const auto* axis : others) {
    if (axis == nullptr) {
      append(text, "n=" + elements_text(m.n));
    } else if (value_of(axis, m) != 0) {
      append(text, axis_text(*axis, m.tuning));
    }
  }
  append(text, place_text(m));
  return text;
}

class Matrix {
 public:
  /// A line's place among the others: backend, rung, and what else tells it apart.
  using Key = std::vector<std::size_t>;

  Matrix(const Results& results, std::vector<std::string> columns, bool marks_best)
      : results_(results), columns_(std::move(columns)), marks_best_(marks_best) {}

  /// Where the row's rung belongs.
  Key key(const Row& row) const {
    const auto& backends = results_.plan.backends;
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
      return ratio(derive(results_, row).gbs, row.statistics().uncertainty());
    });
    print_one(out, title + ": % of the ceiling by " + by, [&](const Row& row) {
      const auto derived = derive(results_, row);
      return percent(derived.of_ceiling, derived.ceiling_uncertainty);
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
    Columns lines(heads, (tuned ? "lll" : "ll") + std::string(columns_.size(), 'r'));
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
      lines.add(cells);
    }
    out << "\n" << title << "\n";
    lines.print(out);
  }

  const Results& results_;
  std::vector<std::string> columns_;
  bool marks_best_;
  std::map<Key, Line> lines_;
};

/// The values of the axis, ascending; at the end 0, where rungs have no such axis.
std::vector<std::size_t> column_values(const Rows& rows, Swept axis) {
  std::set<std::size_t> values;
  for (const auto* row : rows) values.insert(value_of(axis, row->measurement));
  std::vector<std::size_t> columns(values.begin(), values.end());
  if (axis != nullptr && columns.front() == 0) std::ranges::rotate(columns, columns.begin() + 1);
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
  if (all([](const Measurement& m) { return m.bytes(); })) return ", " + size_text(first.bytes());
  return ", the largest size of each";
}

void print_cases_alike(std::ostream& out, const Results& results,
                       const std::vector<Rows>& problems) {
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
  Matrix matrix(results, cases, false);
  for (const auto* row : rows) {
    const auto column = std::ranges::find(cases, case_text(row->measurement)) - cases.begin();
    matrix.put(matrix.key(*row), "", static_cast<std::size_t>(column), *row);
  }
  matrix.print(out, conditions_text(rows.front()->measurement) + common_size(rows),
               "type and operation");
}

}  // namespace

std::vector<Swept> swept_axes(const Rows& rows) {
  // Where there are as many values of several, the sizes go across, then the last of the axes.
  std::vector<Swept> all{nullptr};
  for (auto axis = tuning_axes.rbegin(); axis != tuning_axes.rend(); ++axis) all.push_back(&*axis);
  std::vector<std::pair<std::size_t, Swept>> found;
  for (const auto* axis : all) {
    const auto count = values_of(rows, axis);
    if (count > (axis == nullptr ? 3 : 1)) found.emplace_back(count, axis);  // fewer are no sweep
  }
  std::ranges::stable_sort(found, std::greater{}, [](const auto& entry) { return entry.first; });
  std::vector<Swept> swept;
  for (const auto& entry : found) swept.push_back(entry.second);
  return swept;
}

void print_sweep(std::ostream& out, const Results& results, const Rows& rows,
                 const std::vector<Swept>& swept) {
  const Swept across = swept.front();
  // Null, the sizes, comes first; the axes of the tuning as their table has them.
  std::vector<Swept> others(swept.begin() + 1, swept.end());
  std::ranges::sort(others, std::less<Swept>{});
  const auto columns = column_values(rows, across);
  std::vector<std::string> heads;
  for (const auto value : columns) heads.push_back(head_of(across, value));
  Matrix matrix(results, heads, across != nullptr);
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    auto key = matrix.key(*row);
    for (const auto* axis : others) key.push_back(value_of(axis, m));
    key.push_back(static_cast<std::size_t>(m.place.value_or(Place::random)));
    const auto column = std::ranges::find(columns, value_of(across, m)) - columns.begin();
    matrix.put(key, line_text(m, others), static_cast<std::size_t>(column), *row);
  }
  const auto& first = rows.front()->measurement;
  const bool sizes = std::ranges::find(swept, nullptr) != swept.end();
  matrix.print(out, problem_text(first) + (sizes ? "" : ", " + n_text(first)),
               across == nullptr ? "n" : std::string(across->name) + ", * the best of its row");
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

void print_cases(std::ostream& out, const Results& results, const std::vector<Rows>& problems) {
  std::map<std::tuple<Data, Cache, Scope>, std::vector<Rows>> alike;
  for (const auto& rows : problems) {
    const auto& m = rows.front()->measurement;
    alike[{m.data, m.cache, m.scope}].push_back(rows);
  }
  for (const auto& [conditions, some] : alike) {
    if (some.size() > 1) print_cases_alike(out, results, some);
  }
}

}  // namespace ladder::bench
