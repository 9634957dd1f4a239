#pragma once

// Printed output: list of rungs, plan, result tables, and text in aligned columns.

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

/// Prints every backend and rung of this build; as JSON also the ladders, axes and types. Opens no
/// device.
void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json);

/// Prints the devices, then one table per problem (type, operation, data, cache state, scope) with
/// a row for each rung, size and tuning.
void print_tables(std::ostream& out, const Results& results, bool profile);

/// Prints the plan for --dry-run: measurements, estimated seconds (0: unknown), memory, and omitted
/// rungs.
void print_plan(std::ostream& out, const Plan& plan, unsigned processes, double seconds);

/// For --energy: prints the counters, then a table of medians over the rounds.
void print_energy(std::ostream& out, const Results& results);

/// Prints one line per reason for omitted rungs, and one per backend that cannot run.
void print_left_out(std::ostream& out, const Plan& plan, const LeftOut& left_out);

/// One line with flags per compiler run without optimization; empty if all optimize.
std::string unoptimized_text(std::span<const BuildFact> facts = build_info().facts);

/// Width on a terminal; UTF-8 continuation bytes have no width.
inline std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// A table column: the heading, then one cell per row.
struct Column {
  std::vector<std::string> cells;
  bool right = false;  ///< right-aligned

  std::size_t room() const { return width(std::ranges::max(cells, {}, width)); }
  /// True if every cell below the heading is empty or equals `text`.
  bool has_only(std::string_view text) const {
    return std::all_of(cells.begin() + 1, cells.end(),
                       [&](const auto& cell) { return cell.empty() || cell == text; });
  }
};

class Columns {
 public:
  /// `sides` has one 'l' or 'r' (alignment) per column.
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
  /// Drops the column if every cell is empty or equals `text`.
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
