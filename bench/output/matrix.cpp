#include "bench/output/matrix.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <set>

#include "bench/output/columns.hpp"
#include "bench/results/derived.hpp"
#include "bench/results/digits.hpp"
#include "bench/text.hpp"
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

/// What a line or a column is called, and where it stands among the others.
struct Label {
  std::vector<std::size_t> order;
  std::string text{};
  bool operator<(const Label& other) const { return order < other.order; }
};

/// The column of a value; last of all that of rungs without such an axis.
Label column_of(Swept axis, const Measurement& m) {
  const auto value = value_of(axis, m);
  if (axis == nullptr) return {{value}, elements_text(value)};
  if (value == 0) return {{~std::size_t{0}}, concat("no ", axis->name)};
  return {{value}, std::to_string(value)};
}

/// What tells the lines of one rung apart.
Label line_of(const std::vector<Swept>& others, const Measurement& m) {
  Label label{{}, ""};
  for (const auto* axis : others) {
    const auto value = value_of(axis, m);
    label.order.push_back(value);
    if (axis == nullptr) append(label.text, "n=" + elements_text(value));
    if (axis != nullptr && value != 0) append(label.text, axis_text(*axis, m.tuning));
  }
  label.order.push_back(static_cast<std::size_t>(m.place.value_or(Place::random)));
  append(label.text, place_text(m));
  return label;
}

/// "i32 min @last".
Label case_of(const Measurement& m) {
  Label label{{static_cast<std::size_t>(m.type), static_cast<std::size_t>(m.operation),
               static_cast<std::size_t>(m.place.value_or(Place::random))},
              concat(facts(m.type).name, " ", facts(m.operation).name)};
  append(label.text, place_text(m));
  return label;
}

double time_of(const Row* row) { return row->time().value; }

/// The fastest of the right ones; null where there is none.
const Row* fastest(Rows rows) {
  std::erase_if(rows, [](const Row* row) { return !row->good(); });
  return rows.empty() ? nullptr : *std::ranges::min_element(rows, {}, time_of);
}

using LabelOf = std::function<Label(const Measurement&)>;

/// GB/s, then percent of the ceiling, in lines of at most `room` columns. `line` tells the lines of
/// one rung apart. With `marks_best` the fastest of each line is marked, where there is a choice.
void print_matrix(std::ostream& out, const Results& results, const Rows& rows,
                  const std::string& title, const std::string& by, const LabelOf& line,
                  const LabelOf& column, bool marks_best, std::size_t room) {
  std::set<Label> columns;
  std::map<Label, std::map<Label, const Row*>> lines;
  bool tuned = false;
  for (const auto* row : rows) {
    const auto& m = row->measurement;
    const auto backend = std::ranges::find(results.plan.backends, m.backend);
    Label whole{{static_cast<std::size_t>(backend - results.plan.backends.begin()), m.rung}};
    const Label own = line(m);
    whole.order.insert(whole.order.end(), own.order.begin(), own.order.end());
    whole.text = own.text;
    tuned |= !own.text.empty();
    lines[whole][*columns.insert(column(m)).first] = row;
  }
  // Room for the mark behind each figure, so that they stay in line.
  const std::string plain = marks_best ? " " : "";
  const auto print = [&](std::string_view unit, const auto& figure) {
    std::vector<std::string> heads{"backend", "rung"};
    if (tuned) heads.emplace_back("tuning");
    for (const auto& one : columns) heads.push_back(one.text + plain);
    Columns table(heads, (tuned ? "lll" : "ll") + std::string(columns.size(), 'r'));
    for (const auto& [label, found] : lines) {
      Rows all, good;
      for (const auto& [where, row] : found) {
        all.push_back(row);
        if (row->good()) good.push_back(row);
      }
      const auto* best = marks_best && good.size() > 1 ? fastest(good) : nullptr;
      const auto& m = all.front()->measurement;
      std::vector<std::string> cells{std::string(m.backend->name()), full_name(m.info().rung)};
      if (tuned) cells.push_back(label.text);
      for (const auto& one : columns) {
        const auto at = found.find(one);
        const auto* row = at == found.end() ? nullptr : at->second;
        cells.push_back(row == nullptr ? ""
                        : row->good()  ? figure(*row) + (row == best ? "*" : plain)
                                       : checked(*row) + plain);
      }
      table.add(cells);
    }
    out << "\n" << title << ": " << unit << " by " << by << "\n";
    table.print(out, tuned ? 3 : 2, room);
  };
  print("GB/s", [&](const Row& row) {
    const auto derived = derive(results, row);
    return ratio(derived.gbs, derived.time.uncertainty);
  });
  print("% of the ceiling", [&](const Row& row) {
    const auto derived = derive(results, row);
    return percent(derived.of_ceiling, derived.ceiling_uncertainty);
  });
}

/// What the cases' sizes have in common, in words.
std::string common_size(const Rows& rows) {
  const auto& first = rows.front()->measurement;
  const auto all = [&](auto same) {
    return std::ranges::all_of(rows, [&](const Row* row) { return same(row->measurement); });
  };
  if (all([&](const auto& m) { return m.n == first.n; })) return "n = " + elements_text(first.n);
  if (all([&](const auto& m) { return m.bytes() == first.bytes(); }))
    return size_text(first.bytes());
  return "the largest size of each";
}

}  // namespace

std::vector<Swept> swept_axes(const Rows& rows) {
  // Where there are as many values of several, the sizes go across, then the last of the axes.
  std::vector<Swept> all{nullptr};
  for (std::size_t i = tuning_axes.size(); i-- > 0;) all.push_back(&tuning_axes[i]);
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
                 const std::vector<Swept>& swept, std::size_t room) {
  const Swept across = swept.front();
  // Null, the sizes, comes first; the axes of the tuning as their table has them.
  std::vector<Swept> others(swept.begin() + 1, swept.end());
  std::ranges::sort(others, std::less<Swept>{});
  const auto& first = rows.front()->measurement;
  const bool sizes = std::ranges::find(swept, nullptr) != swept.end();
  print_matrix(
      out, results, rows, problem_text(first) + (sizes ? "" : ", " + n_text(first)),
      across == nullptr ? "n" : concat(across->name, ", * the best of its row"),
      [&](const Measurement& m) { return line_of(others, m); },
      [&](const Measurement& m) { return column_of(across, m); }, across != nullptr, room);
}

Rows best_tunings(const Rows& rows) {
  Rows best;
  for (const auto& group : groups(rows, [](const Row&a, const Row&b) {
         const auto &x = a.measurement, &y = b.measurement;
         return x.backend == y.backend && x.rung == y.rung && x.place == y.place;
       })) {
    const auto* row = fastest(group);
    best.push_back(row != nullptr ? row : group.front());
  }
  return best;
}

void print_cases(std::ostream& out, const Results& results, const std::vector<Rows>& problems,
                 std::size_t room) {
  for (const auto& alike : groups(problems, [](const Rows&a, const Rows&b) {
         const auto &x = a.front()->measurement, &y = b.front()->measurement;
         return x.data == y.data && x.cache == y.cache && x.scope == y.scope;
       })) {
    Rows largest;
    bool swept = false;
    for (const auto* rows : alike) {
      swept |= !swept_axes(*rows).empty();
      const auto n = [](const Row* row) { return row->measurement.n; };
      const auto most = n(*std::ranges::max_element(*rows, {}, n));
      std::ranges::copy_if(*rows, std::back_inserter(largest),
                           [&](const Row* row) { return n(row) == most; });
    }
    if (alike.size() == 1 || swept) continue;
    print_matrix(
        out, results, largest,
        conditions_text(largest.front()->measurement) + ", " + common_size(largest),
        "type and operation", [](const Measurement&) { return Label{}; }, case_of, false, room);
  }
}

}  // namespace ladder::bench
