#pragma once

// What the program prints: the list of rungs, the plan, the tables of a run's results; and text in
// aligned columns.

#include <algorithm>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results/results.hpp"
#include "common/build_info.hpp"

namespace ladder::bench {

/// Every backend and rung of this build; as JSON also the ladders, the axes and the types. Opens
/// nothing.
void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json);

/// Prints the devices, then a table for each problem (type, operation, data, cache state, scope):
/// a row for each rung, size and tuning.
void print_tables(std::ostream& out, const Results& results, bool profile);

/// Prints the measurements, the seconds that they take if known (not 0), their memory, and what is
/// left out: for --dry-run.
void print_plan(std::ostream& out, const Plan& plan, unsigned processes, double seconds);

/// Prints the counters, then a table of the medians over the rounds: for --energy.
void print_energy(std::ostream& out, const Results& results);

/// Prints a line for each reason to leave rungs out, and one for each backend that does not run.
void print_left_out(std::ostream& out, const Plan& plan, const LeftOut& left_out);

/// A line for each compiler that was told not to optimize, with its flags; empty where all do.
std::string unoptimized_text(std::span<const BuildFact> facts = build_info().facts);

/// Width on a terminal: UTF-8 continuation bytes take no room.
inline std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// A column of a table: its head, then a cell for each row.
struct Column {
  std::vector<std::string> cells;
  bool right = false;  ///< its cells end below one another

  std::size_t room() const { return width(std::ranges::max(cells, {}, width)); }
  /// True where each cell has that text, or none.
  bool has_only(std::string_view text) const {
    return std::all_of(cells.begin() + 1, cells.end(),
                       [&](const auto& cell) { return cell.empty() || cell == text; });
  }
};

class Columns {
 public:
  /// `sides` has an 'l' or an 'r' for each column.
  Columns(const std::vector<std::string>& heads, std::string_view sides) {
    for (std::size_t i = 0; i < heads.size(); ++i)
      columns_.push_back({{heads[i]}, sides[i] == 'r'});
  }

  void add(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) columns_[i].cells.push_back(cells[i]);
  }

  void drop(std::string_view head) {
    std::erase_if(columns_, [&](const Column& column) { return column.cells[0] == head; });
  }
  /// The same, if each cell of it has that text, or none.
  void drop_if_only(std::string_view head, std::string_view text) {
    std::erase_if(columns_, [&](const Column& column) {
      return column.cells[0] == head && column.has_only(text);
    });
  }

  void print(std::ostream& out) const {
    std::vector<std::size_t> rooms;
    for (const auto& column : columns_) rooms.push_back(column.room());
    for (std::size_t row = 0; row < columns_.front().cells.size(); ++row) {
      std::string line;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto& cell = columns_[i].cells[row];
        const std::string blanks(rooms[i] - width(cell), ' ');
        line += (i == 0 ? "" : "  ") + (columns_[i].right ? blanks + cell : cell + blanks);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out << line << "\n";
    }
  }

 private:
  std::vector<Column> columns_;
};

}  // namespace ladder::bench
