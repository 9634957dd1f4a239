#pragma once

// Text in aligned columns.

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::bench {

/// Width on a terminal: UTF-8 continuation bytes take no room.
inline std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Columns {
 public:
  /// `sides` has an 'l' or an 'r' for each column.
  Columns(std::vector<std::string> heads, std::string sides)
      : sides_(std::move(sides)), rows_{{std::move(heads), false}} {}

  void add(std::vector<std::string> cells, bool red = false) {
    rows_.push_back({std::move(cells), red});
  }

  /// Width of a line.
  std::size_t total_width() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) sum += width_of(i) + 2;
    return sum == 0 ? 0 : sum - 2;
  }

  /// True where the column with that head has that text, or none, in each row.
  bool has_only(std::string_view head, std::string_view text) const {
    const auto i = place(head);
    return i < sides_.size() && std::all_of(rows_.begin() + 1, rows_.end(), [&](const Line& row) {
             return row.cells[i].empty() || row.cells[i] == text;
           });
  }

  /// Leaves the column with that head out; returns false where there is none.
  bool drop(std::string_view head) {
    const auto i = static_cast<std::ptrdiff_t>(place(head));
    if (i == std::ssize(sides_)) return false;
    for (auto& row : rows_) row.cells.erase(row.cells.begin() + i);
    sides_.erase(static_cast<std::size_t>(i), 1);
    return true;
  }

  /// Gives each cell below that head its `shorter` text.
  template <class Shorter>
  void shorten(std::string_view head, const Shorter& shorter) {
    const auto i = place(head);
    if (i == sides_.size()) return;
    for (auto row = rows_.begin() + 1; row != rows_.end(); ++row)
      row->cells[i] = shorter(row->cells[i]);
  }

  void print(std::ostream& out) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < sides_.size(); ++i) widths.push_back(width_of(i));
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < sides_.size(); ++i) {
        const std::string blanks(widths[i] - width(row.cells[i]), ' ');
        line += (i == 0 ? "" : "  ") +
                (sides_[i] == 'r' ? blanks + row.cells[i] : row.cells[i] + blanks);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out << (row.red ? "\033[31m" + line + "\033[0m" : line) << "\n";
    }
  }

 private:
  struct Line {
    std::vector<std::string> cells;
    bool red;
  };

  std::size_t width_of(std::size_t column) const {
    std::size_t most = 0;
    for (const auto& row : rows_) most = std::max(most, width(row.cells[column]));
    return most;
  }

  /// The column with that head; the number of columns where there is none.
  std::size_t place(std::string_view head) const {
    const auto& heads = rows_.front().cells;
    return static_cast<std::size_t>(std::ranges::find(heads, head) - heads.begin());
  }

  std::string sides_;
  std::vector<Line> rows_;  ///< the first has the heads
};

}  // namespace ladder::bench
